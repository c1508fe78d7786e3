#!/usr/bin/env python3
"""scripts/report: every committed result is read, what is no result is refused in one sentence, and the numbers and marks shown are those of the
files. That a browser finds every plot whole is for check_report_test.py.

SPDX-License-Identifier: BSD-3-Clause
"""
import copy
import json
import math
import os
import re
import subprocess
import sys
import unittest
from unittest import mock

from figures import FIGURES, FLIP, ODD, ROOT, InAFolder
from reporting import command, markdown, numbers, page
from reporting.read import Refused, read

RESULTS = sorted((ROOT / "bench" / "results").glob("*/*.json"))


def cells(line):
    return [cell.replace("\\|", "|").replace("&lt;", "<").strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def tables(markdown):
    """[(head, {first cell: {head: cell}})]"""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", markdown, re.M):
        head, _, *lines = map(cells, block.splitlines())
        found.append((head, {line[0]: dict(zip(head, line)) for line in lines}))
    return found


def fraction_of(row, suite):
    """Of the faster copy, where an older result has two; None where the copy was not of all arrays."""
    if suite == "rivals" and "interlace" in row["name"] and "copied_bytes" not in row:
        return None
    if "kernel_copy_gb_per_s" in row:
        return row["gb_per_s"] / max(row["copy_gb_per_s"], row["kernel_copy_gb_per_s"])
    return row.get("fraction_of_copy")


def number(text):
    """In GB/s, fractions of copy or seconds."""
    value, _, unit = text.partition(" ")
    return float(value) * {"": 1, "%": 0.01, "s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[unit]


class Reading(InAFolder):
    def test_every_committed_file_is_read_whole(self):
        self.assertGreater(len(RESULTS), 30)
        for path in RESULTS:
            document = json.loads(path.read_text())
            rows, file = document["rows"], read(path)
            self.assertEqual([row.name for row in file.rows], [row["name"] for row in rows])
            self.assertEqual(len({row.label for row in file.rows}), len(rows), path)
            for row, given in zip(file.rows, rows):
                self.assertEqual(row.seconds, given.get("seconds"))
                fraction = fraction_of(given, document["suite"])
                self.assertEqual(row.fraction is None, fraction is None)
                self.assertAlmostEqual(row.fraction or 0, fraction or 0, 12)
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
            (row(0, cold={"seconds": 1}), "row 1 (flip_A_1024), cold: expected 'copy_seconds'"),
            (row(0, rivals={"X": {}}), "row 1 (flip_A_1024), rivals, X: expected 'seconds'"), (row(0, rivals=[1]), "rivals: expected an object"),
            (changed(lambda d: d["paper"][FLIP].pop("x")), f"paper ({FLIP}): expected 'x'"), (changed(lambda d: d.update(paper=3)), "expected 'paper'"),
            (changed(lambda d: d.update(skipped=["OpenCV"])), "expected 'skipped' to be an object of reasons"),
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
            document = json.loads(path.read_text())
            given, file = document["rows"], read(path)
            done = self.report("--markdown", path)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            lines, plots = {}, {}
            for title, section in re.findall(r"^### (.*)\n((?:(?!#).*\n?)*)", done.stdout, re.M):
                plots[title] = next((lines for _, lines in tables(section)), {})
            for head, found in tables(done.stdout):
                if head[0] == "name" or head[0].startswith("name ("):
                    for name, line in found.items():
                        lines.setdefault(name, {}).update(line)
            for raw, row in zip(given, file.rows):
                if "plot" in raw:
                    plot = raw["plot"]
                    cell = plots[plot["title"]][str(plot["x"])][plot["series"]]
                    self.near(cell.removesuffix(" GB/s"), raw["gb_per_s" if "GB/s" in cell else "seconds"])
                    n_compared += 1
                    continue
                line = lines[row.label]
                for key, head in (("gb_per_s", "GB/s"), ("fraction_of_copy", "percent of copy"), ("numpy_fraction_of_memcpy", "NumPy 2.4.6"),
                                  ("crinkle_all_fraction_of_memcpy", "crinkle, all threads")):
                    value = fraction_of(raw, document["suite"]) if key == "fraction_of_copy" else raw.get(key)
                    if value is not None:
                        self.near(line[head], value)
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
        self.assertIn((["name (GB/s)", "crinkle", "NumPy 2.4.6"], {"no_copy": {"name (GB/s)": "no_copy", "crinkle": "50.0", "NumPy 2.4.6": "25.0"}}), found)
        self.assertIn((["name (time)", "crinkle", "NumPy 2.4.6"], {"no_bytes": {"name (time)": "no_bytes", "crinkle": "20.0 ms", "NumPy 2.4.6": "40.0 ms"}}), found)


    def test_odd_numbers_keep_their_digits(self):
        found = tables(self.report("--markdown", self.written(ODD)).stdout)
        self.assertIn((["x", "crinkle", "copy", "paper, crinkle"],
                       {"5": {"x": "5", "crinkle": "50.0 GB/s", "copy": "60.0 GB/s", "paper, crinkle": "12.5 GB/s"}}), found)
        self.assertIn(["x", "crinkle", "NumPy"], [head for head, _ in found])
        rows = next(lines for head, lines in found if "n" * 200 in lines)
        self.assertEqual((rows["tiny"]["percent of copy"], rows["n" * 200]["percent of copy"]), ("0.00020 %", "3000 %"))


class Page(InAFolder):
    def test_odd_rows_are_drawn_too(self):
        text = page.of_files([read(self.written(ODD))])
        lone = re.search(r"<title>one point.*?</svg>", text, re.S)[0]
        (x1, y1), (x2, y2) = (point.split(",") for point in re.search(r'points="([^"]*)" class="mark dashed"', lone)[1].split())
        self.assertEqual((y1, float(x1) < float(x2), lone.count("<polyline")), (y2, True, 1))
        narrow = re.search(r"<title>narrow.*?</svg>", text, re.S)[0]
        self.assertGreaterEqual(len(re.findall(r'class="tick" text-anchor="middle"', narrow)), 4)
        self.assertIn(">" + "n" * 44 + "…" + "n" * 11 + "<", text)
        self.assertLess(max(float(width) for width in re.findall(r"max-width:(\d+)px", text)), 1000)

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
        self.assertEqual(sum(drawing.count("mark bar") for drawing in drawings), len(FIGURES["rows"]) - 2)
        contenders = [drawing for drawing in drawings if "<title>Contenders" in drawing]
        self.assertEqual([drawing.count('class="mark') for drawing in contenders], [5, 2, 2])
        self.assertEqual((text.count("Farther right"), text.count("Farther left")), (2, 1))
        self.assertIn("a figure without rows", text)

    def test_a_bar_is_as_long_as_its_fraction(self):
        rows = [{"name": f"r{i}", "seconds": 1, "bytes": 1, "iqr": 0.1, "fraction_of_copy": fraction} for i, fraction in enumerate((1, 0.5, 0.037))]
        text = page.of_files([read(self.written({"schema": 1, "rows": rows}))])
        bars = [float(re.search(r'width="([\d.]+)"', bar)[1]) for bar in re.findall(r"<rect [^>]*mark bar[^>]*>", text)]
        self.assertEqual([round(bar / bars[0], 3) for bar in bars], [1, 0.5, 0.037])
        self.assertEqual(text.count("mark bar least"), 1)
        self.assertEqual(text.count('class="whisker"'), 3)
        self.assertIn("3 rows: geometric mean 26 % of copy, least 3.7 % (r2)", text)

    def test_a_ring_lies_where_the_cold_fraction_is(self):
        rows = [{"name": f"r{i}", "seconds": 1, "bytes": 1, "fraction_of_copy": 0.5, "cold": {"seconds": 4, "copy_seconds": cold}} for i, cold in enumerate((2, 1))]
        file = read(self.written({"schema": 1, "rows": rows + [{"name": "hot", "seconds": 1, "bytes": 1, "fraction_of_copy": 0.5}]}))
        text = page.of_files([file])
        rings = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"[^>]*class="cold"', text)]
        left, width = (float(re.search(rf'<rect [^>]*{key}="([\d.]+)"[^>]*class="mark bar', text)[1]) for key in ("x", "width"))
        self.assertEqual([round((ring - left) / width, 2) for ring in rings], [1, 0.5])
        self.assertIn(", cold 25 %", text)
        self.assertIn(f"| r1 | {numbers.gb_per_s(1e-9)} | 50 % | 25 % |", markdown.of_files([file]))

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
        documents = [json.loads(path.read_text()) for path in RESULTS]
        self.assertEqual(len(re.findall(r'class="mark bar', text)),
                         sum(fraction_of(row, document["suite"]) is not None for document in documents for row in document["rows"]))
        self.assertEqual(text.count("<section id="), len(RESULTS))

    def test_it_wants_nothing_from_elsewhere_and_names_are_no_markup(self):
        text = page.of_files([read(self.written(FIGURES))])
        self.assertIsNone(re.search(r"https?:|\bsrc=|@import|url\(|<link|<img", text))
        self.assertEqual(text.count("<script>"), 1)
        self.assertIn("a|b &lt;script&gt;", text)

    def test_rivals_that_were_left_out_are_told(self):
        text = page.of_files([read(self.written(FIGURES | {"skipped": {"OpenCV": "no module <cv2>", "CuPy": "only on a GPU"}}))])
        self.assertIn("<p>Left out: OpenCV (no module &lt;cv2&gt;); CuPy (only on a GPU).</p>", text)
        self.assertNotIn("Left out", page.of_files([read(self.written(FIGURES))]))

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
        done = subprocess.run([sys.executable, ROOT / "scripts" / "report"], cwd=self.folder, capture_output=True, text=True)  # the script itself
        self.assertIn(f"of {len(RESULTS)} files", done.stdout)
        self.assertTrue((self.folder / "report.html").exists())

    def test_refused_is_what_reading_throws(self):
        with self.assertRaises(Refused):
            read(self.folder / "nothing.json")


if __name__ == "__main__":
    unittest.main()
