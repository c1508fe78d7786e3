"""einops' functions that only move: ``import crinkle.einops as einops``. Its grammar and the meaning of its errors; one pass each.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import _arrays, _core
from ._joins import concat as _concat
from ._patterns import EinopsError, ParsedExpression, error as _error

__all__ = ["rearrange", "repeat", "pack", "unpack", "parse_shape", "EinopsError"]


_elsewhere = {"reduce": "it reduces, and crinkle only moves", "einsum": "it multiplies and sums, and crinkle only moves", "asnumpy": "crinkle takes arrays as they are",
              "layers": "layers are of a library of networks"}


def __getattr__(name):
    if name in _elsewhere:
        raise ImportError(f"crinkle.einops has no {name}: {_elsewhere[name]}; einops has it, and takes what crinkle.einops gives: from einops import {name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_checked = {}  # (function, pattern, names of the sizes) -> the pattern for the library; few are ever written


def _check_pattern(pattern):
    if not isinstance(pattern, str):
        raise EinopsError(f"a pattern is a str, not {type(pattern).__name__}")


def _pattern(what, pattern, sizes):
    key = what, pattern, tuple(sizes)
    known = _checked.get(key)
    if known is not None:
        return known
    _check_pattern(pattern)
    sides = pattern.split("->")
    if len(sides) != 2:
        raise _error(f"a pattern has exactly one '->', '{pattern}' has {len(sides) - 1}", pattern)
    left, right = (ParsedExpression(side, pattern) for side in sides)
    if left.has_ellipsis_parenthesized:
        raise _error("an ellipsis inside parentheses on the left side", pattern, "...")
    if right.has_ellipsis and not left.has_ellipsis:
        raise _error("an ellipsis on the right side but not on the left", pattern)
    left_names, right_names = left.names(), right.names()
    numbers = left.extents() + (right.extents() if what == "rearrange" else [])
    if numbers:
        raise _error(f"'{numbers[0]}': {what} takes no numbers here except 1; name the axis and give its size", pattern, numbers[0])
    lost = sorted(left_names - right_names)
    if lost:
        raise _error(f"`{lost[0]}` is on the left side only, and {what} never reduces", pattern, lost[0])
    new = sorted(right_names - left_names)
    if what == "rearrange" and new:
        raise _error(f"`{new[0]}` is on the right side only; repeat makes new axes", pattern, new[0])
    without = [n for n in new if n not in sizes]
    if without:
        raise _error(f"the new axis `{without[0]}` has no size: give {without[0]}=N", pattern, without[0])
    unknown = sorted(set(sizes) - left_names - right_names)
    if unknown:
        raise _error(f"a size of `{unknown[0]}`, which is not in the pattern", pattern)
    spec = pattern.replace("\u2026", "...")
    if len(_checked) > 4096:
        _checked.clear()
    _checked[key] = spec
    return spec


def _move(what, x, pattern, sizes):
    spec = _pattern(what, pattern, sizes)
    if isinstance(x, (list, tuple)) and len(x) > 1 and all(hasattr(one, "dtype") for one in x):
        x = _arrays.promoted(x, what)
    try:
        if not sizes:
            return _core.move(x, spec, None, ())
        return _core.move(x, spec, None, tuple(("size", name, _size(n, name, pattern)) for name, n in sizes.items()))
    except EinopsError:
        raise
    except ValueError as e:
        raise EinopsError(f"{what} of '{pattern}': {e}") from None


def _size(n, name, pattern):
    try:
        return _arrays.size(n, name)
    except TypeError as e:
        raise _error(str(e), pattern, name) from None


def rearrange(tensor, pattern, **axes_lengths):
    """``rearrange(images, 'b h w c -> b c h w')``: axes reordered, split and merged; a list of arrays is one with a new first axis."""
    return _move("rearrange", tensor, pattern, axes_lengths)


def repeat(tensor, pattern, **axes_lengths):
    """``repeat(image, 'h w -> h w c', c=3)``: as rearrange, and names on the right alone are new axes along which the array repeats."""
    return _move("repeat", tensor, pattern, axes_lengths)


def parse_shape(x, pattern):
    """``parse_shape(x, 'b _ h w') -> {'b': …, 'h': …, 'w': …}``; ``_`` is skipped, ``...`` is any number of axes."""
    _check_pattern(pattern)
    names = ["1" if name == "()" else name for name in pattern.replace("\u2026", "...").split()]
    shape = tuple(_arrays.of(x).shape)
    for name in names:
        if name.startswith("(") or name.endswith(")"):
            raise _error("parse_shape takes no parentheses", pattern, name)
        if name not in ("_", "...") and not name.isdecimal() and not ParsedExpression.check_axis_name(name):
            raise _error(f"not a valid axis name: '{name}'", pattern, name)
    kept = [n for n in names if n not in ("_", "...") and not n.isdecimal()]
    if len(set(kept)) != len(kept) or names.count("...") > 1:
        raise _error("a name or the ellipsis is there twice", pattern)
    if "..." in names:
        at = names.index("...")
        if len(shape) < len(names) - 1:
            raise _error(f"an array of shape {shape} has fewer axes than the pattern", pattern)
        names[at:at + 1] = ["_"] * (len(shape) - len(names) + 1)
    elif len(names) != len(shape):
        raise _error(f"an array of shape {shape} has {len(shape)} axes, the pattern {len(names)}", pattern)
    sizes = {}
    for name, n in zip(names, shape):
        if name.isdecimal():
            if int(name) != n:
                raise _error(f"an axis of extent {n} where the pattern has {name}", pattern, name)
        elif name != "_":
            sizes[name] = n
    return sizes


def _pack_axes(pattern, what):
    _check_pattern(pattern)
    items = pattern.split()
    if items.count("*") != 1:
        raise _error(f"{what} takes a pattern with exactly one '*'", pattern)
    named = [n for n in items if n != "*"]
    if len(set(named)) != len(named):
        raise _error("a name is there twice", pattern)
    for name in named:
        if not ParsedExpression.check_axis_name(name):
            raise _error(f"not a valid axis name: '{name}'", pattern, name)
    at = items.index("*")
    return at, len(items) - at - 1


def pack(tensors, pattern):
    """``packed, shapes = pack([a, b], 'h w *')``: axes under ``*`` become one, along which the arrays follow each other."""
    before, after = _pack_axes(pattern, "pack")
    flat, shapes, shapes_given = [], [], []
    for k, x in enumerate(tensors):
        x = _arrays.of(x)
        shape = tuple(x.shape)
        shapes_given.append(shape)
        if len(shape) < before + after:
            raise _error(f"array {k} of shape {shape} has fewer axes than the pattern names", pattern)
        end = len(shape) - after
        shapes.append(shape[before:end])
        n = 1
        for extent in shape[before:end]:
            n *= extent
        flat.append(_arrays.reshaped(x, (*shape[:before], n, *shape[end:])))
    if not flat:
        raise _error("pack of no arrays", pattern)
    for k, x in enumerate(flat):
        if x.ndim != flat[0].ndim or tuple(x.shape[:before]) != tuple(flat[0].shape[:before]) or tuple(x.shape[before + 1:]) != tuple(flat[0].shape[before + 1:]):
            raise _error(f"array {k} has other extents than the first along the named axes: {shapes_given[k]}", pattern)
    try:
        return _concat(flat, axis=before), shapes
    except ValueError as e:
        raise EinopsError(f"pack of '{pattern}': {e}") from None


def unpack(tensor, packed_shapes, pattern):
    """``a, b = unpack(packed, shapes, 'h w *')``: pack() backwards, as views. One shape may have one -1."""
    before, after = _pack_axes(pattern, "unpack")
    tensor = _arrays.of(tensor)
    shape = tuple(tensor.shape)
    if len(shape) != before + 1 + after:
        raise _error(f"an array of shape {shape} has {len(shape)} axes, the pattern {before + 1 + after}", pattern)
    lengths, unknown = [], None
    for k, packed in enumerate(packed_shapes):
        n = 1
        for extent in packed:
            n *= _size(extent, "an extent", pattern)
        if any(extent == -1 for extent in packed):
            if unknown is not None or list(packed).count(-1) > 1:
                raise _error("at most one extent of all the shapes is -1", pattern)
            unknown, n = k, 0
        lengths.append(n)
    n_there = shape[before]
    if unknown is not None:
        lengths[unknown] = n_there - sum(lengths)
        known = -1
        for extent in packed_shapes[unknown]:
            known *= extent
        if lengths[unknown] < 0 or (known != 0 and lengths[unknown] % known != 0):
            raise _error(f"{packed_shapes[unknown]} does not fit the {lengths[unknown]} elements that are left of {n_there}", pattern)
    if sum(lengths) != n_there:
        raise _error(f"the shapes {list(packed_shapes)} take {sum(lengths)} elements, the array has {n_there}", pattern)
    parts, begin = [], 0
    for packed, n in zip(packed_shapes, lengths):
        part = tensor[(slice(None),) * before + (slice(begin, begin + n),)]
        try:
            parts.append(_arrays.reshaped(part, (*shape[:before], *packed, *shape[before + 1:])))
        except Exception as e:
            raise EinopsError(f"unpack of '{pattern}': {packed} does not fit {n} elements: {e}") from None
        begin += n
    return parts
