"""Every function on dask arrays: a call becomes a plan of arrays without elements, the plan parts for chunks of its result, each part a task.

SPDX-License-Identifier: BSD-3-Clause
"""
import itertools
import math

from . import _arrays, _beyond, _graph, _lazy_plans
from ._chunks import Places, even, largest, most_pieces, n_blocks, starts_of

small_chunk = 1 << 24  # bytes: chunks that were smaller grow to so many where an axis is made whole


def call(function, arguments, words):
    """The lazy result of a function some of whose arguments are dask arrays, or which is given `chunks`."""
    from . import _dask_lines, _dask_own

    words, name = dict(words), function.__name__
    chunks = words.pop("chunks", None)
    if words.get("out") is not None:
        raise ValueError(f"{name}: out: the result of dask arrays is computed later, chunk by chunk; leave out away, and save() or compute() the result")
    words.pop("out", None)
    _lazy_plans.check(function, arguments, words)
    lazy = list(filter(_beyond.is_dask, _beyond.flat((arguments, words))))
    if not lazy and name not in ("grid", "interpolate", "save"):
        raise ValueError(f"{name}: chunks={chunks!r} are of a lazy result: give dask arrays, as dask.array.from_array(x) makes them")
    if lazy and name != "save" and all(0 in x.shape for x in lazy):
        return _of_no_elements(function, arguments, words, chunks)
    own = (_dask_own.functions | _dask_lines.functions).get((function.__module__, name))
    return own(function, arguments, words, chunks) if own else lazily(function, arguments, words, chunks)


def _of_no_elements(function, arguments, words, chunks):
    """The results of arrays without elements, which are made now."""
    import numpy

    def in_memory(x):
        return numpy.empty_like(x._meta, shape=x.shape, dtype=x.dtype) if _beyond.is_dask(x) else x

    made = function(*_beyond.each(arguments, in_memory), **_beyond.each(words, in_memory))
    return _beyond.each(made, lambda x: _as_one_chunk(x, chunks, function.__name__) if hasattr(x, "shape") else x)


def _as_one_chunk(x, wanted, label):
    import dask.array as da

    return in_chunks(da.from_array(x, chunks=x.shape, name=None, asarray=False), wanted, (), label)


def lazily(function, arguments, words, chunks):
    """Any function of one move or computation."""
    import numpy

    from ._requests import Nothing

    try:
        planned, xs = _lazy_plans.plan_of(function, arguments, words)
    except Nothing as nothing:
        return _as_one_chunk(numpy.empty(nothing.result.shape, nothing.result.dtype), chunks, function.__name__)
    dtype = None
    if words.get("byte_order") is not None:
        dtype = xs[0].dtype.newbyteorder("<" if words["byte_order"] == "little" else ">")
    return apply(planned, xs, function.__name__, chunks, _names_of(function, arguments), dtype)


def _names_of(function, arguments):
    """Names of the result's axes, as move()'s specification has them."""
    if function.__name__ != "move" or len(arguments) < 2 or not isinstance(arguments[1], str):
        return ()
    from ._axes import items

    return [item if isinstance(item, str) else None for item in items(arguments[1].rpartition("->")[2])]


def _probe(planned):
    """Of every cut: the output's axis that is cut by it (None: lines of a flat result), and the axes of each input that get shorter with it."""
    cuts, port = planned.cuts, planned.outputs[0]
    whole = [(0, n) for _, n in cuts]
    gives, needs = planned.gives(whole)[0], planned.needs(whole)
    found, free = [], [a for a, n in enumerate(port.shape)]
    for c, (_, n) in enumerate(cuts):
        half = [*whole[:c], (0, max(n // 2, 1)), *whole[c + 1:]]
        its, read, least = planned.gives(half)[0], planned.needs(half), planned.needs([*whole[:c], (0, 1), *whole[c + 1:]])
        axes = [a for a in free if its[a] != gives[a]]
        axis = axes[0] if len(axes) == 1 else None
        if n == 1:
            axis = next((a for a in free if port.shape[a] == 1), None)
        elif axis is not None and its[axis] != half[c]:
            axis = None
        if axis is not None:
            free.remove(axis)
        shorter = [[i for i, (a, b, c) in enumerate(zip(few, one, many)) if c not in (a, b) or a != b] for few, one, many in zip(read, least, needs)]
        found.append((axis, shorter))
    return found


def _natural(planned, xs, found):
    """Chunks of the port's shape that follow the inputs' chunks, no larger than these, or small."""
    import dask
    from dask.array.core import normalize_chunks
    from dask.utils import parse_bytes

    port = planned.outputs[0]
    chunks = [(n,) for n in port.shape]
    whole = [(0, n) for _, n in planned.cuts]
    blocks = [[len(c) for c in x.chunks] for x in xs]  # those of an axis that is split are of the first of its parts
    for c, (axis, shorter) in sorted(enumerate(found), key=lambda one: one[1][0] if one[1][0] is not None else -1):
        if axis is None:
            continue
        n = port.shape[axis]
        pairs = [(k, i) for k, axes in enumerate(shorter) for i in axes]
        if len(pairs) == 1 and xs[pairs[0][0]].shape[pairs[0][1]] == n:
            k, i = pairs[0]
            its = xs[k].chunks[i]
            turned = planned.needs([*whole[:c], (0, its[-1]), *whole[c + 1:]])[k][i] == (n - its[-1], its[-1]) and n > its[-1]
            chunks[axis] = its[::-1] if turned else its
        elif pairs:
            many = math.prod(blocks[k][i] for k, i in pairs)
            chunks[axis] = even(n, many)
            for k, i in pairs:
                blocks[k][i] = 1
            k, i = pairs[0]
            blocks[k][i] = -(-many // len(chunks[axis]))
    cut = [axis for axis, _ in found if axis is not None]
    limit = max([min(small_chunk, parse_bytes(dask.config.get("array.chunk-size"))), *(largest(x.chunks) * x.dtype.itemsize for x in xs)])
    if cut and largest(chunks) * port.element_bytes > limit:
        auto = {a: "auto" if a in cut else -1 for a in range(len(chunks))}
        chunks = normalize_chunks(auto, port.shape, limit=limit, dtype=f"V{port.element_bytes}", previous_chunks=tuple(chunks))
    return tuple(map(tuple, chunks))


@_graph._many
def _parts(planned, found, chunks):
    """[(index, part, needs, shape)] for chunks of the port's shape, whole along axes that are not cut."""
    axes = [axis for axis, _ in found]
    starts = [starts_of(c) for c in chunks]
    parts, needs = [], planned._operation.needs  # of ranges that are right
    for index in itertools.product(*(range(len(c)) for c in chunks)):
        part = [(0, n) if axis is None else (starts[axis][index[axis]], chunks[axis][index[axis]]) for axis, (_, n) in zip(axes, planned.cuts)]
        parts.append((index, part, needs(part), tuple(c[k] for c, k in zip(chunks, index))))
    return parts


def n_pieces(parts, xs):
    places = [Places(x.chunks) for x in xs]
    return sum(its.n_of(ranges) for _, _, needs, _ in parts for its, ranges in zip(places, needs))


def apply(planned, xs, label, wanted=None, names=(), dtype=None):
    """The lazy array of a plan's results."""
    port, shape = planned.outputs[0], planned._facts.result_shape if not planned._path else planned.outputs[0].shape
    if len(planned.outputs) != 1:
        raise ValueError(f"{label} of dask arrays has {len(planned.outputs)} results: x.compute() brings an array into one memory")
    its = dtype or _dtype_of(port, xs)
    if 0 in shape or any(0 in x.shape for x in xs) or not planned.cuts:
        stages = planned.stages() if xs and 0 not in shape else []
        if len(stages) > 1:
            return _staged(stages, xs, label, wanted, names)
        return in_chunks(_whole(planned, xs, label, shape, dtype, its), wanted, names, label)
    found = _probe(planned)
    stages = planned.stages()
    if len(stages) > 1 and any(len(x.chunks[i]) > 1 for k, x in enumerate(xs) for i in range(x.ndim) if not any(i in shorter[k] for _, shorter in found)):
        return _staged(stages, xs, label, wanted, names)
    if any(axis is None for axis, _ in found):
        from ._dask_lines import lines

        return in_chunks(lines(planned, xs, label, shape, its, dtype, wanted), None if isinstance(wanted, int) else wanted, names, label)
    from ._axes import order_of

    order = order_of(planned, found) if len(xs) == 1 and tuple(port.shape) == tuple(shape) and dtype is None else None
    natural = _natural(planned, xs, found)
    kept = _same_but_ones(port.shape, shape)
    if kept is None:
        return in_chunks(_whole(planned, xs, label, shape, dtype, its), wanted, names, label)
    chunks = natural if wanted is None else _wanted(wanted, shape, its, names, label, natural, kept)
    if order is not None:
        return _graph.rearranged(xs[0], order, chunks)
    cuttable = {axis for axis, _ in found}
    least = tuple(c if a in cuttable else (n,) for a, (c, n) in enumerate(zip(chunks, port.shape)))
    parts = _parts(planned, found, least)
    most = most_pieces * (sum(n_blocks(x.chunks) for x in xs) + len(parts))
    if n_pieces(parts, xs) > most:
        least = natural
        parts = _parts(planned, found, least)
        if n_pieces(parts, xs) > most:
            xs = [_made_whole(x, k, found, least) for k, x in enumerate(xs)]
    its_chunks = _kept(least, kept, len(shape), (1,))
    name, tasks = _graph.parts_of(planned, xs, [(_kept(index, kept, len(shape)), part, needs, _kept(extents, kept, len(shape), 1)) for index, part, needs, extents in parts],
                                  its_chunks, label, dtype, port.element_bytes)
    result = _graph._array(name, tasks, xs, its_chunks, its)
    return in_chunks(result, None if result.chunks == chunks else _kept(chunks, kept, len(shape), (1,)), (), label)


def _dtype_of(port, xs):
    import numpy

    if port.dtype is None:
        return xs[0].dtype
    return numpy.dtype(port.dtype[1:]).newbyteorder(">") if port.dtype.startswith(">") else numpy.dtype(port.dtype)


def _same_but_ones(of, to):
    """Of every axis of the result the port's axis, or None for one of extent 1; None where the shapes differ in more than such axes."""
    if [n for n in of if n != 1] != [n for n in to if n != 1]:
        return None
    if len(of) == len(to):
        return list(range(len(to)))
    left = iter([a for a, n in enumerate(of) if n != 1])
    return [None if n == 1 else next(left) for n in to]


def _kept(values, kept, rank, one=0):
    return tuple(values) if kept == list(range(len(values))) and rank == len(values) else tuple(one if a is None else values[a] for a in kept)


def _wanted(wanted, shape, dtype, names, label, natural, kept):
    chunks = chunks_of(wanted, shape, dtype, names, label)
    full = list(natural)
    for a, c in zip(kept, chunks):
        if a is not None:
            full[a] = c
    return tuple(full)


def chunks_of(wanted, shape, dtype, names, label):
    """Chunks as people give them: {'y': 256} by names of axes, a dict by numbers, a number, a tuple, "auto", -1."""
    from dask.array.core import normalize_chunks

    if any(isinstance(n, bool) for n in _beyond.flat([wanted])):
        raise TypeError(f"{label}: chunks {wanted!r}: sizes are integers")
    if isinstance(wanted, dict):
        by_number = {}
        for key, n in wanted.items():
            if isinstance(key, str):
                if key not in names:
                    raise ValueError(f"{label}: chunks along {key!r}: the result's axes are {', '.join(filter(None, names)) or 'numbered from 0'}")
                key = list(names).index(key)
            by_number[_arrays.axis_of(key, len(shape), f"{label}: chunks")] = n
        wanted = {a: by_number.get(a, -1) for a in range(len(shape))}
    try:
        return normalize_chunks(wanted, shape, dtype=dtype)
    except (ValueError, TypeError, NotImplementedError, ZeroDivisionError) as e:
        raise ValueError(f"{label}: chunks {wanted!r} of a result of shape {tuple(shape)}: {e}") from None


def in_chunks(x, wanted, names, label):
    """x in the chunks that are asked for."""
    if wanted is None:
        return x
    chunks = chunks_of(wanted, x.shape, x.dtype, names, label)
    return x if chunks == x.chunks else _graph.rearranged(x, tuple(range(x.ndim)), chunks)


def _made_whole(x, k, found, chunks):
    """An input in chunks that each part needs one of: whole along the axes that are not cut."""
    grid = [(n,) for n in x.shape]
    for axis, shorter in found:
        for i in shorter[k]:
            grid[i] = chunks[axis] if sum(chunks[axis]) == x.shape[i] else even(x.shape[i], len(chunks[axis]))
    return _graph.rearranged(x, tuple(range(x.ndim)), tuple(grid))


def _staged(stages, xs, label, wanted, names):
    for k, stage in enumerate(stages):
        xs = [apply(stage, xs, label, wanted if k == len(stages) - 1 else None, names)]
    return xs[0]


def _whole(planned, xs, label, shape, dtype, its):
    """One task for all of it."""
    parts = [((0,) * len(shape), None, [[(0, n) for n in x.shape] for x in xs], tuple(shape))]
    xs = [x.rechunk(x.shape) if 0 in x.shape else x for x in xs]
    chunks = tuple((n,) for n in shape)
    name, tasks = _graph.parts_of(planned, xs, parts, chunks, label, dtype, its.itemsize)
    return _graph._array(name, tasks, xs, chunks, its)
