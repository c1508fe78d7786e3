"""Dask arrays of unlike types, of squares, without elements: what one memory gives.

SPDX-License-Identifier: BSD-3-Clause
"""
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import crinkle as ck

da = pytest.importorskip("dask.array")

from test_dask import chunks_of, dtypes, filled, rng, same, volume  # noqa: E402


@pytest.mark.parametrize("source", ["full lower", "full upper", "symmetric upper columns"])
@pytest.mark.parametrize("destination", ["packed lower", "packed upper rows", "rfp lower", "condensed upper", "full lower", "symmetric lower"])
def test_squares_are_triangles(source, destination):
    square = rng.normal(size=(9, 9))
    for chunks in (9, (4, 3), (1, 9)):
        same(ck.triangle(da.from_array(square, chunks=chunks), source, destination), ck.triangle(square, source, destination))


real = st.sampled_from(["f2", "f4", "f8", ">f4", "i2", "u1", "?", "i8"])


@settings(max_examples=60, deadline=None)
@given(st.data(), real, real, st.sampled_from(["lazy", "first", "second"]))
def test_two_arrays_of_any_types(data, one, other, which):
    a, b = (9 * volume[0, :7, :3]).astype(one), (9 * volume[1, :5, :3]).astype(other)
    given_a, given_b = (da.from_array(x, chunks=data.draw(chunks_of(x.shape))) if which in ("lazy", its) else x for x, its in ((a, "first"), (b, "second")))
    same(ck.cdist(given_a, given_b), ck.cdist(a, b))
    same(ck.fft.fftconvolve(given_a, given_b), ck.fft.fftconvolve(a, b))


@settings(max_examples=40, deadline=None)
@given(st.data(), st.lists(dtypes.filter(lambda one: isinstance(one, str) and one != "S3"), min_size=1, max_size=3), st.integers(0, 1))
def test_joins_of_any_types(data, kinds, axis):
    arrays = [filled((4, 6), "u1").astype(kind) for kind in kinds]
    lazy = [da.from_array(x, chunks=data.draw(chunks_of(x.shape))) for x in arrays]
    for f in (ck.stack, ck.concat):
        same(f(lazy, axis), f(arrays, axis))
    same(ck.concat(lazy, None), ck.concat(arrays, None))


empty = [
    (ck.tile, ((2, 0),)), (ck.tile, (3,)), (ck.repeat, (0, 1)), (ck.repeat, (2,)), (ck.repeat, (np.arange(4), 1)), (ck.broadcast_to, ((3, 2, 4),)), (ck.broadcast_to, ((0, 2, 4),)),
    (ck.roll, (1,)), (ck.roll, (1, 0)), (ck.reshape, (-1,)), (ck.reshape, ((4, 2),)), (ck.flip, ()), (ck.pad, (1,)), (ck.take, ([], 1)), (ck.unstack, (1,)), (ck.expand_dims, (0,)),
    (ck.move, ("a b -> b a",)), (ck.move, ("a b -> (b a)",)), (ck.einops.rearrange, ("a b -> (a b)",)), (ck.matrix_transpose, ()), (ck.concat, ()), (ck.fft.fftshift, ()),
]


@pytest.mark.parametrize("shape", [(2, 4), (0, 4), (2, 0), (0, 0)])
@pytest.mark.parametrize("f, arguments", empty, ids=lambda one: getattr(one, "__name__", None))
@pytest.mark.parametrize("dtype", ["f4", ">i2"])
def test_arrays_without_elements(f, arguments, shape, dtype):
    x = np.ones(shape, dtype)
    of = (lambda x: [x, x]) if f is ck.concat else lambda x: x
    try:
        expected = f(of(x), *arguments)
    except ValueError as e:
        with pytest.raises(type(e)):
            f(of(da.from_array(x, chunks=shape)), *arguments)
        return
    lazy = f(of(da.from_array(x, chunks=shape)), *arguments)
    for one, its in zip(lazy if isinstance(expected, tuple) else [lazy], expected if isinstance(expected, tuple) else [expected]):
        same(one, its)


def test_weights_that_are_all_zero():
    lazy = da.from_array(volume, chunks=(5, 30, 7))
    for weights, words in (([0, 0, 0], {"axes": 0}), (np.zeros((3, 1, 5), int), {"dtype": "i2", "steps": 3})):
        same(ck.stencil(lazy, weights, **words), ck.stencil(volume, weights, **words))
    with pytest.raises(ValueError, match="axes"):
        ck.stencil(lazy, [0, 0, 0])


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(["dct", "idct", "dst", "idst", "dctn", "idctn", "dstn", "idstn"]), st.integers(1, 4), st.sampled_from(["f4", "f8", ">f4", "f2", "i2", "?"]),
       st.sampled_from([None, "backward", "ortho", "forward"]), st.sampled_from([None, True, False]))
def test_cosines_of_all_types(data, name, kind, dtype, norm, orthogonalize):
    x = (9 * volume[0, :11, :9]).astype(dtype)
    words = {"type": kind, "norm": norm, "orthogonalize": orthogonalize}
    if name.endswith("n"):
        axes = data.draw(st.sampled_from([None, (0,), (1, 0), (-1,)]))
        words |= {"axes": axes, "s": data.draw(st.sampled_from([None, *((13,), (4,)) * (axes is not None and len(axes) == 1), *((5, 12), (-1, 9)) * (axes is None or len(axes) == 2)]))}
    else:
        words |= {"axis": data.draw(st.integers(-2, 1)), "n": data.draw(st.sampled_from([None, 5, 14]))}
    f = getattr(ck.fft, name)
    same(f(da.from_array(x, chunks=data.draw(chunks_of(x.shape))), **words), f(x, **words))
