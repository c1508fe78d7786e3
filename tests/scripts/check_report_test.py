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
    def test_a_whole_page_passes_odd_rows_and_all(self):
        text = page.of_files([read(self.written(document, name)) for document, name in ((FIGURES, "figures.json"), (ODD, "odd.json"))])
        status, said, picture = self.check(text.replace("</header>", '<div style="height: 9000px">x</div></header>', 1))
        self.assertEqual(status, 0, said)
        self.assertIn(f"{text.count('class=' + chr(34) + 'plot')} plots drawn", said)
        self.assertEqual(picture.read_bytes()[:4], b"\x89PNG")
        self.assertGreater(self.height_of(picture), 9000)  # the whole of it

    @unittest.skipUnless(shutil.which("chromium"), "no chromium")
    def test_a_broken_page_does_not(self):
        text = page.of_files([read(self.written(FIGURES))])
        bars = re.findall(r'<rect [^>]*class="mark bar"/>', text)
        dots = re.findall(r'<circle cx="[\d.]+"[^>]*class="mark c0"/>', text)

        def faulty(text):  # several faults in one page, each of which is told
            text = text.replace(bars[0], "", 1)
            text = text.replace(bars[1], re.sub(r' width="[^"]*"', ' width="9999"', bars[1]), 1)
            text = text.replace(dots[0], re.sub(r'cx="[^"]*"', 'cx="-20"', dots[0]), 1)
            text = text.replace(bars[2], bars[2].replace("<rect ", '<rect style="display: none" '), 1)
            return text.replace("</header>", '<div style="width: 3000px">x</div></header>', 1)

        broken = [
            (faulty(text), ["marks instead of", "mark bar lies outside", "mark c0 lies outside", "mark bar has no size", "wider than its window"]),
            (text.replace(bars[0], re.sub(r' width="[^"]*"', ' width="NaN"', bars[0]), 1), ["the console is not silent"]),
            (re.sub(r'data-plots="\d+"', 'data-plots="1"', text), ["1 promised"]),
            (text[:len(text) // 2], ["is not complete"]),
        ]
        for page_text, expected in broken:
            with self.subTest(expected[0]):
                self.assertNotEqual(page_text, text)
                status, said, picture = self.check(page_text)
                self.assertEqual(status, 1, said)
                for words in expected:
                    self.assertIn(words, said)
                self.assertFalse(picture.exists())


if __name__ == "__main__":
    if not shutil.which("chromium"):
        print("skipped: no chromium", flush=True)
    unittest.main()
