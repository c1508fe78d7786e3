"""What is not one plan on dask arrays: joins and reshapes, which only name chunks anew; targets and records, chunk by chunk; what is refused.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import _arrays, _beyond, _dask, _graph


def _arrayed(arrays, what):
    """A list of arrays as dask's, of one type."""
    import dask.array as da
    import numpy

    arrays = [x if _beyond.is_dask(x) else da.from_array(_arrays.on_numpy(x, what)[0]) for x in arrays]
    if not arrays:
        raise ValueError(f"{what} of no arrays")
    try:
        dtype = arrays[0].dtype if len({x.dtype for x in arrays}) == 1 else numpy.result_type(*(x.dtype for x in arrays))
    except TypeError as e:
        raise TypeError(f"{what}: arrays of {', '.join(str(x.dtype) for x in arrays)}, which no type holds: convert them first ({e})") from None
    return [x if x.dtype == dtype else x.astype(dtype) for x in arrays]


def _stack(arrays, axis=0):
    import dask.array as da

    arrays = _arrayed(arrays, "stack")
    for x in arrays:
        if x.shape != arrays[0].shape:
            raise ValueError(f"stack: arrays of shapes {arrays[0].shape} and {x.shape}")
    return da.stack(arrays, _arrays.axis_of(axis, arrays[0].ndim + 1, "stack")).astype(arrays[0].dtype)


def _concat(arrays, axis=0):
    import dask.array as da

    arrays = _arrayed(arrays, "concat")
    if axis is None:
        return da.concatenate([_reshape(x, -1) for x in arrays]).astype(arrays[0].dtype)
    at = _arrays.axis_of(axis, arrays[0].ndim, "concat")
    for k, x in enumerate(arrays):
        if (*x.shape[:at], *x.shape[at + 1:]) != (*arrays[0].shape[:at], *arrays[0].shape[at + 1:]):
            raise ValueError(f"concat: array {k} of shape {x.shape} beside {arrays[0].shape} along axis {at}")
    return da.concatenate(arrays, at).astype(arrays[0].dtype)  # Dask's are in the machine's byte order


def _unstack(x, axis=0):
    from ._names import moveaxis

    moved = moveaxis(x, _arrays.axis_of(axis, x.ndim, "unstack"), 0)
    return tuple(moved[k] for k in range(moved.shape[0]))


def _broadcast_arrays(*arrays):
    import dask.array as da

    arrays = [x if _beyond.is_dask(x) else da.from_array(_arrays.on_numpy(x, "broadcast_arrays")[0]) for x in arrays]
    return tuple(da.broadcast_arrays(*arrays))


def _reshape(x, shape, *, order="C", copy=None):
    if copy is not None and not copy:
        raise ValueError("reshape: copy=False: results are new arrays; the array's own reshape() makes views")
    if order not in ("C", "F"):
        raise ValueError(f"reshape: order is 'C' or 'F', not {order!r}")
    import numpy

    from ._moves import move
    from ._names import _names

    shape = [_arrays.size(n, "reshape: an extent") for n in ([shape] if hasattr(shape, "__index__") else shape)]
    shape = numpy.broadcast_to(numpy.uint8(0), x.shape).reshape(shape).shape  # finds the one of -1, or says what does not fit
    turned = 1 if order == "C" else -1
    old, new = _names(x.ndim), _names(len(shape))
    flat = x if x.ndim == 1 else _dask.lazily(move, (x, f"{' '.join(old)} -> ({' '.join(old[::turned])})"), {}, None)
    return flat if len(shape) == 1 else _dask.lazily(move, (flat, f"({' '.join(new[::turned])}) -> {' '.join(new)}"), {"sizes": dict(zip(new, shape))}, None)


def _roll(x, shift, axis=None):
    from ._names import roll

    if axis is None:
        return _reshape(roll(_reshape(x, -1), shift, 0), x.shape)
    return _dask.lazily(roll, (x, shift, axis), {}, None)


def _repeat(x, repeats, axis=None):
    from ._names import repeat, take

    if axis is None:
        x, axis = _reshape(x, -1), 0
    if getattr(repeats, "shape", ()) not in ((), (1,)) or isinstance(repeats, (list, tuple)):
        import numpy

        counts = numpy.asarray(repeats)
        at = _arrays.axis_of(axis, x.ndim, "repeat")
        if counts.dtype.kind not in "iu" or counts.ndim != 1 or counts.size not in (1, x.shape[at]) or (counts < 0).any():
            raise ValueError(f"repeat: counts are integers of 0 or more, one or {x.shape[at]}; here are {counts.dtype} of shape {counts.shape}")
        return take(x, numpy.repeat(numpy.arange(x.shape[at]), counts), axis=at)
    return _dask.lazily(repeat, (x, repeats, axis), {}, None)


def _stencil(function, arguments, words, chunks):
    """One whose weights are all 0 has no plan: what it is like is told by others."""
    import dask.array as da

    what = words.get("what", arguments[1] if len(arguments) > 1 else "")
    weights = None if isinstance(what, str) else _arrays.real(what, "stencil weights")
    if weights is None or weights.any() or weights.size == 0:
        return _dask.lazily(function, arguments, words, chunks)
    return da.zeros_like(_dask.lazily(function, arguments[:1], {**words, "what": weights + 1}, chunks))


def _of_targets(places, values, targets, *, chunks=None, **words):
    """interpolate() at the targets of every chunk. The samples belong to the request."""
    import dask.array as da
    import numpy

    from ._features import interpolate

    places, values = _arrays.real(places, "interpolate: places"), _arrays.real(values, "interpolate: values")
    q = targets if _beyond.is_dask(targets) else da.from_array(_arrays.real(targets, "interpolate: targets"))
    if q.ndim < 1 or places.ndim != 2 or q.shape[-1] != places.shape[1]:
        raise ValueError(f"interpolate: places (n, d) and targets (…, d), not {places.shape} and {tuple(q.shape)}")
    its = q.chunks[:-1] if chunks is None else _dask.chunks_of(chunks, q.shape[:-1], numpy.dtype("f8"), (), "interpolate")
    q = _dask.in_chunks(q, (*its, (q.shape[-1],)), (), "interpolate")
    interpolate(places, values, numpy.zeros((0, places.shape[1])), **words)  # what does not fit is told now
    columns = values.shape[1:]
    made = Targets(places, values, words)
    ndim = q.ndim - 1 + len(columns)
    meta = numpy.empty((0,) * ndim) if _arrays.is_numpy(q._meta) else da.utils.meta_from_array(q._meta, ndim=ndim)  # on a GPU values have the targets' type
    return da.map_blocks(made, q, dtype=meta.dtype, drop_axis=[q.ndim - 1] if not columns else None, chunks=(*its, *((n,) for n in columns)),
                         name=f"crinkle-interpolate-{da.core.tokenize(made, q.name, its)}", meta=meta)


class Targets:
    """interpolate() of some samples."""

    def __init__(self, *of):
        self.of = of

    def __call__(self, targets):
        from ._features import interpolate

        places, values, words = self.of
        return interpolate(places, values, targets, **words)

    def __dask_tokenize__(self):
        from dask.base import tokenize

        return tokenize(*self.of)


class Records:
    """records() of a chunk, of whose results the number `of` is meant, or the one."""

    def __init__(self, of, words):
        self.of, self.words = of, words

    def __call__(self, *fields):
        from ._records import records

        made = records(fields[0] if len(fields) == 1 and self.words.get("dtype") is None else list(fields), **self.words)
        return made if self.of is None else made[self.of]

    def __dask_tokenize__(self):
        return repr((self.of, self.words))


def _records(x, to=None, *, dtype=None, source=None):
    """records() chunk by chunk: of a structured array into its fields, and of fields into one."""
    import dask.array as da
    import numpy

    from ._records import records

    if source is not None:
        raise ValueError("records of dask arrays: bytes in a layout have no chunks of whole records: give a structured array, or a list of fields with dtype=")
    words = {"to": to, "dtype": None if dtype is None else numpy.dtype(dtype)}
    given = list(x) if isinstance(x, (list, tuple)) else [x]
    if isinstance(x, (list, tuple)):
        if dtype is None:
            raise ValueError("records of a list of arrays need dtype=, a structured type with a field for each")
        given = [one if _beyond.is_dask(one) else da.from_array(_arrays.plain(one), chunks=-1) for one in given]
        if len({one.shape[:1] for one in given}) > 1:
            raise ValueError(f"records: fields of {', '.join(str(one.shape) for one in given)}")
        first = next(one for one in given if one.ndim)
        given = [_dask.in_chunks(one, (first.chunks[0], *((n,) for n in one.shape[1:])), (), "records") for one in given]
    sample = records([numpy.zeros((2, *one.shape[1:]), one.dtype) for one in given] if isinstance(x, (list, tuple)) else numpy.zeros((2,) * x.ndim, x.dtype), **words)
    if isinstance(sample, list):
        return [_record_blocks(Records(k, words), given, one) for k, one in enumerate(sample)]
    if sample.dtype.names is None:
        raise ValueError(f"records of dask arrays: the layout '{to}' has no chunks of whole records: give fields, as 'x|y|z', or compute() first")
    return _record_blocks(Records(None, words), given, sample)


def _record_blocks(function, given, like):
    import dask.array as da
    from dask._task_spec import Task, TaskRef

    name = f"crinkle-records-{da.core.tokenize(function, [one.name for one in given])}"
    extra = like.shape[1:]
    tasks = {(name, k, *(0,) * len(extra)): Task((name, k, *(0,) * len(extra)), function, *(TaskRef((one.name, k, *(0,) * (one.ndim - 1))) for one in given))
             for k in range(len(given[0].chunks[0]))}
    return _graph._array(name, tasks, given, (given[0].chunks[0], *((n,) for n in extra)), like.dtype)


def _pack(tensors, pattern):
    from .einops import EinopsError, _pack_axes

    before, after = _pack_axes(pattern, "pack")
    flat, shapes = [], []
    for k, x in enumerate(tensors):
        end = x.ndim - after
        if x.ndim < before + after:
            raise EinopsError(f"array {k} of shape {tuple(x.shape)} has fewer axes than the pattern names")
        shapes.append(tuple(x.shape[before:end]))
        flat.append(x.reshape((*x.shape[:before], -1, *x.shape[end:])))
    return _concat(flat, before), shapes


def _parse_shape(x, pattern):
    import numpy

    from .einops import parse_shape

    return parse_shape(numpy.broadcast_to(numpy.uint8(0), x.shape), pattern)


def _refused(why):
    def called(function, arguments, words, chunks):
        raise ValueError(f"{function.__name__} of dask arrays: {why}: x.compute() brings an array into one memory")

    return called


def _opened(f, takes_chunks=False):
    def called(function, arguments, words, chunks):
        if takes_chunks:
            return f(*arguments, chunks=chunks, **words)
        result = f(*arguments, **words)
        if chunks is not None and isinstance(result, (list, tuple)):
            return type(result)(_dask.in_chunks(x, chunks, (), function.__name__) for x in result)
        return result if chunks is None else _dask.in_chunks(result, chunks, _dask._names_of(function, arguments), function.__name__)

    return called


def _moved(function, arguments, words, chunks):
    if arguments and isinstance(arguments[0], (list, tuple)):
        arguments = (_stack(arguments[0]), *arguments[1:])
    return _dask.lazily(function, arguments, words, chunks)


def _pdist(function, arguments, words, chunks):
    """A square's parts need two ranges of points each: it is the distances between the points and themselves."""
    from ._pairs import cdist

    if words.get("form") != "square":
        return _dask.lazily(function, arguments, words, chunks)
    words = {word: value for word, value in words.items() if word != "form"}
    return _dask.lazily(cdist, (arguments[0], *arguments), words, chunks)


def _pad(function, arguments, words, chunks):
    from ._names import is_computed

    mode = words.get("mode", arguments[2] if len(arguments) > 2 else "constant")
    return (_refused(f"mode {mode!r} computes values of whole lines") if is_computed(mode, words) else _dask.lazily)(function, arguments, words, chunks)


def _saved(function, arguments, words, chunks):
    from ._finished import save

    return save(*arguments, chunks=chunks, **words)


_all = "it looks at all elements at once"
functions = {
    ("crinkle._moves", "move"): _moved, ("crinkle.einops", "rearrange"): _moved, ("crinkle.einops", "repeat"): _moved,
    ("crinkle._joins", "stack"): _opened(_stack), ("crinkle._joins", "concat"): _opened(_concat), ("crinkle._joins", "unstack"): _opened(_unstack),
    ("crinkle._joins", "broadcast_arrays"): _opened(_broadcast_arrays), ("crinkle._names", "reshape"): _opened(_reshape),
    ("crinkle._names", "roll"): _opened(_roll), ("crinkle._names", "repeat"): _opened(_repeat), ("crinkle._records", "records"): _opened(_records),
    ("crinkle._features", "stencil"): _stencil, ("crinkle._features", "interpolate"): _opened(_of_targets, True), ("crinkle.einops", "pack"): _opened(_pack),
    ("crinkle.einops", "parse_shape"): _opened(_parse_shape), ("crinkle._files", "save"): _saved,
    ("crinkle._names", "pad"): _pad, ("crinkle._pairs", "pdist"): _pdist, ("crinkle._features", "cross_validate"): _refused(_all),
    ("crinkle._pairs", "collisions"): _refused(_all), ("crinkle._pairs", "triplet_energy"): _refused(_all),
    ("crinkle._pairs", "squareform"): _refused("it finds out whether they are symmetric"),
    ("crinkle._orders", "bit_planes"): _refused("bits of eight elements are a byte"), ("crinkle._orders", "from_bit_planes"): _refused("bits of eight elements are a byte"),
    ("crinkle._packed", "pack_bits"): _refused("elements share bytes"), ("crinkle._packed", "unpack_bits"): _refused("elements share bytes"),
    ("crinkle._packed", "move_packed"): _refused("elements share bytes"), ("crinkle.einops", "unpack"): _refused("its results are views of one array"),
}
