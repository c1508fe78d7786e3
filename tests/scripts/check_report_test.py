#!/usr/bin/env python3
"""scripts/check_report.sh: a browser finds a whole page whole, and every page that is broken on purpose broken. Skipped where there is no chromium.

SPDX-License-Identifier: BSD-3-Clause
"""
import os
import re
import shutil
import subprocess
import unittest

from figures import FIGURES, ODD, ROOT, InAFolder
from reporting import page
from reporting.read import read


class Browser(InAFolder):
    def check(self, text, **environment):
        path, picture = self.folder / "page.html", self.folder / "picture.png"
        path.write_text(text)
        done = subprocess.run([ROOT / "scripts" / "check_report.sh", path, picture], capture_output=True, text=True, env=os.environ | environment)
        return done.returncode, done.stdout, picture

    @staticmethod
    def height_of(picture):
        """Of a PNG, in pixels."""
        return int.from_bytes(picture.read_bytes()[20:24], "big")

    def test_no_browser_is_no_success(self):
        status, said, _ = self.check("", CHROMIUM="no-such-browser")
        self.assertEqual((status, said), (77, "skipped: no chromium\n"))

    @unittest.skipUnless(shutil.which("chromium"), "no chromium")
    def test_odd_rows_stay_inside_their_plots(self):
        status, said, _ = self.check(page.of_files([read(self.written(ODD))]))
        self.assertEqual(status, 0, said)

    @unittest.skipUnless(shutil.which("chromium"), "no chromium")
    def test_a_whole_page_passes_and_a_broken_one_does_not(self):
        text = page.of_files([read(self.written(FIGURES))])
        status, said, picture = self.check(text)
        self.assertEqual(status, 0, said)
        self.assertIn(f"{text.count('class=' + chr(34) + 'plot')} plots drawn", said)
        self.assertEqual(picture.read_bytes()[:4], b"\x89PNG")
        height = self.height_of(picture)
        picture.unlink()
        status, said, picture = self.check(text.replace("</header>", '<div style="height: 9000px">x</div></header>', 1))
        self.assertEqual(status, 0, said)
        self.assertAlmostEqual(self.height_of(picture), height + 9000, delta=50)  # margins
        picture.unlink()
        bar = re.search(r'<rect [^>]*class="mark bar"/>', text)[0]
        dot = re.search(r'<circle cx="([\d.]+)"[^>]*class="mark c0"/>', text)
        broken = [
            (text.replace(bar, "", 1), "marks instead of"),
            (text.replace(bar, re.sub(r' width="[^"]*"', ' width="9999"', bar), 1), "lies outside"),
            (text.replace(dot[0], dot[0].replace(dot[1], "-20", 1), 1), "lies outside"),
            (text.replace(bar, re.sub(r' width="[^"]*"', ' width="NaN"', bar), 1), "the console is not silent"),
            (text.replace("<script>", "<script>console.error('planted');", 1), "the console is not silent"),
            (text.replace("<script>", "<script>throw new Error('planted');", 1), "the console is not silent"),
            (text.replace("</style>", "svg.plot { display: none }</style>", 1), "): has no size"),
            (text.replace("</style>", ".bar { display: none }</style>", 1), "mark bar has no size"),
            (re.sub(r'data-plots="\d+"', 'data-plots="1"', text), "1 promised"),
            (text[:len(text) // 2], "is not complete"),
            (text.replace("</header>", '<div style="width: 3000px">x</div></header>', 1), "wider than its window"),
            ("", "is not complete"),
        ]
        for page_text, expected in broken:
            with self.subTest(expected):
                self.assertNotEqual(page_text, text)
                status, said, picture = self.check(page_text)
                self.assertEqual(status, 1, said)
                self.assertIn(expected, said)
                self.assertFalse(picture.exists())


if __name__ == "__main__":
    if not shutil.which("chromium"):
        print("skipped: no chromium", flush=True)
    unittest.main()
