"""Keywords of files as options of the command: all that move() has, and what the command has beside it.

SPDX-License-Identifier: BSD-3-Clause
"""
import os
import re

from . import _arrays
from ._moves import _axes, _items, _slice, _take

_chunked = frozenset(("chunks", "shards"))
_plain = frozenset(("filter", "tail", "byte_order", "orient", "offset", "count", "device", "threads", "memory", "device_memory", "plan", "plan_cache"))
_flags = frozenset(("shuffle", "bit_planes", "verify", "force"))
_types = frozenset(("dtype", "unshuffle", "from_bit_planes"))
_shapes = frozenset(("shape", "put_shape"))
_verbs = frozenset(("flip", "bit_reverse", "roll", "at", "dilate", "slice", "pad", "take", "order", "sizes", "put"))
_printed = frozenset(("explain", "dry_run", "json", "report", "help"))


def option(word):
    return "--" + word.replace("_", "-")


def options(words, folder):
    """The command's arguments, verbs in the order written. Indices are put into files of `folder`, a temporary one."""
    for word, value in words.items():
        if value is None:
            continue
        if word in _flags:
            if not isinstance(value, bool):
                raise TypeError(f"{word} is True or False, not {value!r}")
            if value:
                yield option(word)
        elif word in _types:
            yield from (option(word), _type(value))
        elif word in _shapes:
            yield from (option(word), value if isinstance(value, str) else _shape(value, word))
        elif word in _chunked:
            yield from (option(word), _chunks(value, word))
        elif word in _plain or word == "header":
            yield from (option(word), os.fspath(value) if word == "plan_cache" else str(value))
        elif word in _verbs:
            yield from _verb(word, value, folder)
        elif word in _printed:
            raise TypeError(f"{word}: what the command prints is not seen here: python -m crinkle move … {option(word)} prints it")
        elif hasattr(value, "__index__"):
            yield from ("--size", f"{word}={_arrays.size(value, word)}")
        else:
            known = ", ".join(sorted(_plain | _chunked | _flags | _types | _shapes | _verbs))
            raise TypeError(f"{word}={value!r}: no such keyword, or the size of an axis, which is an integer; the others are {known}")


def _type(value):
    if isinstance(value, str):
        return value
    dtype = _arrays.numpy_dtype(value)
    return str(dtype.descr) if dtype.names else dtype.str


def _shape(value, word):
    extents = [_arrays.size(n, f"{word}: an extent") for n in ([value] if hasattr(value, "__index__") else value)]
    return ",".join(map(str, extents))


def _chunks(value, word):
    """{'y': 512}, (1, 512), 512 of one axis, or the command's own text."""
    if isinstance(value, str):
        return value
    if hasattr(value, "items"):
        return ",".join(f"{axis}={_arrays.size(n, f'{word} along {axis}')}" for axis, n in value.items())
    return _shape(value, word)


def _range(start, stop, step):
    text = ":".join("" if n is None else str(_arrays.size(n, "a bound")) for n in (start, stop))
    return text if step is None else f"{text}:{_arrays.size(step, 'a step')}"


def _verb(word, value, folder):
    if word in ("flip", "bit_reverse"):
        for axis in _axes(value):
            yield from (option(word), axis)
    elif word in ("roll", "at", "dilate"):
        for axis, n in _items(word, value):
            yield from (option(word), f"{axis}={_arrays.size(n, word)}")
    elif word == "slice":
        for axis, bounds in _items(word, value):
            yield from ("--slice", f"{axis}={bounds}" if isinstance(bounds, str) else f"{axis}={_range(*_slice(axis, bounds)[2:])}")
    elif word == "pad":
        for axis, width in _items(word, value):
            yield from ("--pad", f"{axis}={_width(axis, width)}")
    elif word == "take":
        for axis, indices in _items(word, value):
            yield from ("--take", f"{axis}={_indices(axis, indices, folder)}")
    elif word == "order":
        if value not in ("morton", "checkerboard"):
            raise ValueError(f"order is 'morton' or 'checkerboard', not {value!r}")
        yield option(value)
    elif word == "sizes":
        for axis, n in _items(word, value):
            yield from ("--size", f"{axis}={_arrays.size(n, axis)}")
    elif word == "put":
        yield from ("--put", value if isinstance(value, str) else _index(value))


def _width(axis, width):
    if isinstance(width, str):
        return width
    parts = list(width) if isinstance(width, (tuple, list)) else [width, width]
    if len(parts) not in (2, 3, 4):
        raise ValueError(f"pad: {width!r} on axis {axis!r}; give (before, after), (before, after, mode) or (before, after, 'constant', value)")
    return ":".join([*(str(_arrays.size(n, "pad: a width")) for n in parts[:2]), *map(str, parts[2:])])


def _indices(axis, indices, folder):
    if isinstance(indices, (str, os.PathLike)):
        return os.fspath(indices)
    import numpy

    there = os.path.join(folder, f"take_{len(os.listdir(folder))}.npy")
    numpy.save(there, numpy.frombuffer(_take(axis, indices)[2], numpy.int64))
    return there


def _index(value):
    """An index of an array, of integers and slices, as the command has it."""
    items = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(one, slice) or hasattr(one, "__index__") for one in items):
        raise TypeError(f"put is an index of integers and slices, not {value!r}")
    return ",".join(_range(one.start, one.stop, one.step) if isinstance(one, slice) else str(_arrays.size(one, "put: an index")) for one in items)


def in_python(text):
    """A text of the command with keywords in place of its options."""
    text = re.sub(r"--force\b", "force=True", text)
    text = re.sub(r"--(roll|at|dilate) (\w+)=(-?\w+)", r"\1={'\2': \3}", text)
    text = re.sub(r"--size (\w+)=(\w+)", r"\1=\2", text)
    text = re.sub(r"--(dtype|memory) ([\w.<>|]*\d\w*)", r"\1='\2'", text)
    text = re.sub(r"--(tail|orient) (error|ragged|pad|drop|[A-Z]{3})\b", r"\1='\2'", text)
    return re.sub(r"--([a-z]+(?:-[a-z]+)*)", lambda m: m[1].replace("-", "_") + "=", text)
