"""Decides the tables of docs/measurements.md that are of CPUs: index arrays, and what others reach.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers
from .committed import EPYC, RUNS, XEON
from .markdown import paragraph, table


def index_arrays():
    """Gathers and scatters beside the loop in the same row."""
    found = [machine.labelled("operations" + suffix) for _, machine, suffix in RUNS]

    def times_a_loop(row):
        ours, loop = row.contenders
        return numbers.fraction(loop.seconds / ours.seconds)

    lines = []
    for verb in ["gather", "scatter"]:
        for order in ["sorted", "random"]:
            labels = [f"{verb}_{order}_{n}" for n in ("4", "8", "rows_64", "rows_1024")]
            lines.append([f"{verb}, {order}"] + [", ".join(times_a_loop(one[label]) for label in labels) for one in found])
    return table(["times a plain loop, runs of 4, 8, 64, 1024 bytes"] + [name for name, _, _ in RUNS], lines)


# The best of what others reach, as fractions of the best copy: their newest versions, two cores with AVX-512, 2026-11; one thread, two.
BEST = [
    ("TTC, float32, geometric mean", "HPTT, autotuned", "0.54", "0.54", "permute", 4),
    ("TTC, float64, geometric mean", "HPTT, best of its runs", "–", "0.60", "permute", 8),
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


def best_of_others():
    def ours(machine, suite, which):
        if isinstance(which, list):
            return machine.labelled(suite).fractions(which)
        ttc = [row for row in machine.rows(suite) if row.name.startswith("TTC") and row.element_bytes == which]
        return numbers.fraction(numbers.mean_and_least(ttc)[0])

    return table(["what", "best rival", "one thread", "two"] + [name for name, _, _ in RUNS],
                 [[*told, *(ours(machine, suite + suffix, which) for _, machine, suffix in RUNS)] for *told, suite, which in BEST])


def beside_numpy():
    """Every move four times: a prepared plan and one from the cache, one thread and all."""
    def told(machine):
        pairs = numbers.times_faster(machine.rows("numpy"))
        n = sum(n for _, _, _, n, _ in pairs)
        return f"{n - sum(len(slower) for *_, slower in pairs)} of {n} on the {machine.name}"

    return paragraph(f"crinkle is faster in {told(EPYC)} and {told(XEON)}.")


TABLES = {"index-arrays": index_arrays, "best-of-others": best_of_others, "numpy": beside_numpy}
