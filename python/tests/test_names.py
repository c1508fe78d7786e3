"""einops' and the array API's names against NumPy, over views drawn at random.

SPDX-License-Identifier: BSD-3-Clause
"""
import einops as rival
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import crinkle as ck
import crinkle.einops as einops

settings.register_profile("suite", max_examples=60, deadline=None, derandomize=True)
settings.load_profile("suite")


@st.composite
def views(draw, min_rank=1, max_rank=4):
    rank = draw(st.integers(min_rank, max_rank))
    shape = draw(st.lists(st.integers(0, 6), min_size=rank, max_size=rank))
    dtype = draw(st.sampled_from(["?", "i1", ">i2", "f4", ">f8", "c16", "S3", "V5"]))
    steps = draw(st.lists(st.sampled_from([1, 2, -1, -3]), min_size=rank, max_size=rank))
    n = int(np.prod([abs(k) * e for k, e in zip(steps, shape)]))
    base = np.frombuffer(np.arange(n * np.dtype(dtype).itemsize, dtype=np.uint8).tobytes(), dtype)
    x = base.reshape([abs(k) * e for k, e in zip(steps, shape)])[tuple(slice(None, None, k) for k in steps)]
    x = x.transpose(draw(st.permutations(range(rank))))
    if draw(st.booleans()):
        x = np.broadcast_to(x[None], (2, *x.shape)) if rank < max_rank else x
    return x


def same(a, b):
    assert a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == np.ascontiguousarray(b).tobytes()


@given(views(), st.data())
def test_axes(x, data):
    axes = data.draw(st.permutations(range(x.ndim)))
    some = data.draw(st.lists(st.integers(0, x.ndim - 1), unique=True))
    same(ck.permute_dims(x, axes), x.transpose(axes))
    same(ck.flip(x, axis=some), np.flip(x, some))
    same(ck.flip(x), np.flip(x))
    shifts = data.draw(st.lists(st.integers(-9, 9), min_size=len(some), max_size=len(some)))
    same(ck.roll(x, shifts, axis=some), np.roll(x, shifts, some))
    same(ck.roll(x, 3), np.roll(x, 3))
    same(ck.moveaxis(x, 0, -1), np.moveaxis(x, 0, -1))
    same(ck.expand_dims(x, axis=(0, -1)), np.expand_dims(x, (0, -1)))
    same(ck.squeeze(ck.expand_dims(x, axis=1), 1), x)


@given(views(), st.data())
def test_counts(x, data):
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    counts = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=5))
    same(ck.tile(x, counts), np.tile(x, counts))
    same(ck.repeat(x, 3, axis=axis), np.repeat(x, 3, axis))
    each = data.draw(st.lists(st.integers(0, 3), min_size=x.shape[axis], max_size=x.shape[axis]))
    if x.shape[axis]:
        same(ck.repeat(x, each, axis=axis), np.repeat(x, each, axis))
        indices = data.draw(st.lists(st.integers(-x.shape[axis], x.shape[axis] - 1), max_size=8))
        same(ck.take(x, indices, axis=axis), np.take(x, np.array(indices, int), axis))
    same(ck.stack([x, x, x], axis=axis), np.stack([x] * 3, axis).astype(x.dtype))  # NumPy's are in the machine's byte order
    same(ck.stack([x, np.ascontiguousarray(x)], axis=axis), np.stack([x] * 2, axis).astype(x.dtype))  # NumPy's are in the machine's byte order
    same(ck.concat([x, x[:1], x], axis=0), np.concatenate([x, x[:1], x], 0).astype(x.dtype))  # NumPy's are in the machine's byte order
    same(ck.concat([x, x], axis=None), np.concatenate([x, x], None).astype(x.dtype))  # NumPy's are in the machine's byte order
    for order in "CF":
        same(ck.reshape(x, (-1,), order=order), x.reshape((-1,), order=order))
        same(ck.reshape(x, x.shape[::-1], order=order), x.reshape(x.shape[::-1], order=order))


@given(views(), st.data())
def test_pad(x, data):
    mode = data.draw(st.sampled_from(["constant", "edge", "reflect", "symmetric", "wrap"]))
    if mode != "constant" and 0 in x.shape:
        return
    widths = data.draw(st.lists(st.tuples(*[st.integers(0, 9)] * 2), min_size=x.ndim, max_size=x.ndim))
    if x.dtype.kind in "VS" and mode == "constant":
        return
    same(ck.pad(x, widths, mode), np.pad(x, widths, mode))
    if mode == "constant" and x.dtype.kind in "if":
        same(ck.pad(x, widths, constant_values=[(1, 2)] * x.ndim), np.pad(x, widths, constant_values=[(1, 2)] * x.ndim))


def test_modes_of_pad_that_compute_are_numpys():
    x = np.random.default_rng(1).integers(0, 99, (4, 5)).astype("i4")

    def sevens(vector, widths, axis, words):
        vector[:widths[0]] = vector[len(vector) - widths[1]:] = 7

    for mode, words in [("linear_ramp", {"end_values": 3}), ("maximum", {}), ("mean", {"stat_length": 2}), ("median", {}), ("minimum", {}), (sevens, {}),
                        ("reflect", {"reflect_type": "odd"}), ("symmetric", {"reflect_type": "odd"})]:
        want = np.pad(x, ((1, 2), (3, 1)), mode, **words)
        got, out = ck.pad(x, ((1, 2), (3, 1)), mode, **words), np.empty_like(want)
        assert got.dtype == want.dtype and np.array_equal(got, want), mode
        assert ck.pad(x, ((1, 2), (3, 1)), mode, out=out, **words) is out and np.array_equal(out, want)
    with pytest.raises(ValueError, match="wrong"):
        ck.pad(x, 1, "mean", wrong=1)
    with pytest.raises(ValueError, match="mirror"):
        ck.pad(np.zeros(3), 1, "mirror")
    assert ck.pad(np.ones((2, 3)), 1, "empty")[1:-1, 1:-1].all()


@given(views(2, 3))
def test_einops(x):
    names = " ".join("abcd"[: x.ndim])
    for pattern in (f"{names} -> {names[::-1]}", f"{names} -> ({names})", f"{names} -> 1 {names} ()", "... a -> a ...", "a ... -> (... a)"):
        same(einops.rearrange(x, pattern), np.ascontiguousarray(rival.rearrange(x, pattern)))
    same(einops.repeat(x, "a ... -> (a k) ...", k=2), rival.repeat(x, "a ... -> (a k) ...", k=2))
    same(einops.rearrange([x, x], "n a ... -> a ... n"), np.ascontiguousarray(rival.rearrange([x, x], "n a ... -> a ... n")).astype(x.dtype))
    if 0 in x.shape:  # einops cannot pack these
        return
    packed, shapes = einops.pack([x, x[..., 0]], "a *")
    expected, expected_shapes = rival.pack([x, x[..., 0]], "a *")
    assert shapes == expected_shapes
    same(packed, expected.astype(x.dtype))
    for a, b in zip(einops.unpack(packed, shapes, "a *"), rival.unpack(packed, shapes, "a *")):
        same(np.ascontiguousarray(a), np.ascontiguousarray(b))


@pytest.mark.parametrize("pattern, sizes", [
    ("a b -> b", {}), ("a b -> a b c", {}), ("a b", {}), ("a a -> a", {}), ("a b -> a b -> b", {}), ("(a 2) b -> a b", {}), ("a .. -> a ..", {}),
    ("a b -> a ...", {}), ("... ... -> ...", {}), ("a_ b -> a_ b", {}), ("a b -> a b", {"c": 3}), ("(a c) b -> a c b", {"c": 5}), ("a b c -> c", {}),
    ("((a) b) c -> a b c", {}), ("(a b -> a b", {}), ("a) b -> a b", {}), ("a b -> (a b", {}), ("a b -> 2 a b", {}), ("é! b -> b", {}),
])
def test_einops_errors(pattern, sizes):
    x = np.zeros((4, 6))
    with pytest.raises((rival.EinopsError, ValueError)):
        rival.rearrange(x, pattern, **sizes)
    with pytest.raises(einops.EinopsError) as raised:
        einops.rearrange(x, pattern, **sizes)
    assert str(raised.value)


def test_parse_shape():
    x = np.zeros((2, 3, 5, 7))
    for pattern in ("a b c d", "a _ _ d", "... d", "a ... d", "a b c d ..."):
        assert einops.parse_shape(x, pattern) == rival.parse_shape(x, pattern)
    for pattern in ("a b c", "a a b c", "(a b) c d e", "a b c d e"):
        with pytest.raises(einops.EinopsError):
            einops.parse_shape(x, pattern)
