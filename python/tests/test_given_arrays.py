"""The array that is read is the one that was given: its order, its elements, its memory. What would be lost on the way is refused.

SPDX-License-Identifier: BSD-3-Clause
"""
import numpy as np
import pytest

import crinkle as ck
import crinkle.einops as einops

x = np.arange(12.0).reshape(3, 4)
record = [("a", "f4"), ("b", "i2")]
masked = np.ma.masked_array(x, x > 5)
one, two = np.ma.masked_array([0, 1, 1], [0, 1, 0]), np.ma.masked_array([1.0, 2.0], [0, 1])


def calls_of(m, structured):
    """Every function that takes an array, of one that has a mask."""
    square, points = m[:, :3], m[:, :2]
    names = {name: (lambda name=name: getattr(ck, name)(m)) for name in ("flip", "squareform", "unstack", "expand_dims", "pdist", "matrix_transpose")}
    names |= {f"fft.{name}": (lambda name=name: getattr(ck.fft, name)(m)) for name in (
        "fft", "ifft", "fft2", "fftn", "rfft", "irfft", "rfftn", "hfft", "ihfft", "dct", "idct", "dst", "dctn", "fftshift", "ifftshift")}
    return names | {
        "move": lambda: ck.move(m, "y x -> x y"), "plan": lambda: ck.plan(m, "y x -> x y"), "run": lambda: ck.plan(x, "y x -> x y").run(m),
        "a list": lambda: ck.move([m, m], "n y x -> y x n"), "rows": lambda: ck.flip([[1, 2, 3, 4], m[2]]), "a number": lambda: ck.flip([[1, np.ma.masked]]),
        "roll": lambda: ck.roll(m, 1), "reshape": lambda: ck.reshape(m, (4, 3)), "tile": lambda: ck.tile(m, 0), "repeat": lambda: ck.repeat(m, 0),
        "stack": lambda: ck.stack([x, m]), "concat": lambda: ck.concat([x, m]), "broadcast_to": lambda: ck.broadcast_to(m, (2, 3, 4)),
        "broadcast_arrays": lambda: ck.broadcast_arrays(x, m), "take": lambda: ck.take(m, [0], axis=0), "pad": lambda: ck.pad(m, 1),
        "pad by means": lambda: ck.pad(m, 1, "mean"), "permute_dims": lambda: ck.permute_dims(m, (1, 0)), "squeeze": lambda: ck.squeeze(m[:1], 0),
        "stencil": lambda: ck.stencil(m, "average"), "weights": lambda: ck.stencil(x, m), "resample": lambda: ck.resample(m, zoom=2),
        "coordinates": lambda: ck.resample(x, coordinates=np.ma.masked_array(np.ones((2, 2, 2)), True)),
        "matrix": lambda: ck.resample(x, matrix=np.ma.masked_array(np.eye(2))), "offset": lambda: ck.resample(x, matrix=np.eye(2), offset=two),
        "zoom": lambda: ck.resample(x, zoom=two), "triangle": lambda: ck.triangle(square, "full lower", "packed lower"),
        "interpolate": lambda: ck.interpolate(points, [1, 2, 3], x[:, :2]), "values": lambda: ck.interpolate(x[:, :2], one, x[:, :2]),
        "targets": lambda: ck.interpolate(x[:, :2], [1, 2, 3], points), "samples' weights": lambda: ck.interpolate(x[:, :2], [1, 2, 3], x[:, :2], weights=one),
        "grid": lambda: ck.grid(points, [1, 2, 3], (0, 0), (1, 1), (2, 2)), "steps": lambda: ck.grid(x[:, :2], [1, 2, 3], two, (1, 1), (2, 2)),
        "fftconvolve": lambda: ck.fft.fftconvolve(m, x), "in2": lambda: ck.fft.correlate(x, m), "out": lambda: ck.move(x, "y x -> y x", out=m.copy()),
        "out of a transform": lambda: ck.fft.fft(x, out=np.ma.masked_array(x + 0j)), "save": lambda: ck.save("nowhere.npy", m),
        "indices": lambda: ck.take(x, one, axis=0), "indices of a move": lambda: ck.move(x, "y x -> y x", take={"x": one}),
        "repeats": lambda: ck.repeat(x, one, axis=0), "widths": lambda: ck.pad(x, one[:2]), "a value": lambda: ck.pad(x, 1, constant_values=two),
        "a value of a move": lambda: ck.move(x, "y x -> y x", pad={"x": (1, 1, "constant", np.ma.masked)}),
        "records": lambda: ck.records(structured, "a|b"), "records of arrays": lambda: ck.records([one.astype("f4"), np.zeros(3, "i2")], dtype=record),
        "records of bytes": lambda: ck.records(np.ma.masked_array(np.zeros(6, "u1"), True), source="a|b", dtype=[("a", "i1"), ("b", "i1")]),
        "rearrange": lambda: einops.rearrange(m, "a b -> b a"), "einops.repeat": lambda: einops.repeat(m, "a b -> b a c", c=2),
        "pack": lambda: einops.pack([m], "* a"), "unpack": lambda: einops.unpack(m, [(1,), (2,)], "* a"), "parse_shape": lambda: einops.parse_shape(m, "a b")}


@pytest.mark.parametrize("name", list(calls_of(masked, None)))
def test_masks_are_refused_with_the_same_words(name):
    structured = np.ma.masked_array(np.zeros(3, record), mask=[(1, 0), (0, 0), (0, 1)])
    with pytest.raises(TypeError, match=r"Masked\w+ is a masked array, and crinkle does not look at masks: give its data and its mask one by one, or .*filled"):
        calls_of(masked, structured)[name]()


def test_masks_of_other_arrays():
    class Interface:
        __array_interface__ = {**x.__array_interface__, "mask": x > 5}

    with pytest.raises(TypeError, match="Interface is a masked array, and crinkle does not look at masks"):
        ck.move(Interface(), "y x -> x y")
    fields = np.rec.array([(1, True), (2, False)], dtype=[("x", "i4"), ("mask", "?")])  # a field that is called so
    assert ck.flip(fields).tolist() == [(2, False), (1, True)] and ck.records(fields, "mask|x")[0].tolist() == [True, False]


wide = x.astype(np.longdouble)


@pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="long double is double here")
@pytest.mark.parametrize("call", [
    ck.fft.fft, ck.fft.rfft, ck.fft.ifftn, ck.fft.hfft, ck.fft.ihfft, ck.fft.dct, ck.fft.dst, ck.fft.idctn,
    lambda a: ck.fft.fft(a + 0j), lambda a: ck.fft.irfft(a + 0j), lambda a: ck.fft.fftconvolve(a, x), lambda a: ck.fft.correlate(x, a), ck.pdist,
    lambda a: ck.stencil(a, "average"), lambda a: ck.stencil(x, a), lambda a: ck.resample(a, zoom=2), lambda a: ck.resample(x, matrix=a[:2, :2]),
    lambda a: ck.resample(x, coordinates=a[:2].reshape(2, 2, 2)), lambda a: ck.interpolate(a[:, :2], [1, 2, 3], x[:, :2]),
    lambda a: ck.interpolate(x[:, :2], a[:, 0], x[:, :2]), lambda a: ck.interpolate(x[:, :2], [1, 2, 3], a[:, :2]),
    lambda a: ck.grid(a[:, :2], [1, 2, 3], (0, 0), (1, 1), (2, 2)), lambda a: ck.stencil(x, "average", dtype=a.dtype), lambda a: ck.fft.fft(x, out=a + 0j)])
def test_long_double_is_not_rounded(call):
    with pytest.raises((TypeError, ValueError), match="float128|complex256|float96|complex192"):
        call(wide)
    assert ck.move(wide, "y x -> x y").dtype == np.longdouble


def test_outs_of_transforms_that_change_nothing_or_do_so_twice():
    a = x + 1j
    for axes in ((), (0, 0), (1, 0, 1), (-1, 1)):
        right = ck.fft.fftn(a, axes=axes)
        assert np.allclose(right, np.fft.fftn(a, axes=axes) if axes else a)
        for transform, want in (ck.fft.fftn, right), (ck.fft.ifftn, ck.fft.ifftn(a, axes=axes)):
            for out in np.full((3, 4), 7j), np.full((6, 8), 7j)[::-2, ::2], a.copy():
                assert transform(a, axes=axes, out=out) is out and np.array_equal(out, want)
            with pytest.raises(ValueError, match="complex64"):
                transform(a, axes=axes, out=np.zeros((3, 4), "c8"))
            with pytest.raises(ValueError, match=r"\(4, 4\)"):
                transform(a, axes=axes, out=np.zeros((4, 4), "c16"))
        inside = a.copy()
        assert ck.fft.fftn(inside, axes=axes, out=inside) is inside and np.array_equal(inside, right)
    out = np.zeros((4, 4), complex)
    assert ck.fft.fftn(a, s=(4, 5), axes=(0, 0), out=out) is out and np.allclose(out, np.fft.fftn(a, s=(4, 5), axes=(0, 0)))
    out = np.zeros((3, 4), complex)
    assert ck.fft.fftn(x, axes=(), out=out) is out and np.array_equal(out, x)  # numbers become complex ones
    for call in (lambda: ck.fft.rfftn(x, axes=()), lambda: ck.fft.irfftn(a, axes=()), lambda: ck.fft.fftn(a, s=(), axes=(0,)),
                 lambda: ck.fft.dctn(x, s=(), axes=(1,))):
        with pytest.raises(ValueError, match="no axes|0 sizes for 1 axes"):
            call()


def test_the_byte_order_of_out():
    for call, shape, dtype in ((ck.fft.fft, (3, 4), "c16"), (ck.fft.rfft, (3, 3), "c16"), (lambda a, out: ck.fft.irfft(a, 4, out=out), (3, 4), "f8"),
                               (ck.fft.hfft, (3, 6), "f8"), (ck.fft.ihfft, (3, 3), "c16"), (lambda a, out: ck.fft.fftn(a, axes=(), out=out), (3, 4), "c16"),
                               (lambda a, out: ck.fft.fftn(a, axes=(0, 0), out=out), (3, 4), "c16")):
        out = np.full(shape, 7, np.dtype(dtype).newbyteorder())
        with pytest.raises(ValueError, match=f"out is {out.dtype.str}, in the other byte order"):
            call(x, out=out)
        assert (out == 7).all()
    swapped = np.zeros((3, 4), np.dtype("f8").newbyteorder())
    ck.stencil(x, [[2.0]], out=swapped)  # these write any order
    assert np.array_equal(swapped, 2 * x)
    ck.resample(x, x.shape, by="nearest", out=swapped)
    assert np.array_equal(swapped, x)
    for call in (lambda: ck.move(x, "... -> ...", out=swapped), lambda: ck.pdist(x, out=np.zeros(3, swapped.dtype)),
                 lambda: ck.concat([x, x], out=np.zeros((6, 4), swapped.dtype))):
        with pytest.raises(ValueError, match="type >f8|type <f8"):
            call()


@pytest.mark.parametrize("shape", [(3,), (2, 3), (1, 1, 4)])
@pytest.mark.parametrize("dtype", ["M8[ns]", ">m8[25s]", "M8[D]", "m8", "M8[s]", "U2", "c8", "S3"])
def test_fields_of_several_times(dtype, shape):
    table = np.zeros(5, [("t", dtype, shape), ("k", "i1")])
    table["t"] = np.arange(table["t"].size).reshape(table["t"].shape).astype(table["t"].dtype)
    table["k"] = [1, 2, 3, 4, 5]
    t, k = ck.records(table, "t|k")
    assert t.dtype == table["t"].dtype and np.array_equal(t, table["t"]) and np.array_equal(k, table["k"])
    assert np.array_equal(ck.records([t, k], dtype=table.dtype), table)
    packed = ck.records(table, "(k t)*4")
    back = ck.records(packed, dtype=table.dtype, source="(k t)*4")
    assert np.array_equal(back, table)


@pytest.mark.parametrize("size", [2.9, "2", True, False, 2.0, np.float64(2), np.True_, None, [2], 2j, np.array(True), np.array(2.0)])
def test_sizes_are_integers(size):
    for call in (lambda: einops.rearrange(x, "a (b c) -> a b c", c=size), lambda: einops.repeat(x, "a b -> a b c", c=size),
                 lambda: ck.move(x, "a (b c) -> a b c", c=size), lambda: ck.move(x, "a (b c) -> a b c", sizes={"c": size}),
                 lambda: ck.plan(x, "a (b c) -> a b c", c=size),
                 lambda: einops.unpack(x, [(size,), (1,)], "* a")):
        with pytest.raises((einops.EinopsError, TypeError), match="integer"):
            call()
    for two in 2, np.int8(2), np.array(2):
        assert einops.rearrange(x, "a (b c) -> a b c", c=two).shape == ck.move(x, "a (b c) -> a b c", c=two).shape == (3, 2, 2)


numbers = [np.float64(3), np.complex128(3), np.float32(3), np.int64(3), np.longdouble(3), np.True_, np.str_("ab"), np.bytes_(b"ab"), np.datetime64(3, "s"),
           np.void(b"abc"),
           np.zeros(1, record)[0]]


@pytest.mark.parametrize("number", numbers, ids=lambda n: type(n).__name__)
def test_numbers_of_numpy_are_arrays_of_rank_0(number, tmp_path):
    a = np.asarray(number)
    for call in (lambda n: ck.move(n, "-> "), lambda n: ck.move(n, "... -> ..."), ck.flip, ck.expand_dims, lambda n: ck.broadcast_to(n, (2,)),
                 lambda n: ck.tile(n, 3),
                 lambda n: ck.repeat(n, 2), lambda n: ck.stack([n, n]), lambda n: ck.concat([n, n], axis=None), lambda n: ck.reshape(n, (1, 1)),
                 lambda n: ck.pad(n, 1, "mean"),
                 lambda n: ck.plan(n, "->").run(n), lambda n: einops.rearrange(n, "->"), lambda n: einops.repeat(n, "-> k", k=2), ck.fft.fftshift):
        got, want = call(number), call(a)
        assert got.dtype == want.dtype == a.dtype and got.shape == want.shape and got.tobytes() == want.tobytes() == a.tobytes() * want.size
    path = tmp_path / "number.npy"
    if a.dtype.kind != "V":
        ck.save(path, number)
        assert np.load(path) == number and np.load(path).shape == ()
    for call in (ck.fft.fft, ck.fft.rfft, ck.fft.hfft, ck.fft.ihfft, ck.fft.dct, lambda n: ck.stencil(n, "average"), lambda n: ck.resample(n, zoom=2),
                 ck.pdist, ck.squareform,
                 lambda n: ck.triangle(n, "full lower", "packed lower"), lambda n: ck.fft.fftconvolve(n, n), lambda n: ck.interpolate(n, n, n),
                 lambda n: ck.concat([n, n]),
                 lambda n: ck.records(n, "a|b"), ck.unstack, ck.matrix_transpose, lambda n: ck.stencil(n, [1.0], axes=0)):
        for given in number, a:
            with pytest.raises((ValueError, TypeError)):
                call(given)
    if a.dtype.kind in "fci" and a.dtype != np.longdouble:
        assert ck.fft.fftn(number) == number and ck.fft.fftn(number).shape == ()


def test_numbers_of_numpy_are_no_outs():
    for out in np.float32(0), np.int64(0), np.void(b"abcd"):
        for call in (lambda: ck.move(np.ones((), out.dtype), "->", out=out), lambda: ck.flip(np.ones((), out.dtype), out=out)):
            with pytest.raises((ValueError, TypeError), match="lost|read-only"):
                call()
    with pytest.raises((ValueError, TypeError)):
        ck.fft.fftn(np.complex64(3), out=np.complex64(0))
