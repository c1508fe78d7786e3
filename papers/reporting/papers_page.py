"""Decides the page of whole papers: each paper, and of it what every device measured. Nothing is fetched.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import papers_parts, tables
from .curves import WIDTH
from .page import HERE
from .papers_parts import NAMES
from .svg import escape

DEVICES = {"cuda": "GPU", "cpu": "CPU"}


def _of_device(paper, kind, found):
    parts = papers_parts.OF_PAPER[paper](found[kind], found["cpu"])
    if not parts:
        return ""
    return f'<h3>On the {DEVICES[kind]}</h3><div class="small" style="--column:{WIDTH}px">{"".join(parts)}</div>'


def _heads(found):
    """What is known of each device's runs, once."""
    files = {kind: [file for some in runs.values() for file in some] for kind, runs in found.items()}
    return "".join('<p class="head">' + " ".join(f"<span><b>{escape(key)}</b> {escape(value)}</span>" for key, value in tables.head_of(some[0]) if key not in ("suite", "seed")) + "</p>"
                   for some in files.values() if some)


def of_runs(papers, found, notes):
    """found: {kind of device: {experiment: [File]}}."""
    kinds = [kind for kind in DEVICES if found[kind]] or ["cpu"]
    body = "".join(f'<section class="folder"><h2>Paper {paper}: {escape(NAMES[paper])}</h2>{"".join(_of_device(paper, kind, found) for kind in kinds)}</section>' for paper in papers)
    n_plots = body.count('<svg class="plot"')
    style, check = ((HERE / name).read_text(encoding="utf-8") for name in ("page.css", "check.js"))
    told = f"<ul>{''.join(f'<li>{escape(note)}' for note in notes)}</ul>" if notes else ""
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<meta name="color-scheme" content="light dark"><title>crinkle: the papers</title>\n<style>\n{style}</style></head>\n'
            f'<body data-plots="{n_plots}"><header><h1>crinkle: the papers</h1><p>What the papers\' figures and tables show, measured again on this machine. '
            f"Every result was checked before it was timed; times are medians. Numbers of a paper are those of its own hardware, which is named beside them.</p>{_heads(found)}{told}</header>\n"
            f"<main>{body}</main>\n<script>\n{check}</script></body></html>\n")
