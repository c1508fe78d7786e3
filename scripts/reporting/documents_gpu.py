"""Decides the tables of docs/performance.md that are of a GPU's moves: permutations, operations, many small arrays.

SPDX-License-Identifier: BSD-3-Clause
"""
import functools

from . import numbers
from .committed import H200
from .documents_cpu import OPERATIONS, by_element, mean_and_least
from .markdown import paragraph, table

UNEVEN = ("transpose_odd", "nhwc", "nchw", "bitrev", "T1_64MiB", "T2_")  # odd extents, narrow elements, or smaller than the others


def elements(suite):
    return table(["element bytes", "cases", "geometric mean, least"],
                 [[str(size), str(len(rows)), mean_and_least(rows)] for size, rows in by_element(H200.rows(suite)).items()])


def even():
    rows = [row for row in H200.rows("permutations") if row.element_bytes in (4, 8, 16) and not row.name.startswith(UNEVEN)]
    mean, least, n = numbers.mean_and_least(rows)
    return paragraph(f"The {n} of them that are aligned arrays of 4, 8 and 16 bytes, 190 MiB and more: {mean:.3f} in the geometric mean, "
                     f"least {numbers.fraction(least.fraction)} ({least.name}).")


def operations():
    found = H200.labelled("operations_large")
    listed = [(what, labels) for what, labels in OPERATIONS if all(label in found for label in labels)]
    listed += [("roll by 3001 and 1234 of 8192²", ["roll_y_3001_x_1234"]), ("roll by 1, flip and transpose of 8192² as one", ["roll_flip_transpose"]),
               ("Morton order of 8192²", ["morton_8192"]), ("bit reversal of 2^26", ["bit_reverse_2^26"]), ("checkerboard of 8192²", ["checkerboard_8192"])]
    return table(["operation", "fraction of the copy"], [[what, found.fractions(labels)] for what, labels in listed])


def batches():
    found = H200.labelled("batches")

    def of(name):
        return numbers.fraction(found[name].fraction)

    return paragraph(f"Of the copy: one array {of('uniform')}, in a graph {of('uniform_graph')}; between 1000 buffers a side {of('pointers_graph')} in a graph "
                     f"({of('pointers')} from the host, which checks 2000 pointers); 1000 sizes from 48 to 80 as boxes of their own {of('ragged')}, "
                     f"their sides multiples of 4 {of('ragged_fours')}.")


TABLES = {f"{name}-h200": functools.partial(elements, suite) for name, suite in (("permutations", "permutations"), ("random", "random_large"), ("huge", "huge"))} | {
    "permutations-h200-even": even, "operations-h200": operations, "batches-h200": batches}
