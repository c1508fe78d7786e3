"""What a GeoTIFF says beside its numbers: where cells lie on the ground, in which reference system, what stands for no data, what bands are called.

The command says it (`crinkle info --json`) and writes it (`crinkle move --header`).

SPDX-License-Identifier: BSD-3-Clause
"""
import json
import math
import os
import tempfile

from ._headers import Header

_facts = ("crs", "geotransform", "nodata", "bands", "scales")


class RasterHeader(Header):
    """That of a GeoTIFF: Header(crs='EPSG:25832', geotransform=(x0, dx, 0, y0, 0, -dy), nodata=-9999) makes one."""

    def __init__(self, **facts):
        self._data, self._type, self.format, self._is_of_volume = b"", None, "geotiff", False
        self._read({})
        self.bands, self.scales = (), ()
        self._set(facts)

    @classmethod
    def _of_file(cls, path):
        from . import _files

        return cls._said(_files.info(path))

    @classmethod
    def _said(cls, said):
        """That of a file of which the command says this; None where it is no GeoTIFF."""
        if "geotransform" not in said and "crs_wkt" not in said:
            return None
        header = cls(crs=said["crs_wkt"], geotransform=said.get("geotransform"), nodata=said.get("nodata"), bands=said["bands"], scales=said["scales"])
        header.shape, header.tags = tuple(said["shape"] if len(said["bands"]) > 1 else said["shape"][1:]), said["tags"]
        return header

    tags = 0  # further ones, which a header does not keep

    def _set(self, facts):
        for name, value in facts.items():
            if name not in _facts:
                raise TypeError(f"header: no fact {name!r} of a raster; there are {', '.join(_facts)}")
            if name == "crs" and value is not None and not isinstance(value, str):
                value = value.to_wkt() if hasattr(value, "to_wkt") else str(value)
            if name == "geotransform" and value is not None:
                value = tuple(map(float, value.to_gdal() if hasattr(value, "to_gdal") else value))
                if len(value) != 6 or not all(map(math.isfinite, value)) or value[1] * value[5] == value[2] * value[4]:
                    raise ValueError(f"header: geotransform is six numbers, (x of the corner, x a column, x a row, y of the corner, y a column, y a row), not {value}")
            if name == "nodata" and value is not None:
                value = float(value)
            if name == "bands":
                value = tuple(map(str, value))
            if name == "scales":
                value = tuple((float(scale), float(offset)) for scale, offset in value)
            setattr(self, name, value)

    def replace(self, **facts):
        made = RasterHeader(**{**{name: getattr(self, name) for name in _facts}, **facts})
        made.shape, made.tags = self.shape, self.tags
        return made

    def moved(self, spec, **words):
        """The header of the raster after ``ck.move(x, spec, **words)``: where its cells lie then."""
        if not self.shape:
            raise ValueError("header: moved() of a header that is of no raster")
        import numpy

        from . import _files

        with tempfile.TemporaryDirectory() as folder:
            hollow, there = os.path.join(folder, "hollow.npy"), os.path.join(folder, "moved.tif")
            numpy.lib.format.open_memmap(hollow, "w+", numpy.uint8, self.shape).flush()
            said = self.replace(nodata=None)._json(folder, self.shape, "header", numpy.dtype(numpy.uint8))
            _files.run_move(spec, hollow, there, None, {"header": said, **words}, folder)
            header = RasterHeader._of_file(there)
        if header is None:
            raise ValueError(f"header: after {spec!r} its rows and columns are no longer lines along those of the raster")
        header.nodata = self.nodata
        return header

    def _json(self, folder, shape, path, dtype):
        """A file for --header, of an array of this shape and type."""
        from ._features import _holds

        if self.nodata is not None and not _holds(dtype.name, self.nodata):
            raise ValueError(f"{path}: nodata {self.nodata:g} is no {dtype}: header.replace(nodata=…) says another number, and nodata=None none")
        if self.shape and tuple(shape[-2:]) != self.shape[-2:]:
            raise ValueError(f"{path}: the header is of a raster {self.shape}, and the array has shape {tuple(shape)}: their rows and columns are the "
                             "same; header.moved(spec, …) follows a move, header.replace(geotransform=…) says another place")
        said = {"crs_wkt": self.crs, "geotransform": self.geotransform, "nodata": self.nodata}
        if self.nodata is not None and not math.isfinite(self.nodata):
            said["nodata"] = str(self.nodata)
        n = shape[0] if len(shape) == 3 else 1
        for name in ("bands", "scales"):
            values = getattr(self, name)
            if values and len(values) != n:
                raise ValueError(f"{path}: the header has {name} of {len(values)} bands, and the array {n}; header.replace({name}=…) says others")
            if values:
                said[name] = values
        there = os.path.join(folder, "header.json")
        with open(there, "w", encoding="utf-8") as f:
            json.dump(said, f)
        return there

    def _scaled(self, array):
        """(values, header): float64, NaN where there is no data."""
        import numpy

        values = array.astype(numpy.float64)
        gone = array == self.nodata if self.nodata is not None and not math.isnan(self.nodata) else None
        for band, (scale, offset) in enumerate(self.scales):
            plane = values[band] if values.ndim == 3 else values
            plane *= scale
            plane += offset
        if gone is not None:
            values[gone] = numpy.nan
        return values, self.replace(scales=(), nodata=None if self.nodata is None else math.nan)

    def __eq__(self, other):
        mine, its = ([repr(getattr(one, name, None)) for name in _facts] for one in (self, other))
        return isinstance(other, RasterHeader) and mine == its

    def __hash__(self):
        return hash((self.crs, self.geotransform, self.bands))

    def __repr__(self):
        place = "its place is not said" if self.geotransform is None else f"geotransform {self.geotransform}"
        nodata = "" if self.nodata is None else f", nodata {self.nodata}"
        return f"<crinkle header: raster {self.shape or ''}, {place}{nodata}, {'no crs' if self.crs is None else self.crs[:40] + '…'}>"
