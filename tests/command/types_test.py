# Every type, rank and order that NumPy saves is turned and read back by NumPy; the type's text is kept; one option after another is held
# against what NumPy does: whole axes, ellipses, sizes, tails, empty arrays.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import ast

import numpy as np

from harness import CommandTest, element_bytes, filled
from oracle import dilate, pad

nested = np.dtype([("x", "<f4"), (("a title", "y"), ">i2", (3,)), ("n", [("s", "S3"), ("u", "<U2")], (2,))])
aligned = np.dtype([("a", "i1"), ("b", "<f8"), ("c", ">u2")], align=True)
gaps = np.dtype({"names": ["p", "q"], "formats": ["<i4", ">f8"], "offsets": [3, 16], "itemsize": 30})
dtypes = ["?", "i1", "u1", "<i2", ">i2", "<u2", "<i4", ">u4", "<i8", ">u8", "<f2", ">f2", "<f4", ">f4", "<f8", ">f8", "<f16", "<c8", ">c8",
          "<c16", ">c16", "<c32", "S1", "S7", "<U1", "<U5", ">U3", "<M8[ns]", ">M8[D]", "<m8[25s]", "V1", "V6", "V16", nested, aligned, gaps]


def descr_of(path):
    """The header's descr, as NumPy wrote it."""
    with open(path, "rb") as file:
        raw = file.read(10000)
    n, start = (int.from_bytes(raw[8:10], "little"), 10) if raw[6] == 1 else (int.from_bytes(raw[8:12], "little"), 12)
    return ast.literal_eval(raw[start:start + n].decode("utf-8" if raw[6] == 3 else "latin1"))["descr"]


class Types(CommandTest):
    def moved(self, array, *arguments):
        self.save("in.npy", array)
        self.crinkle("move", arguments[0], "in.npy", "out.npy", "--force", *arguments[1:])
        return self.load("out.npy")

    def test_every_type_is_turned_and_keeps_its_text(self):
        for dtype in map(np.dtype, dtypes):
            with self.subTest(dtype=str(dtype)):
                array = filled((3, 4, 5), dtype, self.random)
                got = self.moved(array, "z y x -> x z y", "--flip", "z", "--roll", "x=-7", "--verify")
                self.assertEqual(descr_of(self.path("out.npy")), descr_of(self.path("in.npy")))
                want = np.roll(np.flip(element_bytes(array), 0), -7, 2).transpose(2, 0, 1, 3)
                self.assert_same(element_bytes(got), want)

    def test_every_rank_in_both_orders(self):
        for rank in range(11):
            extents = [[2, 3, 1][k % 3] for k in range(rank)]
            names = [f"n{k}" for k in range(rank)]
            array = filled(extents, ">f4", self.random)
            for order in "CF":
                with self.subTest(rank=rank, order=order):
                    got = self.moved(np.array(array, order=order), " ".join(names) + " -> " + " ".join(reversed(names)))
                    self.assert_same(got, array.transpose())

    def test_versions_2_and_3_of_npy(self):
        for version in [(1, 0), (2, 0), (3, 0)]:
            array = filled((4, 3), [("é" if version[0] == 3 else "e", "<f4")], self.random)
            with open(self.path("in.npy"), "wb") as file:
                np.lib.format.write_array(file, array, version=version)
            self.crinkle("move", "y x -> x y", "in.npy", "out.npy", "--force")
            self.assert_same(element_bytes(self.load("out.npy")), element_bytes(array).transpose(1, 0, 2))
            self.assertEqual(self.load("out.npy").dtype, array.dtype)

    def test_plain_copy_turns_fortran_order_into_c_order(self):
        array = filled((3, 4, 5), "<i4", self.random)
        got = self.moved(np.asfortranarray(array), "... -> ...")
        self.assertTrue(got.flags.c_contiguous)
        self.assert_same(got, array)

    def test_rank_0_and_the_bare_arrow(self):
        array = np.array(3.5)
        for spec in ["->", " -> ", "() -> ()", "... -> ..."]:
            if spec != "() -> ()":
                self.assert_same(self.moved(array, spec), array, spec)
        self.assert_same(self.moved(array, "-> 1 1"), array.reshape(1, 1))
        self.assert_same(self.moved(array, "-> a", "--size", "a=3"), np.repeat(array, 3))

    def test_empty_arrays(self):
        for shape, spec, options, want in [((0,), "x -> x", [], (0,)), ((3, 0, 2), "z y x -> x y z", ["--flip", "y", "--roll", "y=3"], (2, 0, 3)),
                                           ((0, 4), "y x -> (y x)", [], (0,)), ((4, 6), "y x -> x y", ["--slice", "x=5:2"], (0, 4)),
                                           ((0, 2), "y x -> y x", ["--dilate", "y=3"], (0, 2)), ((2, 3), "y x -> w y x", ["--size", "w=0"], (0, 2, 3))]:
            got = self.moved(np.zeros(shape, "<f4"), spec, *options, "--verify")
            self.assertEqual(got.shape, want, spec)
        self.assert_same(self.moved(np.zeros((0, 2), "<i2"), "y x -> y x", "--pad", "y=1:2:constant:-5"), np.full((3, 2), -5, "<i2"))

    def test_whole_axes_are_verbs_before_the_split(self):
        array = filled((6, 12), "<u2", self.random)
        got = self.moved(array, "(y 2) (3 x) -> x 2 y 3", "--roll", "x=1", "--roll", "@0=1", "--flip", "@-1")
        whole = np.flip(np.roll(array, 1, 0), 1).reshape(3, 2, 3, 4)
        self.assert_same(got, np.roll(whole, 1, 3).transpose(3, 1, 0, 2))
        self.assert_same(self.moved(array, "y x -> x y", "--roll", "@1=-2", "--slice", "@-2=::2"), np.roll(array, -2, 1)[::2].T)

    def test_ellipsis_and_sizes(self):
        array = filled((2, 3, 4, 5), "<u4", self.random)
        self.assert_same(self.moved(array, "a ... b -> b ... a"), array.transpose(3, 1, 2, 0))
        self.assert_same(self.moved(array, "... -> ... 1"), array.reshape(2, 3, 4, 5, 1))
        self.assert_same(self.moved(array, "a b (c d) ... -> ... d (a b c)", "--size", "d=2"),
                         array.reshape(2, 3, 2, 2, 5).transpose(4, 3, 0, 1, 2).reshape(5, 2, 12))
        self.assert_same(self.moved(array, "a b c d -> a w b c d", "--size", "w=3"), np.repeat(array[:, None], 3, 1))
        self.assert_same(self.moved(array, "a b c d -> (a b) (c d)", "--size", "a=2"), array.reshape(6, 20))

    def test_tails(self):
        array = filled((2, 7), "<u2", self.random)
        self.assert_same(self.moved(array, "y (x 3) -> y 3 x", "--tail", "drop"), array[:, :6].reshape(2, 2, 3).transpose(0, 2, 1))
        padded = np.pad(array, ((0, 0), (0, 2)))
        self.assert_same(self.moved(array, "y (x 3) -> y 3 x", "--tail", "pad"), padded.reshape(2, 3, 3).transpose(0, 2, 1))
        ragged = np.concatenate([array[:, phase::3] for phase in range(3)], 1)
        self.assert_same(self.moved(array, "y (x 3) -> y (3 x)", "--tail", "ragged", "--verify"), ragged)
        self.save("crinkled.npy", ragged)
        self.crinkle("move", "y (3 x) -> y (x 3)", "crinkled.npy", "back.npy", "--tail", "ragged")
        self.assert_same(self.load("back.npy"), array)

    def test_verbs_act_in_the_order_written(self):
        array = filled((9, 4), "<f8", self.random)
        data = element_bytes(array)
        a = self.moved(array, "y x -> y x", "--pad", "y=2:1", "--roll", "y=1", "--slice", "y=1:", "--dilate", "y=2", "--flip", "y")
        self.assert_same(element_bytes(a), np.flip(dilate(np.roll(pad(data, 0, 2, 1), 1, 0)[1:], 0, 2), 0))
        b = self.moved(array, "y x -> y x", "--flip", "y", "--dilate", "y=2", "--slice", "y=1:", "--roll", "y=1", "--pad", "y=2:1")
        self.assert_same(element_bytes(b), pad(np.roll(dilate(np.flip(data, 0), 0, 2)[1:], 1, 0), 0, 2, 1))

    def test_take_counts_negative_indices_from_the_end(self):
        array = filled((5, 3), "<i4", self.random)
        self.save("indices.npy", np.array([-1, 0, -5, 4], "<i2"))
        self.assert_same(self.moved(array, "y x -> x y", "--take", "y=indices.npy"), array[[-1, 0, -5, 4]].T)

    def test_every_number_of_threads_gives_the_same_bytes(self):
        array = filled((64, 65, 66), "<f4", self.random)
        for n in [0, 1, 2, 7]:
            self.assert_same(self.moved(array, "z y x -> x z y", "--threads", n, "--device", "cpu"), array.transpose(2, 0, 1), n)


if __name__ == "__main__":
    harness.main()
