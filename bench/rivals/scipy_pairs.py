"""SciPy's pdist and cdist beside `crinkle bench pairs`, case by case: half of SciPy's samples before the command's and half behind them, so that a
machine that changes its pace changes it for both. The command checks its results by their definition; SciPy computes in float64 whatever it is
given, on one thread, into memory that is there.

SPDX-License-Identifier: BSD-3-Clause
"""
import json
import re
import subprocess
import time

import numpy as np
import scipy
from scipy.spatial import distance

LABEL = f"SciPy {scipy.__version__}"
NAME = re.compile(r"(\w+?)_(condensed|square)_(float32|float64)_n(\d+)_f(\d+)")


def samples(run, seconds, least=4, most=50):
    """Times of one run, each the mean of as many as take 200 µs."""
    def sample(n):
        start = time.perf_counter()
        for _ in range(n):
            run()
        return (time.perf_counter() - start) / n

    n = max(1, round(2e-4 / max(sample(1), 1e-9)))
    times, end = [], time.perf_counter() + seconds
    while len(times) < least or (time.perf_counter() < end and len(times) < most):
        times.append(sample(n))
    return times


def rows(program, words, place, n_samples, quartile_range):
    """The rows of the command, with SciPy as their rival. Raises RuntimeError with what the command says."""
    def bench(*options):
        done = subprocess.run([program, "bench", "pairs", "--hot", "--threads", str(place.threads), "--samples", str(n_samples), "--json", "-", *options],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        return json.loads(done.stdout)["rows"]

    for name in names(words):
        metric, form, kind, n, features = NAME.fullmatch(name).groups()
        points = np.random.default_rng(7).random((int(n), int(features))).astype(kind)
        theirs = "cityblock" if metric == "manhattan" else metric
        out = np.empty((len(points), len(points)) if form == "square" else len(points) * (len(points) - 1) // 2)
        run = (lambda: distance.cdist(points, points, theirs, out=out)) if form == "square" else (lambda: distance.pdist(points, theirs, out=out))
        times = samples(run, 0.3)
        row = bench("--case", name)[0]
        times += samples(run, 0.3)
        yield row | {"rivals": {LABEL: {"seconds": float(np.median(times)), "iqr": quartile_range(times)}}}


def names(words):
    """As `crinkle bench pairs` names its cases."""
    for n, features in [(16384, 4), (1024, 4), (1024, 3), (1024, 16), (1024, 128), (4096, 16), (4096, 128)]:
        for form in ["condensed", "square"]:
            for kind in ["float32", "float64"]:
                for metric in ["euclidean", "sqeuclidean", "manhattan", "chebyshev", "cosine"]:
                    name = f"{metric}_{form}_{kind}_n{n}_f{features}"
                    if (form == "condensed" or n * n * 8 < 1 << 31) and (not words or any(word in name for word in words)):
                        yield name
