"""Decides what a page says of paper 2's model of waste: what a thread of the bounding box costs (β, in three dimensions α) and one of a map (τ, γ), the penalty
k = τ/β, and the improvement that eqs. 6, 7, 18 and 19 make of them beside the one that was measured; and up to how many rows each root holds without a correction.

SPDX-License-Identifier: BSD-3-Clause
"""
import json

from . import numbers, papers_chart
from .documents_simplex import MAPS
from .page import table

RHO = {2: 16, 3: 8}  # threads of a block's side
PAIRS = {"roots": "Figure 3: square roots", "dummy": "Figure 5: dummy", "edm": "Figure 5: Euclidean distances"}
CUBES = {"tetrahedron": "Section 6: tetrahedra, dummy"}


def costs(rows, box, dimensions):
    """{map: {n: seconds a thread that it starts}} of a test's rows; the bounding box is among them. Threads are those of blocks that eqs. 6 and 18 count."""
    found = {}
    for row in rows:
        side = row.given["n"] / RHO[dimensions]
        cells = side ** dimensions if row.given["map"] == box else side * (side + 1) / 2 if dimensions == 2 else side * (side + 1) * (side + 2) / 6
        found.setdefault(row.given["map"], {})[row.given["n"]] = row.seconds / (cells * RHO[dimensions] ** dimensions)
    return found


def improvement(box, other, n, dimensions):
    """I of n points by eq. 6, or 18, from the cost of a thread of the box and of another map."""
    side = n / RHO[dimensions]
    if dimensions == 2:
        return 2 * box * side ** 2 / (other * (side ** 2 + side))
    return 6 * box * side ** 3 / (other * (side ** 3 + 3 * side ** 2 + 2 * side))


def _of_test(test, title, rows, dimensions):
    """Words, a table and a chart of one test, or nothing where it has too few rows."""
    rows = [row for row in rows if row.place and row.name.startswith(test + "_") and row.place.title == title]
    box = "bounding_box" if dimensions == 2 else "tetrahedron_box"
    found = costs(rows, box, dimensions)
    if box not in found or len(found) < 2:
        return None
    most = max(found[box])
    first, second, limit, equations = ("β", "τ", 2, "6 and 7") if dimensions == 2 else ("α", "γ", 6, "18 and 19")
    told, lines, off = [], {}, []
    for name, by_n in found.items():
        if name == box or most not in by_n or name.startswith("upper_"):
            continue
        beta, tau = found[box][most], by_n[most]
        measured = {n: improvement(found[box][n], cost, n, dimensions) for n, cost in by_n.items() if n in found[box]}  # the quotient of the times
        off += [abs(improvement(beta, tau, n, dimensions) / value - 1) for n, value in measured.items()]
        told.append([MAPS.get(name, name), numbers.significant(1e12 * beta), numbers.significant(1e12 * tau), numbers.fraction(tau / beta), numbers.fraction(measured[most]),
                     numbers.fraction(limit * beta / tau)])
        if name in ("lambda_x", "lambda_r", "fold", "tetrahedron"):
            lines[f"{MAPS.get(name, name)}, measured"] = sorted(measured.items())
            lines[f"{MAPS.get(name, name)}, by eq. {equations[:2].strip()}"] = [(n, improvement(beta, tau, n, dimensions)) for n in sorted(measured)]
    if not told:
        return None
    outside = [line[0] for line in told if not 0 < float(line[4]) < limit]
    words = (f"{first} and {second} are what a thread that is started takes, at n = {numbers.whole(most)}, out of the measured times; k = {second}/{first} is the penalty. With these "
             f"eqs. {equations} give I at every n: they differ from what was measured by {numbers.percent(max(off))} at most, most of all where n is small. "
             + (f"All of I is in the paper's range, 0 < I < {limit}." if not outside else f"Beyond the paper's range, 0 < I < {limit}: {', '.join(outside)}."))
    return (f"Waste, {title}", words, table(["map", f"{first}, ps a thread", f"{second}, ps", "k", "I measured", f"limit, {limit}{first}/{second}"], told),
            papers_chart.drawing(f"Waste, {title}", "n", "times as fast as the bounding box", lines, True))


def of_files(files):
    """(title, words, table, chart) of each test that was run."""
    rows = [row for file in files for row in file.rows if "map" in row.given]
    found = [_of_test(test, title, rows, 2) for test, title in PAIRS.items()] + [_of_test(test, title, rows, 3) for test, title in CUBES.items()]
    return [one for one in found if one]


def epsilon_ranges(files):
    """(words, table) of the roots that are not corrected, or None in results that do not have them."""
    for file in files:
        given = json.loads(file.path.read_text(encoding="utf-8")).get("epsilon")
        if not given:
            continue
        side, tried = given["block_side"], given["rows_tried"]
        told = [[MAPS[one["map"]], f"{one['epsilon']:g}", f"{one['rows']} of {tried}", f"n ≤ {one['rows'] * side}", "none" if one["first_wrong"] < 0 else str(one["first_wrong"])]
                for one in given["ranges"]]
        claimed = 30720 // side
        short = [MAPS[one["map"]] for one in given["ranges"] if one["epsilon"] and one["rows"] < claimed]
        words = (f"The paper's roots in float32 without a correction; rows are of blocks of {side} points. It states that ε = 10⁻⁴ mends them for n up to 30720, {claimed} rows: "
                 + (f"not {' and '.join(short)}, computed on a CPU. " if short else "so it is, computed on a CPU. ") + "The library's maps are exact for every number of a cell.")
        return words, table(["root", "ε", "rows that are right", "points", "the first wrong block"], told)
    return None
