"""The command: scripts/report [-o PAGE.html] [--force] [--markdown] [FILE.json …], or scripts/report --tables [--check] [FILE.md …].

Exit status 2 where something is refused, and then nothing is written; 1 where --check finds a table that is not what the results say.

SPDX-License-Identifier: BSD-3-Clause
"""
import argparse
import os
import pathlib
import sys
import tempfile

from . import documents, markdown, page
from .committed import RESULTS
from .read import Refused, read

ROOT = RESULTS.parent.parent
DOCUMENTS = [ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in ("performance", "measurements", "fft", "stencils", "interpolation", "papers", "python", "distributed", "devices"))]


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


def _print_or_write_page(options, paths):
    output = pathlib.Path(options.output or "report.html")
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
    return 0


def _fill_or_check_tables(options, paths):
    found = [(path, *documents.filled(path)) for path in dict.fromkeys(paths)]  # all of them, before any is written
    for path, text, stale in found:
        if stale and not options.check:
            write_whole(path.resolve(), text)
        for name in stale:
            print(f"{path}: table {name} {'is not what bench/results says' if options.check else 'follows bench/results'}")
    if not any(stale for _, _, stale in found):
        print("all tables are as bench/results has them")
    elif options.check:
        print("write them anew: scripts/report --tables " + " ".join(str(path) for path, _, stale in found if stale))
        return 1
    return 0


def main(arguments):
    parser = argparse.ArgumentParser(prog="report", description="benchmark results as one HTML page, as Markdown tables, or as the tables of documents")
    parser.add_argument("files", nargs="*", metavar="FILE", help="what crinkle's benchmarks wrote (default: all of bench/results); "
                        "with --tables, documents (default: README.md and docs/performance.md, measurements.md, fft.md, stencils.md, interpolation.md, papers.md, python.md and distributed.md)")
    parser.add_argument("-o", "--output", metavar="PAGE.html", help="the page (default: report.html)")
    parser.add_argument("--force", action="store_true", help="write over an existing page")
    parser.add_argument("--markdown", action="store_true", help="print tables instead of writing a page")
    parser.add_argument("--tables", action="store_true", help="write what stands between <!-- table NAME --> and <!-- end --> in documents, from bench/results")
    parser.add_argument("--check", action="store_true", help="with --tables: write nothing, and name the tables that are not what bench/results says")
    options = parser.parse_args(arguments)
    if (options.markdown or options.tables) and (options.output or options.force):
        parser.error("--markdown prints and --tables writes documents; they take no -o and no --force")
    if options.markdown and options.tables:
        parser.error("--markdown is of results, --tables of documents; choose one")
    if options.check and not options.tables:
        parser.error("--check is for --tables")
    paths = [pathlib.Path(name) for name in options.files]
    try:
        if options.tables:
            return _fill_or_check_tables(options, paths or DOCUMENTS)
        return _print_or_write_page(options, paths or sorted(RESULTS.glob("*/*.json")))
    except BrokenPipeError:  # who reads has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (Refused, OSError) as error:
        print(f"report: {error}", file=sys.stderr)
        return 2
