# Where a move runs: the device that was asked for or is predicted to be faster, what is said about it, and what a GPU is not asked for.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json
import os
import pty
import re
import subprocess

import numpy as np
from harness import CommandTest, filled

move = ["move", "z y x -> x z y", "in.npy"]
has_gpu = os.path.exists("/dev/nvidia0")


class Devices(CommandTest):
    def setUp(self):
        super().setUp()
        self.array = filled((30, 41, 52), "<f4", self.random)
        self.save("in.npy", self.array)
        self.save("indices.npy", np.arange(900) * 7 % 30)
        self.has_cuda = b"with CUDA" in self.run_crinkle("--version").stdout

    def test_kernels_are_named_by_a_word(self):
        for word, status in [("library", 0), ("", 0), ("all", 2), ("Library", 2)]:
            result = self.run_crinkle("info", "in.npy", env={**os.environ, "CRINKLE_KERNELS": word})
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertEqual(b"it is library, kept, paying, compiled or measured" in result.stderr, status == 2, result.stderr)

    def test_planning_of_a_transform_is_named_by_a_word_and_said_to_be_vain_on_a_cpu(self):
        self.save("lines.npy", np.arange(400).reshape(4, 100).astype("<c8"))
        for n, (options, note) in enumerate([(["--plan", "measure"], True), (["--plan", "estimate"], False), ([], False)]):
            result = self.run_crinkle("fft", "lines.npy", f"{n}.npy", "--axes", "x", "--device", "cpu", *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(b"--plan measure: on a CPU there is nothing to choose" in result.stderr, note, result.stderr)
        self.assertEqual(self.load("0.npy").tobytes(), self.load("2.npy").tobytes())
        for word in ["", "Measure", "patient", "compiled"]:
            self.refused(2, "fft", "lines.npy", "no.npy", f"--plan={word}", says=["--plan"])

    def explained(self, *arguments):
        result = self.run_crinkle(*arguments, "--explain")
        self.assertEqual((result.returncode, result.stdout), (0, b""), result.stderr)
        return result.stderr.decode()

    def test_device_memory_is_bytes_for_a_gpu(self):
        for value in ["", "0", "-1", "5x", "1.5GiB", "many"]:
            with self.subTest(value=value):
                self.refused(2, *move, "new.npy", f"--device-memory={value}", says=["--device-memory"])
        self.refused(2, *move, "new.npy", "--device", "cuda", "--device-memory", "99999999999999999999", says=["too_large", "--device-memory"], lines=1)
        for device in [[], ["--device", "cpu"], ["--device", "auto"]]:
            with self.subTest(device=device):
                self.refused(2, *move, "new.npy", *device, "--device-memory", "5", says=["--device-memory is for --device cuda"], lines=1)

    def test_what_a_gpu_does_not_do_names_the_way_out(self):
        for options, says in [(["--bit-planes"], "bit planes"), (["--from-bit-planes", "f4"], "bit planes"), (["--plan", "measure"], "--plan measure")]:
            for device in ["cuda", "cuda:1"]:
                with self.subTest(options=options, device=device):
                    self.refused(2, *move, "new.npy", "--device", device, *options, says=["unsupported", says, "--device cpu"], lines=1)

    def test_a_gpu_that_is_not_there_makes_no_file(self):
        if has_gpu:
            self.skipTest("there is one")
        for options in [[], ["--device-memory", "1GiB"], ["--explain"], ["--dry-run"], ["--take", "z=indices.npy"]]:
            with self.subTest(options=options):
                self.refused(1 if self.has_cuda else 2, *move, "new.npy", "--device", "cuda", *options, says=["CUDA device 0"], lines=1)

    def test_a_suite_on_a_gpu_has_the_fields_that_it_has_on_the_cpu(self):
        def row(device, suite, case):
            self.crinkle("bench", suite, "--case", case, "--memory" if suite != "small" else "--samples", "4MiB" if suite != "small" else "7", "--device", device, "--json", "out.json", "--force")
            return json.loads((self.folder / "out.json").read_text())["rows"][0]

        suites = [("fused", "step_"), ("rearrange", "indexed_read_random"), ("rearrange", "indexed_write_sorted"), ("small", "flip_4KiB"), ("small", "1000_transposes_256B")]
        for suite, case in suites:
            with self.subTest(suite=suite, case=case):
                if not has_gpu:
                    self.refused(1 if self.has_cuda else 2, "bench", suite, "--case", case, "--device", "cuda", "--json", "out.json", says=["CUDA device 0"], lines=1)
                    self.assertFalse((self.folder / "out.json").exists())
                    continue
                on_cpu, on_gpu = row("cpu", suite, case), row("cuda", suite, case)
                for key in ["name", "element_bytes", "bytes", "n_steps", "plot"]:
                    self.assertEqual(on_gpu.get(key), on_cpu.get(key))
                for key in ["loop_gb_per_s", "rivals", "cold"]:
                    self.assertEqual(key in on_gpu, key in on_cpu)
                    if isinstance(on_cpu.get(key), dict):
                        self.assertEqual(list(on_gpu[key]), list(on_cpu[key]))

    def test_help_and_manual_say_which_suites_a_gpu_runs(self):
        self.assertIn("They run on a CPU and with --device cuda on a GPU, which leaves out bit planes", self.crinkle("bench", "--help").decode())
        manual = (harness.source_tree / "tools" / "crinkle" / "command_line" / "crinkle.1.in").read_text()
        self.assertIn("all of them run on a GPU, bit planes and numbers of threads left out", manual)

    def test_auto_says_what_it_chose_and_why(self):
        why = "\non the CPU: predicted under 0.001 s on the CPU, 0.330 s through a GPU, its start included\n" if self.has_cuda else "\non the CPU: this build has no CUDA\n"
        for options in [[], ["--device", "auto"]]:
            self.assertTrue(self.explained(*move, "out.npy", "--force", *options).endswith(why))
        self.assertTrue(self.explained(*move, "out.npy", "--force", "--device", "cpu").endswith("\non the CPU\n"))
        if self.has_cuda:
            self.assertIn("\non the CPU: how fast an index array goes is not predicted", self.explained(*move, "out.npy", "--force", "--take", "z=indices.npy"))
            self.assertIn("\non the CPU: bit planes", self.explained(*move, "out.npy", "--force", "--bit-planes"))
            self.assertIn("\non the CPU: --plan measure", self.explained(*move, "out.npy", "--force", "--plan", "measure", "--plan-cache", "plans.json"))

    def test_auto_compares_times_once_a_move_is_longer_than_a_gpu_needs_to_start(self):
        if not self.has_cuda:
            self.skipTest("a build without CUDA compares nothing")
        with open(self.path("in.raw"), "wb") as file:
            file.truncate(16 << 30)
        said = self.explained("move", "y x -> x y", "in.raw", "-", "--shape", "65536,65536,f4", "--dry-run")
        last = said.splitlines()[-2]  # behind it: what the dry run would do
        self.assertRegex(last, r"^on the CPU: predicted \d+\.\d{3} s on the CPU, \d+\.\d{3} s through a GPU, its start included$")
        on_cpu, through_gpu = map(float, re.findall(r"\d+\.\d{3}", last))
        self.assertGreater(through_gpu, on_cpu)
        self.assertGreater(on_cpu, 0.01)

    def test_auto_wants_a_gpu_for_what_the_cpu_is_slow_at(self):
        if not self.has_cuda:
            self.skipTest("a build without CUDA compares nothing")
        with open(self.path("in.raw"), "wb") as file:
            file.truncate(3 << 33)
        last = self.explained("move", "a y x -> a x y", "in.raw", "-", "--shape", "2097152,64,64,V3", "--dry-run").splitlines()[-2]
        if not has_gpu:
            return self.assertEqual(last, "on the CPU: this machine has no GPU that CUDA knows")
        self.assertRegex(last, r"^through NVIDIA .*: predicted ")
        on_cpu, through_gpu = map(float, re.findall(r"\d+\.\d{3}", last))
        self.assertLess(through_gpu, on_cpu)

    def test_a_terminal_is_told_nothing_of_a_gpu_that_is_not_used(self):
        try:
            end, begin = pty.openpty()
        except OSError as e:
            self.skipTest(f"no terminal to be had here: {e}")
        arguments = [harness.program, *move, "out.npy"]
        done = subprocess.run(arguments, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=begin, timeout=60)
        os.close(begin)
        try:
            said = os.read(end, 10000).decode().replace("\r\n", "\n")
        except OSError:  # nothing was written
            said = ""
        os.close(end)
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        self.assertEqual(said, "")

    def test_files_go_through_a_gpu_in_any_memory(self):
        if not (has_gpu and self.has_cuda):
            self.skipTest("no GPU on this machine")
        rolled = np.roll(self.array[:, ::-1], 7, 2).transpose(2, 0, 1)
        for memory in [[], ["--device-memory", "60KiB"], ["--device-memory", "1000"]]:
            with self.subTest(memory=memory):
                options = ["--flip", "y", "--roll", "x=7", "--device", "cuda:0", *memory]
                self.crinkle(*move, "out.npy", "--force", "--verify", *options)
                self.assert_same(self.load("out.npy"), rolled)
                self.assertEqual(self.crinkle(*move, "-", *options), np.ascontiguousarray(rolled).tobytes())
        said = self.explained(*move, "out.npy", "--force", "--device", "cuda")
        self.assertIn("tiles", said)
        self.assertIn("\nthrough NVIDIA", said)
        self.refused(1, *move, "new.npy", "--device", "cuda", "--device-memory", "5", says=["out_of_memory", "at least"], lines=1)
        taken = self.array[np.arange(900) * 7 % 30].transpose(2, 0, 1)
        self.crinkle(*move, "out.npy", "--force", "--verify", "--device", "cuda", "--take", "z=indices.npy")
        self.assert_same(self.load("out.npy"), taken)

    def test_samples_are_binned_and_cross_validated_on_a_gpu(self):
        x, y, z = self.random.random((3, 500))
        self.save("samples.npy", np.stack([x, y, z], 1))
        grid = ["grid", "samples.npy", "--cell", ".1", "--extent", "0,0,1,.9", "--statistic", "count,mean,min,deviation"]
        best = ["interpolate", "samples.npy", "--cell", ".1", "--power", "auto", "--neighbours", "auto", "--json"]
        for name, *command in [grid, best]:
            with self.subTest(command=name):
                if not (has_gpu and self.has_cuda):
                    self.refused(1 if self.has_cuda else 2, name, command[0], "new.npy", *command[1:], "--device", "cuda", says=["CUDA device 0"], lines=1)
                    self.assertFalse((self.folder / "new.npy").exists())
                    continue
                on_cpu, on_gpu = (self.crinkle(name, command[0], f"{device}.npy", *command[1:], "--force", "--device", device) for device in ["cpu", "cuda"])
                if name == "grid":
                    self.assert_same(self.load("cuda.npy"), self.load("cpu.npy"))
                    continue
                for here, there in zip(json.loads(on_cpu)["scores"], json.loads(on_gpu)["scores"], strict=True):
                    self.assertAlmostEqual(here.pop("rmse"), there.pop("rmse"), delta=2e-12)
                    self.assertEqual(here, there)


if __name__ == "__main__":
    harness.main()
