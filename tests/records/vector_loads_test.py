#!/usr/bin/env python3
"""Views load and store records by the widest words that a layout allows, as the PTX of in_a_kernel.cu shows; get() of a field at an address
that its type does not allow is no program. Skipped in part where there is no nvcc.

SPDX-License-Identifier: BSD-3-Clause
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parent.parent.parent
INCLUDE = f"-I{ROOT / 'include'}"

# Of every kernel: how many of which accesses to global memory, the type behind the width left out.
EXPECTED = {
    "push_aos": {"ld b32": 4, "st b32": 2},  # what is stored as it was loaded is not stored
    "push_aos_16": {"ld v4.b32": 1, "st v4.b32": 1},
    "push_pairs": {"ld v2.b32": 2, "st v2.b32": 2},
    "push_soa": {"ld b32": 4},
    "push_aosoa_8": {"ld b32": 4},
    "push_run_time": {"ld v4.b32": 1, "st v4.b32": 1},
    "sum_aos_16": {"ld v4.b32": 2},
    "sum_vectors": {"ld v4.b32": 1, "ld v2.b64": 1},
}

PROGRAM = """
#include "crinkle/records.hpp"
struct Mixed { unsigned char a; double b; };
using Mixeds = crinkle::Record<Mixed, &Mixed::a, &Mixed::b>;
struct Other { int c; };
double one(void* base) { return %s; }
"""
VIEW = "crinkle::RecordView<Mixeds, %s>(base, 3)"
GET = VIEW + ".get(crinkle::field<&Mixed::b>(), 1)"
REFUSED = [
    (GET % "crinkle::Aos<>", "its type does not allow"),
    (GET % "crinkle::Soa", "its type does not allow"),
    (VIEW % "crinkle::Soa" + ".load(crinkle::field<&Other::c>(), 1)", "no field of the record"),
    (VIEW % "crinkle::Apart<crinkle::Soa>" + ".size()", "has its own array"),
    (VIEW % "crinkle::Groups<crinkle::Members<&Mixed::a>>" + ".size()", "in one group, once"),
    (VIEW % "crinkle::Groups<crinkle::Members<&Mixed::a, &Mixed::b>, crinkle::Members<&Mixed::a>>" + ".size()", "in one group, once"),
    (VIEW % "crinkle::Aos<12>" + ".size()", "power of two"),
    (VIEW % "crinkle::Aosoa<0>" + ".size()", "one record or more"),
]
TAKEN = [GET % "crinkle::Aos<8>", VIEW % "crinkle::Aos<>" + ".load(crinkle::field<&Mixed::b>(), 1)"]


def compiled(folder, expression):
    source = folder / "one.cpp"
    source.write_text(PROGRAM % expression, encoding="utf-8")
    return subprocess.run(["g++", "-std=c++20", "-fsyntax-only", INCLUDE, str(source)], capture_output=True, text=True, check=False)


def accesses_of(ptx):
    counts = {}
    for kernel, body in re.findall(r"\.entry (\w+)\((.*?)\n}", ptx, re.S):
        counts[kernel] = {}
        for what, vector, bits in re.findall(r"\b(ld|st)\.global(?:\.nc)?(\.v\d)?\.[a-z](\d+)", body):
            name = f"{what} {vector[1:] + '.' if vector else ''}b{bits}"
            counts[kernel][name] = counts[kernel].get(name, 0) + 1
    return counts


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for expression, says in REFUSED:
            result = compiled(folder, expression)
            assert result.returncode != 0 and says in result.stderr, f"{expression}: {result.stderr}"
        for expression in TAKEN:
            result = compiled(folder, expression)
            assert result.returncode == 0, f"{expression}: {result.stderr}"
        nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
        if nvcc is None:
            print("no nvcc: what kernels load was not looked at")
            return 77
        ptx = folder / "kernels.ptx"
        subprocess.run([nvcc, "-ptx", INCLUDE, "-o", str(ptx), str(ROOT / "tests/records/in_a_kernel.cu")], check=True)
        counts = accesses_of(ptx.read_text(encoding="utf-8"))
    for kernel, expected in EXPECTED.items():
        for access, n in expected.items():
            assert counts[kernel].get(access, 0) == n, f"{kernel}: {counts[kernel]}, not {n} {access}"
    assert not any(" v" in access for access in counts["push_soa"]), counts["push_soa"]
    return 0


if __name__ == "__main__":
    sys.exit(main())
