"""Lazy arrays into Zarr stores, chunk by chunk: what is finished is told by the store, and a second run makes the rest.

SPDX-License-Identifier: BSD-3-Clause
"""
import itertools
import os
import shutil

marks = "crinkle_finished"  # a folder in the array's: an empty file for each finished chunk
saved = "crinkle_saved"  # an attribute: of which lazy array it is


def save(path, x, *, header=None, force=False, resume=False, progress=None, chunks=None, compute=True, **words):
    """A dask array into a Zarr store, ``ck.save('out.zarr', y)`` or 'out.zarr:/name', a file a chunk.

    force : replaces an array that exists
    resume : goes on where a run ended: chunks that it finished are neither computed nor written again. It has to be of the same array (its name, which
        Dask makes of all that it is made of; names of random sources differ), else ValueError
    chunks : of the store, those of the lazy array being multiples of them; left out, the lazy array's
    compute : False: gives the dask.delayed.Delayed that does it
    words : zarr.create_array's, such as compressors=, dimension_names=, attributes=

    While it is being written, chunks that are not there yet have the fill value; the folder crinkle_finished in the array's says that it is not complete,
    and goes at the end.
    """
    import zarr
    from dask._task_spec import Task, TaskRef
    from dask.base import tokenize
    from dask.delayed import Delayed
    from dask.highlevelgraph import HighLevelGraph

    from ._chunks import starts_of

    if header is not None or progress is not None:
        raise ValueError("save: header and progress are of arrays in memory and files of the command; dask.diagnostics.ProgressBar shows a dask array's")
    file, name = _split(path)
    if force and resume:
        raise ValueError("save: force replaces what is there, resume goes on with it: one of them")
    there = os.path.join(file, name) if name else file
    folder = os.path.join(there, marks)
    token = tokenize(x.name, x.chunks, chunks, sorted((k, repr(v)) for k, v in words.items()))
    stored = _stored(x, chunks)
    if os.path.exists(there):
        if resume:
            its = _array_at(zarr, there).attrs.get(saved)
            if its != token:
                raise ValueError(f"save: {there} is of another array, or in other chunks: force=True replaces it")
        elif not force:
            raise FileExistsError(17, f"{os.strerror(17)}; force=True replaces it, resume=True goes on with a run that was ended", there)
        else:
            _array_at(zarr, there)
    if not resume or not os.path.exists(there):
        words["attributes"] = {**(words.get("attributes") or {}), saved: token}
        _make(zarr, file, name, {"shape": x.shape, "chunks": stored, "dtype": x.dtype, **words})
    done = set(os.listdir(folder)) if os.path.exists(folder) else None  # None: all of it is there
    store, tasks, last = Store(there, folder), {}, f"crinkle-save-{token}"
    starts = [starts_of(c) for c in x.chunks]
    for index in itertools.product(*map(range, x.numblocks)):
        mark = ".".join(map(str, index)) or "0"
        if done is not None and mark not in done:
            key = (f"crinkle-write-{token}", *index)
            tasks[key] = Task(key, store, TaskRef((x.name, *index)), tuple(slice(starts[a][k], starts[a][k + 1]) for a, k in enumerate(index)), mark)
    written = list(map(TaskRef, tasks))
    tasks[last] = Task(last, Finished(folder, x.npartitions), *written)
    made = Delayed(last, HighLevelGraph.from_collections(last, tasks, dependencies=[x] if written else []))
    return made.compute() if compute else made


def _make(zarr, file, name, facts):
    """A new array beside its place, then in it, in place of what is there: where it cannot be made all is as it was."""
    there, new = (os.path.join(file, name), f"{name}.{marks}") if name else (file, f"{file}.{marks}")
    beside, is_new = os.path.join(file, new) if name else new, not os.path.exists(file)
    try:
        shutil.rmtree(beside, ignore_errors=True)
        store, within = (zarr.open_group(file, mode="a").store, new) if name else (new, None)
        zarr.create_array(store, name=within, config={"write_empty_chunks": True}, **facts)
        os.makedirs(os.path.join(beside, marks))
    except BaseException:
        for path in (beside, file) if is_new else (beside,):
            shutil.rmtree(path, ignore_errors=True)
        raise
    if os.path.exists(there):
        shutil.rmtree(there)
    os.rename(beside, there)


def _split(path):
    """(the store, the array's name in it)"""
    path = os.fspath(path)
    file, colon, name = path.partition(".zarr:")
    if "://" in path:
        raise ValueError(f"save: {path}: what is finished is marked in a folder of this machine's: y.to_zarr() of Dask writes elsewhere")
    if not colon and not path.rstrip("/").endswith(".zarr"):
        raise ValueError(f"save: {path}: dask arrays are written to .zarr; of other formats compute() first, or crinkle.run_file() works from file to file")
    if ".." in name.split("/"):
        raise ValueError(f"save: {path}: a name in a store goes down only")
    return (file + ".zarr", name.strip("/")) if colon else (path.rstrip("/"), "")


def _array_at(zarr, there):
    try:
        found = zarr.open(there, mode="r")
    except (FileNotFoundError, KeyError, ValueError):
        found = None
    if not hasattr(found, "chunks"):
        raise ValueError(f"save: {there} exists and is no array: it is not replaced")
    return found


def _stored(x, chunks):
    """The store's chunks: of one extent along an axis, of which the array's are multiples, so that no two tasks write one."""
    from ._dask import chunks_of

    grid = x.chunks if chunks is None else chunks_of(chunks, x.shape, x.dtype, (), "save")
    sizes = tuple(max(c[0], 1) for c in grid)
    for a, (size, its) in enumerate(zip(sizes, x.chunks)):
        if any(n % size for n in its[:-1]):
            raise ValueError(f"save: chunks of {size} along axis {a} of the store, and of {', '.join(map(str, its[:4]))}{' …' if len(its) > 4 else ''} of the array: two tasks would "
                             f"write one; move() the array to chunks={{{a}: n}} first, n a multiple of the store's")
    return sizes


class Store:
    """Writes chunks of an array, each followed by its mark."""

    def __init__(self, there, folder):
        self.there, self.folder = there, folder

    def __call__(self, chunk, slices, mark):
        import zarr

        array = zarr.open_array(self.there, mode="r+", config={"write_empty_chunks": True})
        array[slices] = chunk.get() if hasattr(chunk, "get") else chunk  # of a GPU
        if os.path.isdir(self.folder):  # else all is written, and a worker that was lost had told so
            with open(os.path.join(self.folder, mark), "w"):
                pass


class Finished:
    """Takes the marks away when there is one for each of n chunks."""

    def __init__(self, folder, n):
        self.folder, self.n = folder, n

    def __call__(self, *written):
        if os.path.exists(self.folder) and len(os.listdir(self.folder)) == self.n:
            shutil.rmtree(self.folder)
