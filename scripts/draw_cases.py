#!/usr/bin/env python3
"""Draws rearrangement cases that nobody chose, for `crinkle bench permute --cases`: ranks 2 to 6, extents from 2 on, any order, about
64 MiB each.

    scripts/draw_cases.py [SEED [N [ELEMENT_BYTES ...]]] > cases.txt

SPDX-License-Identifier: BSD-3-Clause
"""
import math
import random
import sys

extents_to_draw = [2, 3, 4, 5, 7, 8, 12, 15, 16, 24, 27, 31, 32, 33, 48, 64, 75, 96, 100, 127, 128, 200, 255, 256, 300, 512, 640, 1000, 1024, 1500]


def draw(n_bytes):
    """Extents and an order, both fastest first; one extent is what is left of 64 MiB. None where the draw is no good."""
    rank = random.choice([2, 3, 3, 4, 4, 5, 6])
    extents = [random.choice(extents_to_draw) for _ in range(rank - 1)]
    last = (64 << 20) // n_bytes // math.prod(extents)
    order = random.sample(range(rank), rank)
    if not 2 <= last <= 500_000 or order == sorted(order):
        return None
    extents.insert(random.randrange(rank), last)
    return order + extents


def main():
    numbers = [int(word) for word in sys.argv[1:]] + [1, 120][len(sys.argv) - 1 :]
    seed, n, *elements = numbers
    elements = elements or [1, 2, 3, 4, 4, 6, 8, 8, 12, 16]
    random.seed(seed)
    print(f"# {n} cases drawn by scripts/draw_cases.py {' '.join(map(str, numbers))}; about 64 MiB each.")
    done = 0
    while done < n:
        n_bytes = random.choice(elements)
        drawn = draw(n_bytes)
        if drawn is not None:
            print(f"random_{done:03d} {n_bytes} {len(drawn) // 2} {' '.join(map(str, drawn))}")
            done += 1


main()
