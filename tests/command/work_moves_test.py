"""Moves as every command that works on files: --dry-run, --explain, --json, --memory, --verify; of one file and of several.

SPDX-License-Identifier: BSD-3-Clause
"""
import harness  # first: it looks for a Python that has NumPy

import json
import unittest

import numpy as np

from harness import CommandTest, done, wrong

rng = np.random.default_rng(543)

# (the command, its outputs)
COMMANDS = [
    (["move", "z y x -> x z y", "a.npy", "out.npy"], ["out.npy"]),
    (["move", "z y x -> z y x", "a.npy", "out.npy", "--roll", "x=3", "--pad", "y=2:1:reflect"], ["out.npy"]),
    (["move", "z y x -> z y x", "a.npy", "out.npy", "--bit-planes"], ["out.npy"]),
    (["move", "... -> ...", "a.npy", "there.npy", "--put", "0:12,:,:"], ["there.npy"]),
    (["interlace", "a.npy", "b.npy", "-o", "out.npy"], ["out.npy"]),
    (["deinterlace", "pairs.npy", "-o", "out.npy", "out2.npy"], ["out.npy", "out2.npy"]),
    (["records", "--to", "y|x", "records.npy", "out_{}.npy"], ["out_x.npy", "out_y.npy"]),
]


class WorkMovesTest(CommandTest):
    def files(self):
        for path in self.folder.glob("out*"):
            path.unlink()
        self.save("a.npy", rng.normal(size=(12, 20, 16)).astype("f4"))
        self.save("b.npy", rng.normal(size=(12, 20, 16)).astype("f4"))
        self.save("pairs.npy", rng.normal(size=(30, 2)))
        self.save("there.npy", np.zeros((14, 20, 16), "f4"))
        records = np.zeros(50, [("x", "f4"), ("y", "i2")])
        records["x"], records["y"] = rng.normal(size=50), np.arange(50)
        self.save("records.npy", records)

    def run_on(self, command, *more, **how):
        result = self.run_crinkle(*command, *more, **how)
        self.assertEqual(result.returncode, done, result.stderr)
        return result.stdout.decode(), result.stderr.decode()

    def each(self):
        for command, outputs in COMMANDS:
            self.files()
            with self.subTest(command):
                yield command, outputs

    def test_json_says_what_was_done(self):
        for command, outputs in self.each():
            facts = json.loads(self.run_on(command, "--json", "--verify")[0])
            arrays = [self.load(name) for name in outputs]
            if "--put" in command:
                self.assertEqual(facts["outputs"][0]["name"], "there.npy")
            else:
                self.assertEqual({(port["name"], tuple(port["shape"])) for port in facts["outputs"]}, {(n, a.shape) for n, a in zip(outputs, arrays)})
                inputs = [self.load(port["name"]) for port in facts["inputs"]]
                self.assertEqual([port["shape"] for port in facts["inputs"]], [list(a.shape) for a in inputs])
                self.assertEqual(facts["bytes"], sum(a.nbytes for a in inputs + arrays))
            self.assertEqual((facts["operation"], facts["device"], facts["verified"]), ("move", "cpu", True))
            self.assertGreater(facts["bytes_moved"], 0)
            self.assertGreaterEqual(facts["seconds"], 0)

    def test_dry_runs_write_nothing_and_say_the_same(self):
        for command, outputs in self.each():
            before = self.listing()
            facts = json.loads(self.run_on(command, "--json", "--dry-run")[0])
            self.assertEqual((facts["dry_run"], "seconds" in facts, "verified" in facts), (True, False, False))
            told = self.run_on(command, "--dry-run")[0]
            self.assertEqual(told.count("\n"), 1)
            self.assertIn(" -> ", told)
            self.assertEqual(self.listing(), before)

    def test_plans_are_explained(self):
        for command, _ in self.each():
            told, said = self.run_on(command, "--explain", "--dry-run", "--memory", "1MiB")
            self.assertEqual(told.count("\n"), 1)
            self.assertRegex(said, r"\bbox(es)?\b")
            self.assertIn("on the CPU", said)

    def test_little_memory_gives_the_same(self):
        for command, outputs in self.each():
            self.run_on(command)
            whole = [(self.folder / name).read_bytes() for name in outputs]
            for memory in ("1", "200", "3KiB", "1GiB"):
                facts = json.loads(self.run_on(command, "--force", "--json", "--verify", "--memory", memory)[0])
                self.assertEqual([(self.folder / name).read_bytes() for name in outputs], whole, memory)
                self.assertEqual(facts["memory"], {"1": 1, "200": 200, "3KiB": 3072, "1GiB": 1 << 30}[memory])

    def test_memory_that_does_not_suffice_is_told(self):
        self.files()
        said = self.run_on(["move", "z y x -> z y x", "a.npy", "out.npy", "--bit-planes"], "--memory", "1", "--explain")[1]
        self.assertIn("note: --memory 1: the smallest slabs of this move take", said)
        said = self.run_on(["move", "z y x -> x z y", "a.npy", "out.npy", "--force"], "--memory", "1")[1]
        self.assertEqual(said, "")  # nothing lies between

    def test_what_is_wrong(self):
        for command, outputs in self.each():
            for more, says in ((["--memory", "0"], "1 or more bytes"), (["--memory", "1XB"], "--memory"), (["--memory", "-5"], "--memory"), (["--offset", "-1"], "--offset"),
                               (["--device", "tpu"], "auto, cpu, cuda"), (["--device", "gpu", "--memory", "5"], "auto, cpu, cuda"), (["--threads", "-1"], "-1"),
                               (["--device-memory", "5"], "--device-memory is for --device cuda"), (["--verify", "--nothing"], "--nothing"), (["--memory", ""], "--memory")):
                with self.subTest(command, more=more):
                    self.refused(wrong, *command, *more, says=[says])
        self.files()
        self.refused(wrong, "move", "z y x -> x z y", "a.npy", "-", "--json", says=["--json prints to standard output"], lines=1)
        self.refused(wrong, "interlace", "a.npy", "b.npy", "-o", "-", "--json", says=["--json prints to standard output"], lines=1)
        self.refused(wrong, "records", "--to", "(y x)", "records.npy", "-", "--json", says=["--json prints to standard output"], lines=1)
        self.refused(wrong, "move", "z y x -> x z y", "a.npy", "out.npy", "--json", "--report", says=["--report and --json"], lines=1)


if __name__ == "__main__":
    unittest.main()
