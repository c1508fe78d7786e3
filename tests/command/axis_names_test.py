# The names that files have for their axes: specifications that contradict them, options that take them, and volumes that are joined and
# taken apart along a new slowest axis.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import resource
import unittest

import numpy as np

from harness import CommandTest, filled, wrong

try:
    import nibabel
except ImportError:
    nibabel = None


@unittest.skipIf(nibabel is None, "nibabel is not installed")
class Names(CommandTest):
    def setUp(self):
        super().setUp()
        self.volume = np.arange(3 * 4 * 5, dtype=np.int16).reshape(3, 4, 5)  # [x][y][z], as nibabel has it
        self.write("in.nii", self.volume)

    def write(self, name, array):
        nibabel.save(nibabel.Nifti1Image(array, np.diag([2, 3, 4, 1.0])), self.path(name))

    def read(self, name):
        return np.asarray(nibabel.load(self.path(name)).dataobj)

    def test_names_that_contradict_a_volume_are_refused(self):
        self.refused(wrong, "move", "x y z -> x y", "in.nii", "out.npy", "--at", "z=1",
                     says=["has the axes x y z", "in.nii are z y x, slowest first", "write 'z y x -> y x' --at z=1", "by place: 'a b c -> a b' --at c=1"])
        self.refused(wrong, "move", "x y z -> x y z", "in.nii", "out.nii", "--flip", "x", "--roll", "y=2", says=["'z y x -> z y x' --flip x --roll y=2", "'a b c -> a b c' --flip a --roll b=2"])
        self.refused(wrong, "move", "y z x -> x z y", "in.nii", "out.npy", says=["write 'z y x -> x z y'", "'a b c -> c b a'"])
        self.refused(wrong, "move", "... x y -> x y ...", "in.nii", "out.npy", says="has the axes x y")
        self.refused(wrong, "move", "x y (z 2) -> x y z 2", "in.nii", "out.npy", "--tail", "drop", says="'a b (c 2) -> a b c 2'")
        self.save("whole.npy", np.zeros((5, 4, 3), np.int16))
        self.refused(wrong, "move", "x y z -> x y z", "in.nii", "whole.npy", "--put", "...", says="slowest first")

    def test_the_lines_that_are_named_do_what_they_say(self):
        self.crinkle("move", "z y x -> y x", "in.nii", "out.npy", "--at", "z=1")
        self.assert_same(self.load("out.npy"), self.volume[:, :, 1].T)
        self.crinkle("move", "a b c -> a b", "in.nii", "place.npy", "--at", "c=1")
        self.assert_same(self.load("place.npy"), self.volume.T[:, :, 1])

    def test_names_in_their_places_and_names_of_ones_own_are_taken(self):
        for spec in ["z y x -> x y z", "... y x -> ... x y", "... -> ...", "z (y 2) x -> z 2 y x", "i j k -> k j i", "x y depth -> depth y x", "t z y -> y z t"]:
            self.crinkle("move", spec, "in.nii", "out.npy", "--force")

    def test_a_picture_has_y_x_and_c_and_an_array_of_numbers_has_no_names(self):
        self.save("rgb.npy", filled((4, 6, 3), "u1", self.random))
        self.crinkle("move", "x y c -> x y c", "rgb.npy", "rgb.png")
        self.refused(wrong, "move", "c y x -> y x c", "rgb.png", "out.npy", says=["the axes c y x", "y x c, slowest first", "write 'y x c -> y x c'"])
        self.refused(wrong, "move", "x y c -> y x c", "rgb.png", "out.png", says="by place: 'a b c -> b a c'")
        self.crinkle("move", "y x c -> c y x", "rgb.png", "planes.npy")

    def test_options_take_the_names(self):
        self.write("b.nii", self.volume + 1)
        self.crinkle("interlace", "in.nii", "b.nii", "-o", "both.nii", "--axis", "t")
        self.assert_same(self.read("both.nii"), np.stack([self.volume, self.volume + 1], 3))
        self.crinkle("interlace", "in.nii", "b.nii", "-o", "usual.nii")  # the slowest
        self.assertEqual((self.folder / "usual.nii").read_bytes(), (self.folder / "both.nii").read_bytes())
        self.crinkle("interlace", "in.nii", "b.nii", "-o", "fastest.nii", "--axis", -1)
        self.assertEqual(self.read("fastest.nii").shape, (2, 3, 4, 5))
        for axis in "xyz":
            self.refused(wrong, "interlace", "in.nii", "b.nii", "-o", "no.nii", "--axis", axis, says=[f"the arrays have an axis {axis}", "--axis t"])
        self.refused(wrong, "interlace", "in.nii", "b.nii", "-o", "no.nii", "--axis", "c", says=["there is no axis 'c'", "0 (t), 1 (z), 2 (y), 3 (x)"])
        self.crinkle("deinterlace", "both.nii", "--axis", "t", "-o", "t0.nii", "t1.nii")
        self.assert_same(self.read("t1.nii"), self.volume + 1)
        self.crinkle("deinterlace", "in.nii", "--axis", "x", "-o", "x{}.npy")
        self.assert_same(self.load("x2.npy"), self.volume[2].T)
        for k in range(3):
            self.save(f"plane{k}.npy", filled((4, 6), "u1", self.random))
        self.crinkle("interlace", *[f"plane{k}.npy" for k in range(3)], "-o", "rgb.png")  # of other files the fastest
        self.crinkle("deinterlace", "rgb.png", "--axis", "c", "-o", "c{}.npy")
        self.assert_same(self.load("c2.npy"), self.load("plane2.npy"))

    def test_outputs_are_numbered_as_they_sort(self):
        self.write("series.nii.gz", np.arange(2 * 3 * 2 * 12, dtype=np.int16).reshape(2, 3, 2, 12))
        self.crinkle("deinterlace", "series.nii.gz", "-o", "vol_{}.nii.gz", "--verify")
        names = sorted(path.name for path in self.folder.glob("vol_*.nii.gz"))
        self.assertEqual(names, [f"vol_{k:02}.nii.gz" for k in range(12)])
        self.crinkle("interlace", *names, "-o", "again.nii.gz")
        self.assert_same(self.read("again.nii.gz"), self.read("series.nii.gz"))
        self.assert_same(nibabel.load(self.path("again.nii.gz")).affine, nibabel.load(self.path("series.nii.gz")).affine)
        self.refused(wrong, "deinterlace", "series.nii.gz", "-o", "one.nii.gz", says=["axis 0 (t) has 12 indices", "one name with {}"])
        self.refused(wrong, "deinterlace", "series.nii.gz", "-o", "a_{}.nii", "b_{}.nii", says="2 outputs")
        self.refused(wrong, "deinterlace", "series.nii.gz", "-o", "a_{}_{}.nii", says="once, not twice")
        self.save("many.npy", np.arange(600, dtype="<i4").reshape(300, 2))
        self.crinkle("deinterlace", "many.npy", "--axis", 0, "-o", "many_{}.npy")
        low = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (100, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        result = self.run_crinkle("deinterlace", "many.npy", "--axis", 0, "-o", "few_{}.npy", preexec_fn=low)  # more than may be open at first
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_same(self.load("few_299.npy"), np.array([598, 599], "<i4"))
        self.save("long.npy", np.zeros((20000, 1), np.uint8))
        self.refused(wrong, "deinterlace", "long.npy", "--axis", 0, "-o", "n{}.npy", says=["20000 indices", "10000"])


if __name__ == "__main__":
    harness.main()
