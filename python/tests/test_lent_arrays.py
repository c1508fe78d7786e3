"""Memory that others lend, and what lies in it: JAX's orders and small elements, torch's tensors that are more than numbers.

SPDX-License-Identifier: BSD-3-Clause
"""
import ctypes

import numpy as np
import pytest

import crinkle as ck
import crinkle.einops as einops

x = np.arange(12.0).reshape(3, 4)


class Tensor(ctypes.Structure):
    """A DLManagedTensor: DLPack's old form."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.c_void_p),
                ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Lends:
    """Gives a copy of its array away whenever it is asked, which is overwritten when it is given back."""

    def __init__(self, array):
        self.array, self.lent = np.ascontiguousarray(array), []

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **words):
        copy = self.array.copy()
        shape, end = (ctypes.c_int64 * copy.ndim)(*copy.shape), ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: copy.fill(-1))
        code = {"i": 0, "f": 2}[copy.dtype.kind]
        tensor = Tensor(copy.ctypes.data, 1, 0, copy.ndim, code, 8 * copy.itemsize, 1, ctypes.addressof(shape), None, 0,
                        None, ctypes.cast(end, ctypes.c_void_p))
        self.lent.append((copy, shape, end, tensor))
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(tensor), b"dltensor", None)


class LendsInterface:
    """The same by an array interface that says nothing of who owns the memory: a buffer does."""

    def __init__(self, array):
        self.array = array

    @property
    def __array_interface__(self):
        return {**self.array.__array_interface__, "data": memoryview(bytearray(self.array.tobytes()))}


def test_lent_memory_is_kept_while_it_is_read():
    for n in 12, 1 << 18:
        a = np.arange(n).reshape(-1, 4)
        for kind in Lends, LendsInterface:
            for call, want in ((lambda b: ck.move(b, "y x -> x y"), a.T), (lambda b: ck.move([b, b], "n y x -> y x n"), np.stack([a, a], -1)),
                               (lambda b: ck.plan(a, "y x -> x y").run(b), a.T), (lambda b: einops.rearrange(b, "y x -> (x y)"), a.T.ravel())):
                assert np.array_equal(call(kind(a)), want), kind
        for call in ck.flip, ck.fft.fft, lambda b: ck.stencil(b, [[2.0]]), lambda b: ck.pad(b, 1), lambda b: ck.resample(b, a.shape):
            assert np.array_equal(call(Lends(a)), call(a))


def test_results_are_not_written_into_copies():
    for call in (lambda out: ck.move(x, "y x -> y x", out=out), lambda out: ck.plan(x, "y x -> y x").run(x, out), lambda out: ck.flip(x, out=out),
                 lambda out: ck.stencil(x, "average", out=out), lambda out: ck.resample(x, x.shape, out=out), lambda out: ck.concat([x[:1], x[1:]], out=out)):
        with pytest.raises(ValueError, match="copies of its memory"):
            call(LendsInterface(np.zeros((3, 4))))
    with pytest.raises(ValueError, match="read-only"):
        ck.flip(x, out=Lends(np.zeros((3, 4))))
    with pytest.raises(ValueError, match="copies of its memory"):
        ck.pdist(x, form="square", out=LendsInterface(np.zeros((3, 3))))


def test_a_plan_pads_with_numbers_of_its_type():
    p = ck.plan(np.ones((2, 3), "f4"), "y x -> y x", pad={"x": (1, 1, "constant", 1.5)})
    assert (p.run(np.zeros((2, 3), "f4"))[:, 0] == 1.5).all()
    for other in "i4", "u4", ">f4", "S4":
        with pytest.raises(ValueError, match="pads with a value of type float32, the array has"):
            p.run(np.zeros((2, 3), other))
    q = ck.plan(np.ones((2, 3), "i4"), "y x -> y x", pad={"x": (1, 1, "constant", int(np.float32(1.5).view("i4")))})  # the same bytes
    assert (q.run(np.zeros((2, 3), "i4"))[:, 0] == 1069547520).all() and (p(np.zeros((2, 3), "f4"))[:, 0] == 1.5).all()
    assert ck.plan(np.ones((2, 3), "f4"), "y x -> y x", pad={"x": 1}).run(np.ones((2, 3), "i4")).sum() == 6  # zeros are zeros


def test_what_an_array_is_may_differ_within_a_type():
    class Either:
        def __init__(self, array, is_on_gpu):
            self.dtype, self.shape, self.array = array.dtype, array.shape, array
            if is_on_gpu:
                self.__cuda_array_interface__ = {"shape": array.shape, "typestr": "<f8", "data": (1 << 20, False), "version": 3}
            else:
                self.__array_interface__ = array.__array_interface__

    for order in (False, True), (True, False):
        kind = type("Either", (Either,), {})
        for is_on_gpu in order:
            if is_on_gpu:
                with pytest.raises(ValueError, match="CUDA device 0"):
                    ck.move(x, "y x -> x y", out=kind(np.zeros((4, 3)), True))
            else:
                assert np.array_equal(ck.move(kind(x, False), "y x -> x y"), x.T)


def test_jax_in_any_order():
    jax = pytest.importorskip("jax", reason="its arrays have orders in memory of their own")
    torch = pytest.importorskip("torch", reason="its arrays come to JAX in the order in which they lie")
    jnp = jax.numpy
    for shape, order in ((3, 4), (1, 0)), ((2, 3, 4), (2, 0, 1)), ((2, 3, 4), (1, 2, 0)):
        t = torch.arange(float(np.prod(shape)), dtype=torch.float32).reshape(shape).permute(order)
        j, a = jnp.from_dlpack(t), t.numpy()
        assert np.asarray(j).strides != jnp.asarray(np.ascontiguousarray(a)).__array__().strides
        flat = "... -> (...)"
        for call in (ck.flip, lambda b: ck.move(b, flat), lambda b: ck.plan(b, flat).run(b), lambda b: ck.move([b, b], "n ... -> ... n"),
                     lambda b: ck.concat([b, b]), lambda b: ck.stack([b, b]),
                     ck.fft.fftn, lambda b: ck.stencil(b, "average"), lambda b: ck.pad(b, 1), lambda b: ck.broadcast_to(b, (2, *b.shape)),
                     lambda b: ck.roll(b, 1), lambda b: ck.expand_dims(b)):
            got = call(j)
            assert isinstance(got, jax.Array) and np.array_equal(np.asarray(got), call(np.ascontiguousarray(a)))
        pair = jnp.asarray(np.ascontiguousarray(a))
        assert np.array_equal(np.asarray(ck.stack([j, pair])), np.stack([a, a]))


def test_jax_below_a_byte():
    jax = pytest.importorskip("jax", reason="its arrays have elements below a byte")
    jnp = jax.numpy
    for name in "int4", "uint4", "int2", "uint2", "float4_e2m1fn":
        if hasattr(jnp, name):
            j = jnp.asarray([[1, 0, 1], [1, 1, 0]]).astype(getattr(jnp, name))
            for call in ck.flip, lambda b: ck.move(b, "y x -> x y"), lambda b: ck.concat([b, b]):
                got = call(j)
                assert got.dtype == j.dtype and np.array_equal(np.asarray(got).astype("f4"), call(np.asarray(j).astype("f4"))), name
    with pytest.raises(TypeError, match="key_data"):
        ck.flip(jax.random.split(jax.random.key(0), 3))


def test_jax_of_64_bits():
    jax = pytest.importorskip("jax", reason="it has 64 bits only where it is told so")
    j = jax.numpy.ones((3, 3))
    if jax.config.jax_enable_x64:
        pytest.skip("it is told so")
    for call in (lambda: ck.stencil(j, "average", dtype="float64"), lambda: ck.resample(j, zoom=2, dtype="int64"), lambda: ck.fft.fft(j.astype("int32")),
                 lambda: ck.pdist(j.astype("int32"))):
        with pytest.raises(ValueError, match="jax_enable_x64"):
            call()


def test_tensors_that_are_no_plain_numbers():
    torch = pytest.importorskip("torch", reason="its tensors have more to them than numbers")
    t = torch.arange(12.0).reshape(3, 4)
    scale, zero = torch.tensor([0.1, 0.2, 0.3]), torch.tensor([0, 0, 0])
    wrong = [(torch.quantize_per_tensor(t, 0.1, 3, torch.quint8), "int_repr"), (torch.quantize_per_channel(t, scale, zero, 0, torch.qint8), "int_repr"),
             (torch.empty(3, 4, device="meta"), "meta"), (torch._efficientzerotensor((3, 4)), "without memory"), (t.to_mkldnn(), "layout"),
             (t.to_sparse(), "layout"),
             (torch.nested.nested_tensor([t, t[:2]]), "nested")]
    try:
        from torch.masked import masked_tensor

        wrong.append((masked_tensor(t, t > 3), "masked array, and crinkle does not look at masks"))
    except ImportError:
        pass
    for tensor, text in wrong:
        for call in (ck.flip, lambda b: ck.move(b, "... -> ..."), ck.fft.fft, lambda b: ck.stencil(b, "average"), ck.pdist,
                     lambda b: ck.save("nowhere.npy", b), lambda b: ck.move([b, b], "... -> ...")):
            with pytest.raises((TypeError, ValueError, NotImplementedError), match=text):
                call(tensor)
    from torch.autograd import forward_ad

    with forward_ad.dual_level():
        with pytest.raises(ValueError, match="gradients"):
            ck.flip(forward_ad.make_dual(t, torch.ones_like(t)))
        assert torch.equal(ck.flip(t), t.flip(0, 1))
    out = torch.zeros(3, 4, dtype=torch.complex64)
    for axes in (), (0, 0):
        assert ck.fft.fftn(t + 0j, axes=axes, out=out) is out and torch.allclose(out, ck.fft.fftn(t + 0j, axes=axes)) and out.abs().sum() > 0
