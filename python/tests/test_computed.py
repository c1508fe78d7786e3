"""What computes, against NumPy and SciPy.

SPDX-License-Identifier: BSD-3-Clause
"""
import numpy as np
import pytest
import scipy.ndimage
import scipy.spatial.distance

import crinkle as ck

rng = np.random.default_rng(4)


def close(a, b, tolerance=1e-12):
    assert a.dtype == b.dtype and a.shape == b.shape
    if a.dtype in (np.float32, np.complex64):
        tolerance = 1e-5
    scale = np.abs(b).max(initial=1e-300)
    assert np.abs(a - b).max(initial=0) <= tolerance * scale


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16", "i4", ">f8", "?"])
@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
def test_fft(dtype, norm):
    x = (rng.random((4, 6, 10)) * 9).astype(dtype)[::-1, :, 1::2]
    for name in ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn", "irfft", "irfft2", "irfftn", "hfft"):
        close(getattr(ck.fft, name)(x, norm=norm), getattr(np.fft, name)(x, norm=norm))
    for n in (1, 3, 5, 8, 13):
        close(ck.fft.fft(x, n, axis=1, norm=norm), np.fft.fft(x, n, axis=1, norm=norm))
        close(ck.fft.irfft(x, n, norm=norm), np.fft.irfft(x, n, norm=norm))
    close(ck.fft.fftn(x, (3, 8), (1, 0), norm), np.fft.fftn(x, (3, 8), (1, 0), norm))
    if x.dtype.kind == "c":
        with pytest.raises(TypeError):
            ck.fft.rfft(x)
    else:
        for name in ("rfft", "rfft2", "rfftn", "ihfft"):
            close(getattr(ck.fft, name)(x, norm=norm), getattr(np.fft, name)(x, norm=norm))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fft_of_axes_that_are_not_named_or_not_there():
    x = rng.random((3, 4))
    for name in ("fft2", "ifft2", "fftn", "ifftn", "rfft2", "rfftn", "irfft2", "irfftn"):
        for shape in ((3, 4), (2, 3, 4)):
            y = rng.random(shape)
            close(getattr(ck.fft, name)(y, axes=None), getattr(np.fft, name)(y, axes=None))
            close(getattr(ck.fft, name)(y, (2, 5), axes=None), getattr(np.fft, name)(y, (2, 5), axes=None))
        for library in (np.fft, ck.fft):
            with pytest.raises(ValueError, match="-3"):
                getattr(library, name)(x, s=(2, 3, 7), axes=None)
    with pytest.raises(ValueError):
        ck.fft.dctn(x, s=(2, 3, 7))
    for shape in ((0, 3), (2, 0, 3)):
        close(ck.fft.fft(np.zeros(shape)), np.fft.fft(np.zeros(shape)))
        close(ck.fft.rfft(np.zeros(shape)), np.fft.rfft(np.zeros(shape)))


def test_fft_of_half():
    x = (rng.random((4, 6, 10)) * 9).astype("f2")[::-1, :, 1::2]
    wide = x.astype("f8")
    for name in ("fft", "fft2", "rfft", "rfftn", "ihfft"):  # half becomes single, as in NumPy 2
        close(getattr(ck.fft, name)(x), getattr(np.fft, name)(wide).astype("c8"))
    y = ck.fft.dct(x)
    assert y.dtype == np.float32 and np.allclose(ck.fft.idct(y), wide, atol=1e-4)
    out = np.empty((4, 6, 5), "f2")
    assert ck.fft.irfft(ck.fft.rfft(x), 5, out=out) is out and np.allclose(out, wide, atol=5e-3)
    with pytest.raises(ValueError):
        ck.fft.irfft(ck.fft.rfft(wide), 5, out=out)


def test_fft_helpers_and_errors():
    for n in (1, 4, 7):
        assert np.allclose(ck.fft.fftfreq(n, 0.1), np.fft.fftfreq(n, 0.1)) and np.allclose(ck.fft.rfftfreq(n, 0.1), np.fft.rfftfreq(n, 0.1))
        x = rng.random((n, 5))
        assert (ck.fft.fftshift(x) == np.fft.fftshift(x)).all() and (ck.fft.ifftshift(x, 1) == np.fft.ifftshift(x, 1)).all()
    x = rng.random(8) + 0j
    right = np.fft.fft(x)
    assert ck.fft.fft(x, out=x) is x and np.allclose(x, right)
    for call in (lambda: ck.fft.fft(x, 0), lambda: ck.fft.fft(x, -1), lambda: ck.fft.fft(x, axis=1), lambda: ck.fft.fft(x, norm="other"),
                 lambda: ck.fft.fft(np.empty(0)), lambda: ck.fft.fft(x, out=np.empty(3, complex))):
        with pytest.raises(ValueError):
            call()


@pytest.mark.parametrize("mode, scipys", [("reflect", "mirror"), ("symmetric", "reflect"), ("edge", "nearest"), ("periodic", "wrap"), ("constant:2", "constant")])
def test_stencil(mode, scipys):
    x = rng.random((7, 9))[:, ::-1]
    weights = rng.random((3, 5))
    assert np.allclose(ck.stencil(x, weights, boundary=mode), scipy.ndimage.correlate(x, weights, mode=scipys, cval=2))
    assert np.allclose(ck.stencil(x, weights, boundary=mode, convolve=True), scipy.ndimage.convolve(x, weights, mode=scipys, cval=2))
    assert np.allclose(ck.stencil(x, "gaussian:1.5", boundary=mode), scipy.ndimage.gaussian_filter(x, 1.5, mode=scipys, cval=2))
    if mode != "constant:2":  # SciPy's passes each begin with the constant anew
        assert np.allclose(ck.stencil(x, "sobel:x", boundary=mode), scipy.ndimage.sobel(x, 1, mode=scipys, cval=2))
    twice = ck.stencil(ck.stencil(x, "average", boundary=mode), "average", boundary=mode)
    assert np.allclose(ck.stencil(x, "average", boundary=mode, steps=2), twice)


def test_stencil_types_and_errors():
    x = (rng.random((5, 6)) * 200).astype(">u2")
    assert ck.stencil(x, "average").dtype == x.dtype and ck.stencil(x, "average", dtype="f8").dtype == np.float64
    assert np.allclose(ck.stencil(x, [1.0, 2, 1], axes=0, dtype="f8"), scipy.ndimage.correlate1d(x.astype(float), [1, 2, 1], 0, mode="mirror"))
    far = np.array([-(2**63), 2**63 - 1, 5, 2**40 + 1])
    assert (ck.stencil(far, [2.0]) == [-(2**63), 2**63 - 1, 10, 2**41 + 2]).all()
    assert np.allclose(ck.stencil(x, "sobel:1", dtype="f8"), ck.stencil(x, "sobel:x", dtype="f8"))
    assert (ck.stencil(x, "gradient:1", axes=[-1], dtype="f8") == ck.stencil(x, "gradient:x", axes=1, dtype="f8")).all()
    with pytest.raises(ValueError, match=r"0 \(y\), 1 \(x\)"):
        ck.stencil(x, "sobel:z")
    with pytest.raises(ValueError, match="sobel:AXIS and weights as an array"):
        ck.stencil(x, "sharpen")
    assert np.allclose(ck.stencil(x, "gaussian:3", dtype="f8"), scipy.ndimage.gaussian_filter(x.astype(float), 3, mode="mirror"))  # 25 wide
    for call in (lambda: ck.stencil(x, "average", boundary="mirror"), lambda: ck.stencil(x, [1.0]),
                 lambda: ck.stencil(x, "average", axes=5), lambda: ck.stencil(x, "average", out=x), lambda: ck.stencil(x, "average", steps=-1)):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError):
        ck.stencil(x.astype(complex), "average")


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cityblock", "chebyshev", "cosine"])
def test_pdist(metric):
    x = rng.random((23, 5))
    right = scipy.spatial.distance.pdist(x, metric)
    close(ck.pdist(x[::-1][::-1], metric), right)
    close(ck.pdist(x.astype("f4"), metric), right.astype("f4"), 1e-5)
    assert np.allclose(ck.pdist(x, metric, form="square"), scipy.spatial.distance.squareform(right))
    assert (ck.squareform(right) == scipy.spatial.distance.squareform(right)).all()
    assert (ck.squareform(ck.squareform(right)) == right).all()
    out = np.empty_like(right)
    assert ck.pdist(x, metric, out=out) is out and np.allclose(out, right)


def test_cosine_and_sine_transforms():
    from scipy import fft

    for dtype, tolerance in (np.float32, 1e-6), (np.float64, 1e-14):
        x = rng.random((6, 35, 10)).astype(dtype)
        for name in "dct", "idct", "dst", "idst":
            for type in 2, 3:
                for norm in None, "ortho", "forward":
                    got, want = getattr(ck.fft, name)(x, type, axis=1, norm=norm), getattr(fft, name)(x.astype(float), type, axis=1, norm=norm)
                    assert got.dtype == dtype and np.linalg.norm(got - want) < tolerance * np.linalg.norm(want), (name, type, norm)
        assert np.allclose(ck.fft.idctn(ck.fft.dctn(x, axes=(0, 2)), axes=(0, 2)), x, atol=1e-6)
    assert np.allclose(ck.fft.dct(np.arange(5), n=8), fft.dct(np.arange(5.0), n=8))
    with pytest.raises(ValueError):
        ck.fft.dct(x, 5)


def test_convolutions():
    from scipy import signal

    for dtype, tolerance in (np.float32, 1e-6), (np.float64, 1e-14):
        for a, b, axes in ((50,), (7,), None), ((6, 31), (4, 40), None), ((12, 9, 8), (3, 9, 2), None), ((3, 20, 17), (1, 4, 5), (1, 2)), ((5, 30), (5, 4), -1):
            x, y = rng.standard_normal(a).astype(dtype), rng.standard_normal(b).astype(dtype)
            for mode in "full", "same", "valid":
                if mode == "valid" and a == (6, 31):
                    continue
                got, want = ck.fft.fftconvolve(x.T.copy().T, y[::-1][::-1], mode, axes), signal.fftconvolve(x, y, mode, axes)
                assert got.dtype == dtype and got.shape == want.shape and np.linalg.norm(got - want) < tolerance * np.linalg.norm(want), (a, b, mode)
                if axes is None:
                    want = signal.correlate(x, y, mode)
                    assert np.linalg.norm(ck.fft.correlate(x, y, mode) - want) < tolerance * np.linalg.norm(want), (a, b, mode)
    assert np.allclose(ck.fft.fftconvolve([1, 2, 3], [0, 1, 0.5]), [0, 1, 2.5, 4, 1.5])
    assert ck.fft.fftconvolve(x.astype("f4"), y).dtype == np.float64
    for call in (lambda: ck.fft.fftconvolve(x, y[0]), lambda: ck.fft.fftconvolve(x, y, "some"), lambda: ck.fft.fftconvolve(x, y, axes=2),
                 lambda: ck.fft.fftconvolve(x[:4], y, axes=1), lambda: ck.fft.fftconvolve(x, y, axes=()), lambda: ck.fft.correlate(x, y, axes=[])):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError):
        ck.fft.fftconvolve(x, np.array(["a"]))


def test_convolutions_of_complex_numbers_and_of_long_arrays():
    from scipy import signal

    def close(got, want, dtype):
        return got.dtype == dtype and got.shape == want.shape and np.linalg.norm(got - want) < (1e-6 if dtype == "c8" else 1e-14) * np.linalg.norm(want)

    z = rng.standard_normal((2, 12, 9)) + 1j * rng.standard_normal((2, 12, 9))
    k = rng.standard_normal((2, 3, 4)) + 1j * rng.standard_normal((2, 3, 4))
    for mode in "full", "same", "valid":
        for a, b, dtype in (z, k, "c16"), (z.astype("c8"), k.astype("c8"), "c8"), (z, k.real, "c16"), (z.real, k, "c16"), (z.astype("c8"), k.real.astype("f2"), "c8"):
            want_of = signal.fftconvolve(a, b.astype(dtype), mode, (1, 2))
            assert close(ck.fft.fftconvolve(a, b, mode, (1, 2)), want_of, dtype), (mode, dtype)
            assert close(ck.fft.correlate(a, b, mode), signal.correlate(a, b.astype(dtype), mode), dtype), (mode, dtype)
        for a, b in ((20000,), (300,)), ((11,), (5000,)), ((400, 700), (7, 5)):
            x, y = rng.standard_normal(a), rng.standard_normal(b)
            if mode == "same" or a > b:
                assert close(ck.fft.fftconvolve(x, y, mode), signal.fftconvolve(x, y, mode), "f8"), (a, b, mode)
                assert close(ck.fft.correlate(x + 1j * x, y, mode), signal.correlate(x + 1j * x, y, mode), "c16"), (a, b, mode)
    with pytest.raises(ValueError, match="conjugates in2 first"):
        ck.plan(ck.fft.correlate, z, k)


def test_triangles_and_errors():
    a = rng.random((6, 6))
    a = a + a.T
    packed = ck.triangle(a, "full lower", "packed lower")
    assert (packed == np.concatenate([a[j:, j] for j in range(6)])).all()
    b = rng.random((7, 7))
    assert (ck.triangle(b, "full lower", "packed lower") == np.concatenate([b[j:, j] for j in range(7)])).all()
    assert (ck.triangle(b.T, "full upper", "packed lower") == np.concatenate([b[j:, j] for j in range(7)])).all()
    assert (ck.triangle(ck.triangle(b, "full upper", "rfp lower"), "rfp lower", "full upper") == np.triu(b)).all()
    assert (ck.triangle(ck.triangle(packed, "packed lower", "rfp upper"), "rfp upper", "symmetric") == a).all()
    for call in (lambda: ck.squareform(np.zeros(4)), lambda: ck.squareform(np.arange(4.0).reshape(2, 2)), lambda: ck.pdist(np.zeros(3)),
                 lambda: ck.pdist(a, "hamming"), lambda: ck.triangle(a, "full lower", "packed middle"), lambda: ck.pdist(a, form="round"),
                 lambda: ck.pdist(a, out=np.empty(3))):
        with pytest.raises(ValueError):
            call()


def test_interpolation_and_grids():
    places, values = rng.random((40, 2)), rng.random((40, 3))
    targets = rng.random((4, 5, 2))
    d = np.linalg.norm(targets[..., None, :] - places, axis=-1)
    w = d**-3.0
    right = (w @ values) / w.sum(-1)[..., None]
    assert np.allclose(ck.interpolate(places, values, targets, power=3), right)
    assert np.allclose(ck.interpolate(places, values[:, 0], targets, power=3), right[..., 0])
    nearest = values[d.argmin(-1), 0]
    assert np.allclose(ck.interpolate(places, values[:, 0], targets, neighbours=1), nearest)
    many = np.random.default_rng(4).random((5000, 2))
    at = np.stack(np.meshgrid(np.linspace(0.4, 0.6, 40), np.linspace(0.4, 0.6, 40)), -1)
    exact, near = ck.interpolate(many, many[:, 0], at), ck.interpolate(many, many[:, 0], at, tolerance=1e-2)
    assert 0 < np.abs(near - exact).max() <= 1e-2
    count, mean = ck.grid(places, values[:, 0], (0.25, 0.25), (0.5, 0.5), (2, 2), statistic=["count", "mean"])
    low = (places < 0.5).all(1)
    assert count.sum() == 40 and count[0, 0] == low.sum() and np.isclose(mean[0, 0], values[low, 0].mean())
    with pytest.raises(ValueError, match="power"):
        ck.interpolate(places, values, targets, power=-1)


@pytest.mark.parametrize("dtype", [
    [("x", "f4"), ("y", ">i2"), ("z", "f8", (3,))], np.dtype([("x", "i1"), ("y", "f8")], align=True),
    np.dtype({"names": ["b", "a"], "formats": ["i4", "u1"], "offsets": [4, 0], "itemsize": 12})])
def test_records(dtype):
    dtype = np.dtype(dtype)
    r = np.zeros(19, dtype)
    for name in dtype.names:
        r[name] = (rng.random(r[name].shape) * 100).astype(r[name].dtype)
    arrays = ck.records(r, "|".join(dtype.names))
    for name, a in zip(dtype.names, arrays):
        assert a.dtype == r[name].dtype and (a == r[name]).all()
    again = ck.records(arrays, dtype=dtype)
    assert again.dtype == dtype and (again == r).all()
    packed = np.dtype([(k, *ck._records._field(dtype, k)) for k in dtype.names])
    layout = f"({dtype.names[0]})*8@4|({' '.join(dtype.names[1:])})"
    there = ck.records(r, layout)
    back = ck.records(there, dtype=packed, source=layout)
    assert all((back[k] == r[k]).all() for k in dtype.names)


def test_advice():
    advice = ck.advise([("x", "f4"), ("y", "f4")], "x", "y", 1000, source="(x y)", samples=3, most_seconds=1)
    assert sum(c.is_present for c in advice) == 1 and all(c.seconds > 0 for c in advice)
    with pytest.raises(ValueError, match="q"):
        ck.advise([("x", "f4")], "q", "x", 10)
