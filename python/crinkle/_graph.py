"""Layers of Dask's graphs: an array assembled anew by moves, and an operation part by part. What a task does is told by its key and by its object,
which explain() reads.

SPDX-License-Identifier: BSD-3-Clause
"""
import functools
import gc
import hashlib
import itertools
import math
import os
import pickle
import sys
import threading

from . import _arrays, _core
from ._chunks import Places, coarser, n_blocks, overlaps, pieces_of_a_step, starts_of, steps_between
from ._names import _in_order

short_run = 1024  # bytes of a piece side by side in the result: below it pieces are put beside each other before they are turned
_small = 4096  # bytes of a request that goes along with every task; a larger one is a task of its own, which a worker gets once
_planning = threading.Lock()


@functools.cache
def _share_cores():
    """On a worker of distributed, once: as many threads as its process has for other libraries (OMP_NUM_THREADS, which Dask sets to 1)."""
    module = sys.modules.get("distributed")
    n = os.environ.get("OMP_NUM_THREADS", "")
    if module is not None and n.isdecimal() and int(n) > 0:
        try:
            module.get_worker()
        except ValueError:
            return
        _core.set_threads(int(n))


class Held:
    """A plan that pickles as the request that it is made of, and is planned once in a process."""

    def __init__(self, text):
        self.text, self.digest = text, hashlib.blake2b(text, digest_size=16).hexdigest()

    @classmethod
    def of(cls, planned):
        return cls(pickle.dumps(planned))

    def plan(self, device=-1):
        """For arrays of the CPU, or of the GPU of this number."""
        planned = _plan_of(self.digest, self)
        return planned if device < 0 else _plan_on(self.digest, device, planned)

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


@functools.lru_cache(64)
def _plan_on(digest, device, planned):
    with _planning:
        return planned.on(device)


class Assembled:
    """One array put together of pieces of others, by moves: `order`, of axes; `places`, of each piece (slices of it or None, slices of the array)."""

    __slots__ = ("order", "shape", "places", "itemsize")

    def __init__(self, order, shape, places, itemsize):
        self.order, self.shape, self.places, self.itemsize = order, shape, places, itemsize

    n_bytes = property(lambda self: math.prod(self.shape) * self.itemsize)

    def __call__(self, *pieces):
        _share_cores()
        is_turned = self.order != tuple(range(len(self.order)))
        runs = [(to[-1].stop - to[-1].start) * self.itemsize for _, to in self.places] if is_turned else []
        if is_turned and len(pieces) > 1 and max(runs) < short_run:  # beside each other first, then turned in one move
            back = [self.order.index(a) for a in range(len(self.order))]
            places = tuple((of, tuple(to[a] for a in back)) for of, to in self.places)
            whole = Assembled(tuple(range(len(back))), tuple(self.shape[a] for a in back), places, self.itemsize)(*pieces)
            return _core.move(whole, _in_order(self.order), None, ())
        out = _arrays.new(pieces[0], self.shape)
        spec = _in_order(self.order)
        for piece, (of, to) in zip(pieces, self.places):
            piece = piece if of is None else piece[of]
            if piece.ndim == 0:
                out[...] = piece
            elif 0 not in piece.shape:
                _core.move(piece, spec, out[to], ())
        return out if _arrays.is_numpy(out) else _arrays.finished(pieces[0], out)


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
        _share_cores()
        plan = held.plan(_arrays.view(arrays[0])[5] if arrays else -1)
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


group_bytes = 1 << 25  # of neighbouring chunks that are put together by one task, where nearly all chunks exchange pieces
share_of_memory = 0.3  # of the workers' memory that an array may take, so that its pieces stay there; of a larger one they go through files


def _workers():
    """(how many workers there are, their bytes of memory together)"""
    client = sys.modules["distributed"].default_client()
    try:
        workers = client.scheduler_info(n_workers=-1)["workers"].values()
    except TypeError:  # of 2025.3 and before, which tell of all
        workers = client.scheduler_info()["workers"].values()
    return max(len(workers), 1), sum(w["memory_limit"] or 0 for w in workers)


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
    chunks exchange pieces, a task puts neighbouring chunks together, which are cut there; arrays beyond the workers' memory go by distributed's own P2P."""
    if 0 in x.shape:
        return x.transpose(order).rechunk(chunks)
    back = [order.index(a) for a in range(len(order))]
    there = tuple(chunks[back[a]] for a in range(len(order)))  # of x's own axes
    is_same = order == tuple(range(len(order)))
    blocks = n_blocks(x.chunks) + n_blocks(there)
    if is_distributed() and overlaps(x.chunks, there) > 4 * blocks:
        n, memory = _workers()
        groups = coarser(there, max(2 * n, x.nbytes // group_bytes))
        if x.nbytes <= share_of_memory * memory and overlaps(x.chunks, groups) <= pieces_of_a_step * blocks:
            x = _assembled(x, tuple(groups[a] for a in order), order, "gather")
            return _assembled(x, chunks, tuple(range(x.ndim)), "move")
        x = x if is_same else _assembled(x, tuple(x.chunks[a] for a in order), order, "pack")
        return x.rechunk(chunks, method="p2p")
    *between, last = steps_between(x.chunks, there)
    for grid in between:
        x = _assembled(x, grid, tuple(range(x.ndim)), "gather")
    return x if is_same and x.chunks == chunks else _assembled(x, chunks, order, "move")


@_many
def parts_of(planned, xs, parts, chunks, label, dtype, itemsize):
    """The tasks of an operation's parts: `parts`, of each (index of the chunk, part or None, what it needs, the chunk's shape); `chunks`, of the result."""
    from dask._task_spec import DataNode, Task, TaskRef
    from dask.base import tokenize

    held = Held.of(planned)
    token = tokenize(held.digest, [x.name for x in xs], chunks, dtype)
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
