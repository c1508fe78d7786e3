# crinkle pairs: distances against SciPy and plain NumPy, collisions, triplets, and what is refused.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json
import os
import pty
import subprocess
import unittest

import numpy as np

from harness import CommandTest

try:
    from scipy.spatial import distance
except ImportError:
    distance = None

metrics = ["euclidean", "sqeuclidean", "manhattan", "cityblock", "chebyshev", "cosine"]


def naive(points, metric):
    """All n × n distances in float64."""
    x = points.astype(np.float64)
    d = np.abs(x[:, None, :] - x[None, :, :])
    if metric == "cosine":
        with np.errstate(invalid="ignore"):
            return 1 - x @ x.T / np.sqrt(np.outer((x * x).sum(1), (x * x).sum(1)))
    return {"euclidean": lambda: np.sqrt((d * d).sum(2)), "sqeuclidean": lambda: (d * d).sum(2), "chebyshev": lambda: d.max(2)}.get(metric, lambda: d.sum(2))()


def colliding(spheres):
    x, r = spheres[:, :-1], spheres[:, -1]
    d = ((x[:, None, :] - x[None, :, :]) ** 2).sum(2)
    return np.argwhere(np.triu(d <= (r[:, None] + r[None, :]) ** 2, 1))


class Pairs(CommandTest):
    def points(self, n, n_features, dtype="<f4"):
        return (self.random.random((n, n_features)) - 0.3).astype(dtype)

    def assert_near(self, got, want, message=""):
        self.assertEqual(got.shape, want.shape, message)
        np.testing.assert_allclose(got, want, rtol=1e-5 if got.itemsize == 4 else 1e-12, atol=1e-6 if got.itemsize == 4 else 1e-13, err_msg=message)

    def test_distances_of_every_metric_and_form(self):
        for n, n_features, dtype in [(23, 4, "<f4"), (16, 3, "<f8"), (1, 2, "<f4"), (0, 2, "<f8"), (2, 9, "<f8")]:
            points = self.points(n, n_features, dtype)
            self.save("in.npy", points)
            lower, upper = np.tril_indices(n), np.triu_indices(n, 1)
            for metric in metrics:
                square = naive(points, metric)
                np.fill_diagonal(square, 0)
                wanted = {"condensed": square[upper], "packed-lower": square.T[np.triu_indices(n)], "packed-upper": square[lower], "square": square}
                for form, want in wanted.items():
                    self.crinkle("pairs", "distance", "in.npy", "out.npy", "--metric", metric, "--output", form, "--force", "--verify")
                    got = self.load("out.npy")
                    self.assertEqual(got.dtype, np.dtype(dtype))
                    self.assert_near(got, want, f"{n} points, {metric}, {form}")
                self.crinkle("pairs", "distance", "in.npy", "out.npy", "--metric", metric, "--output", "rfp", "--force", "--verify")
                self.assertEqual(self.load("out.npy").shape, (n * (n + 1) // 2,))
        self.save("in.npy", np.array([[0.0], [1], [3], [7]]))
        self.crinkle("pairs", "distance", "in.npy", "out.npy", "--output", "rfp", "--force")
        self.assertEqual(self.load("out.npy").tolist(), [0, 0, 1, 3, 7, 4, 0, 0, 2, 6])  # LAPACK's dtpttf, lower, "N"

    @unittest.skipIf(distance is None, "SciPy is not installed")
    def test_distances_are_those_of_scipy(self):
        points = self.points(60, 5, "<f8")
        self.save("in.npy", points)
        for metric in metrics:
            self.crinkle("pairs", "distance", "in.npy", "out.npy", "--metric", metric, "--force")
            self.assert_near(self.load("out.npy"), distance.pdist(points, "cityblock" if metric == "manhattan" else metric), metric)
        points[7] = 0
        self.save("in.npy", points)
        self.crinkle("pairs", "distance", "in.npy", "out.npy", "--metric", "cosine", "--force")
        self.assert_same(np.isnan(self.load("out.npy")), np.isnan(distance.pdist(points, "cosine")))

    def sizes(self, dtype):
        """Powers of two: multiplied by them, numbers keep their digits."""
        return [2.0**e for e in ([-120, -83, -63, 63, 83, 120] if dtype == "<f4" else [-1000, -664, -500, 500, 664, 1000])]

    @unittest.skipIf(distance is None, "SciPy is not installed")
    def test_distances_of_points_of_any_size(self):
        for dtype in ["<f4", "<f8"]:
            points = self.points(30, 5, dtype)
            for metric in metrics:
                plain = distance.pdist(points.astype(float), "cityblock" if metric == "manhattan" else metric)
                for size in self.sizes(dtype):
                    self.save("in.npy", points * np.array(size, dtype))
                    self.crinkle("pairs", "distance", "in.npy", "out.npy", "--metric", metric, "--force", "--verify")
                    with np.errstate(over="ignore", under="ignore"):  # a square that the type does not have
                        want = (plain * {"cosine": 1.0, "sqeuclidean": size}.get(metric, size) * (size if metric == "sqeuclidean" else 1)).astype(dtype)
                    got = self.load("out.npy")
                    near = {"rtol": 1e-5, "atol": np.finfo(dtype).smallest_subnormal * 5} if dtype == "<f4" else {"rtol": 1e-12, "atol": 0}
                    np.testing.assert_allclose(got, want, err_msg=f"{metric} of {dtype} at {size}", **near)

    def test_float32_points_as_far_apart_as_squares_are_not(self):
        for size in [1e25, 1e-25]:
            self.save("in.npy", np.array([[0], [size]], "<f4"))
            self.crinkle("pairs", "distance", "in.npy", "out.npy", "--force", "--verify")
            self.assert_same(self.load("out.npy"), np.array([size], "<f4"))
            for radius, n in [(0.4 * size, b"0\n"), (0.6 * size, b"1\n")]:
                self.save("radii.npy", np.full(2, radius, "<f4"))
                self.assertEqual(self.crinkle("pairs", "collide", "in.npy", "--radii", "radii.npy"), n, size)

    def test_collisions_and_energies_of_any_size(self):
        for dtype in ["<f4", "<f8"]:
            spheres = self.points(40, 4, dtype)
            spheres[:, 3] = np.abs(spheres[:, 3]) * 0.2
            spheres[::7, 3] = 0
            want = colliding(spheres).tolist()
            self.save("in.npy", spheres[:, :3])
            energy = float(self.crinkle("pairs", "triplet", "in.npy"))
            for size in self.sizes(dtype):
                self.save("in.npy", spheres * np.array(size, dtype))
                self.crinkle("pairs", "collide", "in.npy", "out.npy", "--force", "--verify")
                self.assertEqual(self.load("out.npy").tolist(), want, size)
                if abs(np.log2(size)) < 100:
                    self.save("in.npy", spheres[:, :3] * np.array(size, dtype))
                    self.assertEqual(float(self.crinkle("pairs", "triplet", "in.npy")), energy * size**-9.0, size)
        self.save("in.npy", np.array([[0, 1], [1, 2e38]], "<f4"))
        self.refused(2, "pairs", "collide", "in.npy", says=["too_large", "radius 1 is 2e+38", "give larger units"], lines=1)

    def test_points_in_any_order_of_bytes_and_axes(self):
        points = self.points(20, 3, "<f8")
        self.save("in.npy", points)
        self.crinkle("pairs", "distance", "in.npy", "want.npy")
        for name, array in [("fortran", np.asfortranarray(points)), ("big", points.astype(">f8")), ("both", np.asfortranarray(points.astype(">f8")))]:
            self.save(name + ".npy", array)
            self.crinkle("pairs", "distance", name + ".npy", "out.npy", "--force")
            self.assert_same(self.load("out.npy"), self.load("want.npy"), name)
        self.save("line.npy", points[:, 0])
        self.crinkle("pairs", "distance", "line.npy", "out.npy", "--metric", "manhattan", "--force")
        self.assert_near(self.load("out.npy"), naive(points[:, :1], "manhattan")[np.triu_indices(20, 1)])

    def test_raw_output(self):
        points = self.points(9, 2)
        self.save("in.npy", points)
        self.crinkle("pairs", "distance", "in.npy", "want.npy")
        self.crinkle("pairs", "distance", "in.npy", "out.raw", "--threads", "3")
        self.assertEqual((self.folder / "out.raw").read_bytes(), self.load("want.npy").tobytes())
        self.assertEqual(self.crinkle("pairs", "distance", "in.npy", "-"), self.load("want.npy").tobytes())

    def test_collisions(self):
        for n, dims, dtype in [(80, 1, "<f8"), (80, 2, "<f4"), (80, 3, ">f8"), (1, 3, "<f4"), (0, 1, "<f8")]:
            spheres = self.points(n, dims + 1, dtype)
            spheres[:, -1] = np.abs(spheres[:, -1]) * 0.2
            want = colliding(spheres)
            self.save("in.npy", spheres)
            self.assertEqual(self.crinkle("pairs", "collide", "in.npy"), b"%d\n" % len(want))
            self.crinkle("pairs", "collide", "in.npy", "out.npy", "--force", "--verify")
            got = self.load("out.npy")
            self.assertEqual((got.dtype, got.shape), (np.dtype("<i8"), (len(want), 2)))
            self.assertEqual(got.tolist(), want.tolist())
            if n > 0:
                self.save("centres.npy", spheres[:, :-1])
                self.save("radii.npy", spheres[:, -1])
                self.assertEqual(self.crinkle("pairs", "collide", "centres.npy", "--radii", "radii.npy"), b"%d\n" % len(want))

    def test_triplets(self):
        self.save("in.npy", np.eye(3))
        self.assertAlmostEqual(float(self.crinkle("pairs", "triplet", "in.npy")), 1.375 / 2**4.5, 14)
        self.save("in.npy", np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0]], "<f4"))
        self.assertEqual(float(self.crinkle("pairs", "triplet", "in.npy")), -0.25)
        self.save("in.npy", np.zeros((2, 3)))
        self.assertEqual(float(self.crinkle("pairs", "triplet", "in.npy")), 0)

    def test_triplets_are_verified(self):
        for dtype in ["<f4", "<f8"]:
            for n, size in [(3, 1), (50, 1e6), (50, 1e-6), (200, 1)]:
                self.save("in.npy", self.points(n, 3, dtype) * np.array(size, dtype))
                self.crinkle("pairs", "triplet", "in.npy", "--verify")
            for places in [[[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 1e-3, 0]], [[0, 0, 0], [0, 0, 0], [1, 2, 3]], [[1, 1, 1]] * 3, [[0, 0, 0]]]:
                self.save("in.npy", np.array(places, dtype))
                self.crinkle("pairs", "triplet", "in.npy", "--verify")
        self.save("in.npy", self.points(2001, 3))
        self.refused(2, "pairs", "triplet", "in.npy", "--verify", says=["at most 2000 points", "2001"], lines=1)

    def test_json(self):
        self.save("in.npy", self.points(30, 3))
        said = json.loads(self.crinkle("pairs", "distance", "in.npy", "out.npy", "--json", "--metric", "cityblock"))
        self.assertEqual(list(said)[-6:], ["work", "points", "features", "dtype", "metric", "form"])
        self.assertEqual((said["work"], said["points"], said["features"], said["dtype"], said["metric"], said["form"], said["bytes"]),
                         ("distance", 30, 3, "float32", "manhattan", "condensed", 30 * 3 * 4 + 30 * 29 // 2 * 4))
        said = json.loads(self.crinkle("pairs", "triplet", "in.npy", "--json"))
        self.assertEqual(said["energy"], float(self.crinkle("pairs", "triplet", "in.npy")))
        self.save("in.npy", np.abs(self.points(30, 3)))
        said = json.loads(self.crinkle("pairs", "collide", "in.npy", "--json"))
        self.assertEqual((said["work"], said["features"], said["collisions"]), ("collide", 2, int(self.crinkle("pairs", "collide", "in.npy"))))

    def test_success_is_silent(self):
        self.save("in.npy", self.points(300, 3))
        for options in [[], ["--verify"], ["--threads", "7"], ["--device", "auto"], ["--device", "cpu"]]:
            result = self.run_crinkle("pairs", "distance", "in.npy", "out.npy", "--force", *options)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, b"", b""), options)

    def test_a_terminal_sees_how_far_it_is(self):
        try:
            end, begin = pty.openpty()
        except OSError as e:
            self.skipTest(f"no terminal to be had here: {e}")
        self.save("many.npy", self.random.standard_normal((9000, 12)).astype("f4"))
        done = subprocess.run([harness.program, "pairs", "distance", "many.npy", "many_out.npy", "--verify"], cwd=self.folder, stderr=begin, timeout=200)
        os.close(begin)
        said = b""
        try:
            while part := os.read(end, 10000):
                said += part
        except OSError:  # the other end is closed
            pass
        os.close(end)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(said.decode(), r"\r\x1b\[K *\d+ %  \d+\.\d s")
        self.assertTrue(said.decode().replace("\r\n", "\n").endswith("\r\x1b[Kcrinkle: verified\n"), said)

    def test_wrong_requests(self):
        self.save("in.npy", self.points(10, 3))
        self.save("five.npy", self.points(10, 5))
        self.save("column.npy", self.points(10, 1))
        self.save("none.npy", np.zeros((3, 0)))
        self.save("integers.npy", np.zeros((3, 2), int))
        self.save("cube.npy", np.zeros((3, 2, 2)))
        self.save("radii.npy", np.ones(9, "<f4"))
        self.save("wide.npy", np.ones(10))
        self.save("there.npy", np.zeros(1))
        for k, radius in enumerate([-1.0, np.inf, np.nan]):
            spheres = np.abs(self.points(10, 4))
            spheres[6, 3] = radius
            self.save(f"bad{k}.npy", spheres)
        for words, says in [
                (["distances", "in.npy", "new.npy"], ["bad_notation", "'distances'", "distance, collide or triplet"]), ([], ["WORK is required"]), (["distance"], ["INPUT is required"]),
                (["distance", "in.npy"], ["distances need a file"]), (["triplet", "in.npy", "new.npy"], ["leave out new.npy"]),
                (["distance", "in.npy", "new.npy", "--metric", "euclid"], ["no metric 'euclid'", "euclidean, sqeuclidean, manhattan, chebyshev and cosine"]),
                (["distance", "in.npy", "new.npy", "--output", "full"], ["'full'", "condensed, packed-lower, packed-upper, rfp and square"]),
                (["collide", "in.npy", "--metric", "cosine"], ["--metric is for crinkle pairs distance, not for collide"]),
                (["triplet", "in.npy", "--output", "square"], ["--output is for"]), (["distance", "in.npy", "new.npy", "--radii", "radii.npy"], ["--radii is for crinkle pairs collide"]),
                (["collide", "in.npy", "--verify"], ["--verify"]), (["distance", "in.npy", "-", "--json"], ["--json"]), (["distance", "in.npy", "new.jpg"], ["new.jpg"]),
                (["distance", "none.npy", "new.npy"], ["bad_shape", "no features"]), (["distance", "integers.npy", "new.npy"], ["unsupported", "int64", "float32 and float64"]),
                (["distance", "cube.npy", "new.npy"], ["unsupported", "[3][2][2]", "[points][features]"]), (["distance", "in.npy", "new.npy", "--device", "tpu"], ["auto, cpu, cuda or cuda:N"]),
                (["distance", "in.npy", "new.npy", "--threads", "-1"], ["-1 threads"]), (["distance", "in.npy", "there.npy"], ["there.npy", "--force"]),
                (["distance", "in.npy", "in.npy", "--force"], ["in.npy"]), (["collide", "in.npy", "there.npy"], ["there.npy", "--force"]), (["collide", "in.npy", "in.npy", "--force"], ["in.npy"]),
                (["collide", "in.npy", "radii.npy", "--radii", "radii.npy", "--force"], []), (["collide", "five.npy"], ["bad_shape", "5 columns", "2 to 4", "--radii"]),
                (["collide", "column.npy"], ["1 column;"]), (["collide", "in.npy", "--radii", "radii.npy"], ["radii.npy [9] float32", "in.npy [10][3] float32"]),
                (["collide", "in.npy", "--radii", "wide.npy"], ["float64", "same type"]), (["collide", "bad0.npy"], ["bad_shape", "bad0.npy: radius 6 is -1"]), (["collide", "bad1.npy", "new.npy"], ["radius 6 is inf"]),
                (["collide", "bad2.npy"], ["radius 6 is nan"]), (["triplet", "five.npy"], ["5 features", "3 dimensions"]), (["triplet", "-"], ["standard input is raw", "give a file by its name"]), (["distance", "in.npy", "new.npy", "more"], ["'more' is one word too many"])]:
            with self.subTest(words=words):
                self.refused(2, "pairs", *words, says=["crinkle: ", *says], lines=1)
        for words in [["distance", "missing.npy", "new.npy"], ["collide", "in.npy", "--radii", "missing.npy"], ["triplet", "missing.npy"]]:
            self.refused(1, "pairs", *words, says=["bad_file", "missing.npy"], lines=1)

    def test_a_gpu_that_is_not_there(self):
        if os.path.exists("/dev/nvidia0"):
            self.skipTest("there is one")
        self.save("in.npy", self.points(10, 3))
        has_cuda = b"with CUDA" in self.run_crinkle("--version").stdout
        self.refused(1 if has_cuda else 2, "pairs", "distance", "in.npy", "new.npy", "--device", "cuda", says=["CUDA device"], lines=1)


if __name__ == "__main__":
    harness.main()
