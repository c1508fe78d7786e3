# crinkle advise: the table, the sentence under it, the JSON, and what is refused. No speed is judged.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json
import re

from harness import CommandTest

floats = ["--fields", "x:f4 y:f4 z:f4 p:f4"]
pattern = [*floats, "--read", "x y z", "--write", "p"]
quick = ["--records", "1000", "--samples", "7"]
time = r"[\d.]+ (?:s|ms|us)"


class Advise(CommandTest):
    def advise(self, *words):
        return self.crinkle("advise", *words, *quick).decode()

    def document(self, *words):
        self.advise(*words, "--json", "out.json", "--force")
        return json.loads((self.folder / "out.json").read_text())

    def test_a_line_a_layout_and_a_sentence(self):
        lines = self.advise(*pattern, "--threads", "2").splitlines()
        self.assertRegex(lines[0], r", 2 threads: 1000 records of x:f4 y:f4 z:f4 p:f4$")
        self.assertEqual(lines[1], "read x y z, write p, one record after the other")
        self.assertEqual(lines[2].split(), ["layout", "bytes", "a", "pass", "GB/s", "of", "copy", "x", "best"])
        table = [line for line in lines[3:] if re.search(r" %  ", line)]
        for line in table:
            self.assertRegex(line, rf"^\S.*\S +\d+ +{time} +[\d.]+ +\d+ % +[\d.]+$")
        self.assertEqual({line.split("  ")[0] for line in table}, {"(x y z p)", "x|y|z|p", "(x y z p)*8", "(x y z p)*32", "(x y z)|p", "(x y z)@16|p", "(x y)@8|z|p"})
        ratios = [float(line.split()[-1]) for line in table]
        self.assertEqual(ratios, sorted(ratios))
        self.assertEqual(ratios[0], 1)
        self.assertEqual(lines[3 + len(table)], "So few records may have stayed in a cache; give more with --records where yours do not.")
        self.assertTrue(lines[-1].startswith(table[0].split("  ")[0] + " is the fastest"), lines[-1])

    def test_the_present_layout_and_what_leaving_it_costs(self):
        lines = self.advise(*pattern, "--from", "(x y z p)@64", "--to", "x|y|z|p", "--to", "(x y)|(z p)").splitlines()
        self.assertEqual(lines[2].split()[-3:], ["convert", "pays", "after"])
        rows = lines[3:6]
        self.assertEqual({row.split("  ")[0] for row in rows}, {"(x y z p)@64", "x|y|z|p", "(x y)|(z p)"})
        for row in rows:
            self.assertRegex(row, r"  as they lie$" if row.startswith("(x y z p)@64") else rf" {time} +(\d+|-)$")
        self.assertRegex(lines[-1], r"do not convert\.$|converting takes .* and pays after \d+ pass(es)?\.$")

    def test_orders_are_said(self):
        self.assertIn("read x, in random order\n", self.advise(*floats, "--read", "x", "--order", "random"))
        self.assertIn("write y x, in steps of 16 records\n", self.advise(*floats, "--write", "y x", "--order", "strided:16"))

    def test_json(self):
        document = self.document(*pattern, "--from", "(x y z p)", "--order", "random", "--seed", "5", "--threads", "2")
        self.assertEqual(list(document), ["schema", "suite", "device", "driver", "compiler", "commit", "date", "seed", "plan", "fields", "reads", "writes", "order", "records", "rows"])
        self.assertEqual((document["schema"], document["suite"], document["seed"], document["records"]), (1, "advise", 5, 1000))
        self.assertEqual((document["fields"], document["reads"], document["writes"], document["order"]), (floats[1], ["x", "y", "z"], ["p"], "random"))
        rows = document["rows"]
        self.assertGreaterEqual(len(rows), 6)
        self.assertEqual([row["seconds"] for row in rows], sorted(row["seconds"] for row in rows))
        self.assertEqual([row["name"] for row in rows if row["is_present"]], ["(x y z p)"])
        present = next(row for row in rows if row["is_present"])
        for row in rows:
            self.assertEqual((row["bytes"], row["threads"], row["samples"], row["checked"]), (16000, 2, 7, "definition"))
            self.assertEqual(row["layout_bytes"], 1000 * row["element_bytes"])
            self.assertAlmostEqual(row["gb_per_s"], row["bytes"] / row["seconds"] * 1e-9, 6)
            self.assertAlmostEqual(row["fraction_of_copy"], row["gb_per_s"] / row["copy_gb_per_s"], 6)
            self.assertAlmostEqual(row["times_best"], row["seconds"] / rows[0]["seconds"], 6)
            self.assertEqual("convert_seconds" in row, not row["is_present"])
            self.assertEqual("pays_after" in row, row["seconds"] * 1.03 <= present["seconds"])
            if "pays_after" in row:
                self.assertAlmostEqual(row["pays_after"], row["convert_seconds"] / (present["seconds"] - row["seconds"]), delta=1)

    def test_json_goes_to_standard_output_alone(self):
        result = self.run_crinkle("advise", *pattern, *quick, "--json", "-")
        self.assertEqual(json.loads(result.stdout)["suite"], "advise")
        self.assertIn("is the fastest", result.stderr.decode())

    def test_any_fields(self):
        document = self.document("--fields", "a:u1 b:>f8 c:i2[3] d:S5 e:c16", "--read", "e b", "--write", "a d b")
        self.assertEqual(document["rows"][0]["bytes"], 1000 * (24 + 14))
        self.assertGreaterEqual(len(document["rows"]), 10)

    def test_wrong_requests(self):
        good = [*pattern, *quick]
        for words, says, lines in [
                ([], ["--fields is required"], 1), (floats, ["--read and --write", "--read 'x'"], 1),
                (["--fields", "x:f4", "--read", " "], ["--read and --write"], 1),
                ([*floats, "--read", "x q"], ["bad_notation", "no field 'q'", "x, y, z, p"], 3), ([*floats, "--read", "x x"], ["'x' stands twice"], 3),
                ([*floats, "--write", "q"], ["no field 'q'"], 3), ([*floats, "--read", "x|y"], ["expected the name of a field"], 3),
                ([*good, "--to", "x|q"], ["no field 'q'"], 3), ([*good, "--to", "(x y z p x)"], ["'x' stands twice"], 3), ([*good, "--to", "(x y)"], ["(x y) has no field 'z'"], 1),
                ([*good, "--from", "(x y"], ["not closed"], 3), ([*good, "--from", "(x y z)"], ["has no field 'p'"], 1),
                ([*good, "--order", "sorted"], ["sequential, random or strided:K"], 3), ([*good, "--order", "strided:0"], ["1 record or more", "'0'"], 3),
                ([*good, "--order", "strided"], ["strided:8"], 3), ([*good, "--order", "random:3"], ["only strided"], 3),
                ([*pattern, "--records", "0"], ["--records 0", "1 or more"], 1), ([*pattern, "--records", "-5"], ["-5"], 1), ([*pattern, "--records", "many"], ["'many' is no whole number"], 1),
                ([*pattern, "--records", "9223372036854775807"], ["too_large"], 1),
                ([*good[:-2], "--samples", "6"], ["7 or more"], 1), ([*good, "--device", "tpu"], ["auto, cpu, cuda or cuda:N"], 1), ([*good, "--threads", "-1"], ["-1"], 1),
                (["--fields", "x:f5", "--read", "x"], ["'f5'"], 3), ([*good, "--nosuch"], ["--nosuch"], 1), ([*good, "x"], ["'x' is one word too many"], 1)]:
            with self.subTest(words=words):
                self.refused(2, "advise", *words, says=["crinkle: ", *says], lines=lines)
        result = self.run_crinkle("advise", *pattern, "--records", str(1 << 50))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stderr.decode(), r"^crinkle: out_of_memory: \d+ bytes .* measure fewer records.*\n$")

    def test_a_file_that_exists_is_replaced_only_by_force(self):
        (self.folder / "out.json").write_text("mine")
        self.refused(2, "advise", *pattern, *quick, "--json", "out.json", says=["out.json", "--force"], lines=1)


if __name__ == "__main__":
    harness.main()
