"""Decides how Fourier transforms by kept plans are summed up beside others'.

    <!-- table fft-kept machine=h200
    lengths to 4096: kept_seed57_float32_n12..4096
    a few: kept_float32_n{96,480} kept_real_float32_n96
    -->

A line a line of the marker, WORDS: names of rows; n12..4096 are all rows of such names with these lengths.

SPDX-License-Identifier: BSD-3-Clause
"""
import re

from . import numbers
from .documents_suites import expanded
from .markdown import table
from .read import Refused


def _chosen(rows, names):
    by_name, chosen = {row.name: row for row in rows}, []
    for name in expanded(names):
        many = re.fullmatch(r"(.*_n)(\d+)\.\.(\d+)", name)
        found = [by_name.get(name)] if not many else [row for row in rows if row.name.startswith(many[1]) and int(many[2]) <= int(row.name.removeprefix(many[1])) <= int(many[3])]
        if not found or None in found:
            raise Refused(f"expected a row {name}")
        chosen += found
    return chosen


def _mean_and_least(quotients):
    quotients = [quotient for quotient in quotients if quotient is not None]
    return f"{numbers.fraction(numbers.geometric_mean(quotients))}, {numbers.fraction(min(quotients))}" if quotients else numbers.NONE


def kept(machine, lines):
    rows = machine.rows("rivals_fft_kept")
    rivals = list(dict.fromkeys(name for row in rows for name in row.given["rivals"]))

    def times(row, rival):
        return row.given["rivals"][rival]["seconds"] / row.seconds if rival in row.given["rivals"] else None

    told = []
    for line in lines:
        words, _, names = line.partition(": ")
        chosen = _chosen(rows, names)
        better = [min(one["seconds"] for one in row.given["rivals"].values()) / row.seconds for row in chosen]
        told.append([words, str(len(chosen)), _mean_and_least([row.fraction for row in chosen]), *(_mean_and_least([times(row, rival) for row in chosen]) for rival in rivals), _mean_and_least(better)])
    return table(["lines", "cases", "of a copy", *(f"of {rival.removesuffix(' (kept plan)').removesuffix(' (CuPy, kept plan)')}" for rival in rivals), "of the better"], told)


TABLES = {"fft-kept": kept}
