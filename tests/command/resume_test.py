# Runs that are killed and gone on with, for each kind of output that is made part by part: the bytes are those of a run that nobody
# disturbed, and what was finished is not made again. The same request gives the same bytes whatever the threads do.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json
import os
import subprocess
import time

import numpy as np

from geographic import has_gdal
from harness import CommandTest, done, wrong

# Names, options, and what a build needs for them.
outputs = {
    "packed.h5": (["--chunks", "16,16,16"], b"HDF5"),
    "chunked.h5": (["--chunks", "16,16,16", "--filter", "none"], b"HDF5"),
    "whole.h5:/group/a": (["--filter", "none"], b"HDF5"),
    "packed.nc": (["--chunks", "16,16,16", "--filter", "gzip:1,shuffle,fletcher32"], b"NetCDF"),
    "classic.nc3": ([], b"NetCDF"),
    "plain.tif": (["--chunks", "y=16,t=16"], b"TIFF"),
    "packed.tif": (["--filter", "deflate:1"], b"TIFF"),
    "plain.npy": ([], b""),
    "plain.raw": ([], b""),
    "plain.nii": ([], b""),
}
in_one_piece = ("whole.h5:/group/a", "classic.nc3")  # whose parts have 4 MiB at least


class Resume(CommandTest):
    def setUp(self):
        super().setUp()
        self.version = self.crinkle("--version")
        if b"Zarr" not in self.version:
            self.skipTest("this build has no Zarr")
        self.a = self.random.integers(0, 9, (96, 64, 80)).astype("f4")
        self.store(self.a, "a.zarr")
        self.large = self.random.integers(0, 9, (192, 128, 320)).astype("f4")  # 30 MiB

    def store(self, array, name):
        self.save("in.npy", array)
        self.crinkle("move", "t y x -> t y x", "in.npy", name, "--chunks", "8,32,32", "--force")

    def hidden(self):
        return sorted(path.name for path in self.folder.glob(harness.temporaries))

    def bytes_of(self, name):
        return (self.folder / name.partition(":")[0]).read_bytes()

    def words(self, name, memory="300KiB"):
        source = "large.zarr" if name in in_one_piece else "a.zarr"
        if not (self.folder / source).exists():
            self.store(self.large, source)
        return ["move", "t y x -> x y t", source, name, *outputs[name][0], "--memory", memory]

    def stopped(self, words, n_lines=4, n_tries=60):
        """Runs it and kills it once so many parts are finished; the file of what is."""
        for _ in range(n_tries):
            run = subprocess.Popen([harness.program, *words], cwd=self.folder, stderr=subprocess.PIPE)
            while run.poll() is None:
                lists = [path for path in self.folder.glob(".crinkle-*.tmp.finished")]
                if lists and lists[0].stat().st_size > 0 and lists[0].read_text().count("\n") >= n_lines + 2:
                    run.kill()
                    run.communicate()
                    left = list(self.folder.glob(".crinkle-*.tmp.finished"))
                    if left and not (self.folder / words[3].partition(":")[0]).exists():
                        return left[0]
                    break
                time.sleep(0.0005)
            else:
                run.communicate()
            (self.folder / words[3].partition(":")[0]).unlink(missing_ok=True)
        self.fail(f"no run was killed in its middle: {words}")

    def test_what_is_killed_is_gone_on_with(self):
        for name, (_, needs) in outputs.items():
            if needs not in self.version:
                continue
            with self.subTest(name=name):
                for left in self.hidden():
                    os.remove(self.path(left))
                words = self.words(name)
                self.crinkle(*words, "--threads", "1")
                want = self.bytes_of(name)
                os.remove(self.path(name.partition(":")[0]))
                few, many = (2, 4) if name in in_one_piece else (4, 12)
                for is_asked in (False, True):  # at first
                    list_of = self.stopped([*words, *(["--resume"] if is_asked else [])], few)
                    told = self.run_crinkle(*words, "--resume")
                    self.assertEqual(told.returncode, done, told.stderr)
                    self.assertRegex(told.stderr.decode(), r"--resume: [1-9][0-9]* of [0-9]+ parts were there and are not made again\n")
                    self.assertFalse(list_of.exists())
                    self.assertEqual(self.hidden(), [])
                    self.assertTrue(self.bytes_of(name) == want, f"{name}: other bytes")
                    os.remove(self.path(name.partition(":")[0]))
                # Twice, and with other parts.
                self.stopped([*words, "--resume"], few)
                self.stopped([*words, "--resume"], many)
                self.crinkle(*self.words(name, memory="600KiB"), "--resume", "--threads", "1")
                self.assertTrue(self.bytes_of(name) == want, f"{name}: other bytes after other parts")
                self.assertEqual(self.hidden(), [])
                self.crinkle("move", "... -> ...", name, "back.npy", "--force", *(["--shape", "80,64,96", "--dtype", "float32"] if name.endswith("raw") else []))
                self.assertTrue(self.load("back.npy").tobytes() == np.ascontiguousarray((self.large if name in in_one_piece else self.a).transpose(2, 1, 0)).tobytes())
                os.remove(self.path(name.partition(":")[0]))

    def test_plain_files_where_it_is_asked_from_the_start(self):
        words = ["move", "t y x -> x y t", "in.npy", "out.npy", "--memory", "100KiB", "--resume"]
        self.stopped(words)
        told = self.run_crinkle(*words)
        self.assertIn(b"parts were there", told.stderr)
        self.assert_same(self.load("out.npy"), self.a.transpose(2, 1, 0))

    def test_geotiffs_where_it_is_asked_from_the_start(self):
        if not has_gdal():
            self.skipTest("this build has no GDAL")
        (self.folder / "ground.json").write_text(json.dumps({"geotransform": [500000, 10, 0, 5400000, 0, -20], "crs_wkt": "EPSG:25832", "nodata": -9}))
        words = ["move", "band y x -> band x y", "in.npy", "ground.tif", "--header", "ground.json", "--memory", "100KiB"]
        self.crinkle(*words)
        want = self.bytes_of("ground.tif")
        os.remove(self.path("ground.tif"))
        words.append("--resume")
        for n_lines in (4, 12):
            self.stopped(words, n_lines)
        told = self.run_crinkle(*words)
        self.assertEqual(told.returncode, done, told.stderr)
        self.assertRegex(told.stderr.decode(), r"--resume: [1-9][0-9]* of [0-9]+ parts were there and are not made again\n")
        self.assertTrue(self.bytes_of("ground.tif") == want, "other bytes")
        self.assertEqual([name for name in self.hidden() if name.endswith(".finished")], [])  # what GDAL's file was stays, as after any kill -9

    def test_the_same_request_gives_the_same_bytes(self):
        for name, (_, needs) in outputs.items():
            if needs not in self.version:
                continue
            words, file = [*self.words(name), "--force"], name.partition(":")[0]
            want = None
            for more in ([], ["--threads", "4"], ["--threads", "4"], ["--threads", "7"], ["--threads", "1"], ["--memory", "1GiB"]):
                with self.subTest(name=name, more=more):
                    self.crinkle(*words[: -3 if "--memory" in more else None], *(["--force"] if "--memory" in more else []), *more)
                    now = (self.folder / file).read_bytes()
                    self.assertTrue(want is None or now == want, "the bytes are others")
                    want = now

    def test_what_was_stopped_is_of_its_request(self):
        if b"HDF5" not in self.version:
            self.skipTest("this build has no HDF5")
        words = self.words("packed.h5")
        self.stopped(words)
        left = self.hidden()
        self.refused(wrong, *words, "--flip", "x", "--resume", says=["another request", "t y x -> x y t", "--flip x"])
        told = self.run_crinkle("move", "... -> ...", "a.zarr", "c.npy")  # another output
        self.assertEqual((told.returncode, self.hidden()), (done, left))
        self.assertIn(b"packed.h5, and its run was stopped: that command with --resume goes on with it", told.stderr)
        self.store(self.a + 1, "a.zarr")  # another input
        self.refused(wrong, *words, "--resume", says="the input has changed")
        told = self.run_crinkle(*words)
        self.assertIn(b"removed", told.stderr)
        self.assertEqual(self.hidden(), [])
        self.crinkle("move", "... -> ...", "packed.h5", "back.npy", "--force")
        self.assert_same(self.load("back.npy"), (self.a + 1).transpose(2, 1, 0))

    def test_all_files_of_the_command_count(self):
        self.save("weights.npy", np.ones((3, 3, 3)))
        words = ["stencil", "array:weights.npy", "a.zarr", "out.npy", "--memory", "300KiB", "--threads", "1"]
        self.stopped(words)
        self.save("weights.npy", np.full((3, 3, 3), 2.0))
        self.refused(wrong, *words, "--resume", says="the input has changed")
        self.crinkle(*words)
        want = self.load("out.npy")
        os.remove(self.path("out.npy"))
        self.stopped(words)
        self.crinkle(*words, "--resume")
        self.assert_same(self.load("out.npy"), want)

    def test_what_cannot_be_gone_on_with_is_refused_or_told(self):
        move = ["move", "... -> ...", "a.zarr"]
        self.refused(wrong, *move, "out.nii.gz", "--resume", says=["out.nii.gz", "written as a whole"], lines=1)
        self.refused(wrong, "move", "... -> ...", "--shape", "2,3", "--dtype", "u1", "-", "out.npy", "--resume", stdin=b"123456", says="give a file", lines=1)
        told = self.run_crinkle("pairs", "distance", "in2.npy", "out.npy", "--resume") if self.save("in2.npy", np.ones((3, 2))) is None else None
        self.assertEqual(told.returncode, done, told.stderr)
        self.assertIn(b"as a whole, not part by part", told.stderr)
        if b"HDF5" in self.version:
            self.crinkle(*move, "out.h5")
            self.refused(wrong, *move, "out.h5:/b", "--into", "--resume", says=["--into", "no --resume", ".zarr"], lines=1)


if __name__ == "__main__":
    harness.main()
