"""Decides the README's tables: how long moves take on a CPU and on a GPU, beside what people use there; and the same of what is computed.

    <!-- table speeds
    transposed: transpose
    -->                       a line a line of the marker, WORDS: name of a case of the suite rivals
    <!-- table beside
    a blur: stencil/blur_2d
    -->                       WORDS: SUITE/CASE, of the suites rivals_SUITE

SPDX-License-Identifier: BSD-3-Clause
"""
from . import numbers
from .committed import EPYC_25, H200, XEON, XEON_16
from .markdown import table
from .read import Refused

MACHINES = [(XEON, "NumPy"), (H200, "CuPy")]


def _ms(seconds):
    return f"{1000 * seconds:.3g} ms"


def _cells(machine, library, case):
    """What crinkle takes for the case on the machine, its rate as a share of a copy's, and what the library and the fastest other take."""
    row = next((row for row in machine.rows("rivals") if row.name == case), None)
    if row is None:
        return ["–"] * 3
    times = {name: rival["seconds"] for name, rival in row.given["rivals"].items() if rival}
    own = [seconds for name, seconds in times.items() if name.startswith(library)]
    others = sorted((seconds, name) for name, seconds in times.items() if not name.startswith(library))
    fastest = f"{_ms(others[0][0])}, {_plain(others[0][1])}" if others else "–"
    return [f"{_ms(row.given['seconds'])}, {row.given['gb_per_s']:.0f} GB/s, {row.fraction:.2f} of a copy", _ms(own[0]) if own else "–", fastest]


def _plain(name):
    """Without versions, and where it comes from."""
    return " ".join(word for word in name.partition(" (")[0].split() if not word[0].isdigit())


def _told(lines, form):
    if not lines:
        raise Refused(f"expected lines of {form}")
    return [line.rpartition(": ")[::2] for line in lines]


def speeds(lines):
    told = _told(lines, "WORDS: CASE")
    head = ["", *(cell for _, library in MACHINES for cell in ("crinkle", library, "fastest other"))]
    return table(head, [[words, *(cell for machine, library in MACHINES for cell in _cells(machine, library, case))] for words, case in told])


def _beside(machines, suite, case):
    """What crinkle takes on the first machine that was asked, and how many times as long the others take."""
    for machine in machines:
        rows = machine.rows(suite) if machine.path(suite).exists() else []
        for row in rows:
            if row.name == case:
                times = sorted((rival["seconds"] / row.given["seconds"], _plain(name)) for name, rival in row.given["rivals"].items() if rival)
                return [_ms(row.given["seconds"]), ", ".join(f"{name} {numbers.significant(quotient, 2)}" for quotient, name in times) or "–"]
    return ["–", "–"]


def beside(lines):
    told = _told(lines, "WORDS: SUITE/CASE")
    head = ["", "two cores", "times as long", "H200", "times as long"]
    return table(head, [[words, *(cell for machines in ((XEON_16, EPYC_25), (H200,)) for cell in _beside(machines, f"rivals_{suite}", case))]
                        for words, (suite, _, case) in ((words, place.partition("/")) for words, place in told)])


TABLES = {"speeds": speeds, "beside": beside}
