"""Files larger than memory: `crinkle move` from chunks to other chunks, beside a plain copy of the same files (`cp -r`), zarr-python with dask, rechunker
and a loop of slabs by zarr-python, and, of HDF5 and NetCDF, h5repack, nccopy and ncpdq where they are installed. All take turns, run by run, each from a
process of its own, and what they wrote is brought to the disk (`sync -f`) before the time is taken. The inputs are in the system's cache. Results are
compared with NumPy's before anything is timed.

The arrays have CRINKLE_FILES_MIB (default: 1024) MiB, the bound is an eighth of them, for crinkle, rechunker and the loop; dask has none.
The disk needs some six times as much, the memory of this program three times; a case of 256 MiB takes all of them about a minute.

rechunker 0.5 is of zarr-python 2, which other packages here are not: CRINKLE_RECHUNKER names a Python that has both ("rechunker" "zarr<3"
"numcodecs<0.16"), whose process it then is, from stores of version 2 with the same chunks and codecs to such. It keeps the order of axes.

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

FILTERS = {"none": "none", "lz4": "blosc:lz4:5,shuffle", "zstd": "zstd:3", "gzip": "gzip:1,shuffle"}
# name: chunks of the input [time][y][x], the order of the output's axes, its chunks in that order; None: the whole axis
CASES = {"maps_to_series": ((1, None, None), "y x time", (32, 32, None)),
         "maps_to_blocks": ((1, None, None), "time y x", (64, 64, 64)),
         "blocks_to_maps": ((64, 64, 64), "time y x", (1, None, None)),
         "series_to_maps": ((None, 16, 16), "time y x", (1, None, None)),
         "blocks_transposed": ((64, 64, 64), "x y time", (64, 64, 64))}
OF_FORMATS = {"zarr": (CASES, ("none", "lz4", "zstd")),
              "hdf5": (("maps_to_blocks", "blocks_to_maps"), ("none", "gzip")),
              "netcdf": (("maps_to_blocks", "blocks_to_maps", "maps_to_series"), ("none", "gzip"))}
ENDS = {"zarr": ".zarr", "hdf5": ".h5", "netcdf": ".nc"}

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
'''

# By zarr-python 2: first the array as a store of that version, then the work itself.
BY_RECHUNKER = '''
import sys
import numcodecs, numpy as np, zarr
how, source, target, chunks, filter, bound, folder = sys.argv[1:]
chunks, bound = tuple(map(int, chunks.split(","))), int(bound)
if how == "make":
    codec = {"none": None, "zstd": numcodecs.Zstd(level=3), "lz4": numcodecs.Blosc("lz4", 5, numcodecs.Blosc.SHUFFLE)}[filter]
    array = np.load(source, mmap_mode="r")
    made = zarr.open(target, mode="w", shape=array.shape, chunks=chunks, dtype=array.dtype, compressor=codec)
    for first in range(0, array.shape[0], chunks[0]):
        made[first:first + chunks[0]] = array[first:first + chunks[0]]
else:
    from rechunker import rechunk
    a = zarr.open(source, mode="r")
    packing = {"compressor": a.compressor}
    rechunk(a, chunks, bound, target, temp_store=folder + "/between.zarr", target_options=packing, temp_options=packing).execute()
'''


class Case:
    def __init__(self, name, folder):
        self.format, kind = name.split("_", 1)
        kind, self.filter = kind.rsplit("_", 1)
        self.name, self.folder = name, folder
        before, self.order_words, after = CASES[kind]
        n = int(float(os.environ.get("CRINKLE_FILES_MIB", "1024")) * (1 << 20)) // 4
        side = 1 << max(4, (n.bit_length() - 1) // 3)
        self.shape = (side, side, max(1, n // side**2))
        self.order = tuple("time y x".split().index(word) for word in self.order_words.split())
        self.before = tuple(min(c or n, n) for c, n in zip(before, self.shape))
        self.after = tuple(min(c or self.shape[i], self.shape[i]) for c, i in zip(after, self.order))
        self.bytes, self.bound = 4 * n, max(1 << 20, n // 2)
        self.source, self.target = folder / ("in" + ENDS[self.format]), folder / ("out" + ENDS[self.format])
        self.array = "" if self.format == "zarr" else ":/a"

    def make(self, command):
        random = np.random.default_rng(1)
        y, x = np.meshgrid(*(np.linspace(0, 6, n) for n in self.shape[1:]), indexing="ij")
        array = np.empty(self.shape, "f4")
        for t in range(self.shape[0]):  # as a temperature has: smooth, and noise in tenths
            array[t] = np.round(280 + 20 * np.sin(y + t / 50) + 5 * np.cos(x) + random.normal(0, 0.3, self.shape[1:]), 1)
        np.save(self.folder / "in.npy", array)
        subprocess.run([command, "move", "time y x -> time y x", self.folder / "in.npy", f"{self.source}{self.array}", "--force",
                        "--chunks", ",".join(map(str, self.before)), "--filter", FILTERS[self.filter]], check=True)
        self.wanted = np.ascontiguousarray(array.transpose(self.order))

    def check(self, command, label):
        subprocess.run([command, "move", "... -> ...", f"{self.target}{self.array}", self.folder / "back.npy", "--force"], check=True)
        if not np.array_equal(np.load(self.folder / "back.npy", mmap_mode="r"), self.wanted):
            raise RuntimeError(f"{self.name}: the result of {label} is not NumPy's")

    def by_rechunker(self, python):
        """Of a store of version 2, which is made first."""
        old = self.folder / "in2.zarr"

        def words(how, source, target, chunks):
            return [python, "-c", BY_RECHUNKER, how, source, target, ",".join(map(str, chunks)), self.filter, str(self.bound), self.folder]
        subprocess.run(words("make", self.folder / "in.npy", old, self.before), check=True)
        return words("rechunk", old, self.target, self.after)

    def by_others(self, how):
        return [sys.executable, "-c", BY_OTHERS, how, self.source, self.target, ",".join(map(str, self.order)), ",".join(map(str, self.after)), self.filter,
                str(self.bound), self.folder]


def of_tools(case):
    """{label: words} of what is installed for HDF5 and NetCDF; the bound is the size of their buffers and caches of chunks."""
    sizes = dict(zip(case.order_words.split(), case.after))
    keeps = case.order == (0, 1, 2)
    if case.format == "hdf5":
        pack = ["-f", "a:SHUF", "-f", "a:GZIP=1"] if case.filter == "gzip" else ["-f", "a:NONE"]
        found = {"h5repack": ["h5repack", "-l", "a:CHUNK=" + "x".join(map(str, case.after)), *pack, case.source, case.target]}
    else:
        pack = ["-d", "1", "-s"] if case.filter == "gzip" else ["-d", "0"]
        found = {"nccopy": ["nccopy", "-c", ",".join(f"{word}/{n}" for word, n in sizes.items()), *pack, "-m", str(case.bound), "-h", str(case.bound),
                            case.source, case.target]} if keeps else {}
        chunks = [word for dimension, n in sizes.items() for word in ("--cnk_dmn", f"{dimension},{n}")]
        found["ncpdq"] = ["ncpdq", "-O", "-4", "-L", pack[1], "-a", ",".join(sizes), "--cnk_plc", "all", *chunks,
                          case.source, case.target]
    for label in list(found):
        if shutil.which(label) is None:
            print(f"skipped {label}: it is not installed")
            del found[label]
    return found


def runs_of(case, command, threads):
    """{label: words}"""
    runs = {"crinkle": [command, "move", "time y x -> " + case.order_words, f"{case.source}{case.array}", f"{case.target}{case.array}",
                        "--chunks", ",".join(map(str, case.after)), "--filter", FILTERS[case.filter], "--memory", str(case.bound), "--threads", str(threads)],
            "cp": ["cp", "-r", case.source, case.target]}
    if case.format != "zarr":
        return runs | of_tools(case)
    if importlib.util.find_spec("zarr") is None:
        print("skipped dask and a loop of slabs: zarr-python is not installed")
    else:
        runs["zarr-python, slabs"] = case.by_others("slabs")
        if importlib.util.find_spec("dask") is None:
            print("skipped dask: it is not installed")
        else:
            runs["zarr-python and dask"] = case.by_others("dask")
    if case.order == (0, 1, 2):
        python = os.environ.get("CRINKLE_RECHUNKER")
        if python is None:
            print("skipped rechunker: CRINKLE_RECHUNKER names no Python that has it and zarr-python 2")
        else:
            runs["rechunker"] = case.by_rechunker(python)
    return runs


def seconds_of(case, words):
    shutil.rmtree(case.target, ignore_errors=True)
    case.target.unlink(missing_ok=True)
    shutil.rmtree(case.folder / "between.zarr", ignore_errors=True)
    subprocess.run(["sync", "-f", case.folder], check=True)
    start = time.perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["sync", "-f", case.folder], check=True)
    return time.perf_counter() - start


def rows(command, words, place, n_samples, quartile_range):
    version = subprocess.run([command, "--version"], check=True, capture_output=True, text=True).stdout
    known = [format for format, word in (("zarr", "Zarr"), ("hdf5", "HDF5"), ("netcdf", "NetCDF-4")) if word in version]
    print("".join(f"skipped {format}: this build has none\n" for format in OF_FORMATS if format not in known), end="")
    for name in [f"{format}_{kind}_{filter}" for format in known for kind in OF_FORMATS[format][0] for filter in OF_FORMATS[format][1]]:
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
