# A GeoTIFF is the map of .npy to the last bit, in its place on the ground, and nothing is left behind where it cannot be written.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json
import os
import resource
import signal
import subprocess
import time

import numpy as np

from geographic import GeographicTest, gdal, metres, system
from harness import done, failed, wrong


class Maps(GeographicTest):
    def assert_tiff(self, name, array, transform, crs=metres, bands=("height",), nodata=np.nan, compression="DEFLATE"):
        source = gdal.Open(self.path(name))
        got = source.ReadAsArray()
        self.assert_same(got, array, name)
        self.assertEqual(source.GetGeoTransform(), transform)
        if crs:
            self.assertTrue(source.GetSpatialRef().IsSame(system(crs), ["IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES"]))
            self.assertEqual(source.GetSpatialRef().GetAuthorityCode(None), crs[5:])
        else:
            self.assertIsNone(source.GetSpatialRef())
        about = source.GetMetadata("IMAGE_STRUCTURE")
        self.assertEqual((about.get("COMPRESSION"), about.get("PREDICTOR")), (compression, "3" if compression else None))
        self.assertEqual([source.GetRasterBand(b + 1).GetDescription() for b in range(source.RasterCount)], list(bands))
        for b in range(source.RasterCount):
            band = source.GetRasterBand(b + 1)
            self.assertEqual(band.GetBlockSize(), [256, 256])
            np.testing.assert_equal(band.GetNoDataValue(), nodata)

    def test_a_geotiff_is_the_map_in_its_place(self):
        self.write_csv()
        transform = (500000, 2.5, 0, 5400500, 0, -2.5)
        for dtype in ["float32", "float64"]:
            arguments = ["--value", "height", "--cell", 2.5, *self.extent, "--neighbours", 4, "--dtype", dtype, "--force"]
            self.crinkle("interpolate", "in.csv", "want.npy", *arguments)
            for word, name in [(None, "DEFLATE"), ("none", None), ("deflate", "DEFLATE"), ("lzw", "LZW"), ("zstd", "ZSTD")]:
                with self.subTest(dtype=dtype, word=word):
                    self.crinkle("interpolate", "in.csv", "map.tif", *arguments, "--crs", metres, *(["--compress", word] if word else []))
                    self.assert_tiff("map.tif", self.load("want.npy"), transform, compression=name)
        self.assert_nothing_but("in.csv", "map.tif", "want.npy")
        self.crinkle("interpolate", "in.csv", "MAP.TIFF", *arguments)
        self.assert_tiff("MAP.TIFF", self.load("want.npy"), transform, crs=None)

    def test_a_corner_is_not_rounded(self):
        (self.folder / "in.csv").write_text("x,y,v\n0,0,1\n10,10,2\n")
        self.assertNotEqual((0.1 + 0.7 / 2) - 0.7 / 2, 0.1)
        self.crinkle("interpolate", "in.csv", "map.tif", "--value", "v", "--cell", 0.7, "--extent", "0.1,0.2,7,5.1")
        self.assertEqual(gdal.Open(self.path("map.tif")).GetGeoTransform(), (0.1, 0.7, 0, 5.1, 0, -0.7))

    def test_cells_without_data(self):
        self.write_csv()
        arguments = ["--value", "height", "--cell", 10, *self.extent, "--radius", 20, "--nodata", -9999.1]
        self.crinkle("interpolate", "in.csv", "map.npy", *arguments)
        self.crinkle("interpolate", "in.csv", "map.tif", *arguments)
        want = self.load("map.npy")
        self.assertTrue((want == np.float32(-9999.1)).any())
        self.assert_tiff("map.tif", want, (500000, 10, 0, 5400500, 0, -10), crs=None, nodata=float(np.float32(-9999.1)))
        source = gdal.Open(self.path("map.tif"))
        self.assertEqual((source.GetRasterBand(1).GetMaskBand().ReadAsArray() == 0).sum(), (want == np.float32(-9999.1)).sum())

    def test_columns_statistics_and_layers_are_bands(self):
        (self.folder / "in.csv").write_text("x,y,z,a,b\n0,0,0,1,10\n4,4,3,3,30\n1,3,2,2,20\n")
        two = ["in.csv", "--value", "a,b", "--cell", 1, "--extent", "0,0,4,3"]
        transform = (0, 1, 0, 3, 0, -1)
        for command, options, bands in [("interpolate", [], ["a", "b"]),
                                        ("grid", ["--statistic", "count,mean"], ["count of a", "count of b", "mean of a", "mean of b"])]:
            self.crinkle(command, *two, "want.npy", *options, "--force")
            self.crinkle(command, *two, "map.tif", *options, "--force", "--crs", metres)
            want = self.load("want.npy")
            self.assert_tiff("map.tif", want.reshape(-1, *want.shape[-2:]), transform, bands=bands)
        three = ["in.csv", "--z", "z", "--value", "a,b", "--cell", 1, "--extent", "0,0,0,4,3,2", "--force"]
        self.crinkle("interpolate", *three, "want.npy")
        self.crinkle("interpolate", *three, "map.tif")
        self.assert_tiff("map.tif", self.load("want.npy").reshape(4, 3, 4), transform, crs=None, bands=[f"{name}, z = {z}" for name in "ab" for z in (0.5, 1.5)])

    def test_the_cells_of_another_file(self):
        self.write_csv()
        arguments = ["in.csv", "--value", "height", "--neighbours", 6, "--force"]
        self.crinkle("interpolate", *arguments, "map.tif", "--cell", 0.7, "--extent", "500000.1,5400000.3,500201,5400100.9", "--crs", metres)
        self.assertIn("in.csv names no coordinate reference system; its places are taken as EPSG:25832", self.noted("interpolate", *arguments, "again.tif", "--like", "map.tif"))
        first = gdal.Open(self.path("map.tif"))
        self.assert_tiff("again.tif", first.ReadAsArray(), first.GetGeoTransform())
        self.crinkle("interpolate", *arguments, "out.npy", "--like", "map.tif")
        self.assert_same(self.load("out.npy"), first.ReadAsArray())
        # Rows from south to north, and cells that are no squares.
        other = gdal.GetDriverByName("GTiff").Create(self.path("other.tif"), 30, 20)
        other.SetGeoTransform((500100, 8, 0, 5400050, 0, 4))
        other.SetSpatialRef(system("EPSG:25833"))
        other = None
        said = self.noted("interpolate", *arguments, "turned.tif", "--like", "other.tif", "--from-crs", metres)
        self.assertIn("in.csv: 300 places are brought from EPSG:25832 (ETRS89 / UTM zone 32N) to EPSG:25833", said)
        self.noted("interpolate", *arguments, "turned.tif", "--like", "other.tif")
        x, y = np.meshgrid(500104 + 8 * np.arange(30.0), 5400052 + 4 * np.arange(20.0))
        self.write_csv("at.csv", np.stack([x, y], -1).reshape(-1, 2), np.zeros(600))
        self.crinkle("interpolate", *arguments, "want.npy", "--targets", "at.csv")
        self.assert_tiff("turned.tif", self.load("want.npy").reshape(20, 30), (500100, 8, 0, 5400050, 0, 4), crs="EPSG:25833")

    def test_info_says_where_a_raster_lies(self):
        self.write_csv()
        self.crinkle("interpolate", "in.csv", "map.tif", "--value", "height", "--cell", 25, *self.extent, "--crs", metres, "--nodata", -1)
        text = self.crinkle("info", "map.tif").decode()
        for line in ["GTiff, DEFLATE, blocks of 256 x 256", "[1][20][40] Float32", "500000 5400500", "25 -25", "EPSG:25832 (ETRS89 / UTM zone 32N)", "nodata    -1", "band      height"]:
            self.assertIn(line, text)
        facts = json.loads(self.crinkle("info", "map.tif", "--json"))
        self.assertEqual((facts["shape"], facts["corner"], facts["step"], facts["nodata"]), ([1, 20, 40], [500000, 5400500], [25, -25], -1))

    def test_what_is_refused(self):
        self.write_csv()
        arguments = ["in.csv", "out.tif", "--value", "height"]
        cell = ["--cell", 100]
        (self.folder / "bad.tif").write_bytes(b"II*\0 is no raster")
        plain = gdal.GetDriverByName("GTiff").Create(self.path("plain.tif"), 3, 2)
        plain = None
        good = gdal.GetDriverByName("GTiff").Create(self.path("good.tif"), 3, 2)
        good.SetGeoTransform((0, 1, 0, 0, 0, -1))
        good = None
        turned = gdal.GetDriverByName("GTiff").Create(self.path("turned.tif"), 3, 2)
        turned.SetGeoTransform((0, 1, 1, 0, -1, 1))
        turned = None
        for status, says, options in [(failed, ["bad.tif", "GDAL: "], ["--like", "bad.tif"]), (failed, ["gone.tif"], ["--like", "gone.tif"]),
                                      (wrong, ["plain.tif", "geotransform"], ["--like", "plain.tif"]), (wrong, ["turned.tif", "turned"], ["--like", "turned.tif"]),
                                      (wrong, ["--like good.tif", "--cell"], ["--like", "good.tif", *cell]),
                                      (wrong, ["--compress 'jpeg'"], ["--compress", "jpeg", *cell]), (wrong, ["--targets", "write .csv or .npy"], ["--targets", "in.csv"]),
                                      (wrong, ["--targets-layer"], ["--targets-layer", "a", *cell]),
                                      (wrong, ["columns", "write .npy"], ["--cell", 1e-9, "--extent", "500000,5400100,500003,5400100.000000004"])]:
            with self.subTest(options=options):
                self.refused(status, "interpolate", *arguments, *options, says=says)
        self.refused(wrong, "interpolate", "in.csv", "out.npy", "--value", "height", *cell, "--compress", "lzw", says=["--compress lzw", ".tif"])
        self.refused(wrong, "move", "... -> ...", "in.csv", "out.tif", says=[])
        self.crinkle("interpolate", *arguments, *cell)
        self.refused(wrong, "interpolate", *arguments, *cell, says="--force")

    def test_all_or_nothing(self):
        self.write_csv()
        (self.folder / "map.png").write_bytes(b"somebody's")
        arguments = ["interpolate", "in.csv", "map.tif", "--value", "height", "--cell", 10, "--preview", "map.png"]
        self.refused(wrong, *arguments, says=["map.png", "--force"])
        (self.folder / "map.tif").write_bytes(b"old")
        os.chmod(self.path("map.tif"), 0o640)
        self.crinkle(*arguments, "--force")
        self.assertEqual(os.stat(self.path("map.tif")).st_mode & 0o777, 0o640)
        self.assertEqual(gdal.Open(self.path("map.tif")).RasterXSize, 100)
        self.assert_nothing_but("in.csv", "map.tif", "map.png")

    def test_a_full_disk(self):
        place = self.folder / "disk"
        place.mkdir()
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1500k", "tmpfs", place], capture_output=True).returncode:
            self.skipTest("no file system may be mounted here")
        self.addCleanup(subprocess.run, ["umount", place], capture_output=True)
        self.write_csv()
        # 1 MB of cells have room, a GeoTIFF of as many beside them has none; of more the cells themselves have none.
        for cell in [2, 1]:
            result = self.run_crinkle("interpolate", "in.csv", place / "map.tif", "--value", "height", "--cell", cell, *self.extent, "--dtype", "float64", "--compress", "none")
            self.assertEqual((result.returncode, len(result.stderr.splitlines())), (failed, 1), result.stderr)
            self.assertRegex(result.stderr.decode(), r"^crinkle: .*disk/map\.tif: .*No space left on device\n$")
            self.assertEqual(os.listdir(place), [])

    def test_a_run_that_is_stopped_leaves_nothing(self):
        self.write_csv()
        arguments = ["interpolate", "in.csv", "map.tif", "--value", "height", "--cell", 0.25, *self.extent, "--threads", 1]
        for number in [signal.SIGINT, signal.SIGTERM]:
            process = subprocess.Popen([harness.program, *map(str, arguments)], cwd=self.folder, stderr=subprocess.PIPE)
            while process.poll() is None and len(list(self.folder.glob(harness.temporaries))) < 2:
                time.sleep(0.001)
            process.send_signal(number)
            process.communicate()
            self.assertEqual(process.returncode, -number)
            self.assert_nothing_but("in.csv")

    def test_a_map_larger_than_memory(self):
        (self.folder / "in.csv").write_text("x,y,v\n1,1,7\n9999,9999,7\n")
        limit = 160 << 20
        result = self.run_crinkle("interpolate", "in.csv", "map.tif", "--value", "v", "--cell", 2, "--extent", "0,0,10000,20000", "--threads", 2,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)))
        self.assertEqual(result.returncode, done, result.stderr)
        source = gdal.Open(self.path("map.tif"))
        band = source.GetRasterBand(1)
        self.assertEqual(band.XSize * band.YSize * 4, 200 * 10**6)
        self.assertEqual(band.ComputeRasterMinMax(False), (7, 7))
        self.assertLess(os.path.getsize(self.path("map.tif")), 2 << 20)


if __name__ == "__main__":
    harness.main()
