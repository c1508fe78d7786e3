"""Decides the tables of docs/measurements.md on triangles and tetrahedra: the figures of Navarro, Bustos and Hitschfeld, and the library's calls.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers
from .markdown import paragraph, table
from .read import Refused

TESTS = [("dummy", "dummy"), ("map", "the map alone"), ("edm", "distances"), ("collisions_1d", "collisions, 1-D"), ("collisions_3d", "collisions, 3-D")]
MAPS = {"bounding_box": "bounding box", "lambda_x": "λ by a square root", "lambda_n": "λ by Newton's steps", "lambda_r": "λ by a reciprocal root",
        "lambda_integer": "λ by integers", "lambda_x_balanced": "λ, balanced grid", "rectangular_box": "rectangular box", "recursive": "recursive partition",
        "upper_triangular": "upper triangular, of threads", "fold": "fold (the default)", "fold_linear": "fold, a line of blocks", "banded": "bands of 8 rows",
        "tetrahedron": "tetrahedron (the default)", "tetrahedron_balanced": "tetrahedron, cubic grid"}


LEAST_LEAD = 0.01  # what counts as ahead


def rows_of(machine, test, n=None):
    """{n: {map: row}} of a test, or {map: row} for one n."""
    found = {}
    for row in machine.rows("simplex"):
        if "map" in row.given and row.place and row.name == f"{test}_{row.given['n']}_{row.given['map']}":
            found.setdefault(row.given["n"], {})[row.given["map"]] = row
    if not found or (n and n not in found):
        raise Refused(f"{machine.path('simplex')}: expected rows {test}_{n or 'n'}_…")
    return found[n] if n else found


def improvement(row):
    return numbers.fraction(row.given["improvement"]) if row else numbers.NONE


def rectangle(rows):
    """How many times as fast as the bounding box the full rectangle is."""
    box = rows["bounding_box"]
    return numbers.fraction(1 / box.fraction)


def maps(machine, n):
    """Times as fast as the bounding box, by map and test."""
    n = int(n)
    found = [rows_of(machine, test, n) for test, _ in TESTS]
    lines = [[MAPS[name], *(improvement(rows.get(name)) for rows in found)] for name in found[0]]
    return table([f"n = {n}", *(words for _, words in TESTS)], lines + [["a full rectangle", *map(rectangle, found)]])


def roots(machine, n):
    n = int(n)
    paper = {"lambda_x": "0.83–1.08", "lambda_n": "0.96–1.08", "lambda_r": "1.08–1.15"}
    rows = rows_of(machine, "roots", n)
    return table(["root", "times as fast as the bounding box", "the paper's, on three GPUs"],
                 [[MAPS[name], improvement(row), paper.get(name, numbers.NONE)] for name, row in rows.items() if name != "bounding_box"])


def default_map(machine):
    """The default map beside the full rectangle and the best of all maps, over n."""
    found = [rows_of(machine, test) for test, _ in TESTS]
    sizes = sorted(set().union(*found))

    def told(by_n, n):
        if n not in by_n:
            return numbers.NONE
        fold, best = by_n[n]["fold"], min(by_n[n].values(), key=lambda row: row.seconds)
        return f"{numbers.fraction(fold.fraction)}, {numbers.fraction(best.seconds / fold.seconds)}"

    return table(["fold, of a full rectangle, of the best map", *map(str, sizes)],
                 [[words, *(told(by_n, n) for n in sizes)] for (_, words), by_n in zip(TESTS, found)])


def leaders(machine):
    """Where the default map is behind another one, and by how much."""
    told = []
    for test, words in TESTS:
        by_n = rows_of(machine, test)
        best = {n: min(by_n[n].values(), key=lambda row: row.seconds) for n in sorted(by_n)}
        behind = [(n, by_n[n]["fold"].seconds / row.seconds - 1, MAPS[row.given["map"]]) for n, row in best.items()]
        behind = [f"{numbers.percent(lead)} at {n} ({name})" for n, lead, name in behind if lead >= LEAST_LEAD]
        told.append(f"{words}: {', '.join(behind) if behind else 'nowhere'}{f' ({len(behind)} of {len(by_n)})' * bool(behind)}")
    return paragraph(f"The fold is behind the best map, by {numbers.percent(LEAST_LEAD)} and more, in " + "; in ".join(told) + ".")


def tetrahedra(machine):
    found = {words: rows_of(machine, test) for test, words in (("tetrahedron", "dummy"), ("triplets", "Axilrod and Teller's energy"))}
    sizes = sorted(next(iter(found.values())))
    return table(["times as fast as the bounding box (predicted: up to 6), n", *map(str, sizes)],
                 [[f"{words}, {MAPS[name]}", *(improvement(by_n[n][name]) for n in sizes)] for words, by_n in found.items()
                  for name in by_n[sizes[0]] if name != "tetrahedron_box"])


def calls(machine):
    """The library's own, of a plain fill or of their kernel on a full rectangle."""
    rows = [row for row in machine.rows("simplex") if not row.place]
    if not rows:
        raise Refused(f"{machine.path('simplex')}: expected rows of calls")
    return table(["call, form, metric and n", "element bytes", "10⁹ pairs (triplets) a second", "GB/s written", "of", "fraction"],
                 [[row.name.replace("_", " "), str(row.element_bytes),
                   numbers.significant(1e-9 * row.given.get("pairs_per_s", row.given.get("triplets_per_s"))),
                   numbers.NONE if row.given["best_copy"] == "dense" else numbers.gb_per_s(row.gb_per_s),
                   "a full rectangle" if row.given["best_copy"] == "dense" else "a plain fill", numbers.fraction(row.fraction)] for row in rows])


def waste(machine, n):
    """One sentence on blocks that have nothing to do."""
    n = int(n)
    rows = rows_of(machine, "map", n)
    box, fold = rows["bounding_box"].given, rows["fold"].given
    return paragraph(f"For {n} points the bounding box starts {box['blocks']} blocks, of which {box['blocks_outside']} "
                     f"({numbers.percent(box['blocks_outside'] / box['blocks'])}) have nothing to do, the fold {fold['blocks']}, of which {fold['blocks_outside']}.")


def sentence(machine):
    """What README.md says of pairs and triplets."""
    by_name = {(row.name, row.element_bytes): row for row in machine.rows("simplex")}
    distances, collisions, triplets = (by_name[name, 4] for name in ("condensed_euclidean_30720", "count_collisions_3d_131072", "triplet_energy_2048"))
    rate = lambda row, key: numbers.significant(1e-9 * row.given[key])  # noqa: E731
    return paragraph(f"On an H200 the euclidean distances of 30720 points of four float32 features, condensed, take {numbers.significant(1e3 * distances.seconds)} ms, "
                     f"{rate(distances, 'pairs_per_s')} · 10⁹ pairs a second, at {numbers.fraction(distances.fraction)} of the rate of a plain fill; collisions of spheres are "
                     f"counted at {rate(collisions, 'pairs_per_s')} · 10⁹ pairs a second, Axilrod and Teller's energy at {rate(triplets, 'triplets_per_s')} · 10⁹ triplets.")


TABLES = {"simplex-sentence": sentence, "simplex-maps": maps, "simplex-tetrahedra": tetrahedra, "simplex-calls": calls, "simplex-roots": roots,
          "simplex-default": default_map, "simplex-waste": waste,
          "simplex-leaders": leaders}
