"""Arrays over ranks of MPI, through mpi4py: what every rank sends is the library's (_core.RankSide); sending is here.

Everything is collective, and where one rank fails, all raise the same error.

SPDX-License-Identifier: BSD-3-Clause
"""
import operator

from . import _arrays, _core

_SLOTS = 4  # pieces under way each way
_KINDS = (_core.NotationError, ValueError, TypeError, MemoryError, ImportError, RuntimeError)  # of errors that all ranks raise


def _mpi(comm):
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise ImportError("ck.distribute sends through mpi4py, which is not installed: pip install mpi4py") from error
    if not isinstance(comm, MPI.Comm) or comm == MPI.COMM_NULL:
        raise TypeError(f"comm is a communicator of mpi4py that this rank belongs to, such as MPI.COMM_WORLD, not {comm!r}")
    return MPI


def _agree(comm, body):
    """body() of this rank; where it raises on any rank, the error of the lowest of these on all."""
    result, kind, text = None, None, None
    try:
        result = body()
    except Exception as error:  # noqa: BLE001: whatever it is, others wait
        kind, text = next((k for k in _KINDS if isinstance(error, k)), RuntimeError), str(error) or type(error).__name__
    for rank, (its, what) in enumerate(comm.allgather((kind, text))):
        if its is not None:
            raise its(f"rank {rank}: {what}")
    return result


class Redistribution:
    """A move between two distributed layouts, planned once and run many times.

    `shape` and `dtype` are those of the whole array; `spec` names its axes, and may turn them: 'y x -> x y'. `source` and
    `destination` say which rank holds what: 'y:block(4)', 'y:cyclic(2,64) x:cyclic(2,64)', 'copies(4)', '' for all on rank 0.
    """

    def __init__(self, comm, shape, dtype, spec, source, destination, piece_bytes=8 << 20):
        import numpy

        self._mpi = _mpi(comm)

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

        self._side = _agree(comm, make)
        texts = comm.allgather(f"{self._side.text()} as {self.dtype} in pieces of {piece_bytes} bytes")
        for rank, text in enumerate(texts):
            if text != texts[0]:
                raise ValueError(f"ranks ask for different things: rank 0 for {texts[0]!r}, rank {rank} for {text!r}")
        self._comm = comm.Dup()
        self.source_shape = tuple(self._side.source())
        self.shape = tuple(self._side.destination())
        self._sends, self._receives = self._side.sends(), self._side.receives()

        def slots(pieces):
            return [numpy.empty(max(n for _, n in pieces), numpy.uint8) for _ in range(min(_SLOTS, len(pieces)))]

        self._out, self._in = slots(self._sends), slots(self._receives)

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

        source, result = _agree(self._comm, check)
        raw = f"V{self.dtype.itemsize}"  # bytes that nobody looks at
        self._run(source.view(raw), result.view(raw))
        return result

    def free(self):
        """Frees the communicator of its own, on all ranks at once. Does nothing where that was done."""
        if self._comm is not None:
            self._comm.Free()
        self._comm = None

    def _run(self, source, result):
        MPI, comm, side = self._mpi, self._comm, self._side
        out, into = [None] * len(self._out), [None] * len(self._in)  # which piece a slot has
        requests = [MPI.REQUEST_NULL] * (len(out) + len(into))
        sent = received = 0
        is_kept = False
        while True:
            for slot, piece in enumerate(into):
                if piece is None and received < len(self._receives):
                    peer, n = self._receives[received]
                    into[slot], received = received, received + 1
                    requests[len(out) + slot] = comm.Irecv([self._in[slot][:n], MPI.BYTE], peer, 0)
            for slot, piece in enumerate(out):
                if piece is None and sent < len(self._sends):
                    peer, n = self._sends[sent]
                    side.pack(sent, source, self._out[slot][:n])
                    out[slot], sent = sent, sent + 1
                    requests[slot] = comm.Isend([self._out[slot][:n], MPI.BYTE], peer, 0)
            if not is_kept:
                side.keep(source, result)
                is_kept = True
            done = MPI.Request.Waitsome(requests)
            if done is None:
                return
            for k in sorted(done):
                if k < len(out):
                    out[k] = None
                else:
                    slot = k - len(out)
                    side.unpack(into[slot], self._in[slot], result)
                    into[slot] = None


def distribute(comm, array, source, destination, *, shape, spec, dtype=None, out=None):
    """This rank's part of an array that is moved from one distributed layout to another; `comm` is one of mpi4py.

    ck.distribute(comm, rows, 'y:block(4)', 'x:block(4)', shape=(512, 1000), spec='y x -> x y') is, on every rank, its part of the
    transposed array. `dtype` is the array's where none is given. To run the same again and again, make a ck.Redistribution once.
    """
    _mpi(comm)
    mine = _agree(comm, lambda: _arrays.plain(array))
    plan = Redistribution(comm, shape, mine.dtype if dtype is None else dtype, spec, source, destination)
    try:
        return plan.run(mine, out)
    finally:
        plan.free()
