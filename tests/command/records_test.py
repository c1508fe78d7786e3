# crinkle records of raw files, against records put together byte by byte (records_oracle.py).
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import itertools
import os

import numpy as np

from records_oracle import Layout, RecordsTest, fields_of

floats = "x:f4 y:f4 z:f4 p:f4"
mixed = "x:u1 y:>i2[3] z:f8 p:S3"
layouts = ["(x y z p)", "(x y z p)@16", "x|y|z|p", "(x y)@16|(z p)@16", "(x y)@16|z@4|p", "(x y z p)*8", "(x y z)*8|p", "(x y)*4@8|(p z)*3", "(p z)|(y x)@2", "(z y x p)*1000@8",
           "p*5|z|(x y)@4", "(x z)*16|(y p)*2@32", "p@64|x@32|(y z)*7"]


class RawFiles(RecordsTest):
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

    def test_every_pair_of_layouts_of_arrays_of_times(self):
        self.check_pairs("x:M8[ns][3] y:u1 z:>m8[25s][2,2] p:M8[D]", 7)

    def test_fields_and_layouts_at_random(self):
        types = ["u1", "i2", ">i2", "f4", ">f8", "S5", "c8", "f4[3]", ">u2[2,2]", "V7", "M8[ns]", ">m8[25s][3]", "<U2", "i8[5]"]
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

    def test_a_layout_is_drawn(self):
        done = self.run_crinkle("records", "--fields", "x:f4 y:f4 z:f4", "--to", "(x y z)@16", "--count", "3", "--draw", "picture.svg")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        with open(self.path("picture.svg")) as file:
            picture = file.read()
        self.assertTrue(picture.startswith("<svg") or picture.startswith("<?xml"))
        self.assertIn("(x y z)@16", picture)
        for arguments, says in [
            (["--from", "(x y z)", "--to", "x|y|z"], "one layout"), ([], "one layout"), (["--to", "(x y)", "in.raw", "out.raw"], "takes no files"),
            (["--to", "(x y)", "--count", "-1"], "-1"), (["--to", "(x q)"], "'q'"),
        ]:
            with self.subTest(arguments=arguments):
                self.refused(2, "records", "--fields", "x:f4 y:f4 z:f4", "--draw", "new.svg", *arguments, says=[says])
        self.refused(2, "records", "--fields", "x:f4", "--to", "x", "--draw", "new.png", says=["SVG"], lines=1)
        self.refused(2, "records", "--to", "x", "--draw", "new.svg", says=["--fields"], lines=1)
        self.refused(2, "records", "--fields", "x:f4", "--to", "x", says=["INPUT and OUTPUT"], lines=1)


if __name__ == "__main__":
    harness.main()
