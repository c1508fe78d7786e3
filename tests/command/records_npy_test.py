# crinkle records of .npy files, against NumPy's structured arrays.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import subprocess

import numpy as np

from harness import filled
from records_oracle import RecordsTest


class NumpyFiles(RecordsTest):
    def table(self, n=5):
        """Records of all kinds in a .npy file, gaps random."""
        dtype = np.dtype({"names": ["x", "y", "v", "r", "s"], "formats": ["<f4", ">f8", (">i2", (2, 3)), [("a", "<i2"), ("b", ">f4", (2,))], "<U2"],
                          "offsets": [0, 8, 16, 30, 44], "itemsize": 64})
        array = filled((n, 64), "u1", self.random).view(dtype)[:, 0].copy()
        array["s"] = "ab"
        return array

    def test_fortran_order_is_the_same_array(self):
        for shape in [(4, 5), (2, 3, 4), (7,), (1, 9), (3, 0)]:
            table = self.table(int(np.prod(shape))).reshape(shape)
            self.save("c.npy", table)
            self.save("f.npy", np.asfortranarray(table))
            for to, name in [("(y x)", "out.npy"), ("x|y|v|r|s", "out_{}.npy"), ("(x s)*8|r", "out.raw"), ("s|(v y)@16", "out.raw")]:
                made = {}
                for source in ["c", "f"]:
                    before = set(self.listing())
                    self.crinkle("records", "--to", to, source + ".npy", name, "--verify")
                    made[source] = {k: v for k, v in self.listing().items() if k not in before}
                    for new in made[source]:
                        (self.folder / new).unlink()
                with self.subTest(shape=shape, to=to):
                    self.assertTrue(made["c"])
                    self.assertEqual(made["f"], made["c"])
            # A file a field, the two orders beside each other; v has axes of its own.
            for k, field in enumerate("xyv"):
                self.save(f"one_{field}.npy", np.asfortranarray(table[field]) if k != 1 else np.ascontiguousarray(table[field]))
            self.crinkle("records", "--fields", "x:f4 y:>f8 v:>i2[2,3]", "--from", "x|y|v", "--to", "(v x y)", "one_{}.npy", "all.npy", "--force", "--verify")
            got = self.load("all.npy")
            for field in "xyv":
                self.assert_same(got[field], table[field], f"{field} of {shape}")
            self.save("put.npy", np.zeros(shape, got.dtype))
            self.crinkle("records", "--put", "--fields", "x:f4", "--from", "x", "one_x.npy", "put.npy", "--verify")
            self.assert_same(self.load("put.npy")["x"], table["x"])

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

    def test_names_in_quotes(self):
        table = filled((4,), np.dtype([("it's", "<i2"), ("2x", "<f4"), ("a b|c", ">f8")]), self.random)
        self.save("in.npy", table)
        self.crinkle("records", "--to", "('a b|c' 'it''s')|'2x'", "in.npy", "out_{}.npy", "--verify")
        got = self.load("out_a b|c.npy")
        self.assertEqual(got.dtype.names, ("a b|c", "it's"))
        for name in got.dtype.names:
            self.assert_same(got[name], table[name])
        self.assert_same(self.load("out_2x.npy"), table["2x"])
        self.write("rows.raw", table.tobytes())
        words = ["records", "--fields", "'it''s':i2 '2x':f4 'a b|c':>f8", "--from", "('it''s' '2x' 'a b|c')", "--to", "'2x'", "rows.raw", "one.npy"]
        self.assertIn("('it''s' '2x' 'a b|c')", self.crinkle(*words, "--dry-run").decode())
        self.crinkle(*words)
        self.assert_same(self.load("one.npy"), table["2x"])

    def test_names_that_no_layout_can_say(self):
        table = filled((4,), np.dtype([(("a title", "x"), "<f4"), ("it's", "<i2"), ("gap0", "<i2"), ("", "V3"), ("é", "u1"), ("a b|c", ">f8")]), self.random)
        self.save("in.npy", table)
        self.crinkle("records", "--to", "(é x gap0)", "in.npy", "out.npy", "--verify")
        for name in ["é", "x", "gap0", "a title"]:
            self.assert_same(self.load("out.npy")[name], table[name])

    def any_type(self, depth=0):
        kinds = ["u1", "<i2", ">i2", "<f4", ">f8", "S3", "V5", "<c8", ">c16", "<U2", ">M8[ns]", "?"]
        if depth < 2 and self.random.random() < 0.2:
            return np.dtype([(f"n{k}", self.any_type(depth + 1)) for k in range(self.random.integers(1, 4))])
        shape = tuple(int(n) for n in self.random.integers(1, 4, self.random.integers(0, 3)))
        return np.dtype((str(self.random.choice(kinds)), shape))

    def test_types_at_random(self):
        for _ in range(harness.n_chains // 10):
            types = [self.any_type() for _ in range(self.random.integers(1, 6))]
            names, offsets, at = [f"f{k}" for k in range(len(types))], [], 0
            for kind in types:
                at += int(self.random.choice([0, 0, 1, 4]))
                offsets.append(at)
                at += kind.itemsize
            dtype = np.dtype({"names": names, "formats": types, "offsets": offsets, "itemsize": at + int(self.random.integers(0, 3))})
            n = int(self.random.integers(0, 20))
            table = np.frombuffer(self.noise(n * dtype.itemsize), dtype) if n else np.zeros(0, dtype)
            self.save("in.npy", table)
            some = list(self.random.permutation(names))[:1 + self.random.integers(len(names))]
            self.crinkle("records", "--to", "|".join(some), "in.npy", "out_{}.npy", "--force", "--verify")
            for name in some:
                self.assert_same_bytes(self.load(f"out_{name}.npy"), table[name], dtype)
            self.crinkle("records", "--to", f"({' '.join(some)})@{self.random.choice([1, 2, 8])}", "in.npy", "out.npy", "--force", "--verify")
            out = self.load("out.npy")
            if len(some) == 1 and some[0] not in (out.dtype.names or ()):  # one field without padding is an array of its own
                self.assert_same_bytes(out, table[some[0]], dtype)
                continue
            self.assertEqual(out.dtype.names, tuple(some))
            for name in some:
                self.assertEqual(out.dtype[name], dtype[name])
                self.assert_same_bytes(out[name], table[name], dtype)
            np.save(self.path("again.npy"), np.zeros_like(out))
            self.crinkle("records", "--put", "in.npy", "again.npy", "--verify")
            for name in some:
                self.assert_same_bytes(self.load("again.npy")[name], table[name], dtype)

    def assert_same_bytes(self, got, want, message):
        self.assertEqual((got.shape, got.dtype), (want.shape, want.dtype), message)
        self.assertEqual(got.tobytes(), want.tobytes(), message)

    def test_one_field_in_a_file_without_a_mark(self):
        array = filled((4, 3), ">i2", self.random)
        self.save("in.npy", array)
        self.crinkle("records", "--fields", "v:i2[3]", "--from", "v", "--to", "v", "--byte-order", "little", "in.npy", "out.npy", "--verify")
        self.assert_same(self.load("out.npy"), array.byteswap())
        self.assertEqual(self.load("out.npy").dtype, np.dtype("<i2"))

    def test_fields_without_bytes_are_left_out(self):
        table = np.zeros(3, np.dtype([("x", "<f4"), ("none", "S0"), ("empty", "<f8", (0, 2)), ("y", "<i2")]))
        table["x"], table["y"] = [1, 2, 3], [4, 5, 6]
        self.save("in.npy", table)
        self.crinkle("records", "--to", "(y x)", "in.npy", "out.npy", "--verify")
        for name in "xy":
            self.assert_same(self.load("out.npy")[name], table[name])

    def test_inputs_through_pipes(self):
        table = self.table()
        self.save("in.npy", table)
        (self.folder / "in.raw").write_bytes(table["x"].tobytes())
        run = ["bash", "-c", f'{harness.program} records --to x <(cat in.npy) a.npy --verify && {harness.program} records --fields x:f4 --from x --to x <(cat in.raw) b.npy --verify']
        self.assertEqual(subprocess.run(run, cwd=self.folder, capture_output=True).stderr, b"")
        self.assert_same(self.load("a.npy"), table["x"])
        self.assert_same(self.load("b.npy"), table["x"])

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
        self.refused(2, "records", "--fields", "x:f8", "--to", "x", "in.npy", "new.raw", says=["bad_shape: in.npy: field 'x' is <f4 there, not f8"], lines=1)
        self.refused(2, "records", "--fields", "x:i4", "--to", "x", "in.npy", "new.raw", says=["bad_shape: in.npy: field 'x' is <f4 there, not i4"], lines=1)
        self.refused(2, "records", "--fields", "x:>f4", "--to", "x", "in.npy", "new.raw", says=["bad_shape", "'x'", "<f4", ">f4", "--byte-order"], lines=1)


if __name__ == "__main__":
    harness.main()
