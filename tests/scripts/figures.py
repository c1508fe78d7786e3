"""A document with everything that scripts/report draws, and a folder for every test.

SPDX-License-Identifier: BSD-3-Clause
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))  # where the package reporting is

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
        return subprocess.run([sys.executable, ROOT / "scripts" / "report", *arguments], cwd=self.folder, capture_output=True, text=True)
