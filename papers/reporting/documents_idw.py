"""Decides what docs/interpolation.md says of paper 4's layouts and child grids: sentences whose numbers are those of the results.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers
from .markdown import paragraph
from .read import Refused

OF_LIBRARY = ("crinkle",)


def _seconds(machine, case):
    """{way: seconds} of a case."""
    suite = "idw" if machine.path("idw").exists() else "interpolate"  # which had these rows, too, until crinkle-papers did
    found = {row.name.removeprefix(case + "_"): row.seconds for row in machine.rows(suite) if row.name.startswith(case + "_")}
    if not found:
        raise Refused(f"{machine.path(suite)}: expected rows {case}_…")
    return found


def _spread(seconds):
    """How much slower the worst layout is than the best, as percent."""
    ours = [value for way, value in seconds.items() if way not in OF_LIBRARY]
    return numbers.percent(max(ours) / min(ours) - 1)


def _best_and_worst(seconds):
    layouts = {way: value for way, value in seconds.items() if way not in OF_LIBRARY and not way.startswith(("float", "double"))}
    best, worst = min(layouts, key=layouts.get), max(layouts, key=layouts.get)
    return f"{best} is the fastest and {worst} the slowest, by {numbers.percent(layouts[worst] / layouts[best] - 1)}"


def layouts(machine):
    """What a layout changes, form by form."""
    def of(case):
        return _seconds(machine, case)

    vectors = [max(seconds[a] / seconds[b], seconds[b] / seconds[a]) - 1 for form in ("naive", "tiled") for figure, four in (("figure7", "float4"), ("figure8", "double4"))
               for seconds in [of(f"{figure}_{form}_n256000")] for a, b in [(four, "AoaS")]]
    naive, double = of("figure7_naive_n256000"), of("figure8_naive_n256000")
    few = of("figure7_naive_n102400")
    return paragraph(
        f"**What the layout changes.** Where samples come through shared memory little: the worst of seven layouts is {_spread(of('figure7_tiled_n256000'))} slower than the best in float32, "
        f"{_spread(of('figure8_tiled_n256000'))} in float64 and {_spread(of('power3_float32_tiled_n51200'))} for p = 3.0; with the approximate reciprocal, which leaves less arithmetic to hide loads "
        f"behind, {_spread(of('reciprocal_float32_tiled_n102400'))}. Where every thread reads all samples from global memory (naive), with 256000 targets {_best_and_worst(naive)} in float32, "
        f"and in float64 {_best_and_worst(double)}: AoaS, a load of 16 bytes a record, takes {numbers.fraction(naive['AoaS'] / naive['SoA'])} and, of two such loads, "
        f"{numbers.fraction(double['AoaS'] / double['SoA'])} of SoA's time. With 102400 targets, which keep the card less busy, AoaS takes {numbers.fraction(few['AoaS'] / few['SoA'])} of it. "
        f"CUDA's vectors of four and the views of the same layout are within {numbers.percent(max(vectors))}.")


def child_grids(machine):
    """What child grids cost, and figure 2."""
    def gains(power):
        return [(n, seconds["original"] / seconds["improved"]) for n in (10240, 51200, 102400) for seconds in [_seconds(machine, f"figure2_p{power}_n{n}")]]

    def told(found):
        return ", ".join(numbers.times(gain) for _, gain in found[:-1]) + f" and {numbers.times(found[-1][1])}"

    each = sorted(1e6 * (value - _seconds(machine, f"{figure}_child_grid_n102400")[way]) / 102400 for figure in ("figure7", "figure8")
                  for way, value in _seconds(machine, f"{figure}_child_n102400").items() if way not in OF_LIBRARY)
    rates = [_seconds(machine, f"{figure}_child_n102400")[way] / value for figure in ("figure7", "figure8")
             for way, value in _seconds(machine, f"{figure}_child_grid_n102400").items() if way not in OF_LIBRARY]
    best = max(gain for _, gain in gains(2))
    grid, naive = _seconds(machine, "figure2_p2_n102400")["improved_in_grid"], _seconds(machine, "figure2_p2_n102400")["naive"]
    return paragraph(
        f"Figure 2, float32, SoA: the improved form is {told(gains(2))} times as fast as the original at 10240, 51200 and 102400 (p = 3.0: {told(gains(3))}); the paper's is at best 2.9 (p = 2) "
        f"and 1.5 times (p = 3.0), here at best {numbers.times(best)}. A child grid that a kernel launches takes {each[0]:.2f} to {each[-1]:.2f} µs more than its block does in one grid that the host launches, which makes "
        f"figures 7 (c) and 8 (c) {numbers.times(min(rates))} to {numbers.times(max(rates))} times as slow as that grid. With 102400 targets the improved blocks in one grid take "
        f"{numbers.fraction(grid / naive)} of naive's time.")


TABLES = {"idw-layouts": layouts, "idw-child-grids": child_grids}
