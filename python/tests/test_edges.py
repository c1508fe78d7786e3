"""Requests at the edges: nothing to do, one number for several, axes that are not there, words that a mode ignores; and what NumPy and SciPy say of them.

SPDX-License-Identifier: BSD-3-Clause
"""
import itertools
import math

import numpy as np
import pytest

import crinkle as ck

rng = np.random.default_rng(6)
x = rng.random((3, 4)).astype("f4")
record = np.dtype([("x", "f4"), ("y", "i2"), ("z", "f4")])


def test_records_of_no_rows():
    none = np.empty(0, record)
    assert [(a.shape, a.dtype) for a in ck.records(none, "x|y|z")] == [((0,), record[k]) for k in range(3)]
    assert ck.records([np.empty(0, "f4"), np.empty(0, "i2"), np.empty(0, "f4")], dtype=record).shape == (0,)
    with pytest.raises(ValueError, match="q"):
        ck.records(none, "x|y|q")


def test_convolutions_of_half():
    signal = pytest.importorskip("scipy.signal")
    h = x.astype("f2")
    for a, b in ((h, h), (h, x), (x, h)):
        made = ck.fft.fftconvolve(a, b)
        assert made.dtype == "f4" and np.allclose(made, signal.convolve2d(a.astype("f8"), b.astype("f8")), atol=1e-5)
    assert ck.fft.correlate(h, x.astype("f8")).dtype == "f8"


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn", "fft2", "irfft2"])
def test_sizes_and_axes_as_numpy_takes_them(name):
    ours, theirs = getattr(ck.fft, name), getattr(np.fft, name)
    a = x.astype("c8") if name.startswith("i") or name[0] == "f" else x
    for words in ({"s": (-1, 6), "axes": (0, 1)}, {"s": (5, -1), "axes": (0, 1)}, {"axes": (0, 1, 0)}, {"axes": (1, 1)}, {"s": (4, 6, 8), "axes": (1, 0, 1)},
                  {"s": (8, 4), "axes": (1, 1)}, {"axes": (1, 0, 1), "norm": "ortho"}):
        expected = theirs(a, **words)
        made = ours(a, **words)
        assert made.shape == expected.shape and np.allclose(made, expected, atol=1e-4), words
        out = np.zeros(expected.shape, made.dtype)
        assert ours(a, **words, out=out) is out and (out == made).all()
    assert np.allclose(ours(a, axes=0), theirs(a, axes=(0,)), atol=1e-5) and np.allclose(ours(a, s=6, axes=1), theirs(a, s=(6,), axes=(1,)), atol=1e-5)
    with pytest.raises(ValueError, match="give 1 or more"):
        ours(a, s=(0, 4), axes=(0, 1))
    with pytest.raises(ValueError, match="give 1 or more"):
        ck.fft.fft(x, n=-1)


def test_weights_that_are_all_0():
    for words in ({}, {"boundary": "constant:7"}, {"steps": 3}, {"convolve": True}, {"dtype": "f8"}):
        made = ck.stencil(x, np.zeros((3, 3)), **words)
        assert made.shape == x.shape and (made == 0).all() and made.dtype == words.get("dtype", "f4")
    out = np.ones((3, 4), "f4")
    assert ck.stencil(x, [0, 0, 0], axes=0, out=out) is out and (out == 0).all()
    for wrong in (np.zeros((3, 3, 3)), np.zeros((0, 3)), np.zeros(3)):
        with pytest.raises(ValueError):
            ck.stencil(x, wrong)


def test_nothing_to_grid():
    statistics = ["count", "sum", "mean", "min", "max", "deviation"]
    for places, values in ((np.empty((0, 2)), np.empty(0)), ([], []), (np.empty((0, 3)), np.empty(0))):
        shape = (2, 5) if np.shape(places)[-1:] != (3,) else (2, 2, 3)
        made = ck.grid(places, values, [0] * len(shape), [-1] + [1] * (len(shape) - 1), shape, statistic=statistics, nodata=-9)
        assert made.shape == (6, *shape) and (made[0] == 0).all() and (made[1:] == -9).all()
    assert ck.grid(np.empty((0, 2)), np.empty((0, 3)), (0, 0), (1, 1), (2, 5)).shape == (3, 2, 5)
    with pytest.raises(ValueError, match="statistic"):
        ck.grid([], [], (0, 0), (1, 1), (2, 2), statistic="median")
    for columns, shape in ((3, (2, 2)), (2, (2, 2, 2)), (2, (4,)), (1, (4,))):
        with pytest.raises(ValueError, match=f"places of {columns} coordinates"):
            ck.grid(np.zeros((5, columns)), np.zeros(5), [0] * len(shape), [1] * len(shape), shape)


def test_points_without_features():
    none, two = np.empty((3, 0), "f4"), np.empty((2, 0), "f4")
    for metric in "euclidean", "sqeuclidean", "cityblock", "chebyshev":
        assert (ck.pdist(none, metric) == np.zeros(3, "f4")).all() and (ck.cdist(none, two, metric) == np.zeros((3, 2))).all()
    assert np.isnan(ck.pdist(none, "cosine")).all() and ck.pdist(none, form="square").shape == (3, 3) and ck.pdist(np.empty((0, 0))).shape == (0,)
    with pytest.raises(ValueError, match="features"):
        ck.cdist(none, x)


@pytest.mark.parametrize("f", [lambda k: ck.flip(x, k), lambda k: ck.fft.fft(x, axis=k), lambda k: ck.fft.rfftn(x, axes=(0, k)), lambda k: ck.stencil(x, "average:1", axes=k),
                               lambda k: ck.resample(x, zoom=2, axes=k), lambda k: ck.take(x, [0], axis=k), lambda k: ck.concat([x, x], axis=k), lambda k: ck.unstack(x, axis=k),
                               lambda k: ck.fft.fftconvolve(x, x, axes=k), lambda k: ck.fft.fftshift(x, axes=k), lambda k: ck.roll(x, 1, axis=k), lambda k: ck.pad(x, {k: 1}),
                               lambda k: ck.moveaxis(x, k, 0), lambda k: ck.permute_dims(x, (0, k)), lambda k: ck.squeeze(x, k), lambda k: ck.repeat(x, 2, axis=k)])
def test_axes_that_are_not_there(f):
    for k in 2, -3, 2**40:
        for error in ValueError, IndexError, ck.AxisError:
            with pytest.raises(error, match=f"axis {k} of an array of 2 axes"):
                f(k)


@pytest.mark.parametrize("mode, word", [("edge", "constant_values"), ("wrap", "stat_length"), ("empty", "constant_values"), ("constant", "reflect_type"), ("constant", "end_values"),
                                        ("reflect", "constant_values"), ("mean", "end_values"), ("linear_ramp", "reflect_type"), ("edge", "constant_value")])
def test_words_that_a_mode_ignores(mode, word):
    with pytest.raises(ValueError, match=f"mode '{mode}' takes .*, not {word}"):
        ck.pad(x, 1, mode, **{word: "even" if word == "reflect_type" else 1})


def test_words_that_a_mode_takes():
    for mode, words in (("constant", {"constant_values": 3}), ("reflect", {"reflect_type": "odd"}), ("symmetric", {"reflect_type": "even"}), ("mean", {"stat_length": 2}),
                        ("linear_ramp", {"end_values": 4})):
        assert (ck.pad(x, 2, mode, **words) == np.pad(x, 2, mode, **words)).all()

    def fill(vector, width, axis, words):
        vector[:width[0]] = words["value"]
        vector[vector.size - width[1]:] = words["value"]

    assert (ck.pad(x, 1, fill, value=5) == np.pad(x, 1, fill, value=5)).all()
    with pytest.raises(ValueError, match="'even' or 'odd'"):
        ck.pad(x, 1, "reflect", reflect_type="uneven")


@pytest.mark.parametrize("name", ["reduce", "einsum", "asnumpy", "layers"])
def test_what_einops_has_and_crinkle_has_not(name):
    with pytest.raises(ImportError, match=f"no {name}: .*from einops import {name}"):
        exec(f"from crinkle.einops import {name}")
    with pytest.raises(ImportError, match="cannot import name 'reduces'"):
        exec("from crinkle.einops import reduces")
    assert not hasattr(ck.einops, "reduces")


def test_arrays_that_are_too_large_to_be():
    for make in (lambda: ck.Array((2**40, 2**40)), lambda: ck.Array((2**61,), "f4"), lambda: ck.plan(ck.flip, ck.Array((2**62, 2), "u1"))):
        with pytest.raises(ValueError, match=r"an array of shape .* bytes; there are at most 2\^63 - 1"):
            make()
    assert ck.Array((2**61,), "u1").shape == (2**61,) and ck.Array((2**70, 0)).shape == (2**70, 0)
    with pytest.raises(MemoryError, match="has no place in this process"):
        ck.plan(ck.flip, ck.Array((2**31, 2**31), "u1"))


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_collisions(dtype, dimensions):
    centres = rng.integers(0, 30, (40, dimensions)).astype(dtype)
    radii = rng.integers(0, 3 if dimensions == 1 else 6, 40).astype(dtype)
    found = ck.collisions(centres, radii)
    expected = [(i, j) for i, j in itertools.combinations(range(40), 2) if ((centres[i] - centres[j]).astype("f8")**2).sum() <= float(radii[i] + radii[j])**2]
    assert found.dtype == np.int64 and found.shape == (len(expected), 2) and found.tolist() == [list(p) for p in expected] and len(expected) > 0
    assert (ck.collisions(centres, 2) == ck.collisions(centres, np.full(40, 2.0, "f8"))).all()
    assert ck.collisions(centres[:0], radii[:0]).shape == (0, 2)
    for wrong, said in ((radii[:5], "40 centres and radii of shape"), (np.full(40, -1.0), "radius|negative"), (radii.reshape(8, 5), "one for each")):
        with pytest.raises(ValueError, match=said):
            ck.collisions(centres, wrong)
    with pytest.raises(ValueError, match="plan"):
        ck.plan(ck.collisions, centres, radii)


def test_triplets():
    points = rng.random((9, 3))

    def term(a, b, c):
        ab, ac, bc = b - a, c - a, c - b
        r = [np.linalg.norm(v) for v in (ab, ac, bc)]
        cosines = (ab @ ac) / (r[0] * r[1]), (-ab @ bc) / (r[0] * r[2]), (ac @ bc) / (r[1] * r[2])
        return (1 + 3 * math.prod(cosines)) / math.prod(r)**3

    expected = sum(term(*points[list(t)]) for t in itertools.combinations(range(9), 3))
    assert isinstance(ck.triplet_energy(points), float) and math.isclose(ck.triplet_energy(points), expected, rel_tol=1e-12)
    assert math.isclose(ck.triplet_energy(points.astype("f4")), expected, rel_tol=1e-4) and ck.triplet_energy(points[:2]) == 0
    with pytest.raises(ValueError, match="3"):
        ck.triplet_energy(points[:, :2])


def test_cross_validation():
    places, values = rng.random((30, 2)), rng.random(30)
    scores = ck.cross_validate(places, values, powers=(1, 2), neighbours=(0, 4))
    assert [(s.power, s.neighbours) for s in scores] == [(1, 0), (2, 0), (1, 4), (2, 4)] and all(s.n_predicted == 30 for s in scores)
    for s in scores:
        errors = [ck.interpolate(np.delete(places, k, 0), np.delete(values, k), places[k:k + 1], power=s.power, neighbours=s.neighbours)[0] - values[k] for k in range(30)]
        assert math.isclose(s.rmse, math.sqrt(np.mean(np.square(errors))), rel_tol=1e-9)
    assert ck.cross_validate(places, values, 2, 4)[0] == scores[3]
    assert ck.cross_validate(places, values, 2, 30)[0].rmse == pytest.approx(ck.cross_validate(places, values, 2, 0)[0].rmse)  # all the others
    for wrong in ({"powers": ()}, {"neighbours": -1}):
        with pytest.raises(ValueError):
            ck.cross_validate(places, values, **wrong)


@pytest.mark.parametrize("dtype", ["u1", "<u2", ">i4", "f8", "c16"])
@pytest.mark.parametrize("shape", [(), (3,), (4, 5), (0, 3)])
def test_bit_planes(dtype, shape):
    a = np.frombuffer(rng.bytes(np.dtype(dtype).itemsize * math.prod(shape)), dtype).reshape(shape)
    planes = ck.bit_planes(a)
    bits = np.unpackbits(np.ascontiguousarray(a).reshape(-1, 1).view("u1"), axis=1, bitorder="little") if a.size else np.zeros((0, 8 * a.itemsize), "u1")
    assert planes.dtype == np.uint8 and (planes == np.packbits(bits.T, axis=1, bitorder="little")).all()
    assert ck.from_bit_planes(planes, dtype, shape).tobytes() == a.tobytes() and ck.from_bit_planes(planes, dtype, shape).dtype == a.dtype
    assert (ck.bit_planes(a.T) == ck.bit_planes(np.ascontiguousarray(a.T))).all()
    for wrong in ((planes, dtype, (9, 9)), (planes.astype("u2"), dtype, shape), (planes, "O", shape)):
        with pytest.raises(ValueError):
            ck.from_bit_planes(*wrong)


def test_other_orders():
    a = np.arange(32).reshape(4, 8)
    for f, order in ((ck.morton, "morton"), (ck.checkerboard, "checkerboard")):
        flat = f(a)
        assert (flat == ck.move(a, "y x -> y x", order=order)).all() and (np.sort(flat) == np.arange(32)).all()
        assert (ck.plan(a, "y x -> y x", order=order).inverse().run(flat).reshape(4, 8) == a).all()
    even = np.add.outer(np.arange(4), np.arange(8)) % 2 == 0
    assert (ck.checkerboard(a) == np.concatenate([a[even], a[~even]])).all() and ck.morton(a)[:4].tolist() == [0, 1, 8, 9]
    with pytest.raises(ValueError, match="powers of two"):
        ck.morton(x)


def test_what_was_answered_in_silence():
    image = (x * 255).astype("u1")
    for value in 300, 2.5, np.nan, -1:
        with pytest.raises(ValueError, match="uint8 holds no"):
            ck.pad(image, 1, constant_values=value)
        with pytest.raises(ValueError, match="uint8 holds no"):
            ck.move(image, "y x -> y x", pad={"x": (1, 1, "constant", value)})
    assert (ck.pad(image, 1, constant_values=255.0) == np.pad(image, 1, constant_values=255)).all() and np.isnan(ck.pad(x, 1, constant_values=np.nan)[0]).all()
    with pytest.raises(ValueError, match="float32 holds no 1e"):
        ck.pad(x, 1, constant_values=1e60)
    for words, said in (({"zoom": 2, "offset": (1, 1)}, "offset is of matrix"), ({"rotate": 3, "centre": (0, 0)}, "centre is of polar"), ({"zoom": 2, "log": True}, "log is of polar"),
                        ({"rotate": 3, "keep": "centres"}, "keep is of shape and zoom"), ({"zoom": 2, "radius": 3}, "radius is of polar")):
        with pytest.raises(ValueError, match=said):
            ck.resample(x, **words)
    for nodata in 300, 0.5, np.inf:
        with pytest.raises(ValueError, match="is no uint8"):
            ck.resample(image, coordinates=np.full((2, 1), np.nan), nodata=nodata)
    assert ck.resample(image, coordinates=np.full((2, 1), np.nan), nodata=7)[0] == 7
    for what in "laplacian", "sobel:0", [[-1, 2, -1]]:
        with pytest.warns(UserWarning, match="below 0 becomes 0; dtype='float32'"):
            ck.stencil(image, what)
    with pytest.warns(UserWarning, match="none of 1 samples lies in the raster"):
        ck.grid([[50.0, 50.0]], [1.0], (0, 0), (1, 1), (2, 2))
    with pytest.raises(ValueError, match="centre 1 is no place"):
        ck.collisions(np.array([[0, 0], [0, np.nan]]), 1.0)
