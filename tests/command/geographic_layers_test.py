# Points of layers give the map that CSV gives, to the last bit, or are refused with what they are; a program without GDAL says what to do.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json
import os
import shutil

import numpy as np

from geographic import GeographicTest, metres, ogr
from harness import CommandTest, done, failed, wrong


class WithoutGdal(CommandTest):
    """The program where its module is not."""

    def setUp(self):
        super().setUp()
        self.addCleanup(setattr, harness, "program", harness.program)
        alone = self.folder / "alone"
        alone.mkdir()
        harness.program = shutil.copy(harness.program, alone)
        (self.folder / "in.csv").write_text("x,y,v\n0,0,1\n10,10,2\n")

    def test_what_needs_it_says_so_and_what_else_would_do(self):
        (self.folder / "in.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": []}))
        arguments = ["--value", "v", "--cell", "5"]
        self.refused(wrong, "interpolate", "in.geojson", "out.npy", *arguments, says=["in.geojson: this build has no GDAL", "give CSV or .npy", "libgdal-dev"])
        for command in ["interpolate", "grid"]:
            self.refused(wrong, command, "in.csv", "out.tif", *arguments, says=["out.tif: this build has no GDAL", "write .npy"])
        self.refused(wrong, "interpolate", "in.csv", "out.npy", *arguments, "--crs", metres, says=[f"--crs {metres}: this build has no GDAL"])
        self.refused(wrong, "interpolate", "in.csv", "out.npy", "--value", "v", "--like", "in.tif", says=["in.tif: this build has no GDAL", "--cell"])
        self.crinkle("interpolate", "in.csv", "out.npy", *arguments)
        self.assertEqual(self.load("out.npy").shape, (2, 2))


class Layers(GeographicTest):
    def test_points_of_every_format_give_the_map_of_csv(self):
        arguments = ["--cell", 20, *self.extent, "--neighbours", 5]
        want = self.want(*arguments)
        for name, driver in [("in.gpkg", "GPKG"), ("in.shp", "ESRI Shapefile"), ("in.geojson", "GeoJSON"), ("in.fgb", "FlatGeobuf"), ("in.gml", "GML"),
                             ("named_otherwise", "GPKG")]:
            with self.subTest(name=name):
                more = ["SPATIAL_INDEX=NO"] if driver == "FlatGeobuf" else []  # which puts them in another order
                self.write_layer(name, driver, self.points(), more=more)
                before = sorted(os.listdir(self.folder))
                self.assertEqual(self.noted("interpolate", name, "out.npy", "--value", "height", *arguments, "--force"), "")
                self.assert_same(self.load("out.npy"), want, name)
                self.assertEqual(sorted(set(os.listdir(self.folder)) - {"out.npy"}), sorted(set(before) - {"out.npy"}))

    def test_one_of_several_layers(self):
        self.write_layer("in.gpkg", "GPKG", self.points(), layer="wells")
        self.write_layer("in.gpkg", "GPKG", [("POLYGON ((0 0,1 0,1 1,0 0))", {"height": 1})], kind=ogr.wkbPolygon, layer="parcels")
        arguments = ["--value", "height", "--cell", 50, *self.extent]
        self.refused(wrong, "interpolate", "in.gpkg", "out.npy", *arguments, says=["--layer", "wells (Point)", "parcels (Polygon)"])
        self.refused(failed, "interpolate", "in.gpkg", "out.npy", *arguments, "--layer", "well", says=["no layer 'well'", "wells (Point)"])
        self.refused(failed, "interpolate", "in.gpkg", "out.npy", *arguments, "--layer", "parcels", says=["'parcels' is of type Polygon", "centroids"])
        want = self.want("--cell", 50, *self.extent)
        self.crinkle("interpolate", "in.gpkg", "out.npy", *arguments, "--layer", "wells")
        self.assert_same(self.load("out.npy"), want)
        self.crinkle("interpolate", "want.csv", "out.npy", "--value", "height", "--targets", "in.gpkg", "--targets-layer", "wells", "--crs", metres, "--force", "--dtype", "float64")
        np.testing.assert_array_equal(self.load("out.npy"), self.values)

    def test_nothing_where_a_value_should_be(self):
        features = [("POINT (0 0)", {"height": 1}), ("POINT (1 0)", {}), (None, {"height": 5}), ("POINT EMPTY", {"height": 6}), ("POINT (1 1)", {"height": 2})]
        self.write_layer("in.gpkg", "GPKG", features)
        arguments = ["--value", "height", "--cell", 1, "--extent", "-0.5,-0.5,1.5,1.5"]
        self.assertIn("3 of 5 records have missing values", self.noted("interpolate", "in.gpkg", "out.npy", *arguments))
        self.assertEqual(self.load("out.npy").tolist(), [[1.5, 2], [1, 1.5]])
        self.refused(failed, "interpolate", "in.gpkg", "no.npy", *arguments, "--strict", says=["feature 2 has no height"])
        self.write_layer("place.gpkg", "GPKG", features[:1] + features[2:])
        self.refused(failed, "interpolate", "place.gpkg", "no.npy", *arguments, "--strict", says=["feature 2 has no geometry"])

    def test_several_points_of_a_feature_and_coordinates_as_columns(self):
        self.write_layer("in.gpkg", "GPKG", [("MULTIPOINT Z ((0 0 4),(2 0 6))", {"height": 1}), ("MULTIPOINT Z ((0 2 8))", {"height": 3})], kind=ogr.wkbMultiPoint25D)
        self.crinkle("interpolate", "in.gpkg", "out.npy", "--value", "height,z,x", "--targets", "in.gpkg", "--dtype", "float64")
        self.assertEqual(self.load("out.npy").tolist(), [[1, 1, 3], [4, 6, 8], [0, 2, 0]])
        (self.folder / "in.csv").write_text("x,y,z,height\n0,0,4,1\n2,0,6,1\n0,2,8,3\n")
        arguments = ["--z", "z", "--value", "height", "--cell", 1, "--extent", "0,0,4,2,2,8", "--force"]
        self.crinkle("interpolate", "in.csv", "want.npy", *arguments)
        self.crinkle("interpolate", "in.gpkg", "out.npy", *arguments)
        self.assert_same(self.load("out.npy"), self.load("want.npy"))
        # Fields instead of the geometry.
        self.write_layer("table.gpkg", "GPKG", [(None, {"east": 0, "north": 0, "height": 7}), (None, {"east": 1, "north": 0, "height": 9})], kind=ogr.wkbNone,
                         fields=[("east", "integer"), ("north", "real"), ("height", "integer")])
        self.crinkle("interpolate", "table.gpkg", "out.npy", "--x", "east", "--y", "north", "--value", "height", "--cell", 1, "--extent", "-0.5,-0.5,1.5,0.5", "--force")
        self.assertEqual(self.load("out.npy").tolist(), [[7, 9]])
        self.refused(failed, "interpolate", "table.gpkg", "no.npy", "--value", "height", "--cell", 1, says=["without geometry", "--x NAME --y NAME"])

    def test_what_is_refused(self):
        point = ("POINT (1 2)", {"height": 1, "name": "a"})
        fields = [("height", "real"), ("name", "text")]
        self.write_layer("in.gpkg", "GPKG", [point], fields=fields)
        self.write_layer("lines.gpkg", "GPKG", [("LINESTRING (0 0,1 1)", {"height": 1})], kind=ogr.wkbLineString)
        self.write_layer("mixed.gpkg", "GPKG", [point, ("POLYGON ((0 0,1 0,1 1,0 0))", {"height": 1})], fields=fields, kind=ogr.wkbUnknown)
        whole = (self.folder / "in.gpkg").read_bytes()
        (self.folder / "cut.gpkg").write_bytes(whole[:20000])
        (self.folder / "bad.geojson").write_text('{"type": "FeatureCollection", "features": [')
        self.write_layer("alone.shp", "ESRI Shapefile", [point], fields=fields)
        (self.folder / "alone.shx").unlink()
        arguments = ["--value", "height", "--cell", "1", "--extent", "0,0,2,2"]
        for name, says in [("lines.gpkg", ["type Line String"]), ("mixed.gpkg", ["feature 2 is of type Polygon", "points"]), ("cut.gpkg", ["cut.gpkg", "GDAL: "]),
                           ("bad.geojson", ["bad.geojson", "GDAL: "]), ("alone.shp", ["alone.shp", "GDAL: "])]:
            with self.subTest(name=name):
                self.refused(failed, "interpolate", name, "out.npy", *arguments, says=says, lines=1)
        for options, says in [(["--value", "depth"], ["no field 'depth'", "height, name"]), (["--value", "name"], ["'name' is of type String"]),
                              (["--value", "height", "--z", "z"], ["feature 1 is a point without z"])]:
            extent = ["--cell", "1", "--extent", "0,0,0,2,2,2" if "--z" in options else "0,0,2,2"]
            self.refused(failed, "interpolate", "in.gpkg", "out.npy", *options, *extent, says=says)
        self.refused(wrong, "interpolate", "-", "out.npy", *arguments, stdin=whole, says="by the name of their file")


if __name__ == "__main__":
    harness.main()
