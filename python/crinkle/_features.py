"""Stencils, resampling, interpolation: NumPy's and SciPy's signatures in front of the library, on the device where the
arrays lie. Sums of mixed types are computed on CPUs alone.

SPDX-License-Identifier: BSD-3-Clause
"""
import math
import typing

from . import _arrays, _beyond, _core
from ._names import _core_new
from ._samples import are_there, samples, samples_there

_numbers = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def _number(x, what="stencil"):
    name = _arrays.name_of(x)
    if name not in _numbers:
        raise TypeError(f"{what} of {x.dtype}: there are {', '.join(_numbers)}")
    return name, not getattr(x.dtype, "isnative", True)


def _faces(boundary, what):
    """(low, high) for one axis, or every axis."""
    if isinstance(boundary, dict) or not hasattr(boundary, "__iter__"):
        raise TypeError(f"{what}: boundary {boundary!r}: a word, or a list of one an axis in their order, as ('periodic', 'edge')")
    faces = [boundary] if isinstance(boundary, str) else list(boundary)
    pairs = [(f, f) if isinstance(f, str) else tuple(f) for f in faces]
    for pair in pairs:
        if len(pair) != 2 or not all(isinstance(face, str) for face in pair):
            raise ValueError(f"{what}: boundary {pair!r}; give a word, one an axis, or pairs of them for both ends")
    return pairs


def _tell(a, result, what):
    """Warn of numbers that are rounded before anything is computed, or that the result's type does not hold. Of other types none is looked at."""
    import numpy

    source, name = _arrays.name_of(a), _arrays.name_of(result)
    is_long, is_narrow = source in ("int64", "uint64"), "int" in name and source != name and not numpy.can_cast(source, name, "safe")
    if not (is_long or is_narrow) or not _arrays.is_numpy(a) or a.size == 0 or _core.is_planning():
        return
    low, high = numpy.fmin.reduce(a, None), numpy.fmax.reduce(a, None)  # NaN does not count
    if is_long and (int(low) < -2**53 or int(high) > 2**53):
        _beyond.warn(f"{what}: there are numbers of {source} beyond 2^53, which are rounded to float64")
    if not is_narrow:
        return
    limits = numpy.iinfo(name)
    if "float" in source and numpy.isnan(numpy.maximum.reduce(a, None)):
        _beyond.warn(f"{what}: there is NaN, which {name} has none of: where it counts there is 0")
    if low < limits.min or high > limits.max:
        _beyond.warn(f"{what}: there are numbers from {low} to {high}; those beyond {name} become {limits.min} or {limits.max}")


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
    axes = list(range(a.ndim)) if axes is None else _arrays.axes_of(axes, a.ndim, "stencil")
    if not axes:
        raise ValueError(f"stencil along no axes of an array of {a.ndim}: name one or more")
    result = _arrays.of_type(a, tuple(a.shape), dtype) if out is None else _arrays.output(out, a.shape, "stencil")
    pairs = _faces(boundary, "stencil")
    names = "tzyx"[-len(axes):] if len(axes) <= 4 else None
    names = list(names) if names else [f"a{k}" for k in range(len(axes))]
    steps = _arrays.size(steps, "stencil: steps")
    is_zero = False
    if not isinstance(what, str):
        what = _arrays.real(what, "stencil weights")
        is_zero = what.size > 0 and not what.any()
        if is_zero:  # a sum of nothing: the library has none, so that one point is tried, once, and zeros are written
            what = what + (numpy.arange(what.size) == 0).reshape(what.shape)
    falls = what.startswith(("laplacian", "gradient", "sobel")) if isinstance(what, str) else bool((what < 0).any())
    if falls and _arrays.name_of(result).startswith("uint"):
        _beyond.warn(f"stencil: the result is {_arrays.name_of(result)}, in which what is below 0 becomes 0; dtype='float32' keeps it")
    numbers = _number(a), _number(result)
    _tell(a, result, "stencil")
    _core.stencil(a, result, what, names, _arrays.flag(convolve, "stencil: convolve"), *numbers, axes, pairs, min(steps, 1) if is_zero else steps)
    if is_zero:
        if _core.is_planning():
            raise ValueError("plan: a stencil whose weights are all 0 has nothing to plan")
        result[...] = 0
    return result if out is not None else _arrays.labelled(x, back(result))


def _contiguous(x):
    _, shape, strides, element_bytes, *_ = _arrays.view(x)
    if _core.is_planning() and tuple(strides) != _arrays.strides_of(shape, element_bytes):
        raise ValueError(f"plan: an array of shape {tuple(shape)} and strides {tuple(strides)} would be copied first; plan it for a contiguous one")
    return x if tuple(strides) == _arrays.strides_of(shape, element_bytes) else _core.move(x, "... -> ...", None, ())


def _floats(values, what):
    import numpy

    if isinstance(values, (dict, set, str)):
        raise TypeError(f"{what} is {values!r}, not a number, or one for each axis in order")
    return [_arrays.number(n, what) for n in (values if isinstance(values, (list, tuple)) else [values] if type(values) in (int, float) else numpy.atleast_1d(_arrays.plain(values)).ravel())]


def _ellipse(anisotropy, what):
    if len(anisotropy) != 2:
        raise ValueError(f"{what}: anisotropy is (ratio, angle in degrees), not {anisotropy!r}")
    return tuple(_arrays.number(n, f"{what}: anisotropy") for n in anisotropy)


def interpolate(places, values, targets, *, weights=None, power=2.0, smoothing=0.0, neighbours=0, radius=math.inf, least_neighbours=1, sectors=1,
                anisotropy=(1.0, 0.0), nodata=math.nan, tolerance=0.0):
    """Inverse-distance interpolation: values[t] = Σ w_i z_i / Σ w_i, w_i = |q_t - x_i|^-power over all samples or the nearest `neighbours`.

    places (n, 2 or 3), values (n,) or (n, columns), targets (…, 2 or 3) -> (…,) or (…, columns), float64. Targets on a GPU, float32 or
    float64, get values of their type there. Samples may lie there, too, each array float32 or float64, with any strides: nothing then goes
    through the host. NumPy's go there with every call.
    Values over all samples may be wrong by `tolerance` times the range of their column, at most: less work on a CPU, where samples are many.
    """
    is_there = _arrays.is_on_gpu(targets)
    if is_there and _arrays.name_of(targets) not in ("float32", "float64"):
        raise TypeError(f"interpolate: targets of {targets.dtype} on a GPU: float32 or float64")
    p, v, w = samples_there(places, values, weights, targets, "interpolate") if are_there(places, values, weights) else samples(places, values, weights, "interpolate")
    q = _contiguous(targets) if is_there else _arrays.real(targets, "interpolate: targets")
    if q.ndim < 1 or q.shape[-1] != p.shape[1]:
        raise ValueError(f"interpolate: places (n, d) and targets (…, d), not {tuple(p.shape)} and {tuple(q.shape)}")
    power, smoothing, radius, nodata, tolerance = (_arrays.number(n, "interpolate: power, smoothing, radius, nodata or tolerance") for n in (power, smoothing, radius, nodata, tolerance))
    neighbours, least_neighbours, sectors = (_arrays.size(n, "interpolate: a number of neighbours or sectors") for n in (neighbours, least_neighbours, sectors))
    ratio, angle = _ellipse(anisotropy, "interpolate")
    n_columns = 1 if v.ndim == 1 else v.shape[1]
    result = _arrays.new(q, (n_columns, *q.shape[:-1]))
    _core.interpolate_at(p, v, w, q, result, power, smoothing, neighbours, radius, least_neighbours, sectors, ratio, angle, nodata, tolerance)
    if is_there:
        result = _arrays.finished(q, result)
    return result[0] if v.ndim == 1 else _core.move(result, "c ... -> ... c", None, ())


class Score(typing.NamedTuple):
    """How well samples predict each other; neighbours 0: all, rmse: over those that are predicted."""

    power: float
    neighbours: int
    rmse: float
    n_predicted: int


def cross_validate(places, values, powers=(1, 2, 3, 4), neighbours=(0,), *, weights=None, smoothing=0.0, radius=math.inf, least_neighbours=1, sectors=1,
                   anisotropy=(1.0, 0.0)):
    """Every sample predicted from all others by interpolate(), for every power and number of neighbours (0: all): a list of Scores. The best of them
    is ``min(scores, key=lambda s: (-s.n_predicted, s.rmse))``. On CPUs."""
    if _core.is_planning():
        raise ValueError("plan: cross_validate() gives scores, not an array")
    p, v, w = samples(places, values, weights, "cross_validate")
    powers = _floats(powers, "cross_validate: a power")
    neighbours = [_arrays.size(n, "cross_validate: a number of neighbours") for n in (neighbours if hasattr(neighbours, "__iter__") else [neighbours])]
    rows = _core.cross_validate(p, v, w, _arrays.number(smoothing, "cross_validate: smoothing"), _arrays.number(radius, "cross_validate: radius"), _arrays.size(least_neighbours, "cross_validate: least_neighbours"),
                                _arrays.size(sectors, "cross_validate: sectors"), *_ellipse(anisotropy, "cross_validate"), powers, neighbours)
    return [Score(*row) for row in rows]


def grid(places, values, first, step, shape, *, statistic="mean", nodata=math.nan):
    """Samples binned onto a raster: one statistic, or a list of them (count, sum, mean, min, max, deviation), of the samples in each cell.

    first and step are of the cells' centres, in the order of `shape`, slowest first ((y, x)); places have x first. -> shape, or
    (statistics, *shape); with a columns axis behind the statistics where values have one. float64. Places and values on a GPU, float32 or
    float64 with any strides, are binned there, with the bits of the CPU, and waited for: O(n) and a sort; the result lies there, too.
    """
    import numpy

    is_there = are_there(places, values)
    p, v = samples_there(places, values, None, None, "grid")[:2] if is_there else (_arrays.real(places, "grid: places"), _arrays.real(values, "grid: values"))
    wanted = [_arrays.word(s, "grid: statistic") for s in ([statistic] if isinstance(statistic, str) else statistic)]
    shape = [_arrays.size(n, "grid: an extent") for n in ([shape] if hasattr(shape, "__index__") else shape)]
    first, step = (_floats(numbers, "grid: first or step") for numbers in (first, step))
    if p.shape == (0,):  # an empty list; of a GPU it is refused
        p = p.reshape(0, len(shape))
    if p.ndim != 2 or v.shape[:1] != p.shape[:1] or v.ndim not in (1, 2):
        raise ValueError(f"grid: places (n, d) and values (n,) or (n, columns), not {p.shape} and {v.shape}")
    if any(n < 0 for n in shape):
        raise ValueError(f"grid: a raster of shape {tuple(shape)}")
    if len(shape) not in (2, 3) or p.shape[1] != len(shape):
        raise ValueError(f"grid: places of {p.shape[1]} coordinates on a raster of shape {tuple(shape)}; both are 2 or 3: give the columns meant, as places[:, :2]")
    n_columns = 1 if v.ndim == 1 else v.shape[1]
    n_samples = p.shape[0]
    if n_samples == 0 and is_there:
        raise ValueError("grid: there are no samples on the GPU; an empty grid is made of NumPy's arrays")
    if n_samples == 0:  # one beyond the raster, which is in no cell
        place = [*first[::-1], 0.0, 0.0, 0.0][:max(p.shape[1], 2)]
        p = numpy.array([[place[0] - 9 * step[-1], *place[1:]]])
        v = numpy.zeros((1, *v.shape[1:]))
    result = _arrays.new(p, (len(wanted), n_columns, *shape), "float64")
    n_inside = _core.bin_samples(p, v, result, first[::-1], step[::-1], shape[::-1], wanted, _arrays.number(nodata, "grid: nodata"))
    if n_inside == 0 and n_samples > 0 and not _core.is_planning():
        _beyond.warn(f"grid: none of {n_samples} samples lies in the raster; places have x first, `first` and `step` y")
    if is_there:
        result = _arrays.finished(p, result)
    if v.ndim == 1:
        result = result[:, 0]
    return result[0] if isinstance(statistic, str) else result


def _holds(name, number):
    """Whether a type of this name has the number; of floats it may be rounded."""
    import numpy

    if "int" not in name:
        return True
    limits = numpy.iinfo(name)
    return math.isfinite(number) and number == int(number) and limits.min <= number <= limits.max


def _one_an_axis(numbers, axes, what):
    if len(numbers) not in (1, len(axes)):
        raise ValueError(f"resample: {what} has {len(numbers)} numbers for {len(axes)} axes; give one, or one an axis")
    return numbers if len(numbers) == len(axes) else numbers * len(axes)


def resample(x, shape=None, *, zoom=None, rotate=None, matrix=None, offset=None, polar=None, log=False, centre=None, radius=None, coordinates=None,
             axes=None, by="linear", boundary=None, keep="edges", nodata=math.nan, dtype=None, out=None, antialias=False):
    """out[p] = x(T(p)), x between its elements being nearest, linear, cubic (Keys) or spline (SciPy's order 3): one of

    ``ck.resample(x, (512, 512))`` or ``zoom=2``   as many elements along `axes`; keep='edges' (grid_mode=True) or 'centres' (SciPy's zoom)
    ``rotate=30``                                  degrees counterclockwise about the middle, all of it, or `shape`: SciPy's rotate(axes=(1, 0))
    ``matrix=m, offset=b``                         T(p) = m p + b, SciPy's affine_transform; (n, n), or (n, n + 1) with the offset
    ``polar='to', centre=(y, x), radius=r``        [angle][radius], 360 angles where `shape` does not say; polar='from' back; log=True
    ``coordinates=q``                              T(p) = q[:, p], SciPy's map_coordinates; (n, *shape)

    `axes` are the resampled ones, 1 to 3 (all when left out); others, as channels, are resampled one by one. `boundary` is as in stencil(),
    NumPy's words: edge where nothing is said of zooms, periodic for angles of polar='from', else constant. `nodata` stands where a coordinate
    is no number. The result has x's type, or dtype. On a GPU: uint8, uint16, int16, float32, float64.

    Where the result is smaller, `antialias=True` (linear, cubic), by='area' (or 'average': the mean of what an element covers), 'mode' (its
    commonest value, of several the smallest) and 'lanczos' count all elements; of axes that scale one by one, and nothing beyond the
    array counts. Without them a result that skips elements is a warning.
    """
    words = None  # by which the call is kept
    if coordinates is None and (dtype is None or out is not None):
        words = shape, zoom, rotate, matrix, offset, polar, log, centre, radius, axes, by, boundary, keep, nodata, antialias
        kept = _core.resample_again(x, out, words)
        if kept is not None:
            _warn_of_skipping(kept[1], by)
            return kept[0]
    given = [name for name, value in (("shape", shape), ("zoom", zoom), ("rotate", rotate), ("matrix", matrix), ("polar", polar), ("coordinates", coordinates)) if value is not None]
    for word, is_given, of in (("offset", offset is not None, ["matrix"]), ("log", log, ["polar"]), ("centre", centre is not None, ["polar"]),
                               ("radius", radius is not None, ["polar"]), ("keep", keep != "edges", ["shape", "zoom"])):
        if is_given and given and not set(of) & set(given):
            raise ValueError(f"resample: {word} is of {' and '.join(of)}, and {given[0]} takes none")
    a, back = _arrays.where_it_is(x, "resample")
    axes = list(range(a.ndim)) if axes is None else _arrays.axes_of(axes, a.ndim, "resample")
    source = [a.shape[k] for k in axes]
    if shape is not None:
        shape = [_arrays.size(n, "resample: an extent") for n in ([shape] if hasattr(shape, "__index__") else shape)]
    if zoom is not None:
        zoom = _one_an_axis(_floats(zoom, "resample: zoom"), axes, "zoom")
    keep, polar = _arrays.word(keep, "resample: keep"), polar if polar is None else _arrays.word(polar, "resample: polar")
    rotate, radius, nodata = (n if n is None else _arrays.number(n, "resample: rotate, radius or nodata") for n in (rotate, radius, nodata))
    centre = None if centre is None else [_arrays.number(c, "resample: centre") for c in centre]
    affine = []
    if matrix is not None:
        m = _arrays.real(matrix, "resample: the matrix")
        if offset is None and m.ndim == 2 and m.shape[1] == m.shape[0] + 1:
            m, offset = m[:, :-1], m[:, -1]
        if m.shape != (len(axes), len(axes)):
            raise ValueError(f"resample: a matrix of shape {m.shape} for {len(axes)} axes")
        affine = [*m.ravel().tolist(), *_one_an_axis([0.0] if offset is None else _floats(offset, "resample: offset"), axes, "offset")]
    if coordinates is not None:
        q = coordinates if _arrays.is_on_gpu(coordinates) else _arrays.on_numpy(coordinates, "resample: coordinates")[0]
        is_ready = _arrays.name_of(q) in ("float32", "float64") and getattr(q.dtype, "isnative", True)
        coordinates = q if is_ready else _arrays.real(q, "resample: coordinates")
        if coordinates.ndim < 2 or coordinates.shape[0] != len(axes):
            raise ValueError(f"resample: coordinates of shape {tuple(coordinates.shape)} along {len(axes)} axes: ({len(axes)}, *shape of the result)")
    request = _core.Resampling(source, shape, zoom, keep, rotate, affine, polar, _arrays.flag(log, "resample: log"), centre, radius,
                               None if coordinates is None else list(coordinates.shape[1:]))
    new_shape, places = _core.resampled_shape(list(a.shape), axes, request.shape)
    result = _arrays.of_type(a, tuple(new_shape), dtype) if out is None else _arrays.output(out, new_shape, "resample")
    pairs = [] if boundary is None else _faces(boundary, "resample")
    by = _arrays.word(by, "resample: by")
    if not math.isnan(nodata) and not _holds(_arrays.name_of(result), nodata):
        raise ValueError(f"resample: nodata {nodata} is no {_arrays.name_of(result)}; dtype='float64' holds it")
    numbers = _number(a, "resample"), _number(result, "resample")
    _tell(a, result, "resample")
    scale = _core.resample(request, a, result, coordinates, axes, places, by, pairs, *numbers, nodata, _arrays.flag(antialias, "resample: antialias"), words, out is None)
    _warn_of_skipping(scale, by)
    return result if out is not None else back(result)


def _warn_of_skipping(scale, by):
    if scale:
        way = {"nearest": "by='mode' or by='area' counts", "spline": "by='lanczos' or by='area' counts"}.get(by, "antialias=True or by='area' counts")
        _beyond.warn(f"resample: elements are skipped: places of the result lie {scale:g} elements apart, which is further than {by} reaches; {way} them all")
