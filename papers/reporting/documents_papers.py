"""Decides the tables of docs/performance.md beside the papers' own, and those of chains, small arrays, sizes and ranks.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers
from .committed import H200, XEON
from .markdown import paragraph, table
from .read import Refused

MACHINES = [H200, XEON]


def words(name):
    return name.replace("_", " ")


def figures():
    """Paper 0's at 8192², in ms."""
    def told(row):
        return f"{row.seconds * 1e3:.3g}" if row else numbers.NONE

    lines = []
    for machine in MACHINES:
        found, papers = machine.labelled("hypercubic"), machine.file("hypercubic").papers
        for operation in ["blur", "flip", "shift", "crinkle"]:
            paper = next(marks[0].seconds for title, marks in papers.items() if title.endswith(operation))
            ways = [found.get(f"{operation}_8192_{way}") for way in ("A", "B", "C", "crinkle")]
            by_hand = found[f"{operation}_8192_A"]
            lines.append([f"{operation}, {machine.name}", *map(told, ways), f"{by_hand.bytes / by_hand.copy_gb_per_s / 1e6:.3g}"] +
                         [f"{paper[way] * 1e3:g}" if way in paper else numbers.NONE for way in ("A", "B", "C")])
    return table(["operation", "A", "B", "C", "crinkle", "copy", "paper: A", "B", "C"], lines)


EXTENTS = [256, 512, 1024, 2048, 4096, 8192]
MOVES = ["flip", "shift", "crinkle"]


def _beside_the_best(machine, operation, n):
    """How many times as fast as the fastest of A, B and C a plan is, and which that is."""
    found = machine.labelled("hypercubic")
    seconds, way = min((found[f"{operation}_{n}_{way}"].seconds, way) for way in ("A", "B", "C"))
    return seconds / found[f"{operation}_{n}_crinkle"].seconds, way


def figures_by_size():
    """Of paper 0's figures, at every extent of the suite."""
    return table(["times as fast as the best of A, B, C: N", *map(str, EXTENTS)],
                 [[f"{operation}, {machine.name}", *(numbers.fraction(_beside_the_best(machine, operation, n)[0]) for n in EXTENTS)]
                  for machine in MACHINES for operation in MOVES])


def figures_behind():
    """Where a loop written by hand is faster than a plan."""
    def told(machine):
        behind = []
        for operation in MOVES:
            lost = [(n, *_beside_the_best(machine, operation, n)) for n in EXTENTS]
            lost = [(n, quotient, way) for n, quotient, way in lost if quotient < 1]
            if lost:
                behind.append(f"in {operation}s at N = " + ", ".join(f"{n} ({numbers.fraction(quotient)}, {way})" for n, quotient, way in lost))
        return f"on the {machine.name} " + (", ".join(behind) or "nowhere")

    return paragraph("crinkle is behind the fastest loop or kernel written by hand " + "; ".join(map(told, MACHINES)) + ".")


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


TABLES = {"figures": figures, "figures-sizes": figures_by_size, "figures-behind": figures_behind, "orders": orders, "chains": chains, "threads": threads,
          "planning": planning, "scaling": scaling, "small": small, "at-once": at_once}
