# A constant pad takes a value for every type of a fixed size: the result is what NumPy writes for the same value, in either byte order, and
# what is no value of the type is refused.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import numpy as np

from harness import CommandTest, element_bytes, filled
from oracle import pad, value_bytes, values

aligned = np.dtype([("a", "i1"), ("b", ">f8"), ("c", "<U2"), ("d", ">u2", (2, 3))], align=True)
nested = np.dtype([(("a title", "x"), "<f4"), ("n", [("s", "S5"), ("t", ">M8[D]")], (2,)), ("last", "<c32")])
dtypes = ["?", "i1", "u1", "<i2", ">i2", "<u8", ">u8", "<f2", ">f2", ">f4", "<f8", "<f16", ">f16", "<c8", ">c16", "<c32", ">c32", "S1", "S7", "S16", "S33", "<U1",
          "<U5", ">U3", "<U40", "<M8[Y]", "<M8[M]", "<M8[D]", ">M8[h]", "<M8[25s]", "<M8[ns]", "<M8", "<m8[2D]", ">m8[ns]", "<m8", "V1", "V3", "V16", "V48", "V7"]


class Values(CommandTest):
    def padded(self, dtype, text, *options):
        array = filled((3, 5), dtype, self.random)
        self.save("in.npy", array)
        self.crinkle("move", "y x -> x y", "in.npy", "out.npy", "--force", "--verify", "--pad", f"x=2:1:constant:{text}", "--pad", f"y=1:0:constant:{text}", *options)
        return element_bytes(array), element_bytes(self.load("out.npy"))

    def check(self, dtype, text, value):
        with self.subTest(dtype=str(dtype), value=text):
            data, got = self.padded(dtype, text)
            bytes_ = value_bytes(dtype, value)
            want = pad(pad(data, 1, 2, 1, value=bytes_), 0, 1, 0, value=bytes_)
            self.assert_same(got, np.ascontiguousarray(want.transpose(1, 0, 2)))

    def test_every_type_takes_its_values(self):
        n = 0
        for dtype in map(np.dtype, dtypes):
            for text, value in values(dtype):
                self.check(dtype, text, value)
                n += 1
        self.assertGreater(n, 60)

    def test_dates_of_every_precision(self):
        for unit, text in [("Y", "-0044"), ("M", "1969-12"), ("W", "2020-01-30"), ("D", "2020-02-29"), ("h", "2020-01-31T23"), ("m", "1900-03-01T00:01"),
                           ("s", "2020-01-31 12:30:59"), ("ms", "1969-12-31T23:59:59.999"), ("us", "2020-01-31T00:00:00.000001"),
                           ("ns", "2262-04-11T23:47:16.854775807"), ("ps", "1970-03-01T00:00:00.5"), ("as", "1970-01-01T00:00:01.000000000000000007")]:
            self.check(f"<M8[{unit}]", text, np.datetime64(text.replace(" ", "T"), unit))

    def test_records_take_a_tuple(self):
        x = np.zeros(1, aligned)
        x[0] = (-3, 1.5, "é,", np.full((2, 3), 258))
        self.check(aligned, "(-3, 1.5, 'é,', 0x102)", x[0])
        y = np.zeros(1, nested)
        y["x"], y["n"]["s"], y["n"]["t"] = 0.1, b"a (b)", np.datetime64("2020-01-31")
        self.check(nested, "(0.1,(\"a (b)\",2020-01-31),0)", y[0])
        self.check([("only", "<i2")], "( 7 , )", (7,))
        header = "{'descr': [('a', '<i2'), ('none', [], (1000000000000000000,)), ('b', 'S1')], 'fortran_order': False, 'shape': (1,), }".ljust(117) + "\n"
        (self.folder / "none.npy").write_bytes(b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header.encode() + b"abc")
        self.crinkle("move", "x -> x", "none.npy", "out.raw", "--pad", "x=0:1:constant:(258, (), q)", "--verify")
        self.assertEqual((self.folder / "out.raw").read_bytes(), b"abc\2\1q")
        self.save("in.npy", np.zeros((2, 2), aligned))
        for text, says in [("7", "'('"), ("(1, 2, a", "'d'"), ("(1, 2, a, 4", "')'"), ("(1, 2, a, 4, 5)", "no more fields"), ("(1, 2, a, 4) 5", "the end"),
                           ("(1, 2, abc, 4)", "U2"), ("(1, 2, a, -4)", "0 to 65535"), ("(1, 2, 'a, 4)", "not closed"), ("(1,, a, 4)", "a number"), ("()", "an integer")]:
            self.refused(2, "move", "y x -> y x", "in.npy", "new.npy", "--pad", f"x=1:1:constant:{text}", says=["bad_notation", says], lines=3)

    def test_the_value_follows_the_byte_order_of_the_result(self):
        for dtype, text, value in [("<f4", "0.1", 0.1), (">U3", "äöü", "äöü"), ("<c32", "-1-2j", -1 - 2j), ("<m8[s]", "258", 258), (aligned, "(1, 2, z, 3)", (1, 2, "z", 3))]:
            with self.subTest(dtype=str(dtype)):
                self.padded(dtype, text, "--byte-order", "big")
                got = self.load("out.npy")
                self.assertEqual(got.dtype, np.dtype(dtype).newbyteorder(">"))
                self.assertEqual(element_bytes(got)[0, 0].tobytes(), value_bytes(got.dtype, value))

    def test_raw_data_and_long_names(self):
        for dtype in ["datetime64[D]", "<M8[D]"]:
            out = self.crinkle("move", "x -> x", "-", "-", "--shape", "1", "--dtype", dtype, "--pad", "x=0:1:constant:1970-01-03", stdin=bytes(8))
            self.assertEqual(out, bytes(8) + b"\2" + bytes(7))
        self.crinkle("move", "x -> x", "-", "out.npy", "--shape", "1", "--dtype", "timedelta64[25s]", stdin=bytes(8))
        self.assertEqual(self.load("out.npy").dtype, np.dtype("<m8[25s]"))
        out = self.crinkle("move", "x -> x", "-", "-", "--shape", "[1][24 bits]", "--pad", "x=1:0:constant:0x010203", stdin=b"abc")
        self.assertEqual(out, b"\1\2\3abc")
        for dtype in ["datetime64[", "datetime64[]", "datetime64[n s]", "float32[3]"]:
            self.refused(2, "move", "x -> x", "in.raw", "new.npy", "--shape", "1", "--dtype", dtype, says=["bad_notation", dtype])

    def test_what_is_no_value_of_the_type(self):
        for dtype, text, says in [("S3", "four", "at most 3 bytes"), ("<U3", "four", "at most 3 characters"), ("V2", "0x01", "0x and 4 hexadecimal digits"), ("V2", "1", "0x"),
                                  ("<M8[D]", "2020-02-30", "01 to 29"), ("<M8[D]", "5", "2020-01-31"), ("<M8[D]", "2020-01-01T12", "whole number of units"),
                                  ("<M8[ns]", "2263-01-01", "64 bits"), ("<M8", "2020-01-01", "an integer"), ("<m8[s]", "1s", "NaT"), ("<f16", "1e5000", "1.1e4932"),
                                  ("<c32", "1+2", "a number")]:
            self.save("in.npy", np.zeros((2, 2), dtype))
            self.refused(2, "move", "y x -> y x", "in.npy", "new.npy", "--pad", f"x=1:1:constant:{text}", says=["bad_notation", says], lines=3)


if __name__ == "__main__":
    harness.main()
