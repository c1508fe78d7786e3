"""Decides the tables of docs/measurements.md that are of a GPU alone: even permutations, many small arrays, and what a profiler counts. Those of
docs/interpolation.md, of any machine, have pairs a second and whole maps.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers
from .committed import H200
from .markdown import paragraph, table

UNEVEN = ("transpose_odd", "nhwc", "nchw", "bitrev", "T1_64MiB", "T2_")  # odd extents, narrow elements, or smaller than the others


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


TABLES = {"counters-h200": counters, "permutations-h200-even": even, "batches-h200": batches, "full-sums": full_sums, "maps": maps}
