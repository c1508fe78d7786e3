# Files of elements of 1, 2 and 4 bits, moved as the same move of NumPy's does, and what cannot be done with them.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json

import numpy as np

from harness import CommandTest


def packed(elements, bits):
    """One bit after the other, the lowest first."""
    planes = (elements.reshape(-1, 1) >> np.arange(bits)) & 1
    return np.packbits(planes.astype("u1").reshape(-1), bitorder="little").tobytes()


class Packed(CommandTest):
    def moved(self, *words):
        self.crinkle("move", words[0], "in.raw", "out.raw", "--force", *words[1:])
        return (self.folder / "out.raw").read_bytes()

    def test_elements_of_any_bits_move(self):
        for bits in (1, 2, 4):
            for shape in ((8, 6, 10), (5, 7, 9), (3, 1, 1)):
                a = self.random.integers(0, 2**bits, shape, dtype="u1")
                (self.folder / "in.raw").write_bytes(packed(a, bits))
                told = ["--shape", "".join(f"[{n}]" for n in shape) + f"[{bits} bits]", "--verify"]
                self.assertEqual(self.moved("z y x -> x z y", *told), packed(a.transpose(2, 0, 1), bits))
                self.assertEqual(self.moved("z y x -> z y x", *told, "--flip", "x", "--roll", "z=1"), packed(np.roll(a[:, :, ::-1], 1, 0), bits))
                self.assertEqual(self.moved("z y x -> z y x", *told, "--pad", "x=1:2:constant:1"), packed(np.pad(a, ((0, 0), (0, 0), (1, 2)), constant_values=1), bits))

    def test_a_product_of_shapes_a_header_and_standard_output(self):
        a = self.random.integers(0, 16, (30, 20), dtype="u1")
        (self.folder / "in.raw").write_bytes(b"head" + packed(a, 4))
        words = ["--shape", "[30, 20] · [4 bits]", "--offset", "4"]
        self.assertEqual(self.moved("y x -> x y", *words), packed(a.T, 4))
        self.assertEqual(self.crinkle("move", "y x -> x y", "in.raw", "-", *words, "--verify"), packed(a.T, 4))
        said = json.loads(self.crinkle("move", "y x -> x y", "in.raw", "out.raw", "--force", *words, "--json"))
        self.assertEqual((said["inputs"][0]["shape"], said["outputs"][0]["shape"]), ([300], [300]))
        self.assertIn("[20][30][4]", self.crinkle("move", "y x -> x y", "in.raw", "other.raw", *words, "--dry-run").decode())
        self.assertFalse((self.folder / "other.raw").exists())

    def test_slabs_of_any_size_give_the_same(self):
        a = self.random.integers(0, 4, (40, 30, 20), dtype="u1")
        (self.folder / "in.raw").write_bytes(packed(a, 2))
        for memory in ("1KiB", "64KiB", "1GiB"):
            self.assertEqual(self.moved("z y x -> x y z", "--shape", "[40][30][20][2 bits]", "--memory", memory, "--threads", "3"), packed(a.transpose(2, 1, 0), 2))

    def test_what_cannot_be_done_is_refused(self):
        (self.folder / "in.raw").write_bytes(bytes(range(60)))
        shape = ["--shape", "[10][12][4 bits]"]
        for words, says in [(["--shape", "[10][13][4 bits]"], "in.raw"), (["--shape", "[10][12][3 bits]"], "whole bytes"), (["--shape", "[10][12][4]"], "whole bytes"),
                            (shape + ["--dtype", "u1"], "--dtype u1 is not for elements of less than a byte"), (shape + ["--bit-planes"], "--bit-planes is not for"),
                            (shape + ["--byte-order", "big"], "an order of bytes is not for"), (shape + ["--device", "cuda"], "--device cuda: elements of less than a byte are moved on a CPU"),
                            (shape + ["--report"], "--report"), (shape + ["--pad", "x=1:1:constant:16"], "which 4 bits do not hold: they reach to 15"),
                            (shape + ["--put", "1:2"], "--put"), (["--shape", "[10] · 12"], "expected the next factor")]:
            with self.subTest(words=words):
                self.refused(1 if says == "in.raw" else 2, "move", "y x -> x y", "in.raw", "out.raw", *words, says=says)
        self.refused(2, "move", "y x -> x y", "in.raw", "out.npy", *shape, says="the format of out.npy is not for elements of less than a byte: name a raw file", lines=1)
        self.refused(2, "explain", "y x -> x y", *shape, says="whole bytes")
        self.assertEqual(list(self.listing()), ["in.raw"])


if __name__ == "__main__":
    harness.main()
