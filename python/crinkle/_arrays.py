"""Other people's arrays: what the extension and the other modules ask of them.

SPDX-License-Identifier: BSD-3-Clause
"""
import contextlib
import functools
import math
import sys

from . import _core
from ._beyond import refuse
from ._jax import Jax, Part
from ._kinds import Arrayed, Cuda, Exchanged, Interface, Torch, kind_of
from ._memory import are_plain, is_numpy, strides_of, unmasked, unreserved  # noqa: F401 (for others, too)
from ._sizes import AxisError, axes_of, axis_of, number, numpy_dtype, size  # noqa: F401
from ._subclasses import labelled, refuse_unlike_units, wrapped  # noqa: F401


def view(x):
    return kind_of(x).view(x)


def of(x):
    """x, or the array that a list, a number or a buffer is: NumPy's, or of the library whose arrays are in the list."""
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        if type(x) is numpy.ndarray:
            return x
        if isinstance(x, numpy.ndarray):
            return unmasked(x)
        if isinstance(x, numpy.generic):  # some of them are Python's numbers, too
            return numpy.asarray(x)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        if x.is_nested or hasattr(type(x), "get_mask"):
            Torch.view(x)  # says why not
        return x
    if hasattr(x, "__array__") and kind_of(x) is Arrayed:
        return Arrayed.array(x)
    if hasattr(x, "dtype") and hasattr(x, "shape"):
        refuse(x)  # Dask's Delayed has any attribute
        return x
    if isinstance(x, (list, tuple)) and x and hasattr(x[0], "dtype") and not is_numpy(x[0]):
        return _core.move(x, "... -> ...", None, ())
    if isinstance(x, (list, tuple, int, float, complex)):
        return _numbers(x)
    kind = kind_of(x)
    if kind is Exchanged:
        return Exchanged._capsule(x)
    if kind is not Interface:
        raise TypeError(f"{type(x).__qualname__} has no dtype and shape of its own: give it to move(), or as an array of its library")
    return Interface._array(x)


def plain(x, dtype=None):
    """Numbers, or lists of them, as NumPy's array."""
    import numpy

    _unmasked_in(x)
    return numpy.asarray(x, dtype)


def _unmasked_in(x):
    if isinstance(x, (list, tuple)):
        for one in x:
            if not isinstance(one, (int, float)):
                _unmasked_in(one)
    elif is_numpy(x):
        unmasked(x)
    else:
        refuse(x)


def _numbers(x):
    array = plain(x)
    if array.dtype.hasobject:
        raise TypeError(f"crinkle moves bytes, not Python objects: NumPy makes those of this {type(x).__qualname__}")
    return array


def listed(x):
    """A list of arrays as it is; one of numbers or of lists as NumPy's array. For the extension."""
    if any(isinstance(one, (list, tuple, int, float, complex)) for one in x):
        return _numbers(x)
    refuse_unlike_units(x, "a list")
    return x


def output(out, shape, what):
    """`out` as an array, which has this shape."""
    if isinstance(out, (list, tuple, int, float, complex)):
        raise TypeError(f"{what}: out is a {type(out).__qualname__}, not an array")
    array = of(out)
    if array is not out and view(array)[0] != view(of(out))[0]:
        raise ValueError(f"{what}: out, a {type(out).__qualname__}, lends copies of its memory, in which the result would be lost")
    if tuple(array.shape) != tuple(shape):
        raise ValueError(f"{what}: out has shape {tuple(array.shape)}, the result {tuple(shape)}")
    return array


def flat(x):
    """A dense array's elements along one axis, without a copy; None of others."""
    if is_numpy(x):
        return x.reshape(-1) if x.flags.c_contiguous else None
    _, shape, strides, e, *_ = view(x)
    return reshaped(x, (n_elements(shape),)) if tuple(strides) == strides_of(shape, e) else None


def reshaped(x, shape):
    """A dense array in another shape."""
    return x.reshape(shape) if hasattr(x, "reshape") else x.__array_namespace__().reshape(x, tuple(shape))


def of_type(x, shape, dtype):
    """A new array like x, of its own type where dtype is None."""
    return new(x, shape, dtype if dtype is None else numpy_dtype(dtype) if is_numpy(x) else str(dtype).rpartition(".")[2])


def word(value, what):
    if not isinstance(value, str):
        raise TypeError(f"{what} is a str, not {value!r}")
    return value


def flag(value, what):
    if type(value).__name__ not in ("bool", "bool_"):
        raise TypeError(f"{what} is True or False, not {value!r}")
    return bool(value)


def real(x, what):
    """x as NumPy's float64, dense."""
    import numpy

    if is_on_gpu(x):
        raise ValueError(f"{what} on a GPU: computed on CPUs only so far; crinkle does not copy it there for you")
    a = on_numpy(of(x), what)[0]
    if a.dtype.kind not in "biuf":
        raise TypeError(f"{what} of {a.dtype}: real numbers only")
    refuse_long_double(a, what)
    return numpy.ascontiguousarray(a, numpy.float64)


def refuse_long_double(x, what):
    """What has more digits than float64, the most that is computed with."""
    kind, size = getattr(x.dtype, "kind", ""), getattr(x.dtype, "itemsize", 0)
    if (kind == "f" and size > 8) or (kind == "c" and size > 16):
        wide = "float64" if kind == "f" else "complex128"
        raise TypeError(f"{what} of {x.dtype}: crinkle computes in {wide} at most, which would lose digits; give x.astype('{wide}') where that is meant")


def new(x, shape, name=None):
    """An array like x, of its type or the named one."""
    if is_numpy(x):
        import numpy

        dtype = x.dtype if name is None else name
        if _core.is_planning():  # nobody writes to it
            return unreserved(math.prod(shape) * numpy.dtype(dtype).itemsize).view(dtype).reshape(shape)
        return numpy.empty(shape, dtype)
    return kind_of(x).new(x, shape, name)


def as_type(x, name):
    """x, or its numbers as others in an array of its kind."""
    if is_numpy(x):
        import numpy

        if _core.is_planning() and x.dtype != name:  # of elements that are not there yet
            raise ValueError(f"plan: an array of {x.dtype} is converted to {name} first: plan it for one of {name}")
        return numpy.asarray(x, name)
    return x if name_of(x) == name else kind_of(x).as_type(x, name)


def zeros(x, shape):
    """A new array of zeros like x."""
    if not is_numpy(x) and kind_of(x) is Jax:
        return Jax.new(x, shape, is_zero=True)
    made = new(x, shape)
    with Cuda.on_device_of(made) if not is_numpy(x) and kind_of(x) is Cuda else contextlib.nullcontext():
        made[...] = 0
    return made


def name_of(x):
    """"float32": of the elements' type."""
    dtype = dtype_of(x)
    return dtype.name if is_numpy(x) else str(dtype).rpartition(".")[2]


def finished(x, result):
    if is_numpy(x):
        return wrapped(x, result)
    finish = kind_of(x).finished
    return result if finish is None else finish(x, result)


def element_name(x):
    """Of the elements' type, byte order included, alike in all libraries."""
    return str(dtype_of(x)).rpartition(".")[2]


def same_type(a, b):
    """Whether the elements of two arrays, perhaps of two libraries, have one type."""
    return element_name(a) == element_name(b)


def promoted(arrays, what):
    """The arrays, where they are not of one type converted to the one that holds all, which their library names."""
    first = arrays[0]
    if all(same_type(first, x) for x in arrays[1:]):
        return arrays
    types = ", ".join(dict.fromkeys(str(dtype_of(x)) for x in arrays))
    arrays = [on_numpy(x, what)[0] if not is_numpy(x) and kind_of(x) is Interface else x for x in arrays]
    kinds = [None if is_numpy(x) else kind_of(x) for x in arrays]
    if any(kind is not kinds[0] for kind in kinds):
        raise TypeError(f"{what}: arrays of {types}, of several libraries: give them one type")
    try:
        dtype = _numpy_type(arrays) if kinds[0] is None else kinds[0].result_type(arrays)
    except TypeError as e:
        raise TypeError(f"{what}: arrays of {types}, which no type holds: convert them first ({e})") from None
    return [as_type(x, dtype) for x in arrays]


def _numpy_type(arrays):
    import numpy

    dtype = numpy.result_type(*(x.dtype for x in arrays))
    for x in arrays:
        if not numpy.can_cast(x.dtype, dtype, "same_kind"):
            raise TypeError(f"{x.dtype} does not become {dtype}")
    return dtype


def is_on_gpu(x):
    return not is_numpy(x) and not isinstance(x, (list, tuple, int, float, complex)) and view(x)[5] >= 0


def place_of(x):
    device = view(x)[5]
    return "the CPU" if device < 0 else f"CUDA device {device}"


def where_it_is(x, what):
    """As on_numpy(), and an array on a GPU as it is."""
    if is_on_gpu(x):
        if not _core.has_cuda:
            raise RuntimeError(f"{what} of an array on a GPU: this build of crinkle has no CUDA")
        return x, lambda result: finished(x, result)
    if not is_numpy(x) and is_complex_half(x):
        return x, _same
    return on_numpy(x, what)


def is_complex_half(x):
    """torch.complex32, which NumPy has not."""
    return str(getattr(x, "dtype", "")) == "torch.complex32"


def dtype_of(x):
    dtype = getattr(x, "dtype", None)
    return of(x).dtype if dtype is None else dtype


def element_bytes(dtype):
    """Of any library's type."""
    size = getattr(dtype, "itemsize", None)
    if isinstance(size, int):
        return size
    import numpy

    return numpy.dtype(dtype).itemsize


def on_numpy(x, what):
    """(`x` as NumPy's without a copy, the function that gives a result back to x's library). For what is computed on CPUs alone."""
    if is_numpy(x):
        is_plain = type(x) is sys.modules["numpy"].ndarray
        return (x, _same) if is_plain else (unmasked(x), functools.partial(wrapped, x))
    if isinstance(x, (list, tuple, int, float, complex)):
        x = of(x)
        return (x, _same) if is_numpy(x) else on_numpy(x, what)
    kind = kind_of(x)
    if kind is Torch:
        if x.device.type != "cpu":
            raise NotImplementedError(f"{what} of a tensor on {x.device}: on CPUs only so far; crinkle does not copy it there for you")
        view(x)  # refuses what has no plain bytes
        return x.numpy(), sys.modules["torch"].from_numpy
    if kind is Jax:
        if next(iter(x.devices())).platform != "cpu":
            raise NotImplementedError(f"{what} of an array on a GPU: on CPUs only so far; crinkle does not copy it there for you")
        return Jax.host_array(x), functools.partial(Jax.from_host, x)
    if kind is Cuda:
        raise NotImplementedError(f"{what} of an array on a GPU: on CPUs only so far; crinkle does not copy it there for you")
    if kind is Arrayed:
        return Arrayed.array(x), _same
    if kind is Exchanged:
        return Exchanged._capsule(x), x.__array_namespace__().from_dlpack if hasattr(x, "__array_namespace__") else _same
    return Interface._array(x), _same


def _same(x):
    return x


def n_elements(shape):
    return math.prod(shape)


def part(x, axis, begin, end):
    """x[…, begin:end, …], as a place to write to."""
    if not is_numpy(x) and kind_of(x) is Jax:
        return Part(x, axis, begin, end)
    return x[(*(slice(None),) * axis, slice(begin, end), ...)]
