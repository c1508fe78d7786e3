"""What a lazy array will do: its tasks, the bytes that its pieces take between workers, and the memory that its order of tasks needs.

SPDX-License-Identifier: BSD-3-Clause
"""
import dataclasses
import math


@dataclasses.dataclass(frozen=True)
class Explained:
    """tasks: {what: how many}; bytes_read: what they take from others' results; network_bytes: of these between workers, where pieces lie anywhere;
    largest_task_bytes: of what one task reads and makes; peak_bytes: of a worker, at most, where it has its share of the results and `threads` tasks at once."""

    tasks: dict
    pieces: int
    bytes_read: int
    network_bytes: int
    largest_task_bytes: int
    peak_bytes: int
    workers: int
    threads: int

    def __str__(self):
        from dask.utils import format_bytes

        names = ", ".join(f"{n} {name}" for name, n in self.tasks.items())
        return (f"{sum(self.tasks.values())} tasks ({names}) of {self.pieces} pieces in all\n"
                f"{format_bytes(self.bytes_read)} go from task to task, {format_bytes(self.network_bytes)} of them between {self.workers} workers\n"
                f"at most {format_bytes(self.peak_bytes)} of a worker's memory with {self.threads} thread{'s' if self.threads > 1 else ''}; "
                f"the largest task has {format_bytes(self.largest_task_bytes)}")

    __repr__ = __str__


def explain(x, *, workers=1, threads=1):
    """What computing a dask array, or a DataArray over one, will do: ``print(ck.explain(y, workers=4, threads=2))``.

    Bytes are counted piece by piece from the graph; a P2P shuffle of distributed counts all of its array. Between workers go (workers - 1) / workers of what
    a task takes from others, and halos. The peak is that of Dask's own order of the tasks, run one after another, by worker, and `threads` largest tasks more;
    results that are kept are not in it: they are saved, or reduced. Takes seconds for 10^5 chunks.
    """
    from . import _beyond
    from ._lazy_plans import check_sizes
    from ._sizes import size

    if _beyond.is_labelled(x) and hasattr(x, "data"):
        x = x.data
    if not _beyond.is_dask(x):
        raise TypeError(f"explain: a dask array, as crinkle's functions make of one, not {type(x).__qualname__}; of arrays in memory print(crinkle.plan(…).describe())")
    check_sizes(x, "explain")
    workers, threads = size(workers, "explain: workers"), size(threads, "explain: threads")
    if workers < 1 or threads < 1:
        raise ValueError(f"explain: {workers} workers of {threads} threads")
    from dask._task_spec import convert_legacy_graph
    from dask.utils import key_split

    graph = convert_legacy_graph(dict(x.__dask_graph__()))
    sizes, tasks, pieces, read = _sizes(x, graph), {}, 0, 0
    network, largest = 0, 0
    for key, task in graph.items():
        label = key_split(key)
        tasks[label] = tasks.get(label, 0) + 1
        taken = _taken(task, sizes)
        pieces += len(task.dependencies)
        read += taken
        if len(task.dependencies) > 1:  # it runs where most of it lies
            network += taken - max((n for _, n in _pieces_of(task)), default=0)
        largest = max(largest, taken + sizes.get(key, 0))
    shuffled = x.nbytes * sum("p2p" in name and "transfer" in name for name in tasks)
    network = (network + shuffled) * (workers - 1) // workers
    held = _held(x, graph, sizes)
    return Explained(tasks, pieces, read + shuffled, network, largest, math.ceil(held / workers) + threads * largest, workers, threads)


def _sizes(x, graph):
    """Bytes of tasks' results, as far as they are known: those of arrays whose chunks the layers tell, and those of crinkle's own tasks."""
    sizes = {}
    for key, task in graph.items():
        n = getattr(getattr(task, "func", getattr(task, "value", None)), "n_bytes", getattr(getattr(task, "value", None), "nbytes", None))
        if n is not None:
            sizes[key] = n
    itemsize = x.dtype.itemsize
    for index in _indices(x):
        sizes.setdefault((x.name, *index), math.prod(c[k] for c, k in zip(x.chunks, index)) * itemsize)
    taken = {}  # of chunks of sources, which are as large as what is taken of them
    for task in graph.values():
        for key, n in _pieces_of(task):
            if key not in sizes:
                taken[key] = taken.get(key, 0) + n
    return taken | sizes


def _indices(x):
    import itertools

    return itertools.product(*map(range, x.numblocks))


def _pieces_of(task):
    """[(key, bytes)] of what one of crinkle's tasks takes."""
    function = getattr(task, "func", None)
    from . import _graph

    keys = [a.key for a in getattr(task, "args", ()) if type(a).__name__ == "TaskRef"]
    if isinstance(function, _graph.Assembled):
        boxes = [math.prod(s.stop - s.start for s in to) * function.itemsize for _, to in function.places]
        return list(zip(keys, boxes))
    if isinstance(function, _graph.Part):
        keys = keys[-sum(len(places) for _, places in function.inputs):] if function.inputs else []
        boxes = [math.prod(s.stop - s.start for s in to) * function.itemsizes[k] for k, (_, places) in enumerate(function.inputs) for _, to in places]
        return list(zip(keys, boxes))
    if function is _graph.cut:
        return [(keys[0], 0)]
    return []


def _taken(task, sizes):
    pieces = _pieces_of(task)
    return sum(n for _, n in pieces) if pieces else sum(sizes.get(key, 0) for key in task.dependencies)


def _held(x, graph, sizes):
    """The most bytes of results that Dask's order of tasks holds at once."""
    from dask.order import order

    left = {}
    for task in graph.values():
        for key in task.dependencies:
            left[key] = left.get(key, 0) + 1
    places = order(graph)
    now = most = 0
    for key in sorted(graph, key=places.__getitem__):
        now += sizes.get(key, 0)
        most = max(most, now)
        if key not in left:
            now -= sizes.get(key, 0)
        for one in graph[key].dependencies:
            left[one] -= 1
            if left[one] == 0:
                now -= sizes.get(one, 0)
    return most
