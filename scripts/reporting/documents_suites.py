"""Decides the tables that any suite may have: a new suite needs a marker and no Python.

    <!-- table elements machine=epyc columns="HEAD=SUITE; HEAD=SUITE" -->    geometric mean and least fraction of a copy, by bytes of an element
    <!-- table speed machine=xeon suite=permute rows=T1_ -->                 a line a row: what is in it of times, rates, and fractions, hot and cold
    <!-- table fractions columns="HEAD=MACHINE/SUITE; …"                    a line a line of the marker, WORDS: names or labels of rows
    flips, slow and fast: flip_{y,x}
    -->

SPDX-License-Identifier: BSD-3-Clause
"""
import itertools
import re

from . import committed, numbers, tables
from .markdown import table
from .read import Refused


def by_element(rows):
    """{element bytes: rows}, smallest first."""
    return {size: [row for row in rows if row.element_bytes == size] for size in sorted({row.element_bytes for row in rows})}


def mean_and_least(rows):
    mean, least, _ = numbers.mean_and_least(rows)
    return f"{numbers.fraction(mean)}, {numbers.fraction(least.fraction)} ({least.name})"


def _columns(text):
    """[(head, what)] of HEAD=WHAT; HEAD=WHAT"""
    pairs = [column.strip().rpartition("=")[::2] for column in text.split(";")]
    if not all(head and what for head, what in pairs):
        raise Refused(f"expected columns as HEAD=SUITE; HEAD=SUITE, found {text}")
    return pairs


def elements(machine, columns):
    heads, suites = zip(*_columns(columns))
    found = [by_element(machine.rows(suite)) for suite in suites]
    return table(["element bytes", "cases", *heads], [[str(size), str(len(found[-1][size])), *(mean_and_least(one[size]) for one in found)] for size in found[-1]])


def expanded(text):
    """x_{a,b} and y as x_a, x_b, y, as a shell has it."""
    names = []
    for word in text.split():
        parts = [part[1:-1].split(",") if part.startswith("{") else [part] for part in re.findall(r"\{[^}]*\}|[^{}]+", word)]
        names += ["".join(choice) for choice in itertools.product(*parts)]
    return names


def fractions(columns, lines, head="operation"):
    heads, files = zip(*_columns(columns))
    found = []
    for file in files:
        folder, _, suite = file.partition("/")
        if folder not in committed.MACHINES:
            raise Refused(f"there is no machine {folder}; they are {', '.join(committed.MACHINES)}")
        found.append(committed.MACHINES[folder].labelled(suite))
    told = [line.rpartition(": ")[::2] for line in lines]
    return table([head, *heads], [[words, *(one.fractions(expanded(names)) for one in found)] for words, names in told])


def speed(machine, suite, rows=""):
    chosen = [row for row in machine.rows(suite) if row.name.startswith(rows)]
    if not chosen:
        raise Refused(f"{machine.path(suite)}: expected rows {rows}…")
    return table(*tables.of_rows(chosen, False))


TABLES = {"elements": elements, "fractions": fractions, "speed": speed}
