# Elements of 1, 2 and 4 bits from Python, beside NumPy.
# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

import crinkle as ck


def packed(elements, bits):
    return np.packbits(((elements.reshape(-1, 1) >> np.arange(bits)) & 1).astype("u1").reshape(-1), bitorder="little")


@pytest.mark.parametrize("bits", [1, 2, 4])
@pytest.mark.parametrize("shape", [(8, 6, 10), (5, 7, 9), (1, 1, 1), (3, 0, 2), (300, 200, 7)])
def test_elements_are_packed_and_moved_as_numpys_are(bits, shape):
    a = np.random.default_rng(3).integers(0, 2**bits, shape, dtype="u1")
    data = ck.pack_bits(a, bits)
    assert data.dtype == np.uint8 and np.array_equal(data, packed(a, bits))
    assert np.array_equal(ck.unpack_bits(data, bits, shape), a)
    assert np.array_equal(ck.move_packed(data, "z y x -> x z y", shape=shape, bits=bits), packed(a.transpose(2, 0, 1), bits))
    assert np.array_equal(ck.move_packed(data, "z y x -> z y x", shape=shape, bits=bits, flip="x", roll={"z": 1}), packed(np.roll(a[:, :, ::-1], 1, 0), bits))
    if a.size:
        assert np.array_equal(ck.move_packed(data, "z y x -> z y x", shape=shape, bits=bits, pad={"y": (1, 2, "constant", 1)}),
                              packed(np.pad(a, ((0, 0), (1, 2), (0, 0)), constant_values=1), bits))


def test_booleans_and_flat_shapes():
    a = np.random.default_rng(4).integers(0, 2, 77).astype(bool)
    assert np.array_equal(ck.pack_bits(a, 1), np.packbits(a, bitorder="little"))
    assert np.array_equal(ck.unpack_bits(np.packbits(a, bitorder="little"), 1, 77), a)


def test_what_does_not_fit_is_refused_with_its_values():
    data = np.zeros(60, "u1")
    for call, error, says in [(lambda: ck.pack_bits(np.array([1, 2, 16, 99], "u1"), 4), ValueError, "element 2 is 16, which 4 bits do not hold: they reach to 15"),
                              (lambda: ck.pack_bits(data, 3), ValueError, "1, 2 or 4 bits, not 3"), (lambda: ck.pack_bits(data.astype("f4"), 4), TypeError, "float32"),
                              (lambda: ck.pack_bits(data.view("i1"), 4), TypeError, "int8"), (lambda: ck.unpack_bits(data, 4, (10, 13)), ValueError, r"\(10, 13\) elements of 4 bits are 65 bytes, not 60"),
                              (lambda: ck.unpack_bits(data, 4, (-1, 3)), ValueError, "0 or more"), (lambda: ck.move_packed(data, "y x -> x y", shape=(10, 12), bits=8), ValueError, "not 8"),
                              (lambda: ck.move_packed(data, "y x -> x y", shape=(10, 12), bits=4, pad={"x": (1, 1, "constant", 16)}), ValueError, "which 4 bits do not hold"),
                              (lambda: ck.move_packed(data, "y x -> x z", shape=(10, 12), bits=4), ck.NotationError, "z"),
                              (lambda: ck.move_packed(data, "y x -> x y", shape=(10, 12), bits=4, out=data), TypeError, "new array"),
                              (lambda: ck.move_packed(data, "y x -> x y", shape=(10, 12), bits=4, byte_order="big"), TypeError, "byte order")]:
        with pytest.raises(error, match=says):
            call()
