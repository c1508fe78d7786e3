"""The plan of a call whose arguments are dask arrays: which of them may be lazy, and the types to which all are brought first, as one memory does it.

SPDX-License-Identifier: BSD-3-Clause
"""
import inspect
import math

from . import _arrays, _beyond

_of_elements = frozenset(("x", "a", "b", "in1", "in2", "arrays", "tensor", "tensors", "targets", "planes", "data", "centres", "radii", "points"))  # parameters that may be lazy


def check(function, arguments, words):
    """Refuses dask arrays without chunks of known sizes and plain numbers, and those that are part of the request."""
    name = function.__name__
    for x in filter(_beyond.is_dask, _beyond.flat((arguments, words))):
        _check_array(x, name)
    for parameter, value in [*zip(_names_of(function, arguments), arguments), *words.items()]:
        if parameter not in _of_elements and any(map(_beyond.is_dask, _beyond.flat([value]))):
            raise ValueError(f"{name}: {parameter} is part of the request, which every worker has whole, and here it is a dask array: give it computed, {parameter}={parameter}.compute()")


def _names_of(function, arguments):
    """Of the parameters that the arguments stand for."""
    names = [p.name for p in inspect.signature(function).parameters.values()]
    return names + names[-1:] * (len(arguments) - len(names))


def each(function, arguments, words, of_elements, of_the_request):
    """The arguments, one function of those whose elements are read in parts, another of those that are part of the request."""
    fs = (of_elements if name in _of_elements else of_the_request for name in _names_of(function, arguments))
    return ([_beyond.each(x, f) for f, x in zip(fs, arguments)],
            {name: _beyond.each(x, of_elements if name in _of_elements else of_the_request) for name, x in words.items()})


def check_sizes(x, name):
    if any(math.isnan(n) for n in x.shape):
        raise ValueError(f"{name}: chunks of unknown sizes, {x.shape}: x.compute_chunk_sizes() finds them, by computing x; x.persist() first, so that it is done once")


def _check_array(x, name):
    check_sizes(x, name)
    if x.dtype.hasobject:
        raise TypeError(f"crinkle moves bytes, not Python objects: this dask array has dtype {x.dtype}")
    meta = x._meta
    if _arrays.is_numpy(meta):
        _arrays.unmasked(meta)
    elif not hasattr(meta, "__cuda_array_interface__"):
        raise TypeError(f"{name}: chunks of {type(meta).__module__}.{type(meta).__qualname__}: NumPy's and CuPy's are known; x.map_blocks(…) converts them")


def _steps(dtype):
    """A type, and those to which functions convert it one after another: in this byte order, real and complex numbers to compute with."""
    native = dtype.newbyteorder("=")
    if dtype.kind not in "biufc":
        return [dtype, native]
    if dtype.kind == "c":
        return [dtype, native, native, native]
    return [dtype, native, *(("float32", "complex64") if dtype.kind == "f" and dtype.itemsize <= 4 else ("float64", "complex128"))]


def _tries(lazy, given):
    """(type, of which arrays) to try, one after another: of the lazy ones, then of all that are given; (None, ()) is their own. Unlike types become one where both are numbers to
    compute with, as they do in one memory: int16 and float32 float64."""
    import numpy

    yield None, ()
    for arrays in (lazy, given) if len(given) > len(lazy) else (lazy,):
        rows = [_steps(x.dtype) for x in arrays]
        for k in range(max(map(len, rows), default=0)):
            types = {numpy.dtype(row[min(k, len(row) - 1)]) for row in rows}
            if len(types) == 1 or (k > 1 and all(t.kind in "fc" for t in types)):
                yield numpy.result_type(*types) if len(types) > 1 else types.pop(), arrays


def plan_of(function, arguments, words):
    """(the plan of a call, the dask arrays that it reads, of the types and shapes that it reads)"""
    import dask.array as da
    import numpy

    from ._plans import Planned
    from ._requests import Array, Nothing, Request

    given = [x for x in _beyond.flat((arguments, words)) if hasattr(x, "shape") and hasattr(x, "dtype")]
    lazy = [x for x in given if _beyond.is_dask(x)]
    refusal, tried = None, set()
    for dtype, converted in _tries(lazy, [x for x in given if _beyond.is_dask(x) or isinstance(x, numpy.ndarray)]):
        if dtype is not None and (dtype, len(converted)) in tried:
            continue
        tried.add((dtype, len(converted)))

        def stand_in(x):
            is_one = any(x is one for one in converted)
            if _beyond.is_dask(x):
                return Array(x.shape, dtype if is_one else x.dtype)
            return numpy.asarray(x, dtype) if is_one else x

        try:
            planned = Planned(Request(function, *_beyond.each(arguments, stand_in), **_beyond.each(words, stand_in)))
        except Nothing:
            raise
        except (ValueError, TypeError) as e:
            if dtype is None and not str(e).startswith("plan: "):
                raise
            refusal = refusal or e
            continue
        break
    else:
        raise ValueError(f"{function.__name__} of dask arrays: {str(refusal).removeprefix('plan: ')}; x.compute() brings an array into one memory") from None
    facts = planned._facts
    inputs = []
    for address, port in zip(facts.addresses, planned.inputs):
        x = given[facts._all.index(address)]
        is_one = any(x is one for one in converted)
        x = x if _beyond.is_dask(x) else da.from_array(numpy.asarray(x), chunks=x.shape, name=None)
        inputs.append(_in_shape(x.astype(dtype) if is_one and x.dtype != dtype else x, port.shape))
    return planned, inputs


def _in_shape(x, shape):
    """x as the plan reads it: a square, for one, as its elements in a line."""
    from ._dask_own import _reshape

    return x if tuple(x.shape) == tuple(shape) or 0 in x.shape else _reshape(x, shape)
