#!/usr/bin/env python3
"""Puts what the planner predicts beside what the profiler counted: a table, and one JSON document.

usage: join_counters.py PREDICTED.json COUNTED.csv JOINED.json

PREDICTED is what `bench_gpu predicted` printed, COUNTED what ncu (--csv --page raw) wrote of `bench_gpu moved`: kernels in
the order of the shapes, as many as it takes to have a shape's blocks. Of what is read, requests and sectors are those of loads, which copies
straight to shared memory (LDGSTS) are counted with; shared memory is written by stores and by those copies. Loads of shared memory also look up
tables and what a block shares, which no prediction counts; conflicts are wavefronts beyond the fewest. `--self-test` joins two shapes.

SPDX-License-Identifier: BSD-3-Clause
"""
import csv
import io
import json
import sys

GLOBAL = "t_{}_pipe_lsu_mem_global_op_{}"
SHARED = "data_pipe_lsu_wavefronts_mem_shared_op_{}"
CONFLICTS = "data_bank_conflicts_pipe_lsu_mem_shared_op_{}"
COMPARED = [  # side, count, the metrics that add up to it
    ("read", "requests", [GLOBAL.format("requests", "ld")]),
    ("read", "sectors", [GLOBAL.format("sectors", "ld")]),
    ("read", "wavefronts", [SHARED.format(op) for op in ("st", "ldgsts")]),
    ("read", "conflicts", [CONFLICTS.format(op) for op in ("st", "ldgsts")]),
    ("write", "requests", [GLOBAL.format("requests", "st")]),
    ("write", "sectors", [GLOBAL.format("sectors", "st")]),
    ("write", "wavefronts", [SHARED.format("ld")]),
    ("write", "conflicts", [CONFLICTS.format("ld")]),
]

HEAD = ["device", "driver", "compiler", "commit", "date"]  # that results say of themselves

METRICS = {name for _, _, names in COMPARED for name in names} | {SHARED.format("ldgsts"), GLOBAL.format("sectors", "ldgsts_cache_bypass")}


def plain(metric):
    """l1tex__t_x.sum and sm__sass_l1tex_t_x.sum are t_x, smsp__sass_inst_x.sum is smsp__inst_x."""
    return metric.removesuffix(".sum").split("l1tex_")[-1].lstrip("_").replace("sass_inst", "inst")


def kernels_of(text):
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if first is None:
        raise SystemExit("join_counters.py: the profiler's file has no table:\n" + "\n".join(lines[-5:]))
    rows = list(csv.DictReader(io.StringIO("\n".join(line for line in lines[first:] if line.startswith('"')))))
    return [{"name": row["Kernel Name"]} | {plain(k): float(v.replace(",", "")) for k, v in row.items() if v and ("__" in k) and v.replace(",", "").replace(".", "").isdigit()}
            for row in rows if row["ID"]]  # the row of units has no ID


def check_head(predicted):
    lacking = [key for key in HEAD if key not in predicted]
    if lacking:
        raise SystemExit(f"join_counters.py: what was predicted has no {', '.join(lacking)}; predict with a program of today")


def put_beside(count, measured):
    """Of a count that was predicted."""
    return {"predicted": count, "measured": measured} | ({"ratio": measured / count} if count > 0 else {})


def join(predicted, text):
    check_head(predicted)
    kernels = kernels_of(text)
    at = 0
    for row in predicted["rows"]:
        mine, blocks = [], 0
        while blocks < row["blocks"] and at < len(kernels):
            mine.append(kernels[at])
            blocks += kernels[at]["launch__grid_size"]
            at += 1
        if blocks != row["blocks"]:
            raise SystemExit(f"join_counters.py: {row['name']} has {row['blocks']} blocks, the profiler's next kernels {blocks:.0f}")
        row["launches"] = len(mine)
        counted = {name: int(sum(k.get(name, 0) for k in mine)) for name in sorted({n for k in mine for n in k} & METRICS)}
        for side, count, metrics in COMPARED:
            row[side][count] = put_beside(row[side][count], sum(counted.get(name, 0) for name in metrics))
        row["counted"] = counted
    if at != len(kernels):
        raise SystemExit(f"join_counters.py: {len(kernels) - at} kernels more than the shapes have")
    return predicted


def print_table(joined):
    heads = [f"{side} {count}" for side, count, _ in COMPARED]
    print(f"{'shape':24} {'tiles':>22} " + " ".join(f"{head + ': predicted, measured, ratio':>48}" for head in heads))
    equal = dict.fromkeys(heads, 0)
    for row in joined["rows"]:
        kinds = ", ".join(sorted({f"{t['kind']} {t['unit']}" for t in row["tiles"]}))
        cells = []
        for side, count, _ in COMPARED:
            c = row[side][count]
            equal[f"{side} {count}"] += c["predicted"] == c["measured"]
            cells.append(f"{c['predicted']:>20} {c['measured']:>18} {c.get('ratio', 1):>8.4f}")
        print(f"{row['name']:24} {kinds:>22} " + " ".join(cells))
    for head in heads:
        print(f"{head}: equal in {equal[head]} of {len(joined['rows'])} shapes")


def self_test():
    row = {"blocks": 3, "tiles": [{"kind": "rows", "unit": 4, "blocks": 3}], 
           "read": {"requests": 5, "sectors": 50, "wavefronts": 0, "conflicts": 0}, "write": {"requests": 4, "sectors": 40, "wavefronts": 7, "conflicts": 3}}
    predicted = {key: key for key in HEAD} | {"rows": [{"name": "one", **json.loads(json.dumps(row))}, {"name": "two", **json.loads(json.dumps(row))}]}
    head = ["ID", "Kernel Name", "launch__grid_size", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "sm__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts_cache_bypass.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"]
    table = [head, ["", "", "", "request", "request", "sector"], ["0", "k<1, 2>", "3", "5", "0", "1,040"], ["1", "k", "1", "2", "1", "20"], ["2", "k", "2", "3", "2", "20"]]
    text = "==PROF== Connected\n" + "\n".join(",".join(f'"{cell}"' for cell in line) for line in table) + "\n==PROF== Disconnected\n"
    try:
        join({"rows": [], "device": "d", "commit": "c"}, text)
        raise AssertionError("a head without date was taken")
    except SystemExit as refusal:
        assert "has no driver, compiler, date;" in str(refusal), refusal
    joined = join(predicted, text)
    assert [joined[key] for key in HEAD] == HEAD, joined
    one, two = joined["rows"]
    assert one["read"]["requests"] == {"predicted": 5, "measured": 5, "ratio": 1.0}, one
    assert one["write"]["sectors"]["measured"] == 1040 and one["launches"] == 1, one
    assert two["read"]["requests"]["measured"] == 5 and two["write"]["sectors"]["ratio"] == 1.0 and two["launches"] == 2, two
    print_table(predicted)


def join_files(arguments, usage, join_texts, show):
    """PREDICTED COUNTED JOINED: what `join_texts` makes of the first two goes to the third, and `show` prints it."""
    if len(arguments) != 3:
        raise SystemExit(usage)
    with open(arguments[0]) as predicted, open(arguments[1]) as counted:
        joined = join_texts(json.load(predicted), counted.read())
    with open(arguments[2], "w") as out:
        json.dump(joined, out, indent=1)
        out.write("\n")
    show(joined)


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        join_files(sys.argv[1:], __doc__, join, print_table)
