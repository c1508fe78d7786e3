"""``import crinkle.xarray``: crinkle's functions as methods of xarray's objects, ``da.crinkle.move('lat lon time')``, ``da.crinkle.fft.rfft(axis='time')``.

SPDX-License-Identifier: BSD-3-Clause
"""
import functools
import inspect

import xarray

import crinkle


class _Functions:
    """The functions of a module of crinkle, whose first argument is an xarray object."""

    def __init__(self, x, module=crinkle):
        self._x, self._module = x, module

    def __getattr__(self, name):
        found = getattr(self._module, name, None)
        if name == "fft" and self._module is crinkle:
            return _Functions(self._x, found)
        if name.startswith("_") or not inspect.isfunction(found):
            raise AttributeError(f"crinkle has no function {name!r} of an array; there are {', '.join(dir(self))}")
        return functools.partial(found, self._x)

    def __dir__(self):
        return [name for name, f in vars(self._module).items() if inspect.isfunction(f) and not name.startswith("_")] + ["fft"] * (self._module is crinkle)


xarray.register_dataarray_accessor("crinkle")(_Functions)
xarray.register_dataset_accessor("crinkle")(_Functions)
