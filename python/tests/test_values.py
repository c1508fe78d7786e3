"""Values of what NumPy and SciPy have no name for, against a few plain lines each.

SPDX-License-Identifier: BSD-3-Clause
"""
import itertools
import math

import numpy as np
import pytest

import crinkle as ck

rng = np.random.default_rng(44)


def same(a, b):
    assert a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == np.ascontiguousarray(b).tobytes()


@pytest.mark.parametrize("dtype", ["i1", ">f4", "c16", "S3"])
def test_matrix_transpose(dtype):
    for shape in (2, 3), (4, 5, 6), (2, 0, 3), (1, 2, 3, 4):
        x = rng.integers(0, 100, shape).astype(dtype)[..., ::-1]
        same(ck.matrix_transpose(x), np.swapaxes(x, -1, -2))
        out = np.empty((*shape[:-2], shape[-1], shape[-2]), dtype)
        assert ck.matrix_transpose(x, out=out) is out
        same(out, np.swapaxes(x, -1, -2))


@pytest.mark.parametrize("dtype", ["u1", ">i2", "f4", "c16", "S3", "M8[s]"])
def test_concat_of_any_strides(dtype):
    for shape in (3,), (2, 3), (4, 1, 5), (2, 0, 3):
        for axis in range(-len(shape), len(shape)):
            x = rng.integers(0, 100, shape).astype("i8").astype(dtype)
            parts = x, np.flip(x), x[:0] if axis % len(shape) == 0 else x, np.asfortranarray(x), np.repeat(x, 3, axis)[..., ::-1]
            same(ck.concat(parts, axis), np.concatenate(parts, axis).astype(dtype))
            same(ck.concat([*parts], axis), np.concatenate(parts, axis).astype(dtype))
    with pytest.raises(ValueError, match="beside"):
        ck.concat([np.zeros((2, 3), dtype), np.zeros((2, 4), dtype)])


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_dilate(n):
    x = rng.integers(1, 100, (5, 4))
    wide = np.zeros((5, 3 * n + 1), x.dtype)
    wide[:, ::n] = x
    same(ck.move(x, "y x -> y x", dilate={"x": n}), wide)
    same(ck.move(x, "y x -> x y", dilate={"x": n}, flip="x"), wide[:, ::-1].T)
    same(ck.move(x, "y x -> y x", flip="y", dilate={"y": n}), np.insert(x[::-1], np.repeat(np.arange(1, 5), n - 1), 0, axis=0))


def test_bit_reverse():
    x = rng.random((3, 16))
    reversed_bits = [int(f"{i:04b}"[::-1], 2) for i in range(16)]
    same(ck.move(x, "y x -> y x", bit_reverse="x"), x[:, reversed_bits])
    same(ck.move(x.T, "x y -> y x", bit_reverse="x", roll={"x": 1}), np.roll(x[:, reversed_bits], 1, 1))
    with pytest.raises(ValueError, match="3"):
        ck.move(x, "y x -> y x", bit_reverse="y")


def morton_number(index, bits):
    """Bits interleaved, the last axis lowest; what is left of longer axes on top, the first axis highest."""
    shared = min(bits)
    low = sum((i >> b & 1) << (b * len(bits) + len(bits) - 1 - a) for a, i in enumerate(index) for b in range(shared))
    high = 0
    for i, n in zip(index, bits):
        high = high << (n - shared) | i >> shared
    return high << (shared * len(bits)) | low


@pytest.mark.parametrize("shape", [(8, 8), (4, 16), (2, 4, 8), (16,)])
def test_orders(shape):
    x = rng.permutation(math.prod(shape)).reshape(shape)
    want = np.empty(x.size, x.dtype)
    for index in itertools.product(*map(range, shape)):
        want[morton_number(index, [n.bit_length() - 1 for n in shape])] = x[index]
    same(ck.move(x, "... -> ...", order="morton"), want)
    is_black = np.indices(shape).sum(0).ravel() % 2 == 1
    same(ck.move(x, "... -> ...", order="checkerboard"), np.concatenate([x.ravel()[~is_black], x.ravel()[is_black]]))


@pytest.mark.parametrize("n, k", [(12, 5), (10, 5), (3, 4), (7, 2), (1, 3)])
def test_tails(n, k):
    x = rng.integers(1, 99, (2, n))
    padded = np.pad(x, ((0, 0), (0, -n % k)))
    same(ck.move(x, "y (x k) -> k x y", k=k, tail="pad"), padded.reshape(2, -1, k).transpose(2, 1, 0))
    same(ck.move(x, "y (x k) -> k x y", k=k, tail="drop"), x[:, : n // k * k].reshape(2, -1, k).transpose(2, 1, 0))
    same(ck.move(x, "y (x k) -> y (k x)", k=k, tail="ragged"), np.concatenate([x[:, phase::k] for phase in range(k)], 1))
    if n % k:
        with pytest.raises(ValueError, match="tail="):
            ck.move(x, "y (x k) -> y k x", k=k)


def sector_of(step, sectors):
    """Which quadrant or octant a step leads into; axes belong to one of their two."""
    if sectors == 1:
        return 0
    if len(step) == 3:
        return sum(int(s >= 0) << a for a, s in enumerate(step))
    return int(math.floor(math.atan2(step[1], step[0]) / (2 * math.pi / sectors))) % sectors


def shepard(places, values, q, weights=None, power=2.0, smoothing=0.0, neighbours=0, radius=math.inf, least_neighbours=1, sectors=1,
            anisotropy=(1.0, 0.0), nodata=math.nan):
    """Σ m z / (d² + s²)^(p/2) over its Σ without z, of the samples that count."""
    steps = places - q
    if anisotropy[0] != 1:
        angle = math.radians(anisotropy[1])
        along, across = steps @ [math.cos(angle), math.sin(angle)], steps @ [-math.sin(angle), math.cos(angle)]
        steps = np.stack([along, across * anisotropy[0]], 1)
    d = np.sqrt((steps**2).sum(1))
    counted = []
    for sector in range(max(sectors, 8)):
        here = [i for i in np.argsort(d, kind="stable") if d[i] <= radius and sector_of(steps[i], sectors) == sector]
        counted += here[:neighbours] if neighbours else here
    if len(counted) < least_neighbours:
        return nodata
    w = (1.0 if weights is None else weights[counted]) / (d[counted]**2 + smoothing**2) ** (power / 2)
    return (w * values[counted]).sum() / w.sum()


@pytest.mark.parametrize("words", [
    {}, {"power": 1.0}, {"power": 3.5}, {"smoothing": 0.2}, {"smoothing": 0.01, "power": 5.0}, {"neighbours": 7}, {"radius": 0.1, "nodata": -9.0},
    {"radius": 0.15, "least_neighbours": 3, "nodata": -9.0}, {"neighbours": 2, "sectors": 4}, {"neighbours": 1, "sectors": 8},
    {"sectors": 4, "neighbours": 3, "radius": 0.3, "nodata": 0.5, "least_neighbours": 6}, {"anisotropy": (3.0, 0.0)}, {"anisotropy": (2.5, 40.0)},
    {"anisotropy": (2.0, -70.0), "neighbours": 4}, {"anisotropy": (4.0, 90.0), "radius": 0.15, "nodata": -1.0},
    {"anisotropy": (2.0, 25.0), "neighbours": 5, "smoothing": 0.1}])
@pytest.mark.parametrize("has_weights", [False, True])
def test_inverse_distances(words, has_weights):
    places, values, targets = rng.random((60, 2)), rng.random(60), rng.random((25, 2))
    weights = rng.random(60) + 0.1 if has_weights else None
    got = ck.interpolate(places, values, targets, weights=weights, **words)
    want = [shepard(places, values, q, weights, **words) for q in targets]
    assert np.allclose(got, want, rtol=1e-12, atol=0, equal_nan=True)
    if "nodata" in words:
        assert 0 < (got == words["nodata"]).sum() < len(got)


@pytest.mark.parametrize("words", [{"neighbours": 2, "sectors": 8}, {"neighbours": 6}, {"smoothing": 0.3}, {"power": 4.0}])
def test_inverse_distances_in_space(words):
    places, values, targets = rng.random((80, 3)), rng.random(80), rng.random((20, 3))
    got = ck.interpolate(places, values, targets, **words)
    assert np.allclose(got, [shepard(places, values, q, **words) for q in targets], rtol=1e-12, atol=0)


def test_places_on_samples():
    places, values = np.array([[0.0, 0], [1, 0], [1, 0], [0, 1]]), np.array([1.0, 2, 4, 8])
    assert ck.interpolate(places, values, places).tolist() == [1, 3, 3, 8]
    assert ck.interpolate(places, values, places[1:2], weights=[1, 3, 1, 1]).tolist() == [2.5]
    assert ck.interpolate(places, values, [[0.0, 0]], smoothing=1)[0] == pytest.approx((1 + 2 / 2 + 4 / 2 + 8 / 2) / (1 + 3 / 2))
    assert np.isnan(ck.interpolate(places, values, [[5.0, 5]], radius=1)).all()


def test_statistics_of_a_grid():
    places, values = rng.random((300, 2)) * [4, 3], rng.standard_normal((300, 2)) + 1000
    names = ["count", "sum", "mean", "min", "max", "deviation"]
    got = ck.grid(places, values, (0.25, 0.5), (0.5, 1.0), (6, 5), statistic=names, nodata=-7.0)
    assert got.shape == (6, 2, 6, 5)
    functions = [len, np.sum, np.mean, np.min, np.max, np.std]
    for c, j, i in np.ndindex(2, 6, 5):
        there = values[(places[:, 0] // 1 == i) & (places[:, 1] // 0.5 == j), c]
        for k, function in enumerate(functions):
            want = function(there) if len(there) or k == 0 else -7.0
            assert got[k, c, j, i] == pytest.approx(want, rel=1e-9), (names[k], c, j, i)
    one = ck.grid(places, values[:, 0], (0.25, 0.5), (0.5, 1.0), (6, 5), statistic="deviation")
    assert np.isnan(one[:, 4]).all() and np.allclose(one[:, :4], got[5, 0, :, :4])


numbers = np.arange(24.0).reshape(2, 3, 4)


@pytest.mark.parametrize("f", [
    lambda n: ck.pad(numbers, {0: n}), lambda n: ck.pad(numbers, n), lambda n: ck.pad(numbers, ((n, n), (0, 0), (0, 0))), lambda n: ck.reshape(numbers, (n, -1)),
    lambda n: ck.tile(numbers, n), lambda n: ck.broadcast_to(numbers, (n, 2, 3, 4)), lambda n: ck.repeat(numbers, n, 0), lambda n: ck.roll(numbers, n, 0), lambda n: ck.roll(numbers, n),
    lambda n: ck.flip(numbers, n), lambda n: ck.take(numbers, [0], n), lambda n: ck.permute_dims(numbers, (n, 0, 2)), lambda n: ck.moveaxis(numbers, 0, n), lambda n: ck.concat([numbers], n),
    lambda n: ck.stack([numbers], n), lambda n: ck.unstack(numbers, n), lambda n: ck.expand_dims(numbers, n), lambda n: ck.squeeze(numbers[:, :1], n),
    lambda n: ck.move(numbers, "z y x -> x y z", roll={"z": n}), lambda n: ck.move(numbers, "z y x -> x y", at={"z": n}), lambda n: ck.move(numbers, "z y x -> x y z", pad={"z": n}),
    lambda n: ck.move(numbers, "z y x -> x y z", slice={"z": (0, n)}), lambda n: ck.move(numbers, "z y x -> x y z", dilate={"z": n}),
    lambda n: ck.stencil(numbers, "average:1", steps=n), lambda n: ck.stencil(numbers, "average:1", axes=n), lambda n: ck.resample(numbers, (n, 3, 4)), lambda n: ck.fft.fft(numbers, n),
    lambda n: ck.fft.fft(numbers, axis=n), lambda n: ck.fft.rfft2(numbers, (n, n)), lambda n: ck.fft.fftfreq(n), lambda n: ck.fft.dct(numbers, n), lambda n: ck.fft.dct(numbers, 2, n),
    lambda n: ck.grid(numbers[0, :, :2], numbers[0, :, 0], (0, 0), (1, 1), (n, 1)), lambda n: ck.interpolate(numbers[0, :, :2], numbers[0, :, 0], numbers[0, :, :2], neighbours=n),
    lambda n: ck.triangle(np.ones(1), "packed lower", "full lower", n), lambda n: ck.pack_bits(np.zeros(8, "u1"), n), lambda n: ck.plan((n, 3), "a b -> b a"),
])
def test_what_is_no_integer_is_no_size(f):
    f(1)
    for wrong in (True, np.True_, "1", 1.5):
        with pytest.raises((TypeError, ValueError)):
            f(wrong)


@pytest.mark.parametrize("f", [
    lambda n: ck.resample(numbers, zoom=n), lambda n: ck.resample(numbers, rotate=n, axes=(0, 1)), lambda n: ck.resample(numbers, polar="to", axes=(1, 2), centre=(n, 1)),
    lambda n: ck.resample(numbers, zoom=2, nodata=n), lambda n: ck.interpolate(numbers[0, :, :2], numbers[0, :, 0], numbers[0, :, :2], power=n),
    lambda n: ck.grid(numbers[0, :, :2], numbers[0, :, 0], (n, 0), (1, 1), (3, 3)), lambda n: ck.cross_validate(numbers[0, :, :2], numbers[0, :, 0], n),
])
def test_what_is_no_number(f):
    f(1.5)
    for wrong in (True, np.True_, "1"):
        with pytest.raises(TypeError, match="not a number"):
            f(wrong)


def test_a_boundary_is_no_dict():
    with pytest.raises(TypeError, match="a word, or a list of one an axis"):
        ck.stencil(numbers, "average:1", boundary={0: "edge"})
