# What is done to the whole result, and to the bytes of its elements, against small oracles in NumPy; every shuffle also comes back.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import numpy as np

from harness import CommandTest, element_bytes, filled
from oracle import bit_planes, bits_reversed, morton_indices


class Orders(CommandTest):
    def moved(self, array, *options, spec="... -> ..."):
        self.save("in.npy", array)
        self.crinkle("move", spec, "in.npy", "out.npy", "--force", "--verify", *options)
        return self.load("out.npy")

    def test_byte_order_keeps_the_values_and_all_else_of_the_type(self):
        record = np.dtype([("x", "<f4"), ("y", ">i2", (3,)), ("n", [("s", "S3"), ("u", "<U2")], (2,)), ("b", "i1")])
        for dtype in ["<i2", ">i4", "<f8", ">c16", "<U3", "<M8[ns]", "S5", "i1", "?", "<f16", record]:
            array = filled((4, 3), dtype, self.random)
            for word in ["big", "little"]:
                got = self.moved(array, "--byte-order", word)
                self.assertEqual(got.dtype, array.dtype.newbyteorder({"big": ">", "little": "<"}[word]))
                for path in [["x"], ["y"], ["n", "u"], ["n", "s"], ["b"]] if array.dtype == record else [[]]:
                    a, b = array, got
                    for name in path:
                        a, b = a[name], b[name]
                    self.assert_same(b, a if a.dtype == b.dtype else a.byteswap(), (dtype, path, word))

    def test_byte_order_of_a_turned_array(self):
        array = filled((5, 6, 7), "<f4", self.random)
        got = self.moved(array, "--byte-order", "big", "--roll", "x=2", "--pad", "y=1:1:constant:1.5", spec="z y x -> x z y")
        want = np.pad(np.roll(array.view("<u4"), 2, 2), ((0, 0), (1, 1), (0, 0)), constant_values=np.array(1.5, "<f4").view("<u4"))
        self.assert_same(got, np.ascontiguousarray(want.transpose(2, 0, 1)).byteswap())

    def test_shuffle_and_back(self):
        for dtype in ["<f4", ">i2", "S7", "<c16", "u1"]:
            array = filled((6, 5), dtype, self.random)
            got = self.moved(array, "--shuffle", "--flip", "y", spec="y x -> x y")
            want = np.flip(element_bytes(array), 0).transpose(2, 1, 0)
            self.assert_same(got, want, dtype)
            self.assertEqual(got.dtype, np.dtype("u1"))
            self.save("shuffled.npy", np.moveaxis(element_bytes(array), -1, 0))
            self.crinkle("move", "y x -> x y", "shuffled.npy", "back.npy", "--unshuffle", dtype, "--force", "--verify")
            self.assert_same(self.load("back.npy"), array.T, dtype)
            self.assertEqual(self.load("back.npy").dtype, array.dtype)

    def test_bit_planes_and_back(self):
        for dtype, shape in [("<f4", (4, 6)), (">i2", (5, 5)), ("u1", (17,)), ("S3", (1,)), ("<u8", (3, 0))]:
            array = filled(shape, dtype, self.random)
            got = self.moved(array, "--bit-planes")
            self.assert_same(got, bit_planes(array), dtype)
            self.crinkle("move", "x -> x", "out.npy", "back.npy", "--from-bit-planes", dtype, "--count", array.size, "--force", "--verify")
            self.assert_same(self.load("back.npy"), array.ravel(), dtype)
            self.assertEqual(self.load("back.npy").dtype, array.dtype)

    def test_bit_planes_of_a_turned_array(self):
        array = filled((4, 6), "<i4", self.random)
        self.assert_same(self.moved(array, "--bit-planes", "--roll", "x=2", spec="y x -> x y"), bit_planes(np.ascontiguousarray(np.roll(array, 2, 1).T)))

    def test_morton(self):
        for shape in [(8,), (8, 8), (4, 16), (2, 4, 8), (1, 4), (2, 2, 2, 2)]:
            array = filled(shape, "<u2", self.random)
            want = np.empty(array.size, array.dtype)
            want[morton_indices(shape).ravel()] = array.ravel()
            self.assert_same(self.moved(array, "--morton"), want, shape)

    def test_checkerboard(self):
        for shape in [(7,), (4, 5), (3, 3), (2, 6, 1), (5, 3, 3), (2, 3, 2, 3)]:
            array = filled(shape, "<f4", self.random)
            colour = np.indices(shape).sum(0).ravel() % 2
            flat = array.ravel()
            self.assert_same(self.moved(array, "--checkerboard"), np.concatenate([flat[colour == 0], flat[colour == 1]]), shape)

    def test_bit_reverse(self):
        array = filled((16, 5, 8), "<f8", self.random)
        got = self.moved(array, "--roll", "x=1", "--bit-reverse", "z", "--bit-reverse", "x", spec="z y x -> y x z")
        self.assert_same(got, np.roll(array, 1, 2)[bits_reversed(16)][:, :, bits_reversed(8)].transpose(1, 2, 0))

    def test_bit_reverse_among_other_verbs_of_its_axis(self):
        array = filled((3, 32), "<u4", self.random)
        back = bits_reversed(16)
        got = self.moved(array, "--bit-reverse", "x", "--roll", "x=3", "--bit-reverse", "x", "--flip", "x", spec="y (2 x) -> x 2 y")
        want = np.roll(array.reshape(3, 2, 16)[:, :, back], 3, 2)[:, :, back][:, :, ::-1]
        self.assert_same(got, want.transpose(2, 1, 0))
        got = self.moved(array, "--pad", "@1=0:32", "--bit-reverse", "@1", "--slice", "@1=:5", spec="y x -> x y")
        self.assert_same(got, np.pad(array, ((0, 0), (0, 32)))[:, bits_reversed(64)][:, :5].T)

    def test_a_roll_behind_the_bit_reversal_of_an_index_array(self):
        array = filled((8, 16), "<f8", self.random)
        self.save("indices.npy", np.arange(128) * 7 % 16)
        got = self.moved(array, "--take", "x=indices.npy", "--bit-reverse", "x", "--roll", "x=3", spec="y x -> x y")
        self.assert_same(got, np.roll(array[:, np.arange(128) * 7 % 16][:, bits_reversed(128)], 3, 1).T)

    def test_crinkle_and_uncrinkle(self):
        array = filled((6, 8), "<u2", self.random)
        self.assert_same(self.moved(array, spec="y (x 2) -> 2 y x"), np.stack([array[:, 0::2], array[:, 1::2]]))
        both = self.moved(array, spec="(y 3) (x 4) -> 4 3 y x")
        self.assert_same(both, array.reshape(2, 3, 2, 4).transpose(3, 1, 0, 2))
        self.save("crinkled.npy", both)
        self.crinkle("move", "4 3 y x -> (y 3) (x 4)", "crinkled.npy", "back.npy")
        self.assert_same(self.load("back.npy"), array)


if __name__ == "__main__":
    harness.main()
