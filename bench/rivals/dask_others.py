"""Work beyond one memory: crinkle's functions on dask arrays beside Dask's own ways to the same result, from one Zarr store to another, in turns, each sample a
process of its own: on two worker processes of one thread, and on two threads. Seconds are of the run, peaks of all processes together, above what they had
when it began, and the processor's seconds of them, which tell more on a machine that is busy otherwise. Every result is
compared with the first way's; the plain copy is Dask's, of the same store. And how long graphs of 10^5 chunks take.

    bench/rivals/dask_others.py CASE WAY SCHEDULER FOLDER      one sample, as JSON

SPDX-License-Identifier: BSD-3-Clause
"""
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

SHAPE, MAPS = (256, 512, 512), (4, 512, 512)  # float32: 256 MiB in chunks of 4 MiB
SIGMA, RADIUS = 2, 8
DASK = "Dask"


def cases(x):
    """{name: {way: the lazy result}}"""
    import numpy as np
    from scipy import ndimage

    import crinkle as ck

    series, cubes = (16, 256, 256), (64, 128, 128)

    def blur(block):
        return ndimage.gaussian_filter(block, (0, SIGMA, SIGMA), mode="mirror", truncate=RADIUS / SIGMA)

    def smooth(block):
        return ndimage.uniform_filter(block, 3, mode="mirror")

    return {
        "maps_to_series": {"crinkle": lambda: ck.move(x, "t y x -> y x t", chunks=series), DASK: lambda: x.transpose(1, 2, 0).rechunk(series)},
        "rechunk": {"crinkle": lambda: ck.move(x, "t y x -> t y x", chunks=cubes), DASK: lambda: x.rechunk(cubes)},
        "transpose": {"crinkle": lambda: ck.move(x, "t y x -> x y t"), DASK: lambda: x.transpose(2, 1, 0)},
        "blur_of_maps": {"crinkle": lambda: ck.stencil(x, f"gaussian:{SIGMA}", axes=(1, 2)), DASK: lambda: x.map_overlap(blur, depth=0, dtype=np.float32)},
        "box_with_halos": {"crinkle": lambda: ck.stencil(x, "average:1"), DASK: lambda: x.map_overlap(smooth, depth=1, boundary="reflect", dtype=np.float32)},
        "copy": {DASK: lambda: x},
    }


class Watch(threading.Thread):
    """The most memory of some processes together, sampled while it runs."""

    def __init__(self, pids):
        import psutil

        super().__init__(daemon=True)
        self.processes, self.is_over, self.peak = [psutil.Process(p) for p in pids], False, 0
        self.before, self.cpu_before = self.now(), self.cpu()

    def now(self):
        return sum(p.memory_info().rss for p in self.processes)

    def cpu(self):
        return sum(sum(p.cpu_times()[:2]) for p in self.processes)

    def run(self):
        while not self.is_over:
            self.peak = max(self.peak, self.now())
            time.sleep(0.01)


def sample(case, way, scheduler, folder):
    """One run."""
    import os

    import dask
    import dask.array as da
    import zarr

    import crinkle as ck

    folder = pathlib.Path(folder)
    out = folder / f"{case}_{way}.zarr"
    shutil.rmtree(out, ignore_errors=True)

    def run(watch):
        x = da.from_zarr(str(folder / "maps.zarr"))
        small = cases(x[:8])[case][way]()[:32, :32, :4]  # imports what is needed, everywhere
        da.concatenate([small, small]).sum().compute()
        start = time.perf_counter()
        lazy = cases(x)[case][way]()
        made = time.perf_counter()
        target = zarr.create_array(str(out), shape=lazy.shape, chunks=tuple(c[0] for c in lazy.chunks), dtype=lazy.dtype, compressors=None)
        watch.start()
        da.store(lazy, target, lock=False)
        end = time.perf_counter()
        watch.is_over = True
        return {"seconds": end - start, "graph_seconds": made - start, "peak_bytes": watch.peak - watch.before, "cpu_seconds": watch.cpu() - watch.cpu_before}

    if scheduler == "threads":
        with dask.config.set(scheduler="threads", num_workers=2):
            ck.set_threads(1)
            return run(Watch([os.getpid()]))
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0") as cluster, Client(cluster) as client:
        return run(Watch(client.run(os.getpid).values()))


def alike(folder, case, ways):
    import numpy as np
    import zarr

    first = zarr.open_array(str(folder / f"{case}_crinkle.zarr"), mode="r")
    for way in ways:
        other = zarr.open_array(str(folder / f"{case}_{way}.zarr"), mode="r")
        k = slice(2, -2) if case == "box_with_halos" else slice(None)  # Dask's reflect repeats the end
        for begin in range(0, first.shape[0], 64):
            a, b = first[begin:begin + 64], other[begin:begin + 64]
            if not np.allclose(a[k, k, k], b[k, k, k], rtol=1e-4, atol=1e-5):
                raise RuntimeError(f"{case}: the result of {way} is not crinkle's")


def stored(samples, quartile_range):
    return {"seconds": statistics.median(s["seconds"] for s in samples), "iqr": quartile_range([s["seconds"] for s in samples]),
            **{what: statistics.median(s[what] for s in samples) for what in ("peak_bytes", "cpu_seconds")}}


def rows(program, words, place, n_samples, quartile_range):
    """Raises RuntimeError where results differ."""
    import numpy as np
    import zarr

    yield from graphs(words)
    with tempfile.TemporaryDirectory(prefix="crinkle-dask-") as name:
        folder = pathlib.Path(name)
        maps = zarr.create_array(str(folder / "maps.zarr"), shape=SHAPE, chunks=MAPS, dtype="f4", compressors=None)
        random = np.random.default_rng(7)
        for t in range(0, SHAPE[0], MAPS[0]):
            maps[t:t + MAPS[0]] = random.random(MAPS, np.float32)
        for scheduler in "workers", "threads":
            copies = {}
            for case in ("copy", "maps_to_series", "rechunk", "transpose", "blur_of_maps", "box_with_halos"):
                if words and case != "copy" and not any(word in f"{case}_{scheduler}" for word in words):
                    continue
                ways = (DASK,) if case == "copy" else ("crinkle", DASK)
                found = {way: [] for way in ways}
                for turn in range(n_samples):
                    for k in range(len(ways)):
                        way = ways[(k + turn) % len(ways)]
                        done = subprocess.run([sys.executable, __file__, case, way, scheduler, name], capture_output=True, text=True)
                        if done.returncode != 0:
                            raise RuntimeError(f"{case} of {way} on {scheduler}: {done.stderr[-2000:]}")
                        found[way].append(json.loads(done.stdout.splitlines()[-1]))
                if case == "copy":
                    copies = stored(found[DASK], quartile_range)
                    continue
                alike(folder, case, ways[1:])
                ours = stored(found["crinkle"], quartile_range)
                yield {"name": f"{case}_{scheduler}", "element_bytes": 4, "bytes": 2 * maps.nbytes, **ours, "samples": n_samples, "checked": DASK, "threads": 2,
                       "copy_seconds": copies["seconds"], "fraction_of_copy": copies["seconds"] / ours["seconds"], "rivals": {DASK: stored(found[DASK], quartile_range)}}


def graphs(words):
    """Seconds of the processor that a graph of 10^5 chunks takes, ours and Dask's."""
    import dask.array as da
    from scipy import ndimage

    import crinkle as ck

    x = da.zeros((100_000, 4, 4), chunks=(1, 4, 4), dtype="f4")
    for name, ours, theirs in (("graph_move", lambda: ck.move(x, "t y x -> x y t"), lambda: x.transpose(2, 1, 0)),
                               ("graph_stencil", lambda: ck.stencil(x, "average:1", axes=(0,)), lambda: x.map_overlap(ndimage.uniform_filter, depth=(1, 0, 0), size=(3, 1, 1), dtype="f4")),
                               ("graph_rechunk", lambda: ck.move(x, "... -> ...", chunks=(2, 4, 4)), lambda: x.rechunk((2, 4, 4)))):
        if words and not any(word in name for word in words):
            continue
        seconds = {}
        for label, f in (("crinkle", ours), (DASK, theirs)):
            start = time.process_time()
            n = len(dict(f().__dask_graph__()))
            seconds[label] = time.process_time() - start
            if n < 100_000:
                raise RuntimeError(f"{name}: {n} tasks of {label}")
        yield {"name": name, "element_bytes": 4, "seconds": seconds["crinkle"], "samples": 1, "checked": "none", "threads": 1, "rivals": {DASK: {"seconds": seconds[DASK]}}}


if __name__ == "__main__":
    print(json.dumps(sample(*sys.argv[1:])))
