"""Cosine and sine transforms of all types, and crinkle as a backend of scipy.fft.

SPDX-License-Identifier: BSD-3-Clause
"""
import numpy as np
import pytest

import crinkle as ck

scipy_fft = pytest.importorskip("scipy.fft")
rng = np.random.default_rng(5)


@pytest.mark.parametrize("name", ["dct", "idct", "dst", "idst"])
@pytest.mark.parametrize("type", [1, 2, 3, 4])
@pytest.mark.parametrize("norm", [None, "backward", "ortho", "forward"])
@pytest.mark.parametrize("orthogonalize", [None, True, False])
def test_one_axis(name, type, norm, orthogonalize):
    for shape, axis in ((7,), 0), ((8,), -1), ((2,), 0), ((3, 5, 4), 1):
        x = rng.random(shape)
        for n in (None, 3, 9):
            wanted = getattr(scipy_fft, name)(x, type, n, axis, norm, orthogonalize=orthogonalize)
            given = x.copy()
            found = getattr(ck.fft, name)(given, type, n, axis, norm, orthogonalize=orthogonalize)
            assert np.array_equal(given, x) and found.dtype == wanted.dtype
            assert np.allclose(found, wanted, rtol=1e-12, atol=1e-12), (shape, n)


@pytest.mark.parametrize("name", ["dctn", "idctn", "dstn", "idstn"])
@pytest.mark.parametrize("type", [1, 2, 3, 4])
@pytest.mark.parametrize("orthogonalize", [None, True, False])
def test_several_axes(name, type, orthogonalize):
    x = rng.random((4, 5, 6)).astype("f4")
    for s, axes in (None, None), (None, (0, 2)), ((3, 8), (1, 2)), ((3, 8), None), (None, 1):
        for norm in (None, "ortho"):
            wanted = getattr(scipy_fft, name)(x, type, s, axes, norm, orthogonalize=orthogonalize)
            found = getattr(ck.fft, name)(x, type, s, axes, norm, orthogonalize=orthogonalize)
            assert found.dtype == np.float32 and found.shape == wanted.shape
            assert np.allclose(found, wanted, rtol=1e-4, atol=1e-4)


def test_integers_and_wrong_requests():
    assert np.allclose(ck.fft.dct(np.arange(5), 1), scipy_fft.dct(np.arange(5), 1))
    assert np.allclose(ck.fft.dst([1, 2, 4], 4), scipy_fft.dst([1, 2, 4], 4))
    for wrong in (lambda: ck.fft.dct(np.ones(1), 1), lambda: ck.fft.dct(np.ones(4), 5), lambda: ck.fft.dct(np.ones(4), 4, norm="none"),
                  lambda: ck.fft.dctn(np.ones((2, 2)), 1, s=(2,), axes=(0, 1)), lambda: ck.fft.dst(np.ones(4), 1, n=0)):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(TypeError):
        ck.fft.dct(np.ones(4, "c8"), 4)
    with pytest.raises(IndexError):
        ck.fft.dst(np.ones(4), 1, axis=1)


@pytest.mark.parametrize("name", ["hfftn", "ihfftn", "hfft2", "ihfft2"])
def test_hermitian_ones_along_several_axes(name):
    x = rng.random((4, 5, 6)) if name.startswith("i") else rng.random((4, 5, 6)) + 1j * rng.random((4, 5, 6))
    for norm in (None, "ortho", "forward"):
        assert np.allclose(getattr(ck.fft, name)(x, norm=norm), getattr(scipy_fft, name)(x, norm=norm))
        assert np.allclose(getattr(ck.fft, name)(x, s=(3, 8), axes=(0, 2), norm=norm), getattr(scipy_fft, name)(x, s=(3, 8), axes=(0, 2), norm=norm))


def test_a_backend_of_scipy(monkeypatch):
    x = rng.random((6, 8))
    z = x + 1j
    asked = []
    real = ck.fft._transform
    monkeypatch.setattr(ck.fft, "_transform", lambda *words: asked.append(words[-1]) or real(*words))
    calls = {"fft": lambda: scipy_fft.fft(z, 16, -1, "ortho", True), "fftn": lambda: scipy_fft.fftn(z, axes=(0,), workers=1), "rfft2": lambda: scipy_fft.rfft2(x),
             "irfftn": lambda: scipy_fft.irfftn(z, s=(6, 9)), "hfft": lambda: scipy_fft.hfft(z)}
    wanted = {name: call() for name, call in calls.items()}
    with scipy_fft.set_backend(ck.fft):
        for name, call in calls.items():
            assert np.allclose(call(), wanted[name]) and asked.pop() == name
        assert np.allclose(scipy_fft.dct(z), 1j * scipy_fft.dct(z.imag) + scipy_fft.dct(x))  # of complex numbers SciPy's own
        with pytest.raises(ValueError):
            scipy_fft.fft(z, 0)
    with scipy_fft.set_backend(ck.fft, only=True), pytest.raises(Exception, match="no backend|No selected backends"):
        scipy_fft.dct(z)
