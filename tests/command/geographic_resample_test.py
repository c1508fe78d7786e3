# crinkle resample of GeoTIFFs: values are gdalwarp's, cells stay where they lie on the ground, and cells without data count for nothing.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json
import os

import numpy as np

from geographic import GeographicTest, gdal, metres, system
from harness import failed, wrong

north_up = (500000, 10, 0, 5400000, 0, -10)
types = {"uint8": "Byte", "int16": "Int16", "uint16": "UInt16", "int32": "Int32", "float32": "Float32", "float64": "Float64"}


class Rasters(GeographicTest):
    def write(self, name, array, transform=north_up, nodata=None, crs=metres, names=(), options=()):
        array = array if array.ndim == 3 else array[None]
        kind = gdal.GetDataTypeByName(types.get(array.dtype.name, "CFloat32"))
        to = gdal.GetDriverByName("GTiff").Create(self.path(name), array.shape[2], array.shape[1], array.shape[0], kind, list(options))
        if transform:
            to.SetGeoTransform(transform)
        if crs:
            to.SetSpatialRef(system(crs))
        for b, plane in enumerate(array):
            if nodata is not None:
                to.GetRasterBand(b + 1).SetNoDataValue(nodata)
            to.GetRasterBand(b + 1).SetDescription(names[b] if names else "")
            to.GetRasterBand(b + 1).WriteArray(plane)
        return to

    def read(self, name):
        source = gdal.Open(self.path(name))
        return source, source.ReadAsArray()

    def resample(self, *arguments):
        self.crinkle("resample", *arguments, "--force")
        return self.read(arguments[1])

    # Where the centre of every cell lies.
    def ground(self, transform, shape):
        row, column = np.indices(shape) + 0.5
        return transform[0] + transform[1] * column + transform[2] * row, transform[3] + transform[4] * column + transform[5] * row

    def plane(self, transform, shape):
        x, y = self.ground(transform, shape)
        return (x - 500000) * 0.37 - (y - 5400000) * 0.11 + 50

    def test_values_are_gdalwarps(self):
        cells = [(["--cell", 4], {"xRes": 4, "yRes": 4}), (["--size", "79,71"], {"width": 71, "height": 79}),
                 (["--cell", 7, "--extent", "499950,5399777,500420,5400017.3"], {"xRes": 7, "yRes": 7, "outputBounds": (499950, 5399779.3, 500419, 5400017.3)})]
        for k, (dtype, nodata) in enumerate([("float32", None), ("float32", -9999), ("float64", np.nan), ("uint8", 255), ("int16", -300), ("uint16", 0), ("int32", None)]):
            planes = (self.random.random((2, 40, 50)) * 250).astype(dtype)
            if nodata is not None:
                planes[0, 5:9, 7:12] = planes[1, 20, 30] = planes[:, 0, 0] = planes[1, 30:, 45:] = nodata
            self.write("in.tif", planes, nodata=nodata)
            for b in range(2):
                gdal.Translate(self.path(f"band{b}.vrt"), self.path("in.tif"), bandList=[b + 1])  # of several gdalwarp masks all together
            for by, word in [("nearest", "near"), ("linear", "bilinear"), ("cubic", "cubic")]:
                k += 1
                options, its = cells[k % 3]
                if dtype == "int32":
                    options, its = [*options, "--nodata", -500], {**its, "dstNodata": -500}
                with self.subTest(dtype=dtype, by=by, options=options):
                    got, found = self.resample("in.tif", "out.tif", "--by", by, *options, "--threads", 2)
                    for b in range(2):
                        gdal.Warp(self.path("want.tif"), self.path(f"band{b}.vrt"), resampleAlg=word, errorThreshold=0, **its)
                        want, numbers = self.read("want.tif")
                        np.testing.assert_allclose(got.GetGeoTransform(), want.GetGeoTransform(), rtol=1e-15)
                        self.assertEqual((found.dtype, found[b].shape), (np.dtype(dtype), numbers.shape))
                        if nodata is not None:
                            self.assert_same(np.isnan(found[b]) | (found[b] == nodata), np.isnan(numbers) | (numbers == nodata))
                        tolerance = 1 if np.dtype(dtype).kind in "iu" else 1e-4 if dtype == "float32" else 1e-7  # a half may be rounded either way
                        np.testing.assert_allclose(found[b].astype(float), np.where(np.isnan(found[b]), np.nan, numbers), atol=tolerance, rtol=0)

    def test_cells_stay_where_they_lie(self):
        steep = (500010.5, 8, 1.5, 5399990.25, 2, -7)
        south_up = (500000, 10, 0, 5399600, 0, 10)
        for name, transform in [("north.tif", north_up), ("south.tif", south_up), ("steep.tif", steep)]:
            self.write(name, self.plane(transform, (40, 50)), transform)
        part = ["--extent", "500031,5399701,500217,5399955"]
        everywhere = [["--zoom", 2], ["--rotate", 30], ["--affine", "0.9,0.1,3.5;-0.2,1.1,2.25"]]
        more = {"north.tif": [["--size", "60,75"], ["--zoom", 2, "--keep", "centres"], ["--rotate", 90], ["--like", "south.tif"], [*part, "--size", "30,60"]],
                "south.tif": [["--like", "steep.tif"], ["--cell", 3], part, [*part, "--cell", 13]], "steep.tif": [["--like", "north.tif"], ["--like", "steep.tif"]]}
        for name in more:
            for options in [*everywhere, *more[name]]:
                with self.subTest(name=name, options=options):
                    result, numbers = self.resample(name, "out.tif", *options)
                    want = self.plane(result.GetGeoTransform(), numbers.shape)
                    row, column = self.where(result.GetGeoTransform(), numbers.shape, gdal.Open(self.path(name)).GetGeoTransform())
                    is_far_inside = (row > 0) & (row < 39) & (column > 0) & (column < 49)
                    self.assertGreater(is_far_inside.sum(), 100)
                    np.testing.assert_allclose(numbers[is_far_inside], want[is_far_inside], atol=1e-6)
                    is_outside = (row < -0.500001) | (row > 39.500001) | (column < -0.500001) | (column > 49.500001)
                    self.assertTrue(np.isnan(numbers[is_outside]).all())
                    self.assertTrue(result.GetSpatialRef().IsSame(system(metres)))
        self.assertEqual(self.resample("north.tif", "out.tif", "--zoom", 0.3)[0].GetGeoTransform()[0::3], (500000, 5400000))
        result, _ = self.resample("north.tif", "out.tif", *part, "--cell", 13)
        self.assertEqual((result.GetGeoTransform(), result.RasterXSize, result.RasterYSize), ((500031, 13, 0, 5399955, 0, -13), 14, 20))

    # Indices of an input's cells in which the centres lie.
    def where(self, transform, shape, of):
        x, y = self.ground(transform, shape)
        column, row = np.tensordot(np.linalg.inv([[of[1], of[2]], [of[4], of[5]]]), [x - of[0], y - of[3]], 1) - 0.5
        return row, column

    def test_cells_on_each_other_keep_their_bits(self):
        fine = (8.1, 0.1, 0, 47.3, 0, -0.1)
        array = self.random.random((30, 40))
        array[3, 4] = array[20, 30:] = -1
        self.write("in.tif", array, fine, nodata=-1, crs="EPSG:4326")
        for by in ["nearest", "linear", "cubic"]:
            _, part = self.resample("in.tif", "part.tif", "--extent", "8.4,45.3,9.7,46.9", "--by", by)
            self.assert_same(part, array[4:20, 3:16])
            _, all_of_it = self.resample("part.tif", "out.tif", "--like", "in.tif", "--by", by)
            want = np.full_like(array, -1)
            want[4:20, 3:16] = part
            self.assert_same(all_of_it, want)
        self.resample("in.tif", "smaller.tif", "--zoom", 3, "--by", "nearest")
        self.assert_same(self.resample("smaller.tif", "out.tif", "--like", "in.tif")[1], array)

    def test_what_stands_for_no_data(self):
        array = self.random.integers(1, 200, (20, 30)).astype("u1")
        array[4:8, 4:8] = 7
        outside = ["--extent", "499900,5399700,500350,5400100"]
        self.write("none.tif", array)
        said = self.noted("resample", "none.tif", "out.tif", *outside, "--force")
        self.assertIn("1200 of 1800 cells have no data and are 0, as none.tif names no nodata; --nodata V marks them", said)
        result, _ = self.read("out.tif")  # which bands do not outlive
        self.assertIsNone(result.GetRasterBand(1).GetNoDataValue())
        # A number for the result is one for the input, too, where that names none.
        result, found = self.resample("none.tif", "out.tif", *outside, "--nodata", 7)
        want = np.full((40, 45), 7, "u1")
        want[10:30, 10:40] = array
        self.assert_same(found, want)
        self.assertEqual(result.GetRasterBand(1).GetNoDataValue(), 7)
        self.write("seven.tif", array, nodata=7)
        self.assert_same(self.resample("seven.tif", "out.tif", *outside)[1], want)
        # Data that would be written as no data is not: here means of 6 and 8, and sums beyond 255.
        result, found = self.resample("seven.tif", "out.tif", *outside, "--nodata", 200, "--dtype", "int16")
        self.assert_same(found, np.where(want == 7, 200, want).astype("i2"))
        self.write("steps.tif", np.tile(np.array([6, 8] * 10, "u1"), (4, 1)), nodata=7)
        self.assertEqual(set(self.resample("steps.tif", "out.tif", "--zoom", "1,2", "--keep", "centres")[1].ravel()) - {6, 8}, set())
        self.write("steps.tif", np.tile(np.array([0] * 3 + [254] * 6, "u1"), (4, 1)), nodata=255)
        self.assertEqual(self.resample("steps.tif", "out.tif", "--zoom", "1,3", "--by", "cubic")[1].max(), 254)
        self.write("low.tif", np.full((4, 4), 1.5, "f4"), nodata=1.5)
        self.assertIn("no data at any of the 16 cells", self.noted("resample", "low.tif", "out.tif", "--zoom", 1, "--force"))
        # float32 numbers beside the text of a nodata that float32 does not hold.
        self.write("text.tif", np.array([[-9999.1, 1], [2, 3]], "f4"), nodata=-9999.1)
        result, found = self.resample("text.tif", "out.tif", "--zoom", 2)
        self.assertEqual(result.GetRasterBand(1).GetNoDataValue(), float(np.float32(-9999.1)))
        self.assertEqual((found == np.float32(-9999.1)).sum(), 4)
        self.assertGreaterEqual(found[found != np.float32(-9999.1)].min(), 1)

    def test_what_is_kept(self):
        array = self.random.integers(0, 256, (4, 20, 30)).astype("u1")
        source = self.write("in.tif", array, names=["red", "green", "blue", "cover"], options=["PHOTOMETRIC=RGB", "ALPHA=YES", "COMPRESS=LZW"])
        source.GetRasterBand(1).SetScale(0.5)
        source.GetRasterBand(1).SetOffset(3)
        source.GetRasterBand(1).SetUnitType("metre")
        source = None
        result, _ = self.resample("in.tif", "out.tif", "--zoom", 2)
        bands = [result.GetRasterBand(b + 1) for b in range(4)]
        self.assertEqual([band.GetDescription() for band in bands], ["red", "green", "blue", "cover"])
        self.assertEqual([band.GetColorInterpretation() for band in bands], [gdal.GCI_RedBand, gdal.GCI_GreenBand, gdal.GCI_BlueBand, gdal.GCI_AlphaBand])
        self.assertEqual((bands[0].GetScale(), bands[0].GetOffset(), bands[0].GetUnitType()), (0.5, 3, "metre"))
        self.assertEqual(result.GetMetadata("IMAGE_STRUCTURE")["COMPRESSION"], "LZW")
        result, _ = self.resample("in.tif", "out.tif", "--zoom", 2, "--compress", "none")
        self.assertNotIn("COMPRESSION", result.GetMetadata("IMAGE_STRUCTURE"))
        table = gdal.ColorTable()
        table.SetColorEntry(3, (10, 20, 30, 255))
        source = self.write("classes.tif", array[0] % 4)
        source.GetRasterBand(1).SetColorTable(table)
        source = None
        result, found = self.resample("classes.tif", "out.tif", "--zoom", 2, "--by", "nearest")
        self.assert_same(found, np.repeat(np.repeat(array[0] % 4, 2, 0), 2, 1))
        self.assertEqual(result.GetRasterBand(1).GetColorTable().GetColorEntry(3), (10, 20, 30, 255))
        self.refused(wrong, "resample", "classes.tif", "no.tif", "--zoom", 2, says=["colours of a table", "--by nearest"])

    def test_maps_without_a_place_and_arrays(self):
        array = self.plane(north_up, (41, 51)).astype("f4")
        self.write("in.tif", array)
        said = self.noted("resample", "in.tif", "polar.tif", "--polar", "--radius", 20, "--size", "90,20")
        self.assertIn("polar.tif has no place on the ground", said)
        polar, numbers = self.read("polar.tif")
        self.assertIsNone(polar.GetSpatialRef())
        self.assertIsNone(polar.GetGeoTransform(can_return_null=True))
        self.assertIn("place     not said", self.crinkle("info", "polar.tif").decode())
        self.save("in.npy", array)
        self.crinkle("resample", "in.npy", "want.npy", "--polar", "--radius", 20, "--size", "90,20")
        self.assert_same(numbers, self.load("want.npy"))
        _, back = self.resample("polar.tif", "back.tif", "--polar", "--inverse", "--radius", 20, "--size", "41,51")
        y, x = np.indices(back.shape) - np.array([20, 25])[:, None, None]
        is_seen = np.hypot(y, x) < 19
        np.testing.assert_allclose(back[is_seen], array[is_seen], atol=0.05)
        self.assertTrue(np.isnan(back[np.hypot(y, x) > 20]).all())
        # To NumPy and back to its place.
        self.resample("in.tif", "half.tif", "--zoom", 0.5)
        self.crinkle("resample", "in.tif", "half.npy", "--zoom", 0.5)
        self.assert_same(self.load("half.npy"), self.read("half.tif")[1])
        self.save("twice.npy", self.load("half.npy") * 2)
        said = self.noted("resample", "twice.npy", "twice.tif", "--like", "half.tif")
        self.assertIn("twice.npy says not where it lies; it is taken to cover half.tif", said)
        twice, numbers = self.read("twice.tif")
        self.assert_same(numbers, self.load("twice.npy"))
        self.assertEqual(twice.GetGeoTransform(), self.read("half.tif")[0].GetGeoTransform())
        self.noted("resample", "twice.npy", "wide.tif", "--like", "in.tif", "--dtype", ">f4")
        self.crinkle("resample", "twice.npy", "want.npy", "--size", "41,51", "--force")
        np.testing.assert_allclose(self.read("wide.tif")[1], self.load("want.npy"), rtol=1e-6)
        self.save("planes.npy", self.random.random((3, 20, 26)))
        self.noted("resample", "planes.npy", "planes.tif", "--like", "half.tif")
        self.assertEqual(self.read("planes.tif")[1].shape, (3, 20, 26))
        self.assertIn("planes.tif has no place", self.noted("resample", "planes.npy", "planes.tif", "--zoom", 1, "--force"))
        self.assert_same(self.read("planes.tif")[1], self.load("planes.npy"))

    def test_boundaries_and_splines(self):
        array = self.random.random((20, 30))
        self.write("world.tif", array, (-180, 12, 0, 90, 0, -9), crs="EPSG:4326")
        self.save("in.npy", array)
        for options in [["--boundary", "constant:5,periodic", "--affine", "1,0,0;0,1,2.5"], ["--boundary", "edge", "--affine", "1,0,0;0,1,2.5", "--by", "spline"]]:
            self.crinkle("resample", "in.npy", "want.npy", *options, "--force")
            self.assert_same(self.resample("world.tif", "out.tif", *options)[1], self.load("want.npy"))
        facts = json.loads(self.crinkle("resample", "world.tif", "out.tif", "--affine", "1,0,0;0,1,2.5", "--by", "spline", "--force", "--json"))
        self.assertEqual(facts["boundary"], ["edge", "edge"])
        _, found = self.read("out.tif")
        self.assert_same(found[:, :27], self.load("want.npy")[:, :27])
        self.assertTrue(np.isnan(found[:, 27:]).all())
        array[3, 4] = np.nan
        self.write("gap.tif", array)
        self.refused(wrong, "resample", "gap.tif", "no.tif", "--zoom", 2, "--by", "spline", says=["1 cells have no data", "--by cubic"])
        self.save("q.npy", np.array([[[1.0, np.nan, 3], [2, 2, 19.4]], [[2.0, 1, 4], [29.6, -0.4, 3]]]))
        said = self.noted("resample", "gap.tif", "out.tif", "--coordinates", "q.npy", "--by", "nearest", "--nodata", -1, "--force")
        self.assertIn("no place on the ground", said)
        self.assert_same(self.read("out.tif")[1], np.array([[array[1, 2], -1, -1], [-1, array[2, 0], array[19, 3]]]))

    def test_it_goes_as_arrays_do(self):
        array = self.random.random((20, 30))
        for by, gap in [("nearest", True), ("linear", True), ("cubic", True), ("spline", False)]:
            with self.subTest(by):
                if gap:
                    array[3:6, 4] = np.nan
                self.write("in.tif", array if gap else np.nan_to_num(array))
                command = ["resample", "in.tif", "out.tif", "--zoom", 2, "--by", by]
                self.assertEqual(self.crinkle(*command, "--dry-run"), b"in.tif [20][30] float64 -> out.tif [40][60] float64\n")
                self.assertFalse((self.folder / "out.tif").exists())
                result = self.run_crinkle(*command, "--explain", "--memory", "2KiB", "--verify", "--json")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(b"parts of at most 2.00 KiB", result.stderr)
                facts = json.loads(result.stdout)
                self.assertEqual((facts["verified"], facts["shape"], facts["memory"]), (True, [40, 60], 2048))
                in_parts = self.read("out.tif")[1].copy()
                self.crinkle(*command, "--force")
                self.assert_same(in_parts, self.read("out.tif")[1])
                for more, says in ((["--memory", "0"], "1 or more"), (["--device", "tpu"], "auto, cpu"), (["--shape", "20,30,f4", "--offset", "-2"], "--offset")):
                    self.refused(wrong, *command, *more, "--force", says=[says])
                (self.folder / "out.tif").unlink()

    def test_a_gpu_gives_the_same_map(self):
        if not os.path.exists("/dev/nvidia0") or b"with CUDA" not in self.run_crinkle("--version").stdout:
            self.skipTest("there is no GPU here")
        array = (self.random.random((40, 50)) * 200).astype("u1")
        self.write("in.tif", array, nodata=7)
        for options in [["--cell", 4], ["--rotate", 20, "--by", "cubic"]]:
            _, want = self.resample("in.tif", "cpu.tif", *options, "--device", "cpu")
            self.assert_same(self.resample("in.tif", "gpu.tif", *options, "--device", "cuda")[1], want)

    def test_what_is_refused(self):
        array = np.ones((20, 30), "u1")
        self.write("in.tif", array, nodata=0)
        self.write("bands.tif", np.stack([array, array]))
        self.write("plain.tif", array, None, crs=None)
        self.write("steep.tif", array, (0, 1, 1, 0, -1, 1))
        self.write("zone33.tif", array, crs="EPSG:25833")
        self.write("complex.tif", np.ones((3, 4), "c8"))
        self.save("in.npy", array)
        self.save("list.npy", np.zeros((2, 5)))
        (self.folder / "broken.tif").write_bytes((self.folder / "in.tif").read_bytes()[:400])
        for status, name, options, says in [
                (wrong, "in.tif", ["--cell", 0], "--cell 0"), (wrong, "in.tif", ["--cell", "nan"], "--cell nan"), (wrong, "in.tif", ["--cell", 1e-9], "larger"),
                (wrong, "in.tif", ["--extent", "1,2,3"], "3 numbers"), (wrong, "in.tif", ["--extent", "9,0,1,5"], "from 9 to 1 along x"),
                (wrong, "in.tif", ["--cell", 5, "--zoom", 2], "--zoom and --cell"), (wrong, "in.tif", ["--zoom", 2, "--polar"], ["--zoom and --polar are two maps", "one of them"]),
                (wrong, "in.tif", ["--like", "in.tif", "--cell", 5], "--like in.tif says the cells"), (wrong, "in.tif", ["--cell", 5, "--size", "3,3"], "--cell already says"),
                (wrong, "in.tif", ["--like", "zone33.tif"], ["EPSG:25832", "EPSG:25833", "gdalwarp -t_srs"]), (wrong, "in.tif", ["--like", "plain.tif"], "plain.tif: does not say"),
                (failed, "in.tif", ["--like", "gone.tif"], "gone.tif"), (wrong, "plain.tif", ["--cell", 5], "does not say where its cells lie"), (wrong, "steep.tif", ["--cell", 5], "turned"),
                (wrong, "in.npy", ["--cell", 5], "in.npy does not say where"), (wrong, "bands.tif", ["--zoom", 2, "--axes", "band,y,x"], "bands one by one"),
                (wrong, "in.tif", ["--zoom", 2, "--nodata", -1], "--nodata -1 is no uint8"), (wrong, "in.tif", ["--zoom", 2, "--nodata", "nan"], "is no uint8"),
                (wrong, "in.tif", ["--zoom", 2, "--dtype", "float16"], "a GeoTIFF of float16"), (wrong, "in.tif", ["--zoom", 2, "--dtype", "int64"], "a GeoTIFF of int64"),
                (wrong, "in.tif", ["--zoom", 2, "--spacing", "1mm"], "--zoom and --spacing"), (wrong, "complex.tif", ["--zoom", 2], ["CFloat32", "gdal_translate"]),
                (wrong, "in.tif", ["--coordinates", "list.npy"], "no rows and columns"), (failed, "broken.tif", ["--zoom", 2], "broken.tif"),
                (wrong, "in.tif", [], ["say how", "--cell 10"])]:
            with self.subTest(name=name, options=options):
                self.refused(status, "resample", name, "no.tif", *options, says=says)
        self.refused(wrong, "resample", "in.tif", "in.tif", "--zoom", 2, "--force", says="in.tif: is the input itself")
        self.refused(wrong, "resample", "bands.tif", "in.tif", "--like", "in.tif", "--force", says="in.tif: is the input itself")
        self.refused(wrong, "resample", "in.tif", "bands.tif", "--zoom", 2, says="--force")
        self.refused(wrong, "resample", "in.tif", "no.npy", "--zoom", 2, "--compress", "lzw", says="--compress lzw")
        self.write("negative.tif", np.full((2, 2), -1, "i2"), nodata=-1)
        self.refused(wrong, "resample", "negative.tif", "no.tif", "--zoom", 2, "--dtype", "uint8", says=["negative.tif has nodata -1, which is no uint8", "--nodata"])
        self.assertEqual(list(self.folder.glob(harness.temporaries)), [])

    def test_a_file_cut_short_leaves_nothing(self):
        self.write("whole.tif", self.random.random((400, 500)).astype("f4"))
        os.truncate(self.path("whole.tif"), 500000)
        self.refused(failed, "resample", "whole.tif", "no.tif", "--zoom", 2, says=["whole.tif: GDAL: "])
        self.assert_nothing_but("whole.tif")


if __name__ == "__main__":
    harness.main()
