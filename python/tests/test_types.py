"""The stubs say what is there: names, arguments and their defaults; and programs that use them are checked by them.

SPDX-License-Identifier: BSD-3-Clause
"""
import ast
import importlib
import importlib.util
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("mypy")

program = """
import numpy as np
import crinkle as ck
import crinkle.einops as einops
x = np.zeros((2, 3), np.float32)
y = ck.flip(x, axis=0)
y.shape
ck.fft.fft(x, axis=-1, norm="ortho")
packed, shapes = einops.pack([x], "a *")
packed.ndim, shapes[0][0]
ck.save("x.npy", x, progress=lambda done, total: print(done / total))
ck.move(x, "y x -> x y", roll={"x": 3}).shape
"""
wrong = ['ck.fft.fft(x, norm="best")', "ck.squareform(x, force=3)", 'ck.move(x, 3)', "einops.unpack(x, 3, 'a *')", 'ck.fft.fffft(x)', 'ck.load("x", progress="yes")']


def check(arguments, tmp_path, text=None):
    (tmp_path / "mypy.ini").write_text("[mypy]\nignore_missing_imports = True\ndisable_error_code = import-untyped\n[mypy-crinkle._*]\nignore_errors = True\n")
    allowed = ["crinkle\\._.*"]  # the extension's functions are nanobind's own type of function
    allowed += ["crinkle\\.xarray"] * (importlib.util.find_spec("xarray") is None)  # which imports it
    (tmp_path / "allowed.txt").write_text("\n".join(allowed) + "\n")
    if text is not None:
        (tmp_path / "program.py").write_text(text)
    return subprocess.run([sys.executable, "-m", *arguments], cwd=tmp_path, capture_output=True, text=True)


def test_the_stubs_are_what_is_there(tmp_path):
    done = check(["mypy.stubtest", "crinkle", "--mypy-config-file", "mypy.ini", "--allowlist", "allowed.txt"], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["crinkle", "crinkle.einops", "crinkle.fft"])
def test_every_public_name_has_a_stub_and_says_what_it_does(name):
    module = importlib.import_module(name)
    stub = ast.parse(pathlib.Path(module.__file__).with_suffix(".pyi").read_text())
    told = {getattr(alias, "asname", None) or alias.name for s in stub.body if isinstance(s, (ast.ImportFrom, ast.Import)) for alias in s.names}
    told |= {s.name for s in stub.body if isinstance(s, (ast.FunctionDef, ast.ClassDef))} | {s.target.id for s in stub.body if isinstance(s, ast.AnnAssign)}
    public = getattr(module, "__all__", None) or [n for n, f in vars(module).items() if not n.startswith("_") and getattr(f, "__module__", None) == name]
    assert len(public) >= 6 and set(public) <= told
    assert [n for n in public if not (getattr(module, n).__doc__ or "").strip()] == []


def test_programs_are_checked(tmp_path):
    done = check(["mypy", "program.py"], tmp_path, program)
    assert done.returncode == 0, done.stdout + done.stderr
    done = check(["mypy", "program.py"], tmp_path, program + "\n".join(wrong) + "\n")
    n_lines = program.count("\n") + 1
    assert [k for k in range(len(wrong)) if f"program.py:{n_lines + k}: error" not in done.stdout] == [], done.stdout
