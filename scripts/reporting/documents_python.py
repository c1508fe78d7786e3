"""Decides the tables of docs/python.md: what small calls take beside others and beside the plan called from C++, and distances beside SciPy's.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers
from .markdown import table

SUITE = "rivals_python"


def _library(row, name):
    """What the library takes; the label has its version, too."""
    return next((numbers.seconds(rival["seconds"]) for label, rival in row.given["rivals"].items() if label.startswith(name)), numbers.NONE)


def calls(machine, lines):
    """A line a line of the marker, WORDS: name of a row."""
    rows, told = machine.labelled(SUITE), []
    for words, name in (line.rpartition(": ")[::2] for line in lines):
        row = rows[name]
        cpp = row.given.get("cpp_seconds")
        over = numbers.NONE if cpp is None else f"{1e6 * (row.seconds - cpp):.2f} µs"
        told.append([words, numbers.seconds(row.seconds), over, _library(row, "einops"), _library(row, "NumPy")])
    return table(["", "crinkle", "over the call from C++", "einops", "NumPy"], told)


def distances(machine):
    """Metrics by sizes: how long, and how many times as long SciPy takes."""
    found = {}
    for row in machine.rows(SUITE):
        if row.name.startswith("pdist_"):
            metric, n, features = row.name.removeprefix("pdist_").split("_")
            size = f"{n.removeprefix('n')} points of {features.removeprefix('f')}"
            (rival,) = row.given["rivals"].values()
            found.setdefault(metric, {})[size] = f"{numbers.seconds(row.seconds)}, {numbers.times(rival['seconds'] / row.seconds)}"
    sizes = list(dict.fromkeys(size for cells in found.values() for size in cells))
    return table(["", *sizes], [[metric, *(cells.get(size, numbers.NONE) for size in sizes)] for metric, cells in found.items()])


TABLES = {"python-calls": calls, "python-pdist": distances}
