# Stacks of TIFF in the command: arrays into them and back, what tifffile reads and writes, with axes and steps; wrong requests; damaged files.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import hashlib
import random
import unittest

import numpy as np

from harness import CommandTest, done, failed, filled, wrong
from tiff_files import WithTiff

try:
    import tifffile
except ImportError:
    tifffile = None
has_tifffile = unittest.skipIf(tifffile is None, "python3-tifffile is not installed")


class Stacks(WithTiff, CommandTest):
    def setUp(self):
        super().setUp()
        self.has_tiff()

    def test_round_trips_of_every_kind_of_element(self):
        for dtype in ("?", "u1", "i1", "<u2", ">i2", "<f2", ">f4", "<f8", "<i8", "<c8", ">c16"):
            array = filled((2, 3, 37, 45), dtype, self.random)
            self.save("in.npy", array)
            for options in [[], ["--filter", "lzw"], ["--filter", "deflate:6", "--chunks", "1,1,16,32"], ["--filter", "zstd:3"], ["--chunks", "1,1,5,45"]]:
                with self.subTest(dtype=dtype, options=options):
                    self.crinkle("move", "... -> ...", "in.npy", "a.tif", "--force", "--verify", *options)
                    back = self.loaded("a.tif")
                    self.assertEqual(back.dtype, array.dtype.newbyteorder("="))
                    np.testing.assert_array_equal(back, array)
                    if tifffile and ("deflate:6" in options or "--filter" not in options):
                        np.testing.assert_array_equal(tifffile.imread(self.path("a.tif")), array)
        for shape in [(), (7,), (1, 1), (1, 5, 6), (4, 1, 1, 9)]:
            array = filled(shape, "f4", self.random)
            self.save("in.npy", array)
            self.crinkle("move", "... -> ...", "in.npy", "a.tif", "--force", "--verify")
            self.assert_same(self.loaded("a.tif"), array, shape)

    def test_names_of_axes_travel_and_are_used(self):
        array = self.random.integers(0, 999, (4, 5, 3, 40, 50)).astype("u2")
        self.save("in.npy", array)
        self.crinkle("move", "t z c y x -> t z c y x", "in.npy", "a.tif")
        facts = self.info("a.tif")
        self.assertEqual((facts["axes"], facts["format"], facts["pages"]), (["t", "z", "c", "y", "x"], "tiff (ImageJ)", 60))
        for spec, want in [("c t z y x", array.transpose(2, 0, 1, 3, 4)), ("t z c y x -> t c y x z", array.transpose(0, 2, 3, 4, 1))]:
            self.crinkle("move", spec, "a.tif", "b.tif", "--force", "--verify", "--memory", "1MiB")
            self.assert_same(self.loaded("b.tif"), want)
            self.assertEqual(self.info("b.tif")["axes"], spec.split("-> ")[-1].split())
        self.crinkle("move", "t z c y x -> t z y x", "a.tif", "b.npy", "--at", "c=1", "--slice", "x=5:20")
        self.assert_same(self.load("b.npy"), array[:, :, 1, :, 5:20])
        self.refused(wrong, "move", "c t z y x -> t z c y x", "a.tif", "no.npy", says="t z c y x")
        self.save("colours.npy", array[0, :, 0, :, :3].astype("u1"))
        self.crinkle("move", "y x c -> y x c", "colours.npy", "c.tif")
        self.assertEqual((self.info("c.tif")["axes"], self.info("c.tif")["chunks"]), (["y", "x", "c"], [5, 40, 3]))
        self.assert_same(self.loaded("c.tif"), array[0, :, 0, :, :3].astype("u1"))
        if tifffile:
            np.testing.assert_array_equal(tifffile.imread(self.path("a.tif")), array)
            with tifffile.TiffFile(self.path("a.tif")) as file:
                self.assertEqual((file.is_imagej, file.series[0].axes), (True, "TZCYX"))

    def test_pictures_and_volumes_become_tiffs(self):
        self.save("in.npy", filled((20, 30, 3), "u1", self.random))
        self.crinkle("move", "... -> ...", "in.npy", "a.png")
        self.crinkle("move", "... -> ...", "a.png", "a.tif")
        self.assertEqual(self.info("a.tif")["axes"], ["y", "x", "c"])
        self.crinkle("move", "... -> ...", "a.tif", "b.png")
        self.assertEqual((self.folder / "a.png").read_bytes(), (self.folder / "b.png").read_bytes())
        self.save("in.npy", filled((4, 5, 6), "f4", self.random))
        self.crinkle("move", "... -> ...", "in.npy", "a.nii")
        self.give_place("a.nii")
        self.assertIn("the place of the voxels of a.nii stays behind", self.moved("... -> ...", "a.nii", "a.tif"))
        self.assertEqual(self.info("a.tif")["axes"], ["z", "y", "x"])

    def test_steps_of_stacks_are_those_of_volumes(self):
        self.save("in.npy", filled((3, 4, 5, 6), "u2", self.random))
        self.crinkle("move", "... -> ...", "in.npy", "v.nii")
        volume = bytearray((self.folder / "v.nii").read_bytes())
        volume[80:96] = np.array([0.5, 0.5, 2, 3], "<f4").tobytes()
        volume[123] = 3 + 8  # micrometres and seconds
        (self.folder / "v.nii").write_bytes(volume)
        self.moved("t z y x -> t z y x", "v.nii", "v.tif")
        for spec, verbs, want, told in [("t z y x", [], [0.5, 0.5, 2, 3], 0), ("t z y x", ["--slice", "z=::2", "--flip", "y"], [0.5, 0.5, 4, 3], 0), ("t z x y", [], [1, 1, 2, 3], 1),
                                        ("t z y x -> z y x", ["--at", "t=1"], [0.5, 0.5, 2, 1], 1)]:
            with self.subTest(spec=spec, verbs=verbs):
                self.assertEqual(self.moved(spec, "v.tif", "back.nii", *verbs).count("not all steps"), told)
                header = (self.folder / "back.nii").read_bytes()
                self.assertEqual((np.frombuffer(header[80:96], "<f4").tolist(), header[123] & 7), (want, 3))

    def test_commands_have_the_bytes_that_they_have_of_npy(self):
        array = self.random.normal(size=(20, 40, 50)).astype("f4")
        self.save("a.npy", array)
        self.crinkle("move", "z y x -> z y x", "a.npy", "a.tif", "--filter", "deflate:1", "--chunks", "y=16,x=16")
        for words in (["stencil", "gaussian:1"], ["stencil", "average:2", "--boundary", "periodic"], ["fft"], ["resample", "--zoom", "1.5"]):
            for source, result in (("a.npy", "a1.npy"), ("a.tif", "a2.npy"), ("a.tif", "a3.tif")):
                with self.subTest(words=words, result=result):
                    self.crinkle(*words[:2] if words[0] == "stencil" else words[:1], source, result, *words[2 if words[0] == "stencil" else 1:], "--force")
            self.assert_same(self.load("a2.npy"), self.load("a1.npy"))
            self.assert_same(self.loaded("a3.tif"), self.load("a1.npy"))
        self.crinkle("resample", "a.tif", "page.npy", "--page", 3, "--zoom", 1, "--by", "nearest")
        self.assert_same(self.load("page.npy"), array[2])
        self.crinkle("interlace", "a.tif", "a.tif", "-o", "i.tif")
        self.assert_same(self.loaded("i.tif"), np.stack([array, array], -1))

    def test_the_bytes_do_not_depend_on_memory_or_threads(self):
        self.save("a.npy", self.random.integers(0, 50, (20, 300, 400)).astype("u2"))
        files = set()
        for memory in ("1MiB", "4MiB", "1GiB"):
            for threads in (1, 4):
                self.moved("z y x -> y z x", "a.npy", "a.tif", "--filter", "deflate:1", "--memory", memory, "--threads", threads)
                files.add(hashlib.sha256((self.folder / "a.tif").read_bytes()).hexdigest())
        self.assertEqual(len(files), 1)

    def test_a_box_reads_what_it_needs(self):
        with open(self.path("big.raw"), "wb") as f:
            f.truncate(20000 * 20000)
        self.crinkle("move", "... -> ...", "big.raw", "big.tif", "--shape", "20000,20000", "--dtype", "u1", "--chunks", "20000,20000")
        peak = self.peak("move", "... -> ...", "big.tif", "part.npy", "--slice", "y=100:200", "--slice", "x=5000:5100")
        self.assertLess(peak, 100 << 20)

    @has_tifffile
    def test_reads_what_tifffile_writes(self):
        ways = [{}, {"compression": "zlib"}, {"tile": (16, 32)}, {"tile": (16, 32), "compression": "zlib"}, {"rowsperstrip": 3}, {"bigtiff": True}]
        for dtype in ("?", "u1", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16"):
            for order in "<>":
                for way in ways:
                    if dtype == "?" and ("compression" in way or "tile" in way):
                        continue  # not by tifffile
                    array = filled((3, 37, 45), dtype, self.random)
                    tifffile.imwrite(self.path("a.tif"), array, byteorder=order, photometric="minisblack", **way)
                    np.testing.assert_array_equal(self.loaded("a.tif"), array, f"{dtype} {order} {way}")
        for planar, shape in (("separate", (2, 3, 37, 45)), ("contig", (2, 37, 45, 3))):
            array = filled(shape, "u2", self.random)
            tifffile.imwrite(self.path("a.tif"), array, photometric="rgb", planarconfig=planar)
            np.testing.assert_array_equal(self.loaded("a.tif"), array)
            self.assertEqual(self.info("a.tif")["axes"], ["page", "c", "y", "x"] if planar == "separate" else ["page", "y", "x", "c"])

    @has_tifffile
    def test_axes_and_steps_of_imagej_and_ome(self):
        array = self.random.integers(0, 999, (2, 5, 3, 20, 30)).astype("u2")
        tifffile.imwrite(self.path("a.tif"), array, imagej=True, resolution=(1 / 0.1625, 1 / 0.25), metadata={"axes": "TZCYX", "spacing": 0.5, "unit": "um", "finterval": 2.5})
        ome = {"axes": "TZCYX", "PhysicalSizeX": 0.1625, "PhysicalSizeY": 0.25, "PhysicalSizeZ": 0.5, "TimeIncrement": 2.5}
        tifffile.imwrite(self.path("a.ome.tif"), array, metadata=ome)
        for name in ("a.tif", "a.ome.tif"):
            facts = self.info(name)
            self.assertEqual(facts["axes"], ["t", "z", "c", "y", "x"])
            self.assertEqual(facts["steps"], [[2.5, "s"], [0.5, "um"], [0, ""], [0.25, "um"], [0.1625, "um"]])
            self.assert_same(self.loaded(name), array)
            self.assertIn("steps     t 2.5 s, z 0.5 um, y 0.25 um, x 0.1625 um", self.crinkle("info", name).decode())
            self.assertIn("the steps along the axes", self.moved("... -> ...", name, "b.npy"))
            self.assertNotIn("steps", self.moved("... -> ...", name, "b.tif"))
            self.assertEqual(self.info("b.tif")["steps"], facts["steps"])
            self.moved("t z c y x -> c t y x z", name, "b.tif", "--slice", "x=0:30:2")
            self.assertEqual(self.info("b.tif")["steps"], [[0, ""], [2.5, "s"], [0.25, "um"], [0.325, "um"], [0.5, "um"]])
        with tifffile.TiffWriter(self.path("two.ome.tif")) as file:
            file.write(array[0, :, 0], metadata={"axes": "ZYX", "Name": "first"})
            file.write(array[:, 0, 0, :9], metadata={"axes": "TYX"})
        self.refused(wrong, "move", "... -> ...", "two.ome.tif", "no.npy", says=["image1 (20 x 30, first)", "image2"])
        self.assert_same(self.loaded("two.ome.tif:/image2"), array[:, 0, 0, :9])

    @has_tifffile
    def test_pages_that_are_unlike_have_names(self):
        arrays = [filled((20, 30), "u1", self.random), filled((10, 12), "u2", self.random)]
        with tifffile.TiffWriter(self.path("a.tif")) as file:
            for array in arrays:
                file.write(array)
        self.refused(wrong, "move", "... -> ...", "a.tif", "no.npy", says=["page 1 is [20][30] uint8", "page 2 [10][12] uint16", "a.tif:/page1"])
        for k, array in enumerate(arrays):
            self.assert_same(self.loaded(f"a.tif:/page{k + 1}"), array)
        self.assertIn("page      2 of 2", self.crinkle("info", "a.tif", "--page", 2).decode())
        colours = np.stack([np.arange(256)] * 3).astype("u2")
        tifffile.imwrite(self.path("colours.tif"), arrays[0], photometric="palette", colormap=colours)
        self.assertIn("colours of a table", self.moved("... -> ...", "colours.tif", "b.npy"))

    def test_wrong_requests(self):
        self.save("in.npy", np.zeros((3, 40, 50), "u1"))
        self.crinkle("move", "z y x -> z y x", "in.npy", "a.tif")
        for status, words, says in [(wrong, ["a.tif", "a.tif"], "input itself"), (wrong, ["in.npy", "a.tif"], "there already"), (wrong, ["a.tif:/page9", "b.npy"], "1 to 3"), (wrong, ["a.tif:/x", "b.npy"], ":/page1"),
                                    (wrong, ["a.tif:/image1", "b.npy"], "no OME-TIFF"), (failed, ["none.tif", "b.npy"], "none.tif"), (wrong, ["a.tif", "b.tif", "--chunks", "y=10,x=10"], "multiples of 16"),
                                    (wrong, ["a.tif", "b.tif", "--chunks", "z=3,y=16,x=16"], "z is 1"), (wrong, ["a.tif", "b.tif", "--filter", "gzip:3"], "deflate"), (wrong, ["a.tif", "b.tif", "--shards", "1,16,16"], "--shards"),
                                    (failed, ["a.tif", "no/b.tif"], "No such file"), (wrong, ["a.tif", "b.npy", "--filter", "lzw"], ".tif"), (wrong, ["in.npy", "b.tif:/page2"], "name the file alone")]:
            with self.subTest(words=words):
                self.refused(status, "move", "... -> ...", *words, *(["--force"] if words[-1] == words[0] else []), says=says)
        self.save("texts.npy", np.array(["a", "b"]))
        self.refused(wrong, "move", "... -> ...", "texts.npy", "b.tif", says=["U1", ".zarr"])
        self.save("empty.npy", np.zeros((0, 3)))
        self.refused(wrong, "move", "... -> ...", "empty.npy", "b.tif", says="no elements")
        self.save("many.npy", np.zeros((1100000, 1, 1), "u1"))
        self.refused(wrong, "move", "... -> ...", "many.npy", "b.tif", says=["1100000 pictures", ".zarr"])
        self.refused(wrong, "resample", "a.tif", "b.tif", "--zoom", 2, "--compress", "lzw", says="--filter")

    def test_damaged_files_are_one_clear_error(self):
        draw = random.Random(harness.seed)
        self.save("in.npy", self.random.integers(0, 99, (4, 40, 50)).astype("u2"))
        for options in (["--filter", "none"], ["--filter", "deflate:6"], ["--filter", "lzw,predictor", "--chunks", "1,16,16"]):
            self.moved("z y x -> z y x", "in.npy", "a.tif", *options)
            whole = (self.folder / "a.tif").read_bytes()
            for k in range(25):
                file = bytearray(whole)
                if k % 4 == 0:
                    file = file[:draw.randrange(8, len(file))]
                for _ in range(draw.choice([1, 2, 8])):
                    file[draw.randrange(4, len(file)) if k % 2 else draw.randrange(max(4, len(file) - 600), len(file))] = draw.choice([0, 1, 127, 255, draw.randrange(256)])
                (self.folder / "torn.tif").write_bytes(file)
                result = self.run_crinkle("move", "... -> ...", "torn.tif", "torn.npy", "--force")
                self.assertIn(result.returncode, (done, failed, wrong), result.stderr)
                for line in result.stderr.decode().splitlines():
                    self.assertTrue(line.startswith("crinkle: "), line)


if __name__ == "__main__":
    harness.main()
