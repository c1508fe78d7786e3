# crinkle-papers as a person runs it: its help, tables and JSON, and wrong requests, each in its own name. No speed is judged.
# SPDX-License-Identifier: BSD-3-Clause
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "command"))
import harness  # first: it looks for a Python that has NumPy

import json
import re
import shlex
import subprocess

from harness import CommandTest

suites = ["hypercubic", "versions", "fft_paper", "simplex", "rearrange", "stencil", "idw", "textures", "vectors", "advice"]
on_a_gpu = ["versions", "textures", "vectors", "advice"]


class Papers(CommandTest):
    called = "crinkle-papers"

    def measured(self, suite, *options):
        text = self.crinkle(suite, *options, "--samples", "7", "--threads", "2", "--hot", "--force", "--json", suite + ".json").decode()
        return text, json.loads((self.folder / (suite + ".json")).read_text())

    def test_help_and_version_are_its_own(self):
        self.assertRegex(self.crinkle("--version").decode(), r"^crinkle-papers \d+\.\d+\.\d+ \(.+\), compiled by (g\+\+|clang) .*\n$")
        text = self.crinkle("--help").decode()
        self.assertNotIn("crinkle bench", text)
        self.assertEqual(re.findall(r"^  (\w+) {2,}\S.*$", text[text.index("Suites:"):text.index("They run")], re.M), suites)
        self.assertIn(";\nversions, textures, vectors and advice on a GPU alone.\n", text)
        for option in ["--cases", "--behind", "--bytes", "--plan"]:  # no suite here takes these
            self.assertNotIn(option + " ", text)

    def test_examples_work(self):
        text = self.crinkle("--help").decode()
        examples = re.findall(r"^  crinkle-papers (.*)$", text[text.index("Examples:"):], re.M)
        self.assertEqual(len(examples), 5)
        for example in examples:
            with self.subTest(example=example):
                if "--device cuda" in example:
                    continue
                if "--memory" not in example:
                    example += " --memory 1MiB --hot --case 256" if "hypercubic" in example else " --case edm_1024"
                done = subprocess.run(["bash", "-c", shlex.quote(harness.program) + " " + example + " --hot --samples 7"], cwd=self.folder, capture_output=True)
                if "--against" in example and done.returncode == 1:  # two runs may differ in speed, which no test asserts
                    self.assertRegex(done.stderr.decode(), r"^crinkle-papers: failed: \d+ of \d+ rows are slower than in hypercubic\.json beyond their noise: ")
                else:
                    self.assertEqual(done.returncode, 0, example + "\n" + done.stderr.decode())

    def test_figures_of_hypercubic_stand_beside_the_papers_numbers(self):
        text, report = self.measured("hypercubic", "--case", "_256", "--memory", "2MiB")
        self.assertEqual([row["name"] for row in report["rows"]][:4], ["blur_256_A", "blur_256_B", "blur_256_C", "blur_256_crinkle"])
        self.assertEqual(len(report["rows"]), 4 + 4 + 4 + 4)
        self.assertEqual(report["paper"]["Figure 13: flip"]["seconds"], {"A": 0.0062, "B": 0.0067, "C": 0.0118})
        self.assertRegex(text, r"^.*, 2 threads, seed \d+\n\nFigure 12: blur, a cell .*; the paper's GPU of 2009 at 8192: A 21.8 ms")

    def test_other_suites_of_a_cpu(self):
        for suite, name in [("simplex", "dummy_1024"), ("idw", "figure7_tiled_n1024"), ("stencil", "star_2d_r1"), ("fft_paper", "figure5_batch8_n256")]:
            _, report = self.measured(suite, "--case", name)
            self.assertEqual(report["suite"], suite)
            self.assertTrue(report["rows"][0]["name"].startswith(name), report["rows"][0])

    def test_variants_of_a_transform_run_as_loops_by_any_chunks(self):
        text, report = self.measured("fft_paper", "--case", "figure5_batch1_n4096", "--c", "3", "--k", "4")
        rows = {row["name"]: row for row in report["rows"]}
        self.assertEqual({(row["c"], row["k"], row["launches"]) for name, row in rows.items() if "radix" in name}, {(3, 4, 4)})  # a reversal, 7 stages, 4, 1
        self.assertEqual({row["checked"] for row in rows.values()}, {"the plan's result, all samples"})
        self.refused(2, "fft_paper", "--c", "9", "--k", "4", says="--c 9 --k 4: a block would hold chunks of 2^c samples and 2^(c + k) in all; give c from 0 and k from 1 on, 3 to 10 together", lines=1)
        self.refused(2, "simplex", "--c", "3", says="--c is not for the suite simplex, but for fft_paper", lines=1)

    def test_wrong_requests(self):
        for words, says in [(["nosuch"], "there is no suite 'nosuch'; the suites are hypercubic, versions, fft_paper, simplex, rearrange, stencil, idw, textures, vectors and advice"), (["fft"], "there is no suite 'fft'"),
                            ([], "SUITE is required; see crinkle-papers --help"), (["hypercubic", "--case", "x"], "no case of hypercubic has 'x'"), (["hypercubic", "--memory", "1KiB"], "--memory"),
                            (["simplex", "--samples", "6"], "7 or more"), (["versions", "--memory", "1MiB"], "--memory is not for the suite versions, but for hypercubic, fft_paper, simplex, rearrange, stencil and idw"),
                            (["hypercubic", "more"], "'more' is one word too many; see crinkle-papers --help"), (["hypercubic", "--memori", "1MiB"], "there is no option --memori; did you mean --memory? See crinkle-papers --help"),
                            (["hypercubic", "--device", "tpu"], "cpu, cuda or cuda:N"), (["hypercubic", "--memory="], "--memory: its value is empty"),
                            *(([suite], f"the suite {suite} runs on a GPU; give --device cuda") for suite in on_a_gpu)]:
            with self.subTest(words=words):
                self.refused(2, *words, says=says, lines=1)
        (self.folder / "old.json").write_text("{}")
        self.refused(1, "hypercubic", "--against", "old.json", says="old.json: is no document that crinkle-papers --json wrote", lines=1)


if __name__ == "__main__":
    harness.main()
