"""Plans of anything: what they need, parts and stages of them, and pickling.

SPDX-License-Identifier: BSD-3-Clause
"""
import itertools
import pickle

import numpy as np
import pytest

import crinkle as ck


def taken(x, ranges):
    for axis, (first, n) in enumerate(ranges):
        x = np.take(x, [(first + i) % x.shape[axis] for i in range(n)] if n else np.array([], int), axis)
    return np.ascontiguousarray(x)


def place(ranges):
    return tuple(slice(first, first + n) for first, n in ranges)


def in_parts(p, whole, *inputs):
    """All parts of a grid, one after another."""
    out = np.zeros(p.outputs[0].shape, whole.dtype)
    pieces = [[(first, min(3, extent - first)) for first in range(0, extent, 3)] for _, extent in p.cuts]
    for part in itertools.product(*pieces):
        needs, gives = p.needs(part), p.gives(part)
        out[place(gives[0])] = p.part(part).run(*[taken(x, r) for x, r in zip(inputs, needs)])
    return out.reshape(whole.shape)


def test_a_transform():
    x = np.random.default_rng(1).normal(size=(5, 12, 7)).astype(np.complex64)
    p = ck.plan(ck.fft.fft, x, axis=1)
    whole = ck.fft.fft(x, axis=1)
    assert (p.run(x) == whole).all() and (p(x) == whole).all()
    assert [extent for _, extent in p.cuts] == [5, 7]
    assert p.needs([(1, 2), (0, 7)]) == [((1, 2), (0, 12), (0, 7))]
    assert (in_parts(p, whole, x) == whole).all()


def test_the_way_back():
    rng = np.random.default_rng(13)
    x, z = rng.normal(size=(5, 12, 7)), (rng.normal(size=(5, 12, 7)) + 1j * rng.normal(size=(5, 12, 7))).astype("c8")
    for function, a, words in [(ck.fft.fft, z, {"axis": 1}), (ck.fft.ifftn, z, {}), (ck.fft.fft2, z, {"norm": "ortho"}), (ck.fft.rfft, x, {}), (ck.fft.ihfft, x, {}), (ck.fft.rfft, x, {"axis": 1, "norm": "forward"}),
                               (ck.fft.dct, x, {}), (ck.fft.dct, x, {"type": 3, "norm": "ortho"}), (ck.fft.dst, x, {"axis": 1})]:
        p = ck.plan(function, a, **words)
        there, back = p.run(a), pickle.loads(pickle.dumps(p)).inverse()
        assert np.allclose(back.run(there), a, atol=1e-5), function
        assert np.allclose(pickle.loads(pickle.dumps(back)).inverse().run(a), there, atol=1e-4), function
        assert "inverse" in repr(back)
    for function, a in ((ck.fft.ihfft, x), (ck.fft.hfft, z.astype("c16"))):  # one transform each
        assert (ck.plan(function, a).run(a) == function(a)).all()
    p = ck.plan(ck.fft.fft, z, axis=1)  # the very same as ifft's
    assert (p.inverse().run(p.run(z)) == ck.fft.ifft(p.run(z), axis=1)).all()
    part = [(1, 3), (2, 4)]  # of a part with the whole's factor
    some = np.ascontiguousarray(z[1:4, :, 2:6])
    q = ck.plan(ck.fft.ifft, z, axis=1).part(part)
    assert np.allclose(q.inverse().run(q.run(some)), some, atol=1e-5)
    p = ck.plan(ck.permute_dims, x, (2, 0, 1))
    assert (p.inverse().run(p.run(x)) == x).all() and p.inverse().cuts
    m = rng.normal(size=45)
    p = ck.plan(ck.triangle, m, "packed lower", "rfp upper")
    assert (p.inverse().run(p.run(m)) == m).all()


def test_stages():
    x = np.random.default_rng(2).normal(size=(6, 8, 10)).astype(np.complex64)
    whole = ck.fft.fftn(x)
    p = ck.plan(ck.fft.fftn, ck.Array(x.shape, x.dtype))
    assert not p.cuts and len(p.stages()) == 3
    for stage in p.stages():
        x = in_parts(stage, stage.run(x), x)
    assert (x == whole).all()


def test_a_move():
    x = np.arange(6 * 10 * 4, dtype=np.float32).reshape(6, 10, 4)
    for p in (ck.plan(x, "z (y 2) x -> x (2 z) y", roll={"z": 2}), ck.plan(ck.move, x, "z (y 2) x -> x (2 z) y", roll={"z": 2})):
        whole = ck.move(x, "z (y 2) x -> x (2 z) y", roll={"z": 2})
        assert (p.run(x) == whole).all()
        assert (in_parts(p, whole, x) == whole).all()


def test_plans_and_requests_pickle():
    x = np.random.default_rng(3).normal(size=(6, 8)).astype(np.float32)
    for p in (ck.plan(ck.fft.rfft, x, axis=0), ck.plan(x, "y x -> x y", flip="y"), ck.plan((6, 8), "y x -> x y"), ck.plan(ck.Request(ck.move, x, "y x -> x y")),
              ck.plan(ck.fft.rfft, x, axis=0).part([(2, 3)])):
        text = pickle.dumps(p)
        assert len(text) < 700  # no elements
        again = pickle.loads(text)
        like = x[:, 2:5].copy() if [port.shape for port in p.inputs] == [(6, 3)] else x
        assert (again.run(like) == p.run(like)).all()
    request = ck.Request(ck.fft.fft, ck.Array((4, 8), "complex64"), axis=0)
    assert repr(pickle.loads(pickle.dumps(request))) == repr(request) == "crinkle.Request(crinkle.fft.fft, crinkle.Array((4, 8), '<c8'), axis=0)"


def requests_of_all():
    """(function, arguments, those of them that are inputs)"""
    rng = np.random.default_rng(14)
    x, z, points, values = rng.normal(size=(4, 6)), rng.normal(size=(4, 6)).astype("c16"), rng.random((9, 2)), rng.random(9)
    for name in ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn", "irfft", "irfft2", "irfftn", "hfft"):
        yield getattr(ck.fft, name), (z,), (z,)
    for name in ("rfft", "rfft2", "rfftn", "ihfft", "dct", "idct", "dst", "idst", "dctn", "idctn", "fftshift", "ifftshift"):
        yield getattr(ck.fft, name), (x,), (x,)
    for function, *more in [(ck.flip,), (ck.permute_dims, (1, 0)), (ck.matrix_transpose,), (ck.moveaxis, 0, 1), (ck.expand_dims,), (ck.squeeze, ()), (ck.reshape, (6, 4)), (ck.tile, (2, 1)),
                            (ck.broadcast_to, (2, 4, 6)), (ck.pad, 1), (ck.roll, 1, 0), (ck.roll, 5), (ck.take, [1, 3], 0), (ck.repeat, 2, 0), (ck.move, "y x -> x y"), (ck.einops.rearrange, "y x -> x y"), (ck.stencil, "laplacian"), (ck.resample, (8, 8))]:
        yield function, (x, *more), (x,)
    for function in (ck.fft.fftconvolve, ck.fft.correlate, ck.cdist):
        yield function, (x, x.copy()), (x, x)
    yield ck.stack, ([x, x.copy()],), (x, x)
    yield ck.pdist, (points,), (points,)
    yield ck.triangle, (values[:6], "packed lower", "full upper"), (values[:6],)
    yield ck.interpolate, (points, values, points.copy()), (points,)
    yield ck.grid, (points, values, (0, 0), (1, 1), (2, 2)), ()


@pytest.mark.parametrize("function, arguments, inputs", list(requests_of_all()), ids=lambda x: getattr(x, "__name__", ""))
def test_every_function_is_planned_and_pickled_as_it_is_called(function, arguments, inputs):
    whole = function(*arguments)
    for made in (ck.plan(function, *arguments), ck.plan(pickle.loads(pickle.dumps(ck.Request(function, *arguments))))):
        for p in (made, pickle.loads(pickle.dumps(made)), ck.plan(made.request)):
            assert np.array_equal(p.run(*inputs), whole, equal_nan=True)


def test_moves_one_after_another_are_one():
    x = np.arange(24, dtype="f4").reshape(4, 6)
    for a in (x, x.T, x[::-1, ::2]):
        for p, whole in ((ck.plan(ck.reshape, a, (2, -1), order="F"), a.reshape((2, -1), order="F")), (ck.plan(ck.roll, a, 5), np.roll(a, 5))):
            assert (p.run(a) == whole).all() and len(pickle.dumps(p)) < 700
    p = ck.plan(ck.reshape, x, (2, 12), order="F")
    assert (p.inverse().run(p.run(x)) == x).all()


def test_convolutions():
    a, b = np.random.default_rng(4).normal(size=(7, 20)), np.random.default_rng(5).normal(size=(1, 5))
    p = ck.plan(ck.fft.fftconvolve, a, b, axes=1)
    whole = ck.fft.fftconvolve(a, b, axes=1)
    assert len(p.inputs) == 2 and (in_parts(p, whole, a, b) == whole).all()


@pytest.mark.parametrize("dtype", ["f4", "f8", "u1", ">i2"])
def test_stencils_and_resampling(dtype):
    x = (np.random.default_rng(6).normal(size=(14, 11, 3)) * 50).astype(dtype)
    for function, arguments, words in [(ck.stencil, ("gaussian:1.2",), {"axes": (0, 1), "steps": 2}), (ck.stencil, ("laplacian",), {"axes": 0, "boundary": "periodic"}),
                                       (ck.resample, ((9, 20),), {"axes": (0, 1), "by": "cubic"}), (ck.resample, (), {"axes": (0, 1), "rotate": 30})]:
        whole = function(x, *arguments, **words)
        p = ck.plan(function, x, *arguments, **words)
        assert (in_parts(p, whole, x) == whole).all() and len(pickle.dumps(p)) < 700


def test_coordinates_stay_with_their_plan():
    x, q = np.random.default_rng(7).normal(size=(20, 30)), np.random.default_rng(8).uniform(0, 19, (2, 12, 13)).tolist()
    p = ck.plan(ck.resample, x, coordinates=q)
    whole = ck.resample(x, coordinates=q)
    assert (in_parts(p, whole, x) == whole).all()


def test_pairs_and_triangles():
    points, others = np.random.default_rng(9).normal(size=(13, 4)).astype("f4"), np.random.default_rng(10).normal(size=(7, 4)).astype("f4")
    for form in ("condensed", "square", "packed-lower"):
        p, whole = ck.plan(ck.pdist, points, form=form), ck.pdist(points, form=form)
        assert (in_parts(p, whole, points) == whole).all()
    p, whole = ck.plan(ck.cdist, points, others, "cityblock"), ck.cdist(points, others, "cityblock")
    assert len(p.inputs) == 2 and (in_parts(p, whole, points, others) == whole).all()
    m = np.random.default_rng(11).normal(size=(9, 9))
    p, whole = ck.plan(ck.triangle, m, "full lower", "packed upper"), ck.triangle(m, "full lower", "packed upper")
    assert (p.run(m) == whole).all() and (in_parts(p, whole, m.ravel()) == whole).all()
    packed = ck.triangle(m, "full lower", "packed lower")
    assert (ck.plan(ck.triangle, packed, "packed lower", "full lower").run(packed) == np.tril(m)).all()


def test_maps():
    rng = np.random.default_rng(12)
    places, values, targets = rng.uniform(0, 10, (200, 2)), rng.normal(size=200), rng.uniform(0, 10, (31, 2))
    p = ck.plan(ck.interpolate, places, values, targets, neighbours=5)
    whole = ck.interpolate(places, values, targets, neighbours=5)
    assert (p.run(targets) == whole).all() and (in_parts(p, whole, targets) == whole).all()
    p = ck.plan(ck.grid, places, values, (1.0, 1.0), (2.0, 2.0), (5, 4))
    assert np.array_equal(p.run(), ck.grid(places, values, (1.0, 1.0), (2.0, 2.0), (5, 4)), equal_nan=True)
    p = ck.plan(ck.interpolate, places, values, places, neighbours=4)  # at the samples themselves
    assert (pickle.loads(pickle.dumps(p)).run(places) == ck.interpolate(places, values, places, neighbours=4)).all()


def test_outputs_are_those_of_the_request():
    x = np.ones((3, 16), np.float32)
    p = ck.plan(ck.fft.rfft, x)
    assert p.outputs[0].dtype == "complex64" and p.outputs[0].shape == (3, 9)
    out = np.empty((3, 9), np.complex64)
    assert p.run(x, out=out) is out
    assert p.bytes_moved > 0 and "fft" in p.describe() and "crinkle.fft.rfft" in repr(p)


def test_parts_that_fit_into_memory():
    p = ck.plan(ck.fft.fft, ck.Array((1000, 64), "complex64"), axis=1)
    parts = p.parts(1 << 16)
    assert sum(n for (_, n), in parts) == 1000 and all(2 * n * 64 * 8 <= 1 << 16 for (_, n), in parts)


def test_shapes_are_those_of_the_function():
    x = np.arange(24.0).reshape(4, 6)
    for function, arguments, words in ((ck.reshape, ((6, 4),), {}), (ck.flip, (), {"axis": 1}),
                                       (ck.pad, (1,), {"constant_values": 7}), (ck.squareform, (), {"checks": False})):
        y = x if function is not ck.squareform else np.arange(6.0)
        p, whole = ck.plan(function, y, *arguments, **words), function(y, *arguments, **words)
        assert p.run(y).shape == whole.shape and (p.run(y) == whole).all() and (pickle.loads(pickle.dumps(p)).run(y) == whole).all(), function
    a, b = np.arange(6.0).reshape(2, 3), np.ones((2, 3))
    assert (ck.plan(ck.stack, [a, b]).run(a, b) == ck.stack([a, b])).all()


def test_what_belongs_to_a_request_is_kept_as_it_was():
    x, weights = np.random.default_rng(13).normal(size=(8, 9)), np.ones((3, 3))
    p = ck.plan(ck.stencil, x, weights)
    whole = ck.stencil(x, weights)
    weights[:] = 7
    assert (p.run(x) == whole).all() and (pickle.loads(pickle.dumps(p)).run(x) == whole).all()


def test_plans_that_cannot_be_cut_are_one_part():
    p = ck.plan(ck.fft.fftn, ck.Array((4, 6), "complex64"))
    assert p.parts(100) == [()] and p.needs(()) == [((0, 4), (0, 6))] == p.gives(())


def test_arrays_of_other_libraries():
    torch = pytest.importorskip("torch")
    x = torch.randn(6, 10, dtype=torch.complex64)
    p = ck.plan(ck.fft.fft, x, axis=1)
    assert len(pickle.dumps(p)) < 500 and (p.run(x) == ck.fft.fft(x, axis=1)).all() and type(p.run(x)) is torch.Tensor
    assert ck.Array((3, 4), torch.float32) == ck.Array((3, 4), "float32") and ck.Array(5).shape == (5,)


def test_large_requests_take_no_memory():
    p = ck.plan(ck.fft.fft, ck.Array((1 << 20, 1 << 12), "complex64"), axis=1)
    assert p.needs([(5, 2)]) == [((5, 2), (0, 4096))]


@pytest.mark.parametrize("wrong, text", [
    (lambda: ck.plan(ck.fft.fft), "argument"),
    (lambda: ck.plan(np.fft.fft, np.ones(4)), "a function of crinkle"),
    (lambda: ck.plan(ck.threads), "a request is a function"),
    (lambda: ck.plan(ck.set_threads, 1), "a request is a function"),
    (lambda: ck.plan(ck.fft.fft, np.ones((3, 4), np.complex64), axis=5), "axis"),
    (lambda: ck.plan(ck.fft.fft, np.ones((3, 4), np.complex64), axis=1).run(np.ones((3, 5), np.complex64)), "planned with shape"),
    (lambda: ck.plan(ck.fft.fft, np.ones((3, 4), np.complex64), axis=1).run(np.ones((3, 4))), "elements"),
    (lambda: ck.plan(ck.fft.fft, np.ones((3, 4), np.complex64), axis=1).run(), "inputs"),
    (lambda: ck.plan(ck.fft.fft, np.ones((3, 4), np.complex64), axis=1).needs([(2, 2)]), "a part of 2 from 2 on"),
    (lambda: ck.plan(ck.fft.fft, np.ones((3, 4), np.complex64), axis=1).part([]), "of each of 1 cuts"),
    (lambda: ck.plan(ck.fft.fft, np.ones(4, np.complex64)).part([]), "cannot be cut"),
    (lambda: ck.plan(3), "specification"),
    (lambda: ck.plan("fft", np.ones(3)), "specification"),
    (lambda: ck.plan(ck.fft.fft, ck.Array((6, 10), "complex64")).run(np.ones((10, 6), np.complex64)), "planned with shape"),
    (lambda: ck.plan(ck.fft.fft, ck.Array((6, 10), "complex64")).run(np.ones(60, np.complex64)), "planned with shape"),
    (lambda: ck.plan(ck.flip, ck.Array((6, 10))).run(np.ones((6, 10), np.int32)), "elements of float32"),
    (lambda: ck.plan(ck.fft.fft, ck.Array((6, 10), "complex64")).run(np.ones((6, 10), np.complex64), out=np.ones((10, 6), np.complex64)), "planned with shape"),
    (lambda: ck.plan(ck.fft.fftn, ck.Array((6, 10), "complex64"), axes=(0, 0)), "one by one"),
    (lambda: ck.plan(ck.concat, [ck.Array((6, 10)), ck.Array((6, 10))]), "plan: concat asks for 2 .* one by one"),
    (lambda: ck.plan(ck.unstack, ck.Array((6, 10))), "one by one|more than one"),
    (lambda: ck.plan(ck.fft.fft, ck.Array((20000, 20000), "int32")), "converted to complex128 first"),
    (lambda: ck.plan(ck.fft.fft, [[1.0, 2.0]]), "converted|copied"),
    (lambda: ck.plan(ck.pdist, np.ones((10, 6))[:, ::2]), "C order"),
    (lambda: ck.plan(ck.take, ck.Array((4, 6)), ck.Array((2,), "int64"), axis=0), "in place of ck.Array"),
    (lambda: ck.plan(ck.resample, ck.Array((4, 6)), coordinates=ck.Array((2, 3, 3), "float64")), "in place of ck.Array"),
    (lambda: ck.plan(ck.stencil, ck.Array((4, 6)), "gaussian:1", out=np.ones((4, 6))), "out"),
    (lambda: ck.plan(ck.fft.fft, np.ones((3, 4), np.complex64)).parts("1MiB"), "integer"),
    (lambda: ck.plan(ck.fft.fft, np.ones((3, 4), np.complex64)).needs("all"), "each of 1 cuts"),
    (lambda: ck.plan(ck.fft.fft, np.ones((3, 4), np.complex64)).needs([(0, 2.5)]), "integer"),
    (lambda: ck.plan(np.ones((3, 4)), "y x -> x y").inverse().cuts, "backwards"),
    (lambda: ck.plan(ck.fft.fft, np.ones((3, 4), np.complex64), n=3).inverse(), "crops or pads"),
    (lambda: ck.plan(ck.fft.rfft, np.ones((3, 4)), n=6).inverse(), "crops or pads"),
    (lambda: ck.plan(ck.stencil, np.ones((3, 4)), "laplacian").inverse(), "sweep has no inverse"),
    (lambda: ck.plan(ck.pdist, np.ones((3, 4))).inverse(), "distance table has no inverse"),
    (lambda: ck.plan(ck.flip, np.ones((3, 4))).inverse().part(3), "each of"),
    (lambda: ck.plan(ck.broadcast_to, np.ones((3, 4)), (2, 3, 4)).inverse(), "no inverse"),
    (lambda: ck.plan(ck.triangle, np.ones(6), "packed lower", "condensed").inverse(), "6 elements of packed become 3 of condensed"),
    (lambda: ck.plan(ck.triangle, np.ones((3, 3)), "full lower", "packed lower").part([(0, 2)]).inverse(), "part"),
    (lambda: ck.fft.fftconvolve(np.ones(4), np.ones(4), "ful"), "no mode 'ful'; there are full, same and valid"),
    (lambda: ck.fft.fftconvolve(np.ones(4), np.ones(4), 0), "is a str"),
    (lambda: ck.grid(np.ones((3, 2)), np.ones(3), (0, 0), (1, 1), (2, 2), statistic="median"), "no statistic 'median'; there are count"),
    (lambda: ck.grid(np.ones((3, 2)), np.ones(3), (0, 0), (1, 1), (2, 2), statistic=["mean", 2]), "is a str"),
    (lambda: ck.Array((-1, 2)), "shape"),
    (lambda: ck.Array((3, 4), "float32", (4,)), "strides"),
    (lambda: ck.Array((3.5,)), "integer"),
])
def test_what_is_wrong_says_so(wrong, text):
    with pytest.raises((ValueError, TypeError, RuntimeError), match=text):
        wrong()
