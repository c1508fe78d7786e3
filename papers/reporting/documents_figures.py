"""Decides the table of docs/papers.md that says of each figure and table of the papers what came out, on a GPU and on two cores, beside the paper's own number.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import documents_idw, numbers, papers_cufft, papers_textures, papers_waste
from .committed import EPYC_25, H200
from .documents_simplex import rows_of
from .markdown import paragraph, table
from .papers_experiments import MOST_SPREAD
from .read import Refused


def _rows(machine, suite):
    return machine.rows(suite) if machine.path(suite).exists() else []


def _labelled(machine, suite):
    return machine.labelled(suite) if machine.path(suite).exists() else {}


def _hypercubic(operation):
    def told(machine):
        found = _labelled(machine, "hypercubic")
        if f"{operation}_8192_A" not in found:
            return numbers.NONE
        ways = [(way, found[f"{operation}_8192_{way}"]) for way in ("A", "B", "C", "crinkle") if f"{operation}_8192_{way}" in found]
        return ", ".join(f"{way} {1e3 * row.seconds:.3g}" for way, row in ways) + f" ms; C is {numbers.fraction(found[f'{operation}_8192_C'].seconds / found[f'{operation}_8192_B'].seconds)} of B"
    return told


def _table_1(first, last):
    def told(machine):
        found = {row.name: row.given["flops_per_s"] for row in _rows(machine, "fft_paper")}
        if f"table1_{last}" not in found:
            return numbers.NONE
        rates = [1e-9 * found[f"table1_{name}"] for name in (first, last)]
        return f"{numbers.significant(rates[0])} to {numbers.significant(rates[1])} GFLOP/s, {numbers.times(rates[1] / rates[0])} times"
    return told


def _figure_5(machine):
    rows = [row for row in _rows(machine, "fft_paper") if row.name.startswith("figure5_") and not row.name.endswith("_crinkle")]
    if not rows:
        return numbers.NONE
    best = max(rows, key=lambda row: row.given["flops_per_s"])
    beside = papers_cufft.summed_up(_rows(machine, papers_cufft.SUITE))
    return f"at best {numbers.significant(1e-9 * best.given['flops_per_s'])} GFLOP/s ({best.name.removeprefix('figure5_').replace('_', ' ')}){'; ' * bool(beside)}{beside}"


def _improvement(test):
    def told(machine):
        try:
            by_n = rows_of(machine, test)
        except Refused:
            return numbers.NONE
        most = max(by_n)
        rows = {name: row for name, row in by_n[most].items() if not name.endswith("_box") or name == "rectangular_box"}
        best = max(rows, key=lambda name: rows[name].given["improvement"])
        return f"n = {most}: {best.replace('_', ' ')} {numbers.fraction(rows[best].given['improvement'])} times the box"
    return told


def _waste(test, title, dimensions):
    def told(machine):
        rows = [row for row in _rows(machine, "simplex") if "map" in row.given and row.place and row.name.startswith(test + "_") and row.place.title == title]
        if not rows:
            return numbers.NONE
        costs = papers_waste.costs(rows, "bounding_box" if dimensions == 2 else "tetrahedron_box", dimensions)
        box, other = ("bounding_box", "lambda_x") if dimensions == 2 else ("tetrahedron_box", "tetrahedron")
        most = max(costs[box])
        alpha, gamma = costs[box][most], costs[other][most]
        names = "βτ" if dimensions == 2 else "αγ"
        return (f"{names[0]} = {numbers.significant(1e12 * alpha)} ps, {names[1]} = {numbers.significant(1e12 * gamma)} ps, k = {numbers.fraction(gamma / alpha)}, "
                f"limit {numbers.fraction((2 if dimensions == 2 else 6) * alpha / gamma)}")
    return told


def _share(number):
    def told(machine):
        rows = [row for row in _rows(machine, "rearrange") if row.given.get("paper") and row.given["paper"]["where"].endswith(number)]
        shares = [row.fraction for row in rows]
        return f"{numbers.percent(numbers.geometric_mean(shares))} of a copy, {numbers.percent(min(shares))} to {numbers.percent(max(shares))}" if shares else numbers.NONE
    return told


def _figure_1_of_3(machine):
    found = _labelled(machine, "rearrange")
    told = [f"{words} {numbers.percent(found[name].fraction)}" for name, words in (("sequential", "in sequence"), ("range_read", "a range"), ("indexed_read_random", "random index")) if name in found]
    return ", ".join(told) + " of a copy" if told else numbers.NONE


def _stars(machine):
    found = _labelled(machine, "stencil_star") or _labelled(machine, "stencil")
    told = [f"{order} {numbers.percent(found[f'star_2d_r{k}'].fraction)}" for k, order in enumerate(("I", "II", "III", "IV"), 1) if f"star_2d_r{k}" in found]
    return ", ".join(told) + " of a copy" if told else numbers.NONE


def _variants(machine):
    found = _labelled(machine, "textures")
    if "table4_order1_n4096, crinkle" not in found:
        return numbers.NONE
    told = [f"{name} {numbers.percent(found[f'table4_order1_n4096, {name}'].fraction)}" for name in (*papers_textures.TABLE_4, "crinkle")]
    return ", ".join(told) + " of a copy"


def _access(machine):
    found = _labelled(machine, "textures")
    if "access_blur_2d, global memory" not in found:
        return numbers.NONE
    told = [f"{memory} {numbers.fraction(found[f'access_blur_{rank}d, global memory'].seconds / found[f'access_blur_{rank}d, {memory}'].seconds)}"
            for rank in (2, 3) for memory in papers_textures.MEMORIES[1:]]
    return f"a blur, times as fast as by global memory: in 2-D {', '.join(told[:3])}; in 3-D {', '.join(told[3:])}"


def _layouts(form, is_figure_2=False):
    def told(machine):
        if not machine.path("idw").exists() or not documents_idw.sizes_of(machine, form):
            return numbers.NONE
        n, seconds = documents_idw.of_largest(machine, form)
        if is_figure_2:
            return f"n = {n}: improved {numbers.times(seconds['original'] / seconds['improved'])} times the original"
        best, worst = documents_idw.best_and_worst(seconds)
        return f"n = {n}: {best} is {numbers.fraction(seconds[worst] / seconds[best])} times as fast as {worst}"
    return told


PARTS = [
    ("paper 0, figure 12, blur", "`hypercubic`", "A 21.8, B 19.7, C 34.1 ms", _hypercubic("blur")),
    ("paper 0, figure 13, flip", "`hypercubic`", "A 6.2, B 6.7, C 11.8 ms", _hypercubic("flip")),
    ("paper 0, figure 14, shift", "`hypercubic`", "A 7.4, B 8.4, C 13.0, CPU 571.6 ms", _hypercubic("shift")),
    ("paper 0, figure 15, crinkle", "`hypercubic`", "A 28.2, B 44.7, C 45.7 ms", _hypercubic("crinkle")),
    ("paper 0, section 7.3", "`textures`, access", "textures have the best performance", _access),
    ("paper 1, table 1 (a)", "`fft_paper`, table1", "17.5 to 130 GFLOP/s, 7.4 times", _table_1("global", "folded")),
    ("paper 1, table 1 (b)", "`fft_paper`, table1", "142 to 229 GFLOP/s, 1.6 times", _table_1("unreversed", "stockham")),
    ("paper 1, figure 5", "`fft_paper`, figure5", "almost 40 GFLOP/s; ahead of CUFFT for large signals, behind for many small ones", _figure_5),
    ("paper 2, figure 3, roots", "`simplex`, roots", "0.83 to 1.15", _improvement("roots")),
    ("paper 2, figure 5, dummy", "`simplex`, dummy", "rectangular box 1.33, λ 1.18", _improvement("dummy")),
    ("paper 2, figure 5, distances", "`simplex`, edm", "rectangular box 1.28, λ 1.18", _improvement("edm")),
    ("paper 2, figure 5, collisions in 1-D", "`simplex`, collisions_1d", "λ about 1", _improvement("collisions_1d")),
    ("paper 2, figure 5, collisions in 3-D", "`simplex`, collisions_3d", "λ 1.07", _improvement("collisions_3d")),
    ("paper 2, eqs. 6 to 8 of figure 3's λ_X", "`simplex`, roots", "0 < I < 2", _waste("roots", "Figure 3: square roots", 2)),
    ("paper 2, eqs. 18 and 19 of section 6", "`simplex`, tetrahedron", "up to 6", _waste("tetrahedron", "Section 6: tetrahedra, dummy", 3)),
    ("paper 3, figure 1", "`rearrange`, sequential, range, indexed", "in sequence over 95 % of a copy", _figure_1_of_3),
    ("paper 3, table 1", "`rearrange`, order", "74 to 81 % of a copy", _share("table 1")),
    ("paper 3, table 2", "`rearrange`, reorder", "56 to 98 % of a copy", _share("table 2")),
    ("paper 3, table 3", "`rearrange`, interlace", "75 to 95 % of a copy", _share("table 3")),
    ("paper 3, figure 2", "`stencil`, star_2d", "curves alone; of order I 66 % of a copy in table 4", _stars),
    ("paper 3, table 4", "`textures`, table4", "61 to 70 % of a copy", _variants),
    ("paper 4, figure 2", "`idw`, figure2_p2", "2.9 times", _layouts("figure2_p2", True)),
    ("paper 4, figure 7 (a), naive, float32", "`idw`, figure7_naive", "AoaS best, SoA worst", _layouts("figure7_naive")),
    ("paper 4, figure 7 (b), tiled, float32", "`idw`, figure7_tiled", "AoaS best, SoA worst", _layouts("figure7_tiled")),
    ("paper 4, figure 7 (c), child, float32", "`idw`, figure7_child", "SoA best, AoS worst", _layouts("figure7_child")),
    ("paper 4, figure 8 (a), naive, float64", "`idw`, figure8_naive", "SoA worst, the others alike", _layouts("figure8_naive")),
    ("paper 4, figure 8 (b), tiled, float64", "`idw`, figure8_tiled", "all alike", _layouts("figure8_tiled")),
    ("paper 4, figure 8 (c), child, float64", "`idw`, figure8_child", "SoA best, AoS worst", _layouts("figure8_child")),
]


def figures_of_papers():
    """A line a figure or table, and how rough the CPU's are."""
    told = []
    for suite in ("hypercubic", "fft_paper", "simplex", "rearrange", "stencil_star", "idw"):
        rows = [row for row in _rows(EPYC_25, suite) if row.iqr]
        rough = [row for row in rows if row.iqr > MOST_SPREAD * row.seconds]
        if 4 * len(rough) > len(rows):
            told.append(f"{len(rough)} of {len(rows)} of {suite}")
    busy = (f"\n**Read these of the CPU as rough**: the middle half of the times is spread over more than {numbers.percent(MOST_SPREAD)} of "
            f"the median in {', '.join(told)}.\n") if told else ""
    return table(["part", "suite of crinkle-papers", "the paper, on its hardware", H200.name, EPYC_25.words],
                 [[part, suite, paper, of(H200), of(EPYC_25)] for part, suite, paper, of in PARTS]) + busy


def prime_factors(machine):
    """What a general index takes beside the bits of powers of two, and of extents with another factor."""
    found = _labelled(machine, "hypercubic")
    operations = ("flip", "shift", "crinkle")
    if "flip_8192_B" not in found:
        raise Refused(f"{machine.path('hypercubic')}: expected a row flip_8192_B")
    told = ", ".join(f"{operation} {numbers.fraction(found[f'{operation}_8192_C'].seconds / found[f'{operation}_8192_B'].seconds)}" for operation in operations)
    words = f"On {machine.words} the general index (C) takes of the bit form's time (B), at 8192 × 8192 float32: {told}."
    if "flip_6144_C" in found:
        others = ", ".join(f"{operation} {numbers.fraction((8192 / 6144) ** 2 * found[f'{operation}_6144_C'].seconds / found[f'{operation}_8192_B'].seconds)}" for operation in operations)
        words += f" At 6144 = 3 · 2^11, which has no bit form, a cell takes of one of B's at 8192: {others}."
    spread = [row.iqr / row.seconds for name, row in found.items() if row.iqr and name.startswith(operations) and name.endswith(("_8192_B", "_8192_C", "_6144_C"))]
    return paragraph(words + f" (The middle half of the times spreads over up to {numbers.percent(max(spread))} of the median.)" * bool(spread))


TABLES = {"papers-figures": figures_of_papers, "papers-factors": prime_factors}
