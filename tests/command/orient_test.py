# crinkle move --orient: volumes turned so that x, y and z lead where the letters say, against nibabel's as_reoriented on all 48.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import itertools
import json
import unittest

import numpy as np

from harness import CommandTest

try:
    import nibabel
    from nibabel.orientations import aff2axcodes, axcodes2ornt, inv_ornt_aff, io_orientation, ornt_transform
except ImportError:
    nibabel = None

codes = ["".join(letters[k] for k in order) for order in itertools.permutations(range(3)) for letters in itertools.product("RL", "AP", "SI")]


def rotation(degrees):
    """About x, then y, then z."""
    turned = np.eye(3)
    for axis, angle in enumerate(np.radians(degrees)):
        one = np.eye(3)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        one[[i, i, j, j], [i, j, i, j]] = [np.cos(angle), -np.sin(angle), np.sin(angle), np.cos(angle)]
        turned = one @ turned
    return turned


@unittest.skipIf(nibabel is None, "nibabel is not installed")
class Orientation(CommandTest):
    def setUp(self):
        super().setUp()
        self.assertEqual(len(set(codes)), 48)

    def written(self, name, letters, shape=(3, 4, 5), degrees=(0, 0, 0), dtype=np.int16, version=nibabel and nibabel.Nifti1Image):
        """A volume whose x, y, z lead to `letters`, up to a rotation; its sform and qform say that."""
        matrix = np.eye(4)
        matrix[:3, :3] = rotation(degrees) @ inv_ornt_aff(axcodes2ornt(letters), (1, 1, 1))[:3, :3].T @ np.diag([1.5, 2, 2.5])
        matrix[:3, 3] = self.random.integers(-50, 50, 3)
        image = version(self.random.integers(-999, 999, shape).astype(dtype), matrix)
        image.header.set_xyzt_units("mm", "sec")
        image.header.set_sform(matrix, 2)
        image.header.set_qform(matrix, 1)
        image.header.set_dim_info(0, 1, 2)
        image.header["slice_start"], image.header["slice_end"], image.header["slice_code"], image.header["slice_duration"] = 1, 3, 3, 0.125
        nibabel.save(image, self.path(name))
        return nibabel.load(self.path(name))

    def assert_turned(self, name, image, letters, message):
        """It is what nibabel makes of the image, in every field that has a direction. nibabel reads a half turn whose quaternion NIfTI-1 rounds
        some 5e-4 off; what is written is exact."""
        of_quaternion = 0.01
        places = 1e-5 if image.header["sform_code"] > 0 else of_quaternion
        change = ornt_transform(io_orientation(image.affine), axcodes2ornt(letters))
        want, got = image.as_reoriented(change), nibabel.load(self.path(name))
        self.assertEqual("".join(aff2axcodes(got.affine)), letters, message)
        self.assertEqual(got.get_data_dtype(), image.get_data_dtype(), message)
        np.testing.assert_array_equal(np.asanyarray(got.dataobj), np.asanyarray(want.dataobj), message)
        np.testing.assert_allclose(got.affine, want.affine, rtol=1e-6, atol=places, err_msg=message)
        back = inv_ornt_aff(change, image.shape)
        for form in ["get_sform", "get_qform"]:
            was, code = getattr(image.header, form)(coded=True)
            now, coded = getattr(got.header, form)(coded=True)
            self.assertEqual(coded, code, message)
            if code:
                np.testing.assert_allclose(now, was @ back, rtol=1e-5, atol=of_quaternion if form == "get_qform" else places, err_msg=f"{form} {message}")
        np.testing.assert_allclose(got.header.get_zooms(), want.header.get_zooms(), rtol=1e-6, err_msg=message)
        self.assertEqual(got.header.get_xyzt_units(), image.header.get_xyzt_units(), message)
        to = {int(s): int(d) for s, (d, _) in enumerate(change)}
        self.assertEqual(got.header.get_dim_info(), tuple(to[s] for s in image.header.get_dim_info()), message)
        is_flipped = change[2, 1] < 0
        n = image.shape[2]
        self.assertEqual([int(got.header[k]) for k in ["slice_start", "slice_end", "slice_code"]], [n - 4, n - 2, 4] if is_flipped else [1, 3, 3], message)
        self.assertEqual(float(got.header["slice_duration"]), 0.125, message)

    def test_all_48_are_what_nibabel_makes(self):
        for k, letters in enumerate(codes):
            found = codes[int(self.random.integers(48))]
            shape = (3, 4, 5) if k % 3 else (3, 4, 5, 2)
            degrees = (0, 0, 0) if k % 2 else self.random.uniform(-20, 20, 3)
            image = self.written("in.nii" + ".gz" * (k % 2), found, shape, degrees, dtype=[np.int16, np.uint8, ">f4"][k % 3])
            name = "out.nii" + ".gz" * (k % 4 // 2)
            with self.subTest(found=found, letters=letters):
                self.crinkle("move", "--orient", letters, "in.nii" + ".gz" * (k % 2), name, "--force", "--verify")
                self.assert_turned(name, image, letters, f"{found} to {letters}")
                self.assertEqual(json.loads(self.crinkle("info", name, "--json"))["orientation"], letters)

    def test_from_all_48_to_one_and_one_form_alone(self):
        for k, found in enumerate(codes):
            image = self.written("in.nii", found, version=nibabel.Nifti2Image if k % 4 == 0 else nibabel.Nifti1Image)
            if k % 2:  # the qform alone, or the sform
                image.header.set_sform(None, 0)
            else:
                image.header.set_qform(None, 0)
            nibabel.save(type(image)(np.asanyarray(image.dataobj), None, image.header), self.path("in.nii"))
            image = nibabel.load(self.path("in.nii"))
            self.assertEqual("".join(aff2axcodes(image.affine)), found)
            with self.subTest(found=found):
                self.crinkle("move", "--orient", "RAS", "in.nii", "out.nii", "--force")
                self.assert_turned("out.nii", image, "RAS", found)

    def test_what_is_45_degrees_off_is_turned_by_the_letters_that_info_shows(self):
        for degrees in [(0, 0, 45), (45, 0, 0), (0, 45, 0), (0, 0, 135), (45, 45, 0), (60, 50, 40)]:
            for found in ["RAS", "PIL"]:
                image = self.written("in.nii", found, degrees=degrees)
                shown = json.loads(self.crinkle("info", "in.nii", "--json"))["orientation"]
                for letters in ["RAS", "LPS", "SRA", "IPL"]:
                    with self.subTest(degrees=degrees, found=found, letters=letters):
                        self.crinkle("move", "--orient", letters, "in.nii", "out.nii", "--force")
                        change = ornt_transform(axcodes2ornt(shown), axcodes2ornt(letters))
                        want, got = image.as_reoriented(change), nibabel.load(self.path("out.nii"))
                        np.testing.assert_array_equal(np.asanyarray(got.dataobj), np.asanyarray(want.dataobj))
                        np.testing.assert_allclose(got.affine, want.affine, rtol=1e-5, atol=1e-5)

    def test_a_volume_that_is_so_already_stays(self):
        self.written("in.nii", "LPS", degrees=(10, 5, -7))
        self.crinkle("move", "--orient", "LPS", "in.nii", "out.nii")
        self.assertEqual((self.folder / "out.nii").read_bytes(), (self.folder / "in.nii").read_bytes())

    def test_a_specification_acts_on_the_turned_volume(self):
        image = self.written("in.nii", "PSR")
        turned = np.asanyarray(image.as_reoriented(ornt_transform(io_orientation(image.affine), axcodes2ornt("LAS"))).dataobj)
        self.crinkle("move", "z y x -> x y z", "in.nii", "out.npy", "--orient", "LAS", "--verify")
        self.assert_same(self.load("out.npy"), turned)
        self.crinkle("move", "--orient", "LAS", "in.nii", "whole.npy")
        self.assert_same(self.load("whole.npy"), turned.T)
        self.crinkle("move", "z y x -> z y x", "in.nii", "part.nii", "--orient", "LAS", "--slice", "y=1:4:2", "--pad", "x=2:1")
        part = nibabel.load(self.path("part.nii"))
        np.testing.assert_array_equal(np.asanyarray(part.dataobj), np.pad(turned[:, 1:4:2], ((2, 1), (0, 0), (0, 0))))
        self.crinkle("move", "--orient", "LAS", "in.nii", "turned.nii")
        np.testing.assert_allclose(part.affine @ [2, 0, 0, 1], nibabel.load(self.path("turned.nii")).affine @ [0, 1, 0, 1])
        self.crinkle("move", "z y x -> y x", "in.nii", "slice.nii", "--orient", "LAS", "--at", "z=1")
        np.testing.assert_array_equal(np.asanyarray(nibabel.load(self.path("slice.nii")).dataobj), turned[:, :, 1])
        for spec, *words in [["z y x -> x y z"], ["z y x -> z y x", "--flip", "x"], ["z y (x 2) -> 2 z y x", "--tail", "drop"]]:
            self.refused(2, "move", spec, "in.nii", "new.nii", "--orient", "LAS", *words, says=["--orient LAS", "new.nii", ".npy"], lines=1)

    def test_what_cannot_be_turned_is_refused_with_words(self):
        self.written("in.nii", "RAS")
        for text in ["RA", "RASS", "RAR", "RLS", "ras", "RAX", "123", "XYZ"]:
            self.refused(2, "move", "--orient", text, "in.nii", "new.nii", says=["--orient", text, "R or L"], lines=1)
        self.save("n.npy", np.zeros((3, 4, 5)))
        self.refused(2, "move", "--orient", "RAS", "n.npy", "new.npy", says=["n.npy", "no NIfTI volume"], lines=1)
        image = nibabel.load(self.path("in.nii"))
        image.header.set_sform(None, 0)
        image.header.set_qform(None, 0)
        nibabel.save(nibabel.Nifti1Image(np.asanyarray(image.dataobj), None, image.header), self.path("codes.nii"))
        self.refused(2, "move", "--orient", "RAS", "codes.nii", "new.nii", says=["codes.nii", "qform_code and sform_code are 0"], lines=1)
        flat = nibabel.Nifti1Image(np.zeros((3, 4, 5), "u1"), np.diag([1, 1, 1, 1]))
        nibabel.save(flat, self.path("flat.nii"))
        raw = bytearray((self.folder / "flat.nii").read_bytes())
        raw[280:296] = bytes(16)  # srow_x
        (self.folder / "flat.nii").write_bytes(raw)
        self.refused(2, "move", "--orient", "RAS", "flat.nii", "new.nii", says=["flat.nii", "leads nowhere"], lines=1)
        self.crinkle("move", "z y x -> y x", "in.nii", "slice.nii", "--at", "z=1")
        self.refused(2, "move", "--orient", "RAS", "slice.nii", "new.nii", says=["slice.nii", "2 axes"], lines=1)
        self.refused(2, "move", "in.nii", "new.nii", says=["OUTPUT", "--orient"], lines=1)


if __name__ == "__main__":
    harness.main()
