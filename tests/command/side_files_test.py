# What stands beside an output: an output replaces the side files of what was there, too, and only once it is under its name; what a GeoTIFF
# cannot hold stands beside it.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import os
import signal
import subprocess
import time

import numpy as np

from geographic import GeographicTest, gdal, metres, system
from harness import CommandTest, done, wrong

world = "10\n0\n0\n-10\n5\n95\n"


class Beside(CommandTest):
    def put(self, *names, text="old"):
        for name in names:
            (self.folder / name).write_text(text)

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def said(self, *arguments):
        result = self.run_crinkle(*arguments)
        self.assertEqual(result.returncode, done, result.stderr.decode())
        return result.stderr.decode()

    def setUp(self):
        super().setUp()
        self.save("in.npy", np.arange(48, dtype="u1").reshape(6, 8))

    def test_pictures(self):
        self.put("out.png", "out.png.aux.xml", "out.png.ovr", "out.png.OVR", "out.png.msk")
        self.put("out.pgw", "out.pngw", "out.WLD", text=world)
        before = self.names()
        self.refused(wrong, "move", "... -> ...", "in.npy", "out.png", says="out.png: is there already")
        self.refused(wrong, "move", "... -> ...", "in.npy", "out.png", "--force", "--at", "7=0", says=[])
        self.assertEqual(self.names(), before)
        self.assertEqual(self.said("move", "... -> ...", "in.npy", "out.png", "--force"), "")
        self.assertEqual(self.names(), ["in.npy", "out.png"])
        for name, text in [("out.png.aux.xml", "old"), ("out.png.ovr", "old"), ("out.pgw", world), ("out.wld", world)]:
            os.remove(self.path("out.png"))
            self.put(name, text=text)
            self.refused(wrong, "move", "... -> ...", "in.npy", "out.png", says=[name, "readers would take it for a part of out.png", "--force"], lines=1)
            self.assertEqual(self.said("move", "... -> ...", "in.npy", "out.png", "--force"), "")
            self.assertEqual(self.names(), ["in.npy", "out.png"])

    def test_what_is_not_its_own_stays(self):
        others = {"out.aux": r"\relax", "out.tab": "!table\nDefinition Table\n  Type NATIVE", "out.wld": "my worlds", "out.pgw": "1 2 3", "out.qml": "<qgis/>", "out.png.xml": "<metadata/>",
                  "out2.png.ovr": "another's", "out.prj": "PROJCS[", "xout.png.ovr": "another's"}
        for name, text in others.items():
            self.put(name, text=text)
        self.put("out.png")
        self.said("move", "... -> ...", "in.npy", "out.png", "--force")
        self.assertEqual(self.names(), sorted(["in.npy", "out.png", *others]))
        for name, text in others.items():
            self.assertEqual((self.folder / name).read_text(), text)
        # A name that another picture has, too.
        self.put("out.wld", "out.pgw", text=world)
        self.put("out.JPG")
        self.said("move", "... -> ...", "in.npy", "out.png", "--force")
        self.assertIn("out.wld", self.names())
        self.assertNotIn("out.pgw", self.names())

    def test_raw_files_arrays_and_volumes(self):
        self.put("out.raw", "out.raw.aux.xml", "out.raw.ovr", "out.hdr")
        said = self.said("move", "... -> ...", "in.npy", "out.raw", "--force")
        self.assertEqual(said, "crinkle: note: out.hdr stays, from which readers take what is in out.raw: it may say something else now\n")
        self.assertEqual(self.names(), ["in.npy", "out.hdr", "out.raw"])
        # A part that is put into a file leaves true what is said of it, but not its overviews.
        self.put("out.raw.aux.xml", "out.raw.ovr")
        self.assertEqual(self.said("move", "... -> ...", "in.npy", "out.raw", "--put", "...", "--put-shape", "6,8"), "")
        self.assertEqual(self.names(), ["in.npy", "out.hdr", "out.raw", "out.raw.aux.xml"])
        for name in ["out.npy", "out.nii", "out.nii.gz"]:
            beside = [name + ".ovr", name + ".aux.xml", "out.json"]
            self.put(name, *beside)
            self.said("move", "... -> ...", "in.npy", name, "--force")
            self.assertTrue(set(beside) <= set(self.names()), name)

    def test_outputs_that_appear_together(self):
        self.put("a.raw", "b.raw", "a.raw.aux.xml", "b.raw.ovr")
        self.save("pairs.npy", np.zeros(4, [("a", "f4"), ("b", "f4")]))
        self.said("records", "pairs.npy", "{}.raw", "--to", "a | b", "--force")
        self.assertEqual(self.names(), ["a.raw", "b.raw", "in.npy", "pairs.npy"])
        # One that cannot be leaves the others, and what is beside them, as they were.
        self.put("a.raw.aux.xml")
        os.remove(self.path("b.raw"))
        os.mkdir(self.path("b.raw"))
        before = self.listing()
        result = self.run_crinkle("records", "pairs.npy", "{}.raw", "--to", "a | b", "--force")
        self.assertNotEqual(result.returncode, done)
        self.assertEqual(self.listing(), before)

    def test_tables_of_values(self):
        self.put("out.csv", "out.csvt", "out.CSVT")
        self.put("out.prj", text='PROJCS["old"]')
        (self.folder / "in.csv").write_text("x,y,v\n0,0,1\n1,1,2\n")
        self.said("interpolate", "in.csv", "out.csv", "--value", "v", "--targets", "in.csv", "--force")
        self.assertEqual(self.names(), ["in.csv", "in.npy", "out.csv"])
        self.put("out.prj", text='PROJCS["a shapefile\'s"]')
        self.put("out.shp")
        self.said("interpolate", "in.csv", "out.csv", "--value", "v", "--targets", "in.csv", "--force")
        self.assertIn("out.prj", self.names())

    def test_links_and_files_that_cannot_go(self):
        (self.folder / "real").mkdir()
        self.put("real/map.png", "real/map.png.ovr", "link.png.ovr", "link.png.aux.xml")
        os.symlink("real/map.png", self.path("link.png"))
        self.said("move", "... -> ...", "in.npy", "link.png", "--force")
        self.assertEqual(self.names(), ["in.npy", "link.png", "real"])
        self.assertEqual(os.listdir(self.path("real")), ["map.png"])
        self.assertTrue(os.path.islink(self.path("link.png")))
        # Remarks whose temporary is gone, of a run that was killed.
        self.put(".crinkle-abcdef.tmp.aux.xml", ".crinkle-notes.txt")
        self.said("move", "... -> ...", "in.npy", "out.npy")
        self.assertEqual(self.names(), [".crinkle-notes.txt", "in.npy", "link.png", "out.npy", "real"])


class Maps(GeographicTest):
    def write_map(self, name="map.tif", *options, command="interpolate"):
        self.write_csv()
        more = ["--neighbours", 2] if command == "interpolate" else []
        return self.noted(command, "in.csv", name, "--value", "height", "--cell", 50, *self.extent, *more, *options)

    # Overviews, a mask, statistics and a place, as GDAL and others write them.
    def surround(self, name="map.tif"):
        source = gdal.Open(self.path(name))
        source.BuildOverviews("average", [2, 4])
        source = None
        with open(self.path(name), "rb") as file:
            content = file.read()
        gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "NO")
        source = gdal.Open(self.path(name))
        source.GetRasterBand(1).ComputeStatistics(False)
        source.SetGeoTransform((1, 2, 0, 3, 0, -4))
        source.CreateMaskBand(gdal.GMF_PER_DATASET)
        source.GetRasterBand(1).GetMaskBand().WriteArray(np.zeros((10, 20), "u1"))
        source = None
        with open(self.path(name), "rb") as file:
            self.assertEqual(file.read(), content)
        stem = name.split(".")[0]
        for ending in [".tfw", ".wld", ".TIFW"]:
            (self.folder / (stem + ending)).write_text(world)
        (self.folder / (stem + ".tab")).write_text(f'!table\nDefinition Table\n  File "{name}"\n  Type "RASTER"\n')
        (self.folder / (stem + "_RPC.TXT")).write_text("LINE_OFF: 1\n")
        return {name + ending for ending in [".ovr", ".msk", ".aux.xml"]} | {stem + ending for ending in [".tfw", ".wld", ".TIFW", ".tab", "_RPC.TXT"]}

    def beside(self, stem="map"):
        return {path.name for path in self.folder.iterdir() if path.name.startswith(stem)} - {stem + ".tif"}

    def test_a_map_replaces_all_that_readers_took_for_the_old_one(self):
        self.write_map()
        self.write_map("other.tif")
        for command, arguments in [("interpolate", []), ("grid", []), ("resample", ["other.tif", "map.tif", "--zoom", 1])]:
            with self.subTest(command=command):
                sides = self.surround()
                self.assertEqual(self.beside(), sides)
                old = gdal.Open(self.path("map.tif"))
                self.assertEqual((old.GetRasterBand(1).GetOverviewCount(), old.GetGeoTransform()), (2, (1, 2, 0, 3, 0, -4)))
                old = None
                for words in [["--cell", "x"], ["--zoom", "x"]]:
                    self.run_crinkle(command, *(arguments or ["in.csv", "map.tif"]), *words, "--force")
                    self.assertEqual(self.beside(), sides)
                if arguments:
                    self.noted(command, *arguments, "--force")
                else:
                    self.write_map("map.tif", "--force", command=command)
                self.assertEqual(self.beside(), set())
                new = gdal.Open(self.path("map.tif"))
                band = new.GetRasterBand(1)
                self.assertEqual((band.GetOverviewCount(), band.GetMaskFlags() & gdal.GMF_PER_DATASET, band.GetMetadata()), (0, 0, {}))
                self.assertEqual(new.GetGeoTransform(), (500000, 50, 0, 5400500, 0, -50))

    def test_a_map_without_a_place_gets_none_from_beside(self):
        self.write_map()
        (self.folder / "polar.tfw").write_text(world)
        self.refused(wrong, "resample", "map.tif", "polar.tif", "--polar", says=["polar.tfw", "--force"], lines=1)
        self.noted("resample", "map.tif", "polar.tif", "--polar", "--force")
        self.assertIsNone(gdal.Open(self.path("polar.tif")).GetGeoTransform(can_return_null=True))
        # map.tif's own stays, where the new file has another name.
        (self.folder / "map.tfw").write_text(world)
        self.noted("resample", "polar.tif", "map2.tif", "--zoom", 1)
        self.assertTrue((self.folder / "map.tfw").exists())

    def test_an_input_that_is_a_side_file_is_refused(self):
        self.write_map()
        self.surround()
        for options in [[], ["--force"]]:
            self.refused(wrong, "resample", "map.tif.ovr", "map.tif", "--zoom", 2, *options, says="map.tif" if not options else ["map.tif.ovr: is the input", "another name"])

    def test_a_stopped_run_leaves_them(self):
        self.write_map()
        sides = self.surround()
        before = self.listing()
        arguments = ["interpolate", "in.csv", "map.tif", "--value", "height", "--cell", 0.25, *self.extent, "--threads", 1, "--force", "--crs", "+proj=eqearth"]
        process = subprocess.Popen([harness.program, *map(str, arguments)], cwd=self.folder, stderr=subprocess.PIPE)
        while process.poll() is None and len(list(self.folder.glob(harness.temporaries))) < 2:
            time.sleep(0.001)
        process.send_signal(signal.SIGTERM)
        process.communicate()
        self.assertEqual(self.listing(), before)
        self.assertEqual(self.beside(), sides)

    def test_a_system_that_a_geotiff_cannot_hold_stands_beside_it(self):
        rotated = "+proj=ob_tran +o_proj=longlat +o_lon_p=-162 +o_lat_p=39.25 +lon_0=180"
        for crs in [rotated, "+proj=eqearth"]:
            for name in ["new.tif", "map.tif"]:
                with self.subTest(crs=crs, name=name):
                    self.write_map("map.tif", "--crs", metres, "--force")
                    self.surround()
                    if crs == rotated:
                        (self.folder / "in.csv").write_text("x,y,height\n1,2,3\n4,5,6\n")
                        said = self.noted("interpolate", "in.csv", name, "--value", "height", "--cell", 0.5, "--crs", crs, "--force")
                    else:
                        said = self.write_map(name, "--crs", crs, "--force")
                    self.assertIn(f"note: {name}.aux.xml goes with {name}: it has the reference system", said)
                    self.assertIn("which a GeoTIFF cannot hold", said)
                    self.assertEqual(self.beside(name[:3]), {name + ".aux.xml"})
                    source = gdal.Open(self.path(name))
                    self.assertTrue(source.GetSpatialRef().IsSame(system(crs)))
                    self.assertEqual(source.GetRasterBand(1).GetOverviewCount(), 0)
                    source = None
                    self.assertEqual(list(self.folder.glob(harness.temporaries)), [])
                    self.assertEqual(os.stat(self.path(name)).st_mode & 0o777, os.stat(self.path(name + ".aux.xml")).st_mode & 0o777)
                    # It goes with the file that others are made of, and with the next one that replaces it.
                    self.noted("resample", name, "again.tif", "--zoom", 2, "--force")
                    self.assertTrue(gdal.Open(self.path("again.tif")).GetSpatialRef().IsSame(system(crs)))
                    self.noted("resample", name, "again.tif", "--polar", "--force")
                    self.assertEqual(self.beside("again"), set())
                    os.remove(self.path(name))
                    os.remove(self.path(name + ".aux.xml"))

    def test_a_preview_beside_a_map(self):
        self.write_map("map.tif", "--preview", "map.png")
        for name in ["map.png.aux.xml", "map.pgw", "map.wld"]:
            (self.folder / name).write_text(world)
        said = self.write_map("map.tif", "--preview", "map.png", "--force")
        self.assertEqual(self.beside(), {"map.png", "map.wld"})
        for name in ["map.tif", "map.png"]:
            self.assertIn(f"note: map.wld stays, as several files have this name; readers may take it for a part of {name}", said)


if __name__ == "__main__":
    harness.main()
