# A full disk, a directory that cannot be written, and a program that is stopped or killed in mid-move: there is no file under the output's
# name, the input is untouched, and only a kill that cannot be caught may leave the temporary.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import errno
import fcntl
import os
import re
import resource
import signal
import subprocess
import time
from pathlib import Path

import numpy as np

from harness import CommandTest, filled


def limit_files(n_bytes):
    def set_limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it

    return set_limit


class FullDisk(CommandTest):
    def mounted(self, *options):
        """A small file system of our own where we may make one; None where we may not."""
        place = self.folder / "disk"
        place.mkdir(exist_ok=True)
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", place], capture_output=True).returncode:
            return None
        self.addCleanup(subprocess.run, ["umount", place], capture_output=True)
        return place

    def assert_failed(self, result, *says):
        text = result.stderr.decode()
        self.assertEqual(result.returncode, 1, text)
        self.assertEqual(len(text.splitlines()), 1, text)
        for word in says:
            self.assertIn(word, text)

    def test_a_full_disk(self):
        array = filled((600, 500), "u1", self.random)
        self.save("in.npy", array)
        before = self.listing()
        place = self.mounted("size=64k")
        if place is None:
            print("no file system of our own may be mounted here: the limit on file sizes stands in for the full disk")
        for name in ["out.npy", "out.png", "out.nii", "out.nii.gz", "out.raw"]:
            with self.subTest(name=name):
                target = (place or self.folder) / name
                arguments = ["move", "... -> ...", "in.npy", target]
                if place:
                    self.assert_failed(self.run_crinkle(*arguments), name, "No space left on device")
                    self.assertEqual(os.listdir(place), [])
                else:
                    self.assert_failed(self.run_crinkle(*arguments, preexec_fn=limit_files(65536)), name, "File too large")
                self.assertEqual(self.listing(), before)

    def test_the_old_output_survives_a_full_disk(self):
        self.save("in.npy", filled((600, 500), "u1", self.random))
        self.save("out.npy", np.zeros(3))
        before = self.listing()
        self.assert_failed(self.run_crinkle("move", "y x -> x y", "in.npy", "out.npy", "--force", preexec_fn=limit_files(65536)), "File too large")
        self.assertEqual(self.listing(), before)

    def test_standard_output_that_is_full_or_closed(self):
        self.save("in.npy", filled((600, 500), "u1", self.random))
        with open("/dev/full", "wb") as full:
            result = subprocess.run([harness.program, "move", "y x -> x y", "in.npy", "-"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE)
        self.assert_failed(result, "standard output", "No space left on device")
        with open("/dev/full", "wb") as full:
            result = subprocess.run([harness.program, "info", "in.npy"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE)
        self.assert_failed(result, "standard output", "No space left on device")

    def test_a_directory_that_cannot_be_written(self):
        self.save("in.npy", np.zeros((2, 2)))
        places = [place for place in (Path("/proc"), Path("/sys")) if place.is_mount()]
        own = self.mounted("size=64k", "ro")
        if own:
            places.append(own)
        elif os.geteuid() != 0:
            places.append(self.folder / "disk")
            places[-1].chmod(0o555)
        for place in places:
            result = self.run_crinkle("move", "y x -> x y", "in.npy", place / "out.npy")
            self.assert_failed(result, f"{place}/out.npy", f"creating a file in {place}")
            if place == own:
                self.assertIn(os.strerror(errno.EROFS), result.stderr.decode())


class Stopped(CommandTest):
    rows = 16384
    transpose = ["move", "y x -> x y", "in.raw", "out.raw", "--shape", f"{rows},{rows}", "--dtype", "u2"]
    records = ["records", "--fields", "x:u1 y:u1 z:u2", "--from", "(x y z)", "--to", "y|z|x", "in.raw", "out_{}.raw"]

    def setUp(self):
        super().setUp()
        with open(self.path("in.raw"), "wb") as file:
            file.truncate(2 * self.rows * self.rows)
            file.write(b"begin")

    def stop(self, number, *arguments, words=None):
        """Ends a move of half a gibibyte soon after its temporary file is there."""
        for attempt in [2, 1, 0, 0, 0]:
            process = subprocess.Popen([harness.program, *(words or self.transpose), "--threads", "1", *arguments], cwd=self.folder, stderr=subprocess.PIPE)
            while process.poll() is None and not list(self.folder.glob(harness.temporaries)):
                time.sleep(0.001)
            time.sleep(0.02 * attempt)
            process.send_signal(number)
            process.communicate()
            if process.returncode == -number:
                return
            for path in self.folder.glob("out*"):
                path.unlink()  # it was done before the signal came
        self.fail(f"signal {number} never met a move under way: status {process.returncode}")

    def check_input(self):
        with open(self.path("in.raw"), "rb") as file:
            self.assertEqual(file.read(5), b"begin")
        self.assertEqual(os.path.getsize(self.path("in.raw")), 2 * self.rows * self.rows)

    def test_signals_that_ask_leave_nothing(self):
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGBUS]:
            with self.subTest(signal=number):
                self.stop(number)
                self.assertEqual(sorted(os.listdir(self.folder)), ["in.raw"])
        self.check_input()

    def test_signals_remove_all_of_several_outputs(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            with self.subTest(signal=number):
                self.stop(number, words=self.records)
                self.assertEqual(sorted(os.listdir(self.folder)), ["in.raw"])
        self.check_input()

    def test_a_kill_leaves_nothing_under_the_name(self):
        self.stop(signal.SIGKILL)
        self.assertFalse((self.folder / "out.raw").exists())
        self.check_input()
        (self.folder / "out.raw").write_bytes(b"old")
        self.stop(signal.SIGKILL, "--force")
        self.assertEqual((self.folder / "out.raw").read_bytes(), b"old")

    def temporaries(self):
        return [p.name for p in self.folder.iterdir() if p.name.startswith(".crinkle-")]

    def test_the_next_run_removes_what_a_kill_left_and_nothing_of_a_living_one(self):
        self.stop(signal.SIGKILL)
        left = self.temporaries()
        self.assertEqual(len(left), 1)
        (self.folder / ".crinkle-notes.tmp").write_bytes(b"somebody's")
        with open(self.path(".crinkle-AbCdEf.tmp"), "wb") as living:
            fcntl.flock(living, fcntl.LOCK_EX)
            self.save("small.npy", np.zeros(3))
            result = self.run_crinkle("move", "x -> x", "small.npy", "small_out.npy")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr.decode(), rf"^crinkle: note: removed \./{re.escape(left[0])}, [0-9]+ bytes that a run left which was killed\n$")
        self.assertEqual(sorted(self.temporaries()), [".crinkle-AbCdEf.tmp", ".crinkle-notes.tmp"])


if __name__ == "__main__":
    harness.main()
