"""Files larger than memory: `crinkle move` from chunks to other chunks, beside a plain copy of the same files (`cp -r`), zarr-python with dask, rechunker
and a loop of slabs by zarr-python, and, of HDF5 and NetCDF, h5repack, nccopy and ncpdq where they are installed. All take turns, run by run, each from a
process of its own, and what they wrote is brought to the disk (`sync -f`) before the time is taken. The inputs are in the system's cache. Results are
compared with NumPy's before anything is timed.

The arrays have CRINKLE_FILES_MIB (default: 1024) MiB, the bound is an eighth of them, for crinkle, rechunker and the loop; dask has none.

SPDX-License-Identifier: BSD-3-Clause
"""
import importlib.util
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

FILTERS = {"none": "none", "lz4": "blosc:lz4:5,shuffle", "zstd": "zstd:3"}
# name: chunks of the input [time][y][x], the order of the output's axes, its chunks in that order; None: the whole axis
CASES = {"maps_to_series": ((1, None, None), "y x time", (32, 32, None)),
         "maps_to_blocks": ((1, None, None), "time y x", (64, 64, 64)),
         "blocks_to_maps": ((64, 64, 64), "time y x", (1, None, None)),
         "series_to_maps": ((None, 16, 16), "time y x", (1, None, None)),
         "blocks_transposed": ((64, 64, 64), "x y time", (64, 64, 64))}

BY_OTHERS = '''
import sys
import numpy as np, zarr
from zarr.codecs import BloscCodec, ZstdCodec
how, source, target, order, chunks, filter, bound, folder = sys.argv[1:]
order, chunks, bound = tuple(map(int, order.split(","))), tuple(map(int, chunks.split(","))), int(bound)
codec = {"none": None, "zstd": ZstdCodec(level=3), "lz4": BloscCodec(cname="lz4", clevel=5, shuffle="shuffle")}[filter]
a = zarr.open_array(source, mode="r")
def made():
    return zarr.create_array(target, shape=tuple(a.shape[i] for i in order), chunks=chunks, dtype=a.dtype, compressors=codec)
if how == "dask":
    import dask.array as da
    da.from_zarr(source).transpose(order).rechunk(chunks).store(made(), lock=False)
elif how == "slabs":
    z = made()
    row = a.nbytes // z.shape[0]
    n = max(1, bound // (3 * row) // chunks[0]) * chunks[0]
    for first in range(0, z.shape[0], n):
        box = [slice(None)] * 3
        box[order[0]] = slice(first, first + n)
        z[first:first + n] = np.ascontiguousarray(a[tuple(box)].transpose(order))
else:
    from rechunker import rechunk
    rechunk(a, chunks, bound, target, temp_store=folder + "/between.zarr").execute()
'''


class Case:
    def __init__(self, name, folder):
        kind, self.filter = name.rsplit("_", 1)
        self.name, self.folder = name, folder
        before, self.order_words, after = CASES[kind]
        n = int(float(os.environ.get("CRINKLE_FILES_MIB", "1024")) * (1 << 20)) // 4
        side = 1 << max(4, (n.bit_length() - 1) // 3)
        self.shape = (side, side, max(1, n // side**2))
        self.order = tuple("time y x".split().index(word) for word in self.order_words.split())
        self.before = tuple(min(c or n, n) for c, n in zip(before, self.shape))
        self.after = tuple(min(c or self.shape[i], self.shape[i]) for c, i in zip(after, self.order))
        self.bytes, self.bound = 4 * n, max(1 << 20, n // 2)
        self.source, self.target = folder / "in.zarr", folder / "out.zarr"

    def make(self, command):
        random = np.random.default_rng(1)
        y, x = np.meshgrid(*(np.linspace(0, 6, n) for n in self.shape[1:]), indexing="ij")
        array = np.empty(self.shape, "f4")
        for t in range(self.shape[0]):  # as a temperature has: smooth, and noise in tenths
            array[t] = np.round(280 + 20 * np.sin(y + t / 50) + 5 * np.cos(x) + random.normal(0, 0.3, self.shape[1:]), 1)
        np.save(self.folder / "in.npy", array)
        subprocess.run([command, "move", "time y x -> time y x", self.folder / "in.npy", self.source, "--force", "--chunks", ",".join(map(str, self.before)),
                        "--filter", FILTERS[self.filter]], check=True)
        self.wanted = np.ascontiguousarray(array.transpose(self.order))

    def check(self, command, label):
        subprocess.run([command, "move", "... -> ...", self.target, self.folder / "back.npy", "--force"], check=True)
        if not np.array_equal(np.load(self.folder / "back.npy", mmap_mode="r"), self.wanted):
            raise RuntimeError(f"{self.name}: the result of {label} is not NumPy's")

    def by_others(self, how):
        return [sys.executable, "-c", BY_OTHERS, how, self.source, self.target, ",".join(map(str, self.order)), ",".join(map(str, self.after)), self.filter,
                str(self.bound), self.folder]


def runs_of(case, command, threads):
    """{label: words}"""
    runs = {"crinkle": [command, "move", "time y x -> " + case.order_words, case.source, case.target, "--chunks", ",".join(map(str, case.after)), "--filter",
                        FILTERS[case.filter], "--memory", str(case.bound), "--threads", str(threads)],
            "cp": ["cp", "-r", case.source, case.target]}
    if importlib.util.find_spec("zarr") is None:
        print("skipped dask, rechunker and a loop of slabs: zarr-python is not installed")
        return runs
    runs["zarr-python, slabs"] = case.by_others("slabs")
    for how in ("dask", "rechunker"):
        if importlib.util.find_spec(how) is None:
            print(f"skipped {how}: it is not installed")
        elif how == "dask" or case.order == (0, 1, 2):  # rechunker keeps the axes in order
            runs["zarr-python and dask" if how == "dask" else how] = case.by_others(how)
    return runs


def seconds_of(case, words):
    shutil.rmtree(case.target, ignore_errors=True)
    shutil.rmtree(case.folder / "between.zarr", ignore_errors=True)
    subprocess.run(["sync", "-f", case.folder], check=True)
    start = time.perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["sync", "-f", case.folder], check=True)
    return time.perf_counter() - start


def rows(command, words, place, n_samples, quartile_range):
    version = subprocess.run([command, "--version"], check=True, capture_output=True, text=True).stdout
    for tool, format in (("h5repack", "HDF5"), ("nccopy", "NetCDF"), ("ncpdq", "NetCDF")):
        if format not in version or shutil.which(tool) is None:
            print(f"skipped {tool}: " + (f"this build has no {format}" if format not in version else "it is not installed"))
    for name in [f"{kind}_{filter}" for kind in CASES for filter in FILTERS]:
        if words and not any(word in name for word in words):
            continue
        with tempfile.TemporaryDirectory(prefix="crinkle-files-", dir=os.environ.get("CRINKLE_FILES_DIR")) as folder:
            case = Case(name, pathlib.Path(folder))
            case.make(command)
            runs = runs_of(case, command, place.threads)
            for label in runs:
                if label != "cp":
                    seconds_of(case, runs[label])
                    case.check(command, label)
            samples = {label: [] for label in runs}
            for turn in range(min(n_samples, int(os.environ.get("CRINKLE_FILES_TURNS", "5")))):
                for k in range(len(runs)):
                    label = list(runs)[(k + turn) % len(runs)]
                    samples[label].append(seconds_of(case, runs[label]))
        of = {label: {"seconds": statistics.median(taken), "iqr": quartile_range(taken)} for label, taken in samples.items()}
        ours, copy = of["crinkle"], of["cp"]
        yield {"name": name, "element_bytes": 4, "bytes": 2 * case.bytes, **ours, "gb_per_s": 2 * case.bytes / ours["seconds"] * 1e-9, "copied_bytes": 2 * case.bytes,
               "copy_gb_per_s": 2 * case.bytes / copy["seconds"] * 1e-9, "copy_iqr": copy["iqr"], "best_copy": "cp", "fraction_of_copy": copy["seconds"] / ours["seconds"],
               "memory": case.bound, "threads": place.threads, "samples": len(samples["crinkle"]), "checked": "NumPy",
               "rivals": {label: found for label, found in of.items() if label not in ("crinkle", "cp")}}
