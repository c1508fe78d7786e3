"""Decides the tables of docs/performance.md that are of a GPU alone: even permutations, many small arrays, and kernels written by hand,
reading records, as the papers advise, and counted. Those of docs/interpolation.md, of any machine, say pairs a second:

    <!-- table pairs-by-way machine=h200 head=form     a line a line of the marker, WORDS: CASE, and a column a way
    naive, float32: figure7_naive_n256000
    -->

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers
from .committed import H200
from .markdown import paragraph, table
from .read import Refused

UNEVEN = ("transpose_odd", "nhwc", "nchw", "bitrev", "T1_64MiB", "T2_")  # odd extents, narrow elements, or smaller than the others
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


def counters():
    rows = H200.rows("counters")

    def equal(row, count):
        predicted, measured = row.counts[count]
        return predicted == measured

    def n_equal(count):
        return sum(equal(row, count) for row in rows)

    every = sum(all(equal(row, f"{side} {count}") for side in ("read", "write") for count in ("sectors", "wavefronts")) for row in rows)
    return paragraph(f"Of {len(rows)} shapes requests are equal in {n_equal('read requests')} read and {n_equal('write requests')} written, 32-byte sectors in "
                     f"{n_equal('read sectors')} and {n_equal('write sectors')}, wavefronts of shared memory in {n_equal('read wavefronts')} (filled) and "
                     f"{n_equal('write wavefronts')} (read); in {every} shapes all four of sectors and wavefronts are.")


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


def even():
    rows = [row for row in H200.rows("permutations") if row.element_bytes in (4, 8, 16) and not row.name.startswith(UNEVEN)]
    mean, least, n = numbers.mean_and_least(rows)
    return paragraph(f"The {n} of them that are aligned arrays of 4, 8 and 16 bytes, 190 MiB and more: {mean:.3f} in the geometric mean, "
                     f"least {numbers.fraction(least.fraction)} ({least.name}).")


def batches():
    found = H200.labelled("batches")

    def of(name):
        return numbers.fraction(found[name].fraction)

    return paragraph(f"Of the copy: one array {of('uniform')}, in a graph {of('uniform_graph')}; between 1000 buffers a side {of('pointers_graph')} in a graph "
                     f"({of('pointers')} from the host, which checks 2000 pointers); 1000 sizes from 48 to 80 as boxes of their own {of('ragged')}, "
                     f"their sides multiples of 4 {of('ragged_fours')}.")


VECTORS = {"float4": "float4, double4", "double4": "float4, double4", "float2": "float2, double2", "double2": "float2, double2"}


def pairs_by_way(machine, lines, head="form"):
    found, told = {}, [line.rpartition(": ")[::2] for line in lines]
    for _, case in told:
        found[case] = {VECTORS.get(way, way): row.given["pairs_per_s"] * 1e-9 for row in machine.rows("interpolate") if row.name.startswith(case + "_")
                       for way in [row.name.removeprefix(case + "_")]}
        if not found[case]:
            raise Refused(f"{machine.path('interpolate')}: expected rows {case}_…")
    ways = list(dict.fromkeys(way for rates in found.values() for way in rates))
    return table([f"{head}: G pairs/s", *(way.replace("_", " ") for way in ways)],
                 [[words, *(numbers.significant(found[case].get(way)) for way in ways)] for words, case in told])


def full_sums(machine):
    """Pairs a second of everyone."""
    rows = machine.rows("rivals_interpolate")
    rivals = list(dict.fromkeys(one.name for row in rows for one in row.contenders if not one.is_ours))
    rates = [{one.name: row.given["pairs"] / one.seconds * 1e-9 for one in row.contenders} for row in rows]
    return table(["case: G pairs/s", "crinkle", *rivals],
                 [[row.name, numbers.significant(row.given["pairs_per_s"] * 1e-9), *(numbers.significant(rate.get(name)) for name in rivals)] for row, rate in zip(rows, rates)])


def maps(machine, lines):
    """A line a line of the marker, WORDS: name of a row; whole programs, and of crinkle the sums alone."""
    rows, told = machine.labelled("rivals_interpolate"), []
    for words, name in (line.rpartition(": ")[::2] for line in lines):
        row = rows[name]
        (label, rival), = row.given["rivals"].items()
        told.append([words, numbers.seconds(row.seconds), numbers.seconds(row.given["sums_seconds"]), f"{label} {numbers.seconds(rival['seconds'])}",
                     numbers.times(rival["seconds"] / row.seconds)])
    return table(["", "crinkle", "of which sums", "beside", "times as long"], told)


TABLES = {"vectors-h200": vectors, "versions-h200": versions, "versions-h200-cost": cost_of_a_plan, "counters-h200": counters, "advice-h200": advice,
          "permutations-h200-even": even, "batches-h200": batches, "pairs-by-way": pairs_by_way, "full-sums": full_sums, "maps": maps}
