"""``import crinkle.xarray``: crinkle's functions as methods of xarray's objects, ``da.crinkle.move('lat lon time')``, ``da.crinkle.fft.rfft(axis='time')``.

SPDX-License-Identifier: BSD-3-Clause
"""
import functools
import inspect

import xarray

import crinkle


def _is_of_an_array(f):
    return inspect.isfunction(f) and next(iter(inspect.signature(f).parameters), "") in ("x", "a", "in1", "points", "centres")


class _Functions:
    """The functions of a module of crinkle, whose first argument is an xarray object, and save()."""

    def __init__(self, x, module=crinkle):
        self._x, self._module = x, module

    def __getattr__(self, name):
        found = getattr(self._module, name, None)
        if name == "fft" and self._module is crinkle:
            return _Functions(self._x, found)
        if name == "save" and self._module is crinkle:
            return lambda path, **words: found(path, self._x, **words)
        if name.startswith("_") or not _is_of_an_array(found):
            raise AttributeError(f"crinkle has no function {name!r} of an array; there are {', '.join(dir(self))}")
        return functools.partial(found, self._x)

    def __dir__(self):
        return [name for name, f in vars(self._module).items() if _is_of_an_array(f) and not name.startswith("_")] + ["fft", "save"] * (self._module is crinkle)


xarray.register_dataarray_accessor("crinkle")(_Functions)
xarray.register_dataset_accessor("crinkle")(_Functions)
