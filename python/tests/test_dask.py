"""Every function on dask arrays: lazy, and bit for bit what one memory gives.

SPDX-License-Identifier: BSD-3-Clause
"""
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import crinkle as ck

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

rng = np.random.default_rng(1)
volume = rng.normal(size=(24, 30, 20)).astype("f4")
points = rng.normal(size=(90, 3)).astype("f4")
places, heights = 9 * rng.random((200, 2)), rng.random(200)


def chunks_of(shape):
    """Chunks of any sizes along every axis."""
    def along(n):
        return st.lists(st.integers(1, max(n, 1)), min_size=0, max_size=4).map(lambda cuts: tuple(np.diff([0, *sorted({c for c in cuts if c < n}), n]).tolist()) if n else (0,))

    return st.tuples(*map(along, shape))


def same(lazy, expected):
    """A lazy array with the expected one's bits, whose parts are told right."""
    assert isinstance(lazy, da.Array), type(lazy)
    assert lazy.shape == expected.shape and lazy.dtype == expected.dtype and type(lazy._meta) is np.ndarray and lazy._meta.dtype == expected.dtype
    made = lazy.compute(scheduler="sync")
    assert made.shape == expected.shape and made.dtype == expected.dtype
    assert np.ascontiguousarray(made).tobytes() == np.ascontiguousarray(expected).tobytes()
    for index in np.ndindex(lazy.numblocks) if lazy.ndim else ():
        assert lazy.blocks[index].compute(scheduler="sync").shape == tuple(c[k] for c, k in zip(lazy.chunks, index))


shapes = st.lists(st.integers(1, 7), min_size=1, max_size=3).map(tuple)
dtypes = st.sampled_from(["u1", ">i2", "f4", "f8", "c8", "S3", [("a", "f4"), ("b", "i2")]])


@st.composite
def moves(draw):
    shape = draw(shapes)
    names = "abcd"[:len(shape)]
    order = draw(st.permutations(names))
    words = {}
    for name, n in zip(names, shape):
        verb = draw(st.sampled_from([None, None, "flip", "roll", "slice", "pad", "take", "dilate"]))
        if verb == "flip":
            words.setdefault("flip", []).append(name)
        elif verb == "roll":
            words.setdefault("roll", {})[name] = draw(st.integers(-9, 9))
        elif verb == "slice":
            words.setdefault("slice", {})[name] = slice(draw(st.integers(0, n - 1)), n, draw(st.integers(1, 2)))
        elif verb == "pad":
            words.setdefault("pad", {})[name] = (draw(st.integers(0, 3)), draw(st.integers(0, 3)), draw(st.sampled_from(["constant", "edge", "reflect", "symmetric", "wrap"])))
        elif verb == "take":
            words.setdefault("take", {})[name] = draw(st.lists(st.integers(-n, n - 1), min_size=1, max_size=5))
        elif verb == "dilate":
            words.setdefault("dilate", {})[name] = draw(st.integers(1, 3))
    right = list(order)
    if len(right) > 1 and draw(st.booleans()):
        k = draw(st.integers(0, len(right) - 2))
        right[k:k + 2] = [f"({right[k]} {right[k + 1]})"]
    return shape, f"{' '.join(names)} -> {' '.join(right)}", words


def filled(shape, dtype):
    return np.frombuffer(np.random.default_rng(0).bytes(max(math.prod(shape) * np.dtype(dtype).itemsize, 1)), "u1")[:math.prod(shape) * np.dtype(dtype).itemsize].view(dtype).reshape(shape)


@settings(max_examples=150, deadline=None)
@given(st.data(), moves(), dtypes)
def test_moves(data, request, dtype):
    shape, spec, words = request
    x = filled(shape, dtype)
    expected = ck.move(x, spec, **words)
    lazy = da.from_array(x, chunks=data.draw(chunks_of(shape)))
    same(ck.move(lazy, spec, **words), expected)
    chunks = data.draw(chunks_of(expected.shape))
    made = ck.move(lazy, spec, chunks=chunks, **words)
    assert made.chunks == chunks
    same(made, expected)


whole = [
    (ck.permute_dims, ((2, 0, 1),), {}), (ck.matrix_transpose, (), {}), (ck.moveaxis, (0, 2), {}), (ck.flip, (), {}), (ck.flip, (1,), {}), (ck.roll, (3,), {}),
    (ck.roll, ((1, 2), (0, 2)), {}), (ck.expand_dims, (1,), {}), (ck.reshape, ((-1, 6),), {}), (ck.reshape, ((9, 16, 100),), {"order": "F"}), (ck.tile, ((2, 1, 2),), {}),
    (ck.repeat, (3, 1), {}), (ck.repeat, (2,), {}), (ck.repeat, (np.arange(24), 0), {}), (ck.take, ([3, -1, 2, 2], 1), {}), (ck.pad, (3,), {"mode": "symmetric"}), (ck.pad, (2,), {"constant_values": 7}),
    (ck.broadcast_to, ((2, 24, 30, 20),), {}), (ck.checkerboard, (), {}), (ck.unstack, (1,), {}), (ck.broadcast_arrays, (), {}),
    (ck.fft.fft, (), {}), (ck.fft.fft, (13, 0), {}), (ck.fft.ifftn, (), {"norm": "ortho"}), (ck.fft.rfft, (), {"axis": 1}), (ck.fft.rfft2, (), {"axes": (0, 2)}),
    (ck.fft.rfftn, (), {}), (ck.fft.hfft, (), {}), (ck.fft.dctn, (), {}), (ck.fft.idst, (), {"axis": 0}), (ck.fft.fftshift, (), {}),
    (ck.stencil, ("gaussian:1.5",), {}), (ck.stencil, ("average:2",), {"boundary": ("periodic", "constant:1", ("edge", "symmetric")), "steps": 3}),
    (ck.stencil, (np.ones((1, 3, 5)),), {"convolve": True, "dtype": "f8"}), (ck.stencil, ("laplacian:4",), {"axes": (0, 2), "boundary": "periodic"}),
    (ck.resample, ((48, 10, 20),), {}), (ck.resample, (), {"zoom": 2, "by": "spline"}), (ck.resample, (), {"rotate": 30, "axes": (1, 2), "by": "cubic"}),
    (ck.einops.rearrange, ("(a b) c d -> b (a d) c",), {"a": 4}), (ck.einops.repeat, ("a b c -> a r b c",), {"r": 2}),
]


@pytest.mark.parametrize("chunks", [(5, 30, 7), (24, 11, 20), (8, 8, 8), -1])
@pytest.mark.parametrize("f, arguments, words", whole, ids=lambda one: getattr(one, "__name__", None))
def test_functions_of_one_array(f, arguments, words, chunks):
    expected = f(volume, *arguments, **words)
    lazy = f(da.from_array(volume, chunks=chunks), *arguments, **words)
    for one, its in zip(lazy if isinstance(expected, tuple) else [lazy], expected if isinstance(expected, tuple) else [expected]):
        same(one, its)


@pytest.mark.parametrize("dtype", ["f2", "i4", ">f8", "u1", "bool", "c8"])
def test_other_types(dtype):
    x = (volume[:8, :9, :10] * 50).astype(dtype)
    lazy = da.from_array(x, chunks=(3, 4, 6))
    for f in (ck.fft.fft2, ck.fft.ifft):
        same(f(lazy), f(x))
    if dtype != "c8":
        same(ck.fft.rfft(lazy), ck.fft.rfft(x))
        same(ck.pdist(lazy[0]), ck.pdist(x[0]))
    if dtype in ("f2", "i4", ">f8"):
        same(ck.stencil(lazy, "gaussian:1", dtype="f4"), ck.stencil(x, "gaussian:1", dtype="f4"))
    same(ck.move(lazy, "z y x -> x y z", byte_order="big"), ck.move(x, "z y x -> x y z", byte_order="big"))


@settings(max_examples=40, deadline=None)
@given(st.data(), st.sampled_from(["average:1", "gaussian:1", "laplacian:2", "average:2:star"]), st.integers(1, 3),
       st.lists(st.sampled_from(["periodic", "edge", "reflect", "symmetric", "constant:2"]), min_size=2, max_size=2), st.sampled_from(["f4", "f8", "i2"]))
def test_stencils(data, what, steps, boundary, dtype):
    x = (volume[0, :17, :13] * 100).astype(dtype)
    same(ck.stencil(da.from_array(x, chunks=data.draw(chunks_of(x.shape))), what, steps=steps, boundary=boundary), ck.stencil(x, what, steps=steps, boundary=boundary))


@pytest.mark.parametrize("form", ["condensed", "square", "packed-lower", "packed-upper", "rfp"])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_distances(form, metric):
    lazy = da.from_array(points, chunks=(20, 2))
    same(ck.pdist(lazy, metric, form=form), ck.pdist(points, metric, form=form))
    for other in (points[:30], da.from_array(points[:30], chunks=(7, 3))):
        same(ck.cdist(lazy, other, metric, chunks=(25, 10)), ck.cdist(points, points[:30], metric))
    assert max(ck.pdist(lazy, chunks=500).chunks[0]) < 1000


def test_triangles():
    square = ck.triangle(ck.pdist(points, form="packed-lower"), "packed lower", "full lower")
    packed = da.from_array(ck.pdist(points, form="packed-lower"), chunks=300)
    same(ck.triangle(packed, "packed lower", "full lower"), square)
    same(ck.triangle(da.from_array(square, chunks=(20, 25)), "full lower", "rfp upper"), ck.triangle(square, "full lower", "rfp upper"))


def test_maps():
    targets = 9 * rng.random((30, 40, 2))
    lazy = da.from_array(targets, chunks=(10, 13, 2))
    two = np.c_[heights, -heights]
    for values in (heights, two):
        expected = ck.interpolate(places, values, targets, neighbours=5)
        same(ck.interpolate(places, values, lazy, neighbours=5), expected)
        same(ck.interpolate(places, values, targets, neighbours=5, chunks=(11, 40)), expected)
        np.testing.assert_allclose(ck.interpolate(places, values, lazy).compute(), ck.interpolate(places, values, targets), rtol=1e-12)
    for statistic in ("mean", ["count", "max"]):
        same(ck.grid(places, heights, (0, 0), (.1, .1), (90, 80), statistic=statistic, chunks={-1: 30}), ck.grid(places, heights, (0, 0), (.1, .1), (90, 80), statistic=statistic))


def test_records_and_joins():
    r = np.zeros(100, [("x", "f4"), ("y", "i2"), ("v", "f8", (3,))])
    r["x"], r["v"] = np.arange(100), rng.random((100, 3))
    fields = ck.records(da.from_array(r, chunks=30), "x|y|v")
    for field, expected in zip(fields, ck.records(r, "x|y|v")):
        same(field, expected)
    same(ck.records(fields, dtype=r.dtype), r)
    m = rng.random((16, 16))
    lazy = da.from_array(m, chunks=5)
    same(ck.stack([lazy, m], 1), np.stack([m, m], 1))
    same(ck.concat([lazy, m.astype("f4")], 1, chunks=8), np.concatenate([m, m.astype("f4")], 1))
    same(ck.concat([lazy, lazy], None), np.concatenate([m, m], None))
    same(ck.move([lazy, lazy], "c y x -> y (x c)"), ck.move([m, m], "c y x -> y (x c)"))
    same(ck.morton(lazy), ck.morton(m))
    for mode in ("full", "same"):
        same(ck.fft.fftconvolve(lazy, m[:3], mode), ck.fft.fftconvolve(m, m[:3], mode))
    same(ck.fft.fftconvolve(lazy, m, axes=1), ck.fft.fftconvolve(m, m, axes=1))
    packed, shapes = ck.einops.pack([lazy, lazy], "a *")
    same(packed, ck.einops.pack([m, m], "a *")[0])
    assert shapes == [(16,), (16,)] and ck.einops.parse_shape(lazy, "a _") == {"a": 16}


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1, 1)])
def test_small_shapes(shape):
    x = np.ones(shape, "f4")
    lazy = da.from_array(x, chunks=shape)
    same(ck.move(lazy, "... -> ..."), x)
    if shape:
        same(ck.flip(lazy), x)
        same(ck.expand_dims(lazy, 0), x[None])


def test_chunks_by_names_and_numbers():
    lazy = da.from_array(volume, chunks=(5, 30, 7))
    assert ck.move(lazy, "t y x -> y x t", chunks={"y": 7, "t": 24}).chunks == ((7, 7, 7, 7, 2), (20,), (24,))
    assert ck.move(lazy, "t y x -> (y x) t", chunks={1: 12}).chunks == ((600,), (12, 12))
    assert ck.fft.fft(lazy, chunks=(24, 5, 5)).chunks == ((24,), (5,) * 6, (5,) * 4)
    assert ck.flip(da.from_array(np.arange(10), chunks=4)).chunks == ((2, 4, 4),)
    assert ck.permute_dims(lazy, (2, 0, 1)).chunks == ((7, 7, 6), (5, 5, 5, 5, 4), (30,))


def test_a_shuffle_has_few_tasks():
    lazy = da.zeros((1024, 1024), chunks=(1, 1024), dtype="f4")
    made = ck.move(lazy, "t x -> x t", chunks=(1, 1024))
    n = len(made.__dask_graph__())
    assert n < 2048 * 8 and len(ck.move(lazy, "t x -> x t").__dask_graph__()) == 2048
    edges = sum(len(task.dependencies) for task in made.__dask_graph__().values())
    assert edges < 2048 * 100  # and not 1024²
    x = rng.random((300, 200))
    same(ck.move(da.from_array(x, chunks=(1, 200)), "t x -> x t", chunks=(1, 300)), x.T)
    many = da.zeros((20_000, 4, 4), chunks=(1, 4, 4), dtype="f4")
    for made in (ck.move(many, "t y x -> y x t", chunks=(4, 4, 1)), ck.stencil(many, "average:1", axes=(0,)), ck.fft.fft(many, axis=1)):
        assert 40_000 <= len(made.__dask_graph__()) <= 60_000


def test_tasks_say_what_they_do_and_are_the_same_again():
    lazy = da.from_array(volume, chunks=(5, 30, 7), name="volume")
    made, again = (ck.stencil(lazy, "gaussian:1") for _ in range(2))
    assert made.name == again.name and made.name.startswith("crinkle-stencil-") and made.name != ck.stencil(lazy, "gaussian:2").name
    from dask.utils import key_split

    assert key_split(made.name) == "crinkle-stencil" and key_split(ck.move(lazy, "z y x -> x y z").name) == "crinkle-move"
    same(pickle.loads(pickle.dumps(made)), ck.stencil(volume, "gaussian:1"))


wrong = [
    (lambda x: ck.move(x[x[:, 0, 0] > 0], "z y x -> x y z"), ValueError, "compute_chunk_sizes"),
    (lambda x: ck.move(x, "z y x -> x y z", out=np.zeros((20, 30, 24), "f4")), ValueError, "leave out away"),
    (lambda x: ck.move(x, "z y x -> x y z", chunks={"q": 3}), ValueError, "'q': the result's axes are x, y, z"),
    (lambda x: ck.move(x, "z y x -> x y z", chunks=(3, 4)), ValueError, "chunks"),
    (lambda x: ck.move(x, "z y x -> x y z", chunks={5: 3}), ck.AxisError, "axis 5"),
    (lambda x: ck.move(x, "z y -> y z"), ValueError, "axes"),
    (lambda x: ck.move(volume, "z y x -> x y z", chunks=3), ValueError, "from_array"),
    (lambda x: ck.flip(volume, chunks=3), ValueError, "from_array"),
    (lambda x: ck.move(x.astype(object), "z y x -> x y z"), TypeError, "objects"),
    (lambda x: ck.flip(da.ma.masked_greater(x, 0)), TypeError, "masked"),
    (lambda x: ck.flip(x, 3), ck.AxisError, "axis 3"),
    (lambda x: ck.stencil(x, "gausian:1"), ValueError, "gausian"),
    (lambda x: ck.stencil(volume, da.ones((3, 3, 3))), ValueError, "give it computed, what=what.compute"),
    (lambda x: ck.stencil(x, da.zeros((3, 3, 3))), ValueError, "give it computed, what=what.compute"),
    (lambda x: ck.resample(x, zoom=da.ones(3)), ValueError, "zoom=zoom.compute"),
    (lambda x: ck.take(x, da.arange(3), 1), ValueError, "indices=indices.compute"),
    (lambda x: ck.move(x, "z y x -> x y z", take={"z": da.arange(3)}), ValueError, "take=take.compute"),
    (lambda x: ck.roll(x, da.ones((), dtype=int), 0), ValueError, "shift=shift.compute"),
    (lambda x: ck.repeat(np.ones(3), da.arange(3)), ValueError, "repeats=repeats.compute"),
    (lambda x: ck.pad(x, 1, "mean"), ValueError, "mode 'mean' computes values of whole lines: x.compute"),
    (lambda x: ck.pad(x, 1, "reflect", reflect_type="odd"), ValueError, "x.compute"),
    (lambda x: ck.flip(x, chunks=True), TypeError, "integers"),
    (lambda x: ck.flip(x, chunks={0: True}), TypeError, "integers"),
    (lambda x: ck.explain(x[x[:, 0, 0] > 0]), ValueError, "explain: chunks of unknown sizes"),
    (lambda x: ck.explain(x, workers=1.5), TypeError, "workers is 1.5, not an integer"),
    (lambda x: ck.explain(x, threads=True), TypeError, "threads is True"),
    (lambda x: ck.interpolate(da.from_array(places), heights, places), ValueError, "places=places.compute"),
    (lambda x: ck.collisions(x[:, :3, 0], 1.0), ValueError, "compute"),
    (lambda x: ck.bit_planes(x), ValueError, "compute"),
    (lambda x: ck.plan(x, "z y x -> x y z"), TypeError, "dask array"),
    (lambda x: ck.plan(volume, "z y x -> x y z").run(x), TypeError, "compute"),
    (lambda x: ck.plan(ck.flip, x), TypeError, "dask array"),
    (lambda x: ck.flip(dask.delayed(np.ones)(3)), TypeError, "from_delayed"),
    (lambda x: ck.move(x, "z y x -> x y z", chunks={"x": 0}), ValueError, "chunks"),
    (lambda x: ck.grid(x[0, :, :2], x[0, :, 0], (0, 0), (1, 1), (3, 3)), ValueError, "compute"),
    (lambda x: ck.records(x), TypeError, "structured"),
    (lambda x: ck.resample(x, zoom="big"), TypeError, "big"),
    (lambda x: ck.concat([x, x[:, :, :3]], 0), ValueError, "concat"),
    (lambda x: ck.stack([x, x[0]]), ValueError, "stack"),
    (lambda x: ck.pdist(x), ValueError, "features"),
    (lambda x: ck.einops.rearrange(x, "a b -> b a"), ValueError, "rearrange|axes"),
]


@pytest.mark.parametrize("f, error, text", wrong)
def test_what_is_wrong(f, error, text):
    with pytest.raises(error, match=text):
        f(da.from_array(volume, chunks=(5, 30, 7)))


def test_nothing_is_imported_before_it_is_needed():
    import subprocess
    import sys

    text = "import sys, numpy, crinkle as ck; ck.flip(numpy.ones(3)); print([m for m in ('dask', 'distributed', 'xarray', 'zarr', 'h5py', 'tifffile') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_samples_are_a_task_of_their_own():
    many = np.random.default_rng(2).random((500, 2))
    made = ck.grid(many, many[:, 0], (0, 0), (.1, .1), (9, 8), chunks=3)
    assert sum("crinkle-request" in str(key) for key in made.__dask_graph__()) == 1
    same(made, ck.grid(many, many[:, 0], (0, 0), (.1, .1), (9, 8)))
    assert made.name != ck.grid(many, many[:, 1], (0, 0), (.1, .1), (9, 8), chunks=3).name


def test_chunks_on_a_gpu():
    cupy = pytest.importorskip("cupy")
    if not ck.has_cuda or not cupy.cuda.is_available():
        pytest.skip("no GPU, or a build without CUDA")
    lazy = da.from_array(cupy.asarray(volume), chunks=(5, 30, 7), asarray=False)
    for f in (lambda x: ck.move(x, "z y x -> x y z"), lambda x: ck.move(x, "z y x -> x (y z)", roll={"z": 3}), lambda x: ck.stencil(x, "gaussian:1"),
              lambda x: ck.fft.rfft2(x, axes=(0, 2))):
        made = f(lazy)
        result = made.compute(scheduler="sync")
        assert type(made._meta) is cupy.ndarray and type(result) is cupy.ndarray
        assert cupy.asnumpy(result).tobytes() == np.ascontiguousarray(cupy.asnumpy(f(cupy.asarray(volume)))).tobytes()
    assert (cupy.asnumpy(ck.move(lazy, "z y x -> x y z", chunks=8).compute(scheduler="sync")) == volume.T).all()
