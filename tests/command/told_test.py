# What an output does not take over from its input is told, in one line each: coordinates, attributes, names, the place of a volume's voxels;
# and what cannot be meant is refused.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json

import numpy as np

from harness import CommandTest, done, wrong

axes = ["time", "lat", "lon"]


class Told(CommandTest):
    def setUp(self):
        super().setUp()
        if b"HDF5" not in self.crinkle("--version"):
            self.skipTest("this build has no Zarr and HDF5")

    def array(self, name, values, axes, attributes={}):
        """An array of a Zarr store, in one chunk."""
        store, _, inside = name.partition(":/")
        values = np.asarray(values)
        folder = self.folder / store / inside
        chunk = folder.joinpath("c", *["0"] * values.ndim)
        chunk.parent.mkdir(parents=True)
        if inside:
            (self.folder / store / "zarr.json").write_text(json.dumps({"zarr_format": 3, "node_type": "group", "attributes": {}}))
        (folder / "zarr.json").write_text(json.dumps({
            "zarr_format": 3, "node_type": "array", "shape": values.shape, "data_type": values.dtype.name, "fill_value": 0, "attributes": attributes, "dimension_names": axes,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": values.shape}}, "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
            "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}))
        chunk.write_bytes(values.tobytes())

    def climate(self, store="s.zarr", begin=0.0, **attributes):
        """An array /t of temperatures with coordinates beside it."""
        self.t = np.arange(4 * 5 * 6, dtype="f4").reshape(4, 5, 6)
        self.array(f"{store}:/t", self.t, axes, attributes)
        for axis, n in zip(axes, self.t.shape):
            self.array(f"{store}:/{axis}", np.arange(n) + begin, [axis])

    def told(self, *words):
        result = self.run_crinkle(*words)
        self.assertEqual(result.returncode, done, f"{words}\n{result.stderr.decode()}")
        for line in result.stderr.decode().splitlines():
            self.assertTrue(line.startswith("crinkle: note: "), line)
        return result.stderr.decode()

    def info(self, name):
        return json.loads(self.crinkle("info", name, "--json"))

    def test_records_are_not_read_from_files_of_arrays(self):
        self.climate()
        self.save("a.npy", np.zeros((3, 4), "f4"))
        names = ["s.zarr", "s.zarr:/t"]
        for ending in ("h5", "nc", "nc3", "tif"):
            if self.run_crinkle("move", "y x -> y x", "a.npy", f"a.{ending}").returncode == done:
                names.append(f"a.{ending}")
        self.save("p.npy", np.zeros(3, [("x", "f4"), ("y", "f4")]))
        self.assertGreater(len(names), 3)
        for name in names:
            with self.subTest(name=name):
                self.refused(wrong, "records", "--fields", "x:u1", "--from", "x", "--to", "x", name, "o.raw", says=[name, "crinkle move"], lines=1)
                self.refused(wrong, "records", "--put", "--fields", "x:f4 y:f4", "--from", "(x y)", "--to", "(x y)", "p.npy", name, says=[name, "crinkle move"], lines=1)
        self.crinkle("records", "--fields", "x:u1", "--from", "x", "--to", "x", "--offset", 1, "a.h5", "o.raw")

    def test_coordinates_that_stay_behind(self):
        self.climate()
        self.assertIn("the coordinates", self.told("move", "time lat lon -> time lat lon", "s.zarr:/t", "s.h5", "--roll", "lon=1"))
        self.assertNotIn("the coordinates", self.told("move", "time lat lon", "s.zarr:/t", "s.h5", "--force"))
        for source in ("s.zarr:/t", "s.h5:/t"):
            for out in ("o.zarr", "g.zarr:/g/t", "o.npy", "o.raw", "o.nii.gz", *(["o.tif"] if b"TIFF" in self.crinkle("--version") else [])):
                with self.subTest(source=source, out=out):
                    told = self.told("move", "lat lon time", source, out, "--force")
                    self.assertIn(f"note: the coordinates of axes {'lat, lon, time' if '.zarr' in out or '.tif' in out else 'time, lat, lon'} stay behind: {out} has no place for them\n", told)
            told = self.told("move", "time lat lon -> lat (lon time)", source, "m.h5", "--force")
            self.assertIn("the coordinates of axes time, lon stay behind: no axis of m.h5 has their indices\n", told)
            self.assertIn("the coordinates of axis time stay behind", self.told("move", "time lat lon -> lat lon", "--at", "time=1", source, "m.h5", "--force"))
        self.array("alone.zarr", self.t, axes)
        self.assertEqual(self.told("move", "lat lon time", "alone.zarr", "o.npy", "--force"), "")

    def test_attributes_that_name_arrays_which_stay_behind(self):
        self.climate(coordinates="height lat2d", grid_mapping="crs")
        for out in ("o.h5", "o.nc", "o.zarr"):
            told = self.told("move", "time lat lon", "s.zarr:/t", out)
            self.assertIn("attribute 'coordinates' names arrays that stay behind: height lat2d\n", told)
            self.assertIn("attribute 'grid_mapping' names arrays that stay behind: crs\n", told)
        self.assertNotIn("attribute", self.told("move", "lon lat time", "s.zarr:/t", "s.zarr:/again"))
        self.array("b.zarr:/t", self.t[0], ["y", "x"])
        self.array("b.zarr:/y", np.arange(5), ["y"], {"bounds": "y_bnds"})
        self.assertIn("attribute 'bounds' of axis 'y' names arrays that stay behind: y_bnds\n", self.told("move", "x y", "b.zarr:/t", "b.nc"))
        self.climate("own.zarr", coordinates="lat lon")
        self.assertNotIn("attribute", self.told("move", "time lat lon", "own.zarr:/t", "own.h5"))

    def test_attributes_of_groups(self):
        self.climate()
        (self.folder / "s.zarr/zarr.json").write_text(json.dumps({"zarr_format": 3, "node_type": "group", "attributes": {"title": "t", "history": ["h"]}}))
        for out in ("o.h5", "o.npy", "o.zarr"):
            self.assertIn("the attributes of the file itself stay behind: title, history\n", self.told("move", "lat lon time", "s.zarr:/t", out))
        self.assertEqual(self.told("move", "lat lon time", "s.zarr:/t", "s.zarr:/o"), "")

    def test_what_is_the_same_of_several_outputs_is_told_once(self):
        self.climate(units="K")
        for words in (["--dry-run"], []):
            told = self.told("deinterlace", "s.zarr:/t", "--axis", "time", "-o", "o_{}.npy", *words).splitlines()
            self.assertEqual(told, [f"crinkle: note: {what} stay behind: o_0.npy has no place for them (and so of 3 more outputs)"
                                    for what in ("the attributes of s.zarr:/t", "the coordinates of axes time, lat, lon")])

    def test_transforms_keep_names_and_tell_the_rest(self):
        self.climate(units="K")
        told = self.told("fft", "--real", "--axes", "time", "s.zarr:/t", "f.h5")
        self.assertIn("the attributes of s.zarr:/t stay behind: they are of its numbers, not of their transform\n", told)
        self.assertIn("the coordinates of axis time stay behind: no axis of f.h5 has their indices\n", told)
        have = self.info("f.h5:/t")
        self.assertEqual((have["axes"], have["attributes"]), (axes, {}))
        self.assertEqual([n["name"] for n in self.info("f.h5")["nodes"]], ["/", "/lat", "/lon", "/t"])
        self.array("c.zarr", self.t.astype("c8"), axes, {"units": "K"})
        told = self.told("fft", "c.zarr", "f.zarr")
        self.assertEqual(told, "crinkle: note: the attributes of c.zarr stay behind: they are of its numbers, not of their transform\n")
        self.assertEqual((self.info("f.zarr")["axes"], self.info("f.zarr")["attributes"]), (axes, {}))
        self.assertEqual(told, self.told("fft", "c.zarr", "dry.zarr", "--dry-run"))

    def test_arrays_that_are_put_together_say_what_they_say_alike(self):
        self.climate("a.zarr", units="K", long_name="air")
        self.climate("b.zarr", units="degC", long_name="air", begin=1)
        told = self.told("interlace", "a.zarr:/t", "b.zarr:/t", "-o", "o.h5", "--axis", "0")
        self.assertIn('an attribute stays behind: units is "K" in a.zarr:/t, "degC" in b.zarr:/t\n', told)
        for axis in axes:
            self.assertIn(f"('{axis}') stay behind: they are not the same in a.zarr:/t and in b.zarr:/t\n", told)
        self.assertEqual(self.info("o.h5")["attributes"], {"long_name": "air"})
        self.assertEqual(told, self.told("interlace", "a.zarr:/t", "b.zarr:/t", "-o", "dry.h5", "--axis", "0", "--dry-run").replace("dry.h5", "o.h5"))
        self.assertEqual(self.told("interlace", "a.zarr:/t", "a.zarr:/t", "-o", "same.h5", "--axis", "0"), "")
        self.assertEqual([n["name"] for n in self.info("same.h5")["nodes"]], ["/", "/lat", "/lon", "/t", "/time"])
        self.array("c.zarr", self.t, ["time", "y", "lon"], {"units": "K", "long_name": "air"})
        self.assertIn("axis 1 is called 'lat' in a.zarr:/t and 'y' in c.zarr: the first array's name stays\n", self.told("interlace", "a.zarr:/t", "c.zarr", "-o", "c.h5", "--axis", "0"))
        self.array("d.zarr", self.t, axes, {"units": "K", "scale_factor": 0.5})
        self.refused(wrong, "interlace", "a.zarr:/t", "d.zarr", "-o", "d.h5", "--axis", "0", says=["scale_factor is none in a.zarr:/t, 0.5 in d.zarr", ".npy"])
        self.told("interlace", "a.zarr:/t", "d.zarr", "-o", "d.npy", "--axis", "0")

    def test_arrays_beside_others_in_a_store(self):
        self.climate()
        self.assertEqual(self.told("move", "lat lon time", "s.zarr:/t", "s.zarr:/same"), "")
        for verb in (["--flip", "lat"], ["--slice", "lat=::2"], ["--roll", "lat=1"], ["--pad", "lat=0:1"]):
            with self.subTest(verb=verb):
                told = self.told("move", "time lat lon", "s.zarr:/t", "s.zarr:/o", *verb, "--force")
                self.assertIn("axis 'lat'", told)
                self.assertIn("s.zarr:/lat", told)
        self.assertIn("has other coordinates here than s.zarr:/lat", self.told("move", "time lat lon", "s.zarr:/t", "s.zarr:/o", "--flip", "lat", "--force"))
        self.assertIn("axis 'lat' has 3 elements here and 5 in s.zarr:/lat", self.told("move", "time lat lon", "s.zarr:/t", "s.zarr:/o", "--slice", "lat=::2", "--force"))
        self.climate("other.zarr", begin=7)
        self.assertEqual(self.told("move", "time lat lon", "other.zarr:/t", "s.zarr:/o", "--force").count("has other coordinates here"), 3)
        self.save("a.npy", self.t)
        self.assertEqual(self.told("move", "time lat lon -> time lat lon", "a.npy", "s.zarr:/o", "--force").count("is the one that the store has, with its coordinates"), 3)
        self.assertEqual(self.told("move", "time lat lon", "s.zarr:/t", "s.zarr:/g/o").count("the coordinates of axes time, lat, lon stay behind"), 1)

    def test_voxels_lose_their_size_and_place(self):
        self.save("a.npy", np.zeros((3, 4, 5), "f4"))
        self.crinkle("move", "z y x -> z y x", "a.npy", "plain.nii")
        self.assertEqual(self.told("move", "z y x -> z y x", "plain.nii", "o.npy"), "")
        self.crinkle("move", "z y x -> z y x", "a.npy", "v.nii")
        self.give_place("v.nii")
        for out in ("o.npy", "o.raw", "o.png", "o.h5", "o.zarr"):
            told = self.told("move", "z y x -> y x", "--at", "z=1", "v.nii", out, "--force", *(["--window", "auto"] if out == "o.png" else []))
            self.assertIn(f"the size and place of the voxels of v.nii stay behind: {out} has no place for them\n", told)
        self.assertEqual(self.told("move", "z y x -> x y z", "v.nii", "t.nii.gz"), "")

    def test_slices_beyond_an_axis(self):
        self.save("a.npy", np.zeros((40, 3), "f4"))
        for words in (["move", "z y -> z y", "--slice", "z=50:60", "a.npy", "o.npy"], ["move", "z y -> z y", "--slice", "z=50:60", "a.npy", "dry.npy", "--dry-run"]):
            self.assertEqual(self.told(*words), "crinkle: note: the result has no elements, [0][3]: --slice z=50:60 takes none of a.npy [40][3] float32\n")
        self.assertEqual(self.told("move", "z y -> z y", "--slice", "z=30:60", "a.npy", "o.npy", "--force"), "")
        self.assertEqual(self.told("move", "z y -> y z", "o.npy", "e.npy"), "")

    def test_arrays_keep_their_name_where_their_type_changes(self):
        self.climate()
        self.told("stencil", "gaussian:1", "--dtype", "float64", "s.zarr:/t", "a.h5")
        self.assertEqual(self.info("a.h5:/t")["dtype"], "float64")

    def test_offsets_of_packed_numbers_are_those_of_the_sums(self):
        self.array("p.zarr", self.random.integers(-99, 99, (4, 5)).astype("i2"), ["y", "x"], {"scale_factor": 0.5, "add_offset": 280.0})
        for stencil, offset in (("gaussian:1", 280.0), ("gradient:x", 0.0), ("array:[[1,1,0]]", 560.0)):
            told = self.told("stencil", stencil, "p.zarr", "o.h5", "--force")
            self.assertEqual(self.info("o.h5")["attributes"], {"scale_factor": 0.5, "add_offset": offset})
            self.assertEqual("the add_offset of the result is" in told, offset != 280.0)

    def test_help_names_the_files_of_arrays(self):
        for command in ("move", "stencil", "fft", "interlace", "deinterlace", "resample"):
            self.assertIn(".npy, .zarr, .h5, .nc, .tif, .png", " ".join(self.crinkle(command, "--help").decode().split()), command)

    def test_arrays_are_not_called_as_axes_with_coordinates(self):
        self.climate()
        self.refused(wrong, "move", "time lat lon", "s.zarr:/t", "same.h5:/lon", says=["same.h5:/lon", "axis 'lon'", "same.h5:/data"], lines=1)
        self.assertIn("axis 'lon' is called dim_2: NetCDF needs the name otherwise; its coordinates stay behind\n", self.told("move", "time lat lon", "s.zarr:/t", "same.nc:/lon"))
        self.told("move", "lon", "s.zarr:/lon", "lon.h5:/lon")

    def test_axes_keep_their_name_beside_others_of_that_name(self):
        self.climate()
        self.told("move", "time lat lon", "s.zarr:/t", "into.h5")
        self.told("move", "time lat lon", "s.zarr:/t", "into.h5:/part", "--into", "--slice", "lat=0:2")
        self.assertEqual(self.info("into.h5:/part")["axes"], axes)

    def test_names_of_any_language_are_shown_and_controls_are_not(self):
        self.array("n.zarr", np.zeros((2, 3), "f4"), ["höhe", "x\x1b[2J\u202e"], {"größe": "µm"})
        told = self.crinkle("info", "n.zarr").decode()
        self.assertIn("höhe x\\x1b[2J\\xe2\\x80\\xae", told)
        self.assertIn("größe", told)
        self.assertIn("µm", told)

    def test_a_store_of_records_is_refused_by_its_name(self):
        self.save("r.npy", np.zeros(3, [("x", "f4"), ("y", "f4")]))
        self.refused(wrong, "move", "n -> n", "r.npy", "n_rec.zarr", says="n_rec.zarr")


if __name__ == "__main__":
    harness.main()
