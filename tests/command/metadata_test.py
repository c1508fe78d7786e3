# What files say beside their numbers: volumes put together and taken apart, against nibabel; what info prints of them; the one extent that
# a raw file's size gives; a .npy file on standard input.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json
import unittest

import numpy as np

from harness import CommandTest, filled

try:
    import nibabel
except ImportError:
    nibabel = None

affine = np.array([[0, -2.0, 0, 7], [3.0, 0, 0, -5], [0, 0, 4.0, 11], [0, 0, 0, 1]])


def volume(shape, **said):
    image = nibabel.Nifti1Image(np.arange(np.prod(shape)).astype(np.int16).reshape(shape), said.pop("affine", affine))
    image.header.set_xyzt_units(said.pop("space", "mm"), said.pop("time", "sec"))
    if "step" in said:
        image.header["pixdim"][4] = said.pop("step")
    for name, value in said.items():
        image.header[name] = value
    return image


@unittest.skipIf(nibabel is None, "nibabel is not installed")
class Volumes(CommandTest):
    def written(self, name, shape=(3, 4, 5), slope=None, inter=0.0, **said):
        nibabel.save(volume(shape, **said), self.path(name))
        if slope is not None:  # in the header alone, at bytes 112 and 116
            raw = bytearray((self.folder / name).read_bytes())
            raw[112:120] = np.array([slope, inter], "<f4").tobytes()
            (self.folder / name).write_bytes(raw)

    def test_unlike_volumes_are_refused_naming_both_values(self):
        moved, turned = affine.copy(), affine.copy()
        moved[0, 3] = 8
        turned[:, 0] *= -1
        for one, other, says in [({"slope": 2}, {"slope": 10}, ["2", "10"]), ({"slope": 2}, {}, ["2", "1"]), ({"slope": 2, "inter": 3}, {"slope": 2, "inter": 4}, ["3", "4"]),
                                 ({}, {"affine": moved}, ["7", "8", "sform"]), ({}, {"affine": turned}, ["-3", "3"]), ({}, {"affine": affine @ np.diag([2, 1, 1, 1])}, ["voxel size", "3", "6"]),
                                 ({}, {"space": "micron"}, ["unit"]), ({"step": 1.5}, {"step": 2.5}, ["time step", "1.5", "2.5"]), ({}, {"intent_code": 3}, ["intent_code", "0", "3"]),
                                 ({}, {"toffset": 4.5}, ["toffset", "0", "4.5"])]:
            with self.subTest(one=one, other=other):
                self.written("a.nii", **one)
                self.written("b.nii", **other)
                for names in [["a.nii", "b.nii"], ["b.nii", "a.nii"], ["a.nii", "a.nii", "b.nii"]]:
                    self.refused(2, "interlace", *names, "-o", "o.nii", "--axis", 0, says=["a.nii", "b.nii", *says], lines=1)
                if "slope" in one:
                    self.refused(2, "interlace", "a.nii", "b.nii", "-o", "o.npy", says=["a.nii", "b.nii", *says], lines=1)
        self.written("a.nii")
        self.save("n.npy", np.zeros((5, 4, 3), np.int16))
        self.refused(2, "interlace", "a.nii", "n.npy", "-o", "o.nii", says=["a.nii", "n.npy"], lines=1)
        self.refused(2, "interlace", "n.npy", "a.nii", "-o", "o.nii.gz", says=["a.nii", "n.npy"], lines=1)
        self.crinkle("interlace", "n.npy", "a.nii", "-o", "o.npy", "--axis", 0)

    def refused_scale(self):
        self.written("a.nii", slope=2)
        self.written("b.nii", slope=10)
        return self.refused(2, "interlace", "a.nii", "b.nii", "-o", "o.nii", "--axis", 0, says=["2", "10", "--values float64"], lines=1)

    def test_values_bring_unlike_scales_together(self):
        self.refused_scale()
        for dtype in ["<i2", ">i2", "|u1", "<i4", "<f4", ">f8", "<u8"]:
            array = filled((3, 4, 5), dtype, self.random) if np.dtype(dtype).kind != "f" else self.random.normal(size=(3, 4, 5)).astype(dtype)
            order = ">" if dtype[0] == ">" else "<"
            names = []
            for slope, inter in [(0.1, -7.3), (3, 0.0), (0, 5.0), (1, 0)]:
                header = nibabel.Nifti1Header(endianness=order)
                header.set_data_dtype(array.dtype)
                nibabel.save(nibabel.Nifti1Image(array, affine, header), self.path(name := f"v{len(names)}.nii"))
                raw = bytearray((self.folder / name).read_bytes())
                raw[112:120] = np.array([slope, inter], order + "f4").tobytes()
                (self.folder / name).write_bytes(raw)
                names.append(name)
            for values in ["float32", "float64"]:
                want = np.stack([nibabel.load(self.path(name)).get_fdata() for name in names]).astype(values)
                with self.subTest(dtype=dtype, values=values):
                    self.crinkle("interlace", *names, "-o", "out.nii", "--axis", 0, "--values", values, "--force", "--verify")
                    got = nibabel.load(self.path("out.nii"))
                    self.assertEqual(got.get_data_dtype(), np.dtype(values))
                    raw = (self.folder / "out.nii").read_bytes()
                    self.assertEqual(np.frombuffer(raw[112:120], "<f4").tolist(), [1, 0])
                    np.testing.assert_array_equal(got.affine, affine)
                    np.testing.assert_array_equal(np.asanyarray(got.dataobj).transpose(3, 0, 1, 2), want)
                    self.crinkle("interlace", *names, "-o", "out.npy", "--axis", 0, "--values", values, "--force")
                    self.assert_same(self.load("out.npy"), want.transpose(0, 3, 2, 1))

    def test_values_of_what_has_none(self):
        self.written("a.nii", slope=2)
        self.save("n.npy", np.arange(60, dtype=">i4").reshape(5, 4, 3))
        self.crinkle("interlace", "n.npy", "a.nii", "-o", "o.npy", "--axis", 0, "--values", "float64")  # other types and other scales
        np.testing.assert_array_equal(self.load("o.npy")[1], 2.0 * np.arange(60).reshape(3, 4, 5).T)
        np.testing.assert_array_equal(self.load("o.npy")[0], np.arange(60.0).reshape(5, 4, 3))
        result = self.run_crinkle("interlace", "a.nii", "a.nii", "-o", "p.npy", "--values", "float32")
        self.assertEqual((result.returncode, b"as stored" in result.stderr), (0, False))
        self.save("c.npy", np.zeros((5, 4, 3), "<c8"))
        self.save("s.npy", np.zeros((5, 4, 3), "S3"))
        for name in ["c.npy", "s.npy"]:
            self.refused(2, "interlace", name, name, "-o", "new.npy", "--values", "float32", says=[name, "--values"], lines=1)
        self.refused(2, "interlace", "a.nii", "a.nii", "-o", "new.npy", "--values", "int16", says=["--values", "float32"], lines=1)

    def test_a_series_taken_apart_and_put_together_keeps_its_geometry(self):
        self.written("series.nii", (3, 4, 5, 2), step=1.5)
        series = nibabel.load(self.path("series.nii"))
        names = ["s0.nii", "s1.nii.gz"]
        self.crinkle("deinterlace", "series.nii", "--axis", 0, "-o", *names, "--verify")
        for k, name in enumerate(names):
            got = nibabel.load(self.path(name))
            np.testing.assert_array_equal(got.affine, series.affine)
            self.assertEqual(got.header["sform_code"], series.header["sform_code"])
            self.assertEqual(got.header.get_zooms(), series.header.get_zooms()[:3])
            np.testing.assert_array_equal(got.get_fdata(), series.get_fdata()[..., k])
        self.crinkle("interlace", *names, "-o", "back.nii", "--axis", 0, "--verify")
        back = nibabel.load(self.path("back.nii"))
        np.testing.assert_array_equal(back.affine, series.affine)
        self.assertEqual(back.header.get_zooms(), series.header.get_zooms())
        np.testing.assert_array_equal(back.get_fdata(), series.get_fdata())

    def test_slices_of_a_volume_lie_where_they_lay(self):
        self.written("v.nii")
        image = nibabel.load(self.path("v.nii"))
        for axis in range(3):  # of crinkle: z, y, x
            n = image.shape[2 - axis]
            names = [f"p{axis}{k}.nii" for k in range(n)]
            self.crinkle("deinterlace", "v.nii", "--axis", axis, "-o", *names)
            for k, name in enumerate(names):
                self.crinkle("move", f"z y x -> {'z y x'.replace('zyx'[axis], '').strip()}", "v.nii", "m.nii", "--at", f"{'zyx'[axis]}={k}", "--force")
                got, want = nibabel.load(self.path(name)), nibabel.load(self.path("m.nii"))
                np.testing.assert_array_equal(got.affine, want.affine)
                np.testing.assert_array_equal(got.get_fdata(), want.get_fdata())

    def test_info_says_letters_sizes_and_affine(self):
        for letters in ["RAS", "LPI", "PRS", "SAL", "ILA"]:
            codes = nibabel.orientations.axcodes2ornt(tuple(letters))
            matrix = np.zeros((4, 4))
            for voxel, (world, sign) in enumerate(codes):
                matrix[int(world), voxel] = sign * (voxel + 2)
            matrix[:, 3] = [5, 6, 7, 1]
            for name in [f"{letters}.nii", f"{letters}.nii.gz"]:
                nibabel.save(volume((3, 4, 5), affine=matrix), self.path(name))
                said = json.loads(self.crinkle("info", name, "--json"))
                self.assertEqual(said["orientation"], letters)
                self.assertEqual(said["voxel_size"], [2, 3, 4])
                np.testing.assert_array_equal(said["affine"], matrix)
                text = self.crinkle("info", name).decode()
                for word in [letters, "2 x 3 x 4 mm", "sform"]:
                    self.assertIn(word, text)


class Inputs(CommandTest):
    def test_one_extent_of_a_raw_file_is_worked_out(self):
        array = filled((6, 4, 5), "<f4", self.random)
        (self.folder / "in.raw").write_bytes(array.tobytes())
        for words in [["--shape=-1,4,5", "--dtype", "f4"], ["--shape=6,-1,5", "--dtype", "f4"], ["--shape", "6,4,-1", "--dtype", "f4"], ["--shape", "[-1][4][5][float32]"], ["--shape", "[6][-1][5]", "--dtype", "f4"]]:
            with self.subTest(words=words):
                self.crinkle("move", "z y x -> x z y", "in.raw", "out.raw", *words, "--force")
                self.assertEqual((self.folder / "out.raw").read_bytes(), array.transpose(2, 0, 1).tobytes())
        self.crinkle("interlace", "in.raw", "in.raw", "-o", "two.npy", "--shape=-1,4,5", "--dtype", "f4", "--axis", 0)
        self.assert_same(self.load("two.npy"), np.stack([array, array]))
        self.crinkle("move", "z y x -> z y x", "in.raw", "off.npy", "--shape=-1,4,5", "--dtype", "f4", "--offset", 80)
        self.assert_same(self.load("off.npy"), array[1:])
        for words, says in [(["--shape=-1,7,5", "--dtype", "f4"], ["480", "140"]), (["--shape=-1,-1,5", "--dtype", "f4"], ["one extent"]), (["--shape=-1,4,5", "--dtype", "f4", "--offset", 1], ["479", "80"])]:
            self.refused(2, "move", "z y x -> x z y", "in.raw", "new.npy", *words, says=says, lines=1)
        self.refused(2, "move", "z y x -> x z y", "-", "new.npy", "--shape=-1,4,5", "--dtype", "f4", stdin=array.tobytes(), says=["standard input"], lines=1)

    def test_standard_input_takes_npy(self):
        for shape, dtype in [((3, 4), "<f4"), ((300, 257), ">i2"), ((0, 3), "u1")]:
            array = filled(shape, dtype, self.random)
            for made in [array, np.asfortranarray(array)]:
                self.save("in.npy", made)
                raw = (self.folder / "in.npy").read_bytes()
                self.assertEqual(self.crinkle("move", "y x -> x y", "-", "-", stdin=raw), array.T.tobytes())
                with open(self.folder / "in.npy", "rb") as file:  # a file, not a pipe
                    self.assertEqual(harness.subprocess.run([harness.program, "move", "y x -> x y", "-", "-"], stdin=file, capture_output=True, check=True).stdout, array.T.tobytes())
        self.refused(2, "move", "y x -> x y", "-", "new.npy", stdin=b"no array", says=["standard input", "--shape"], lines=1)


if __name__ == "__main__":
    harness.main()
