"""Decides the page: what was read, folder by folder (a device each), and of every file its summary, plots and tables. Nothing is fetched.

SPDX-License-Identifier: BSD-3-Clause
"""
import itertools
import pathlib

from . import bars, curves, dots, numbers, svg, tables

HERE = pathlib.Path(__file__).parent
OPEN_AT_MOST = 24  # rows; longer lists are behind a line to click on
WORDS = {"device": "words", "date": "words", "checked": "words", "of": "names", "beside": "names", "slower in": "names"}  # begin at the left; names may wrap


def _kind(head):
    return f" class={WORDS[head]}" if head in WORDS else ""


def table(head, lines):
    kinds = [_kind(word) for word in head]
    heads = "".join(f"<th scope=col{kind}>{svg.escape(word)}" for word, kind in zip(head, kinds))
    body = "".join("<tr><th scope=row>" + svg.escape(line[0]) + "".join(f"<td{kind}>{svg.escape(word)}" for word, kind in zip(line[1:], kinds[1:])) for line in lines)
    return f'<div class="scroll"><table><thead><tr>{heads}<tbody>{body}</table></div>'


def behind(words, body, is_open=False):
    return f'<details{" open" if is_open else ""}><summary>{svg.escape(words)}</summary>{body}</details>'


def _curves_of(file):
    parts = []
    for one in curves.of_file(file):
        head = f"<h4>{svg.escape(one.title)}</h4><p>{svg.escape(tables.summary(one.rows))}</p>"
        parts.append(f'<div>{head}{curves.drawing(one)}{behind("the numbers", table(*tables.of_curves(one)) + table(*tables.of_rows(one.rows, True)))}</div>')
    if parts:
        parts = [f'<div class="small" style="--column:{curves.WIDTH}px">', *parts, "</div>"]
    shown = {row.place.title for row in file.rows if row.place}
    parts += [f"<p>A paper's numbers for {svg.escape(title)} are given, but no row to draw them beside.</p>" for title in file.papers if title not in shown]
    return "".join(parts)


def _contenders_of(file):
    parts = []
    for rows in dots.by_measure(file.rows):
        measure = dots.Measure(rows)
        words = f"Farther {'left' if measure.key == 'seconds' else 'right'} is faster."
        if measure.key == "gb_per_s" and not any(row.seconds for row in rows):
            words += " Bytes of the array, counted once."
        plots = f"<p>{words}</p>{dots.legend(rows)}{dots.small_plots(rows)}"
        parts.append(behind(f"{len(rows)} rows, {measure.words}", plots, len(rows) <= OPEN_AT_MOST) + behind("the numbers", table(*tables.of_contenders(rows))))
    return "".join([f"<h4>Beside others</h4>{table(*tables.of_times_faster(file.rows))}", *parts]) if parts else ""


def _bars_of(file):
    rows = [row for row in file.rows if row.fraction]
    if not rows:
        return ""
    words = f"{len(rows)} rows, percent of copy"
    return (behind(words, "<p>Thin lines are interquartile ranges; rings are cold runs beside cold copies; the least bar has a colour of its own.</p>" + bars.small_plots(rows), len(rows) <= OPEN_AT_MOST)
            + behind("the numbers", table(*tables.of_rows(rows, True))))


def _rest_of(file):
    timed = [row for row in file.rows if row.seconds and not row.fraction and not row.place]
    counted = [row for row in file.rows if row.counts]
    parts = []
    if timed:
        parts.append(behind(f"{len(timed)} rows without a copy to compare with", table(*tables.of_rows(timed, True)), len(timed) <= OPEN_AT_MOST))
    if counted:
        same = [pair[0] == pair[1] for row in counted for pair in row.counts.values()]
        parts.append(f"<p>{sum(same)} of {len(same)} counts are as predicted.</p>" + behind(f"counts of {len(counted)} rows", table(*tables.of_counts(counted))))
    return "".join(parts)


def _skipped_of(file):
    """The rivals that were not run, and why."""
    return f"<p>Left out: {svg.escape('; '.join(f'{name} ({reason})' for name, reason in file.skipped.items()))}.</p>" if file.skipped else ""


def _section(file, anchor):
    head = "".join(f"<span><b>{svg.escape(key)}</b> {svg.escape(value)}</span> " for key, value in tables.head_of(file))
    return (f'<section id="{anchor}"><h3>{svg.escape(file.path.name)}</h3><p class="head">{head}</p>'
            f'<p class="summary">{svg.escape(tables.summary(file.rows))}</p>{_curves_of(file)}{_contenders_of(file)}{_skipped_of(file)}{_bars_of(file)}{_rest_of(file)}</section>')


def _read_of(files, anchors):
    """The table of what was read, with links."""
    lines = []
    for file in files:
        found = numbers.mean_and_least(file.rows)
        mean, least, name = (numbers.percent(found[0]), numbers.percent(found[1].fraction), found[1].label) if found else (numbers.NONE,) * 2 + ("",)
        facts = [("of", name)] + [(key, file.head.get(key, numbers.NONE)) for key in ("device", "date")]
        facts = "".join(f"<td{_kind(key)}>{svg.escape(word)}" for key, word in facts)
        lines.append(f'<tr><th scope=row><a href="#{anchors[file.path]}">{svg.escape(file.folder.name)}/{svg.escape(file.path.name)}</a>'
                     f"<td>{len(file.rows)}<td>{mean}<td>{least}{facts}")
    head = "".join(f"<th scope=col{_kind(word)}>{word}" for word in ("file", "rows", "geometric mean", "least", "of", "device", "date"))
    return f'<div class="scroll"><table><thead><tr>{head}<tbody>{"".join(lines)}</table></div>'


def of_files(files):
    """The whole page."""
    files = sorted(files, key=lambda file: str(file.folder))
    anchors = {file.path: f"file-{i + 1}" for i, file in enumerate(files)}
    parts = []
    for folder, found in itertools.groupby(files, key=lambda file: file.folder):
        found = list(found)
        parts.append(f'<section class="folder"><h2>{svg.escape(folder.name)}</h2>{bars.strips(found)}')
        parts += [_section(file, anchors[file.path]) for file in found] + ["</section>"]
    n_rows = sum(len(file.rows) for file in files)
    n_folders = len({file.folder for file in files})
    body = "".join(parts)
    n_plots = body.count('<svg class="plot"')
    style, check = ((HERE / name).read_text(encoding="utf-8") for name in ("page.css", "check.js"))
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<meta name="color-scheme" content="light dark"><title>crinkle: benchmarks</title>\n<style>\n{style}</style></head>\n'
            f'<body data-plots="{n_plots}"><header><h1>crinkle: benchmarks</h1><p>{n_rows} rows of {len(files)} file{"s" * (len(files) != 1)} '
            f'in {n_folders} folder{"s" * (n_folders != 1)}. A percentage is of the fastest plain copy of as many bytes in the same process: at 100 % '
            f"a rearrangement costs what a copy costs. Times are medians. Means are of crinkle's rows; loops written by hand stand beside them.</p>{behind('what was read', _read_of(files, anchors), True)}</header>\n<main>{body}</main>\n"
            f"<script>\n{check}</script></body></html>\n")
