"""Other orders of an array's elements and bits: Morton's, a checkerboard's, bit planes.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import _arrays, _core
from ._names import _same


def morton(x, *, out=None):
    """The elements in Morton order, flat: bits of indices interleaved, the last axis lowest. Extents are powers of two. Backwards:
    ``ck.plan(ck.morton, x).inverse()``."""
    x = _arrays.of(x)
    return _core.move(x, _same(len(x.shape)), out, (("order", "morton"),))


def checkerboard(x, *, out=None):
    """The elements whose indices have an even sum, in C order, then the others, flat. Backwards: ``ck.plan(ck.checkerboard, x).inverse()``."""
    x = _arrays.of(x)
    return _core.move(x, _same(len(x.shape)), out, (("order", "checkerboard"),))


def bit_planes(x):
    """Bit b of all elements together: uint8 of shape (bits of an element, ceil(n / 8)), element i in bit i % 8 of byte i // 8 of each plane, the
    plane of value 1 first. On CPUs."""
    import numpy

    _refuse_plan("bit_planes")
    a, back = _arrays.on_numpy(x, "bit_planes")
    a = numpy.ascontiguousarray(a)
    planes = numpy.empty((8 * a.itemsize, -(-a.size // 8)), numpy.uint8)
    _core.bit_planes(a, planes, a.size, False)
    return planes if _arrays.is_numpy(x) else back(planes)


def from_bit_planes(planes, dtype, shape):
    """The array of this type and shape whose bit_planes() these are. On CPUs."""
    import numpy

    _refuse_plan("from_bit_planes")
    a, back = _arrays.on_numpy(planes, "from_bit_planes")
    dtype = _arrays.numpy_dtype(dtype)
    shape = tuple(_arrays.size(n, "from_bit_planes: an extent") for n in ([shape] if hasattr(shape, "__index__") else shape))
    if dtype.hasobject or any(n < 0 for n in shape):
        raise ValueError(f"from_bit_planes: no array of {dtype} and shape {shape}")
    n = _arrays.n_elements(shape)
    if a.dtype != numpy.uint8 or a.shape != (8 * dtype.itemsize, -(-n // 8)):
        raise ValueError(f"from_bit_planes: {n} elements of {dtype} have planes uint8 of shape {(8 * dtype.itemsize, -(-n // 8))}, not {a.dtype} of {a.shape}")
    result = numpy.empty(shape, dtype)
    _core.bit_planes(result, numpy.ascontiguousarray(a), n, True)
    return result if _arrays.is_numpy(planes) else back(result)


def _refuse_plan(name):
    if _core.is_planning():
        raise ValueError(f"plan: {name}() is no move of bytes, and has no plan")
