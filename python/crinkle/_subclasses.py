"""What containers keep beside numbers: units of subclasses of NumPy's arrays, labels of pandas and xarray.

SPDX-License-Identifier: BSD-3-Clause
"""
from ._kinds import Arrayed, kind_of
from ._memory import is_numpy


def wrapped(x, result):
    """NumPy's result as one of x's own subclass, with what that keeps beside numbers (a unit), where it takes results of this shape."""
    try:
        made = x.__array_wrap__(result)
    except (TypeError, ValueError):
        return result
    return made if getattr(made, "shape", None) == result.shape and made.dtype == result.dtype else result


def labelled(x, result):
    """A result whose elements have the places of x's, with x's labels where x has some (pandas, xarray)."""
    is_labelled = not is_numpy(x) and hasattr(x, "__array_wrap__") and kind_of(x) is Arrayed
    return wrapped(x, result) if is_labelled else result


def refuse_unlike_units(arrays, what):
    """Arrays of one result have one unit, where they have units (astropy's, pint's)."""
    units = [getattr(x, "unit", None) for x in arrays if is_numpy(x)]
    if any(unit != units[0] for unit in units[1:]):
        raise ValueError(f"{what} of arrays in {', '.join(dict.fromkeys(str(u or 'no unit') for u in units))}: bring them to one unit first")
