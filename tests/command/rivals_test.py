# The driver of the libraries that crinkle stands beside: every case's result is NumPy's, the document is what scripts read, a library that is
# not here is skipped with the reason, one that is wrong is named. No speed is judged.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json
import os
import pathlib
import subprocess
import sys

from harness import CommandTest

driver = harness.source_tree / "bench" / "rivals" / "drive.py"
library = pathlib.Path(harness.program).parent / "libcrinkle.so"
if not library.exists():
    print("skipped: this build has no libcrinkle.so")
    sys.exit(77)


class Rivals(CommandTest):
    def drive(self, *options, python_path=""):
        environment = {**os.environ, "PYTHONPATH": str(python_path), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run([sys.executable, driver, library, "--bytes", "65536", "--samples", "7", "--threads", "2", "--no-compile", *options],
                              cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)

    def test_every_case_is_numpys_and_has_a_row(self):
        done = self.drive("--rival", "NumPy", "-o", "rivals.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads((self.folder / "rivals.json").read_text())
        self.assertEqual((document["schema"], document["suite"]), (1, "rivals"))
        self.assertTrue(document["device"].endswith(", 2 threads"))
        names = [row["name"] for row in document["rows"]]
        self.assertEqual(len(names), len(set(names)))
        for name in ["transpose", "order_210", "interlace_9", "deinterlace_2", "bit_planes_4", "roll_flip_transpose"]:
            self.assertIn(name, names)
        for row in document["rows"]:
            self.assertGreater(row["seconds"], 0)
            self.assertAlmostEqual(row["gb_per_s"], row["bytes"] / row["seconds"] * 1e-9, 6)
            self.assertEqual([label.split()[0] for label in row["rivals"]], [] if row["name"].startswith("bit_planes") else ["NumPy"])
        self.assertEqual(document["skipped"]["OpenCV"], "not asked for")
        self.assertIn("skipped Blosc: ", done.stdout)
        self.assertIn("NumPy", done.stdout.splitlines()[-1])
        self.assertEqual([path.name for path in self.folder.iterdir()], ["rivals.json"])

    def test_a_library_that_is_not_here_is_skipped_and_a_wrong_one_named(self):
        (self.folder / "cv2.py").write_text("raise ImportError('no such library')")
        done = self.drive("--rival", "OpenCV", "--case", "flip_slow", python_path=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("skipped OpenCV: no such library; pip install opencv-python-headless", done.stdout)
        (self.folder / "cv2.py").write_text("__version__ = '0'\ndef setNumThreads(n): pass\ndef flip(source, axis, destination): destination[...] = source\n")
        done = self.drive("--rival", "OpenCV", "--case", "flip_slow", python_path=self.folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "flip_slow: the result of OpenCV 0 is not NumPy's\n")

    def test_wrong_requests(self):
        for options, says in [(["--samples", "6"], "7 or more"), (["--threads", "0"], "1 or more"), (["--case", "nosuch"], "no case has 'nosuch' in its name")]:
            done = self.drive("--rival", "NumPy", *options)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(says, done.stderr)


if __name__ == "__main__":
    harness.main()
