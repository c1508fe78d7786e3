# crinkle triangle, against NumPy's triangles and pictures of LAPACK's packed layouts.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import numpy as np

from harness import CommandTest, element_bytes, filled


def taken(layout, matrix):
    """What a layout keeps of a matrix, as it lies in a file: NumPy's own way there."""
    n, words = len(matrix), layout.split()
    upper, rows = "upper" in words, "rows" in words
    if "symmetric" in words:
        return matrix
    if "full" in words:
        kept = np.triu if upper else np.tril
        mask = kept(np.ones((n, n), bool))
        return np.where(mask, matrix, np.zeros((), matrix.dtype))
    if "condensed" in words:
        return matrix[np.triu_indices(n, 1)]
    if "packed" in words:
        by_rows = matrix if rows else matrix.T
        triangle = np.tril_indices(n) if rows != upper else np.triu_indices(n)
        return by_rows[triangle]
    # Rectangular full packed, by the pictures of dtpttf: height x width, column by column, or for rows its transpose.
    even, width, half = int(n % 2 == 0), (n + 1) // 2, n // 2
    height = n + even if n else 0
    picture = np.empty((height, width), matrix.dtype)
    for r in range(height):
        for c in range(width):
            if upper:
                picture[r, c] = matrix[r, c + half] if r <= c + half else matrix[c, r - half - 1]
            else:
                picture[r, c] = matrix[r - even, c] if r - even >= c else matrix[c + half, r + width]
    return picture.reshape(-1) if rows else picture.T.reshape(-1)


layouts = ["symmetric", "full lower", "full upper", "packed lower", "packed upper", "packed lower rows", "packed upper rows", "rfp lower", "rfp upper",
           "rfp lower rows", "rfp upper rows", "condensed"]


class Triangles(CommandTest):
    def symmetric(self, n, dtype, diagonal=True):
        half = filled((n, n), dtype, self.random)
        matrix = np.where(np.tri(n, dtype=bool), half, half.T) if n else half
        if not diagonal:
            matrix[np.diag_indices(n)] = np.zeros((), matrix.dtype)
        return matrix

    def test_all_pairs_of_layouts(self):
        for n, dtype in [(0, "<f4"), (1, "<f8"), (2, "u1"), (5, "<f4"), (6, "<f8"), (33, "<i2"), (64, "<c16")]:
            for source in layouts:
                matrix = self.symmetric(n, dtype, diagonal=source != "condensed")
                self.save("in.npy", taken(source, matrix))
                more = ["--n", n] if source == "condensed" else []
                for target in layouts:
                    with self.subTest(n=n, source=source, target=target):
                        self.crinkle("triangle", "--from", source, "--to", target, "in.npy", "out.npy", "--force", "--verify", *more)
                        wanted, got = taken(target, matrix), self.load("out.npy")
                        self.assertEqual((got.shape, got.dtype), (wanted.shape, wanted.dtype))
                        self.assertEqual(element_bytes(got).tobytes(), element_bytes(wanted).tobytes())

    def test_a_matrix_has_its_own_order(self):
        matrix = filled((7, 7), "<f4", self.random)
        self.save("in.npy", np.asfortranarray(matrix))
        self.crinkle("triangle", "--from", "full upper", "--to", "packed upper", "in.npy", "out.npy")
        self.assertEqual(self.load("out.npy").tobytes(), taken("packed upper", matrix).tobytes())
        self.refused(2, "triangle", "--from", "full upper rows", "--to", "packed", "in.npy", "new.npy", says=["bad_notation: in.npy: says itself", "leave out rows"])

    def test_lower_becomes_upper_by_transposing(self):
        matrix = filled((9, 9), "<f8", self.random)
        self.save("in.npy", matrix)
        self.crinkle("triangle", "--from", "full lower", "--to", "full upper", "in.npy", "out.npy", "--threads", 2)
        self.assertEqual(self.load("out.npy").tobytes(), np.triu(matrix.T).tobytes())

    def test_raw_files(self):
        matrix = self.symmetric(6, "<f8")
        (self.folder / "in.raw").write_bytes(taken("packed upper", matrix).tobytes())
        words = ["triangle", "--from", "packed upper", "--to", "rfp lower", "in.raw", "--n", 6, "--dtype", "float64"]
        self.crinkle(*words, "out.raw", "--verify")
        self.assertEqual((self.folder / "out.raw").read_bytes(), taken("rfp lower", matrix).tobytes())
        self.assertEqual(self.crinkle(*words, "-"), taken("rfp lower", matrix).tobytes())
        (self.folder / "full.raw").write_bytes(matrix.T.tobytes())
        self.crinkle("triangle", "--from", "full", "--to", "packed", "full.raw", "--n", 6, "--dtype", "f8", "packed.npy")
        self.assertEqual(self.load("packed.npy").tobytes(), taken("packed lower", matrix).tobytes())

    def test_what_is_no_triangle_is_refused(self):
        self.save("seven.npy", np.zeros(7, np.float32))
        self.save("wide.npy", np.zeros((3, 4), np.float32))
        self.refused(2, "triangle", "--from", "packed", "--to", "full", "seven.npy", "out.npy",
                     says="bad_shape: seven.npy: 7 elements are no triangle, packed; 3 rows have 6, 4 rows 10", lines=1)
        self.refused(2, "triangle", "--from", "condensed", "--to", "full", "seven.npy", "out.npy", says=["condensed; 4 rows have 6, 5 rows 10"], lines=1)
        self.refused(2, "triangle", "--from", "full", "--to", "packed", "wide.npy", "out.npy", says=["wide.npy [3][4] float32: is no square matrix"], lines=1)
        self.refused(2, "triangle", "--from", "full", "--to", "packed", "seven.npy", "out.npy", says=["is no square matrix"], lines=1)
        self.refused(2, "triangle", "--from", "packed", "--to", "full", "wide.npy", "out.npy", says=["is no vector"], lines=1)
        self.save("six.npy", np.zeros(6, np.float32))
        self.refused(2, "triangle", "--from", "packed", "--to", "full", "six.npy", "out.npy", "--n", 4, says=["has 3 rows, not --n 4"], lines=1)
        self.refused(2, "triangle", "--from", "packed", "--to", "fuller", "six.npy", "out.npy", says=["'fuller' is none of its words"], lines=3)
        self.refused(2, "triangle", "--from", "packed", "--to", "full", "six.npy", "out.npy", "--n", -2, says=["--n -2"], lines=1)
        self.refused(2, "triangle", "--from", "packed", "--to", "full", "six.npy", "out.npy", "--n", -1, says=["--n -1"], lines=1)

    def test_bytes_behind_raw_data_are_told(self):
        (self.folder / "in.raw").write_bytes(bytes(90))
        for words in (["triangle", "--from", "packed", "--to", "full", "in.raw", "out.npy", "--n", "4", "--dtype", "f8"],
                      ["pairs", "distance", "in.raw", "distances.npy", "--shape", "5,2", "--dtype", "f8"]):
            self.assertIn(b"note: 10 bytes behind the data are ignored", self.run_crinkle(*words).stderr)

    def test_raw_files_that_do_not_say_enough_are_refused(self):
        (self.folder / "in.raw").write_bytes(bytes(40))
        self.refused(2, "triangle", "--from", "packed", "--to", "full", "in.raw", "out.npy", "--n", 4, says=["raw data need --dtype"], lines=1)
        self.refused(2, "triangle", "--from", "packed", "--to", "full", "in.raw", "out.npy", "--dtype", "f4", says=["--n"], lines=1)
        self.refused(1, "triangle", "--from", "packed", "--to", "full", "in.raw", "out.npy", "--n", 5, "--dtype", "f4", says=["in.raw"], lines=1)

    def test_outputs_are_not_replaced_and_inputs_not_overwritten(self):
        self.save("in.npy", np.zeros(6, np.float32))
        self.save("out.npy", np.zeros(1, np.float32))
        self.refused(2, "triangle", "--from", "packed", "--to", "rfp", "in.npy", "out.npy", says=["out.npy", "--force"], lines=1)
        self.refused(2, "triangle", "--from", "packed", "--to", "rfp", "in.npy", "in.npy", "--force", says=["in.npy"], lines=1)


if __name__ == "__main__":
    harness.main()
