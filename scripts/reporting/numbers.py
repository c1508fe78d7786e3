"""Decides how numbers are written: percent, GB/s, times, bytes; and what sums up many of them.

SPDX-License-Identifier: BSD-3-Clause
"""
import math

NONE = "–"
_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def significant(value, digits=3):
    """Three digits that count, without an exponent."""
    if value is None:
        return NONE
    if value == 0:
        return "0"
    value = float(f"{value:.{digits - 1}e}")
    places = digits - 1 - math.floor(math.log10(abs(value)))
    return f"{round(value, places):.{max(0, places)}f}"


def gb_per_s(value):
    return significant(value)


def percent(fraction):
    if fraction is None:
        return NONE
    if fraction < 0.00995:
        return f"{significant(100 * fraction, 2)} %"
    return f"{100 * fraction:.0f} %" if fraction >= 0.0995 else f"{100 * fraction:.1f} %"


def fraction(value):
    """Of a copy, or a quotient of times: two places."""
    return NONE if value is None else f"{value:.2f}"


def times(quotient):
    """Two digits that count, and below 2, where hundredths decide who is faster, three."""
    return significant(quotient, 3 if 1 <= quotient < 1.995 else 2)


def seconds(value):
    if value is None:
        return NONE
    for unit, scale in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= 0.9995 * scale:
            return f"{significant(value / scale)} {unit}"
    return f"{significant(value / 1e-9)} ns"


def tick_of_seconds(value):
    """A time with no more digits than it needs."""
    number, unit = seconds(value).split(" ")
    return f"{float(number):g} {unit}"


def whole(value):
    return NONE if value is None else f"{value:g}" if value < 1e6 else f"{value:.0f}"


def power_of_two(value):
    """k where the value is 2^k, else None."""
    mantissa, exponent = math.frexp(value)
    return exponent - 1 if mantissa == 0.5 else None


def two_to_the(k):
    return "2" + str(k).translate(_SUPERSCRIPT)


def geometric_mean(values):
    return math.exp(math.fsum(map(math.log, values)) / len(values))


def mean_and_least(rows):
    """The geometric mean of the fractions of copy, the row with the least one, and how many: of our rows; None without any."""
    rows = [row for row in rows if row.is_ours and row.fraction]
    return (geometric_mean([row.fraction for row in rows]), min(rows, key=lambda row: row.fraction), len(rows)) if rows else None


def quotients(rows):
    """{(ours, rival): [(rival's time over ours, label of the row)]}, for every pair that is compared."""
    found = {}
    for row in rows:
        for ours in row.contenders:
            for rival in row.contenders:
                if ours.is_ours and not rival.is_ours and (rival.threads is None or ours.threads == rival.threads):
                    found.setdefault((ours.name, rival.name), []).append((rival.seconds / ours.seconds, row.label))
    return found


def times_faster(rows):
    """[(ours, rival, geometric mean of their quotients, rows, rows where ours is slower)]."""
    return [(ours, rival, geometric_mean([q for q, _ in found]), len(found), [label for q, label in sorted(found) if q < 1])
            for (ours, rival), found in quotients(rows).items()]
