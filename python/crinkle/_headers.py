"""What a volume's header says beside the numbers: where voxels lie, how long steps are, what stored numbers mean.

A Header keeps the bytes of a NIfTI header and its extensions; the command says what they mean (`crinkle info`), and turns them with the voxels.

SPDX-License-Identifier: BSD-3-Clause
"""
import math
import os
import struct
import tempfile

_offsets = {  # of the header's fields, in NIfTI-1 and NIfTI-2
    348: {"dim": (40, "8h"), "datatype": (70, "2h"), "pixdim": (76, "8f"), "vox_offset": (108, "f"), "scale": (112, "2f"), "units": (123, "B"),
          "toffset": (136, "f"), "codes": (252, "2h"), "affine": (280, "12f"), "magic": (344, "4s")},
    540: {"dim": (16, "8q"), "datatype": (12, "2h"), "pixdim": (104, "8d"), "vox_offset": (168, "q"), "scale": (176, "2d"), "units": (500, "i"),
          "toffset": (216, "d"), "codes": (344, "2i"), "affine": (400, "12d"), "magic": (4, "8s")},
}
_units = {"": (0, 0), "m": (1, 0), "mm": (2, 0), "um": (3, 0), "s": (0, 8), "ms": (0, 16), "us": (0, 24)}


class _Fields:
    """The fields of a header's bytes, in its byte order."""

    def __init__(self, data):
        self.data = bytearray(data)
        self.order = "<" if struct.unpack_from("<i", data)[0] in _offsets else ">"
        self._at = _offsets[struct.unpack_from(self.order + "i", data)[0]]

    def get(self, name):
        at, form = self._at[name]
        return struct.unpack_from(self.order + form, self.data, at)

    def set(self, name, *values):
        at, form = self._at[name]
        try:
            struct.pack_into(self.order + form, self.data, at, *values)
        except struct.error:
            raise ValueError(f"the header is of NIfTI-1, whose field {name} does not hold {values}") from None


def _hollow(folder, data, n_bytes):
    """A volume of this header, whose voxels nobody has written."""
    there = os.path.join(folder, "hollow.nii")
    with open(there, "wb") as f:
        f.write(data)
        f.truncate(len(data) + n_bytes)
    return there


def header_of(path):
    """The bytes of a .nii file before its voxels."""
    with open(path, "rb") as f:
        fields = _Fields(f.read(540))
        f.seek(0)
        return f.read(int(fields.get("vox_offset")[0]))


class Header:
    """What a file says beside its numbers, as a value: ``x, header = ck.load('a.nii.gz', header=True)``, ``ck.save('b.nii.gz', y, header=header)``.

    shape, and spacing and units along its axes, slowest first; affine (4 × 4, millimetres = affine @ (x, y, z, 1); None where the file does not
    say), orientation ('RAS': where x, y and z lead); a stored number n means slope * n + intercept; time_step and time_offset in time_unit.
    Header() claims nothing, Header(affine=…, spacing=…) what it is told; replace() is the same with other facts, moved() follows a move.
    Of a GeoTIFF: crs (WKT), geotransform, nodata, bands (their names), scales (a scale and an offset each); Header(crs=…, geotransform=…).
    """

    def __new__(cls, **facts):
        if cls is Header and not {"crs", "geotransform", "nodata", "bands", "scales"}.isdisjoint(facts):
            from ._rasters import RasterHeader

            return super().__new__(RasterHeader)
        return super().__new__(cls)

    def __init__(self, **facts):
        self._data, self._type, self.format, self._is_of_volume = b"", None, "", False
        self._read({})
        if facts:
            self._data = _plain("int16")
            self._set(facts)

    @classmethod
    def _of(cls, data, facts=None, dtype=None, is_of_volume=True):
        header = cls()
        header._data, header._type, header.format, header._is_of_volume = bytes(data), dtype, "nifti", is_of_volume
        header._read(_facts(data) if facts is None else facts)
        return header

    def _read(self, facts):
        self.shape, self.spacing, self.slope, self.intercept = tuple(facts.get("shape", ())) if self._is_of_volume else (), (), 1.0, 0.0
        self.orientation, self.affine, self.space_unit, self.time_unit, self.time_step, self.time_offset = "", None, "", "", None, 0.0
        self.crs, self.geotransform, self.nodata, self.bands, self.scales = None, None, None, (), ()
        if not self._data:
            return
        fields, rank = _Fields(self._data), len(facts["shape"])
        slope, intercept = map(float, fields.get("scale"))
        if math.isfinite(slope) and slope != 0:
            self.slope, self.intercept = slope, intercept
        self.spacing = tuple(_decimal(n, fields) for n in reversed(fields.get("pixdim")[1:rank + 1]))
        self.space_unit, self.time_unit = ("" if unit == "Unknown" else unit for unit in facts["units"])
        self.time_step = self.spacing[-4] if rank > 3 else None
        self.time_offset = float(fields.get("toffset")[0])
        self.orientation = facts.get("orientation", "")
        if "affine" in facts:
            import numpy

            self.affine = numpy.array(facts["affine"])
            self.affine.flags.writeable = False

    def replace(self, **facts):
        """The same with other facts: affine, spacing, slope, intercept, space_unit, time_unit, time_offset. An affine of None claims no place."""
        made = Header._of(self._data or _plain("int16"), None, self._type, self._is_of_volume)
        made._set(facts)
        return made

    def _set(self, facts):
        fields = _Fields(self._data)
        space, time = fields.get("units")[0] & 7, fields.get("units")[0] & 56
        slope, intercept = self.slope, self.intercept
        for name, value in facts.items():
            if name == "affine":
                _set_affine(fields, value)
                space = space or (0 if value is None else 2)
            elif name == "spacing":
                if "affine" not in facts and self.affine is not None:
                    raise ValueError("header: spacing without affine: the affine says where voxels lie, too; give both, or affine=None")
                _set_spacing(fields, value)
            elif name == "slope":
                slope = float(value)
            elif name == "intercept":
                intercept = float(value)
            elif name == "time_offset":
                fields.set("toffset", float(value))
            elif name in ("space_unit", "time_unit"):
                place = 0 if name == "space_unit" else 1
                if value not in _units or (value and not _units[value][place]):
                    raise ValueError(f"header: {name} {value!r}; there are {', '.join(u for u in _units if u and _units[u][place])}")
                space, time = (_units[value][0], time) if place == 0 else (space, _units[value][1])
            else:
                raise TypeError(f"header: no fact {name!r}; there are affine, spacing, slope, intercept, space_unit, time_unit, time_offset")
        if not math.isfinite(slope) or slope == 0 or not math.isfinite(intercept):
            raise ValueError(f"header: stored numbers times {slope} plus {intercept}; give finite ones, the slope not 0")
        fields.set("scale", slope, intercept)
        fields.set("units", space | time)
        self._data, self.format = bytes(fields.data), "nifti"
        self._read(_facts(self._data))

    def moved(self, spec, **words):
        """The header of the volume after ``ck.move(x, spec, **words)``: where its voxels lie then."""
        if not self._is_of_volume:
            raise ValueError("header: moved() of a header that is of no volume")
        from . import _files

        with tempfile.TemporaryDirectory() as folder:
            fields = _Fields(self._data)
            fields.set("datatype", 2, 8)
            there = os.path.join(folder, "moved.nii")
            _files.run_move(spec, _hollow(folder, fields.data, math.prod(self.shape)), there, None, words, folder)
            return Header._of(header_of(there), dtype=self._type)

    def _volume(self, array, path):
        """(header bytes, voxels) of a volume of this header and these numbers."""
        import numpy

        if self.shape and array.shape[-3:] != self.shape[-3:]:
            raise ValueError(f"{path}: the header is of a volume {self.shape}, and the array has shape {array.shape}: their last three extents, z, y "
                             "and x, are the same; header.moved(spec, …) follows a move, header.replace(affine=…) says another place")
        fields = _Fields(self._data)
        code = _Fields(_plain(array.dtype, path))
        fields.set("datatype", *code.get("datatype"))
        if not 1 <= array.ndim <= 7 or array.size == 0:
            raise ValueError(f"{path}: NIfTI holds 1 to 7 axes and no empty array, not one of shape {array.shape}")
        fields.set("dim", array.ndim, *reversed(array.shape), *(1 for _ in range(7 - array.ndim)))
        if fields.get("magic")[0][:3] not in (b"n+1", b"n+2"):
            raise ValueError(f"{path}: a header of a volume in two files")
        order = array.dtype.newbyteorder(fields.order)
        return fields.data, numpy.ascontiguousarray(array, order)

    def __eq__(self, other):
        return isinstance(other, Header) and self._data == other._data

    def __hash__(self):
        return hash(self._data)

    def __repr__(self):
        if not self._data:
            return "<crinkle header: claims nothing>"
        place = f"axes lead {self.orientation}" if self.orientation else "its place is not said"
        scale = "" if (self.slope, self.intercept) == (1, 0) else f", slope {self.slope}, intercept {self.intercept}"
        shape = f"shape {self.shape}, " if self._is_of_volume else ""
        return f"<crinkle header: {shape}spacing {self.spacing} {self.space_unit}, {place}{scale}>"


def _decimal(n, fields):
    """The short decimal number that a float32 stands for."""
    if len(fields.data) >= 540 and fields.get("magic")[0][:3] == b"n+2":
        return float(n)
    import numpy

    return float(str(numpy.float32(n)))


def _set_affine(fields, value):
    import numpy

    if value is None:
        fields.set("codes", 0, 0)
        return
    m = numpy.asarray(value, float)
    if m.shape not in ((3, 4), (4, 4)) or not numpy.isfinite(m).all() or (m.shape == (4, 4) and (m[3] != (0, 0, 0, 1)).any()):
        raise ValueError(f"header: affine is a matrix (4, 4) of finite numbers, whose last row is 0 0 0 1, not {m.tolist()}")
    if numpy.linalg.det(m[:3, :3]) == 0:
        raise ValueError(f"header: affine {m.tolist()} brings all voxels into a plane")
    fields.set("codes", 0, 2)  # the sform: aligned
    fields.set("affine", *m[:3].ravel())
    pixdim = list(fields.get("pixdim"))
    pixdim[1:4] = numpy.sqrt((m[:3, :3] ** 2).sum(axis=0))
    fields.set("pixdim", *pixdim)


def _set_spacing(fields, value):
    steps = [float(n) for n in ([value] * 3 if isinstance(value, (int, float)) else value)]
    if not 1 <= len(steps) <= 7 or not all(math.isfinite(n) and n > 0 for n in steps):
        raise ValueError(f"header: spacing is lengths above 0 of 1 to 7 axes, slowest first, not {value!r}")
    pixdim = list(fields.get("pixdim"))
    pixdim[1:len(steps) + 1] = reversed(steps)
    rank, *extents = fields.get("dim")
    fields.set("dim", max(rank, len(steps)), *extents)
    fields.set("pixdim", *pixdim)


def _plain(dtype, path=None):
    """The header that the command writes of a volume of one number of this type."""
    import numpy

    from . import _files

    with tempfile.TemporaryDirectory() as folder:
        source, there = os.path.join(folder, "one.npy"), os.path.join(folder, "one.nii")
        numpy.save(source, numpy.zeros((1, 1, 1), dtype), allow_pickle=False)
        try:
            _files.run_move("... -> ...", source, there, None, {}, folder)
        except (ValueError, RuntimeError) as e:
            raise type(e)(str(e).replace(there, there if path is None else path)) from None
        return header_of(there)


def _facts(data):
    """What the command says of a header."""
    from . import _files

    fields = _Fields(data)
    shape = fields.get("dim")
    n = math.prod(shape[1:shape[0] + 1])
    with tempfile.TemporaryDirectory() as folder:
        return _files.info(_hollow(folder, data, n * fields.get("datatype")[1] // 8))
