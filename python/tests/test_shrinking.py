"""ck.resample to smaller arrays: kernels that grow with the scale, the warning where elements are skipped, chunks.

SPDX-License-Identifier: BSD-3-Clause
"""
import warnings

import numpy as np
import pytest

import crinkle as ck

rng = np.random.default_rng(61)
growing = [{"antialias": True}, {"by": "cubic", "antialias": True}, {"by": "lanczos"}, {"by": "area"}, {"by": "mode"}]


def weights(n, m, by):
    """[m][n]: of a kernel that grows with n / m, divided by their sum."""
    if by == "area":
        edges = np.arange(m + 1) * n / m
        w = np.maximum(np.minimum(edges[1:, None], np.arange(n) + 1) - np.maximum(edges[:-1, None], np.arange(n)), 0)
    else:
        x = np.abs(np.arange(n) - ((np.arange(m)[:, None] + 0.5) * n / m - 0.5)) / max(1, n / m)
        kernel, radius = {"linear": (lambda x: 1 - x, 1), "lanczos": (lambda x: np.sinc(x) * np.sinc(x / 3), 3),
                          "cubic": (lambda x: np.where(x < 1, 1.5 * x**3 - 2.5 * x**2 + 1, -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2), 2)}[by]
        w = np.where(x < radius, kernel(x), 0)
    return w / w.sum(1, keepdims=True)


@pytest.mark.parametrize("words", growing[:4], ids=str)
@pytest.mark.parametrize("shape, wanted", [((60, 80), (20, 20)), ((61, 47), (9, 30)), ((30, 20), (40, 7)), ((7, 200), (1, 1))])
def test_sums(shape, wanted, words):
    by = words.get("by", "linear")
    x = rng.standard_normal(shape)
    rows, columns = (weights(n, m, by) for n, m in zip(shape, wanted))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.abs(ck.resample(x, wanted, **words) - rows @ x @ columns.T).max() < 1e-12
        assert np.abs(ck.resample(x.astype("f4"), wanted, **words) - rows @ x @ columns.T).max() < 2e-5
        picture = rng.integers(0, 256, (*shape, 3), np.uint8)
        want = np.einsum("ai,ijc,bj->abc", rows, picture, columns).clip(0, 255)
        assert np.abs(ck.resample(picture, wanted, axes=(0, 1), **words) - want).max() < 0.501
        volume = rng.random((5, *shape))
        want = np.einsum("ck,ai,kij,bj->cab", weights(5, 2, by), rows, volume, columns)
        assert np.abs(ck.resample(volume, (2, *wanted), **words) - want).max() < 1e-12


def test_the_commonest_value():
    classes = np.array([[3, 3, 9, 9], [3, 9, 9, 1], [2, 1, 5, 5], [2, 1, 9, 9]], np.int16)
    assert ck.resample(classes, zoom=0.5, by="mode").tolist() == [[3, 9], [1, 5]]
    x = np.array([np.nan, 7, 7, 1, np.nan, np.nan])
    assert ck.resample(x, 2, by="mode")[0] == 7
    assert ck.resample(x, 2, by="average")[1:] != ck.resample(x, 2, by="average")[1:]


def test_a_result_that_skips_elements_is_a_warning():
    x = rng.random((64, 64))
    for words, text in [({"zoom": 0.25}, "lie 4 elements apart, which is further than linear reaches; antialias=True or by='area'"), ({"zoom": 0.5, "by": "nearest"}, "by='mode' or by='area'"),
                        ({"shape": (64, 8), "by": "spline"}, "8 elements apart, .* by='lanczos'"), ({"matrix": np.diag([1, 5]), "by": "cubic"}, "5 elements apart")]:
        with pytest.warns(UserWarning, match=text) as told:
            ck.resample(x, **words)
        assert len(told) == 1 and told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for words in {"zoom": 0.5}, {"zoom": 0.25, "by": "cubic"}, {"zoom": 2, "by": "nearest"}, {"rotate": 30}, *({"zoom": 0.1, **one} for one in growing):
            ck.resample(x, **words)


@pytest.mark.parametrize("words", growing, ids=str)
def test_chunks(words):
    da = pytest.importorskip("dask.array")
    x = rng.integers(0, 9, (90, 70, 3)).astype("f4")
    want = ck.resample(x, (31, 11), axes=(0, 1), **words)
    for chunks in (20, 30, 3), (-1, 7, 2), 13:
        lazy = ck.resample(da.from_array(x, chunks=chunks), (31, 11), axes=(0, 1), **words)
        assert lazy.shape == want.shape
        got = lazy.compute(scheduler="threads")
        assert got.tobytes() == want.tobytes()


def test_labels_and_plans():
    xr = pytest.importorskip("xarray")
    a = xr.DataArray(rng.random((12, 8)), dims=("y", "x"), coords={"y": np.arange(12) * 10.0})
    b = ck.resample(a, (3, 4), by="area")
    assert b.dims == ("y", "x") and b.y.values.tolist() == [15, 55, 95]
    assert np.allclose(b, a.values.reshape(3, 4, 4, 2).mean((1, 3)))
    plan = ck.plan(ck.resample, a.values, (3, 4), antialias=True)
    assert "antialiased linear" in str(plan.describe()) and np.array_equal(plan(a.values), ck.resample(a.values, (3, 4), antialias=True))


def test_run_file(tmp_path):
    x = rng.random((40, 50)).astype("f4")
    np.save(tmp_path / "in.npy", x)
    for words in growing:
        ck.run_file(ck.resample, tmp_path / "in.npy", tmp_path / "out.npy", (7, 9), force=True, **words)
        assert np.array_equal(np.load(tmp_path / "out.npy"), ck.resample(x, (7, 9), **words))
    with pytest.warns(UserWarning, match="elements are skipped"):
        ck.run_file(ck.resample, tmp_path / "in.npy", tmp_path / "out.npy", (7, 9), force=True)


def test_what_is_wrong():
    x = rng.random((16, 16))
    for words, error, text in [
            ({"zoom": 0.1, "by": "nearest", "antialias": True}, RuntimeError, "linear and cubic have"), ({"zoom": 0.1, "by": "spline", "antialias": True}, RuntimeError, "spline"),
            ({"rotate": 30, "antialias": True}, RuntimeError, "shrink by a zoom first"), ({"polar": "to", "by": "area"}, RuntimeError, "area"),
            ({"coordinates": np.zeros((2, 4)), "by": "mode"}, RuntimeError, "mode"), ({"zoom": 0.1, "by": "area", "boundary": "reflect"}, ValueError, "edge or periodic"),
            ({"zoom": 0.1, "antialias": True, "boundary": "constant:0"}, ValueError, "leave it out"), ({"zoom": 0.1, "by": "box"}, ValueError, "area, mode, lanczos and average"),
            ({"zoom": 0.1, "antialias": 1}, TypeError, "antialias is True or False"), ({"zoom": 0.1, "antialias": "linear"}, TypeError, "antialias"),
            ({"zoom": 0.1, "by": None}, TypeError, "by"), ({"zoom": 0.1, "by": ["area"]}, TypeError, "by"), ({"zoom": 0.1, "by": "Area"}, ValueError, "Area"),
            ({"zoom": 0.1, "anti_alias": True}, TypeError, "anti_alias")]:
        with pytest.raises(error, match=text):
            ck.resample(x, **words)
