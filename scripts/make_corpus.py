#!/usr/bin/env python3
"""Writes the fuzzers' first inputs, fuzz/corpus/<what>: specifications, box lists (their layout is told in fuzz/<what>.cpp) and small files.

What the fuzzers find later is added to the same folders by hand, after `fuzz_<what> -merge=1 fuzz/corpus/<what> <found>`.

SPDX-License-Identifier: BSD-3-Clause
"""
import hashlib
import pathlib
import struct
import zlib

CORPUS = pathlib.Path(__file__).parent.parent / "fuzz" / "corpus"

TAIL = {"error": 0, "ragged": 1, "pad": 2, "drop": 3}
SPECS = [
    ([4, 6, 8], "error", "z y (x 2) -> 2 z y x"),
    ([4, 6, 8], "error", "z y x -> x z y"),
    ([], "error", "->"),
    ([2, 3, 4], "error", "... x -> x ..."),
    ([2, 3, 4], "error", "... -> ..."),
    ([1, 5, 1], "error", "1 y () -> y 1"),
    ([6], "error", "(a:2 b) -> b a"),
    ([6], "error", "(a b:3) -> a b"),
    ([7], "ragged", "(x 2) -> (2 x)"),
    ([7, 5], "ragged", "(y 4) (x 2) -> (4 y) (2 x)"),
    ([7], "pad", "(x 3) -> 3 x"),
    ([7], "drop", "(x 3) -> 3 x"),
    ([3, 4], "error", "y x -> y a x"),
    ([12], "error", "(2 a (3 b)) -> (b 2) (a 3)"),
    ([4, 4], "error", "(y p:2) (x q:2) -> (q y) (p x)"),
    ([0, 3], "error", "y x -> x y"),
    ([4], "error", "x:9223372036854775807 -> x"),
    ([4, 6], "error", "y x -> y"),
    ([4, 6], "error", "y x => x y"),
    ([4, 6], "error", "y x x -> x y"),
    ([4], "error", "[128][128][128][float32]"),
    ([4], "error", "[64, 512, 512, int32]"),
    ([4], "error", "(" * 40 + "x" + ")" * 40 + " -> x"),
]
# rank, per axis (whether the extent may be 0, extent, shape), the order of the source strides, fill, cut … as fuzz/simplify.cpp reads them
LISTS = [
    [0],
    [0, 2, 3, 0, 3, 2, 0, 3, 2, 0, 3, 2, 1, 0, 0, 5, 0, 1, 0, 2, 0],
    [1, 0, 2, 0, 4, 4, 0, 3, 6, 1, 0, 0, 0, 3, 3, 3, 2, 0, 1, 0, 2, 0, 0, 4, 4, 0, 2, 2],
    [2, 4, 5, 0, 1, 2, 0, 1, 3, 0, 4, 4, 0, 4, 10, 0, 2, 12, 3, 2, 1, 0, 7, 1, 2, 1, 2, 1, 2, 1],
    [0, 1, 2, 0, 4, 2, 0, 3, 2, 0, 0, 4, 0, 0, 2, 1, 3, 1],
    [1, 0, 6] + [0, 1, 2] * 6 + [5, 3, 1, 2, 0, 0, 0, 0, 1, 3, 2, 1, 4],
]


HEADERS = [
    ((1, 0), "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"),
    ((2, 0), "{'descr': '>c16', 'fortran_order': True, 'shape': (3, 1, 2)}"),
    ((3, 0), "{'descr': [('a', '<i2'), ('b', '|S3', (2,))], 'fortran_order': False, 'shape': (4,)}"),
    ((1, 0), "{'descr': '|O', 'fortran_order': False, 'shape': ()}"),
    ((1, 0), "{'descr': '|u1', 'fortran_order': False, 'shape': (9223372036854775807, 2)}"),
    ((1, 0), "{'descr': '<U2', 'fortran_order': False, 'shape': (-1, 0)}"),
    ((1, 0), "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (1 + 1,)}"),
]


def npy(version, header, n_bytes=96):
    text = header.encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY" + bytes(version) + struct.pack("<H" if version == (1, 0) else "<I", len(text)) + text + bytes(range(n_bytes))


def png(colour, bits, channels, extra=b"", interlaced=0, width=3, height=2):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes((x * 37 + y) % 256 for x in range((width * channels * bits + 7) // 8)) for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, interlaced)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def nifti(order, extents, datatype, bits, sform=0):
    """A NIfTI-1 file, in the byte order asked for, its voxels at 352."""
    dims = [len(extents), *extents] + [1] * (7 - len(extents))
    header = struct.pack(order + "i35xB8h3f4h8f3fhBB4f2i", 348, 0x39, *dims, 0, 0, 0, 0, datatype, bits, 0, *[1.0] * 8, 352.0, 1.0, 0.0, 0, 0, 10,
                         0.0, 0.0, 0.0, 0.0, 0, 0)
    header += b"made for a test".ljust(80, b"\0") + b"".ljust(24, b"\0")
    header += struct.pack(order + "2h6f12f", sform, sform, *[0.0] * 3, -1.0, -2.0, -3.0, *[2.0, 0.0, 0.0, -1.0, 0.0, 2.0, 0.0, -2.0, 0.0, 0.0, 2.0, -3.0])
    header += b"".ljust(16, b"\0") + b"n+1\0" + bytes(4)
    n_bytes = bits // 8
    for extent in extents:
        n_bytes *= extent
    return header + bytes(i % 251 for i in range(n_bytes))


def save(fuzzer, data):
    folder = CORPUS / fuzzer
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha1(data).hexdigest()[:16]).write_bytes(data)


def main():
    for extents, tail, text in SPECS:
        save("notation", bytes([len(extents), *extents, TAIL[tail], 0]) + text.encode())
    for numbers in LISTS:
        save("simplify", bytes(numbers))
    for version, header in HEADERS:
        save("npy", npy(version, header))
    palette = struct.pack(">I", 6) + b"PLTE\1\2\3\4\5\6" + struct.pack(">I", zlib.crc32(b"PLTE\1\2\3\4\5\6"))
    for arguments in ((0, 8, 1), (0, 1, 1), (2, 8, 3), (2, 16, 3), (4, 8, 2), (6, 16, 4), (3, 1, 1, palette), (0, 16, 1, b"", 1)):
        save("png", png(*arguments))
    for arguments in (("<", [4, 3, 2], 16, 32, 1), (">", [2, 2, 2, 3], 4, 16), ("<", [5], 2, 8), ("<", [2, 3, 1, 1, 2], 128, 24, 2)):
        save("nifti", nifti(*arguments))


if __name__ == "__main__":
    main()
