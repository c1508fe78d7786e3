# Wrong requests: exit status 2, one line that names the values and the way out, the notation with a caret under the place, and no file.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import os

import numpy as np

from harness import CommandTest


class BadRequests(CommandTest):
    def setUp(self):
        super().setUp()
        self.save("in.npy", np.arange(24, dtype="<f4").reshape(2, 3, 4))
        self.save("far.npy", np.array([0, 4]))
        self.save("real.npy", np.array([0.5]))
        (self.folder / "in.raw").write_bytes(bytes(24))

    def wrong(self, spec, *options, says, caret=False):
        text = self.refused(2, "move", spec, "in.npy", "new.npy", *options, says=says, lines=3 if caret else None)
        if caret:
            return text[2].index("^") - 2
        return None

    def test_tails_that_are_suggested_work(self):
        self.save("odd.npy", np.arange(21).reshape(3, 7))
        for spec, tails in [("y (x 2) -> y (2 x)", ["ragged", "pad", "drop"]), ("y (x 2) -> 2 y x", ["pad", "drop"])]:
            self.refused(2, "move", spec, "odd.npy", "no.npy", says=["not_divisible", *[f"`--tail {tail}`" for tail in tails]])
            for tail in tails:
                self.crinkle("move", spec, "odd.npy", "even.npy", "--tail", tail, "--force", "--verify")

    def test_the_caret_stands_under_the_place(self):
        for spec, column, says in [("z y x > x y z", 6, "'->'"), ("z y x -> x y", 0, "--at z=0"), ("z (y x -> z y x", 2, "("), ("z y x -> z y x w", 15, "--size w=2"),
                                   ("z z x -> z x", 2, "z"), ("z y x -> x y z z", 15, "z"), ("z [y x] -> z y x", 2, "'['"), ("2 2 x -> 2 x", 2, "a:2"),
                                   ("z y x -> x (y z))", 16, ")"), ("z y (x 3) -> z y x 3", 4, "3 or 6"), ("z:5 y x -> z y x", 0, "5"),
                                   ("... x ... -> x", 6, "..."), ("z y x -> z ... x", 11, "..."), ("z y x:99999999999999999999 -> z y x", 6, "63")]:
            with self.subTest(spec=spec):
                self.assertEqual(self.wrong(spec, says=says, caret=True), column, spec)

    def test_specifications(self):
        for spec, says in [("", "->"), ("->", "3 axes"), ("z y x", "->"), ("z y x -> x y z -> z", "->"), ("z y -> y z", "3 axes"), ("a b c d -> d c b a", "3 axes"),
                           ("z y x -> x y z é", ""), ("z y 4x -> z y 4x", ""), ("z y x -> ((x y z)", "("), ("z y x -> x\ny z w", "w")]:
            with self.subTest(spec=spec):
                self.wrong(spec, says=["crinkle: ", says])

    def test_verbs(self):
        for option, value, says in [("roll", "x", "AXIS=K"), ("roll", "x=", "AXIS=K"), ("roll", "x=q", "q"), ("roll", "x=1.5", ""), ("roll", "w=1", '"w"'), ("roll", "=1", ""),
                                    ("roll", "x=99999999999999999999", ""), ("flip", "@5", "@0 to @2"), ("flip", "x=1", ""), ("pad", "x=1:2:mirror", "reflect"),
                                    ("pad", "x=1:2:edge:5", ""), ("pad", "x=1", ""), ("pad", "x=-1:2", "slice"), ("pad", "x=1:2:constant:abc", "abc"),
                                    ("pad", "x=9223372036854775807:1", ""), ("pad", "x=1:2:constnat", "constant"), ("slice", "x=1:2:0", "0"), ("slice", "x=5", ""),
                                    ("slice", "x=a:b", ""), ("at", "x=4", "-4 to 3"), ("at", "x=-5", "-4 to 3"), ("dilate", "x=0", ""), ("dilate", "x=-2", ""),
                                    ("dilate", "x=9223372036854775807", ""), ("take", "x=far.npy", "4"), ("take", "x=real.npy", "integers"), ("take", "x=in.npy", "integers"),
                                    ("bit-reverse", "y", "3"), ("size", "x", "NAME=N"), ("size", "x=5", "5"), ("size", "q=5", "q"), ("size", "x=-1", ""),
                                    ("size", "x=99999999999999999999", "64"), ("tail", "foo", "ragged"), ("byte-order", "middle", "little"), ("unshuffle", "f8", ""),
                                    ("from-bit-planes", "f4", ""), ("unshuffle", "nonsense", ""), ("count", "q", "q"), ("count", "3", "--from-bit-planes"), ("count", "-3", "--from-bit-planes"), ("device", "tpu", "auto"),
                                    ("device", "cuda:x", "auto"), ("device", "cuda:0,0", "GPU 0 is named twice"), ("device", "cuda:0,", "cuda:0,1"), ("device", "cpu,cuda:0", "cuda:0,1"),
                                    ("threads", "-3", "-3"),
                                    ("threads", "x", "x"), ("shape", "2,3,4,5", ""), ("dtype", "f4", "--shape"), ("offset", "4", "--shape")]:
            with self.subTest(option=option, value=value):
                self.wrong("z y x -> x y z", f"--{option}", value, says=["crinkle: ", says])

    def test_the_caret_stands_under_what_a_verb_was_given(self):
        for option, value, column, says in [("flip", "q", 5, '"q"'), ("flip", "@5", 5, "@0 to @2"), ("at", "x=4", 3, "-4 to 3"), ("roll", "w=1", 5, '"w"')]:
            with self.subTest(option=option, value=value):
                self.assertEqual(self.wrong("z y x -> x y z", f"--{option}", value, says=says, caret=True), column)

    def test_a_gpu_that_is_not_there(self):
        if os.path.exists("/dev/nvidia0"):
            self.skipTest("there is one")
        has_cuda = b"with CUDA" in self.run_crinkle("--version").stdout
        for value in ["cuda", "cuda:3", "cuda:0,1"]:
            with self.subTest(value=value):
                self.refused(1 if has_cuda else 2, "move", "z y x -> x y z", "in.npy", "new.npy", "--device", value,
                             says=["CUDA device", "device: " if has_cuda else "unsupported: "], lines=1)

    def test_an_axis_without_a_name(self):
        self.refused(2, "move", "... -> ...", "in.npy", "new.npy", "--flip", "q", says="its axes are @0, @1, @2")

    def test_bit_planes_have_no_plan_and_no_picture(self):
        for option in [["--bit-planes"], ["--from-bit-planes", "f4"]]:
            self.refused(2, "explain", "x -> x", "--shape", "32,4,u1", *option, says=["unsupported", option[0], "an operation of their own"], lines=1)
            self.refused(2, "draw", "x -> x", "--shape", "4,6", "-o", "new.svg", *option, says=["unsupported", option[0], "an operation of their own"], lines=1)
        self.save("planes.npy", np.zeros((32, 3), "u1"))
        self.refused(2, "move", "x -> x", "planes.npy", "new.npy", "--from-bit-planes", "f4", "--count", "-3", says=["bad_shape", "--count -3"], lines=1)
        self.refused(2, "explain", "x -> x", "--shape", "8,u1", "--count", "3", says=["bad_notation", "--from-bit-planes"], lines=1)

    def test_outputs_that_are_no_files(self):
        os.mkfifo(self.path("pipe"))
        for name in ["/dev/stdout", "/dev/fd/1", "/dev/null", self.path("pipe")]:
            for force in [[], ["--force"]]:
                self.refused(2, "move", "... -> ...", "in.npy", name, *force, says=[name, "is not a regular file; - writes to standard output"], lines=1)

    def test_objects(self):
        np.save(self.path("objects.npy"), np.array([None, 1], dtype=object), allow_pickle=True)
        self.refused(2, "move", "... -> ...", "in.raw", "new.npy", "--shape", "3", "--dtype", "O", says="O")
        self.refused(1, "move", "... -> ...", "objects.npy", "new.npy", says="objects.npy")

    def test_whole_results(self):
        for option, says in [("--morton", "powers of two"), ("--shuffle --bit-planes", ""), ("--morton --checkerboard", "")]:
            with self.subTest(option=option):
                result = self.run_crinkle("move", "z y x -> x y z", "in.npy", "new.npy", *option.split(), "--force")
                self.assertIn(result.returncode, (0, 2))
                if option == "--morton":
                    self.wrong("z y x -> x y z", option, says=says)

    def test_nothing_to_repeat(self):
        self.save("empty.npy", np.zeros((0, 3)))
        for n in [1, 2**63 - 1]:
            self.refused(2, "move", "y x -> y x", "empty.npy", "new.npy", "--pad", f"y={n}:{n}:edge",
                         says=[f'bad_shape: cannot pad "y": extent 0 has nothing to repeat {n} before and {n} after in mode edge; use constant'], lines=3)

    def test_sizes_that_overflow_are_refused_before_anything_is_made(self):
        for n in [2**62, 2**63 - 1, 2**61]:
            self.wrong("z y x -> x y z w", "--size", f"w={n}", says="too_large")
        self.wrong("z y x -> x y z", "--pad", f"x=0:{2**62}", says="too_large")
        self.wrong("z y x -> x y z", *sum((["--pad", f"{a}=0:{2**31}"] for a in "xyz"), []), says="too_large")
        self.wrong("z y x -> x y z", "--dilate", f"x={2**62}", says="too_large")

    def test_a_result_larger_than_any_disk_fails_and_leaves_nothing(self):
        result = self.run_crinkle("move", "z y x -> x y z w", "in.npy", "new.npy", "--size", f"w={2**54}")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertFalse((self.folder / "new.npy").exists())
        self.assertEqual(list(self.folder.glob(harness.temporaries)), [])

    def test_shapes(self):
        for shape, says in [("4,4", "--dtype"), ("[4][4", "'['"), ("4,-4", ""), ("4,q", ""), ("", ""), ("[4][4][flot32]", "float32"), ("[4][4][7]", "not 7 bits; where it is an extent"), ("[4][4][7 bits]", "not 7 bits\n"),
                            ("99999999999999999999,1", "63"), (f"{2**62},4", "")]:
            with self.subTest(shape=shape):
                self.refused(2, "move", "y x -> x y", "in.raw", "new.npy", "--shape", shape, *(["--dtype", "f8"] if shape == f"{2**62},4" else []), says=says)
                self.refused(2, "explain", "y x -> x y", "--shape", shape, *(["--dtype", "f8"] if shape == f"{2**62},4" else []), says=says)
        self.refused(2, "move", "y x -> x y", "in.raw", "new.npy", "--shape", "[2][3][float32]", "--dtype", "f4", says="twice")
        self.refused(2, "move", "y x -> x y", "in.raw", "new.npy", "--shape", "2,3", "--dtype", "flot32", says=["flot32", "did you mean float32?"], lines=1)
        self.refused(2, "move", "y x -> x y", "in.raw", "new.npy", "--shape", "2,3", "--dtype", "O", says="")
        self.refused(2, "move", "y x -> x y", "in.raw", "new.npy", "--shape", "2,3", "--dtype", "f4", "--offset", "-1", says="-1")

    def test_names_that_promise_something_else(self):
        for name in ["new.npz", "new.jpg", "new.NPY", "new.tar.gz", "new.hdf", "new.csv"]:
            self.refused(2, "move", "... -> ...", "in.npy", name, says=[name, ".npy, .png, .nii, .nii.gz, .tif, .zarr, .h5 and .nc"], lines=1)
        self.refused(2, "move", "... -> ...", "in.npy", "new.npy", "--shape", "2,3,4", "--dtype", "f4", says=["in.npy", "leave out --shape"], lines=1)
        self.crinkle("move", "... -> ...", "in.npy", "new.npy", "--shape", "2,3,4", "--dtype", "f4", "--offset", "128")
        self.assert_same(self.load("new.npy"), self.load("in.npy"))
        self.refused(1, "move", "... -> ...", "", "other.npy", says="not the name of a file", lines=1)
        self.refused(1, "move", "... -> ...", "in.npy", "", says="not the name of a file", lines=1)

    def test_numbers_of_threads(self):
        self.save("large.npy", np.zeros((100, 100, 100)))
        for n in ["1025", "1000000000", "9223372036854775807"]:
            self.refused(2, "move", "... -> ...", "large.npy", "new.npy", "--threads", n, says=n, lines=1)
        self.crinkle("move", "z y x -> x y z", "large.npy", "new.npy", "--threads", "64")

    def test_command_lines(self):
        for words, says in [([], "move"), (["mov"], "'mov'; did you mean move? The commands are move,"), (["quux"], "'quux'; the commands are move,"),
                            (["explain", "y", "->", "x"], "'->' is one word too many"), (["move"], "SPEC"), (["--verison"], "--version"), (["move", "x -> x", "in.npy"], "OUTPUT"),
                            (["move", "--verfy", "... -> ...", "in.npy", "new.npy"], "--verify"), (["move", "y", "x", "->", "x", "y", "in.npy", "new.npy"], "quotes"),
                            (["info"], "FILE"), (["info", "in.npy", "more"], "more"), (["draw", "y x -> x y", "--shape", "2,2"], "--output"),
                            (["explain", "y x -> x y"], "--shape"), (["explain", "y x -> x y", "--shape", "4,4,f4", "--machine", "abacus"], "h200"),
                            (["draw", "y x -> x y", "--shape", "2,2", "-o", "new.png"], "svg"), (["draw", "y x -> x y", "--shape", "2,2", "-o", "new.svg", "--machine", "abacus"], "h200"), (["draw", "y x -> x y", "--shape", "999,999", "-o", "new.svg"], "--max-cells"),
                            (["move", "... -> ...", "-", "new.npy"], "--shape"), (["move", "... -> ...", "in.npy", "new.png"], "float32"),
                            (["info", "in.raw"], "--shape")]:
            with self.subTest(words=words):
                self.refused(2, *words, says=says, lines=1)


if __name__ == "__main__":
    harness.main()
