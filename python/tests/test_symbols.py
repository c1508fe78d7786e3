"""The extension shows the process one name, that by which Python finds it: with more, its copies of other people's functions (the C++ library's, where
it is linked in) would take the place of those that other extensions, such as torch's, were built with.

SPDX-License-Identifier: BSD-3-Clause
"""
import pathlib
import shutil
import struct
import subprocess
import sys

import pytest

import crinkle as ck


def exported(path):
    """The names that a shared library of 64 bits gives to others, from its table of dynamic symbols."""
    data = pathlib.Path(path).read_bytes()
    assert data[:6] == b"\x7fELF\x02\x01"
    sections_at, = struct.unpack_from("<Q", data, 40)
    size, n = struct.unpack_from("<HH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, sections_at + k * size) for k in range(n)]
    names = set()
    for _, kind, _, _, at, length, link, _, _, each in sections:
        if kind != 11:  # SHT_DYNSYM
            continue
        texts_at = sections[link][4]
        for k in range(length // each):
            name, info, other, section = struct.unpack_from("<IBBH", data, at + k * each)
            if section != 0 and info >> 4 != 0 and other & 3 in (0, 3):  # defined here, not local, visible
                names.add(data[texts_at + name:data.index(b"\0", texts_at + name)].decode())
    return names


def test_the_extension_exports_its_entry_alone():
    names = exported(ck._core.__file__)
    assert names == {"PyInit__core"}, f"{len(names)} names: {sorted(names)[:20]}"


def test_the_reader_reads_what_nm_does():
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("there is no nm here")
    for library in (ck._core.__file__, *(str(p) for p in (pathlib.Path(ck.__file__).parents[1] / "crinkle_arrays.libs").glob("*.so*"))):
        lines = subprocess.run([nm, "-D", "--defined-only", "--without-symbol-versions", library], capture_output=True, text=True, check=True).stdout.splitlines()
        assert exported(library) == {line.split()[-1] for line in lines}


@pytest.mark.parametrize("first, second", [("crinkle", "torch"), ("torch", "crinkle")])
def test_torch_beside_it(first, second):
    pytest.importorskip("torch", reason="torch is what such names took apart")
    program = f"import {first}, {second}; t = torch.arange(6.).reshape(2, 3); assert torch.equal(crinkle.move(t, 'y x -> x y'), t.t()); (t @ t.t()).sum()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
