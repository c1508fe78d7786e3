"""Maps of samples as every command that computes: --explain, --dry-run, --json, --memory, --verify; columns with gaps are several operations.

SPDX-License-Identifier: BSD-3-Clause
"""
import harness  # first: it looks for a Python that has NumPy

import json
import unittest

import numpy as np

from harness import CommandTest, done, wrong

rng = np.random.default_rng(542)

MAP = ["--value", "a,b", "--cell", "0.11"]

COMMANDS = [
    ["interpolate", "in.csv", "out.npy", *MAP],
    ["interpolate", "in.csv", "out.npy", *MAP, "--dtype", "float64", "--power", "2.5"],
    ["interpolate", "in.csv", "out.npy", *MAP, "--neighbours", "5", "--nodata", "-9"],
    ["interpolate", "in.csv", "out.npy", *MAP, "--radius", "0.3", "--least", "2", "--sectors", "4"],
    ["interpolate", "in.csv", "out.npy", *MAP, "--neighbours", "3", "--ratio", "2", "--angle", "30", "--weight", "w"],
    ["interpolate", "in.csv", "out.npy", "--value", "a,b", "--targets", "places.csv", "--smoothing", "0.1"],
    ["interpolate", "in.csv", "out.npy", "--value", "a,b", "--targets", "places.csv", "--neighbours", "4", "--dtype", "float64"],
    ["grid", "in.csv", "out.npy", *MAP],
    ["grid", "in.csv", "out.npy", *MAP, "--statistic", "mean,count,deviation", "--nodata", "0"],
]


class WorkMapsTest(CommandTest):
    def table(self, gaps):
        lines = ["x,y,a,b,w"]
        for k in range(300):
            x, y = rng.random(2).round(3)
            lines.append(f"{x},{y},{rng.normal():.3f},{'' if gaps and k % 5 == 0 else round(50 + rng.normal(), 3)},{k % 3 + 1}")
        (self.folder / "in.csv").write_text("\n".join(lines) + "\n")
        (self.folder / "places.csv").write_text("x,y\n" + "\n".join(f"{x},{y}" for x, y in rng.random((60, 2)).round(3)) + "\n")

    def run_on(self, command, *more):
        result = self.run_crinkle(*command, *more)
        self.assertEqual(result.returncode, done, result.stderr)
        return result.stdout.decode(), result.stderr.decode()

    def each(self, gaps=(False, True)):
        for has_gaps in gaps:
            self.table(has_gaps)
            for command in COMMANDS:
                (self.folder / "out.npy").unlink(missing_ok=True)
                with self.subTest(command, gaps=has_gaps):
                    yield command, has_gaps

    def test_dry_runs_say_what_would_be_written(self):
        for command, has_gaps in self.each():
            told, _ = self.run_on(command, "--dry-run")
            self.assertFalse((self.folder / "out.npy").exists())
            self.run_on(command)
            out = self.load("out.npy")
            self.assertEqual(told, f"in.csv: 300 samples -> out.npy [{']['.join(map(str, out.shape))}] {out.dtype.name}\n")
            if not has_gaps:
                self.refused(wrong, *command, "--dry-run", says=["out.npy", "--force"], lines=1)

    def test_plans_are_explained(self):
        for command, has_gaps in self.each():
            told, said = self.run_on(command, "--explain", "--memory", "160")
            self.assertEqual(told, "")
            self.assertEqual(said.count("parts of at most 160 bytes"), 2 if has_gaps else 1, said)
            self.assertEqual(sum(line.startswith("on the CPU") for line in said.splitlines()), 2 if has_gaps else 1)

    def test_json_says_what_was_done(self):
        for command, has_gaps in self.each():
            facts = json.loads(self.run_on(command, "--json", "--verify")[0])
            out = self.load("out.npy")
            self.assertEqual(sum(np.prod(port["shape"]) for port in facts["outputs"]), out.size)
            self.assertEqual((len(facts["outputs"]), facts["bytes"], facts["verified"], facts["device"]), (2 if has_gaps else 1, out.nbytes, True, "cpu"))
            self.assertEqual((facts["samples"], facts["columns"]), (300, 2))
            if command[0] == "grid":
                self.assertEqual(facts["statistics"], command[-3].split(",") if "--statistic" in command else ["mean"])

    def test_parts_have_the_bits_of_the_whole(self):
        for command, _ in self.each():
            self.run_on(command)
            whole = self.load("out.npy")
            for memory in ("300", "3KiB", "1GiB"):
                self.run_on(command, "--memory", memory, "--force", "--threads", "3")
                self.assertEqual(self.load("out.npy").tobytes(), whole.tobytes(), memory)

    def test_sums_within_a_tolerance_are_compared_with_exact_ones(self):
        places, values = rng.random((4000, 2)), rng.normal(size=4000)
        self.save("in.npy", np.column_stack([places, values]))
        command = ["interpolate", "in.npy", "out.npy", "--cell", "0.02", "--tolerance", "1e-3"]
        told, said = self.run_on(command, "--verify", "--json", "--explain")
        self.assertTrue(json.loads(told)["verified"])
        self.assertIn("within a tolerance", said)
        _, said = self.run_on(command, "--force", "--memory", "1KiB", "--explain")
        self.assertIn("it cannot be cut into parts of 1.00 KiB", said)
        self.assertIn("--memory 1KiB: the smallest parts of this interpolation take", said)

    def test_columns_of_several_statistics_lie_where_they_belong(self):
        self.table(True)
        self.run_on(["grid", "in.csv", "out.npy", *MAP, "--statistic", "sum,count"])
        both = self.load("out.npy")
        for c, name in enumerate("ab"):
            for s, statistic in enumerate(("sum", "count")):
                self.run_on(["grid", "in.csv", "one.npy", "--value", name, "--cell", "0.11", "--statistic", statistic, "--extent", "0,0,1,1", "--force"])
                self.run_on(["grid", "in.csv", "out.npy", *MAP, "--statistic", "sum,count", "--extent", "0,0,1,1", "--force"])
                self.assert_same(self.load("out.npy")[s, c], self.load("one.npy"), f"{statistic} of {name}")
        self.assertEqual(both.shape[:2], (2, 2))

    def test_what_is_wrong(self):
        self.table(False)
        self.save("there.npy", np.zeros(1))
        for command in (COMMANDS[2], COMMANDS[7]):
            for more, says in ((["--memory", "0"], "1 or more bytes"), (["--memory", "much"], "--memory"), (["--device", "tpu"], "auto, cpu, cuda"),
                               (["--threads", "-1"], "-1"), (["--dry-run", "yes"], "yes"), (["--memory", "-1"], "--memory"), (["--value", "c"], "--value"),
                               (["--extent", "3,0,1,1"], "from 3 to 1"), (["--extent", "0,0,1"], "--extent"), (["--explain", "--preview", "a.jpg"], ".png")):
                self.refused(wrong, *command, *more, says=[says])
            self.refused(wrong, *["-" if word == "out.npy" else word for word in command], "--json", says=["--json"], lines=1)
            self.refused(wrong, *["there.npy" if word == "out.npy" else word for word in command], "--dry-run", says=["there.npy", "--force"])
            self.assertFalse((self.folder / "out.npy").exists())


if __name__ == "__main__":
    unittest.main()
