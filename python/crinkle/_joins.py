"""The array API's names for several arrays: stack, concat, unstack, and what broadcasts. Results are new arrays.

SPDX-License-Identifier: BSD-3-Clause
"""
import operator

from . import _arrays, _core
from ._names import _axes_of, _core_new, _finished, _names, moveaxis, reshape


def _alike(arrays, what):
    """The arrays, in one type."""
    arrays = [_arrays.of(x) for x in arrays]
    if not arrays:
        raise ValueError(f"{what} of no arrays")
    _arrays.refuse_unlike_units(arrays, what)
    return _arrays.promoted(arrays, what)


def stack(arrays, axis=0, *, out=None):
    """Arrays of one shape along a new axis. Of several types they are first converted to the one that holds all, as their library has it (NumPy's
    result_type); TypeError where there is none."""
    arrays = _alike(arrays, "stack")
    rank = len(arrays[0].shape)
    names = _names(rank)
    at = _axes_of(axis, rank + 1, "stack")[0]
    right = [*names[:at], "n", *names[at:]]
    for x in arrays:
        if tuple(x.shape) != tuple(arrays[0].shape):
            raise ValueError(f"stack: arrays of shapes {tuple(arrays[0].shape)} and {tuple(x.shape)}")
    if len(arrays) == 1:
        return _core.move(arrays[0], f"{' '.join(names)} -> {' '.join('1' if r == 'n' else r for r in right)}", out, ())
    return _core.move(arrays, f"n {' '.join(names)} -> {' '.join(right)}", out, ())


def concat(arrays, axis=0, *, out=None):
    """Arrays one behind the other along an axis; None: all flattened. Of several types: as stack()."""
    arrays = _alike(arrays, "concat")
    if axis is None:
        arrays, axis = [reshape(x, -1) for x in arrays], 0
    shape = list(arrays[0].shape)
    at = _axes_of(axis, len(shape), "concat")[0]
    for k, x in enumerate(arrays):
        if [*x.shape[:at], *x.shape[at + 1:]] != [*shape[:at], *shape[at + 1:]]:
            raise ValueError(f"concat: array {k} of shape {tuple(x.shape)} beside {tuple(shape)} along axis {at}")
    shape[at] = sum(x.shape[at] for x in arrays)
    result = _core_new(arrays[0], tuple(shape)) if out is None else _arrays.output(out, shape, "concat")
    for x in (*arrays, result):  # of one memory, before any is written
        if _arrays.view(x)[5] != _arrays.view(arrays[0])[5]:
            raise ValueError(f"concat: an array on {_arrays.place_of(arrays[0])} and one on {_arrays.place_of(x)}: bring them together with their library first")
    begin = 0
    for x in arrays:
        end = begin + x.shape[at]
        _core.move(x, "... -> ...", _arrays.part(result, at, begin, end), ())
        begin = end
    return _finished(arrays[0], result) if out is None else out


def unstack(x, axis=0):
    """(x[…, 0, …], x[…, 1, …], …) along an axis: views of one new array, which has that axis first."""
    x = _arrays.of(x)
    moved = moveaxis(x, _axes_of(axis, len(x.shape), "unstack")[0], 0)
    return tuple(moved[(k, ...)] for k in range(moved.shape[0]))


def broadcast_to(x, shape):
    """x repeated along new first axes and along those of extent 1, as a new array of this shape."""
    x = _arrays.of(x)
    shape = tuple(operator.index(n) for n in ([shape] if hasattr(shape, "__index__") else shape))
    old = tuple(x.shape)
    n_new = len(shape) - len(old)
    if n_new < 0 or any(n < 0 for n in shape) or any(e not in (1, n) for e, n in zip(old, shape[n_new:])):
        raise ValueError(f"broadcast_to: an array of shape {old} as {shape}: an extent is kept, or it is 1; new axes come first")
    if 0 in shape:
        return _finished(x, _core_new(x, shape))
    names = _names(len(shape))
    repeats = [a < n_new or old[a - n_new] != n for a, n in enumerate(shape)]
    left = ["1" if repeats[a] else names[a] for a in range(n_new, len(shape))]
    return _core.move(x, f"{' '.join(left)} -> {' '.join(names)}", None, tuple(("size", names[a], n) for a, n in enumerate(shape) if repeats[a]))


def broadcast_arrays(*arrays):
    """Each as broadcast_to() the shape that holds all: of every axis, counted from the last, the one extent that is not 1."""
    arrays = [_arrays.of(x) for x in arrays]
    rank = max((len(x.shape) for x in arrays), default=0)
    shape = [1] * rank
    for x in arrays:
        for a, n in enumerate(x.shape, rank - len(x.shape)):
            if n != shape[a] and 1 not in (n, shape[a]):
                raise ValueError(f"broadcast_arrays: shapes {', '.join(str(tuple(y.shape)) for y in arrays)}: axis {a - rank} has extents {shape[a]} and {n}")
            shape[a] = n if shape[a] == 1 else shape[a]
    return tuple(broadcast_to(x, shape) for x in arrays)
