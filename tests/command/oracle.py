# The verbs once more, in NumPy, on arrays of bytes [..., bytes of an element], and a generator of random chains of them with the
# specification that ends each. Nothing here knows how crinkle does it.
# SPDX-License-Identifier: BSD-3-Clause
import numpy as np

from harness import element_bytes

modes = ["constant", "edge", "reflect", "symmetric", "wrap"]


def padded_indices(n, before, after, mode):
    """Where each padded place comes from: periodic continuation with period 2n - 2, 2n or n."""
    at = np.arange(-before, n + after)
    if mode == "edge" or n == 1:
        return np.clip(at, 0, n - 1)
    if mode == "wrap":
        return at % n
    period = 2 * n - 2 if mode == "reflect" else 2 * n
    at %= period
    return np.where(at < n, at, (period if mode == "reflect" else period - 1) - at)


def pad(data, axis, before, after, mode="constant", value=b""):
    if mode != "constant":
        return np.take(data, padded_indices(data.shape[axis], before, after, mode), axis)
    shape = list(data.shape)
    shape[axis] += before + after
    out = np.empty(shape, np.uint8)
    out[...] = np.frombuffer(value or bytes(shape[-1]), np.uint8)
    inside = [slice(None)] * data.ndim
    inside[axis] = slice(before, before + data.shape[axis])
    out[tuple(inside)] = data
    return out


def dilate(data, axis, k):
    shape = list(data.shape)
    shape[axis] = (shape[axis] - 1) * k + 1 if shape[axis] else 0
    out = np.zeros(shape, np.uint8)
    every = [slice(None)] * data.ndim
    every[axis] = slice(None, None, k)
    out[tuple(every)] = data
    return out


def bits_reversed(n):
    width = n.bit_length() - 1
    return np.array([int(format(i, f"0{width}b")[::-1], 2) if width else 0 for i in range(n)])


def bit_planes(array):
    """Plane 8 b + k holds bit k of byte b of all elements; element 8 g + i is bit i of byte g."""
    bits = np.unpackbits(element_bytes(array.ravel()), axis=1, bitorder="little")
    return np.packbits(bits.T, axis=1, bitorder="little")


def morton_indices(extents):
    """The place of every element: the bits all axes have interleaved, the last axis lowest; what is left of each axis on top of them."""
    bits = [n.bit_length() - 1 for n in extents]
    shared = min(bits)
    lanes = [(a, k) for k in range(shared) for a in reversed(range(len(extents)))]
    lanes += [(a, k) for a in reversed(range(len(extents))) for k in range(shared, bits[a])]
    at = np.indices(extents)
    return sum(((at[a] >> k) & 1) << place for place, (a, k) in enumerate(lanes))


def values(dtype):
    """Texts that a constant pad takes for this type, with the value each means."""
    dtype = np.dtype(dtype)
    if dtype.names:
        if any(not name for name in dtype.names) or any(dtype[name].fields for name in dtype.names):
            return []
        pairs = [values(dtype[name].base)[-1] for name in dtype.names]
        return [("(" + ", ".join(text for text, _ in pairs) + ")", tuple(value for _, value in pairs))]
    if dtype.kind in "Mm":
        unit, count = np.datetime_data(dtype)
        if unit == "generic":
            return [("NaT", np.array("NaT", dtype))]
        numbers = [("-7", np.array(-7, dtype)), ("NaT", np.array("NaT", dtype))]
        return numbers if dtype.kind == "m" else [("1999-01-01", np.datetime64("1999-01-01", (unit, count))), ("NaT", numbers[1][1])]
    return {"b": [("1", True), ("0", False)], "u": [("0x1f", 31), ("7", 7)], "i": [("-3", -3), ("100", 100)],
            "f": [("-2.5", -2.5), ("inf", np.inf), ("0.1", np.longdouble("0.1") if dtype.itemsize > 8 else 0.1)], "c": [("1.5-2j", 1.5 - 2j), ("2j", 2j)],
            "S": [("q" * dtype.itemsize, b"q" * dtype.itemsize), ("a", b"a")], "U": [("ä🦋"[:dtype.itemsize // 4], "ä🦋"[:dtype.itemsize // 4])],
            "V": [("0x" + bytes(range(1, 1 + dtype.itemsize)).hex(), np.void(bytes(range(1, 1 + dtype.itemsize))))]}[dtype.kind]


def value_bytes(dtype, value):
    """One element; the padding of a long double is zero."""
    element = np.zeros(1, dtype)
    element[0] = value
    raw = bytearray(element.tobytes())
    if np.dtype(dtype).kind in "fc" and np.finfo(dtype).nmant == 63:
        big = np.dtype(dtype).byteorder == ">"
        item = 16 if len(raw) % 16 == 0 else 12
        for first in range(0, len(raw), item):
            raw[first:first + item] = bytes(item - 10) + raw[first + item - 10:first + item] if big else raw[first:first + 10] + bytes(item - 10)
    return bytes(raw)


class Chain:
    """A random chain of verbs on named axes. `data` follows it in NumPy; `options` is what the command is told."""

    def __init__(self, random, data, names, dtype, save_indices, limit=40000):
        self.random, self.data, self.names, self.dtype = random, data, list(names), np.dtype(dtype)
        self.options, self.save_indices, self.limit = [], save_indices, limit

    def integer(self, low, high):
        return int(self.random.integers(low, high + 1))

    def pick(self, items):
        return items[self.integer(0, len(items) - 1)]

    def any_verb(self):
        kinds = ["flip", "roll", "slice", "pad", "dilate", "take", "at", "bit-reverse"]
        getattr(self, self.pick(kinds).replace("-", "_"))(self.pick(self.names))

    def say(self, verb, text):
        self.options += ["--" + verb, text]

    def axis(self, name):
        return self.names.index(name)

    def flip(self, name):
        self.say("flip", name)
        self.data = np.flip(self.data, self.axis(name))

    def roll(self, name):
        k = self.integer(-200, 200) if self.integer(0, 3) else self.integer(-2, 2)
        self.say("roll", f"{name}={k}")
        self.data = np.roll(self.data, k, self.axis(name))

    def slice(self, name):
        n = self.data.shape[self.axis(name)]
        bound = lambda: None if self.integer(0, 2) == 0 else self.integer(-n - 2, n + 2)
        start, stop, step = bound(), bound(), self.pick([None, None, 1, -1, 2, -2, 3, -5])
        cut = slice(start, stop, step)
        if len(range(*cut.indices(n))) == 0 and self.integer(0, 9):
            return
        text = ":".join("" if v is None else str(v) for v in ([start, stop] if step is None else [start, stop, step]))
        self.say("slice", f"{name}={text}")
        self.data = self.data[(slice(None),) * self.axis(name) + (cut,)]

    def pad(self, name, most=6):
        n = self.data.shape[self.axis(name)]
        before, after, mode = self.integer(0, most), self.integer(0, most), self.pick(modes)
        if n == 0:
            mode = "constant"
        if self.data.size // max(n, 1) * (n + before + after) > self.limit:
            return
        text, bytes_ = f"{name}={before}:{after}", b""
        if mode != "constant" or self.integer(0, 1):
            text += ":" + mode
            if mode == "constant" and values(self.dtype) and self.integer(0, 1):
                written, value = self.pick(values(self.dtype))
                text, bytes_ = text + ":" + written, value_bytes(self.dtype, value)
        self.say("pad", text)
        self.data = pad(self.data, self.axis(name), before, after, mode, bytes_)

    def dilate(self, name):
        k = self.integer(1, 4)
        if self.data.size * k > self.limit:
            return
        self.say("dilate", f"{name}={k}")
        self.data = dilate(self.data, self.axis(name), k)

    def take(self, name):
        n = self.data.shape[self.axis(name)]
        if n == 0 or len(self.names) < 1:
            return
        indices = self.random.integers(0, n, self.integer(1, n + 2)).astype(self.pick(["<i8", ">i4", "u2", "i1"] if n < 128 else ["<i8", ">i4"]))
        if self.data.size // n * len(indices) > self.limit:
            return
        self.say("take", f"{name}={self.save_indices(indices)}")
        self.data = np.take(self.data, indices, self.axis(name))

    def at(self, name):
        n = self.data.shape[self.axis(name)]
        if n == 0 or len(self.names) < 2 or self.integer(0, 1):
            return
        i = self.integer(-n, n - 1)
        self.say("at", f"{name}={i}")
        self.data = np.take(self.data, i, self.axis(name))
        self.names.remove(name)

    def bit_reverse(self, name):
        n = self.data.shape[self.axis(name)]
        if n & (n - 1) or n == 0:
            return
        self.say("bit-reverse", name)
        self.data = np.take(self.data, bits_reversed(n), self.axis(name))

    def finish(self):
        """The right side: the names in a random order, some merged, some ones and repeats put in. Returns its text and the result."""
        order = list(self.random.permutation(len(self.names)))
        data = np.transpose(self.data, [*order, self.data.ndim - 1])
        names, sizes = [self.names[i] for i in order], list(data.shape[:-1])
        if self.integer(0, 3) == 0 and data.size * 3 < self.limit:
            k = self.integer(0, len(names))
            data = np.repeat(np.expand_dims(data, k), 3, k)
            names.insert(k, "again:3")
            sizes.insert(k, 3)
        text, shape, i = [], [], 0
        while i < len(names):
            n = self.pick([1, 1, 1, 2, 3])
            group, extents = names[i:i + n], sizes[i:i + n]
            text.append(group[0] if len(group) == 1 else "(" + " ".join(group) + ")")
            shape.append(int(np.prod(extents, dtype=np.int64)))
            i += n
            if self.integer(0, 9) == 0:
                text.append("1")
                shape.append(1)
        return " ".join(text), data.reshape(*shape, data.shape[-1])
