#!/usr/bin/env python3
"""scripts/report --tables: the tables of this repository's documents are what its results say, a block is filled, a changed number is found and
named, and where something is refused nothing is written.

SPDX-License-Identifier: BSD-3-Clause
"""
import json
import os
import pathlib
import re
import shutil
import unittest
from unittest import mock

from figures import ROOT, InAFolder
from reporting import command, committed, documents, documents_caches, documents_idw, documents_moves, documents_papers, documents_rivals, documents_simplex, numbers, page
from reporting.read import Refused, read

SHOWN = ["README.md", "docs/performance.md", "docs/measurements.md", "docs/fft.md", "docs/stencils.md", "docs/interpolation.md", "docs/papers.md", "docs/python.md", "docs/distributed.md", "docs/devices.md"]
NUMPY = "<!-- table numpy -->\n{}<!-- end -->\n"


def names_in(text):
    return re.findall(r"^<!-- table (\S+)", text, re.M)


class Repository(InAFolder):
    def test_its_documents_say_what_its_results_say(self):
        done = self.report("--tables", "--check", *(ROOT / name for name in SHOWN))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "all tables are as bench/results has them\n", ""))
        self.assertEqual(self.report("--tables", "--check").returncode, 0)  # the same documents

    def test_every_writer_stands_in_a_document(self):
        shown = [name for document in SHOWN for name in names_in((ROOT / document).read_text())]
        self.assertGreater(len(shown), 50)
        for name in documents.TABLES.keys() - {"speed"}:  # that one is for suites to come
            self.assertIn(name, shown, f"put <!-- table {name} … --> and <!-- end --> into one of {SHOWN}, or take its definition away")

    def test_every_committed_result_stands_in_a_document(self):
        read_paths, tables = set(), documents.TABLES | {"origins": lambda: ""}  # which names them all
        with mock.patch.object(committed, "_read", lambda path: read_paths.add(path) or read(path)):
            for document in SHOWN:
                documents.filled(ROOT / document, tables)
        self.assertEqual(set(committed.RESULTS.glob("*/*.json")) - read_paths, set())

    def test_numbers_are_those_of_the_files(self):
        found = {name: json.loads((ROOT / "bench" / "results" / name).read_text())["rows"] for name in ("h200/rivals.json", "h200/batches.json")}
        flip = next(row["seconds"] for row in found["h200/rivals.json"] if row["name"] == "flip_fast")
        array = next(row["gb_per_s"] / max(row["copy_gb_per_s"], row.get("kernel_copy_gb_per_s", 0)) for row in found["h200/batches.json"] if row["name"] == "uniform")
        self.assertRegex(documents.TABLES["speeds"](["flipped: flip_fast"]), rf"\n\| flipped \| .* \| {1000 * flip:.3g} ms, ")
        self.assertIn(f"one array {array:.2f}, in a graph", documents.TABLES["batches-h200"]())


class Rows(InAFolder):
    """Which rows count, and of what they are fractions."""

    def test_means_are_of_rows_that_are_crinkles(self):
        def row(name, fraction, title, series):
            return {"name": name, "seconds": 1, "fraction_of_copy": fraction, "plot": {"title": title, "x": 1, "x_label": "N", "series": series}}

        rows = [row("flip_A", 0.1, "flip", "A"), row("flip_crinkle", 0.5, "flip", "crinkle"), row("flip_other", 0.2, "flip", "roll"), row("blur_B", 0.1, "blur", "B"),
                row("roll", 0.8, "threads", "roll"), {"name": "copy", "seconds": 1, "fraction_of_copy": 0.1}]
        file = read(self.written({"schema": 1, "suite": "hypercubic", "rows": rows}))
        self.assertEqual([row.name for row in file.rows if row.is_ours], ["flip_crinkle", "roll", "copy"])
        self.assertAlmostEqual(numbers.mean_and_least(file.rows)[0], (0.5 * 0.8 * 0.1) ** (1 / 3))
        self.assertIsNone(numbers.mean_and_least(file.rows[3:4]))
        text = page.of_files([file])
        self.assertIn("3 rows, 3 written by hand left out: geometric mean 34 % of copy, least 10 % (copy)", text)
        self.assertEqual(text.count("mark strip"), 3)
        self.assertEqual(text.count("mark bar"), 6)
        rows = [{"name": f"flip_y {way}", "seconds": 1, "fraction_of_copy": 0.5} for way in ("A", "A, 16 bytes", "B", "C by element", "C")]
        file = read(self.written({"schema": 1, "suite": "versions", "rows": rows}))
        self.assertEqual([row.name for row in file.rows if row.is_ours], ["flip_y C"])

    def test_a_fraction_is_of_the_faster_copy_and_of_all_that_is_moved(self):
        row = {"name": "interlace_3", "bytes": 10 ** 9, "seconds": 1, "gb_per_s": 1, "copy_gb_per_s": 2, "fraction_of_copy": 0.5, "rivals": {"NumPy": {"seconds": 2}}}
        found = read(self.written({"schema": 1, "rows": [row, row | {"kernel_copy_gb_per_s": 4}, row | {"kernel_copy_gb_per_s": 1}]})).rows
        self.assertEqual([(one.fraction, one.copy_gb_per_s, one.contenders[1].fraction) for one in found], [(0.5, 2, 0.25), (0.25, 4, 0.125), (0.5, 2, 0.25)])
        found = read(self.written({"schema": 1, "suite": "rivals", "rows": [row, row | {"copied_bytes": 10 ** 9}]})).rows
        self.assertEqual([(one.fraction, one.contenders[1].fraction) for one in found], [(None, None), (0.5, 0.25)])


class Blocks(InAFolder):
    def tables(self, *arguments):
        return self.report("--tables", *arguments)

    def test_a_block_is_filled_and_nothing_else_is_touched(self):
        path = self.written("before\n" + NUMPY.format("old\n\n| a |\n") + "after, `<!-- no marker`, no end of line", "page.md")
        done = self.tables(path)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"{path}: table numpy follows bench/results\n", ""))
        self.assertEqual(path.read_text(), "before\n" + NUMPY.format(documents.TABLES["numpy"]()) + "after, `<!-- no marker`, no end of line")
        self.assertRegex(path.read_text(), r"faster in \d+ of \d+ on the EPYC and \d+ of \d+ on the Xeon\.\n")
        before = path.stat().st_ino
        self.assertEqual(self.tables(path).stdout, "all tables are as bench/results has them\n")
        self.assertEqual(path.stat().st_ino, before)  # what is right is not written

    def test_check_names_what_is_not_so_and_writes_nothing(self):
        text = "".join(f"<!-- table {name} -->\n{documents.TABLES[name]()}<!-- end -->\n" for name in ("numpy", "records-means", "index-arrays"))
        wrong = re.sub(r"(table index-arrays[^.]*\.)(\d)", lambda found: found[1] + str((int(found[2]) + 1) % 10), text)
        self.assertNotEqual(text, wrong)
        good, bad = self.written(text, "good.md"), self.written(wrong, "bad.md")
        self.assertEqual(self.tables("--check", good).returncode, 0)
        done = self.tables("--check", good, bad)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertEqual(done.stdout, f"{bad}: table index-arrays is not what bench/results says\nwrite them anew: scripts/report --tables {bad}\n")
        self.assertEqual(bad.read_text(), wrong)
        self.assertEqual((self.tables(good, bad).returncode, bad.read_text()), (0, text))

    def test_what_is_wrong_is_told_in_one_sentence_and_nothing_is_written(self):
        cases = [
            ("<!-- table nothing -->\n<!-- end -->\n", "bad.md:1: there is no table nothing; "),
            ("x\n<!-- table numpy -->\n", "bad.md: table numpy has no <!-- end -->"),
            ("<!-- table numpy -->\n<!-- table orders -->\n<!-- end -->\n<!-- end -->\n", "bad.md:2: table orders begins within table numpy, which has no <!-- end -->"),
            ("<!-- end -->\n", "bad.md:1: <!-- end --> without a table before it"),
            ("<!-- table -->\n<!-- end -->\n", "bad.md:1: expected <!-- table NAME --> or <!-- end --> and nothing else"),
            ("a <!-- table numpy -->\n<!-- end -->\n", "bad.md:1: expected"), ("<!-- table numpy -->\n<!--end-->\n", "bad.md:2: expected"),
            ("<!-- table triangle machine=none -->\n<!-- end -->\n", "bad.md: table triangle machine=none: there is no machine none; they are epyc"),
            ("<!-- table triangle -->\n<!-- end -->\n", "bad.md: table triangle: missing a required argument: 'machine'"),
            ("<!-- table fractions columns=here\na: b\n-->\n<!-- end -->\n", "bad.md: table fractions columns=here: expected columns as HEAD=SUITE"),
            ("<!-- table numpy\n<!-- end -->\n", "bad.md: table numpy has no <!-- end -->"),
            ("no table\n", "bad.md: expected at least one <!-- table NAME -->"), ("", "bad.md: expected at least one"),
        ]
        good = NUMPY.format("old\n")
        first = self.written(good, "good.md")
        for text, expected in cases:
            with self.subTest(expected):
                bad = self.written(text, "bad.md")
                for options in ([], ["--check"]):
                    done = self.tables(*options, first, bad)
                    self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
                    self.assertIn(expected, done.stderr)
                    self.assertEqual((first.read_text(), bad.read_text()), (good, text))
                    self.assertEqual(sorted(os.listdir(self.folder)), ["bad.md", "good.md"])
        bad.write_bytes(b"\xff\n")
        self.assertIn("bad.md: expected UTF-8", self.tables(first, bad).stderr)
        self.assertEqual((self.tables(first, "nowhere.md").returncode, first.read_text()), (2, good))
        for arguments in (["--check", first], ["--tables", "--markdown", first], ["--tables", "-o", "page.html", first], ["--tables", "--force", first]):
            self.assertEqual((self.report(*arguments).returncode, first.read_text()), (2, good))

    def test_markers_have_parameters_and_lines(self):
        text = ('<!-- table fractions columns="one=xeon/operations_1_thread; two=xeon/operations" head=what\nflips, slow: and fast: flip_{y,x}\n-->\nold\n<!-- end -->\n'
                '<!-- table speed machine=xeon suite=operations rows=flip_y -->\n<!-- end -->\n')
        path = self.written(text, "page.md")
        self.assertEqual(self.tables(path).returncode, 0)
        one, two = (committed.XEON.labelled("operations" + suffix).fractions(["flip_y", "flip_x"]) for suffix in ("_1_thread", ""))
        self.assertIn(f"\n-->\n| what | one | two |\n|---|---|---|\n| flips, slow: and fast | {one} | {two} |\n<!-- end -->\n", path.read_text())
        self.assertRegex(path.read_text(), r"\n\| name \| GB/s \| percent of copy \| .*\n.*\n\| flip_y \| ")

    def test_a_document_that_is_not_complete_is_left_as_it_was(self):
        path = self.written(NUMPY.format("old\n"), "page.md")
        with mock.patch("os.replace", side_effect=OSError("full")), mock.patch("sys.stderr"):
            self.assertEqual(command.main(["--tables", str(path)]), 2)
        self.assertEqual((os.listdir(self.folder), path.read_text()), (["page.md"], NUMPY.format("old\n")))


class NewResults(InAFolder):
    """What becomes of the tables when results of a GPU appear that are not there yet."""

    def setUp(self):
        super().setUp()
        shutil.copytree(committed.RESULTS, self.folder / "results")
        (self.folder / "results" / "h200" / "rivals.json").unlink(missing_ok=True)
        (self.folder / "results" / "h200" / "small.json").unlink(missing_ok=True)
        patched = mock.patch.object(committed, "RESULTS", pathlib.Path(self.folder / "results"))
        patched.start()
        self.addCleanup(patched.stop)

    def write(self, suite, rows):
        (self.folder / "results" / "h200" / f"{suite}.json").write_text(json.dumps({"schema": 1, "suite": suite, "rows": rows}))

    def test_a_table_without_results_is_refused(self):
        path = self.written("<!-- table rivals machine=h200 -->\n<!-- end -->\n", "page.md")
        with self.assertRaisesRegex(Refused, "page.md: table rivals machine=h200: .*h200/rivals.json: .*No such file"):
            documents.filled(path)

    def test_rivals_of_a_gpu(self):
        def row(name, **seconds):
            return {"name": name, "bytes": 512 << 20, "seconds": 1, "fraction_of_copy": 0.5,
                    "rivals": {label.replace("_", " "): None if value is None else {"seconds": value} for label, value in seconds.items()}}

        self.write("rivals", [row("transpose", CuPy_14=4, PyTorch_2=2, PyTorch_2_compiled=8), row("roll_far", CuPy_14=9, PyTorch_2=0.5, PyTorch_2_compiled=None)])
        self.assertEqual(documents.TABLES["rivals"](committed.H200), "| case | of the copy | CuPy 14 | PyTorch 2 | PyTorch 2 compiled |\n|---|---|---|---|---|\n"
                         "| transpose | 0.50 | 4.00 | 2.00 | 8.00 |\n| roll far | 0.50 | 9.00 | 0.50 | – |\n")
        self.assertEqual(" ".join(documents.TABLES["rivals-means"](committed.H200).split()), "In the geometric mean: CuPy 14: 6.00 (2 cases), least 4.00 (transpose); "
                         "PyTorch 2: 1.00 (2 cases), least 0.50 (roll far); PyTorch 2 compiled: 8.00 (1 case), least 8.00 (transpose).")
        self.assertEqual(" ".join(documents.TABLES["rivals-sentence"](committed.H200).split()), "Beside other libraries (`bench/rivals/drive.py build/libcrinkle_c.so --device cuda`), 256 MiB a side on an NVIDIA H200, in the geometric mean of all that "
                         "each can do of 2 cases: 6.0 times as fast as CuPy, 1.0 times as PyTorch (compiled 8.0 times); of these 5 comparisons one is lost, roll far by PyTorch (0.50).")

    def test_permutations_beside_others(self):
        def row(name, **seconds):
            return {"name": name, "bytes": 8, "seconds": 1, "fraction_of_copy": 0.5, "rivals": {label.replace("_", " "): {"seconds": value} for label, value in seconds.items()}}

        self.write("rivals_permutations", [row("T_021", CuPy_14=4, cuTENSOR_2=0.5), row("bitrev", CuPy_14=9, cuTENSOR_2=2)])
        self.assertEqual(" ".join(documents.TABLES["rivals-permutations"](committed.H200).split()), "In the geometric mean: CuPy 14: 6.00 (2 cases), least 4.00; "
                         "cuTENSOR 2: 1.00 (2 cases), slower in 1: T_021 0.50.")
        self.assertEqual(" ".join(documents.TABLES["rivals-permutations-sentence"](committed.H200).split()), "The 2 permutations of bench/cases/permutations.txt that are of 4 and 8 bytes: "
                         "6.00 times as fast as CuPy, at least 4.00 (T_021); 1.00 times as fast as cuTENSOR, at least 0.50 (T_021).")

    def test_chains_step_by_step(self):
        path = committed.H200.path("fused")
        rows = json.loads(path.read_text())["rows"]
        for row in rows:
            row.pop("rivals", None)
        self.write("fused", rows)
        committed._read.cache_clear()
        self.assertEqual(documents_moves.chains().splitlines()[0], "| chain | H200 | Xeon | Xeon, times as fast as step by step |")
        rows[1]["rivals"] = {"step by step": {"seconds": 3 * rows[1]["seconds"]}}
        self.write("fused", rows)
        committed._read.cache_clear()
        lines = documents_moves.chains().splitlines()
        self.assertIn("| H200, times as fast as step by step | Xeon, times as fast as step by step |", lines[0])
        self.assertEqual([line.split(" | ")[3] for line in lines[2:5]], ["–", "3.00", "–"])

    def test_figures_beside_the_best_of_the_loops_written_by_hand(self):
        def rows(seconds):
            return [{"name": f"{operation}_{n}_{way}", "seconds": {"A": 3, "B": 2, "C": 4}.get(way, seconds(operation, n))}
                    for operation in documents_papers.MOVES for n in documents_papers.EXTENTS for way in ("A", "B", "C", "crinkle")]

        with mock.patch.object(documents_papers, "MACHINES", [committed.H200]):
            self.write("hypercubic", rows(lambda operation, n: 4 if (operation, n) == ("shift", 512) else 1))
            self.assertIn("\n| flip, H200 | 2.00 | 2.00 | 2.00 | 2.00 | 2.00 | 2.00 |\n| shift, H200 | 2.00 | 0.50 | 2.00 |", documents_papers.figures_by_size())
            self.assertEqual(documents_papers.figures_behind(), "crinkle is behind the fastest loop or kernel written by hand on the H200 in shifts at N = 512 (0.50, B).\n")
            self.write("hypercubic", rows(lambda operation, n: 1))
            committed._read.cache_clear()
            self.assertEqual(documents_papers.figures_behind(), "crinkle is behind the fastest loop or kernel written by hand on the H200 nowhere.\n")

    def test_small_arrays_of_a_gpu(self):
        self.write("small", [{"name": "flip_4KiB", "seconds": 1, "fraction_of_copy": 0.25, "cold": {"seconds": 4, "copy_seconds": 3}}] +
                   [{"name": f"1000_transposes_{size}", "seconds": 1, "fraction_of_copy": 0.5, "rivals": {"one by one": {"seconds": 40}}} for size in ("256B", "4KiB")])
        self.assertIn("\n| flip | – | 0.25 | – | – | – | – |\n| flip, cold | – | 0.75 | – | – | – | – |\n", documents.TABLES["small"](committed.H200))
        self.assertEqual(documents.TABLES["at-once"](committed.H200), "1000 transposes in one move, of 256 B, 4 KiB: 40.0, 40.0 times as fast as one by one; of a copy 0.50, 0.50.\n")

    def test_hot_and_cold_side_by_side(self):
        rows = [{"name": name, "seconds": 1, "fraction_of_copy": hot, "cold": {"seconds": 1, "copy_seconds": cold}} for name, hot, cold in [("a", 0.5, 0.4), ("b", 0.5, 0.9)]]
        self.write("fused", rows + [{"name": "hot alone", "seconds": 1, "fraction_of_copy": 0.1}])
        with mock.patch.object(documents_caches, "SUITES", [("fused", None, "fused")]):
            self.assertIn("\n| fused | – | – | – | 0.50 | 0.60 | 0.80–1.80 |\n", documents_caches.hot_and_cold())

    def test_rivals_with_empty_caches(self):
        self.write("rivals", [{"name": f"case_{i}", "bytes": 2 << 20, "seconds": 1, "cold": {"seconds": 2, "copy_seconds": 1},
                               "rivals": {"X 1": {"seconds": 3, "cold": {"seconds": cold}}}} for i, cold in enumerate([4, 16])])
        self.assertIn("X 1: 3.00 (2 cases), least 3.00 (case 0), cold 4.00, least 2.00 (case 0).", documents_rivals.means(committed.H200))

    def test_pairs_by_way_and_beside_others(self):
        def row(name, rate, **more):
            return {"name": name, "bytes": 0, "seconds": 2, "pairs": 10 ** 12, "pairs_per_s": rate, **more}

        self.write("idw", [row("naive_n8_SoA", 1.5e9), row("naive_n8_float4", 2e9), row("naive_n80_SoA", 9e9), row("wide_n8_double4", 4e9), row("wide_n8_crinkle", 5.004e9)])
        self.assertEqual(documents.TABLES["pairs-by-way"](committed.H200, ["naive, narrow: naive_n8", "wide: wide_n8"]),
                         "| form: G pairs/s | SoA | float4, double4 | crinkle |\n|---|---|---|---|\n| naive, narrow | 1.50 | 2.00 | – |\n| wide | – | 4.00 | 5.00 |\n")
        with self.assertRaisesRegex(Refused, "idw.json: expected rows nosuch_…"):
            documents.TABLES["pairs-by-way"](committed.H200, ["it: nosuch"])
        self.write("rivals_interpolate", [row("sum_n8", 5e11, rivals={"X 1": {"seconds": 4}}), row("sum_n9", 5e11, rivals={"X 1": {"seconds": 8}, "Y 2": {"seconds": 1}})])
        self.assertEqual(documents.TABLES["full-sums"](committed.H200),
                         "| case: G pairs/s | crinkle | X 1 | Y 2 |\n|---|---|---|---|\n| sum_n8 | 500 | 250 | – |\n| sum_n9 | 500 | 125 | 1000 |\n")

    def test_points_of_sizes_that_take_minutes_stand_beside_the_others(self):
        rows = lambda n, **ways: [{"name": f"figure{figure}_{form}_n{n}_{way}", "seconds": value} for figure in (7, 8) for form in ("naive", "tiled") for way, value in ways.items()]
        self.write("idw", rows(1024, SoA=0.5, AoS=0.25, float4=0.1, crinkle=0.01))
        self.write("idw_large", rows(512000, SoA=1, AoS=8, crinkle=0.1))
        small, large = (documents_idw.of_case(committed.EPYC_25, f"figure7_naive_n{n}")["AoS"] * m ** 2 for n, m in ((1024, 1), (10240, 50)))  # beyond as n²
        text = documents.TABLES["idw-speed-ups"](committed.H200)
        self.assertIn("n | 1024 | 512000 | axis of the paper |", text)
        self.assertIn(f"| figure 7 (b), tiled, float32 | AoS {numbers.significant(4 * small)}, SoA {numbers.significant(2 * small)} | "
                      f"SoA {numbers.significant(large)}, AoS {numbers.significant(large / 8)} | 100 to 130 |\n| figure 7 (c), child, float32 | – | – | – |\n", text)

    def test_figure_5_of_paper_1_beside_cufft(self):
        def row(batch, n, crinkle, **rivals):
            return {"name": f"figure5_batch{batch}_n{n}_crinkle", "bytes": 8, "seconds": crinkle, "flops": 1e12, "rivals": {name.replace("__", ", "): {"seconds": value} for name, value in rivals.items()}}

        self.write("rivals_fft_paper", [row(1, 256, 2, cuFFT=4, paper__radix_2=8, paper__radix_4=1), row(4, 1 << 20, 5, cuFFT=6, paper__radix_2=12)])
        self.assertIn("N | 1 signal | 4 signals |\n|---|---|---|\n| 2⁸ | 4.00, 2.00 | – |\n| 2²⁰ | – | 0.50, 1.20 |\n", documents.TABLES["fft-figure5-quotients"](committed.H200))
        self.assertIn("\n| 2⁸ | 1000, 250, 500 |\n", documents.TABLES["fft-figure5-rates"](committed.H200, "1"))
        self.assertIn("ahead of cuFFT in 1 of 2, none of more than 2^8 samples in all; of 2^22 and more at 0.50 in the mean (0.50 to 0.50) of its speed, crinkle at 1.20",
                      documents.TABLES["papers-figures"]())

    def test_where_other_maps_lead_the_default_one(self):
        def row(test, n, name, seconds):
            return {"name": f"{test}_{n}_{name}", "bytes": 4, "seconds": seconds, "n": n, "map": name, "plot": {"title": test, "x": n, "x_label": "n", "series": name}}

        self.write("simplex", [row(test, n, name, seconds) for test, _ in documents_simplex.TESTS for n in (8, 16)
                               for name, seconds in (("fold", 1.1 if (test, n) == ("edm", 16) else 1.001), ("rectangular_box", 1))])
        self.assertEqual(" ".join(documents.TABLES["simplex-leaders"](committed.H200).split()), "The fold is behind the best map, by 1.0 % and more, in dummy: nowhere; in the map alone: "
                         "nowhere; in distances: 10 % at 16 (rectangular box) (1 of 2); in collisions, 1-D: nowhere; in collisions, 3-D: nowhere.")

    def test_what_is_counted_has_a_column_beside_bytes(self):
        self.write("stencil", [{"name": "star", "bytes": 4e9, "seconds": 2, "fraction_of_copy": 0.5, "cells": 5e8, "cells_per_s": 2.5e8},
                               {"name": "ising", "bytes": 0, "seconds": 2, "flips": 3e11, "flips_per_s": 1.5e11}])
        self.assertEqual(documents.TABLES["speed"](committed.H200, "stencil"),
                         "| name | GB/s | percent of copy | 10⁹ a second |\n|---|---|---|---|\n| star | 2.00 | 50 % | – |\n| ising | – | – | 150 flips |\n")
        self.assertNotIn("10⁹", documents.TABLES["speed"](committed.H200, "stencil", "star"))

    def test_many_lost_comparisons_are_counted_and_the_farthest_named(self):
        self.write("rivals", [{"name": f"case_{i}", "bytes": 2 << 20, "seconds": 1, "rivals": {"X 1": {"seconds": 0.9 - 0.1 * i}}} for i in range(6)])
        self.assertIn("of these 6 comparisons six are lost, the farthest case 5 by X (0.40), case 4 by X (0.50), case 3 by X (0.60) and case 2 by X (0.70).",
                      " ".join(documents_rivals.sentence(committed.H200).split()))


if __name__ == "__main__":
    unittest.main()
