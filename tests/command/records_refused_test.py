# What crinkle records refuses, and what it says: one clear text, no file made or changed; dry runs, explanations.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import os
import resource

import numpy as np

from harness import filled
from records_oracle import RecordsTest

floats = "x:f4 y:f4 z:f4 p:f4"


class Refusals(RecordsTest):
    def setUp(self):
        super().setUp()
        self.write("in.raw", self.noise(16 * 6))
        self.save("plain.npy", np.arange(6, dtype="<f4"))
        self.save("table.npy", filled((6,), np.dtype([("x", "<f4"), ("y", "<f4")]), self.random))
        self.aos = ["records", "--fields", floats, "--from", "(x y z p)"]

    def test_fields_and_layouts(self):
        for options, says, lines in [
                (["--fields", "x:f4 x:f4", "--from", "x", "--to", "x"], ["bad_notation", "'x' stands twice"], 3),
                (["--fields", "x:f5", "--from", "x", "--to", "x"], ["bad_notation", "'f5'"], 3),
                (["--fields", "x:f4[9223372036854775807]", "--from", "x", "--to", "x"], ["too_large"], None),
                (["--fields", "x:f4 y:V9223372036854775807", "--from", "x", "--to", "x"], ["too_large", "'y'", "V9223372036854775807"], 3),
                (["--fields", "x:f4 y:f4", "--from", "(x y)", "--to", "x@4611686018427387904|y@4611686018427387904"], ["too_large", "group y@4611686018427387904"], 3),
                (["--fields", floats, "--from", "(x y z p)", "--to", "x@2305843009213693952"], ["too_large", "x@2305843009213693952", "6 records"], 1),
                (["--fields", "x:f4", "--from", "(x y)", "--to", "x"], ["bad_notation", "'y'"], 3),
                (["--fields", "x:f4 y:f4", "--from", "(x y x)", "--to", "x"], ["bad_notation", "'x'"], 3),
                (["--fields", floats, "--from", "(x y z p)@12", "--to", "x"], ["bad_notation", "power of two"], 3),
                (["--fields", floats, "--from", "(x y z p)", "--to", "x|w"], ["bad_notation", "'w'"], 3),
                (["--fields", floats + " w:f4", "--from", "(x y z p)", "--to", "x|w"], ["bad_shape", "field 'w'", "--put"], 1),
                (["--fields", floats, "--to", "x"], ["bad_notation", "in.raw", "--from"], 1),
                (["--from", "x", "--to", "x"], ["bad_notation", "in.raw", "--fields"], 1),
                (["--fields", floats, "--from", "(x y z p)"], ["bad_notation", "--to"], 1),
                (["--fields", "x:V5", "--from", "x", "--to", "x"], ["bad_shape: in.raw: ", "'x' of record 19", "byte 95"], 1),
                (["--fields", "x:f4 y:V9", "--from", "x|y", "--to", "x"], ["bad_shape: in.raw: 96 bytes are no whole number of records of 13 bytes, x|y; 7 records are 91 bytes, 8 are 104"], 1),
                (["--fields", "x:f4 'a b':f4", "--from", "(x 'a c')", "--to", "x"], ["bad_notation", "there is no field 'a c'; did you mean 'a b'?"], 3),
                (["--fields", "x:f4 'a b:f4", "--from", "x", "--to", "x"], ["bad_notation", "this quote is not closed"], 3),
                (["--fields", "'':f4", "--from", "x", "--to", "x"], ["bad_notation", "one character or more"], 3),
                (["--fields", floats, "--from", "(x y z p)", "--to", "x", "--offset", "-1"], ["-1"], 1),
                (["--fields", floats, "--from", "(x y z p)", "--to", "x", "--offset", "4"], ["bad_shape: in.raw behind --offset 4: 92 bytes are ", "'p' of record 5", "byte 92"], 1),
                (["--fields", floats, "--from", "(x y z p)", "--to", "x", "--threads", "-3"], ["-3"], 1),
                (["--fields", floats, "--from", "(x y z p)", "--to", "x", "--device", "tpu"], ["auto"], 1),
                (["--fields", floats, "--from", "(x y z p)", "--to", "x", "--device-memory", "1G"], ["--device-memory"], 1)]:
            with self.subTest(options=options):
                self.refused(2, "records", *options, "in.raw", "new.raw", says=says, lines=lines)
        self.refused(1, *self.aos, "--to", "x", "--offset", "97", "in.raw", "new.raw", says=["bad_file: in.raw", "96", "97"], lines=1)

    def test_files_that_are_no_records(self):
        self.refused(2, *self.aos, "--to", "x", "plain.npy", "new.raw", says=["unsupported: plain.npy", "{}", "--offset 128"], lines=1)
        self.refused(2, "records", "--to", "x", "plain.npy", "new.raw", says=["bad_notation: plain.npy", "--fields", "--from"], lines=1)
        self.refused(2, "records", "--offset", "3", "--to", "x", "table.npy", "new.raw", says=["bad_notation: table.npy: --offset reads the file as raw", "--fields"], lines=1)
        self.refused(1, *self.aos, "--to", "x", "missing.raw", "new.raw", says=["bad_file: missing.raw", "No such file"], lines=1)
        self.write("false.npy", b"no array at all")
        self.refused(1, *self.aos, "--to", "x", "false.npy", "new.raw", says=["bad_file: false.npy"], lines=1)
        self.save("fortran.npy", np.asfortranarray(filled((2, 3), np.dtype([("x", "<f4"), ("y", "<f4")]), self.random)))
        self.save("x.npy", np.zeros((2, 3), "<f4"))
        self.refused(2, "records", "--put", "--from", "x", "--fields", "x:f4", "x.npy", "fortran.npy", says=["unsupported: fortran.npy", "--put", "crinkle move"], lines=1)

    def test_several_inputs(self):
        words = ["records", "--fields", "x:f4 y:f8", "--from", "x|y", "--to", "(x y)"]
        self.save("in_x.npy", np.arange(6, dtype="<f4"))
        self.refused(1, *words, "in_{}.npy", "new.npy", says=["in_y.npy", "No such file"], lines=1)
        self.save("in_y.npy", np.arange(7, dtype="<f8"))
        self.refused(2, *words, "in_{}.npy", "new.npy", says=["bad_shape: in_x.npy holds 6 records, and in_y.npy holds 7"], lines=1)
        for other in ["<i8", "<f4", "<c16"]:
            self.save("in_y.npy", np.arange(6).astype(other))
            self.refused(2, *words, "in_{}.npy", "new.npy", says=["bad_shape: in_y.npy", "'y'", "f8"], lines=1)
        self.save("in_y.npy", np.zeros((2, 3), "<f8"))
        self.refused(2, *words, "in_{}.npy", "new.npy", says=["bad_shape: in_x.npy holds [6] of records, and in_y.npy holds [2][3]"], lines=1)
        self.refused(2, "records", "--to", "x", "in_{}.npy", "new.npy", says=["bad_notation: in_{}.npy", "--fields", "--from"], lines=1)

    def test_outputs(self):
        for to, name, says in [("x|y", "new.npy", ["2 groups", "{}", ".raw"]), ("(x y)*2", "new.npy", ["blocks", ".raw"]), ("(x y)*2|z", "new_{}.npy", ["new_x.npy", "blocks"]),
                               ("x", "new.png", ["new.png", ".npy"]), ("x", "new.jpg", ["new.jpg"]), ("x|y", "new_{}.nii", [".npy"])]:
            self.refused(2, *self.aos, "--to", to, "in.raw", name, says=["unsupported", *says], lines=1)
        self.refused(2, *self.aos, "--to", "(x y)@4294967296", "in.raw", "new.npy", says=["too_large: new.npy", "4294967296 bytes", "(x y)@4294967296", ".raw"], lines=1)
        self.write("old_y.raw", b"old")
        self.refused(2, *self.aos, "--to", "x|y|z", "in.raw", "old_{}.raw", says=["old_y.raw: is there already", "--force"], lines=1)
        self.write("in_z.raw", self.read("in.raw"))
        self.refused(2, *self.aos, "--to", "x|y|z", "in_z.raw", "in_{}.raw", "--force", says=["exists: in_z.raw: is the input itself"], lines=1)
        os.symlink("out_y.raw", self.path("out_x.raw"))
        self.write("out_y.raw", b"old")
        self.refused(2, *self.aos, "--to", "x|y|z", "in.raw", "out_{}.raw", "--force", says=["exists: out_y.raw", "out_x.raw"], lines=1)
        self.refused(1, *self.aos, "--to", "x|y", "in.raw", "nowhere/{}.raw", says=["nowhere/x.raw", "No such file"], lines=1)
        self.assertEqual(list(self.folder.glob(harness.temporaries)), [])

    def test_a_folder_that_cannot_be_written(self):
        places = [place for place in ("/proc", "/sys") if os.path.ismount(place)]
        if os.geteuid() != 0:  # root may write everywhere else
            places.append(self.path("closed"))
            os.mkdir(places[-1], 0o555)
        for place in places:
            self.refused(1, *self.aos, "--to", "x|y", "in.raw", f"{place}/{{}}.raw", says=[f"bad_file: {place}/x.raw", f"creating a file in {place}"], lines=1)
            self.refused(1, "interlace", "plain.npy", "-o", f"{place}/out.npy", says=[f"creating a file in {place}"], lines=1)
            self.refused(1, "deinterlace", "table.npy", "--axis", "0", "-o", *[f"out{k}.npy" for k in range(5)], f"{place}/out.npy", says=[f"creating a file in {place}"], lines=1)

    def test_an_output_that_is_a_folder_leaves_the_others_as_they_were(self):
        for name in ["x", "z"]:
            self.write(f"out_{name}.raw", b"old")
        os.mkdir(self.path("out_y.raw"))
        self.refused(1, *self.aos, "--to", "x|y|z", "in.raw", "out_{}.raw", "--force", says=["out_y.raw", "is a directory"], lines=1)
        self.assertEqual(list(self.folder.glob(harness.temporaries)), [])

    def test_a_gpu_that_is_not_there(self):
        if os.path.exists("/dev/nvidia0"):
            self.skipTest("there is one")
        status = 1 if b"with CUDA" in self.run_crinkle("--version").stdout else 2
        self.refused(status, *self.aos, "--to", "x|y", "in.raw", "new.raw", "--device", "cuda", says="CUDA device", lines=1)
        self.refused(status, "interlace", "plain.npy", "-o", "new.npy", "--device", "cuda", says="CUDA device", lines=1)

    def test_puts(self):
        words = ["records", "--put", "--fields", floats, "--from", "p", "--to", "(x y z p)"]
        self.write("p.raw", self.noise(4 * 6))
        self.refused(1, *words, "p.raw", "new.raw", says=["new.raw", "No such file"], lines=1)
        for n_bytes, says in [(16 * 5, ["bad_shape: p.raw holds 6 records, and old.raw holds 5"]), (16 * 6 + 1, ["bad_shape: old.raw: 97 bytes", "'x' of record 6"])]:
            self.write("old.raw", bytes(n_bytes))
            self.refused(2, *words, "p.raw", "old.raw", says=says, lines=1)
        self.refused(2, *words, "p.raw", "-", says=["unsupported", "--put"], lines=1)
        self.refused(2, "records", "--put", "--fields", floats, "--from", "p", "p.raw", "in.raw", says=["bad_notation: in.raw", "--to"], lines=1)
        self.refused(2, "records", "--put", "--fields", "x:f4", "--from", "x", "--byte-order", "big", "p.raw", "table.npy", says=["bad_notation", "table.npy"], lines=1)
        self.refused(2, "records", "--put", "--fields", "x:i4", "--from", "x", "p.raw", "table.npy", says=["bad_shape: table.npy: field 'x' is <f4 there, not i4"], lines=1)
        self.refused(2, "records", "--put", "--fields", "p:f4", "--from", "p", "p.raw", "table.npy", says=["bad_shape: no field", "nothing to put"], lines=1)

    def test_a_full_disk_leaves_nothing(self):
        self.write("big.raw", bytes(3 << 20))
        before = self.listing()
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (900 << 10, 900 << 10))
        result = self.run_crinkle("records", "--fields", "x:u1 y:u1 z:u1", "--from", "(x y z)", "--to", "x|(y z)", "big.raw", "out_{}.raw", preexec_fn=limit)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr.decode(), r"^crinkle: bad_file: out_x.raw: .*File too large\n$")
        self.assertEqual(self.listing(), before)


class Words(RecordsTest):
    def test_success_is_silent_and_a_dry_run_makes_nothing(self):
        self.write("in.raw", self.noise(16 * 6))
        words = ["records", "--fields", floats, "--from", "(x y z p)", "--to", "(x y)@16|z|p", "in.raw", "out_{}.npy"]
        before = self.listing()
        text = self.crinkle(*words, "--dry-run").decode()
        self.assertEqual(self.listing(), before)
        for word in ["in.raw", "6 records of 16 bytes", "(x y z p)", "out_x.npy, out_z.npy and out_p.npy", "24 bytes", "(x y)@16|z|p"]:
            self.assertIn(word, text)
        self.assertEqual(self.crinkle(*words), b"")
        self.refused(2, *words, "--dry-run", says=["out_x.npy: is there already"], lines=1)
        result = self.run_crinkle(*words, "--explain", "--force")
        self.assertEqual((result.returncode, result.stdout), (0, b""))
        self.assertRegex(result.stderr.decode(), r"(?s)^in.raw: 6 records.*boxes: 96 bytes read, 144 bytes written.*on the CPU")

    def test_permissions_of_what_is_replaced_stay(self):
        self.write("in.raw", self.noise(16 * 6))
        for name in ["x", "y"]:
            self.write(f"out_{name}.raw", b"")
            os.chmod(self.path(f"out_{name}.raw"), 0o640)
        self.crinkle("records", "--fields", floats, "--from", "(x y z p)", "--to", "x|y", "in.raw", "out_{}.raw", "--force")
        self.assertEqual([os.stat(self.path(f"out_{name}.raw")).st_mode & 0o777 for name in "xy"], [0o640, 0o640])
        self.assertEqual(list(self.folder.glob(harness.temporaries)), [])


if __name__ == "__main__":
    harness.main()
