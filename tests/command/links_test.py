"""crinkle explain --layout: what GPUs that nobody owns would send each other.

SPDX-License-Identifier: BSD-3-Clause
"""
import harness  # first: it looks for a Python that has NumPy

from harness import CommandTest

array = ["--shape", "[4096][4096][float64]"]


class Links(CommandTest):
    def told(self, *words):
        result = self.run_crinkle("explain", *words)
        self.assertEqual((result.returncode, result.stderr), (0, b""), result.stderr)
        return result.stdout.decode()

    def test_bytes_over_every_link(self):
        for n in (2, 4, 8):
            text = self.told("y x -> x y", *array, "--layout", f"y:block({n}) -> x:block({n})")
            each = 4096 * 4096 * 8 // n // n
            self.assertIn(f"sent      {n * (n - 1) * each} bytes, at most {each} over one link; {n * each} stay where they are", text)
            self.assertEqual(text.count("\n"), 4 + n)
            self.assertIn("on NVLink 4 (4.5e+11 bytes/s a direction)", text)
        self.assertIn("on PCIe 5", self.told("y x -> x y", *array, "--layout", "y:block(2) -> x:block(2)", "--links", "pcie5"))
        self.assertIn("sent      0 bytes", self.told("y x -> x y", *array, "--layout", "y:block(2)"))
        # As a plan takes them: the result on fewer devices, or on more.
        self.assertIn("sent ", self.told("y x -> x y", *array, "--layout", "y:block(8) -> x:block(4)"))
        # What merges axes is an operation: it fetches what its parts need.
        self.assertIn("compute   move", self.told("y x -> (x y)", *array, "--layout", "y:block(2) -> @0:block(2)"))

    def test_what_is_wrong(self):
        for words, says in ((["--layout", "z:block(2)"], "there is no axis 'z'"), (["--layout", "y:block(2) -> y:blok(2)"], "blok"), (["--layout", "y:block(0)"], "0 parts"),
                            (["--layout", "y:block(x)"], "expected a number"), (["--links", "nvlink4"], "--layout"), (["--layout", "y:block(2)", "--links", "ib"], "nvlink4 or pcie5"),
                            (["--layout", "y:block(2)", "--json"], "--json"), (["--layout", "y:block(2) -> x -> y"], "how it is divided"), (["--layout", "y:cuts(0,10)"], "10"),
                            (["--layout", "y:block(2) y:block(2)"], "y")):
            with self.subTest(words=words):
                self.refused(2, "explain", "y x -> x y", *array, *words, says=says)


if __name__ == "__main__":
    harness.main()
