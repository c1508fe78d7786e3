# crinkle interpolate, grid and resample: what is likely not meant is told or refused with the way out, and tables come as people have them.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import gzip
import json
import unittest

import numpy as np

from geographic import has_gdal
from harness import CommandTest, done, failed, wrong


class Hints(CommandTest):
    def write(self, name, text):
        (self.folder / name).write_text(text)

    def noted(self, *arguments):
        """Runs it; returns what it says on standard error."""
        result = self.run_crinkle(*arguments)
        self.assertEqual(result.returncode, done, result.stderr.decode())
        return result.stderr.decode()

    def setUp(self):
        super().setUp()
        self.write("in.csv", "x,y,h\n0,0,1\n10,0,2\n0,10,4\n10,10,3\n")
        self.options = ["--value", "h", "--cell", 1, "--force"]

    def test_options_that_change_nothing_are_told(self):
        for more, says in ((["--tolerance", "0.01", "--neighbours", "2"], "--tolerance 0.01 changes nothing"), (["--angle", "30"], "--angle 30 changes nothing without --ratio"),
                           (["--tolerance", "0.01"], ""), (["--angle", "30", "--ratio", "2"], "")):
            said = self.noted("interpolate", "in.csv", "m.npy", *self.options, *more)
            self.assertEqual(said.count("changes nothing"), 1 if says else 0, said)
            self.assertIn(says, said)
        for command in ("interpolate", "grid"):
            self.refused(wrong, command, "in.csv", "new.npy", "--value", "h", says=["--cell 0", "--like FILE.tif"], lines=1)

    def test_degrees_that_are_taken_for_metres_are_told(self):
        if not has_gdal():
            self.skipTest("this build has no GDAL")
        self.write("deg.csv", "lon,lat,h\n8.1,47.2,3\n8.2,47.1,5\n")
        columns = ["--value", "h", "--x", "lon", "--y", "lat", "--force"]
        told = "deg.csv: all places could be degrees, but are taken as EPSG:25832 (ETRS89 / UTM zone 32N)"
        for command in ["interpolate", "grid"]:
            said = self.noted(command, "deg.csv", "m.tif", *columns, "--cell", 100, "--crs", "EPSG:25832")
            self.assertIn(told, said, command)
            self.assertIn("--from-crs EPSG:4326", said, command)
            said = self.noted(command, "deg.csv", "m.tif", *columns, "--cell", 100, "--crs", "EPSG:25832", "--from-crs", "EPSG:4326")
            self.assertNotIn("could be degrees", said, command)
        self.assertIn(told, self.noted("interpolate", "deg.csv", "at.csv", *columns, "--targets", "deg.csv", "--crs", "EPSG:25832"))
        # Targets in degrees for samples that say what they are in.
        self.write("utm.csv", "lon,lat,h\n431812.5,5227734.25,3\n439292.5,5216559.5,5\n")
        said = self.noted("interpolate", "utm.csv", "at.csv", *columns, "--targets", "deg.csv", "--crs", "EPSG:25832")
        self.assertIn(told, said)
        self.assertNotIn("utm.csv: all places", said)

    def test_places_that_are_no_degrees_are_refused(self):
        if not has_gdal():
            self.skipTest("this build has no GDAL")
        self.write("utm.csv", "x,y,h\n9,50,3\n439292.5,5216559.5,5\n")
        self.write("swapped.csv", "x,y,h\n52,113,3\n53,110,5\n")
        for command in ["interpolate", "grid"]:
            arguments = ["--value", "h", "--cell", 0.1, "--crs", "EPSG:4326"]
            self.refused(wrong, command, "utm.csv", "m.npy", *arguments, says=["place 1, 439292.5 5216559.5", "EPSG:4326", "--from-crs"])
            self.refused(wrong, command, "swapped.csv", "m.npy", *arguments, says=["place 0, 52 113", "--x and --y"])
        self.write("deg.csv", "x,y,h\n9,50,3\n10,51,5\n")
        self.refused(wrong, "interpolate", "deg.csv", "at.csv", "--value", "h", "--targets", "utm.csv", "--crs", "EPSG:4326", says=["utm.csv: place 1", "--from-crs"])
        self.write("utm.geojson", json.dumps({"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"h": 1}, "geometry": {
            "type": "Point", "coordinates": [439292.5, 5216559.5]}}]}))
        self.refused(wrong, "interpolate", "utm.geojson", "m.npy", "--value", "h", "--cell", 1, says=["utm.geojson: place 0", "ogr2ogr -a_srs"])

    def test_samples_on_one_place(self):
        self.write("six.csv", "x,y,h\n" + "1,2,3\n" * 5 + "1,2,9\n4,5,6\n")
        self.write("at.csv", "x,y\n1,2\n")
        for order in [0, 1]:
            said = self.noted("interpolate", "six.csv", "out.csv", "--value", "h", "--targets", "at.csv", "--neighbours", 2, "--dtype", "float64", "--force")
            self.assertEqual((self.folder / "out.csv").read_text(), "x,y,h\n1,2,4\n", order)
            self.assertIn("6 of 7 samples lie on another's place", said)
            self.write("six.csv", "x,y,h\n1,2,9\n" + "1,2,3\n" * 5 + "4,5,6\n")
        self.write("zeros.csv", "x,y,h\n0,-0,1\n-0,0,2\n0,1,3\n1,0,4\n")
        self.assertIn("2 of 4 samples lie on another's", self.noted("interpolate", "zeros.csv", "out.npy", *self.options))
        self.assertNotIn("another's place", self.noted("interpolate", "in.csv", "out.npy", *self.options))

    def test_decimal_extents_make_no_surplus_cells(self):
        self.write("utm.csv", "x,y,h\n500003.1,0,1\n500005.4,1,2\n")
        self.noted("interpolate", "utm.csv", "out.npy", "--value", "h", "--cell", ".1", "--extent", "500003.1,0,500005.4,1", "--force")
        self.assertEqual(self.load("out.npy").shape, (10, 23))
        self.assertEqual(self.noted("grid", "utm.csv", "out.npy", "--value", "h", "--cell", ".1", "--force"), "")
        self.assertEqual(np.count_nonzero(~np.isnan(self.load("out.npy"))), 2)

    def test_a_map_away_from_its_samples_is_told(self):
        for extent in ["1000,1000,1020,1020", "0,11,10,20", "-30,0,-1,10"]:
            self.assertIn("the map and the 4 samples lie apart", self.noted("interpolate", "in.csv", "out.npy", *self.options, "--extent", extent))
        for extent in ["3,3,7,7", "-5,-5,20,20", "10,10,20,20"]:
            self.assertEqual(self.noted("interpolate", "in.csv", "out.npy", *self.options, "--extent", extent), "")
        self.write("at.csv", "x,y\n500000,5200000\n")
        said = self.noted("interpolate", "in.csv", "out.npy", "--value", "h", "--targets", "at.csv", "--force")
        self.assertIn("the targets and the 4 samples lie apart: x from 500000 to 500000, the samples' from 0 to 10", said)

    def test_a_range_too_small_for_float32_is_told(self):
        self.write("fine.csv", "x,y,h\n0,0,1000000\n10,0,1000000.05\n0,10,1000000.1\n")
        said = self.noted("interpolate", "fine.csv", "out.npy", *self.options)
        self.assertIn("h goes from 1000000 to 1000000.1, where float32 has steps of 0.0625; --dtype float64", said)
        self.assertEqual(self.noted("interpolate", "fine.csv", "out.npy", *self.options, "--dtype", "float64"), "")
        self.write("fine.csv", "x,y,h\n0,0,1000000\n10,0,1000005\n0,10,1000000\n")
        self.assertEqual(self.noted("interpolate", "fine.csv", "out.npy", *self.options), "")
        self.write("fine.csv", "x,y,h\n0,0,1000000.1\n10,0,1000000.1\n0,10,1000000.1\n")
        self.assertEqual(self.noted("interpolate", "fine.csv", "out.npy", *self.options), "")

    def test_values_that_stand_for_no_data_are_told(self):
        told = "1 of 4 values equal --nodata (4)"
        self.assertIn(told, self.noted("interpolate", "in.csv", "m.npy", *self.options, "--nodata", 4))
        self.assertNotIn("--nodata", self.noted("interpolate", "in.csv", "m.npy", *self.options, "--nodata", 5))

    def test_distances_in_degrees_that_look_like_metres_are_told(self):
        if not has_gdal():
            self.skipTest("this build has no GDAL")
        for option in "--radius", "--smoothing":
            said = self.noted("interpolate", "in.csv", "m.tif", *self.options, "--crs", "EPSG:4326", "--from-crs", "EPSG:4326", option, 5000)
            self.assertIn(f"is in degrees, and so is {option} 5000", said)
            said = self.noted("interpolate", "in.csv", "m.tif", *self.options, "--crs", "EPSG:4326", "--from-crs", "EPSG:4326", option, 5)
            self.assertNotIn("and so is", said)

    def test_no_data_that_float32_does_not_hold(self):
        for nodata in ["-1.7976931348623157e308", "1e300", "3.4028236e38"]:
            self.refused(wrong, "interpolate", "in.csv", "out.npy", *self.options, "--radius", 1, f"--nodata={nodata}", says=["beyond float32", "--dtype float64"])
            self.noted("interpolate", "in.csv", "out.npy", *self.options, "--radius", 1, f"--nodata={nodata}", "--dtype", "float64")
            self.assertEqual(self.load("out.npy")[4, 4], float(nodata))
        self.noted("interpolate", "in.csv", "out.npy", *self.options, "--radius", 1, "--nodata=-3.4028235e38")
        self.assertEqual(self.load("out.npy")[4, 4], np.finfo("f4").min)
        nowhere = np.full((2, 3, 4), np.nan)
        self.save("a.npy", np.zeros((3, 4), ">f4"))
        self.save("q.npy", nowhere)
        arguments = ["resample", "a.npy", "out.npy", "--coordinates", "q.npy", "--nodata=1e300", "--force"]
        self.refused(wrong, *arguments, says=["beyond float32", "--dtype float64"])
        self.noted(*arguments, "--dtype", "float64")
        self.assert_same(self.load("out.npy"), np.full((3, 4), 1e300))

    def test_inputs_are_not_overwritten(self):
        self.save("a.npy", np.arange(12.0).reshape(3, 4))
        self.save("q.npy", np.zeros((2, 3, 4)))
        self.refused(wrong, "resample", "a.npy", "q.npy", "--coordinates", "q.npy", "--force", says="q.npy: is the input itself")
        if has_gdal():
            self.crinkle("interpolate", "in.csv", "m.tif", *self.options)
            for command in ["interpolate", "grid"]:
                self.refused(wrong, command, "in.csv", "m.tif", "--value", "h", "--like", "m.tif", "--force", says="m.tif: is the input itself")

    def test_auto_that_predicts_nothing_is_refused(self):
        self.refused(wrong, "interpolate", "in.csv", "out.npy", *self.options, "--power", "auto", "--radius", "1e-9", says=["no sample", "--radius 1e-09"])

    def test_counts_need_no_value(self):
        self.noted("grid", "in.csv", "out.npy", "--cell", 5, "--statistic", "count", "--force")
        self.assertEqual(self.load("out.npy").tolist(), [[1, 1], [1, 1]])
        self.refused(wrong, "grid", "in.csv", "no.npy", "--cell", 5, "--statistic", "count,mean", says="--value")
        self.refused(wrong, "grid", "in.csv", "no.npy", "--cell", 5, says="--value")

    def test_every_table_shows_its_own_delimiter(self):
        want = self.values_at("in.csv", "at.csv", "x,y\n1,2\n")
        for delimiter, word in [(";", ";"), ("|", "|"), ("\t", "tab")]:
            self.write("other.csv", (self.folder / "in.csv").read_text().replace(",", delimiter))
            self.assertEqual(self.values_at("other.csv", "at.csv", "x,y\n1,2\n"), want)
            self.assertEqual(self.values_at("other.csv", "at.csv", "x,y\n1,2\n", "--delimiter", word), want)
            self.assertEqual(self.values_at("in.csv", "at.csv", f"x{delimiter}y\n1{delimiter}2\n", "--delimiter", ","), want)

    def test_tables_as_people_have_them(self):
        self.crinkle("interpolate", "in.csv", "want.npy", *self.options)
        rows = "0 0 1\n10 0 2\n0 10 4\n10 10 3\n"
        by_name, by_number = ["--value", "h"], ["--x", "0", "--y", "1", "--value", "2"]
        for text, options in [("X,Y,H\n" + rows.replace(" ", ","), by_name), ("X,x,Y,h\n" + "".join(f"7,{row.replace(' ', ',')}\n" for row in rows.split("\n")[:4]), by_name),
                              ("x y h\n" + rows, by_name), ("  x  y   h \r\n" + rows.replace(" ", "   ").replace("\n", " \r\n"), by_name), ("# x y h\n" + rows, by_name),
                              ("x y h\n" + rows, [*by_name, "--delimiter", " "]), (rows, by_number), (rows.replace(" ", ";"), by_number)]:
            self.write("table.csv", text)
            self.assertEqual(self.noted("interpolate", "table.csv", "out.npy", *options, "--cell", 1, "--force"), "", text)
            self.assert_same(self.load("out.npy"), self.load("want.npy"), text)
        self.write("table.csv", "0,1,2\n10,0,2\n0,10,4\n")
        said = self.noted("interpolate", "table.csv", "out.npy", *by_number, "--cell", 1, "--force")
        self.assertEqual(said, "crinkle: note: table.csv: its first line, 0, 1, 2, is taken as names of columns, not as a record\n")
        self.write("table.csv", "0,0,1\n10,0,2\n")
        self.refused(failed, "interpolate", "table.csv", "no.npy", *self.options, says=["no column 'x'", "first line, 0, 0, 1, is of numbers", "--x 0 --y 1 --value 2"])
        self.write("table.csv", "X,Y,Height,HEIGHT\n0,0,1,2\n")
        self.refused(failed, "interpolate", "table.csv", "no.npy", "--value", "height", "--cell", 1, says="no column 'height'; its header line names X, Y, Height, HEIGHT")

    def test_files_that_are_no_tables_say_what_they_are(self):
        text = (self.folder / "in.csv").read_bytes()
        for name, content, says in [("map.tif", b"II*\0\x08\0\0\0", ["is a raster", "crinkle resample map.tif"]), ("photo", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is a picture"),
                                    ("in.csv.gz", gzip.compress(text), "gunzip -k in.csv.gz"), ("p.dbf", b"\3~\x0b\x1d\4\0\0\0A\0", "give the .shp"),
                                    ("mark.csv", text.decode().encode("utf-16"), ["UTF-16", "iconv"]), ("plain.csv", text.decode().encode("utf-16-le"), "UTF-16"),
                                    ("big.csv", text.decode().encode("utf-16-be"), "UTF-16")]:
            (self.folder / name).write_bytes(content)
            for arguments in [["interpolate", name], ["grid", name], ["interpolate", "in.csv", "--targets", name]]:
                cells = ["--cell", 1] if "--targets" not in arguments else []
                with self.subTest(arguments=arguments):
                    self.refused(wrong, *arguments[:2], "no.npy", "--value", "h", *arguments[2:], *cells, says=[f"{name}: ", *([says] if isinstance(says, str) else says)])

    def test_values_and_outputs_that_are_likely_not_meant(self):
        self.refused(wrong, "interpolate", "in.csv", "no.npy", "--cell", 1, says="--value NAME says which column of in.csv is mapped: x, y, h")
        self.assertIn("--value y is the column of y, too", self.noted("interpolate", "in.csv", "out.npy", "--value", "y", "--cell", 1))
        self.save("xy.npy", np.arange(10.0).reshape(5, 2) ** 2)
        self.refused(wrong, "interpolate", "xy.npy", "no.npy", "--cell", 1, says=["xy.npy: its 2 columns are of places", "--value"])
        self.noted("grid", "xy.npy", "count.npy", "--cell", 10, "--statistic", "count")
        for command in ["interpolate", "grid"]:
            self.refused(wrong, command, "in.csv", "no.csv", *self.options, says=["a map is no table", "--targets PLACES.csv"])
            self.refused(wrong, command, "in.csv", "no.tif", *self.options, "--like", "any.tif", "--crs", "EPSG:25832", lines=1, says="--like any.tif says the cells")
        if not has_gdal():
            return
        self.write("empty.geojson", '{"type": "FeatureCollection", "features": []}')
        self.refused(failed, "interpolate", "empty.geojson", "no.npy", *self.options, says="empty.geojson: there are no points in it")
        self.write("flat.geojson", json.dumps({"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"h": 1, "depth": 2}, "geometry": {
            "type": "Point", "coordinates": [9, 50]}}]}))
        self.refused(failed, "interpolate", "flat.geojson", "no.npy", "--value", "z", "--cell", 1, says="a point without z; its fields are h, depth")
        self.refused(wrong, "interpolate", "flat.geojson", "no.npy", "--cell", 1, says=["--value NAME", "ogrinfo"])

    def test_metric_cells_of_places_named_as_degrees_are_told(self):
        rows = "8.1,47.2,3\n12.2,50.1,5\n9.5,49.25,1\n"
        told = "all places could be degrees, and cells of 1, 111.2 km from north to south then, make a map of 5 × 3; --from-crs EPSG:4326"
        for x, y, cell, is_told in [("lon", "lat", 1, True), ("Longitude", "y", 1, True), ("x", "LAT", 1, True), ("lon", "lat", 0.5, False), ("x", "y", 1, False)]:
            self.write("deg.csv", f"{x},{y},h\n{rows}")
            for command in ["interpolate", "grid"]:
                said = self.noted(command, "deg.csv", "out.npy", "--value", "h", "--x", x, "--y", y, "--cell", cell, "--force")
                self.assertEqual(told in said, is_told, said)
                self.assertEqual(said == "", not is_told, said)

    def values_at(self, samples, targets, text, *options):
        self.write(targets, text)
        self.crinkle("interpolate", samples, "out.npy", "--value", "h", "--targets", targets, "--force", *options)
        return self.load("out.npy").tolist()

    def test_comments_are_skipped(self):
        want = self.values_at("in.csv", "at.csv", "x,y\n1,2\n")
        rows = (self.folder / "in.csv").read_text().splitlines()
        labelled = ["id," + rows[0], *[f"#{i},{row}" for i, row in enumerate(rows[1:])]]
        for lines in [["# wells, by hand", "#", *rows], [rows[0], "# it's \"open", *rows[1:3], "#0,0,100", *rows[3:], "#"], ["#" + rows[0], *rows[1:]],
                      ["# " + rows[0], *rows[1:]], ["# x,y", *rows], labelled]:
            for end in ["\n", "\r\n"]:
                self.write("commented.csv", end.join(lines) + end)
                self.assertEqual(self.values_at("commented.csv", "at.csv", "# where\nx,y\n1,2\n"), want, lines)
        self.write("only.csv", "# nothing\n")
        self.refused(failed, "interpolate", "only.csv", "no.npy", *self.options[:-1], says="only.csv")

    def test_missing_and_small_numbers(self):
        words = ["#N/A", "-", "?", "n/a", "#n/a", "None"]
        self.write("gaps.csv", "h,x,y\n1,0,0\n2,10,0\n4,0,10\n3,10,10\n" + "".join(f"{word},5,5\n" for word in words))
        said = self.noted("interpolate", "gaps.csv", "out.npy", *self.options)
        self.assertIn(f"{len(words)} of {len(words) + 4} records have missing values", said)
        self.noted("interpolate", "in.csv", "want.npy", *self.options)
        self.assert_same(self.load("out.npy"), self.load("want.npy"))
        self.write("small.csv", "x,y,h\n1e-400,0,1\n10,-1e-400,2\n0,10,4\n10,10,3\n")
        self.noted("interpolate", "small.csv", "out.npy", *self.options)
        self.assert_same(self.load("out.npy"), self.load("want.npy"))

    def test_numbers_that_are_refused_say_why(self):
        for field, says in [("1,5", ["line 2, column 3 (h)", "'1,5' is no number; decimals follow a point, or with --decimal , a comma"]), ("1e400", ["'1e400' is infinite, or beyond float64"]),
                            ("inf", ["'inf' is infinite"]), ("1,5,6", ["'1,5,6' is no number"]), ("1.5m", ["'1.5m' is no number"])]:
            self.write("bad.csv", f"x;y;h\n0;0;{field}\n1;1;2\n")
            self.refused(failed, "interpolate", "bad.csv", "no.npy", "--value", "h", "--cell", 1, says=says)
        self.write("lon.csv", "lon,lat,h\n1,2,3\n")
        self.refused(failed, "interpolate", "lon.csv", "no.npy", "--value", "h", "--cell", 1, says=["no column 'x'; its header line names lon, lat, h; --x NAME"])
        self.refused(failed, "interpolate", "lon.csv", "no.npy", "--value", "h", "--x", "lon", "--cell", 1, says=["no column 'y'", "--y NAME"])
        self.refused(failed, "interpolate", "lon.csv", "no.npy", "--value", "z", "--x", "lon", "--y", "lat", "--cell", 1, says=["no column 'z'", "--value NAME"])

    def test_arrays_of_integers_and_with_infinite_numbers(self):
        rows = np.array([[0, 0, 1], [10, 0, 2], [0, 10, 4], [10, 10, 3]])
        self.noted("interpolate", "in.csv", "want.npy", *self.options)
        for dtype in ["i8", "u1", ">i4", "i2", "f2", "f4", ">f8"]:
            self.save("in.npy", rows.astype(dtype))
            self.noted("interpolate", "in.npy", "out.npy", "--cell", 1, "--force")
            self.assert_same(self.load("out.npy"), self.load("want.npy"), dtype)
        self.save("in.npy", rows.astype("c16"))
        self.refused(wrong, "interpolate", "in.npy", "no.npy", "--cell", 1, says="complex128")
        for column in range(3):
            bad = rows.astype("f8")
            bad[0, 2] = np.nan
            bad[2, column] = -np.inf
            self.save("in.npy", bad)
            self.refused(failed, "interpolate", "in.npy", "no.npy", "--cell", 1, says=f"in.npy: row 2, column {column} is infinite")

    def test_what_is_refused(self):
        self.refused(wrong, "interpolate", "in.csv", "no.npy", "--value", "h", "--cell", "1e-9", "--extent", "0,0,40,30",
                     says=["--cell 1e-09", "40000000000 × 30000000000 cells", "larger"])
        self.refused(wrong, "interpolate", "in.csv", "no.npy", "--value", "h", "--cell", 1, "--x", "x", "--y", "x", says=["--x and --y", "'x'"])
        self.refused(wrong, "interpolate", "in.csv", "no.npy", "--value", "h", "--cell", 1, "--z", "y", says=["--y and --z", "'y'"])
        self.refused(wrong, "grid", "in.csv", "no.npy", "--value", "h", "--cell", 1, "--y", "x", says=["--x and --y", "'x'"])
        self.write("weighted.csv", "x,y,h,m\n0,0,1,1\n10,0,2,0\n0,10,4,1\n")
        said = self.run_crinkle("interpolate", "weighted.csv", "near.npy", "--value", "h", "--weight", "m", "--cell", 1, "--neighbours", 3)
        self.assertEqual((said.returncode, b"--neighbours 3: there are 2 samples with h" in said.stderr), (0, True), said.stderr)
        self.crinkle("interpolate", "weighted.csv", "all.npy", "--value", "h", "--weight", "m", "--cell", 1)
        np.testing.assert_allclose(self.load("near.npy"), self.load("all.npy"), rtol=1e-5)
        automatic = self.run_crinkle("interpolate", "weighted.csv", "auto.npy", "--value", "h", "--weight", "m", "--cell", 1, "--neighbours", "auto")
        self.assertEqual(automatic.returncode, 0, automatic.stderr)  # 2 samples count: there is nothing to choose from
        for option, says in [("--power=nan", "power nan"), ("--power=-1", "power -1"), ("--radius=0", "radius 0"), ("--radius=nan", "radius nan"),
                             ("--smoothing=nan", "smoothing nan"), ("--extent=0,0,nan,1", "from 0 to nan along x"), ("--cell=nan", "--cell")]:
            self.refused(wrong, "interpolate", "in.csv", "no.npy", "--value", "h", "--cell", 1, option, says=says)
        self.save("a.npy", np.arange(12.0).reshape(3, 4))
        self.refused(wrong, "resample", "a.npy", "no.npy", "--axes", "y,x", "--size", "y=4,y=5", says="y has two sizes")
        self.crinkle("resample", "a.npy", "b.npy", "--axes", "y,x", "--size", "x=4,y=5")


if __name__ == "__main__":
    harness.main()
