"""What scripts/report is made of: read (files to rows), numbers, svg, bars, dots, curves (plots), page (HTML), markdown, committed and documents (the tables
of README.md and docs/), command.

SPDX-License-Identifier: BSD-3-Clause
"""
