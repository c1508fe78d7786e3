# Volumes in two files, a header (.hdr) and its voxels (.img), as every command that reads NIfTI takes them, by either name; against nibabel.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import gzip
import json
import unittest

import numpy as np

from harness import CommandTest, filled

try:
    import nibabel
except ImportError:
    nibabel = None

affine = np.array([[0, -2.0, 0, 7], [3.0, 0, 0, -5], [0, 0, 4.0, 11], [0, 0, 0, 1]])


@unittest.skipIf(nibabel is None, "nibabel is not installed")
class Pairs(CommandTest):
    def written(self, stem, dtype="<i2", shape=(3, 4, 5), version=nibabel and nibabel.Nifti1Pair, comment=b""):
        """A pair and the .nii that says the same; returns the array."""
        array = filled(shape, dtype, self.random)
        order = ">" if np.dtype(dtype).byteorder == ">" else "<"
        image = version(array, affine, version.header_class(endianness=order))
        image.header.set_data_dtype(array.dtype)
        if comment:
            image.header.extensions.append(nibabel.nifti1.Nifti1Extension("comment", comment))
        nibabel.save(image, self.path(stem + ".img"))
        header, voxels = (bytearray((self.folder / f"{stem}.{word}").read_bytes()) for word in ["hdr", "img"])
        header += bytes(-len(header) % 16)
        if version is nibabel.Nifti1Pair:
            header[344:348], header[108:112] = b"n+1\0", np.array(len(header), order + "f4").tobytes()
        else:
            header[4:8], header[168:176] = b"n+2\0", np.array(len(header), order + "i8").tobytes()
        (self.folder / f"{stem}.nii").write_bytes(header + voxels)
        nibabel.load(self.path(stem + ".nii"))
        return array

    def test_either_name_is_the_volume(self):
        for dtype, version, comment in [("<i2", nibabel.Nifti1Pair, b""), (">i2", nibabel.Nifti1Pair, b"said"), ("<f4", nibabel.Nifti2Pair, b""), (">f8", nibabel.Nifti2Pair, b"said")]:
            for ending in [".hdr", ".img"]:
                with self.subTest(dtype=dtype, version=version.__name__, ending=ending):
                    array = self.written("v", dtype, version=version, comment=comment)
                    self.crinkle("move", "z y x -> y x z", "v" + ending, "out.npy", "--force", "--verify")
                    self.assert_same(self.load("out.npy"), array.T.transpose(1, 2, 0))
                    self.crinkle("move", "z y x -> x z y", "v" + ending, "pair.nii", "--flip", "z", "--force")
                    self.crinkle("move", "z y x -> x z y", "v.nii", "single.nii", "--flip", "z", "--force")
                    self.assertEqual((self.folder / "pair.nii").read_bytes(), (self.folder / "single.nii").read_bytes())
                    said = json.loads(self.crinkle("info", "v" + ending, "--json"))
                    self.assertEqual((said["format"], said["shape"], said["path"], said["orientation"]), ("nifti", [5, 4, 3], "v" + ending, "ALS"))
                    np.testing.assert_array_equal(said["affine"], affine)
                    self.assertEqual(said["notes"], [])

    def test_every_command_that_reads_volumes_reads_pairs(self):
        self.written("v", "<f4")
        for words in [["stencil", "gaussian:2.0mm", "IN", "OUT.nii"], ["fft", "IN", "OUT.npy"], ["interlace", "IN", "IN", "-o", "OUT.nii", "--axis", "0"], ["deinterlace", "IN", "--axis", "0", "-o", *(f"{k}OUT.nii" for k in range(5))],
                      ["move", "--orient", "RAS", "IN", "OUT.nii"], ["move", "... -> ...", "IN", "OUT.npy"]]:
            made = {}
            for name in ["v.nii", "v.hdr", "v.img"]:
                before = set(self.listing())
                self.crinkle(*[name if word == "IN" else word.replace("OUT", "made") for word in words])
                new = {k: v for k, v in self.listing().items() if k not in before}
                self.assertTrue(new)
                made[name] = new
                for k in new:
                    (self.folder / k).unlink()
            with self.subTest(words=words):
                self.assertEqual(made["v.hdr"], made["v.nii"])
                self.assertEqual(made["v.img"], made["v.nii"])

    def test_packed_pairs_large_letters_and_offsets(self):
        array = self.written("v", comment=b"a comment")
        header, voxels = ((self.folder / f"v.{word}").read_bytes() for word in ["hdr", "img"])
        for k, (h, v) in enumerate([(".hdr.gz", ".img.gz"), (".hdr", ".img.gz"), (".hdr.gz", ".img"), (".HDR", ".IMG")]):
            for name, data in [(h, header), (v, voxels)]:
                (self.folder / f"p{k}{name}").write_bytes(gzip.compress(data) if name.endswith("gz") else data)
            for name in [h, v]:
                with self.subTest(header=h, voxels=v, name=name):
                    self.crinkle("move", "z y x -> x y z", f"p{k}{name}", "out.npy", "--force")
                    self.assert_same(self.load("out.npy"), array)
        shifted = bytearray(header)
        shifted[108:112] = np.float32(16).tobytes()
        (self.folder / "s.hdr").write_bytes(shifted)
        (self.folder / "s.img").write_bytes(bytes(16) + voxels)
        self.crinkle("move", "z y x -> x y z", "s.img", "out.npy", "--force")
        self.assert_same(self.load("out.npy"), array)
        (self.folder / "s.img").write_bytes(bytes(16) + voxels + b"more")
        self.assertIn("4 bytes behind the voxels", json.loads(self.crinkle("info", "s.img", "--json"))["notes"][0])

    def test_what_is_no_pair_is_refused_with_words(self):
        self.written("v")
        header, voxels = ((self.folder / f"v.{word}").read_bytes() for word in ["hdr", "img"])
        put = lambda name, data: (self.folder / name).write_bytes(data)
        put("alone.hdr", header)
        put("lonely.img", voxels)
        put("wrong.nii", header)
        self.refused(2, "info", "alone.hdr", says=["alone.hdr", ".img"], lines=1)
        self.refused(2, "info", "lonely.img", says=["lonely.img", "not beside it"], lines=1)
        self.refused(2, "info", "wrong.nii", says=["wrong.nii", "pair", ".hdr"], lines=1)
        analyze = bytearray(header)
        analyze[344:348] = bytes(4)
        for stem, h, v, status, says in [("analyze", bytes(analyze), voxels, 2, ["Analyze 7.5", "NIfTI first"]), ("short", header, voxels[:-1], 1, ["short.img", "120 bytes", "119"]), ("cut", header[:347], voxels, 1, ["cut.hdr"]),
                                         ("bent", header[:70] + b"\xff\x7f" + header[72:], voxels, 1, ["bent.hdr", "datatype"]), ("far", header[:108] + np.float32(1e9).tobytes() + header[112:], voxels, 1, ["far.img"]),
                                         ("below", header[:108] + np.float32(-16).tobytes() + header[112:], voxels, 1, ["below.hdr", "vox_offset"])]:
            put(stem + ".hdr", h)
            put(stem + ".img", v)
            with self.subTest(stem=stem):
                self.refused(status, "info", stem + ".hdr", says=says, lines=1)
        put("bomb.hdr", header[:42] + b"\xff\x7f" * 3 + header[48:])
        put("bomb.img.gz", gzip.compress(voxels))
        self.refused(1, "info", "bomb.hdr", says=["bomb.img.gz", "cannot be in"], lines=1)
        for name in ["new.hdr", "new.img"]:
            self.refused(2, "move", "... -> ...", "v.img", name, says=[name, ".nii"], lines=1)
        self.crinkle("move", "z y x -> x y z", "lonely.img", "raw.npy", "--shape", "5,4,3", "--dtype", "<i2")
        self.assertEqual(self.load("raw.npy").tobytes(), np.frombuffer(voxels, "<i2").reshape(5, 4, 3).T.tobytes())


if __name__ == "__main__":
    harness.main()
