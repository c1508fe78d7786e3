"""Axes, sizes and types of elements, as people give them.

SPDX-License-Identifier: BSD-3-Clause
"""
import operator


class AxisError(ValueError, IndexError):
    """An axis that an array does not have."""


def axes_of(axis, rank, what):
    """One axis or several as numbers from 0 on, each once."""
    axes = [axis] if hasattr(axis, "__index__") else list(axis)
    found = [axis_of(a, rank, what) for a in axes]
    if len(set(found)) != len(found):
        raise ValueError(f"{what}: an axis is named twice: {tuple(axes)}")
    return found


def axis_of(axis, rank, what):
    a = size(axis, f"{what}: an axis")
    if not -rank <= a < rank:
        raise AxisError(f"{what}: axis {a} of an array of {rank} axes")
    return a % rank


def size(n, what):
    """A size, a count or an axis as an int; True is none, nor are 2.0 and "2"."""
    if type(n) is int:
        return n
    if not hasattr(n, "__index__") or _is_boolean(n):
        raise TypeError(f"{what} is {n!r}, not an integer")
    return operator.index(n)


def _is_boolean(n):
    return isinstance(n, bool) or str(getattr(n, "dtype", "")).endswith(("bool", "bool_"))


def number(n, what):
    """A number as a float; text is none, nor is True."""
    if isinstance(n, (str, bytes)) or _is_boolean(n):
        raise TypeError(f"{what} is {n!r}, not a number")
    return float(n)


def numpy_dtype(dtype):
    """NumPy's type of any library's."""
    import numpy

    try:
        return numpy.dtype(dtype)
    except TypeError:
        return numpy.dtype(str(dtype).rpartition(".")[2])
