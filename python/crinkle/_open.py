"""Arrays in files of chunks, unread: Zarr, HDF5 and TIFF, through zarr-python, h5py and tifffile where these are installed.

SPDX-License-Identifier: BSD-3-Clause
"""
import contextlib
import difflib
import os

_libraries = {"zarr": "zarr", "h5py": "h5py", "tifffile": "tifffile"}


class Lazy:
    """An array of a file, of which nothing is read yet: shape, dtype, dims (names or None), attrs, chunks (of one chunk, or None). x[…] reads a part,
    numpy.asarray(x) all; every function of crinkle takes it and gives NumPy's array; dask() is a lazy one in chunks, xarray() has the names."""

    def __init__(self, path, name, data, dims, attrs, chunks, close=None):
        self.path, self.name, self.dims, self.attrs, self.chunks = path, name, dims, attrs, chunks
        self.shape, self.dtype, self._data, self._close = tuple(map(int, data.shape)), data.dtype, data, close

    ndim = property(lambda self: len(self.shape))
    nbytes = property(lambda self: self.size * self.dtype.itemsize)

    @property
    def size(self):
        n = 1
        for extent in self.shape:
            n *= extent
        return n

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of an array without axes")
        return self.shape[0]

    def __getitem__(self, index):
        return self._data[index]

    def __array__(self, dtype=None, copy=None):
        import numpy

        if copy is False:
            raise ValueError(f"{self.name or self.path}: an array of a file is read into new memory: copy=False cannot be")
        return numpy.asarray(self._data[...], dtype)

    def dask(self, chunks=None):
        """A dask array in these chunks; left out: chunks of the file, as many together as Dask's configuration says."""
        import dask.array as da

        if chunks is None and self.chunks is not None:
            from dask.array.core import normalize_chunks

            chunks = normalize_chunks("auto", self.shape, dtype=self.dtype, previous_chunks=self.chunks)
        return da.from_array(self._data, "auto" if chunks is None else chunks, name=None)

    def xarray(self, chunks=None):
        """A DataArray over dask(chunks), with the file's names of axes and its attributes. Coordinates are arrays of their own: xarray.open_dataset reads them."""
        import xarray

        return xarray.DataArray(self.dask(chunks), dims=self.dims and [d or f"dim_{k}" for k, d in enumerate(self.dims)], attrs=self.attrs, name=self.name.rpartition("/")[2] or None)

    def close(self):
        """Closes the file."""
        if self._close is not None:
            self._close()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def __repr__(self):
        names = "" if not self.dims else f", {' '.join(d or '?' for d in self.dims)}"
        chunks = "" if self.chunks is None else f", chunks {self.chunks}"
        return f"<crinkle array of {self.path}{':' + self.name if self.name else ''}: {self.dtype}, shape {self.shape}{names}{chunks}>"


def split(path):
    """(the file, the array in it) of 'a.zarr:/name'. A path that exists is no file and a name."""
    path = os.fspath(path)
    if os.path.exists(path):
        return path, ""
    for end in (".zarr", ".h5", ".hdf5", ".nc", ".nc4", ".tif", ".tiff"):
        at = path.find(end + ":")
        if at >= 0:
            return path[:at + len(end)], path[at + len(end) + 1:].strip("/")
    return path, ""


def open(path, *, storage_options=None):  # noqa: A001 - a file's array, as the built-in opens a file
    """An array of a file, unread: ``ck.open('f.zarr:/temperature')``, 'f.h5:/group/name', 'f.nc:/t' (version 4), 'f.tif:/0' (a series of pages),
    's3://bucket/f.zarr:/t' or another store of fsspec's with storage_options, as zarr-python takes them.

    Returns a Lazy: every function takes it. A file that has one array needs no name.
    Raises FileNotFoundError, KeyError with the names that there are, ValueError for what is no such file, ImportError naming the library that is missing.
    """
    file, name = split(path)
    is_remote = "://" in file
    if not is_remote and not os.path.exists(file):
        raise FileNotFoundError(2, os.strerror(2), file)
    if storage_options is not None and not is_remote:
        raise ValueError(f"{file}: storage_options are of stores with a protocol, as s3://…")
    end = file.rstrip("/").rpartition(".")[2].lower()
    if end == "zarr" or (not is_remote and os.path.isdir(file)):
        return _zarr(file, name, storage_options)
    if is_remote:
        raise ValueError(f"{file}: only Zarr is read from afar: s3://bucket/name.zarr:/array")
    if end in ("h5", "hdf5", "nc", "nc4"):
        return _hdf5(file, name)
    if end in ("tif", "tiff"):
        return _tiff(file, name)
    if end == "npy":
        import numpy

        return Lazy(file, "", numpy.load(file, mmap_mode="r"), None, {}, None)
    raise ValueError(f"{file}: arrays are opened in .zarr, .h5, .nc, .tif and .npy; load() reads the command's other formats")


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


def _zarr(file, name, storage_options):
    zarr = _library("zarr", file)
    words = {} if storage_options is None else {"storage_options": storage_options}
    try:
        opened = zarr.open(file, mode="r", **words)
    except (FileNotFoundError, KeyError, ValueError) as e:
        raise ValueError(f"{file}: no Zarr store: {e}") from None
    if isinstance(opened, zarr.Group):
        names = [key for key, one in _members(opened) if not hasattr(one, "members")]
        name = name or _one(file, names)
        if name not in names:
            raise _missing(file, name, names)
        opened = opened[name]
    elif name not in ("", "0"):
        raise KeyError(f"{file} is one array, without a {name!r} in it")
    dims = getattr(opened.metadata, "dimension_names", None) or opened.attrs.get("_ARRAY_DIMENSIONS")
    attributes = {key: value for key, value in dict(opened.attrs).items() if key not in ("_ARRAY_DIMENSIONS", "crinkle_saved")}
    return Lazy(file, name, opened, tuple(dims) if dims else None, attributes, tuple(opened.chunks))


def _members(group):
    return group.members(max_depth=None) if hasattr(group, "members") else [(name, group[name]) for name in group.array_keys()]


def _hdf5(file, name):
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
        hidden = ("DIMENSION_LIST", "DIMENSION_LABELS", "REFERENCE_LIST", "CLASS", "NAME", "_Netcdf4Dimid", "_Netcdf4Coordinates", "_FillValue")
        attributes = {key: value.decode() if isinstance(value, bytes) else value for key, value in data.attrs.items() if key not in hidden}
        made = Lazy(file, name, data, dims if any(dims) else None, attributes, data.chunks, opened.close)
        on_error.pop_all()
    return made


def _dimension(dimension):
    """Its label, or the name of its first scale."""
    if dimension.label:
        return dimension.label
    return dimension[0].name.rpartition("/")[2] if len(dimension) else None


def _tiff(file, name):
    tifffile = _library("tifffile", file)
    zarr = _library("zarr", file)
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
        data = zarr.open(store, mode="r")
        if not hasattr(data, "shape"):
            data = data["0"]
        made = Lazy(file, name, data, tuple(axis.lower() for axis in series.axes), {}, tuple(data.chunks), opened.close)
        on_error.pop_all()
    return made


def call(function, arguments, words):
    """A function of arrays of files: NumPy's result, of what it needs to read; dask's where chunks= are given, or there are dask arrays beside."""
    from . import _beyond, _labels

    given = _beyond.flat((arguments, words))
    first = arguments[0] if arguments else None
    if _beyond.is_unread(first) and first.dims and all(first.dims):
        rest, words = _labels._by_number(function, first, list(arguments), dict(words))
        arguments = (first, *rest[1:])
    if "chunks" in words or any(_beyond.is_dask(x) or _beyond.is_labelled(x) for x in given):
        return function(*_beyond.each(arguments, _lazy), **_beyond.each(words, _lazy))
    if _beyond.is_unread(first) and sum(map(_beyond.is_unread, given)) == 1 and words.get("out") is None:
        made = _of_what_it_needs(function, first, arguments[1:], words)
        if made is not None:
            return made
    return function(*_beyond.each(arguments, _read), **_beyond.each(words, _read))


def _lazy(x):
    from ._beyond import is_unread

    return x.dask() if is_unread(x) else x


def _read(x):
    import numpy

    from ._beyond import is_unread

    return numpy.asarray(x) if is_unread(x) else x


def _of_what_it_needs(function, x, arguments, words):
    """The result of one move or computation that reads a part of the array alone; None of others."""
    import numpy

    from ._plans import Planned
    from ._requests import Array, Request

    if x.dtype.hasobject or 0 in x.shape or words.get("byte_order") is not None:
        return None
    try:
        planned = Planned(Request(function, Array(x.shape, x.dtype), *arguments, **words))
    except (ValueError, TypeError):  # as the function itself says it
        return None
    if not planned.cuts or len(planned.outputs) != 1 or planned.outputs[0].shape != planned._facts.result_shape or len(planned.inputs) != 1:
        return None
    whole = [(0, n) for _, n in planned.cuts]
    (needs,) = planned.needs(whole)
    if all(r == (0, n) for r, n in zip(needs, x.shape)) or any(first + n > extent for (first, n), extent in zip(needs, x.shape)):
        return None
    return planned.part(whole).run(numpy.ascontiguousarray(x[tuple(slice(first, first + n) for first, n in needs)]))
