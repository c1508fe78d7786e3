"""Decides what docs/interpolation.md says of paper 4's layouts and child grids: sentences whose numbers are those of the results, and the table of
figures 7 and 8 in their own axis, the speed-up over naive sums of `(x y z)` float32 on a CPU.

SPDX-License-Identifier: BSD-3-Clause
"""
import re

from . import numbers
from .committed import EPYC_25
from .markdown import paragraph, table
from .read import Refused

OF_LIBRARY = ("crinkle",)
FORMS = [  # words, rows, and the ends of the paper's axis, where its text has them
    ("figure 7 (a), naive, float32", "figure7_naive", ""), ("figure 7 (b), tiled, float32", "figure7_tiled", "100 to 130"), ("figure 7 (c), child, float32", "figure7_child", ""),
    ("child grid, float32", "figure7_child_grid", ""), ("figure 8 (a), naive, float64", "figure8_naive", ""), ("figure 8 (b), tiled, float64", "figure8_tiled", ""),
    ("figure 8 (c), child, float64", "figure8_child", "0 to 12"), ("child grid, float64", "figure8_child_grid", "")]


def rows_of_points(machine):
    """The rows of the suite `idw`; those of sizes that take minutes are in a file of their own."""
    return machine.rows("idw") + (machine.rows("idw_large") if machine.path("idw_large").exists() else [])


def sizes_of(machine, form):
    """All n of a form, as figure7_naive, from the least on."""
    return sorted({int(found[1]) for row in rows_of_points(machine) if (found := re.fullmatch(form + r"_n(\d+)_\w+", row.name))})


def of_case(machine, case):
    """{way: seconds} of a case."""
    found = {row.name.removeprefix(case + "_"): row.seconds for row in rows_of_points(machine) if row.name.startswith(case + "_")}
    if not found:
        raise Refused(f"{machine.path('idw')}: expected rows {case}_…")
    return found


def of_largest(machine, form):
    """n and {way: seconds} of a form's largest n."""
    n = max(sizes_of(machine, form), default=0)
    return n, of_case(machine, f"{form}_n{n}")


def is_layout(way):
    return way not in OF_LIBRARY and not way.startswith(("float", "double"))


def _spread(seconds):
    """How much slower the worst layout is than the best, as percent."""
    ours = [value for way, value in seconds.items() if way not in OF_LIBRARY]
    return numbers.percent(max(ours) / min(ours) - 1)


def best_and_worst(seconds):
    layouts = {way: value for way, value in seconds.items() if is_layout(way)}
    return min(layouts, key=layouts.get), max(layouts, key=layouts.get)


def _ends(seconds):
    best, worst = best_and_worst(seconds)
    return f"{best} is the fastest and {worst} the slowest, by {numbers.percent(seconds[worst] / seconds[best] - 1)}"


def layouts(machine):
    """What a layout changes, form by form."""
    vectors = [max(seconds[a] / seconds[b], seconds[b] / seconds[a]) - 1 for form in ("naive", "tiled") for figure, four in (("figure7", "float4"), ("figure8", "double4"))
               for _, seconds in [of_largest(machine, f"{figure}_{form}")] for a, b in [(four, "AoaS")]]
    (n, naive), (_, double) = of_largest(machine, "figure7_naive"), of_largest(machine, "figure8_naive")

    def of_soa(fewer):
        each = [of_case(machine, f"{figure}_naive_n{fewer}") for figure in ("figure7", "figure8")]
        return " and ".join(numbers.fraction(seconds["AoaS"] / seconds["SoA"]) for seconds in each)

    return paragraph(
        f"**What the layout changes.** Where samples come through shared memory little: with {n} targets the worst of seven layouts is {_spread(of_largest(machine, 'figure7_tiled')[1])} slower "
        f"than the best in float32, {_spread(of_largest(machine, 'figure8_tiled')[1])} in float64 and, with 51200, {_spread(of_case(machine, 'power3_float32_tiled_n51200'))} for p = 3.0; with the "
        f"approximate reciprocal, which leaves less arithmetic to hide loads behind, {_spread(of_case(machine, 'reciprocal_float32_tiled_n102400'))}. Where every thread reads all samples from "
        f"global memory (naive), with {n} targets {_ends(naive)} in float32, and in float64 {_ends(double)}: AoaS, a load of 16 bytes a record, takes {numbers.fraction(naive['AoaS'] / naive['SoA'])} "
        f"and, of two such loads, {numbers.fraction(double['AoaS'] / double['SoA'])} of SoA's time; with 256000 targets {of_soa(256000)}, with 102400, which keep the card less busy, {of_soa(102400)} "
        f"of it. CUDA's vectors of four and the views of the same layout are within {numbers.percent(max(vectors))}.")


def child_grids(machine):
    """What child grids cost, and figure 2."""
    sizes = sizes_of(machine, "figure2_p2")

    def gains(power):
        return [seconds["original"] / seconds["improved"] for n in sizes for seconds in [of_case(machine, f"figure2_p{power}_n{n}")]]

    def listed(words):
        return ", ".join(words[:-1]) + f" and {words[-1]}"

    pairs = [(n, of_case(machine, f"{figure}_child_grid_n{n}")[way], value) for figure in ("figure7", "figure8") for n, seconds in [of_largest(machine, f"{figure}_child")]
             for way, value in seconds.items() if way not in OF_LIBRARY]
    each, rates = sorted(1e6 * (child - grid) / n for n, grid, child in pairs), sorted(child / grid for _, grid, child in pairs)
    n, last = of_largest(machine, "figure2_p2")
    return paragraph(
        f"Figure 2, float32, SoA: the improved form is {listed([numbers.times(gain) for gain in gains(2)])} times as fast as the original at {listed([str(one) for one in sizes])} (p = 3.0: "
        f"{listed([numbers.times(gain) for gain in gains(3)])}); the paper's is at best 2.9 (p = 2) and 1.5 times (p = 3.0), here at best {numbers.times(max(gains(2)))}. A child grid that a kernel "
        f"launches takes {each[0]:.2f} to {each[-1]:.2f} µs more than its block does in one grid that the host launches, which makes figures 7 (c) and 8 (c) with {pairs[0][0]} targets "
        f"{numbers.times(rates[0])} to {numbers.times(rates[-1])} times as slow as that grid. With {n} targets the improved blocks in one grid take "
        f"{numbers.fraction(last['improved_in_grid'] / last['naive'])} of naive's time.")


def speed_ups(machine):
    """Figures 7 and 8: the best and the worst layout, over n, in the paper's axis."""
    base = {n: of_case(EPYC_25, f"figure7_naive_n{n}")["AoS"] for n in sizes_of(EPYC_25, "figure7_naive")}
    most = max(base)
    sizes = sizes_of(machine, "figure7_naive")

    def told(form, n, words):
        return words(of_case(machine, f"{form}_n{n}"), base.get(n, base[most] * (n / most) ** 2)) if n in sizes_of(machine, form) else numbers.NONE

    def ends(seconds, cpu):
        return ", ".join(f"{way} {numbers.significant(cpu / seconds[way])}" for way in best_and_worst(seconds))

    lines = [[words, *(told(form, n, ends) for n in sizes), axis or numbers.NONE] for words, form, axis in FORMS]
    lines += [[f"crinkle, {words}", *(told(form, n, lambda seconds, cpu: numbers.significant(cpu / seconds["crinkle"])) for n in sizes), numbers.NONE]
              for words, form in (("float32", "figure7_naive"), ("float64", "figure8_naive"))]
    return table(["speed-up of the best and the worst layout, n", *map(str, sizes), "axis of the paper"], lines) + "\n" + paragraph(
        f"The naive sums are those of {EPYC_25.words}, {numbers.seconds(base[most])} at n = {most} ({numbers.significant(1e-9 * most ** 2 / base[most])} G pairs/s); beyond, where they did not run, "
        "their time is taken to grow as n².")


TABLES = {"idw-layouts": layouts, "idw-child-grids": child_grids, "idw-speed-ups": speed_ups}
