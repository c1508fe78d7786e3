"""Arrays in files of chunks, unread: Zarr, HDF5 and TIFF, through zarr-python, h5py and tifffile where these are installed.

SPDX-License-Identifier: BSD-3-Clause
"""
import contextlib
import os


class Lazy:
    """An array of a file, of which nothing is read yet: shape, dtype, dims (names or None), attrs, chunks (of one chunk, or None). x[…] reads a part,
    numpy.asarray(x) all; every function of crinkle takes it and gives NumPy's array; dask() is a lazy one in chunks, xarray() has the names."""

    def __init__(self, path, name, data, dims, attrs, chunks, close=None, storage_options=None, scales=None):
        self.path, self.name, self.dims, self.attrs, self.chunks = path, name, dims, attrs, chunks
        self._storage_options, self._scales = storage_options, scales  # scales: of the name of an axis the array of its coordinates, or None
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
        import numpy

        return da.from_array(self, "auto" if chunks is None else chunks, name=None, meta=numpy.empty((0,) * self.ndim, self.dtype))

    def xarray(self, chunks=None):
        """A DataArray over dask(chunks), with the file's names of axes and its attributes, and as coordinates the arrays of one axis that are called as it is. Numbers
        are as stored: xarray.decode_cf(x.to_dataset(name='x')) makes values and times of them, where attributes say so."""
        import xarray

        dims = self.dims and [d or f"dim_{k}" for k, d in enumerate(self.dims)]
        found = {d: self.scale(d) for d in self.dims or ()}
        coordinates = {d: (d, scale[0][...], scale[1]) for d, scale in found.items() if scale is not None}
        return xarray.DataArray(self.dask(chunks), coordinates, dims=dims, attrs=self.attrs, name=self.name.rpartition("/")[2] or None)

    def scale(self, axis):
        """(the array of an axis' coordinates, its attributes), or None."""
        return self._scales(axis) if axis and self._scales is not None else None

    def __reduce__(self):
        return _opened, (self._there(), self.name, self._storage_options)

    def __dask_tokenize__(self):
        changed = os.stat(self.path).st_mtime_ns if os.path.isfile(self.path) else 0
        return self._there(), self.name, changed, self.shape, str(self.dtype)

    def _there(self):
        return self.path if "://" in self.path else os.path.abspath(self.path)

    def close(self):
        """Closes the file."""
        if self._close is not None:
            self._close()

    def __del__(self):
        with contextlib.suppress(Exception):  # of one that was never made, or where Python ends
            self.close()

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
    for end in (".zarr", ".h5", ".hdf5", ".he5", ".nc", ".nc3", ".nc4", ".tif", ".tiff"):
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
    return _opened(*split(path), storage_options)


def _opened(file, name, storage_options=None):
    from . import _formats

    is_remote = "://" in file
    if not is_remote and not os.path.exists(file):
        raise FileNotFoundError(2, os.strerror(2), file)
    if storage_options is not None and not is_remote:
        raise ValueError(f"{file}: storage_options are of stores with a protocol, as s3://…")
    end = file.rstrip("/").rpartition(".")[2].lower()
    if end == "zarr" or (not is_remote and os.path.isdir(file)):
        return _formats.zarr(file, name, storage_options)
    if is_remote:
        raise ValueError(f"{file}: only Zarr is read from afar: s3://bucket/name.zarr:/array")
    if end in ("h5", "hdf5", "he5", "nc", "nc4"):
        return _formats.hdf5(file, name)
    if end in ("tif", "tiff"):
        return _formats.tiff(file, name)
    if end == "npy":
        import numpy

        return Lazy(file, "", numpy.load(file, mmap_mode="r"), None, {}, None)
    raise ValueError(f"{file}: arrays are opened in .zarr, .h5, .nc, .tif and .npy; load() reads the command's other formats")


_that_move = ("crinkle._moves", "crinkle._names", "crinkle._joins", "crinkle._orders", "crinkle.einops", "crinkle._records", "crinkle._packed", "crinkle._files")


def _tell(function, x):
    """A warning where a function computes with numbers that stand for others."""
    from . import _beyond, _values

    packing = _values.packing_of(x.attrs) | {name: x.attrs[name] for name in ("nodata", "scales") if name in x.attrs}
    if packing and function.__module__ not in _that_move and function.__name__ not in ("fftshift", "ifftshift"):
        array = f"{x.path}:/{x.name}" if x.name else x.path
        _beyond.warn(f"{function.__name__}: numbers of {array} are as stored, with {_values.told(packing)}: crinkle.load({array!r}, scaled=True) gives values")


def call(function, arguments, words):
    """A function of arrays of files: NumPy's result, of what it needs to read; dask's where chunks= are given, or there are dask arrays beside."""
    from . import _beyond, _labels, _lazy_plans

    given = _beyond.flat((arguments, words))
    first = arguments[0] if arguments else None
    for x in given:
        if _beyond.is_unread(x):
            _tell(function, x)
    if _beyond.is_unread(first) and first.dims and all(first.dims):
        rest, words = _labels._by_number(function, first, list(arguments), dict(words))
        arguments = (first, *rest[1:])
    if function.__name__ == "save":
        read = _read if words.get("chunks") is None else _lazy
        return _labels.saved(function, next(filter(_beyond.is_unread, given)), _beyond.each(arguments, read), _beyond.each(words, read))
    if "chunks" in words or any(_beyond.is_dask(x) or _beyond.is_labelled(x) for x in given):
        arguments, words = _lazy_plans.each(function, arguments, words, _lazy, _read)
        return function(*arguments, **words)
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
