#!/usr/bin/env python3
"""Runs the README's commands: every block fenced as ```sh run, in order, in one fresh folder, with the built command on the PATH.

    scripts/run_readme.py README.md BUILD_FOLDER WORK_FOLDER

A block fails where one of its commands fails. The blocks share their folder, so that a later one may use an earlier one's files. Without any
such block the answer is "skipped" (exit status 77).

SPDX-License-Identifier: BSD-3-Clause
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^```sh run[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def main(readme, build, work):
    text = pathlib.Path(readme).read_text(encoding="utf-8")
    blocks = [(text.count("\n", 0, found.start()) + 2, found.group(1)) for found in BLOCK.finditer(text)]
    if not blocks:
        print(f"no block of {readme} is fenced as ```sh run")
        return 77
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    environment = dict(os.environ, PATH=os.path.abspath(build) + os.pathsep + os.environ["PATH"])
    for line, block in blocks:
        print(f"--- {readme}:{line}\n{block}", end="", flush=True)
        status = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=work, env=environment, stdin=subprocess.DEVNULL).returncode
        if status != 0:
            print(f"{readme}:{line}: this block ended with status {status}")
            return 1
    print(f"{len(blocks)} blocks ran")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
