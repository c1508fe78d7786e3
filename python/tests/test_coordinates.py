"""Every element keeps its coordinates, of one axis and of all, whichever function moves it.

SPDX-License-Identifier: BSD-3-Clause
"""
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import crinkle as ck

xr = pytest.importorskip("xarray")


def numbered(shape):
    """1, 2, …, with coordinates along each axis and of each element."""
    x = xr.DataArray(np.arange(1.0, 1 + np.prod(shape)).reshape(shape), dims=("a", "b", "c"), coords={d: 10 * np.arange(n) for d, n in zip("abc", shape)}, attrs={"units": "m"}, name="x")
    return x.assign_coords(number=x, run=5)


def along_all(coordinate, like):
    """A coordinate's values for every element."""
    bare = coordinate.drop_vars(list(coordinate.coords))
    return bare.broadcast_like(like.drop_vars(list(like.coords))).transpose(*like.dims).values


def check(made, shape):
    there = made.values != 0  # padded elsewhere
    number = along_all(made.number, made)
    assert (number[there] == made.values[there]).all() and np.isnan(number[~there]).all()
    for d, index in zip("abc", np.unravel_index(made.values[there].astype(int) - 1, shape)):
        name = d if d in made.coords else f"{d}_of"  # where an axis of this name runs along more than it
        assert (along_all(made.coords[name], made)[there] == 10 * index).all()
    assert made.attrs == {"units": "m"} and made.name == "x" and made.run == 5


@settings(max_examples=120, deadline=None)
@given(st.data(), st.tuples(*[st.sampled_from([1, 2, 3, 4])] * 3), st.permutations(["a", "b", "c"]))
def test_every_element_keeps_its_coordinates(data, shape, order):
    words = {}
    for d, n in zip("abc", shape):
        verb = data.draw(st.sampled_from([None, "flip", "roll", "take", "pad", "edge"]))
        if verb == "flip":
            words.setdefault("flip", []).append(d)
        elif verb == "roll":
            words.setdefault("roll", {})[d] = data.draw(st.integers(-4, 4))
        elif verb == "take":
            words.setdefault("take", {})[d] = data.draw(st.lists(st.integers(-n, n - 1), min_size=1, max_size=4))
        elif verb is not None:
            words.setdefault("pad", {})[d] = (data.draw(st.integers(0, 2)), data.draw(st.integers(0, 2)), "constant" if verb == "pad" else "edge")
    right = data.draw(st.sampled_from(["{} {} {}", "({} {}) {}", "{} ({} {})", "({} {} {})"])).format(*order)
    x = numbered(shape)
    check(ck.move(x, f"a b c -> {right}", **words), shape)


functions = [
    lambda x: ck.flip(x, "b"), lambda x: ck.roll(x, 2, "c"), lambda x: ck.take(x, [-1, 0, 0], "a"), lambda x: ck.repeat(x, 2, "b"), lambda x: ck.repeat(x, list(range(1, x.sizes["a"] + 1)), "a"),
    lambda x: ck.tile(x, (2, 1, 3)), lambda x: ck.tile(x, (2, 1, 2, 1)), lambda x: ck.expand_dims(x, 1), lambda x: ck.permute_dims(x, ("c", "a", "b")), ck.matrix_transpose,
    lambda x: ck.moveaxis(x, "c", 0), lambda x: ck.broadcast_to(x, (2, *x.shape)), lambda x: ck.pad(x, {"b": (1, 2)}), lambda x: ck.pad(x, {"c": 2}, "wrap"), lambda x: ck.fft.fftshift(x),
    lambda x: ck.move(x, "a b c -> c a", at={"b": 0}), lambda x: ck.move(x, "a b (c d) -> d a (b c)", d=1), lambda x: ck.move(x, "a b c", dilate={"b": 2}), lambda x: ck.move(x, "a b c -> (2 c) b a"),
    lambda x: ck.move(x, "a b (c d) -> a b c d", d=2, tail="pad"), lambda x: ck.einops.repeat(x, "a b c -> (a q) c b", q=2), lambda x: ck.einops.rearrange(x, "a b c -> a 1 (c b)"),
    ck.checkerboard, lambda x: ck.move(x, "c b a", order="checkerboard"),
]


@pytest.mark.parametrize("shape", [(2, 3, 4), (1, 3, 2), (3, 1, 1), (1, 1, 1), (4, 2, 1)])
@pytest.mark.parametrize("f", functions)
@pytest.mark.filterwarnings("error")
def test_functions_that_move(f, shape):
    check(f(numbered(shape)), shape)
