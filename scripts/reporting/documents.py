"""Decides which tables and sentences of a document are made from the committed results, and whether they are what the results say.

    <!-- table WRITER key=value key="two words" -->
    what TABLES[WRITER](key="value", …) says
    <!-- end -->

Each marker begins a line of its own. One may go on over several lines, up to -->; these are its parameter `lines`, such as a table's rows. A
parameter `machine` is one of committed.MACHINES. Everything between two markers is replaced; nothing else of a document is touched.

SPDX-License-Identifier: BSD-3-Clause
"""
import importlib
import inspect
import pkgutil
import re
import shlex
import sys

from . import committed
from .read import Refused

# The modules documents_….py of this package, whose folders are two (__init__.py).
MODULES = [importlib.import_module(f"{__package__}.{found.name}") for found in pkgutil.iter_modules(sys.modules[__package__].__path__) if found.name.startswith("documents_")]
TABLES = {name: writer for module in MODULES for name, writer in module.TABLES.items()}  # what a marker may name -> Markdown

_MARKER = re.compile(r"<!--\s*(table|end)\b")
_TABLE = re.compile(r"<!-- table (?P<writer>[\w-]+)(?P<parameters>(?: [\w-]+=(?:\"[^\"]*\"|[^\s\"]+))*)(?P<end> -->)?")


class _Table:
    """What a marker asks for."""

    def __init__(self, place, line):
        found = _TABLE.fullmatch(line)
        if not found:
            raise Refused(f"{place}: expected <!-- table NAME --> or <!-- end --> and nothing else on its line")
        self.writer, self.is_whole, self.lines = found["writer"], bool(found["end"]), []
        self.name = self.writer + found["parameters"]  # as messages have it
        self.parameters = dict(word.split("=", 1) for word in shlex.split(found["parameters"]))

    def written(self, tables):
        parameters = dict(self.parameters)
        if "machine" in parameters:
            if parameters["machine"] not in committed.MACHINES:
                raise Refused(f"there is no machine {parameters['machine']}; they are {', '.join(committed.MACHINES)}")
            parameters["machine"] = committed.MACHINES[parameters["machine"]]
        if self.lines:
            parameters["lines"] = self.lines
        try:
            inspect.signature(tables[self.writer]).bind(**parameters)
        except TypeError as error:
            raise Refused(str(error)) from None
        return tables[self.writer](**parameters)


def _filled(path, text, tables):
    lines, stale, within, held = [], [], None, []
    n_blocks = 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        bare, place = line.rstrip("\r\n"), f"{path}:{number}"
        if within and not within.is_whole:
            within.is_whole = bare == "-->"
            if not within.is_whole:
                within.lines.append(bare)
        elif not _MARKER.search(bare):
            if within:
                held.append(line)
                continue
        elif bare == "<!-- end -->":
            if not within:
                raise Refused(f"{place}: <!-- end --> without a table before it")
            try:
                written = within.written(tables)
            except Refused as error:
                raise Refused(f"{path}: table {within.name}: {error}") from None
            if written != "".join(held):
                stale.append(within.name)
            lines.append(written)
            within = None
        else:
            table = _Table(place, bare)
            if within:
                raise Refused(f"{place}: table {table.name} begins within table {within.name}, which has no <!-- end -->")
            if table.writer not in tables:
                raise Refused(f"{place}: there is no table {table.writer}; documents_*.py of scripts/reporting and papers/reporting define {', '.join(sorted(tables))}")
            within, held = table, []
            n_blocks += 1
        lines.append(line)
    if within:
        raise Refused(f"{path}: table {within.name} has no <!-- end -->")
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
