"""Decides how plots are drawn: elements, marks by contender or series (colour and shape, so that neither alone tells them apart), ticks, legends.

Whatever stands for a number has the class `mark`, and a plot says how many it has (`data-marks`): check_report.sh counts them.

SPDX-License-Identifier: BSD-3-Clause
"""
import html
import math

from . import numbers

FONT = 11  # px, of all texts in plots
LONGEST_NAME = 56
N_COLOURS = 7  # --c0 … of page.css
WIDTHS = ((0.34, "ijlI |.,:;'"), (0.44, "frt()[]-/"), (0.56, "_csvxyzk"), (0.99, "mwMW@%+<>"), (0.8, "ABCDGHKNOQRUV"))  # of ems, of a wide font
SHAPES = ("circle", "square", "diamond", "up", "down", "cross", "bar")


def escape(text):
    return html.escape(str(text))


def shortened(text):
    """A name that leaves room for a plot; tables and what shows under the pointer have all of it."""
    return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME - 12]}…{text[-11:]}"


def width_of(text):
    """No less than a text is wide in a sans-serif font, in px."""
    return sum(next((width for width, some in WIDTHS if c in some), 0.66) for c in text) * FONT + 2


def element(tag, inner="", **attributes):
    """<tag …>inner</tag>; class_ is class, _ in names is -, numbers have two places."""
    def written(value):
        return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else escape(value)

    pairs = "".join(f' {key.rstrip("_").replace("_", "-")}="{written(value)}"' for key, value in attributes.items() if value is not None)
    return f"<{tag}{pairs}>{inner}</{tag}>" if inner else f"<{tag}{pairs}/>"


def text(x, y, words, class_=None, anchor=None):
    return element("text", escape(words), x=float(x), y=float(y), class_=class_, text_anchor=anchor)


def line(x1, y1, x2, y2, class_):
    return element("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), class_=class_)


def titled(words, *parts):
    """Parts that show words when the pointer rests on them."""
    return element("g", element("title", escape(words)) + "".join(parts))


def plot(title, width, height, parts, least_width=None):
    """One drawing that shrinks with the page as far as least_width."""
    body = "".join(parts)
    n_marks = body.count('class="mark')
    style = f"max-width:{width:.0f}px;min-width:{min(width, least_width or 0.8 * width):.0f}px"
    svg = (f'<svg class="plot" role="img" viewBox="0 0 {width:.0f} {height:.0f}" data-marks="{n_marks}" style="{style}">'
           f"<title>{escape(title)}</title>{body}</svg>")
    return f'<div class="scroll">{svg}</div>'


def _outline(shape, x, y, r):
    """Shapes of about one area, in a square of 2r."""
    points = {
        "square": [(-.85, -.85), (.85, -.85), (.85, .85), (-.85, .85)],
        "diamond": [(0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)],
        "up": [(0, -1.15), (1.1, .85), (-1.1, .85)],
        "down": [(0, 1.15), (1.1, -.85), (-1.1, -.85)],
        "cross": [(-.35, -1.1), (.35, -1.1), (.35, -.35), (1.1, -.35), (1.1, .35), (.35, .35), (.35, 1.1), (-.35, 1.1), (-.35, .35), (-1.1, .35), (-1.1, -.35),
                  (-.35, -.35)],
        "bar": [(-.4, -1.2), (.4, -1.2), (.4, 1.2), (-.4, 1.2)],
    }[shape]
    return "M" + "L".join(f"{x + r * dx:.1f},{y + r * dy:.1f}" for dx, dy in points) + "Z"


def mark(index, x, y, r=3.6, hollow=False, is_mark=True):
    """The mark of the index-th contender or series."""
    shape = SHAPES[index % len(SHAPES)]
    class_ = ("mark " if is_mark else "") + f"c{index % N_COLOURS}" + (" hollow" if hollow else "")
    if shape == "circle":
        return element("circle", cx=float(x), cy=float(y), r=float(r), class_=class_)
    return element("path", d=_outline(shape, x, y, r), class_=class_)


def legend(entries):
    """entries: (drawing in a box of 26 by 14, words)."""
    def key(drawing):
        return f'<svg class="key" width="26" height="14" viewBox="0 0 26 14" aria-hidden="true">{drawing}</svg>'

    return '<ul class="legend">' + "".join(f"<li>{key(drawing)}{escape(words)}</li>" for drawing, words in entries) + "</ul>"


class Linear:
    """[low, high] of the data to [left, right] of the drawing."""

    def __init__(self, low, high, left, right):
        self.low, self.high, self.left, self.right = low, high, left, right

    def __call__(self, value):
        return self.left + (self._of(value) - self._of(self.low)) / (self._of(self.high) - self._of(self.low)) * (self.right - self.left)

    def _of(self, value):
        return value

    def clipped(self, value):
        return self(min(max(value, self.low), self.high))


class Logarithmic(Linear):
    def _of(self, value):
        return math.log10(value)


def percent_ticks(high):
    """Fractions from 0 on, about five steps, 1 among them."""
    step = next((s for s in (0.25, 0.5, 1) if high / s <= 6.2), math.ceil(high / 6))
    return [i * step for i in range(math.floor(high / step + 1e-9) + 1)]


def logarithmic_ticks(low, high, most):
    """Multiples of the decades, the more the fewer decades there are; evenly spaced where the axis spans less than one."""
    decades = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    for multiples, every in [((1, 2, 3, 4, 5, 6, 7, 8, 9), 1), ((1, 2, 5), 1), ((1, 3), 1)] + [((1,), n) for n in range(1, 40)]:
        ticks = [m * 10.0 ** d for d in decades if d % every == 0 for m in multiples if low * 0.999999 <= m * 10.0 ** d <= high * 1.000001]
        if len(ticks) <= most:
            break
    if len(ticks) > 2:
        return ticks
    step = next(m * 10.0 ** d for d in range(math.floor(math.log10(high / most)) - 2, 400) for m in (1, 2, 5) if (high - low) / (m * 10.0 ** d) < most - 1)
    return [i * step for i in range(math.ceil(low / step), math.floor(high / step) + 1)] if high < 10 * low else ticks


def ticks_of_x(values, most):
    """(places, words) under a logarithmic axis: the values themselves where few, powers of two where all are."""
    values = sorted(set(values))
    powers = [numbers.power_of_two(value) for value in values]
    if None not in powers:
        step = max(1, math.ceil((powers[-1] - powers[0] + 1) / most))
        ks = range(math.ceil(powers[0] / step) * step if step > 1 else int(powers[0]), int(powers[-1]) + 1, step)
        return [(2.0 ** k, numbers.two_to_the(k) if not 1 <= 2.0 ** k <= 16384 or powers[-1] > 14 else f"{2 ** k}") for k in ks]
    apart = all(math.log(b / a) * most > 0.9 * math.log(values[-1] / values[0]) for a, b in zip(values, values[1:]))
    if len(values) <= most and apart:
        return [(value, numbers.whole(value)) for value in values]
    return [(value, numbers.whole(value)) for value in logarithmic_ticks(values[0], values[-1], most) or [values[0], values[-1]]]
