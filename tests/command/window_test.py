# Numbers that become grey levels: --window LOW:HIGH and auto of pictures and of previews.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import unittest

import numpy as np

from harness import CommandTest, done, wrong

try:
    import nibabel
    from PIL import Image
except ImportError:
    nibabel = None


def levels(values, low, high):
    share = np.clip((np.nan_to_num(values.astype(float), nan=low) - low) / (high - low), 0, 1)
    return np.floor(255 * share + 0.5).astype(np.uint8)


@unittest.skipIf(nibabel is None, "nibabel or PIL is not installed")
class Windows(CommandTest):
    def picture(self, name):
        return np.asarray(Image.open(self.path(name)))

    def noted(self, *arguments):
        result = self.run_crinkle(*arguments)
        self.assertEqual(result.returncode, done, result.stderr.decode())
        return result.stderr.decode()

    def test_numbers_of_any_type_between_two_ends(self):
        for dtype in ["<i2", ">i2", "<f4", ">f8", "u1", "<u4", "<i8", "<f2"]:
            array = (self.random.random((20, 30)) * 100).astype(dtype)
            self.save("in.npy", array)
            self.crinkle("move", "y x -> x y", "in.npy", "out.png", "--window", "12.5:80", "--verify", "--force")
            self.assert_same(self.picture("out.png"), levels(array.T, 12.5, 80))
        self.save("in.npy", (self.random.random((20, 30, 3)) * 100).astype("<f4"))
        self.crinkle("move", "y x c -> y x c", "in.npy", "rgb.png", "--window", "0:100")
        self.assert_same(self.picture("rgb.png"), levels(self.load("in.npy"), 0, 100))

    def test_auto_leaves_out_a_hundredth_at_either_end(self):
        array = self.random.permutation(np.arange(1000.0)).reshape(25, 40).astype("<f4")
        self.save("in.npy", array)
        said = self.noted("move", "y x -> y x", "in.npy", "out.png", "--window", "auto")
        self.assertIn("black is 9, white 990, the 1st and the 99th percentile", said)
        self.assert_same(self.picture("out.png"), levels(array, 9, 990))
        array[3, 4:9] = np.nan
        array[5, 6] = np.inf
        self.save("in.npy", array)
        said = self.noted("move", "y x -> y x", "in.npy", "out.png", "--window", "auto", "--force")
        self.assertIn("5 numbers are NaN or no data, and black", said)
        self.assertTrue((self.picture("out.png")[3, 4:9] == 0).all() and self.picture("out.png")[5, 6] == 255)
        for array, level in [(np.full((3, 4), 7.0), 128), (np.full((3, 4), np.nan), 0)]:
            self.save("in.npy", array)
            self.noted("move", "y x -> y x", "in.npy", "out.png", "--window", "auto", "--force")
            self.assertTrue((self.picture("out.png") == level).all())

    def test_a_volume_has_the_values_that_it_means(self):
        volume = self.random.integers(0, 4096, (6, 7, 8), np.int16)
        image = nibabel.Nifti1Image(volume, np.eye(4))
        nibabel.save(image, self.path("ct.nii"))
        raw = bytearray((self.folder / "ct.nii").read_bytes())
        raw[112:120] = np.array([2, -1024], "<f4").tobytes()
        (self.folder / "ct.nii").write_bytes(raw)
        self.noted("move", "z y x -> y x", "ct.nii", "slice.png", "--at", "z=3", "--window=-160:240")
        self.assert_same(self.picture("slice.png"), levels(2.0 * volume[:, :, 3].T - 1024, -160, 240))

    def test_stencils_and_resampling(self):
        picture = self.random.integers(0, 256, (20, 30), np.uint8)
        self.save("in.npy", picture)
        self.crinkle("move", "y x -> y x", "in.npy", "in.png")
        self.crinkle("stencil", "sobel:x", "in.png", "edges.npy", "--dtype", "float32")
        self.crinkle("stencil", "sobel:x", "in.png", "edges.png", "--window=-500:500", "--verify")  # signs are not lost
        self.assert_same(self.picture("edges.png"), levels(self.load("edges.npy")[..., 0], -500, 500))
        self.save("field.npy", self.random.random((20, 30)).astype("<f4"))
        self.crinkle("resample", "field.npy", "twice.npy", "--zoom", 2)
        self.crinkle("resample", "field.npy", "twice.png", "--zoom", 2, "--window", "0:1", "--verify")
        self.assert_same(self.picture("twice.png"), levels(self.load("twice.npy"), 0, 1))

    def test_previews(self):
        (self.folder / "in.csv").write_text("x,y,v\n" + "".join(f"{k + 0.5},0.5,{k}\n" for k in range(10)) + "10.5,0.5,10000\n")
        grid = ["grid", "in.csv", "out.npy", "--value", "v", "--cell", 1, "--extent", "0,0,11,1", "--preview", "p.png", "--force"]
        self.crinkle(*grid)
        self.assertEqual(len(np.unique(self.picture("p.png")[0, :10, :3], axis=0)), 1)  # 10000 leaves the rest one colour
        self.crinkle(*grid, "--window", "0:9")
        colours = self.picture("p.png")[0, :, :3]
        self.assertEqual(len(np.unique(colours[:10], axis=0)), 10)
        self.assertEqual((colours[9] == colours[10]).all(), True)
        self.crinkle("interpolate", "in.csv", "map.npy", "--value", "v", "--cell", 1, "--extent", "0,0,11,1", "--preview", "q.png", "--window", "auto")
        self.refused(wrong, *grid[:-3], "--window", "0:9", says=["--window 0:9 is of a preview", "--preview"])

    def test_what_is_refused(self):
        self.save("in.npy", np.zeros((4, 5), "<f4"))
        self.save("complex.npy", np.zeros((4, 5), "<c8"))
        move = ["move", "y x -> y x"]
        self.refused(wrong, *move, "in.npy", "out.png", says=["PNG holds uint8 and uint16, not float32", "--window auto"])
        for text, says in [("5", "LOW:HIGH"), ("9:1", "9 is black and 1 white"), ("1:1", "lower"), ("a:b", "two numbers"), ("0:inf", "two numbers"), ("0:1:2", "two numbers"), ("Auto", "auto"), (":", "two numbers")]:
            self.refused(wrong, *move, "in.npy", "out.png", "--window", text, says=[f"--window {text}", says])
        self.refused(wrong, *move, "in.npy", "out.npy", "--window", "0:1", says=".png; out.npy is none")
        self.refused(wrong, *move, "complex.npy", "out.png", "--window", "auto", says="not of complex64")
        self.refused(wrong, *move, "in.npy", "-", "--window", "auto", says=".png")
        self.refused(wrong, "resample", "in.npy", "out.npy", "--zoom", 2, "--window", "auto", says=".png")
        self.refused(wrong, "stencil", "gaussian:1", "in.npy", "out.npy", "--axes", "0", "--window", "auto", says=".png")
        self.assertEqual(self.crinkle(*move, "in.npy", "out.png", "--window", "0:1", "--dry-run"), b"in.npy [4][5] float32 -> out.png [4][5] uint8\n")


if __name__ == "__main__":
    harness.main()
