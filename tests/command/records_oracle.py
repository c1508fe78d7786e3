# Record layouts as include/crinkle/record_layout.hpp defines them, record by record and field by field: what the command's files are
# compared with.
# SPDX-License-Identifier: BSD-3-Clause
import re

import numpy as np
from harness import CommandTest


class Field:
    def __init__(self, text):
        self.name, kind = text.split(":", 1)
        code, self.repeats = re.fullmatch(r"(.*?)((?:\[[\d,]+\])?)", kind).groups()
        self.shape = tuple(int(n) for n in self.repeats[1:-1].split(",")) if self.repeats else ()
        self.dtype = np.dtype(code)
        self.bytes = self.dtype.itemsize * int(np.prod(self.shape, dtype=np.int64))
        parts = {"c": 2, "U": max(1, self.dtype.itemsize // 4), "S": self.dtype.itemsize, "V": self.dtype.itemsize}.get(self.dtype.kind, 1)
        self.item = self.dtype.itemsize // parts
        self.is_big = self.dtype.byteorder == ">"

    def swapped(self, values):
        """The values' bytes, [n, bytes], with those of every item reversed."""
        return values.reshape(len(values), self.bytes // self.item, self.item)[:, :, ::-1].reshape(len(values), self.bytes)


def fields_of(text):
    return {f.name: f for f in map(Field, text.split())}


class Layout:
    def __init__(self, text, fields):
        self.text, self.fields, self.groups = text, fields, []
        for group in text.split("|"):
            names = re.search(r"\((.*?)\)|^\s*(\w+)", group)
            block, alignment = re.search(r"\*(\d+)", group), re.search(r"@(\d+)", group)
            self.groups.append(((names[1] or names[2]).split(), int(block[1]) if block else 1, int(alignment[1]) if alignment else 1))
        self.names = [name for names, _, _ in self.groups for name in names]

    def group(self, k, values, n, padding):
        """The bytes of a group; values[name] are [n, bytes], padding makes so many bytes of it."""
        names, block, alignment = self.groups[k]
        at, offsets = 0, []
        for name in names:
            field = self.fields[name]
            own = min(alignment, 16, field.item & -field.item)
            at = -(-at // own) * own
            offsets.append(at)
            at += field.bytes
        record = -(-at // alignment) * alignment
        out = np.frombuffer(padding(n * record), np.uint8).copy()
        for first in range(0, n, block):
            r = min(block, n - first)
            for name, offset in zip(names, offsets):
                start = first * record + r * offset
                out[start:start + r * self.fields[name].bytes] = values[name][first:first + r].ravel()
        return out.tobytes()

    def apart(self, values, n, padding=bytes):
        return [self.group(k, values, n, padding) for k in range(len(self.groups))]

    def together(self, values, n, padding=bytes):
        out = b""
        for (_, _, alignment), group in zip(self.groups, self.apart(values, n, padding)):
            out += padding(-len(out) % alignment) + group
        return out


class RecordsTest(CommandTest):
    def values(self, fields, n):
        return {name: self.random.integers(0, 256, (n, f.bytes), dtype=np.uint8) for name, f in fields.items()}

    def noise(self, n):
        return self.random.integers(0, 256, n, dtype=np.uint8).tobytes()

    def write(self, name, data):
        (self.folder / name).write_bytes(data)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def assert_bytes(self, name, want, message=""):
        self.assertTrue(self.read(name) == want, f"{name}: the bytes differ {message}")
