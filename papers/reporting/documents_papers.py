"""Decides the tables beside papers' figures: paper 0's of docs/measurements.md, its versions as kernels, what the papers advise, and records in
kernels. Those of docs/interpolation.md, of any machine, say pairs a second of paper 4's forms and layouts:

    <!-- table pairs-by-way machine=h200 head=form     a line a line of the marker, WORDS: CASE, and a column a way
    naive, float32: figure7_naive_n256000
    -->

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers
from .committed import H200, XEON
from .documents_idw import rows_of_points
from .markdown import paragraph, table
from .read import Refused

MACHINES = [H200, XEON]


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


WAYS = ["A", "A, 16 bytes", "B", "C by element", "C"]
VERSIONS = [
    ("flip of the slow axis, the fast one, both", ["flip_y", "flip_x", "flip_yx"]),
    ("roll by 1 of the slow axis, the fast one, by 3001 and 1234 of both", ["roll_y_1", "roll_x_1", "roll_y_3001_x_1234"]),
    ("crinkle of the slow axis by 2, 4, 8", [f"crinkle_y_{n}" for n in (2, 4, 8)]),
    ("crinkle of the fast axis by 2, 4, 8", [f"crinkle_x_{n}" for n in (2, 4, 8)]),
    ("transpose", ["transpose"]),
]


def vectors():
    return table(["records as", "layout", "one each", "all, ms"],
                 [[row.name, f"`{row.given['layout']}`", numbers.fraction(row.fraction), f"{row.given['sum_seconds'] * 1e3:.2f}"] for row in H200.rows("vectors")])


def versions():
    found = H200.labelled("versions")

    def told(names, way):
        texts = [found.fraction(f"{name} {way}") for name in names]
        return ", ".join(texts) if set(texts) != {numbers.NONE} else numbers.NONE

    return table(["operation", *WAYS], [[what, *(told(names, way) for way in WAYS)] for what, names in VERSIONS])


def cost_of_a_plan():
    """What a plan takes more than vectors by hand, where there is such a kernel."""
    found = H200.labelled("versions")

    def percents(verb):
        costs = [round(100 * (row.seconds / found[f"{name} A, 16 bytes"].seconds - 1)) for _, names in VERSIONS for name in names
                 if name.startswith(verb) and f"{name} A, 16 bytes" in found for row in [found[f"{name} C"]]]
        return f"{min(costs)} % " if min(costs) == max(costs) else f"{min(costs)} to {max(costs)} % "

    return paragraph(f"So a plan takes {percents('flip')}longer than the best kernel written by hand for flips, {percents('roll_y')}for rolls and "
                     f"{percents('crinkle_y')}for crinkles of the slow axis.")


def advice():
    found, versions, permutations = H200.labelled("advice"), H200.labelled("versions"), H200.labelled("permutations")

    best = max(found[copy].gb_per_s for copy in ("driver's copy", "copy, plain loads"))

    def of(label):
        return numbers.fraction(found[label].gb_per_s / best)

    tables = {place: of(f"one element a thread, table in {place}") for place in ("global memory", "parameters", "constant memory")}
    in_order = of("transpose by 32 x 32 tiles, blocks in order")
    return table(["advice", "without it", "with it", "kept"], [
        ["read through a texture (paper 0, 7.3)", f"copy {of('copy, plain loads')}", of("copy, through a texture"), "no"],
        ["blocks along diagonals, against partition camping (paper 3)", f"transpose by 32 × 32 tiles {in_order}",
         of("transpose by 32 x 32 tiles, blocks along diagonals"), "no"],
        ["tables of extents and strides in constant memory (paper 0, 7)", f"global memory {tables['global memory']}, parameters {tables['parameters']}",
         tables["constant memory"], "no: tiles are parameters, and a thread finds its block's place once"],
        ["a k-index for every element and thread (paper 0)", f"the same crinkle by 4 of the slow axis by tiles {versions.fraction('crinkle_y_4 C')}",
         f"{min(tables.values())}–{max(tables.values())}", "no"],
        ["staging in shared memory, whole runs on both sides (papers 0 and 3)", numbers.NONE,
         f"transpose by 32 × 32 tiles {in_order}; with 16-byte accesses and register transposes {permutations.fraction('transpose_16384_el4')}", "yes"]])


VECTORS = {"float4": "float4, double4", "double4": "float4, double4", "float2": "float2, double2", "double2": "float2, double2"}


def pairs_by_way(machine, lines, head="form"):
    rows, found, told = rows_of_points(machine), {}, [line.rpartition(": ")[::2] for line in lines]
    for _, case in told:
        found[case] = {VECTORS.get(way, way): row.given["pairs_per_s"] * 1e-9 for row in rows if row.name.startswith(case + "_")
                       for way in [row.name.removeprefix(case + "_")]}
        if not found[case]:
            raise Refused(f"{machine.path('idw')}: expected rows {case}_…")
    ways = list(dict.fromkeys(way for rates in found.values() for way in rates))
    return table([f"{head}: G pairs/s", *(way.replace("_", " ") for way in ways)],
                 [[words, *(numbers.significant(found[case].get(way)) for way in ways)] for words, case in told])


TABLES = {"figures": figures, "figures-sizes": figures_by_size, "figures-behind": figures_behind, "vectors-h200": vectors, "versions-h200": versions,
          "versions-h200-cost": cost_of_a_plan, "advice-h200": advice, "pairs-by-way": pairs_by_way}
