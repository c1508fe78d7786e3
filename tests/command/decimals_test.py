# Maps of decimal numbers: which cell a sample is in, which samples a radius holds and which cell of another raster a place is in, exact
# fractions say.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

from fractions import Fraction
from math import floor

import numpy as np

try:
    import nibabel
except ImportError:
    nibabel = None

from geographic import GeographicTest, gdal
from harness import CommandTest

half = Fraction(1, 2)


class Samples(CommandTest):
    def lattice(self, x0, y0, step, n):
        """Writes a lattice of n × n samples of 7; returns their places, exact, and in text."""
        places = [(Fraction(x0) + i * Fraction(step), Fraction(y0) + j * Fraction(step)) for j in range(n) for i in range(n)]
        rows = [f"{self.text(x)},{self.text(y)},7" for x, y in places]
        (self.folder / "in.csv").write_text("\n".join(["x,y,v", *rows]) + "\n")
        return places

    def text(self, number):
        scaled = number * 10**4
        self.assertEqual(scaled.denominator, 1)
        sign, digits = "-" if scaled < 0 else "", f"{abs(scaled.numerator):05d}"
        return f"{sign}{digits[:-4]}.{digits[-4:]}"

    def test_a_sample_on_an_edge_is_in_the_next_cell(self):
        for x0, y0, step, cell, n in [("0", "0", "0.05", "0.05", 21), ("0", "0", "0.1", "0.1", 21), ("-1", "-1", "0.05", "0.1", 41), ("500000.3", "5400000.7", "0.1", "0.3", 61),
                                      ("0.1", "0.2", "0.1", "0.7", 50), ("-179.95", "-30", "0.05", "0.15", 40), ("0.025", "0.0125", "0.0125", "0.05", 30)]:
            with self.subTest(x0=x0, step=step, cell=cell):
                places = self.lattice(x0, y0, step, n)
                self.crinkle("grid", "in.csv", "out.npy", "--statistic", "count", "--cell", cell, "--force")
                width = (n - 1) * Fraction(step)
                extent = -floor(-width / Fraction(cell))
                want = np.zeros((extent, extent))
                for x, y in places:
                    column, row = floor((x - Fraction(x0)) / Fraction(cell)), floor((Fraction(y0) + width - y) / Fraction(cell))
                    want[min(row, extent - 1), min(column, extent - 1)] += 1
                self.assert_same(self.load("out.npy"), want)

    def test_a_sample_at_the_radius_counts(self):
        for x0, y0, step, radius in [("0", "0", "0.1", "0.3"), ("0.05", "0.05", "0.1", "0.5"), ("500000.3", "5400000.7", "0.1", "0.5"), ("-0.7", "-0.9", "0.1", "0.1"), ("0", "0", "0.7", "3.5")]:
            places = self.lattice(x0, y0, step, 12)
            n = 11
            corner, top = Fraction(x0) + Fraction(step) / 2, Fraction(y0) + Fraction(step) / 2 + n * Fraction(step)
            box = ",".join(map(self.text, [corner, top - n * Fraction(step), corner + n * Fraction(step), top]))
            counts = np.array([[sum((x - corner - (i + half) * Fraction(step)) ** 2 + (y - top + (j + half) * Fraction(step)) ** 2 <= Fraction(radius) ** 2 for x, y in places)
                                for i in range(n)] for j in range(n)])
            for least in sorted(set(counts.ravel().tolist()) | {1}):
                for more in [[], ["--neighbours", 144], ["--neighbours", 144, "--sectors", 4]]:
                    with self.subTest(x0=x0, step=step, radius=radius, least=least, more=more):
                        self.crinkle("interpolate", "in.csv", "out.npy", "--value", "v", "--cell", step, "--extent", box, "--radius", radius, "--least", least, *more, "--force")
                        self.assert_same(np.isnan(self.load("out.npy")), counts < least)


class Volumes(CommandTest):
    def test_spacings_of_headers_are_decimals(self):
        if nibabel is None:
            self.skipTest("nibabel is not installed")
        for spacing, wanted, every in [(0.7, "2.1mm", 3), (0.9, "4.5mm", 5), (1.1, "7.7mm", 7)]:  # float32 has 0.69999999
            array = np.full((28, 35, 21), np.nan, "f4")
            array[every // 2::every, every // 2::every, every // 2::every] = self.random.random(array[every // 2::every, every // 2::every, every // 2::every].shape)
            image = nibabel.Nifti1Image(array, np.diag([spacing] * 3 + [1]))
            image.header.set_xyzt_units("mm")
            nibabel.save(image, self.path("in.nii"))
            for by in ["nearest", "linear", "cubic"]:
                self.crinkle("resample", "in.nii", "out.nii", "--spacing", wanted, "--by", by, "--force")
                got = nibabel.load(self.path("out.nii")).get_fdata(dtype=np.float32)
                on = tuple(slice(every // 2, every // 2 + every * n, every) for n in got.shape)
                self.assertEqual(got.shape, tuple(round(n / every) for n in array.shape))
                self.assert_same(np.ascontiguousarray(got[:-1, :-1, :-1]), np.ascontiguousarray(array[on][:-1, :-1, :-1]))


class Rasters(GeographicTest):
    def write(self, name, array, corner, cell, nodata=None):
        to = gdal.GetDriverByName("GTiff").Create(self.path(name), array.shape[1], array.shape[0], 1, gdal.GDT_Float32 if array.dtype == "f4" else gdal.GDT_Float64)
        to.SetGeoTransform((float(Fraction(corner[0])), float(Fraction(cell)), 0, float(Fraction(corner[1])), 0, -float(Fraction(cell))))
        if nodata is not None:
            to.GetRasterBand(1).SetNoDataValue(nodata)
        to.GetRasterBand(1).WriteArray(array)

    def resample(self, *arguments):
        self.crinkle("resample", "in.tif", "out.tif", *arguments, "--force")
        return gdal.Open(self.path("out.tif")).ReadAsArray()

    def test_zoomed_cells_on_data_are_data_and_cubic_is_cubic(self):
        n = 24
        for zoom, dtype in [(zoom, dtype) for zoom in [3, 7, 9, 11] for dtype in ["f4", "f8"]]:
            ramp = np.add.outer(np.arange(n) ** 2, 3 * np.arange(n)).astype(dtype)
            gaps = ramp.copy()
            gaps[::2, 1::2] = gaps[1::2] = -9999
            with self.subTest(zoom=zoom, dtype=dtype):
                on = np.arange(n) * zoom + zoom // 2  # exactly these have whole coordinates
                self.write("in.tif", ramp, ("500000.1", "5400000.3"), "0.7")
                cubic = self.resample("--zoom", zoom, "--by", "cubic")
                self.assert_same(cubic[np.ix_(on, on)], ramp)
                # Between rows and columns that are far from the edges Keys' polynomial makes squares exactly.
                q = (np.arange(n * zoom) + 0.5) / zoom - 0.5
                inside = (q >= 1) & (q <= n - 2)
                np.testing.assert_allclose(cubic[np.ix_(inside, inside)], np.add.outer(q ** 2, 3 * q)[np.ix_(inside, inside)], rtol=1e-5, atol=1e-3)
                self.write("in.tif", gaps, ("500000.1", "5400000.3"), "0.7", -9999)
                for by in ["nearest", "linear", "cubic"]:
                    found = self.resample("--zoom", zoom, "--by", by)
                    self.assert_same(found[np.ix_(on, on)], gaps)

    def test_cells_of_another_size_are_nearest_to_the_right_ones(self):
        for corner, cell, other, shift in [(("500000.3", "5400000.7"), "0.7", "0.1", "0"), (("-180", "90"), "0.05", "0.15", "0"), (("0.1", "0.2"), "0.3", "0.45", "0.15"),
                                           (("1234567.8", "7654321.2"), "0.2", "0.3", "0.1"), (("-3.3", "1.1"), "1.1", "0.55", "2.75"), (("500000.3", "5400000.7"), "0.2", "0.3", "0.05"),
                                           (("500000.3", "5400000.7"), "0.15", "0.7", "0.3"), (("0.1", "0.2"), "1.1", "0.6", "0.1"), (("-180", "90"), "0.7", "0.1", "0.35")]:
            array = np.arange(30 * 40, dtype="f4").reshape(30, 40)
            self.write("in.tif", array, corner, cell)
            left, top, step, size = Fraction(corner[0]) + Fraction(shift), Fraction(corner[1]) - Fraction(shift), Fraction(other), Fraction(cell)
            columns, rows = (min(n, floor((of * size - Fraction(shift)) / step)) for n, of in [(20, 40), (15, 30)])
            self.write("like.tif", np.zeros((rows, columns), "f4"), (left, top), step)
            column = [floor((left + (i + half) * step - Fraction(corner[0])) / size) for i in range(columns)]
            row = [floor((Fraction(corner[1]) - top + (j + half) * step) / size) for j in range(rows)]
            with self.subTest(corner=corner, cell=cell, other=other):
                found = self.resample("--like", "like.tif", "--by", "nearest")
                self.assert_same(found, array[np.ix_(row, column)])


if __name__ == "__main__":
    harness.main()
