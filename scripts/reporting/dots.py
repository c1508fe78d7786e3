"""Decides how rivals are shown: a line a row, a mark a contender, in percent of the copy where a row has one, else in GB/s or times.

SPDX-License-Identifier: BSD-3-Clause
"""
import math

from . import bars, numbers, svg
from .svg import FONT

PITCH = 18
AREA = 300
TOP, GAP, END = 20, 14, 14


def names_of(rows):
    """All contenders, crinkle first."""
    ours = {one.name: one.is_ours for row in rows for one in row.contenders}
    return sorted(ours, key=lambda name: not ours[name])


class Measure:
    """What is read off the axis, of one file's rows."""

    def __init__(self, rows):
        every = [one for row in rows for one in row.contenders]
        self.key = "fraction" if all(one.fraction for one in every) else "gb_per_s" if all(one.gb_per_s for one in every) else "seconds"
        self.told = {"fraction": numbers.percent, "gb_per_s": lambda value: numbers.gb_per_s(value) + " GB/s", "seconds": numbers.seconds}[self.key]
        self.words = {"fraction": "percent of copy", "gb_per_s": "GB/s", "seconds": "time"}[self.key]
        self.values = [self.of(one) for one in every]

    def of(self, contender):
        return getattr(contender, self.key)

    def place(self, left, right):
        if self.key == "fraction":
            return svg.Linear(0, bars.end_of_axis(self.values), left, right)
        low, high = min(self.values), max(self.values)
        room = max(0.03 * math.log(high / low), 0.05)
        return svg.Logarithmic(low / math.exp(room), high * math.exp(room), left, right)

    def axis(self, place, top, bottom, parts):
        if self.key == "fraction":
            bars.percent_axis(place, top, bottom, parts, True)
            parts.append(bars.copy_line(place, top, bottom))
            return
        ticks = svg.logarithmic_ticks(place.low, place.high, 7)
        for tick in ticks:
            parts.append(svg.line(place(tick), top, place(tick), bottom, "grid"))
            words = (numbers.tick_of_seconds if self.key == "seconds" else numbers.whole)(tick)
            parts.append(svg.text(place(tick), top - 5, words, "tick", "middle"))


def by_measure(rows):
    """[rows]: those with contenders, apart by what can be read off all of their marks."""
    found = {}
    for row in rows:
        if row.contenders:
            found.setdefault(Measure([row]).key, []).append(row)
    return [found[key] for key in sorted(found)]


def _small_plot(title, rows, names, measure, label_width):
    left = label_width + GAP
    place = measure.place(left, left + AREA)
    width, height = left + AREA + END, TOP + PITCH * len(rows) + 6
    parts = []
    measure.axis(place, TOP, height - 2, parts)
    for i, row in enumerate(rows):
        middle = TOP + PITCH * (i + 0.5) + 2
        spots = [place.clipped(measure.of(one)) for one in row.contenders]
        drawn = [svg.element("rect", x=0.0, y=middle - PITCH / 2, width=float(width), height=float(PITCH), class_="row"),
                 svg.text(label_width, middle + 0.36 * FONT, svg.shortened(row.label), "name", "end"),
                 svg.line(min(spots), middle, max(spots), middle, "between") if max(spots) - min(spots) > 0.05 else ""]
        # The first contender is drawn last, over the others.
        for spot, one in sorted(zip(spots, row.contenders), key=lambda pair: -names.index(pair[1].name)):
            words = f"{row.label}, {one.name}: {measure.told(measure.of(one))}, {numbers.seconds(one.seconds)}"
            drawn.append(svg.titled(words, svg.mark(names.index(one.name), spot, middle)))
        parts.append(element_group(drawn))
    head = f"<h5>{svg.escape(title)}</h5>" if title else ""
    words = f"Contenders, {measure.words}" + (f": {title}" if title else "")
    return f"<figure>{head}{svg.plot(words, width, height, parts)}</figure>"


def element_group(parts):
    return svg.element("g", "".join(parts), class_="line")


def legend(rows):
    return svg.legend([(svg.mark(i, 13, 7, 4.2, is_mark=False), name) for i, name in enumerate(names_of(rows))])


def small_plots(rows):
    """HTML of all rows that have contenders."""
    names, measure = names_of(rows), Measure(rows)
    label_width = max(svg.width_of(svg.shortened(row.label)) for row in rows)
    figures = [_small_plot(title, part, names, measure, label_width) for family, found in bars.families(rows) for title, part in bars.in_parts(family, found)]
    return f'<div class="columns" style="--column:{label_width + GAP + AREA + END:.0f}px">' + "".join(figures) + "</div>"
