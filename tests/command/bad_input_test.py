# What bad input gets: exit status 2 for a wrong request and 1 for what failed, one clear line (with the text and a caret below where it is
# notation), and no file that was not there before.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import gzip
import os
import struct

import numpy as np

from harness import CommandTest, filled


def npy(header, data=b"", version=(1, 0), length=None):
    """A .npy file with this header text, whatever it says; `length` is what the file claims the header's length to be."""
    raw = header.encode("utf-8") if isinstance(header, str) else header
    raw += b" " * (-(len(raw) + 11) % 64) + b"\n"
    return b"\x93NUMPY" + bytes(version) + struct.pack("<H" if version[0] == 1 else "<I", len(raw) if length is None else length) + raw + data


def header(descr="'<f4'", order="False", shape="(2, 3)"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


class BadFiles(CommandTest):
    def refused_file(self, name, content, says=()):
        (self.folder / name).write_bytes(content)
        for arguments in [["move", "... -> ...", name, "new.npy"], ["info", name]]:
            self.refused(1, *arguments, says=["bad_file", name, *([says] if isinstance(says, str) else says)], lines=1)

    def test_the_good_one_is_read(self):
        (self.folder / "good.npy").write_bytes(npy(header(), bytes(24)))
        self.crinkle("move", "... -> ...", "good.npy", "new.npy")
        self.assertEqual(self.load("new.npy").shape, (2, 3))

    def test_lying_shapes(self):
        for shape, says in [("(2, 4)", "32"), ("(9223372036854775807,)", ""), ("(9223372036854775807, 9223372036854775807)", ""),
                            ("(4611686018427387904, 2)", ""), ("(4294967296, 4294967296)", ""), ("(18446744073709551616,)", ""),
                            ("(99999999999999999999999999999999999,)", ""), ("(-1,)", "-1"), ("(-2, -3)", "-2"), ("(2.0, 3)", ""), ("(True, 3)", ""),
                            ("[2, 3]", ""), ("'x'", ""), ("(2, 3", ""), ("6", ""), ("((2,), 3)", ""), ("(0x2, 3)", ""), ("(1,) * 3", ""), ("None", "")]:
            with self.subTest(shape=shape):
                self.refused_file("bad.npy", npy(header(shape=shape), bytes(24)), says)

    def test_an_empty_array_may_have_a_huge_extent_only_within_64_bits(self):
        (self.folder / "empty.npy").write_bytes(npy(header(shape="(0, 9223372036854775807)")))
        result = self.run_crinkle("info", "empty.npy")
        self.assertIn(result.returncode, (0, 1))
        self.assertNotIn(b"terminate", result.stderr)

    def test_lying_types(self):
        for descr in ["'|O'", "'O'", "'|O8'", "[('a', '<f4'), ('b', '|O')]", "'<f3'", "'<x4'", "'float'", "''", "'<'", "'<f-4'", "'<f99999999999999999999'",
                      "__import__('os').system('touch hacked')", "1 + 1", "None", "[('a', '<f4'), ('b')]", "[('a', '<f4', (-1,))]",
                      "[('a', '<f4', (9223372036854775807, 9223372036854775807))]", "[('a',)]", "{'a': 1}", "'<S9223372036854775807'"]:
            with self.subTest(descr=descr):
                self.refused_file("bad.npy", npy(header(descr=descr), bytes(24)))
        self.assertFalse((self.folder / "hacked").exists())
        (self.folder / "none.npy").write_bytes(npy(header(descr="[]"), bytes(24)))
        self.refused(2, "move", "... -> ...", "none.npy", "new.npy", says=["unsupported", "no bytes"], lines=1)

    def test_deep_and_endless_headers(self):
        self.refused_file("bad.npy", npy(header(descr="[('a', " * 2000 + "'<f4'" + ")]" * 2000), bytes(24), version=(2, 0)))
        self.refused_file("bad.npy", npy(header(shape="(" * 50000), bytes(24), version=(2, 0)))
        self.refused_file("bad.npy", npy(header(shape="(" + "1, " * 200 + ")"), bytes(4), version=(2, 0)))

    def test_code_and_nonsense_in_the_header(self):
        for text in ["open('hacked', 'w')", "", "{}", "[1]", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}",
                     "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}", header() + "; import os", header()[:-1], "\x00" * 40,
                     "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'more': 1}", b"\xff\xfe" * 30]:
            with self.subTest(text=text):
                self.refused_file("bad.npy", npy(text, bytes(24)))

    def test_a_header_length_that_lies(self):
        for length in [0, 1, 3, 65535]:
            self.refused_file("bad.npy", npy(header(), bytes(24), length=length))
        for length in [0, 2**31, 2**32 - 1]:
            self.refused_file("bad.npy", npy(header(), bytes(24), version=(2, 0), length=length))

    def test_cut_and_foreign_npy_files(self):
        whole = npy(header(), bytes(24))
        for n in [*range(6, 12), 40, len(whole) - 25, len(whole) - 1]:
            self.refused_file("cut.npy", whole[:n])
        self.refused_file("cut.npy", b"")
        self.refused_file("cut.npy", b"not numpy at all")
        for version in [(0, 0), (4, 0), (255, 255)]:
            self.refused_file("bad.npy", npy(header(), bytes(24), version=version))

    def test_cut_and_broken_pictures(self):
        self.save("grey.npy", filled((40, 50), "u1", self.random))
        self.crinkle("move", "... -> ...", "grey.npy", "good.png")
        whole = (self.folder / "good.png").read_bytes()
        for n in [8, 9, 20, 33, 60, len(whole) // 2, len(whole) - 13]:
            self.refused_file("cut.png", whole[:n])
        for at in [12, 18, len(whole) // 2]:
            self.refused_file("bad.png", whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:])
        huge = bytearray(whole)
        huge[16:24] = b"\x7f\xff\xff\xff\x7f\xff\xff\xff"
        self.refused_file("huge.png", bytes(huge))

    def test_cut_and_broken_volumes(self):
        self.save("volume.npy", filled((6, 7, 8), "<i2", self.random))
        self.crinkle("move", "... -> ...", "volume.npy", "good.nii")
        whole = (self.folder / "good.nii").read_bytes()
        for n in [4, 100, 347, 351, 360, len(whole) - 1]:
            self.refused_file("cut.nii", whole[:n])
            packed = gzip.compress(whole[:n])
            self.refused_file("cut.nii.gz", packed)
        packed = gzip.compress(whole)
        for n in [3, 12, len(packed) // 2, len(packed) - 1]:
            self.refused_file("cut.nii.gz", packed[:n])
        for field, value in [(40, struct.pack("<8h", 3, 32767, 32767, 32767, 1, 1, 1, 1)), (40, struct.pack("<2h", 3, -5)), (40, struct.pack("<h", 9)),
                             (108, struct.pack("<f", 1e30)), (108, struct.pack("<f", -8)), (108, struct.pack("<f", float("nan"))), (344, b"bad!")]:
            bad = whole[:field] + value + whole[field + len(value):]
            (self.folder / "bad.nii").write_bytes(bad)
            self.refused(1, "move", "... -> ...", "bad.nii", "new.npy", says="bad.nii", lines=1)
        bomb = gzip.compress(whole[:40] + struct.pack("<8h", 3, 32767, 32767, 32767, 1, 1, 1, 1) + whole[56:])
        self.refused_file("bomb.nii.gz", bomb)

    def test_raw_files_that_are_too_short(self):
        (self.folder / "in.raw").write_bytes(bytes(23))
        self.refused(1, "move", "y x -> x y", "in.raw", "new.npy", "--shape", "2,3", "--dtype", "f4", says=["bad_file", "24", "23"], lines=1)
        self.refused(1, "move", "y x -> x y", "in.raw", "new.npy", "--shape", "1,1", "--dtype", "f4", "--offset", 20, says=["bad_file", "24", "23"], lines=1)
        self.refused(2, "move", "y x -> x y", "in.raw", "new.npy", says=["unsupported", "--shape"], lines=1)

    def test_missing_files_and_directories(self):
        self.save("in.npy", np.zeros((2, 2)))
        self.refused(1, "move", "y x -> x y", "missing.npy", "new.npy", says=["missing.npy", "No such file"], lines=1)
        self.refused(1, "info", "missing.npy", says=["missing.npy", "No such file"], lines=1)
        self.refused(1, "move", "y x -> x y", ".", "new.npy", says="is a directory", lines=1)
        self.refused(1, "move", "y x -> x y", "in.npy", "none/new.npy", says=["none/new.npy", "No such file"], lines=1)
        self.refused(1, "move", "y x -> x y", "in.npy", "in.npy/new.npy", says="Not a directory", lines=1)
        self.refused(1, "move", "y x -> x y", "in.npy", ".", says="is a directory", lines=1)
        self.refused(1, "move", "y x -> y x", "in.npy", "new.npy", "--take", "x=missing.npy", says=["missing.npy", "No such file"], lines=1)

    def test_a_dry_run_is_refused_as_the_run_would_be(self):
        self.save("in.npy", np.arange(6.0).reshape(2, 3))
        self.save("there.npy", np.zeros(1))
        (self.folder / "link.npy").symlink_to("in.npy")
        (self.folder / "nowhere.npy").symlink_to("none/new.npy")
        locked = self.folder / "locked"
        locked.mkdir()
        self.save("locked/there.npy", np.zeros(1))
        locked.chmod(0o555)
        self.folder.chmod(0o777)
        nobody = {"user": 65534} if os.geteuid() == 0 else {}  # root may write anywhere
        try:
            self.run_crinkle("--version", **nobody)
        except PermissionError:
            print("only root may run the program: no directory is locked")
            nobody, locked = {}, None
        for name, *options in [("none/new.npy",), ("in.npy/new.npy",), *([("locked/new.npy",), ("locked/there.npy", "--force")] if locked else []), ("there.npy",),
                               ("in.npy", "--force"), ("link.npy",), ("nowhere.npy",), (".",), ("locked/",), ("n" * 300 + ".npy",), ("out.png",), ("out.jpg",), ("",), ("/dev/null", "--force")]:
            with self.subTest(name=name):
                before = self.listing()
                real, dry = (self.run_crinkle("move", "y x -> x y", "in.npy", name, *options, *more, **nobody) for more in ([], ["--dry-run"]))
                self.assertIn(real.returncode, (1, 2))
                self.assertEqual((dry.returncode, dry.stderr.decode(), dry.stdout), (real.returncode, real.stderr.decode(), b""))
                self.assertEqual(len(dry.stderr.decode().splitlines()), 1)
                self.assertEqual(self.listing(), before)
        self.assertEqual(self.run_crinkle("move", "y x -> x y", "in.npy", "-", "--dry-run").stdout, b"")

    def test_an_output_that_exists_and_the_input_itself(self):
        self.save("in.npy", np.arange(6.0).reshape(2, 3))
        self.save("there.npy", np.zeros(1))
        (self.folder / "link.npy").symlink_to("in.npy")
        (self.folder / "hard.npy").hardlink_to(self.folder / "in.npy")
        self.refused(2, "move", "y x -> x y", "in.npy", "there.npy", says=["there.npy", "--force"], lines=1)
        self.refused(2, "move", "y x -> x y", "in.npy", "there.npy", "--dry-run", says=["there.npy", "--force"], lines=1)
        for name in ["in.npy", "./in.npy", "link.npy", "hard.npy"]:
            for force in [[], ["--force"]]:
                self.refused(2, "move", "y x -> x y", "in.npy", name, *force, says=["exists", "input itself"], lines=1)
        self.refused(2, "draw", "y x -> x y", "--shape", "2,3", "-o", "link.npy", says="svg", lines=1)
        self.crinkle("move", "y x -> x y", "in.npy", "there.npy", "--force")
        self.assertEqual(self.load("there.npy").shape, (3, 2))


if __name__ == "__main__":
    harness.main()
