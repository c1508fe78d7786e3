# crinkle resample to smaller arrays: kernels that grow against sums written out, notes where elements are skipped, and what is refused.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json

import numpy as np

from harness import CommandTest, wrong


def covered(n, m):
    """[m][n]: how much of each of n cells each of m equal parts of them covers, of 1."""
    edges = np.arange(m + 1) * n / m
    low, high = np.maximum(edges[:-1, None], np.arange(n)), np.minimum(edges[1:, None], np.arange(n) + 1)
    return np.maximum(high - low, 0)


def weights(n, m, kernel, radius):
    """[m][n]: of a kernel that grows with n / m, divided by their sum."""
    scale = max(1, n / m)
    x = np.abs(np.arange(n) - ((np.arange(m)[:, None] + 0.5) * n / m - 0.5)) / scale
    w = np.where(x < radius, kernel(x), 0)
    return w / w.sum(1, keepdims=True)


kernels = {"linear": (lambda x: 1 - x, 1), "cubic": (lambda x: np.where(x < 1, 1.5 * x**3 - 2.5 * x**2 + 1, -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2), 2),
           "lanczos": (lambda x: np.sinc(x) * np.sinc(x / 3), 3)}


class Shrinking(CommandTest):
    def resample(self, array, *options):
        self.save("in.npy", array)
        told = self.run_crinkle("resample", "in.npy", "out.npy", "--force", *options)
        self.assertEqual(told.returncode, 0, told.stderr)
        self.told = told.stderr.decode()
        return self.load("out.npy")

    def test_kernels_grow_with_the_scale(self):
        for shape, wanted in [((60, 80), (20, 20)), ((61, 47), (9, 30)), ((30, 20), (40, 7)), ((7, 200), (1, 1))]:
            size = f"{wanted[0]},{wanted[1]}"
            x = self.random.standard_normal(shape)
            for by, (kernel, radius) in kernels.items():
                want = weights(shape[0], wanted[0], kernel, radius) @ x @ weights(shape[1], wanted[1], kernel, radius).T
                options = ["--by", by, *(["--antialias"] if by != "lanczos" else []), "--size", size, "--verify", "--threads", int(self.random.integers(1, 4))]
                np.testing.assert_allclose(self.resample(x, *options), want, atol=1e-12)
                np.testing.assert_allclose(self.resample(x.astype("f4"), *options), want, atol=2e-5)
                self.assertEqual(self.told, "")
            rows, columns = covered(shape[0], wanted[0]), covered(shape[1], wanted[1])
            for by in ["area", "average"]:
                np.testing.assert_allclose(self.resample(x, "--by", by, "--size", size), rows @ x @ columns.T / (rows.sum(1)[:, None] * columns.sum(1)), atol=1e-12)
            classes = self.random.integers(0, 3, shape, np.uint8)
            areas = np.array([rows @ (classes == k) @ columns.T for k in range(3)])
            got = self.resample(classes, "--by", "mode", "--size", size, "--verify")
            its = np.take_along_axis(areas, got[None].astype(int), 0)[0]
            self.assertTrue((its >= areas.max(0) - 1e-9).all())
            self.assertTrue((got == (areas > areas.max(0) - 1e-9).argmax(0)).mean() > 0.9)  # of several the smallest, but for roundings of areas
        self.assertEqual(self.resample(np.array([[9, 7, 2, 1], [9, 7, 1, 2]], np.uint8), "--by", "mode", "--zoom", "0.5").tolist(), [[7, 1]])

    def test_pictures_are_averaged_channel_by_channel(self):
        x = self.random.integers(0, 256, (40, 60, 3), np.uint8)
        want = np.rint(x.reshape(10, 4, 15, 4, 3).mean((1, 3)))
        np.testing.assert_array_equal(self.resample(x, "--by", "area", "--zoom", "0.25", "--axes", "0,1"), want)
        facts = json.loads(self.crinkle("resample", "in.npy", "out.npy", "--by", "average", "--zoom", "0.25", "--axes", "0,1", "--force", "--json"))
        self.assertEqual((facts["by"], "boundary" in facts), ("area", False))
        facts = json.loads(self.crinkle("resample", "in.npy", "out.npy", "--antialias", "--zoom", "0.25", "--axes", "0,1", "--force", "--json"))
        self.assertEqual((facts["by"], facts["antialias"]), ("linear", True))

    def test_part_by_part(self):
        x = self.random.random((300, 40)).astype("f4")
        self.save("in.npy", x)
        for words in [["--antialias"], ["--by", "cubic", "--antialias"], ["--by", "lanczos"], ["--by", "area"], ["--by", "mode"]]:
            self.crinkle("resample", "in.npy", "whole.npy", "--size", "50,11", *words, "--force")
            self.crinkle("resample", "in.npy", "parts.npy", "--size", "50,11", *words, "--memory", "8K", "--force")
            self.assertEqual((self.folder / "whole.npy").read_bytes(), (self.folder / "parts.npy").read_bytes(), words)

    def test_a_result_that_skips_elements_is_told(self):
        x = self.random.random((64, 64))
        for options, says in [(["--zoom", "0.25"], ["4 elements apart", "--antialias or --by area"]), (["--zoom", "0.5,1", "--by", "nearest"], ["2 elements apart", "--by mode"]),
                              (["--zoom", "0.2", "--by", "cubic"], ["4.92308", "--antialias"]), (["--size", "64,8", "--by", "spline"], ["8 elements", "--by lanczos"])]:
            self.resample(x, *options)
            self.assertEqual(self.told.count("crinkle: note: "), 1, self.told)
            for text in ["elements are skipped", *says]:
                self.assertIn(text, self.told)
        for options in [["--zoom", "0.5"], ["--zoom", "0.25", "--by", "cubic"], ["--zoom", "2", "--by", "nearest"], ["--rotate", "30"], ["--zoom", "0.01", "--by", "area"],
                        ["--zoom", "0.1", "--antialias"]]:
            self.resample(x, *options)
            self.assertNotIn("skipped", self.told)

    def test_outside_there_is_nodata(self):
        got = self.resample(np.ones((8, 8)), "--affine", "2,0,-3.5;0,2,0.5", "--by", "area", "--size", "6,4", "--nodata", "-9")
        np.testing.assert_array_equal(got, np.repeat([[-9.0], [-9], [1], [1], [1], [1]], 4, 1))
        self.assertEqual(self.told, "")

    def test_what_cannot_be_done_is_refused(self):
        self.save("in.npy", np.zeros((16, 16), "f4"))
        self.save("q.npy", np.zeros((2, 4)))
        for options, says in [
                (["--zoom", "0.1", "--by", "nearest", "--antialias"], ["nearest", "linear and cubic"]), (["--zoom", "0.1", "--by", "spline", "--antialias"], "spline"),
                (["--rotate", "30", "--antialias"], "shrink by a zoom first"), (["--polar", "--by", "area"], "area"), (["--coordinates", "q.npy", "--by", "mode"], "mode"),
                (["--affine", "0,2,0;2,0,0", "--by", "lanczos"], "lanczos"), (["--affine", "2,0,0;0,0,0", "--by", "area"], "a scale of 0"),
                (["--zoom", "0.1", "--by", "area", "--boundary", "reflect"], "edge or periodic"), (["--zoom", "0.1", "--antialias", "--boundary", "constant:0"], "leave it out"),
                (["--affine", "200,0,0;0,2,0", "--by", "area", "--boundary", "periodic"], "more than 8 times"), (["--zoom", "0.1", "--by", "box"], "area, average, mode or lanczos"),
                (["--zoom", "0.1", "--by", "mean"], "average"), (["--zoom", "0.1", "--antialias=no"], "takes no value")]:
            with self.subTest(options=options):
                self.refused(wrong, "resample", "in.npy", "out.npy", *options, says=says)


if __name__ == "__main__":
    harness.main()
