"""ck.resample against scipy.ndimage.

SPDX-License-Identifier: BSD-3-Clause
"""
import warnings

import numpy as np
import pytest
import scipy.ndimage as ndimage

import crinkle as ck

rng = np.random.default_rng(8)
# NumPy's words, which are crinkle's, and SciPy's.
modes = {"periodic": "grid-wrap", "edge": "nearest", "reflect": "mirror", "symmetric": "reflect", "constant:2.5": "grid-constant"}


def close(got, want, tolerance):
    assert got.shape == want.shape
    assert np.abs(got - want).max(initial=0) <= tolerance, np.abs(got - want).max()


@pytest.mark.parametrize("mode", modes)
@pytest.mark.parametrize("by, order", [("nearest", 0), ("linear", 1), ("spline", 3)])
def test_coordinates_are_scipys_map_coordinates(by, order, mode):
    for shape in (23,), (9, 14), (5, 6, 7), (40, 6):
        x = rng.standard_normal(shape)
        q = rng.uniform(-0.6, 1.6, (len(shape), 5, 80)) * (np.array(shape) - 1).reshape(-1, 1, 1)
        q[:, 0, :3] = 0, 1, 2
        want = ndimage.map_coordinates(x, q, order=order, mode=modes[mode], cval=2.5)
        got = ck.resample(x, coordinates=q, by=by, boundary=mode)
        # SciPy continues by 12 elements where it cannot do so exactly, and its splines miss the samples of short lines in mode reflect by 2e-6.
        tolerance = 1e-12 if order < 3 or mode in ("periodic", "reflect") else 1e-5
        close(got, want, tolerance)
        close(ck.resample(x.astype("f4"), coordinates=q, by=by, boundary=mode), want, 2e-5)


@pytest.mark.parametrize("by, order", [("nearest", 0), ("linear", 1), ("spline", 3)])
def test_matrices_are_scipys_affine_transform(by, order):
    x = rng.standard_normal((17, 23, 8))
    m, b = np.eye(3) + rng.uniform(-0.3, 0.3, (3, 3)), rng.uniform(-2, 2, 3)
    want = ndimage.affine_transform(x, m, b, (20, 9, 11), order=order, mode="mirror")
    close(ck.resample(x, (20, 9, 11), matrix=m, offset=b, by=by, boundary="reflect"), want, 1e-12)
    close(ck.resample(x, (20, 9, 11), matrix=np.column_stack([m, b]), by=by, boundary="reflect"), want, 1e-12)
    picture = rng.integers(0, 256, (30, 41, 3), np.uint8)
    m, b = m[:2, :2], b[:2]
    got = ck.resample(picture, matrix=m, offset=b, axes=(0, 1), by=by, boundary="symmetric", dtype="f8")
    for c in range(3):
        close(got[..., c], ndimage.affine_transform(picture[..., c].astype(float), m, b, order=order, mode="reflect"), 1e-10)
    close(ck.resample(picture, matrix=m, offset=b, axes=(0, 1), by=by, boundary="symmetric").astype(float), np.clip(got, 0, 255), 0.5001)


def test_zooms_and_turns_are_scipys():
    x = rng.standard_normal((12, 19))
    for by, order in ("nearest", 0), ("linear", 1), ("spline", 3):
        close(ck.resample(x, zoom=(2, 1.5), by=by, boundary="symmetric"), ndimage.zoom(x, (2, 1.5), order=order, mode="reflect", grid_mode=True), 1e-12)
        close(ck.resample(x, zoom=(2, 1.5), by=by, keep="centres", boundary="reflect"), ndimage.zoom(x, (2, 1.5), order=order, mode="mirror"), 1e-11)
        for angle in 30, -75.5, 90, 180:
            close(ck.resample(x, rotate=angle, by=by, boundary="constant:1"), ndimage.rotate(x, angle, order=order, mode="grid-constant", cval=1), 2e-6)
            if order > 0 or angle % 90 != 0:  # where halves of odd differences are mirrored, SciPy rounds the other way
                close(ck.resample(x, x.shape, rotate=angle, by=by, boundary="reflect"), ndimage.rotate(x, angle, reshape=False, order=order, mode="mirror"), 1e-11)
    assert ck.resample(x, (5, 40)).shape == (5, 40) and ck.resample(x, 7, axes=1).shape == (12, 7)
    assert (ck.resample(x, x.shape) == x).all()


def test_polar_coordinates():
    y, x = np.mgrid[:81, :91]
    picture = np.exp(-((y - 45.0) ** 2 + (x - 50.0) ** 2) / 300) + 0.2 * np.sin(x / 9)
    for log in False, True:
        polar = ck.resample(picture, (300, 200), polar="to", centre=(40, 45), radius=38, log=log, by="cubic")
        angle, i = np.mgrid[:300, :200]
        r = 38 ** (i / 200) if log else i * 38 / 200
        q = 40 + r * np.sin(angle * np.pi / 150), 45 + r * np.cos(angle * np.pi / 150)
        close(polar, ck.resample(picture, coordinates=np.array(q), by="cubic"), 1e-11)
        back = ck.resample(polar, (81, 91), polar="from", centre=(40, 45), radius=38, log=log, by="cubic")
        is_inside = (np.hypot(y - 40, x - 45) < 36) & (np.hypot(y - 40, x - 45) > 3)
        close(back[is_inside], picture[is_inside], 2e-3)
    assert ck.resample(picture, polar="to").shape == (360, 61) and ck.resample(polar, polar="from", radius=38).shape == (77, 77)


def test_types_strides_and_other_axes():
    x = rng.integers(-300, 300, (4, 11, 3, 9)).astype(">i2")[:, ::-1, :, ::2]
    m, b = [[0.9, 0.2], [-0.1, 1.1]], [0.3, -0.4]
    got = ck.resample(x, matrix=m, offset=b, axes=(1, -1), by="cubic", boundary="edge", dtype="f8")
    for i in range(4):
        for c in range(3):
            close(got[i, :, c], ck.resample(x[i, :, c].astype(float), matrix=m, offset=b, by="cubic", boundary="edge"), 0)
    out = np.zeros((4, 3, 11, 5)).transpose(0, 2, 1, 3)
    assert ck.resample(x, matrix=m, offset=b, axes=(1, 3), by="cubic", boundary="edge", out=out) is out and (out == got).all()
    assert ck.resample(x, matrix=m, offset=b, axes=(1, 3)).dtype == x.dtype
    along = ck.resample(x.astype(float), coordinates=[[1.5, 2, 3], [0, 1.5, 2]], axes=(1, 3))
    assert along.shape == (4, 3, 3) and np.allclose(along[:, 1], x[:, 8 - 6, :, 1] * 0.5 + x[:, 2, :, 2] * 0.5)


def test_what_a_type_does_not_hold_is_told():
    ids = np.array([[0, 2**60 + 1], [5, 7]])
    for f in lambda x, **words: ck.resample(x, (2, 2), by="nearest", **words), lambda x, **words: ck.stencil(x, [[1]], **words):
        for x, dtype, text in ((ids, None, "int64 beyond 2\\^53"), (np.array([[2**63 + 2**11]], "u8"), None, "uint64 beyond"), (np.array([[300.0, -5]]), "u1", "from -5.0 to 300.0; .* become 0 or 255"),
                               (np.array([[np.nan, 1]]), "u1", "NaN, which uint8"), (np.array([[300, 1]], ">i2"), "u1", "from 1 to 300"), (np.array([[np.inf]]), "i2", "from inf")):
            with pytest.warns(UserWarning, match=text) as told:
                f(x, dtype=dtype)
            assert len(told) == 1 and told[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for x, dtype in (np.array([[2**53, -2**53]]), None), (np.array([[0.0, 255]]), "u1"), (np.array([[np.nan, 1e9]]), "f4"), (np.array([[255]], "u1"), "i2"):
                f(x, dtype=dtype)


def test_one_number_or_one_an_axis():
    x = rng.random((5, 6))
    assert (ck.resample(x, zoom=2) == ck.resample(x, zoom=(2, 2))).all()
    assert (ck.resample(x, matrix=np.eye(2), offset=1) == ck.resample(x, matrix=np.eye(2), offset=np.array([1, 1]))).all()
    with pytest.raises(ValueError, match="zoom has 3 numbers for 2 axes"):
        ck.resample(x, zoom=(2, 2, 2))
    with pytest.raises(TypeError, match="one for each axis in order"):
        ck.resample(x, zoom={"y": 2})
    with pytest.raises(ValueError, match="offset has 3 numbers for 2 axes"):
        ck.resample(x, matrix=np.eye(2), offset=[1, 2, 3])
    with pytest.raises(TypeError, match="log is True or False, not 'no'"):
        ck.resample(x, polar="to", log="no")
    with pytest.raises(TypeError, match="convolve is True or False, not 'yes'"):
        ck.stencil(x, [[1, 2]], convolve="yes")
    with pytest.raises(TypeError, match="boundary None: a word"):
        ck.stencil(x, "average:1", boundary=None)


def test_errors():
    x = rng.random((5, 6))
    for call in (lambda: ck.resample(x), lambda: ck.resample(x, zoom=2, rotate=3), lambda: ck.resample(x, (4, 4), zoom=2), lambda: ck.resample(x, zoom=-1),
                 lambda: ck.resample(x, (4, 4, 4)), lambda: ck.resample(x, matrix=np.eye(3)), lambda: ck.resample(x, coordinates=np.zeros((3, 4))),
                 lambda: ck.resample(x, zoom=2, by="best"), lambda: ck.resample(x, zoom=2, boundary="mirror"), lambda: ck.resample(x, zoom=2, axes=3),
                 lambda: ck.resample(x, zoom=2, keep="corners"), lambda: ck.resample(x, polar="up"), lambda: ck.resample(x, polar="from", log=True),
                 lambda: ck.resample(x, (5, 6), out=x), lambda: ck.resample(x, zoom=float("inf")), lambda: ck.resample(x, rotate=float("nan"))):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError, match="resample"):
        ck.resample(x.astype(complex), zoom=2)
