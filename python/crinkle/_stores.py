"""An array with names of axes and attributes as a Zarr store, by which the command gets them with the numbers: version 3, chunks of whole rows, unpacked.

SPDX-License-Identifier: BSD-3-Clause
"""
import functools
import json
import math
import os
import subprocess

_slab = 1 << 26  # bytes of a chunk, about
_types = frozenset(("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128"))


@functools.cache
def is_read():
    """Whether this build's command reads stores."""
    from ._files import command

    return b"with Zarr" in subprocess.run([command(), "--version"], capture_output=True).stdout


def holds(dtype):
    return dtype.name in _types or dtype.kind in "mM"


def _type(dtype):
    """(its name in a store, a fill value)"""
    import numpy

    if dtype.kind in "mM":
        unit, n = numpy.datetime_data(dtype)
        return {"name": "numpy." + ("datetime64" if dtype.kind == "M" else "timedelta64"), "configuration": {"unit": unit, "scale_factor": n}}, -1 << 63
    return dtype.name, [0.0, 0.0] if dtype.kind == "c" else False if dtype.kind == "b" else 0


def write(path, array, dimension_names, attributes, name, coordinates):
    """Writes a store of an array and of the coordinates of its axes, {axis: (numbers, attributes)}; gives the array's path."""
    os.makedirs(path)
    with open(os.path.join(path, "zarr.json"), "w", encoding="utf-8") as f:
        json.dump({"zarr_format": 3, "node_type": "group", "attributes": {}}, f)
    if not isinstance(name, str) or not name.isidentifier() or name in coordinates:
        name = "data"
    for axis, (numbers, said) in coordinates.items():
        _write(os.path.join(path, axis), numbers, [axis], said)
    _write(os.path.join(path, name), array, dimension_names, attributes)
    return f"{path}:/{name}"


def _write(path, array, dimension_names, attributes):
    import numpy

    array = numpy.ascontiguousarray(array).reshape(array.shape)
    rows = max(1, _slab // max(1, array[:1].nbytes)) if array.ndim else 1
    chunk = tuple(max(1, n) for n in (min(rows, array.shape[0]), *array.shape[1:])) if array.ndim else ()
    data_type, fill_value = _type(array.dtype)
    said = {"zarr_format": 3, "node_type": "array", "shape": array.shape, "data_type": data_type, "fill_value": fill_value,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}}, "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
            "codecs": [{"name": "bytes", **({"configuration": {"endian": "little"}} if array.dtype.itemsize > 1 else {})}],
            "attributes": attributes, **({"dimension_names": dimension_names} if dimension_names else {})}
    os.makedirs(path)
    with open(os.path.join(path, "zarr.json"), "w", encoding="utf-8") as f:
        json.dump(said, f)
    for k in range(-(-array.shape[0] // chunk[0]) if array.ndim and array.size else 0 if array.ndim else 1):
        there = os.path.join(path, "c", *map(str, (k, *(0,) * (array.ndim - 1)) if array.ndim else ()))
        os.makedirs(os.path.dirname(there), exist_ok=True)
        part = array[k * chunk[0]:(k + 1) * chunk[0]] if array.ndim else array
        with open(there, "wb") as f:
            part.astype(part.dtype.newbyteorder("<"), copy=False).tofile(f)
            f.truncate(math.prod(chunk) * array.itemsize)
