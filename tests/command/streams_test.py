# Standard input and output: what is read and no more, results written as they are made, pipes that close, and the memory all of it takes.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import os
import signal
import subprocess

import numpy as np

from harness import CommandTest, element_bytes, filled, rest, slab
from oracle import pad

raw = ["--shape", "64,48,20", "--dtype", "u2"]


class Streams(CommandTest):
    def requests(self, array):
        """Options, and the result."""
        self.save("indices.npy", np.arange(0, 64, 3)[::-1].copy())
        self.save("many.npy", np.arange(128) % 64)
        yield [], array.transpose(2, 0, 1)
        yield ["--flip", "y", "--roll", "x=7", "--roll", "z=-3"], np.roll(array[:, ::-1], (7, -3), (2, 0)).transpose(2, 0, 1)
        yield ["--pad", "z=2:1:constant:7", "--pad", "x=1:1:reflect"], np.pad(np.pad(array, ((2, 1), (0, 0), (0, 0)), constant_values=7),
                                                                               ((0, 0), (0, 0), (1, 1)), "reflect").transpose(2, 0, 1)
        yield ["--take", "z=indices.npy"], array[np.arange(0, 64, 3)[::-1]].transpose(2, 0, 1)
        yield ["--slice", "y=5:2"], array[:, 5:2].transpose(2, 0, 1)
        yield ["--byte-order", "big"], array.transpose(2, 0, 1).byteswap()
        yield ["--take", "z=many.npy", "--bit-reverse", "z"], array[[int(f"{i:07b}"[::-1], 2) % 64 for i in range(128)]].transpose(2, 0, 1)

    def test_a_pipe_equals_numpy_with_any_slabs(self):
        array = filled((64, 48, 20), "<u2", self.random)
        (self.folder / "in.raw").write_bytes(array.tobytes())
        for options, want in self.requests(array):
            for limit in ["", 100, 3000, 50000]:
                for source in ["-", "in.raw"]:
                    for verify in [[], ["--verify"]]:
                        with self.subTest(options=options, slabs=limit, source=source, verify=verify):
                            result = self.run_crinkle("move", "z y x -> x z y", source, "-", *raw, *options, *verify, stdin=array.tobytes() if source == "-" else b"",
                                                      env={**os.environ, "CRINKLE_FORCE": f"slab_bytes={limit}"} if limit else None)
                            self.assertEqual((result.returncode, b"has no elements" in result.stderr, len(result.stderr.splitlines())), (0, want.size == 0, want.size == 0))
                            self.assertTrue(result.stdout == np.ascontiguousarray(want).tobytes())

    def test_a_pipe_is_read_to_one_byte_behind_the_data(self):
        end, begin = os.pipe()
        os.write(begin, bytes(range(100)))
        os.close(begin)
        with open(end, "rb", buffering=0) as pipe:
            result = subprocess.run([harness.program, "move", "y x -> x y", "-", "-", "--shape", "[2][3][u1]", "--offset", "4"], stdin=pipe, capture_output=True)
            self.assertEqual((result.returncode, result.stdout), (0, bytes([4, 7, 5, 8, 6, 9])))
            self.assertEqual(pipe.read(), bytes(range(11, 100)))

    def test_a_file_holds_one_array_after_the_other(self):
        (self.folder / "two.raw").write_bytes(bytes(range(12)))
        with open(self.path("two.raw"), "rb", buffering=0) as both:
            for want in [bytes([0, 3, 1, 4, 2, 5]), bytes([6, 9, 7, 10, 8, 11])]:
                result = subprocess.run([harness.program, "move", "y x -> x y", "-", "-", "--shape", "[2][3][u1]"], stdin=both, capture_output=True)
                self.assertEqual((result.returncode, result.stdout), (0, want))
        with open(self.path("two.raw"), "rb") as file:
            result = subprocess.run([harness.program, "move", "x -> x", "-", "two.raw", "--force", "--shape", "12,u1"], cwd=self.folder, stdin=file, capture_output=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"is the input itself", result.stderr)

    def test_standard_output_is_not_the_input(self):
        data = bytes(range(100)) * 100
        (self.folder / "in.raw").write_bytes(data)
        for source in ["-", "in.raw"]:
            for options in [[], ["--verify"], ["--dry-run"]]:
                with open(self.path("in.raw"), "r+b") as file, open(self.path("in.raw"), "rb") as stdin:
                    result = subprocess.run([harness.program, "move", "y x -> x y", source, "-", "--shape", "100,100,u1", *options], cwd=self.folder, stdin=stdin,
                                            stdout=file, stderr=subprocess.PIPE)
                self.assertEqual(result.returncode, 2)
                self.assertEqual(result.stderr, b"crinkle: exists: standard output: is the input itself; write to another name\n")
                self.assertEqual((self.folder / "in.raw").read_bytes(), data)

    def test_too_little_on_standard_input(self):
        before = self.listing()
        for n in [0, 5]:
            self.refused(1, "move", "x -> x", "-", "-", "--shape", "6,u1", stdin=bytes(n), says=["standard input", "needs 6 bytes", f"there are {n}"], lines=1)
        self.refused(1, "move", "x -> x", "-", "new.npy", "--shape", f"{2**61},u1", stdin=b"abc", says=["standard input", "there are 3"], lines=1)
        self.assertEqual(self.listing(), before)

    def test_what_has_no_end_and_no_format_is_not_read_on(self):
        for words in [["info", "/dev/zero"], ["move", "... -> ...", "/dev/zero", "new.npy"]]:
            self.assertLess(self.peak(*words, status=2), rest)
        self.crinkle("move", "x -> x", "/dev/zero", "new.npy", "--shape", "5,u2")
        self.assert_same(self.load("new.npy"), np.zeros(5, "u2"))

    def closed(self, *options, **keywords):
        """A move into a pipe that nobody reads."""
        end, begin = os.pipe()
        os.close(end)
        with open(begin, "wb") as pipe:
            return subprocess.run([harness.program, "move", "y x -> x y", "in.npy", "-", *options], cwd=self.folder, stdout=pipe, stderr=subprocess.PIPE, **keywords)

    def test_a_pipe_that_closes_ends_the_move(self):
        self.save("in.npy", np.zeros((500, 500)))
        for options in [[], ["--verify"]]:
            silent = self.closed(*options)
            self.assertEqual((silent.returncode, silent.stderr), (-signal.SIGPIPE, b""))
            told = self.closed(*options, restore_signals=False, preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN))
            self.assertEqual((told.returncode, told.stderr), (1, b"crinkle: bad_file: standard output: writing: Broken pipe\n"))


class Memory(CommandTest):
    def setUp(self):
        super().setUp()
        self.array = np.arange(16 << 20, dtype="<u4").reshape(4096, 4096)  # 64 MiB
        self.n = self.array.nbytes

    def test_a_pipe_takes_the_input_and_a_slab(self):
        for options, want in [([], self.array.T), (["--roll", "x=5", "--pad", "y=3:0:edge"], pad(np.roll(element_bytes(self.array), 5, 1), 0, 3, 0, "edge").transpose(1, 0, 2))]:
            peak = self.peak("move", "y x -> x y", "-", "-", "--shape", "[4096][4096][u4]", *options, stdin=self.array.tobytes())
            self.assertLess(peak, self.n + slab + rest, options)
            self.assertTrue((self.folder / "stdout").read_bytes() == np.ascontiguousarray(want).tobytes())

    def test_a_picture_is_verified_in_the_memory_of_a_move(self):
        self.save("in.npy", self.array.view(">u2"))
        self.assertLess(self.peak("move", "y x -> y x", "in.npy", "out.png", "--flip", "y", "--verify"), 2 * self.n + slab + rest)

    def test_every_move_takes_input_and_output_and_a_slab(self):
        self.save("in.npy", self.array)
        self.save("indices.npy", np.arange(4096)[::-1].copy())
        self.save("flat.npy", np.zeros_like(self.array))
        self.crinkle("move", "... -> ...", "flat.npy", "in.nii.gz")
        both = 2 * self.n + slab + rest
        for source, output, *options in [("in.npy", "out.npy"), ("in.npy", "out.npy", "--verify"), ("in.npy", "-", "--verify"), ("in.nii.gz", "out.nii.gz"),
                                         ("in.npy", "-", "--take", "y=indices.npy", "--shuffle"), ("in.npy", "out.raw", "--pad", "x=1:1:wrap", "--verify")]:
            with self.subTest(source=source, output=output, options=options):
                self.assertLess(self.peak("move", "y x -> x y", source, output, "--force", *options), both)


if __name__ == "__main__":
    harness.main()
