"""A document with everything that scripts/report draws, and a folder for every test.

SPDX-License-Identifier: BSD-3-Clause
"""
import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))  # where the package reporting is
from reporting import command

FLIP, ROLL = "Figure 13: flip", "Figure 2: roll"


def flip(series, n, factor):
    n_bytes, gb_per_s = 8 * n * n, 4000.0
    seconds = factor * n_bytes / gb_per_s * 1e-9
    return {"name": f"flip_{series}_{n}", "element_bytes": 4, "bytes": n_bytes, "seconds": seconds, "iqr": seconds / 50, "copy_gb_per_s": gb_per_s,
            "samples": 21, "checked": "walk", "plot": {"title": FLIP, "x": n, "x_label": "N", "series": series}}


def roll(n, gb_per_s):
    n_bytes = 10 ** 9
    return {"name": f"roll_{n}", "bytes": n_bytes, "seconds": n_bytes / gb_per_s * 1e-9, "copy_gb_per_s": 50.0,
            "plot": {"title": ROLL, "x": n, "series": "roll", "y": "gb_per_s"}}


FIGURES = {
    "schema": 1, "suite": "figures", "device": "a device", "seed": 7,
    "rows": [flip(series, n, factor) for series, factor in (("A", 1.25), ("B", 2)) for n in (1024, 2048, 8192)] + [roll(n, 25.0) for n in (3, 10, 500)] + [
        {"name": "moveaxis", "bytes": 10 ** 9, "seconds": 0.025, "iqr": 0.001, "copy_gb_per_s": 50.0,
         "rivals": {"NumPy 2.4.6": {"seconds": 0.1, "iqr": 0.001}, "OpenCV 5.0.0": None}},
        {"name": "a|b <script>x</script>", "bytes": 10 ** 9, "seconds": 0.02, "copy_gb_per_s": 50.0,
         "rivals": {"NumPy 2.4.6": {"seconds": 0.08}, "OpenCV 5.0.0": {"seconds": 0.01}}},
        {"name": "no_copy", "bytes": 10 ** 9, "seconds": 0.02, "rivals": {"NumPy 2.4.6": {"seconds": 0.04}}},
        {"name": "no_bytes", "seconds": 0.02, "rivals": {"NumPy 2.4.6": {"seconds": 0.04}}}],
    "paper": {FLIP: {"where": "figure 13", "x": 8192, "seconds": {"A": 0.0062, "B": 0.0067, "C": 0.0118}}, "a figure without rows": {"x": 1, "seconds": {"A": 1}}},
}


def odd(name, title, x, **fields):
    return {"name": name, "bytes": 10 ** 9, "seconds": 0.02, "plot": {"title": title, "x": x, "series": "crinkle", "y": "gb_per_s"}} | fields


ODD = {  # what no benchmark of ours looks like
    "schema": 1,
    "rows": [odd("alone", "one point", 5, copy_gb_per_s=60)] + [odd(f"narrow_{x}", "narrow", x, seconds=1 / x) for x in range(100, 140)] + [
        odd("beside", "with a rival", 7, rivals={"NumPy": {"seconds": 0.04}}), odd("beside", "with a rival", 9, rivals={"NumPy": {"seconds": 0.05}}),
        {"name": "n" * 200, "seconds": 1, "iqr": 1.9, "fraction_of_copy": 30}, {"name": "tiny", "seconds": 1e-12, "fraction_of_copy": 2e-6},
        {"name": "most", "seconds": 1, "iqr": 0.8, "fraction_of_copy": 2.4}],
    "paper": {"one point": {"where": "a table", "x": 5, "seconds": {"crinkle": 0.08}}},
}


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def written(self, document, name="results.json"):
        path = self.folder / name
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return path

    def report(self, *arguments):
        """As scripts/report does it, in the folder, without a process of its own: what it says and its status."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = command.main([str(argument) for argument in arguments])
            except SystemExit as ended:
                status = ended.code
        return subprocess.CompletedProcess(arguments, status, out.getvalue(), err.getvalue())
