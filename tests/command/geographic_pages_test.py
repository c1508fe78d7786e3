# What a GeoTIFF has beside the cells of its first picture: pages, control points, masks, alpha, scales, tags. And that of a large raster only
# what is needed is read.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json

import numpy as np

from geographic import GeographicTest, gdal, metres, system
from harness import wrong

north_up = (500000, 10, 0, 5400000, 0, -10)


class Pages(GeographicTest):
    def write(self, name, planes, transform=north_up, kind=None, options=()):
        planes = planes if planes.ndim == 3 else planes[None]
        kind = {"uint8": gdal.GDT_Byte, "int16": gdal.GDT_Int16, "float32": gdal.GDT_Float32}[planes.dtype.name] if kind is None else kind
        to = gdal.GetDriverByName("GTiff").Create(self.path(name), planes.shape[2], planes.shape[1], planes.shape[0], kind, list(options))
        if transform:
            to.SetGeoTransform(transform)
            to.SetSpatialRef(system(metres))
        for b, plane in enumerate(planes):
            to.GetRasterBand(b + 1).WriteArray(plane)
        return to

    def read(self, name):
        return gdal.Open(self.path(name)).ReadAsArray()

    def same(self, source, *options):
        """Cells as they are."""
        said = self.noted("resample", source, "out.npy", "--zoom", 1, "--by", "nearest", "--force", *options)
        return self.load("out.npy"), said

    def test_pages_are_counted_and_chosen(self):
        planes = (self.random.random((3, 4, 5)) * 200).astype(np.uint8)
        for k in range(3):
            driver = gdal.GetDriverByName("GTiff")
            source = gdal.GetDriverByName("MEM").Create("", 5, 4 , 1, gdal.GDT_Byte)
            source.GetRasterBand(1).WriteArray(planes[k])
            source.SetGeoTransform(north_up)
            driver.CreateCopy(self.path("pages.tif"), source, options=["APPEND_SUBDATASET=YES"] if k else [])
        got, said = self.same("pages.tif")
        self.assert_same(got, planes[0])
        self.assertIn("page 1 of 3 is read; --page N reads another", said)
        for page in (2, 3):
            got, said = self.same("pages.tif", "--page", page)
            self.assert_same(got, planes[page - 1])
            self.assertIn(f"page {page} of 3 is read", said)
        for page in (0, 4, -1):
            self.refused(wrong, "resample", "pages.tif", "no.npy", "--zoom", 1, "--page", page, says=[f"--page {page}", "pages are 1 to 3"])
        self.assertIn("page      2 of 3", self.crinkle("info", "pages.tif", "--page", 2).decode())
        self.assertEqual(json.loads(self.crinkle("info", "pages.tif", "--json"))["pages"], 3)
        self.write("one.tif", planes[0]).BuildOverviews("NEAREST", [2])
        self.assertNotIn("page", self.same("one.tif")[1])
        self.save("a.npy", planes[0])
        self.refused(wrong, "resample", "a.npy", "no.npy", "--zoom", 1, "--page", 2, says="--page 2 is of TIFF")
        self.refused(wrong, "info", "a.npy", "--page", 2, says="--page 2 is of TIFF")

    def test_control_points_are_told(self):
        to = self.write("points.tif", np.ones((4, 5), np.float32), transform=None)
        to.SetGCPs([gdal.GCP(500000 + 10 * x, 5400000 - 10 * y, 0, x, y) for x, y in [(0, 0), (5, 0), (0, 4)]], system(metres).ExportToWkt())
        del to
        self.assertIn("3 ground control points, which are not used", self.same("points.tif")[1])
        self.refused(wrong, "resample", "points.tif", "no.npy", "--cell", 5, says=["3 ground control points", "gdalwarp"])
        self.assertIn("3 ground control points", self.crinkle("info", "points.tif").decode())
        self.write("far.tif", np.ones((4, 5), np.float32), transform=None).SetMetadata({"LINE_OFF": "1", "SAMP_OFF": "1"}, "RPC")
        self.assertNotIn("ground control", self.same("far.tif")[1])

    def test_a_mask_says_which_cells_have_data(self):
        plane = (self.random.random((6, 7)) * 200 + 1).astype(np.float32)
        hidden = np.zeros((6, 7), bool)
        hidden[1:3, 2:5] = hidden[5, 6] = True
        with_mask = self.write("mask.tif", plane)
        with_mask.CreateMaskBand(gdal.GMF_PER_DATASET)
        with_mask.GetRasterBand(1).GetMaskBand().WriteArray(np.where(hidden, 0, 255).astype(np.uint8))
        del with_mask
        got, said = self.same("mask.tif", "--nodata", -9)
        self.assert_same(got, np.where(hidden, np.float32(-9), plane))
        self.crinkle("resample", "mask.tif", "out.tif", "--zoom", 2, "--nodata", -9)
        gdal.Warp(self.path("want.tif"), self.path("mask.tif"), xRes=5, yRes=5, resampleAlg="bilinear", dstNodata=-9, errorThreshold=0)
        np.testing.assert_allclose(self.read("out.tif"), self.read("want.tif"), atol=1e-3)
        self.assertIn("mask      beside", self.crinkle("info", "mask.tif").decode())

    def test_alpha_says_which_cells_have_data(self):
        planes = (self.random.random((4, 20, 21)) * 200 + 1).astype(np.uint8)
        planes[3] = np.where(self.random.random((20, 21)) < 0.4, 0, 255)
        to = self.write("alpha.tif", planes, options=["ALPHA=YES", "PHOTOMETRIC=RGB"])
        self.assertEqual(to.GetRasterBand(4).GetColorInterpretation(), gdal.GCI_AlphaBand)
        del to
        self.assertIn("alpha, band 4", self.crinkle("info", "alpha.tif").decode())
        result = self.noted("resample", "alpha.tif", "out.tif", "--zoom", 2)
        self.assertNotIn("no data", result)
        gdal.Warp(self.path("want.tif"), self.path("alpha.tif"), xRes=5, yRes=5, resampleAlg="bilinear", errorThreshold=0)
        got, want = self.read("out.tif"), self.read("want.tif")
        there = np.repeat(np.repeat(planes[3] != 0, 2, 0), 2, 1)
        self.assert_same(got[3], np.where(there, 255, 0).astype(np.uint8))
        for b in range(3):
            self.assertTrue((got[b][~there] == 0).all())
            np.testing.assert_allclose(got[b][there].astype(int), want[b][there].astype(int), atol=1)
        source = gdal.Open(self.path("out.tif"))
        self.assertEqual(source.GetRasterBand(4).GetColorInterpretation(), gdal.GCI_AlphaBand)

    def test_scales_and_tags_go_with_the_cells_or_are_told(self):
        to = self.write("scaled.tif", np.ones((4, 5), np.int16))
        to.SetMetadata({"ACQUIRED": "2026-11-29", "SENSOR": "X"})
        to.GetRasterBand(1).SetScale(0.5)
        to.GetRasterBand(1).SetOffset(7)
        to.GetRasterBand(1).SetMetadata({"WAVELENGTH": "550"})
        del to
        said = self.same("scaled.tif")[1]
        self.assertIn("the scale of band 1, 0.5, and its offset, 7, are not applied", said)
        self.assertIn("its 3 tags are not in out.npy", said)
        self.assertEqual(self.noted("resample", "scaled.tif", "out.tif", "--zoom", 2), "")
        got = gdal.Open(self.path("out.tif"))
        band = got.GetRasterBand(1)
        self.assertEqual((got.GetMetadata()["ACQUIRED"], band.GetMetadata()["WAVELENGTH"], band.GetScale(), band.GetOffset()), ("2026-11-29", "550", 0.5, 7))
        self.assertIn("a number n means 0.5 n + 7", self.crinkle("info", "scaled.tif").decode())

    def test_a_part_of_a_raster_is_what_the_whole_says(self):
        planes = (self.random.random((3, 300, 400)) * 1000).astype(np.float32)
        planes[:, 100:140, 90:200] = np.nan
        for name, options in [("tiles.tif", ["TILED=YES", "BLOCKXSIZE=64", "BLOCKYSIZE=32"]), ("lines.tif", []), ("together.tif", ["INTERLEAVE=PIXEL"]), ("bands.tif", ["INTERLEAVE=BAND", "COMPRESS=DEFLATE"])]:
            self.write(name, planes, options=options)
        for by in ("nearest", "linear", "cubic", "spline"):
            for name in ["tiles.tif", "lines.tif", "together.tif", "bands.tif"] if by != "spline" else ["spline.tif"]:
                self.write("spline.tif", np.nan_to_num(planes))
                with self.subTest(by=by, name=name):
                    part = (500000 + 10 * 85, 5400000 - 10 * 150, 500000 + 10 * 205, 5400000 - 10 * 95)
                    self.crinkle("resample", name, "whole.npy", "--by", by, "--cell", 2.5, "--force", "--threads", 2)
                    self.crinkle("resample", name, "part.npy", "--by", by, "--cell", 2.5, "--extent", ",".join(map(str, part)), "--force", "--verify")
                    self.assert_same(self.load("part.npy"), self.load("whole.npy")[:, 4 * 95:4 * 150, 4 * 85:4 * 205])
            for boundary in ("periodic", "reflect", "edge", "symmetric", "constant:5"):
                if by == "spline":
                    continue
                wide = "499900,5397100,500200,5397400"  # over the lower left corner
                self.crinkle("resample", "tiles.tif", "part.npy", "--by", by, "--cell", 10, "--extent", wide, "--boundary", boundary, "--force", "--verify")
                if by == "nearest" and boundary == "periodic":
                    rows, columns = np.meshgrid(np.arange(260, 290), np.arange(-10, 20), indexing="ij")
                    self.assert_same(self.load("part.npy"), planes[:, rows % 300, columns % 400])
                if by == "nearest" and boundary == "edge":
                    rows, columns = np.meshgrid(np.arange(260, 290), np.clip(np.arange(-10, 20), 0, 399), indexing="ij")
                    self.assert_same(self.load("part.npy"), planes[:, rows, columns])

    def test_a_small_part_takes_little_memory(self):
        driver = gdal.GetDriverByName("GTiff")
        to = driver.Create(self.path("large.tif"), 12000, 12000, 1, gdal.GDT_Float32, ["TILED=YES", "SPARSE_OK=TRUE"])
        to.SetGeoTransform(north_up)
        del to
        peak = self.peak("resample", "large.tif", "out.npy", "--extent", "540000,5360000,541000,5361000")
        self.assertLess(peak, 200 << 20)  # all cells are 576 MB


if __name__ == "__main__":
    harness.main()
