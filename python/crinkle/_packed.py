"""Elements of 1, 2 and 4 bits, side by side in bytes, the lowest bit first.

SPDX-License-Identifier: BSD-3-Clause
"""

from . import _arrays, _core, _moves


def _bits(bits):
    bits = _arrays.size(bits, "bits")
    if bits not in (1, 2, 4):
        raise ValueError(f"packed elements have 1, 2 or 4 bits, not {bits}")
    return bits


def _bytes(x, what):
    import numpy

    x = _arrays.plain(x)
    if x.dtype.kind not in "bu" or x.dtype.itemsize != 1:
        raise TypeError(f"{what} is an array of uint8, not of {x.dtype}")
    return numpy.ascontiguousarray(x).view(numpy.uint8).reshape(-1)


def _n_elements(shape):
    n = 1
    for extent in shape:
        n *= extent
    return n


def _shape(shape):
    shape = tuple(_arrays.size(n, "an extent") for n in (shape if hasattr(shape, "__iter__") else (shape,)))
    if any(n < 0 for n in shape):
        raise ValueError(f"a shape has extents of 0 or more, not {shape}")
    return shape


def _packed(data, shape, bits):
    data, needed = _bytes(data, "packed elements"), _core.packed_bytes(_n_elements(shape), bits)
    if data.size != needed:
        raise ValueError(f"{shape} elements of {bits} bits are {needed} bytes, not {data.size}")
    return data


def pack_bits(x, bits):
    """Elements of 1, 2 or 4 bits, one a byte, side by side: ``ck.pack_bits(x, 4)``. The result is flat, uint8; its last unused bits are 0.

    Raises ValueError where a value needs more bits, and says which.
    """
    import numpy

    x, bits = _bytes(x, "what is packed"), _bits(bits)
    out = numpy.empty(_core.packed_bytes(x.size, bits), numpy.uint8)
    _core.pack_bits(x, out, x.size, bits)
    return out


def unpack_bits(data, bits, shape):
    """And back, each to a byte: ``ck.unpack_bits(data, 4, (128, 128, 128))``."""
    import numpy

    bits, shape = _bits(bits), _shape(shape)
    data = _packed(data, shape, bits)
    out = numpy.empty(shape, numpy.uint8)
    _core.unpack_bits(data, out.reshape(-1), out.size, bits)
    return out


def move_packed(data, spec, /, *, shape, bits, **words):
    """move() of an array whose elements have 1, 2 or 4 bits: ``ck.move_packed(data, 'z y x -> x z y', shape=(128, 128, 128), bits=4)``.

    data : uint8, packed as pack_bits() has it. shape : of the array, in elements. All other words are move()'s, but for out and byte_order.
    -> the packed elements of the result, flat.
    """
    import numpy

    if "byte_order" in words or "out" in words:
        raise TypeError("move_packed: packed elements have no byte order, and the result is a new array")
    bits, shape = _bits(bits), _shape(shape)
    data = _packed(data, shape, bits)
    plan = _moves.plan(numpy.empty(shape, numpy.uint8) if "pad" in words else shape, spec, **({} if "pad" in words else {"dtype": "u1"}), **words)
    out = numpy.empty(_core.packed_bytes(_n_elements(plan.shape), bits), numpy.uint8)
    _core.move_packed(plan, data, out, bits)
    return out
