# crinkle-papers as it draws a page of whole papers: the numbers are those of the results, nothing is fetched, and what cannot be done is said. A
# program that stands in for crinkle-papers hands out committed results, so that most of these need no measuring. No speed is judged.
# SPDX-License-Identifier: BSD-3-Clause
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "command"))
import harness  # first: it looks for a Python that has NumPy

import html
import json
import re
import subprocess

from harness import CommandTest, source_tree

H200 = source_tree / "bench" / "results" / "h200"
STAND_IN = """#!/usr/bin/env python3
import json, pathlib, sys
words = sys.argv[1:]
with open({log!r}, "a") as log:
    print(*words, file=log)
suite, path = words[0], words[words.index("--json") + 1]
made = pathlib.Path({made!r}, suite + ".json")
document = json.loads((made if made.exists() else pathlib.Path({results!r}, suite + ".json")).read_text())
cases = [words[i + 1] for i, word in enumerate(words) if word == "--case"]
document["rows"] = [row for row in document["rows"] if not cases or any(case in row["name"] for case in cases)]
if not document["rows"]:
    sys.exit("crinkle-papers: too_large: " + cases[0] + ": none of its entries can run here, in 9 bytes; give more with --memory")
{body}
pathlib.Path(path).write_text(json.dumps(document))
"""


def texts(page):
    return html.unescape(re.sub(r"<[^>]*>", " ", page))


def textures(variants=("crinkle", "global memory", "1D texture", "hybrid 1D texture", "2D texture", "hybrid 2D texture")):
    """Results of the suite of that name, made up: a row is 1 + 0.1 k times as long as the first of its table, k its place, an order 1.25 times as the one before."""
    rows = [(f"table4_order{order}_n{n}, {name}", 8 * n * n, (1 + k / 10) * 1.25 ** order * n * n * 1e-12)
            for order in (1, 2, 3, 4) for n in (4096, 8192) for k, name in enumerate(variants)]
    rows += [(f"{what}_{rank}d, {name}", 2**29, 1e-4 * (2 - k / 10)) for what in ("access_neighbour", "access_blur") for rank in (2, 3)
             for k, name in enumerate(("global memory", "1D texture", "2D texture", "3D texture"))]
    rows += [(f"weights_{rank}d, {name}", 2**29, 1e-4 * (1 + k / 10)) for rank in (2, 3) for k, name in enumerate(("constant memory", "parameters", "global memory"))]
    document = json.loads((H200 / "hypercubic.json").read_text()) | {"suite": "textures"}
    document["rows"] = [{"name": name, "element_bytes": 4, "bytes": n, "seconds": seconds, "iqr": 0, "gb_per_s": n / seconds * 1e-9, "copy_gb_per_s": 4000,
                         "fraction_of_copy": n / seconds * 1e-9 / 4000, "samples": 9, "checked": "definition"} for name, n, seconds in rows]
    return document


def stencils():
    """The H200's, and figure 2 over two sizes, made up: an order takes 1.25 times as long as the one before."""
    document = json.loads((H200 / "stencil.json").read_text())
    document["rows"] = [row for row in document["rows"] if not row["name"].startswith("figure2_")]
    for order in (1, 2, 3, 4):
        for n in (1024, 2048):
            seconds, size = n * n * 2e-12 * 1.25 ** order, 8 * n * n
            document["rows"].append({"name": f"figure2_order{order}_n{n}", "element_bytes": 4, "bytes": size, "seconds": seconds, "iqr": 0, "gb_per_s": size / seconds * 1e-9,
                                     "copy_gb_per_s": 4000, "fraction_of_copy": size / seconds * 1e-9 / 4000, "samples": 9, "checked": "bits",
                                     "plot": {"title": "Figure 2: 2-D finite differences", "x": n, "x_label": "n", "series": f"order {order}", "y": "gb_per_s"}})
    return document


def three_digits(value):
    return f"{float(f'{value:.3g}'):g}"


class Page(CommandTest):
    called = "crinkle-papers"

    def report(self, *words, body="", status=0):
        """papers/report with a program that hands out what the H200 measured: its output."""
        stand_in = self.folder / "stand-in"
        (self.folder / "made").mkdir(exist_ok=True)
        for name, document in [("textures", textures()), ("stencil", stencils())]:
            (self.folder / "made" / f"{name}.json").write_text(json.dumps(document))
        stand_in.write_text(STAND_IN.format(log=self.path("log"), made=self.path("made"), results=str(H200), body=body))
        stand_in.chmod(0o755)
        done = subprocess.run([sys.executable, str(source_tree / "papers" / "report"), str(stand_in), *words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def page(self, *words, body=""):
        self.report(*words, "-o", "page.html", "--force", body=body)
        page = (self.folder / "page.html").read_text()
        self.assertEqual(page.count('<svg class="plot"'), int(re.search(r'data-plots="(\d+)"', page)[1]))
        self.assertIsNone(re.search(r"(src|href)=|<link|url\(|https?:", page), "the page is to fetch nothing")
        return page

    def has(self, page, *all_words):
        """What is missing is said, and not the page."""
        for words in all_words:
            self.assertTrue(re.search(r"\s+".join(map(re.escape, words.split())), page), words)

    def test_a_page_says_what_was_measured_here(self):
        self.crinkle("4", "--quick", "--threads", "2", "--results", ".", "-o", "page.html")
        page = (self.folder / "page.html").read_text()
        rows = {row["name"]: row for row in json.loads((self.folder / "layouts-cpu.json").read_text())["rows"]}
        self.assertEqual({row["checked"] for row in rows.values()}, {"the library's result in float64, all values"})
        for figure, form in [("7", "naive"), ("7", "tiled"), ("8", "naive"), ("8", "tiled")]:
            self.has(page, f"<h4>Figure {figure}, {form}</h4>")
        gain = rows["figure7_naive_n1024_AoS"]["seconds"] / rows["figure7_tiled_n1024_SoA"]["seconds"]
        self.has(page, f"<title>SoA, data points, and targets 1024: {gain:.3g}"[:-1])
        self.has(page, "Paper 4: figure2 runs on a GPU alone and was left out; --device cuda runs it.")
        self.refused(2, "4", "--quick", "--results", ".", "-o", "other.html", says="--results .: layouts-cpu.json is there already; --force writes over it", lines=1)
        self.refused(2, "4", "--quick", "-o", "page.html", says="page.html: is there already; --force writes over it", lines=1)

    def test_numbers_are_those_of_the_results(self):
        page = texts(self.page("0", "1", "2", "--device", "cuda"))
        seconds = {row["name"]: row["seconds"] for row in json.loads((H200 / "hypercubic.json").read_text())["rows"]}
        self.has(page, f"At N = 8192 the k-index by bits (B) takes {seconds['flip_8192_B'] / seconds['flip_8192_A']:.2f} and the general one (C) "
                      f"{seconds['flip_8192_C'] / seconds['flip_8192_A']:.2f} times as long as what is written for two dimensions (A); in the paper, at N = 8192, 1.08 and 1.90")
        self.has(page, f"CPU, N 8192: {three_digits(1e6 * seconds['flip_8192_A'])} µs", "The CPU takes 1.00 times as long as the GPU, in the paper 77 times.")  # the same results
        rates = {row["name"]: row["flops_per_s"] for row in json.loads((H200 / "fft_paper.json").read_text())["rows"]}
        self.has(page, f"+ padding 63.5 649 {three_digits(1e-9 * rates['table1_padded'])} ")
        self.has(page, f"the last step is 7.4 times as fast as the first, here {rates['table1_folded'] / rates['table1_global']:.2g} times")
        improvements = [row["improvement"] for row in json.loads((H200 / "simplex.json").read_text())["rows"] if row["name"].startswith("edm_131072_") and row["map"] != "bounding_box"]
        self.has(page, f"is {max(improvements):.2f} times as fast as the bounding box. The paper's text: best card: rectangular box 1.28, λ 1.18")

    def test_the_model_of_waste_is_made_of_measured_times(self):
        page = texts(self.page("2", "--device", "cuda"))
        seconds = {row["name"]: row["seconds"] for row in json.loads((H200 / "simplex.json").read_text())["rows"]}
        side = 131072 // 16
        box, by_root = seconds["roots_131072_bounding_box"], seconds["roots_131072_lambda_x"]
        beta, tau = box / side**2 / 256, by_root / (side * (side + 1) / 2) / 256
        self.has(page, f"λ by a square root {three_digits(1e12 * beta)} {three_digits(1e12 * tau)} {tau / beta:.2f} {box / by_root:.2f} {2 * beta / tau:.2f} ")
        side = 2048 // 8
        box, mapped = seconds["tetrahedron_2048_tetrahedron_box"], seconds["tetrahedron_2048_tetrahedron"]
        alpha, gamma = box / side**3 / 512, mapped / (side * (side + 1) * (side + 2) / 6) / 512
        self.has(page, f"tetrahedron (the default) {three_digits(1e12 * alpha)} {three_digits(1e12 * gamma)} {gamma / alpha:.2f} {box / mapped:.2f} {6 * alpha / gamma:.2f} ")
        self.assertNotIn("Section 4.1", texts(self.page("2", "--device", "cuda", body='document.pop("epsilon", None)')))  # results that do not have it
        ranges = '{"block_side": 16, "rows_tried": 4000, "ranges": [{"map": "lambda_n", "epsilon": 1e-4, "rows": 1622, "first_wrong": 1316253}]}'
        self.has(texts(self.page("2", "--device", "cuda", body=f'document["epsilon"] = json.loads({ranges!r})')),
                 "1920 rows: not λ by Newton's steps, computed on a CPU.", "0.0001 1622 of 4000 n ≤ 25952 1316253")

    def test_tables_of_paper_3_stand_beside_the_papers(self):
        page = texts(self.page("3", "--device", "cuda"))
        rows = {row["name"]: row for row in json.loads((H200 / "rearrange.json").read_text())["rows"]}
        for name, gb_per_s, percent in [("order_021", "62.55", 80), ("reorder_30214", "43.40", 56), ("interlace_8", "58.58", 75)]:
            self.has(page, f"{name} {gb_per_s} {percent} % {three_digits(rows[name]['gb_per_s'])} ")
        for words in ["Table 1", "Table 2", "Table 3", "Table 4", "Figure 1: reads", "Figure 2: 2-D finite differences", "hybrid 1D texture"]:
            self.has(page, words)
        self.has(page, "Figure 2 over sizes At 2048² order I reaches 3200 GB/s, 80 % of a copy, and order IV 1640 GB/s.")

    def test_textures_stand_beside_memory_and_the_paper(self):
        page = texts(self.page("0", "3", "--device", "cuda"))
        self.has(page, "In the paper 1D texture is the best, 1.06 times as fast as global memory; here global memory is, 1.00 times. This library's sum, which reads without textures, is 1.10 "
                 "times as fast as that.", "2D texture 47.22 61 % 4570 114 %", "4096², order II 4650 4270 3940 3660 3410 5120",
                 "Here a texture is at best 1.18 times as fast as global memory", "a blur, 3-D 2680 2830 2980 3160 1.18",
                 "In two dimensions constant memory is 1.20 times as fast as global memory, and 1.10 times as fast as parameters")
        page = texts(self.page("0", "3"))
        self.has(page, "there are no textures on this device", "1D texture 54.34", "Paper 3: table4 runs on a GPU alone and was left out; --device cuda runs it.")
        self.assertNotIn("Section 7.3", page)

    def test_a_browser_finds_every_plot_whole(self):
        self.page("0", "1", "2", "3", "--device", "cuda")
        done = subprocess.run([str(source_tree / "scripts" / "check_report.sh"), "page.html", "page.png"], cwd=self.folder, capture_output=True, text=True)
        if done.returncode == 77:
            self.skipTest(done.stdout.strip())
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_gpu_runs_both_parts(self):
        self.page("0", "1", "--device", "cuda:1")
        self.assertEqual([line.split(" --json")[0] for line in (self.folder / "log").read_text().splitlines()],
                         ["hypercubic --device cuda:1", "textures --case access_ --case weights_ --device cuda:1", "fft_paper --case table1 --case figure5 --device cuda:1", "hypercubic --device cpu",
                          "fft_paper --case table1 --case figure5 --device cpu"])
        self.has(self.page("1"), "These are loops over the blocks and threads of the kernels")

    def test_figure_5_stands_beside_cufft(self):
        page = texts(self.page("1", "--device", "cuda"))  # committed results of the device that was measured
        rows = {row["name"]: row for row in json.loads((H200 / "rivals_fft_paper.json").read_text())["rows"]}
        one = rows["figure5_batch1_n67108864_crinkle"]
        seconds = {name: rival["seconds"] for name, rival in one["rivals"].items()}
        cufft = next(value for name, value in seconds.items() if name.startswith("cuFFT"))
        self.has(page, "Figure 5, beside cuFFT: ctFFT", "Figure 5, beside cuFFT: crinkle", f"1 signal, samples a signal 67108864: {three_digits(cufft / seconds['paper, radix_8'])} ",
                 f"1 signal, samples a signal 67108864: {three_digits(cufft / one['seconds'])} ")
        self.assertNotIn("beside cuFFT", self.page("1"))
        self.assertNotIn("beside cuFFT", self.page("1", "--device", "cuda", body='document["device"] = "another"'))
        mine = json.loads((H200 / "rivals_fft_paper.json").read_text()) | {"device": "mine"}
        (self.folder / "rivals_fft_paper.json").write_text(json.dumps(mine))
        self.has(texts(self.page("1", "--device", "cuda", "--results", ".", body='document["device"] = "another"')), f"(mine, {mine['date']}, commit {mine['commit']})")

    def test_chunks_of_paper_1_are_the_suites(self):
        page = texts(self.page("1", "--c", "4", "--k", "3", body='for row in document["rows"]: row["c"], row["k"] = 4, 3'))
        self.assertIn("fft_paper --case table1 --case figure5 --c 4 --k 3 --device cpu", (self.folder / "log").read_text())
        self.has(page, "Of chunks of 2^4 samples and 3 stages a launch.")
        said = self.report("1", "-o", "other.html", "--c", "9", body='sys.exit(print("crinkle-papers: --c 9 --k 1: no", file=sys.stderr) or 2)', status=2)
        self.assertEqual(said, "crinkle-papers: the suite fft_paper on cpu: --c 9 --k 1: no\n")

    def test_too_little_memory_is_said(self):
        self.has(self.page("0", body='print("blur_8192 left out: give more than 9 bytes with --memory")'), "too little memory, so these were left out: blur_8192.")
        none = 'sys.exit("crinkle-papers: too_large: blur_256: none of 24 entries can run here, in 9 bytes; give more with --memory")'
        self.has(self.page("0", body=none), "hypercubic on cpu: left out, for too little memory")

    def test_smaller_moves_are_said(self):
        self.assertNotIn("smaller than the paper", texts(self.page("3")))
        self.has(texts(self.page("3", body='for row in document["rows"]: row["bytes"] /= 1 + (row["name"] in ["order_102", "interlace_9"])')),
                 "1 of 5 cases are smaller than the paper's", "1 of 12 cases are smaller than the paper's")

    def test_a_busy_machine_is_said(self):
        n = len(json.loads((H200 / "hypercubic.json").read_text())["rows"])
        words = f"the machine was busy: of {n} of {n} rows of hypercubic (cpu)"
        self.assertNotIn("the machine was busy", self.page("0", body='for row in document["rows"]: row["iqr"] = 0.2 * row["seconds"]'))
        self.has(self.page("0", body='for row in document["rows"]: row["iqr"] = 0.3 * row["seconds"]'), words)

    def test_a_suite_that_fails_leaves_no_page(self):
        said = self.report("0", "-o", "page.html", body='sys.exit("crinkle-papers: failed: flip 256, version B: wrong at 7")', status=1)
        self.assertEqual(said, "crinkle-papers: the suite hypercubic on cpu: failed: flip 256, version B: wrong at 7\n")
        self.assertFalse((self.folder / "page.html").exists())

    def test_wrong_requests(self):
        (self.folder / "there.html").write_text("mine")
        for words, says in [(["5", "-o", "a.html"], "there is no paper '5'; the papers are 0, 1, 2, 3, 4"), (["00", "-o", "a.html"], "there is no paper '00'"),
                            (["hypercubic", "-o", "a.html"], "there is no paper 'hypercubic'"), (["0"], "a page needs its name: -o report.html"),
                            (["--quick"], "a page needs its name"), (["0", "-o", "no/a.html"], "-o no/a.html: there is no folder no"), (["0", "-o", "."], "is a folder"),
                            (["0", "-o", ""], "is a folder"), (["0", "-o", "there.html"], "there.html: is there already; --force"),
                            (["0", "-o", "a.html", "--device", "gpu"], "--device gpu: give cpu, cuda or cuda:N"),
                            (["0", "-o", "a.html", "--threads", "0"], "--threads 0: give 1 to 1024"), (["1", "--c", "9", "--k", "9", "-o", "a.html"], "--c 9 --k 9: give c from 0"),
                            (["0", "-o", "/proc/a.html"], "nothing can be written in /proc"), (["0", "-o", "a.html", "--results", "no"], "--results no: there is no such folder"),
                            (["0", "-o", "a.html", "--fast"], "unrecognized arguments: --fast; see crinkle-papers 0 --help"), (["0", "-o"], "expected one argument"),
                            (["0", "-o", "/dev/null", "--force"], "-o /dev/null: is no file"), (["0", "-o", "-"], "-o -: is no file"), (["0,1", "-o", "a.html"], "there is no paper '0,1'"),
                            (["0", "-o", "a.html", "--c", "3"], "--c is for paper 1, which is not among 0"), (["1", "-o", "a.html", "--k", "x"], "argument --k: invalid int value: 'x'")]:
            with self.subTest(words=words):
                self.refused(2, *words, says=says, lines=1)
        self.assertEqual((self.folder / "there.html").read_text(), "mine")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["there.html"])


if __name__ == "__main__":
    harness.main()
