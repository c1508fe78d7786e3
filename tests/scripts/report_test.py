#!/usr/bin/env python3
"""scripts/report: every committed result is read, what is no result is refused in one sentence, the numbers shown are those of the files, and a
browser finds every plot whole (scripts/check_report.sh; that part is skipped where there is no chromium).

SPDX-License-Identifier: BSD-3-Clause
"""
import copy
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RESULTS = sorted((ROOT / "bench" / "results").glob("*/*.json"))
sys.path.insert(0, str(ROOT / "scripts"))
from reporting import command, numbers, page  # noqa: E402
from reporting.read import Refused, read  # noqa: E402

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
         "rivals": {"NumPy 2.4.6": {"seconds": 0.08}, "OpenCV 5.0.0": {"seconds": 0.01}}}],
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


def cells(line):
    return [cell.replace("\\|", "|").replace("&lt;", "<").strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def tables(markdown):
    """[(head, {first cell: {head: cell}})]"""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", markdown, re.M):
        head, _, *lines = map(cells, block.splitlines())
        found.append((head, {line[0]: dict(zip(head, line)) for line in lines}))
    return found


def number(text):
    """In GB/s, fractions of copy or seconds."""
    value, _, unit = text.partition(" ")
    return float(value) * {"": 1, "%": 0.01, "s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[unit]


class Reading(InAFolder):
    def test_every_committed_file_is_read_whole(self):
        self.assertGreater(len(RESULTS), 30)
        for path in RESULTS:
            rows = json.loads(path.read_text())["rows"]
            file = read(path)
            self.assertEqual([row.name for row in file.rows], [row["name"] for row in rows])
            self.assertEqual(len({row.label for row in file.rows}), len(rows), path)
            for row, given in zip(file.rows, rows):
                self.assertEqual(row.seconds, given.get("seconds"))
                self.assertEqual(row.fraction, given.get("fraction_of_copy"))
                self.assertTrue(row.seconds or row.contenders or row.counts)

    def test_what_is_no_results_file_is_refused_in_one_sentence(self):
        def changed(change):
            document = copy.deepcopy(FIGURES)
            change(document)
            return document

        def row(i, **fields):
            return changed(lambda d: d["rows"][i].update(fields))

        cases = [
            ("not json", "expected JSON"), ("[1]", "expected an object"), ("[" * 100000, "expected JSON"),
            (json.dumps(row(0, seconds=float("nan"))), "expected JSON (NaN"),
            (changed(lambda d: d.pop("schema")), "expected 'schema' 1, found none"), (changed(lambda d: d.update(schema=2)), "expected 'schema' 1, found 2"),
            (changed(lambda d: d.pop("rows")), "no rows"), (changed(lambda d: d.update(rows=[])), "no rows"),
            (changed(lambda d: d["rows"].insert(1, 3)), "row 2: expected an object"),
            (changed(lambda d: d["rows"][1].pop("name")), "row 2: expected 'name' to be a text, found nothing"),
            (changed(lambda d: d["rows"][1].pop("seconds")), "row 2 (flip_A_2048): expected 'seconds'"),
            (row(2, seconds="fast"), "row 3 (flip_A_8192): expected 'seconds' to be a number above 0, found \"fast\""),
            (row(2, seconds=0), "above 0, found 0"), (row(2, seconds=True), "above 0, found true"), (row(0, iqr=-1), "'iqr' to be a number from 0 0"),
            (row(0, fraction_of_copy="x"), "expected 'fraction_of_copy'"), (row(0, bytes=-4), "expected 'bytes'"),
            (row(0, plot={"title": FLIP, "series": "A"}), "row 1 (flip_A_1024), plot: expected 'x' to be a number above 0, found nothing"),
            (row(0, plot={"title": FLIP, "x": 0, "series": "A"}), "above 0, found 0"), (row(0, plot=[]), "row 1 (flip_A_1024), plot: expected an object"),
            (row(0, plot={"title": FLIP, "x": 1, "x_label": "N", "series": "A", "y": "miles"}), "expected 'y' to be seconds or gb_per_s"),
            (row(0, plot={"title": FLIP, "x": 1, "x_label": "M", "series": "A"}), "to have one 'y' and one 'x_label'"),
            (row(0, rivals={"X": {}}), "row 1 (flip_A_1024), rivals, X: expected 'seconds'"), (row(0, rivals=[1]), "rivals: expected an object"),
            (changed(lambda d: d["paper"][FLIP].pop("x")), f"paper ({FLIP}): expected 'x'"), (changed(lambda d: d.update(paper=3)), "expected 'paper'"),
        ]
        for document, expected in cases:
            with self.subTest(expected):
                path = self.written(document)
                expected = expected.replace("from 0 0", "from 0")
                done = self.report(path, "-o", "page.html")
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
                self.assertIn(expected, done.stderr)
                self.assertIn(str(path), done.stderr)
                self.assertEqual(os.listdir(self.folder), [path.name])
        self.assertIn("nothing.json: expected a file that can be read (No such file", self.report("nothing.json").stderr)
        self.assertIn("expected JSON", self.report(self.written("a", "a.json")).stderr)
        (self.folder / "bytes.json").write_bytes(b"\xff\xfe\x00")
        self.assertIn("bytes.json: expected JSON", self.report("bytes.json").stderr)

    def test_rows_of_one_name_are_told_apart(self):
        rows = [{"name": "x", "seconds": 1, "element_bytes": 4}, {"name": "x", "seconds": 1, "element_bytes": 8}, {"name": "y", "seconds": 1},
                {"name": "y", "seconds": 1}]
        self.assertEqual([row.label for row in read(self.written({"schema": 1, "rows": rows})).rows], ["x, 4 B", "x, 8 B", "y (1)", "y (2)"])

    def test_times_faster_compares_with_as_many_threads(self):
        row = {"name": "r", "bytes": 1, "memcpy_1_seconds": 1, "memcpy_all_seconds": 1, "crinkle_1_seconds": 2, "crinkle_all_seconds": 1, "loop_1_seconds": 8,
               "loop_all_seconds": 3, "numpy_seconds": 6}
        found = numbers.times_faster(read(self.written({"schema": 1, "compiler": "NumPy 2.4.6", "rows": [row]})).rows)
        self.assertEqual([(ours, rival, round(times, 9)) for ours, rival, times, _, _ in found], [
            ("crinkle, 1 thread", "a plain loop, 1 thread", 4), ("crinkle, 1 thread", "NumPy 2.4.6", 3), ("crinkle, all threads", "a plain loop, all threads", 3)])


class Markdown(InAFolder):
    def near(self, text, value):
        """Three digits, a whole percent from 10 % on, else a tenth."""
        half = 0.00501 * value if not text.endswith("%") else 0.00501 if value > 0.0995 else 0.000501
        self.assertAlmostEqual(number(text), value, delta=half, msg=text)

    def test_its_numbers_are_those_of_the_files(self):
        n_compared = 0
        for path in RESULTS:
            given, file = json.loads(path.read_text())["rows"], read(path)
            done = self.report("--markdown", path)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            lines = {}
            for head, found in tables(done.stdout):
                if head[0] == "name" or head[0].startswith("name ("):
                    for name, line in found.items():
                        lines.setdefault(name, {}).update(line)
            for raw, row in zip(given, file.rows):
                line = lines[row.label]
                for key, head in (("gb_per_s", "GB/s"), ("fraction_of_copy", "percent of copy"), ("numpy_fraction_of_memcpy", "NumPy 2.4.6"),
                                  ("crinkle_all_fraction_of_memcpy", "crinkle, all threads")):
                    if key in raw:
                        self.near(line[head], raw[key])
                        n_compared += 1
        self.assertGreater(n_compared, 4000)

    def test_plots_are_tables_of_x_by_series(self):
        found = tables(self.report("--markdown", self.written(FIGURES)).stdout)
        flips = next(lines for head, lines in found if head == ["N", "A", "B", "copy", "paper, A", "paper, B", "paper, C"])
        self.assertEqual(list(flips), ["1024", "2048", "8192"])
        for row in FIGURES["rows"][:6]:
            self.near(flips[str(row["plot"]["x"])][row["plot"]["series"]], row["seconds"])
        self.near(flips["8192"]["copy"], 8 * 8192 ** 2 / 4e12)
        for series, seconds in FIGURES["paper"][FLIP]["seconds"].items():
            self.near(flips["8192"][f"paper, {series}"], seconds)
        self.assertEqual(flips["1024"]["paper, C"], "–")
        rolls = next(lines for head, lines in found if head == ["x", "roll", "copy"])
        self.assertEqual(rolls["500"], {"x": "500", "roll": "25.0 GB/s", "copy": "50.0 GB/s"})
        rivals = next(lines for head, lines in found if head[0] == "name (percent of copy)")
        self.assertEqual(rivals["moveaxis"], {"name (percent of copy)": "moveaxis", "crinkle": "80 %", "NumPy 2.4.6": "20 %", "OpenCV 5.0.0": "–"})
        self.assertEqual(rivals["a|b <script>x</script>"]["OpenCV 5.0.0"], "200 %")


class Page(InAFolder):
    def test_it_has_the_plots_and_marks_that_it_promises(self):
        text = page.of_files([read(self.written(FIGURES))])
        n_plots = int(re.search(r'data-plots="(\d+)"', text)[1])
        drawings = re.findall(r'<svg class="plot".*?</svg>', text, re.S)
        self.assertEqual(n_plots, len(drawings))
        for drawing in drawings:
            self.assertEqual(int(re.search(r'data-marks="(\d+)"', drawing)[1]), drawing.count('class="mark'))
            self.assertIn("<title>", drawing)
            self.assertIn('role="img"', drawing)
        flips = next(drawing for drawing in drawings if f"<title>{FLIP}" in drawing)
        self.assertEqual([flips.count(kind) for kind in (" curve\"", "mark dashed", " hollow\"", ">paper</text>")], [2, 1, 3, 1])
        self.assertEqual(len(re.findall(r'class="mark c\d"', flips)), 6)
        self.assertEqual(sum(drawing.count("mark bar") for drawing in drawings), len(FIGURES["rows"]))
        contenders = [drawing for drawing in drawings if "<title>Contenders" in drawing]
        self.assertEqual(sum(drawing.count('class="mark') for drawing in contenders), 5)
        self.assertIn("a figure without rows", text)

    def test_a_bar_is_as_long_as_its_fraction(self):
        rows = [{"name": f"r{i}", "seconds": 1, "bytes": 1, "iqr": 0.1, "fraction_of_copy": fraction} for i, fraction in enumerate((1, 0.5, 0.037))]
        text = page.of_files([read(self.written({"schema": 1, "rows": rows}))])
        bars = [float(re.search(r'width="([\d.]+)"', bar)[1]) for bar in re.findall(r"<rect [^>]*mark bar[^>]*>", text)]
        self.assertEqual([round(bar / bars[0], 3) for bar in bars], [1, 0.5, 0.037])
        self.assertEqual(text.count("mark bar least"), 1)
        self.assertEqual(text.count('class="whisker"'), 3)
        self.assertIn("3 rows: geometric mean 26 % of copy, least 3.7 % (r2)", text)

    def test_curves_lie_on_logarithmic_axes(self):
        text = page.of_files([read(self.written(FIGURES))])
        a, copy_of = (re.search(rf'<polyline points="([^"]*)" class="mark {kind}"', text)[1] for kind in ("c0 curve", "dashed"))
        (x1, y1), (x2, y2), (x3, y3) = ([float(v) for v in point.split(",")] for point in a.split())
        self.assertAlmostEqual((x3 - x1) / (x2 - x1), 3, delta=0.02)  # 1024, 2048, 8192
        self.assertAlmostEqual((y3 - y1) / (y2 - y1), 3, delta=0.02)  # times by 4 and by 64
        self.assertGreater(y1, y3)
        below = float(copy_of.split()[0].split(",")[1]) - y1  # 1.25 times the copy's
        self.assertAlmostEqual(below / (y1 - y2), math.log(1.25) / math.log(4), delta=0.02)
        hollow = [float(y) for y in re.findall(r'<circle cx="[\d.]+" cy="([\d.]+)"[^>]*class="mark c0 hollow"', text)]
        self.assertAlmostEqual((y3 - hollow[0]) / (y1 - y2), math.log(0.0062 / FIGURES["rows"][2]["seconds"]) / math.log(4), delta=0.02)

    def test_every_committed_file_has_its_bars(self):
        text = page.of_files([read(path) for path in RESULTS])
        rows = [row for path in RESULTS for row in json.loads(path.read_text())["rows"]]
        self.assertEqual(len(re.findall(r'class="mark bar', text)), sum("fraction_of_copy" in row for row in rows))
        self.assertEqual(text.count("<section id="), len(RESULTS))

    def test_it_wants_nothing_from_elsewhere_and_names_are_no_markup(self):
        text = page.of_files([read(self.written(FIGURES))])
        self.assertIsNone(re.search(r"https?:|\bsrc=|@import|url\(|<link|<img", text))
        self.assertEqual(text.count("<script>"), 1)
        self.assertIn("a|b &lt;script&gt;", text)

    def test_what_is_there_is_not_written_over(self):
        source, out = self.written(FIGURES), self.folder / "page.html"
        self.assertEqual(self.report(source, "-o", out).returncode, 0)
        self.assertTrue(out.read_text().startswith("<!DOCTYPE html>") and out.read_text().endswith("</html>\n"))
        out.write_text("mine")
        done = self.report(source, "-o", out)
        self.assertEqual((done.returncode, out.read_text()), (2, "mine"))
        self.assertIn("page.html: is there already; --force", done.stderr)
        self.assertEqual(self.report("nothing.json", "--force", "-o", out).returncode, 2)
        self.assertEqual(out.read_text(), "mine")
        self.assertEqual(self.report(source, "--force", "-o", source).returncode, 2)
        self.assertEqual(json.loads(source.read_text()), FIGURES)
        self.assertEqual(self.report(source, "--force", "-o", self.folder).returncode, 2)
        self.assertEqual(self.report(source, "-o", "nowhere/page.html").returncode, 2)
        self.assertEqual(self.report(source, "--force", "-o", out).returncode, 0)
        self.assertGreater(len(out.read_text()), 1000)

    def test_a_page_that_is_not_complete_leaves_nothing(self):
        out = self.folder / "page.html"
        out.write_text("mine")
        with mock.patch("os.replace", side_effect=OSError("full")), self.assertRaises(OSError):
            command.write_whole(out, "new")
        self.assertEqual((os.listdir(self.folder), out.read_text()), (["page.html"], "mine"))

    def test_without_files_all_results_are_read(self):
        done = self.report()
        self.assertIn(f"of {len(RESULTS)} files", done.stdout)
        self.assertTrue((self.folder / "report.html").exists())

    def test_refused_is_what_reading_throws(self):
        with self.assertRaises(Refused):
            read(self.folder / "nothing.json")


class Browser(InAFolder):
    def check(self, text, **environment):
        path, picture = self.folder / "page.html", self.folder / "picture.png"
        path.write_text(text)
        done = subprocess.run([ROOT / "scripts" / "check_report.sh", path, picture], capture_output=True, text=True, env=os.environ | environment)
        return done.returncode, done.stdout, picture

    def test_no_browser_is_no_success(self):
        status, said, _ = self.check("", CHROMIUM="no-such-browser")
        self.assertEqual((status, said), (77, "skipped: no chromium\n"))

    @unittest.skipUnless(shutil.which("chromium"), "no chromium")
    def test_a_whole_page_passes_and_a_broken_one_does_not(self):
        text = page.of_files([read(self.written(FIGURES))])
        status, said, picture = self.check(text)
        self.assertEqual(status, 0, said)
        self.assertIn(f"{text.count('class=' + chr(34) + 'plot')} plots drawn", said)
        self.assertEqual(picture.read_bytes()[:4], b"\x89PNG")
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
