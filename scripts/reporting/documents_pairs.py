"""Decides the tables of docs/measurements.md on conversions between triangles and on distances of all pairs beside SciPy's.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers
from .markdown import paragraph, table


def triangle(machine):
    """Conversions, by element."""
    found = {}
    for row in machine.rows("triangle"):
        words, _, element = row.name.rpartition("_el")
        found.setdefault(words.rpartition("_")[0], {})[int(element)] = row
    sizes = sorted({element for by_element in found.values() for element in by_element})
    return table(["bytes of an element", *map(str, sizes)],
                 [[words.replace("_", " "), *(numbers.fraction(by_element[e].fraction) if e in by_element else numbers.NONE for e in sizes)]
                  for words, by_element in found.items()])


METRICS = ["euclidean", "sqeuclidean", "manhattan", "chebyshev", "cosine"]


def _beside_scipy(machine):
    """{(type, points, features): {metric: row}}, condensed."""
    found = {}
    for row in machine.rows("pairs_scipy"):
        if row.given["form"] == "condensed":
            found.setdefault(tuple(row.given[key] for key in ("type", "points", "features")), {})[row.given["metric"]] = row.given
    return found


def _times_scipy(given):
    """On one thread and on all."""
    return [numbers.times(given[f"crinkle_{threads}_times_faster"]) for threads in ("1", "all")]


def beside_scipy(machine):
    return table(["times as fast as SciPy, one thread, two: points, features", *METRICS],
                 [[f"{kind}, {points}, {features}", *(", ".join(_times_scipy(by_metric[metric])) for metric in METRICS)]
                  for (kind, points, features), by_metric in sorted(_beside_scipy(machine).items())])


def scipy_sentence(machine):
    """What README.md says of distances on a CPU."""
    found = _beside_scipy(machine)
    single, double = (" and ".join(_times_scipy(found[kind, 16384, 4]["euclidean"])) for kind in ("float32", "float64"))
    rows = machine.rows("pairs_scipy")
    least = min((row.given["crinkle_all_times_faster"], row.given["metric"], row.given["type"]) for row in rows)
    return paragraph(f"Beside SciPy's `pdist`, euclidean distances of 16384 points of four features are {single} times as fast in float32 on one thread and on {machine.words}, "
                     f"{double} in float64; of {len(rows)} cases of all metrics the least on two threads is {numbers.times(least[0])} ({least[1]}, {least[2]}).")


TABLES = {"triangle": triangle, "pairs-scipy": beside_scipy, "pairs-scipy-sentence": scipy_sentence}
