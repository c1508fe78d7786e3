# Integers of 64 bits beyond 2^53, which float64 does not hold: every command that computes with them says so, in one line and in Python's
# words, and says nothing where there are none.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import re

import numpy as np

from harness import CommandTest, done


class LongIntegers(CommandTest):
    def told(self, *words):
        result = self.run_crinkle(*words)
        self.assertEqual(result.returncode, done, result.stderr.decode())
        return [line for line in result.stderr.decode().splitlines() if "2^53" in line]

    def commands(self, source):
        yield ["stencil", "average:1", source, "out.npy"]
        yield ["stencil", "average:1", source, "out.npy", "--dtype", "float32", "--threads", "1"]
        yield ["resample", source, "out.npy", "--zoom", "1", "--by", "nearest"]
        yield ["resample", source, "out.npy", "--size", "5,7", "--by", "cubic"]
        yield ["fft", source, "out.npy", "--dtype", "float64"]
        yield ["fft", source, "out.npy", "--dtype", "float64", "--real", "--axes", "x"]

    def test_those_are_told_once(self):
        for dtype, far, near in (("<i8", [2**53 + 1, -(2**53) - 1, 2**62], [2**53, -(2**53)]), (">i8", [-(2**63)], [5]), ("<u8", [2**64 - 1, 2**53 + 1], [2**53])):
            for number, n in [(x, 1) for x in far] + [(x, 0) for x in near]:
                a = np.zeros((8, 9), dtype)
                a[5, 7] = number
                self.save("a.npy", a)
                self.save("f.npy", np.asfortranarray(a))
                sources = ["a.npy", "f.npy"]
                if b"Zarr" in self.crinkle("--version"):
                    self.crinkle("move", "y x -> y x", "a.npy", "a.zarr", "--chunks", "4,4", "--force")
                    sources.append("a.zarr")
                for source in sources:
                    for words in self.commands(source):
                        with self.subTest(words=words, dtype=dtype, number=number):
                            told = self.told(*words, "--force")
                            self.assertEqual(len(told), n, told)
                            type = np.dtype(dtype).name
                            for line in told:
                                self.assertRegex(line, rf"^crinkle: note: {re.escape(source)}: there are numbers of {type} beyond 2\^53, which are rounded to float64$")

    def test_samples_and_values(self):
        a = np.zeros((6, 3), "i8")
        a[:, 0], a[:, 1] = range(6), [0, 5, 3, 1, 2, 4]
        for number, n in ((2**53 + 1, 1), (2**53, 0)):
            a[3, 2] = number
            self.save("a.npy", a)
            self.assertEqual(len(self.told("interpolate", "a.npy", "out.npy", "--cell", "1", "--force")), n)
            self.assertEqual(len(self.told("interlace", "a.npy", "a.npy", "-o", "out.npy", "--values", "float64", "--force")), 2 * n)
            self.assertEqual(len(self.told("move", "... -> ...", "a.npy", "out.npy", "--force")), 0)  # nothing is computed

    def test_tables(self):
        for number, n in ((2**53 + 1, 1), (-(2**53) - 1, 1), (2**70, 1), (2**53, 0), ("9007199254740993.0", 0), ("1e30", 0), ("+12", 0)):
            (self.folder / "a.csv").write_text(f"x,y,value,id\n0,0,1,{2**60}\n1,5,{number},1\n2,3,2,2\n")
            told = self.told("interpolate", "a.csv", "out.npy", "--cell", "1", "--value", "value", "--force")
            self.assertEqual(told, ["crinkle: note: a.csv: there are whole numbers beyond 2^53, which are rounded to float64"] * n)


if __name__ == "__main__":
    harness.main()
