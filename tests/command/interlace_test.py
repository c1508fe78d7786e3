# crinkle interlace and deinterlace, against numpy.stack and numpy.take.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import os

import numpy as np

from harness import CommandTest, filled


def stacked(arrays, axis):
    """numpy.stack, which would bring big-endian numbers into the machine's order."""
    raw = np.stack([np.asarray(a).view(f"V{a.itemsize}") for a in arrays], axis)
    return raw.view(arrays[0].dtype)


class Interlacing(CommandTest):
    def arrays(self, n, shape, dtype):
        made = [filled(shape, dtype, self.random) for _ in range(n)]
        for k, array in enumerate(made):
            self.save(f"in{k}.npy", array)
        return made, [f"in{k}.npy" for k in range(n)]

    def test_any_number_of_arrays_along_any_axis_and_back(self):
        record = np.dtype([("a", "<i2"), ("b", "S3")])
        for n, shape, dtype in [(1, (5,), "<f4"), (2, (7,), "u1"), (3, (5, 6), "<f4"), (4, (2, 3, 5), ">i2"), (5, (17,), record), (7, (4, 3), "S3"), (9, (33, 2), "<c16"), (70, (3,), "<f8"),
                                (3, (), "<i4"), (2, (0, 4), "<f4"), (3, (4, 0), "u1")]:
            made, names = self.arrays(n, shape, dtype)
            for axis in range(-len(shape) - 1, len(shape) + 1):
                with self.subTest(n=n, shape=shape, axis=axis):
                    self.crinkle("interlace", *names, "-o", "out.npy", "--axis", axis, "--force", "--verify")
                    got = self.load("out.npy")
                    self.assertEqual(got.dtype, made[0].dtype)
                    self.assert_same(got, stacked(made, axis))
                    back = [f"back{k}.npy" for k in range(n)]
                    self.crinkle("deinterlace", "out.npy", "--axis", axis, "--force", "--verify", "-o", *back)
                    for k in range(n):
                        self.assertEqual((self.folder / back[k]).read_bytes(), (self.folder / names[k]).read_bytes())

    def test_shapes_at_random(self):
        for _ in range(harness.n_chains // 10):
            shape = tuple(int(x) for x in self.random.integers(1, 9, self.random.integers(0, 4)))
            n, axis = int(self.random.integers(1, 12)), int(self.random.integers(-len(shape) - 1, len(shape) + 1))
            made, names = self.arrays(n, shape, str(self.random.choice(["u1", "<i2", "S3", ">f8", "<c16"])))
            self.crinkle("interlace", *names, "-o", "out.npy", "--axis", axis, "--force", "--threads", int(self.random.integers(0, 4)))
            self.assert_same(self.load("out.npy"), stacked(made, axis), f"{n} of {shape} along {axis}")
            whole = filled((*shape, int(self.random.integers(1, 12))), "<i4", self.random)
            if self.random.integers(0, 2):
                whole = np.asfortranarray(whole)
            self.save("in.npy", whole)
            axis = int(self.random.integers(-whole.ndim, whole.ndim))
            names = [f"part{k}.npy" for k in range(whole.shape[axis])]
            self.crinkle("deinterlace", "in.npy", "-o", *names, "--axis", axis, "--force")
            for k, name in enumerate(names):
                self.assert_same(self.load(name), np.take(whole, k, axis), f"{whole.shape} along {axis}")

    def test_axes_listed_as_in_fortran(self):
        made = [np.asfortranarray(filled((4, 5), "<f4", self.random)) for _ in range(3)]
        for k, array in enumerate(made):
            self.save(f"in{k}.npy", array)
        self.crinkle("interlace", "in0.npy", "in1.npy", "in2.npy", "-o", "out.npy", "--verify")
        self.assert_same(self.load("out.npy"), stacked(made, -1))

    def test_arrays_that_list_their_axes_differently(self):
        record = np.dtype([("a", "<i2"), ("b", "S3")])
        for n, shape, dtype in [(2, (4, 5), "<f4"), (3, (2, 3, 4), record), (5, (33, 17), ">i2"), (4, (2, 3, 4, 5), "u1"), (2, (0, 4), "<f8"), (3, (1, 7), "S3"), (70, (3, 2), "<c16")]:
            made = [filled(shape, dtype, self.random) for _ in range(n)]
            names = [f"in{k}.npy" for k in range(n)]
            for axis in range(-len(shape) - 1, len(shape) + 1):
                orders = self.random.integers(0, 2, n)
                orders[:2] = self.random.permutation(2)  # at least one of either
                for k, array in enumerate(made):
                    self.save(names[k], np.asfortranarray(array) if orders[k] else np.ascontiguousarray(array))
                with self.subTest(n=n, shape=shape, axis=axis, orders=orders):
                    self.crinkle("interlace", *names, "-o", "out.npy", "--axis", axis, "--force", "--verify")
                    got = self.load("out.npy")
                    self.assertEqual(got.dtype, made[0].dtype)
                    self.assert_same(got, stacked(made, axis))

    def test_raw_files_and_pictures(self):
        made = [filled((6, 8), "<f4", self.random) for _ in range(2)]
        for k, array in enumerate(made):
            (self.folder / f"in{k}.raw").write_bytes(b"head" + array.tobytes())
        words = ["in0.raw", "in1.raw", "--shape", "6,8", "--dtype", "f4", "--offset", "4"]
        self.crinkle("interlace", *words, "-o", "out.raw", "--verify")
        self.assertEqual((self.folder / "out.raw").read_bytes(), stacked(made, -1).tobytes())
        self.assertEqual(self.crinkle("interlace", *words, "-o", "-"), stacked(made, -1).tobytes())
        self.crinkle("deinterlace", "out.raw", "--shape", "6,8,2", "--dtype", "f4", "-o", "a.raw", "b.npy", "--verify")
        self.assertEqual((self.folder / "a.raw").read_bytes(), made[0].tobytes())
        self.assert_same(self.load("b.npy"), made[1])
        planes, names = self.arrays(3, (5, 7), "u1")
        self.crinkle("interlace", *names, "-o", "colour.png", "--verify")
        self.crinkle("deinterlace", "colour.png", "-o", "red.png", "green.npy", "blue.npy", "--verify")
        self.assert_same(self.load("green.npy"), planes[1])
        self.crinkle("deinterlace", "colour.png", "-o", "r.png", "g.png", "b.png")
        self.crinkle("interlace", "r.png", "g.png", "b.png", "-o", "again.png", "--verify")
        self.assertEqual((self.folder / "again.png").read_bytes(), (self.folder / "colour.png").read_bytes())
        self.crinkle("interlace", "r.png", "green.npy", "b.png", "-o", "mixed.png", "--verify")
        self.assertEqual((self.folder / "mixed.png").read_bytes(), (self.folder / "colour.png").read_bytes())
        wide, names = self.arrays(2, (5, 7), ">u2")
        self.crinkle("interlace", *names, "-o", "grey_alpha.png")
        self.crinkle("deinterlace", "grey_alpha.png", "-o", "w0.png", "w1.png")
        self.crinkle("interlace", "w0.png", "w1.png", "-o", "wide.npy", "--verify")
        self.assertTrue(np.array_equal(self.load("wide.npy"), np.stack(wide, -1)))
        self.crinkle("move", "y x 1 -> y x", "red.png", "red.npy")
        self.assert_same(self.load("red.npy"), planes[0])

    def test_a_dry_run_and_an_explanation(self):
        self.arrays(2, (3, 4), "<f4")
        before = self.listing()
        text = self.crinkle("interlace", "in0.npy", "in1.npy", "-o", "out.npy", "--dry-run").decode()
        self.assertEqual(text, "in0.npy [3][4] float32 and in1.npy [3][4] float32 -> out.npy [3][4][2] float32\n")
        self.assertEqual(self.listing(), before)
        result = self.run_crinkle("interlace", "in0.npy", "in1.npy", "-o", "out.npy", "--explain")
        self.assertEqual((result.returncode, result.stdout), (0, b""))
        self.assertIn(b"96 bytes read, 96 bytes written", result.stderr)
        text = self.crinkle("deinterlace", "out.npy", "--axis", "0", "-o", "a.npy", "b.npy", "c.npy", "--dry-run").decode()
        self.assertEqual(text, "out.npy [3][4][2] float32 -> a.npy [4][2] float32, b.npy [4][2] float32 and c.npy [4][2] float32\n")

    def test_slabs(self):
        made, names = self.arrays(3, (300, 100), "<f4")
        result = self.run_crinkle("interlace", *names, "-o", "out.npy", "--verify", env={**os.environ, "CRINKLE_FORCE": "slab_bytes=4096"})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_same(self.load("out.npy"), stacked(made, -1))


class Refusals(CommandTest):
    def setUp(self):
        super().setUp()
        for name, array in [("a", np.zeros((3, 4), "<f4")), ("b", np.ones((3, 4), "<f4")), ("wide", np.zeros((3, 5), "<f4")), ("flat", np.zeros(12, "<f4")), ("big", np.zeros((3, 4), ">f4")),
                            ("whole", np.zeros((3, 4), "<i4"))]:
            self.save(f"{name}.npy", array)
        (self.folder / "in.raw").write_bytes(bytes(48))

    def test_arrays_that_are_not_alike(self):
        for other, says in [("wide", ["[3][4] float32", "[3][5] float32"]), ("flat", ["[12] float32"]), ("whole", ["float32", "int32"]), ("big", ["<f4", ">f4", "byte orders"])]:
            self.refused(2, "interlace", "a.npy", "b.npy", f"{other}.npy", "-o", "new.npy", says=["bad_shape: a.npy", f"{other}.npy", *says], lines=1)

    def test_axes_and_numbers_of_outputs(self):
        for axis in [3, -4, 99]:
            self.refused(2, "interlace", "a.npy", "b.npy", "-o", "new.npy", "--axis", axis, says=[f"there is no axis '{axis}'", "0 (z), 1 (y), 2 (x)"], lines=1)
        for axis in [2, -3]:
            self.refused(2, "deinterlace", "a.npy", "-o", "new.npy", "--axis", axis, says=[f"there is no axis '{axis}'", "0 (y), 1 (x)"], lines=1)
        for outputs in [["x.npy"], [f"x{k}.npy" for k in range(5)]]:
            self.refused(2, "deinterlace", "a.npy", "-o", *outputs, says=["bad_shape: a.npy [3][4] float32: axis 1 (x) has 4 indices", f"{len(outputs)} outputs"], lines=1)
        self.refused(2, "deinterlace", "a.npy", "-o", "x.npy", "--axis", "one", says="--axis", lines=1)

    def test_names(self):
        self.refused(2, "deinterlace", "a.npy", "-o", "x.npy", "y.npy", "x.npy", "--axis", "0", says=["exists: x.npy: is an output already"], lines=1)
        self.refused(2, "deinterlace", "a.npy", "-o", "x.npy", "y.npy", "./x.npy", "--axis", "0", says=["exists: ./x.npy", "as x.npy"], lines=1)
        self.refused(2, "deinterlace", "a.npy", "-o", "x.npy", "y.npy", "./a.npy", "--axis", "0", "--force", says=["exists: ./a.npy: is the input itself"], lines=1)
        self.refused(2, "interlace", "a.npy", "b.npy", "-o", "b.npy", "--force", says=["exists: b.npy: is the input itself"], lines=1)
        self.refused(2, "interlace", "a.npy", "b.npy", "-o", "wide.npy", says=["wide.npy: is there already", "--force"], lines=1)
        self.refused(2, "deinterlace", "a.npy", "-o", "x.npy", "-", "y.npy", "--axis", "0", says=["standard output"], lines=1)
        self.refused(2, "interlace", "a.npy", "b.npy", "-o", "new.jpg", says=["new.jpg"], lines=1)
        self.refused(1, "interlace", "a.npy", "missing.npy", "-o", "new.npy", says=["missing.npy", "No such file"], lines=1)
        self.refused(1, "deinterlace", "a.npy", "-o", "x.npy", "nowhere/y.npy", "z.npy", "--axis", "0", says=["nowhere/y.npy", "No such file"], lines=1)
        self.refused(2, "interlace", "-o", "new.npy", says="INPUT", lines=1)
        self.refused(2, "interlace", "a.npy", "b.npy", says="--output", lines=1)

    def test_raw_files(self):
        self.refused(2, "interlace", "in.raw", "in.raw", "-o", "new.npy", says="--shape", lines=1)
        self.refused(2, "interlace", "in.raw", "in.raw", "-o", "new.npy", "--dtype", "f4", says="--shape", lines=1)
        self.refused(1, "interlace", "in.raw", "in.raw", "-o", "new.npy", "--shape", "13,f4", says=["in.raw", "52", "48"], lines=1)
        self.refused(2, "deinterlace", "a.npy", "-o", "new.npy", "--shape", "12,f4", says=["a.npy", "leave out --shape"], lines=1)

    def test_devices_and_threads(self):
        self.refused(2, "interlace", "a.npy", "b.npy", "-o", "new.npy", "--device", "tpu", says="auto", lines=1)
        self.refused(2, "interlace", "a.npy", "b.npy", "-o", "new.npy", "--threads", "2000", says="2000", lines=1)


if __name__ == "__main__":
    harness.main()
