"""Records: structured arrays, arrays of fields, and every layout between; and which one is fastest here.

SPDX-License-Identifier: BSD-3-Clause
"""
import typing

from . import _core


def _fields_text(dtype):
    if dtype.names is None:
        raise TypeError(f"records: {dtype} has no fields")
    words = []
    for name in dtype.names:
        field = dtype.fields[name][0]
        base, shape = field.subdtype or (field, ())
        if base.names is not None or base.hasobject:
            raise TypeError(f"records: field {name!r} of {base}: numbers and text only")
        n = 1
        for extent in shape:
            n *= extent
        code = base.str.lstrip("|=<") if not base.str.startswith(">") else base.str
        words.append(f"{_core.print_field_name(name)}:{code}" + (f"[{n}]" if shape else ""))
    return " ".join(words)


def _packed(dtype):
    """'(x y z)' where the fields lie one behind the other, else None."""
    end = 0
    for name in dtype.names:
        field, offset = dtype.fields[name][:2]
        if offset != end:
            return None
        end += field.itemsize
    return "(" + " ".join(_core.print_field_name(n) for n in dtype.names) + ")" if end == dtype.itemsize else None


def records(x, to=None, *, dtype=None, source=None):
    """Records from any layout into any: ``ck.records(r, 'x|y|z')``, ``ck.records([x, y, z], dtype=r.dtype)``, ``ck.records(r, '(x y)*8|z')``.

    x : a structured array (n,); a list of arrays, one a field, in the order of `dtype`; or bytes in the layout `source`, with dtype.
    to : a layout, groups apart by '|', '(x y)' together, '*8' in blocks of 8 records, '@16' aligned. Left out: a structured array of `dtype`.
    -> a structured array; a list of arrays where every group is one field; else the layout's bytes (uint8).
    """
    import numpy

    from . import _arrays

    to, source = (text if text is None else _arrays.word(text, "records: a layout") for text in (to, source))
    if isinstance(x, (list, tuple)):
        if dtype is None:
            raise ValueError("records of a list of arrays need dtype=, a structured type with a field for each")
        dtype = numpy.dtype(dtype)
        if dtype.names is None or len(dtype.names) != len(x):
            raise ValueError(f"records: {len(x)} arrays for {dtype}")
        sources = []
        for name, a in zip(dtype.names, x):
            a = _arrays.plain(a)
            base, shape = dtype.fields[name][0].subdtype or (dtype.fields[name][0], ())
            if a.dtype != base or a.shape[1:] != shape or a.shape[:1] != numpy.shape(x[0])[:1] or a.ndim < 1:
                raise ValueError(f"records: field {name!r} is {base} {shape}, the array {a.dtype} of shape {a.shape}")
            sources.append(numpy.ascontiguousarray(a))
        n = len(sources[0])
        source = "|".join(_core.print_field_name(name) for name in dtype.names)
    elif source is not None:
        if dtype is None:
            raise ValueError("records of bytes need dtype=, a structured type")
        dtype = numpy.dtype(dtype)
        sources = [numpy.ascontiguousarray(_arrays.plain(x)).view(numpy.uint8).reshape(-1)]
        each = sum(_core.record_bytes(_fields_text(dtype), source))
        n = sources[0].size // each
        if _core.layout_bytes(_fields_text(dtype), source, n) != sources[0].size:
            raise ValueError(f"records: {sources[0].size} bytes are no whole number of records of '{source}'")
    else:
        a = _arrays.plain(x)
        if a.dtype.names is None or a.ndim != 1:
            raise TypeError(f"records: a structured array of one axis, not {a.dtype} of shape {a.shape}")
        dtype = a.dtype
        source = _packed(dtype)
        if source is None:  # padded, or fields in another order: NumPy's own fields are strided views
            return records([a[name] for name in dtype.names], to, dtype=numpy.dtype([(n, *_field(dtype, n)) for n in dtype.names]))
        sources = [numpy.ascontiguousarray(a)]
        n = a.size
    fields = _fields_text(dtype)
    if to is None:
        result = numpy.empty(n, dtype)
        layout = _packed(dtype)
        if layout is None:
            flat = records(x, dtype=numpy.dtype([(k, *_field(dtype, k)) for k in dtype.names]), source=None if len(sources) > 1 else source)
            for name in dtype.names:
                result[name] = flat[name]
            return result
        _core.convert_records(fields, source, layout, n, sources, [result])
        return result
    sizes = _core.record_bytes(fields, to)
    groups = [g.strip() for g in to.split("|")]
    names = {_core.print_field_name(k): k for k in dtype.names}
    if all(g in names for g in groups):
        results = []
        for g in groups:
            base, shape = dtype.fields[names[g]][0].subdtype or (dtype.fields[names[g]][0], ())
            results.append(numpy.empty((n, *shape), base))
        _core.convert_records(fields, source, to, n, sources, results)
        return results
    result = numpy.zeros(_core.layout_bytes(fields, to, n), numpy.uint8)
    del sizes
    _core.convert_records(fields, source, to, n, sources, [result])
    return result


def _field(dtype, name):
    base, shape = dtype.fields[name][0].subdtype or (dtype.fields[name][0], ())
    return (base, shape) if shape else (base,)


class Candidate(typing.NamedTuple):
    """A layout and what was measured of it; times in seconds."""

    layout: str
    seconds: float
    iqr: float
    gb_per_s: float
    is_present: bool
    convert_seconds: typing.Optional[float]
    pays_after: typing.Optional[int]


def advise(dtype, reads, writes, n, *, source=None, order="sequential", candidates=(), samples=9, most_seconds=20.0):
    """Which layout of n records is fastest for a program that reads and writes these fields, measured here: Candidates, fastest first."""
    import numpy

    def split(names):
        return names.split() if isinstance(names, str) else list(names)

    rows = _core.advise_fields(_fields_text(numpy.dtype(dtype)), split(reads), split(writes), n, source or "", order, list(candidates), samples,
                               most_seconds)
    return [Candidate(*row) for row in rows]
