"""How far samples lie apart. SPDX-License-Identifier: BSD-3-Clause
"""
import statistics


def quartile_range(samples):
    quarters = statistics.quantiles(samples, n=4, method="inclusive")
    return quarters[2] - quarters[0]
