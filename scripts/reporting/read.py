"""Decides what a results file is: reads one, checks it row by row, and says in one sentence what was expected where it is not so.

A row has its own `seconds` (bytes, copy_gb_per_s, fraction_of_copy, iqr, rivals and plot may stand beside), or the seconds of several contenders
(`numpy_seconds`, `crinkle_1_seconds`, … with `memcpy_1_seconds` the copy), or counts of accesses, predicted and measured.

SPDX-License-Identifier: BSD-3-Clause
"""
import dataclasses
import json
import math
import pathlib
import re

SCHEMA = 1
HEAD = ("device", "driver", "compiler", "commit", "date", "seed", "threads", "plan")
WAYS = {"crinkle": "crinkle", "prepared": "crinkle, prepared", "cached": "crinkle, cached", "loop": "a plain loop", "numpy": "NumPy", "opencv": "OpenCV"}
THREADS = {"1": "1 thread", "all": "all threads"}
OURS, BY_HAND = "crinkle", ("A", "B", "C")  # series of plots


class Refused(Exception):
    """A file that is no results file; the text names the file, the row and what was expected."""


@dataclasses.dataclass
class Contender:
    name: str
    seconds: float
    iqr: float | None = None
    fraction: float | None = None  # of the copy
    is_ours: bool = False
    threads: str | None = None  # "1", "all" where the name says so: who is compared with whom
    gb_per_s: float | None = None


@dataclasses.dataclass
class Place:
    """Where a row lies in a plot."""
    title: str
    x: float
    x_label: str
    series: str
    y: str


@dataclasses.dataclass
class Row:
    name: str
    label: str  # the name, and what tells it from rows of the same name
    seconds: float | None = None
    bytes: float | None = None
    element_bytes: int | None = None
    iqr: float | None = None
    gb_per_s: float | None = None
    copy_gb_per_s: float | None = None
    fraction: float | None = None
    cold_fraction: float | None = None  # of a copy, both with empty caches
    samples: int | None = None
    checked: str | None = None
    threads: int | None = None
    is_ours: bool = True  # no loop or kernel written by hand
    place: Place | None = None
    contenders: list = dataclasses.field(default_factory=list)
    counts: dict = dataclasses.field(default_factory=dict)  # "read sectors" -> (predicted, measured)
    given: dict = dataclasses.field(default_factory=dict)  # the row as it stands in the file, for what one suite alone says


@dataclasses.dataclass
class Paper:
    where: str
    x: float
    seconds: dict  # series -> seconds


@dataclasses.dataclass
class File:
    path: pathlib.Path
    head: dict
    rows: list
    papers: dict  # title -> [Paper]
    skipped: dict = dataclasses.field(default_factory=dict)  # rival -> why it was left out

    @property
    def folder(self):
        return self.path.resolve().parent


def _refuse(path, where, expected):
    raise Refused(f"{path}: {where + ': ' if where else ''}{expected}")


class _Fields:
    """The fields of one JSON object, each checked as it is taken."""

    def __init__(self, path, where, fields):
        self.path, self.where, self.fields = path, where, fields
        if not isinstance(fields, dict):
            self.refuse("expected an object")

    def refuse(self, expected):
        _refuse(self.path, self.where, expected)

    def number(self, key, least=None, needed=False):
        value = self.fields.get(key)
        if value is None and not needed:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or (value < 0 if least == 0 else value <= 0):
            found = "nothing" if key not in self.fields else json.dumps(value)[:40]
            self.refuse(f"expected '{key}' to be a number {'from' if least == 0 else 'above'} 0, found {found}")
        return value

    def text(self, key, default=None, needed=False):
        value = self.fields.get(key, default)
        if value is None and not needed:
            return None
        if not isinstance(value, str) or (needed and not value):
            self.refuse(f"expected '{key}' to be a text, found {json.dumps(value)[:40] if key in self.fields else 'nothing'}")
        return value

    def inner(self, key, where=None):
        return _Fields(self.path, where or f"{self.where}, {key}", self.fields[key])


def _place(fields):
    if fields.fields.get("plot") is None:
        return None
    plot = fields.inner("plot")
    y = plot.text("y", "seconds")
    if y not in ("seconds", "gb_per_s"):
        plot.refuse(f"expected 'y' to be seconds or gb_per_s, found {y!r}")
    return Place(plot.text("title", needed=True), plot.number("x", needed=True), plot.text("x_label", "x"), plot.text("series", needed=True), y)


def _of_rivals(fields, row):
    """crinkle and its rivals, of a row with times of its own."""
    rivals = []
    if fields.fields.get("rivals") is not None:
        named = fields.inner("rivals")
        for name in named.fields:
            if named.fields[name] is not None:  # null: it was not run
                rival = named.inner(name)
                rivals.append(Contender(name, rival.number("seconds", needed=True), rival.number("iqr", least=0)))
    loop = fields.number("loop_gb_per_s")
    if loop and row.gb_per_s:
        rivals.append(Contender(WAYS["loop"], row.seconds * row.gb_per_s / loop))
    if not rivals:
        return []
    contenders = [Contender("crinkle", row.seconds, row.iqr, is_ours=True)] + rivals
    for one in contenders:
        one.fraction = row.fraction and row.fraction * row.seconds / one.seconds
    return contenders


def _of_ways(fields, compiler):
    """The contenders of a row that has only times such as numpy_seconds."""
    contenders = []
    for key in fields.fields:
        way = key.removesuffix("_seconds")
        if way == key or way.startswith("memcpy"):
            continue
        if fields.fields[key] is None:
            continue
        who, _, threads = way.rpartition("_") if way.rpartition("_")[2] in THREADS else (way, "", None)
        name = WAYS.get(who, who)
        version = re.search(re.escape(name) + r" [\d.]*\d", compiler or "")
        name = version.group() if version else name
        copy = fields.number(f"memcpy_{threads or 1}_seconds")
        seconds = fields.number(key, needed=True)
        fraction = fields.number(way + "_fraction_of_memcpy") or (copy / seconds if copy else None)
        name = f"{name}, {THREADS[threads]}" if threads else name
        contenders.append(Contender(name, seconds, fields.number(way + "_iqr", least=0), fraction, who in ("crinkle", "prepared", "cached"), threads or ("1" if copy else None)))
    return contenders


def _counts(fields):
    found = {}
    for side in ("read", "write"):
        if isinstance(fields.fields.get(side), dict):
            counts = fields.inner(side)
            for count in counts.fields:
                both = counts.inner(count)
                found[f"{side} {count}"] = both.number("predicted", least=0, needed=True), both.number("measured", least=0, needed=True)
    return found


def _row(path, index, given, compiler):
    named = isinstance(given, dict) and isinstance(given.get("name"), str)
    fields = _Fields(path, f"row {index + 1}" + (f" ({given['name']})" if named else ""), given)
    name = fields.text("name", needed=True)
    row = Row(name, name, bytes=fields.number("bytes", least=0) or None, element_bytes=fields.number("element_bytes"), counts=_counts(fields), given=given)
    row.samples, row.checked, row.threads = fields.number("samples"), fields.text("checked"), fields.number("threads")
    if "seconds" not in given:
        row.contenders = [] if row.counts else _of_ways(fields, compiler)
        if not row.contenders and not row.counts:
            fields.refuse("expected 'seconds', or the seconds of contenders such as 'numpy_seconds', or counts of accesses")
        if "plot" in given:
            fields.refuse("expected 'seconds' beside 'plot'")
    else:
        row.seconds, row.iqr = fields.number("seconds", needed=True), fields.number("iqr", least=0)
        row.gb_per_s = fields.number("gb_per_s") or (row.bytes and row.bytes / row.seconds * 1e-9)
        row.copy_gb_per_s, row.fraction = fields.number("copy_gb_per_s"), fields.number("fraction_of_copy")
        kernel = fields.number("kernel_copy_gb_per_s")  # older results of GPUs: beside the driver's, of which the fraction is
        if kernel and row.copy_gb_per_s and kernel > row.copy_gb_per_s:
            row.copy_gb_per_s, row.fraction = kernel, row.fraction and row.fraction * row.copy_gb_per_s / kernel
        if row.gb_per_s and row.fraction is None and row.copy_gb_per_s:
            row.fraction = row.gb_per_s / row.copy_gb_per_s
        if row.gb_per_s and row.copy_gb_per_s is None and row.fraction:
            row.copy_gb_per_s = row.gb_per_s / row.fraction
        cold = fields.inner("cold") if "cold" in given else None
        row.cold_fraction = cold and cold.number("copy_seconds", needed=True) / cold.number("seconds", needed=True)
        row.place = _place(fields)
        row.contenders = _of_rivals(fields, row)
        if row.place and row.place.y == "gb_per_s" and not row.gb_per_s:
            fields.refuse("expected 'bytes' or 'gb_per_s', which its plot shows")
    for one in row.contenders:
        one.gb_per_s = row.bytes and row.bytes / one.seconds * 1e-9
    return row


def _label(rows):
    """Rows of one name are told apart by their elements, then by a number."""
    n_of = {}
    for row in rows:
        n_of.setdefault(row.name, []).append(row)
    for name, same in n_of.items():
        for i, row in enumerate(same):
            if len(same) > 1:
                sizes = [other.element_bytes for other in same]
                row.label = f"{name}, {row.element_bytes} B" if row.element_bytes and len(set(sizes)) == len(sizes) else f"{name} ({i + 1})"


def _tell_ours(rows, suite):
    """Versions A, B and C of paper 0 are written by hand; beside a series of ours all others of a plot are. In `versions`, C is a plan."""
    titles = {row.place.title for row in rows if row.place and row.place.series == OURS}
    for row in rows:
        if row.place:
            row.is_ours = row.place.series == OURS or (row.place.title not in titles and row.place.series not in BY_HAND)
        elif suite == "versions":
            row.is_ours = row.name.endswith(" C")


def _without_part_copies(rows):
    """Older rivals: the copy beside arrays that are put together or taken apart was of one of them."""
    for row in rows:
        if row.name.startswith(("interlace_", "deinterlace_")) and "copied_bytes" not in row.given:
            row.fraction = row.copy_gb_per_s = None
            for one in row.contenders:
                one.fraction = None


def _papers(path, given):
    found = {}
    for title, marks in given.items():
        for mark in marks if isinstance(marks, list) else [marks]:
            fields = _Fields(path, f"paper ({title})", mark)
            if not isinstance(fields.fields.get("seconds"), dict):
                fields.refuse("expected 'seconds' to be an object of series")
            seconds = fields.inner("seconds")
            found.setdefault(title, []).append(
                Paper(fields.text("where", ""), fields.number("x", needed=True), {name: seconds.number(name, needed=True) for name in seconds.fields}))
    return found


def _constant(text):
    raise ValueError(f"{text} is no JSON number")


def read(path):
    """The File at a path. Throws Refused."""
    path = pathlib.Path(path)
    try:
        document = json.loads(path.read_text(encoding="utf-8"), parse_constant=_constant)
    except OSError as error:
        _refuse(path, "", f"expected a file that can be read ({error.strerror})")
    except (ValueError, RecursionError) as error:  # also what is not UTF-8
        _refuse(path, "", f"expected JSON ({error})")
    top = _Fields(path, "", document)
    if isinstance(document.get("schema"), bool) or document.get("schema") != SCHEMA:
        top.refuse(f"expected 'schema' {SCHEMA}, found {json.dumps(document.get('schema'))[:40] if 'schema' in document else 'none'}")
    rows = document.get("rows")
    if not isinstance(rows, list) or not rows:
        top.refuse("no rows: expected 'rows' to be a list of at least one")
    paper = document.get("paper") or {}
    if not isinstance(paper, dict):
        top.refuse("expected 'paper' to be an object of titles")
    compiler = document.get("compiler") if isinstance(document.get("compiler"), str) else None
    rows = [_row(path, i, given, compiler) for i, given in enumerate(rows)]
    _label(rows)
    _tell_ours(rows, document.get("suite"))
    if document.get("suite") == "rivals":
        _without_part_copies(rows)
    skipped = document.get("skipped") or {}
    if not isinstance(skipped, dict) or not all(isinstance(reason, str) for reason in skipped.values()):
        top.refuse("expected 'skipped' to be an object of reasons")
    for title in {row.place.title for row in rows if row.place}:
        shown = {(row.place.y, row.place.x_label) for row in rows if row.place and row.place.title == title}
        if len(shown) > 1:
            top.refuse(f"expected all rows of the plot {title!r} to have one 'y' and one 'x_label', found {sorted(shown)}")
    scalars = {key: value for key, value in document.items() if isinstance(value, (str, int, float)) and not isinstance(value, bool) and value != ""}
    threads = sorted({int(row.threads) for row in rows if row.threads})
    head = {key: scalars[key] for key in ("suite", *HEAD) if key in scalars}
    if threads:
        head["threads"] = ", ".join(map(str, threads))
    head |= {key: value for key, value in scalars.items() if key not in head and key != "schema"}
    return File(path, head, rows, _papers(path, paper), skipped)
