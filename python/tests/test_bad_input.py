"""What bad input gets: one clear exception with the values. Devices that are not here are played by small objects.

SPDX-License-Identifier: BSD-3-Clause
"""
import ctypes
import re

import numpy as np
import pytest

import crinkle as ck
import crinkle.einops as einops


class OnGpu:
    """What says that it lies on a GPU."""

    ndim, dtype = 2, np.dtype("f4")

    def __init__(self, shape=(3, 4), **facts):
        self.shape = shape
        self.__cuda_array_interface__ = {"shape": shape, "typestr": "<f4", "data": (1 << 20, False), "version": 3, **facts}


class Tensor(ctypes.Structure):
    """A DLManagedTensor: DLPack's old form."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.c_void_p),
                ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class OldForm:
    """__dlpack__ without max_version, of a NumPy array with any strides."""

    def __init__(self, array, device=(1, 0), lanes=1):
        self.array, self.device = array, device
        n, e = array.ndim, array.itemsize
        self.numbers = (ctypes.c_int64 * (2 * n))(*array.shape, *(s // e for s in array.strides))
        code = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}[array.dtype.kind]
        there = ctypes.addressof(self.numbers)
        self.tensor = Tensor(array.__array_interface__["data"][0], *device, n, code, 8 * e, lanes, there, there + 8 * n, 0, None, None)

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, stream=None):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.tensor), b"dltensor", None)


@pytest.mark.parametrize("view", [np.s_[:], np.s_[::-1], np.s_[:, ::-2], np.s_[::-1, ::-1], np.s_[1, ::-1], np.s_[:0]])
@pytest.mark.parametrize("dtype", ["f4", "i2", "c16"])
def test_the_old_form_of_dlpack(view, dtype):
    x = np.arange(30).reshape(5, 6).astype(dtype)[view]
    there = OldForm(x)
    assert np.array_equal(ck.move(there, "... a -> a ..."), np.moveaxis(x, -1, 0))
    assert np.array_equal(ck.flip(there, axis=0), np.flip(x, 0)) and np.allclose(ck.fft.fft(there), np.fft.fft(x), rtol=1e-5)
    assert np.array_equal(einops.rearrange(there, "... -> (...)"), x.ravel())


def test_dlpack_that_does_not_fit():
    x = np.arange(6.0).reshape(2, 3)
    for device in (2, 0), (10, 0), (8, 1):
        for call in (lambda a: ck.move(a, "y x -> x y"), ck.flip, ck.fft.fft, lambda a: ck.save("nowhere.npy", a)):
            with pytest.raises(ValueError, match=f"device {device[0]}"):
                call(OldForm(x, device))
    with pytest.raises(ValueError, match="device 2"):
        ck.move(x, "y x -> x y", out=OldForm(np.zeros((3, 2)), (2, 0)))
    with pytest.raises(ValueError, match="DLPack"):
        ck.flip(OldForm(x, lanes=2))

    class Refuses:
        def __dlpack_device__(self):
            return 1, 0

        def __dlpack__(self, **words):
            raise BufferError("it is lent to somebody")

    with pytest.raises(ValueError, match="lent to somebody"):
        ck.move(Refuses(), "x -> x")


def test_streams():
    if not ck.has_cuda:
        for stream in None, 1, 2, 7 << 20:  # a build without CUDA says so, whatever the stream
            with pytest.raises(RuntimeError, match="CUDA"):
                ck.move(OnGpu(stream=stream), "y x -> x y", out=OnGpu((4, 3)))
    with pytest.raises(ValueError, match="stream 0"):
        ck.move(OnGpu(stream=0), "y x -> x y", out=OnGpu((4, 3)))
    cupy = pytest.importorskip("cupy")
    if cupy.cuda.runtime.getDeviceCount() < 2:
        pytest.skip("one GPU is no other than the current one")
    with cupy.cuda.Device(1):
        x = cupy.arange(6.0).reshape(2, 3)
    with cupy.cuda.Device(0), cupy.cuda.Stream():  # of another device than the array's, whose own stream it is moved on
        made = ck.move(x, "y x -> x y")
    assert made.device.id == 1 and (made.get() == np.arange(6.0).reshape(2, 3).T).all()


def test_mixed_devices():
    x = np.zeros((3, 4), "f4")
    for call in (lambda: ck.move(x, "y x -> x y", out=OnGpu((4, 3))), lambda: ck.move([x, OnGpu()], "n y x -> y x n"), lambda: ck.stack([x, OnGpu()]),
                 lambda: ck.flip(x, out=OnGpu()), lambda: ck.concat([x, x], out=OnGpu((6, 4))), lambda: ck.pdist(x, out=OnGpu((3,)))):
        with pytest.raises(ValueError, match="CPU.*CUDA device 0|CUDA device 0.*CPU"):
            call()
    for call in (lambda: ck.fft.fft(x, out=OnGpu((3, 4))), lambda: ck.stencil(x, "average", out=OnGpu()), lambda: ck.resample(x, x.shape, out=OnGpu())):
        with pytest.raises(ValueError, match="different devices|complex64"):
            call()
    for call in (lambda: ck.interpolate(OnGpu(), np.zeros(3), np.zeros((2, 4))), lambda: ck.grid(OnGpu(), np.zeros(3), 0, 1, 3)):
        with pytest.raises(ValueError, match="on a GPU"):
            call()
    with pytest.raises(NotImplementedError, match="GPU"):
        ck.save("nowhere.npy", OnGpu())


def every_name_with_out(x, out):
    """(name, call) of all that write into out, which has x's shape (4, 4) and type."""
    return [("move", lambda: ck.move(x, "y x -> x y", roll={"x": 1}, out=out)), ("plan", lambda: ck.plan(x, "y x -> x y", roll={"x": 1}).run(x, out)),
            ("permute_dims", lambda: ck.permute_dims(x, (0, 1), out=out)), ("matrix_transpose", lambda: ck.matrix_transpose(x[:, ::-1], out=out)),
            ("flip", lambda: ck.flip(x, axis=0, out=out)), ("roll", lambda: ck.roll(x, 1, axis=0, out=out)), ("take", lambda: ck.take(x, [1, 0, 2, 2], axis=0, out=out)),
            ("stack", lambda: ck.stack([x[0], x[1], x[2], x[3]], out=out)), ("concat", lambda: ck.concat([x[2:], x[:2]], out=out)),
            ("pad", lambda: ck.pad(x[1:], ((1, 0), (0, 0)), out=out)), ("stencil", lambda: ck.stencil(x, "average", out=out)),
            ("resample", lambda: ck.resample(x, rotate=90, shape=(4, 4), out=out)), ("fft", lambda: ck.fft.fft(x, axis=0, out=out)),
            ("pdist", lambda: ck.pdist(x.real, form="square", out=out))]


@pytest.mark.parametrize("k", range(14))
def test_outs(k):
    x = np.arange(16.0).reshape(4, 4)
    if every_name_with_out(x, x)[k][0] == "fft":
        x = x + 0j
    name, call = every_name_with_out(x, np.empty_like(x))[k]
    want = call()
    out = np.empty((8, 9), x.dtype)[::-2, 1::2]  # of any strides
    if name == "pdist":
        with pytest.raises(ValueError, match="not contiguous"):
            every_name_with_out(x, out)[k][1]()
    else:
        assert every_name_with_out(x, out)[k][1]() is out and np.array_equal(out, want)
    locked = np.zeros_like(x)
    locked.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        every_name_with_out(x, locked)[k][1]()
    assert not locked.any()
    with pytest.raises(ValueError, match="shape|extent|type|longer|\\[5\\]"):
        every_name_with_out(x, np.zeros((4, 5), x.dtype))[k][1]()
    with pytest.raises((ValueError, TypeError), match="type|int8|complex"):
        if name in ("stencil", "resample"):  # they convert
            raise ValueError("type")
        every_name_with_out(x, np.zeros((4, 4), "i1"))[k][1]()
    with pytest.raises(TypeError, match="list|object"):
        every_name_with_out(x, [[0] * 4] * 4)[k][1]()
    with pytest.raises(TypeError, match="object"):
        every_name_with_out(x, np.zeros((4, 4), object))[k][1]()
    memory = np.arange(20.0).astype(x.dtype)
    source, shifted = memory[:16].reshape(4, 4), memory[4:].reshape(4, 4)
    before = memory.copy()
    try:
        result = every_name_with_out(source, shifted)[k][1]()
    except ValueError as e:
        assert "share" in str(e) or "overlap" in str(e)
        assert np.array_equal(memory, before)
    else:  # through a copy
        assert np.array_equal(result, every_name_with_out(before[:16].reshape(4, 4), np.empty_like(x))[k][1]())


def test_objects():
    for x in (np.zeros((2, 3), object), np.zeros((2, 3), [("a", "f4"), ("b", object)]), [[object()] * 3] * 2, [[1 << 70]], np.array([None, 1])):
        for call in (ck.flip, lambda a: ck.move(a, "... -> ..."), lambda a: ck.stack([a, a]), lambda a: ck.pad(a, 1), ck.fft.fft,
                     lambda a: ck.stencil(a, "average"), lambda a: ck.resample(a, zoom=2), ck.pdist, lambda a: ck.interpolate(a, a, a),
                     lambda a: einops.rearrange(a, "... -> (...)")):
            with pytest.raises(TypeError):
                call(x)
    for x in None, "text", object(), {}, {1, 2}, iter([1]):
        for call in ck.flip, ck.matrix_transpose, ck.squareform, ck.fft.fft, lambda a: ck.reshape(a, 1), lambda a: ck.move(a, "... -> ..."):
            with pytest.raises(TypeError, match=type(x).__name__):
                call(x)


def test_names_that_are_no_axes():
    x = np.zeros((3, 4))
    for words in ({"flip": "z"}, {"roll": {"z": 1}}, {"at": {"z": 0}}, {"slice": {"z": (0, 1)}}, {"pad": {"z": 1}}, {"take": {"z": [0]}}, {"dilate": {"z": 2}},
                  {"bit_reverse": "z"}, {"z": 3}, {"sizes": {"z": 3}}):
        for call in ck.move, ck.plan:
            with pytest.raises(ValueError, match="z"):
                call(x, "y x -> x y", **words)
    for axis in 2, -3, 1 << 40:
        for call in (lambda a: ck.flip(x, axis=a), lambda a: ck.roll(x, 1, axis=a), lambda a: ck.squeeze(x, a), lambda a: ck.take(x, [0], axis=a),
                     lambda a: ck.repeat(x, 2, axis=a), lambda a: ck.concat([x], axis=a), lambda a: ck.permute_dims(x, (0, a)), lambda a: ck.moveaxis(x, a, 0),
                     lambda a: ck.fft.fft(x, axis=a), lambda a: ck.stencil(x, "average", axes=a), lambda a: ck.resample(x, zoom=2, axes=a),
                     lambda a: ck.pad(x, {a: 1})):
            with pytest.raises(ValueError, match=f"axis {axis} of an array of 2 axes"):
                call(axis)
    with pytest.raises(TypeError, match="integer"):
        ck.flip(x, axis="x")


def test_what_errors_say():
    x = np.zeros((3, 4))
    for call in (lambda out: ck.move(x, "y x -> x y", out=out), lambda out: ck.plan(x, "y x -> x y").run(x, out), lambda out: ck.permute_dims(x, (1, 0), out=out)):
        with pytest.raises(ValueError, match=re.escape("out has shape (3, 4), the result (4, 3)")):
            call(np.zeros((3, 4)))
    for call in ck.move, ck.plan:
        with pytest.raises(TypeError, match="flop='y': .* flip, "):
            call(x, "y x -> x y", flop="y")


def test_lists_are_arrays():
    x = [[1, 2, 3], [4, 5, 6]]
    a = np.array(x)
    for name, more in [("flip", ()), ("roll", (1,)), ("matrix_transpose", ()), ("permute_dims", ((1, 0),)), ("moveaxis", (0, 1)), ("expand_dims", ()),
                       ("reshape", ((3, 2),)), ("tile", (2,)), ("repeat", (2,)), ("pad", (1,)), ("stack", ()), ("concat", ())]:
        assert np.array_equal(getattr(ck, name)(x, *more), getattr(ck, name)(a, *more)), name
    assert np.array_equal(ck.flip((1.5, 2)), [2, 1.5]) and ck.flip([]).shape == (0,) and ck.expand_dims(3).shape == (1,)
    assert np.array_equal(ck.move(x, "y x -> x y"), a.T) and np.array_equal(ck.move(x, "y x -> x y", pad={"x": (1, 0, "constant", 9)})[0], [9, 9])
    assert np.array_equal(einops.rearrange(x, "y x -> (x y)"), a.T.ravel()) and einops.parse_shape(x, "y x") == {"y": 2, "x": 3}
    assert np.array_equal(ck.stencil([[1.5, 2]], [2.0], axes=0), [[3, 4]]) and ck.pdist(x).shape == (1,) and np.array_equal(ck.squareform([1, 2, 3])[0], [0, 1, 2])
    assert np.array_equal(ck.take(x, [1], axis=1), [[2], [5]]) and np.array_equal(ck.fft.fft(x), np.fft.fft(x)) and np.array_equal(ck.flip(b"abc"), [99, 98, 97])
    with pytest.raises(ValueError):
        ck.flip([[1], [2, 3]])


def test_switches_are_true_or_false(tmp_path):
    ck.save(tmp_path / "a.npy", np.zeros(3))
    for call in (lambda: ck.squareform(np.zeros((2, 2)), checks="no"), lambda: ck.load(tmp_path / "a.npy", header="yes"), lambda: ck.load(tmp_path / "a.npy", scaled="maybe")):
        with pytest.raises(TypeError, match="True or False"):
            call()


def test_squareform_as_scipy_has_it():
    from scipy.spatial.distance import squareform

    for condensed in (np.arange(6.0), np.arange(3, dtype=">i2"), np.zeros(0)):
        square = squareform(condensed)
        got = ck.squareform(condensed)
        assert np.array_equal(got, square) and got.dtype == condensed.dtype and np.array_equal(ck.squareform(square), squareform(square))
        assert np.array_equal(ck.squareform(condensed, "tomatrix"), square) and np.array_equal(ck.squareform(square, force="tovector"), squareform(square))
        for x, force in (square, "tomatrix"), (condensed, "tovector"), (condensed, "nonsense"):
            with pytest.raises(ValueError):
                ck.squareform(x, force)
    lopsided, raised = np.array([[0, 1.0], [2, 0]]), np.array([[1.0, 2], [2, 0]])
    kinds = [np.asarray, lambda a: OldForm(a)]
    try:
        kinds.append(__import__("array_api_strict").asarray)
        kinds.append(__import__("torch").from_numpy)
    except ImportError:
        pass
    for kind in kinds:
        for x, text in (lopsided, "symmetric"), (raised, "diagonal"):
            with pytest.raises(ValueError, match=text):
                ck.squareform(kind(x))
            assert ck.squareform(kind(x), checks=False).shape == (1,)
