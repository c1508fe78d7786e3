# Values beside the number for no data: what was computed is never read back as missing, signed bytes keep their sign, numbers beyond a type
# and NaN that would spread are told, and a gap in one column costs the others nothing.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json

import numpy as np

from geographic import GeographicTest, gdal
from harness import CommandTest, done, wrong


class Rasters(GeographicTest):
    def write(self, name, array, kind, nodata=None, options=()):
        to = gdal.GetDriverByName("GTiff").Create(self.path(name), array.shape[1], array.shape[0], 1, kind, list(options))
        to.SetGeoTransform((500000, 10, 0, 5400000, 0, -10))
        if nodata is not None:
            to.GetRasterBand(1).SetNoDataValue(nodata)
        to.GetRasterBand(1).WriteArray(array)

    def read(self, name):
        self.source = gdal.Open(self.path(name))  # bands live no longer
        band = self.source.GetRasterBand(1)
        return band.ReadAsArray(), band.GetMaskBand().ReadAsArray() != 0, band

    def test_data_that_come_to_nodata_are_data(self):
        for kind, dtype in [(gdal.GDT_Float32, "f4"), (gdal.GDT_Float64, "f8"), (gdal.GDT_Int16, "i2"), (gdal.GDT_Byte, "u1")]:
            for nodata in [0, 4, -3.5, 1e30][:2 if dtype[0] in "iu" else 4]:
                with self.subTest(dtype=dtype, nodata=nodata):
                    low, high = (0, 8) if dtype == "u1" else (nodata - 4, nodata + 4)
                    if nodata == 1e30:
                        low, high = 0, 2e30
                    array = np.tile(np.array([low, high], dtype), (4, 4))  # half-way between lies nodata
                    if dtype == "u1" and nodata == 0:
                        array = np.tile(np.array([1, 2], dtype), (4, 4))
                    array[0, 0] = nodata
                    self.write("in.tif", array, kind, nodata)
                    said = self.noted("resample", "in.tif", "out.tif", "--affine", "1,0,0;0,1,0.5", "--force")
                    found, is_data, band = self.read("out.tif")
                    self.assertEqual(band.GetNoDataValue(), float(np.dtype(dtype).type(nodata)))
                    self.assertEqual(is_data[1:, :-1].all(), True)
                    middle = (float(low) + float(high)) / 2
                    if middle != nodata:
                        continue
                    beside = found[1:, :-1].astype(float) - float(np.dtype(dtype).type(nodata))
                    self.assertTrue((beside != 0).all())
                    self.assertLess(np.abs(beside).max(), 1.5 if dtype[0] in "iu" else 1e-6 * max(abs(nodata), 1e-20) + 1e-37)
                    self.assertIn(f" of {array.size} cells came to {float(np.dtype(dtype).type(nodata)):g}", said)

    def test_zeros_of_float_rasters_whose_nodata_is_0_stay(self):
        array = np.array([[-1, 1, 0, 3], [2, -2, 5, 6]], "f4")
        self.write("in.tif", array, gdal.GDT_Float32, 0)
        said = self.noted("resample", "in.tif", "out.tif", "--zoom", "1,2")
        found, is_data, _ = self.read("out.tif")
        gdal.Warp(self.path("want.tif"), self.path("in.tif"), xRes=5, yRes=10, resampleAlg="bilinear", errorThreshold=0)
        want, is_wanted, _ = self.read("want.tif")
        self.assert_same(is_data, is_wanted)
        np.testing.assert_allclose(found, want, atol=1e-6)
        self.assertGreaterEqual(np.abs(found[is_data]).min(), np.finfo("f4").tiny)  # no number that readers flush to 0
        self.assertNotIn("came to", said)
        array = np.array([[-1, 1] * 4] * 4, "f4")
        self.write("in.tif", array, gdal.GDT_Float32, 0)
        said = self.noted("resample", "in.tif", "out.tif", "--affine", "1,0,0;0,1,0.5", "--force")
        found, is_data, _ = self.read("out.tif")
        self.assertTrue(is_data[:, :7].all())
        self.assertEqual(set(found[:, :7].ravel().tolist()), {float(np.finfo("f4").tiny)})
        self.assertIn("28 of 32 cells came to 0, which says that there are no data, and are written as 1.1754944e-38", said)
        self.noted("resample", "in.tif", "out.npy", "--affine", "1,0,0;0,1,0.5", "--dtype", "float16")
        self.assertEqual(set(self.load("out.npy")[:, :7].ravel().tolist()), {2.0 ** -14})

    def test_geotiffs_of_arrays(self):
        array = np.tile([-1.0, 1], (4, 3))
        self.save("in.npy", array)
        self.write("like.tif", array, gdal.GDT_Float64)
        half = ["--affine", "1,0,0;0,1,0.5", "--boundary", "edge"]
        for dtype in ["float32", "float64", "int16"]:
            said = self.noted("resample", "in.npy", "out.tif", *half, "--nodata", 0, "--dtype", dtype, "--force")
            self.assertIn("20 of 24 cells came to 0", said)
            found, is_data, _ = self.read("out.tif")
            self.assertTrue(is_data.all())
            np.testing.assert_allclose(found[:, :5], 0, atol=1 if dtype == "int16" else 1e-30)
        array[1, 1] = 0  # the array's own mark, or a number: nobody knows
        self.save("in.npy", array)
        said = self.noted("resample", "in.npy", "out.tif", "--zoom", 1, "--nodata", 0, "--force")
        self.assertIn("in.npy: 1 numbers equal --nodata (0), which out.tif takes for no data, and count all the same", said)
        found, is_data, _ = self.read("out.tif")
        self.assert_same(found, array)
        self.assertEqual((~is_data).sum(), 1)
        self.save("at.npy", np.array([[[1.0, np.nan]], [[1.0, 1]]]))
        self.noted("resample", "in.npy", "out.tif", "--coordinates", "at.npy", "--nodata", -7, "--force")
        self.assert_same(self.read("out.tif")[0], np.array([[0.0, -7]]))
        self.noted("resample", "in.npy", "out.tif", "--coordinates", "at.npy", "--nodata", -7, "--dtype", "int16", "--force")
        self.assert_same(self.read("out.tif")[0], np.array([[0, -7]], "i2"))

    def test_maps_of_samples_that_come_to_nodata(self):
        (self.folder / "in.csv").write_text("x,y,v\n0.5,0.5,-2\n1.5,0.5,2\n2.5,0.5,5\n")
        for nodata in [0, 5]:
            said = self.noted("grid", "in.csv", "out.tif", "--value", "v", "--cell", 1, "--extent", "0,0,4,1", "--statistic", "mean,sum,count", "--nodata", nodata, "--force")
            found = gdal.Open(self.path("out.tif")).ReadAsArray()
            np.testing.assert_allclose(found[:, 0], [[-2, 2, 5, nodata], [-2, 2, 5, nodata], [1, 1, 1, 0]], rtol=2e-6)
            self.assertEqual((found[:2, 0] == nodata).sum(), 2)
            self.assertEqual("2 of 12 cells came to 5" in said, nodata == 5)
        (self.folder / "in.csv").write_text("x,y,v\n0,0,-3\n2,0,3\n")
        for name, options in [("out.tif", []), ("out.tif", ["--dtype", "float64"]), ("out.npy", [])]:
            said = self.noted("interpolate", "in.csv", name, "--value", "v", "--cell", 1, "--extent", "-0.5,-0.5,4.5,0.5", "--nodata", 0, "--radius", 1.5, "--force", *options)
            found = gdal.Open(self.path(name)).ReadAsArray() if name == "out.tif" else self.load(name)
            self.assertEqual((found[0] != 0).tolist(), [True, True, True, True, False])
            self.assertLess(abs(float(found[0, 1])), 2e-38)
            self.assertIn("1 of 5 cells came to 0", said)

    def test_signed_bytes_keep_their_sign(self):
        array = np.array([[-100, -1, 0], [1, 100, 127], [-128, -50, 7]], "i1")
        new = gdal.GetDataTypeByName("Int8") != 0
        self.write("in.tif", array if new else array.view("u1"), gdal.GetDataTypeByName("Int8") if new else gdal.GDT_Byte, -50, () if new else ["PIXELTYPE=SIGNEDBYTE"])
        self.assertIn("Int8", self.crinkle("info", "in.tif").decode())
        for zoom, by in [(1, "linear"), (2, "nearest")]:
            self.noted("resample", "in.tif", "out.npy", "--zoom", zoom, "--by", by, "--force")
            self.noted("resample", "in.tif", "out.tif", "--zoom", zoom, "--by", by, "--force")
            want = np.repeat(np.repeat(array, zoom, 0), zoom, 1)
            self.assert_same(self.load("out.npy"), want)
            found, is_data, band = self.read("out.tif")
            self.assert_same(found.view("i1"), want)
            self.assertTrue(new or band.GetMetadata("IMAGE_STRUCTURE")["PIXELTYPE"] == "SIGNEDBYTE")
            self.assertEqual(band.GetNoDataValue(), -50)
            self.assertIn("Int8", self.crinkle("info", "out.tif").decode())
        self.noted("resample", "in.tif", "out.npy", "--zoom", 1, "--dtype", "float32", "--force")
        np.testing.assert_equal(self.load("out.npy"), array.astype("f4"))
        self.noted("resample", "in.tif", "out.npy", "--affine", "1,0,0;0,1,0.5", "--dtype", "float64", "--force")
        self.assertEqual(self.load("out.npy")[0, 0], -50.5)

    def test_floats_beyond_a_raster_are_told(self):
        self.write("in.tif", np.array([[1e39, 2], [3, 4]]), gdal.GDT_Float64)
        said = self.noted("resample", "in.tif", "out.tif", "--zoom", 1, "--dtype", "float32")
        self.assertIn("out.tif: 1 numbers are beyond float32, and infinite; --dtype float64 holds them", said)
        self.assertEqual(self.noted("resample", "in.tif", "out.tif", "--zoom", 1, "--force"), "")
        said = self.noted("resample", "in.tif", "out.tif", "--zoom", 1, "--dtype", "int16", "--force")
        self.assertEqual(said, "crinkle: note: in.tif: 1 numbers are beyond int16, and become its least or greatest\n")
        self.write("in.tif", np.array([[np.inf, 2], [3, 4]]), gdal.GDT_Float64)
        self.assertEqual(self.noted("resample", "in.tif", "out.tif", "--zoom", 1, "--dtype", "float32", "--force"), "")

    def test_layers_have_gaps_in_one_column(self):
        features = [("POINT (0.5 0.5)", {"a": 1.0, "b": 10.0}), ("POINT (1.5 0.5)", {"a": 2.0}), ("POINT (2.5 0.5)", {"b": 30.0}), ("POINT (3.5 0.5)", {})]
        self.write_layer("in.gpkg", "GPKG", features, fields=(("a", "real"), ("b", "real")))
        said = self.noted("grid", "in.gpkg", "out.npy", "--value", "a,b", "--cell", 1, "--extent", "0,0,4,1")
        np.testing.assert_equal(self.load("out.npy")[:, 0], [[1, 2, np.nan, np.nan], [10, np.nan, 30, np.nan]])
        self.assertIn("1 of 4 records have missing values", said)
        self.assertIn("of 3 records 1 have no a, 1 have no b", said)
        self.refused(1, "grid", "in.gpkg", "no.npy", "--value", "a,b", "--cell", 1, "--strict", says=["feature 2", "b"])


class Arrays(CommandTest):
    def said(self, *arguments):
        result = self.run_crinkle(*arguments)
        self.assertEqual(result.returncode, done, result.stderr.decode())
        return result.stderr.decode()

    def test_a_spline_refuses_what_it_would_spread(self):
        array = self.random.random((30, 40))
        for number in [np.nan, np.inf, -np.inf]:
            for dtype in ["f4", "f8", ">f8", "f2"]:
                with self.subTest(number=number, dtype=dtype):
                    array[3, 4] = number
                    self.save("in.npy", array.astype(dtype))
                    self.refused(wrong, "resample", "in.npy", "no.npy", "--zoom", 2, "--by", "spline", says=["in.npy: 1 numbers are NaN or infinite", "--by cubic"], lines=1)
                    self.assertEqual(self.said("resample", "in.npy", "out.npy", "--zoom", 2, "--by", "cubic", "--force"), "")
                    self.assertGreater(np.isfinite(self.load("out.npy")).sum(), 4600)
        array[3, 4] = 1
        self.save("in.npy", array)
        self.refused(wrong, "resample", "in.npy", "no.npy", "--rotate", 20, "--by", "spline", "--boundary", "constant:nan", says="a spline beyond whose array lies nan", lines=1)
        self.assertEqual(self.said("resample", "in.npy", "out.npy", "--zoom", 2, "--by", "spline", "--force"), "")

    def test_numbers_beyond_a_type_are_told(self):
        array = np.full((8, 9), 1e39)
        self.save("in.npy", array)
        for arguments, n in [(["resample", "in.npy", "out.npy", "--zoom", 2, "--dtype", "float32"], 288), (["stencil", "average:1", "in.npy", "out.npy", "--dtype", "float32"], 72),
                             (["resample", "in.npy", "out.npy", "--zoom", 1, "--dtype", "float16"], 72)]:
            self.assertIn(f"out.npy: {n} numbers are beyond {arguments[-1]}, and infinite; --dtype float64 holds them", self.said(*arguments, "--force"))
            array[0, 0] = np.inf  # somebody's own infinity is no surprise
            self.save("own.npy", array)
            self.assertEqual(self.said(*[{"in.npy": "own.npy"}.get(a, a) for a in arguments], "--force"), "")
        self.save("in.npy", np.full((4, 8), 3e38, "f4"))
        self.assertIn("out.npy: 24 of its parts are beyond complex64, and infinite or NaN; --dtype float64 holds them", self.said("fft", "in.npy", "out.npy", "--axes", 1, "--force"))
        self.assertIn("beyond float32", self.said("stencil", "array:[[1,1,1],[1,1,1],[1,1,1]]", "in.npy", "out.npy", "--force"))
        self.save("cubic.npy", np.tile(np.array([-3.3e38, 3.3e38, 3.3e38, -3.3e38], "f4"), (4, 2)))
        self.assertIn("beyond float32", self.said("resample", "cubic.npy", "out.npy", "--zoom", 3, "--by", "cubic", "--force"))
        self.assertIn("beyond float32", self.said("resample", "in.npy", "out.npy", "--rotate", 20, "--boundary", "constant:1e39", "--force"))
        self.save("points.npy", np.array([[-3e38, 0], [3e38, 0], [0, 1]], "f4"))
        self.assertIn("out.npy: 1 numbers are beyond float32, and infinite; points of float64", self.said("pairs", "distance", "points.npy", "out.npy", "--force"))
        (self.folder / "in.csv").write_text("x,y,v,w\n0,0,1e39,1\n1,1,2e39,2\n")
        said = self.said("interpolate", "in.csv", "out.npy", "--value", "v,w", "--cell", 0.5, "--force")
        self.assertIn("out.npy: 4 numbers are beyond float32, and infinite; --dtype float64 holds them", said)
        self.assertEqual(self.said("interpolate", "in.csv", "out.npy", "--value", "v,w", "--cell", 0.5, "--force", "--dtype", "float64"), "")
        (self.folder / "in.csv").write_text("x,y,v\n0,0,1e308\n0.1,0.1,1e308\n1,1,2\n")
        self.assertIn("out.npy: 1 numbers are beyond float64, and infinite\n", self.said("grid", "in.csv", "out.npy", "--value", "v", "--cell", 1, "--statistic", "sum", "--force"))

    def test_nan_that_becomes_0_is_told(self):
        self.save("in.npy", np.array([[1, np.nan], [3, np.nan]]))
        for arguments in [["resample", "in.npy", "out.npy", "--zoom", 1], ["stencil", "average:0", "in.npy", "out.npy"]]:
            self.assertIn("in.npy: 2 numbers are NaN, which uint8 has none of", self.said(*arguments, "--dtype", "uint8", "--force"))
            self.assertEqual(self.said(*arguments, "--force"), "")

    def test_numbers_beyond_integers_are_told(self):
        self.save("in.npy", np.array([[1, 300.0], [-1, 255.4]]))
        self.save("wide.npy", np.array([[1, 300], [-1, 255]], "i4"))
        for name, n in [("in.npy", 2), ("wide.npy", 2)]:
            for arguments in [["resample", name, "out.npy", "--zoom", 1], ["stencil", "average:0", name, "out.npy"]]:
                self.assertEqual(self.said(*arguments, "--dtype", "uint8", "--force"), f"crinkle: note: {name}: {n} numbers are beyond uint8, and become its least or greatest\n")
                self.assertEqual(self.said(*arguments, "--dtype", "int16", "--force"), "")
                self.assert_same(self.load("out.npy"), np.array([[1, 300], [-1, 255]], "i2"))

    def table(self, text):
        (self.folder / "in.csv").write_text(text)

    def test_a_gap_in_one_column_leaves_the_others_their_records(self):
        places, n = np.round(self.random.random((80, 2)) * 100) / 10, 80
        values = np.round(self.random.random((80, 3)) * 100) / 10
        values[self.random.random((80, 3)) < 0.3] = np.nan
        values[5] = np.nan
        weights = 1 + np.arange(n) % 3
        text = [["", "NA", "nan", "-"][i % 4] for i in range(n)]
        self.table("\n".join(["x,y,a,b,c,w", *(",".join([str(p[0]), str(p[1]), *(t if np.isnan(v) else str(v) for v in row), str(w)]) for p, row, w, t in zip(places, values, weights, text))]) + "\n")
        self.save("in.npy", np.hstack([places, values, weights[:, None]]))
        is_kept = ~np.isnan(values).all(1)
        raster = ["--cell", 0.7, "--extent", "0,0,10,10", "--force"]
        for more in [["--neighbours", 3], [], ["--radius", 2, "--nodata", -9], ["--weight", "w"], ["--power", "auto", "--neighbours", "auto"]]:
            said = self.said("interpolate", "in.csv", "out.npy", "--value", "a,b,c", *raster, *more)
            self.assertIn(f"in.csv: {(~is_kept).sum()} of 80 records have missing values and are left out", said)
            gaps = ", ".join(f"{np.isnan(values[is_kept, c]).sum()} have no {'abc'[c]}" for c in range(3))
            self.assertIn(f"in.csv: of {is_kept.sum()} records {gaps}: each column is of the records that have its value", said)
            got = self.load("out.npy")
            if "auto" not in more:
                of_array = [{"w": "5"}.get(word, word) for word in more]
                self.said("interpolate", "in.npy", "same.npy", "--value", "2,3,4", *raster, *of_array)
                self.assert_same(self.load("same.npy"), got)
                for c, name in enumerate("abc"):
                    self.said("interpolate", "in.csv", "one.npy", "--value", name, *raster, *more)
                    self.assert_same(self.load("one.npy"), got[c])
        facts = json.loads(self.crinkle("interpolate", "in.csv", "out.npy", "--value", "a,b,c", *raster, "--json"))
        self.assertEqual(facts["samples_of"], {name: int((~np.isnan(values[:, c])).sum()) for c, name in enumerate("abc")})
        said = self.said("grid", "in.csv", "out.npy", "--value", "a,b,c", *raster, "--statistic", "count,mean,max")
        got = self.load("out.npy")
        for c, name in enumerate("abc"):
            self.said("grid", "in.csv", "one.npy", "--value", name, *raster, "--statistic", "count,mean,max")
            self.assert_same(self.load("one.npy"), got[:, c])
        self.assertEqual(got[0].sum(), (~np.isnan(values)).sum())
        self.table("x,y,a,b\n0,0,1,5\n1,1,,6\n2,2,3,\n")
        self.save("at.npy", np.array([[0.0, 0], [1, 1], [2, 2]]))
        self.crinkle("interpolate", "in.csv", "out.csv", "--value", "a,b", "--targets", "at.npy", "--radius", 0.5)
        self.assertEqual((self.folder / "out.csv").read_text(), "x,y,a,b\n0,0,1,5\n1,1,,6\n2,2,3,\n")

    def test_what_is_refused_of_gaps(self):
        self.table("x,y,a,b,w\n0,0,1,,1\n1,1,2,,1\n2,2,3,,\n,3,4,5,1\n")
        self.refused(1, "interpolate", "in.csv", "no.npy", "--value", "a", "--cell", 1, "--strict", says=["line 5", "missing"])
        self.refused(1, "grid", "in.csv", "no.npy", "--value", "a,b", "--cell", 1, "--strict", says=["line 2", "(b)"])
        result = self.run_crinkle("grid", "in.csv", "no.npy", "--value", "a,b", "--cell", 1)
        self.assertEqual(result.returncode, 1)
        self.assertIn("there is no value in column b", result.stderr.decode())
        self.table("x,y,a,b\n0,0,1,1\n1,1,2,\n2,2,3,\n")
        result = self.run_crinkle("interpolate", "in.csv", "all.npy", "--value", "a,b", "--cell", 1, "--neighbours", 2)
        self.assertEqual(result.returncode, 0)
        self.assertIn("--neighbours 2: there are 1 samples with b", result.stderr.decode())


if __name__ == "__main__":
    harness.main()
