"""Arrays beyond one memory, or with labels: Dask's, xarray's, those of files and of MPI's ranks. Every function takes them through one door.

kind_of() raises Beyond where it meets such an array; the door, which every public function has, catches it and calls the module that knows them.

SPDX-License-Identifier: BSD-3-Clause
"""
import functools
import inspect
import sys
import warnings

_libraries = {"dask": "a dask array", "xarray": "an xarray object", "crinkle": "an array of a file"}


class Beyond(TypeError):
    """An array that is not in this memory as plain numbers."""

    def __init__(self, x):
        if is_spread(x):
            super().__init__("an array over ranks: give it to one of crinkle's functions, on all ranks; a plan is of arrays in memory, such as its part")
            return
        super().__init__(f"{type(x).__module__}.{type(x).__qualname__} is {_libraries[library_of(x)]}: give it to one of crinkle's functions; a plan is of arrays in memory, "
                         "or of crinkle.Array(x.shape, x.dtype), and runs on those: compute() a lazy one")


def library_of(x):
    return type(x).__module__.partition(".")[0]


def is_dask(x):
    """Whether x is a dask array. Other collections of Dask are refused."""
    if library_of(x) != "dask" or not hasattr(x, "__dask_graph__"):
        return False
    if not type(x).__module__.startswith("dask.array"):
        raise TypeError(f"{type(x).__qualname__} of Dask is no array: give its to_dask_array(lengths=True), or dask.array.from_delayed(…) of a Delayed")
    return True


def is_labelled(x):
    return library_of(x) == "xarray" and type(x).__name__ in ("DataArray", "Dataset", "Variable")


def is_unread(x):
    return type(x).__module__ == "crinkle._open" and type(x).__name__ == "Lazy"


def is_spread(x):
    return type(x).__module__ == "crinkle._spread" and type(x).__name__ == "Distributed"


def refuse(x):
    """Raises Beyond where x is such an array."""
    if library_of(x) in _libraries and (is_dask(x) or is_labelled(x) or is_unread(x) or is_spread(x)):
        raise Beyond(x)


def flat(x):
    """Everything in lists, tuples and dicts of arguments, in order."""
    if type(x) is dict:
        x = list(x.values())
    return [one for each in x for one in flat(each)] if type(x) in (list, tuple) else [x]


def each(x, f):
    """Lists, tuples and dicts of arguments, f of every one in them."""
    if type(x) is dict:
        return {key: each(value, f) for key, value in x.items()}
    return type(x)(each(one, f) for one in x) if type(x) in (list, tuple) else f(x)


def warn(text):
    """A warning at the line that called crinkle."""
    frame, level = sys._getframe(1), 2
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, stacklevel=level)


def called(function, arguments, words):
    """A function of arguments some of which are such arrays."""
    given = flat((arguments, words))
    if any(is_spread(x) for x in given):
        from . import _spread_calls

        return _spread_calls.call(function, arguments, words)
    if any(is_unread(x) for x in given):
        from . import _open

        return _open.call(function, arguments, words)
    if any(is_labelled(x) for x in given):
        from . import _labels

        return _labels.call(function, arguments, words)
    from . import _dask

    return _dask.call(function, arguments, words)


def over_devices(function, arguments, words):
    """A function of a list of arrays that are the parts of one, which words["layout"] divides among devices."""
    from . import _devices

    return _devices.call(function, arguments, words)


def door(function):
    """The function, which also takes arrays of Dask, xarray and ranks, and `chunks` or `layout`, of the result, and lists of arrays of devices with a `layout`. Arrays in memory are
    tried first: they cost 0.1 µs more."""
    has_layout = "layout" in inspect.signature(function).parameters
    takes_any = any(p.kind is p.VAR_KEYWORD for p in inspect.signature(function).parameters.values())

    @functools.wraps(function)
    def opened(*arguments, **words):
        if words and "layout" in words and not has_layout and not any(map(is_spread, flat((arguments, words)))):
            return over_devices(opened, arguments, words)
        try:
            if not takes_any or "chunks" not in words:
                return function(*arguments, **words)
        except Beyond:
            pass
        except TypeError:
            if "chunks" not in words and not ("layout" in words and any(map(is_spread, flat((arguments, words))))):
                raise
        return called(opened, arguments, words)  # not where errors would tell of Beyond, too

    return opened


_without = frozenset(("move", "plan", "load", "move_file", "run_file", "open", "advise", "set_threads", "threads", "clear_cache", "cuda_kernels", "explain", "options_of", "value_bytes"))


def open_doors(*modules):
    """Gives every public function of these modules, and of those that are parts of them, its door; move() has its own, since its calls are the shortest."""
    for module in modules:
        own = (module.__name__, *getattr(module, "_parts", ()))
        for name, f in list(vars(module).items()):
            if inspect.isfunction(f) and f.__module__ in own and not name.startswith("_") and name not in _without:
                setattr(module, name, door(f))
