"""Names and coordinates of a result's axes: those of the elements that a move brought there, frequencies of a transform, positions of a resampling.

SPDX-License-Identifier: BSD-3-Clause
"""
import datetime

from . import _axes, _beyond
from ._names import is_computed


def of(function, x, result, arguments, words):
    """(names, coordinates) of what a function made of a DataArray."""
    if function.__module__ in ("crinkle.fft", "crinkle._cosines") and function.__name__ not in ("fftshift", "ifftshift"):
        return _of_a_transform(function, x, result, words, arguments)
    if function.__name__ == "resample":
        return _of_a_resampling(x, result, arguments, words)
    return _of_a_move(function, x, result, arguments, words)


def _request(function, x, arguments, words, shape):
    from ._plans import Planned
    from ._requests import Array, Request

    words = {word: value for word, value in words.items() if word not in ("byte_order", "chunks")}
    return Planned(Request(function, Array(shape, "float64"), *arguments[1:], **words))


def _planned(function, x, arguments, words):
    """The plan of moving numbers, of an array like x whose axes of extent 1 are longer where that can be asked for: they are seen then."""
    shape = list(x.shape)
    grown = [3 if n == 1 else n for n in shape]
    tries = [grown, *([m if k == a else n for k, (n, m) in enumerate(zip(shape, grown))] for a in range(len(shape)) if shape[a] == 1)] if grown != shape else []
    for one in [*tries, shape]:
        try:
            return _request(function, x, arguments, words, one), one
        except ValueError:
            if one == shape:
                raise


def _of_a_move(function, x, result, arguments, words):
    import numpy
    import xarray

    if function.__name__ == "pad" and is_computed(words.get("mode", "constant"), words):
        words = {"pad_width": words["pad_width"]}  # what is computed has no coordinate, like what is constant
    try:
        planned, shape = _planned(function, x, arguments, words)
        its = planned if shape == list(x.shape) else _request(function, x, arguments, words, x.shape)
    except (ValueError, TypeError):  # no one move: of flattened arrays, or several one after another
        return _not_followed(function, x, result)
    port = planned.outputs[0]
    if planned.name != "move" or len(port.shape) != result.ndim or 0 in port.shape or len(planned.cuts) != len(port.shape):
        return _not_followed(function, x, result)
    whole = [(0, n) for n in port.shape]
    needs = planned.needs(whole)[0]
    mixed = {i for i, (_, n) in enumerate(planned.needs([(0, 1)] * result.ndim)[0]) if n > 1} if result.ndim == 1 else set()  # of an order of all elements
    of = []  # of every axis of the result, x's axes that it runs along
    for a in range(result.ndim):
        found = set(mixed)
        for part in ((0, 1), (port.shape[a] - 1, 1)):
            one = planned.needs([*whole[:a], part, *whole[a + 1:]])[0]
            found |= {i for i, (few, many) in enumerate(zip(one, needs)) if few != many}
        of.append(sorted(found))
    left, right = _sides(function, x, arguments, words, result.ndim)
    free = [i for i in range(x.ndim) if not any(i in axes for axes in of)]
    for a, item in enumerate(right):  # of one element, its name tells
        i = left.index(item) if not of[a] and isinstance(item, str) and item in left else x.ndim
        if i in free:
            of[a] = [i]
            free.remove(i)
    if len(of) == x.ndim and sum(not axes for axes in of) == len(free):  # of one element, again and again
        of = [axes or [free.pop(0)] for axes in of]
    dims = _names(x, left, right, of)
    places = {x.dims[i]: _indices(its, x.shape, i, [a for a in range(result.ndim) if i in of[a]], dims) for i in range(x.ndim)}
    coordinates = {}
    for name, coordinate in x.coords.items():
        moved = coordinate.variable.isel({d: places[d][0].astype("int64") for d in coordinate.dims})
        for d in coordinate.dims:
            if places[d][1] is not None:  # where something is padded there is no coordinate
                none = {"M": numpy.datetime64("NaT"), "m": numpy.timedelta64("NaT")}.get(moved.dtype.kind, numpy.nan)
                moved = xarray.where(places[d][1], moved, none)
        if moved.dims and moved.ndim == 1 and name in moved.dims and name not in coordinate.dims:
            continue
        if name in dims and moved.dims != (name,):  # xarray wants it along its own axis alone
            name = f"{name}_of"
        moved = moved.transpose(*(d for d in dims if d in moved.dims))
        moved.attrs = dict(coordinate.attrs)
        coordinates[name] = moved
    return dims, coordinates


def _not_followed(function, x, result):
    """Of elements that no plan follows: names where axes are what they were, and coordinates of the whole array."""
    kept = {name: c for name, c in x.coords.items() if not c.dims}
    stay_behind(function.__name__, [name for name in x.coords if name not in kept])
    return list(x.dims) if tuple(result.shape) == tuple(x.shape) else [f"dim_{a}" for a in range(result.ndim)], kept


def beside(x):
    """{axis: (numbers, attributes)} of coordinates along one axis each, which are called as it is, as a file has them: times by NetCDF's conventions."""
    import numpy

    from . import _stores

    if _beyond.is_unread(x):
        found = {d: x.scale(d) for d in x.dims or ()}
        found = {d: (numpy.asarray(scale[0][...]), scale[1]) for d, scale in found.items() if scale is not None}
    else:
        import xarray

        variables = {d: xarray.conventions.encode_cf_variable(x.coords[d].variable.to_base_variable()) for d in map(str, x.dims) if d in x.coords}
        found = {d: (v.values, {name: value for name, value in v.attrs.items() if name != "_FillValue" or value == value}) for d, v in variables.items()}
    return {d: (numbers, said) for d, (numbers, said) in found.items() if _stores.holds(numbers.dtype) and d != x.name}


def stay_behind(what, names):
    """A warning of coordinates that a result lacks."""
    if names:
        _beyond.warn(f"{what}: coordinates stay behind: {', '.join(map(str, names))}")


def _sides(function, x, arguments, words, rank):
    """The items of a specification's sides, `...` being x's own names; Nones of other functions, and where the result has other axes."""
    text = arguments[1] if function.__name__ == "move" else words.get("pattern") if function.__module__ == "crinkle.einops" else ""
    left, _, right = (text or "").replace("\u2026", "...").partition("->")
    left, right = _axes.items(left), _axes.items(right)
    if "..." in left:
        k, n = left.index("..."), x.ndim - len(left) + 1
        left[k:k + 1] = between = [str(d) for d in x.dims[k:k + n]]
        if "..." in right:
            j = right.index("...")
            right[j:j + 1] = between
    return left, right if len(right) == rank else [None] * rank


def _names(x, left, right, of):
    """Names of the result's axes: x's own where one is all of one, those of the specification, or made of both."""
    dims = []
    for a, axes in enumerate(of):
        item = right[a]
        if isinstance(item, str) and item.isidentifier():
            name = str(x.dims[left.index(item)]) if item in left and left.index(item) < x.ndim else item
        elif isinstance(item, list) and item and all(n.isidentifier() for n in item):
            name = "_".join(str(x.dims[left.index(n)]) if n in left and left.index(n) < x.ndim else n for n in item)
        elif item is None and len(axes) == 1 and sum(axes[0] in others for others in of) == 1:
            name = str(x.dims[axes[0]])
        elif item is None and len(axes) > 1:
            name = "_".join(str(x.dims[i]) for i in axes)
        else:
            name = f"dim_{a}"
        dims.append(name if name not in dims else f"{name}_{a}")
    return dims


def _indices(planned, shape, i, axes, dims):
    """(where along x's axis i elements come from, along the result's axes that run along it; where that is anywhere, or None for everywhere)"""
    import numpy
    import xarray

    port = planned.outputs[0].shape
    others = tuple(a for a in range(len(port)) if a not in axes)
    # Along the other axes any place does, but for padding: all of them where they are few, else those in the middle.
    is_small = numpy.prod(port, dtype=float) <= 1 << 22
    part = [(0, n) if a in axes or is_small else (n // 2, min(n, 1)) for a, n in enumerate(port)]
    needs = planned.needs(part)[0]
    its, found = planned.part(part), []
    for shift in (0, shape[i]):  # what is not a shifted index was padded
        first, n = needs[i]
        index = (numpy.arange(first, first + n, dtype="float64") % shape[i] + shift).reshape([n if k == i else 1 for k in range(len(shape))])
        moved = its.run(numpy.ascontiguousarray(numpy.broadcast_to(index, [n for _, n in needs])))
        found.append(moved.reshape([n for _, n in part]))
    with numpy.errstate(invalid="ignore"):
        is_there = found[1] - found[0] == shape[i]
    if 0 in is_there.shape:
        found[0], is_there = numpy.zeros([port[a] for a in axes]), numpy.ones([port[a] for a in axes], bool)
    else:
        found[0] = numpy.where(is_there, found[0], 0).max(others)
        is_there = is_there.any(others)
    names = tuple(dims[a] for a in axes)
    index = xarray.Variable(names, numpy.where(is_there, found[0], 0))
    return index, (None if is_there.all() else xarray.Variable(names, is_there))


def _axes_of(x, words, arguments, is_last):
    axes = words.get("axes", words.get("axis"))
    if axes is None:
        return [x.ndim - 1] if is_last else list(range(x.ndim))
    return [a % x.ndim for a in ([axes] if hasattr(axes, "__index__") else axes)]


def _of_a_transform(function, x, result, words, arguments):
    """Frequencies, of axes that are evenly spaced, in cycles per unit of their coordinates, of times per second. Axes are called freq_….; backwards their names are what they were."""
    import numpy

    name = function.__name__
    if name in ("fftconvolve", "correlate"):
        return list(x.dims), dict(x.coords) if words.get("mode") == "same" else _not_followed(function, x, result)[1]
    is_inverse, is_real = name.startswith(("i", "hfft")), "rfft" in name or "hfft" in name
    if "axes" in words or "axis" in words or not name.endswith("2"):
        axes = _axes_of(x, words, arguments, not name.endswith(("n", "2")))
    else:
        axes = [x.ndim - 2, x.ndim - 1]
    is_cosine = "dct" in name or "dst" in name
    dims, coordinates = [str(d) for d in x.dims], {}
    for a in axes:
        d = str(x.dims[a])
        n = result.shape[a]
        if is_cosine:
            continue
        if is_inverse:
            dims[a] = d.removeprefix("freq_")
            continue
        dims[a] = f"freq_{d}"
        step = _step(x, d, function)
        lines = numpy.arange(n) if is_real and a == axes[-1] else numpy.where(numpy.arange(n) < (n + 1) // 2, numpy.arange(n), numpy.arange(n) - n)
        coordinates[dims[a]] = (dims[a], lines / (_length(x, a, result, is_real and a == axes[-1], words) * step))
    for key, coordinate in x.coords.items():
        if not any(x.dims[a] in coordinate.dims for a in axes):
            coordinates[key] = coordinate
    return dims, coordinates


def _length(x, a, result, is_halved, words):
    """Of the lines that were transformed."""
    n = words.get("n", (words.get("s") or [None])[-1] if not hasattr(words.get("s"), "__index__") else words["s"])
    return result.shape[a] if not is_halved else n if n not in (None, -1) else x.shape[a]


def _step(x, d, function):
    """The distance of elements, of coordinates that are evenly spaced; 1 where there are none."""
    import numpy

    if d not in x.coords or x.coords[d].ndim != 1 or x.sizes[d] < 2:
        return 1.0
    values = x.coords[d].values
    if _is_of_time(values):
        second = datetime.timedelta(seconds=1) if values.dtype.kind == "O" else numpy.timedelta64(1, "s")
        values = ((values - values[0]) / second).astype("float64")
    if values.dtype.kind not in "iuf":
        return 1.0
    steps = numpy.diff(values.astype("float64"))
    if not numpy.allclose(steps, steps[0], rtol=1e-3, atol=0):
        raise ValueError(f"{function.__name__}: the coordinate {d!r} is not evenly spaced, {steps.min():g} to {steps.max():g}: resample it first, or drop_vars({d!r}) "
                         "for frequencies in cycles per element")
    return float(values[-1] - values[0]) / (len(values) - 1)


def _is_of_time(values):
    """Whether these are times or durations, NumPy's, or cftime's of any calendar."""
    return values.dtype.kind in "mM" or (values.dtype.kind == "O" and values.size > 0 and hasattr(values.flat[0], "calendar"))


def _of_a_resampling(x, result, arguments, words):
    """Of zooms the positions of elements, between the coordinates of those that there were; other maps have none along their axes."""
    import numpy

    if result.ndim != x.ndim:
        raise ValueError(f"resample: coordinates of a DataArray along {x.dims} give {result.ndim} axes, which have no names: give its .data, and name the result's axes")
    axes = _axes_of(x, words, arguments, False)
    is_zoom = not any(words.get(word) is not None for word in ("rotate", "matrix", "polar", "coordinates"))
    coordinates, lost = {}, []
    for key, coordinate in x.coords.items():
        along = [a for a in axes if x.dims[a] in coordinate.dims]
        if not along:
            coordinates[key] = coordinate
            continue
        a = along[0]
        n, m = x.shape[a], result.shape[a]
        values = coordinate.values
        if not is_zoom or coordinate.dims != (x.dims[a],) or not (values.dtype.kind in "iuf" or _is_of_time(values)) or n < 2:
            lost.append(key)
            continue
        values = values.astype("float64") if values.dtype.kind in "iu" else values
        p = (numpy.arange(m) + 0.5) * n / m - 0.5 if words.get("keep", "edges") == "edges" else numpy.arange(m) * ((n - 1) / max(m - 1, 1))
        k = numpy.clip(numpy.floor(p).astype(int), 0, n - 2)
        step = values[k + 1] - values[k]
        coordinates[key] = (x.dims[a], values[k] + (step * (p - k)).astype(step.dtype), coordinate.attrs)
    stay_behind("resample", lost)
    return list(x.dims), coordinates
