"""The array API's names for what moves one array, and np.pad. Each is one move, so its result is a new array. Arrays may be lists of numbers.

SPDX-License-Identifier: BSD-3-Clause
"""
import functools

from . import _arrays, _core, _moves
from ._beyond import flat


_axes_of = _arrays.axes_of


@functools.cache
def _names(rank):
    return tuple(f"a{k}" for k in range(rank))


@functools.cache
def _same(rank):
    return _in_order(tuple(range(rank)))


@functools.lru_cache(1024)
def _in_order(axes):
    names = _names(len(axes))
    return f"{' '.join(names)} -> {' '.join([names[a] for a in axes])}"


def permute_dims(x, axes, *, out=None):
    """y[i_axes0, i_axes1, …] = x[i_0, i_1, …]: x's axes in another order."""
    x = _arrays.of(x)
    rank = len(x.shape)
    order = _axes_of(axes, rank, "permute_dims")
    if len(order) != rank:
        raise ValueError(f"permute_dims: {tuple(axes)} is no order of {rank} axes")
    return _core.move(x, _in_order(tuple(order)), out, ())


def matrix_transpose(x, *, out=None):
    """The last two axes exchanged."""
    x = _arrays.of(x)
    rank = len(x.shape)
    if rank < 2:
        raise ValueError(f"matrix_transpose of an array of {rank} axes: it takes 2 or more")
    return permute_dims(x, (*range(rank - 2), rank - 1, rank - 2), out=out)


def moveaxis(x, source, destination, *, out=None):
    """Some axes at other places, the others in their order."""
    x = _arrays.of(x)
    rank = len(x.shape)
    source, destination = _axes_of(source, rank, "moveaxis"), _axes_of(destination, rank, "moveaxis")
    if len(source) != len(destination):
        raise ValueError(f"moveaxis: {len(source)} axes to {len(destination)} places")
    order = [a for a in range(rank) if a not in source]
    for place, axis in sorted(zip(destination, source)):
        order.insert(place, axis)
    return permute_dims(x, order, out=out)


def flip(x, axis=None, *, out=None):
    """y[…, i, …] = x[…, n-1-i, …] on the given axes, or all."""
    x = _arrays.of(x)
    rank = len(x.shape)
    axes = range(rank) if axis is None else _axes_of(axis, rank, "flip")
    return _core.move(x, _same(rank), out, tuple(("flip", f"a{a}") for a in axes))


def roll(x, shift, axis=None, *, out=None):
    """y[…, (i + shift) mod n, …] = x[…, i, …]; without axes, of the flattened array."""
    x = _arrays.of(x)
    rank = len(x.shape)
    if axis is None:
        n = _arrays.n_elements(x.shape)
        flat = _arrays.flat(x)
        if flat is None:
            flat = _core.move(x, f"{' '.join(_names(rank))} -> ({' '.join(_names(rank))})", None, ())
        rolled = _arrays.reshaped(_core.move(flat, "a -> a", None, (("roll", "a", _arrays.size(shift, "roll: a shift") if n else 0),)), x.shape)
        return rolled if out is None else _core.move(rolled, "... -> ...", out, ())
    axes = [axis] if hasattr(axis, "__index__") else list(axis)
    shifts = [shift] * len(axes) if hasattr(shift, "__index__") else list(shift)
    if len(shifts) != len(axes):
        raise ValueError(f"roll: {len(shifts)} shifts for {len(axes)} axes")
    options = tuple(("roll", f"a{_axes_of(a, rank, 'roll')[0]}", _arrays.size(s, "roll: a shift")) for a, s in zip(axes, shifts))
    return _core.move(x, _same(rank), out, options)


def expand_dims(x, axis=0):
    """A new axis of extent 1."""
    x = _arrays.of(x)
    axes = [axis] if hasattr(axis, "__index__") else list(axis)
    rank = len(x.shape) + len(axes)
    at = _axes_of(axes, rank, "expand_dims")
    names = iter(_names(len(x.shape)))
    right = " ".join("1" if a in at else next(names) for a in range(rank))
    return _core.move(x, f"{' '.join(_names(len(x.shape)))} -> {right}", None, ())


def squeeze(x, axis):
    """Axes of extent 1 that go."""
    x = _arrays.of(x)
    rank = len(x.shape)
    at = _axes_of(axis, rank, "squeeze")
    for a in at:
        if x.shape[a] != 1:
            raise ValueError(f"squeeze: axis {a} has extent {x.shape[a]}, not 1")
    left = " ".join("1" if a in at else f"a{a}" for a in range(rank))
    return _core.move(x, f"{left} -> {' '.join(f'a{a}' for a in range(rank) if a not in at)}", None, ())


def reshape(x, shape, *, order="C", copy=None):
    """The elements in C order (or Fortran's, 'F') as an array of another shape; one extent may be -1. The result is a new array, so copy=False is
    refused."""
    if copy is not None and not copy:
        raise ValueError("reshape: copy=False: results are new arrays; the array's own reshape() makes views")
    x = _arrays.of(x)
    shape = [_arrays.size(n, "reshape: an extent") for n in ([shape] if hasattr(shape, "__index__") else shape)]
    n = _arrays.n_elements(x.shape)
    if shape.count(-1) > 1 or any(k < -1 for k in shape):
        raise ValueError(f"reshape: {tuple(shape)} of an array of {n} elements: at most one extent is -1, the others are 0 or more")
    if -1 in shape:
        others = -_arrays.n_elements(shape)
        if others == 0 or n % others != 0:
            raise ValueError(f"reshape: {n} elements do not fill {tuple(shape)}")
        shape[shape.index(-1)] = n // others
    if _arrays.n_elements(shape) != n:
        raise ValueError(f"reshape: {n} elements do not fill {tuple(shape)}")
    if order not in ("C", "F"):
        raise ValueError(f"reshape: order is 'C' or 'F', not {order!r}")
    names = _names(len(x.shape))
    if order == "C":
        flat = _core.move(x, f"{' '.join(names)} -> ({' '.join(names)})", None, ())
        return _arrays.reshaped(flat, shape)
    flat = _core.move(x, f"{' '.join(names)} -> ({' '.join(reversed(names))})", None, ())
    if n == 0:
        return _arrays.reshaped(flat, shape)
    new = _names(len(shape))
    sizes = tuple(("size", name, k) for name, k in zip(new, shape))
    return _core.move(flat, f"({' '.join(reversed(new))}) -> {' '.join(new)}", None, sizes)


def _core_new(x, shape):
    return _arrays.new(x, shape)


def _finished(x, result):
    return result if type(result) is type(x) and _arrays.is_numpy(x) else _arrays.finished(x, result)


def tile(x, repetitions):
    """x, so many times along every axis."""
    x = _arrays.of(x)
    repetitions = [_arrays.size(n, "tile: a count") for n in ([repetitions] if hasattr(repetitions, "__index__") else repetitions)]
    if any(n < 0 for n in repetitions):
        raise ValueError(f"tile: {tuple(repetitions)}: give counts of 0 or more")
    rank = max(len(x.shape), len(repetitions))
    repetitions = [1] * (rank - len(repetitions)) + repetitions
    names = _names(len(x.shape))
    right, sizes = [], []
    for a, n in enumerate(repetitions):
        own = a - (rank - len(names))
        sizes.append(("size", f"r{a}", n))
        right.append(f"(r{a} {names[own]})" if own >= 0 else f"r{a}")
    if 0 in repetitions or 0 in x.shape:
        extents = [1] * (rank - len(names)) + list(x.shape)
        return _finished(x, _core_new(x, tuple(e * n for e, n in zip(extents, repetitions))))
    return _core.move(x, f"{' '.join(names)} -> {' '.join(right)}", None, tuple(sizes))


def repeat(x, repeats, axis=None):
    """Every element `repeats` times (a number, or one for each index), along an axis or of the flattened array."""
    x = _arrays.of(x)
    if axis is None:
        x, axis = reshape(x, -1), 0
    rank = len(x.shape)
    at = _arrays.axis_of(axis, rank, "repeat")
    if not hasattr(repeats, "__index__") or tuple(getattr(repeats, "shape", ())) != ():
        import numpy

        counts = _arrays.plain(repeats)
        if counts.dtype.kind not in "iu" or counts.ndim != 1 or (counts.size not in (1, x.shape[at])) or (counts < 0).any():
            raise ValueError(f"repeat: counts are integers of 0 or more, one or {x.shape[at]}; here are {counts.dtype} of shape {counts.shape}")
        if counts.size != 1:
            return take(x, numpy.repeat(numpy.arange(x.shape[at]), counts), axis=at)
        repeats = counts[0]
    n = _arrays.size(repeats, "repeat: a count")
    if n < 0:
        raise ValueError(f"repeat: {n} times")
    if n == 0 or 0 in x.shape:
        return _finished(x, _core_new(x, tuple(e * n if a == at else e for a, e in enumerate(x.shape))))
    names = _names(rank)
    right = [f"({name} r)" if a == at else name for a, name in enumerate(names)]
    return _core.move(x, f"{' '.join(names)} -> {' '.join(right)}", None, (("size", "r", n),))


def take(x, indices, axis=None, *, out=None):
    """y[…, j, …] = x[…, indices[j], …]; negative indices count from the end, all are checked."""
    x = _arrays.of(x)
    rank = len(x.shape)
    if axis is None:
        if rank != 1:
            raise ValueError(f"take: an array of {rank} axes needs axis=")
        axis = 0
    return _core.move(x, _same(rank), out, (_moves._take(f"a{_arrays.axis_of(axis, rank, 'take')}", indices),))


_pad_modes = ("constant", "edge", "reflect", "symmetric", "wrap", "empty")
_computed_modes = ("linear_ramp", "maximum", "mean", "median", "minimum")


_words_of_modes = {"constant": ("constant_values",), "reflect": ("reflect_type",), "symmetric": ("reflect_type",), "linear_ramp": ("end_values",),
                   "maximum": ("stat_length",), "mean": ("stat_length",), "median": ("stat_length",), "minimum": ("stat_length",)}


_kept_pads: dict = {}  # (rank, widths, mode, type of element) -> options, of plain numbers alone: 1, 1.0 and True have one hash


def _is_plain(widths):
    return type(widths) is int or type(widths) is tuple and all(map(_is_plain, widths))


def _pad_options(x, pad_width, mode, constant_values):
    import numpy

    rank = len(x.shape)
    widths = _pad_widths(pad_width, rank)
    if mode != "constant":
        mode = "constant" if mode == "empty" else mode
        return tuple(("pad", f"a{a}", int(b), int(e), mode, b"") for a, (b, e) in enumerate(widths) if b or e)
    values = numpy.broadcast_to(_arrays.plain(constant_values), (rank, 2))
    options = []
    for a, (b, e) in enumerate(widths):
        for before, after, value in ((int(b), 0, values[a][0]), (0, int(e), values[a][1])):
            if before or after:
                options.append(("pad", f"a{a}", before, after, mode, _moves.value_bytes(value, x)))
    return tuple(options)


def _pad_widths(pad_width, rank):
    import numpy

    if isinstance(pad_width, dict):
        widths = numpy.zeros((rank, 2), int)
        for axis, width in zip(_axes_of(list(pad_width), rank, "pad"), pad_width.values()):
            widths[axis] = _widths(width)
        return widths
    return numpy.broadcast_to(_widths(pad_width), (rank, 2))


def is_computed(mode, words):
    """Whether pad() makes values of elements, as NumPy does."""
    return callable(mode) or mode in _computed_modes or words.get("reflect_type", "even") == "odd"


def _widths(given):
    for n in flat([given]):
        if getattr(n, "ndim", 0) == 0:
            _arrays.size(n, "pad: a width")
    given = _arrays.plain(given)
    if given.dtype.kind not in "iu":
        raise TypeError(f"pad: widths are integers, not {given.dtype}")
    return given


def pad(x, pad_width, mode="constant", *, out=None, **words):
    """np.pad, one move by the modes constant, edge, reflect, symmetric, wrap, and empty, which is zeros. Where values are computed (linear_ramp,
    maximum, mean, median, minimum, a function, reflect_type='odd') NumPy does it, on a CPU. Widths as NumPy takes them: n, (before, after),
    one pair an axis, or a dict from axes. Words as NumPy's modes have them: constant_values, reflect_type, end_values, stat_length; others are
    refused. A function gets all words that are given."""
    x = _arrays.of(x)
    rank = len(x.shape)
    key = (rank, pad_width, mode, x.dtype) if not words and type(mode) is str and _is_plain(pad_width) else None
    if key is not None and (options := _kept_pads.get(key)) is not None:
        return _core.move(x, _same(rank), out, options)
    if not callable(mode):
        if mode not in _pad_modes + _computed_modes:
            raise ValueError(f"pad: no mode {mode!r}; there are {', '.join(_pad_modes + _computed_modes)}")
        others = [word for word in words if word not in _words_of_modes.get(mode, ())]
        if others:
            its = " and ".join(_words_of_modes.get(mode, ())) or "no words"
            raise ValueError(f"pad: mode {mode!r} takes {its}, not {', '.join(others)}")
    reflect_type = words.get("reflect_type", "even")
    if reflect_type not in ("even", "odd"):
        raise ValueError(f"pad: reflect_type is 'even' or 'odd', not {reflect_type!r}")
    if is_computed(mode, words):
        return _computed_pad(x, _pad_widths(pad_width, rank), mode, out, words)
    options = _pad_options(x, pad_width, mode, words.get("constant_values", 0))
    if key is not None:
        if len(_kept_pads) >= 1024:
            _kept_pads.clear()
        _kept_pads[key] = options
    return _core.move(x, _same(rank), out, options)


def _computed_pad(x, widths, mode, out, words):
    import numpy

    if len(x.shape) == 0:  # as by the other modes, there is nothing to pad
        return _core.move(x, "... -> ...", out, ())
    array, back = _arrays.on_numpy(x, f"pad by mode {mode!r}")
    result = back(numpy.pad(array, widths, mode, **words))
    return result if out is None else _core.move(result, _same(len(x.shape)), out, ())
