"""Decides the Markdown of tables and paragraphs, and that of --markdown: per file a head, then a table of each kind of row.

SPDX-License-Identifier: BSD-3-Clause
"""
import textwrap

from . import curves, dots, tables

WIDTH = 180


def cell(text):
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def table(head, lines):
    return "\n".join("| " + " | ".join(map(cell, line)) + " |" for line in (head, *lines)).replace("\n", "\n|" + "---|" * len(head) + "\n", 1) + "\n"


def paragraph(text):
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False) + "\n"


def of_file(file):
    parts = [f"## {file.folder.name}/{file.path.name}\n", cell(", ".join(f"{key} {value}" for key, value in tables.head_of(file))) + "\n"]
    timed = [row for row in file.rows if row.seconds and not row.place]
    contended = dots.by_measure(file.rows)
    counted = [row for row in file.rows if row.counts]
    if timed:
        parts += [cell(tables.summary(timed)) + "\n", table(*tables.of_rows(timed, False))]
    for one in curves.of_file(file):
        parts += [f"### {cell(one.title)}\n", cell(tables.summary(one.rows)) + "\n", table(*tables.of_curves(one))]
    if contended:
        parts += [table(*tables.of_times_faster(file.rows)), *(table(*tables.of_contenders(rows)) for rows in contended)]
    if counted:
        parts.append(table(*tables.of_counts(counted)))
    return "\n".join(parts)


def of_files(files):
    return "\n".join(map(of_file, files))
