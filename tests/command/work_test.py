"""What every command that computes can do alike: --explain, --dry-run, --json, --memory, --verify.

SPDX-License-Identifier: BSD-3-Clause
"""
import harness  # first: it looks for a Python that has NumPy

import json
import unittest

import numpy as np

from harness import CommandTest, done, wrong

rng = np.random.default_rng(54)

# (the command, its input)
COMMANDS = [
    (["fft", "in.npy", "out.npy", "--axes", "x"], rng.normal(size=(40, 30)).astype("c8")),
    (["fft", "in.npy", "out.npy", "--real"], rng.normal(size=(12, 10, 14)).astype("f4")),
    (["fft", "in.npy", "out.npy", "--cosine", "--axes", "y"], rng.normal(size=(40, 30))),
    (["stencil", "gaussian:1.5", "in.npy", "out.npy"], rng.normal(size=(40, 30)).astype("f4")),
    (["stencil", "laplacian", "in.npy", "out.npy", "--boundary", "periodic", "--steps", "3"], rng.normal(size=(9, 20, 12))),
    (["resample", "in.npy", "out.npy", "--zoom", "1.5", "--by", "cubic"], rng.normal(size=(40, 30)).astype("f4")),
    (["resample", "in.npy", "out.npy", "--rotate", "30", "--by", "spline"], rng.normal(size=(20, 30))),
    (["pairs", "distance", "in.npy", "out.npy"], rng.normal(size=(60, 3)).astype("f4")),
    (["pairs", "distance", "in.npy", "out.npy", "--output", "square", "--metric", "cosine"], rng.normal(size=(40, 5))),
    (["pairs", "distance", "in.npy", "out.npy", "--output", "rfp"], rng.normal(size=(40, 2))),
    (["triangle", "--from", "full", "--to", "packed upper", "in.npy", "out.npy"], rng.normal(size=(30, 30))),
    (["triangle", "--from", "condensed", "--to", "symmetric", "in.npy", "out.npy"], rng.normal(size=780).astype("f4")),
    (["triangle", "--from", "packed", "--to", "full upper", "in.npy", "out.npy"], rng.normal(size=820).astype("f4")),
]


class WorkTest(CommandTest):
    def run_on(self, command, *more):
        result = self.run_crinkle(*command, *more)
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
            self.refused(wrong, *command, "--dry-run", says=["out.npy", "--force"], lines=1)

    def test_plans_are_explained(self):
        for command, _ in self.each():
            told, said = self.run_on(command, "--explain", "--memory", "2KiB")
            self.assertEqual(told, "")
            self.assertIn("on the CPU", said)
            self.assertRegex(said, "parts of at most 2.00 KiB|cannot be cut")

    def test_json_says_what_was_done(self):
        for command, x in self.each():
            told, _ = self.run_on(command, "--json", "--verify", "--device", "cpu")
            facts = json.loads(told)
            out = self.load("out.npy")
            shapes = [list(x.shape), list(out.shape)] if command[0] != "triangle" else [[x.size], [out.size]]  # elements without a type
            self.assertEqual([facts[way][0]["shape"] for way in ("inputs", "outputs")], shapes)
            self.assertEqual(facts["outputs"][0]["type"], out.dtype.name if command[0] != "triangle" else f"{out.itemsize} bytes")
            self.assertEqual(facts["bytes"], x.nbytes + out.nbytes)
            self.assertGreaterEqual(facts["seconds"], 0)
            self.assertEqual((facts["device"], facts["verified"]), ("cpu", True))

    def test_parts_have_the_bits_of_the_whole(self):
        for command, _ in self.each():
            self.run_on(command)
            whole = self.load("out.npy")
            for memory in ("900", "3KiB", "20KiB", "1GiB"):
                self.run_on(command, "--memory", memory, "--force")
                self.assertEqual(self.load("out.npy").tobytes(), whole.tobytes(), memory)

    def test_raw_inputs_are_the_same_arrays(self):
        for command in (["stencil", "laplacian"], ["fft", "--real"], ["fft", "--cosine"], ["resample", "--zoom", "2", "--by", "spline"], ["pairs", "distance"]):
            x = rng.normal(size=(20, 30)).astype("f4")
            self.save("in.npy", x)
            (self.folder / "in.raw").write_bytes(bytes(12) + x.tobytes())
            (self.folder / "plain.raw").write_bytes(x.tobytes())
            words = [command[0], *([command[1]] if command[0] in ("stencil", "pairs") else [])]
            more = command[len(words):]
            self.run_on([*words, "in.npy", "want.npy", *more], "--force")
            for file, raw in (("in.raw", ["--shape", "[20][30][float32]", "--offset", "12"]), ("in.raw", ["--shape", "20,30", "--dtype", "float32", "--offset", "12"]),
                              ("plain.raw", ["--shape=-1,30", "--dtype", "f4"])):
                with self.subTest(command, raw=raw):
                    self.run_on([*words, file, "out.npy", *more], "--force", *raw)
                    self.assert_same(self.load("out.npy"), self.load("want.npy"))
            out = self.run_crinkle(*words, "-", "-", *more, stdin=(self.folder / "in.npy").read_bytes())
            self.assertEqual(out.stdout, self.load("want.npy").tobytes(), out.stderr)
            for file, raw, says in (("in.raw", ["--shape", "20,30"], "--dtype"), ("in.npy", ["--offset", "12"], "need --shape"), ("in.npy", ["--shape", "20,30,f4"], "says itself"),
                                    ("in.raw", ["--shape", "20,30,f4", "--offset", "-1"], "--offset -1"), ("in.raw", ["--shape", "20,-1,-1", "--dtype", "f4"], "one extent")):
                self.refused(wrong, *words, file, "new.npy", *more, *raw, says=[says])
            self.refused(1, *words, "plain.raw", "new.npy", *more, "--shape", "20,31,f4", says=["plain.raw"])

    def test_nodata_that_changes_nothing_is_told(self):
        self.save("in.npy", rng.normal(size=(6, 7)))
        self.save("places.npy", np.full((2, 3, 3), np.nan))
        said = self.run_on(["resample", "in.npy", "out.npy", "--zoom", "2", "--nodata", "-9"])[1]
        self.assertEqual((said.count("\n"), said.count("--nodata changes nothing")), (1, 1), said)
        said = self.run_on(["resample", "in.npy", "out.npy", "--coordinates", "places.npy", "--nodata", "-9", "--force"])[1]
        self.assertEqual(said, "")
        self.assert_same(self.load("out.npy"), np.full((3, 3), -9.0))

    def test_memory_that_does_not_suffice_is_told(self):
        for command, _ in self.each():
            _, said = self.run_on(command, "--memory", "64")
            self.assertIn("--memory 64: the smallest parts", said)

    def test_padded_shifted_inverses_are_verified(self):
        for shape, size in (((7, 17), 17), ((4, 5), 6), ((4, 3, 5), 7), ((5, 5), 5)):
            x = rng.normal(size=shape) + 1j * rng.normal(size=shape)
            self.save("in.npy", x)
            for real, inverse in (([], np.fft.ifftn), (["--real"], np.fft.irfftn)):
                self.run_on(["fft", "in.npy", "out.npy", "--inverse", "--shift", "--size", f"0={size}", "--force", "--verify", *real])
                axes = list(range(x.ndim))
                sizes = [size, *shape[1:-1], 2 * (shape[-1] - 1) if real else shape[-1]]
                np.testing.assert_allclose(self.load("out.npy"), inverse(np.fft.ifftshift(x, axes[:-1] if real else axes), sizes, axes), atol=1e-13)

    def test_memory_beside_the_parts_is_told(self):
        self.save("real.npy", rng.normal(size=(64, 48)))
        self.save("complex.npy", rng.normal(size=(64, 48)) + 1j)
        for file, more, says in (("complex.npy", [], []), ("real.npy", ["--real"], []), ("real.npy", [], ["real.npy takes 48.0 KiB as complex128; --real"]),
                                 ("complex.npy", ["--inverse", "--real"], ["48.0 KiB lie between the stages of this transform"])):
            self.run_on(["fft", file, "whole.npy", *more], "--force")
            _, said = self.run_on(["fft", file, "out.npy", *more], "--force", "--memory", "8KiB")
            self.assertEqual(said.count("beside its parts"), len(says), said)
            for words in says:
                self.assertIn(words, said)
            self.assert_same(self.load("out.npy"), self.load("whole.npy"))
        self.save("in.npy", np.abs(rng.normal(size=(50, 4))))
        _, said = self.run_on(["pairs", "collide", "in.npy"], "--memory", "64")
        self.assertEqual(said.count("--memory 64: the smallest parts of this collision search take"), 1, said)

    def test_what_is_wrong(self):
        for command, _ in self.each():
            for more, says in ((["--memory", "0"], "1 or more bytes"), (["--memory", "some"], "--memory"), (["--memory", "-5"], "--memory"),
                               (["--device", "tpu"], "auto, cpu, cuda"), (["--threads", "-1"], "-1"), (["--dry-run", "yes"], "yes")):
                self.refused(wrong, *command, *more, says=[says])
            self.refused(wrong, *["-" if word == "out.npy" else word for word in command], "--json", says=["--json"], lines=1)
            self.assertFalse((self.folder / "out.npy").exists())

    def test_what_is_counted_or_printed_goes_the_same_way(self):
        spheres = np.abs(rng.normal(size=(50, 4))) * [1, 1, 1, 0.3]
        self.save("in.npy", spheres)
        n = int(self.run_on(["pairs", "collide", "in.npy"])[0])
        told, said = self.run_on(["pairs", "collide", "in.npy", "out.npy"], "--json", "--verify", "--explain", "--memory", "64")
        facts = json.loads(told)
        self.assertEqual((facts["collisions"], facts["outputs"][0]["shape"], facts["verified"]), (n, [n, 2], True))
        self.assertEqual(self.load("out.npy").shape, (n, 2))
        self.assertIn("cannot be cut", said)
        self.assertIn("--memory 64: the smallest parts of this collision search take", said)
        self.refused(wrong, "pairs", "collide", "in.npy", "out.npy", "--dry-run", says=["out.npy", "--force"], lines=1)
        for words, wanted in ((["collide", "in.npy", "new.npy"], "in.npy [50][4] float64 -> new.npy [collisions][2] int64\n"),
                              (["collide", "in.npy"], "in.npy [50][4] float64 -> the number of collisions\n"),
                              (["triplet", "three.npy"], "three.npy [50][3] float64 -> the energy of all triplets\n")):
            self.save("three.npy", spheres[:, :3])
            self.assertEqual(self.run_on(["pairs", *words], "--dry-run")[0], wanted)
        facts = json.loads(self.run_on(["pairs", "triplet", "three.npy"], "--json", "--memory", "1GiB")[0])
        self.assertEqual(facts["energy"], float(self.run_on(["pairs", "triplet", "three.npy"])[0]))
        self.assertTrue(json.loads(self.run_on(["pairs", "triplet", "three.npy"], "--json", "--verify")[0])["verified"])
        self.refused(wrong, "pairs", "collide", "spheres.npy", "--verify", says=["--verify compares what is written to a file"], lines=1)


if __name__ == "__main__":
    unittest.main()
