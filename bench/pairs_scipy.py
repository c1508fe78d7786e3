#!/usr/bin/env python3
"""crinkle beside SciPy: distances of all pairs, pdist for condensed and cdist for square, into memory that is there. The C++ half is bench_pairs
(bench/pairs.cpp); both take turns case by case, so that a machine that changes its pace changes it for both.

    bench/pairs_scipy.py BENCH_PAIRS [-o pairs_scipy.json] [--commit HASH] [--case WORD …] [--most POINTS]

A table, and JSON with a row a case: seconds (medians), their interquartile ranges, SciPy's time over crinkle's on one thread and on all, and crinkle's share of the time that
writing as many bytes takes. SciPy computes in float64 whatever it is given, on one thread. Results of up to 1024 points are compared first.
--case takes the cases whose names have the word in them, as in --case euclidean_condensed.

SPDX-License-Identifier: BSD-3-Clause
"""
import argparse
import datetime
import json
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

import numpy as np
import scipy
from scipy.spatial import distance

from numpy_copyto import cpu_name, quartile_range, samples

metrics = ["euclidean", "sqeuclidean", "manhattan", "chebyshev", "cosine"]
sizes = [(16384, 4), (1024, 4), (1024, 3), (1024, 16), (1024, 128), (4096, 16), (4096, 128)]  # points, features
ways = ["crinkle_1", "crinkle_all", "write_1", "write_all"]
most_compared = 1024


def cases(most):
    for n, n_features in sizes:
        for form in ["condensed", "square"]:
            for kind in ["float32", "float64"]:
                for metric in metrics:
                    if n <= most and not (form == "square" and n * n * 8 > 1 << 31):
                        yield f"{metric}_{form}_{kind}_n{n}_f{n_features}", metric, form, kind, n, n_features


def measure(name, metric, form, kind, n, n_features, crinkle, folder):
    points = np.random.default_rng(7).random((n, n_features)).astype(kind)
    theirs = "cityblock" if metric == "manhattan" else metric
    out = np.empty((n, n) if form == "square" else n * (n - 1) // 2)

    def run():
        if form == "square":
            distance.cdist(points, points, theirs, out=out)
        else:
            distance.pdist(points, theirs, out=out)

    run()
    points.tofile(folder / "points")
    result = folder / "result" if n <= most_compared else "-"
    times = samples(run, 0.5)
    crinkle.stdin.write(f"{metric} {form} {kind} {n} {n_features} {folder}/points {result}\n")
    crinkle.stdin.flush()
    line = crinkle.stdout.readline()
    if not line:
        sys.exit(f"{name}: {crinkle.args[0]} ended")
    answer = json.loads(line)
    if n <= most_compared:
        got = np.fromfile(result, kind).reshape(out.shape)
        if not np.allclose(got, out, rtol=1e-5 if kind == "float32" else 1e-11, atol=1e-6 if kind == "float32" else 1e-13):
            sys.exit(f"{name}: the result is not SciPy's")
    times += samples(run, 0.5)
    row = {"name": name, "metric": metric, "form": form, "type": kind, "points": n, "features": n_features, "bytes": answer["bytes"],
           "scipy_seconds": statistics.median(times), "scipy_iqr": quartile_range(times), "scipy_least": min(times)}
    for way in ways:
        row |= {f"{way}_{what}": answer[way][what] for what in ["seconds", "iqr", "least"]}
    for threads in ["1", "all"]:
        row[f"crinkle_{threads}_times_faster"] = row["scipy_seconds"] / row[f"crinkle_{threads}_seconds"]
        row[f"crinkle_{threads}_fraction_of_write"] = row[f"write_{threads}_seconds"] / row[f"crinkle_{threads}_seconds"]
    return row


def main():
    parser = argparse.ArgumentParser(description="crinkle beside SciPy: distances of all pairs")
    parser.add_argument("program")
    parser.add_argument("-o", "--output")
    parser.add_argument("--commit", default="unknown", help="that BENCH_PAIRS was built from")
    parser.add_argument("--case", action="append", metavar="WORD")
    parser.add_argument("--most", type=int, default=16384, metavar="POINTS")
    options = parser.parse_args()
    crinkle = subprocess.Popen([options.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    rows = []
    print(f"{'case':<44} {'SciPy':>10} {'crinkle_1':>10} {'crinkle_all':>11}   times faster   of writing")
    with tempfile.TemporaryDirectory() as folder:
        for name, *case in cases(options.most):
            if options.case and not any(word in name for word in options.case):
                continue
            row = measure(name, *case, crinkle, pathlib.Path(folder))
            rows.append(row)
            print(f"{name:<44} {row['scipy_seconds'] * 1e3:>7.2f} ms {row['crinkle_1_seconds'] * 1e3:>7.2f} ms {row['crinkle_all_seconds'] * 1e3:>8.2f} ms"
                  f"   {row['crinkle_1_times_faster']:5.1f} {row['crinkle_all_times_faster']:6.1f}"
                  f"   {row['crinkle_1_fraction_of_write']:5.2f} {row['crinkle_all_fraction_of_write']:5.2f}", flush=True)
    crinkle.stdin.close()
    if crinkle.wait() != 0:
        sys.exit(f"{options.program} failed")
    if options.output:
        head = {"schema": 1, "suite": "pairs_scipy", "device": cpu_name(), "driver": platform.platform(),
                "compiler": f"SciPy {scipy.__version__}, NumPy {np.__version__}", "commit": options.commit,
                "date": datetime.date.today().isoformat(), "rows": rows}
        with open(options.output, "w") as out:
            json.dump(head, out, indent=1)


if __name__ == "__main__":
    main()
