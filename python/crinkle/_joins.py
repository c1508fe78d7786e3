"""The array API's names for several arrays: stack, concat, unstack, and what broadcasts. Results are new arrays.

SPDX-License-Identifier: BSD-3-Clause
"""
import functools

from . import _arrays, _core
from ._names import _core_new, _finished, _names, moveaxis, reshape


def _alike(arrays, what):
    """The arrays, in one type."""
    arrays = list(arrays)
    if not arrays:
        raise ValueError(f"{what} of no arrays")
    if _arrays.are_plain(arrays):
        return arrays
    arrays = [_arrays.of(x) for x in arrays]
    _arrays.refuse_unlike_units(arrays, what)
    return _arrays.promoted(arrays, what)


@functools.cache
def _stacked(rank, at, is_one):
    """The specification of a stack's move."""
    names = _names(rank)
    right = [*names[:at], "1" if is_one else "n", *names[at:]]
    return f"{'' if is_one else 'n '}{' '.join(names)} -> {' '.join(right)}"


def stack(arrays, axis=0, *, out=None):
    """Arrays of one shape along a new axis. Of several types they are first converted to the one that holds all, as their library has it (NumPy's
    result_type); TypeError where there is none."""
    arrays = _alike(arrays, "stack")
    shape = arrays[0].shape
    at = _arrays.axis_of(axis, len(shape) + 1, "stack")
    for x in arrays:
        if x.shape != shape and tuple(x.shape) != tuple(shape):
            raise ValueError(f"stack: arrays of shapes {tuple(shape)} and {tuple(x.shape)}")
    is_one = len(arrays) == 1
    return _core.move(arrays[0] if is_one else arrays, _stacked(len(shape), at, is_one), out, ())


def concat(arrays, axis=0, *, out=None):
    """Arrays one behind the other along an axis; None: all flattened. Of several types: as stack()."""
    if out is None and type(axis) is int and (made := _core.joined(arrays, axis)) is not None:
        return made
    arrays = _alike(arrays, "concat")
    if axis is None:
        arrays, axis = [reshape(x, -1) for x in arrays], 0
    shape = tuple(arrays[0].shape)
    at = _arrays.axis_of(axis, len(shape), "concat")
    before, behind, n = shape[:at], shape[at + 1:], 0
    for k, x in enumerate(arrays):
        own = tuple(x.shape)
        if own[:at] != before or own[at + 1:] != behind or len(own) != len(shape):
            raise ValueError(f"concat: array {k} of shape {own} beside {shape} along axis {at}")
        n += own[at]
    shape = (*before, n, *behind)
    result = _core_new(arrays[0], shape) if out is None else _arrays.output(out, shape, "concat")
    is_plain = type(arrays[0]) is type(result) and _arrays.is_numpy(result) and _arrays.are_plain(arrays)
    for x in () if is_plain else (*arrays, result):  # of one memory, before any is written
        if _arrays.view(x)[5] != _arrays.view(arrays[0])[5]:
            raise ValueError(f"concat: an array on {_arrays.place_of(arrays[0])} and one on {_arrays.place_of(x)}: bring them together with their library first")
    begin, all_before = 0, (slice(None),) * at
    for x in arrays:
        end = begin + x.shape[at]
        _core.move(x, "... -> ...", result[(*all_before, slice(begin, end))] if is_plain else _arrays.part(result, at, begin, end), ())
        begin = end
    return _finished(arrays[0], result) if out is None else out


def unstack(x, axis=0):
    """(x[…, 0, …], x[…, 1, …], …) along an axis: views of one new array, which has that axis first."""
    x = _arrays.of(x)
    moved = moveaxis(x, _arrays.axis_of(axis, len(x.shape), "unstack"), 0)
    return tuple(moved[(k, ...)] for k in range(moved.shape[0]))


def broadcast_to(x, shape):
    """x repeated along new first axes and along those of extent 1, as a new array of this shape."""
    x = _arrays.of(x)
    shape = tuple(_arrays.size(n, "broadcast_to: an extent") for n in ([shape] if hasattr(shape, "__index__") else shape))
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
