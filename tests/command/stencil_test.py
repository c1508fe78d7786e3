# crinkle stencil: against scipy.ndimage where the sums are the same, every file type, and what is refused.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import os
import struct
import sys

import numpy as np

from harness import CommandTest, wrong

try:
    from scipy import ndimage
except ImportError:
    print("skipped: SciPy is not installed")
    sys.exit(77)

# NumPy's words, which are crinkle's, and SciPy's.
modes = {"periodic": "wrap", "edge": "nearest", "reflect": "mirror", "symmetric": "reflect", "constant:2.5": "constant"}


def rounded(values, dtype):
    limits = np.iinfo(dtype)
    return np.clip(np.rint(values), limits.min, limits.max).astype(dtype)


class Stencils(CommandTest):
    def stencil(self, *arguments):
        self.crinkle("stencil", *arguments, "--force")

    def swept(self, words, array, *options):
        self.save("in.npy", array)
        self.stencil(words, "in.npy", "out.npy", *options)
        return self.load("out.npy")

    def test_weights_in_a_file_are_scipys_correlate_and_convolve_bit_for_bit(self):
        for shape, extents in [((37, 53), (3, 5)), ((41,), (7,)), ((9, 11, 13), (3, 2, 4)), ((5, 4, 6, 3), (3, 3, 1, 2)), ((3, 2), (5, 5))]:
            array, weights = self.random.standard_normal(shape), self.random.standard_normal(extents)
            self.save("weights.npy", weights)
            for boundary, mode in modes.items():
                with self.subTest(shape=shape, boundary=boundary):
                    if mode == "wrap" and any(e > 2 * n for e, n in zip(extents, shape)):
                        continue
                    options = ("--boundary", boundary, "--threads", int(self.random.integers(0, 4)))
                    np.testing.assert_array_equal(self.swept("array:weights.npy", array, *options), ndimage.correlate(array, weights, mode=mode, cval=2.5))
                    np.testing.assert_array_equal(self.swept("convolve:weights.npy", array, *options), ndimage.convolve(array, weights, mode=mode, cval=2.5))

    def test_weights_in_a_file_are_of_any_type_of_real_numbers(self):
        array, plain = self.random.standard_normal((20, 30)), np.array([[0, 1, 0], [1, 0, 3], [2, 1, 0]])
        for dtype in ["?", "u1", ">i2", "<u4", "<i8", ">u8", "<f2", "<f4", ">f8"]:
            weights = (plain > 0 if dtype == "?" else plain).astype(dtype)
            self.save("weights.npy", weights)
            np.testing.assert_array_equal(self.swept("array:weights.npy", array, "--boundary", "edge"), ndimage.correlate(array, weights.astype(float), mode="nearest"))
        for wrong_weights, says in [(plain.astype("c8"), "complex64"), (plain.astype("S3"), "S3"), (np.array(["a"] * 3), "U1"), (plain[0], ["rank 1", "y, x", "--axes"]),
                                    (np.zeros((0, 3)), ["[0][3]", "one or more"]), (np.array([[1, np.nan]]), "nan"), (np.ones((1,) * 9), "rank 9")]:
            with self.subTest(says=says):
                self.save("weights.npy", wrong_weights)
                for word in ["array:", "convolve:"]:
                    self.refused(wrong, "stencil", word + "weights.npy", "in.npy", "x.npy", says=["weights.npy: ", *([says] if isinstance(says, str) else says)], lines=1)
        self.refused(1, "stencil", "array:nowhere.npy", "in.npy", "x.npy", says="nowhere.npy")

    def test_bool_is_read_and_64_bits_are_rounded_to_float64(self):
        mask = self.random.integers(0, 2, (20, 30)).astype(bool)
        np.testing.assert_allclose(self.swept("average", mask, "--boundary", "edge", "--dtype", "float64"), ndimage.uniform_filter(mask.astype(float), 3, mode="nearest"), atol=1e-15)
        self.refused(wrong, "stencil", "average", "in.npy", "x.npy", says=["x.npy: ", "bool", "--dtype"])
        for dtype in ["<i8", ">u8"]:
            limits, array = np.iinfo(dtype), self.random.integers(0, 1 << 40, (20, 30)).astype(dtype)
            got = self.swept("array:[[1,-4,0.5]]", array, "--boundary", "edge")
            self.assertEqual(got.dtype, np.dtype(dtype))
            want = ndimage.correlate(array.astype(float), [[1, -4, 0.5]], mode="nearest")
            np.testing.assert_array_equal(got, np.maximum(np.rint(want), limits.min).astype(dtype))
            array[:2, :2] = [[limits.max, limits.min], [(1 << 53) + 1, limits.max // 2]]
            self.assertEqual(self.swept("array:[[2]]", array)[:2, :2].tolist(), [[limits.max, limits.min], [1 << 54, limits.max if dtype == ">u8" else limits.max // 2 * 2 + 2 - 1]])

    def test_no_stencil_is_wider_than_the_array(self):
        self.save("in.npy", np.arange(30.0).reshape(3, 10))
        for words, options, says in [("gaussian:1", (), ["gaussian:1 reaches 4 cells along the axis y, which has 3", "--axes x"]), ("gaussian:0,3", (), ["12 cells along the axis x, which has 10", "--axes y"]),
                                     ("array:[1,2,3,4,5,6,7,8]", ("--axes", "y"), ["reaches 4", "axis y, which has 3"]), ("laplacian:8", ("--boundary", "periodic"), "reaches 4 cells"),
                                     ("average:4:star", ("--boundary", "constant:1"), "reaches 4 cells")]:
            with self.subTest(words=words):
                self.refused(wrong, "stencil", words, "in.npy", "x.npy", *options, says=says, lines=1)
        for words in ["laplacian:6", "gaussian:0.6", "average:3", "array:[[1],[2],[3],[4],[5],[6],[7]]"]:  # as far as there are cells
            for boundary in modes:
                self.stencil(words, "in.npy", "out.npy", "--boundary", boundary)
        self.save("in.npy", np.zeros((3, 0)))
        self.stencil("gaussian:1", "in.npy", "out.npy")

    def test_integers_are_rounded_and_saturated(self):
        for dtype in ["u1", "i1", "<u2", ">i2", "<i4", ">u4"]:
            plain = np.dtype(dtype).newbyteorder("=")
            limits = np.iinfo(plain)
            array = self.random.integers(limits.min, limits.max, (20, 30), plain, endpoint=True)
            weights = np.array([[0, -1, 0], [0.5, 2, 0.25], [0, 0, 0.3]])
            self.save("weights.npy", weights)
            got = self.swept("array:weights.npy", array.astype(dtype), "--boundary", "edge")
            self.assertEqual(got.dtype, np.dtype(dtype))
            np.testing.assert_array_equal(got, rounded(ndimage.correlate(array.astype(float), weights, mode="nearest"), plain))
            signed = self.swept("array:weights.npy", array.astype(dtype), "--boundary", "edge", "--dtype", "float64")
            np.testing.assert_array_equal(signed, ndimage.correlate(array.astype(float), weights, mode="nearest"))

    def test_the_named_stencils(self):
        array = self.random.standard_normal((30, 41))
        options = ("--boundary", "symmetric")
        close = lambda got, want: np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)
        close(self.swept("gaussian:1.7", array, *options), ndimage.gaussian_filter(array, 1.7))
        close(self.swept("gaussian:0,2", array, *options), ndimage.gaussian_filter(array, (0, 2)))
        close(self.swept("sobel:x", array, *options), ndimage.sobel(array, 1))
        close(self.swept("sobel:y", array, *options), ndimage.sobel(array, 0))
        np.testing.assert_array_equal(self.swept("sobel:0", array, *options), self.swept("sobel:y", array, *options))
        volume = self.random.standard_normal((4, 5, 6, 3, 2))
        np.testing.assert_array_equal(self.swept("gradient:3", volume, "--axes", "1,3"), ndimage.correlate1d(volume, [-0.5, 0, 0.5], 3, mode="mirror"))
        close(self.swept("laplacian:2", array, *options), ndimage.laplace(array))
        close(self.swept("average:2", array, *options), ndimage.uniform_filter(array, 5))
        close(self.swept("gradient:x", array, "--axes", "x"), ndimage.correlate1d(array, [-0.5, 0, 0.5], 1, mode="mirror"))
        close(self.swept("array:[[0,1,0],[1,-4,1],[0,1,0]]", array, *options), ndimage.laplace(array))

    def test_steps_are_repeated_single_steps(self):
        array = self.random.standard_normal((200, 150)).astype("f4")
        want = array
        for _ in range(7):
            want = self.swept("average:1:star", want, "--boundary", "periodic,edge/constant:3")
        self.assert_same(self.swept("average:1:star", array, "--steps", 7, "--boundary", "periodic,edge/constant:3"), want)

    def test_any_order_and_any_axes(self):
        array = self.random.standard_normal((6, 7, 8))
        for axes, sigma in [("z,x", (1, 0, 1)), ("1", (0, 1, 0)), ("-1,0", (1, 0, 1)), ("z,y,x", (1, 1, 1))]:
            for made in (array, np.asfortranarray(array), array.astype(">f8")):
                got = self.swept("gaussian:1", made, "--axes", axes, "--boundary", "symmetric")
                np.testing.assert_allclose(got, ndimage.gaussian_filter(array, sigma), rtol=1e-12)

    def test_pictures_are_blurred_channel_by_channel(self):
        try:
            from PIL import Image
        except ImportError:
            self.skipTest("Pillow is not installed")
        for shape in [(40, 50), (40, 50, 3), (33, 17, 4)]:
            picture = self.random.integers(0, 256, shape, np.uint8)
            Image.fromarray(picture).save(self.path("in.png"))
            self.stencil("gaussian:1.2", "in.png", "out.png", "--boundary", "symmetric")
            want = rounded(ndimage.gaussian_filter(picture.astype(float), (1.2, 1.2, 0)[: len(shape)]), np.uint8)
            got = np.asarray(Image.open(self.path("out.png")))
            self.assertLessEqual(np.abs(got.astype(int) - want).max(), 0)
        self.refused(wrong, "stencil", "sobel:c", "in.png", "x.png", says="--axes takes others, too: 2 (c)")
        self.assertIn(b"--dtype float32", self.run_crinkle("stencil", "sobel:x", "in.png", "out.png", "--force").stderr)
        grey = self.random.integers(0, 9, (3, 5), np.uint8)
        Image.fromarray(grey).save(self.path("weights.png"))
        array = self.random.standard_normal((20, 30))
        np.testing.assert_array_equal(self.swept("array:weights.png", array, "--boundary", "edge"), ndimage.correlate(array, grey.astype(float), mode="nearest"))

    def test_volumes_are_smoothed_in_millimetres(self):
        try:
            import nibabel
        except ImportError:
            self.skipTest("nibabel is not installed")
        volume = self.random.standard_normal((12, 10, 8, 2)).astype("f4")
        image = nibabel.Nifti1Image(volume, np.diag([2, 1.25, 3, 1]))
        image.header.set_xyzt_units("mm", "sec")
        for name in ["out.nii", "out.nii.gz"]:
            nibabel.save(image, self.path("in.nii.gz"))
            self.stencil("gaussian:2.5mm", "in.nii.gz", name, "--boundary", "symmetric")
            got = nibabel.load(self.path(name))
            self.assertTrue(np.array_equal(got.affine, image.affine))
            want = ndimage.gaussian_filter(volume.astype(float), (1.25, 2, 2.5 / 3, 0))
            np.testing.assert_allclose(np.asarray(got.dataobj), want, atol=1e-6)
        self.stencil("gaussian:1mm,2.5mm", "in.nii.gz", "out.nii", "--boundary", "symmetric", "--axes", "z,x")
        np.testing.assert_allclose(np.asarray(nibabel.load(self.path("out.nii")).dataobj), ndimage.gaussian_filter(volume.astype(float), (1.25, 0, 1 / 3, 0)), atol=1e-6)
        self.refused(wrong, "stencil", "gaussian:2mm", "in.nii.gz", "x.nii", "--axes", "t", says="millimetres")

    def test_an_intercept_is_as_often_in_a_sum_as_its_weights(self):
        volume = self.random.integers(0, 3000, (7, 8, 9)).astype("f4")
        self.save("in.npy", volume)
        self.crinkle("move", "z y x -> z y x", "in.npy", "in.nii", "--force")
        raw = bytearray((self.folder / "in.nii").read_bytes())
        raw[112:120] = struct.pack("<2f", 2, -1024)
        (self.folder / "in.nii").write_bytes(raw)
        meant = 2.0 * volume - 1024
        along = np.zeros((3, 3, 3))
        along[1, 1] = [1, 1, 1]
        for words, options, want in [("sobel:x", [], ndimage.sobel(meant, 2, mode="mirror")), ("laplacian", [], ndimage.laplace(meant, mode="mirror")),
                                     ("average:1", [], ndimage.uniform_filter(meant, 3, mode="mirror")),
                                     ("array:[[[1,1,1]]]", ["--steps", "2"], ndimage.correlate(ndimage.correlate(meant, along, mode="mirror"), along, mode="mirror"))]:
            self.stencil(words, "in.nii", "out.nii", *options)
            raw = (self.folder / "out.nii").read_bytes()
            slope, intercept, start = *struct.unpack("<2f", raw[112:120]), int(struct.unpack("<f", raw[108:112])[0])
            got = slope * np.frombuffer(raw, "f4", volume.size, start).reshape(volume.shape).astype(float) + intercept
            np.testing.assert_allclose(got, want, atol=1e-2, err_msg=words)

    def test_raw_files_and_streams(self):
        array = self.random.integers(0, 256, (9, 13), np.uint8)
        want = rounded(ndimage.uniform_filter(array.astype(float), 3, mode="mirror"), np.uint8)
        for shape in [("--shape", "[9][13][uint8]"), ("--shape", "9,13", "--dtype", "uint8")]:
            got = self.crinkle("stencil", "average", "-", "-", *shape, stdin=array.tobytes())
            np.testing.assert_array_equal(np.frombuffer(got, np.uint8).reshape(9, 13), want)
        got = self.crinkle("stencil", "laplacian", "-", "-", "--shape", "[9][13][uint8]", "--dtype", "float32", stdin=array.tobytes())
        np.testing.assert_array_equal(np.frombuffer(got, "f4").reshape(9, 13), ndimage.laplace(array.astype("f4"), mode="mirror"))

    def test_explain_says_what_is_passed_over(self):
        self.save("in.npy", np.zeros((64, 64), "f4"))
        result = self.run_crinkle("stencil", "laplacian:8", "in.npy", "out.npy", "--explain")
        self.assertEqual(result.returncode, 0)
        for word in ["laplacian:8", "64 x 64 cells", "17 points", "float32"]:
            self.assertIn(word, result.stderr.decode())

    def test_a_gaussian_by_its_full_width_at_half_maximum(self):
        self.save("in.npy", self.random.random((30, 40)))
        sigma = 1 / (2 * np.sqrt(2 * np.log(2)))
        self.crinkle("stencil", "gaussian:3,4:fwhm", "in.npy", "out.npy")
        np.testing.assert_allclose(self.load("out.npy"), ndimage.gaussian_filter(self.load("in.npy"), (3 * sigma, 4 * sigma), mode="mirror"), rtol=1e-12)
        self.refused(wrong, "stencil", "gaussian:3:fmhw", "in.npy", "no.npy", says=["'fmhw'", "gaussian:8mm:fwhm"])
        self.refused(wrong, "stencil", "gaussian:3:fwhm:2", "in.npy", "no.npy", says="one word too many")
        self.refused(wrong, "stencil", "gaussian:fwhm", "in.npy", "no.npy", says="'fwhm' is no sigma")

    def test_what_cannot_be_done_is_refused(self):
        self.save("in.npy", np.zeros((6, 7), "f4"))
        self.save("complex.npy", np.zeros((6, 7), "c8"))
        self.save("five.npy", np.zeros((3,) * 5))
        self.save("records.npy", np.zeros(3, [("a", "f4"), ("b", "i2")]))
        for arguments, says in [(("laplacan", "in.npy"), ["did you mean laplacian?", "gaussian:SIGMA", "array:WEIGHTS and convolve:WEIGHTS"]), (("laplacian:3", "in.npy"), "2, 4, 6 and 8"),
                                (("gradient:z", "in.npy"), "0 (y), 1 (x)"), (("sobel", "in.npy"), "0 (y), 1 (x)"), (("gaussian:1mm,2", "in.npy"), "behind all of them"),
                                (("average", "five.npy", "--axes", "w"), "0, 1 (t), 2 (z), 3 (y), 4 (x)"), (("sobel:w", "five.npy"), "the axes are 0, "),
                                (("average", "five.npy", "--axes", "5"), "0, 1 (t), 2 (z)"), (("gaussian:2mm", "in.npy"), "cells"), (("average", "in.npy", "--boundary", "mirror"), "symmetric"),
                                (("average", "in.npy", "--boundary", "edge,edge,edge"), "2"), (("average", "in.npy", "--boundary", "edge/periodic"), "joins both ends"),
                                (("average", "in.npy", "--boundary", "edge/wrap"), "did you mean periodic?"), (("average", "in.npy", "--boundary", "refelct"), "did you mean reflect?"),
                                (("average:1000000000000", "in.npy"), "from 0 to"), (("sobel:x", "in.npy", "--axes", "0"), "--axes takes others, too: 1 (x)"),
                                (("average", "records.npy"), ["records.npy: has records", "crinkle records"]), (("array:records.npy", "in.npy"), "records.npy: has records"),
                                (("average", "in.npy", "--axes", "z"), "0 (y), 1 (x)"), (("average", "in.npy", "--axes", "x,1"), "twice"),
                                (("array", "in.npy"), "array:w.npy, or lists"), (("convolve:", "in.npy"), "convolve:w.npy, or lists"), (("array:[1,2,1]", "in.npy"), "rank 1"), (("array:[[1,2],[3]]", "in.npy"), "equal length"), (("average", "complex.npy"), "float32"),
                                (("average", "in.npy", "--steps", 0), "1 or more"), (("average", "in.npy", "--threads", -1), "threads")]:
            with self.subTest(arguments=arguments):
                self.refused(wrong, "stencil", *arguments[:2], "out.npy", *arguments[2:], says=says)
        self.refused(wrong, "stencil", "average", "in.npy", "in.npy", "--force", says="in.npy")
        self.save("short.npy", np.zeros((6, 7), "<i2"))
        for boundary in ["constant:1e9", "constant:-32769", "edge,constant:nan", "edge/constant:inf"]:  # which no element can be
            self.refused(wrong, "stencil", "average", "short.npy", "out.npy", "--boundary", boundary, says=["--boundary constant:", "int16, which goes from -32768 to 32767", "--dtype float32"])
            self.crinkle("stencil", "average", "short.npy", "wide.npy", "--boundary", boundary, "--dtype", "float32", "--force")

    def test_on_a_gpu_and_where_there_is_none(self):
        np.save(self.folder / "in.npy", np.random.default_rng(7).random((30, 41)).astype("f4"))
        arguments = ("stencil", "laplacian:4", "in.npy")
        self.crinkle(*arguments, "cpu.npy", "--steps", 3, "--device", "cpu")
        self.refused(wrong, *arguments, "out.npy", "--device", "tpu", says=["auto, cpu"])
        if os.path.exists("/dev/nvidia0"):
            self.crinkle(*arguments, "gpu.npy", "--steps", 3, "--device", "cuda")
            return self.assertEqual((self.folder / "gpu.npy").read_bytes(), (self.folder / "cpu.npy").read_bytes())
        has_cuda = b"with CUDA" in self.run_crinkle("--version").stdout
        self.refused(1 if has_cuda else 2, *arguments, "out.npy", "--device", "cuda", says=["CUDA device", "device: " if has_cuda else "unsupported: "])


if __name__ == "__main__":
    harness.main()
