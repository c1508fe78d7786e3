#!/usr/bin/env python3
"""Prints the tables of docs/performance.md from bench/results."""
# SPDX-License-Identifier: BSD-3-Clause
import json
import math
import pathlib

results = pathlib.Path(__file__).resolve().parent.parent / "bench" / "results"
machines = [("EPYC", "epyc-2-cores"), ("Xeon", "xeon-2-cores")]
record_machines = [("EPYC (family 25)", "epyc-family-25-2-cores"), ("Xeon, two of 16 cores", "xeon-16-cores"), ("Xeon", "xeon-2-cores")]
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


def records_lines(folder, suite):
    """What, one way and back, of bench/cases/records.txt."""
    named = {name: r["fraction_of_copy"] for (name, _), r in rows(folder, suite).items()}

    def listed(name, numbers):
        return ", ".join(f"{named[name.format(n)]:.2f}" for n in numbers)

    some = (*range(2, 10), 12, 16)
    lines = [["AoS to SoA, 2 to 9, 12 and 16 fields of 4 bytes", listed("aos_to_soa_{}", some), listed("soa_to_aos_{}", some)],
             ["2 to 9 arrays that lie apart, to records", listed("interlace_apart_{}", range(2, 10)), listed("interlace_apart_{}_back", range(2, 10))]]
    return lines + [[name.replace("_", " "), f"{named[name]:.2f}", f"{named[name + '_back']:.2f}"]
                    for name in named if name + "_back" in named and not name.startswith("interlace")]


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

# The best of what others reach, as fractions of the best copy: their newest versions, two cores with AVX-512, 2026-11; one thread, two.
rivals = [
    ("TTC, float32, geometric mean", "HPTT, autotuned", "0.54", "0.54", "permute", ["TTC", 4]),
    ("TTC, float64, geometric mean", "HPTT, best of its runs", "–", "0.60", "permute", ["TTC", 8]),
    ("six orders of 128 × 256 × 512", "HPTT, autotuned", "0.37–0.66", "0.47–0.65", "permute", [f"T1_64MiB_{o}" for o in ("012", "021", "102", "120", "201", "210")]),
    ("flips of 8192²", "OpenCV, Eigen", "0.64–0.67", "0.60", "operations", ["flip_y", "flip_x"]),
    ("roll of 8192², both axes", "four memcpy", "0.56", "0.57", "operations", ["roll_y_3001_x_1234"]),
    ("crinkle by 2, 4, 8, fast axis", "HPTT, autotuned", "0.58–0.76", "0.58–0.78", "operations", [f"crinkle_x_{n}" for n in (2, 4, 8)]),
    ("crinkle by 2, 4, 8, slow axis", "HPTT", "0.56–0.62", "0.60–0.63", "operations", [f"crinkle_y_{n}" for n in (2, 4, 8)]),
    ("2, 3, 4 planes to records", "OpenCV merge", "0.90–0.95", "0.51–0.55", "permute", [f"interlace_n{n}" for n in (2, 3, 4)]),
    ("5, 6, 8, 9 planes to records", "a plain loop", "0.57–0.61", "0.56–0.64", "permute", [f"interlace_n{n}" for n in (5, 6, 8, 9)]),
    ("records to 2, 3, 4 planes", "OpenCV split", "0.82, 0.67, 0.62", "0.65, 0.61, 0.61", "permute", [f"deinterlace_n{n}" for n in (2, 3, 4)]),
    ("records to 5, 6, 8, 9 planes", "OpenCV split", "0.42–0.55", "0.44–0.49", "permute", [f"deinterlace_n{n}" for n in (5, 6, 8, 9)]),
    ("bit planes, 1, 2, 4, 8 bytes", "bitshuffle", "0.43–0.49", "0.29–0.31", "operations", [f"bit_planes_{n}" for n in (1, 2, 4, 8)]),
    ("and back", "bitshuffle", "0.18–0.32", "0.17–0.26", "operations", [f"from_bit_planes_{n}" for n in (1, 2, 4, 8)]),
    ("byte shuffle, 2, 4, 8, 16 bytes", "Blosc", "0.31–0.62", "0.31–0.63", "operations", [f"byte_shuffle_{n}" for n in (2, 4, 8, 16)]),
    ("byte swap, 2, 4, 8 bytes", "a plain loop", "0.64", "0.63", "operations", [f"byte_swap_{n}" for n in (2, 4, 8)]),
]


def ours(folder, suite, names):
    read = rows(folder, suite)
    if names[0] == "TTC":
        fractions = [r["fraction_of_copy"] for (name, size), r in read.items() if name.startswith("TTC") and size == names[1]]
        return f"{math.exp(sum(map(math.log, fractions)) / len(fractions)):.2f}"
    named = {name: r["fraction_of_copy"] for (name, size), r in read.items() if not (size == 8 and name.startswith("T"))}
    return ", ".join(f"{named[name]:.2f}" for name in names)


lines = []
for what, who, lone, two, suite, names in rivals:
    lines.append([what, who, lone, two] + [ours(folder, suite + suffix, names) for _, folder, suffix in runs])
table(["what", "best rival", "one thread", "two"] + [name for name, _, _ in runs], lines)

for name, folder in record_machines:
    fractions = [r["fraction_of_copy"] for r in rows(folder, "records").values()]
    print(f"{name}, records: geometric mean {math.exp(sum(map(math.log, fractions)) / len(fractions)):.2f}\n")
    lone = {line[0]: line[1:] for line in records_lines(folder, "records_1_thread")}
    table(["layouts", "two threads: there", "back", "one thread: there", "back"], [line + lone[line[0]] for line in records_lines(folder, "records")])

# Records beside NumPy, OpenCV and a plain loop (bench/records_rivals.py).
for name, folder in record_machines:
    file = results / folder / "records_rivals.json"
    if not file.exists():
        continue
    ways = ["crinkle_1", "loop_1", "numpy", "opencv", "crinkle_all", "loop_all"]
    found = {}
    for row in json.loads(file.read_text())["rows"]:
        found.setdefault(row["case"], []).append(row)
    sizes = sorted({row["asked_bytes"] for measured in found.values() for row in measured}, reverse=True)
    for n in sizes:
        here = [row for measured in found.values() for row in measured if row["asked_bytes"] == n]
        for rival in ["loop_1", "numpy", "opencv"]:
            quotients = {row["case"]: row[rival + "_seconds"] / row["crinkle_1_seconds"] for row in here if row.get(rival + "_seconds")}
            behind = ", ".join(f"{case} {q:.2f}" for case, q in quotients.items() if q < 1)
            mean = math.exp(sum(map(math.log, quotients.values())) / len(quotients))
            print(f"{name}, {n / (1 << 20):g} MiB, one thread: {mean:.2f} times as fast as {rival} in the geometric mean; behind: {behind or 'nowhere'}\n")
    print(f"{name}, records of " + " and ".join(f"{n / (1 << 20):g} MiB" for n in sizes) + ", fractions of memcpy of as many bytes:\n")

    def told(measured, way):
        by_size = {row["asked_bytes"]: row.get(way + "_fraction_of_memcpy") for row in measured}
        return ", ".join(format(by_size[n], ".2f") if by_size.get(n) else "–" for n in sizes)

    table(["records", "crinkle, one thread", "a plain loop", "NumPy", "OpenCV", "crinkle, all threads", "a plain loop, all"],
          [[case] + [told(measured, way) for way in ways] for case, measured in found.items()])

# --- the GPU -----------------------------------------------------------------------------------------------------------
folder = "h200"
permutations = rows(folder, "permutations")
print("H200, permutations:\n")
lines = []
for element in sorted({size for _, size in permutations}):
    n, found = mean_and_least(permutations, element)
    lines.append([str(element), str(n), found])
table(["element bytes", "cases", "geometric mean, least"], lines)
uneven = ("transpose_odd", "nhwc", "nchw", "bitrev", "T1_64MiB", "T2_")
even = {k: r for k, r in permutations.items() if k[1] in (4, 8, 16) and not k[0].startswith(uneven)}
mean = math.exp(sum(math.log(r["fraction_of_copy"]) for r in even.values()) / len(even))
least = min(even, key=lambda k: even[k]["fraction_of_copy"])
print(f"aligned arrays of 4, 8 and 16 bytes, 190 MiB and more: {len(even)} cases, {mean:.3f}, least {even[least]['fraction_of_copy']:.2f} ({least[0]})\n")
large = rows(folder, "operations_large")
by_name = {name: r for (name, _), r in large.items()}
lines = [[what, ", ".join(f"{by_name[name]['fraction_of_copy']:.2f}" for name in names)] for what, names in operations if all(n in by_name for n in names)]
lines += [[what, f"{by_name[name]['fraction_of_copy']:.2f}"] for what, name in [
    ("roll by 3001 and 1234 of 8192²", "roll_y_3001_x_1234"), ("roll, flip and transpose of 8192² as one", "roll_flip_transpose"),
    ("Morton order of 8192²", "morton_8192"), ("bit reversal of 2^26", "bit_reverse_2^26"), ("checkerboard of 8192²", "checkerboard_8192")]]
table(["operation", "fraction of the driver's copy"], lines)
print("records, one way and back:\n")
table(["layouts", "there", "back"], records_lines(folder, "records"))
for suite, what in [("random_large", "120 permutations nobody chose"), ("huge", "more than 2^32 elements")]:
    found = rows(folder, suite)
    print(f"{what}:\n")
    lines = []
    for element in sorted({size for _, size in found}):
        n, text = mean_and_least(found, element)
        lines.append([str(element), str(n), text])
    table(["element bytes", "cases", "geometric mean, least"], lines)
vectors = results / folder / "vectors.json"
if vectors.exists():
    print("records in kernels: every thread turns one round, of a copy; every thread reads all, ms:\n")
    table(["records as", "layout", "one each", "all, ms"],
          [[row["name"], "`" + row["layout"].replace("|", "\\|") + "`", f"{row['fraction_of_copy']:.2f}", f"{row['sum_seconds'] * 1e3:.2f}"]
           for row in json.loads(vectors.read_text())["rows"]])

# --- the papers' tables and figures, chains, small arrays, and other libraries -------------------------------------------
papers = [("H200", "h200"), ("EPYC (family 25)", "epyc-family-25-2-cores")]


def named_rows(folder, suite):
    return {r["name"]: r for r in json.loads((results / folder / (suite + ".json")).read_text())["rows"]}


def fraction(found, name):
    return f"{found[name]['fraction_of_copy']:.2f}" if name in found else "–"


print("Paper 0's figures 12 to 15 at 8192² float32, ms:\n")
lines = []
for name, folder in papers:
    file = json.loads((results / folder / "hypercubic.json").read_text())
    found = {r["name"]: r for r in file["rows"]}
    for operation in ["blur", "flip", "shift", "crinkle"]:
        ours = [found.get(f"{operation}_8192_{way}") for way in ("A", "B", "C", "crinkle")]
        there = next(told["seconds"] for title, told in file["paper"].items() if title.endswith(operation))
        lines.append([f"{operation}, {name}"] + [f"{r['seconds'] * 1e3:.3g}" if r else "–" for r in ours] + [f"{ours[0]['bytes'] / ours[0]['copy_gb_per_s'] / 1e6:.3g}"]
                     + [f"{there[way] * 1e3:g}" if way in there else "–" for way in ("A", "B", "C")])
table(["operation", "A", "B", "C", "crinkle", "copy", "paper: A", "B", "C"], lines)

print("Papers 2 and 3's tables:\n")
read = [named_rows(folder, "rearrange") for _, folder in papers]
table(["case"] + [name for name, _ in papers] + ["the paper's, on its card"],
      [[name.replace("_", " ")] + [fraction(found, name) for found in read] +
       [f"{row['paper']['fraction_of_copy']:.2f}" if "fraction_of_copy" in row.get("paper", {}) else "–"] for name, row in read[1].items()])

print("Chains as one pass:\n")
read = [named_rows(folder, "fused") for _, folder in papers]
table(["chain"] + [name for name, _ in papers] + [f"{papers[1][0]}, times as fast as step by step"],
      [[name.replace("_", " ")] + [fraction(found, name) for found in read] + [f"{row['rivals']['step by step']['seconds'] / row['seconds']:.2f}"]
       for name, row in read[1].items()])

print("Small arrays, EPYC (family 25), two threads:\n")
found = named_rows(papers[1][1], "small")
sizes = ["1KiB", "4KiB", "16KiB", "64KiB", "256KiB", "1MiB"]
table(["operation"] + [size.replace("KiB", " KiB").replace("MiB", " MiB") for size in sizes], [[what] + [fraction(found, f"{what}_{size}") for size in sizes] for what in ("transpose", "flip", "roll")])
ratios = [(name, r) for name, r in found.items() if name.startswith("1000_")]
print("1000 transposes in one move, of " + ", ".join(name.rsplit("_", 1)[1].replace("KiB", " KiB").replace("56B", "56 B") for name, _ in ratios) + ": "
      + ", ".join(f"{r['rivals']['one by one']['seconds'] / r['seconds']:.1f}" for _, r in ratios) + " times as fast as one by one\n")

print("From 64² to 16384², and rank 2 to 24:\n")
read = [named_rows(folder, "scaling") for _, folder in papers]
for start, head in [("transpose_", "transpose of N²"), ("reversed_rank_", "all axes of 2^24 float32 reversed, rank")]:
    names = [name for name in read[0] if name.startswith(start)]
    table([head] + [name.rsplit("_", 1)[1] for name in names], [[machine] + [fraction(found, name) for name in names] for (machine, _), found in zip(papers, read)])

rivals = named_rows(papers[1][1], "rivals")
labels = list(dict.fromkeys(label for row in rivals.values() for label in row["rivals"]))
print("Other libraries, EPYC (family 25), two threads, 64 MiB a side; how many times faster crinkle is:\n")
table(["case", "of the copy"] + labels, [[name.replace("_", " "), fraction(rivals, name)] + [
    f"{row['rivals'][label]['seconds'] / row['seconds']:.2f}" if label in row["rivals"] else "–" for label in labels] for name, row in rivals.items()])
for label in labels:
    ratios = {name: row["rivals"][label]["seconds"] / row["seconds"] for name, row in rivals.items() if label in row["rivals"]}
    least = min(ratios, key=ratios.get)
    print(f"{label}: {math.exp(sum(map(math.log, ratios.values())) / len(ratios)):.2f} in the geometric mean of {len(ratios)}, least {ratios[least]:.2f} ({least.replace('_', ' ')})")
