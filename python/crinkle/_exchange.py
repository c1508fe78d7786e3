"""What ranks of MPI send each other, through mpi4py: pieces under way, and errors that all ranks raise.

What every rank sends is the library's (_core.RankSide); sending is here.

SPDX-License-Identifier: BSD-3-Clause
"""
import hashlib

from . import _core

_SLOTS = 4  # pieces under way each way
_KINDS = (_core.NotationError, IndexError, ValueError, TypeError, MemoryError, ImportError, RuntimeError)  # of errors that all ranks raise


def mpi_of(comm):
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise ImportError("arrays over ranks are sent through mpi4py, which is not installed: pip install mpi4py") from error
    if not isinstance(comm, MPI.Comm) or comm == MPI.COMM_NULL:
        raise TypeError(f"comm is a communicator of mpi4py that this rank belongs to, such as MPI.COMM_WORLD, not {comm!r}")
    return MPI


def number_of(text):
    """62 bits of a text."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") >> 2


def agree(comm, body, text_of=None):
    """body() of this rank; where it raises on any rank, the error of the lowest of these on all. text_of(its result) is to be the same on all ranks: of what they ask for."""
    import numpy

    from mpi4py import MPI

    result, kind, what, text = None, None, None, ""
    try:
        result = body()
        text = "" if text_of is None else text_of(result)
    except Exception as error:  # noqa: BLE001: whatever it is, others wait
        kind, what = next((k for k in _KINDS if isinstance(error, k)), RuntimeError), str(error) or type(error).__name__
    number = number_of(text)
    own, most = numpy.array([kind is not None, number, -number], numpy.int64), numpy.empty(3, numpy.int64)
    comm.Allreduce([own, MPI.INT64_T], [most, MPI.INT64_T], MPI.MAX)
    if most[0]:
        for rank, (its, of_rank) in enumerate(comm.allgather((kind, what))):
            if its is not None:
                raise its(f"rank {rank}: {of_rank}")
    if most[1] != -most[2]:
        texts = comm.allgather(text)
        for rank, its in enumerate(texts):
            if its != texts[0]:
                raise ValueError(f"ranks ask for different things: rank 0 for {_shown(texts[0], its)}, rank {rank} for {_shown(its, texts[0])}")
    return result


def _shown(text, other):
    """A text, of a long one what is around the first place where it differs from another one."""
    if max(len(text), len(other)) <= 400:
        return repr(text)
    at = next((k for k, (a, b) in enumerate(zip(text, other)) if a != b), min(len(text), len(other)))
    first, last = max(0, at - 150), at + 150
    return repr("…" * (first > 0) + text[first:last] + "…" * (last < len(text)))


class Exchange:
    """One rank's pieces of a redistribution under way, in an order that all ranks share: none waits for ever. Several of one communicator have a tag each."""

    def __init__(self, MPI, comm, side, tag=0):
        import numpy

        self._mpi, self._comm, self._side, self._tag = MPI, comm, side, tag
        self._sends, self._receives = side.sends(), side.receives()
        self._shapes = tuple(side.source()), tuple(side.destination())

        def slots(pieces):
            return [numpy.empty(max(n for _, n in pieces), numpy.uint8) for _ in range(min(_SLOTS, len(pieces)))]

        self._out, self._in = slots(self._sends), slots(self._receives)
        self._requests = [MPI.REQUEST_NULL] * (len(self._out) + len(self._in))

    def begin(self, source, result):
        """Arrays of bytes that nobody looks at, in C order and of any shape: this rank's parts."""
        self._source, self._result = source.reshape(self._shapes[0]), result.reshape(self._shapes[1])
        self._of_out, self._of_in = [None] * len(self._out), [None] * len(self._in)  # which piece a slot has
        self._sent = self._received = 0
        self._is_kept = False
        self._post()

    def _post(self):
        comm, MPI = self._comm, self._mpi
        for slot, piece in enumerate(self._of_in):
            if piece is None and self._received < len(self._receives):
                peer, n = self._receives[self._received]
                self._of_in[slot], self._received = self._received, self._received + 1
                self._requests[len(self._out) + slot] = comm.Irecv([self._in[slot][:n], MPI.BYTE], peer, self._tag)
        for slot, piece in enumerate(self._of_out):
            if piece is None and self._sent < len(self._sends):
                peer, n = self._sends[self._sent]
                self._side.pack(self._sent, self._source, self._out[slot][:n])
                self._of_out[slot], self._sent = self._sent, self._sent + 1
                self._requests[slot] = comm.Isend([self._out[slot][:n], MPI.BYTE], peer, self._tag)

    def _take(self, done):
        for k in sorted(done):
            if k < len(self._out):
                self._of_out[k] = None
            else:
                slot = k - len(self._out)
                self._side.unpack(self._of_in[slot], self._in[slot], self._result)
                self._of_in[slot] = None
        self._post()

    def advance(self):
        """Lets messages go on, without waiting."""
        done = self._mpi.Request.Testsome(self._requests)
        if done:
            self._take(done)

    def finish(self):
        if not self._is_kept:
            self._side.keep(self._source, self._result)
            self._is_kept = True
        while (done := self._mpi.Request.Waitsome(self._requests)) is not None:
            self._take(done)
        self._source = self._result = None
