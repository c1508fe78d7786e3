"""Dask arrays of CuPy's chunks, without a GPU: what their graphs are like, for which device a task plans, and on which device and stream
CuPy makes and fills arrays, in a process of their own, where a module stands in for CuPy. On a card: the results of the CPU.

SPDX-License-Identifier: BSD-3-Clause
"""
import importlib
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import crinkle as ck

pytest.importorskip("dask.array")

stand_in = """
import sys, types
import dask
import dask.array as da
import numpy as np

current = [0]
class Device:
    def __init__(self, k): self.id = k
    def __enter__(self):
        current.append(self.id)
        return self
    def __exit__(self, *_): current.pop()

class ndarray:
    def __init__(self, array, device):
        self.array, self.device = array, Device(device)
        self.shape, self.strides, self.dtype, self.itemsize, self.ndim = array.shape, array.strides, array.dtype, array.itemsize, array.ndim
        self.data = types.SimpleNamespace(ptr=array.ctypes.data, device_id=device)
    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "strides": self.strides, "typestr": self.dtype.str, "data": (self.data.ptr, False), "version": 3}
    def __getitem__(self, at): return ndarray(self.array[at], self.device.id)
    def __setitem__(self, at, value):
        assert current[-1] == self.device.id
        self.array[at] = value
    def reshape(self, shape): return ndarray(self.array.reshape(shape), self.device.id)
    def astype(self, dtype):
        assert current[-1] == self.device.id
        return ndarray(self.array.astype(dtype), self.device.id)
    def sum(self): return self.array.sum()
ndarray.__module__ = "cupy"
cupy = types.ModuleType("cupy")
cupy.ndarray = ndarray
cupy.empty = lambda shape, dtype: ndarray(np.empty(shape, dtype), current[-1])
cupy.cuda = types.SimpleNamespace(get_current_stream=lambda device: types.SimpleNamespace(ptr=8192 + device))
sys.modules["cupy"] = cupy

import crinkle as ck
from crinkle import _arrays, _plans
x = np.arange(60, dtype=np.float32).reshape(6, 10)

def lazy(array, chunks, device):
    blocks = da.from_array(array, chunks=chunks)
    tasks = {("x", *index): ndarray(np.ascontiguousarray(blocks.blocks[index].compute(scheduler="sync")), device) for index in np.ndindex(blocks.numblocks)}
    return da.Array(tasks, "x", blocks.chunks, meta=ndarray(np.empty((0,) * array.ndim, array.dtype), device))
"""


def run(lines):
    subprocess.run([sys.executable, "-c", stand_in + textwrap.dedent(lines)], check=True)


def test_tasks_plan_for_the_gpu_of_their_chunks():
    run("""
        planned_for = []
        class OnGpu:
            def __init__(self, planned): self.planned = planned
            def part(self, part): return OnGpu(self.planned.part(part))
            def run(self, *inputs): return ndarray(self.planned.run(*(a.array for a in inputs)), inputs[0].device.id)
        def on(self, device):
            planned_for.append(device)
            return OnGpu(self)
        _plans.Planned.on = on
        for f, whole in ((lambda a: ck.fft.fft(a, axis=1), x.astype("c8")), (lambda a: ck.stencil(a, "average", axes=(1,)), x)):
            del planned_for[:]
            made = f(lazy(whole, (2, 10), 1))
            assert type(made._meta) is ndarray and made.chunks[0] == (2, 2, 2), made
            blocks = dask.compute(*(d for d in made.to_delayed().ravel()), scheduler="sync")
            assert all(type(b) is ndarray and b.device.id == 1 for b in blocks)
            assert (np.concatenate([b.array for b in blocks]) == f(whole)).all()
            assert planned_for == [1], planned_for  # once, for all three
    """)


def test_results_and_streams_are_those_of_an_arrays_device():
    run("""
        a = ndarray(x, 2)
        assert _arrays.view(a)[5:] == (2, 8194)
        assert _arrays.new(a, (2, 3)).device.id == 2 and _arrays.new(a, (2, 3), "float64").dtype == np.float64
        zeros = _arrays.zeros(a, (4,))
        assert zeros.device.id == 2 and not zeros.array.any()
        assert _arrays.as_type(a, "float64").device.id == 2
        assert current == [0]
    """)


def test_targets_on_gpus_give_values_of_their_type():
    run("""
        for dtype in ("f4", "f8"):
            targets = lazy(np.random.default_rng(1).random((6, 2)).astype(dtype), (2, 2), 0)
            for values in (np.arange(9.0), np.ones((9, 3))):
                made = ck.interpolate(np.random.default_rng(2).random((9, 2)), values, targets)
                assert made.dtype == np.dtype(dtype) and type(made._meta) is ndarray and made.shape == (6, *values.shape[1:])
    """)


def test_plans_for_another_device():
    x = np.random.default_rng(3).random((6, 10)).astype("f4")
    plan = ck.plan(ck.stencil, ck.Array(x.shape), "average", axes=(0,))
    part = plan.part([(1, 3)] if len(plan.cuts) == 1 else [(1, 3), *[(0, n) for _, n in plan.cuts[1:]]])
    needed = x[tuple(slice(first, first + n) for first, n in plan.needs(part._path[-1][1][0])[0])]
    assert (plan.on(-1).run(x) == plan.run(x)).all() and (part.on(-1).run(np.ascontiguousarray(needed)) == part.run(np.ascontiguousarray(needed))).all()
    with pytest.raises(TypeError):
        plan.on("cuda:0")
    with pytest.raises(RuntimeError, match="CUDA|driver|GPU"):
        plan.on(1 << 20)
    with pytest.raises(ValueError, match="no device -2"):
        plan.on(-2)


@pytest.fixture
def cupy():
    if not ck.has_cuda:
        pytest.skip("this build has no CUDA")
    module = pytest.importorskip("cupy")
    try:
        module.zeros(1)
    except Exception as error:
        pytest.skip(f"no GPU: {error}")
    return module


@pytest.mark.parametrize("name, f", [
    ("move", lambda a: ck.move(a, "t y x -> y x t", chunks={"y": 7})),
    ("verbs", lambda a: ck.move(a, "t y x -> x t y", flip=["y"], roll={"x": 3})),
    ("rechunked", lambda a: ck.move(a, "t y x -> t y x", chunks={"t": 3, "x": 11})),
    ("stencil", lambda a: ck.stencil(a, "gaussian:1", axes=(0, 2))),
    ("steps", lambda a: ck.stencil(a, "average:1:star", steps=3)),
    ("fft", lambda a: ck.fft.fft(a, axis=1)),
    ("fftn", lambda a: ck.fft.fftn(a)),
    ("resample", lambda a: ck.resample(a, zoom=2, axes=(1, 2))),
])
def test_chunks_on_a_card(cupy, name, f):
    da = importlib.import_module("dask.array")
    x = np.random.default_rng(5).random((6, 20, 24), dtype="f4")
    made = f(da.from_array(cupy.asarray(x), chunks=(2, 5, 12), asarray=False))
    result, wanted = made.compute(scheduler="threads"), f(da.from_array(x, chunks=(2, 5, 12))).compute(scheduler="sync")
    assert type(result) is cupy.ndarray and result.dtype == wanted.dtype, name
    if name.startswith("fft"):
        np.testing.assert_allclose(result.get(), wanted, rtol=0, atol=1e-5 * np.abs(wanted).max())
    else:
        np.testing.assert_array_equal(result.get(), wanted)


def test_targets_of_chunks_on_a_card(cupy):
    da = importlib.import_module("dask.array")
    random = np.random.default_rng(6)
    places, values, targets = random.random((500, 2)), random.random(500), random.random((90, 2))
    lazy = da.from_array(cupy.asarray(targets), chunks=(40, 2), asarray=False)
    result = ck.interpolate(places, values, lazy, neighbours=6).compute(scheduler="threads")
    assert type(result) is cupy.ndarray
    np.testing.assert_allclose(result.get(), ck.interpolate(places, values, targets, neighbours=6), rtol=1e-12)
