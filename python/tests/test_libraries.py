"""Arrays of other libraries, where they are installed: the result is of their kind, and nothing is copied on the way in.

SPDX-License-Identifier: BSD-3-Clause
"""
import array

import numpy as np
import pytest

import crinkle as ck
import crinkle.einops as einops

x = np.arange(60, dtype=np.float32).reshape(3, 4, 5)


def test_torch():
    torch = pytest.importorskip("torch")
    t = torch.arange(60, dtype=torch.float32).reshape(3, 4, 5).transpose(0, 2)[:, 1:]
    y = ck.move(t, "a b c -> c a b", flip="b", pad={"a": (1, 0, "constant", 2)})
    assert type(y) is torch.Tensor and y.dtype == t.dtype
    assert np.array_equal(y.numpy(), ck.move(t.numpy(), "a b c -> c a b", flip="b", pad={"a": (1, 0, "constant", 2)}))
    out = torch.empty(5, 3, 3)
    assert ck.permute_dims(t, (0, 2, 1), out=out) is out and torch.equal(out, t.permute(0, 2, 1).contiguous())
    assert torch.equal(ck.concat([t, t], axis=1), torch.cat([t, t], 1)) and torch.equal(ck.tile(t, (2, 1)), t.tile(2, 1))
    assert torch.equal(einops.rearrange([t, t], "n ... -> ... n"), torch.stack([t, t], -1))
    b = t.to(torch.bfloat16)
    assert torch.equal(ck.flip(b, axis=0), b.flip(0))
    assert torch.allclose(ck.fft.rfft(t.contiguous()), torch.fft.rfft(t))
    with pytest.raises(ValueError, match="gradients"):
        ck.flip(torch.ones(3, requires_grad=True))
    with pytest.raises(TypeError, match="layout"):
        ck.flip(torch.eye(3).to_sparse())
    with pytest.raises(TypeError, match="conj"):
        ck.flip(torch.ones(3, dtype=torch.complex64).conj())


def test_jax():
    jnp = pytest.importorskip("jax.numpy")
    import jax

    j = jnp.asarray(x)
    y = ck.move(j, "a b c -> c a b", flip="b")
    assert isinstance(y, jax.Array) and np.array_equal(np.asarray(y), np.transpose(x[:, ::-1], (2, 0, 1)))
    assert isinstance(ck.concat([j, j]), jax.Array) and np.array_equal(np.asarray(ck.concat([j, j])), np.concatenate([x, x]))
    b = j.astype(jnp.bfloat16)
    assert ck.flip(b).dtype == jnp.bfloat16 and (ck.flip(b) == b[::-1, ::-1, ::-1]).all()
    assert np.allclose(np.asarray(ck.fft.rfft(j)), np.fft.rfft(x), atol=1e-4)
    with pytest.raises(ValueError, match="read-only"):
        ck.move(x, "a b c -> a b c", out=j)
    with pytest.raises(TypeError, match="traced"):
        jax.jit(lambda a: ck.flip(a))(j)


def test_dlpack():
    xp = pytest.importorskip("array_api_strict")
    a = xp.reshape(xp.arange(60, dtype=xp.float32), (3, 4, 5))
    y = ck.permute_dims(a, (2, 0, 1))
    assert type(y) is type(a) and y.dtype == a.dtype and bool(xp.all(y == xp.permute_dims(a, (2, 0, 1))))
    assert bool(xp.all(ck.roll(a, 7, axis=1) == xp.roll(a, 7, axis=1)))
    z = ck.concat([a, a], axis=2)
    assert bool(xp.all(z == xp.concat([a, a], axis=2)))


def test_buffers():
    a = array.array("h", range(12))
    assert (ck.move(a, "(y x) -> x y", x=3) == np.array(a).reshape(4, 3).T).all()
    out = bytearray(6)
    ck.move(b"abcdef", "(y x) -> (x y)", x=2, out=out)
    assert out == b"acebdf"
    with pytest.raises(ValueError, match="read-only"):
        ck.move(b"abcdef", "x -> x", out=bytes(6))


class OnGpu:
    """What says that it lies on a GPU."""

    __cuda_array_interface__ = {"shape": (3, 4), "typestr": "<f4", "data": (4096, False), "version": 3}
    dtype = np.dtype("f4")
    shape = (3, 4)
    ndim = 2


def test_gpu_arrays_are_never_copied_through_the_host():
    if ck.has_cuda:
        pytest.skip("this build has CUDA")
    with pytest.raises(RuntimeError, match="CUDA"):
        ck.move(OnGpu(), "y x -> x y")
    with pytest.raises(RuntimeError, match="CUDA|NotImplemented|GPU"):
        ck.fft.fft(OnGpu())
    with pytest.raises(ValueError, match="CUDA device 0"):
        ck.move(np.zeros((4, 3), "f4"), "y x -> x y", out=OnGpu())
