"""Cosine and sine transforms on dask arrays whose lines take several moves and computations: each axis is made whole, one after another, and each chunk's lines are transformed.

SPDX-License-Identifier: BSD-3-Clause
"""
import functools
import inspect

from . import _arrays, _dask


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
