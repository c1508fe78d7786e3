# What holds for every option of every subcommand, as the program lists them itself: an empty value, which an unset variable of a shell is, is
# refused; a number is decimal, whatever it begins with.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import numpy as np

from harness import CommandTest


class Options(CommandTest):
    def setUp(self):
        super().setUp()
        self.options = {}  # command: [(name, kind, whether it is required)]
        for line in self.crinkle("--companion", "options").decode().splitlines():
            command, name, kind, required = line.split("\t")
            self.options.setdefault(command, []).append((name, kind, required == "required"))

    def line(self, command, name, *words):
        """The words behind all that the command requires beside the option."""
        required = [(n, kind) for n, kind, is_required in self.options[command] if is_required and n != name]
        arguments = ["x" for _, kind in required if kind == "argument"]
        return [command, *arguments, *words, *(word for n, kind in required if kind != "argument" for word in (n, "x"))]

    def all_of_kind(self, *kinds):
        found = [(command, name) for command, options in self.options.items() for name, kind, _ in options if kind in kinds]
        self.assertGreaterEqual(len(found), 15)
        return found

    def test_the_list_has_every_command(self):
        self.assertGreaterEqual(set(self.options), {"move", "records", "advise", "interlace", "deinterlace", "pairs", "triangle", "explain", "draw", "info", "bench"})

    def test_no_option_takes_an_empty_value(self):
        for command, name in self.all_of_kind("text", "number"):
            for words in [[name, ""], [name + "="]]:
                with self.subTest(command=command, words=words):
                    self.refused(2, *self.line(command, name, *words), says=[f"bad_notation: {name}: its value is empty"], lines=1)

    def test_no_flag_takes_a_value(self):
        for command, name in self.all_of_kind("flag"):
            for text in ["all", "no", "false", "0"]:
                with self.subTest(command=command, name=name, text=text):
                    self.refused(2, *self.line(command, name, f"{name}={text}"), says=[f"{name}='{text}': it takes no value"], lines=1)

    def test_what_is_no_number_is_refused_by_name(self):
        for command, name in self.all_of_kind("number"):
            for text in ["x", "3.5", "0x10", " 7", "-"]:
                with self.subTest(command=command, name=name, text=text):
                    self.refused(2, *self.line(command, name, f"{name}={text}"), says=[f"{name}: '{text}' is no whole number"], lines=1)
            self.refused(2, *self.line(command, name, name, "99999999999999999999"), says=["too_large", f"{name} 99999999999999999999", "bits"], lines=1)

    def test_numbers_are_decimal(self):
        for command, name in self.all_of_kind("number"):
            for text in ["08", "+7"]:
                with self.subTest(command=command, name=name, text=text):
                    self.assertNotRegex(self.run_crinkle(*self.line(command, name, name, text)).stderr.decode(), "whole number|bits|empty")

    def test_a_leading_zero_changes_nothing(self):
        data = bytes(range(64))
        (self.folder / "in.raw").write_bytes(data)
        self.save("in.npy", np.arange(8, dtype="u1"))
        self.crinkle("move", "x -> x", "in.raw", "out.raw", "--shape", "010", "--dtype", "u1", "--offset", "010", "--threads", "08")
        self.assertEqual((self.folder / "out.raw").read_bytes(), data[10:20])
        self.crinkle("records", "--fields", "x:u1", "--from", "x", "--to", "x", "--offset", "011", "in.raw", "one.raw")
        self.assertEqual((self.folder / "one.raw").read_bytes(), data[11:])
        self.crinkle("move", "x -> x n", "in.npy", "repeated.npy", "--size", "n=012")
        self.assertEqual(self.load("repeated.npy").shape, (8, 12))
        self.crinkle("interlace", "in.npy", "in.npy", "-o", "stacked.npy", "--axis", "00")
        self.assertEqual(self.load("stacked.npy").shape, (2, 8))
        self.save("packed.npy", np.zeros(55))
        self.crinkle("triangle", "--from", "packed", "--to", "rfp", "--n", "010", "packed.npy", "rfp.npy")
        self.refused(2, "triangle", "--from", "packed", "--to", "rfp", "--n", "012", "packed.npy", "new.npy", says="--n 12", lines=1)


if __name__ == "__main__":
    harness.main()
