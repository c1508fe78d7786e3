"""Arrays on a GPU, of the libraries that are there: results of their kind, on their device and stream, equal to NumPy's.

SPDX-License-Identifier: BSD-3-Clause
"""
import importlib
import sys

import numpy as np
import pytest

import crinkle as ck
import crinkle.einops as einops


class Torch:
    def __init__(self):
        self.lib = importlib.import_module("torch")
        if not self.lib.cuda.is_available():
            raise ImportError("no GPU")

    def put(self, x):
        return self.lib.from_numpy(np.ascontiguousarray(x)).cuda()

    def get(self, x):
        assert type(x) is self.lib.Tensor and x.is_cuda
        return x.cpu().numpy()


class CuPy:
    def __init__(self):
        self.lib = importlib.import_module("cupy")
        self.lib.zeros(1)

    def put(self, x):
        return self.lib.asarray(x)

    def get(self, x):
        assert type(x) is self.lib.ndarray
        return x.get()


class Jax:
    def __init__(self):
        self.lib = importlib.import_module("jax")
        self.lib.config.update("jax_enable_x64", True)
        self.gpu = self.lib.devices("gpu")[0]

    def put(self, x):
        return self.lib.device_put(x, self.gpu)

    def get(self, x):
        assert isinstance(x, self.lib.Array) and x.devices() == {self.gpu}
        return np.asarray(x)


@pytest.fixture(scope="module", params=[Torch, CuPy, Jax])
def library(request):
    if not ck.has_cuda:
        pytest.skip("this build has no CUDA")
    try:
        return request.param()
    except Exception as e:
        pytest.skip(f"{request.param.__name__}: {e}")


def numbers(shape, dtype="f4"):
    x = np.random.default_rng(7).standard_normal(shape)
    return (x + 1j * x[::-1] if np.dtype(dtype).kind == "c" else x * 50).astype(dtype)


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", "c16"])
@pytest.mark.parametrize("spec, options", [
    ("a b c -> c b a", {}), ("a (b 2) c -> 2 c a b", {"flip": "a"}), ("a b c -> (c a) b", {"roll": {"a": 3}}), ("a b c -> a c r b", {"r": 3}),
    ("a b c -> b a c", {"pad": {"b": (1, 2)}}), ("a b c -> b c", {"at": {"a": 4}}), ("a b c -> c a b", {"take": {"b": [5, 0, 0, 3]}}),
])
def test_moves(library, spec, options, dtype):
    x = numbers((33, 34, 35), dtype)
    assert np.array_equal(library.get(ck.move(library.put(x), spec, **options)), ck.move(x, spec, **options))


def test_moves_of_two_steps(library):
    x, axes = numbers((3,) * 13), tuple(range(13))
    spec = " ".join(f"a{a}" for a in axes)
    assert ck._core.plan_for(x, f"{spec} -> {spec}", tuple(("roll", f"a{a}", 1) for a in axes)).workspace_bytes > 0
    assert np.array_equal(library.get(ck.roll(library.put(x), (1,) * 13, axes)), np.roll(x, (1,) * 13, axes))


def test_views_and_outputs(library):
    if isinstance(library, Jax):
        pytest.skip("JAX has no views")
    x = numbers((40, 50, 60))
    there = library.put(x)
    assert np.array_equal(library.get(ck.flip(there[3:, ::2, 1:-1], axis=1)), x[3:, ::2, 1:-1][:, ::-1])
    out = library.put(np.zeros((60, 41, 50), "f4"))
    part = out[:, 1:]
    assert ck.move(there, "a b c -> c a b", out=part) is part
    assert np.array_equal(library.get(out)[:, 1:], x.transpose(2, 0, 1)) and not library.get(out)[:, 0].any()
    with pytest.raises(ValueError, match="share"):
        ck.move(there[0, :, :50], "a b -> b a", out=there[0, :, 5:55])
    with pytest.raises(ValueError, match="CUDA device 0"):
        ck.move(there, "a b c -> c a b", out=np.zeros((60, 40, 50), "f4"))
    with pytest.raises(ValueError, match="CUDA device 0"):
        ck.move(x, "a b c -> c a b", out=library.put(np.zeros((60, 40, 50), "f4")))


def test_names(library):
    x = numbers((4, 6, 10))
    t = library.put(x)
    assert np.array_equal(library.get(ck.concat([t, t], axis=1)), np.concatenate([x, x], 1))
    assert np.array_equal(library.get(ck.stack([t, t], axis=-1)), np.stack([x, x], -1))
    assert np.array_equal(library.get(ck.tile(t, (2, 1, 3))), np.tile(x, (2, 1, 3)))
    assert np.array_equal(library.get(ck.pad(t, 2, "reflect")), np.pad(x, 2, "reflect"))
    assert np.array_equal(library.get(einops.rearrange(t, "a (b c) d -> (a d) c b", c=3)), einops.rearrange(x, "a (b c) d -> (a d) c b", c=3))
    assert np.array_equal(library.get(einops.repeat(t, "a b c -> a b r c", r=2)), einops.repeat(x, "a b c -> a b r c", r=2))


def test_fft(library):
    for dtype, tolerance in ("c8", 1e-5), ("c16", 1e-13), ("f4", 1e-5), ("f8", 1e-13), ("i4", 1e-13):
        x = numbers((6, 96, 100), dtype)
        t = library.put(x)
        for axes in ((2,), (1,), (1, 2)):
            want = np.fft.fftn(x, axes=axes)
            got = library.get(ck.fft.fftn(t, axes=axes))
            assert got.dtype == want.dtype if dtype not in ("c8", "f4") else "c8"
            assert np.linalg.norm(got - want) < tolerance * np.linalg.norm(want)
        if np.dtype(dtype).kind != "c":
            got = library.get(ck.fft.irfft(ck.fft.rfft(t)))
            assert np.linalg.norm(got - x) < tolerance * np.linalg.norm(x)
    want = np.fft.hfft(numbers((3, 9), "c16"))
    assert np.allclose(library.get(ck.fft.hfft(library.put(numbers((3, 9), "c16")))), want)
    assert np.allclose(library.get(ck.fft.ihfft(library.put(want))), np.fft.ihfft(want))
    assert np.array_equal(library.get(ck.fft.fftshift(library.put(numbers((5, 6))))), np.fft.fftshift(numbers((5, 6))))


def test_cosines_and_convolutions(library):
    for dtype, tolerance in ("f4", 1e-5), ("f8", 1e-13), ("i4", 1e-13):
        x, y = numbers((6, 97, 40), dtype), numbers((6, 9, 7), dtype)
        t, u = library.put(x), library.put(y)

        def near(got, want):
            got = library.get(got)
            assert got.dtype == want.dtype and got.shape == want.shape and np.linalg.norm(got - want) < tolerance * np.linalg.norm(want)

        for name in "dct", "idct", "dst", "idst":
            for type in 2, 3:
                for axis in 1, 2:
                    f = getattr(ck.fft, name)
                    near(f(t, type, axis=axis, norm="ortho"), f(x, type, axis=axis, norm="ortho"))
        near(ck.fft.dctn(t, axes=(0, 2), s=(8, 30)), ck.fft.dctn(x, axes=(0, 2), s=(8, 30)))
        near(ck.fft.idctn(ck.fft.dctn(t)), ck.fft.idctn(ck.fft.dctn(x)))
        for mode in "full", "same", "valid":
            near(ck.fft.fftconvolve(t, u, mode), ck.fft.fftconvolve(x, y, mode))
            near(ck.fft.fftconvolve(t, u, mode, axes=(1, 2)), ck.fft.fftconvolve(x, y, mode, axes=(1, 2)))
            near(ck.fft.correlate(t, u, mode), ck.fft.correlate(x, y, mode))
        with pytest.raises(ValueError, match="in2"):
            ck.fft.fftconvolve(t, y)


def test_stencils_pairs_triangles_interpolation(library):
    x = numbers((70, 130))
    for what in "gaussian:1.5", "laplacian:4", [[0, 1, 0], [1, -4, 1], [0, 1, 0]]:
        got = library.get(ck.stencil(library.put(x), what, boundary="edge", steps=3))
        assert np.array_equal(got, ck.stencil(x, what, boundary="edge", steps=3)), what
    points = numbers((80, 3))
    assert np.allclose(library.get(ck.pdist(library.put(points))), ck.pdist(points), rtol=1e-5)
    square = numbers((21, 21), "f8")
    packed = ck.triangle(square, "full lower", "packed lower")
    assert np.array_equal(library.get(ck.triangle(library.put(square), "full lower", "packed lower")), packed)
    assert np.array_equal(library.get(ck.triangle(library.put(packed), "packed lower", "full lower")), np.tril(square))
    places, values = np.random.default_rng(1).random((200, 2)), np.arange(200.0)
    targets = np.random.default_rng(2).random((7, 11, 2))
    got = library.get(ck.interpolate(places, values, library.put(targets)))
    assert got.shape == (7, 11) and np.allclose(got, ck.interpolate(places, values, targets), rtol=0, atol=200e-12)
    got = library.get(ck.interpolate(places, values, library.put(targets), neighbours=5))
    assert np.array_equal(got, ck.interpolate(places, values, targets, neighbours=5))


def test_interpolation_of_samples_there(library):
    r = np.random.default_rng(4)
    places, values, weights = r.random((3000, 2)), r.random((3000, 3)), r.random(3000)
    places[100:120], weights[7:200:3] = places[50], 0
    targets = r.random((20000, 2)) * 1.2 - 0.1
    put = library.put
    for words in {"neighbours": 8}, {"neighbours": 3, "radius": 0.02, "sectors": 4}, {"neighbours": 5, "anisotropy": (2, 30)}:
        want = ck.interpolate(places, values, targets, weights=weights, **words)
        assert np.array_equal(library.get(ck.interpolate(put(places), put(values), put(targets), weights=put(weights), **words)), want, equal_nan=True)
        records = np.concatenate([places, values[:, :1]], 1)  # one array of structures, read where it lies
        there = put(records)
        assert np.array_equal(library.get(ck.interpolate(there[:, :2], there[:, 2], put(targets), **words)),
                              ck.interpolate(places, values[:, 0], targets, **words), equal_nan=True)
    for words in {}, {"power": 1, "smoothing": 0.1}, {"anisotropy": (2, 30)}:  # over all samples
        got = library.get(ck.interpolate(put(places), put(values), put(targets[:500]), weights=put(weights), **words))
        assert np.array_equal(got, library.get(ck.interpolate(places, values, put(targets[:500]), weights=weights, **words)))
        assert np.allclose(got, ck.interpolate(places, values, targets[:500], weights=weights, **words), rtol=0, atol=1e-12)
    places[1234, 1] = np.nan
    with pytest.raises(ValueError, match="sample 1234 has y = nan"):
        ck.interpolate(put(places), put(values), put(targets), neighbours=3)
    with pytest.raises(ValueError, match="give all of them there"):
        ck.interpolate(put(places), values, put(targets), neighbours=3)


def test_grids_of_samples_there(library):
    r = np.random.default_rng(5)
    places, values = r.random((5000, 2)), r.random((5000, 2))
    put = library.put
    for statistic in "mean", ["count", "deviation", "max"]:
        for first, step in ((0.05, 0.05), (0.1, 0.1)), ((0.95, 0.05), (-0.1, 0.1)):
            got = ck.grid(put(places), put(values), first, step, (10, 9), statistic=statistic, nodata=-1)
            assert type(got) is type(put(places)) and np.array_equal(library.get(got), ck.grid(places, values, first, step, (10, 9), statistic=statistic, nodata=-1))
    records = np.concatenate([places, values[:, :1]], 1).astype("f4")
    there = put(records)
    got = library.get(ck.grid(there[:, :2], there[:, 2], (0.1, 0.1), (0.2, 0.2), (5, 5)))
    assert np.array_equal(got, ck.grid(records[:, :2], records[:, 2], (0.1, 0.1), (0.2, 0.2), (5, 5)))
    for kind, words, wrong in ((ValueError, "values on the CPU", lambda: ck.grid(put(places), values, 0, 1, (2, 2))),
                               (ValueError, "no samples on the GPU", lambda: ck.grid(put(places[:0]), put(values[:0]), (0, 0), (1, 1), (2, 2))),
                               (TypeError, "float32 or float64", lambda: ck.grid(put(places.astype("i4")), put(values), (0, 0), (1, 1), (2, 2))),
                               (ValueError, "sample 7 has value nan", lambda: ck.grid(put(places), put(np.where(np.arange(5000) == 7, np.nan, values[:, 0])), (0, 0), (1, 1), (2, 2))),
                               (RuntimeError, "binned at once", lambda: ck.plan(ck.grid, put(places), put(values), (0, 0), (1, 1), (2, 2)))):
        with pytest.raises(kind, match=words):
            wrong()


def test_resampling(library):
    x, matrix = numbers((70, 130)), [[0.9, -0.2], [0.3, 1.1]]
    q = np.random.default_rng(3).random((2, 40, 50)) * 90 - 5
    for by in "nearest", "linear", "cubic":
        for boundary in "edge", "periodic", "constant:2":
            for words in {"matrix": matrix}, {"rotate": 30}, {"zoom": (1.5, 2)}:
                got = library.get(ck.resample(library.put(x), by=by, boundary=boundary, **words))
                assert np.array_equal(got, ck.resample(x, by=by, boundary=boundary, **words)), (by, boundary, words)
            got = library.get(ck.resample(library.put(x), coordinates=library.put(q), by=by, boundary=boundary))
            assert np.array_equal(got, ck.resample(x, coordinates=q, by=by, boundary=boundary))
    polar = library.get(ck.resample(library.put(x), polar="to", boundary="edge"))
    assert np.allclose(polar, ck.resample(x, polar="to", boundary="edge"), atol=1e-4)
    got = library.get(ck.resample(library.put(x), zoom=2, by="spline"))
    assert np.array_equal(got, ck.resample(x, zoom=2, by="spline"))
    for words in {"by": "area"}, {"by": "mode"}, {"by": "lanczos"}, {"antialias": True}, {"by": "cubic", "antialias": True}:
        got = library.get(ck.resample(library.put(x), zoom=0.4, **words))
        assert np.array_equal(got, ck.resample(x, zoom=0.4, **words)), words
    x[3, 7], x[60, 100] = np.nan, np.inf
    with pytest.raises(RuntimeError, match="2 of which are NaN or infinite"):
        ck.resample(library.put(x), zoom=2, by="spline")
    with pytest.raises(ValueError, match="different devices"):
        ck.resample(library.put(x), coordinates=q)


def test_the_current_stream():
    torch = pytest.importorskip("torch")
    if not (ck.has_cuda and torch.cuda.is_available()):
        pytest.skip("no GPU")
    stream = torch.cuda.Stream()
    x = torch.zeros(1 << 24, device="cuda")
    y = torch.zeros((1 << 12, 1 << 12), device="cuda")
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(200_000_000)  # what is given to other streams would be done before it
        x += 1
        ck.move(x, "(y x) -> x y", x=1 << 12, out=y)
        y *= 2
    stream.synchronize()
    assert bool((y == 2).all())
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        z = ck.move(x, "(y x) -> x y", x=1 << 12, flip="x")
    x.copy_(torch.arange(1 << 24, device="cuda"))
    graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(z, x.view(1 << 12, 1 << 12).flip(1).t())


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))


def test_plans_and_cdist(library):
    x = np.random.default_rng(54).normal(size=(6, 40, 5)).astype("c8")
    there = library.put(x)
    p = ck.plan(ck.fft.fft, there, axis=1)
    whole = library.get(ck.fft.fft(there, axis=1))
    assert np.array_equal(library.get(p.run(there)), whole)
    part = [(1, 3), (0, 2)]
    piece = library.get(p.part(part).run(library.put(np.ascontiguousarray(x[1:4, :, :2]))))
    assert np.array_equal(piece, whole[1:4, :, :2])
    a, b = np.random.default_rng(1).normal(size=(30, 4)).astype("f4"), np.random.default_rng(2).normal(size=(20, 4)).astype("f4")
    there = library.get(ck.cdist(library.put(a), library.put(b)))
    assert np.allclose(there, ck.cdist(a, b), rtol=1e-5)
    assert np.array_equal(library.get(ck.cdist(library.put(a), library.put(a))), library.get(ck.pdist(library.put(a), form="square")))


def test_parts_on_logical_devices_of_one_gpu(library):
    whole = np.arange(64 * 48, dtype="f4").reshape(64, 48)
    parts = [library.put(whole[:32]), library.put(whole[32:])]
    made = ck.move(parts, "y x -> x y", layout="y:block(2) -> x:block(2)", logical=True)
    assert np.array_equal(np.concatenate([library.get(x) for x in made]), whole.T)
    smooth = ck.stencil(parts, "gaussian:1", layout="@0:block(2)", logical=True)
    assert np.array_equal(np.concatenate([library.get(x) for x in smooth]), library.get(ck.stencil(library.put(whole), "gaussian:1")))
    with pytest.raises(ValueError, match="a GPU is named twice"):
        ck.move(parts, "y x -> x y", layout="y:block(2)")
    with pytest.raises(ValueError, match="some parts lie on the host"):
        ck.move([parts[0], whole[32:]], "y x -> x y", layout="y:block(2)")
    with pytest.raises(RuntimeError, match="named twice"):
        ck.DevicesPlan(ck.move, ck.Array((64, 48)), "y x -> x y", layout="y:block(2)", devices=[0, 0])
