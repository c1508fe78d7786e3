# crinkle resample: against scipy.ndimage, every file type, where the voxels of volumes then lie, and what is refused.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json
import os
import sys

import numpy as np

from harness import CommandTest, wrong

try:
    from scipy import ndimage
except ImportError:
    print("skipped: SciPy is not installed")
    sys.exit(77)


def rounded(values):
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


class Resampling(CommandTest):
    def resample(self, array, *options):
        self.save("in.npy", array)
        self.crinkle("resample", "in.npy", "out.npy", "--force", *options)
        return self.load("out.npy")

    def test_affine_maps_are_scipys(self):
        x = self.random.standard_normal((31, 42))
        m, b = np.array([[0.8137, -0.3129], [0.2291, 1.1713]]), np.array([1.5337, -2.2719])
        rows = "0.8137,-0.3129,1.5337;0.2291,1.1713,-2.2719"
        for by, order in [("nearest", 0), ("linear", 1), ("spline", 3)]:
            want = ndimage.affine_transform(x, m, b, order=order, mode="mirror")
            got = self.resample(x, "--affine", rows, "--by", by, "--boundary", "reflect", "--threads", int(self.random.integers(0, 4)))
            np.testing.assert_allclose(got, want, atol=1e-12)
            want = ndimage.affine_transform(x, m, b, (20, 50), order=order, mode="mirror")
            got = self.resample(x.astype(">f4"), "--affine", rows, "--by", by, "--boundary", "reflect", "--size", "x=50,y=20")
            self.assertEqual(got.dtype, np.dtype(">f4"))
            np.testing.assert_allclose(got, want, atol=2e-5)

    def test_zooms_and_turns_are_scipys(self):
        x = self.random.standard_normal((13, 18))
        zoom = dict(order=1, mode="nearest", grid_mode=True)
        np.testing.assert_allclose(self.resample(x, "--zoom", "2"), ndimage.zoom(x, 2, **zoom), atol=1e-12)
        np.testing.assert_allclose(self.resample(x, "--zoom", "0.5,3"), ndimage.zoom(x, (0.5, 3), **zoom), atol=1e-12)
        np.testing.assert_allclose(self.resample(x, "--size", "26,36"), ndimage.zoom(x, 2, **zoom), atol=1e-12)
        np.testing.assert_allclose(self.resample(x, "--size", "x=36"), ndimage.zoom(x, (1, 2), **zoom), atol=1e-12)
        np.testing.assert_allclose(self.resample(x, "--zoom", "2", "--keep", "centres"), ndimage.zoom(x, 2, order=1, mode="nearest"), atol=1e-12)
        for angle in [30, -100, 90]:
            np.testing.assert_allclose(self.resample(x, "--rotate", angle), ndimage.rotate(x, angle, order=1, mode="grid-constant"), atol=1e-12)

    def test_coordinates_of_a_file(self):
        x = self.random.standard_normal((9, 10, 3))
        for q in [self.random.uniform(-2, 11, (2, 4, 5)), self.random.uniform(-2, 11, (2, 4, 5)).astype("f4"), self.random.integers(0, 9, (2, 4, 5)).astype("i4")]:
            self.save("q.npy", q)
            got = self.resample(x, "--coordinates", "q.npy", "--axes", "0,1", "--boundary", "symmetric")
            for c in range(3):
                np.testing.assert_allclose(got[..., c], ndimage.map_coordinates(x[..., c], q, order=1, mode="reflect"), atol=1e-6)
        self.save("q.npy", np.array([[0.5, 1], [2, 3], [1, 1]]))
        np.testing.assert_allclose(self.resample(x, "--coordinates", "q.npy"), [(x[0, 2, 1] + x[1, 2, 1]) / 2, x[1, 3, 1]])

    def test_pictures_channel_by_channel(self):
        try:
            from PIL import Image
        except ImportError:
            self.skipTest("Pillow is not installed")
        for shape in [(40, 50), (40, 50, 3), (33, 17, 4)]:
            picture = self.random.integers(0, 256, shape, np.uint8)
            Image.fromarray(picture).save(self.path("in.png"))
            self.crinkle("resample", "in.png", "out.png", "--rotate", "20", "--boundary", "constant:255", "--force")
            want = rounded(ndimage.rotate(picture.astype(float), 20, order=1, mode="grid-constant", cval=255))
            got = np.asarray(Image.open(self.path("out.png"))).astype(int)
            self.assertEqual(got.shape, want.shape)
            self.assertLessEqual(np.abs(got - want).max(), 1)  # a half may be rounded either way
            self.assertLess((got != want).mean(), 0.001)

    def test_polar_there_and_back(self):
        y, x = np.mgrid[:61, :71]
        picture = np.exp(-((y - 33.0) ** 2 + (x - 40.0) ** 2) / 200)
        self.save("in.npy", picture)
        for words in [("--polar",), ("--log-polar",)]:
            options = (*words, "--radius", "28", "--by", "cubic", "--force", "--centre", "30,35")
            facts = json.loads(self.crinkle("resample", "in.npy", "polar.npy", *options, "--size", "300,200", "--json"))
            self.assertEqual((facts["shape"], facts["polar"]["centre"], facts["boundary"]), ([300, 200], [30, 35], ["constant", "constant"]))
            facts = json.loads(self.crinkle("resample", "polar.npy", "back.npy", *options, "--inverse", "--size", "61,71", "--json"))
            self.assertEqual(facts["boundary"], ["periodic", "constant"])
            radius = np.hypot(y - 30, x - 35)
            is_seen = (radius > 3) & (radius < 27)
            np.testing.assert_allclose(self.load("back.npy")[is_seen], picture[is_seen], atol=2e-3)
        self.assertEqual(self.resample(picture, "--polar").shape, (360, 47))
        self.save("in.npy", self.load("out.npy"))
        self.crinkle("resample", "in.npy", "out.npy", "--polar", "--inverse", "--force")
        self.assertEqual(self.load("out.npy").shape, (95, 95))

    def test_volumes_keep_their_place(self):
        try:
            import nibabel
        except ImportError:
            self.skipTest("nibabel is not installed")
        affine = np.array([[-2, 0.3, 0, 40], [0.2, 1.5, 0.1, -30], [0, -0.2, 3, 15], [0, 0, 0, 1.0]])
        spacing = np.sqrt((affine[:3, :3] ** 2).sum(0))
        # A plane in millimetres, which interpolation keeps: every voxel says where it lies.
        where = lambda affine, shape: np.moveaxis(np.indices(shape), 0, -1) @ affine[:3, :3].T + affine[:3, 3]
        volume = (where(affine, (24, 20, 12)) @ [0.5, -1, 2]).astype("f4")
        image = nibabel.Nifti1Image(volume, affine)
        image.header.set_xyzt_units("mm", "sec")
        nibabel.save(image, self.path("in.nii.gz"))
        for options, want in [(("--spacing", "1mm"), (1, 1, 1)), (("--spacing", "4mm,2mm,1mm"), (1, 2, 4)), (("--zoom", "2"), spacing / 2),
                              (("--size", "z=12,y=30"), (spacing[0], spacing[1] * 20 / 30, spacing[2])), (("--size", "6", "--axes", "x"), (spacing[0] * 4, *spacing[1:]))]:
            for name in ["out.nii", "out.nii.gz"]:
                self.crinkle("resample", "in.nii.gz", name, *options, "--force")
                got = nibabel.load(self.path(name))
                with self.subTest(options=options):
                    np.testing.assert_allclose(got.header.get_zooms(), want, rtol=1e-5)
                    np.testing.assert_allclose(nibabel.affines.voxel_sizes(got.affine), want, rtol=1e-5)
                    self.assertEqual(got.header.get_xyzt_units(), ("mm", "sec"))
                    inside = (slice(2, -3),) * 3 if options[0] != "--size" else (slice(1, -2),) * 3
                    np.testing.assert_allclose(np.asarray(got.dataobj)[inside], (where(got.affine, got.shape) @ [0.5, -1, 2])[inside], atol=2e-3)
        self.crinkle("resample", "in.nii.gz", "time.nii", "--spacing", "2mm", "--force", "--axes", "x")
        self.refused(wrong, "resample", "in.nii.gz", "x.nii", "--spacing", "2", says="1mm")

    def test_what_cannot_be_done_is_refused(self):
        self.save("in.npy", np.zeros((6, 7), "f4"))
        self.save("cube.npy", np.zeros((3, 4, 5), "f4"))
        self.save("complex.npy", np.zeros((6, 7), "c8"))
        self.save("short.npy", np.zeros((6, 7), "<i2"))
        self.save("q.npy", np.zeros((3, 4)))
        for name, options, says in [
                ("in.npy", (), "--zoom 2"), ("in.npy", ("--zoom", "2", "--rotate", "3"), "one of"), ("in.npy", ("--zoom", "2", "--size", "3,3"), "--size"),
                ("in.npy", ("--zoom", "0"), "above 0"), ("in.npy", ("--zoom", "2,2,2"), "2 axes"), ("in.npy", ("--zoom", "x"), "no number"),
                ("in.npy", ("--zoom", "1e300"), "too_large"), ("in.npy", ("--size", "z=3"), "y, x"), ("in.npy", ("--size", "3"), "2 axes"),
                ("in.npy", ("--size", "0,3"), "1 or more"), ("cube.npy", ("--rotate", "3"), "--axes"), ("in.npy", ("--rotate", "nan"), "finite"),
                ("in.npy", ("--affine", "1,0;0,1"), "3"), ("in.npy", ("--affine", "1,0,0"), "has 3 numbers"), ("cube.npy", ("--affine", "1,0,0;0,1,0"), "3 axes"),
                ("in.npy", ("--affine", "1,0,inf;0,1,0"), "finite"), ("cube.npy", ("--polar",), "--axes"), ("in.npy", ("--polar", "--radius", "-1"), "above 0"),
                ("in.npy", ("--polar", "--centre", "3"), "two numbers"), ("in.npy", ("--rotate", "3", "--centre", "3,3"), "--polar"),
                ("in.npy", ("--log-polar", "--inverse"), "--radius"), ("in.npy", ("--coordinates", "q.npy"), "[2]"), ("in.npy", ("--coordinates", "none.npy"), "none.npy"),
                ("in.npy", ("--spacing", "1mm"), "in.npy"), ("in.npy", ("--zoom", "2", "--by", "best"), "nearest"), ("in.npy", ("--zoom", "2", "--boundary", "mirror"), "symmetric"),
                ("short.npy", ("--rotate", "5", "--boundary", "constant:1e9"), "int16, which goes from -32768 to 32767"),
                ("in.npy", ("--zoom", "2", "--boundary", "edge,edge,edge"), "2"), ("in.npy", ("--zoom", "2", "--axes", "z"), "0 (y), 1 (x)"),
                ("in.npy", ("--rotate", "3", "--keep", "centres"), "--zoom"), ("complex.npy", ("--zoom", "2"), "float32"), ("in.npy", ("--zoom", "2", "--dtype", "complex64"), "float32")]:
            with self.subTest(options=options):
                status = harness.failed if "none.npy" in options else wrong
                self.refused(status, "resample", name, "out.npy", *options, says=says)
        self.refused(wrong, "resample", "in.npy", "in.npy", "--zoom", "2", "--force", says="in.npy")

    def test_on_a_gpu_and_where_there_is_none(self):
        self.save("in.npy", self.random.random((30, 41)).astype("f4"))
        arguments = ("resample", "in.npy")
        self.crinkle(*arguments, "cpu.npy", "--rotate", "20", "--device", "cpu")
        if os.path.exists("/dev/nvidia0"):
            self.crinkle(*arguments, "gpu.npy", "--rotate", "20", "--device", "cuda")
            return self.assertEqual((self.folder / "gpu.npy").read_bytes(), (self.folder / "cpu.npy").read_bytes())
        has_cuda = b"with CUDA" in self.run_crinkle("--version").stdout
        self.refused(1 if has_cuda else 2, *arguments, "out.npy", "--rotate", "20", "--device", "cuda", says=["CUDA device", "device: " if has_cuda else "unsupported: "])


if __name__ == "__main__":
    harness.main()
