"""Decides the README's table of how fast crinkle is: a few rows that stand for many, on three machines.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers
from .committed import EPYC, EPYC_25, H200, XEON
from .documents_suites import by_element
from .markdown import table
from .read import Refused

CPUS = [EPYC, XEON]


def _of_all(words, groups):
    """The number of cases and their geometric mean, from the rows of each machine."""
    counts = {len(rows) for rows in groups}
    if len(counts) != 1:
        raise Refused(f"expected as many cases on every machine, found {sorted(counts)}: {words}")
    return [f"{counts.pop()} {words}, geometric mean", *(numbers.fraction(numbers.mean_and_least(rows)[0]) for rows in groups)]


def how_fast():
    orders = [machine.rows("permute") for machine in CPUS] + [H200.rows("permutations")]
    lines = [_of_all(f"permutations of {size}-byte elements", [by_element(rows)[size] for rows in orders]) for size in (8, 4)]
    lines.append(_of_all("permutations drawn at random, elements of 1 to 16 bytes", [machine.rows("random") for machine in CPUS] + [H200.rows("random_large")]))
    permutations = [machine.labelled("permute") for machine in CPUS] + [H200.labelled("permutations")]
    operations = [machine.labelled("operations") for machine in CPUS] + [H200.labelled("operations_large")]
    lines += [[what, *(one.fraction(label) for one in found)] for what, found, label in [
        ("16384² bytes transposed", permutations, "transpose_16384_el1"),
        ("512 × 512 × 1024 float32, the two slow axes swapped", permutations, "T1_1GiB_021"),
        ("8192² float32 flipped along both axes", operations, "flip_yx"),
        ("8192² float32 crinkled along x by 2", operations, "crinkle_x_2"),
        ("every axis of an array with rows of 33 float32 rolled by 1", operations, "roll_all_2d_33"),
        ("planes of three floats to records", operations, "planes_to_records_3")]]
    records = _of_all("conversions between layouts of records", [machine.rows("records") for machine in (EPYC_25, XEON, H200)])
    records[1] += " (family 25)"
    lines += [records, ["bytes to bit planes", *(one.fraction("bit_planes_1") for one in operations)]]
    return table(["", "AMD EPYC", "Intel Xeon", "NVIDIA H200"], lines)


TABLES = {"how-fast": how_fast}
