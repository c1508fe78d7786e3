# What every test of the command shares: where the program is, a folder that goes away, a run that is never silent about a failure, and a
# seed that is printed. The program is argv[1] or the environment variable CRINKLE; CRINKLE_SEED and CRINKLE_CHAINS look further.
# SPDX-License-Identifier: BSD-3-Clause
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

debian_python = "/usr/bin/python3"
try:
    import numpy as np
except ImportError:
    if sys.executable != debian_python and os.path.exists(debian_python) and "CRINKLE_PYTHON" not in os.environ:
        os.environ["CRINKLE_PYTHON"] = debian_python
        os.execv(debian_python, [debian_python, *sys.argv])
    print("skipped: NumPy is not installed")
    sys.exit(77)

program = os.environ.get("CRINKLE", "")
seed = int(os.environ.get("CRINKLE_SEED", "20261120"))
n_chains = int(os.environ.get("CRINKLE_CHAINS", "300"))
source_tree = Path(__file__).resolve().parents[2]
temporaries = ".crinkle-*"

done, failed, wrong = 0, 1, 2
slab, rest = 4 << 20, 30 << 20  # bytes, where memory is measured: of a slab; of the program, its threads and its plans


def main():
    global program
    arguments = sys.argv[:1]
    for argument in sys.argv[1:]:
        if not program and os.access(argument, os.X_OK):
            program = argument
        else:
            arguments.append(argument)
    if not program:
        sys.exit("usage: " + sys.argv[0] + " PROGRAM, the crinkle program to test")
    program = str(Path(program).resolve())
    print(f"seed {seed}, {n_chains} chains", flush=True)
    unittest.main(module="__main__", argv=arguments)


def filled(shape, dtype, random):
    """Random bytes, so that NaN payloads and padding bytes take part; kinds that have rules obey them."""
    dtype = np.dtype(dtype)
    n = int(np.prod(shape, dtype=np.int64))
    raw = random.integers(0, 256, n * dtype.itemsize, dtype=np.uint8)
    if dtype.kind in "bU":
        raw &= 1
    return np.frombuffer(raw.tobytes(), dtype).reshape(shape) if n else np.zeros(shape, dtype)


def element_bytes(array):
    """The array as bytes, [..., bytes of an element]."""
    array = np.ascontiguousarray(array) if array.ndim else array.copy()
    return np.frombuffer(array.tobytes(), np.uint8).reshape(*array.shape, array.dtype.itemsize)


class CommandTest(unittest.TestCase):
    maxDiff = None
    called = "crinkle"  # what errors begin with

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="crinkle-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.random = np.random.default_rng(seed)

    def path(self, name):
        return str(self.folder / name)

    def run_crinkle(self, *arguments, stdin=b"", **options):
        return subprocess.run([program, *map(str, arguments)], input=stdin, capture_output=True, cwd=self.folder, timeout=300, **options)

    def crinkle(self, *arguments, stdin=b""):
        """Runs it; it must succeed without a word of error. Returns standard output."""
        result = self.run_crinkle(*arguments, stdin=stdin)
        self.assertEqual(result.returncode, done, f"{shlex.join(map(str, arguments))}\n{result.stderr.decode()}")
        return result.stdout

    def peak(self, *arguments, stdin=None, status=done):
        """The most memory that a run had in use, mapped files included, with slabs of `slab` bytes; standard output goes to the file "stdout". A
        process begins with its parent's: hence a small one between."""
        if b"__asan_init" in Path(program).read_bytes():
            self.skipTest("AddressSanitizer has memory of its own")
        measure = "import os, sys; _, status, usage = os.wait4(os.spawnv(os.P_NOWAIT, sys.argv[2], sys.argv[2:]), 0); " \
                  "open(sys.argv[1], 'w').write(f'{status} {usage.ru_maxrss}')"
        with open(self.path("stdout"), "wb") as out:
            subprocess.run([sys.executable, "-S", "-c", measure, self.path("measured"), program, *map(str, arguments)], cwd=self.folder, input=stdin, stdout=out,
                           stderr=subprocess.PIPE, check=True, env={**os.environ, "CRINKLE_FORCE": f"slab_bytes={slab}"})
        ended, kibibytes = map(int, Path(self.path("measured")).read_text().split())
        self.assertEqual(os.waitstatus_to_exitcode(ended), status, shlex.join(map(str, arguments)))
        return kibibytes * 1024

    def save(self, name, array):
        np.save(self.path(name), array, allow_pickle=False)

    def load(self, name):
        return np.load(self.path(name), allow_pickle=False)

    def give_place(self, name):
        """Voxels of 2 mm and a place in the world, to a .nii that the program made, whose header says neither."""
        volume = bytearray((self.folder / name).read_bytes())
        volume[80:92] = np.full(3, 2, "<f4").tobytes()
        volume[123] = 2  # millimetres
        volume[254:256] = np.int16(1).tobytes()  # sform_code
        volume[280:328] = np.array([[2, 0, 0, 5], [0, 2, 0, 6], [0, 0, 2, 7]], "<f4").tobytes()
        (self.folder / name).write_bytes(volume)

    def listing(self):
        return {p.name: p.read_bytes() for p in self.folder.iterdir() if p.is_file()}

    def refused(self, status, *arguments, says=(), stdin=b"", lines=None):
        """It ends with `status` and one line that says all of `says`; a caret may stand below. No file comes, goes or changes."""
        before = self.listing()
        result = self.run_crinkle(*arguments, stdin=stdin)
        told = f"{shlex.join(map(str, arguments))}\n{result.stderr.decode(errors='replace')}"
        self.assertEqual(result.returncode, status, told)
        text = result.stderr.decode().splitlines()
        self.assertTrue(text and text[0].startswith(self.called + ": "), told)
        if len(text) > 1:
            self.assertEqual(len(text), 3, told)
            self.assertRegex(text[2], r"^ +\^+$", told)
        if lines is not None:
            self.assertEqual(len(text), lines, told)
        for word in [says] if isinstance(says, str) else says:
            self.assertIn(word, result.stderr.decode(), told)
        self.assertEqual(result.stdout, b"", told)
        self.assertEqual(self.listing(), before, told)
        return text

    def assert_same(self, got, want, message=""):
        self.assertEqual(got.shape, want.shape, message)
        self.assertEqual(got.dtype.itemsize, want.dtype.itemsize, message)
        self.assertTrue(got.tobytes() == np.ascontiguousarray(want).tobytes(), f"the bytes differ: {message}")
