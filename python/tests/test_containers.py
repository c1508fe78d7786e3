"""Arrays of other containers: what has __array__, units of subclasses, lists of unlike arrays. What NumPy gives is what is expected.

SPDX-License-Identifier: BSD-3-Clause
"""
import numpy as np
import pytest

import crinkle as ck

x = np.arange(12, dtype="f4").reshape(3, 4)


class Held:
    """What has __array__ alone, as h5py's data sets."""

    def __init__(self, array, **facts):
        self.shape, self.dtype, self._array = array.shape, array.dtype, array
        for name, fact in facts.items():
            setattr(self, name, fact)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self._array, dtype)


class Labelled(Held):
    """As xarray's."""

    def __array_wrap__(self, array, context=None, return_scalar=False):
        return Labelled(array, labels=self.labels)


class Measured(np.ndarray):
    """A subclass with a unit, as astropy's quantities."""

    def __array_finalize__(self, of):
        self.unit = getattr(of, "unit", None)

    @classmethod
    def of(cls, array, unit):
        made = np.asarray(array).view(cls)
        made.unit = unit
        return made


class Flat(np.ndarray):
    """A subclass that takes no results of other shapes."""

    def __array_wrap__(self, array, context=None, return_scalar=False):
        if array.ndim != 1:
            raise ValueError("flat")
        return array.view(Flat)


functions = [lambda a: ck.move(a, "y x -> x y", flip="y"), ck.flip, lambda a: ck.stencil(a, "average:1"), lambda a: ck.fft.fft(a, axis=0),
             lambda a: ck.resample(a, zoom=2), lambda a: ck.pad(a, 1), lambda a: ck.stack([a, a]), lambda a: ck.concat([a, a]), ck.pdist, lambda a: ck.cdist(a, a),
             lambda a: ck.einops.rearrange(a, "y x -> (x y)"), lambda a: ck.take(a, [1, 0], axis=1), lambda a: ck.plan(a, "y x -> x y").run(a), ck.bit_planes]


@pytest.mark.parametrize("f", functions)
def test_what_has_array_is_an_array(f):
    expected = f(x)
    made = f(Held(x))
    assert type(made) is np.ndarray and made.dtype == expected.dtype and (made == expected).all()
    assert type(f(Labelled(x, labels="yx"))) is (Labelled if f is functions[2] else np.ndarray)
    made = f(Flat.__new__(Flat, x.shape, x.dtype, x.tobytes()))
    assert (np.asarray(made) == expected).all() and made.shape == expected.shape


def test_labels_stay_where_elements_keep_their_places():
    made = ck.stencil(Labelled(x, labels="yx"), "average:1")
    assert made.labels == "yx" and (np.asarray(made) == ck.stencil(x, "average:1")).all()


@pytest.mark.parametrize("f", functions)
def test_units(f):
    made, expected = f(Measured.of(x, "m")), f(x)
    assert (np.asarray(made) == expected).all()
    if f in (functions[8], functions[9], functions[13]):  # squares of metres, and bits, are no metres
        assert type(made) is np.ndarray
    else:
        assert type(made) is Measured and made.unit == "m"


def test_unlike_units_are_refused():
    m, km = Measured.of(x, "m"), Measured.of(x, "km")
    for f in (ck.stack, ck.concat, lambda a: ck.move(a, "n y x -> y x n")):
        with pytest.raises(ValueError, match="arrays in m, km: bring them to one unit"):
            f([m, km])
        with pytest.raises(ValueError, match="no unit"):
            f([m, x])
    assert ck.stack([m, m]).unit == "m" and type(ck.fft.fftconvolve(m, m)) is np.ndarray


def test_tables():
    class Table(Held):
        pass

    unlike = Table(x, dtypes=["int64", "float64", "int64", "int64"])
    with pytest.raises(TypeError, match="Table with columns of int64, float64: give columns of one type"):
        ck.flip(unlike)
    with pytest.raises(TypeError, match="Python objects.*Held"):
        ck.flip(Held(np.array([None, "a"], object)))
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(x)
    assert (ck.move(frame, "y x -> x y") == x.T).all() and type(ck.flip(frame)) is np.ndarray and (ck.flip(pd.Series(x[0])) == x[0, ::-1]).all()
    for wrong in (pd.DataFrame({"a": [1], "b": [0.5]}), pd.Series(["a"]), pd.Series([1, None], dtype="Int64")):
        with pytest.raises(TypeError, match="columns of|objects|missing values"):
            ck.flip(wrong)


@pytest.mark.parametrize("others", [[np.asfortranarray(x)], [x[:, ::-1]], [np.zeros((6, 8), "f4")[::2, ::2], x], [np.asfortranarray(x), x[::-1]]])
def test_lists_of_unlike_strides(others):
    arrays = [x, *others, x]
    for spec, order in (("n y x -> y x n", (1, 2, 0)), ("n y x -> x n y", (2, 0, 1))):
        expected = np.transpose(np.stack(arrays), order)
        assert (ck.move(arrays, spec) == expected).all()
        assert (ck.plan(arrays, spec).run(arrays) == expected).all() and (ck.plan(arrays, spec).run([x] * len(arrays)) == np.stack([x] * len(arrays)).transpose(order)).all()
        out = np.zeros(expected.shape, "f4")
        assert ck.move(arrays, spec, out=out) is out and (out == expected).all()
    assert (ck.stack(arrays, axis=1) == np.stack(arrays, axis=1)).all() and (ck.einops.rearrange(arrays, "n y x -> x (n y)") == np.stack(arrays).transpose(2, 0, 1).reshape(4, -1)).all()


def test_torch_on_cpus():
    torch = pytest.importorskip("torch")
    t = torch.from_numpy(x.copy())
    for name in torch.complex64, torch.complex32:
        half = t.to(torch.complex64).to(name)
        made = ck.fft.fft(half)
        assert made.dtype == name and np.allclose(made.to(torch.complex64).numpy(), np.fft.fft(x), atol=0.1)
        out = torch.zeros(3, 6, dtype=torch.float32)
        assert ck.fft.hfft(half, out=out) is out and np.allclose(out.numpy(), np.fft.hfft(x), atol=0.1)
    for dtype in torch.float64, np.float64, "float64", np.dtype("f8"):
        for made in ck.stencil(t, "average:1", dtype=dtype), ck.resample(t, zoom=2, dtype=dtype):
            assert isinstance(made, torch.Tensor) and made.dtype == torch.float64
    assert ck.stencil(x, "average:1", dtype=torch.float64).dtype == "f8"
    with pytest.raises(TypeError):
        ck.stencil(t, "average:1", dtype="float65")
