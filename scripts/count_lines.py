#!/usr/bin/env python3
"""No source file is longer than 320 lines and every one carries its licence line; the totals are printed folder by folder.

`--self-test` plants a long file and one without a licence and expects both to be found.

SPDX-License-Identifier: BSD-3-Clause
"""
import collections
import pathlib
import sys

LIMIT = 320
SUFFIXES = {".cpp", ".hpp", ".cu", ".cuh", ".h", ".py", ".sh"}
SKIPPED = {"out"}
LICENCE = "SPDX-License-Identifier: BSD-3-Clause"


def check(name, text):
    faults = []
    n_lines = text.count("\n") + (not text.endswith("\n"))
    if n_lines > LIMIT:
        faults.append(f"{name}: {n_lines} lines, more than {LIMIT}; split it by what it decides")
    if LICENCE not in "\n".join(text.splitlines()[:40]):
        faults.append(f"{name}: no line '{LICENCE}' in its head")
    return n_lines, faults


def self_test():
    ok = check("long.cpp", f"// {LICENCE}\n" + "\n" * LIMIT)[1] and check("bare.cpp", "int x;\n")[1]
    ok = ok and not check("good.cpp", f"// {LICENCE}\n" + "\n" * (LIMIT - 1))[1]
    print("a long file and a file without licence are found" if ok else "a planted fault was not found")
    return 0 if ok else 1


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    root = pathlib.Path(__file__).parent.parent
    totals, faults = collections.Counter(), []
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if path.suffix not in SUFFIXES or not path.is_file() or name.parts[0] in SKIPPED or name.parts[0].startswith((".", "build")):
            continue
        n_lines, found = check(name, path.read_text(encoding="utf-8"))
        totals["/".join(name.parts[:2]) if len(name.parts) > 2 else name.parts[0]] += n_lines
        faults += found
    for folder, n_lines in sorted(totals.items()):
        print(f"{n_lines:7} {folder}")
    print(f"{sum(totals.values()):7} in all")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
