# crinkle resample to larger cells: gdalwarp's values, and cells without data count for nothing.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import numpy as np

from geographic import GeographicTest, gdal, metres, system
from harness import wrong


class LargerCells(GeographicTest):
    def write(self, name, array, nodata, periodic=False):
        kind = {"float32": gdal.GDT_Float32, "uint8": gdal.GDT_Byte}[array.dtype.name]
        to = gdal.GetDriverByName("GTiff").Create(self.path(name), array.shape[1], array.shape[0], 1, kind)
        to.SetGeoTransform((500000, 10, 0, 5400000, 0, -10))
        to.SetSpatialRef(system(metres))
        to.GetRasterBand(1).SetNoDataValue(nodata)
        to.GetRasterBand(1).WriteArray(array)

    def resample(self, name, *options):
        self.crinkle("resample", name, "out.tif", "--force", "--verify", *options)
        return gdal.Open(self.path("out.tif")).ReadAsArray()

    def warped(self, name, by, cell, shape):
        bounds = (500000, 5400000 - shape[0] * cell, 500000 + shape[1] * cell, 5400000)
        gdal.Warp(self.path("want.tif"), self.path(name), resampleAlg=by, errorThreshold=0, xRes=cell, yRes=cell, outputBounds=bounds)
        return gdal.Open(self.path("want.tif")).ReadAsArray()

    def test_values_are_gdalwarps(self):
        for has_holes in [False, True]:
            x = (self.random.random((60, 80)) * 100).astype("f4")
            if has_holes:
                x[self.random.random(x.shape) < 0.15] = x[20:30, 25:45] = -9
            self.write("in.tif", x, -9)
            for cell in [20, 25, 33, 100]:  # maps that end with the input: gdalwarp takes the scale from what there is of it
                for by, options in [("average", ["--by", "average"]), ("bilinear", ["--antialias"]), *([("cubic", ["--by", "cubic", "--antialias"])] if not has_holes else [])]:
                    with self.subTest(by=by, cell=cell, has_holes=has_holes):
                        got = self.resample("in.tif", "--cell", cell, *options)
                        np.testing.assert_allclose(got, self.warped("in.tif", by, cell, got.shape), atol=5e-5)

    def test_cells_without_data_count_for_nothing(self):
        x = np.arange(64, dtype="f4").reshape(8, 8)
        x[0, 0] = x[4:, 4:] = -9
        self.write("in.tif", x, -9)
        np.testing.assert_allclose(self.resample("in.tif", "--cell", 40, "--by", "area"), [[(x[:4, :4].sum() + 9) / 15, x[:4, 4:].mean()], [x[4:, :4].mean(), -9]], rtol=1e-6)
        for by in ["linear", "cubic", "lanczos"]:  # a mean of those that have data
            got = self.resample("in.tif", "--cell", 20, "--by", by, *(["--antialias"] if by != "lanczos" else []))
            self.assertTrue((got[2:, 2:] == -9).all())
            self.assertTrue((got[:2] >= 0).all() and (got[:2] <= 40).all(), got)
        classes = np.array([[3, 3, 9, 9], [3, 9, 9, 1], [9, 9, 5, 5], [9, 9, 9, 9]], np.uint8)
        self.write("classes.tif", classes, 9)
        np.testing.assert_array_equal(self.resample("classes.tif", "--cell", 20, "--by", "mode"), [[3, 1], [9, 5]])

    def test_a_part_of_the_ground_reads_what_it_covers(self):
        x = (self.random.random((80, 90)) * 100).astype("f4")
        self.write("in.tif", x, -9)
        for words in [["--by", "area"], ["--by", "lanczos"], ["--by", "cubic", "--antialias"], ["--by", "mode"]]:
            whole = self.resample("in.tif", "--cell", 50, *words)
            part = self.resample("in.tif", "--cell", 50, "--extent", "500200,5399500,500500,5399800", *words)
            np.testing.assert_allclose(part, whole[4:10, 4:10], rtol=2e-6)

    def test_what_is_told_and_refused(self):
        self.write("in.tif", np.ones((40, 40), "f4"), -9)
        said = self.run_crinkle("resample", "in.tif", "out.tif", "--cell", "40").stderr.decode()
        self.assertIn("places of the result lie 4 elements apart", said)
        self.refused(wrong, "resample", "in.tif", "no.tif", "--cell", "40", "--by", "area", "--boundary", "constant:nan", says="edge or periodic")
        self.refused(wrong, "resample", "in.tif", "no.tif", "--rotate", "30", "--by", "area", says="shrink by a zoom first")


if __name__ == "__main__":
    harness.main()
