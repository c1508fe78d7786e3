"""Libraries that are no Python packages: Eigen and oneDNN by modules of modules/rival.h, Blosc by the library in its package.

SPDX-License-Identifier: BSD-3-Clause
"""
import concurrent.futures
import ctypes
import pathlib

import numpy as np


class Move(ctypes.Structure):
    _fields_ = [("rank", ctypes.c_int32), ("element_bytes", ctypes.c_int32), ("threads", ctypes.c_int32), ("extents", ctypes.POINTER(ctypes.c_int64)),
                ("order", ctypes.POINTER(ctypes.c_int32)), ("flipped", ctypes.POINTER(ctypes.c_int32)), ("src", ctypes.c_void_p), ("dst", ctypes.c_void_p)]


class Module:
    """librival_NAME.so of a folder. Raises ImportError, with the way to have it, where there is none."""

    def __init__(self, folder, name, package):
        path = pathlib.Path(folder).resolve() / f"librival_{name}.so"
        if not path.exists():
            raise ImportError(f"no {path.name} beside libcrinkle_c.so; apt-get install {package}, and build with -DCRINKLE_BENCH=ON")
        try:
            self.lib = ctypes.CDLL(str(path))
        except OSError as error:
            raise ImportError(str(error)) from error
        self.lib.rival_version.restype = ctypes.c_char_p
        self.lib.rival_prepare.restype = ctypes.c_void_p
        self.lib.rival_run.argtypes, self.lib.rival_run.restype = [ctypes.c_void_p], None
        self.__version__ = self.lib.rival_version().decode()

    def move(self, source, destination, shape, order, flipped, threads):
        """A function that brings axis order[k] of the source, seen in that shape, to axis k, reversed where flipped[k]; None where it cannot."""
        rank = len(shape)
        move = Move(rank, source.itemsize, threads, (ctypes.c_int64 * rank)(*shape), (ctypes.c_int32 * rank)(*order), (ctypes.c_int32 * rank)(*flipped),
                    source.ctypes.data, destination.ctypes.data)
        prepared = self.lib.rival_prepare(ctypes.byref(move))
        return None if prepared is None else lambda: self.lib.rival_run(prepared)


class Loops:
    """A plain loop over records, of librival_loops.so. Raises ImportError."""

    __version__ = "-O3"

    def __init__(self, folder):
        path = pathlib.Path(folder).resolve() / "librival_loops.so"
        if not path.exists():
            raise ImportError(f"no {path.name} beside libcrinkle_c.so; build with -DCRINKLE_BENCH=ON")
        self.loop = ctypes.CDLL(str(path)).rival_loop
        self.loop.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64]

    def move(self, records, arrays, takes_apart, threads):
        """A function that takes records apart into arrays or puts them together; None where no such loop was compiled."""
        n, n_fields = len(records), len(arrays)
        sizes = (ctypes.c_int64 * n_fields)(*[a.itemsize for a in arrays])
        addresses = (ctypes.c_void_p * n_fields)(*[a.ctypes.data for a in arrays])

        def part(k):
            return self.loop(sizes, n_fields, takes_apart, records.ctypes.data, addresses, n * k // threads, n * (k + 1) // threads)

        if self.loop(sizes, n_fields, takes_apart, records.ctypes.data, addresses, 0, 0) != 0:
            return None
        pool = concurrent.futures.ThreadPoolExecutor(threads)
        return (lambda: part(0) and None) if threads == 1 else lambda: list(pool.map(part, range(threads))) and None


class Blosc:
    """Its byte shuffle, block by block, as it does before it compresses; on as many threads as are asked for. Raises ImportError."""

    def __init__(self):
        import blosc2
        path = next(iter(sorted((pathlib.Path(blosc2.__file__).parent / "lib").glob("libblosc2.so*"))), None)
        if path is None:
            raise ImportError("its Python package has no libblosc2.so")
        self.shuffle = ctypes.CDLL(str(path)).blosc2_shuffle
        self.shuffle.argtypes = [ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p]
        self.__version__ = blosc2.__version__

    def byte_shuffle(self, source, destination, threads):
        """Both (blocks, elements, bytes) and (blocks, bytes, elements)."""
        n_blocks, _, element_bytes = source.shape
        block_bytes, from_, to = source[0].nbytes, source.ctypes.data, destination.ctypes.data
        pool, shuffle = concurrent.futures.ThreadPoolExecutor(threads), self.shuffle

        def part(k):
            for b in range(k * n_blocks // threads, (k + 1) * n_blocks // threads):
                shuffle(element_bytes, block_bytes, from_ + b * block_bytes, to + b * block_bytes)

        return (lambda: part(0)) if threads == 1 else lambda: list(pool.map(part, range(threads))) and None
