#!/usr/bin/env python3
"""Writes the fuzzers' first inputs: fuzz/corpus/notation and fuzz/corpus/simplify (the layout of an input is told in fuzz/<what>.cpp).

What the fuzzers find later is added to the same folders by hand, after `fuzz_<what> -merge=1 fuzz/corpus/<what> <found>`.

SPDX-License-Identifier: BSD-3-Clause
"""
import hashlib
import pathlib

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


def save(fuzzer, data):
    folder = CORPUS / fuzzer
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha1(data).hexdigest()[:16]).write_bytes(data)


def main():
    for extents, tail, text in SPECS:
        save("notation", bytes([len(extents), *extents, TAIL[tail], 0]) + text.encode())
    for numbers in LISTS:
        save("simplify", bytes(numbers))


if __name__ == "__main__":
    main()
