"""Files of arrays, opened by zarr-python, h5py and tifffile where these are installed: names of axes, attributes, coordinates beside them.

SPDX-License-Identifier: BSD-3-Clause
"""
import contextlib
import difflib

from . import _open


def _library(name, file):
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError:
        raise ImportError(f"{file} is read by {name}, which is not installed: pip install {name}") from None


def _missing(file, name, names):
    near = difflib.get_close_matches(name.rpartition("/")[2], [n.rpartition("/")[2] for n in names], 3)
    return KeyError(f"{file} has no array {name!r}" + (f"; near it: {', '.join(near)}" if near else "") + f"; it has {', '.join(names[:20]) or 'none'}")


def _one(file, names):
    """The name of the only array."""
    if len(names) != 1:
        raise KeyError(f"{file} has {len(names)} arrays: name one, {file}:/{names[0] if names else 'name'}" + (f" ({', '.join(names[:20])})" if names else ""))
    return names[0]


def zarr(file, name, storage_options):
    library = _library("zarr", file)
    words = {} if storage_options is None else {"storage_options": storage_options}
    try:
        opened = library.open(file, mode="r", **words)
    except (FileNotFoundError, KeyError, ValueError) as e:
        raise ValueError(f"{file}: no Zarr store: {e}") from None
    group = opened if isinstance(opened, library.Group) else None
    if group is not None:
        names = [key for key, one in _members(opened) if not hasattr(one, "members")]
        name = name or _one(file, names)
        if name not in names:
            raise _missing(file, name, names)
        opened = opened[name]
    elif name not in ("", "0"):
        raise KeyError(f"{file} is one array, without a {name!r} in it")
    dims = getattr(opened.metadata, "dimension_names", None) or opened.attrs.get("_ARRAY_DIMENSIONS")

    def scale(axis):
        found = None if group is None else group.get(f"{name.rpartition('/')[0]}/{axis}".strip("/"))
        return (found, _attributes_of_zarr(found)) if hasattr(found, "shape") and found.shape == (opened.shape[dims.index(axis)],) else None

    return _open.Lazy(file, name, opened, tuple(dims) if dims else None, _attributes_of_zarr(opened), tuple(opened.chunks), None, storage_options, scale)


def _attributes_of_zarr(array):
    """xarray takes version 2's fill value for what stands for no data."""
    said = dict(array.attrs)
    if "_ARRAY_DIMENSIONS" in said and array.metadata.zarr_format == 2 and array.fill_value is not None:
        said.setdefault("_FillValue", array.fill_value)
    return {key: value for key, value in said.items() if key not in ("_ARRAY_DIMENSIONS", "crinkle_saved")}


def _members(group):
    return group.members(max_depth=None) if hasattr(group, "members") else [(name, group[name]) for name in group.array_keys()]


def hdf5(file, name):
    h5py = _library("h5py", file)
    try:
        opened = h5py.File(file, "r")
    except OSError as e:
        raise ValueError(f"{file}: no HDF5 or NetCDF-4 file: {e}") from None
    with contextlib.ExitStack() as on_error:
        on_error.callback(opened.close)
        names = []
        opened.visititems(lambda key, one: names.append(key) if isinstance(one, h5py.Dataset) and one.attrs.get("CLASS") != b"DIMENSION_SCALE" else None)
        scales = [key for key, one in opened.items() if isinstance(one, h5py.Dataset) and key not in names]
        name = name or _one(file, names)
        if name not in names + scales:
            raise _missing(file, name, names + scales)
        data = opened[name]
        if data.dtype.hasobject:
            raise TypeError(f"{file}:{name}: texts of any length, or references, are Python objects, which crinkle does not move")
        dims = tuple(_dimension(d) for d in data.dims)

        def scale(axis):
            its = data.dims[dims.index(axis)]
            is_there = len(its) and its[0].shape == (its[0].size,) and not its[0].dtype.hasobject and not its[0].attrs.get("NAME", b"").startswith(b"This is a netCDF dimension but")
            return (its[0], _attributes(its[0])) if is_there else None

        made = _open.Lazy(file, name, data, dims if any(dims) else None, _attributes(data), data.chunks, opened.close, None, scale)
        on_error.pop_all()
    return made


def _attributes(data):
    hidden = ("DIMENSION_LIST", "DIMENSION_LABELS", "REFERENCE_LIST", "CLASS", "NAME", "_Netcdf4Dimid", "_Netcdf4Coordinates")
    return {key: value.decode() if isinstance(value, bytes) else value for key, value in data.attrs.items() if key not in hidden}


def _dimension(dimension):
    """Its label, or the name of its first scale."""
    if dimension.label:
        return dimension.label
    return dimension[0].name.rpartition("/")[2] if len(dimension) else None


def tiff(file, name):
    tifffile = _library("tifffile", file)
    library = _library("zarr", file)
    try:
        opened = tifffile.TiffFile(file)
    except (tifffile.TiffFileError, OSError) as e:
        raise ValueError(f"{file}: no TIFF file: {e}") from None
    with contextlib.ExitStack() as on_error:
        on_error.callback(opened.close)
        n = len(opened.series)
        if not (name or "0").isdecimal() or int(name or "0") >= n:
            raise KeyError(f"{file} has no series {name!r}: it has {n}, 0 to {n - 1}")
        series = opened.series[int(name or "0")]
        store = opened.aszarr(series=int(name or "0"), level=0)
        data = library.open(store, mode="r")
        if not hasattr(data, "shape"):
            data = data["0"]
        names, attributes = _told(file, tuple(series.shape)) if int(name or "0") == 0 else (None, {})
        dims = names or tuple("band" if attributes and axis == "S" else axis.lower() for axis in series.axes)
        made = _open.Lazy(file, name, data, dims, attributes, tuple(data.chunks), opened.close)
        on_error.pop_all()
    return made


def _told(file, shape):
    """(names of a TIFF's axes, as the command has them, where it has this shape, else None; what a GeoTIFF says beside its numbers, as load(…, header=True) has it)"""
    from . import _files
    from ._rasters import RasterHeader, _facts

    try:
        said = _files.info(file)
        header = RasterHeader._said(said)
    except (OSError, ValueError, RuntimeError):  # of a build without the command, or without TIFF or GDAL
        return None, {}
    names = tuple(said.get("axes", ()))
    facts = {} if header is None else {name: getattr(header, name) for name in _facts}
    return (names if tuple(said["shape"]) == shape and all(names) and len(names) == len(shape) else None,
            {name: value for name, value in facts.items() if value == value and value not in (None, ())})  # NaN for no data says itself
