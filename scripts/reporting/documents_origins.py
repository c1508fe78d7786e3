"""Decides the table of docs/measurements.md of where the committed results come from: files that were measured alike share a line.

SPDX-License-Identifier: BSD-3-Clause
"""
import re

from . import committed, numbers
from .markdown import table
from .read import read

KEYS = ["device", "driver", "compiler", "commit", "date"]


def origins():
    found = {}
    for path in sorted(committed.RESULTS.glob("*/*.json")):
        head = read(path).head
        device, *rest = (str(head.get(key, numbers.NONE)) for key in KEYS)
        rest[0] = re.sub(r"^Linux-([\d.]+)-.*", r"Linux \1", rest[0])  # older results have who built it, too
        if len(rest[1]) > 40:  # of rivals: libraries, which their tables name
            rest[1] = "their versions"
        found.setdefault((path.parent.name, device.rpartition(", ")[0] if "thread" in device else device, *rest), []).append(path.stem)
    return table(["bench/results/", "device", "driver", "compiler or libraries", "commit", "date", "files"],
                 [[*origin, ", ".join(files)] for origin, files in found.items()])


TABLES = {"origins": origins}
