"""Arrays over ranks of MPI, through mpi4py: moves between two layouts.

Everything is collective, and where one rank fails, all raise the same error.

SPDX-License-Identifier: BSD-3-Clause
"""
import operator

from . import _arrays, _core
from ._exchange import Exchange, agree, mpi_of


class Redistribution:
    """A move between two distributed layouts, planned once and run many times.

    `shape` and `dtype` are those of the whole array; `spec` names its axes, and may turn them: 'y x -> x y'. `source` and
    `destination` say which rank holds what: 'y:block(4)', 'y:cyclic(2,64) x:cyclic(2,64)', 'copies(4)', '' for all on rank 0.
    """

    def __init__(self, comm, shape, dtype, spec, source, destination, piece_bytes=8 << 20):
        import numpy

        self._mpi = mpi_of(comm)

        def make():
            for name, text in (("spec", spec), ("source", source), ("destination", destination)):
                if not isinstance(text, str):
                    raise TypeError(f"{name} is a text, not {text!r}")
            if "->" not in spec:
                raise ValueError(f"spec names the axes of both sides, as in 'y x -> y x', not {spec!r}")
            whole = tuple(operator.index(n) for n in shape)
            self.dtype = numpy.dtype(dtype)
            if self.dtype.hasobject:
                raise TypeError("objects of Python lie in no array that can be sent")
            return _core.RankSide(whole, self.dtype.itemsize, spec, source, destination, comm.Get_rank(), comm.Get_size(),
                                  operator.index(piece_bytes))

        self._side = agree(comm, make, lambda side: f"{side.text()} as {self.dtype} in pieces of {piece_bytes} bytes")
        self._comm = comm.Dup()
        self.source_shape = tuple(self._side.source())
        self.shape = tuple(self._side.destination())
        self._exchange = Exchange(self._mpi, self._comm, self._side)

    def describe(self):
        """Volume, messages, peak of a rank and predicted time."""
        return self._side.describe()

    def _part(self, array, shape, name, writable=False):
        import numpy

        array = _arrays.unmasked(array) if writable else numpy.asarray(_arrays.plain(array), order="C")
        if not isinstance(array, numpy.ndarray) or array.shape != shape or array.dtype != self.dtype:
            raise ValueError(f"{name} of this rank has shape {shape} of {self.dtype}, not {getattr(array, 'shape', None)} of {getattr(array, 'dtype', None)}")
        if writable and not (array.flags.c_contiguous and array.flags.writeable):
            raise ValueError(f"{name} is written as it lies: it must be contiguous in C order and writable")
        return array

    def run(self, array, out=None):
        """This rank's part of the result, from its part of the source; in `out` where that is given."""
        import numpy

        if self._comm is None:
            raise ValueError("this redistribution was freed: make another one")

        def check():
            source = self._part(array, self.source_shape, "the part")
            result = numpy.empty(self.shape, self.dtype) if out is None else self._part(out, self.shape, "out", writable=True)
            if numpy.shares_memory(source, result):
                raise ValueError("out shares memory with the array: give one of its own")
            return source, result

        source, result = agree(self._comm, check)
        raw = f"V{self.dtype.itemsize}"  # bytes that nobody looks at
        self._exchange.begin(source.view(raw), result.view(raw))
        self._exchange.finish()
        return result

    def free(self):
        """Frees the communicator of its own, on all ranks at once. Does nothing where that was done."""
        if self._comm is not None:
            self._comm.Free()
        self._comm = None


def distribute(comm, array, source, destination, *, shape, spec, dtype=None, out=None):
    """This rank's part of an array that is moved from one distributed layout to another; `comm` is one of mpi4py.

    ck.distribute(comm, rows, 'y:block(4)', 'x:block(4)', shape=(512, 1000), spec='y x -> x y') is, on every rank, its part of the
    transposed array. `dtype` is the array's where none is given. To run the same again and again, make a ck.Redistribution once.
    """
    mpi_of(comm)
    mine = agree(comm, lambda: _arrays.plain(array))
    plan = Redistribution(comm, shape, mine.dtype if dtype is None else dtype, spec, source, destination)
    try:
        return plan.run(mine, out)
    finally:
        plan.free()
