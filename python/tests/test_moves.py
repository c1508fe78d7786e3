"""Moves of NumPy's arrays: any strides, types and options, against NumPy.

SPDX-License-Identifier: BSD-3-Clause
"""
import threading

import numpy as np
import pytest

import crinkle as ck


def test_a_transposition():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    y = ck.move(x, "y x -> x y")
    assert y.dtype == x.dtype and y.flags.c_contiguous and (y == x.T).all()


@pytest.mark.parametrize("view", [np.s_[::-1], np.s_[:, ::-2], np.s_[1:, 3], np.s_[::2, ::3], np.s_[:0]])
def test_views(view):
    x = np.arange(60, dtype=np.int16).reshape(6, 10)[view]
    assert (ck.move(x, "... -> ...") == x).all()
    assert (ck.move(x, "a ... -> ... a") == np.moveaxis(x, 0, -1)).all()


def test_broadcast_view():
    x = np.broadcast_to(np.arange(3), (4, 3))
    assert (ck.move(x, "y x -> x y") == x.T).all()


@pytest.mark.parametrize("dtype", ["?", "i1", ">u2", "f2", ">f8", "c8", "c16", "S7", "U3", "M8[s]", "m8[D]", "V5", [("a", "i1"), ("b", ">f8", (2,))]])
def test_types(dtype):
    bytes_ = np.random.default_rng(1).integers(0, 2, 24 * np.dtype(dtype).itemsize, np.uint8)
    x = np.frombuffer(bytes_, dtype).reshape(4, 6)
    y = ck.move(x, "y x -> x y")
    assert y.dtype == x.dtype and y.tobytes() == np.ascontiguousarray(x.T).tobytes()


def test_verbs_and_sizes():
    x = np.arange(48).reshape(4, 12)
    y = ck.move(x, "y (x k) -> k y x", flip="y", roll={"x": 1}, pad={"y": (1, 2, "constant", 7)}, k=3)
    z = np.pad(np.roll(x[::-1].reshape(4, 4, 3), 1, 1), ((1, 2), (0, 0), (0, 0)), constant_values=7)
    assert (y == np.moveaxis(z, 2, 0)).all()
    assert (ck.move(x, "y x -> x", at={"y": -1}) == x[-1]).all()
    assert (ck.move(x, "y x -> y x", slice={"x": slice(10, None, -3)}, take={"y": [3, 0, 0, -2]}) == x[[3, 0, 0, -2]][:, 10::-3]).all()
    assert (ck.move(x, "y (x 5) -> 5 y x", tail="pad").reshape(5, 4, 3)[:, 0, 2] == [10, 11, 0, 0, 0]).all()


def test_out():
    x = np.arange(12).reshape(3, 4)
    base = np.full((8, 6), -1)
    out = base[::-2, ::2]
    assert ck.move(x, "y x -> x y", out=out) is out
    assert (out == x.T).all() and (base[:, 1::2] == -1).all() and (base[::2] == -1).all()
    square = np.arange(9).reshape(3, 3)
    before = square.copy()
    ck.move(square, "y x -> x y", out=square)
    assert (square == before.T).all()


def test_byte_order():
    x = np.arange(12, dtype="<i4").reshape(3, 4)
    y = ck.move(x, "y x -> x y", byte_order="big")
    assert y.dtype == ">i4" and (y == x.T).all()
    records = np.zeros(3, [("a", "<i4"), ("pad", "V3"), ("b", ">c8", (2,)), ("t", "<U2")])
    records["a"], records["b"], records["t"] = 7, 1 + 2j, "ab"
    swapped = ck.move(records, "n -> n", byte_order="big")
    assert swapped.dtype == records.dtype.newbyteorder(">") and (swapped == records).all()


def test_lists_of_arrays():
    xs = [np.full((2, 3), k) for k in range(5)]
    assert (ck.move(xs, "n y x -> y x n") == np.stack(xs, -1)).all()
    assert (ck.move(xs[:1], "n y x -> y x n") == np.stack(xs[:1], -1)).all()
    assert (ck.plan(xs, "n y x -> y x n").run(xs) == np.stack(xs, -1)).all()


def test_plans():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    p = ck.plan(x, "y x -> x y", roll={"y": 1})
    y = p.run(x)
    assert (y == np.roll(x, 1, 0).T).all() and (p.inverse().run(y) == x).all()
    assert p.shape == (4, 3) and p.source_shape == (3, 4) and p.bytes_moved == 96
    assert "box" in p.describe() and p._repr_svg_().lstrip().startswith("<?xml")
    assert ck.plan((3, 4), "y x -> x y", dtype="f4").run(x).shape == (4, 3)
    assert ck.plan((300, 400), "y x -> x y")._repr_svg_() is None
    view = np.arange(24, dtype=np.float32).reshape(3, 8)[:, ::-2]
    back = ck.plan(view, "y x -> x y").inverse()
    assert (back(ck.move(view, "y x -> x y")) == view).all()
    with pytest.raises(ValueError, match=r"shape \(3, 4\).*\(4, 3\)"):
        p.run(x.T)


@pytest.mark.parametrize("call, error, text", [
    (lambda x: ck.move(x, "y x -> q y"), ck.NotationError, r"`x`[^$]*\^"),
    (lambda x: ck.move(x, "(y 2) x -> y x 2"), ValueError, "extent 3.*tail='pad'"),
    (lambda x: ck.move(x, "y x -> y"), ck.NotationError, "at={'x': 0}"),
    (lambda x: ck.move(x, "y x -> y x", flip="z"), ValueError, "z"),
    (lambda x: ck.move(x, "y x -> y x", pad={"x": -1}), ValueError, "-1"),
    (lambda x: ck.move(x, "y x -> y x", take={"x": [4]}), ValueError, "4"),
    (lambda x: ck.move(x.astype(object), "y x -> x y"), TypeError, "object"),
    (lambda x: ck.move("x", "y x -> x y"), TypeError, "str"),
    (lambda x: ck.move(x, 3), TypeError, "specification"),
    (lambda x: ck.move([], "y x -> x y"), ValueError, "no arrays"),
    (lambda x: ck.move([x, x[1:]], "n y x -> n x y"), ValueError, r"\(2, 4\)"),
    (lambda x: ck.move(x, "y x -> x y", out=np.zeros((3, 4))), ValueError, "type float64"),
    (lambda x: ck.move(x, "y x -> x y", out=np.zeros((3, 4), x.dtype)), ValueError, r"\(3, 4\), the result \(4, 3\)"),
    (lambda x: ck.move(x, "y x -> x y", out=x.reshape(4, 3)), ValueError, "own inverse"),
    (lambda x: ck.move(x, "y x -> x y", out=np.broadcast_to(x[:1, :1], (4, 3))), ValueError, "read-only"),
    (lambda x: ck.move(np.ma.masked_array(x), "y x -> x y"), TypeError, "mask"),
    (lambda x: ck.plan(x, "y x -> y x", slice={"x": (0, 2)}).inverse(), RuntimeError, "x"),
    (lambda x: ck.move(np.lib.stride_tricks.as_strided(x, (1 << 31, 2), (1 << 40, 8)), "y x -> x y"), ValueError, "63"),
    (lambda x: ck.move(np.broadcast_to(x[0, 0], (1 << 30, 1 << 20)), "y x -> x y"), MemoryError, "allocate"),
])
def test_what_bad_requests_get(call, error, text):
    with pytest.raises(error, match=text):
        call(np.arange(12).reshape(3, 4))


def test_the_cache_is_bounded_and_right():
    ck.clear_cache()
    indices = np.random.default_rng(3).permutation(20000)
    for n in range(1, 50):  # each takes a megabyte
        assert (ck.move(np.arange(20000), "x -> x", take={"x": indices[n:]}) == indices[n:]).all()
    assert 1 < ck._core.cached_plans() < 45
    for e in ("i1", "i2", "i8"):  # shapes alike, elements not
        x = np.arange(6).astype(e).reshape(2, 3)
        assert (ck.move(x, "y x -> x y") == x.T).all() and (ck.move(x[::-1], "y x -> x y") == x[::-1].T).all()
    ck.clear_cache()
    assert ck._core.cached_plans() == 0


def test_threads_run_at_once():
    x = np.random.default_rng(2).random((256, 512, 4))
    right = np.ascontiguousarray(x.transpose(2, 1, 0))
    found = []

    def work():
        for _ in range(20):
            found.append((ck.move(x, "z y x -> x y z") == right).all())

    workers = [threading.Thread(target=work) for _ in range(4)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert len(found) == 80 and all(found)


def test_number_of_threads():
    try:
        ck.set_threads(1)
        assert ck.threads() == 1
        x = np.arange(1 << 20).reshape(1024, 1024)
        assert (ck.move(x, "y x -> x y") == x.T).all()
    finally:
        ck.set_threads(0)
