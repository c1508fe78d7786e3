"""Decides what a page says of each paper: its figures in their own axes, its tables beside the paper's numbers, and a sentence of both each.

A paper's numbers are those of its text, of the figures and tables that are named beside them.

SPDX-License-Identifier: BSD-3-Clause
"""
import dataclasses
import json

from . import curves, numbers, papers_chart, papers_cufft, papers_textures, papers_waste, tables
from .documents_simplex import MAPS
from .page import behind, table
from .svg import escape

NAMES = {
    0: "Hawick and Playne, Hypercubic storage layout and transforms in arbitrary dimensions using GPUs and CUDA, 2011",
    1: "Gutierrez, Romero, Trenas and Plata, Experiences with mapping non-linear memory access patterns into GPUs",
    2: "Navarro, Bustos and Hitschfeld, A non-linear GPU thread map for triangular domains, 2016",
    3: "Bader, Bungartz, Mudigere, Narasimhan and Narayanan, Fast GPGPU data rearrangement kernels using CUDA, 2010",
    4: "Mei and Tian, Impact of data layouts on the efficiency of GPU-accelerated IDW interpolation, 2016",
}


def _part(title, *blocks):
    return f"<div><h4>{escape(title)}</h4>{''.join(blocks)}</div>"


def _said(words):
    return f"<p>{escape(words)}</p>"


def _chart(title, x_label, y_label, lines, even=False):
    """With its numbers behind it."""
    xs = list(dict.fromkeys(x for line in lines.values() for x, _ in line))
    xs = xs if any(isinstance(x, str) for x in xs) else sorted(xs)
    found = [[x if isinstance(x, str) else numbers.whole(x)] + [numbers.significant(dict(line).get(x)) for line in lines.values()] for x in xs]
    return papers_chart.drawing(title, x_label, y_label, lines, even) + behind("the numbers", table([f"{x_label}: {y_label}", *lines], found))


def _least(rows):
    return min(rows, key=lambda row: row.seconds)


def _on_the_cpu(cpu):
    """What is written for two dimensions, as the series CPU, which the paper has beside its GPU."""
    return [dataclasses.replace(row, place=dataclasses.replace(row.place, series="CPU"), copy_gb_per_s=None)
            for file in cpu.get("hypercubic", ()) for row in file.rows if row.place.series == "A"]


def hypercubic(found, cpu):
    """Figures 12 to 15: time over N."""
    parts = []
    for file in found.get("hypercubic", ()):
        if found is not cpu:
            file = dataclasses.replace(file, rows=file.rows + _on_the_cpu(cpu))
        for one in curves.of_file(file):
            seconds = {row.place.series: row.seconds for row in one.rows if row.place.x == max(one.xs())}
            paper = next(marks.seconds for marks in file.papers[one.title])
            words = (f"At N = {numbers.whole(max(one.xs()))} the k-index by bits (B) takes {numbers.fraction(seconds['B'] / seconds['A'])} and the general one (C) "
                     f"{numbers.fraction(seconds['C'] / seconds['A'])} times as long as what is written for two dimensions (A); in the paper, at N = 8192, "
                     f"{numbers.fraction(paper['B'] / paper['A'])} and {numbers.fraction(paper['C'] / paper['A'])} times.")
            if "crinkle" in seconds:
                words += f" A plan, which no version of the paper is, takes {numbers.fraction(seconds['crinkle'] / seconds['A'])} times as long."
            if "CPU" in seconds:
                words += f" The CPU takes {numbers.times(seconds['CPU'] / seconds['A'])} times as long as the GPU"
                words += f", in the paper {numbers.times(paper['CPU'] / paper['A'])} times." if "CPU" in paper else "."
            parts.append(_part(one.title, _said(words), curves.drawing(one), behind("the numbers", table(*tables.of_curves(one)))))
    return parts + [_part(title, _said(words), *blocks) for title, words, *blocks in papers_textures.of_access(found)]


TABLE_1 = {  # GFLOP/s and threads that waited for banks ("warp serialize", 10³), of a GeForce GTX 280; 2^15 signals of 2^9
    "a": {"global": ("ctFFT (global)", 17.5, 0), "radix_2": ("ctFFT", 35.1, 806), "unrolled": ("+ unrolling", 59.5, 668), "padded": ("+ padding", 63.5, 649),
          "padded_radix_4": ("+ radix-4", 106, 428), "padded_radix_8": ("+ radix-8", 116, 255), "folded": ("+ constant propagation", 130, 221)},
    "b": {"unreversed": ("DIT, no bit reversal", 142, 189), "frequency": ("DIF without synch", 167, 211), "frequency_barriers": ("DIF with synch", 199, 170),
          "stockham": ("Stockham", 229, 95)},
}


def _chunks(rows):
    """What --c and --k asked for, where they did."""
    of_radix_2 = {(row.given["c"], row.given["k"]) for row in rows if "c" in row.given and row.name.startswith("figure5") and row.name.endswith("_radix_2")} - {(5, 5)}
    return "".join(f"Of chunks of 2^{c} samples and {k} stages a launch. " for c, k in of_radix_2)


def fft(found, cpu):
    """Tables 1a and 1b, and figure 5: GFLOP/s over lg N, and where cuFFT was timed the quotient."""
    rows = [row for file in found.get("fft_paper", ()) for row in file.rows]
    rates = {row.name: 1e-9 * row.given["flops_per_s"] for row in rows}
    is_looped = found is cpu
    parts = []
    for letter, lines in TABLE_1.items():
        told = [[words, f"{paper:g}", str(waited), numbers.significant(rates.get(f"table1_{name}")),
                 numbers.times(rates[f"table1_{name}"] / paper) if f"table1_{name}" in rates else numbers.NONE] for name, (words, paper, waited) in lines.items()]
        measured = [rates[f"table1_{name}"] for name in lines if f"table1_{name}" in rates]
        papers = [paper for _, paper, _ in lines.values()]
        words = f"In the paper the last step is {numbers.times(papers[-1] / papers[0])} times as fast as the first"
        words += f", here {numbers.times(measured[-1] / measured[0])} times." if len(measured) == len(lines) else "; on this machine none was run."
        if is_looped:
            words += (f" These are loops over the blocks and threads of the kernels, of 2^{rows[0].given.get('log_signals', 15)} signals, for checking and teaching: what they "
                      "ask of memory is a GPU's, their time is this CPU's.")
        parts.append(_part(f"Table 1 ({letter})", _said(words), table(["variant", "paper (GTX 280), GFLOP/s", "warp serialize, 10³", "here, GFLOP/s", "times as fast"], told)))
    of_batch = {}
    for row in rows:
        if row.name.startswith("figure5_batch") and row.place:
            lines = of_batch.setdefault(row.place.title, {})
            lines.setdefault(row.place.series, []).append((row.place.x, rates[row.name]))
    for title, lines in of_batch.items():
        best, rate = max(((name, value) for name, line in lines.items() for _, value in line), key=lambda one: one[1])
        words = f"{_chunks(rows)}The best is {best} with {numbers.significant(rate)} GFLOP/s; the paper's best of all batches is almost 40."
        parts.append(_part(title, _said(words), _chart(title, "samples a signal", "GFLOP/s (5 b N lg N / t)", lines)))
    return parts + [_part(title, _said(words), _chart(title, "samples a signal", "times as fast as cuFFT", lines, even=True))
                    for file in found.get(papers_cufft.SUITE, ()) for title, words, lines in papers_cufft.charts(file)]


def simplex(found, cpu):
    """Figures 3 and 5, and section 6: the improvement I over n; what the model of waste makes of it; and where ε holds."""
    parts, lines_of, papers = [], {}, {}
    for file in found.get("simplex", ()):
        papers |= json.loads(file.path.read_text(encoding="utf-8"))["improvement_in_paper"]
        for row in file.rows:
            if row.place and "improvement" in row.given:
                lines_of.setdefault(row.place.title, {}).setdefault(row.given["map"], []).append((row.place.x, row.given["improvement"]))
    for title, lines in lines_of.items():
        lines = {MAPS.get(name, name): line for name, line in lines.items() if not name.endswith("_box") or name == "rectangular_box"}
        most = max(x for line in lines.values() for x, _ in line)
        best, gain = max(((name, value) for name, line in lines.items() for x, value in line if x == most), key=lambda one: one[1])
        told = [f"{card}: " + ", ".join(f"{MAPS.get(name, 'λ')} {value:g}" for name, value in maps.items()) for card, maps in papers.get(title, {}).items()]
        words = f"At n = {numbers.whole(most)} {best} is {numbers.fraction(gain)} times as fast as the bounding box. The paper's text: " + ("; ".join(told) or "no number") + "."
        parts.append(_part(title, _said(words), _chart(title, "n", "times as fast as the bounding box", lines, even=True)))
    files = found.get("simplex", ())
    parts += [_part(title, _said(words), *blocks) for title, words, *blocks in papers_waste.of_files(files)]
    ranges = papers_waste.epsilon_ranges(files)
    return parts + ([_part("Section 4.1: ε", _said(ranges[0]), ranges[1])] if ranges else [])


FIGURE_1 = {"sequential": "in sequence", "indexed_read_sorted": "by a sorted index", "indexed_read_random": "by a random index", "range_read": "a range"}

ARRAY_BYTES = 64 * 2**20  # of tables 1 and 2, and of each part of table 3


def _of_sizes(one):
    """Order I and IV of the largest size."""
    most = max(one.xs())
    first, fourth = ([row for row in one.rows if row.place.x == most and row.place.series == series][0] for series in ("order 1", "order 4"))
    return (f"At {numbers.whole(most)}² order I reaches {numbers.gb_per_s(first.gb_per_s)} GB/s, {numbers.percent(first.fraction)} of a copy, and order IV "
            f"{numbers.gb_per_s(fourth.gb_per_s)} GB/s.")


def rearrangement(found, cpu):
    """Figure 1 over sizes, tables 1 to 4, figure 2 over orders: GB/s."""
    parts, lines = [], {}
    for file in (*found.get("reads", ()), *found.get("reads_large", ())):
        for row in file.rows:
            name = row.name.removesuffix("_256MiB").removesuffix("_1GiB")
            if name in FIGURE_1:
                lines.setdefault(FIGURE_1[name], {})[row.bytes / 2] = row.gb_per_s
            if name == "sequential":
                lines.setdefault("copy", {})[row.bytes / 2] = row.copy_gb_per_s
            if row.name == "sequential":
                copy_in_paper = row.given["paper"]["gb_per_s"] / row.given["paper"]["fraction_of_copy"]
    if lines:
        lines = {name: sorted(line.items()) for name, line in lines.items()}
        size, rate = lines["in sequence"][-1]
        words = (f"At {size / 2**20:g} MiB reading in sequence reaches {numbers.percent(rate / dict(lines['copy'])[size])} of a copy; in the paper at least 95 % of all "
                 "sizes, 76 GB/s on a Tesla C1060.")
        parts.append(_part("Figure 1: reads", _said(words), _chart("Figure 1", "bytes", "GB/s, read and written", lines)))
    rows = [row for file in found.get("orders", ()) for row in file.rows if row.given.get("paper")]
    for number in (1, 2, 3):
        those = [row for row in rows if row.given["paper"]["where"].endswith(f"table {number}")]
        if those:
            ours, theirs = (numbers.geometric_mean(values) for values in ([row.fraction for row in those], [row.given["paper"]["fraction_of_copy"] for row in those]))
            words = f"The mean is {numbers.percent(ours)} of a copy here and {numbers.percent(theirs)} in the paper."
            smaller = [row for row in those if row.bytes < 2 * ARRAY_BYTES * (int(row.name.rpartition("_")[2]) if number == 3 else 1)]
            if smaller:
                words += f" {len(smaller)} of {len(those)} cases are smaller than the paper's: with --quick, or where memory is too little."
            told = [[row.name, f"{row.given['paper']['gb_per_s']:.2f}", numbers.percent(row.given["paper"]["fraction_of_copy"]), numbers.gb_per_s(row.gb_per_s),
                     numbers.percent(row.fraction), f"{row.bytes / 2**21:.1f}"] for row in those]
            parts.append(_part(f"Table {number}", _said(words), table(["case", "paper (Tesla C1060), GB/s", "of copy", "here, GB/s", "of copy", "MiB here"], told)))
    stars = {row.name: row for file in found.get("stencils", ()) for row in file.rows}
    if stars:
        bars = {"star": [(order, stars[f"star_2d_r{k}"].gb_per_s) for k, order in enumerate(("I", "II", "III", "IV"), 1)],
                "copy": [(order, stars[f"star_2d_r{k}"].copy_gb_per_s) for k, order in enumerate(("I", "II", "III", "IV"), 1)]}
        first, fourth = stars["star_2d_r1"], stars["star_2d_r4"]
        words = (f"Order IV takes {numbers.fraction(fourth.seconds / first.seconds)} times as long as order I, which is {numbers.percent(first.fraction)} of a copy; "
                 "the paper's figure has curves alone.")
        parts.append(_part("Figure 2: 2-D finite differences", _said(words), _chart("Figure 2", "order", "GB/s, read and written", bars)))
        parts += [_part("Figure 2 over sizes", _said(_of_sizes(one)), curves.drawing(one), behind("the numbers", table(*tables.of_curves(one))))
                  for file in found.get("stencil_sizes", ()) for one in curves.of_file(file)]
        parts += [_part("Table 4", _said(words), *blocks) for words, *blocks in papers_textures.table_4(found, first, copy_in_paper)]
    return parts


LAYOUTS_IN_PAPER = {  # the beginning of a title
    "Figure 7, child": "SoA is the best and AoS the worst", "Figure 7": "AoaS is the best and SoA the worst", "Figure 8, naive": "SoA is the worst and the others are alike",
    "Figure 8, tiled": "all are alike", "Figure 8, child": "SoA, SoAoS and Hybrid are alike and AoS is the worst"}


def _speed_up(cpu):
    """n and seconds -> times as fast as naive sums of (x y z) float32 on this CPU, and up to which n these were measured: beyond, their time grows as n²."""
    base = {row.place.x: row.seconds for file in cpu.get("layouts", ()) for row in file.rows if row.place and row.name == f"figure7_naive_n{numbers.whole(row.place.x)}_AoS"}
    if not base:
        return None, 0
    most = max(base)
    return lambda n, seconds: base.get(n, base[most] * (n / most) ** 2) / seconds, most


def interpolation(found, cpu):
    """Figure 2: time, and times as fast as the original; figures 7 and 8; all over n as speed-up over naive sums of float32 on this CPU, too, the paper's axis."""
    parts, lines_of = [], {}
    speed_up, most_measured = _speed_up(cpu)
    axis, beyond = "speed-up over naive sums on this CPU", f" Beyond n = {numbers.whole(most_measured)} the CPU's time is taken to grow as n²."
    rows = {}
    for name in ("figure2", "large", "layouts"):
        for file in found.get(name, ()):
            for row in file.rows:
                if row.place:
                    rows.setdefault(row.place.title, {})[row.place.series, row.place.x] = row.seconds
    for title, seconds in rows.items():
        lines_of[title] = {}
        for (series, x), value in sorted(seconds.items(), key=lambda one: one[0][1]):
            if speed_up:
                lines_of[title].setdefault(series, []).append((x, speed_up(x, value)))
    for title in [title for title in rows if title.startswith("Figure 2")]:
        seconds = rows[title]
        gains = sorted((x, seconds["original", x] / value) for (series, x), value in seconds.items() if series == "improved")
        words = f"The improved child grids are up to {numbers.times(max(gain for _, gain in gains))} times as fast as the original; in the paper {'2.9' if 'p2' in title else '1.5'} times."
        charts = [curves.drawing(one) for name in ("figure2", "large") for file in found.get(name, ()) for one in curves.of_file(file) if one.title == title]
        charts += [_chart(title, "samples, and targets", "times as fast as the original", {"improved": gains}, even=True)]
        charts += [_chart(title, "samples, and targets", axis, lines_of[title], even=True)] if speed_up else []
        parts.append(_part(title, _said(words + beyond * bool(speed_up)), *charts))
    for title, lines in lines_of.items():
        layouts = {name: line for name, line in lines.items() if name != "crinkle"}
        if title.startswith("Figure 2") or not layouts:
            continue
        most = max(x for line in layouts.values() for x, _ in line)
        at_most = {name: dict(line)[most] for name, line in layouts.items() if most in dict(line)}
        best, worst = max(at_most, key=at_most.get), min(at_most, key=at_most.get)
        words = (f"With {numbers.whole(most)} points {best} is {numbers.fraction(at_most[best] / at_most[worst])} times as fast as {worst}. In the paper "
                 + next((told for beginning, told in LAYOUTS_IN_PAPER.items() if title.startswith(beginning)), "no layout is named") + " (GeForce GT640)."
                 + beyond * (most > most_measured))
        parts.append(_part(title, _said(words), _chart(title, "data points, and targets", axis, lines, even=True)))
    return parts


OF_PAPER = {0: hypercubic, 1: fft, 2: simplex, 3: rearrangement, 4: interpolation}
