"""numpy.fft's functions: any length, any axes, any strides. Single precision stays single, half becomes single, as in NumPy 2, and PyTorch's
complex32 stays what it is; integers become double. `out` may be half, too. Beside them SciPy's cosine and sine transforms, and convolutions.

SPDX-License-Identifier: BSD-3-Clause
"""
import functools

from . import _arrays, _core

_c2c, _r2c, _c2r, _cosine, _sine = "complex", "real to complex", "complex to real", "cosine", "sine"
_complex = {"float16": "complex32", "float32": "complex64", "float64": "complex128"}
_other_storage = {"float16": "float32", "float32": "float16", "complex32": "complex64", "complex64": "complex32"}  # of the same arithmetic
_single = {"float16": "float32", "complex32": "complex64"}
_kept = "kept"  # a size: the input's extent
_opposite = {"backward": "forward", "ortho": "ortho", "forward": "backward", None: "forward"}
__ua_domain__ = "numpy.scipy.fft"  # scipy.fft.set_backend(crinkle.fft)
_parts = ("crinkle._cosines",)


@functools.lru_cache(256)
def _parts_as_they_are(dtype, wants_complex):
    """What a result's parts are where NumPy's numbers need no conversion."""
    return {"complex64": "float32", "complex128": "float64"}.get(dtype.name) if dtype.isnative and wants_complex else (
        {"float32": "float32", "float64": "float64"}.get(dtype.name) if dtype.isnative else None)


def _input(a, wants_complex, what):
    """In the machine's byte order, as float16, float32, float64 or complex numbers of them; and what the result's parts are."""
    real = _parts_as_they_are(a.dtype, wants_complex) if _arrays.is_numpy(a) else None
    if real is not None:
        return a, real
    _arrays.refuse_long_double(a, what)
    name = _arrays.name_of(a)
    is_complex = name.startswith(("complex", "clongdouble"))
    if not is_complex and not name.startswith(("bool", "int", "uint", "float", "bfloat", "longdouble")):
        raise TypeError(f"{what} of {_arrays.dtype_of(a)}: numbers only")
    is_half = name in ("float16", "complex32")
    is_double = not is_half and name not in ("float32", "complex64")
    if not wants_complex and is_complex:
        raise TypeError(f"a transform of real numbers got {name}; use fft")
    if is_half and is_complex == wants_complex:
        return _arrays.as_type(a, name), "float16" if is_complex else "float32"
    real = "float64" if is_double else "float32"
    return _arrays.as_type(a, _complex[real] if wants_complex else real), real


def _transform(a, kind, is_inverse, sizes, axes, norm, out, what):
    a, back = _arrays.where_it_is(a, what)
    norm = "backward" if norm is None else _arrays.word(norm, f"{what}: norm")
    if sizes is not None:
        sizes = [sizes] if hasattr(sizes, "__index__") else list(sizes)
    if axes is None:
        axes = range(a.ndim) if sizes is None else range(-len(sizes), 0)
    axes = [_arrays.axis_of(k, a.ndim, what) for k in ([axes] if hasattr(axes, "__index__") else axes)]
    if sizes is not None and len(sizes) != len(axes):
        raise ValueError(f"{what}: {len(sizes)} sizes for {len(axes)} axes")
    sizes = [] if sizes is None else [n if n is None else a.shape[k] if n is _kept else _arrays.size(n, f"{what}: a size") for n, k in zip(sizes, axes)]
    given = [n for n in sizes if n is not None and n < 1]
    sizes = [0 if n is None else n for n in sizes]
    if given:
        raise ValueError(f"{what}: a size of {given[0]}; give 1 or more")
    if len(set(axes)) < len(axes) and kind in (_r2c, _c2r):
        return _repeated(a, kind, is_inverse, sizes, axes, norm, out, what, back)
    is_real_in = kind in (_r2c, _cosine, _sine)
    a, real = _input(a, not is_real_in, what)
    if len(set(axes)) < len(axes) and kind == _c2c:  # NumPy transforms along such an axis again
        result = a
        for i in range(len(axes) - 1, -1, -1):
            result = _transform(result, kind, is_inverse, sizes[i:i + 1] or None, axes[i:i + 1], norm, None if i > 0 else out, what)
        return result if out is not None else back(result)
    if not axes and kind in (_r2c, _c2r):
        raise ValueError(f"{what} along no axes: the last of them is halved, so name one")
    name = real if kind in (_c2r, _cosine, _sine) else _complex[real]
    shape = _core.fft_shape(list(a.shape), axes, kind, sizes) if axes else a.shape
    result = None if out is None else _output(out, shape, name, what)
    if not axes and out is None:  # nothing to transform
        return back(_copy(a))
    if not axes:
        _core.move(a, "... -> ...", result, ())
        return out
    if result is None:
        result = _arrays.new(a, tuple(shape), name)
    if out is not None and _arrays.is_numpy(a) and _arrays.is_numpy(result):
        import numpy

        if numpy.may_share_memory(a, result) and not (a is result and kind in (_c2c, _cosine, _sine) and not sizes):
            a = a.copy()
    _core.fft(a, result, axes, sizes, kind, is_inverse, norm, real == "float64")
    return out if out is not None else back(result)


def _repeated(a, kind, is_inverse, sizes, axes, norm, out, what, back):
    """NumPy's: of an axis that is named again, too, one transform after another; real numbers are the first's input or the last's result."""
    last, steps = len(axes) - 1, range(len(axes) - 1)
    sizes = [n or (0 if i == last and kind == _c2r else a.shape[axes[i]]) for i, n in enumerate(sizes or [0] * len(axes))]
    order = [last, *reversed(steps)] if kind == _r2c else [*steps, last]
    for i in order:
        a = _transform(a, kind if i == last else _c2c, is_inverse, [sizes[i] or None], [axes[i]], norm, out if i == order[-1] else None, what)
    return a if out is not None else back(a)


def _output(out, shape, name, what):
    """`out` as an array of this shape and type, or of the other storage of the same arithmetic."""
    result = _arrays.output(out, shape, what)
    if getattr(result.dtype, "hasobject", False):
        raise TypeError(f"{what}: out has elements of type object: crinkle computes numbers, not Python objects")
    if _arrays.name_of(result) not in (name, _other_storage.get(name)):
        raise ValueError(f"{what}: out is {result.dtype}, the result {name}")
    if not getattr(result.dtype, "isnative", True):
        raise ValueError(f"{what}: out is {result.dtype}, in the other byte order than this machine's, in which the result is: give out as {name}")
    return result


def _copy(a):
    return a.copy() if _arrays.is_numpy(a) else _core.move(a, "... -> ...", None, ())


def _sizes(s):
    """Sizes of several axes; -1 is the input's extent, as in NumPy 2."""
    sizes = [s] if hasattr(s, "__index__") else s
    return sizes if sizes is None else [_kept if n is not None and _arrays.size(n, "a size") == -1 else n for n in sizes]


def fft(a, n=None, axis=-1, norm=None, out=None):
    """X[k] = Σ_m a[m] exp(-2πi km/n) along one axis."""
    return _transform(a, _c2c, False, None if n is None else [n], [axis], norm, out, "fft")


def ifft(a, n=None, axis=-1, norm=None, out=None):
    """fft() backwards."""
    return _transform(a, _c2c, True, None if n is None else [n], [axis], norm, out, "ifft")


def fft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """fft() along two axes."""
    return _transform(a, _c2c, False, _sizes(s), axes, norm, out, "fft2")


def ifft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """ifft() along two axes."""
    return _transform(a, _c2c, True, _sizes(s), axes, norm, out, "ifft2")


def fftn(a, s=None, axes=None, norm=None, out=None):
    """fft() along all axes, or the given ones, in one plan."""
    return _transform(a, _c2c, False, _sizes(s), axes, norm, out, "fftn")


def ifftn(a, s=None, axes=None, norm=None, out=None):
    """fftn() backwards."""
    return _transform(a, _c2c, True, _sizes(s), axes, norm, out, "ifftn")


def rfft(a, n=None, axis=-1, norm=None, out=None):
    """fft() of real numbers: k = 0 … n/2."""
    return _transform(a, _r2c, False, None if n is None else [n], [axis], norm, out, "rfft")


def irfft(a, n=None, axis=-1, norm=None, out=None):
    """rfft() backwards; n is 2(m - 1) where it is not given."""
    return _transform(a, _c2r, True, None if n is None else [n], [axis], norm, out, "irfft")


def rfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """fft2() of real numbers."""
    return _transform(a, _r2c, False, _sizes(s), axes, norm, out, "rfft2")


def irfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """rfft2() backwards."""
    return _transform(a, _c2r, True, _sizes(s), axes, norm, out, "irfft2")


def rfftn(a, s=None, axes=None, norm=None, out=None):
    """fftn() of real numbers; the last axis is halved."""
    return _transform(a, _r2c, False, _sizes(s), axes, norm, out, "rfftn")


def irfftn(a, s=None, axes=None, norm=None, out=None):
    """rfftn() backwards."""
    return _transform(a, _c2r, True, _sizes(s), axes, norm, out, "irfftn")


def hfft(a, n=None, axis=-1, norm=None, out=None):
    """The real transform of a signal with Hermitian symmetry, given by its first half."""
    return _transform(a, _c2r, False, None if n is None else [n], [axis], norm, out, "hfft")


def ihfft(a, n=None, axis=-1, norm=None, out=None):
    """hfft() backwards."""
    return _transform(a, _r2c, True, None if n is None else [n], [axis], norm, out, "ihfft")


def hfftn(a, s=None, axes=None, norm=None, out=None):
    """hfft() along the last of the axes and fft() along the others; SciPy's."""
    return _transform(a, _c2r, False, _sizes(s), axes, norm, out, "hfftn")


def ihfftn(a, s=None, axes=None, norm=None, out=None):
    """hfftn() backwards."""
    return _transform(a, _r2c, True, _sizes(s), axes, norm, out, "ihfftn")


def hfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """hfftn() along two axes."""
    return _transform(a, _c2r, False, _sizes(s), axes, norm, out, "hfft2")


def ihfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """ihfftn() along two axes."""
    return _transform(a, _r2c, True, _sizes(s), axes, norm, out, "ihfft2")


def _convolve(in1, in2, mode, axes, is_correlation, what):
    mode = _arrays.word(mode, f"{what}: mode")
    a, back = _arrays.where_it_is(in1, what)
    b, _ = _arrays.where_it_is(in2, what)
    is_complex = any(_arrays.name_of(x).startswith(("complex", "clongdouble")) for x in (a, b))
    (a, real), (b, other) = (_input(_arrays.as_type(x, _single[name]) if (name := _arrays.name_of(x)) in _single else x, is_complex, what)
                             for x in (a, b))
    real = real if real == other else "float64"
    kind = _complex[real] if is_complex else real
    a, b = _arrays.as_type(a, kind), _arrays.as_type(b, kind)
    if is_complex and is_correlation:
        if _core.is_planning():  # of elements that are not there yet
            raise ValueError(f"plan: {what} of complex numbers conjugates in2 first: plan fftconvolve with in2 backwards and conjugated")
        b = b.conj_physical() if hasattr(b, "conj_physical") else b.conj()
    if axes is not None:
        axes = [_arrays.axis_of(k, a.ndim, what) for k in ([axes] if hasattr(axes, "__index__") else axes)]
        if not axes:
            raise ValueError(f"{what} along no axes: name one or more, or leave axes away for all")
    axes = axes or []  # all
    shape = _core.convolve_shape(list(a.shape), list(b.shape), axes, mode)
    result = _arrays.new(a, tuple(shape), kind)
    _core.convolve(a, b, result, axes, mode, is_correlation, real == "float64")
    return result if _arrays.is_numpy(in1) else back(result)  # a unit would be that of a product


def fftconvolve(in1, in2, mode="full", axes=None):
    """SciPy's, of real and complex numbers: Σ_m in1[m] in2[k - m] along all axes, or the given ones; along the others one by one."""
    return _convolve(in1, in2, mode, axes, False, "fftconvolve")


def correlate(in1, in2, mode="full", axes=None):
    """scipy.signal.correlate by transforms: fftconvolve() with in2 backwards, and conjugated if it is complex."""
    return _convolve(in1, in2, mode, axes, True, "correlate")


def fftfreq(n, d=1.0):
    """0, 1, … (n-1)/2, -n/2 … -1, by n d: the frequencies of fft()."""
    import numpy

    k = numpy.arange(_arrays.size(n, "fftfreq: n"))
    return numpy.where(k < (n + 1) // 2, k, k - n) / (n * d)


def rfftfreq(n, d=1.0):
    """0, 1, … n/2, by n d: the frequencies of rfft()."""
    import numpy

    return numpy.arange(_arrays.size(n, "rfftfreq: n") // 2 + 1) / (n * d)


def _shift(x, axes, is_back):
    from ._names import roll

    x = _arrays.of(x)
    axes = range(len(x.shape)) if axes is None else _arrays.axes_of(axes, len(x.shape), "fftshift")
    return roll(x, [-(x.shape[a] // 2) if is_back else x.shape[a] // 2 for a in axes], axis=axes)


def fftshift(x, axes=None):
    """Frequency 0 in the middle: one move."""
    return _shift(x, axes, False)


def ifftshift(x, axes=None):
    """fftshift() backwards."""
    return _shift(x, axes, True)


from ._cosines import dct, dctn, dst, dstn, idct, idctn, idst, idstn  # noqa: E402,F401 (they are made of the above)
from ._scipy import __ua_function__  # noqa: E402,F401
