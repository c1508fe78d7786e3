"""Plans that are kept from call to call are found by all that a request says: every call gives what it gives alone, whatever was asked before it.

SPDX-License-Identifier: BSD-3-Clause
"""
import random

import numpy as np
import pytest

import crinkle as ck

rng = np.random.default_rng(7)
x = rng.random((4, 6, 8))
z = x + 1j * rng.random(x.shape)


def check(calls):
    """Calls alone, then one after the other in several orders."""
    alone = []
    for call in calls:
        ck.clear_cache()
        alone.append(np.array(call()))
    assert len({(a.dtype.str, a.shape, a.tobytes()) for a in alone}) == len(alone), "calls that make no difference"
    order = list(range(len(calls)))
    for seed in range(3):
        ck.clear_cache()
        random.Random(seed).shuffle(order)
        for k in order * 2:
            got = calls[k]()
            assert got.dtype == alone[k].dtype and got.shape == alone[k].shape and got.tobytes() == alone[k].tobytes(), f"call {k} in the order {order}"


def strided(shape, dtype, step):
    return np.zeros((*shape[:-1], step * shape[-1]), dtype)[..., ::step]


def test_transforms():
    fft, f4, c8 = ck.fft, x.astype("f4"), z.astype("c8")
    check([lambda: fft.fft(z), lambda: fft.ifft(z), lambda: fft.fft(z, norm="ortho"), lambda: fft.fft(z, norm="forward"), lambda: fft.fft(z, axis=0),
           lambda: fft.fft(z, axis=1), lambda: fft.fftn(z, axes=(0, 1)), lambda: fft.fft(z, 7), lambda: fft.fft(z, 9), lambda: fft.fftn(z, (6, 4), (0, 1)),
           lambda: fft.fftn(z, (4, 7), (0, 1)), lambda: fft.fft(c8), lambda: fft.rfft(x), lambda: fft.rfft(f4), lambda: fft.rfft(x.astype("f2")),
           lambda: fft.rfftn(x, axes=(0, 1)), lambda: fft.rfftn(x, axes=(1, 0)), lambda: fft.irfft(z), lambda: fft.irfft(z, 13), lambda: fft.irfft(z, 15),
           lambda: fft.dct(x), lambda: fft.idct(x), lambda: fft.dst(x), lambda: fft.dct(f4), lambda: fft.dct(x, norm="ortho"), lambda: fft.dct(x, axis=0),
           lambda: fft.fft(z[::-1]), lambda: fft.fft(z[:, ::-1]), lambda: fft.fft(z[:, :, ::2]), lambda: fft.fft(z[1:]), lambda: fft.fft(z.transpose(1, 0, 2))])
    outs = [lambda step=step, b=b: fft.fft(b, out=strided(b.shape, b.dtype, step)) for step in (1, 2, 3) for b in (z, z[::-1], c8)]
    for call in outs * 2:  # alike but for where they are written
        assert call().tobytes() in {fft.fft(b).tobytes() for b in (z, z[::-1], c8)}
    half = np.zeros((4, 6, 8), "f2")
    assert np.allclose(fft.irfft(fft.rfft(f4), 8, out=half), x, atol=1e-2) and np.allclose(fft.irfft(fft.rfft(f4), 8), x, atol=1e-5)


def test_convolutions():
    a, b = x, rng.random((2, 3, 3))
    f = ck.fft.fftconvolve
    check([lambda: f(a, b), lambda: ck.fft.correlate(a, b), lambda: f(a, b, "same"), lambda: f(a, b, "valid"), lambda: f(a[:2], b, axes=(1, 2)),
           lambda: f(a[:2, :3], b, axes=2),
           lambda: f(a.astype("f4"), b.astype("f4")), lambda: f(a[::-1], b), lambda: f(a, b[::-1]), lambda: f(a[1:], b), lambda: f(a, b[:1]),
           lambda: f(a[:, ::2], b),
           lambda: f(a[:2, :3], b, axes=(0, 2))])


def test_stencils():
    a, big = (100 * x).astype("i2"), (100 * x).astype(">i2")
    s = ck.stencil
    check([lambda: s(a, "average"), lambda: s(a, "average:2"), lambda: s(a, "average", axes=(0, 1)), lambda: s(a, "average", axes=(1, 2)),
           lambda: s(a, "average", boundary="edge"),
           lambda: s(a, "average", boundary="constant:1"), lambda: s(a, "average", boundary="constant:5000"),
           lambda: s(a, "average", boundary=[("constant:9", "edge")] * 3),
           lambda: s(a, "average", boundary=[("edge", "constant:9")] * 3), lambda: s(a, "average", steps=2), lambda: s(a, "average", dtype="f4"),
           lambda: s(a, "average", dtype="f8"),
           lambda: s(a, [1.0, 2.0], axes=0), lambda: s(a, [2.0, 1.0], axes=0), lambda: s(a, [1.0, 2.0], axes=0, convolve=True), lambda: s(a[::-1], "average"),
           lambda: s(a[1:], "average"),
           lambda: s(a.view("u2").astype("u4"), "average", dtype="f2"), lambda: s(a.view(big.dtype), "average", dtype="f8"),
           lambda: s(big, "average", dtype=">f8")])


def test_resamplings():
    a, flat = (100 * x).astype("f4"), (100 * x[0]).astype("f4")
    r = ck.resample
    check([lambda: r(a, zoom=2), lambda: r(a, zoom=2, keep="centres"), lambda: r(a, zoom=3), lambda: r(a, zoom=1.5), lambda: r(a, zoom=[2, 1, 1]), lambda: r(a, zoom=[1, 2, 1]),
           lambda: r(a, zoom=2, axes=(1, 2)), lambda: r(a, (5, 7, 9)), lambda: r(a, zoom=2, by="nearest"), lambda: r(a, zoom=2, by="cubic"),
           lambda: r(a, zoom=2, by="spline"), lambda: r(a, zoom=2, boundary="constant:7"), lambda: r(a, zoom=2, boundary="constant:8"),
           lambda: r(a, zoom=2, boundary=[("constant:9", "edge")] * 3), lambda: r(a, zoom=2, dtype="f8"), lambda: r(a.astype("f8") + 1e-9, zoom=2), lambda: r(a.astype("u2"), zoom=2),
           lambda: r(a.astype("i2"), zoom=2, by="cubic"), lambda: r(a.astype(">f4"), zoom=2, dtype=">f4"), lambda: r(a[::-1], zoom=2), lambda: r(a[1:], zoom=2),
           lambda: r(a, zoom=0.75, antialias=True), lambda: r(a, zoom=0.75), lambda: r(a, zoom=0.75, by="area"), lambda: r(a, zoom=0.75, by="mode"),
           lambda: r(flat, rotate=30), lambda: r(flat, rotate=31), lambda: r(flat, flat.shape, rotate=30), lambda: r(flat, matrix=[[1, 0.5], [0, 1]]),
           lambda: r(flat, matrix=[[1, 0], [0.5, 1]]), lambda: r(flat, matrix=[[1, 0.5], [0, 1]], offset=0.25), lambda: r(flat, matrix=np.array([[1, 0.5], [0, 1]]), offset=[0.25, 0]),
           lambda: r(flat, polar="to"), lambda: r(flat, polar="to", radius=4), lambda: r(flat, polar="to", centre=(1, 2)), lambda: r(flat, polar="to", log=True),
           lambda: r(flat, polar="from"), lambda: r(flat, coordinates=np.full((2, 3), 1.25)), lambda: r(flat, coordinates=np.full((2, 3), 1.5))])


def test_resamplings_that_are_kept_are_those_of_equal_words():
    a, q = x.astype("f4"), np.full((3, 5), 1.25)
    for _ in range(3):
        with pytest.raises(TypeError, match="log"):
            ck.resample(a[0], polar="to", log=0)
        assert ck.resample(a[0], polar="to", log=False).shape == (360, ck.resample(a[0], polar="to").shape[1])
        out = np.zeros((8, 12, 16), "f4")
        assert ck.resample(a, zoom=2, out=out) is out and np.array_equal(out, ck.resample(a, zoom=2))
        with pytest.raises(ValueError, match="shape"):
            ck.resample(a, zoom=2, out=np.zeros((8, 12, 17), "f4"))
        with pytest.raises(ValueError, match="read-only"):
            ck.resample(a, zoom=2, out=np.broadcast_to(np.float32(0), (8, 12, 16)))
        out.flags.writeable = False
        with pytest.raises(ValueError, match="read-only"):
            ck.resample(a, zoom=2, out=out)
        with pytest.warns(UserWarning, match="skipped"):
            ck.resample(a, zoom=0.25)
        wide = np.array([[0, 2**53 + 1]])
        with pytest.warns(UserWarning, match="2.53"):
            ck.resample(wide, zoom=2)
        with pytest.warns(UserWarning, match="beyond uint8"):
            ck.resample(300 * a, zoom=2, out=np.zeros((8, 12, 16), "u1"))
        assert np.allclose(ck.resample(a, coordinates=q), ck.resample(a, coordinates=q + 0))
        q += 0.25  # is looked at anew
        assert isinstance(ck.plan(ck.resample, a, zoom=2).run(a), np.ndarray)
        memory = np.zeros(2000, "f4")
        with pytest.raises(ValueError):
            ck.resample(memory[:192].reshape(4, 6, 8), zoom=2, out=memory[100:1636].reshape(8, 12, 16))


def test_moves():
    a, b, c = (rng.random((4, 6)) for _ in range(3))
    move, spec = ck.move, "... a -> a ..."
    check([lambda: move(a, "y x -> x y"), lambda: move(a, "y x -> y x"), lambda: move(a, spec, flip="a"), lambda: move(a, spec, roll={"a": 1}),
           lambda: move(a, spec, roll={"a": 2}),
           lambda: move(a, spec, slice={"a": (0, 2)}), lambda: move(a, spec, slice={"a": slice(0, None, 2)}), lambda: move(a, spec, pad={"a": 1}),
           lambda: move(a, spec, pad={"a": (1, 1, "edge")}), lambda: move(a, spec, pad={"a": (1, 1, "constant", 3)}),
           lambda: move(a, spec, pad={"a": (1, 1, "constant", 4)}),
           lambda: move(a, spec, take={"a": [0, 2]}), lambda: move(a, spec, take={"a": [1, 0]}), lambda: move([a], spec), lambda: move([a, b], spec),
           lambda: move([b, a], spec),
           lambda: move([a, b, c], spec), lambda: move(a.astype("f4"), spec), lambda: move(a[::-1], spec), lambda: move(a[1:], spec),
           lambda: move(a.T, spec, flip="a"),
           lambda: move(a, "y (x k) -> k y x", k=2), lambda: move(a, "y (x k) -> k y x", k=3), lambda: move(a, "y x -> y x", roll={"y": 1}, flip="y"),
           lambda: move(a, "y x -> y x", flip="y", roll={"y": 1}), lambda: move(a, "... -> ...", order="checkerboard"),
           lambda: move(a.astype("f4"), "... -> ...", byte_order="big")])


def test_a_source_and_an_output_are_not_two_sources():
    a, b = rng.random(6), rng.random(6)
    for spec, both in ("... -> ...", lambda: np.stack([a, b])), ("... a -> a ...", lambda: np.stack([a, b], -1)):
        for order in (0, 1), (1, 0):
            ck.clear_cache()
            for k in order:
                if k == 0:
                    assert np.array_equal(ck.move(a, spec, out=b), a)
                else:
                    assert np.array_equal(ck.move([a, b], spec), both())
    out = np.empty((2, 6))
    ck.clear_cache()
    assert np.array_equal(ck.move([a, b], "... -> ...", out=out), np.stack([a, b]))
    with pytest.raises(ValueError, match=r"\(6,\).*\(2, 6\)"):
        ck.move([a, b, out], "... -> ...")


def test_numbers_that_are_equal_are_not_always_the_same():
    a = rng.random((4, 6))
    for good, wrong in (({"slice": {"x": (0, 2)}}, {"slice": {"x": (0.0, 2.0)}}), ({"roll": {"x": 1}}, {"roll": {"x": 1.0}}),
                        ({"at": {"x": 1}}, {"at": {"x": 1.0}}),
                        ({"pad": {"x": 1}}, {"pad": {"x": 1.0}}), ({"dilate": {"x": 2}}, {"dilate": {"x": 2.0}})):
        spec = "y x -> y" if "at" in good else "y x -> y x"
        ck.move(a, spec, **good)
        with pytest.raises(TypeError):
            ck.move(a, spec, **wrong)
    zeros = [ck.pad(a, 1, constant_values=value) for value in (0.0, -0.0, 0.0)]
    assert [np.signbit(p[0, 0]) for p in zeros] == [False, True, False]


def test_options_that_are_kept_are_those_of_equal_words():
    """1, 1.0 and True are equal and have one hash; 0.0 and -0.0, too."""
    x = np.arange(6, dtype="f4").reshape(2, 3)
    for _ in range(2):
        assert np.array_equal(ck.pad(x, 1), np.pad(x, 1))
        assert np.array_equal(ck.pad(x, ((1, 0), (2, 1)), "edge"), np.pad(x, ((1, 0), (2, 1)), "edge"))
        assert np.array_equal(ck.pad(x.astype("f8"), 1), np.pad(x.astype("f8"), 1))
        for refused in (1.0, ((1.0, 0), (2, 1)), True):
            with pytest.raises((TypeError, ValueError)):
                ck.pad(x, refused)
        for zero in (0.0, -0.0):
            assert np.signbit(ck.pad(x, 1, constant_values=zero)[0, 0]) == np.signbit(zero)
        with pytest.raises(ValueError, match="constant_values"):
            ck.pad(x, 1, "edge", constant_values=1)
        with pytest.raises(ValueError):
            ck.pad(x, -1)


def test_conversions_of_records_are_kept_by_their_words():
    r = np.zeros(5, [("x", "f4"), ("y", "i2")])
    r["x"], r["y"] = np.arange(5), -np.arange(5)
    for _ in range(2):
        for n in (5, 3, 0):
            x, y = ck.records(r[:n], "x|y")
            assert np.array_equal(x, r["x"][:n]) and np.array_equal(y, r["y"][:n])
            assert np.array_equal(ck.records([x, y], dtype=r.dtype), r[:n])
            assert np.array_equal(ck.records(ck.records(r[:n], "x*2|y"), dtype=r.dtype, source="x*2|y"), r[:n])
        with pytest.raises(ValueError):
            ck.records(r, "x|z")


def test_joins_of_plain_arrays_are_checked_as_others_are():
    x = np.arange(6).reshape(2, 3)
    assert np.array_equal(ck.concat((x, x[:1])), np.concatenate((x, x[:1])))
    assert np.array_equal(ck.concat([x, x.astype("f4")], axis=1), np.concatenate([x, x.astype("f4")], axis=1))
    assert np.array_equal(ck.stack([x, x.astype(">i8")], axis=-1), np.stack([x, x], axis=-1))
    for wrong in ([x, x[:, :2]], [x, x[0]], [x[0], x], []):
        with pytest.raises(ValueError):
            ck.concat(wrong)
        with pytest.raises(ValueError):
            ck.stack(wrong)
    with pytest.raises(IndexError):
        ck.concat([np.float32(1), np.float32(2)])
    with pytest.raises(TypeError):
        ck.concat([np.array([None]), np.array([None])])
