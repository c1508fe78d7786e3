# Samples and targets are brought to the system of the map and say so; gdal_grid gives the same map where its definition is the same.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import shutil
import subprocess

import numpy as np

from geographic import GeographicTest, degrees, gdal, metres, osr, system
from harness import wrong


class References(GeographicTest):
    def in_degrees(self, places=None):
        there = osr.CoordinateTransformation(system(metres), system(degrees))
        return np.array([there.TransformPoint(*map(float, place))[:2] for place in (self.places if places is None else places)])

    def test_points_are_brought_to_the_system_of_the_map(self):
        want = self.want("--cell", 20, *self.extent, "--dtype", "float64", "--radius", 200)
        arguments = ["--value", "height", "--cell", 20, *self.extent, "--dtype", "float64", "--radius", 200, "--force"]
        self.write_layer("in.gpkg", "GPKG", self.points(self.in_degrees()), crs=degrees)
        self.write_csv("degrees.csv", self.in_degrees())
        for name, options in [("in.gpkg", []), ("degrees.csv", ["--from-crs", degrees])]:
            for command in ["interpolate", "grid"]:
                said = self.noted("interpolate", name, "out.npy", *arguments, "--crs", metres, *options)
                self.assertIn(f"{name}: 300 places are brought from EPSG:4326 (WGS 84) to EPSG:25832 (ETRS89 / UTM zone 32N)", said)
            np.testing.assert_allclose(self.load("out.npy"), want, rtol=1e-7)
        self.crinkle("grid", "in.gpkg", "out.npy", "--value", "height", "--cell", 100, *self.extent, "--crs", metres, "--statistic", "count", "--force")
        self.crinkle("grid", "want.csv", "count.npy", "--value", "height", "--cell", 100, *self.extent, "--statistic", "count")
        self.assertLess(np.abs(self.load("out.npy") - self.load("count.npy")).sum(), 10)  # some lie on edges

    def test_the_same_system_by_another_name_changes_no_bit(self):
        want = self.want("--cell", 20, *self.extent)
        self.write_layer("in.shp", "ESRI Shapefile", self.points())
        for name in [metres, system(metres).ExportToWkt(), "+proj=utm +zone=32 +ellps=GRS80 +units=m +no_defs"]:
            self.noted("interpolate", "in.shp", "out.npy", "--value", "height", "--cell", 20, *self.extent, "--crs", name, "--force")
            np.testing.assert_allclose(self.load("out.npy"), want, rtol=1e-6)
            if name != "+proj=utm +zone=32 +ellps=GRS80 +units=m +no_defs":
                self.assert_same(self.load("out.npy"), want, name)

    def test_targets_are_brought_to_the_system_of_the_samples(self):
        targets = self.places[:20] + 3
        self.write_csv("at.csv", targets, np.zeros(20))
        self.write_layer("at.gpkg", "GPKG", self.points(self.in_degrees(targets)), crs=degrees)
        self.write_layer("in.gpkg", "GPKG", self.points())
        self.write_csv()
        options = ["--value", "height", "--dtype", "float64", "--force"]
        self.crinkle("interpolate", "in.csv", "want.npy", "--targets", "at.csv", *options)
        said = self.noted("interpolate", "in.gpkg", "out.npy", "--targets", "at.gpkg", *options)
        self.assertIn("at.gpkg: 20 places are brought from EPSG:4326", said)
        np.testing.assert_allclose(self.load("out.npy"), self.load("want.npy"), rtol=1e-6)
        said = self.noted("interpolate", "in.gpkg", "out.npy", "--targets", "at.csv", *options)
        self.assertIn("at.csv names no coordinate reference system; its places are taken as EPSG:25832", said)
        self.assert_same(self.load("out.npy"), self.load("want.npy"))
        self.refused(wrong, "interpolate", "in.csv", "no.npy", "--targets", "at.gpkg", *options, says=["at.gpkg is in EPSG:4326", "--from-crs"])
        self.noted("interpolate", "in.csv", "out.npy", "--targets", "at.gpkg", *options, "--crs", metres)
        np.testing.assert_allclose(self.load("out.npy"), self.load("want.npy"), rtol=1e-6)

    def test_metres_that_are_degrees_are_told(self):
        self.write_csv("degrees.csv", self.in_degrees())
        self.write_csv()
        cell = ["--value", "height", "--cell", 10, "--force"]
        self.assertIn("could be degrees", self.noted("interpolate", "degrees.csv", "out.npy", *cell))
        self.assertIn("cells of 10 are 1112 km", self.noted("interpolate", "degrees.csv", "out.npy", *cell, "--crs", degrees))
        self.assertIn("cells of 10 are 1112 km", self.noted("grid", "degrees.csv", "out.npy", *cell, "--crs", degrees))
        self.assertEqual(self.noted("interpolate", "degrees.csv", "out.npy", "--value", "height", "--cell", 0.001, "--crs", degrees, "--force"), "")
        self.assertEqual(self.noted("interpolate", "in.csv", "out.npy", *cell), "")

    def test_what_is_refused(self):
        self.write_csv()
        self.write_layer("in.gpkg", "GPKG", self.points())
        arguments = ["--value", "height", "--cell", 100]
        self.refused(wrong, "interpolate", "in.csv", "out.npy", *arguments, "--crs", "EPSG:1", says="--crs EPSG:1: ")
        self.refused(wrong, "interpolate", "in.csv", "out.npy", *arguments, "--from-crs", "metres", says="--from-crs metres: ")
        self.refused(wrong, "interpolate", "in.csv", "out.npy", *arguments, "--crs", "http://localhost/a.prj", says="--crs http://localhost/a.prj: ")
        self.refused(wrong, "interpolate", "in.gpkg", "out.npy", *arguments, "--from-crs", degrees, says=["in.gpkg says itself that it is in EPSG:25832"])
        self.write_csv("far.csv", np.array([[0.0, 0.0], [1e9, 95.0]]))
        self.refused(wrong, "interpolate", "far.csv", "out.npy", *arguments, "--from-crs", degrees, "--crs", metres, says=["1 of 2 places have no counterpart", "place 1"])


class Rivals(GeographicTest):
    def setUp(self):
        super().setUp()
        if shutil.which("gdal_grid") is None:
            self.skipTest("gdal_grid is not installed")

    def test_gdal_grid_gives_the_same_map(self):
        self.write_layer("in.gpkg", "GPKG", self.points())
        options = ["-q", "-ot", "Float64", "-zfield", "height", "-l", "points", "-txe", "500000", "501000", "-tye", "5400500", "5400000", "-outsize", "50", "25"]
        plain = ["--config", "GDAL_USE_AVX", "NO", "--config", "GDAL_USE_SSE", "NO"]  # in double precision
        for algorithm, ours in [("invdist:power=2.0:smoothing=0.0", []), ("invdist:power=3.5:smoothing=20", ["--power", 3.5, "--smoothing", 20]),
                                ("invdistnn:power=2.0:radius=400:max_points=12:min_points=1", ["--neighbours", 12, "--radius", 400]),
                                ("invdistnn:power=3.0:radius=60:max_points=5:min_points=2:nodata=-1", ["--power", 3, "--neighbours", 5, "--radius", 60, "--least", 2, "--nodata", -1])]:
            with self.subTest(algorithm=algorithm):
                subprocess.run(["gdal_grid", *plain, *options, "-a", algorithm, self.path("in.gpkg"), self.path("theirs.tif")], check=True, capture_output=True)
                self.crinkle("interpolate", "in.gpkg", "ours.tif", "--value", "height", "--cell", 20, *self.extent, "--dtype", "float64", *ours, "--force")
                theirs, mine = gdal.Open(self.path("theirs.tif")), gdal.Open(self.path("ours.tif"))
                self.assertEqual(theirs.GetGeoTransform(), mine.GetGeoTransform())
                np.testing.assert_allclose(mine.ReadAsArray(), theirs.ReadAsArray(), rtol=1e-9)


if __name__ == "__main__":
    harness.main()
