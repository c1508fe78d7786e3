"""Work on pairs and triplets of points: distances in SciPy's signatures, collisions, the energy of triplets; triangles of pairs in other layouts.

SPDX-License-Identifier: BSD-3-Clause
"""
import math

from . import _arrays, _core
from ._features import _contiguous
from ._names import _core_new


def _points(x, what):
    a, back = _arrays.on_numpy(x, what)
    import numpy

    dtype = numpy.float32 if _is_single(a.dtype) else numpy.float64
    if a.dtype.kind not in "biuf":
        raise TypeError(f"{what} of {a.dtype}: real numbers only")
    _arrays.refuse_long_double(a, what)
    if a.ndim != 2:
        raise ValueError(f"{what}: points are an array of shape (n, features), not {a.shape}")
    if _core.is_planning() and (a.dtype != dtype or not a.flags.c_contiguous):
        raise ValueError(f"plan: points of {a.dtype} and strides {a.strides} are made {numpy.dtype(dtype)} in C order first: plan it for such an array")
    return numpy.ascontiguousarray(a, dtype), _of_points(x, back)


def _is_single(dtype):
    """Whether these are float32 or float16, of any byte order."""
    return dtype.kind == "f" and dtype.itemsize <= 4


def _of_points(x, back):
    """What gives results back. A unit is not the distances', which may be its square, or have none: they are NumPy's."""
    return (lambda result: result) if _arrays.is_numpy(x) else back


def _some_features(points):
    """The points; those without features as points of one that is 0: all are at one place."""
    return points if points.shape[1] > 0 else _arrays.zeros(points, (points.shape[0], 1))


def pdist(x, metric="euclidean", *, out=None, form="condensed"):
    """Distances of all pairs of n points, (n, features) -> (n(n-1)/2,) in SciPy's order; float32 stays float32.

    Metrics: euclidean, sqeuclidean, cityblock (manhattan), chebyshev, cosine. Forms: condensed, packed-lower, packed-upper (LAPACK's, by
    columns), rfp, square (n, n). By direct differences: never negative, NaN only from NaN. Points may have any size: a distance that the
    type has is right though its square is beyond it.
    """
    if _arrays.is_on_gpu(x):
        (points, back), name = _arrays.where_it_is(x, "pdist"), _arrays.name_of(x)
    else:
        points, back = _points(x, "pdist")
        name = points.dtype.name
    if name not in ("float32", "float64"):
        raise TypeError(f"pdist of {name} on a GPU: float32 or float64")
    metric, form = _arrays.word(metric, "pdist: the metric"), _arrays.word(form, "pdist: the form")
    if len(points.shape) != 2:
        raise ValueError(f"pdist: points are an array of shape (n, features), not {tuple(points.shape)}")
    points, n = _some_features(points), points.shape[0]
    shape = (n, n) if form == "square" else (_core.pdist_elements(n, form),)
    result = _core_new(points, shape) if out is None else _arrays.output(out, shape, "pdist")
    _core.pdist(points, result, metric, form, name == "float64")
    return result if out is not None else back(result)


def cdist(a, b, metric="euclidean", *, out=None):
    """Distances of the points of two arrays, (n, features) and (m, features) -> (n, m), as SciPy's cdist: euclidean, sqeuclidean, manhattan
    (cityblock), chebyshev, cosine.

    float32 or float64, as both have it, else float64. The bits of pdist(); on the device where both lie.
    """
    if _arrays.is_on_gpu(a) or _arrays.is_on_gpu(b):
        (rows, back), (columns, _), name = _arrays.where_it_is(a, "cdist"), _arrays.where_it_is(b, "cdist"), _arrays.name_of(a)
    else:
        (rows, back), (columns, _) = _points(a, "cdist"), _points(b, "cdist")
        name = "float32" if rows.dtype.name == columns.dtype.name == "float32" else "float64"
        rows, columns = (_arrays.as_type(x, name) for x in (rows, columns))
    if name not in ("float32", "float64"):
        raise TypeError(f"cdist of {name} on a GPU: float32 or float64")
    if len(rows.shape) != 2 or len(columns.shape) != 2:
        raise ValueError(f"cdist: points (n, features) and (m, features), not {tuple(rows.shape)} and {tuple(columns.shape)}")
    if rows.shape[1] == columns.shape[1]:
        rows, columns = _some_features(rows), _some_features(columns)
    shape = (rows.shape[0], columns.shape[0])
    result = _core_new(rows, shape) if out is None else _arrays.output(out, shape, "cdist")
    _core.cdist(_contiguous(rows), _contiguous(columns), result, _arrays.word(metric, "cdist: the metric"), name == "float64")
    return result if out is not None else back(result)


def squareform(x, force="no", checks=True):
    """SciPy's: a condensed vector as a symmetric matrix with zeros on the diagonal, or back; force='tomatrix' or 'tovector' allows one of them.

    checks: that the matrix is symmetric and its diagonal zero, by the library of the array."""
    x = _arrays.of(x)
    if force not in ("no", "tomatrix", "tovector"):
        raise ValueError(f"squareform: force is 'no', 'tomatrix' or 'tovector', not {force!r}")
    if len(x.shape) == {"tomatrix": 2, "tovector": 1}.get(force):
        raise ValueError(f"squareform: force={force!r} of an array of shape {tuple(x.shape)}")
    if len(x.shape) == 1:
        n = (1 + math.isqrt(1 + 8 * x.shape[0])) // 2
        if n * (n - 1) // 2 != x.shape[0]:
            raise ValueError(f"squareform: {x.shape[0]} elements are no number of pairs n(n-1)/2")
        return triangle(x, "condensed", "symmetric", n)
    if len(x.shape) != 2 or x.shape[0] != x.shape[1]:
        raise ValueError(f"squareform: a vector or a square matrix, not {tuple(x.shape)}")
    if _arrays.flag(checks, "squareform: checks") and not _core.is_planning():
        a = x if hasattr(x, "diagonal") else _arrays.on_numpy(x, "squareform")[0]
        if bool((a.diagonal() != 0).any()):
            raise ValueError("squareform: the diagonal is not zero; checks=False does not look")
        if not bool((a == a.T).all()):
            raise ValueError("squareform: the matrix is not symmetric; checks=False does not look")
    return triangle(x, "symmetric", "condensed", x.shape[0])


def _real_points(x, what):
    """Points of float32 or float64, dense, where they lie, and which of them."""
    if _arrays.is_on_gpu(x):
        points, _ = _arrays.where_it_is(x, what)
        if _arrays.name_of(points) not in ("float32", "float64"):
            raise TypeError(f"{what} of {_arrays.name_of(points)} on a GPU: float32 or float64")
        points = _contiguous(points)
    else:
        points, _ = _points(x, what)
    return points, _arrays.name_of(points) == "float64"


def collisions(centres, radii):
    """The pairs i < j of spheres that meet, sorted, (pairs, 2) int64: where |x_i - x_j|² <= (r_i + r_j)². Centres (n, 1, 2 or 3), radii (n,) or one for
    all; float32, or float64 where one of them is. On the device where both lie."""
    if _core.is_planning():
        raise ValueError("plan: how many pairs collisions() finds is known when it has run")
    points, is_float64 = _real_points(centres, "collisions")
    if _arrays.is_on_gpu(points):
        if not _arrays.is_on_gpu(radii) or _arrays.name_of(radii) != _arrays.name_of(points):
            raise ValueError(f"collisions: centres on a GPU, {_arrays.name_of(points)}, and radii elsewhere or of another type: give radii there, too")
        r = _contiguous(radii)
    else:
        import numpy

        given = _arrays.on_numpy(_arrays.of(radii), "collisions: radii")[0]
        is_float64 = is_float64 or (given.ndim > 0 and not _is_single(given.dtype))
        real = numpy.float64 if is_float64 else numpy.float32
        if given.dtype.kind not in "biuf":
            raise TypeError(f"collisions: radii of {given.dtype}: real numbers only")
        points, r = numpy.ascontiguousarray(points, real), given.astype(real)
        r = numpy.ascontiguousarray(numpy.broadcast_to(r, points.shape[:1])) if r.ndim == 0 else numpy.ascontiguousarray(r)
        if numpy.isnan(points).any():
            raise ValueError(f"collisions: centre {int(numpy.isnan(points).any(axis=1).argmax())} is no place: {points[numpy.isnan(points).any(axis=1).argmax()].tolist()}")
    if tuple(r.shape) != (points.shape[0],):
        raise ValueError(f"collisions: {points.shape[0]} centres and radii of shape {tuple(r.shape)}; give one for each, or one number")
    result = _arrays.new(points, (_core.count_collisions(points, r, is_float64), 2), "int64")
    _core.find_collisions(points, r, result, is_float64)
    return _arrays.finished(points, result) if not _arrays.is_numpy(points) else result


def triplet_energy(points):
    """Axilrod's and Teller's energy of all triplets of points (n, 3): Σ (1 + 3 cos a cos b cos c) / (r_ij r_ik r_jk)³, a float."""
    if _core.is_planning():
        raise ValueError("plan: triplet_energy() gives a number, not an array")
    points, is_float64 = _real_points(points, "triplet_energy")
    return _core.triplet_energy(points, is_float64)


def triangle(x, source, destination, n=None):
    """Every pair (i, j) of a triangle into another layout: ``ck.triangle(ap, 'packed lower', 'rfp lower')``.

    Layouts: full, symmetric, packed (LAPACK's TP), rfp (TF), condensed (SciPy's), each with lower or upper, columns or rows. full and
    symmetric are (n, n) arrays a[i, j] (rows, where nothing is said), the others flat, packed ones by columns as LAPACK has them; n is found
    from x's size. Zeros are put beside the triangle of full.
    """
    source, destination = _as_numpy_has_it(source), _as_numpy_has_it(destination)
    source_is_square = source.split()[0] in ("full", "symmetric")
    x, back = _arrays.where_it_is(x, "triangle")
    shape = tuple(x.shape)
    if n is None:
        if source_is_square:
            n = shape[0] if len(shape) == 2 and shape[0] == shape[1] else -1
        else:
            m = math.isqrt(8 * _arrays.n_elements(shape) + 1)
            n = (m + 1) // 2 if source.split()[0] == "condensed" else (m - 1) // 2
    n = _arrays.size(n, "triangle: n")
    if n < 0 or _core.triangle_elements(source, n) != _arrays.n_elements(shape):
        raise ValueError(f"triangle: an array of shape {shape} is no '{source}'")
    square = destination.split()[0] in ("full", "symmetric")
    is_full = destination.split()[0] == "full"
    result = (_arrays.zeros if is_full else _core_new)(x, (n, n) if square else (_core.triangle_elements(destination, n),))
    _core.triangle(_contiguous(x), result, source, destination, n)
    return back(result)


def _as_numpy_has_it(layout):
    words = _arrays.word(layout, "triangle: a layout").split()
    if not words:
        raise ValueError("triangle: a layout is full, symmetric, packed, rfp or condensed, with lower or upper; here is none")
    return layout + " rows" if words and words[0] in ("full", "symmetric") and not {"rows", "columns"} & set(words) else layout
