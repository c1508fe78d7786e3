# crinkle fft against numpy.fft: random shapes, axes, norms, sizes and kinds; orders of bytes and axes; shifts, pictures, and what is refused.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import os
import struct
import unittest

import numpy as np
from PIL import Image

from harness import CommandTest, done, wrong


def definition(x, axes, norm, inverse, real, sizes):
    """numpy.fft in float64; sizes: N or None for each axis."""
    if not real:
        shape = [x.shape[a] if n is None else n for a, n in zip(axes, sizes)]
        return (np.fft.ifftn if inverse else np.fft.fftn)(x, shape, axes, norm)
    if not inverse:
        shape = [x.shape[a] if n is None else n for a, n in zip(axes, sizes)]
        return np.fft.rfftn(x, shape, axes, norm)
    shape = [(2 * (x.shape[a] - 1) if i + 1 == len(axes) else x.shape[a]) if n is None else n for i, (a, n) in enumerate(zip(axes, sizes))]
    return np.fft.irfftn(x, shape, axes, norm)


class Fft(CommandTest):
    def numbers(self, shape, dtype):
        x = self.random.standard_normal(shape)
        if np.dtype(dtype).kind == "c":
            x = x + 1j * self.random.standard_normal(shape)
        return x.astype(dtype)

    def assert_near(self, got, want, dtype, message=""):
        self.assertEqual(got.dtype, np.dtype(dtype), message)
        self.assertEqual(got.shape, want.shape, message)
        scale = np.linalg.norm(want) or 1
        self.assertLess(np.linalg.norm(got - want) / scale, 1e-6 if np.dtype(dtype).itemsize <= 8 and dtype != "f8" else 1e-14, message)

    def random_case(self):
        rank = int(self.random.integers(1, 5))
        shape = tuple(int(n) for n in self.random.integers(1, {1: 300, 2: 40, 3: 14, 4: 8}[rank], rank))
        axes = [int(a) for a in self.random.permutation(rank)[: self.random.integers(1, rank + 1)]]
        sizes = [int(self.random.integers(1, 2 * shape[a] + 1)) if self.random.random() < 0.3 else None for a in axes]
        real, inverse = self.random.random() < 0.5, self.random.random() < 0.5
        if real and inverse and shape[axes[-1]] == 1 and sizes[-1] is None:
            sizes[-1] = 1
        return shape, axes, sizes, real, inverse, ["backward", "ortho", "forward"][self.random.integers(3)]

    def test_cosine_and_sine_transforms_are_those_of_scipy(self):
        from scipy import fft

        for case in range(16):
            name, inverse, norm = ["cosine", "sine"][case % 2], case // 2 % 2 == 1, ["backward", "ortho", "forward"][case % 3]
            dtype = ["f4", "f8"][case // 4 % 2]
            x = self.numbers((5, 17, 32), dtype)
            self.save("in.npy", x)
            self.crinkle("fft", "in.npy", "out.npy", f"--{name}", "--axes=0,-1", "--norm", norm, "--force", *["--inverse"] * inverse)
            function = getattr(fft, ("i" if inverse else "") + ("dctn" if name == "cosine" else "dstn"))
            halved = np.ones_like(x, "f8")  # SciPy 1.10 makes the first number of a sine transform orthonormal instead of the last
            for axis in (0, 2) if norm == "ortho" else ():
                np.moveaxis(halved, axis, 0)[0 if name == "cosine" else -1] /= np.sqrt(2)
            if inverse:
                want = function(x / halved, type=2, axes=(0, 2), norm=norm, orthogonalize=False)
            else:
                want = function(x.astype("f8"), type=2, axes=(0, 2), norm=norm, orthogonalize=False) * halved
            self.assert_near(self.load("out.npy"), want, dtype, f"{name} {inverse} {norm}")
        for options in (["--cosine", "--sine"], ["--cosine", "--real"], ["--sine", "--shift"]):
            self.refused(wrong, "fft", "in.npy", "no.npy", *options, says=["give one of them"])

    def test_random_requests_are_those_of_numpy(self):
        for case in range(60):
            shape, axes, sizes, real, inverse, norm = self.random_case()
            is_double = self.random.random() < 0.5
            dtype = (("f4", "f8") if real and not inverse else ("c8", "c16"))[is_double]
            x = self.numbers(shape, dtype)
            self.save("in.npy", np.asfortranarray(x) if case % 3 == 0 else x.astype(">" + dtype) if case % 3 == 1 else x)
            written = [a - len(shape) if self.random.random() < 0.5 else a for a in axes]
            arguments = ["fft", "in.npy", "out.npy", "--axes=" + ",".join(map(str, written)), "--norm", norm, "--force"]
            arguments += ["--inverse"] * inverse + ["--real"] * real + ["--threads", str(1 + case % 3)]
            for a, n in zip(axes, sizes):
                arguments += [] if n is None else ["--size", f"{a}={n}"]
            self.crinkle(*arguments)
            want = definition(x.astype("f8" if dtype[0] == "f" else "c16"), axes, norm, inverse, real, sizes)
            result = ("f4", "f8")[is_double] if real and inverse else ("c8", "c16")[is_double]
            self.assert_near(self.load("out.npy"), want, result, " ".join(arguments) + f" of {shape}")

    def test_real_numbers_without_real_and_back(self):
        x = self.numbers((30, 44), "f8")
        self.save("in.npy", x)
        self.crinkle("fft", "in.npy", "all.npy")
        self.assert_near(self.load("all.npy"), np.fft.fft2(x), "c16")
        self.crinkle("fft", "all.npy", "back.npy", "--inverse")
        self.assert_near(self.load("back.npy"), x.astype("c16"), "c16")
        self.crinkle("fft", "in.npy", "half.npy", "--real", "--axes", "y,x")
        self.assert_near(self.load("half.npy"), np.fft.rfft2(x), "c16")
        self.crinkle("fft", "half.npy", "real.npy", "--real", "--inverse", "--axes", "y,x")
        self.assert_near(self.load("real.npy"), x, "f8")

    def test_names_of_axes(self):
        x = self.numbers((6, 10, 15), "c8")
        self.save("in.npy", x)
        for names, axes in {"x": [2], "z": [0], "y,x": [1, 2], "x,z": [2, 0], "-2": [1]}.items():
            self.crinkle("fft", "in.npy", "out.npy", "--axes=" + names, "--force")
            self.assert_near(self.load("out.npy"), np.fft.fftn(x, axes=axes), "c8", names)

    def test_random_shifts_are_those_of_numpy_and_cost_no_pass(self):
        for case in range(40):
            shape, axes, sizes, real, inverse, norm = self.random_case()
            dtype = ("f4", "f8") if real and not inverse else ("c8", "c16")
            x = self.numbers(shape, dtype[case % 2])
            if inverse:  # a shifted input is not cropped
                sizes = [n and max(n, 2 * shape[a]) for a, n in zip(axes, sizes)]
            self.save("in.npy", np.asfortranarray(x) if case % 3 == 0 else x)
            arguments = ["fft", "in.npy", "out.npy", "--axes=" + ",".join(map(str, axes)), "--norm", norm, "--force", "--shift", "--explain", "--device", "cpu"]
            arguments += ["--inverse"] * inverse + ["--real"] * real + [f"--size={a}={n}" for a, n in zip(axes, sizes) if n is not None]
            result = self.run_crinkle(*arguments)
            self.assertEqual(result.returncode, done, result.stderr)
            told = result.stderr.decode()
            shifted = axes[:-1] if real else axes
            wide = x.astype("f8" if dtype[0] == "f4" else "c16")
            if inverse:
                wide = np.fft.ifftshift(wide, shifted)
            want = definition(wide, axes, norm, inverse, real, sizes)
            if not inverse:
                want = np.fft.fftshift(want, shifted)
            self.assert_near(self.load("out.npy"), want, want.dtype if case % 2 else {"c": "c8", "f": "f4"}[want.dtype.kind], " ".join(arguments) + f" of {shape}")
            self.assertNotIn("pass of its own", told)
            if any((x if inverse else want).shape[a] > 1 for a in shifted):
                self.assertIn("input shifted" if inverse else "output shifted", told)
        self.save("in.npy", self.numbers((8, 9), "c8"))
        self.refused(wrong, "fft", "in.npy", "no.npy", "--inverse", "--shift", "--size", "x=4", says=["shifted", "9 numbers along axis 1", "takes 4"], lines=1)

    def test_spectra_as_numbers_and_pictures(self):
        y, x = np.mgrid[0:32, 0:48]
        wave = np.cos(2 * np.pi * (3 * y / 32 + 5 * x / 48))
        self.save("in.npy", wave.astype("f4"))
        self.crinkle("fft", "in.npy", "spectrum.npy", "--spectrum")
        spectrum = self.load("spectrum.npy")
        self.assertEqual(spectrum.dtype, np.dtype("f4"))
        np.testing.assert_allclose(spectrum, np.log1p(np.abs(np.fft.fftshift(np.fft.fft2(wave)))), atol=2e-4)
        self.crinkle("fft", "in.npy", "spectrum.png", "--spectrum")
        picture = np.asarray(Image.open(self.path("spectrum.png")))
        self.assertEqual({tuple(p) for p in np.argwhere(picture == 255)}, {(16 + 3, 24 + 5), (16 - 3, 24 - 5)})

    def volume(self, name, x, slope=0.0, intercept=0.0, code=0):
        """A .nii with a slope and intercept, that lies at a place if there is a code."""
        self.save("voxels.npy", x)
        self.crinkle("move", "z y x -> z y x", "voxels.npy", name, "--force")
        raw = bytearray((self.folder / name).read_bytes())
        raw[112:120] = struct.pack("<2f", slope, intercept)
        raw[254:256] = struct.pack("<h", code)
        raw[280:328] = struct.pack("<12f", 2, 0, 0, -90, 0, 3, 0, -126, 0, 0, 4, -72)
        (self.folder / name).write_bytes(raw)

    def voxels(self, name, dtype, shape):
        raw = (self.folder / name).read_bytes()
        return np.frombuffer(raw, dtype, int(np.prod(shape)), int(struct.unpack("<f", raw[108:112])[0])).reshape(shape), raw

    def told(self, *arguments):
        result = self.run_crinkle("fft", *arguments, "--force")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return result.stderr.decode()

    def test_scaled_volumes_are_the_values_that_are_meant(self):
        x = self.random.integers(-1000, 1000, (4, 5, 6)).astype("i2")
        self.volume("in.nii", x, 2, 5)
        values = 2.0 * x + 5
        for arguments, want, dtype in [([], np.fft.fftn(values), "c8"), (["--real"], np.fft.rfftn(values), "c8"),
                                       (["--spectrum"], np.log1p(np.abs(np.fft.fftshift(np.fft.fftn(values)))), "f4")]:
            note = self.told("in.nii", "out.nii", "--dtype", "float32", *arguments)
            self.assertIn("scl_slope 2 times what is stored plus scl_inter 5", note)
            got, raw = self.voxels("out.nii", dtype, want.shape)
            self.assertEqual(struct.unpack("<2f", raw[112:120]), (1, 0))
            self.assert_near(got, want, dtype, arguments)
        self.volume("complex.nii", self.numbers((2, 3, 4), "c8"), 2, 5)  # of which NIfTI does not say how they are scaled
        self.assertIn("values are as stored", self.told("complex.nii", "out.nii"))
        self.assertEqual(struct.unpack("<2f", (self.folder / "out.nii").read_bytes()[112:120]), (1, 0))

    def test_a_volume_keeps_its_place_for_the_inverse(self):
        x = self.numbers((4, 5, 6), "f4")
        self.volume("in.nii", x, code=2)
        self.assertEqual(self.told("in.nii", "half.nii", "--real"), "")
        self.assertEqual(self.told("half.nii", "out.nii", "--real", "--inverse"), "")
        got, raw = self.voxels("out.nii", "f4", x.shape)
        self.assert_near(got, x, "f4")
        self.assertEqual(raw[254:256] + raw[280:328], (self.folder / "in.nii").read_bytes()[254:256] + (self.folder / "in.nii").read_bytes()[280:328])

    def test_pictures(self):
        colours = self.random.integers(0, 256, (12, 20, 4), np.uint8)
        colours[..., 3] = 255
        Image.fromarray(colours).save(self.path("rgba.png"))
        self.crinkle("fft", "rgba.png", "out.png", "--dtype", "float32", "--spectrum")
        got = np.asarray(Image.open(self.path("out.png")))
        self.assertTrue((got[..., 3] == 255).all())
        logarithms = np.log1p(np.abs(np.fft.fftshift(np.fft.fft2(colours[..., :3].astype("f8"), axes=(0, 1)), (0, 1))))
        least, most = logarithms.min(), logarithms.max()
        np.testing.assert_allclose(got[..., :3], (logarithms - least) / (most - least) * 255, atol=0.6)
        Image.fromarray(colours[..., 0]).save(self.path("grey.png"))
        self.crinkle("fft", "grey.png", "out.npy", "--dtype", "float64")
        self.assert_near(self.load("out.npy"), np.fft.fft2(colours[..., 0]), "c16")
        self.crinkle("fft", "rgba.png", "c.npy", "--dtype", "float64", "--axes", "c")
        self.assert_near(self.load("c.npy"), np.fft.fft(colours, axis=2), "c16")

    def test_a_spectrum_of_what_is_not_finite_says_so(self):
        x = self.numbers((10, 12), "f4")
        x[3, 4] = np.nan
        self.save("in.npy", x)
        self.assertIn("120 of 120 numbers of the spectrum are not finite, and white; 1 of the input's 120", self.told("in.npy", "out.png", "--spectrum"))
        self.assertIn("12 of 120 numbers of the spectrum are not finite; 1 of", self.told("in.npy", "out.npy", "--spectrum", "--axes", "x"))
        self.save("in.npy", np.nan_to_num(x))
        self.assertEqual(self.told("in.npy", "out.png", "--spectrum"), "")

    def test_lengths_that_no_memory_holds(self):
        self.save("in.npy", self.numbers(100, "c16"))
        for n in (2**33 + 2, 2**36, 2**40):
            self.refused(1, "fft", "in.npy", "out.npy", "--size", f"x={n}", says=["out_of_memory", str(n)], lines=1)

    def test_integers_are_converted_only_when_asked(self):
        x = self.random.integers(-1000, 1000, (12, 20)).astype("i2")
        self.save("in.npy", x)
        self.refused(wrong, "fft", "in.npy", "out.npy", says=["int16", "--dtype float32"])
        self.crinkle("fft", "in.npy", "out.npy", "--dtype", "float64")
        self.assert_near(self.load("out.npy"), np.fft.fft2(x), "c16")

    def test_float16(self):
        x = self.numbers((6, 40), "f2")
        for case, wide in enumerate((x, x.astype(">f2"), np.asfortranarray(x))):
            self.save("in.npy", wide)
            self.crinkle("fft", "in.npy", "half.npy", "--real", "--force")
            self.assert_near(self.load("half.npy"), np.fft.rfft2(x.astype("f8")), "c8", case)
            self.crinkle("fft", "in.npy", "out.npy", "--axes", "x", "--force")
            self.assert_near(self.load("out.npy"), np.fft.fft(x.astype("f8")), "c8", case)
        self.crinkle("fft", "half.npy", "back.npy", "--real", "--inverse", "--float16")
        back = self.load("back.npy")
        self.assertEqual(back.dtype, np.dtype("f2"))
        np.testing.assert_allclose(back.astype("f8"), x.astype("f8"), rtol=1e-3, atol=1e-4)
        self.crinkle("fft", "in.npy", "pairs.npy", "--float16", "--shift")
        pairs = self.load("pairs.npy")
        self.assertEqual((pairs.dtype, pairs.shape), (np.dtype("f2"), (6, 40, 2)))
        got, want = pairs[..., 0] + 1j * pairs[..., 1].astype("f8"), np.fft.fftshift(np.fft.fft2(x.astype("f8")))
        self.assertLess(np.linalg.norm(got - want), 4e-4 * np.linalg.norm(want))
        self.crinkle("fft", "pairs.npy", "back.npy", "--pairs", "--inverse", "--shift", "--force")
        self.assertEqual(self.load("back.npy").dtype, np.dtype("c8"))
        np.testing.assert_allclose(self.load("back.npy"), x.astype("f8"), atol=4e-3)
        self.save("wide.npy", np.stack([x, x], -1).astype("f8"))
        self.crinkle("fft", "wide.npy", "of_wide.npy", "--pairs", "--axes", "x")
        self.assert_near(self.load("of_wide.npy"), np.fft.fft(x.astype("f8") * (1 + 1j)), "c16")
        self.refused(wrong, "fft", "in.npy", "no.npy", "--pairs", says=["--pairs", "two numbers"], lines=1)
        self.refused(wrong, "fft", "wide.npy", "no.npy", "--float16", says=["--dtype float32"], lines=1)

    def test_beyond_the_range_of_float16(self):
        x = np.full((3, 1000), 100, "f2")
        self.save("in.npy", x)
        self.refused(wrong, "fft", "in.npy", "out.npy", "--axes", "x", "--float16", says=["3 of 6000", "65504", "--norm ortho"], lines=1)
        self.assertFalse((self.folder / "out.npy").exists())
        self.crinkle("fft", "in.npy", "out.npy", "--axes", "x", "--float16", "--norm", "ortho")
        self.assertAlmostEqual(float(self.load("out.npy")[1, 0, 0]), 100 * 1000**0.5, delta=2)
        x[0, 0] = np.inf  # what is infinite already is no error
        self.save("in.npy", x)
        self.crinkle("fft", "in.npy", "out.npy", "--axes", "x", "--float16", "--force")

    def test_what_is_not_finite_spreads_over_its_line(self):
        x = self.numbers((3, 40), "c8")
        x[1, 7] = np.nan
        x[2, 30] = np.inf
        self.save("in.npy", x)
        self.crinkle("fft", "in.npy", "out.npy", "--axes", "x")
        got = self.load("out.npy")
        self.assertTrue(np.isfinite(got[0]).all())
        self.assertTrue(not np.isfinite(got[1:]).any())

    def test_what_is_refused(self):
        self.save("in.npy", self.numbers((6, 10), "c8"))
        self.save("real.npy", self.numbers((6, 10), "f4"))
        self.save("text.npy", np.array(["a", "b"]))
        self.save("none.npy", np.zeros((0, 4), "c8"))
        for says, arguments in [
            (["axis '2'", "0 (y), 1 (x)"], ["in.npy", "out.npy", "--axes", "2"]),
            (["axis 1", "twice"], ["in.npy", "out.npy", "--axes=1,-1"]),
            (["z", "no axis"], ["in.npy", "out.npy", "--axes", "z"]),
            (["no axis 'abc'", "the axes are 0 (y), 1 (x)"], ["in.npy", "out.npy", "--axes", "abc"]),
            (["no axis 'X'", "(y), 1 (x)"], ["in.npy", "out.npy", "--axes", "X"]),
            (["x=5", "axis 1", "size of 4"], ["in.npy", "out.npy", "--size", "x=4", "--size=x=5"]),
            (["x=4.5", "'4.5' is no whole number"], ["in.npy", "out.npy", "--size", "x=4.5"]),
            (["length 0", "0 elements"], ["none.npy", "out.npy"]),
            (["norm", "ortho"], ["in.npy", "out.npy", "--norm", "unit"]),
            (["--real", "complex"], ["in.npy", "out.npy", "--real"]),
            (["x=0"], ["in.npy", "out.npy", "--size", "x=0"]),
            (["not transformed"], ["in.npy", "out.npy", "--axes", "x", "--size", "y=3"]),
            (["AXIS=N"], ["in.npy", "out.npy", "--size", "x"]),
            (["float32"], ["text.npy", "out.npy"]),
            (["--spectrum"], ["in.npy", "out.npy", "--spectrum", "--real", "--inverse"]),
            (["--dtype"], ["in.npy", "out.npy", "--dtype", "int8"]),
        ]:
            self.refused(wrong, "fft", *arguments, says=says, lines=1)
        self.save("out.npy", np.zeros(1))
        self.refused(wrong, "fft", "in.npy", "out.npy", says="out.npy")

    def test_on_a_gpu_and_where_there_is_none(self):
        x = self.numbers((5, 300), "c8")
        self.save("in.npy", x)
        self.crinkle("fft", "in.npy", "cpu.npy", "--axes", "x", "--device", "cpu")
        self.assert_near(np.load(self.folder / "cpu.npy"), np.fft.fft(x), "c8")
        self.refused(wrong, "fft", "in.npy", "out.npy", "--device", "tpu", says=["auto, cpu"], lines=1)
        if os.path.exists("/dev/nvidia0"):
            self.crinkle("fft", "in.npy", "gpu.npy", "--axes", "x", "--device", "cuda")
            return self.assert_near(np.load(self.folder / "gpu.npy"), np.fft.fft(x), "c8")
        has_cuda = b"with CUDA" in self.run_crinkle("--version").stdout
        self.refused(1 if has_cuda else 2, "fft", "in.npy", "out.npy", "--device", "cuda", says=["CUDA device", "device: " if has_cuda else "unsupported: "], lines=1)


if __name__ == "__main__":
    harness.main()
