# The driver of the libraries that crinkle stands beside: every case's result is NumPy's, the document is what scripts read, a library that is
# not here is skipped with the reason, one that is wrong is named. No speed is judged.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import contextlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import types
from unittest import mock

import numpy as np
from harness import CommandTest

driver = harness.source_tree / "bench" / "rivals" / "drive.py"
sys.dont_write_bytecode = True
sys.path.insert(0, str(driver.parent))
import card
import drive
import host

library = pathlib.Path(harness.program).parent / "libcrinkle_c.so"
if not library.exists():
    print("skipped: this build has no libcrinkle_c.so")
    sys.exit(77)

# Modules of bench/rivals/modules/rival.h, by plain loops.
module = r"""
#include <vector>
#include "rival.h"
struct Prepared { rival_move m; std::vector<int64_t> extents; std::vector<int32_t> order, flipped; };
const char* rival_version(void) { return "1.2"; }
void* rival_prepare(const rival_move* m) {
  return new Prepared{*m, {m->extents, m->extents + m->rank}, {m->order, m->order + m->rank}, {m->flipped, m->flipped + m->rank}};
}
void rival_run(void* prepared) {
  const Prepared& p = *static_cast<Prepared*>(prepared);
  int64_t n = 1;
  for (int64_t extent : p.extents) n *= extent;
  for (int64_t i = 0; i < n; ++i) {
    std::vector<int64_t> place(p.m.rank);
    int64_t rest = i, to = 0;
    for (int k = p.m.rank; k-- > 0; rest /= p.extents[k]) place[k] = rest % p.extents[k];
    for (int k = 0; k < p.m.rank; ++k) {
      const int64_t extent = p.extents[p.order[k]], at = place[p.order[k]];
      to = to * extent + (p.flipped[k] ? extent - 1 - at : at);
    }
    for (int b = 0; b < p.m.element_bytes; ++b)
      static_cast<char*>(p.m.dst)[to * p.m.element_bytes + b] = static_cast<const char*>(p.m.src)[i * p.m.element_bytes + b] + WRONG;
  }
}
"""
shuffle = r"""
extern "C" int blosc2_shuffle(int element, int block, const char* src, char* dst) {
  for (int i = 0; i < block; ++i) dst[i % element * (block / element) + i / element] = src[i];
  return block;
}
"""


class Rivals(CommandTest):
    def drive(self, *options, python_path="", library=library, threads=2, caches=("--hot",)):
        environment = {**os.environ, "PYTHONPATH": str(python_path), "PYTHONDONTWRITEBYTECODE": "1"}
        size = [] if "--permutations" in options else ["--bytes", "65536"]
        return subprocess.run([sys.executable, driver, library, *size, "--samples", "7", "--no-compile", *caches,
                               *(["--threads", str(threads)] if threads else []), *options],
                              cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)

    def test_every_case_is_numpys_and_has_a_row(self):
        done = self.drive("--rival", "NumPy", "-o", "rivals.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads((self.folder / "rivals.json").read_text())
        self.assertEqual((document["schema"], document["suite"]), (1, "rivals"))
        self.assertTrue(document["device"].endswith(", 2 threads"))
        names = [row["name"] for row in document["rows"]]
        self.assertEqual(len(names), len(set(names)))
        for name in ["transpose", "order_210", "interlace_9", "deinterlace_2", "bit_planes_4", "roll_flip_transpose"]:
            self.assertIn(name, names)
        for row in document["rows"]:
            self.assertGreater(row["seconds"], 0)
            self.assertAlmostEqual(row["gb_per_s"], row["bytes"] / row["seconds"] * 1e-9, 6)
            self.assertEqual(row["copied_bytes"], row["bytes"], row["name"])  # a copy of all that is moved, of however many arrays
            self.assertGreater(row["copy_iqr"], 0)
            self.assertIn(row["best_copy"], ["memcpy", "streamed", "interleaved", "memcpy_1_thread"])
            self.assertEqual([label.split()[0] for label in row["rivals"]], [] if row["name"].startswith("bit_planes") else ["NumPy"])
            self.assertNotIn("cold", row)
        self.assertEqual(document["skipped"]["OpenCV"], "not asked for")
        self.assertIn("skipped cuTENSOR: ", done.stdout)
        self.assertIn("NumPy", done.stdout.splitlines()[-1])
        self.assertEqual([path.name for path in self.folder.iterdir()], ["rivals.json"])

    def test_all_take_turns_with_empty_caches_too(self):
        done = self.drive("--rival", "NumPy", "--case", "roll_flip_transpose", "-o", "rivals.json", caches=(), threads=1)
        self.assertEqual(done.returncode, 0, done.stderr)
        for row in json.loads((self.folder / "rivals.json").read_text())["rows"]:
            cold = row["cold"]
            self.assertAlmostEqual(cold["fraction_of_copy"], cold["copy_seconds"] / cold["seconds"], 6)
            self.assertGreaterEqual(min(cold["iqr"], cold["copy_iqr"]), 0)
            for rival in row["rivals"].values():
                self.assertGreater(rival["cold"]["seconds"], 0)
        self.assertRegex(done.stdout, r"\nroll_flip_transpose +[\d.]+ +\d+ % +\d+ %  [#.]{10} ")
        self.assertRegex(done.stdout.splitlines()[-1], r"times as fast \(geometric mean of \d+\), least [\d.]+; cold [\d.]+, least [\d.]+$")

    def test_cold_turns_are_seven_of_everyone_who_can_be_timed_so(self):
        log = []
        place = types.SimpleNamespace(is_timed_cold=lambda label: label != "JAX 1", cold_seconds=lambda run: run() or float(len(log)))
        runs = {label: lambda label=label: log.append(label) for label in ["crinkle", "JAX 1", "copy a"]}
        samples = drive.take_cold_turns(runs, place)
        self.assertEqual(log, ["crinkle", "copy a", "copy a", "crinkle"] * 3 + ["crinkle", "copy a"])
        self.assertEqual(samples, {"crinkle": [1, 4, 5, 8, 9, 12, 13], "copy a": [2, 3, 6, 7, 10, 11, 14]})

    def test_a_cold_run_of_the_host_stands_behind_a_pass(self):
        place, log = host.Host(1), []
        with mock.patch.object(host.Host, "emptying_bytes", 1 << 16), mock.patch.object(host.numpy, "max", lambda part: log.append(part.nbytes)):
            self.assertGreaterEqual(place.cold_seconds(lambda: log.append("run")), 0)
        self.assertEqual((sum(log[:-1]), log[-1]), (1 << 16, "run"))

    def test_a_cold_run_of_a_gpu_is_behind_a_pass_and_between_events(self):
        log = []
        def event():
            name = f"event {sum(line == 'made' for line in log)}"
            log.append("made")
            return types.SimpleNamespace(record=lambda: log.append(name), synchronize=lambda: log.append("wait"))
        cupy = types.SimpleNamespace(RawKernel=lambda code, name: None, ones=lambda n, kind: types.SimpleNamespace(max=lambda: log.append(("pass", 8 * n))), uint64=None, cuda=types.SimpleNamespace(
            Event=event, get_elapsed_time=lambda begin, end: 4, runtime=types.SimpleNamespace(CUDARuntimeError=RuntimeError, getDeviceProperties=lambda n: {"name": b"a card"},
                                                                                              driverGetVersion=lambda: 13020, runtimeGetVersion=lambda: 13000)))
        with mock.patch.dict(sys.modules, cupy=cupy):
            place = card.Card()
        self.assertEqual(place.cold_seconds(lambda: log.append("run")), 4e-3)
        self.assertEqual(log[2:], [("pass", card.Card.emptying_bytes), "event 0", "run", "event 1", "wait"] * card.Card.cold_runs)
        self.assertTrue(place.is_timed_cold("PyTorch 2") and not place.is_timed_cold("JAX 0.1 compiled"))

    def test_permutations_of_a_case_file(self):
        (self.folder / "cases.txt").write_text("# a comment\nsquare 4 2 1 0 60 50\nbytes 1 2 1 0 6 5\nturned 8 3 2 0 1 7 20 30  # kept\nrolled 4 spec 'y x -> y x' 6 5 --roll y=1\n")
        done = self.drive("--rival", "NumPy", "--permutations", "cases.txt", "-o", "r.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = json.loads((self.folder / "r.json").read_text())["rows"]
        self.assertEqual([(row["name"], row["element_bytes"], row["bytes"]) for row in rows], [("square", 4, 2 * 60 * 50 * 4), ("turned", 8, 2 * 7 * 20 * 30 * 8)])
        self.assertIn("times as fast (geometric mean of 2)", done.stdout)

    def test_the_machine_is_named_as_the_command_names_it(self):
        self.drive("--rival", "NumPy", "--case", "byte_swap", "-o", "rivals.json")
        here = json.loads((self.folder / "rivals.json").read_text())
        command = json.loads(self.crinkle("bench", "copy", "--bytes", "1000", "--threads", "2", "--json", "-"))
        self.assertEqual((here["device"], here["driver"]), (command["device"], command["driver"]))
        self.assertRegex(here["device"], r"^.+ \((family \w+, model \w+, )?\d+ processors?\), 2 threads$")
        (self.folder / "cpuinfo").write_text("processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n\nprocessor\t: 1\nmodel\t\t: 18\n")
        self.assertEqual(host.cpu_name(self.folder / "cpuinfo"), "AMD EPYC (family 25, model 17, 2 processors)")

    def test_a_library_that_is_not_here_is_told_in_one_line(self):
        done = self.drive("--rival", "NumPy", library="nowhere/libcrinkle_c.so")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^nowhere/libcrinkle_c\.so cannot be loaded: .*No such file or directory\n$")
        (self.folder / "numpy.py").write_text("raise ImportError(\"No module named 'numpy'\", name='numpy')")
        done = self.drive("--rival", "NumPy", python_path=self.folder)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^NumPy is the definition of every result.*: No module named 'numpy'; pip install numpy\n$")

    def test_the_copies_on_a_gpu_are_the_drivers_and_a_kernels(self):
        cupy = types.SimpleNamespace(RawKernel=lambda code, name: lambda grid, block, arguments: done.append((grid, block, *arguments)), cuda=types.SimpleNamespace(runtime=types.SimpleNamespace(
            CUDARuntimeError=RuntimeError, getDeviceProperties=lambda n: {"name": b"a card"}, driverGetVersion=lambda: 13020, runtimeGetVersion=lambda: 13000,
            memcpyDeviceToDevice=3, memcpyAsync=lambda *arguments: done.append(arguments))))
        source, destination = (types.SimpleNamespace(nbytes=n, data=types.SimpleNamespace(ptr=at)) for n, at in ((16 * 257 + 5, 100), (16 * 257 + 5, 200)))
        done = []
        with mock.patch.dict(sys.modules, cupy=cupy):
            copies = card.Card().copies(None, source, destination)
        self.assertEqual(list(copies), ["driver", "kernel"])
        copies["driver"](), copies["kernel"]()
        self.assertEqual(done, [(200, 100, 16 * 257 + 5, 3, 0), ((2,), (256,), source, destination, 257)])

    def test_a_library_that_is_not_here_is_skipped_and_a_wrong_one_named(self):
        (self.folder / "cv2.py").write_text("raise ImportError('no such library')")
        done = self.drive("--rival", "OpenCV", "--case", "flip_slow", python_path=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("skipped OpenCV: no such library; pip install opencv-python-headless", done.stdout)
        (self.folder / "cv2.py").write_text("__version__ = '0'\ndef setNumThreads(n): pass\ndef flip(source, axis, destination): destination[...] = source\n")
        done = self.drive("--rival", "OpenCV", "--case", "flip_slow", python_path=self.folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "flip_slow: the result of OpenCV 0 is not NumPy's\n")

    def test_libraries_that_are_no_python_packages_are_modules_beside_the_library(self):
        beside = self.folder / library.name
        beside.symlink_to(library)
        done = self.drive("--rival", "Eigen", "--rival", "oneDNN", "--case", "flip_slow", library=beside)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name, package in [("Eigen", "libeigen3-dev"), ("oneDNN", "libdnnl-dev")]:
            self.assertRegex(done.stdout, rf"skipped {name}: no librival_{name.lower()}\.so beside libcrinkle_c\.so; apt-get install {package}, .*CRINKLE_BENCH=ON\n")
        source = self.folder / "module.cpp"
        for wrong, status in [(0, 0), (1, 1)]:
            source.write_text(module.replace("WRONG", str(wrong)))
            subprocess.run(["c++", "-shared", "-fPIC", f"-I{driver.parent / 'modules'}", source, "-o", self.folder / "librival_eigen.so"], check=True)
            done = self.drive("--rival", "Eigen", "--case", "transpose", "--case", "order_", "--case", "channels", "--case", "crinkle", "-o", "r.json", library=beside)
            self.assertEqual(done.returncode, status, done.stderr)
            if wrong:
                self.assertRegex(done.stderr, r"^transpose: the result of Eigen 1\.2 is not NumPy's\n$")
        rows = {row["name"]: row["rivals"] for row in json.loads((self.folder / "r.json").read_text())["rows"]}
        self.assertEqual({name for name, rivals in rows.items() if "Eigen 1.2" in rivals}, set(rows) - {"roll_flip_transpose"})

    def test_blosc_goes_block_by_block(self):
        package = self.folder / "blosc2"
        (package / "lib").mkdir(parents=True)
        (package / "__init__.py").write_text("__version__ = '3'\n")
        done = self.drive("--rival", "Blosc", "--case", "byte_shuffle", python_path=self.folder)
        self.assertIn("skipped Blosc: its Python package has no libblosc2.so", done.stdout)
        (self.folder / "shuffle.cpp").write_text(shuffle)
        subprocess.run(["c++", "-shared", "-fPIC", self.folder / "shuffle.cpp", "-o", package / "lib" / "libblosc2.so"], check=True)
        for threads in ["1", "2"]:
            done = self.drive("--rival", "Blosc", "--case", "byte_shuffle", "--bytes", str(5 << 18), "--threads", threads, "-o", "b.json", python_path=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            for row in json.loads((self.folder / "b.json").read_text())["rows"]:
                self.assertEqual(set(row["rivals"]) - {"Blosc 3"}, {label for label in row["rivals"] if label.startswith("NumPy")})
                self.assertIn("Blosc 3", row["rivals"])

    def test_a_gpu_needs_cupy_and_a_card(self):
        (self.folder / "cupy.py").write_text("raise ImportError('no such library')")
        done = self.drive("--device", "cuda", python_path=self.folder, threads=None)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, "NumPy is the definition of every result, and on a GPU CuPy has the arrays: no such library; pip install cupy-cuda13x\n")
        (self.folder / "cupy.py").write_text("""class cuda:
    class runtime:
        class CUDARuntimeError(RuntimeError): pass
        def getDeviceProperties(n): raise cuda.runtime.CUDARuntimeError('cudaErrorNoDevice')
""")
        done = self.drive("--device", "cuda", python_path=self.folder, threads=None)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("no GPU: cudaErrorNoDevice", done.stderr)

    def test_the_other_suites_have_their_cases_and_rivals(self):
        beside = self.folder / library.name
        beside.symlink_to(library)
        source = driver.parent / "modules" / "loops.cpp"
        subprocess.run(["c++", "-std=c++20", "-shared", "-fPIC", source, "-o", self.folder / "librival_loops.so"], check=True)
        done = self.drive("--suite", "records", "--rival", "NumPy", "--rival", "a plain loop", "--case", "_n3_e2", "--case", "u1+f4+f8", "-o", "r.json", library=beside)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = json.loads((self.folder / "r.json").read_text())["rows"]
        self.assertEqual([row["name"] for row in rows], ["apart_n3_e2", "together_n3_e2", "apart_u1+f4+f8", "together_u1+f4+f8"])
        for row in rows:
            self.assertEqual([label.split(" ")[0] for label in row["rivals"]], ["NumPy", "a"])
            self.assertEqual(row["copied_bytes"], row["bytes"], row["name"])
        done = self.drive("--suite", "views", "--rival", "NumPy", "--case", "_1024", "-o", "v.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([row["name"] for row in json.loads((self.folder / "v.json").read_text())["rows"]],
                         [f"{view}_1024" for view in ("transpose", "flip_fast", "flip_slow", "zyx_to_xzy", "step_2", "roll", "copy")])

    def test_scipy_stands_beside_the_command(self):
        try:
            import scipy  # noqa: F401
        except ImportError:
            self.skipTest("no SciPy")
        done = self.drive("--suite", "pairs", "--case", "chebyshev_square_float32_n1024_f3", "-o", "p.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        row, = json.loads((self.folder / "p.json").read_text())["rows"]
        self.assertEqual((row["name"], row["bytes"], row["checked"]), ("chebyshev_square_float32_n1024_f3", 4 << 20, "sample"))
        self.assertGreater(row["rivals"][f"SciPy {scipy.__version__}"]["seconds"], 0)

    def test_maps_stand_beside_those_of_others(self):
        try:
            import scipy  # noqa: F401
        except ImportError:
            self.skipTest("no SciPy")
        done = self.drive("--suite", "interpolate", "--case", "nearest_k12_n100000_", "-o", "i.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        row, = json.loads((self.folder / "i.json").read_text())["rows"]
        self.assertEqual((row["name"], row["checked"]), ("nearest_k12_n100000_316x316", "cKDTree"))
        self.assertGreater(row["seconds"], row["sums_seconds"])
        self.assertGreater(row["rivals"][f"cKDTree (SciPy {scipy.__version__})"]["seconds"], 0)
        done = self.drive("--suite", "interpolate", "--case", "all_p2_n16384_", "-o", "i.json")
        if shutil.which("gdal_grid") is None or not (library.parent / "libcrinkle_gdal.so").exists():
            self.assertRegex(done.stderr, "gdal_grid|this build has no GDAL")
            return
        self.assertEqual(done.returncode, 0, done.stderr)
        row, = json.loads((self.folder / "i.json").read_text())["rows"]
        self.assertEqual([label.split(" ")[0] for label in row["rivals"]], ["gdal_grid"])

    def test_sums_of_chunks_are_those_of_all_pairs(self):
        import interpolate_others as others
        places, values, targets = others.lattice_points(300)
        self.assertEqual((places.shape, values.shape, targets.shape, {a.dtype for a in (places, values, targets)}), ((300, 2), (300,), (300, 2), {np.dtype("f4")}))
        weights = 1 / ((targets[:, None].astype("f8") - places) ** 2).sum(2)
        wanted = (weights * values).sum(1) / weights.sum(1)
        for n_pairs, n_samples in [(1, 7), (1000, 64), (1 << 20, 1 << 16)]:
            means = others.in_chunks(others.weighted_sums, places, values, targets, n_pairs, n_samples)
            found = np.concatenate(means)
            self.assertEqual(found.shape, (300,))
            np.testing.assert_allclose(found, wanted, rtol=1e-5)
            others.check_means("it", found, places, values, targets)
        with self.assertRaisesRegex(RuntimeError, "^it: another result than NumPy's, by "):
            others.check_means("it", found + 0.01, places, values, targets)
        self.assertEqual([name for name, _ in others.card_names(["n65536"])], ["full_sum_float32_p2_n65536"])

    def test_wrong_requests(self):
        for options, says in [(["--samples", "6"], "7 or more"), (["--threads", "0"], "1 or more"), (["--device", "cuda", "--threads", "2"], "--threads is of the CPU"),
                              (["--permutations", "nosuch.txt"], "nosuch.txt: it is no file"), (["--permutations", os.devnull], "it is no file"),
                              (["--bytes", "65536", "--permutations", "cases.txt"], "not allowed with"), (["--suite", "pairs", "--device", "cuda"], "--suite pairs is of the CPU")]:
            said = io.StringIO()
            with mock.patch.object(sys, "argv", ["drive.py", str(library), *options]), contextlib.redirect_stderr(said), self.assertRaises(SystemExit):
                drive.main()
            self.assertIn(says, said.getvalue())
        done = self.drive("--rival", "NumPy", "--case", "nosuch")
        self.assertEqual((done.returncode, "no case has 'nosuch' in its name" in done.stderr), (1, True))


if __name__ == "__main__":
    harness.main()
