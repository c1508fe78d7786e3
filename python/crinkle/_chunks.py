"""Chunks of arrays as numbers: where a range lies in them, grids between two others, boundaries along axes.

SPDX-License-Identifier: BSD-3-Clause
"""
import bisect
import itertools
import math

most_pieces = 64  # pieces a chunk, on average, that are put together in one step; beyond it a rearrangement takes several, of at most about 16 pieces
pieces_of_a_step = 16


def starts_of(chunks):
    """Where the chunks of an axis begin, and its end."""
    return [0, *itertools.accumulate(chunks)]


class Places:
    """Where ranges of the axes of an array lie in its chunks."""

    def __init__(self, chunks):
        self.chunks = chunks
        self._starts = [starts_of(c) for c in chunks]
        self._known = {}

    def along(self, axis, first, n):
        """[(chunk, slice of it, slice of the range, whether that is all of the chunk)] for first … first + n - 1 of an axis, round its end."""
        key = axis, first, n
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._found(axis, first, n)
        return found

    def _found(self, axis, first, n):
        starts, chunks, found, done = self._starts[axis], self.chunks[axis], [], 0
        extent = starts[-1]
        if n == 0:  # nothing of some chunk, which says what its elements are like
            return [(0, slice(0, 0), slice(0, 0), False)]
        while done < n:
            at = (first + done) % extent
            k = bisect.bisect_right(starts, at) - 1
            begin = at - starts[k]
            count = min(n - done, chunks[k] - begin)
            found.append((k, slice(begin, begin + count), slice(done, done + count), count == chunks[k]))
            done += count
        return found

    def of(self, ranges):
        """[(chunk's index, slices of it or None for all of it, slices of the box)] of a box given by (first, n) of every axis."""
        pieces = itertools.product(*(self.along(a, first, n) for a, (first, n) in enumerate(ranges)))
        found = []
        for piece in pieces:
            block, of, to, is_whole = zip(*piece) if piece else ((), (), (), ())
            found.append((block, None if all(is_whole) else of, to))
        return found

    def n_of(self, ranges):
        return math.prod(len(self.along(a, first, n)) for a, (first, n) in enumerate(ranges))


def even(extent, n):
    """An extent in about n even parts."""
    if extent == 0:
        return (0,)
    size = -(-extent // max(1, min(n, extent)))
    return (*(size,) * (extent // size), *((extent % size,) if extent % size else ()))


def n_blocks(chunks):
    return math.prod(len(c) for c in chunks)


def largest(chunks):
    """Elements of the largest chunk."""
    return math.prod(max(c, default=0) for c in chunks)


def overlaps(old, new):
    """How many pieces the chunks of one grid have in those of another."""
    total = 1
    for a, b in zip(old, new):
        total *= len(set(starts_of(a)) | set(starts_of(b))) - 1
    return total


def coarser(chunks, n):
    """A grid of at most about n chunks, each some neighbours of this one's."""
    grid = [list(c) for c in chunks]
    while n_blocks(grid) > n:
        longest = max(range(len(grid)), key=lambda a: len(grid[a]))
        its = grid[longest]
        grid[longest] = [sum(its[k:k + 2]) for k in range(0, len(its), 2)]
    return tuple(map(tuple, grid))


def steps_between(old, new):
    """Grids one after another from an old to a new one, the last being the new one. A chunk of each is put together of few pieces, so that n chunks
    take an order of n log n pieces in all: between the grids the number of chunks along an axis goes from one to the other by equal factors."""
    pieces = overlaps(old, new)
    blocks = n_blocks(old) + n_blocks(new)
    if pieces <= most_pieces * blocks:
        return [new]
    n = max(2, math.ceil(math.log(pieces / blocks) / math.log(pieces_of_a_step)))
    return [*(tuple(_between(a, b, j / n) for a, b in zip(old, new)) for j in range(1, n)), new]


def _between(old, new, share):
    """Chunks of an axis between two others, each a whole number of chunks of the finer one."""
    n = max(1, round(len(old) ** (1 - share) * len(new) ** share))
    fine = old if len(old) >= len(new) else new
    width = max(1, len(fine) // n)
    return tuple(sum(fine[k:k + width]) for k in range(0, len(fine), width))
