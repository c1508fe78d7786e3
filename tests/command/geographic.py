# What tests of geographic files share: samples whose numbers all formats hold, and layers of them made by GDAL's own library.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import os
from pathlib import Path

import numpy as np

from harness import CommandTest, done

try:
    from osgeo import gdal, ogr, osr
    for library in (gdal, ogr, osr):
        library.UseExceptions()
    gdal.PushErrorHandler("CPLQuietErrorHandler")
except ImportError:
    gdal = ogr = osr = None

metres, degrees = "EPSG:25832", "EPSG:4326"


def system(name):
    crs = osr.SpatialReference()
    crs.SetFromUserInput(name)
    crs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return crs


def has_gdal():
    return (Path(harness.program).parent / "libcrinkle_gdal.so").exists()


class GeographicTest(CommandTest):
    def setUp(self):
        if not has_gdal():
            self.skipTest("this build has no GDAL")
        if gdal is None:
            self.skipTest("python3-gdal is not installed")
        super().setUp()
        # Eighths, which the decimal numbers of all formats hold.
        self.places = np.round(self.random.random((300, 2)) * [8000, 4000]) / 8 + [500000, 5400000]
        self.values = np.round(800 * np.sin(self.places[:, 0] / 100) + self.places[:, 1] / 50) / 8
        self.extent = ["--extent", "500000,5400000,501000,5400500"]

    def write_csv(self, name="in.csv", places=None, values=None):
        places, values = self.places if places is None else places, self.values if values is None else values
        rows = [",".join(repr(float(number)) for number in (*place, value)) for place, value in zip(places, values)]
        (self.folder / name).write_text("\n".join(["x,y,z,height"[:3 if places.shape[1] == 2 else 5] + ",height", *rows]) + "\n")

    def write_layer(self, name, driver, features, crs=metres, kind=None, fields=(("height", "real"),), layer="points", more=()):
        """features: (WKT or None, {field: value})."""
        kinds = {"real": ogr.OFTReal, "integer": ogr.OFTInteger64, "text": ogr.OFTString}
        path = self.path(name)
        source = ogr.GetDriverByName(driver).CreateDataSource(path) if not os.path.exists(path) else ogr.Open(path, 1)
        into = source.CreateLayer(layer, system(crs) if crs else None, ogr.wkbPoint if kind is None else kind, list(more))
        for field, its_kind in fields:
            into.CreateField(ogr.FieldDefn(field, kinds[its_kind]))
        for wkt, values in features:
            feature = ogr.Feature(into.GetLayerDefn())
            if wkt is not None:
                feature.SetGeometry(ogr.CreateGeometryFromWkt(wkt))
            for field, value in values.items():
                feature.SetField(field, value)
            into.CreateFeature(feature)
        del into
        source.FlushCache()
        source = None

    def points(self, places=None):
        places = self.places if places is None else places
        return [(f"POINT {'Z ' if len(place) == 3 else ''}({' '.join(map(repr, map(float, place)))})", {"height": float(value)})
                for place, value in zip(places, self.values)]

    def noted(self, *arguments):
        """Runs it; returns what it says on standard error."""
        result = self.run_crinkle(*arguments)
        self.assertEqual(result.returncode, done, result.stderr.decode())
        return result.stderr.decode()

    def want(self, *arguments):
        self.write_csv("want.csv")
        self.crinkle("interpolate", "want.csv", "want.npy", "--value", "height", *arguments, "--force")
        return self.load("want.npy")

    def assert_nothing_but(self, *names):
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted(names))
