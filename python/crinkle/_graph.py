"""Layers of Dask's graphs: an array assembled anew by moves, and an operation part by part. What a task does is told by its key and by its object,
which explain() reads.

SPDX-License-Identifier: BSD-3-Clause
"""
import functools
import gc
import hashlib
import itertools
import math
import pickle
import sys
import threading

from . import _arrays, _core
from ._chunks import Places, n_blocks, overlaps, starts_of, steps_between
from ._names import _in_order

_small = 4096  # bytes of a request that goes along with every task; a larger one is a task of its own, which a worker gets once
_planning = threading.Lock()


class Held:
    """A plan that pickles as the request that it is made of, and is planned once in a process."""

    def __init__(self, text):
        self.text, self.digest = text, hashlib.blake2b(text, digest_size=16).hexdigest()

    @classmethod
    def of(cls, planned):
        return cls(pickle.dumps(planned))

    def plan(self):
        return _plan_of(self.digest, self)

    def __hash__(self):
        return hash(self.digest)

    def __eq__(self, other):
        return isinstance(other, Held) and self.digest == other.digest

    def __reduce__(self):
        return Held, (self.text,)

    def __dask_tokenize__(self):
        return self.digest


@functools.lru_cache(64)
def _plan_of(digest, held):
    with _planning:
        return pickle.loads(held.text)


class Assembled:
    """One array put together of pieces of others, each by one move: `order`, of axes; `places`, of each piece (slices of it or None, slices of the array)."""

    __slots__ = ("order", "shape", "places", "itemsize")

    def __init__(self, order, shape, places, itemsize):
        self.order, self.shape, self.places, self.itemsize = order, shape, places, itemsize

    n_bytes = property(lambda self: math.prod(self.shape) * self.itemsize)

    def __call__(self, *pieces):
        out = _arrays.new(pieces[0], self.shape)
        spec = _in_order(self.order)
        for piece, (of, to) in zip(pieces, self.places):
            piece = piece if of is None else piece[of]
            if piece.ndim == 0:
                out[...] = piece
            elif 0 not in piece.shape:
                _core.move(piece, spec, out[to], ())
        return _arrays.finished(pieces[0], out) if _arrays.is_numpy(out) is False else out


def cut(x, slices):
    """A piece of a chunk, packed where the chunk lies, so that nothing else of it travels."""
    return _core.move(x[slices], "... -> ...", None, ()) if x.ndim and 0 not in x[slices].shape else x[slices].copy()


class Part:
    """A part of an operation: `part`, (first, n) of every cut or None for the whole; `inputs`, of each (shape, places); `shape` of the result."""

    __slots__ = ("part", "inputs", "shape", "itemsize", "dtype", "itemsizes")

    def __init__(self, part, inputs, shape, itemsize, dtype, itemsizes):
        self.part, self.inputs, self.shape, self.itemsize, self.dtype, self.itemsizes = part, inputs, shape, itemsize, dtype, itemsizes

    n_bytes = property(lambda self: math.prod(self.shape) * self.itemsize)

    def __call__(self, held, *pieces):
        arrays, k = [], 0
        for shape, places in self.inputs:
            arrays.append(_box(pieces[k:k + len(places)], shape, places))
            k += len(places)
        plan = held.plan()
        result = (plan if self.part is None else plan.part(self.part)).run(*arrays)
        result = result if self.dtype is None else result.view(self.dtype)
        return result if tuple(result.shape) == self.shape else _arrays.reshaped(result, self.shape)


def _box(pieces, shape, places):
    """The dense array of what an input needs."""
    if len(pieces) == 1:
        (of, _), = places
        piece = pieces[0] if of is None else pieces[0][of]
        _, extents, strides, element_bytes, *_ = _arrays.view(piece)
        return piece if tuple(strides) == _arrays.strides_of(extents, element_bytes) or 0 in extents else _core.move(piece, "... -> ...", None, ())
    return Assembled(tuple(range(len(shape))), shape, places, 0)(*pieces)


def is_distributed():
    """Whether what is made now will run on workers that share no memory."""
    import dask

    module = sys.modules.get("distributed")
    if module is None or dask.config.get("scheduler", None) not in (None, "distributed", "dask.distributed"):
        return False
    try:
        module.default_client()
    except ValueError:
        return False
    return True


class _Pieces:
    """References to chunks of an array, or to pieces of them, which are tasks where workers share no memory."""

    def __init__(self, x, name, tasks):
        self.places, self._x, self._name, self._tasks = Places(x.chunks), x, name, tasks
        self._known, self._is_cut = {}, is_distributed()

    def of(self, ranges):
        """(references, places) of a box."""
        from dask._task_spec import Task, TaskRef

        references, places = [], []
        for block, of, to in self.places.of(ranges):
            key = (self._x.name, *block)
            if of is not None and self._is_cut:
                known = block, tuple((s.start, s.stop) for s in of)
                key = self._known.get(known)
                if key is None:
                    key = self._known[known] = (self._name, len(self._known))
                    self._tasks[key] = Task(key, cut, TaskRef((self._x.name, *block)), of)
                of = None
            references.append(TaskRef(key))
            places.append((of, to))
        return references, tuple(places)


def _array(name, tasks, xs, chunks, dtype):
    import dask.array as da
    import numpy
    from dask.array.utils import meta_from_array
    from dask.highlevelgraph import HighLevelGraph

    graph = HighLevelGraph.from_collections(name, tasks, dependencies=xs)
    is_numpy = not xs or _arrays.is_numpy(xs[0]._meta)
    meta = numpy.empty((0,) * len(chunks), dtype) if is_numpy else meta_from_array(xs[0]._meta, ndim=len(chunks), dtype=dtype)
    return da.Array(graph, name, chunks, meta=meta)


def _many(f):
    """Without the collector of cycles, which would walk through a graph again and again while it grows; it has none."""
    @functools.wraps(f)
    def made(*arguments):
        was_on = gc.isenabled()
        gc.disable()
        try:
            return f(*arguments)
        finally:
            if was_on:
                gc.enable()

    return made


@_many
def _assembled(x, chunks, order, label):
    """x, its axes in another order, in other chunks: a task each."""
    from dask._task_spec import Alias, Task
    from dask.base import tokenize

    token = tokenize(x.name, chunks, order)
    name = f"crinkle-{label}-{token}"
    tasks, itemsize = {}, x.dtype.itemsize
    pieces = _Pieces(x, f"crinkle-cut-{token}", tasks)
    starts = [starts_of(c) for c in chunks]
    back = [order.index(a) for a in range(len(order))]
    is_same = order == tuple(range(len(order)))
    for index in itertools.product(*(range(len(c)) for c in chunks)):
        ranges = [(starts[back[a]][index[back[a]]], chunks[back[a]][index[back[a]]]) for a in range(len(order))]
        references, places = pieces.of(ranges)
        key = (name, *index)
        if is_same and len(places) == 1 and places[0][0] is None:
            tasks[key] = Alias(key, references[0].key)
            continue
        shape = tuple(c[k] for c, k in zip(chunks, index))
        places = tuple((of, tuple(to[a] for a in order)) for of, to in places)
        tasks[key] = Task(key, Assembled(order, shape, places, itemsize), *references)
    return _array(name, tasks, [x], chunks, x.dtype)


def rearranged(x, order, chunks):
    """x, its axes in this order, in these chunks: one shuffle, of an order of n log n tasks for n chunks. Where workers share no memory and nearly all
    chunks exchange pieces, the pieces go by distributed's own P2P."""
    if 0 in x.shape:
        return x.transpose(order).rechunk(chunks)
    back = [order.index(a) for a in range(len(order))]
    there = tuple(chunks[back[a]] for a in range(len(order)))  # of x's own axes
    if is_distributed() and overlaps(x.chunks, there) > 4 * (n_blocks(x.chunks) + n_blocks(there)):
        if order != tuple(range(len(order))):
            x = _assembled(x, tuple(x.chunks[a] for a in order), order, "pack")
        return x.rechunk(chunks, method="p2p")
    *between, last = steps_between(x.chunks, there)
    for grid in between:
        x = _assembled(x, grid, tuple(range(x.ndim)), "gather")
    return x if order == tuple(range(len(order))) and x.chunks == chunks else _assembled(x, chunks, order, "move")


@_many
def parts_of(planned, xs, parts, label, dtype, itemsize):
    """The tasks of an operation's parts: `parts`, of each (index of the chunk, part or None, what it needs, the chunk's shape)."""
    from dask._task_spec import DataNode, Task, TaskRef
    from dask.base import tokenize

    held = Held.of(planned)
    token = tokenize(held.digest, [x.name for x in xs], [(index, part) for index, part, _, _ in parts[:1 << 12]], len(parts), dtype)
    name = f"crinkle-{label}-{token}"
    tasks = {}
    itemsizes = tuple(x.dtype.itemsize for x in xs)
    pieces = [_Pieces(x, f"crinkle-cut-{token}-{k}", tasks) for k, x in enumerate(xs)]
    request = held
    if len(held.text) > _small:
        tasks[f"crinkle-request-{token}"] = DataNode(f"crinkle-request-{token}", held)
        request = TaskRef(f"crinkle-request-{token}")
    for index, part, needs, shape in parts:
        references, inputs = [], []
        for its, ranges in zip(pieces, needs):
            refs, places = its.of(ranges)
            references += refs
            inputs.append((tuple(n for _, n in ranges), places))
        key = (name, *index)
        tasks[key] = Task(key, Part(part, tuple(inputs), shape, itemsize, dtype, itemsizes), request, *references)
    return name, tasks
