# crinkle records, against records put together byte by byte (records_oracle.py) and against NumPy's structured arrays.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import itertools
import os
import re
import unittest

import numpy as np

from harness import CommandTest, filled
from records_oracle import Layout, fields_of

floats = "x:f4 y:f4 z:f4 p:f4"
mixed = "x:u1 y:>i2[3] z:f8 p:S3"
layouts = ["(x y z p)", "(x y z p)@16", "x|y|z|p", "(x y)@16|(z p)@16", "(x y)@16|z@4|p", "(x y z p)*8", "(x y z)*8|p", "(x y)*4@8|(p z)*3", "(p z)|(y x)@2", "(z y x p)*1000@8",
           "p*5|z|(x y)@4", "(x z)*16|(y p)*2@32", "p@64|x@32|(y z)*7"]


class Records(CommandTest):
    def values(self, fields, n):
        return {name: self.random.integers(0, 256, (n, f.bytes), dtype=np.uint8) for name, f in fields.items()}

    def noise(self, n):
        return self.random.integers(0, 256, n, dtype=np.uint8).tobytes()

    def write(self, name, data):
        (self.folder / name).write_bytes(data)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def assert_bytes(self, name, want, message=""):
        self.assertTrue(self.read(name) == want, f"{name}: the bytes differ {message}")

    def table(self, n=5):
        """Records of all kinds in a .npy file, gaps random."""
        dtype = np.dtype({"names": ["x", "y", "v", "r", "s"], "formats": ["<f4", ">f8", (">i2", (2, 3)), [("a", "<i2"), ("b", ">f4", (2,))], "<U2"],
                          "offsets": [0, 8, 16, 30, 44], "itemsize": 64})
        array = filled((n, 64), "u1", self.random).view(dtype)[:, 0].copy()
        array["s"] = "ab"
        return array


class RawFiles(Records):
    def check_pairs(self, text, n):
        fields = fields_of(text)
        values = self.values(fields, n)
        made = [Layout(t, fields) for t in layouts]
        for a in made:
            self.write("in.raw", a.together(values, n, self.noise))
            for b in made:
                self.crinkle("records", "--fields", text, "--from", a.text, "--to", b.text, "in.raw", "out.raw", "--force", "--verify")
                self.assert_bytes("out.raw", b.together(values, n), f"{text}: {a.text} -> {b.text}, {n} records")

    def test_every_pair_of_layouts_of_floats(self):
        self.check_pairs(floats, 37)

    def test_every_pair_of_layouts_of_mixed_fields(self):
        self.check_pairs(mixed, 23)

    def test_fields_and_layouts_at_random(self):
        types = ["u1", "i2", ">i2", "f4", ">f8", "S5", "c8", "f4[3]", ">u2[2,2]", "V7", "M8[ns]", "<U2", "i8[5]"]
        for _ in range(harness.n_chains // 5):
            names = [f"f{i}" for i in range(self.random.integers(1, 9))]
            text = " ".join(f"{name}:{self.random.choice(types)}" for name in names)
            fields, n = fields_of(text), int(self.random.integers(0, 70))
            sides = []
            for k in range(2):
                some = list(self.random.permutation(names))[:1 + self.random.integers(len(names))] if k == 1 else list(self.random.permutation(names))
                cuts = [0, *sorted(i for i in range(1, len(some)) if self.random.random() < 0.4), len(some)]
                groups = []
                for first, last in zip(cuts, cuts[1:]):
                    block, alignment = int(self.random.choice([1, 1, 2, 3, 8, 64])), int(self.random.choice([1, 1, 2, 8, 16, 64]))
                    groups.append("(" + " ".join(some[first:last]) + ")" + (f"*{block}" if block > 1 else "") + (f"@{alignment}" if alignment > 1 else ""))
                sides.append(Layout("|".join(groups), fields))
            a, b = sides
            order = str(self.random.choice(["", "little", "big"]))
            values = self.values(fields, n)
            want = {name: f.swapped(values[name]) if order and f.item > 1 and f.is_big != (order == "big") else values[name] for name, f in fields.items()}
            header = int(self.random.integers(0, 2)) * 13
            is_apart = [bool(self.random.integers(0, 2)) for _ in range(2)]
            for name in os.listdir(self.folder):
                os.remove(self.path(name))
            if is_apart[0]:
                for (group, _, _), data in zip(a.groups, a.apart(values, n, self.noise)):
                    self.write(f"in_{group[0]}.raw", self.noise(header) + data)
            else:
                self.write("in_.raw", self.noise(header) + a.together(values, n, self.noise))
            words = ["records", "--fields", text, "--from", a.text, "--to", b.text, "in_" + "{}" * is_apart[0] + ".raw", "out_" + "{}" * is_apart[1] + ".raw", "--offset", str(header),
                     "--threads", str(self.random.integers(1, 4)), *(["--byte-order", order] if order else []), *(["--verify"] if self.random.integers(0, 2) else [])]
            self.crinkle(*words)
            if is_apart[1]:
                for (group, _, _), data in zip(b.groups, b.apart(want, n)):
                    self.assert_bytes(f"out_{group[0]}.raw", data, " ".join(words))
            else:
                self.assert_bytes("out_.raw", b.together(want, n), " ".join(words))
            self.assertEqual(len(os.listdir(self.folder)), (len(a.groups) if is_apart[0] else 1) + (len(b.groups) if is_apart[1] else 1))

    def test_blocks_without_a_short_common_period_go_in_two_steps(self):
        fields, n = fields_of(floats), 301000
        values = self.values(fields, n)
        a, b = Layout("(x y)*541|(z p)*547", fields), Layout("(p x z)*557|y", fields)
        for k, name in enumerate(["in_x.raw", "in_z.raw"]):
            self.write(name, a.group(k, values, n, bytes))
        for slab in ["", "slab_bytes=65536"]:
            for out in ["out_{}.raw", "out.raw"]:
                result = self.run_crinkle("records", "--fields", floats, "--from", a.text, "--to", b.text, "in_{}.raw", out, "--force", "--verify", "--explain",
                                          env={**os.environ, "CRINKLE_FORCE": slab})
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(b"workspace", result.stderr)
                for (group, _, _), data in zip(b.groups, b.apart(values, n)):
                    if "{}" in out:
                        self.assert_bytes(f"out_{group[0]}.raw", data, slab)
            self.assert_bytes("out.raw", b.together(values, n), slab)

    def test_standard_input_and_output(self):
        fields = fields_of(mixed)
        values = self.values(fields, 9)
        a, b = Layout("(x y z p)@8", fields), Layout("p|(z x)*4|y", fields)
        for options in [[], ["--verify"]]:
            out = self.crinkle("records", "--fields", mixed, "--from", a.text, "--to", b.text, "-", "-", *options, stdin=a.together(values, 9, self.noise))
            self.assertEqual(out, b.together(values, 9))

    def test_fields_taken_out_and_put_in(self):
        fields, n = fields_of(mixed), 31
        old, new = self.values(fields, n), self.values(fields, n)
        for whole, some in itertools.product(layouts, ["z", "(y p)*4", "y|z", "p|(z y)@8"]):
            a, b = Layout(whole, fields), Layout(some, fields)
            before = a.together(old, n, self.noise)
            self.write("all.raw", before)
            self.write("some.raw", b.together(new, n, self.noise))
            self.crinkle("records", "--fields", mixed, "--from", whole, "--to", some, "all.raw", "out.raw", "--force", "--verify")
            self.assert_bytes("out.raw", b.together(old, n))
            self.crinkle("records", "--put", "--fields", mixed, "--from", some, "--to", whole, "some.raw", "all.raw", "--verify")
            both = {name: (new if name in b.names else old)[name] for name in fields}
            is_padding = np.frombuffer(a.together({name: np.ones_like(v) for name, v in old.items()}, n), np.uint8) == 0
            want = np.where(is_padding, np.frombuffer(before, np.uint8), np.frombuffer(a.together(both, n), np.uint8))
            self.assert_bytes("all.raw", want.tobytes(), f"{some} put into {whole}")

    def test_what_neither_side_has_alone_is_put_in_too(self):
        fields, n = fields_of(floats), 12
        old, new = self.values(fields, n), self.values(fields, n)
        a, b = Layout("(x y)|z", fields), Layout("(p z)*4|y", fields)
        for name, data in zip(["in_x.raw", "in_z.raw"], a.apart(new, n)):
            self.write(name, data)
        for name, data in zip(["out_p.raw", "out_y.raw"], b.apart(old, n)):
            self.write(name, data)
        self.crinkle("records", "--put", "--fields", floats, "--from", a.text, "--to", b.text, "in_{}.raw", "out_{}.raw", "--verify")
        for name, data in zip(["out_p.raw", "out_y.raw"], b.apart({**new, "p": old["p"]}, n)):
            self.assert_bytes(name, data)

    def test_no_records(self):
        self.write("in.raw", b"")
        for to in layouts:
            self.crinkle("records", "--fields", floats, "--from", "(x y)@16|z*8|p", "--to", to, "in.raw", "out.raw", "--force", "--verify")
            self.assert_bytes("out.raw", b"")
        self.crinkle("records", "--fields", floats, "--from", "(x y z p)", "--to", "(x y)|z", "in.raw", "out_{}.npy", "--verify")
        self.assertEqual((self.load("out_x.npy").shape, self.load("out_z.npy").shape), ((0,), (0,)))
        self.crinkle("records", "--to", "x|y", "out_x.npy", "out.raw", "--force")
        self.crinkle("records", "--put", "--fields", floats, "--from", "x", "--to", "(x y)", "in.raw", "out_x.npy", "--verify")


class NumpyFiles(Records):
    def test_a_field_is_an_array(self):
        table = self.table()
        self.save("in.npy", table)
        self.crinkle("records", "--to", "x|y|v|r|s", "in.npy", "out_{}.npy", "--verify")
        for name in table.dtype.names:
            self.assertEqual(self.load(f"out_{name}.npy").dtype, table.dtype[name].base)
            self.assert_same(self.load(f"out_{name}.npy"), table[name], name)

    def test_a_group_is_an_array_of_structures_and_padding_its_gaps(self):
        table = self.table()
        self.save("in.npy", table)
        for names, alignment in [(["y", "x"], 1), (["y", "x"], 8), (["r", "v", "s"], 4), (["s", "x"], 16), (["x", "r", "y"], 2)]:
            self.crinkle("records", "--to", f"({' '.join(names)})@{alignment}", "in.npy", "out.npy", "--force", "--verify")
            out = self.load("out.npy")
            self.assertEqual(out.dtype.names, tuple(names))
            self.assertEqual(out.dtype.itemsize % alignment, 0)
            where = {name: out.dtype.fields[name][1] for name in names}
            covered = np.zeros(out.dtype.itemsize, bool)
            for name in names:
                self.assertEqual(out.dtype[name], table.dtype[name])
                self.assert_same(out[name], table[name], name)
                covered[where[name]:where[name] + out.dtype[name].itemsize] = True
            gaps = np.frombuffer(out.tobytes(), np.uint8).reshape(len(out), -1)[:, ~covered]
            self.assertEqual(gaps.size, 0 if alignment == 1 else gaps.size)
            self.assertFalse(gaps.any())

    def test_back_into_the_same_structured_type(self):
        table = self.table()
        self.save("in.npy", table)
        self.crinkle("records", "--to", "(v s)*4|x|(y r)", "in.npy", "between.raw", "--verify")
        target = self.table()
        self.save("out.npy", target)
        self.crinkle("records", "--put", "--fields", "x:f4 y:>f8 v:>i2[2,3] r:V10 s:U2", "--from", "(v s)*4|x|(y r)", "between.raw", "out.npy", "--verify")
        for name in table.dtype.names:
            target[name] = table[name]
        self.assert_same(self.load("out.npy"), target)

    def test_arrays_put_into_structures_leave_the_rest(self):
        table = self.table()
        self.save("out.npy", table)
        values = filled((5,), "<f4", self.random)
        self.save("in_x.npy", values)
        before = self.read("out.npy")
        self.crinkle("records", "--put", "--fields", "x:f4", "--from", "x", "in_{}.npy", "out.npy", "--verify")
        table["x"] = values
        self.assert_same(self.load("out.npy"), table)
        self.assertEqual(self.read("out.npy")[:128], before[:128])

    def test_byte_order(self):
        table = self.table()
        self.save("in.npy", table)
        for order, sign in [("little", "<"), ("big", ">")]:
            self.crinkle("records", "--to", "(v s y x)@4", "--byte-order", order, "in.npy", "out.npy", "--force", "--verify")
            out = self.load("out.npy")
            for name in ["v", "s", "y", "x"]:
                self.assertEqual(out.dtype[name], table.dtype[name].newbyteorder(sign))
                self.assert_same(out[name], table[name].astype(table.dtype[name].base.newbyteorder(sign)) if name == "s" else table[name].byteswap() if table.dtype[name].base.newbyteorder(sign) != table.dtype[name].base else table[name], name)
            self.refused(2, "records", "--to", "(r x)", "--byte-order", order, "in.npy", "new.npy", says=["unsupported", "'r'"], lines=1)
        self.refused(2, "records", "--to", "(r x)", "--byte-order", "middle", "in.npy", "new.npy", says=["little or big"], lines=1)

    def test_nested_records_of_one_kind_are_swapped(self):
        table = filled((3,), np.dtype([("r", [("a", "<i4"), ("b", "<f4", (2,))]), ("k", "u1")]), self.random)
        self.save("in.npy", table)
        self.crinkle("records", "--to", "(k r)", "--byte-order", "big", "in.npy", "out.npy", "--verify")
        out = self.load("out.npy")
        self.assertEqual(out.dtype["r"], np.dtype([("a", ">i4"), ("b", ">f4", (2,))]))
        for name in ["a", "b"]:
            self.assert_same(out["r"][name], table["r"][name].byteswap())

    def test_shapes_stay(self):
        table = filled((2, 3), np.dtype([("x", "<f4"), ("v", "<i2", (2,))]), self.random)
        self.save("in.npy", table)
        self.crinkle("records", "--to", "v|x", "in.npy", "out_{}.npy")
        self.assert_same(self.load("out_v.npy"), table["v"])
        self.assert_same(self.load("out_x.npy"), table["x"])
        self.crinkle("records", "--fields", "x:f4 v:i2[2]", "--from", "v|x", "--to", "(x v)", "out_{}.npy", "again.npy", "--verify")
        self.assert_same(self.load("again.npy"), table)
        self.assertEqual(self.load("again.npy").dtype, table.dtype)
        self.assertEqual(self.read("again.npy"), self.read("in.npy"))
        self.save("scalar.npy", table[1, 2])
        self.crinkle("records", "--to", "x", "scalar.npy", "out.npy")
        self.assertEqual(self.load("out.npy").shape, ())

    def test_names_that_no_layout_can_say(self):
        table = filled((4,), np.dtype([(("a title", "x"), "<f4"), ("it's", "<i2"), ("gap0", "<i2"), ("", "V3"), ("é", "u1"), ("a b|c", ">f8")]), self.random)
        self.save("in.npy", table)
        self.crinkle("records", "--to", "(é x gap0)", "in.npy", "out.npy", "--verify")
        for name in ["é", "x", "gap0", "a title"]:
            self.assert_same(self.load("out.npy")[name], table[name])

    def test_a_layout_that_is_as_the_file_has_it(self):
        table = np.zeros(3, np.dtype({"names": ["x", "y"], "formats": ["<f4", "<f8"], "offsets": [0, 8], "itemsize": 16}))
        table["x"], table["y"] = [1, 2, 3], [4, 5, 6]
        self.save("in.npy", table)
        self.crinkle("records", "--from", "(x y)@8", "--to", "y|x", "in.npy", "out.raw", "--verify")
        self.assertEqual(self.read("out.raw"), table["y"].tobytes() + table["x"].tobytes())
        for layout, says in [("(x y)", "'y' begins at byte 8"), ("x|y", "one behind the other"), ("(x y)*2@8", "one behind the other"), ("x", "16 bytes")]:
            self.refused(2, "records", "--from", layout, "--to", "y", "in.npy", "new.raw", says=["bad_shape: in.npy", says, "without --from"], lines=1)

    def test_fields_beside_a_structured_file(self):
        table = filled((4,), np.dtype([("x", "<f4"), ("y", "<f4")]), self.random)
        self.save("in.npy", table)
        self.write("out.raw", bytes(4 * 8))
        self.crinkle("records", "--put", "--fields", "k:u4", "--to", "(k y)", "in.npy", "out.raw", "--verify")
        got = np.frombuffer(self.read("out.raw"), np.dtype([("k", "<u4"), ("y", "<f4")]))
        self.assert_same(got["y"], table["y"])
        self.assertFalse(got["k"].any())
        self.refused(2, "records", "--fields", "x:f8", "--to", "x", "in.npy", "new.raw", says=["bad_shape: in.npy", "'x'", "4 bytes", "8"], lines=1)
        self.refused(2, "records", "--fields", "x:>f4", "--to", "x", "in.npy", "new.raw", says=["bad_shape", "'x'", "<f4", ">f4", "--byte-order"], lines=1)


class Refusals(Records):
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
                (["--fields", "x:f4", "--from", "(x y)", "--to", "x"], ["bad_notation", "'y'"], 3),
                (["--fields", "x:f4 y:f4", "--from", "(x y x)", "--to", "x"], ["bad_notation", "'x'"], 3),
                (["--fields", floats, "--from", "(x y z p)@12", "--to", "x"], ["bad_notation", "power of two"], 3),
                (["--fields", floats, "--from", "(x y z p)", "--to", "x|w"], ["bad_notation", "'w'"], 3),
                (["--fields", floats + " w:f4", "--from", "(x y z p)", "--to", "x|w"], ["bad_shape", "field 'w'", "--put"], 1),
                (["--fields", floats, "--to", "x"], ["bad_notation", "in.raw", "--from"], 1),
                (["--from", "x", "--to", "x"], ["bad_notation", "in.raw", "--fields"], 1),
                (["--fields", floats, "--from", "(x y z p)"], ["bad_notation", "--to"], 1),
                (["--fields", "x:V5", "--from", "x", "--to", "x"], ["bad_shape: in.raw: ", "'x' of record 19", "byte 95"], 1),
                (["--fields", floats, "--from", "(x y z p)", "--to", "x", "--offset", "-1"], ["-1"], 1),
                (["--fields", floats, "--from", "(x y z p)", "--to", "x", "--offset", "4"], ["bad_shape: in.raw: ", "'p' of record 5"], 1),
                (["--fields", floats, "--from", "(x y z p)", "--to", "x", "--threads", "-3"], ["-3"], 1),
                (["--fields", floats, "--from", "(x y z p)", "--to", "x", "--device", "tpu"], ["auto"], 1),
                (["--fields", floats, "--from", "(x y z p)", "--to", "x", "--device-memory", "1G"], ["--device-memory"], 1)]:
            with self.subTest(options=options):
                self.refused(2, "records", *options, "in.raw", "new.raw", says=says, lines=lines)
        self.refused(1, *self.aos, "--to", "x", "--offset", "97", "in.raw", "new.raw", says=["bad_file: in.raw", "96", "97"], lines=1)

    def test_files_that_are_no_records(self):
        self.refused(2, *self.aos, "--to", "x", "plain.npy", "new.raw", says=["unsupported: plain.npy", "{}", "--offset 128"], lines=1)
        self.refused(2, "records", "--to", "x", "plain.npy", "new.raw", says=["bad_notation: plain.npy", "--fields", "--from"], lines=1)
        self.refused(1, *self.aos, "--to", "x", "missing.raw", "new.raw", says=["bad_file: missing.raw", "No such file"], lines=1)
        self.write("false.npy", b"no array at all")
        self.refused(1, *self.aos, "--to", "x", "false.npy", "new.raw", says=["bad_file: false.npy"], lines=1)
        self.save("fortran.npy", np.asfortranarray(filled((2, 3), np.dtype([("x", "<f4"), ("y", "<f4")]), self.random)))
        self.refused(2, "records", "--to", "x", "fortran.npy", "new.raw", says=["unsupported: fortran.npy", "crinkle move"], lines=1)

    def test_several_inputs(self):
        words = ["records", "--fields", "x:f4 y:f8", "--from", "x|y", "--to", "(x y)"]
        self.save("in_x.npy", np.arange(6, dtype="<f4"))
        self.refused(1, *words, "in_{}.npy", "new.npy", says=["in_y.npy", "No such file"], lines=1)
        self.save("in_y.npy", np.arange(7, dtype="<f8"))
        self.refused(2, *words, "in_{}.npy", "new.npy", says=["bad_shape: in_x.npy holds 6 records, and in_y.npy holds 7"], lines=1)
        for other in ["<i8", "<f4", "<c16"]:
            self.save("in_y.npy", np.arange(6).astype(other))
            self.refused(2, *words, "in_{}.npy", "new.npy", says=["bad_shape: in_y.npy", "'y'", "f8"], lines=1)
        self.refused(2, "records", "--to", "x", "in_{}.npy", "new.npy", says=["bad_notation: in_{}.npy", "--fields", "--from"], lines=1)

    def test_outputs(self):
        for to, name, says in [("x|y", "new.npy", ["2 groups", "{}", ".raw"]), ("(x y)*2", "new.npy", ["blocks", ".raw"]), ("(x y)*2|z", "new_{}.npy", ["new_x.npy", "blocks"]),
                               ("x", "new.png", ["new.png", ".npy"]), ("x", "new.jpg", ["new.jpg"]), ("x|y", "new_{}.nii", [".npy"])]:
            self.refused(2, *self.aos, "--to", to, "in.raw", name, says=["unsupported", *says], lines=1)
        self.write("old_y.raw", b"old")
        self.refused(2, *self.aos, "--to", "x|y|z", "in.raw", "old_{}.raw", says=["old_y.raw: is there already", "--force"], lines=1)
        self.write("in_z.raw", self.read("in.raw"))
        self.refused(2, *self.aos, "--to", "x|y|z", "in_z.raw", "in_{}.raw", "--force", says=["overlap: in_z.raw: is the input itself"], lines=1)
        os.symlink("out_y.raw", self.path("out_x.raw"))
        self.write("out_y.raw", b"old")
        self.refused(2, *self.aos, "--to", "x|y|z", "in.raw", "out_{}.raw", "--force", says=["overlap: out_y.raw", "out_x.raw"], lines=1)
        self.refused(1, *self.aos, "--to", "x|y", "in.raw", "nowhere/{}.raw", says=["nowhere/x.raw", "No such file"], lines=1)
        self.assertEqual(list(self.folder.glob(harness.temporaries)), [])

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_that_cannot_be_written(self):
        os.mkdir(self.path("closed"), 0o555)
        self.refused(1, *self.aos, "--to", "x|y", "in.raw", "closed/{}.raw", says=["closed/x.raw", "Permission denied"], lines=1)
        self.assertEqual(os.listdir(self.path("closed")), [])

    def test_an_output_that_cannot_be_replaced_takes_the_others_with_it(self):
        """The second of three outputs appears while the others are made: all three stay as they were."""
        fields = "x:f4 y:f4 z:f4"
        self.write("big.raw", bytes(12 << 20))
        for name in ["x", "z"]:
            self.write(f"out_{name}.raw", b"old")
        os.mkdir(self.path("out_y.raw"))
        self.refused(1, "records", "--fields", fields, "--from", "(x y z)", "--to", "x|y|z", "big.raw", "out_{}.raw", "--force", says=["out_y.raw", "directory"], lines=1)
        self.assertEqual((self.read("out_x.raw"), self.read("out_z.raw")), (b"old", b"old"))
        self.assertEqual(list(self.folder.glob(harness.temporaries)), [])

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
        self.refused(2, "records", "--put", "--fields", "p:f4", "--from", "p", "p.raw", "table.npy", says=["bad_shape: no field", "nothing to put"], lines=1)

    def test_a_full_disk_leaves_nothing(self):
        import resource
        self.write("big.raw", bytes(3 << 20))
        before = self.listing()
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (900 << 10, 900 << 10))
        result = self.run_crinkle("records", "--fields", "x:u1 y:u1 z:u1", "--from", "(x y z)", "--to", "x|(y z)", "big.raw", "out_{}.raw", preexec_fn=limit)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr.decode(), r"^crinkle: bad_file: out_x.raw: .*File too large\n$")
        self.assertEqual(self.listing(), before)


class Words(Records):
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
        self.assertRegex(result.stderr.decode(), r"(?s)^in.raw: 6 records.*boxes: 96 bytes read, 96 bytes written.*on the CPU")

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
