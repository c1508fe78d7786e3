# crinkle move --put: a result written into a part of an array that is there, against NumPy's assignment; every other byte stays.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import numpy as np

from harness import CommandTest, filled

record = np.dtype([("a", "<i2"), ("b", "S3")])


class Putting(CommandTest):
    def index_at_random(self, shape):
        """Text and NumPy's index of the same meaning."""
        entries = []
        for n in shape:
            kind = self.random.integers(0, 5)
            if kind == 0 and n > 0:
                entries.append(str(self.random.integers(-n, n)))
            elif kind == 1:
                entries.append(":")
            else:
                bound = lambda: str(self.random.choice(["", str(self.random.integers(-n - 2, n + 3))]))
                step = str(self.random.choice(["", "", "2", "3", "-1", "-2"]))
                entries.append(f"{bound()}:{bound()}" + (f":{step}" if step or self.random.integers(0, 2) else ""))
        if entries and self.random.integers(0, 3) == 0:
            first, last = sorted(self.random.integers(0, len(entries) + 1, 2))
            entries[first:last] = ["..."]
        text = ",".join(entries)
        return text, eval(f"np.s_[{text}]") if text else ...

    def test_any_part_is_what_numpy_assigns(self):
        for case in range(harness.n_chains // 3):
            shape = tuple(int(n) for n in self.random.integers(1, 9, self.random.integers(1, 5)))
            text, index = self.index_at_random(shape)
            dtype = [np.dtype("<f4"), np.dtype(">i2"), record, np.dtype("S7"), np.dtype("<c16"), np.dtype("u1")][case % 6]
            whole = filled(shape, dtype, self.random)
            if case % 3 == 0:
                whole = np.asfortranarray(whole)
            want = whole.copy(order="K")
            part = filled(want[index].shape, dtype, self.random)
            want.view(f"V{dtype.itemsize}")[index] = part.view(f"V{dtype.itemsize}") if part.ndim else part.reshape(1).view(f"V{dtype.itemsize}")[0]
            self.save("part.npy", part.T)
            axes = "abcd"[:part.ndim]
            spec = f"{' '.join(reversed(axes))} -> {' '.join(axes)}"
            verify = ["--verify"] if case % 2 else []
            with self.subTest(shape=shape, index=text, dtype=dtype, spec=spec):
                self.save("want.npy", want)
                if case % 4 == 3 and whole.flags.c_contiguous:
                    (self.folder / "whole.raw").write_bytes(whole.tobytes())
                    self.crinkle("move", spec, "part.npy", "whole.raw", f"--put={text}", "--put-shape", ",".join(map(str, shape)), *verify)
                    self.assertEqual((self.folder / "whole.raw").read_bytes(), want.tobytes())
                    continue
                self.save("whole.npy", whole)
                self.crinkle("move", spec, "part.npy", "whole.npy", f"--put={text}", *verify)
                self.assertEqual((self.folder / "whole.npy").read_bytes(), (self.folder / "want.npy").read_bytes())

    def test_what_is_put_may_be_any_move(self):
        part = filled((6, 8), "<i4", self.random)
        whole = filled((20, 30), "<i4", self.random)
        self.save("part.npy", part)
        self.save("take.npy", np.array([3, 0, 5, 5]))
        for words, made in [(["y x -> y x", "--flip", "x", "--pad", "y=1:2"], np.pad(part[:, ::-1], ((1, 2), (0, 0)))), (["y x -> y x", "--take", "y=take.npy"], part[[3, 0, 5, 5]]),
                            (["y (x 2) -> y (2 x)"], part.reshape(6, 4, 2).transpose(0, 2, 1).reshape(6, 8)), (["y x -> y x", "--roll", "x=3"], np.roll(part, 3, 1)),
                            (["(y 2) x -> 2 (y x)", "--morton"], None), (["y x -> y x", "--byte-order", "big"], None)]:
            spec, *verbs = words
            self.crinkle("move", spec, "part.npy", "alone.npy", "--force", *([] if "--morton" in words else verbs))
            if "--morton" in words:
                self.save("square.npy", part[:4, :4].copy())
                self.crinkle("move", "y x -> y x", "square.npy", "alone.npy", "--force", "--morton")
                words = ["y x -> y x", "--morton"]
            alone = self.load("alone.npy")
            if made is not None:
                self.assert_same(alone, made)
            index = "1:17" if alone.ndim == 1 else f"4:{4 + alone.shape[0]},-{alone.shape[1]}:"
            target = (whole.ravel() if alone.ndim == 1 else whole).astype(alone.dtype)
            self.save("whole.npy", target)
            with self.subTest(words=words):
                self.crinkle("move", words[0], "square.npy" if alone.ndim == 1 else "part.npy", "whole.npy", "--put", index, *words[1:], "--verify")
                target[eval(f"np.s_[{index}]")] = alone
                self.assert_same(self.load("whole.npy"), target)

    def test_an_image_into_a_slice_of_a_volume(self):
        volume, image = filled((5, 6, 7), "<f4", self.random).copy(), filled((7, 6), "<f4", self.random)
        self.save("volume.npy", volume)
        (self.folder / "image.raw").write_bytes(image.tobytes())
        self.crinkle("move", "x y -> y x", "image.raw", "volume.npy", "--shape", "7,6", "--dtype", "f4", "--put", "-2")
        volume[-2] = image.T
        self.assert_same(self.load("volume.npy"), volume)
        header = b"any header"  # bytes around the part stay, those behind the array too
        (self.folder / "long.raw").write_bytes(volume.tobytes() + header)
        self.crinkle("move", "x y -> y x", "image.raw", "long.raw", "--shape", "7,6", "--dtype", "f4", "--put", "0", "--put-shape", "5,6,7")
        volume[0] = image.T
        self.assertEqual((self.folder / "long.raw").read_bytes(), volume.tobytes() + header)
        (self.folder / "raw.raw").write_bytes(volume.tobytes())
        self.crinkle("move", "x y -> y x", "image.raw", "raw.raw", "--shape", "7,6", "--dtype", "f4", "--put", "1", "--put-shape=-1,6,7")
        volume[1] = image.T
        self.assertEqual((self.folder / "raw.raw").read_bytes(), volume.tobytes())

    def test_what_does_not_fit_changes_nothing(self):
        self.save("whole.npy", np.zeros((5, 6), "<f4"))
        self.save("part.npy", np.ones((2, 3), "<f4"))
        (self.folder / "whole.raw").write_bytes(bytes(120))
        (self.folder / "short.raw").write_bytes(bytes(119))
        self.save("picture.npy", np.zeros((4, 4), "u1"))
        self.crinkle("move", "... -> ...", "picture.npy", "picture.png")
        spec = "y x -> y x"
        for words, says, lines in [(["whole.npy", "--put", "0:3,0:2"], ["whole.npy[0:3,0:2] [3][2] float32", "[2][3]"], 1), (["whole.npy", "--put", "0:2"], ["[2][6]", "[2][3]"], 1), (["whole.npy", "--put", "4:6,0:3"], ["[1][3]"], 1),
                                   (["whole.npy", "--put", "0,0,0"], ["3 axes", "2"], 1), (["whole.npy", "--put", "7,:"], ["axis 0", "5 indices", "no 7"], 1), (["whole.npy", "--put", ":,-7"], ["axis 1", "-7"], 1),
                                   (["whole.npy", "--put", "...,..."], ["twice"], 1), (["whole.npy", "--put", "a:2,0:3"], ["a:2"], None), (["whole.npy", "--put", "0:2,0:3:0"], ["step other than 0"], None),
                                   (["whole.npy", "--put", "0:2,"], ["@1="], None), (["whole.npy", "--put", "0:2,0:3", "--byte-order", "big"], ["byte orders differ", "--byte-order"], 1),
                                   (["whole.npy", "--put", "0:2,0:3", "--shuffle"], ["[4][2][3]"], 1), (["whole.npy", "--put", "0:2,0:3", "--bit-planes"], ["bit planes"], 1),
                                   (["whole.npy", "--put", "0:2,0:3", "--report"], ["--report"], 1), (["whole.npy", "--put", "0:2,0:3", "--put-shape", "5,6"], ["leave out --put-shape"], 1),
                                   (["whole.npy", "--put-shape", "5,6"], ["--put-shape", "--put"], 1), (["whole.raw", "--put", "0:2,0:3"], ["whole.raw", "--put-shape"], 1),
                                   (["-", "--put", "0:2,0:3"], ["standard output"], 1), (["picture.png", "--put", "0:2,0:3"], ["picture.png", ".npy and raw"], 1), (["part.npy", "--put", ":,:"], ["part.npy: is the input itself"], 1)]:
            with self.subTest(words=words):
                self.refused(2, "move", spec, "part.npy", *words, says=says, lines=lines)
        self.refused(1, "move", spec, "part.npy", "none.npy", "--put", "0:2,0:3", says=["none.npy"], lines=1)
        self.refused(1, "move", spec, "part.npy", "short.raw", "--put", "0:2,0:3", "--put-shape", "5,6", says=["short.raw", "120", "119"], lines=1)
        before = self.listing()
        self.assertIn(b"whole.npy[0:2,0:3] [2][3] float32", self.crinkle("move", spec, "part.npy", "whole.npy", "--put", "0:2,0:3", "--dry-run"))
        self.assertEqual(self.listing(), before)


if __name__ == "__main__":
    harness.main()
