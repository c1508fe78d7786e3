"""Decides how rows that lie in a plot are shown: a line a series on logarithmic axes, the copy of as many bytes dashed, a paper's numbers hollow.

SPDX-License-Identifier: BSD-3-Clause
"""
import math
import statistics

from . import numbers, svg

WIDTH, HEIGHT = 540, 340
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 26, 44


class Curves:
    """All rows of a file with one title: lines[series] = [(x, value, Row)], copies[name] = [(x, value)], papers = [(where, x, series, value)]."""

    def __init__(self, file, title):
        self.title = title
        self.rows = [row for row in file.rows if row.place and row.place.title == title]
        self.y, self.x_label = self.rows[0].place.y, self.rows[0].place.x_label
        self.lines = {}
        for row in self.rows:
            self.lines.setdefault(row.place.series, []).append((row.place.x, self.value(row.seconds, row.gb_per_s), row))
        beside = {(one.name, row.place.series) for row in self.rows for one in row.contenders[1:]}
        for row in self.rows:
            for one in row.contenders[1:]:
                is_clear = sum(name == one.name for name, _ in beside) == 1 and one.name not in {other.place.series for other in self.rows}
                name = one.name if is_clear else f"{one.name} ({row.place.series})"
                self.lines.setdefault(name, []).append((row.place.x, self.value(one.seconds, one.gb_per_s), row))
        for points in self.lines.values():
            points.sort(key=lambda point: point[0])
        self.copies = self._copies()
        self.papers = [(paper.where, paper.x, series, value) for paper in file.papers.get(title, ()) for series, seconds in paper.seconds.items()
                       if (value := self._of_paper(paper.x, series, seconds))]

    def value(self, seconds, gb_per_s):
        return seconds if self.y == "seconds" else gb_per_s

    def spread(self, row):
        """What its parts, as directions of a shift, took each; none where it has none."""
        return list(row.given.get("parts", {}).values()) if self.y == "seconds" else []

    def told(self, value):
        return numbers.seconds(value) if self.y == "seconds" else numbers.gb_per_s(value) + " GB/s"

    def _of_paper(self, x, series, seconds):
        """A paper's time as what is shown: a bandwidth counts the bytes of our row there."""
        if self.y == "seconds":
            return seconds
        n_bytes = next((row.bytes for row in self.rows if row.place.x == x and row.place.series == series and row.bytes), None)
        return n_bytes and n_bytes / seconds * 1e-9

    def _copies(self):
        """One line, the median over the series, where they move as many bytes as each other; else a line a series."""
        measured = [row for row in self.rows if row.bytes and row.copy_gb_per_s]
        found = {}
        alike = len({(row.place.x, row.bytes) for row in measured}) == len({row.place.x for row in measured})
        for row in measured:
            name = "copy" if alike else f"copy ({row.place.series})"
            found.setdefault(name, {}).setdefault(row.place.x, []).append(self.value(row.bytes / row.copy_gb_per_s * 1e-9, row.copy_gb_per_s))
        return {name: [(x, statistics.median(points[x])) for x in sorted(points)] for name, points in found.items()}

    def xs(self):
        return sorted({row.place.x for row in self.rows})

    def series(self):
        """Ours and those that only the paper has."""
        return list(dict.fromkeys([*self.lines, *(series for _, _, series, _ in self.papers)]))


def of_file(file):
    return [Curves(file, title) for title in dict.fromkeys(row.place.title for row in file.rows if row.place)]


def _scale(values, left, right):
    low, high = min(values), max(values)
    room = max(0.06 * math.log(high / low), 0.04)
    return svg.Logarithmic(low / math.exp(room), high * math.exp(room), left, right)


def _path(points, class_):
    return svg.element("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), class_=class_)


def drawing(curves):
    """HTML of one plot and its legend."""
    everything = [(x, value) for points in (*curves.lines.values(), *curves.copies.values()) for x, value, *_ in points]
    everything += [(x, value) for _, x, _, value in curves.papers]
    everything += [(row.place.x, value) for row in curves.rows for value in curves.spread(row)]
    across = _scale([x for x, _ in everything], LEFT, WIDTH - RIGHT)
    up = _scale([value for _, value in everything], HEIGHT - BOTTOM, TOP)
    parts = []
    for tick in svg.logarithmic_ticks(up.low, up.high, 8) or [everything[0][1]]:
        parts.append(svg.line(LEFT, up(tick), WIDTH - RIGHT, up(tick), "grid"))
        parts.append(svg.text(LEFT - 8, up(tick) + 4, (numbers.tick_of_seconds if curves.y == "seconds" else numbers.whole)(tick), "tick", "end"))
    for tick, words in svg.ticks_of_x([x for x, _ in everything], 9):
        parts.append(svg.line(across(tick), TOP, across(tick), HEIGHT - BOTTOM, "grid"))
        parts.append(svg.text(across(tick), HEIGHT - BOTTOM + 17, words, "tick", "middle"))
    parts.append(svg.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis"))
    parts.append(svg.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, curves.x_label, "label", "middle"))
    parts.append(svg.text(2, 12, "time" if curves.y == "seconds" else "GB/s", "label"))
    for name, points in curves.copies.items():
        spots = [(across(x), up(value)) for x, value in points]
        if len(spots) == 1:  # a short line where there is one point
            spots = [(spots[0][0] - 12, spots[0][1]), (spots[0][0] + 12, spots[0][1])]
        parts.append(svg.titled(f"{name} of as many bytes", _path(spots, "mark dashed")))
    series = curves.series()
    for i, name in reversed(list(enumerate(series))):
        if len(curves.lines.get(name, ())) > 1:
            parts.append(_path([(across(x), up(value)) for x, value, _ in curves.lines[name]], f"mark c{i % svg.N_COLOURS} curve"))
    for i, name in reversed(list(enumerate(series))):
        for x, value, row in curves.lines.get(name, ()):
            words = f"{name}, {curves.x_label} {numbers.whole(x)}: {curves.told(value)}"
            spread = curves.spread(row) if name == row.place.series else ()
            if spread:
                words += f", {curves.told(min(spread))} to {curves.told(max(spread))} by direction"
                parts.append(svg.line(across(x), up(min(spread)), across(x), up(max(spread)), f"c{i % svg.N_COLOURS} curve"))
            if row.fraction and name == row.place.series:
                words += f", {numbers.percent(row.fraction)} of copy"
            parts.append(svg.titled(words, svg.mark(i, across(x), up(value))))
    for where, x, name, value in curves.papers:
        words = f"paper{' (' + where + ')' if where else ''}, {name}, {curves.x_label} {numbers.whole(x)}: {curves.told(value)}"
        parts.append(svg.titled(words, svg.mark(series.index(name), across(x), up(value), 5.5, hollow=True)))
    for x in sorted({x for _, x, _, _ in curves.papers}):
        value = max(value for _, at, _, value in curves.papers if at == x)
        is_near_end = across(x) > WIDTH - RIGHT - 60
        parts.append(svg.text(across(x) + (-9 if is_near_end else 9), max(up(value) - 7, TOP + 10), "paper", "tick", "end" if is_near_end else "start"))
    words = f"{curves.title}: {'time' if curves.y == 'seconds' else 'GB/s'} over {curves.x_label}, {', '.join(series)}"
    return f"<figure>{svg.plot(words, WIDTH, HEIGHT, parts, 480)}{_legend(curves, series)}</figure>"


def _legend(curves, series):
    entries = []
    for i, name in enumerate(series):
        stroke = svg.line(1, 7, 25, 7, f"c{i % svg.N_COLOURS} curve") if name in curves.lines else ""
        entries.append((stroke + svg.mark(i, 13, 7, 3.8, hollow=not stroke, is_mark=False), name))
    if curves.copies:
        entries.append((svg.line(1, 7, 25, 7, "dashed"), "copy of as many bytes" + (", of each series" if len(curves.copies) > 1 else "")))
    for where in dict.fromkeys(where for where, *_ in curves.papers):
        entries.append((svg.element("circle", cx=13, cy=7, r=5, class_="paper"), "paper" + (": " + where if where else "")))
    return svg.legend(entries)
