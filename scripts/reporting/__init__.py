"""What scripts/report is made of: read (files to rows), numbers, svg, bars, dots, curves (plots), page (HTML), markdown, committed and documents (the tables
of README.md and docs/), command. Tables of papers' figures, and the page of whole papers, are decided in papers/reporting, which is a folder of this package, too.

SPDX-License-Identifier: BSD-3-Clause
"""
import pathlib

__path__.append(str(pathlib.Path(__file__).resolve().parent.parent.parent / "papers" / "reporting"))
