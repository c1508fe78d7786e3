# The benchmarks as a person runs them: tables, JSON, files that are there already, wrong requests and wrong case files. No speed is judged.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json
import os

from harness import CommandTest

tiny_cases = """# every kind of line
transposed 4 2 1 0 33 17
transposed 8 2 1 0 33 17
odd 3 3 2 0 1 4 5 6
rolled 4 spec 'y x -> y x' 6 7 --roll x=1 --pad y=1:2:reflect
cut 4 spec 'y (x 3) -> y (3 x)' 6 7 --tail ragged
swapped 8 spec 'n -> n' 100 --byte-order big
shuffled 16 spec 'n -> n' 100 --shuffle
unshuffled 1 spec 'n -> n' 16 100 --unshuffle V16
planes 2 planes 100
elements 2 from-planes 100
gathered 4 gather random 0 100
scattered 4 scatter sorted 0 50 4
"""


class Bench(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "cases.txt").write_text(tiny_cases)

    def permute(self, *options, caches=("--hot",)):
        return self.crinkle("bench", "permute", "--cases", "cases.txt", *caches, *options).decode()

    def rows(self, *options, caches=("--hot",)):
        self.permute("--json", "out.json", "--force", *options, caches=caches)
        return json.loads((self.folder / "out.json").read_text())

    def test_every_row_says_what_was_measured(self):
        report = self.rows("--threads", "2", "--samples", "7")
        self.assertEqual(list(report), ["schema", "suite", "device", "driver", "compiler", "commit", "date", "seed", "plan", "rows"])
        self.assertEqual((report["schema"], report["suite"]), (1, "permute"))
        self.assertTrue(report["device"].endswith(", 2 threads"))
        self.assertRegex(report["date"], r"^\d{4}-\d\d-\d\d$")
        self.assertEqual([row["name"] for row in report["rows"]], [line.split()[0] for line in tiny_cases.splitlines()[1:]])
        for row in report["rows"]:
            for key in ["element_bytes", "bytes", "seconds", "gb_per_s", "copy_gb_per_s", "fraction_of_copy", "iqr", "best_copy", "copies_gb_per_s", "threads", "samples", "checked"]:
                self.assertIn(key, row)
            self.assertEqual((row["threads"], row["samples"]), (2, 7))
            self.assertEqual(set(row["copies_gb_per_s"]), {"memcpy", "streamed", "interleaved", "memcpy_1_thread"})
            self.assertGreaterEqual(row["copy_iqr"], 0)
            self.assertEqual(row["copy_gb_per_s"], max(row["copies_gb_per_s"].values()))
            self.assertAlmostEqual(row["fraction_of_copy"], row["gb_per_s"] / row["copy_gb_per_s"], 6)
            self.assertAlmostEqual(row["gb_per_s"], row["bytes"] / row["seconds"] * 1e-9, 6)
            self.assertNotIn("scaled_by", row)
            self.assertNotIn("cold", row)
            self.assertEqual("loop_gb_per_s" in row, row["name"] in ["gathered", "scattered"])
        by_name = {row["name"]: row for row in report["rows"]}
        self.assertEqual(by_name["odd"]["bytes"], 2 * 4 * 5 * 6 * 3)
        self.assertEqual(by_name["shuffled"]["element_bytes"], 16)
        self.assertEqual(by_name["unshuffled"]["element_bytes"], 16)
        self.assertEqual(by_name["planes"]["bytes"], 2 * 100 + 16 * 13)
        self.assertEqual(by_name["gathered"]["bytes"], 2 * 100 * 4)

    def test_a_cold_run_has_its_own_numbers_and_copy(self):
        text = self.permute("--threads", "1", "--case", "odd", "--json", "cold.json", caches=())
        cold = json.loads((self.folder / "cold.json").read_text())["rows"][0]["cold"]
        self.assertEqual(list(cold), ["seconds", "iqr", "copy_seconds", "copy_iqr", "fraction_of_copy"])
        self.assertAlmostEqual(cold["fraction_of_copy"], cold["copy_seconds"] / cold["seconds"], 6)
        self.assertRegex(text.splitlines()[2], r"^odd +3 +[\d.]+ +[\d.]+ +\d+ % +\d+ %  ± \d+ % *[#.]{20}$")

    def test_a_line_a_case_and_a_summary(self):
        self.assertRegex(self.permute("--case", "odd").splitlines()[2], r"^odd +3 +[\d.]+ +[\d.]+ +\d+ % +– +± ")
        lines = self.permute("--samples", "7").splitlines()
        self.assertRegex(lines[0], r", \d+ threads?, seed \d+$")
        self.assertRegex(lines[2], r"^transposed +4 +[\d.]+ +[\d.]+ +\d+ % +–  ± \d+ % *[#.]{20}$")
        self.assertRegex(lines[-1], r"^all +12 cases: geometric mean \d\.\d\d of a copy, least \d\.\d\d \(\w+\)$")
        self.assertEqual(len([line for line in lines if "-byte elements" in line]), 5)

    def test_the_seed_is_printed_and_can_be_given(self):
        self.assertIn(", seed 12345\n", self.permute("--seed", "12345", "--case", "odd"))
        self.assertNotEqual(self.rows("--case", "odd")["seed"], self.rows("--case", "odd")["seed"])

    def test_a_filter_picks_cases(self):
        self.assertEqual([row["name"] for row in self.rows("--case", "planes", "--case", "odd")["rows"]], ["odd", "planes"])
        self.refused(2, "bench", "permute", "--cases", "cases.txt", "--case", "nosuch", says=["'nosuch'", "cases.txt", "transposed"], lines=1)

    def test_plans_are_measured_where_that_is_asked_for(self):
        report = self.rows("--threads", "2", "--plan", "measure", "--plan-cache", "plans.json", "--case", "odd", "--case", "rolled", "--case", "gathered")
        self.assertEqual((report["plan"], len(report["rows"])), ("measure", 3))
        self.assertEqual(self.rows("--case", "odd")["plan"], "estimate")
        entries = json.loads((self.folder / "plans.json").read_text())["entries"]
        self.assertGreaterEqual(len(entries), 2)
        self.assertEqual({entry["threads"] for entry in entries}, {2})
        self.assertIn(", plans by measure\n", self.permute("--case", "odd", "--plan", "measure", "--plan-cache", "plans.json"))

    def test_arrays_begin_where_that_is_asked_for(self):
        self.assertNotIn("behind_bytes", self.rows())
        report = self.rows("--behind", "17")
        self.assertEqual((report["behind_bytes"], len(report["rows"])), (17, 12))
        self.refused(2, "bench", "permute", "--cases", "cases.txt", "--behind", "1MiB", says=["--behind", "1048576"], lines=1)
        self.refused(2, "bench", "copy", "--behind", "16", says=["--behind", "copy"], lines=1)

    def test_a_case_too_large_is_halved_and_says_so(self):
        rows = {(row["name"], row["element_bytes"]): row for row in self.rows("--memory", "2KiB")["rows"]}
        self.assertEqual(rows["transposed", 4]["scaled_by"], 4)  # 17 · 33 · 4 bytes twice: 4488; 8 · 16 · 4 twice: 1024
        self.assertEqual(rows["transposed", 4]["bytes"], 1024)
        self.assertEqual(rows["unshuffled", 16]["scaled_by"], 2)
        self.assertNotIn("scaled_by", rows["odd", 3])
        self.assertIn("1/4 of it", self.permute("--memory", "2KiB"))
        self.refused(2, "bench", "permute", "--cases", "cases.txt", "--memory", "3", says=["cases.txt:2", "--memory"], lines=1)

    def test_every_case_file_of_the_tree_runs_when_small(self):
        for name, least in [("permutations.txt", 110), ("operations.txt", 90)]:
            self.crinkle("bench", "permute", "--cases", harness.source_tree / "bench" / "cases" / name, "--memory", "64KiB", "--threads", "1", "--samples", "7", "--hot", "--json", name + ".json")
            rows = json.loads((self.folder / (name + ".json")).read_text())["rows"]
            self.assertGreaterEqual(len(rows), least)

    def test_plain_copies_have_a_suite(self):
        self.crinkle("bench", "copy", "--bytes", "100KiB", "--threads", "2", "--hot", "--json", "copy.json")
        rows = json.loads((self.folder / "copy.json").read_text())["rows"]
        self.assertEqual([row["name"] for row in rows], ["memcpy_100KiB", "streamed_100KiB", "interleaved_100KiB", "memcpy_1_thread_100KiB"])
        self.assertEqual(max(row["fraction_of_copy"] for row in rows), 1)
        self.assertEqual({row["bytes"] for row in rows}, {204800})

    def test_suites_that_need_no_file(self):
        def run(suite, *options):
            text = self.crinkle("bench", suite, *options, "--samples", "7", "--threads", "2", "--force", "--json", suite + ".json").decode()
            return text, json.loads((self.folder / (suite + ".json")).read_text())

        for suite, name, *options in [("rearrange", "range_read", "--memory", "1MiB"), ("records", "aos_to_soa_3", "--memory", "1MiB"), ("scaling", "roll_2_threads", "--memory", "1MiB"),
                                      ("triangle", "rfp_to_full_8192_el4"), ("planning", "cached_rank8"), ("fft", "complex_float32_n1024"), ("stencil", "blur_5d"), ("interpolate", "full_sum_float32_p2_n16384"), ("pairs", "euclidean_condensed_float32_n1024_f3")]:
            _, report = run(suite, "--case", name, *options, "--hot")
            self.assertEqual(report["suite"], suite)
            self.assertTrue(report["rows"][0]["name"].startswith(name), report["rows"][0])
        text, report = run("stencil", "--case", "ising", "--case", "cavity", "--hot")
        self.assertEqual([row["name"] for row in report["rows"]], ["ising_n2048", "cavity_n1023"])
        for row, unit, n, n_bytes in zip(report["rows"], ["flips", "cells"], [2048**2, 5 * 1023**2], [0, 152 * 1023**2]):
            self.assertEqual((row["bytes"], row[unit]), (n_bytes, n))
            self.assertAlmostEqual(row[unit + "_per_s"] * row["seconds"] / n, 1)
        self.assertRegex(text, r"\nising_n2048 +1 +[\d.]+ µs +± +\d+ % +[\d.e-]+ Gflips/s\n")
        self.assertGreater(report["rows"][1]["fraction_of_copy"], 0)
        self.assertEqual(list(run("stencil", "--case", "box_2d_r2", "--hot")[1]["rows"][0]["rivals"]), ["a stencil of one's own"])
        self.assertEqual(run("scaling", "--case", "_rank_24", "--memory", "1MiB", "--hot")[1]["rows"][0]["plot"]["x"], 24)
        self.assertEqual(list(run("fused", "--case", "step_", "--memory", "1MiB", "--hot")[1]["rows"][0]["rivals"]), ["step by step"])
        self.assertEqual(list(run("small", "--case", "flip_4KiB")[1]["rows"][0]["rivals"]["cached plan"]), ["seconds", "iqr", "cold"])

    def test_a_run_is_compared_with_an_earlier_one(self):
        def against(times, share, *options, **changed):
            """What was written with its times and shares of a copy so many times as large."""
            old = json.loads((self.folder / "out.json").read_text()) | changed
            for row in old["rows"]:
                row["seconds"], row["iqr"], row["fraction_of_copy"] = times * row["seconds"], times * row["iqr"], share * row["fraction_of_copy"]
            (self.folder / "old.json").write_text(json.dumps(old))
            return self.run_crinkle("bench", "permute", "--cases", "cases.txt", "--threads", "1", "--hot", "--against", "old.json", *options)

        (self.folder / "cases.txt").write_text("".join(line + "\n" for line in tiny_cases.splitlines() if line.split()[0] in ("odd", "planes", "scattered")))
        rows = self.rows("--threads", "1")["rows"]
        faster = against(1e6, 1e-6)
        self.assertEqual(faster.returncode, harness.done, faster.stderr)
        lines = faster.stdout.decode().splitlines()
        self.assertRegex(lines[-7], r"^against old\.json \(commit .*, \d{4}-\d\d-\d\d\)$")
        self.assertEqual(lines[-6], "A row is lost where its time and its share of a copy both fall by more than the noise and 15 %, and do so again when it is measured anew.")
        self.assertEqual([line.split()[0] for line in lines[-4:-1]], [row["name"] for row in rows])
        self.assertRegex(lines[-2], r"^scattered +4 +\d+ % +\d+ % +\+[\d.]+ % +-100\.0 % +[\d.]+ %$")
        self.assertRegex(lines[-1], r"^3 rows: geometric mean of the changes \+[\d.]+ % \(share\), -100\.0 % \(time\)$")

        slower = against(1e-6, 1e6, "--json", "new.json")
        self.assertEqual(slower.returncode, harness.failed)
        self.assertRegex(slower.stderr.decode(), r"^crinkle: failed: \d+ of 3 rows are slower than in old\.json beyond their noise: \w+ of \d+ bytes "
                         r"\(time \+[\d.]+ %, share -100\.0 %, noise")
        self.assertIn("  lost\n", slower.stdout.decode())
        self.assertRegex(slower.stdout.decode(), r"\n\nmeasuring \d+ rows? anew, 1 of 2\nmeasuring \d+ rows? anew, 2 of 2\n\nagainst")
        self.assertEqual(len(json.loads((self.folder / "new.json").read_text())["rows"]), 3)

        for times, share in [(1e3, 1e6), (1e-6, 1e-3)]:  # its copy alone changed, or the machine
            changed = against(times, share)
            self.assertEqual((changed.returncode, b"lost" in changed.stdout.split(b"anew")[-1]), (harness.done, False), changed.stderr)

        for says, changed in [("is of the suite copy, this is permute", {"suite": "copy"}), ("was measured on 'another, 1 thread', this is '", {"device": "another, 1 thread"}),
                              ("arrays begin 16 bytes behind a page, these 0; compare with --behind 16", {"behind_bytes": 16}), ("none of its 0 rows", {"rows": []})]:
            with self.subTest(says=says):
                result = against(1, 1, "--case", "odd", **changed)
                self.assertEqual(result.returncode, harness.wrong)
                self.assertIn(says, result.stderr.decode())
        self.assertIn("begin 0 bytes behind a page, these 16; compare without --behind", against(1, 1, "--behind", "16").stderr.decode())
        (self.folder / "old.json").write_text("{}")
        for name, says in [("old.json", "is no document that crinkle bench --json wrote"), ("nosuch.json", "No such file")]:
            self.refused(1, "bench", "permute", "--cases", "cases.txt", "--against", name, says=[name, says], lines=1)

    def test_json_goes_to_standard_output_alone(self):
        result = self.run_crinkle("bench", "copy", "--bytes", "1000", "--hot", "--json", "-")
        self.assertEqual(json.loads(result.stdout)["suite"], "copy")
        self.assertIn("interleaved_1000B", result.stderr.decode())

    def test_a_file_that_exists_is_replaced_only_by_force(self):
        (self.folder / "out.json").write_text("mine")
        words = ["bench", "copy", "--bytes", "1000", "--hot", "--json", "out.json"]
        self.refused(2, *words, says=["out.json", "--force"], lines=1)
        self.crinkle(*words, "--force")
        self.assertIn('"rows"', (self.folder / "out.json").read_text())
        os.mkdir(self.path("folder"))
        self.refused(1, "bench", "copy", "--bytes", "1000", "--json", "folder", says="directory", lines=1)
        self.refused(1, "bench", "copy", "--bytes", "1000", "--json", "nowhere/out.json", says="nowhere")

    def test_wrong_requests(self):
        for words, says in [(["nosuch"], "triangle, planning and batches"), (["fused", "--case", "x x"], "no case of fused has 'x x'"), (["batches"], "the suite batches runs on a GPU; give --device cuda"), (["scaling", "--cases", "cases.txt"], "--cases is not for the suite scaling"), (["rearrange", "--memory", "3"], "--memory"), (["records", "--case", "nosuch"], "no case of records has 'nosuch'"), ([], "SUITE"), (["permute"], "--cases FILE"), (["copy", "--cases", "cases.txt"], "--cases is not for the suite copy, but for permute"),
                            (["permute", "--cases", "cases.txt", "--bytes", "5"], "--bytes"), (["copy", "--samples", "6"], "7 or more"),
                            (["copy", "--device", "tpu"], "cpu, cuda or cuda:N"), (["copy", "--bytes", "1.5"], "64KiB"), (["copy", "--bytes", "0"], "1 or more"), (["copy", "--bytes", "5TB"], "512MiB"),
                            (["copy", "--bytes", "-5"], ""), (["copy", "--bytes", "99999999999999999999"], "64 bits"), (["copy", "--bytes", "9999999999G"], "64 bits"),
                            (["copy", "--plan", "measure"], "--plan measure is not for the suite copy"), (["permute", "--cases", "cases.txt", "--plan", "guess"], "estimate or measure"),
                            (["permute", "--cases", "cases.txt", "--plan-cache", "plans.json"], "--plan-cache is for --plan measure"), (["copy", "--threads", "-1"], "-1"), (["copy", "--threads", "x"], "x"), (["copy", "--nosuch"], "--nosuch")]:
            with self.subTest(words=words):
                self.refused(2, "bench", *words, says=["crinkle: ", says], lines=1)
        self.refused(1, "bench", "permute", "--cases", "nosuch.txt", says="nosuch.txt", lines=1)
        self.refused(1, "bench", "permute", "--cases", ".", says="it is a directory", lines=1)

    def test_suites_of_papers_are_in_a_program_of_their_own(self):
        for suite in ["hypercubic", "simplex", "fft_paper", "advice", "vectors", "versions"]:
            self.refused(2, "bench", suite, "--hot", lines=1, says=f"the suite {suite} is now in crinkle-papers: configure with -DCRINKLE_PAPERS=ON, build the target crinkle_papers, and run crinkle-papers {suite}")

    def test_wrong_case_files(self):
        for line, says in [("a 4 2 0 0 3 3", "once"), ("a 4 2 0 1 3", "extent"), ("a four", "element's bytes"), ("a 4 turn", "'turn'"), ("a 4 spec 'y x -> x' 3 3", "--at y=0"),
                           ("a 4 spec 'y x -> x y' 3 3 --turn x", "--turn"), ("a 4 spec 'y x -> x y' 3 3 --roll x", "AXIS=K"), ("a 4 spec 'x -> x' 3 --bit-planes", "--bit-planes"),
                           ("a 4 spec 'y x -> x y' 3 3 --help", "help"), ("a 4 planes 0", "1 or more"), ("a 4 gather soon 0 3", "'soon'")]:
            with self.subTest(line=line):
                (self.folder / "wrong.txt").write_text("# a head\n\nright 4 1 0 5\n" + line + "\n")
                self.refused(1, "bench", "permute", "--cases", "wrong.txt", says=["wrong.txt:4: ", says])
        (self.folder / "empty.txt").write_text("# nothing\n")
        self.refused(1, "bench", "permute", "--cases", "empty.txt", says="no case", lines=1)


if __name__ == "__main__":
    harness.main()
