# Chains of three and four passes equal NumPy, whole and in slabs as small as they get, and the memory that slabs are there to save is saved.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import os
import shlex

import numpy as np

from harness import CommandTest, element_bytes, filled, rest, slab
from oracle import bit_planes, bits_reversed, morton_indices, pad

class Slabs(CommandTest):
    def pick(self, choices):
        return choices[int(self.random.integers(0, len(choices)))]

    def indices(self, name, n, count):
        indices = self.random.integers(-n, n, count)
        self.save(name, indices)
        return indices

    def any_request(self):
        """An input, what is asked of it, and the result as bytes [..., bytes of an element]."""
        dtype = self.pick(["u1", "<u2", "<f4", ">f8", "S3", "V12"])
        shape = self.pick([(8, 4, 16), (16, 2, 8), (2, 8, 32)])
        array = filled(shape, dtype, self.random)
        data, options = element_bytes(array), []
        start = self.pick(["plain", "plain", "unshuffle", "planes"])
        if start == "unshuffle":
            self.save("in.npy", np.moveaxis(data, -1, 0))
            options += ["--unshuffle", dtype]
        elif start == "planes":
            self.save("in.npy", np.ascontiguousarray(bit_planes(array)))
            options += ["--from-bit-planes", dtype, "--size", f"y={shape[1]}", "--size", f"x={shape[2]}"]
        else:
            self.save("in.npy", array)
        spec = "(z y x) -> x z y" if start == "planes" else "z y x -> x z y"
        axis = self.pick([0, 1, 2])
        if axis != 1 and self.pick([True, False]):  # on an axis that the specification splits or that is bit-reversed: two steps
            count = 128
            indices = self.indices("indices.npy", shape[axis], count)
            data = np.take(np.take(data, indices, axis), bits_reversed(count), axis)
            options += ["--take", f"{'zyx'[axis]}=indices.npy", "--bit-reverse", "zyx"[axis]]
        elif self.pick([True, False]):
            indices = self.indices("indices.npy", shape[axis], 256)
            data = np.take(data, indices, axis)
            options += ["--take", f"{'zyx'[axis]}=indices.npy"]
        data = np.roll(data, 3, 2)
        options += ["--roll", "x=3"]
        if self.pick([True, False]):
            n = data.shape[1]
            data = pad(data, 1, n // 2, n // 2)
            options += ["--pad", f"y={n // 2}:{n // 2}"]
        data = data.transpose(2, 0, 1, 3)
        middle = self.pick(["", "morton", "checkerboard", "both"])
        if middle in ["morton", "both"]:
            in_order = np.empty((data[..., 0].size, data.shape[-1]), np.uint8)
            in_order[morton_indices(data.shape[:-1]).ravel()] = data.reshape(in_order.shape)
            data = in_order
            options += ["--morton"]
        if middle in ["checkerboard", "both"]:
            colour = np.indices(data.shape[:-1]).sum(0).ravel() % 2
            flat = data.reshape(-1, data.shape[-1])
            data = np.concatenate([flat[colour == 0], flat[colour == 1]])
            options += ["--checkerboard"]
        end = self.pick(["plain", "shuffle", "planes"])
        if end == "shuffle":
            data = np.moveaxis(data, -1, 0)[..., None]
            options += ["--shuffle"]
        elif end == "planes":
            data = bit_planes(np.ascontiguousarray(data).view(f"V{data.shape[-1]}"))[..., None]
            options += ["--bit-planes"]
        return spec, options, data

    def test_chains_of_passes_equal_numpy_with_any_workspace(self):
        for i in range(harness.n_chains // 8):
            self.random = np.random.default_rng([harness.seed, 7, i])
            spec, options, want = self.any_request()
            limit = self.pick(["", 2000, 10000, 100000])
            arguments = ["move", spec, "in.npy", "out.npy", "--force", "--verify", *options]
            told = f"chain {i}, slabs of {limit}: {shlex.join(arguments)}"
            result = self.run_crinkle(*arguments, env={**os.environ, "CRINKLE_FORCE": f"slab_bytes={limit}"} if limit else None)
            self.assertEqual(result.returncode, 0, f"{told}\n{result.stderr.decode()}")
            self.assert_same(element_bytes(self.load("out.npy")), want, told)

    def test_it_is_said_what_is_made_again(self):
        self.save("indices.npy", self.random.permutation(4096))
        words = ["explain", "y x -> x y", "--shape", "4,4096,16,u1", "--unshuffle", "f4", "--take", "y=indices.npy"]
        small = {**os.environ, "CRINKLE_FORCE": "slab_bytes=32768"}
        slabs, again = "moved in slabs of the workspace, 32.0 KiB in memory at a time\n", "slabs of the first steps are made again for those of later ones, up to 16 times"
        for options, env, says in [([], small, [slabs]), (["--bit-reverse", "y"], small, [slabs, again]), (["--bit-reverse", "y"], None, []),
                                   (["--bit-reverse", "y", "--machine", "h200"], small, [])]:
            told = self.run_crinkle(*words, *options, env=env).stdout.decode()
            self.assertEqual([line in told for line in [slabs, again]], [line in says for line in [slabs, again]], told)
        self.save("in.npy", np.zeros((4, 4096, 16), "u1"))
        told = self.run_crinkle("move", words[1], "in.npy", "out.npy", *words[4:], "--bit-reverse", "y", "--explain", env=small).stderr.decode()
        self.assertIn(slabs + again, told)

    def test_memory_stays_within_the_files_and_the_slabs(self):
        rows, columns = 2048, 4096
        self.save("in.npy", np.arange(rows * columns, dtype="<f4").reshape(rows, columns))
        self.save("indices.npy", self.random.permutation(rows))
        n = 4 * rows * columns
        for options in [["--take", "y=indices.npy", "--shuffle"], ["--take", "y=indices.npy", "--bit-reverse", "y", "--morton", "--checkerboard"],
                        ["--roll", "x=1", "--bit-planes"]]:
            with self.subTest(options=options):
                self.assertLess(self.peak("move", "y x -> x y", "in.npy", "out.npy", "--force", *options), 2 * n + slab + rest)
        self.crinkle("move", "... -> ...", "in.npy", "planes.npy", "--bit-planes")
        peak = self.peak("move", "x -> x", "planes.npy", "back.npy", "--from-bit-planes", "<f4", "--flip", "x")
        self.assertLess(peak, 2 * n + slab + rest)
        self.assert_same(self.load("back.npy"), np.arange(rows * columns, dtype="<f4")[::-1])


if __name__ == "__main__":
    harness.main()
