"""crinkle.h through ctypes: maps, plans and copies, as the drivers of this folder need them.

SPDX-License-Identifier: BSD-3-Clause
"""
import ctypes
import pathlib

OMITTED = -(1 << 63)


class Layout(ctypes.Structure):
    _fields_ = [("rank", ctypes.c_int), ("extents", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("offset", ctypes.c_int64), ("element_bytes", ctypes.c_int64)]


def int64s(numbers):
    return (ctypes.c_int64 * len(numbers))(*numbers)


class Crinkle:
    """The library; every failure is a RuntimeError with its text."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(str(pathlib.Path(path).resolve()))
        for name in ["crinkle_version", "crinkle_error_text"]:
            getattr(self.lib, name).restype = ctypes.c_char_p
        self.lib.crinkle_bytes_moved.restype = ctypes.c_int64
        self.version = self.lib.crinkle_version().decode()

    def call(self, name, *arguments):
        if getattr(self.lib, "crinkle_" + name)(*arguments) != 0:
            raise RuntimeError(f"crinkle_{name}: {self.lib.crinkle_error_text().decode()}")

    def map(self, spec, shape, element_bytes, verbs=()):
        """parse(spec) of a dense array, then verbs such as ("roll", "y", 3)."""
        source = Layout(len(shape), int64s(shape), None, 0, element_bytes)
        made = ctypes.c_void_p()
        self.call("parse", spec.encode(), ctypes.byref(source), None, ctypes.byref(made))
        for verb, *rest in verbs:
            self.call(verb, made, *[r.encode() if isinstance(r, str) else ctypes.c_int64(r) for r in rest])
        return made

    def interlace(self, n, shape, element_bytes):
        made = ctypes.c_void_p()
        each = Layout(len(shape), int64s(shape), None, 0, element_bytes)
        self.call("interlace", ctypes.byref(each), ctypes.c_int64(n), ctypes.c_int64(-1), ctypes.byref(made))
        return made

    def deinterlace(self, shape, element_bytes):
        made = ctypes.c_void_p()
        source = Layout(len(shape), int64s(shape), None, 0, element_bytes)
        self.call("deinterlace", ctypes.byref(source), ctypes.c_int64(-1), ctypes.byref(made))
        return made

    def records(self, fields, from_, to, n):
        """Every group in a buffer of its own."""
        made = ctypes.c_void_p()
        self.call("records", fields.encode(), from_.encode(), to.encode(), ctypes.c_int64(n), 1, ctypes.byref(made))
        return made

    def move(self, made, sources, destinations, place):
        """A function that moves between these arrays, which lie in `place`, and the bytes it reads and writes. On a GPU it begins the move on the
        default stream and does not wait. The map is freed."""
        plan = ctypes.c_void_p()
        self.call("make_plan", made, place.device, place.threads or 0, ctypes.byref(plan))
        self.lib.crinkle_free_map(made)

        def pointers(arrays):
            return (ctypes.c_void_p * len(arrays))(*[place.address(a) for a in arrays]), int64s([a.nbytes for a in arrays])

        (src, src_bytes), (dst, dst_bytes) = pointers(sources), pointers(destinations)
        run, stream = (self.lib.crinkle_run, []) if place.device < 0 else (self.lib.crinkle_run_on_stream, [None])

        def moved():
            if run(plan, src, src_bytes, dst, dst_bytes, *stream) != 0:
                raise RuntimeError(self.lib.crinkle_error_text().decode())

        return moved, self.lib.crinkle_bytes_moved(plan)

    def bit_planes(self, source, destination, is_back, threads):
        elements = destination if is_back else source
        arguments = (ctypes.c_void_p(destination.ctypes.data), ctypes.c_void_p(source.ctypes.data), ctypes.c_int64(elements.size),
                     ctypes.c_int64(elements.itemsize), int(is_back), threads)
        return lambda: self.call("bit_planes", *arguments)

    def copy(self, source, destination, kind, threads):
        arguments = (ctypes.c_void_p(destination.ctypes.data), ctypes.c_void_p(source.ctypes.data), ctypes.c_int64(min(source.nbytes, destination.nbytes)),
                     kind.encode(), threads)
        return lambda: self.call("copy", *arguments)
