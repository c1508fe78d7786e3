"""Arrays over ranks of MPI as values: every function of one move or computation takes them, on all ranks at once.

Calls are collective. What ranks ask for is compared, coefficients included; where they differ, or one rank fails, all raise the same error.

SPDX-License-Identifier: BSD-3-Clause
"""
import atexit
import itertools
import re

from . import _arrays, _core
from ._exchange import Exchange, agree, mpi_of

_most_plans = 32  # kept by a communicator
_keyval, _numbers = None, itertools.count()
_groups: dict = {}  # by the number that a communicator has


class _Group:
    """A communicator of its own for what the ranks of another one send each other, and the plans that they made."""

    def __init__(self, MPI, comm):
        self.mpi, self.comm, self.rank, self.size = MPI, comm.Dup(), comm.Get_rank(), comm.Get_size()
        self.plans, self.inputs = {}, {}  # by what was asked for; of that without its numbers: which arrays are inputs

    def kept(self, key, make):
        plan = self.plans.pop(key, None)
        if plan is None:
            plan = agree(self.comm, make, lambda plan: plan.text())
            while len(self.plans) >= _most_plans:  # the same one on all ranks: calls come in the same order
                del self.plans[next(iter(self.plans))]
        self.plans[key] = plan
        return plan


def _forget(comm, keyval, number):
    """When a communicator is freed, on all its ranks."""
    group = _groups.pop(number, None)
    if group is not None:
        group.comm.Free()


def _group_of(comm):
    """That of a communicator, kept as long as that is."""
    global _keyval
    MPI = mpi_of(comm)
    if _keyval is None:
        _keyval = MPI.Comm.Create_keyval(delete_fn=_forget)
        atexit.register(_groups.clear)
    group = _groups.get(comm.Get_attr(_keyval))
    if group is None:
        group, number = _Group(MPI, comm), next(_numbers)
        _groups[number] = group
        comm.Set_attr(_keyval, number)
    return group


class Distributed:
    """An array over the ranks of a communicator of mpi4py: this rank's `part`, a NumPy array, and which part every rank has.

    ``x = ck.Distributed(comm, part, 'y:block(4)', (512, 1000), 'y x')``: on every rank, with its part. `axes` are names; without any they are
    '@0', '@1'. crinkle's functions take it as they take an array in one memory, on all ranks at once, with the bits of one rank:
    ``y = ck.stencil(x, 'gaussian:2')``, ``ck.fft.fftn(x, layout='x:block(4)')``. `layout` is the result's, which is else the first array's.
    """

    def __init__(self, comm, part, layout, shape, axes=None):
        self._group = _group_of(comm)
        self.comm = comm

        def make():
            import numpy

            self.shape = tuple(_arrays.size(n, "an extent") for n in ([shape] if hasattr(shape, "__index__") else shape))
            self.layout = _arrays.word(layout, "layout")
            self.axes = _names(axes, len(self.shape))
            mine = tuple(_core.local_shape(self.shape, list(self.axes or ()), self.layout, self._group.rank, self._group.size))
            if _arrays.kind_of(part) in (_arrays.Cuda, _arrays.Torch, _arrays.Jax) and _arrays.is_on_gpu(part):
                raise TypeError("the part of this rank lies on a GPU: give it in memory of the host")
            array = numpy.asarray(_arrays.plain(part), order="C")
            if array.dtype.hasobject:
                raise TypeError("objects of Python lie in no array that can be sent")
            if array.shape != mine:
                raise ValueError(f"the part of this rank has shape {mine}, not {array.shape}: '{self.layout}' of {self.shape}")
            self.part, self.dtype = array, array.dtype
            return self

        agree(self._group.comm, make, like)

    ndim = property(lambda self: len(self.shape))

    def __repr__(self):
        names = "" if self.axes is None else f", {' '.join(self.axes)!r}"
        return f"<crinkle.Distributed: {self.shape} of {self.dtype} as {self.layout!r}{names}; rank {self._group.rank} has {self.part.shape}>"

    def __array__(self, dtype=None, copy=None):
        raise TypeError("a Distributed array is not in one memory: x.part is this rank's part, x.to('').part on rank 0 all of it")

    def to(self, layout):
        """The same array in another layout: '' brings all of it to rank 0. On all ranks."""
        layout = agree(self._group.comm, lambda: _arrays.word(layout, "layout"))

        def make():
            return _Move(self, layout)

        plan = self._group.kept(f"to {layout!r} from {like(self)}", make)
        return spread(self, plan.run(self._group, self.part), layout, self.shape, self.axes)


def like(x):
    dtype = x.dtype.descr if x.dtype.names else x.dtype.str if x.dtype.kind in "OSUVmM" or not x.dtype.isnative else x.dtype
    return f"{x.shape} of {dtype} as {x.layout!r}" + ("" if x.axes is None else f" of '{' '.join(x.axes)}'")


def _names(axes, n):
    if axes is None:
        return None
    names = tuple(axes.split()) if isinstance(axes, str) else tuple(axes)
    if len(names) != n or not all(isinstance(name, str) for name in names):
        raise ValueError(f"axes {axes!r} of an array of {n} axes: a name of each, as in 'y x'")
    return names


def spread(of, part, layout, shape, axes):
    """A result: what all ranks know is right."""
    x = Distributed.__new__(Distributed)
    x._group, x.comm, x.part, x.dtype, x.layout, x.shape, x.axes = of._group, of.comm, part, part.dtype, layout, tuple(shape), axes
    return x


def raw(array):
    return array.view(f"V{array.dtype.itemsize}")  # bytes that nobody looks at


class _Move:
    """From one layout to another."""

    def __init__(self, x, layout):
        names = x.axes or tuple(f"a{k}" for k in range(x.ndim))
        spec = " ".join(names) + " -> " + " ".join(names)
        texts = [t if x.axes else renamed(t) for t in (x.layout, layout)]
        self._side = _core.RankSide(x.shape, x.dtype.itemsize, spec, *texts, x._group.rank, x._group.size, 8 << 20)
        self._dtype = x.dtype
        self._exchange = Exchange(x._group.mpi, x._group.comm, self._side)

    def text(self):
        return self._side.text()

    def run(self, group, part):
        import numpy

        made = agree(group.comm, lambda: numpy.empty(tuple(self._side.destination()), self._dtype))
        self._exchange.begin(raw(part), raw(made))
        self._exchange.finish()
        return made


def renamed(layout):
    """A layout of axes '@0', '@1' as one of axes a0, a1."""
    return re.sub(r"@(\d+)\s*:", r"a\1:", layout)
