"""Decides the README's table: how long moves take on a CPU and on a GPU, beside what people use there.

    <!-- table speeds
    transposed: transpose
    -->                       a line a line of the marker, WORDS: name of a case of the suite rivals

SPDX-License-Identifier: BSD-3-Clause
"""
from .committed import H200, XEON
from .markdown import table
from .read import Refused

MACHINES = [(XEON, "NumPy"), (H200, "CuPy")]


def _ms(seconds):
    return f"{1000 * seconds:.3g} ms"


def _cells(machine, library, case):
    """What crinkle, the library and the fastest other take for the case on the machine."""
    row = next((row for row in machine.rows("rivals") if row.name == case), None)
    if row is None:
        return ["–"] * 3
    times = {name: rival["seconds"] for name, rival in row.given["rivals"].items() if rival}
    own = [seconds for name, seconds in times.items() if name.startswith(library)]
    others = sorted((seconds, name) for name, seconds in times.items() if not name.startswith(library))
    fastest = f"{_ms(others[0][0])}, {_plain(others[0][1])}" if others else "–"
    return [f"{_ms(row.given['seconds'])}, {row.given['gb_per_s']:.0f} GB/s", _ms(own[0]) if own else "–", fastest]


def _plain(name):
    """Without the version."""
    return " ".join(word for word in name.split() if not word[0].isdigit())


def speeds(lines):
    if not lines:
        raise Refused("expected lines of WORDS: CASE")
    told = [line.rpartition(": ")[::2] for line in lines]
    head = ["", *(cell for _, library in MACHINES for cell in ("crinkle", library, "fastest other"))]
    return table(head, [[words, *(cell for machine, library in MACHINES for cell in _cells(machine, library, case))] for words, case in told])


TABLES = {"speeds": speeds}
