#!/usr/bin/env python3
"""crinkle beside NumPy, OpenCV and a plain loop: records taken apart into arrays and put together again. The C++ half, with crinkle, the loop and
memcpy, is bench_records (bench/records.cpp); both take turns case by case, so that a machine that changes its pace changes it for both.

    bench/records_rivals.py BENCH_RECORDS [-o records_rivals.json] [--commit HASH] [--case WORD …] [--bytes N …]

A table, and JSON with a row a case: seconds (medians), their interquartile ranges and the fraction of memcpy of as many bytes, on one thread or on all as what is measured.
Every result is compared with NumPy's before it is timed. OpenCV's column needs opencv-python-headless, which is for this only; without it the
column is left out. --case takes the cases whose names have the word in them, as in --case deinterlace_n3.

SPDX-License-Identifier: BSD-3-Clause
"""
import argparse
import datetime
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np

from numpy_copyto import cpu_name, quartile_range, samples, system_name

try:
    import cv2
    cv2.setNumThreads(1)
except ImportError as error:
    cv2 = None
    print(f"no column for OpenCV: {error}; pip install opencv-python-headless", file=sys.stderr)

ours = ["crinkle_1", "crinkle_all"]
loops = ["loop_1", "loop_all"]
memcpys = ["memcpy_1", "memcpy_all"]
types = {1: "u1", 2: "u2", 4: "f4", 8: "f8"}
mixes = ["u1+u1+u2+f4+f8", "u4+f4+f8", "u1+f4+f8"]
columns = 4096  # of OpenCV's images; records are as many as fill whole rows


def cases():
    """(name, takes apart, types of the fields)"""
    for element in [4, 1, 2, 8]:
        for n in range(2, 10) if element == 4 else [2, 3, 4, 6, 8, 9]:
            for way in ["deinterlace", "interlace"]:
                yield f"{way}_n{n}_e{element}", way == "deinterlace", [types[element]] * n
    for mix in mixes:
        for way in ["aos_to_soa", "soa_to_aos"]:
            yield f"{way}_{mix}", way == "aos_to_soa", mix.split("+")


class Case:
    """The records, the arrays, and who moves between them."""

    def __init__(self, takes_apart, fields, n_bytes):
        self.takes_apart, self.fields = takes_apart, fields
        dtype = np.dtype([(f"f{k}", kind) for k, kind in enumerate(fields)])
        n = max(1, n_bytes // dtype.itemsize // columns) * columns
        self.bytes = n * dtype.itemsize
        noise = np.random.default_rng(7)
        self.records = np.empty(n, dtype)  # NumPy's own memory: large arrays lie on large pages, in the C++ half as well
        self.arrays = [np.empty(n, kind) for kind in fields]
        for array in [self.records, *self.arrays]:
            is_read = (array is self.records) == takes_apart
            array.view(np.uint8)[...] = np.frombuffer(noise.bytes(array.nbytes), np.uint8) if is_read else 0
        self.is_even = len(set(fields)) == 1
        if self.is_even:
            self.grid = self.records.view(fields[0]).reshape(n, len(fields))

    def numpy(self):
        """out[k][...] = a[..., k] and back; fields of a structured array where they are of several types."""
        sides = [self.grid[:, k] if self.is_even else self.records[name] for k, name in enumerate(self.records.dtype.names)]
        pairs = list(zip(self.arrays, sides)) if self.takes_apart else list(zip(sides, self.arrays))

        def run():
            for to, of in pairs:
                to[...] = of

        return run

    def opencv(self):
        """split or merge into arrays that are there; None where OpenCV has none for these fields."""
        if cv2 is None or not self.is_even:
            return None
        image = self.grid.reshape(-1, columns, len(self.fields))
        planes = [array.reshape(-1, columns) for array in self.arrays]
        return (lambda: cv2.split(image, planes)) if self.takes_apart else (lambda: cv2.merge(planes, image))

    def result(self):
        return b"".join(array.tobytes() for array in self.arrays) if self.takes_apart else self.records.tobytes()

    def source(self):
        return self.records.tobytes() if self.takes_apart else b"".join(array.tobytes() for array in self.arrays)

    def spoil(self):
        for array in self.arrays if self.takes_apart else [self.records]:
            array.view(np.uint8)[...] = 0xA5


def measure(name, asked, case, crinkle, folder):
    run_numpy, run_opencv = case.numpy(), case.opencv()
    run_numpy()
    wanted = case.result()
    if run_opencv:
        case.spoil()
        run_opencv()
        if case.result() != wanted:
            sys.exit(f"{name}: OpenCV's result is not NumPy's, or not in the arrays that were given to it")
    (folder / "read").write_bytes(case.source())
    (folder / "wanted").write_bytes(wanted)
    del wanted
    rivals = {"numpy": run_numpy, **({"opencv": run_opencv} if run_opencv else {})}
    times = {rival: samples(run, 0.3) for rival, run in rivals.items()}
    sizes = ",".join(str(np.dtype(kind).itemsize) for kind in case.fields)
    crinkle.stdin.write(f"{'apart' if case.takes_apart else 'together'} {sizes} {folder}/read {folder}/wanted\n")
    crinkle.stdin.flush()
    line = crinkle.stdout.readline()
    if not line:
        sys.exit(f"{name}: {crinkle.args[0]} ended")
    answer = json.loads(line)
    for rival, run in rivals.items():
        times[rival] += samples(run, 0.3)
    row = {"name": f"{name}_{asked >> 20}MiB" if asked >= 1 << 20 else f"{name}_{asked >> 10}KiB", "case": name, "fields": case.fields,
           "asked_bytes": asked, "bytes": case.bytes}
    for way in memcpys + ours + loops:
        row |= {f"{way}_{what}": answer[way][what] for what in ["seconds", "iqr", "least"]}
    for rival, found in times.items():
        row |= {rival + "_seconds": statistics.median(found), rival + "_iqr": quartile_range(found), rival + "_least": min(found)}
    for way in ours + loops + list(rivals):
        row[way + "_fraction_of_memcpy"] = row["memcpy_all_seconds" if way.endswith("_all") else "memcpy_1_seconds"] / row[way + "_seconds"]
    return row


def main():
    parser = argparse.ArgumentParser(description="crinkle beside NumPy, OpenCV and a plain loop")
    parser.add_argument("program")
    parser.add_argument("-o", "--output")
    parser.add_argument("--commit", default="unknown", help="that BENCH_RECORDS was built from")
    parser.add_argument("--case", action="append", metavar="WORD")
    parser.add_argument("--bytes", action="append", type=int, metavar="N")
    options = parser.parse_args()
    crinkle = subprocess.Popen([options.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    ways = ours + loops + ["numpy"] + (["opencv"] if cv2 else [])
    rows = []
    print("fractions of memcpy of as many bytes, on one thread (crinkle_1, loop_1, NumPy, OpenCV) or on all\n")
    print(f"{'case':<32} {'bytes':>10} {'memcpy_1':>9}" + "".join(f" {way:>11}" for way in ways) + "   memcpy in GB/s, read and written")
    with tempfile.TemporaryDirectory() as folder:
        for name, takes_apart, fields in cases():
            if options.case and not any(word in name for word in options.case):
                continue
            for n_bytes in options.bytes or [64 << 20, 1 << 20]:
                row = measure(name, n_bytes, Case(takes_apart, fields, n_bytes), crinkle, pathlib.Path(folder))
                rows.append(row)
                fractions = [row.get(way + "_fraction_of_memcpy") for way in ways]
                print(f"{name:<32} {row['bytes']:>10} {2e-9 * row['bytes'] / row['memcpy_1_seconds']:>9.1f}" +
                      "".join(f" {'–' if f is None else format(f, '.2f'):>11}" for f in fractions), flush=True)
    crinkle.stdin.close()
    if crinkle.wait() != 0:
        sys.exit(f"{options.program} failed")
    if options.output:
        head = {"schema": 1, "suite": "records_rivals", "device": cpu_name(), "driver": system_name(),
                "compiler": f"NumPy {np.__version__}" + (f", OpenCV {cv2.__version__}" if cv2 else ""), "commit": options.commit,
                "date": datetime.date.today().isoformat(), "rows": rows}
        with open(options.output, "w") as out:
            json.dump(head, out, indent=1)


if __name__ == "__main__":
    main()
