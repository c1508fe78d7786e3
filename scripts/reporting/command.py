"""The command: scripts/report [-o PAGE.html] [--force] [--markdown] [FILE.json …]. Exit status 2 where something is refused, and then nothing is written.

SPDX-License-Identifier: BSD-3-Clause
"""
import argparse
import os
import pathlib
import sys
import tempfile

from . import markdown, page
from .read import Refused, read

RESULTS = pathlib.Path(__file__).resolve().parent.parent.parent / "bench" / "results"


def write_whole(path, text):
    """The file appears under its name when it is complete, or not at all."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def main(arguments):
    parser = argparse.ArgumentParser(prog="report", description="benchmark results as one HTML page, or as Markdown tables")
    parser.add_argument("files", nargs="*", metavar="FILE.json", help="what crinkle's benchmarks wrote (default: all of bench/results)")
    parser.add_argument("-o", "--output", metavar="PAGE.html", help="the page (default: report.html)")
    parser.add_argument("--force", action="store_true", help="write over an existing page")
    parser.add_argument("--markdown", action="store_true", help="print tables instead of writing a page")
    options = parser.parse_args(arguments)
    if options.markdown and (options.output or options.force):
        parser.error("--markdown prints; it takes no -o and no --force")
    paths = [pathlib.Path(name) for name in options.files] or sorted(RESULTS.glob("*/*.json"))
    output = pathlib.Path(options.output or "report.html")
    try:
        if not paths:
            raise Refused(f"{RESULTS}: no results; name files")
        if not options.markdown:
            if any(output.resolve() == path.resolve() for path in paths):
                raise Refused(f"{output}: is one of the files to read")
            if output.is_dir() or (output.exists() and not options.force):
                raise Refused(f"{output}: is there already; --force writes over a file")
        files = [read(path) for path in dict.fromkeys(paths)]
        if options.markdown:
            sys.stdout.write(markdown.of_files(files))
            sys.stdout.flush()
        else:
            write_whole(output, page.of_files(files))
            print(f"{output}: {sum(len(file.rows) for file in files)} rows of {len(files)} files")
    except BrokenPipeError:  # who reads has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (Refused, OSError) as error:
        print(f"report: {error}", file=sys.stderr)
        return 2
    return 0
