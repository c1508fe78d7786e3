"""xarray's arrays: axes by their names, and coordinates, attributes and names that follow them.

A function gets the numbers, and axes as numbers. Its plan then says where every element of a move comes from, so that coordinates are those of the
elements, whatever function moved them; transforms have frequencies, resampling its positions.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import _axes, _beyond, _lazy_plans, _sizes

_axis_words = ("axes", "axis", "source", "destination")  # of the functions
_new_points = frozenset(("pdist", "cdist", "interpolate", "grid", "records", "collisions", "triplet_energy", "cross_validate", "bit_planes", "pack_bits"))


def call(function, arguments, words):
    """A function of DataArrays, or of a Dataset, each of whose variables it takes."""
    import xarray

    if words.get("out") is not None:
        raise ValueError(f"{function.__name__}: out: the result of an xarray object is a new one, with its coordinates: leave out away")
    given = _beyond.flat((arguments, words))
    for x in given:
        if isinstance(x, xarray.Variable):
            raise TypeError(f"{function.__name__}: an xarray.Variable: give the DataArray that it is of")
    if any(isinstance(x, xarray.Dataset) for x in given):
        return _of_a_dataset(function, arguments, words, given)
    arguments, words = _lazy_plans.each(function, arguments, words, lambda x: x, _data)  # weights, indices and such are numbers
    labelled = [x for x in _beyond.flat((arguments, words)) if isinstance(x, xarray.DataArray)]
    if not labelled:
        return function(*arguments, **words)
    first = labelled[0]
    for x in labelled:
        if x.dtype.hasobject:
            raise TypeError(f"crinkle moves bytes, not Python objects: {x.name or 'this DataArray'} has dtype {x.dtype}")
    for x in labelled:
        if isinstance(_first(arguments), (list, tuple)) and x.dims != first.dims:
            raise ValueError(f"{function.__name__}: arrays of axes {' '.join(map(str, first.dims))} and {' '.join(map(str, x.dims))}: transpose() one first")
    if function.__name__ == "save":
        return saved(function, first, _beyond.each(arguments, _data), _beyond.each(words, _data))
    if function.__name__ != "move" or first is _first(arguments):
        arguments, words = _by_number(function, first, list(arguments), dict(words))
    if len(labelled) > 1 or first is not _first(arguments):
        if isinstance(_first(arguments), (list, tuple)):
            _beyond.warn(f"{function.__name__}: of a list of DataArrays the numbers alone: names of axes, coordinates and attributes stay behind")
        return function(*_beyond.each(arguments, _data), **_beyond.each(words, _data))
    result = function(_data(first), *arguments[1:], **words)
    if function.__name__ == "unstack":
        axis = first.dims[words.get("axis", 0)]
        return tuple(first.isel({axis: k}).copy(data=one) for k, one in enumerate(result))
    if function.__name__ in _new_points or not hasattr(result, "shape"):
        return result
    return _labelled(function, first, result, arguments, words)


def saved(function, x, arguments, words):
    """save() of numbers, with the names of x's axes, its attributes, and, where the format keeps them, coordinates of one axis."""
    import os

    from . import _coordinates, _files

    words = {"dimension_names": x.dims and [d if d is None else str(d) for d in x.dims], "attributes": _in_a_file(x.attrs, x.dtype), **words}
    if any(map(_beyond.is_dask, _beyond.flat((arguments, words)))):
        result, kept = function(*arguments, **words), ()
    else:
        path = os.fspath(arguments[0] if arguments else words["path"])
        kept = _coordinates.beside(x) if words.get("header") is None and _files.is_in(path, _files.with_coordinates) else {}
        kept = {name: (numbers, _in_a_file(attributes, numbers.dtype)) for name, (numbers, attributes) in kept.items()}
        result = _files.save_named(*arguments, **words, name=x.name.rpartition("/")[2] if isinstance(x.name, str) else None, coordinates=kept)
    _coordinates.stay_behind("save", [name for name in getattr(x, "coords", ()) if name != x.name and name not in kept])
    return result


def _in_a_file(attributes, dtype):
    """Attributes as JSON, _FillValue as xarray has it there."""
    import json

    from . import _values

    attributes = {str(name): value.tolist() if hasattr(value, "tolist") else value for name, value in attributes.items()}
    if dtype.kind == "f" and "_FillValue" in attributes:
        attributes["_FillValue"] = _values.encoded(attributes["_FillValue"])
    if attributes.get("missing_value") != attributes.get("missing_value"):  # NaN says itself
        del attributes["missing_value"]
    for name, value in attributes.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            raise TypeError(f"save: the attribute {name!r} is {value!r}: a file's attributes are text, finite numbers, and lists of them: give it so, or take it out of attrs") from None
    return attributes


def _first(arguments):
    return arguments[0] if arguments else None


def _data(x):
    return x.data if _beyond.is_labelled(x) else x


def _of_a_dataset(function, arguments, words, given):
    """The function of every variable that has all the axes that it names; others are as they were."""
    import xarray

    if function.__name__ == "save":
        raise TypeError("save: a Dataset: save its variables one by one, data['name'], or all by its own to_zarr() or to_netcdf()")
    (data,) = [x for x in given if isinstance(x, xarray.Dataset)] if sum(isinstance(x, xarray.Dataset) for x in given) == 1 else (None,)
    if data is None or data is not _first(arguments):
        raise TypeError(f"{function.__name__}: a Dataset is the first argument, and the only one")
    needed = _named(function, arguments, words)
    made, kept = {}, {}
    for name, variable in data.data_vars.items():
        if needed <= set(variable.dims) and variable.ndim and not variable.dtype.hasobject:
            made[name] = function(variable, *arguments[1:], **words)
        else:
            kept[name] = variable
    if not made:
        raise ValueError(f"{function.__name__}: no variable of the Dataset has {', '.join(sorted(needed)) or 'axes'}: "
                         f"{', '.join(f'{name} {v.dims}' for name, v in data.data_vars.items()) or 'it has none'}")
    left = [name for name, v in kept.items() if set(v.dims) & needed]
    if left:
        raise ValueError(f"{function.__name__}: {', '.join(map(str, left))} of the Dataset would stay behind, without all of {', '.join(sorted(needed))}: "
                         f"take those that are meant, as data[{list(made)!r}]")
    try:
        xarray.align(*made.values(), *kept.values(), join="exact", copy=False)
    except ValueError:
        raise ValueError(f"{function.__name__}: variables of the Dataset would have unlike coordinates along one axis, as numbers of axes mean others in each, or some stay as they are: "
                         f"name axes, or take those that are meant, as data[{list(made)!r}]") from None
    return xarray.Dataset(made | kept, attrs=data.attrs)


def _named(function, arguments, words):
    """Names of axes in a request."""
    names = [n for word in _axis_words for n in _listed(words.get(word)) if isinstance(n, str)]
    if function.__name__ == "move" and len(arguments) > 1 and isinstance(arguments[1], str):
        left = arguments[1].partition("->")[0]
        names += [n for item in _axes.items(left) for n in _listed(item) if n.isidentifier()]
    return set(names)


def _listed(x):
    return [] if x is None else [x] if isinstance(x, str) or hasattr(x, "__index__") else list(x)


def _number(name, x, what):
    if not isinstance(name, str):
        return name
    if what in ("stack", "expand_dims"):
        raise ValueError(f"{what}: the new axis has a number, its place in the result, not a name, {name!r}")
    if name not in x.dims:
        raise _sizes.AxisError(f"{what}: no axis {name!r}: there are {', '.join(map(str, x.dims))}")
    return x.dims.index(name)


def _by_number(function, x, arguments, words):
    """The arguments behind the first by their names, axes as numbers, and a specification that has all axes on both sides."""
    import inspect

    what = function.__name__
    parameters = list(inspect.signature(function).parameters.values())
    for parameter, value in list(zip(parameters, arguments))[1:]:
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            if parameter.name in words:
                raise TypeError(f"{what}() got multiple values for argument {parameter.name!r}")
            words[parameter.name] = value
            arguments.pop()
    if isinstance(words.get("pad_width"), dict):
        axes = [_number(a, x, f"{what}: pad_width") for a in words["pad_width"]]
        _sizes.axes_of(axes, x.ndim, what)  # each once
        words["pad_width"] = dict(zip(axes, words["pad_width"].values()))
    for word in _axis_words:
        many = words.get(word)
        if isinstance(many, (str, list, tuple)):
            words[word] = _number(many, x, what) if isinstance(many, str) else type(many)(_number(n, x, what) for n in many)
    if what != "move" and type(words.get("chunks")) is dict:  # move() has its result's names
        words["chunks"] = {_number(a.removeprefix("freq_") if isinstance(a, str) else a, x, f"{what}: chunks"): n for a, n in words["chunks"].items()}
    if what == "move":
        if len(arguments) < 2 or not isinstance(arguments[1], str):
            raise TypeError("move: a DataArray and a specification, as 'lat lon time'")
        arguments[1] = specification(arguments[1], x.dims)
    return arguments, words


def specification(text, dims):
    """The specification with the array's own names on its left side, where there is no arrow, or the left side is checked against them."""
    names = [str(d) for d in dims]
    if not all(n.isidentifier() for n in names):
        raise ValueError(f"move: axes are called {', '.join(names)}, which are no names of a specification: rename() them first")
    left, arrow, right = text.partition("->")
    if not arrow:
        missing = [n for n in names if n not in _names_in(text) and "..." not in text]
        unknown = [n for n in _names_in(text) if n not in names]
        if missing or unknown:
            raise ValueError(f"move: '{text.strip()}' of axes {' '.join(names)}: " + (f"no {unknown[0]!r}" if unknown else f"{missing[0]!r} is missing") +
                             f"; crinkle never reduces, and new axes have an arrow: '{' '.join(names)} -> …'")
        if "..." in text:
            rest = [n for n in names if n not in _names_in(text)]
            text = text.replace("...", " ".join(rest))
        return f"{' '.join(names)} -> {text.strip()}"
    here = _axes.items(left)
    if "..." not in here:
        for k, item in enumerate(here):
            if isinstance(item, str) and item in names and (k >= len(names) or names[k] != item):
                raise ValueError(f"move: the left side '{left.strip()}' has {item!r} as axis {k}, and the array's axes are {' '.join(names)}: "
                                 f"write just the right side, '{right.strip()}', or the left as it is")
    return text


def _names_in(side):
    return [n for item in _axes.items(side) for n in ([item] if isinstance(item, str) else item) if n.isidentifier()]


def _labelled(function, x, result, arguments, words):
    """The result with x's name and attributes, its axes' names, and the coordinates that its elements had."""
    import xarray

    from . import _coordinates

    if tuple(result.shape) == tuple(x.shape) and function.__module__ == "crinkle._features" and function.__name__ == "stencil":
        return xarray.DataArray(result, coords=x.coords, dims=x.dims, name=x.name, attrs=x.attrs)
    dims, coordinates = _coordinates.of(function, x, result, arguments, words)
    return xarray.DataArray(result, coords=coordinates, dims=dims, name=x.name, attrs=x.attrs)
