"""Decides where the committed results lie, what their machines are called in documents, and how rows are found in them by name.

SPDX-License-Identifier: BSD-3-Clause
"""
import dataclasses
import functools
import pathlib

from . import numbers
from .read import Refused, read

RESULTS = pathlib.Path(__file__).resolve().parent.parent.parent / "bench" / "results"


@dataclasses.dataclass(frozen=True)
class Machine:
    name: str
    folder: str
    words: str = ""  # as a sentence says it

    def path(self, suite):
        return RESULTS / self.folder / f"{suite}.json"

    def file(self, suite):
        return _read(self.path(suite))

    def rows(self, suite):
        return self.file(suite).rows

    def labelled(self, suite):
        """{label: row}: the label is the name where no other row has it."""
        return Labelled(self.path(suite), {row.label: row for row in self.rows(suite)})


EPYC = Machine("EPYC", "epyc-2-cores")
XEON = Machine("Xeon", "xeon-2-cores", "two threads of an Intel Xeon")
EPYC_25 = Machine("EPYC (family 25)", "epyc-family-25-2-cores", "two threads of an EPYC (family 25)")
EPYC_17 = Machine("EPYC (family 25, model 17)", "epyc-model-17-2-cores", "two threads of an EPYC (family 25, model 17)")
XEON_16 = Machine("Xeon, two of 16 cores", "xeon-16-cores", "two threads of an Intel Xeon (family 6, model 207)")
H100 = Machine("H100", "h100", "an NVIDIA H100")
H200 = Machine("H200", "h200", "an NVIDIA H200")
MACHINES = {"epyc": EPYC, "xeon": XEON, "epyc-25": EPYC_25, "epyc-17": EPYC_17, "xeon-16": XEON_16, "h100": H100, "h200": H200}  # as markers call them
RUNS = [(f"{machine.name}, {threads}", machine, suffix) for machine in (EPYC, XEON) for threads, suffix in (("one thread", "_1_thread"), ("two", ""))]

_read = functools.cache(read)


class Labelled(dict):
    """Rows by label; one that is not there is said to be missing from its file."""

    def __init__(self, path, rows):
        super().__init__(rows)
        self.path = path

    def __missing__(self, label):
        raise Refused(f"{self.path}: expected a row {label}")

    def fractions(self, labels):
        return ", ".join(numbers.fraction(self[label].fraction) for label in labels)

    def fraction(self, label):
        """–, where there is no such row."""
        return numbers.fraction(self[label].fraction) if label in self else numbers.NONE
