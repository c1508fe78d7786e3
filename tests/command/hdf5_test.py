# HDF5 and NetCDF files and the command: arrays into them and back, in little memory, with names, coordinates and attributes; files that are torn.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import fcntl
import json
import signal
import subprocess
import time

import numpy as np

from harness import CommandTest, done, failed, filled, wrong

kinds = ("?", "u1", "<i2", ">f4", "<f2", "<c16", "<M8[ns]", "V3", "S4")
of_netcdf = ("?", "u1", "<i2", ">f4", "<i8", "<f8")


class Hdf5(CommandTest):
    def setUp(self):
        super().setUp()
        if b"HDF5" not in self.crinkle("--version"):
            self.skipTest("this build has no HDF5")

    def told(self, *words):
        result = self.run_crinkle(*words)
        self.assertEqual(result.returncode, done, f"{words}\n{result.stderr.decode()}")
        return result.stderr.decode()

    def stored(self, array, name, *options):
        self.save("in.npy", array)
        return self.told("move", "... -> ...", "in.npy", name, *options)

    def loaded(self, name):
        self.told("move", "... -> ...", name, "back.npy", "--force")
        return self.load("back.npy")

    def info(self, name):
        return json.loads(self.crinkle("info", name, "--json"))

    def zarr_with(self, array, name, axes, attributes):
        """A store with names, attributes and coordinates, to begin from."""
        self.stored(array, f"s.zarr:/{name}", "--force")
        described = self.folder / f"s.zarr/{name}/zarr.json"
        described.write_text(json.dumps(json.loads(described.read_text()) | {"dimension_names": axes, "attributes": attributes}))

    def test_round_trips_of_every_kind_of_element(self):
        for ending, dtypes in [("h5", kinds), ("nc", of_netcdf), ("nc3", of_netcdf)]:
            arrays = [filled((5, 6, 7), dtype, self.random) for dtype in dtypes if ending != "nc3" or dtype[0] != ">"]
            for k, array in enumerate([*arrays, np.float64(3), np.zeros((3, 2)), *([] if ending == "nc3" else [np.zeros((0, 4), "f4")])]):
                array = np.asarray(array)
                for options in [[], ["--filter", "none"]] + ([["--chunks", "2,6,3", "--filter", f] for f in ("gzip:5", "zstd:3,shuffle", "lz4", "blosc:lz4:5,bitshuffle", "none,fletcher32")]
                                                          if array.ndim == 3 and ending != "nc3" else []):
                    with self.subTest(ending=ending, dtype=array.dtype, shape=array.shape, options=options):
                        self.stored(array, f"{k}.{ending}", "--verify", "--force", *options)
                        back = self.loaded(f"{k}.{ending}")
                        self.assertEqual(back.dtype, array.dtype)
                        self.assert_same(back, array)
        self.assertEqual(list(self.folder.glob(harness.temporaries)), [])

    def test_commands_have_the_bytes_that_they_have_of_npy(self):
        array = self.random.normal(size=(40, 50, 30)).astype("f4")
        self.stored(array, "a.h5", "--chunks", "7,50,8")
        self.stored(array, "c.nc", "--filter", "none")
        for words in (["stencil", "gaussian:1"], ["fft"], ["resample", "--zoom", "1.5"]):
            self.crinkle(*words, "in.npy", "want.npy", "--force")
            for name in ("a.h5", "c.nc"):
                for memory in ("200KiB", "1GiB"):
                    with self.subTest(words=words, name=name, memory=memory):
                        self.told(*words, name, "have.h5", "--force", "--memory", memory)
                        self.assert_same(self.loaded("have.h5"), self.load("want.npy"))

    def test_moves_in_parts_have_the_same_bytes(self):
        a = np.arange(60 * 70 * 80, dtype="i4").reshape(60, 70, 80)
        self.stored(a, "a.h5", "--chunks", "16,16,16")
        self.stored(a, "c.h5", "--filter", "none")
        self.stored(a, "c.nc3")
        for spec, verbs, want in [("z y x -> x z y", [], a.transpose(2, 0, 1)), ("z y x -> z y x", ["--roll", "x=13", "--roll", "z=-5"], np.roll(a, (13, -5), (2, 0))),
                                  ("z y x -> (z y) x", [], a.reshape(4200, 80)),
                                  ("z y x -> z y x", ["--slice", "y=3:60:2", "--pad", "x=2:3:reflect"], np.pad(a[:, 3:60:2], ((0, 0), (0, 0), (2, 3)), "reflect"))]:
            for memory in ("100KiB", "1GiB"):
                for source in ("a.h5", "c.h5", "c.nc3"):
                    with self.subTest(spec=spec, verbs=verbs, memory=memory, source=source):
                        self.told("move", spec, source, "b.h5", *verbs, "--force", "--verify", "--memory", memory)
                        self.assert_same(self.loaded("b.h5"), want)
                        self.told("move", spec, source, "d.h5", *verbs, "--force", "--filter", "none", "--memory", memory)
                        self.assert_same(self.loaded("d.h5"), want)

    def test_arrays_are_the_same_on_any_number_of_threads(self):
        self.stored(self.random.integers(0, 99, (64, 64, 64)), "a.h5", "--chunks", "8,8,8", "--threads", "1")
        for k in range(3):
            self.stored(self.load("in.npy"), "b.h5", "--chunks", "8,8,8", "--force", "--threads", "4")
            self.assert_same(self.loaded("b.h5"), self.load("in.npy"))

    def test_one_run_makes_one_array_of_a_file(self):
        self.save("in.npy", np.arange(24).reshape(2, 3, 4))
        self.refused(2, "deinterlace", "in.npy", "-o", "one.h5:/s_{}", "--axis", "0", "--force", says=["one.h5:/s_1", "one.h5:/s_0", ".zarr"])
        self.assertFalse((self.folder / "one.h5").exists())

    def test_memory_is_bounded(self):
        a = self.random.integers(0, 1000, (64, 512, 512)).astype("f4")  # 64 MiB
        self.stored(a, "a.h5", "--chunks", "8,128,128")
        self.stored(a, "c.nc", "--filter", "none")
        limit, library = 12 << 20, 12 << 20
        for name in ("a.h5", "c.nc"):
            self.assertLess(self.peak("move", "t y x -> y x t", name, "b.h5", "--chunks", "64,64,64", "--memory", str(limit), "--force"), limit + harness.rest + library)
            self.assert_same(self.loaded("b.h5"), a.transpose(1, 2, 0))

    def test_names_attributes_and_coordinates_travel(self):
        t = self.random.normal(size=(4, 5, 6)).astype("f4")
        said = {"units": "K", "valid_range": [200.0, 330.0], "_FillValue": "AAAAAAAA+H8=", "scale_factor": 0.5, "n": 7, "names": ["a", "b"]}
        self.zarr_with(t, "t", ["time", "lat", "lon"], said)
        for axis, n in [("time", 4), ("lat", 5), ("lon", 6)]:
            self.zarr_with(np.arange(n) * 0.5 + 3, axis, [axis], {"units": f"of {axis}"})
        for ending in ("h5", "nc", "nc3"):
            with self.subTest(ending=ending):
                self.told("move", "lat lon time", "s.zarr:/t", f"b.{ending}", "--flip", "lon", "--slice", "lat=1:4")
                have = self.info(f"b.{ending}:/t")
                self.assertEqual(have["axes"], ["lat", "lon", "time"])
                want = said | {"_FillValue": "NaN"}
                if ending == "nc3":
                    want.pop("names")
                self.assertEqual(have["attributes"], want)
                np.testing.assert_array_equal(self.loaded(f"b.{ending}:/t"), t[:, 1:4, ::-1].transpose(1, 2, 0))
                np.testing.assert_array_equal(self.loaded(f"b.{ending}:/lat"), (np.arange(5) * 0.5 + 3)[1:4])
                np.testing.assert_array_equal(self.loaded(f"b.{ending}:/lon"), (np.arange(6) * 0.5 + 3)[::-1])
                self.assertEqual(self.info(f"b.{ending}:/time")["attributes"], {"units": "of time"})
                self.told("move", "time lat lon", f"b.{ending}", f"back_{ending}.zarr:/t")  # the only one that is no axis
                self.assertEqual(self.info(f"back_{ending}.zarr:/t")["attributes"]["_FillValue"], said["_FillValue"])
                self.told("move", "lat lon time", f"b.{ending}", f"r.{ending}", "--roll", "time=1")
                self.refused(wrong, "move", "... -> ...", f"r.{ending}:/time", "no.npy", says="without coordinates" if ending == "nc" else "no array /time")
        self.assertIn("coordinates of axis 'time' stay behind", self.told("move", "lat lon time", "b.h5", "r.h5", "--roll", "time=1", "--force"))

    def test_the_tree_of_a_file(self):
        self.stored(np.arange(24, dtype="f4").reshape(4, 6), "a.h5:/g/x", "--chunks", "2,3")
        self.stored(np.zeros(5, "i2"), "a.h5:/y", "--into", "--filter", "none")
        text = self.crinkle("info", "a.h5").decode()
        for words in ("/g/x  [4][6] float32, chunks [2][3], shuffle, gzip 1", "/y  [5] int16, contiguous"):
            self.assertIn(words, text)
        nodes = {node["name"]: node for node in self.info("a.h5")["nodes"]}
        self.assertEqual([*nodes], ["/", "/g", "/g/x", "/y"])
        self.assertEqual((nodes["/g/x"]["chunks"], nodes["/y"]["dtype"]), ([2, 3], "int16"))
        self.stored(np.zeros(3), "b.zarr:/c")
        self.stored(np.zeros(3), "b.zarr:/d/e")
        self.assertEqual([node["name"] for node in self.info("b.zarr")["nodes"]], ["/c", "/d/e"])

    def test_one_more_array_goes_into_a_file(self):
        for ending in ("h5", "nc"):
            with self.subTest(ending=ending):
                self.stored(np.arange(6.0).reshape(2, 3), f"a.{ending}:/x")
                self.refused(wrong, "move", "... -> ...", "in.npy", f"a.{ending}:/y", says="--into")
                self.assertIn("in place", self.stored(np.arange(12.0).reshape(3, 4), f"a.{ending}:/g/y", "--into", "--verify"))
                self.refused(wrong, "move", "... -> ...", "in.npy", f"a.{ending}:/g/y", "--into", says="there already")
                self.refused(wrong, "move", "... -> ...", "in.npy", f"a.{ending}:/g", "--into", says="is a group")
                self.refused(failed, "move", "... -> ...", "in.npy", f"a.{ending}:/x/z", "--into", says="holds no others")
                self.refused(wrong, "move", "... -> ...", f"a.{ending}:/x", f"a.{ending}:/z", "--into", says="input itself")
                self.stored(np.arange(5), f"a.{ending}:/g/y", "--into", "--force")
                np.testing.assert_array_equal(self.loaded(f"a.{ending}:/g/y"), np.arange(5))
                np.testing.assert_array_equal(self.loaded(f"a.{ending}:/x"), np.arange(6.0).reshape(2, 3))
                with open(self.folder / f"a.{ending}", "rb") as other:
                    fcntl.flock(other, fcntl.LOCK_EX)
                    self.refused(wrong, "move", "... -> ...", "in.npy", f"a.{ending}:/w", "--into", says="another program")
        self.stored(np.zeros(3), "c.nc3")
        self.refused(wrong, "move", "... -> ...", "in.npy", "c.nc3:/y", "--into", says="no room")

    def test_wrong_requests(self):
        self.stored(np.arange(24, dtype="f4").reshape(4, 6), "a.h5:/temperature")
        self.stored(np.zeros(3), "a.h5:/b", "--into")
        (self.folder / "text.h5").write_text("this is no HDF5 file")
        self.save("records.npy", np.zeros(3, [("x", "f4"), ("y", "i4")]))
        self.save("texts.npy", np.array(["a", "bc"]))
        self.save("half.npy", np.zeros(3, "f2"))
        there = sorted(path.name for path in self.folder.iterdir())
        for status, words, says in [(wrong, ["a.h5", "b.h5"], "/b /temperature"), (wrong, ["a.h5:/temperatur", "b.h5"], "did you mean /temperature?"), (wrong, ["a.h5:/temperature", "a.h5", "--force"], "input itself"),
                                    (wrong, ["in.npy", "a.h5"], "there already"), (failed, ["text.h5", "b.h5"], "does not begin"), (failed, ["none.h5", "b.h5"], "none.h5"), (failed, ["a.h5:b", "b.h5"], "a.h5:/NAME"), (wrong, ["in.npy", "b.h5:b"], "b.h5:b"),
                                    (wrong, ["a.h5:/temperature", "b.h5", "--chunks", "2"], "2 axes"), (wrong, ["in.npy", "b.h5", "--shards", "2"], "--shards"), (wrong, ["in.npy", "b.h5", "--filter", "crc32c"], "fletcher32"),
                                    (wrong, ["in.npy", "b.h5", "--filter", "gzip:10"], "gzip"), (wrong, ["in.npy", "b.h5", "--filter", "bzip2"], "bzip2"), (wrong, ["in.npy", "b.h5:/../x"], "'..'"), (wrong, ["in.npy", "b.nc3", "--chunks", "2"], "one piece"),
                                    (wrong, ["records.npy", "b.h5"], "crinkle records"), (wrong, ["texts.npy", "b.h5"], "no type"), (wrong, ["half.npy", "b.nc"], "name the output .h5"), (wrong, ["in.npy", "b.nc3:/g/x"], "no groups"), (wrong, ["in.npy", "b.nc3", "--byte-order", "big"], "--byte-order little"),
                                    (failed, ["in.npy", "no/b.h5"], "No such file"), (failed, ["in.npy", "in.npy/b.h5"], "in.npy"), (wrong, ["in.npy", "b.npy", "--into"], ".h5")]:
            with self.subTest(words=words):
                self.refused(status, "move", "... -> ...", *words, says=says)
                self.assertEqual(sorted(path.name for path in self.folder.iterdir()), there)

    def test_what_is_made_otherwise_than_asked_is_told(self):
        self.save("in.npy", np.zeros((4, 6)))
        for words, says in [(["b.h5", "--chunks", "100,3"], "they are [4][3]"), (["c.h5:/x", "--into"], "c.h5: --into: it is not there, and is made")]:
            told = self.run_crinkle("move", "... -> ...", "in.npy", *words)
            self.assertEqual(told.returncode, done, told.stderr)
            self.assertIn(says, told.stderr.decode())
            self.assertEqual(len(told.stderr.splitlines()), 1)

    def test_torn_files_are_refused(self):
        self.zarr_with(self.random.normal(size=(40, 30)), "t", ["y", "x"], {"units": "K", "list": [1, 2, 3]})
        self.told("move", "... -> ...", "s.zarr:/t", "a.h5", "--chunks", "10,10")
        self.told("move", "... -> ...", "s.zarr:/t", "c.nc", "--filter", "none")
        self.told("move", "... -> ...", "s.zarr:/t", "c.nc3")
        want = self.loaded("s.zarr:/t")
        n_refused = 0
        for name in ("a.h5", "c.nc", "c.nc3"):
            whole = (self.folder / name).read_bytes()
            for k in range(60):
                torn = bytearray(whole)
                if k < 20:
                    torn = torn[: len(torn) * k // 20]
                else:  # bytes of what describes it lie at the begin, where most are zeros
                    for at in self.random.integers(8, min(len(torn), 4096), 8):
                        torn[at] = self.random.integers(0, 256)
                torn_name = "torn." + name.rpartition(".")[2]
                (self.folder / torn_name).write_bytes(torn)
                with self.subTest(name=name, k=k):
                    result = self.run_crinkle("move", "... -> ...", torn_name, "out.npy", "--force")
                    self.assertIn(result.returncode, (done, failed, wrong), result.stderr.decode())
                    if result.returncode != done:
                        n_refused += 1
                        self.assertEqual(result.stderr.decode().splitlines()[-1][:9], "crinkle: ", result.stderr.decode())
                    self.assertIn(self.run_crinkle("info", torn_name).returncode, (done, failed, wrong))
                    self.assertEqual((self.folder / torn_name).read_bytes(), bytes(torn))
        self.assertGreater(n_refused, 60)
        self.assert_same(self.loaded("a.h5"), want)

    def test_runs_that_are_killed_leave_nothing_under_the_name(self):
        a = self.random.integers(0, 9, (64, 256, 256)).astype("f4")
        self.stored(a, "a.h5", "--chunks", "8,32,32")
        words = ["move", "t y x -> x y t", "a.h5", "b.h5", "--chunks", "16,16,16", "--memory", "1MiB"]
        for k in range(6):
            run = subprocess.Popen([harness.program, *words], cwd=self.folder, stderr=subprocess.DEVNULL)
            time.sleep(0.03 * (k + 1))
            run.send_signal(signal.SIGKILL if k % 2 else signal.SIGINT)
            if run.wait() == done:
                break
            self.assertFalse((self.folder / "b.h5").exists())
        self.told(*words, "--force")
        self.assert_same(self.loaded("b.h5"), a.transpose(2, 1, 0))
        self.assertEqual(list(self.folder.glob(harness.temporaries)), [])


if __name__ == "__main__":
    harness.main()
