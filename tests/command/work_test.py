"""What every command that computes can do alike: --explain, --dry-run, --json, --memory, --verify.

SPDX-License-Identifier: BSD-3-Clause
"""
import harness  # first: it looks for a Python that has NumPy

import json
import unittest

import numpy as np

from harness import CommandTest, done, wrong

rng = np.random.default_rng(54)

# (the command without its files, its input)
COMMANDS = [
    (["fft", "--axes", "x"], rng.normal(size=(40, 30)).astype("c8")),
    (["fft", "--real"], rng.normal(size=(12, 10, 14)).astype("f4")),
    (["fft", "--cosine", "--axes", "y"], rng.normal(size=(40, 30))),
    (["stencil", "gaussian:1.5"], rng.normal(size=(40, 30)).astype("f4")),
    (["stencil", "laplacian", "--boundary", "periodic", "--steps", "3"], rng.normal(size=(9, 20, 12))),
    (["resample", "--zoom", "1.5", "--by", "cubic"], rng.normal(size=(40, 30)).astype("f4")),
    (["resample", "--rotate", "30", "--by", "spline"], rng.normal(size=(20, 30))),
]

VERIFIED = {"fft", "stencil"}


class WorkTest(CommandTest):
    def files(self, command):
        """The words behind the command's name: its files, behind a stencil."""
        return [*command[1:2], "in.npy", "out.npy", *command[2:]] if command[0] == "stencil" else ["in.npy", "out.npy", *command[1:]]

    def run_on(self, command, *more):
        result = self.run_crinkle(command[0], *self.files(command), *more)
        self.assertEqual(result.returncode, done, result.stderr)
        return result.stdout.decode(), result.stderr.decode()

    def each(self):
        for command, x in COMMANDS:
            self.save("in.npy", x)
            (self.folder / "out.npy").unlink(missing_ok=True)
            with self.subTest(command):
                yield command, x

    def test_dry_runs_say_what_would_be_written(self):
        for command, x in self.each():
            told, _ = self.run_on(command, "--dry-run")
            self.assertRegex(told, r"^in.npy \[.*\] \w+ -> out.npy \[.*\] \w+\n$")
            self.assertFalse((self.folder / "out.npy").exists())
            self.run_on(command)
            self.assertIn(f"-> out.npy [{']['.join(map(str, self.load('out.npy').shape))}]", told)
            self.refused(wrong, command[0], *self.files(command), "--dry-run", says=["out.npy", "--force"], lines=1)

    def test_plans_are_explained(self):
        for command, _ in self.each():
            told, said = self.run_on(command, "--explain", "--memory", "2KiB")
            self.assertEqual(told, "")
            self.assertIn("on the CPU", said)
            self.assertRegex(said, "parts of at most 2.00 KiB|cannot be cut")

    def test_json_says_what_was_done(self):
        for command, x in self.each():
            verify = ["--verify"] * (command[0] in VERIFIED)
            told, _ = self.run_on(command, "--json", *verify, "--device", "cpu")
            facts = json.loads(told)
            out = self.load("out.npy")
            self.assertEqual(facts["inputs"][0]["shape"], list(x.shape))
            self.assertEqual((facts["outputs"][0]["shape"], facts["outputs"][0]["type"]), (list(out.shape), out.dtype.name))
            self.assertEqual(facts["bytes"], x.nbytes + out.nbytes)
            self.assertGreaterEqual(facts["seconds"], 0)
            self.assertEqual((facts["device"], facts.get("verified", False)), ("cpu", bool(verify)))

    def test_parts_have_the_bits_of_the_whole(self):
        for command, _ in self.each():
            self.run_on(command)
            whole = self.load("out.npy")
            for memory in ("900", "3KiB", "20KiB", "1GiB"):
                self.run_on(command, "--memory", memory, "--force")
                self.assertEqual(self.load("out.npy").tobytes(), whole.tobytes(), memory)

    def test_memory_that_does_not_suffice_is_told(self):
        for command, _ in self.each():
            _, said = self.run_on(command, "--memory", "64")
            self.assertIn("--memory 64: the smallest parts", said)

    def test_what_is_wrong(self):
        for command, _ in self.each():
            for more, says in ((["--memory", "0"], "1 or more bytes"), (["--memory", "some"], "--memory"), (["--memory", "-5"], "--memory"),
                               (["--device", "tpu"], "auto, cpu, cuda"), (["--threads", "-1"], "-1"), (["--dry-run", "yes"], "yes")):
                self.refused(wrong, command[0], *self.files(command), *more, says=[says])
            self.refused(wrong, command[0], *["-" if word == "out.npy" else word for word in self.files(command)], "--json", says=["--json"], lines=1)
            self.assertFalse((self.folder / "out.npy").exists())


if __name__ == "__main__":
    unittest.main()
