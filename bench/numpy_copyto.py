#!/usr/bin/env python3
"""crinkle beside NumPy's copyto from the same view into an array that is there, from 1 KiB on. The C++ half is bench_small (bench/small.cpp);
both take turns case by case, so that a machine that changes its pace changes it for both.

    bench/numpy_copyto.py BENCH_SMALL [-o numpy.json] [--commit HASH] [--view NAME …] [--least BYTES] [--most BYTES]

A table, and JSON with a row a case: seconds (medians), their interquartile ranges and NumPy's time over crinkle's: above 1, crinkle is faster.

SPDX-License-Identifier: BSD-3-Clause
"""
import argparse
import datetime
import json
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "rivals"))
from host import cpu_name, system_name
from quartiles import quartile_range

views = ["transpose", "flip_fast", "flip_slow", "roll", "zyx_to_xzy", "step_2", "copy"]
ways = ["prepared_1", "prepared_all", "cached_1", "cached_all"]


def move_of(view, n_bytes):
    """A function that moves by copyto, as small.cpp's view_of does."""
    bits = (n_bytes // 4).bit_length() - 1
    grid = np.arange(n_bytes // 4, dtype=np.uint32) * np.uint32(2654435761)
    y, x = 1 << bits // 2, 1 << (bits - bits // 2)
    if view == "zyx_to_xzy":
        seen = grid.reshape(1 << bits // 3, 1 << (bits + 1) // 3, 1 << (bits + 2) // 3).transpose(2, 0, 1)
    else:
        a = grid.reshape(y, x)
        seen = {"transpose": a.T, "flip_fast": a[:, ::-1], "flip_slow": a[::-1], "roll": a, "step_2": a[:, ::2], "copy": a}[view]
    out = np.empty(seen.shape, seen.dtype)
    copyto = np.copyto
    if view == "roll":
        left_in, left_out, right_in, right_out = a[:, -3:], out[:, :3], a[:, :-3], out[:, 3:]

        def roll():
            copyto(left_out, left_in)
            copyto(right_out, right_in)

        return roll
    return lambda: copyto(out, seen)


def samples(move, seconds):
    """Times of one move: at least four samples, of at least 200 µs each. Taken twice, before and after crinkle's."""
    def sample(n):
        start = time.perf_counter()
        for _ in range(n):
            move()
        return (time.perf_counter() - start) / n

    sample(1)
    n = max(1, round(2e-4 / max(sample(3), 1e-9)))
    times, end = [], time.perf_counter() + seconds
    while len(times) < 4 or (time.perf_counter() < end and len(times) < 50):
        times.append(sample(n))
    return times


def main():
    parser = argparse.ArgumentParser(description="crinkle beside NumPy's copyto")
    parser.add_argument("program")
    parser.add_argument("-o", "--output")
    parser.add_argument("--commit", default="unknown", help="that BENCH_SMALL was built from")
    parser.add_argument("--view", action="append", choices=views)
    parser.add_argument("--least", type=int, default=1 << 10)
    parser.add_argument("--most", type=int, default=256 << 20)
    options = parser.parse_args()
    crinkle = subprocess.Popen([options.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    rows = []
    print(f"{'view':<12} {'bytes':>10} {'NumPy':>11}" + "".join(f" {way:>13}" for way in ways) + "   in ns; times faster")
    for view in options.view or views:
        n_bytes = 1 << 10
        while n_bytes <= options.most:
            if n_bytes >= options.least:
                move = move_of(view, n_bytes)
                times = samples(move, 0.15)
                crinkle.stdin.write(f"{view} {n_bytes}\n")
                crinkle.stdin.flush()
                answer = json.loads(crinkle.stdout.readline())
                times += samples(move, 0.15)
                row = {"name": f"{view}_{n_bytes}", "view": view, "bytes": n_bytes, "numpy_seconds": statistics.median(times), "numpy_iqr": quartile_range(times), "numpy_least": min(times)}
                for way in ways:
                    row |= {f"{way}_{what}": answer[way][what] for what in ["seconds", "iqr", "least"]}
                    row[way + "_times_faster"] = row["numpy_seconds"] / answer[way]["seconds"]
                rows.append(row)
                print(f"{view:<12} {n_bytes:>10} {row['numpy_seconds'] * 1e9:>11.0f}" +
                      "".join(f" {row[way + '_seconds'] * 1e9:>13.0f}" for way in ways) + "  " +
                      " ".join(f"{row[way + '_times_faster']:5.2f}" for way in ways), flush=True)
            n_bytes *= 4
    crinkle.stdin.close()
    slower = [f"{row['name']} {way}" for row in rows for way in ways if row[way + "_times_faster"] < 1]
    print(f"crinkle is faster in {len(rows) * len(ways) - len(slower)} of {len(rows) * len(ways)}" + ("; slower in " + ", ".join(slower) if slower else ""))
    if options.output:
        head = {"schema": 1, "suite": "numpy", "device": cpu_name(), "driver": system_name(), "compiler": f"NumPy {np.__version__}",
                "commit": options.commit, "date": datetime.date.today().isoformat(), "rows": rows}
        with open(options.output, "w") as out:
            json.dump(head, out, indent=1)


if __name__ == "__main__":
    main()
