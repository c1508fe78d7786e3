# GeoTIFF in the command: cells and what a raster says beside them, cut, flipped, exchanged and told where it is lost; --header.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json

import numpy as np

from geographic import GeographicTest, gdal, metres, system
from harness import failed, filled, wrong
from tiff_files import WithTiff


class Rasters(WithTiff, GeographicTest):
    place = (500000, 10, 0, 5400000, 0, -20)

    def setUp(self):
        super().setUp()
        self.has_tiff()

    def write(self, name, planes, options=(), nodata=-9):
        planes = planes if planes.ndim == 3 else planes[None]
        kind = {"uint8": gdal.GDT_Byte, "int16": gdal.GDT_Int16, "float32": gdal.GDT_Float32, "complex64": gdal.GDT_CFloat32}[planes.dtype.name]
        to = gdal.GetDriverByName("GTiff").Create(self.path(name), planes.shape[2], planes.shape[1], planes.shape[0], kind, list(options))
        to.SetGeoTransform(self.place)
        to.SetSpatialRef(system(metres))
        to.SetMetadata({"SENSOR": "X"})
        for b, plane in enumerate(planes):
            band = to.GetRasterBand(b + 1)
            band.WriteArray(plane)
            band.SetDescription(f"band {b}")
            band.SetScale(0.5 + b)
            band.SetOffset(b)
            if nodata is not None:
                band.SetNoDataValue(nodata)

    def facts(self, name):
        source = gdal.Open(self.path(name))
        bands = [source.GetRasterBand(b + 1) for b in range(source.RasterCount)]
        crs = source.GetSpatialRef()
        return (source.GetGeoTransform(), crs and crs.GetAuthorityCode(None), [(b.GetDescription(), b.GetScale() or 1, b.GetOffset() or 0, b.GetNoDataValue()) for b in bands], source.GetMetadata().get("SENSOR"),
                source.ReadAsArray())

    def on_the_ground(self, transform, column, row):
        return (transform[0] + transform[1] * (column + 0.5) + transform[2] * (row + 0.5), transform[3] + transform[4] * (column + 0.5) + transform[5] * (row + 0.5))

    def test_what_a_raster_says_goes_with_its_axes(self):
        planes = (self.random.random((3, 60, 80)) * 1000).astype(np.float32)
        of_bands = [(f"band {b}", 0.5 + b, b, -9) for b in range(3)]
        for options in ([], ["TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=16"], ["INTERLEAVE=PIXEL", "COMPRESS=DEFLATE"], ["COMPRESS=LZW"]):
            self.write("a.tif", planes, options)
            self.assert_same(self.loaded("a.tif"), planes)
            self.assertEqual(self.moved("... -> ...", "a.tif", "b.tif", "--verify"), "")
            *said, cells = self.facts("b.tif")
            self.assertEqual(said, [self.place, "25832", of_bands, "X"])
            self.assert_same(cells, planes)
        for spec, words, want, cell, its in [("band y x -> band y x", ["--flip", "y"], planes[:, ::-1], (3, 4), (3, 55)),
                                             ("band y x -> band y x", ["--slice", "y=10:60:3", "--slice", "x=7:70"], planes[:, 10:60:3, 7:70], (3, 4), (10, 22)),
                                             ("band y x -> y x", ["--at", "band=1"], planes[1], (3, 4), (3, 4)), ("band y x -> band x y", [], planes.transpose(0, 2, 1), (3, 4), (4, 3)),
                                             ("band y x -> band y x", ["--slice", "band=0:3:2", "--pad", "x=2:3"], np.pad(planes[::2], [(0, 0), (0, 0), (2, 3)]), (5, 4), (3, 4))]:
            with self.subTest(spec=spec, words=words):
                notes = self.moved(spec, "a.tif", "b.tif", "--verify", *words)
                self.assertEqual("lead along y on the ground" in notes, spec.endswith("x y"), notes)
                transform, crs, bands, sensor, cells = self.facts("b.tif")
                self.assert_same(cells, want)
                self.assertEqual((crs, sensor), ("25832", "X"))
                np.testing.assert_allclose(self.on_the_ground(transform, *cell), self.on_the_ground(self.place, *its), rtol=0, atol=1e-6)
                self.assertEqual(bands, [of_bands[1]] if spec.endswith("-> y x") else of_bands[::2] if len(bands) == 2 else of_bands)

    def test_what_stays_behind_is_told(self):
        planes = (self.random.random((2, 30, 40)) * 100).astype(np.int16)
        self.write("a.tif", planes)
        for name in ("b.npy", "b.zarr", "b.raw"):
            said = self.moved("... -> ...", "a.tif", name)
            for word in ("its place on the ground (EPSG:25832", "no data, -9", "scales", "names of its bands", "1 tag ", f"{name} has no place"):
                self.assertIn(word, said)
        for spec, words in (("band y x -> y x band", []), ("band y x -> band y x", ["--roll", "x=3"]), ("band y x -> (band y) x", [])):
            self.assertIn("as a plain TIFF", self.moved(spec, "a.tif", "b.tif", *words))
            self.assertIsNone(self.facts("b.tif")[1])
        result = self.run_crinkle("stencil", "average:1", "a.tif", "s.tif", "--axes", "y,x", "--dtype", "float32")
        self.assertIn("no data, -9, counts as any other", result.stderr.decode())
        self.assertIn("-9, is not said of float32", result.stderr.decode())
        transform, crs, bands, *_ = self.facts("s.tif")
        self.assertEqual((transform, crs, bands[0][3]), (self.place, "25832", None))

    def test_options_and_types_of_a_geotiff(self):
        for dtype in ("u1", "i2", "f4", "c8"):
            planes = filled((30, 50), dtype, self.random)
            self.write("a.tif", planes, nodata=None)
            self.assert_same(self.loaded("a.tif"), planes)
            self.moved("... -> ...", "a.tif", "b.tif", "--filter", "deflate:3", "--chunks", "y=16,x=32", "--verify")
            source = gdal.Open(self.path("b.tif"))
            self.assertEqual((source.GetRasterBand(1).GetBlockSize(), source.GetMetadataItem("COMPRESSION", "IMAGE_STRUCTURE")), ([32, 16], "DEFLATE"))
            self.assert_same(source.ReadAsArray(), planes)
        facts = self.info("a.tif")
        self.assertEqual((facts["axes"], facts["geotransform"]), (["y", "x"], list(self.place)))
        self.assertIn("ETRS89", facts["crs_wkt"])
        self.refused(wrong, "move", "... -> ...", "a.tif", "no.tif", "--chunks", "y=10,x=10", says="multiples of 16")
        self.refused(wrong, "move", "... -> ...", "a.tif:/page2", "no.npy", says="pages are 1 to 1")

    def test_a_header_makes_a_geotiff(self):
        planes = filled((2, 6, 8), "i2", self.random)
        self.save("a.npy", planes)
        header = {"geotransform": self.place, "crs_wkt": "EPSG:25832", "nodata": -9, "bands": ["a", "b"], "scales": [[1, 0], [2, 3]]}
        (self.folder / "a.json").write_text(json.dumps(header))
        self.moved("band y x -> band y x", "a.npy", "a.tif", "--header", "a.json", "--flip", "y")
        transform, crs, bands, _, cells = self.facts("a.tif")
        self.assertEqual((transform, crs, bands), ((500000, 10, 0, 5399880, 0, 20), "25832", [("a", 1, 0, -9), ("b", 2, 3, -9)]))
        self.assert_same(cells, planes[:, ::-1])
        for change, says in (({"geotransform": [1, 2]}, "list of 6"), ({"bands": ["a"]}, "list of 2"), ({"nodata": "none"}, "no number"), ({"crs_wkt": "EPSG:1x"}, "--header"), ({"scales": [1, 2]}, "[scale, offset]")):
            (self.folder / "b.json").write_text(json.dumps({**header, **change}))
            self.refused(wrong, "move", "... -> ...", "a.npy", "no.tif", "--header", "b.json", says=says)
        (self.folder / "b.json").write_text("{")
        self.refused(wrong, "move", "... -> ...", "a.npy", "no.tif", "--header", "b.json", says="no JSON object")
        self.refused(wrong, "move", "... -> ...", "a.npy", "no.npy", "--header", "a.json", says=".tif")
        self.refused(wrong, "move", "... -> ...", "a.tif", "no.tif", "--header", "a.json", says="of .npy and raw")
        self.refused(failed, "move", "... -> ...", "a.npy", "no.tif", "--header", "none.json", says="none.json")


if __name__ == "__main__":
    harness.main()
