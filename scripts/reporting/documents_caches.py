"""Decides how hot and cold runs are set side by side: a line a suite, its shares of a copy with full and with empty caches.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers
from .committed import H200, XEON
from .markdown import table

SUITES = [("permutations", "permute", "permutations"), ("random permutations", None, "random_large"), ("operations", "operations", "operations_large"),
          ("rearrange", "rearrange", "rearrange"), ("records", "records", "records"), ("fused", "fused", "fused"), ("hypercubic, by plans", "hypercubic", "hypercubic"),
          ("scaling", "scaling", "scaling"), ("small", "small", "small")]


def hot_and_cold():
    def told(machine, suite):
        rows = [row for row in machine.rows(suite) if row.is_ours and row.cold_fraction] if suite else []
        if not rows:
            return [numbers.NONE] * 3
        ratios = [row.cold_fraction / row.fraction for row in rows]
        return [numbers.fraction(numbers.geometric_mean(values)) for values in ([row.fraction for row in rows], [row.cold_fraction for row in rows])] + [
            f"{numbers.fraction(min(ratios))}–{numbers.fraction(max(ratios))}"]

    return table(["suite"] + [f"{machine.name}, {what}" for machine in (XEON, H200) for what in ("hot", "cold", "cold over hot, row by row")],
                 [[what, *told(XEON, on_cpu), *told(H200, on_gpu)] for what, on_cpu, on_gpu in SUITES])


TABLES = {"hot-and-cold": hot_and_cold}
