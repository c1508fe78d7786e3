# Stores larger than memory: passes through a temporary store, runs that are stopped and gone on with, transforms and resampling in parts, two
# runs at once, full disks; each result has the bytes of the same in memory.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json
import random
import re
import resource
import shutil
import signal
import subprocess
import time

import numpy as np

from harness import CommandTest, done, failed, filled, wrong


class Stores(CommandTest):
    def setUp(self):
        super().setUp()
        if b"with Zarr" not in self.crinkle("--version"):
            self.skipTest("this build has no Zarr")

    def stored(self, array, name, *options):
        self.save("in.npy", array)
        self.crinkle("move", "... -> ...", "in.npy", name, "--force", *options)

    def loaded(self, name):
        self.crinkle("move", "... -> ...", name, "back.npy", "--force")
        return self.load("back.npy")

    def hidden(self):
        return sorted(path.name for path in self.folder.glob(harness.temporaries))

    def explained(self, *words):
        told = self.run_crinkle(*words, "--explain")
        self.assertEqual(told.returncode, done, told.stderr)
        return told.stderr.decode()

    def test_chunks_that_cross_badly_take_two_passes(self):
        a = self.random.integers(0, 1000, (128, 96, 128)).astype("f4")  # 6 MiB
        self.stored(a, "a.zarr", "--chunks", "1,96,128", "--filter", "zstd:1")
        words = ["move", "t y x -> y x t", "a.zarr", "b.zarr", "--chunks", "8,8,128", "--force"]
        self.assertIn("in 1 pass:", self.explained(*words, "--memory", "1GiB"))
        told = self.explained(*words, "--memory", "1500KiB")
        self.assertIn("in 2 passes:", told)
        self.assertIn("6.00 MiB of temporary disk", told)
        self.assertIn("12.0 MiB read, 12.0 MiB written, 6.00 MiB decoded, 6.00 MiB encoded", told)
        self.assert_same(self.loaded("b.zarr"), a.transpose(1, 2, 0))
        self.assertEqual(self.hidden(), [])
        self.refused(wrong, *words, "--temporary", "nowhere", says="nowhere: is no directory")
        (self.folder / "there").mkdir()
        self.assertIn("in 2 passes:", self.explained(*words, "--memory", "1500KiB", "--temporary", "there"))
        self.assertEqual(list((self.folder / "there").iterdir()), [])

    def test_chunks_that_nothing_packs_are_read_in_pieces(self):
        a = self.random.integers(0, 1000, (128, 96, 128)).astype("f4")  # 6 MiB
        version = self.crinkle("--version")
        for name, format, options in (("a.zarr", b"Zarr", ("--chunks", "1,96,128")), ("a.h5:/a", b"HDF5", ("--chunks", "1,96,128")), ("a.tif", b"TIFF", ())):
            if format in version:
                self.stored(a, name, "--filter", "none", *options)
                words = ["move", "t y x -> y x t", name, "b.zarr", "--chunks", "8,8,128", "--force", "--memory", "3MiB"]
                self.assertIn("in 1 pass: 6.00 MiB read", self.explained(*words), name)
                self.assert_same(self.loaded("b.zarr"), a.transpose(1, 2, 0))

    def test_passes_have_the_bytes_of_one(self):
        chance = random.Random(harness.seed)
        for k in range(12):
            shape = tuple(chance.randint(5, 40) for _ in range(3))
            a = filled(shape, chance.choice(["u1", "<i2", "f4", "c16"]), self.random)
            order = chance.sample(range(3), 3)
            names = "zyx"
            spec = f"{' '.join(names)} -> {' '.join(names[i] for i in order)}"
            chunks, others = ([str(chance.randint(1, n)) for n in shape] for _ in range(2))
            filters = [chance.choice(["none", "lz4", "zstd:1,shuffle", "gzip:1"]) for _ in range(2)]
            verbs = chance.choice([[], ["--flip", "y"], ["--roll", "x=3"], ["--slice", "z=1:4"]])
            self.stored(a, "a.zarr", "--chunks", ",".join(chunks), "--filter", filters[0])
            self.crinkle("move", spec, *verbs, "in.npy", "want.npy", "--force")
            for memory in ("8KiB", "40KiB", "1GiB"):
                with self.subTest(k=k, spec=spec, shape=shape, chunks=chunks, memory=memory, verbs=verbs):
                    self.crinkle("move", spec, *verbs, "a.zarr", "b.zarr", "--chunks", ",".join(others[i] for i in range(3)), "--filter", filters[1], "--force",
                                 "--memory", memory, "--verify")
                    self.assert_same(self.loaded("b.zarr"), self.load("want.npy"))

    def test_memory_is_bounded_in_two_passes(self):
        a = self.random.integers(0, 1000, (128, 256, 512)).astype("f4")  # 64 MiB
        self.stored(a, "a.zarr", "--chunks", "1,256,512", "--filter", "zstd:1")
        limit = 12 << 20
        words = ["move", "t y x -> y x t", "a.zarr", "b.zarr", "--chunks", "16,16,128", "--memory", str(limit), "--force"]
        self.assertIn("in 2 passes:", self.explained(*words))
        self.assertLess(self.peak(*words), limit + harness.rest)
        self.assert_same(self.loaded("b.zarr"), a.transpose(1, 2, 0))

    def test_transforms_and_resampling_in_parts(self):
        a = self.random.normal(size=(48, 40, 64)).astype("f4")
        c = (a + 1j * a[::-1]).astype("c8")
        for array, words in [(c, ["fft"]), (c, ["fft", "--axes", "0"]), (c, ["fft", "--axes", "1,2", "--norm", "ortho"]), (a, ["fft", "--real"]), (c, ["fft", "--inverse"]),
                             (a, ["resample", "--zoom", "1.5", "--by", "cubic"]), (a, ["resample", "--zoom", "0.7", "--by", "spline"])]:
            self.stored(array, "a.zarr", "--chunks", "7,40,9")
            self.crinkle(*words, "in.npy", "want.npy", "--force")
            for memory in ("100KiB", "1GiB"):
                with self.subTest(words=words, memory=memory):
                    told = self.explained(*words, "a.zarr", "b.zarr", "--force", "--memory", memory, "--chunks", "16,16,16")
                    self.assertIn(" pass", told)
                    self.assert_same(self.loaded("b.zarr"), self.load("want.npy"))

    def test_transforms_within_memory(self):
        a = self.random.normal(size=(64, 128, 512)).astype("c8")  # 32 MiB
        self.stored(a, "a.zarr", "--chunks", "4,128,512", "--filter", "none")
        limit = 6 << 20
        self.assertLess(self.peak("fft", "a.zarr", "b.zarr", "--memory", str(limit), "--chunks", "16,8,64"), limit + harness.rest)
        self.crinkle("fft", "in.npy", "want.npy")
        self.assert_same(self.loaded("b.zarr"), self.load("want.npy"))

    def test_little_memory_makes_no_tiny_parts(self):
        self.stored(self.random.normal(size=(24, 32, 40)).astype("f4"), "a.zarr", "--chunks", "8,16,20")
        told = self.explained("resample", "a.zarr", "b.npy", "--zoom", "2", "--by", "spline", "--memory", "10KiB")  # each part needs all
        self.assertLess(max(int(n) for n in re.findall(r"([0-9]+) parts? of", told)), 1000, told)

    def start(self, *words):
        return subprocess.Popen([harness.program, *words], cwd=self.folder, stderr=subprocess.PIPE)

    def test_runs_that_are_killed_are_gone_on_with(self):
        a = self.random.integers(0, 9, (96, 128, 160)).astype("f4")
        self.stored(a, "a.zarr", "--chunks", "8,32,32")
        words = ["move", "t y x -> x y t", "a.zarr", "b.zarr", "--chunks", "16,16,16", "--memory", "300KiB"]
        want = a.transpose(2, 1, 0)
        start = time.monotonic()
        self.crinkle(*words)
        took = time.monotonic() - start
        chance, n_kept = random.Random(harness.seed), 0
        for k in range(max(12, harness.n_chains // 60)):
            shutil.rmtree(self.folder / "b.zarr", ignore_errors=True)
            for _ in range(100):
                run = self.start(*words, "--resume")
                time.sleep(chance.uniform(0, took))
                run.send_signal(signal.SIGKILL if k % 3 else signal.SIGINT)
                run.communicate()
                if run.returncode == done or (self.folder / "b.zarr").exists():  # it is whole, even where the program was killed at its very end
                    break
                n_kept += len(self.hidden())
            else:
                self.crinkle(*words, "--resume")
            with self.subTest(k=k):
                self.assert_same(self.loaded("b.zarr"), want)
                self.assertEqual(self.hidden(), [])
        self.assertGreater(n_kept, 0)

    def stopped(self, *words):
        """Runs that are killed until one leaves parts that are finished."""
        for k in range(200):
            run = self.start(*words)
            time.sleep(0.01 + 0.01 * (k % 20))
            run.kill()
            run.communicate()
            lists = [self.folder / name / ".finished" for name in self.hidden()]
            lines = [path.read_text().count("\n") for path in lists if path.exists()]
            if run.returncode != done and lines and lines[0] > 3:
                return
            shutil.rmtree(self.folder / "b.zarr", ignore_errors=True)
        self.skipTest("no run was killed in its middle")

    def test_what_was_stopped_is_of_its_request(self):
        a = self.random.integers(0, 9, (96, 128, 160)).astype("f4")
        self.stored(a, "a.zarr", "--chunks", "8,32,32")
        words = ["move", "t y x -> x y t", "a.zarr", "b.zarr", "--chunks", "16,16,16", "--memory", "300KiB"]
        self.stopped(*words)
        left = self.hidden()
        self.refused(wrong, *words, "--flip", "x", "--resume", says="another request")
        told = self.run_crinkle("move", "... -> ...", "in.npy", "c.zarr")  # another output
        self.assertEqual((told.returncode, self.hidden()), (done, left))
        self.assertIn(b"--resume goes on with it", told.stderr)
        written = [path for path in (self.folder / left[0]).rglob("*") if path.is_file() and path.name.isdigit()]
        before = {path.relative_to(self.folder / left[0]): path.stat().st_mtime_ns for path in written}
        self.crinkle(*words, "--resume")
        after = {path: (self.folder / "b.zarr" / path).stat().st_mtime_ns for path in before}
        self.assertGreater(sum(before[path] == after[path] for path in before), 0)
        self.assert_same(self.loaded("b.zarr"), a.transpose(2, 1, 0))
        shutil.rmtree(self.folder / "b.zarr")
        self.stopped(*words)
        self.crinkle(*[*words[:-1], "700KiB"], "--resume", "--threads", "1")  # other parts
        self.assert_same(self.loaded("b.zarr"), a.transpose(2, 1, 0))
        shutil.rmtree(self.folder / "b.zarr")

        self.stopped(*words)
        self.stored(a + 1, "a.zarr", "--chunks", "8,32,32")  # the input is another one
        self.refused(wrong, *words, "--resume", says="the input has changed")
        told = self.run_crinkle(*words)
        self.assertIn(b"removed", told.stderr)
        self.assert_same(self.loaded("b.zarr"), (a + 1).transpose(2, 1, 0))
        self.assertEqual(self.hidden(), [])

    def test_interrupted_runs_leave_nothing(self):
        a = self.random.integers(0, 9, (96, 128, 160)).astype("f4")
        self.stored(a, "a.zarr", "--chunks", "8,32,32")
        words = ["move", "t y x -> x y t", "a.zarr", "b.zarr", "--chunks", "16,16,16", "--memory", "300KiB"]
        n_stopped = 0
        for k in range(12):
            run = self.start(*words)
            time.sleep(0.01 * (k + 1))
            run.send_signal(signal.SIGINT if k % 2 else signal.SIGTERM)
            run.communicate()
            self.assertEqual(self.hidden(), [])
            if (self.folder / "b.zarr").exists():
                self.assert_same(self.loaded("b.zarr"), a.transpose(2, 1, 0))
                shutil.rmtree(self.folder / "b.zarr")
                continue
            n_stopped += 1
            self.assertEqual(run.returncode, -(signal.SIGINT if k % 2 else signal.SIGTERM))
        self.assertGreater(n_stopped, 0)

    def test_two_runs_of_one_output(self):
        a = self.random.integers(0, 9, (96, 128, 160)).astype("f4")
        self.stored(a, "a.zarr", "--chunks", "8,32,32")
        words = ["move", "t y x -> x y t", "a.zarr", "b.zarr", "--chunks", "16,16,16", "--memory", "300KiB"]
        runs = [self.start(*words) for _ in range(4)]
        ends = [(run.communicate()[1], run.returncode) for run in runs]
        self.assertEqual(sum(status == done for _, status in ends), 1, ends)
        for text, status in ends:
            if status != done:
                self.assertEqual(status, wrong)
                self.assertTrue(b"another run makes it now" in text or b"there already" in text, text)
        self.assert_same(self.loaded("b.zarr"), a.transpose(2, 1, 0))
        self.assertEqual(self.hidden(), [])

    def test_a_full_disk_is_one_error(self):
        self.stored(self.random.normal(size=(64, 64, 64)), "a.zarr", "--chunks", "16,16,16", "--filter", "none")

        def limited():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # writing fails then, as on a full disk
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
        told = subprocess.run([harness.program, "move", "z y x -> x y z", "a.zarr", "b.zarr", "--chunks", "16,16,16", "--filter", "none"], cwd=self.folder, capture_output=True,
                              preexec_fn=limited)
        self.assertEqual((told.returncode, told.stderr.count(b"\n"), (self.folder / "b.zarr").exists(), self.hidden()), (failed, 1, False, []), told.stderr)

    def test_chunks_for_reading_along_an_axis(self):
        self.stored(np.zeros((512, 64, 64), "f4"), "a.zarr", "--chunks", "auto", "--read-along", "0")
        self.assertEqual(json.loads(self.crinkle("info", "a.zarr", "--json"))["chunks"], [512, 32, 64])
        self.crinkle("move", "t y x -> y x t", "a.zarr", "b.zarr", "--read-along", "t")
        self.assertEqual(json.loads(self.crinkle("info", "b.zarr", "--json"))["chunks"], [32, 64, 512])
        for words, says in [(["--read-along", "w"], "the axes are z y x"), (["--read-along", "z", "--chunks", "2,2,2"], "--chunks auto"), (["--read-along", "3"], "0 to 2")]:
            self.refused(wrong, "move", "z y x -> z y x", "a.zarr", "c.zarr", *words, says=says)
        self.refused(wrong, "move", "... -> ...", "in.npy", "c.zarr", "--chunks", "x=2", says="the axes have no names")
        self.refused(wrong, "move", "... -> ...", "in.npy", "c.npy", "--read-along", "0", says=".zarr")

    def test_what_is_not_the_array_stays(self):
        self.stored(np.zeros((4, 4)), "a.zarr")
        (self.folder / "a.zarr/README").write_text("mine")
        self.refused(wrong, "move", "... -> ...", "in.npy", "a.zarr", "--force", says="README")
        self.assertEqual((self.folder / "a.zarr/README").read_text(), "mine")

    def test_several_outputs_into_a_new_store(self):
        a = self.random.normal(size=(3, 4, 5)).astype("f4")
        self.save("in.npy", a)
        self.crinkle("deinterlace", "in.npy", "--axis", "0", "-o", "s.zarr:/r", "s.zarr:/g", "s.zarr:/b")
        for k, name in enumerate("rgb"):
            self.assert_same(self.loaded(f"s.zarr:/{name}"), a[k])
        self.assertEqual(self.hidden(), [])

    def test_interlaced_in_parts(self):
        arrays = [self.random.integers(0, 99, (64, 128, 128)).astype("f4") for _ in range(3)]  # 4 MiB each
        for name, array in zip("xyz", arrays):
            self.save(f"{name}.npy", array)
            self.crinkle("move", "... -> ...", f"{name}.npy", f"{name}.zarr", "--chunks", "8,128,128")
        limit = 3 << 20
        for axis in (0, -1):
            words = ["interlace", "x.zarr", "y.zarr", "z.zarr", "--axis", str(axis), "--memory", str(limit), "--force"]
            for name in ("b.zarr", "b.npy"):
                self.crinkle(*words, "-o", name)
                self.assert_same(self.loaded(name), np.stack(arrays, axis))
        self.assertLess(self.peak("interlace", "x.zarr", "y.zarr", "z.zarr", "-o", "c.zarr", "--axis", "0", "--memory", str(limit), "--chunks", "1,16,64,64"), limit + harness.rest)

    def test_missing_numbers_are_told(self):
        self.stored(np.ones((8, 8), "f4"), "a.zarr")
        said = json.loads((self.folder / "a.zarr/zarr.json").read_text())
        (self.folder / "a.zarr/zarr.json").write_text(json.dumps(said | {"attributes": {"_FillValue": -999}}))
        for words in (["stencil", "average:1"], ["resample", "--zoom", "2"]):
            told = self.run_crinkle(*words, "a.zarr", "b.zarr", "--force")
            self.assertEqual((told.returncode, b"_FillValue, -999" in told.stderr), (done, True), told.stderr)


if __name__ == "__main__":
    harness.main()
