"""Decides how fractions of the copy are shown: a bar a row, in small plots by the family of the row's name; and a strip a file to sum up.

SPDX-License-Identifier: BSD-3-Clause
"""
import re

from . import numbers, svg
from .svg import FONT

PITCH, BAR = 16, 9
AREA = 190  # px, from 0 to the end of the axis
NUMBERS = 48
SHOWN_AT_MOST = 2.5  # longer bars end here; their numbers are beside them
TOP = 20
GAP = 8
LONGEST = 32  # rows of one plot


def families(rows):
    """[(name, rows)] by the first word of the rows' names, else by the bytes of elements; families of one are put together."""
    by_word, by_size = {}, {}
    for row in rows:
        by_word.setdefault(re.match(r"[^\W\d_]{2,}|[^\W_]*", row.name).group() or row.name, []).append(row)
        by_size.setdefault(row.element_bytes, []).append(row)
    lone = [row for word in by_word for row in by_word[word] if len(by_word[word]) == 1]
    several = [(word, found) for word, found in by_word.items() if len(found) > 1]
    if len(rows) <= 12:
        return [("", rows)]
    if len(several) > 1:
        return several + ([("others", lone)] if lone else [])
    if len(by_size) > 1 and None not in by_size:
        return [(f"elements of {size} byte{'s' if size > 1 else ''}", found) for size, found in sorted(by_size.items())]
    return [("", rows)]


def in_parts(title, rows):
    """A long family as parts of one length, in order: [(title, rows)]."""
    n = -(-len(rows) // LONGEST)
    ends = [round(i * len(rows) / n) for i in range(n + 1)]
    return [(f"{title} ({i + 1} of {n})".lstrip() if n > 1 else title, rows[ends[i]:ends[i + 1]]) for i in range(n)]


def end_of_axis(fractions):
    return min(max(1.1, 1.02 * max(fractions)), SHOWN_AT_MOST)


def spread(row):
    """The fractions at the quartiles of the time, as if the median lay amid them."""
    half = (row.iqr or 0) / row.seconds / 2
    return row.fraction / (1 + half), row.fraction / max(1 - half, 0.1)


def _told(row):
    words = f"{row.label}: {numbers.percent(row.fraction)} of copy, {numbers.seconds(row.seconds)}"
    if row.gb_per_s:
        words += f", {numbers.gb_per_s(row.gb_per_s)} GB/s"
    if row.cold_fraction:
        words += f", cold {numbers.percent(row.cold_fraction)}"
    return words + (f", interquartile range {numbers.percent(row.iqr / row.seconds)}" if row.iqr is not None else "")


def percent_axis(place, top, bottom, parts, is_copy_named):
    """Grid lines with their words above; the copy's line is drawn over the bars, by copy_line."""
    for tick in svg.percent_ticks(place.high):
        parts.append(svg.line(place(tick), top, place(tick), bottom, "grid"))
        words = "copy" if tick == 1 and is_copy_named else f"{100 * tick:.0f}"
        parts.append(svg.text(place(tick), top - 5, words, "tick", "middle"))


def copy_line(place, top, bottom):
    return svg.line(place(1), top, place(1), bottom, "copy")


def _small_plot(title, rows, label_width, high, least):
    left = label_width + GAP
    place = svg.Linear(0, high, left, left + AREA)
    width, height = left + AREA + NUMBERS, TOP + PITCH * len(rows) + 4
    parts = []
    percent_axis(place, TOP, height - 2, parts, True)
    for i, row in enumerate(rows):
        middle = TOP + PITCH * (i + 0.5)
        low, far = (place.clipped(value) for value in spread(row))
        parts.append(svg.titled(
            _told(row),
            svg.element("rect", x=0.0, y=middle - PITCH / 2, width=float(width), height=float(PITCH), class_="row"),
            svg.text(label_width, middle + 0.36 * FONT, svg.shortened(row.label), "name", "end"),
            svg.element("rect", x=float(left), y=middle - BAR / 2, width=place.clipped(row.fraction) - left, height=float(BAR),
                        class_="mark bar least" if row is least else "mark bar"),
            svg.line(low, middle, far, middle, "whisker") if far - low > 0.05 else "",
            svg.element("circle", cx=place.clipped(row.cold_fraction), cy=middle, r=2.5, class_="cold") if row.cold_fraction else "",
            svg.text(width - 2, middle + 0.36 * FONT, numbers.percent(row.fraction), "number", "end")))
    parts.append(copy_line(place, TOP, height - 2))
    found = numbers.mean_and_least(rows)
    whose = "crinkle's " if found and found[2] < len(rows) else ""
    mean = f", {whose}{numbers.percent(found[0])}" if found else ""
    head = f"<h5>{svg.escape(title)} <small>{len(rows)} rows{mean}</small></h5>" if title else ""
    of = f"; geometric mean {numbers.percent(found[0])}, least {numbers.percent(found[1].fraction)} ({found[1].label})" if found else ""
    words = "Percent of copy" + (f": {title}" if title else "") + of
    return f"<figure>{head}{svg.plot(words, width, height, parts)}</figure>"


def small_plots(rows):
    """HTML of all bars of a file's rows that have a fraction."""
    label_width = max(svg.width_of(svg.shortened(row.label)) for row in rows)
    high = end_of_axis([row.fraction for row in rows])
    found = numbers.mean_and_least(rows)
    least = found and found[1]
    figures = [_small_plot(title, part, label_width, high, least) for family, members in families(rows)
               for title, part in in_parts(family, sorted(members, key=lambda row: -row.fraction))]
    return f'<div class="columns" style="--column:{label_width + GAP + AREA + NUMBERS:.0f}px">' + "".join(figures) + "</div>"


def strips(files):
    """One line a file: every row of ours a thin mark, their geometric mean a dot."""
    found = [(file, numbers.mean_and_least(file.rows)) for file in files]
    found = [(file, summary) for file, summary in found if summary]
    if not found:
        return ""
    label_width = max(svg.width_of(file.path.stem) for file, _ in found)
    left, pitch = label_width + 12, 24
    high = end_of_axis([row.fraction for file, _ in found for row in file.rows if row.fraction])
    place = svg.Linear(0, high, left, left + 420)
    width, height = left + 420 + NUMBERS + 6, TOP + pitch * len(found) + 4
    parts = []
    percent_axis(place, TOP, height - 2, parts, True)
    parts.append(copy_line(place, TOP, height - 2))
    for i, (file, (mean, least, n)) in enumerate(found):
        middle = TOP + pitch * (i + 0.5)
        parts.append(svg.text(label_width, middle + 0.36 * FONT, file.path.stem, "name", "end"))
        for row in file.rows:
            if row.fraction and row.is_ours:
                parts.append(svg.element("rect", element_title(row), x=place.clipped(row.fraction) - 0.75, y=middle - 6, width=1.5, height=12.0, class_="mark strip"))
        words = f"{file.path.stem}: geometric mean of {n} rows {numbers.percent(mean)}, least {numbers.percent(least.fraction)} ({least.label})"
        parts.append(svg.titled(words, svg.element("circle", cx=place.clipped(mean), cy=middle, r=5.0, class_="mark mean"),
                                svg.text(width - 2, middle + 0.36 * FONT, numbers.percent(mean), "number", "end")))
    key = [(svg.element("rect", x=12, y=1, width=1.5, height=12, class_="strip"), "a row"),
           (svg.element("circle", cx=13, cy=7, r=5, class_="mean"), "geometric mean"),
           (svg.line(13, 0, 13, 14, "copy"), "the best plain copy, 100 %")]
    return f'<figure>{svg.plot("Percent of copy, file by file", width, height, parts, 400)}{svg.legend(key)}</figure>'


def element_title(row):
    return svg.element("title", svg.escape(f"{row.label}: {numbers.percent(row.fraction)}"))
