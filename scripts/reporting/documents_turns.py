"""Decides tables of whole suites beside others: every row, what crinkle takes, and how many times as long each rival does.

    <!-- table turns machine=epyc-17 suite=rivals_daily -->

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers
from .markdown import table


def turns(machine, suite):
    told = []
    for row in machine.rows(suite):
        rivals = row.given["rivals"]
        others = ", ".join(f"{label} {numbers.times(theirs['seconds'] / row.seconds)}" for label, theirs in rivals.items())
        peaks = [one["peak_bytes"] for one in (row.given, *rivals.values()) if "peak_bytes" in one]
        copy = numbers.fraction(row.given["fraction_of_copy"]) if "fraction_of_copy" in row.given else numbers.NONE
        told.append([row.name, numbers.seconds(row.seconds), others, copy, ", ".join(f"{peak / 1e6:.0f}" for peak in peaks) or numbers.NONE])
    return table(["", "crinkle", "times that of others", "of a copy", "peak in MB, ours and others'"], told)


TABLES = {"turns": turns}
