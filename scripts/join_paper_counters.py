#!/usr/bin/env python3
"""Puts what the suite fft_paper counts of paper 1's variants beside what the profiler counted: a table, and one JSON document.

usage: join_paper_counters.py WALKED.json COUNTED.csv JOINED.json

WALKED is what `crinkle-papers fft_paper --case table1 --json` wrote, COUNTED what ncu (--csv --page raw) wrote of the first launches of that run, whose
check runs every variant once, in the order of the rows. Counts are of all signals; `per_signal` is what was measured of one. What is read of global
memory are samples and roots. A count whose metric the profiler does not know is left out, and said so.

SPDX-License-Identifier: BSD-3-Clause
"""
import re
import sys

from join_counters import GLOBAL, SHARED, check_head, join_files, kernels_of, put_beside

COMPARED = {  # count: its metric, ld or st behind it, and its places in a walk: facts of a row that add up
    "requests": (GLOBAL.format("requests", ""), "requests", {"read": ["loads", "root_loads"], "write": ["stores"]}),
    "sectors": (GLOBAL.format("sectors", ""), "sectors", {"read": ["loads", "root_loads"], "write": ["stores"]}),
    "shared_requests": ("smsp__inst_executed_op_shared_", "requests", {"read": ["shared_loads"], "write": ["shared_stores"]}),
    "wavefronts": (SHARED.format(""), "wavefronts", {"read": ["shared_loads"], "write": ["shared_stores"]}),
}
OPS = {"read": "ld", "write": "st"}
TABLE = "table1_"


def refuse(words):
    raise SystemExit(f"join_paper_counters.py: {words}")


def check_names(row, kernels, seen):
    """A variant's kernels, in order; one of another variant is none of its own."""
    n = row["launches"]
    wanted = ["reversal_kernel"] + ["stage_kernel"] * (n - 1) if row["name"] == TABLE + "global" else ["blocks_kernel"] * n
    names = [kernel["name"] for kernel in kernels]
    if [re.search(r"\w+_kernel|$", name)[0] for name in names] != wanted:
        refuse(f"{row['name']} has {', '.join(wanted)}, the profiler's next kernels are {', '.join(names)}")
    for name in {name for name in names if "_kernel<" in name}:  # which a variant is a parameter of
        if name in seen:
            refuse(f"{row['name']} has a kernel of its own, and the profiler's {name} is also that of {seen[name]}")
        seen[name] = row["name"]


def join(walked, text):
    check_head(walked)
    kernels, rows, seen = kernels_of(text), [], {}
    known = {name for kernel in kernels for name in kernel}
    for row in walked["rows"]:
        if not row["name"].startswith(TABLE) or "launches" not in row:  # figure 5, and this library's plan
            continue
        mine, kernels = kernels[:row["launches"]], kernels[row["launches"]:]
        check_names(row, mine, seen)
        signals = 1 << row["log_signals"]
        joined = {"name": row["name"], "element_bytes": row["element_bytes"], "bytes": row["bytes"], "launches": len(mine), "signals": signals, "read": {}, "write": {}}
        for count, (metric, taken, places) in COMPARED.items():
            for side, op in OPS.items():
                if metric + op not in known:
                    continue
                if any(metric + op not in kernel for kernel in mine):
                    refuse(f"{row['name']}: a kernel without {metric + op}")
                measured = int(sum(kernel[metric + op] for kernel in mine))
                joined[side][count] = put_beside(sum(row[place][taken] for place in places[side]), measured) | {"per_signal": measured / signals}
        rows.append(joined)
    if not rows:
        refuse(f"what was walked has no rows {TABLE}… with launches")
    if not rows[0]["read"]:
        refuse("the profiler counted nothing that is walked")
    if kernels:
        refuse(f"{len(kernels)} kernels more than the variants have")
    return {key: value for key, value in walked.items() if key != "rows"} | {"suite": "fft_paper_counters", "rows": rows}


def print_table(joined):
    for count in COMPARED:
        for side in OPS:
            pairs = [row[side].get(count) for row in joined["rows"]]
            if None in pairs:
                print(f"{side} {count}: not counted")
                continue
            print(f"{side} {count}: equal in {sum(pair['predicted'] == pair['measured'] for pair in pairs)} of {len(pairs)} variants")
            for row, pair in zip(joined["rows"], pairs):
                if pair["predicted"] != pair["measured"]:
                    print(f"  {row['name']:28} {pair['predicted']:>12} walked {pair['measured']:>12} measured {pair['per_signal']:>8g} a signal {pair.get('ratio', 1):>8.4f}")


if __name__ == "__main__":
    join_files(sys.argv[1:], __doc__, join, print_table)
