# `crinkle move` equals NumPy: random chains of verbs on every type, rank and order, rolls and pads on many axes at once, and splits and
# merges. Every result is compared byte for byte, and every second run also verifies itself.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import shlex

import numpy as np

from harness import CommandTest, element_bytes, filled
from oracle import Chain, pad

dtypes = ["?", "i1", "u1", "<i2", ">u2", "<i4", ">i4", "<u8", ">i8", "<f2", ">f2", "<f4", ">f4", "<f8", ">f8", "<f16", ">f16", "<c8", ">c8", "<c16", "<c32",
          "S7", "<U3", ">U2", "<M8[ns]", ">m8[25s]", "V6", [("a", "i1"), ("b", "<f4"), ("c", "u1", (3,))], [("p", [("q", ">u2"), ("r", "S2")], (2,))]]


class Chains(CommandTest):
    def save_indices(self, indices):
        self.n_indices = getattr(self, "n_indices", 0) + 1
        name = f"indices{self.n_indices}.npy"
        self.save(name, indices)
        return name

    def shape(self, random, rank, most):
        extents = [1] * rank
        for axis in random.permutation(rank):
            room = most // int(np.prod(extents))
            extents[axis] = int(random.integers(1, max(2, min(room, 70 if rank < 4 else 5) + 1)))
        return extents

    def check(self, i, array, spec, options, want, dtype):
        """One run; its result must be the bytes `want`, of the same type and in C order."""
        self.save("in.npy", array)
        arguments = ["move", spec, "in.npy", "out.npy", "--force", *options, *(["--verify"] if i % 2 else [])]
        self.crinkle(*arguments)
        told = f"chain {i}, {array.dtype} {array.shape}: {shlex.join(arguments)}"
        got = self.load("out.npy")
        self.assertEqual(got.dtype, np.dtype(dtype), told)
        self.assertTrue(got.flags.c_contiguous, told)
        self.assert_same(element_bytes(got), want, told)

    def run_chain(self, i, random, dtype, rank, verbs):
        array = filled(self.shape(random, rank, 3000), dtype, random)
        if i % 3 == 1:
            array = np.asfortranarray(array)
        names = [f"a{k}" for k in range(rank)]
        chain = Chain(random, element_bytes(array), names, dtype, self.save_indices)
        verbs(chain)
        right, want = chain.finish()
        self.check(i, array, " ".join(names) + " -> " + right, chain.options, want, dtype)

    def test_random_chains_equal_numpy(self):
        for i in range(harness.n_chains):
            random = np.random.default_rng([harness.seed, i])
            rank = int(random.integers(1, 11))
            n_verbs = int(random.integers(0, 7))
            with self.subTest(chain=i):
                self.run_chain(i, random, dtypes[i % len(dtypes)], rank, lambda chain: [chain.any_verb() for _ in range(n_verbs)])

    def test_rolls_on_six_axes_at_once(self):
        for i in range(8):
            random = np.random.default_rng([harness.seed, 1, i])
            with self.subTest(chain=i):
                self.run_chain(i, random, dtypes[(7 * i) % len(dtypes)], 6, lambda chain: [chain.roll(n) for n in list(chain.names)])

    def test_rolls_and_pads_on_six_axes_at_once(self):
        for i in range(8):
            random = np.random.default_rng([harness.seed, 2, i])

            def both(chain):
                chain.limit = 3000000
                for name in list(chain.names):
                    chain.roll(name)
                    chain.pad(name, 2)

            with self.subTest(chain=i):
                self.run_chain(i, random, ["u1", ">f4", "S7"][i % 3], 6, both)

    def test_splits_and_merges_equal_reshape_and_transpose(self):
        for i in range(harness.n_chains // 3):
            random = np.random.default_rng([harness.seed, 3, i])
            rank = int(random.integers(1, 5))
            left, names, extents, shape = [], [], [], []
            for a in range(rank):
                parts = [int(random.integers(1, 6)) for _ in range(int(random.integers(1, 4)))]
                own = [f"a{a}{k}" for k in range(len(parts))]
                shape.append(int(np.prod(parts)))
                unsized = int(random.integers(0, len(parts)))
                words = [n if k == unsized or len(parts) == 1 else f"{n}:{p}" for k, (n, p) in enumerate(zip(own, parts))]
                left.append(words[0] if len(parts) == 1 else "(" + " ".join(words) + ")")
                names += own
                extents += parts
            dtype = dtypes[(5 * i) % len(dtypes)]
            array = filled(shape, dtype, random)
            chain = Chain(random, element_bytes(array).reshape(*extents, np.dtype(dtype).itemsize), names, dtype, self.save_indices)
            for _ in range(int(random.integers(0, 3))):
                getattr(chain, ["flip", "roll", "slice", "pad"][int(random.integers(0, 4))])(names[int(random.integers(0, len(names)))])
            right, want = chain.finish()
            with self.subTest(chain=i):
                self.check(i, array, " ".join(left) + " -> " + right, chain.options, want, dtype)

    def test_the_pads_of_the_oracle_are_those_of_numpy(self):
        data = filled((9, 4), "u1", self.random).reshape(9, 4)
        for mode in ["constant", "edge", "reflect", "symmetric", "wrap"]:
            self.assert_same(pad(data, 0, 5, 8, mode), np.pad(data, ((5, 8), (0, 0)), mode), mode)


if __name__ == "__main__":
    harness.main()
