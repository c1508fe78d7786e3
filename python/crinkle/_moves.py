"""Moves: what people write as keywords, as the flat options that the extension reads. The meaning of every word is the library's.

SPDX-License-Identifier: BSD-3-Clause
"""

from . import _arrays, _beyond, _core

_no_options = ()
_words = frozenset(("flip", "roll", "slice", "pad", "dilate", "at", "take", "bit_reverse", "byte_order", "order", "tail", "sizes"))


def _axes(value):
    """'y', 'y x', ['y', 'x'] -> names."""
    if isinstance(value, str):
        return value.replace(",", " ").split()
    return [str(axis) for axis in value]


def _items(word, value):
    if not hasattr(value, "items"):
        raise TypeError(f"{word} is a dict from axes to values, as in {word}={{'x': 1}}, not {value!r}")
    return value.items()


def value_bytes(value, x):
    """One element of x's type."""
    dtype = _arrays.dtype_of(x)
    if _arrays.is_numpy(x) or _arrays.kind_of(x) is not _arrays.Torch:
        import numpy

        element = numpy.empty((1,), dtype)
        try:
            with numpy.errstate(invalid="ignore", over="ignore"):
                element[...] = _arrays.unmasked(value) if _arrays.is_numpy(value) else value
        except (OverflowError, ValueError):
            raise ValueError(f"pad: {dtype} holds no {value}") from None
        is_lost = dtype.kind in "iub" and element[0] != value or dtype.kind == "f" and numpy.isinf(element[0]) and not numpy.isinf(value)
        if is_lost:
            raise ValueError(f"pad: {dtype} holds no {value}: give a value that it holds, or an array of a type that holds it")
        return element.tobytes()
    import torch

    element = torch.full((1,), value, dtype=dtype)
    if not dtype.is_floating_point and not dtype.is_complex and element.item() != value:
        raise ValueError(f"pad: {dtype} holds no {value}")
    return element.view(torch.uint8).numpy().tobytes()


def _pad(axis, width, x):
    mode, value = "constant", b""
    if isinstance(width, (tuple, list)):
        if len(width) not in (2, 3, 4):
            raise ValueError(f"pad: {width!r} on axis {axis!r}; give (before, after), (before, after, mode) or (before, after, 'constant', value)")
        before, after = width[:2]
        mode = width[2] if len(width) > 2 else mode
        if len(width) > 3:
            if mode != "constant":
                raise ValueError(f"pad: mode {mode!r} on axis {axis!r} takes no value, only 'constant' does")
            if x is None:
                raise ValueError("pad: a value's bytes depend on the type of the array; give the array in place of its shape")
            value = value_bytes(width[3], x)
    else:
        before = after = width
    return "pad", str(axis), _arrays.size(before, "pad: a width"), _arrays.size(after, "pad: a width"), str(mode), value


def _slice(axis, bounds):
    bounds = (bounds.start, bounds.stop, bounds.step) if isinstance(bounds, slice) else tuple(bounds)
    if len(bounds) not in (2, 3):
        raise ValueError(f"slice: {bounds!r} on axis {axis!r}; give slice(start, stop, step) or (start, stop)")
    # As integers: 2 and 2.0 are equal, and would be one plan.
    return ("slice", str(axis), *[n if n is None else _arrays.size(n, "slice: a bound") for n in bounds], None)[:5]


def _take(axis, indices):
    import numpy

    if type(indices) is not numpy.ndarray:
        indices = _arrays.plain(indices)
    if indices.ndim == 1 and indices.dtype == numpy.int64 and indices.dtype.isnative:
        return "take", str(axis), indices.tobytes()
    if indices.size == 0:
        indices = indices.astype(numpy.int64)
    if indices.ndim != 1 or indices.dtype.kind not in "iu":
        raise ValueError(f"take: indices are one axis of integers, not {indices.dtype} of shape {indices.shape}")
    if indices.dtype.kind == "u" and indices.size and indices.max() > numpy.iinfo(numpy.int64).max:
        raise ValueError(f"take: the index {indices.max()} does not fit 64 bits")
    return "take", str(axis), numpy.ascontiguousarray(indices, numpy.int64).tobytes()


def _parts_of(dtype, order):
    """The items of an element, and whether their bytes are to be reversed."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return [(o + k * base.itemsize, b, c, s) for k in range(_arrays.n_elements(shape)) for o, b, c, s in _parts_of(base, order)]
    if dtype.names is not None:
        parts, end = [], 0
        for name in sorted(dtype.names, key=lambda n: dtype.fields[n][1]):
            field, offset = dtype.fields[name][:2]
            if offset < end:
                raise ValueError(f"byte_order: field {name!r} shares bytes with another")
            if offset > end:
                parts.append((end, 1, offset - end, False))
            parts += [(offset + o, b, c, s) for o, b, c, s in _parts_of(field, order)]
            end = offset + field.itemsize
        if dtype.itemsize > end:
            parts.append((end, 1, dtype.itemsize - end, False))
        return parts
    n = {"c": 2, "U": max(dtype.itemsize // 4, 1)}.get(dtype.kind, 1)
    if dtype.kind in "SV" or dtype.itemsize == 1:
        return [(0, 1, dtype.itemsize, False)]
    return [(0, dtype.itemsize // n, n, dtype.newbyteorder(order) != dtype)]


def options_of(words, x, sizes):
    """The flat options; verbs in the order written."""
    options = []
    for word, value in words.items():
        if value is None:
            continue
        if word in ("flip", "bit_reverse"):
            for axis in _axes(value):  # in small calls a loop is faster than a list
                options.append((word, axis))
        elif word in ("roll", "at", "dilate"):
            for axis, n in _items(word, value):
                options.append((word, str(axis), _arrays.size(n, word)))
        elif word == "slice":
            options += [_slice(axis, bounds) for axis, bounds in _items(word, value)]
        elif word == "pad":
            options += [_pad(axis, width, x) for axis, width in _items(word, value)]
        elif word == "take":
            options += [_take(axis, indices) for axis, indices in _items(word, value)]
        elif word == "tail":
            options.append(("tail", str(value)))
        elif word == "order":
            if value not in ("morton", "checkerboard"):
                raise ValueError(f"order is 'morton' or 'checkerboard', not {value!r}")
            options.append(("order", value))
        elif word == "sizes":
            options += [("size", str(name), _arrays.size(n, name)) for name, n in _items(word, value)]
    for name, n in sizes.items():
        if not hasattr(n, "__index__"):
            raise TypeError(f"{name}={n!r}: no such keyword, or the size of an axis, which is an integer; the others are {', '.join(sorted(_words))}")
        options.append(("size", name, _arrays.size(n, name)))
    return tuple(options)


def move(x, spec, /, *, out=None, **words):
    """dst[right side] = x[left side], in one pass: ``ck.move(x, 'z y (x 2) -> 2 z y x', flip='y', roll={'z': 3})``.

    Parameters
    ----------
    x : array, or a list of n arrays of one shape, which are one array with one more, slowest axis; or lists of numbers, as NumPy takes them
        NumPy's, torch's, JAX's, CuPy's, or anything with DLPack, an array interface or a buffer; any strides, any type but object.
    spec : str
        Axes slowest first. A name on both sides moves; ``(a b)`` is one axis made of two; a number is an axis of that extent (on the
        right alone: repeated); ``name:16`` gives a size, ``...`` is all other axes.
    out : array, optional
        Where the result goes: of the result's shape and x's type, any strides; x itself where the move is its own inverse.
    flip, bit_reverse : names
        ``'y'``, ``'y x'`` or a list. Verbs act in the order in which they are written.
    roll, at, dilate : {axis: n}
        As numpy.roll; one index of an axis, which goes; n - 1 zeros between elements.
    slice : {axis: slice or (start, stop)}
    pad : {axis: n or (before, after[, mode[, value]])}
        Modes constant, edge, reflect, symmetric, wrap, as numpy.pad.
    take : {axis: indices}
    tail : 'error', 'pad', 'drop' or 'ragged'
        Where a factor does not divide its axis.
    byte_order : 'little' or 'big'
        The bytes of every number are swapped where they differ; the type says so (NumPy).
    order : 'morton' or 'checkerboard'
        The whole result in that order, flat.
    sizes : {name: n}, or n as a keyword
        Sizes of names: ``ck.move(x, 'b (h w) -> h b w', h=16)``.
    layout : str
        x is a list of the parts of one array, one a device: ``ck.move([a0, a1], 'y x -> x y', layout='y:block(2) -> x:block(2)')``; so is the
        result. See DevicesPlan.
    chunks : {name: n}, n, a tuple, "auto"
        Of dask arrays alone: the chunks of the result, which is lazy.

    Returns
    -------
    array
        Of x's library, type and device; `out` where it is given.

    Raises
    ------
    ValueError
        What does not fit, with the values; NotationError, a ValueError, with a caret under the place.
    TypeError
        What is no array, or has Python objects in it.
    RuntimeError
        What the library, or this build of it, cannot do.
    """
    try:
        if not words:
            return _core.move(x, spec, out, _no_options)
        if "layout" in words and not _beyond.is_spread(x):
            return _beyond.over_devices(move, (x, spec), words if out is None else words | {"out": out})
        if "chunks" not in words and "layout" not in words:
            return _with_words(x, spec, out, dict(words))
    except _beyond.Beyond:
        pass
    return _beyond.called(move, (x, spec), words if out is None else words | {"out": out})


def _sizes(words):
    """Takes the sizes of names out of the keywords."""
    return {} if words.keys() <= _words else {name: words.pop(name) for name in list(words) if name not in _words}


def _listed(x):
    """(x, or the list of arrays that it is; the array whose type counts)"""
    if not isinstance(x, (list, tuple)):
        return x, x
    x = _arrays.listed(x)
    return x, x[0] if isinstance(x, (list, tuple)) and x else x


def _with_words(x, spec, out, words):
    byte_order = words.pop("byte_order", None)
    sizes, (x, first) = _sizes(words), _listed(x)
    options = options_of(words, first, sizes)
    if byte_order is None:
        return _core.move(x, spec, out, options)
    if not _arrays.is_numpy(first):
        _arrays.refuse(first)
        raise TypeError("byte_order: only NumPy's types have a byte order")
    if byte_order not in ("little", "big"):
        raise ValueError(f"byte_order is 'little' or 'big', not {byte_order!r}")
    dtype = first.dtype.newbyteorder("<" if byte_order == "little" else ">")
    options += (("byte_swap", tuple(_parts_of(first.dtype, "<" if byte_order == "little" else ">"))),)
    if out is None:
        return _core.move(x, spec, None, options).view(dtype)
    if out.dtype != dtype:
        raise ValueError(f"out has type {out.dtype}, the result {dtype}")
    _core.move(x, spec, out.view(first.dtype), options)
    return out


def plan(x, spec=None, /, *arguments, dtype=None, device=None, **words):
    """A move made ready once: ``p = ck.plan(x, 'y x -> x y'); p.run(x); print(p.describe()); p.inverse().run(y)``.

    `x` is an array, for whose shape, strides and type the plan is, or a shape; then dtype says what its elements are (in place of float32)
    and device, a number, for which GPU it is. All else as move(), but for byte_order and out.

    Or anything else that crinkle does, a function and its arguments (arrays, or ck.Array where there are none yet), or a ck.Request:
    ``p = ck.plan(ck.fft.fft, ck.Array((64, 1000), 'complex64'), axis=1); p.run(x); p.cuts, p.needs(part), p.part(part), p.stages()``.
    """
    from . import _plans, _requests

    if isinstance(x, _requests.Request):
        if spec is not None or arguments or words:
            raise TypeError("plan: a request has its arguments already")
        return _plans.Planned(x)
    if callable(x) and not hasattr(x, "shape"):
        words |= {k: v for k, v in (("dtype", dtype), ("device", device)) if v is not None}
        return _plans.Planned(_requests.Request(x, *(() if spec is None else (spec,)), *arguments, **words))
    if isinstance(x, _requests.Array):
        x = x.made()
    if not isinstance(spec, str) or arguments:
        raise TypeError(f"plan: an array and a specification, or a function of crinkle and its arguments, not {x!r}")
    if "byte_order" in words:
        raise ValueError("byte_order: plans keep types; use move()")
    sizes = _sizes(words)
    if isinstance(x, (tuple, list)) and all(hasattr(n, "__index__") and not hasattr(n, "shape") for n in x):
        e = 4 if dtype is None else _arrays.element_bytes(dtype)
        shape, spec = [_arrays.size(n, "plan: an extent") for n in x], _arrays.word(spec, "the specification")
        made = _core.plan_of_shape(shape, e, spec, options_of(words, None, sizes), -1 if device is None else device)
        like = _requests.Array(shape, f"V{e}" if dtype is None else dtype) if device is None else None
        return _noted(made, like, spec, words | sizes, (plan, (tuple(shape), spec), words | sizes | {"dtype": dtype, "device": device}))
    if dtype is not None or device is not None:
        raise ValueError("plan: dtype and device are the array's own; give them with a shape")
    x, first = _listed(x)
    made = _core.plan_for(x, spec, options_of(words, first, sizes))
    like = [_like(one) for one in x] if isinstance(x, (list, tuple)) else _like(x)
    return _noted(made, like, spec, words | sizes, (_plan_like, (like, spec), words | sizes))


def _like(x):
    """An array as what it is like; of a GPU itself."""
    from . import _requests

    if isinstance(x, _requests.Array):
        return x
    return x if _arrays.is_on_gpu(x) else _requests.Array.of(_arrays.on_numpy(x, "plan")[0])


def _plan_like(like, spec, **words):
    from . import _requests

    return plan(_requests._made(like), spec, **words)


def _noted(made, like, spec, words, made_by):
    """A plan with what it was made of, from which pickle makes it again."""
    from . import _requests

    made.made_by = made_by
    made.request = None if like is None else _requests.Request(move, like, spec, **words)
    return made
