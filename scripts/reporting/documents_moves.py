"""Decides the tables of docs/measurements.md on moves: orders of axes, chains, small arrays, sizes, ranks and threads.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers
from .committed import H200, XEON
from .markdown import paragraph, table
from .read import Refused

MACHINES = [H200, XEON]


def words(name):
    return name.replace("_", " ")


def orders():
    """Paper 3's."""
    found = [machine.labelled("rearrange") for machine in MACHINES]
    return table(["case", *(machine.name for machine in MACHINES), "the paper's, on its card"],
                 [[words(name), *(one.fraction(name) for one in found), numbers.fraction(row.given.get("paper", {}).get("fraction_of_copy"))]
                  for name, row in found[-1].items()])


def times(row, rival):
    """As fast as a rival, or None where the row has no such rival."""
    return next((one.seconds / row.seconds for one in row.contenders if one.name == rival), None) if row else None


def chains():
    """A machine whose rows were not run step by step has no column of it."""
    found = [machine.labelled("fused") for machine in MACHINES]
    stepped = [(machine, one) for machine, one in zip(MACHINES, found) if any(times(row, "step by step") for row in one.values())]
    return table(["chain", *(machine.name for machine in MACHINES), *(f"{machine.name}, times as fast as step by step" for machine, _ in stepped)],
                 [[words(name), *(one.fraction(name) for one in found), *(numbers.fraction(times(one.get(name), "step by step")) for _, one in stepped)]
                  for name in found[-1]])


def spaced(size):
    """1KiB is 1 KiB."""
    n_digits = len(size) - len(size.lstrip("0123456789"))
    return f"{size[:n_digits]} {size[n_digits:]}"


SIZES = ["1KiB", "4KiB", "16KiB", "64KiB", "256KiB", "1MiB"]
SMALL_MOVES = ["transpose", "flip", "roll"]


def small(machine):
    """Fractions of a copy with full caches, below with empty ones."""
    found = machine.labelled("small")
    lines = []
    for what in SMALL_MOVES:
        rows = [found.get(f"{what}_{size}") for size in SIZES]
        lines += [[what, *(numbers.fraction(row and row.fraction) for row in rows)], [f"{what}, cold", *(numbers.fraction(row and row.cold_fraction) for row in rows)]]
    return table(["operation", *map(spaced, SIZES)], lines)


def at_once(machine):
    rows = [(row, times(row, "one by one")) for row in machine.rows("small") if row.name.startswith("1000_")]
    rows = [(row, quotient) for row, quotient in rows if quotient]
    if not rows:
        raise Refused(f"{machine.path('small')}: expected rows 1000_transposes_… beside one by one")
    return paragraph("1000 transposes in one move, of " + ", ".join(spaced(row.name.rsplit("_", 1)[1]) for row, _ in rows) + ": "
                     + ", ".join(f"{quotient:.1f}" for _, quotient in rows) + " times as fast as one by one; of a copy "
                     + ", ".join(numbers.fraction(row.fraction) for row, _ in rows) + ".")


def scaling(rows, head):
    found = [machine.labelled("scaling") for machine in MACHINES]
    names = [name for name in found[0] if name.startswith(rows)]
    return table([head, *(name.removeprefix(rows) for name in names)],
                 [[machine.name, *map(one.fraction, names)] for machine, one in zip(MACHINES, found)])


def threads(machine):
    """What more threads bring."""
    found = {}
    for row in machine.rows("scaling"):
        if "_thread" in row.name:
            found.setdefault(row.name.rsplit("_", 2)[0], {})[row.given["threads"]] = row
    counts = sorted(set().union(*found.values()))
    return table([f"threads ({machine.name}): GB/s, of the copy", *map(str, counts)],
                 [[words(what), *(f"{numbers.gb_per_s(by_count[n].gb_per_s)}, {numbers.fraction(by_count[n].fraction)}" for n in counts)]
                  for what, by_count in found.items()])


def planning(machine):
    """Microseconds of a move planned anew, of one whose plan is in the cache, of one whose plan is in hand."""
    def told(row):
        seconds = {one.name: one.seconds for one in row.contenders}
        return ", ".join(numbers.significant(1e6 * s, 2) for s in (seconds["planned anew"], seconds["cached plan"], row.seconds))

    found = machine.labelled("small")
    return table(["µs: planned anew, from the cache, in hand", *map(spaced, SIZES)],
                 [[what, *(told(found[f"{what}_{size}"]) for size in SIZES)] for what in SMALL_MOVES])


TABLES = {"orders": orders, "chains": chains, "threads": threads, "planning": planning, "scaling": scaling, "small": small, "at-once": at_once}
