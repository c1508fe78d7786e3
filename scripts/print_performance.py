#!/usr/bin/env python3
"""Prints the tables of docs/performance.md from bench/results."""
# SPDX-License-Identifier: BSD-3-Clause
import json
import math
import pathlib

results = pathlib.Path(__file__).resolve().parent.parent / "bench" / "results"
machines = [("EPYC", "epyc-2-cores"), ("Xeon", "xeon-2-cores")]
runs = [(f"{name}, {threads}", folder, suffix) for name, folder in machines for threads, suffix in [("one thread", "_1_thread"), ("two", "")]]


def rows(folder, suite):
    read = json.loads((results / folder / (suite + ".json")).read_text())["rows"]
    return {(r["name"], r["element_bytes"]): r for r in read}


def table(head, lines):
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for line in lines:
        print("| " + " | ".join(line) + " |")
    print()


def mean_and_least(read, element):
    fractions = {name: r["fraction_of_copy"] for (name, size), r in read.items() if size == element}
    mean = math.exp(sum(map(math.log, fractions.values())) / len(fractions))
    least = min(fractions, key=fractions.get)
    return len(fractions), f"{mean:.2f}, {fractions[least]:.2f} ({least})"


for suite in ["permute", "random"]:
    for name, folder in machines:
        print(f"{name}, {suite}:\n")
        one, two = rows(folder, suite + "_1_thread"), rows(folder, suite)
        lines = []
        for element in sorted({size for _, size in two}):
            n, lone = mean_and_least(one, element)
            lines.append([str(element), str(n), lone, mean_and_least(two, element)[1]])
        table(["element bytes", "cases", "one thread: geometric mean, least", "two threads: geometric mean, least"], lines)

ranks = [(2, "2d"), (3, "3d"), (4, "4d")]
operations = [
    ("flip of 8192², slow, fast, both axes", ["flip_y", "flip_x", "flip_yx"]),
    ("roll by 1 of 8192², slow and fast axis", ["roll_y_1", "roll_x_1"]),
]
for axis, word in [("y", "slow"), ("x", "fast")]:
    for verb in ["crinkle", "uncrinkle"]:
        operations.append((f"{verb} by 2, 4, 8, {word} axis", [f"{verb}_{axis}_{n}" for n in (2, 4, 8)]))
operations.append(("crinkle and uncrinkle by 3 (`--tail ragged`), fast axis", ["crinkle_x_3", "uncrinkle_x_3"]))
for rank, r in ranks:
    operations += [
        (f"roll by 1 on all axes, rank {rank}, fast extents 7, 33, 100, 8191", [f"roll_all_{r}_{n}" for n in (7, 33, 100, 8191)]),
        (f"reflect pad by 1 on all axes, rank {rank}, the same", [f"pad_all_{r}_{n}" for n in (7, 33, 100, 8191)]),
        (f"ragged crinkle by 3, rank {rank}, fast extents 7, 34, 100, 8191", [f"crinkle_ragged_{r}_{n}" for n in (7, 34, 100, 8191)]),
    ]
operations += [
    ("three-float records to planes, and back", ["records_to_planes_3", "planes_to_records_3"]),
    ("byte swap, 2, 4, 8 bytes", [f"byte_swap_{n}" for n in (2, 4, 8)]),
    ("byte shuffle, 2, 4, 8, 16 bytes", [f"byte_shuffle_{n}" for n in (2, 4, 8, 16)]),
    ("and back", [f"byte_unshuffle_{n}" for n in (2, 4, 8, 16)]),
    ("bit planes, 1, 2, 4, 8 bytes", [f"bit_planes_{n}" for n in (1, 2, 4, 8)]),
    ("and back", [f"from_bit_planes_{n}" for n in (1, 2, 4, 8)]),
]
read = [{name: r for (name, _), r in rows(folder, "operations" + suffix).items()} for _, folder, suffix in runs]
table(["operation"] + [name for name, _, _ in runs],
      [[what] + [", ".join(f"{r[n]['fraction_of_copy']:.2f}" for n in names) for r in read] for what, names in operations])
loops = []
for verb in ["gather", "scatter"]:
    for order in ["sorted", "random"]:
        names = [f"{verb}_{order}_{n}" for n in ("4", "8", "rows_64", "rows_1024")]
        loops.append([f"{verb}, {order}"] + [", ".join(f"{r[n]['gb_per_s'] / r[n]['loop_gb_per_s']:.2f}" for n in names) for r in read])
table(["times a plain loop, runs of 4, 8, 64, 1024 bytes"] + [name for name, _, _ in runs], loops)
