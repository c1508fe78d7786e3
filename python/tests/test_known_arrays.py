"""Tensors of PyTorch and arrays of CuPy are read by the extension itself where they are plain, and then as _arrays.py reads them; all others are left to it,
with what it says against them. In a process of their own: modules stand in for the libraries, which need not be there.

SPDX-License-Identifier: BSD-3-Clause
"""
import subprocess
import sys
import textwrap

stand_ins = """
import sys, types
import numpy as np

class Tensor:
    def __init__(self, array, device=-1, **differs):
        self.array, self.device_number = array, device
        self.is_nested = self.is_quantized = self.requires_grad = False
        self.layout, self.dtype, self.shape = "strided", array.dtype.type, array.shape
        self.is_cuda, self.is_cpu = device >= 0, device < 0
        self.device = types.SimpleNamespace(type="cuda" if device >= 0 else "cpu", index=device)
        self.conj = self.neg = False
        vars(self).update(differs)
    def is_conj(self): return self.conj
    def is_neg(self): return self.neg
    def get_device(self): return self.device_number
    def data_ptr(self): return self.array.ctypes.data
    def element_size(self): return self.array.itemsize
    def numel(self): return self.array.size
    def numpy(self): return self.array
    def stride(self): return tuple(s // self.array.itemsize for s in self.array.strides)
    def new_empty(self, shape): return Tensor(np.empty(shape, self.array.dtype))
Tensor.__module__ = "torch"

torch = types.ModuleType("torch")
torch.Tensor, torch.strided, torch.is_grad_enabled = Tensor, "strided", lambda: True
torch.from_numpy = Tensor
torch._C = types.SimpleNamespace(_cuda_getCurrentRawStream=lambda device: 4096 + device)
sys.modules["torch"] = torch

class ndarray:
    def __init__(self, array, device):
        self.array, self.shape, self.strides, self.dtype, self.itemsize = array, array.shape, array.strides, array.dtype, array.itemsize
        self.data = types.SimpleNamespace(ptr=array.ctypes.data, device_id=device)
        self.device = types.SimpleNamespace(id=device)
    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "strides": self.strides, "typestr": self.dtype.str, "data": (self.data.ptr, False), "version": 3}
ndarray.__module__ = "cupy"
cupy = types.ModuleType("cupy")
cupy.ndarray, cupy.cuda = ndarray, types.SimpleNamespace(get_current_stream=lambda device: types.SimpleNamespace(ptr=8192 + device))
sys.modules["cupy"] = cupy

import crinkle as ck
from crinkle import _arrays, _core
asked = []
kind_of = _arrays.kind_of
_arrays.kind_of = lambda x: asked.append(type(x).__name__) or kind_of(x)
def both(x):
    del asked[:]
    by_extension = _core.view(x)
    n_asked = len(asked)
    assert by_extension == tuple(_arrays.view(x)), (by_extension, _arrays.view(x))
    return n_asked
x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
"""


def run(lines):
    subprocess.run([sys.executable, "-c", stand_ins + textwrap.dedent(lines)], check=True)


def test_plain_arrays_are_read_without_a_function_of_python():
    run("""
        for a in (x, x[:, ::-1], x[..., 1:3], x.transpose(2, 0, 1), np.array(3.0), x.view(np.int16)):
            assert both(Tensor(a)) == both(Tensor(a, 1)) == both(ndarray(a, 2)) == 0
    """)


def test_the_others_are_left_to_python():
    run("""
        class Parameter(Tensor):
            pass
        assert both(Parameter(x)) == 1
        empty = np.empty((0, 3), np.float32)
        class Empty(Tensor):
            pass
        none = Tensor(empty)
        none.data_ptr = lambda: 0
        assert both(none) == 1
        refused = [(dict(is_nested=True), "nested"), (dict(layout="sparse"), "layout"), (dict(is_quantized=True), "quantized"), (dict(conj=True), "conj"),
                   (dict(neg=True), "negated"), (dict(requires_grad=True), "gradients")]
        for differs, word in refused:
            try:
                ck.move(Tensor(x, **differs), "a b c -> c a b")
            except (TypeError, ValueError) as e:
                assert word in str(e), (word, e)
            else:
                raise AssertionError(word)
    """)


def test_moves_of_them():
    run("""
        t, want = Tensor(x), x.transpose(2, 0, 1)
        made = ck.move(t, "a b c -> c a b")
        assert type(made) is Tensor and (made.array == want).all()
        plan, out = ck.plan(t, "a b c -> c a b"), Tensor(np.zeros((4, 2, 3), np.float32))
        del asked[:]
        assert plan(t, out=out) is out and (out.array == want).all() and (plan(t).array == want).all()
        assert asked == [], asked
        try:
            plan(t, out=Tensor(np.zeros((4, 2, 3), np.int32)))
        except ValueError as e:
            assert "type" in str(e)
        else:
            raise AssertionError("types that differ")
    """)
