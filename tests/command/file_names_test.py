# Which names an output may have: endings that crinkle knows, and those that ask for raw data; and which names of fields become part of one.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import numpy as np

from harness import CommandTest, filled

foreign = ["hdr", "img", "mgh", "nrrd", "nhdr", "hdf", "mat", "dcm", "ppm", "exr", "fits", "pt", "safetensors", "parquet", "vtk", "tar", "xyz", "npz", "nii.bz2", "raw.gz", "NPY"]


class Endings(CommandTest):
    def test_only_known_endings_and_raw_are_written(self):
        array = filled((3, 4), "<f4", self.random)
        self.save("in.npy", array)
        before = self.listing()
        for ending in foreign:
            for command in (["move", "... -> ...", "in.npy", f"o.{ending}"], ["interlace", "in.npy", "in.npy", "-o", f"o.{ending}"],
                            ["deinterlace", "in.npy", "--axis", 0, "-o", "a.raw", "b.npy", f"o.{ending}"], ["fft", "in.npy", f"o.{ending}"], ["stencil", "average", "in.npy", f"o.{ending}"]):
                with self.subTest(command=command):
                    self.refused(2, *command, says=[f"o.{ending}", ".npy", ".raw"], lines=1)
        for name in ["noending", "folder.raw/noending"]:
            self.refused(2, "move", "... -> ...", "in.npy", name, says=[name, "no ending", ".raw"], lines=1)
        self.assertEqual(self.listing(), before)
        for name in ["o.raw", "o.bin", "o.dat", "o.DAT"]:
            self.crinkle("move", "... -> ...", "in.npy", name, "--verify")
            self.assertEqual((self.folder / name).read_bytes(), array.tobytes())
        self.assertEqual(self.crinkle("move", "... -> ...", "in.npy", "-"), array.tobytes())

    def test_records_too(self):
        points = np.zeros(5, [("x", "<f4"), ("y", "<f4")])
        points["x"] = np.arange(5)
        self.save("in.npy", points)
        for ending in foreign:
            self.refused(2, "records", "in.npy", f"o.{ending}", "--to", "(y x)", says=[f"o.{ending}"])
            self.refused(2, "records", "in.npy", f"o_{{}}.{ending}", "--to", "y|x", says=[ending])
        self.crinkle("records", "in.npy", "o.dat", "--to", "(y x)")
        # What exists keeps its form, and so its name, too.
        (self.folder / "there.xyz").write_bytes(b"\1" * 40)
        self.crinkle("records", "--put", "--fields", "x:f4 y:f4", "in.npy", "there.xyz", "--to", "(x y)", "--verify")
        self.assertEqual((self.folder / "there.xyz").read_bytes(), points.tobytes())


class Fields(CommandTest):
    def test_a_field_never_leads_to_another_folder(self):
        outside = self.folder / "outside"
        inside = self.folder / "inside"
        outside.mkdir()
        inside.mkdir()
        for field in ["../outside/esc", str(outside / "esc"), "a/b", "/", "..", ".", "x/", "../x"]:
            with self.subTest(field=field):
                self.save("in.npy", np.zeros(3, [(field, "<f4"), ("y", "<f4")]))
                before = self.listing(), sorted(outside.iterdir()), sorted(inside.iterdir())
                for name in ["{}.npy", "inside/{}.raw", "{}/out.npy"]:
                    self.refused(2, "records", "in.npy", name, "--to", f"'{field}'|y", says=[field, "name"], lines=1)
                    self.refused(2, "records", "in.npy", name, "--to", f"y|'{field}'", "--force", says=[field], lines=1)
                self.refused(2, "records", "--fields", f"'{field}':f4 y:f4", "--from", f"'{field}'|y", "{}.npy", "o.npy", "--to", "(y)", says=[field], lines=1)
                self.assertEqual((self.listing(), sorted(outside.iterdir()), sorted(inside.iterdir())), before)
                self.crinkle("records", "in.npy", "o.npy", "--to", f"(y '{field}')", "--force")  # one file holds it
        self.save("in.npy", np.zeros(3, [("..a", "<f4"), ("b.c", "<f4")]))
        self.crinkle("records", "in.npy", "inside/{}.npy", "--to", "'..a'|'b.c'")
        self.assertEqual(sorted(p.name for p in inside.iterdir()), ["..a.npy", "b.c.npy"])


if __name__ == "__main__":
    harness.main()
