# Beyond 2^32 bytes and 2^32 elements, exactly: sparse raw files with markers at known places, moved so that little is written. What must
# come out is computed with Python's integers.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import itertools
import json
import os
import shutil

import numpy as np

from harness import CommandTest


class Huge(CommandTest):
    def sparse(self, extents, element_bytes, places):
        """in.raw of these extents, zero but for a different element at every place (a tuple of indices). Returns index -> bytes."""
        self.extents, self.element_bytes, elements = extents, element_bytes, {}
        n = element_bytes
        for extent in extents:
            n *= extent
        with open(self.path("in.raw"), "wb") as file:
            file.truncate(n)
            for place in places:
                at = self.linear(place)
                elements[at] = self.random.integers(1, 256, element_bytes, dtype=np.uint8).tobytes()
                os.pwrite(file.fileno(), elements[at], at * element_bytes)
        return elements

    def linear(self, place):
        at = 0
        for index, extent in zip(place, self.extents):
            at = at * extent + index % extent
        return at

    def check(self, spec, options, indices, order, elements):
        """`indices` says for each axis which source indices are left (None: a zero); `order` how they lie in the output."""
        self.crinkle("move", spec, "in.raw", "out.raw", "--shape", ",".join(map(str, self.extents)), "--dtype", f"V{self.element_bytes}", "--force", "--verify", *options)
        want, zero, n_found = [], bytes(self.element_bytes), 0
        for place in itertools.product(*(indices[a] for a in order)):
            by_axis = dict(zip(order, place))
            element = zero if None in place else elements.get(self.linear([by_axis[a] for a in range(len(self.extents))]), zero)
            n_found += element != zero
            want.append(element)
        self.assertTrue((self.folder / "out.raw").read_bytes() == b"".join(want), f"{spec} {options}")
        self.assertGreater(n_found, 0, "no marker is in what was cut out")

    def test_more_than_2_to_the_32_elements_in_two_axes(self):
        ny, nx = 65537, 65539
        rows, columns = [0, 1, 30000, 65534, 65535, 65536], [0, 1, 2, 32768, 65535, 65536, 65537, 65538]
        elements = self.sparse([ny, nx], 1, list(itertools.product(rows, columns)))
        y, x = range(ny), range(nx)
        self.check("y x -> x y", ["--slice", "y=65530:", "--slice", "x=-5:"], [y[65530:], x[-5:]], [1, 0], elements)
        self.check("y x -> x y", ["--flip", "y", "--slice", "y=:3", "--flip", "x", "--slice", "x=:70"], [y[::-1][:3], x[::-1][:70]], [1, 0], elements)
        self.check("y x -> y x", ["--roll", "x=2", "--slice", "x=:5", "--slice", "y=::32768"], [y[::32768], [nx - 2, nx - 1, 0, 1, 2]], [0, 1], elements)
        self.check("y x -> y x", ["--roll", f"y={2**32 + 1}", "--slice", "y=:9", "--slice", "x=65530:"],
                   [[(i - 2**32 - 1) % ny for i in range(9)], x[65530:]], [0, 1], elements)
        self.check("y x -> x y", ["--pad", "y=2:3", "--slice", "y=65536:", "--pad", "x=1:1:reflect", "--slice", "x=-3:"],
                   [[65534, 65535, 65536, None, None, None], [nx - 2, nx - 1, nx - 2]], [1, 0], elements)
        self.check("y x -> x", ["--at", "y=-1"], [[65536], x], [0, 1], elements)
        np.save(self.path("rows.npy"), np.array([65536, 0, -1, 30000]))
        self.check("y x -> x y", ["--take", "y=rows.npy", "--slice", "x=-4:"], [[65536, 0, 65536, 30000], x[-4:]], [1, 0], elements)

    def test_one_axis_of_5_times_2_to_the_32_elements(self):
        n = 5 * 2**32
        places = [0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 3 * 2**32 + 5, n - 2, n - 1]
        elements = self.sparse([n], 1, [(p,) for p in places])
        x = range(n)
        for cut in ["4294967290:4294967300", "2147483640:2147483650", "-4:", "12884901878:12884901900:5", "::-2147483647", "::4294967296"]:
            self.check("x -> x", ["--slice", f"x={cut}"], [x[slice(*(int(w) if w else None for w in cut.split(":")))]], [0], elements)
        self.check("x -> x", ["--flip", "x", "--roll", "x=3", "--slice", "x=:8"], [[2, 1, 0, n - 1, n - 2, n - 3, n - 4, n - 5]], [0], elements)

    def test_a_split_of_an_axis_beyond_2_to_the_32(self):
        elements = self.sparse([5 * 2**16, 2**16], 1, [(0, 0), (2**16, 3), (4 * 2**16, 0), (5 * 2**16 - 1, 2**16 - 1), (3 * 2**16 + 7, 9)])
        self.extents = [5, 2**16, 2**16]
        shape = ["--shape", f"{5 * 2**16},{2**16}", "--dtype", "u1", "--force", "--verify"]
        self.crinkle("move", "(a b) c -> c a b", "in.raw", "out.raw", *shape, "--size", "a=5", "--slice", "b=:9", "--slice", "c=:11")
        want = b"".join(elements.get(self.linear((a, b, c)), b"\0") for c in range(11) for a in range(5) for b in range(9))
        self.assertTrue((self.folder / "out.raw").read_bytes() == want)

    def test_wide_elements_beyond_2_to_the_35_bytes(self):
        nz, ny, nx = 9, 2**15 + 1, 2**14 + 3
        elements = self.sparse([nz, ny, nx], 8, [(z, y, x) for z in [0, 4, 8] for y in [0, 2**15] for x in [0, 2**14 + 2]])
        self.check("z y x -> y x z", ["--slice", "y=::32768", "--slice", "x=::16386", "--flip", "z"], [range(nz)[::-1], [0, 2**15], [0, 2**14 + 2]], [1, 2, 0], elements)

    def sparse_numbers(self, shape, dtype, numbers):
        """in.npy of this shape, zero but for `numbers`, {place: value}; skips the test where memory or disk have no room for it and its transform."""
        n_bytes = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        with open("/proc/meminfo") as file:
            available = next(int(line.split()[1]) << 10 for line in file if line.startswith("MemAvailable"))
        if available < 2 * n_bytes + (2 << 30) or shutil.disk_usage(self.folder).free < n_bytes + (1 << 30):
            self.skipTest(f"two arrays of {n_bytes} bytes do not fit memory and disk")
        with open(self.path("in.npy"), "wb") as file:
            np.lib.format.write_array_header_1_0(file, {"descr": np.dtype(dtype).str, "fortran_order": False, "shape": shape})
            begin = file.tell()
            file.truncate(begin + n_bytes)
            for place, value in numbers.items():
                os.pwrite(file.fileno(), np.array(value, dtype).tobytes(), begin + int(np.ravel_multi_index(place, shape)) * np.dtype(dtype).itemsize)

    def check_line(self, got, numbers, tolerance):
        """`got` is the transform of a line that is zero but for `numbers`, {place: value}: of some of it, the ends among them."""
        n = got.shape[0]
        ks = np.unique(np.concatenate([np.arange(40), n - 1 - np.arange(40), self.random.integers(0, n, 4000)]))
        want = sum(value * np.exp(-2j * np.pi * (np.array([int(k) * place % n for k in ks]) / n)) for place, value in numbers.items())
        self.assertLess(np.abs(got[ks] - want).max(), tolerance * sum(map(abs, numbers.values())))

    def test_transforms_of_lines_of_2_to_the_27_and_28(self):
        for exponent, dtype, tolerance in [(28, "<c8", 3e-6), (27, "<c16", 1e-14)]:
            n = 1 << exponent
            numbers = {1: 1, n // 3: 2 - 1j, n - 5: 0.5j}
            self.sparse_numbers((n,), dtype, {(place,): value for place, value in numbers.items()})
            self.crinkle("fft", "in.npy", "out.npy", "--force")
            self.check_line(np.load(self.path("out.npy"), mmap_mode="r"), numbers, tolerance)

    def test_transforms_of_an_array_beyond_2_to_the_32_bytes(self):
        shape = (2**16 + 3, 8192)
        rows = {row: {1 + row % 8191: 1 - 2j, 8191: 0.25} for row in (0, 1, 2**15, 2**16 - 1, 2**16, 2**16 + 2)}
        self.sparse_numbers(shape, "<c8", {(row, place): value for row, numbers in rows.items() for place, value in numbers.items()})
        self.crinkle("fft", "in.npy", "out.npy", "--axes", "x")
        got = np.load(self.path("out.npy"), mmap_mode="r")
        for row, numbers in rows.items():
            self.check_line(got[row], numbers, 1e-6)
        self.assertFalse(got[[2, 2**16 - 2, 2**16 + 1]].any())

    def test_plans_of_arrays_that_no_disk_holds(self):
        for shape in ["2147483648,2147483648", "65536,65537,65536", "4294967311,4294967291"]:
            n = np.prod([int(w) for w in shape.split(",")], dtype=object)
            spec = "y x -> x y" if shape.count(",") == 1 else "z y x -> x y z"
            if 2 * n < 2**63:
                plan = json.loads(self.crinkle("explain", spec, "--shape", shape, "--dtype", "u1", "--roll", "x=1", "--json"))
                self.assertEqual(plan["destination"]["extents"], [int(w) for w in shape.split(",")][::-1])
            else:
                self.run_crinkle("explain", spec, "--shape", shape, "--dtype", "u1")
        self.refused(2, "explain", "y x -> x y", "--shape", "4294967311,4294967291", "--dtype", "u1", says="too_large")


if __name__ == "__main__":
    harness.main()
