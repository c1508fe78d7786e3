"""Decides charts of what is no time: a value from 0 on over sizes (a logarithmic axis) or over words, a line a series, 1 dashed where it means "as fast".

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers, svg
from .curves import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH


def _ticks_from_0(high):
    step = next(m * 10.0 ** d for d in range(-12, 40) for m in (1, 2, 5) if high / (m * 10.0 ** d) <= 7)
    return [i * step for i in range(int(high / step + 1e-9) + 1)]


def _across(xs):
    """A place for each x, and the ticks."""
    if any(isinstance(x, str) for x in xs):
        places = {x: LEFT + (i + 0.5) * (WIDTH - RIGHT - LEFT) / len(xs) for i, x in enumerate(xs)}
        return places, [(places[x], x) for x in xs]
    xs = sorted(xs)
    scale = svg.Logarithmic(xs[0] / 1.15, xs[-1] * 1.15, LEFT, WIDTH - RIGHT)
    return {x: scale(x) for x in xs}, [(scale(x), words) for x, words in svg.ticks_of_x(xs, 9)]


def drawing(title, x_label, y_label, lines, even=False):
    """HTML of one chart; lines: {series: [(x, value)]}, x numbers above 0 or words."""
    points = [point for line in lines.values() for point in line]
    places, ticks = _across(list(dict.fromkeys(x for x, _ in points)))
    up = svg.Linear(0, 1.06 * max([value for _, value in points] + [1] * even), HEIGHT - BOTTOM, TOP)
    parts = []
    for tick in _ticks_from_0(up.high):
        parts += [svg.line(LEFT, up(tick), WIDTH - RIGHT, up(tick), "grid"), svg.text(LEFT - 8, up(tick) + 4, f"{tick:g}", "tick", "end")]
    for place, words in ticks:
        parts += [svg.line(place, TOP, place, HEIGHT - BOTTOM, "grid"), svg.text(place, HEIGHT - BOTTOM + 17, words, "tick", "middle")]
    parts += [svg.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis"), svg.text(2, 12, y_label, "label"),
              svg.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x_label, "label", "middle")]
    if even:
        parts.append(svg.line(LEFT, up(1), WIDTH - RIGHT, up(1), "dashed"))
    for i, (name, line) in reversed(list(enumerate(lines.items()))):
        spots = [(places[x], up(value)) for x, value in line]
        if len(spots) > 1:
            parts.append(svg.element("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in spots), class_=f"mark c{i % svg.N_COLOURS} curve"))
        for (x, value), spot in zip(line, spots):
            parts.append(svg.titled(f"{name}, {x_label} {x if isinstance(x, str) else numbers.whole(x)}: {numbers.significant(value)}", svg.mark(i, *spot)))
    keys = [(svg.line(1, 7, 25, 7, f"c{i % svg.N_COLOURS} curve") + svg.mark(i, 13, 7, 3.8, is_mark=False), name) for i, name in enumerate(lines)]
    return f"<figure>{svg.plot(f'{title}: {y_label} over {x_label}', WIDTH, HEIGHT, parts, 480)}{svg.legend(keys)}</figure>"
