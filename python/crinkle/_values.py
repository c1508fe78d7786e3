"""Values of stored numbers, by NetCDF's attributes: value = scale_factor · number + add_offset, none where the number is _FillValue or missing_value.

SPDX-License-Identifier: BSD-3-Clause
"""
import base64
import struct

_packings = ("scale_factor", "add_offset", "_FillValue", "missing_value", "_Unsigned")


def packing_of(attributes):
    """Those of the attributes by which numbers stand for others; NaN stands for itself."""
    found = {name: _decoded(attributes[name]) for name in _packings if name in attributes}
    return {name: value for name, value in found.items() if not _is_nan(value)}


def _is_nan(value):
    differs = value != value
    return bool(differs.all() if hasattr(differs, "all") else differs)


def _decoded(value):
    """A number that stands in text: as Zarr and the command have it, or a float's bytes in base 64, as xarray keeps it in Zarr."""
    if isinstance(value, str) and value in ("NaN", "Infinity", "-Infinity"):
        return float(value)
    try:
        return struct.unpack("<d", base64.b64decode(value, validate=True))[0] if isinstance(value, str) else value
    except (ValueError, struct.error):
        return value


def encoded(value):
    """A float's _FillValue as _decoded() reads it, NaN included."""
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    return base64.b64encode(struct.pack("<d", value)).decode() if isinstance(value, (int, float)) else value


def told(packing):
    return ", ".join(f"{name} {value}" for name, value in packing.items())


def unpacked(array, attributes, path):
    """The values, float64, NaN where there is none; the array as it is where no attribute says others."""
    import numpy

    packing = packing_of(attributes)
    if not packing:
        return array
    given = {name: numpy.atleast_1d(value) for name, value in packing.items()}
    scale, offset = (given.pop(name, numpy.array([default])) for name, default in (("scale_factor", 1.0), ("add_offset", 0.0)))
    if "_Unsigned" in given or any(x.dtype.kind not in "iuf" for x in (array, scale, offset, *given.values())) or scale.size != 1 or offset.size != 1:
        raise ValueError(f"load: scaled values of {path}, {array.dtype} with {told(packing)}: not known here; xarray.open_dataset() may read them, scaled=False gives stored numbers")
    values = array.astype(numpy.float64) * float(scale[0]) + float(offset[0])
    for n in (n for gone in given.values() for n in gone):
        values[array == n] = numpy.nan
    return values
