"""Stencils, resampling, pairs of points, triangles, interpolation: NumPy's and SciPy's signatures in front of the library, on the device where the
arrays lie. Binning, splines and sums of mixed types are computed on CPUs alone.

SPDX-License-Identifier: BSD-3-Clause
"""
import math
import operator

from . import _arrays, _core
from ._names import _core_new

_numbers = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def _number(x, what="stencil"):
    name = _arrays.name_of(x)
    if name not in _numbers:
        raise TypeError(f"{what} of {x.dtype}: there are {', '.join(_numbers)}")
    return name, not getattr(x.dtype, "isnative", True)


def stencil(x, what, *, axes=None, boundary="reflect", steps=1, dtype=None, out=None, convolve=False):
    """out[i] = Σ_k c_k x[i + o_k], `steps` times: ``ck.stencil(x, 'gaussian:1.5')``, ``ck.stencil(x, [[0,1,0],[1,-4,1],[0,1,0]])``.

    `what` is average:R, average:R:star, laplacian:ORDER, gradient:AXIS, gaussian:SIGMA, sobel:AXIS, or weights (correlated, or convolved
    with convolve=True), one of whose axes stands for one of `axes` (all when left out); in words an axis is the array's number, or x, y, z
    from the last one named. A stencil may be wider than the array.
    `boundary` is periodic, edge, reflect (NumPy's: the end is not repeated), symmetric, constant or constant:V, one or one an axis, a pair
    of them for both ends. The result has x's type, or dtype; sums are float32 where both are at most that, else float64,
    to which 64-bit integers are rounded.
    """
    import numpy

    a, back = _arrays.where_it_is(x, "stencil")
    axes = list(range(a.ndim)) if axes is None else [operator.index(k) for k in ([axes] if hasattr(axes, "__index__") else axes)]
    for k in axes:
        if not -a.ndim <= k < a.ndim:
            raise ValueError(f"stencil: axis {k} of an array of {a.ndim} axes")
    if out is None:
        result = _arrays.new(a, tuple(a.shape), None if dtype is None else dtype if _arrays.is_numpy(a) else str(dtype).rpartition(".")[2])
    else:
        result = out
    if tuple(result.shape) != tuple(a.shape):
        raise ValueError(f"stencil: out has shape {tuple(result.shape)}, the array {tuple(a.shape)}")
    faces = [boundary] if isinstance(boundary, str) else list(boundary)
    pairs = [(f, f) if isinstance(f, str) else tuple(f) for f in faces]
    names = "tzyx"[-len(axes):] if len(axes) <= 4 else None
    names = list(names) if names else [f"a{k}" for k in range(len(axes))]
    if not isinstance(what, str):
        what = numpy.ascontiguousarray(what, numpy.float64)
    _core.stencil(a, result, what, names, bool(convolve), _number(a), _number(result), axes, pairs, operator.index(steps))
    return result if out is not None else back(result)


def _points(x, what):
    a, back = _arrays.on_numpy(x, what)
    import numpy

    dtype = numpy.float32 if a.dtype in (numpy.float32, numpy.float16) else numpy.float64
    if a.dtype.kind not in "biuf":
        raise TypeError(f"{what} of {a.dtype}: real numbers only")
    if a.ndim != 2:
        raise ValueError(f"{what}: points are an array of shape (n, features), not {a.shape}")
    return numpy.ascontiguousarray(a, dtype), back


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
    n = points.shape[0]
    shape = (n, n) if form == "square" else (_core.pdist_elements(n, form),)
    result = _core_new(points, shape) if out is None else out
    if tuple(result.shape) != shape:
        raise ValueError(f"pdist: out has shape {tuple(result.shape)}, the result {shape}")
    _core.pdist(points, result, metric, form, name == "float64")
    return result if out is not None else back(result)


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
    if n < 0 or _core.triangle_elements(source, n) != _arrays.n_elements(shape):
        raise ValueError(f"triangle: an array of shape {shape} is no '{source}'")
    square = destination.split()[0] in ("full", "symmetric")
    is_full = destination.split()[0] == "full"
    result = (_arrays.zeros if is_full else _core_new)(x, (n, n) if square else (_core.triangle_elements(destination, n),))
    _core.triangle(_contiguous(x), result, source, destination, n)
    return back(result)


def _as_numpy_has_it(layout):
    words = layout.split()
    return layout + " rows" if words and words[0] in ("full", "symmetric") and not {"rows", "columns"} & set(words) else layout


def _contiguous(x):
    _, shape, strides, element_bytes, *_ = _arrays.view(x)
    return x if tuple(strides) == _arrays.strides_of(shape, element_bytes) else _core.move(x, "... -> ...", None, ())


def squareform(x, *, checks=True):
    """SciPy's: a condensed vector as a symmetric matrix with zeros on the diagonal, or back."""
    if len(x.shape) == 1:
        n = (1 + math.isqrt(1 + 8 * x.shape[0])) // 2
        if n * (n - 1) // 2 != x.shape[0]:
            raise ValueError(f"squareform: {x.shape[0]} elements are no number of pairs n(n-1)/2")
        return triangle(x, "condensed", "symmetric", n)
    if len(x.shape) != 2 or x.shape[0] != x.shape[1]:
        raise ValueError(f"squareform: a vector or a square matrix, not {tuple(x.shape)}")
    if checks and _arrays.is_numpy(x):
        if (x.diagonal() != 0).any():
            raise ValueError("squareform: the diagonal is not zero; checks=False does not look")
        if not (x == x.T).all():
            raise ValueError("squareform: the matrix is not symmetric; checks=False does not look")
    return triangle(x, "symmetric", "condensed", x.shape[0])


def interpolate(places, values, targets, *, weights=None, power=2.0, smoothing=0.0, neighbours=0, radius=math.inf, least_neighbours=1, sectors=1,
                anisotropy=(1.0, 0.0), nodata=math.nan, tolerance=0.0):
    """Inverse-distance interpolation: values[t] = Σ w_i z_i / Σ w_i, w_i = |q_t - x_i|^-power over all samples or the nearest `neighbours`.

    places (n, 2 or 3), values (n,) or (n, columns), targets (…, 2 or 3) -> (…,) or (…, columns), float64. Targets on a GPU, float32 or
    float64, get values of their type there; the samples are NumPy's, and go there with every call.
    Values over all samples may be wrong by `tolerance` times the range of their column, at most: less work on a CPU, where samples are many.
    """
    import numpy

    if _arrays.is_on_gpu(targets) and _arrays.name_of(targets) not in ("float32", "float64"):
        raise TypeError(f"interpolate: targets of {targets.dtype} on a GPU: float32 or float64")
    for x in (places, values, weights):
        if x is not None and _arrays.is_on_gpu(x):
            raise ValueError("interpolate: samples on a GPU: they are put in order on a CPU; give them there, and targets on the GPU")

    p = numpy.ascontiguousarray(places, numpy.float64)
    v = numpy.ascontiguousarray(values, numpy.float64)
    is_there = _arrays.is_on_gpu(targets)
    q = _contiguous(targets) if is_there else numpy.ascontiguousarray(targets, numpy.float64)
    if p.ndim != 2 or q.ndim < 1 or q.shape[-1] != p.shape[1]:
        raise ValueError(f"interpolate: places (n, d) and targets (…, d), not {p.shape} and {q.shape}")
    if v.ndim not in (1, 2) or v.shape[0] != p.shape[0]:
        raise ValueError(f"interpolate: values (n,) or (n, columns) of {p.shape[0]} samples, not {v.shape}")
    w = None if weights is None else numpy.ascontiguousarray(weights, numpy.float64)
    n_columns = 1 if v.ndim == 1 else v.shape[1]
    result = _arrays.new(q, (n_columns, *q.shape[:-1]))
    _core.interpolate_at(p, v, w, q, result, power, smoothing, neighbours, radius, least_neighbours, sectors, *anisotropy, nodata, tolerance)
    if is_there:
        result = _arrays.finished(q, result)
    return result[0] if v.ndim == 1 else _core.move(result, "c ... -> ... c", None, ())


_statistics = ("count", "sum", "mean", "min", "max", "deviation")


def grid(places, values, first, step, shape, *, statistic="mean", nodata=math.nan):
    """Samples binned onto a raster: one statistic, or a list of them (count, sum, mean, min, max, deviation), of the samples in each cell.

    first and step are of the cells' centres, in the order of `shape`, slowest first ((y, x)); places have x first. -> shape, or
    (statistics, *shape); with a columns axis behind the statistics where values have one.
    """
    import numpy

    p = numpy.ascontiguousarray(places, numpy.float64)
    v = numpy.ascontiguousarray(values, numpy.float64)
    wanted = [statistic] if isinstance(statistic, str) else list(statistic)
    for s in wanted:
        if s not in _statistics:
            raise ValueError(f"grid: no statistic {s!r}; there are {', '.join(_statistics)}")
    shape = [operator.index(n) for n in shape]
    if p.ndim != 2 or v.shape[:1] != p.shape[:1] or v.ndim not in (1, 2):
        raise ValueError(f"grid: places (n, d) and values (n,) or (n, columns), not {p.shape} and {v.shape}")
    if any(n < 0 for n in shape):
        raise ValueError(f"grid: a raster of shape {tuple(shape)}")
    n_columns = 1 if v.ndim == 1 else v.shape[1]
    result = numpy.empty((len(wanted), n_columns, *shape), numpy.float64)
    _core.bin_samples(p, v, result, [float(f) for f in reversed(first)], [float(s) for s in reversed(step)], list(reversed(shape)),
                      [_statistics.index(s) for s in wanted], nodata)
    if v.ndim == 1:
        result = result[:, 0]
    return result[0] if isinstance(statistic, str) else result


def resample(x, shape=None, *, zoom=None, rotate=None, matrix=None, offset=None, polar=None, log=False, centre=None, radius=None, coordinates=None,
             axes=None, by="linear", boundary=None, keep="edges", nodata=math.nan, dtype=None, out=None):
    """out[p] = x(T(p)), x between its elements being nearest, linear, cubic (Keys) or spline (SciPy's order 3): one of

    ``ck.resample(x, (512, 512))`` or ``zoom=2``   as many elements along `axes`; keep='edges' (grid_mode=True) or 'centres' (SciPy's zoom)
    ``rotate=30``                                  degrees counterclockwise about the middle, all of it, or `shape`: SciPy's rotate(axes=(1, 0))
    ``matrix=m, offset=b``                         T(p) = m p + b, SciPy's affine_transform; (n, n), or (n, n + 1) with the offset
    ``polar='to', centre=(y, x), radius=r``        [angle][radius], 360 angles where `shape` does not say; polar='from' back; log=True
    ``coordinates=q``                              T(p) = q[:, p], SciPy's map_coordinates; (n, *shape)

    `axes` are the resampled ones, 1 to 3 (all when left out); others, as channels, are resampled one by one. `boundary` is as in stencil(),
    NumPy's words: edge where nothing is said of zooms, periodic for angles of polar='from', else constant. `nodata` stands where a coordinate
    is no number. The result has x's type, or dtype. On a GPU: uint8, uint16, int16, float32, float64, and no splines.
    """
    import numpy

    a, back = _arrays.where_it_is(x, "resample")
    axes = list(range(a.ndim)) if axes is None else [operator.index(k) for k in ([axes] if hasattr(axes, "__index__") else axes)]
    for k in axes:
        if not -a.ndim <= k < a.ndim:
            raise ValueError(f"resample: axis {k} of an array of {a.ndim} axes")
    source = [a.shape[k] for k in axes]
    if shape is not None:
        shape = [operator.index(n) for n in ([shape] if hasattr(shape, "__index__") else shape)]
    if zoom is not None:
        zoom = [float(z) for z in numpy.broadcast_to(zoom, (len(axes),))]
    affine = []
    if matrix is not None:
        m = numpy.asarray(matrix, numpy.float64)
        if offset is None and m.ndim == 2 and m.shape[1] == m.shape[0] + 1:
            m, offset = m[:, :-1], m[:, -1]
        if m.shape != (len(axes), len(axes)):
            raise ValueError(f"resample: a matrix of shape {m.shape} for {len(axes)} axes")
        affine = [*m.ravel().tolist(), *numpy.broadcast_to(0.0 if offset is None else offset, (len(axes),)).tolist()]
    if coordinates is not None:
        q = coordinates if _arrays.is_on_gpu(coordinates) else numpy.asarray(coordinates)
        coordinates = q if _arrays.name_of(q) in ("float32", "float64") and getattr(q.dtype, "isnative", True) else numpy.asarray(q, numpy.float64)
        if coordinates.ndim < 2 or coordinates.shape[0] != len(axes):
            raise ValueError(f"resample: coordinates of shape {tuple(coordinates.shape)} along {len(axes)} axes: ({len(axes)}, *shape of the result)")
    request = _core.Resampling(source, shape, zoom, keep, rotate, affine, polar, log, None if centre is None else [float(c) for c in centre],
                               radius, None if coordinates is None else list(coordinates.shape[1:]))
    new_shape, places = _core.resampled_shape(list(a.shape), axes, request.shape)
    if out is None:
        result = _arrays.new(a, tuple(new_shape), None if dtype is None else dtype if _arrays.is_numpy(a) else str(dtype).rpartition(".")[2])
    else:
        result = out
    faces = [] if boundary is None else [boundary] if isinstance(boundary, str) else list(boundary)
    pairs = [(f, f) if isinstance(f, str) else tuple(f) for f in faces]
    _core.resample(request, a, result, coordinates, axes, places, by, pairs, _number(a, "resample"), _number(result, "resample"), float(nodata))
    return result if out is not None else back(result)
