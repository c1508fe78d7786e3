# Zarr stores and the command: arrays into stores and back, in little memory, with names and attributes; wrong requests; runs that are killed.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json
import signal
import subprocess
import time

import numpy as np

from harness import CommandTest, done, failed, filled, wrong


class Zarr(CommandTest):
    def setUp(self):
        super().setUp()
        if b"with Zarr" not in self.crinkle("--version"):
            self.skipTest("this build has no Zarr")

    def stored(self, array, name, *options):
        self.save("in.npy", array)
        self.crinkle("move", "... -> ...", "in.npy", name, *options)

    def loaded(self, name):
        self.crinkle("move", "... -> ...", name, "back.npy", "--force")
        return self.load("back.npy")

    def info(self, name):
        return json.loads(self.crinkle("info", name, "--json"))

    def test_round_trips_of_every_kind_of_element(self):
        texts = np.array(["", "a", "bc"])[self.random.integers(0, 3, (5, 6, 7))]
        arrays = [filled((5, 6, 7), dtype, self.random) for dtype in ("?", "u1", "<i2", ">f4", "<f2", "<c16", "<M8[ns]", "V3")]
        for k, array in enumerate([*arrays, texts.astype("S3"), texts.astype("<U2"), np.float64(3), np.zeros((0, 4), "f4"), np.zeros((3, 2))]):
            array = np.asarray(array)
            with self.subTest(dtype=array.dtype, shape=array.shape):
                self.stored(array, f"{k}.zarr", "--verify", *(["--chunks", "2,6,3"] if array.ndim == 3 else []))
                back = self.loaded(f"{k}.zarr")
                self.assertEqual(back.dtype, array.dtype)
                self.assert_same(back, array)

    def test_commands_have_the_bytes_that_they_have_of_npy(self):
        array = self.random.normal(size=(40, 50, 30)).astype("f4")
        self.stored(array, "a.zarr", "--chunks", "7,50,8")
        for words in (["stencil", "gaussian:1"], ["stencil", "average:2", "--boundary", "periodic"], ["fft"], ["resample", "--zoom", "1.5"]):
            with self.subTest(words=words):
                self.crinkle(*words, "in.npy", "want.npy", "--force")
                for memory in ("200KiB", "1GiB"):
                    self.crinkle(*words, "a.zarr", "have.zarr", "--force", "--memory", memory)
                    self.assert_same(self.loaded("have.zarr"), self.load("want.npy"))

    def test_moves_in_parts_have_the_same_bytes(self):
        a = np.arange(60 * 70 * 80, dtype="i4").reshape(60, 70, 80)
        self.stored(a, "a.zarr", "--chunks", "16,16,16")
        for spec, verbs, want in [("z y x -> x z y", [], a.transpose(2, 0, 1)), ("z y x -> z y x", ["--roll", "x=13", "--roll", "z=-5"], np.roll(a, (13, -5), (2, 0))),
                                  ("z y x -> y x z", ["--flip", "y"], a[:, ::-1].transpose(1, 2, 0)), ("z y x -> (z y) x", [], a.reshape(4200, 80)),
                                  ("z y x -> z y x", ["--slice", "y=3:60:2", "--pad", "x=2:3:reflect"], np.pad(a[:, 3:60:2], ((0, 0), (0, 0), (2, 3)), "reflect"))]:
            for memory in ("100KiB", "1MiB", "1GiB"):
                with self.subTest(spec=spec, verbs=verbs, memory=memory):
                    self.crinkle("move", spec, "a.zarr", "b.zarr", *verbs, "--force", "--verify", "--memory", memory)
                    self.assert_same(self.loaded("b.zarr"), want)
                    self.crinkle("move", spec, "a.zarr", "b.npy", *verbs, "--force", "--memory", memory)
                    self.assert_same(self.load("b.npy"), want)

    def test_memory_is_bounded(self):
        a = self.random.integers(0, 1000, (64, 512, 512)).astype("f4")  # 64 MiB
        self.stored(a, "a.zarr", "--chunks", "8,128,128")
        limit = 12 << 20
        self.assertLess(self.peak("move", "t y x -> y x t", "a.zarr", "b.zarr", "--chunks", "64,64,64", "--memory", str(limit)), limit + harness.rest)
        self.assertLess(self.peak("stencil", "average:1", "a.zarr", "c.zarr", "--chunks", "16,128,128", "--memory", str(limit)), limit + harness.rest)
        self.assert_same(self.loaded("b.zarr"), a.transpose(1, 2, 0))

    def test_names_and_attributes_travel(self):
        self.stored(np.zeros((4, 5, 6), "f4"), "a.zarr")
        said = json.loads((self.folder / "a.zarr/zarr.json").read_text())
        said |= {"dimension_names": ["time", "lat", "lon"], "attributes": {"units": "K", "valid_range": [200, 330]}}
        (self.folder / "a.zarr/zarr.json").write_text(json.dumps(said))
        self.crinkle("move", "time lat lon -> lon (time lat)", "a.zarr", "b.zarr")
        self.assertEqual((self.info("b.zarr")["axes"], self.info("b.zarr")["attributes"]), (["lon", ""], said["attributes"]))
        self.crinkle("move", "lat lon time", "a.zarr", "d.zarr", "--slice", "lat=1:3")
        self.assertEqual((self.info("d.zarr")["axes"], self.info("d.zarr")["shape"]), (["lat", "lon", "time"], [2, 6, 4]))
        self.refused(wrong, "move", "lat time lon -> time lat lon", "a.zarr", "e.zarr", says="time lat lon, slowest first")
        self.crinkle("stencil", "gaussian:1", "a.zarr", "c.zarr", "--chunks", "lat=2,lon=3")
        self.assertEqual((self.info("c.zarr")["axes"], self.info("c.zarr")["chunks"]), (["time", "lat", "lon"], [4, 2, 3]))

    def test_fill_values_travel(self):
        for descr, fill, want in [("<f4", -999.0, -999.0), ("<f4", "NaN", np.nan), (">i2", -32768, -32768), ("<f8", "-Infinity", -np.inf), ("|u1", 7, 7)]:
            with self.subTest(descr=descr, fill=fill):
                self.stored(np.ones((4, 6), descr), "a.zarr", "--force", "--chunks", "2,3", "--filter", "none")
                said = json.loads((self.folder / "a.zarr/zarr.json").read_text())
                (self.folder / "a.zarr/zarr.json").write_text(json.dumps(said | {"fill_value": fill}))
                (self.folder / "a.zarr/c/1/0").unlink()
                self.crinkle("move", "y x -> x y", "a.zarr", "b.zarr", "--force", "--chunks", "3,2")
                self.assertFalse((self.folder / "b.zarr/c/0/1").exists())
                self.assertTrue((self.folder / "b.zarr/c/0/0").exists())
                expected = np.ones((6, 4), descr)
                expected[:3, 2:] = want
                np.testing.assert_array_equal(self.loaded("b.zarr"), expected)

    def test_what_stays_behind_is_told(self):
        self.stored(np.ones((2, 3, 4), "<i2"), "a.zarr")
        self.crinkle("move", "... -> ...", "in.npy", "v.nii")
        self.give_place("v.nii")
        told = self.run_crinkle("move", "... -> ...", "v.nii", "b.zarr")
        self.assertEqual((told.returncode, b"stay behind" in told.stderr), (done, True))
        said = json.loads((self.folder / "a.zarr/zarr.json").read_text())
        (self.folder / "a.zarr/zarr.json").write_text(json.dumps(said | {"attributes": {"units": "K"}}))
        for words in (["move", "... -> ...", "a.zarr", "c.npy"], ["stencil", "average:1", "a.zarr", "c.zarr", "--dtype", "float32"]):
            told = self.run_crinkle(*words)
            self.assertEqual((told.returncode, b"stay behind" in told.stderr), (done, True), words)

    def test_a_group_has_no_list_of_what_was_in_it(self):
        self.stored(np.zeros(3), "g.zarr:/a")
        group = self.folder / "g.zarr/zarr.json"
        group.write_text(json.dumps(json.loads(group.read_text()) | {"consolidated_metadata": {"metadata": {}}}))
        self.assertIn(b"consolidated", self.run_crinkle("move", "... -> ...", "in.npy", "g.zarr:/b").stderr)
        self.assertNotIn("consolidated_metadata", json.loads(group.read_text()))

    def test_wrong_requests(self):
        self.stored(np.arange(24, dtype="f4").reshape(4, 6), "a.zarr")
        self.stored(np.zeros(3), "g.zarr:/a")
        self.stored(np.zeros(3), "g.zarr:/b")
        (self.folder / "d.zarr").mkdir()
        stores = sorted(path.name for path in self.folder.iterdir())
        for status, words, says in [(wrong, ["a.zarr", "a.zarr"], "input itself"), (wrong, ["in.npy", "a.zarr"], "there already"), (wrong, ["a.zarr:/t", "b.zarr"], "no array /t"), (wrong, ["g.zarr", "b.zarr"], "/a /b"),
                                    (failed, ["none.zarr", "b.zarr"], "none.zarr"), (wrong, ["a.zarr", "b.zarr", "--chunks", "2"], "2 axes"),
                                    (wrong, ["a.zarr", "b.zarr", "--chunks", "0,2"], "1 or more"), (wrong, ["a.zarr", "b.zarr", "--chunks", "100000,100000"], "smaller --chunks"), (wrong, ["a.zarr", "b.zarr", "--filter", "zip"], "zip"),
                                    (wrong, ["a.zarr", "b.zarr", "--shards", "4,6"], "give both"), (wrong, ["a.zarr", "b.npy", "--chunks", "2,2"], ".zarr"),
                                    (wrong, ["a.zarr", "g.zarr", "--force"], "is a group"), (wrong, ["a.zarr", "g.zarr"], "g.zarr:/name"), (wrong, ["a.zarr:/t", "b.zarr"], "one array itself"),
                                    (failed, ["a.zarr", "d.zarr"], "no Zarr store"), (failed, ["a.zarr", "d.zarr", "--force"], "no Zarr store"), (failed, ["a.zarr", "no/b.zarr"], "No such file"),
                                    (failed, ["in.npy", "in.npy/b.zarr"], "in.npy"), (wrong, ["a.zarr", "b.zarr", "--chunks", "y=2"], "'y'")]:
            with self.subTest(words=words):
                self.refused(status, "move", "... -> ...", *words, says=says)
                self.assertEqual(sorted(path.name for path in self.folder.iterdir()), stores)

        (self.folder / "in.raw").write_bytes(bytes(24))
        self.refused(wrong, "records", "--fields", "x:f4 y:f4", "--from", "(x y)", "--to", "x|y", "in.raw", "b_{}.zarr", says="records are not written")

    def test_runs_that_are_killed_leave_nothing_under_the_name(self):
        a = self.random.integers(0, 9, (64, 256, 256)).astype("f4")
        self.stored(a, "a.zarr", "--chunks", "8,32,32")
        words = ["move", "t y x -> x y t", "a.zarr", "b.zarr", "--chunks", "16,16,16", "--memory", "1MiB"]
        for k in range(8):
            run = subprocess.Popen([harness.program, *words], cwd=self.folder, stderr=subprocess.DEVNULL)
            time.sleep(0.02 * (k + 1))
            run.send_signal(signal.SIGKILL if k % 2 else signal.SIGINT)
            if run.wait() == done:
                break
            self.assertFalse((self.folder / "b.zarr").exists())
        self.crinkle(*words, "--force")
        self.assert_same(self.loaded("b.zarr"), a.transpose(2, 1, 0))
        self.assertEqual(list(self.folder.glob(harness.temporaries)), [])


if __name__ == "__main__":
    harness.main()
