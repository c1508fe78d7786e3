"""Lines on dask arrays: flat results, whose parts are lines of pairs; cosine and sine transforms of several moves and computations, each axis made whole, one after another.

SPDX-License-Identifier: BSD-3-Clause
"""
import functools
import inspect

from . import _arrays, _dask, _graph


def lines(planned, xs, label, shape, dtype, view, wanted):
    """Results whose parts are lines of a flat array: distances in one line, triangles."""
    (_, n), = planned.cuts
    port, flat = planned.outputs[0], len(shape) == 1
    row = 1 if flat else shape[-1]
    import dask
    from dask.utils import parse_bytes

    limit = wanted if isinstance(wanted, int) and wanted > 0 else parse_bytes(dask.config.get("array.chunk-size")) // port.element_bytes
    parts, chunks, first = [], [], 0
    pieces = max(1, min(n, max([len(c) for x in xs for c in x.chunks] + [-(-port.shape[0] // limit)])))
    for count in _even_lines(planned, n, pieces):
        part = [(first, count)]
        (_, length), = planned.gives(part)[0]
        if length:
            parts.append(((len(parts),) if flat else (len(parts), 0), part, planned.needs(part), (length,) if flat else (length // row, row)))
            chunks.append(length // row)
        first += count
    its = (tuple(chunks),) if flat else (tuple(chunks), (row,))
    name, tasks = _graph.parts_of(planned, xs, parts, its, label, view, port.element_bytes)
    return _graph._array(name, tasks, xs, its, dtype)


def _even_lines(planned, n, pieces):
    """Numbers of lines that hold about as many elements each."""
    ends = [sum(planned.gives([(0, k)])[0][0]) if k else 0 for k in range(0, n + 1, max(1, n // (pieces * 16)))]
    step = max(1, n // (pieces * 16))
    share, counts, first = ends[-1] / pieces, [], 0
    for j, end in enumerate(ends):
        if end >= share * (len(counts) + 1) and j * step > first and len(counts) < pieces - 1:
            counts.append(j * step - first)
            first = j * step
    return [*counts, n - first] if n > first else counts


def cosines(function, arguments, words, chunks):
    """A transform of one plan, or by lines: types 1 and 4, and those whose ends have another factor than their scale says."""
    bound = inspect.signature(function).bind(*arguments, **words)
    bound.apply_defaults()
    given = bound.arguments
    x, kind, norm, roots = given["x"], given["type"], given["norm"], given["orthogonalize"]
    if kind not in (1, 4) and (roots is None or bool(roots) == (norm == "ortho")):
        return _dask.lazily(function, arguments, words, chunks)
    from . import fft

    what = function.__name__
    axes, sizes = (given["axes"], given["s"]) if what.endswith("n") else ([given["axis"]], None if given["n"] is None else [given["n"]])
    sizes = sizes if sizes is None or not hasattr(sizes, "__index__") else [sizes]
    if axes is None:
        axes = range(x.ndim) if sizes is None else range(-len(sizes), 0)
    axes = _arrays.axes_of(axes, x.ndim, what)
    if sizes is not None and len(sizes) != len(axes):
        raise ValueError(f"{what}: {len(sizes)} sizes for {len(axes)} axes")
    one = getattr(fft, what.removesuffix("n"))
    for axis, n in zip(axes, sizes or [None] * len(axes)):
        n = None if n is None or _arrays.size(n, f"{what}: a size") == -1 and what.endswith("n") else n
        x = _along(x, axis, functools.partial(one, type=kind, n=n, axis=axis, norm=norm, orthogonalize=roots), what)
    return _dask.in_chunks(x, chunks, (), what)


def _along(x, axis, f, what):
    """f of the lines of every chunk, which is whole along the axis."""
    import dask.array as da
    import numpy

    like = f(numpy.zeros([n if a == axis else 1 for a, n in enumerate(x.shape)], x.dtype))  # what does not fit is told now
    x = _dask.in_chunks(x, tuple((x.shape[a],) if a == axis else c for a, c in enumerate(x.chunks)), (), what)
    chunks = tuple((like.shape[a],) if a == axis else c for a, c in enumerate(x.chunks))
    name = f"crinkle-{what}-{da.core.tokenize(x.name, f.func.__name__, f.keywords)}"
    return da.map_blocks(f, x, dtype=like.dtype, chunks=chunks, name=name, meta=numpy.empty((0,) * x.ndim, like.dtype) if _arrays.is_numpy(x._meta) else None)


functions = {("crinkle._cosines", name): cosines for name in ("dct", "idct", "dst", "idst", "dctn", "idctn", "dstn", "idstn")}
