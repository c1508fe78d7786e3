# What the command says: help with examples, version, dry runs, explanations and JSON; and that shells and man can use the completions and the
# manual, which it prints itself.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import gzip
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

import numpy as np

from harness import CommandTest, filled

commands = ["move", "records", "advise", "stencil", "resample", "fft", "interpolate", "grid", "interlace", "deinterlace", "pairs", "triangle", "explain", "draw", "info", "bench", "papers"]


class Words(CommandTest):
    def test_version(self):
        self.assertRegex(self.crinkle("--version").decode(), r"^crinkle \d+\.\d+\.\d+ \(.+\), compiled by (g\+\+|clang) .*\n$")

    def test_every_help_has_examples_that_work(self):
        self.assertIn("Examples:", self.crinkle("--help").decode())
        self.save("in.npy", filled((8, 9, 10), "<f4", self.random))
        self.save("picture.npy", filled((6, 8, 3), "u1", self.random))
        self.crinkle("move", "... -> ...", "picture.npy", "picture.png")
        self.crinkle("move", "... -> ...", "in.npy", "volume.nii")
        volume = bytearray((self.folder / "volume.nii").read_bytes())
        volume[254:256], volume[280:328] = b"\1\0", np.eye(3, 4, dtype="<f4").tobytes()  # sform_code and sform: it says where its axes lead
        (self.folder / "volume.nii.gz").write_bytes(gzip.compress(bytes(volume)))
        for name, slope in [("before", 2), ("after", 10)]:
            volume[112:116] = np.float32(slope).tobytes()
            (self.folder / f"{name}.nii").write_bytes(volume)
        self.save("series.npy", filled((3, 8, 9, 10), "<f4", self.random))
        self.crinkle("move", "... -> ...", "series.npy", "series.nii.gz")
        self.crinkle("move", "... -> ...", "in.npy", "values.npy")
        (self.folder / "in.raw").write_bytes(bytes(512 * 512 * 4))
        for name in ["red", "green", "blue"]:
            self.save(f"{name}.npy", filled((6, 8), "u1", self.random))
        for name, n_bytes in [("x", 1 << 20), ("y", 1 << 20), ("particles", 16 * 10), ("pressure", 4 * 10)]:
            (self.folder / f"{name}.raw").write_bytes(bytes(n_bytes))
        self.save("points.npy", filled((10,), [("x", "<f4"), ("y", "<f4")], self.random))
        for name in ["stars", "spheres", "atoms"]:
            self.save(f"{name}.npy", self.random.random((10, 3), np.float32))
        self.save("tile.npy", filled((64, 100), "<f4", self.random))
        self.save("whole.npy", filled((300, 200), "<f4", self.random))
        self.save("matrix.npy", self.random.random((10, 10), np.float32))
        (self.folder / "ap.raw").write_bytes(bytes(1000 * 1001 // 2 * 8))
        self.save("field.npy", self.random.random((12, 10), np.float32))
        self.save("signal.npy", filled((30,), "<f4", self.random))
        self.crinkle("move", "... -> ...", "picture.npy", "photo.png")
        self.save("samples.npy", self.random.random((9, 3)))
        self.save("places.npy", self.random.random((4, 2)))
        Path(self.path("places.csv")).write_text("x,y\n10,20\n300.5,40\n")
        self.save("coordinates.npy", self.random.random((2, 5, 3)) * 9)
        rows = [f"{x},{y},{x},{y},{x + y},{x * y},{x - y}\n" for x, y in self.random.random((40, 2)) * 100]
        for name in ["wells", "soundings"]:
            (self.folder / f"{name}.csv").write_text("x,y,east,north,level,salt,depth\n" + "".join(rows))
        points = [{"type": "Feature", "properties": {"level": level}, "geometry": {"type": "Point", "coordinates": [9 + x / 1000, 50 + y / 1000]}} for x, y, level in self.random.random((40, 3))]
        (self.folder / "wells.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": points}))
        has_gdal = (Path(harness.program).parent / "libcrinkle_gdal.so").exists()
        if has_gdal:
            self.crinkle("grid", "wells.csv", "heights.tif", "--value", "level", "--cell", 10)
        (self.folder / "cases.txt").write_text("transpose 4 2 1 0 30 20\n")
        has_zarr = b"with Zarr" in self.crinkle("--version")
        if has_zarr:
            self.save("maps_of_time.npy", filled((5, 6, 7), "<f4", self.random))
            self.crinkle("move", "... -> ...", "maps_of_time.npy", "maps.zarr")
        for command in commands:
            text = self.crinkle(command, "--help").decode()
            self.assertIn("Examples:\n", text)
            examples = re.findall(r"^  crinkle (.*)$", text[text.index("Examples:"):], re.M)
            self.assertTrue(examples, command)
            for example in examples:
                with self.subTest(example=example):
                    if ((".geojson" in example or ".tif" in example) and not has_gdal) or (".zarr" in example and not has_zarr) or example.startswith("papers"):  # another program's
                        continue
                    shorter = " --memory 1MiB --hot" if example == "bench rearrange" else " --hot" if example.startswith("bench small") else ""  # minutes under a sanitizer
                    done = subprocess.run(["bash", "-c", shlex.quote(harness.program) + " " + example + shorter], cwd=self.folder, capture_output=True)
                    if "--against" in example and done.returncode == 1:  # two runs may differ in speed, which no test asserts
                        self.assertRegex(done.stderr.decode(), r"^crinkle: failed: 1 of 1 rows are slower than in permute\.json beyond their noise: .*\n$")
                    else:
                        self.assertEqual(done.returncode, 0, example + "\n" + done.stderr.decode())

    def test_papers_are_another_program_that_is_found_or_named(self):
        alone = self.folder / "alone" / "crinkle"
        alone.parent.mkdir()
        shutil.copy(harness.program, alone)
        said = subprocess.run([alone, "papers", "0", "--quick"], cwd=self.folder, capture_output=True, text=True, env={**os.environ, "PATH": str(self.folder)})
        self.assertEqual((said.returncode, said.stdout, said.stderr.count("\n")), (2, "", 1), said.stderr)
        self.assertIn(f"there is no crinkle-papers in {alone.parent} or on the PATH; configure crinkle's sources with -DCRINKLE_PAPERS=ON", said.stderr)
        for folder in [self.folder, alone.parent]:  # on the PATH, then beside it, which goes first
            (folder / "crinkle-papers").write_text(f'#!/bin/sh\necho "{folder.name}: $*"\nexit 7\n')
            (folder / "crinkle-papers").chmod(0o755)
            done = subprocess.run([alone, "papers", "0", "--quick", "-o", "a b.html"], capture_output=True, text=True, env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"})
            self.assertEqual((done.returncode, done.stdout), (7, f"{folder.name}: 0 --quick -o a b.html\n"), done.stderr)

    def test_a_dry_run_says_what_would_be_done_and_does_nothing(self):
        self.save("in.npy", filled((2, 3, 4), ">f4", self.random))
        before = self.listing()
        text = self.crinkle("move", "z y x -> x (z y)", "in.npy", "out.npy", "--dry-run", "--pad", "x=1:1").decode()
        self.assertEqual(self.listing(), before)
        for word in ["in.npy", "[2][3][4]", "float32", "out.npy", "[6][6]"]:
            self.assertIn(word, text)
        self.refused(2, "move", "z y x -> x y z", "in.npy", "out.png", "--dry-run", says="PNG")

    def test_success_is_silent(self):
        self.save("in.npy", filled((64, 64, 64), "<f4", self.random))
        for options in [[], ["--verify"], ["--threads", "7"], ["--device", "auto"]]:
            result = self.run_crinkle("move", "z y x -> x z y", "in.npy", "out.npy", "--force", *options)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, b"", b""), options)

    def test_a_last_number_that_may_be_an_extent_or_bits_is_named(self):
        (self.folder / "in.raw").write_bytes(bytes(range(128)))
        words = ["move", "... -> ...", "in.raw", "out.npy", "--force", "--shape"]
        for shape, bits in [("[4][32]", 32), ("[4, 32]", 32), ("[4][8]", 8)]:
            result = self.run_crinkle(*words, shape)
            self.assertEqual(result.returncode, 0)
            self.assertIn(f"crinkle: note: {shape} is read as [4] with elements of {bits} bits; if its last number is an extent, too, add --dtype".encode(), result.stderr)
            self.assertEqual((self.load("out.npy").shape, self.load("out.npy").itemsize), ((4,), bits // 8))
        for shape, options, want, dtype in [("[4][32]", ["--dtype", "u1"], (4, 32), "u1"), ("[4][8][float32]", [], (4, 8), "f4"), ("4,8", ["--dtype", "f4"], (4, 8), "f4"),
                                            ("[4][8][32 bits]", [], (4, 8), "V4")]:
            result = self.run_crinkle(*words, shape, *options)
            self.assertEqual((result.returncode, result.stderr), (0, b""), shape)
            self.assertEqual((self.load("out.npy").shape, self.load("out.npy").dtype), (want, np.dtype(dtype)))
        told = self.run_crinkle("explain", "x -> x", "--shape", "[4][8]")
        self.assertTrue(told.stderr.startswith(b"crinkle: note: [4][8] is read as [4] with") and told.stdout)
        for shape in ["[4][8]", "4,8", "[4][8][float32]", "4,8,f4"]:  # a picture has bytes where nothing else is said
            result = self.run_crinkle("draw", "y x -> x y", "--shape", shape, "-o", "out.svg", "--force")
            self.assertEqual((result.returncode, result.stderr), (0, b""), shape)

    def test_explain_of_a_move_is_that_of_explain(self):
        self.save("in.npy", filled((4, 6), "<f4", self.random))
        result = self.run_crinkle("move", "y x -> x y", "in.npy", "out.npy", "--explain", "--roll", "x=1")
        self.assertEqual((result.returncode, result.stdout), (0, b""))
        said = self.crinkle("explain", "y x -> x y", "--shape", "4,6", "--dtype", "f4", "--roll", "x=1").decode()
        self.assertEqual(result.stderr.decode().splitlines()[0], said.splitlines()[0])
        self.assertIn("2 boxes", said)

    def test_json(self):
        for spec, shape, options in [("y x -> x y", "[64][64][float32]", []), ("y x -> y x", "8,8,u1", ["--roll", "x=1", "--pad", "y=1:1:constant:7"]),
                                     ("-> a", "[8]", ["--size", "a=3"]), ("x -> x", "[0][u1]", [])]:
            for machine in ["this", "h200"]:
                words = ["explain", spec, "--shape", shape, *options, "--machine", machine]
                plan = json.loads(self.crinkle(*words, "--json"))
                self.assertTrue(self.crinkle(*words))
                for key in ["machine", "source", "destination", "bytes_moved", "workspace_bytes", "steps"]:
                    self.assertIn(key, plan)
        array = np.asfortranarray(filled((3, 4), ">i2", self.random))
        self.save("in \"quoted\" é.npy", array)
        info = json.loads(self.crinkle("info", "in \"quoted\" é.npy", "--json"))
        self.assertEqual((info["shape"], info["strides"], info["dtype"], info["descr"], info["is_c_order"], info["bytes"]), ([3, 4], [2, 6], "int16", ">i2", False, 24))
        self.assertIn("int16", self.crinkle("info", "in \"quoted\" é.npy").decode())

    def test_a_picture_is_well_formed(self):
        self.crinkle("draw", "y (x 2) -> 2 y x", "--shape", "4,4", "-o", "out.svg", "--title", "a < b & \"c\"")
        self.assertTrue(xml.etree.ElementTree.parse(self.path("out.svg")).getroot().tag.endswith("svg"))

    def test_a_report_of_one_line(self):
        self.save("in.npy", np.zeros((0, 3)))
        self.assertRegex(self.crinkle("move", "y x -> x y", "in.npy", "empty.npy", "--report").decode(), r"^0 bytes +[0-9.]+ s\n$")
        self.save("in.npy", filled((64, 64), "<f4", self.random))
        text = self.crinkle("move", "y x -> x y", "in.npy", "out.npy", "--report").decode()
        self.assertRegex(text, r"^32768 bytes +[0-9.]+ s\n$")  # the time of so few bytes is the call's
        self.save("large.npy", filled((1024, 512), "<f4", self.random))
        text = self.crinkle("move", "y x -> x y", "large.npy", "large_out.npy", "--report").decode()
        self.assertRegex(text, r"^4194304 bytes +[0-9.]+ s +[0-9.]+ GB/s +\d+ % of a plain copy\n$")

    def test_a_report_counts_what_is_read_and_no_more(self):
        self.save("in.npy", filled((64, 64), "<f4", self.random))
        self.save("planes.npy", filled((32, 100), "u1", self.random))
        for spec, options, n_bytes in [("y x -> x y", ["--slice", "y=0:4"], 2 * 4 * 64 * 4), ("y x -> x y", ["--pad", "x=64:0"], 3 * 64 * 64 * 4),
                                       ("y x -> x", ["--at", "y=3"], 2 * 64 * 4), ("y x -> y x", ["--bit-planes"], 4 * 64 * 64 * 4)]:
            text = self.crinkle("move", spec, "in.npy", "out.npy", *options, "--report", "--force", "--verify").decode()
            self.assertRegex(text, rf"^{n_bytes} bytes ", options)
        text = self.crinkle("move", "x -> x", "planes.npy", "out.npy", "--from-bit-planes", "f4", "--report", "--force", "--verify").decode()
        self.assertRegex(text, rf"^{4 * 3200} bytes ")

    def test_a_plan_names_the_bit_planes_beside_it(self):
        self.save("in.npy", filled((6, 8), "<f4", self.random))
        self.save("planes.npy", filled((32, 100), "u1", self.random))
        told = self.run_crinkle("move", "y x -> x y", "in.npy", "out.npy", "--bit-planes", "--explain").stderr.decode()
        self.assertIn("after it, 48 elements are taken apart into bit planes [32][6], slab by slab\n", told)
        told = self.run_crinkle("move", "x -> x", "planes.npy", "back.npy", "--from-bit-planes", "f4", "--explain").stderr.decode()
        self.assertIn("before it, [32][100] of bit planes are put together to 800 elements, slab by slab\n", told)


class Companions(CommandTest):
    """The completions and the manual."""

    def setUp(self):
        super().setUp()
        self.beside = Path(tempfile.mkdtemp(prefix="crinkle-test-"))
        self.addCleanup(shutil.rmtree, self.beside, ignore_errors=True)
        for name, words in [("crinkle.bash", ["bash"]), ("_crinkle", ["zsh"]), ("crinkle.1", ["manual", harness.source_tree / "tools" / "crinkle" / "command_line" / "crinkle.1.in"])]:
            (self.beside / name).write_bytes(self.crinkle("--companion", *words))

    def test_the_manual_has_every_option_of_the_help(self):
        text = (self.beside / "crinkle.1").read_text().replace("\\-", "-")
        self.assertNotRegex(text, r"@[A-Z]+@")  # places that the program fills in
        for command in commands:
            options = re.findall(r"--[a-z][a-z0-9-]*", self.crinkle(command, "--help").decode().split("Examples:")[0])
            self.assertGreater(len(options), 1)
            for option in options:
                self.assertIn(f"\\fB{option}\\fR" if option != "--help" else option, text)
            self.assertRegex(text.split(".SH SPECIFICATION")[0].split(".SH DESCRIPTION")[1], rf"(?m)^\.B crinkle {command}$")

    def test_the_manual_says_what_words_below_are(self):
        text = (self.beside / "crinkle.1").read_text().replace("\\-", "-")
        for words in ["average:RADIUS[:star]", "gaussian:SIGMA", "sobel:AXIS"]:
            self.assertTrue(words in text, words)
        for command in commands:
            help_text = self.crinkle(command, "--help").decode()
            below = re.search(r"\n\n((?:(?!Examples:|Verbs|Positionals|Options).+\n)+)Examples:", help_text)
            for line in below.group(1).splitlines() if below else []:
                self.assertTrue(line.replace("'", "\\(aq") in text, line)

    def test_other_companions_are_refused(self):
        for words in [["fish"], ["manual"], ["bash", "more"]]:
            self.refused(2, "--companion", *words, says="bash, zsh", lines=1)
        self.refused(1, "--companion", "manual", "missing.in", says="missing.in", lines=1)

    def complete(self, *words):
        """What bash offers for the last of these words."""
        script = f'source {shlex.quote(str(self.beside / "crinkle.bash"))}; COMP_WORDS=({shlex.join(words)}); COMP_CWORD={len(words) - 1}; _crinkle; printf "%s\\n" "${{COMPREPLY[@]}}"'
        result = subprocess.run(["bash", "--norc", "-c", script], cwd=self.folder, capture_output=True)
        self.assertEqual(result.stderr, b"")
        return result.stdout.decode().split()

    def test_bash_completes(self):
        self.save("in.npy", np.zeros(1))
        (self.folder / "notes.txt").touch()
        self.assertEqual(self.complete("crinkle", "mo"), ["move"])
        self.assertEqual(set(self.complete("crinkle", "")), {*commands, "--help", "--version"})
        self.assertEqual(self.complete("crinkle", "move", "--tai"), ["--tail"])
        self.assertEqual(self.complete("crinkle", "move", "--tail", ""), ["error", "ragged", "pad", "drop"])
        self.assertEqual(self.complete("crinkle", "move", "--tail", "=", "r"), ["ragged"])
        self.assertEqual(self.complete("crinkle", "explain", "--machine", "h"), ["h200"])
        self.assertEqual(self.complete("crinkle", "move", "z (y two) -> y z", "--flip", ""), ["z", "y", "two"])
        self.assertEqual(self.complete("crinkle", "move", "z y -> y z", "--roll", ""), ["z=", "y="])
        self.assertEqual(self.complete("crinkle", "info", ""), ["in.npy"])
        self.assertEqual(self.complete("crinkle", "bench", ""), ["copy", "permute", "rearrange", "records", "fused", "small", "scaling", "pairs", "fft", "stencil", "interpolate", "triangle", "planning", "batches"])
        self.assertEqual(self.complete("crinkle", "pairs", ""), ["distance", "collide", "triplet"])
        self.assertEqual(self.complete("crinkle", "pairs", "distance", "--output", "p"), ["packed-lower", "packed-upper"])
        self.assertEqual(self.complete("crinkle", "pairs", "distance", "--metric", "c"), ["cityblock", "chebyshev", "cosine"])
        self.assertEqual(self.complete("crinkle", "pairs", "collide", "in"), ["in.npy"])
        self.assertEqual(self.complete("crinkle", "advise", "--order", ""), ["sequential", "random", "strided:"])
        self.assertEqual(self.complete("crinkle", "bench", "permute", "--cases", ""), ["notes.txt"])
        self.assertEqual(self.complete("crinkle", "bench", "permute", "--c"), ["--cases", "--case"])
        self.assertEqual(self.complete("crinkle", "move", "z -> z", "in"), ["in.npy"])
        self.assertEqual(self.complete("crinkle", "move", "--threads", "2", "--force", "z -> z", "--tail", "=", "pad", "in"), ["in.npy"])
        self.assertEqual(self.complete("crinkle", "move", "in"), [])  # the specification
        self.assertEqual(self.complete("crinkle", "deinterlace", "in.npy", "-o", "notes.txt", "in"), ["in.npy"])
        for command in commands:
            text = self.crinkle(command, "--help").decode().split("Examples:")[0]
            self.assertEqual(set(self.complete("crinkle", command, "--")), set(re.findall(r"--[a-z][a-z0-9-]*", text)), command)

    @unittest.skipIf(shutil.which("zsh") is None, "zsh is not installed")
    def test_zsh_reads_its_completion(self):
        self.assertEqual(subprocess.run(["zsh", "-n", self.beside / "_crinkle"], capture_output=True).stderr, b"")
        loaded = subprocess.run(["zsh", "-f", "-c", f"autoload -Uz compinit; compinit -D -u; source {shlex.quote(str(self.beside / '_crinkle'))}; print $_comps[crinkle]"],
                                capture_output=True, cwd=self.folder)
        self.assertEqual((loaded.stdout, loaded.stderr), (b"_crinkle\n", b""))

    @unittest.skipIf(shutil.which("man") is None or shutil.which("groff") is None, "man is not installed")
    def test_the_manual_has_no_faults(self):
        result = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", self.beside / "crinkle.1"], capture_output=True, env={"PATH": "/usr/bin:/bin", "MANWIDTH": "80"})
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        for section in ["NAME", "SYNOPSIS", "SPECIFICATION", "VERBS", "RECORDS", "OPTIONS", "FILES", "BENCHMARKS", "EXIT STATUS", "EXAMPLES"]:
            self.assertRegex(result.stdout.decode(), rf"(?m)^(\x1b\[1m)?{''.join(f'{c}(.{c})?' for c in section)}")


if __name__ == "__main__":
    harness.main()
