"""Decides which tables and sentences of a document are made from the committed results, and whether they are what the results say.

    <!-- table NAME -->
    what TABLES[NAME]() says
    <!-- end -->

Each marker has a line of its own. Everything between two of them is replaced; nothing else of a document is touched.

SPDX-License-Identifier: BSD-3-Clause
"""
import re

from . import documents_caches, documents_cpu, documents_gpu, documents_kernels, documents_origins, documents_papers, documents_readme, documents_records, documents_rivals, documents_simplex
from .read import Refused

MODULES = [documents_readme, documents_cpu, documents_caches, documents_records, documents_gpu, documents_kernels, documents_papers, documents_rivals, documents_origins, documents_simplex]
TABLES = {name: written for module in MODULES for name, written in module.TABLES.items()}  # name -> function without parameters: Markdown

_MARKER = re.compile(r"<!--\s*(table|end)\b(.*)")
_LINE = re.compile(r"<!-- (?:table (?P<name>\S+)|end) -->")


def _marker(path, number, line):
    """None where the line has no marker, the table's name, or "" at an end."""
    if not _MARKER.search(line):
        return None
    found = _LINE.fullmatch(line)
    if not found:
        raise Refused(f"{path}:{number}: expected <!-- table NAME --> or <!-- end --> and nothing else on its line")
    return found["name"] or ""


def _filled(path, text, tables):
    lines, stale, within, held = [], [], None, []
    n_blocks = 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        name = _marker(path, number, line.rstrip("\r\n"))
        if name and within:
            raise Refused(f"{path}:{number}: table {name} begins within table {within}, which has no <!-- end -->")
        if name == "" and not within:
            raise Refused(f"{path}:{number}: <!-- end --> without a table before it")
        if name and name not in tables:
            raise Refused(f"{path}:{number}: there is no table {name}; scripts/reporting/documents*.py define {', '.join(sorted(tables))}")
        if name:
            within, held = name, []
            n_blocks += 1
        elif name == "":
            try:
                written = tables[within]()
            except Refused as error:
                raise Refused(f"{path}: table {within}: {error}") from None
            if written != "".join(held):
                stale.append(within)
            lines.append(written)
            within = None
        elif within:
            held.append(line)
            continue
        lines.append(line)
    if within:
        raise Refused(f"{path}: table {within} has no <!-- end -->")
    if not n_blocks:
        raise Refused(f"{path}: expected at least one <!-- table NAME -->")
    return "".join(lines), stale


def filled(path, tables=None):
    """The document's text with all of its tables as the results have them, and the names of those that were not so. Throws Refused."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
    except UnicodeDecodeError:
        raise Refused(f"{path}: expected UTF-8") from None
    return _filled(path, text, TABLES if tables is None else tables)
