"""cdist beside SciPy's and pdist().

SPDX-License-Identifier: BSD-3-Clause
"""
import numpy as np
import pytest

import crinkle as ck

distance = pytest.importorskip("scipy.spatial.distance")
METRICS = ["euclidean", "sqeuclidean", "cityblock", "chebyshev", "cosine"]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("n, m, features", [(1, 1, 1), (5, 9, 3), (33, 17, 8), (0, 4, 2), (3, 0, 2)])
def test_beside_scipy(metric, n, m, features):
    rng = np.random.default_rng(n * 100 + m)
    a, b = rng.normal(size=(n, features)) + 3, rng.normal(size=(m, features)) + 3
    found = ck.cdist(a, b, metric)
    assert found.shape == (n, m) and found.dtype == np.float64
    np.testing.assert_allclose(found, distance.cdist(a, b, metric), rtol=1e-12, atol=1e-12)
    single = ck.cdist(a.astype("f4"), b.astype("f4"), metric)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, distance.cdist(a.astype("f4"), b.astype("f4"), metric), rtol=2e-5, atol=2e-6)


def test_the_bits_of_pdist():
    x = np.random.default_rng(3).normal(size=(40, 5))
    for metric in METRICS:
        assert (ck.cdist(x, x, metric) == ck.pdist(x, metric, form="square")).all()


def test_types_and_layouts():
    a, b = np.arange(12).reshape(4, 3), [[0.0, 1, 2]]
    assert ck.cdist(a, b).shape == (4, 1)
    assert ck.cdist(a.astype("f4"), np.ones((2, 3))).dtype == np.float64
    x, out = np.random.default_rng(4).normal(size=(6, 3)), np.empty((9, 6)).T
    y = np.random.default_rng(5).normal(size=(9, 3))
    assert ck.cdist(x, y, out=out) is out and (out == ck.cdist(x, y)).all()
    assert (ck.cdist(x[::-1], y[:, ::-1]) == ck.cdist(x[::-1].copy(), y[:, ::-1].copy())).all()


@pytest.mark.parametrize("wrong", [
    lambda: ck.cdist(np.ones((3, 2)), np.ones((3, 4))), lambda: ck.cdist(np.ones(3), np.ones((3, 4))), lambda: ck.cdist(np.ones((3, 2)), np.ones((3, 2)), "euclid"),
    lambda: ck.cdist(np.ones((3, 2)), np.ones((3, 2)), out=np.ones((2, 3))), lambda: ck.cdist(np.ones((3, 2), complex), np.ones((3, 2))),
    lambda: ck.cdist(np.ones((3, 2)), np.ones((3, 2)), out=np.ones((3, 3), "f4")), lambda: ck.cdist(np.ma.ones((3, 2)), np.ones((3, 2))),
    lambda: ck.cdist(np.ones((3, 2)), np.ones((3, 2)), metric=2),
])
def test_what_is_wrong(wrong):
    with pytest.raises((ValueError, TypeError)):
        wrong()
