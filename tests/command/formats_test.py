# Files that are not .npy: raw bytes with a shape said beside them, pipes, PNG as Pillow reads it, and NIfTI as nibabel reads it, where every
# voxel keeps its place in the world.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json
import unittest

import numpy as np

from harness import CommandTest, filled

try:
    from PIL import Image
except ImportError:
    Image = None
try:
    import nibabel
except ImportError:
    nibabel = None


class Raw(CommandTest):
    def test_a_shape_in_every_spelling(self):
        array = filled((3, 4, 5), "<f4", self.random)
        (self.folder / "in.raw").write_bytes(array.tobytes())
        for words in [["--shape", "3,4,5", "--dtype", "float32"], ["--shape", "[3][4][5][float32]"], ["--shape", "[3][4][5]", "--dtype", "<f4"],
                      ["--shape=3,4,5", "--dtype=f4"], ["--shape", "3,4,5,float32"], ["--shape", "[3,4,5]", "--dtype", "f4"]]:
            self.crinkle("move", "z y x -> x z y", "in.raw", "out.npy", *words, "--force", "--verify")
            self.assert_same(self.load("out.npy"), array.transpose(2, 0, 1), words)
            self.assertEqual(self.load("out.npy").dtype, array.dtype)
        self.crinkle("move", "z y x -> x z y", "in.raw", "out.npy", "--shape", "[3][4][5][32]", "--force")
        self.assert_same(self.load("out.npy"), array.view("V4").transpose(2, 0, 1))

    def test_the_shape_of_hawick_and_playne(self):
        array = filled((128, 128, 16), "<f4", self.random)
        (self.folder / "in.raw").write_bytes(array.tobytes())
        self.crinkle("move", "y (x 2) c -> 2 y x c", "in.raw", "out.raw", "--shape", "[128][128][16][float32]", "--verify")
        self.assertEqual((self.folder / "out.raw").read_bytes(), np.stack([array[:, 0::2], array[:, 1::2]]).tobytes())

    def test_an_offset_and_bytes_behind(self):
        array = filled((7, 9), "<u2", self.random)
        (self.folder / "in.bin").write_bytes(b"header!" + array.tobytes() + b"more")
        result = self.run_crinkle("move", "y x -> x y", "in.bin", "out.npy", "--shape", "7,9", "--dtype", "u2", "--offset", 7, "--verify")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.decode(), "crinkle: note: 4 bytes behind the data are ignored\n")
        self.assert_same(self.load("out.npy"), array.T)

    def test_pipes(self):
        array = filled((300, 257), "<f4", self.random)
        shape = ["--shape", "300,257", "--dtype", "float32"]
        out = self.crinkle("move", "y x -> x y", "-", "-", *shape, "--verify", stdin=array.tobytes())
        self.assertTrue(out == array.T.tobytes())
        self.crinkle("move", "y x -> x y", "-", "out.npy", *shape, stdin=array.tobytes())
        self.assert_same(self.load("out.npy"), array.T)
        self.assertTrue(self.crinkle("move", "x y -> y x", "out.npy", "-") == array.tobytes())
        told = self.run_crinkle("move", "x y -> y x", "out.npy", "-", "--report", "--explain", "--verify")
        self.assertTrue(told.stdout == array.tobytes(), "only the data go to standard output")
        self.refused(1, "move", "y x -> x y", "-", "new.npy", *shape, stdin=array.tobytes()[:-1], says=["standard input: ", "308400", "308399"])
        longer = self.run_crinkle("move", "y x -> x y", "-", "-", *shape, stdin=array.tobytes() + b"more")
        self.assertEqual((longer.returncode, longer.stderr), (0, b"crinkle: note: the bytes behind the data are ignored\n"))
        self.assertTrue(longer.stdout == array.T.tobytes())


@unittest.skipIf(Image is None, "Pillow is not installed")
class Png(CommandTest):
    def test_pictures_of_every_kind(self):
        for mode, channels in [("L", 1), ("LA", 2), ("RGB", 3), ("RGBA", 4)]:
            pixels = filled((9, 14, channels), "u1", self.random)
            Image.fromarray(pixels[:, :, 0] if channels == 1 else pixels, mode).save(self.path("in.png"))
            self.crinkle("move", "y (x 2) c -> x (2 y) c", "in.png", "out.png", "--flip", "y", "--force", "--verify")
            got = Image.open(self.path("out.png"))
            self.assertEqual(got.mode, mode)
            want = np.concatenate([pixels[::-1, 0::2], pixels[::-1, 1::2]]).transpose(1, 0, 2)
            want = pixels[::-1].reshape(9, 7, 2, channels).transpose(1, 2, 0, 3).reshape(7, 18, channels)
            self.assert_same(np.asarray(got).reshape(want.shape), want, mode)

    def test_sixteen_bits(self):
        pixels = filled((9, 14), "<u2", self.random)
        Image.fromarray(pixels).save(self.path("in.png"))
        self.crinkle("move", "y x c -> x y c", "in.png", "out.png", "--verify")
        self.assert_same(np.asarray(Image.open(self.path("out.png"))).astype("<u2"), pixels.T)
        self.crinkle("move", "y x c -> x y c", "in.png", "out.npy")
        self.assertEqual(self.load("out.npy").tolist(), pixels.T[:, :, None].tolist())

    def test_npy_of_rank_2_becomes_a_grey_picture_and_back(self):
        pixels = filled((5, 6), "u1", self.random)
        self.save("in.npy", pixels)
        self.crinkle("move", "... -> ...", "in.npy", "out.png", "--verify")
        self.assert_same(np.asarray(Image.open(self.path("out.png"))), pixels)
        self.crinkle("move", "y x 1 -> y x", "out.png", "back.npy", "--verify")
        self.assert_same(self.load("back.npy"), pixels)


@unittest.skipIf(nibabel is None, "nibabel is not installed")
class Nifti(CommandTest):
    affine = np.array([[0, -1.5, 0.2, 30], [2, 0, 0.1, -20], [0, 0.3, 3, 10], [0, 0, 0, 1.0]])

    def volume(self, name, shape=(8, 9, 10), dtype="<i2"):
        """nibabel's axes are i, j, k = x, y, z; crinkle's are z y x. Every voxel is unlike the others."""
        data = self.random.permutation(np.arange(int(np.prod(shape)))).reshape(shape).astype(dtype) + 1
        image = nibabel.Nifti1Image(data, self.affine)
        image.header.set_xyzt_units("mm", "sec")
        nibabel.save(image, self.path(name))
        return data

    def places(self, name):
        """value -> where in the world it lies"""
        image = nibabel.load(self.path(name))
        data = np.asarray(image.dataobj).reshape(image.shape)
        at = np.argwhere(data > 0)
        world = nibabel.affines.apply_affine(image.affine, np.pad(at, ((0, 0), (0, max(0, 3 - at.shape[1])))))
        return dict(zip(data[tuple(at.T)].tolist(), world))

    def test_every_voxel_keeps_its_place(self):
        self.volume("in.nii.gz")
        before = self.places("in.nii.gz")
        for spec, options in [("... -> ...", []), ("z y x -> x z y", ["--flip", "z"]), ("z y x -> y x z", ["--flip", "x", "--flip", "y"]),
                              ("z y x -> z y x", ["--slice", "x=1:7:2", "--slice", "z=::-1"]), ("z y x -> x y z", ["--pad", "y=2:3", "--flip", "y"]),
                              ("z y x -> z x y", ["--slice", "z=2:9", "--pad", "x=1:1", "--slice", "y=-2:1:-3"]), ("z y x -> y x", ["--at", "z=4"]),
                              ("z y x -> z y x", ["--dilate", "x=3"])]:
            for name in ["out.nii", "out.nii.gz"]:
                self.crinkle("move", spec, "in.nii.gz", name, *options, "--force", "--verify")
                after = self.places(name)
                self.assertGreater(len(after), 30)
                for value, place in after.items():
                    np.testing.assert_allclose(place, before[value], atol=1e-4, err_msg=f"{spec} {options} {name} voxel {value}")

    def moved(self, *options):
        """The notes of a move that keeps z y x."""
        result = self.run_crinkle("move", "z y x -> z y x", "in.nii", "out.nii", *options, "--force", "--verify")
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stderr.decode()

    def test_what_a_pad_repeats_does_not_move_the_rest(self):
        self.volume("in.nii")
        for mode in ["edge", "reflect", "symmetric", "wrap", "constant"]:
            for before in [1, 3, 20]:
                self.assertEqual(self.moved("--pad", f"x={before}:25:{mode}", "--flip", "y"), "")
                start = np.array([-before, 8, 0, 1])
                np.testing.assert_allclose(nibabel.load(self.path("out.nii")).affine[:, 3], self.affine @ start, atol=1e-4, err_msg=f"{mode} {before}")

    def test_a_rolled_axis_keeps_the_affine_and_says_so(self):
        self.volume("in.nii")
        said = "crinkle: note: axis y is rolled: voxel positions are those of the unrolled array\n"
        for options, start in [(["--roll", "y=2"], [0, 0, 0]), (["--roll", "y=-4", "--flip", "y"], [0, 8, 0]), (["--roll", "y=2", "--pad", "y=1:1:wrap"], [0, -1, 0])]:
            self.assertEqual(self.moved(*options), said)
            np.testing.assert_allclose(nibabel.load(self.path("out.nii")).affine[:, 3], self.affine @ [*start, 1], atol=1e-4, err_msg=str(options))
        self.assertEqual(self.moved("--roll", "y=2", "--roll", "y=-2"), "")
        before = self.places("in.nii")
        self.assertEqual(self.moved("--roll", "y=2", "--slice", "y=2:"), "")
        for value, place in self.places("out.nii").items():
            np.testing.assert_allclose(place, before[value], atol=1e-4)

    def test_indices_with_a_step_keep_every_place_and_others_give_up_the_orientation(self):
        self.volume("in.nii")
        before = self.places("in.nii")
        for indices in [[1, 3, 5], [6, 4, 2, 0], [5]]:
            self.save("take.npy", np.array(indices))
            self.assertEqual(self.moved("--take", "x=take.npy"), "")
            for value, place in self.places("out.nii").items():
                np.testing.assert_allclose(place, before[value], atol=1e-4)
        for indices in [[0, 1, 3], [1, 0, 2, 3, 4, 5, 6, 7], [2, 2]]:
            self.save("take.npy", np.array(indices))
            self.assertIn("taken at irregular indices", self.moved("--take", "x=take.npy"))
            header = nibabel.load(self.path("out.nii")).header
            self.assertEqual((int(header["qform_code"]), int(header["sform_code"])), (0, 0))

    def test_a_turn_that_becomes_one_by_180_degrees_is_one_exactly(self):
        """b, c and d are 32 bits: rounded to a length below 1 they would be read as a rotation 4e-4 away."""
        for _ in range(30):
            a, b, c = self.random.uniform(0.3, 1, 3)
            turn = np.eye(4)
            turn[:3, :3] = nibabel.quaternions.quat2mat(np.array([a, b, c, 0]) / np.linalg.norm([a, b, c]))  # about an axis beside z
            image = nibabel.Nifti1Image(np.zeros((3, 4, 5), "<i2"), None)
            image.set_qform(turn, 1)
            nibabel.save(image, self.path("in.nii"))
            self.assertEqual(self.moved("--flip", "x", "--flip", "y"), "")
            header = nibabel.load(self.path("out.nii")).header
            square = sum(float(header[f"quatern_{k}"]) ** 2 for k in "bcd")
            self.assertGreaterEqual(square, 1)
            self.assertLess(square, 1 + 3e-7)
            want = nibabel.load(self.path("in.nii")).header.get_qform()[:3, :3] @ np.diag([-1, -1, 1])
            np.testing.assert_allclose(header.get_qform()[:3, :3], want, atol=1e-6)

    def test_the_voxels_are_those_of_numpy(self):
        for dtype in ["<i2", "u1", "<f4", ">f8"]:
            data = self.volume("in.nii", dtype=dtype)
            self.crinkle("move", "z y x -> x z y", "in.nii", "out.npy", "--flip", "z", "--force", "--verify")
            got = self.load("out.npy")
            want = data.transpose(2, 1, 0)[::-1].transpose(2, 0, 1)
            self.assertTrue(np.array_equal(got, want))

    def test_splitting_a_spatial_axis_gives_up_the_orientation_and_says_so(self):
        self.volume("in.nii")
        result = self.run_crinkle("move", "z y (x 2) -> z y (2 x)", "in.nii", "out.nii")
        self.assertEqual(result.returncode, 0)
        self.assertIn("crinkle: note: ", result.stderr.decode())
        header = nibabel.load(self.path("out.nii")).header
        self.assertEqual((int(header["qform_code"]), int(header["sform_code"])), (0, 0))

    def test_what_nifti_cannot_hold_is_refused_with_the_way_out(self):
        self.save("bits.npy", np.zeros((2, 3), "?"))
        self.save("deep.npy", np.zeros((1,) * 8, "<f4"))
        for name in ["bits.npy", "deep.npy"]:
            self.refused(2, "move", "... -> ...", name, "new.nii", says="unsupported")

    def test_info_tells_the_shape_slowest_first(self):
        self.volume("in.nii.gz")
        self.assertEqual(json.loads(self.crinkle("info", "in.nii.gz", "--json"))["shape"], [10, 9, 8])


if __name__ == "__main__":
    harness.main()
