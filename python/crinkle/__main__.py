"""The command: ``python -m crinkle`` and ``crinkle``, the program that the wheel carries.

SPDX-License-Identifier: BSD-3-Clause
"""
import os
import sys

from ._files import command


def main():
    program = command()
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
