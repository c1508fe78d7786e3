"""crinkle's functions on arrays over ranks: this file runs itself under mpirun, and is skipped where there is none.

SPDX-License-Identifier: BSD-3-Clause
"""
import numpy as np
import pytest

import crinkle as ck

from test_distribute import run_under_mpirun


@pytest.mark.parametrize("n", [1, 2, 4])
def test_under_mpirun(n, tmp_path):
    run_under_mpirun(__file__, n, tmp_path)


def main():
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()
    block = f"@0:block({size})"
    rng = np.random.default_rng(7)

    def over(whole, layout, axes=None):
        """An array that lies on rank 0, in a layout."""
        mine = whole if rank == 0 else np.empty((0,) * whole.ndim, whole.dtype)
        return ck.Distributed(comm, mine, "", whole.shape, axes).to(layout)

    def check(x, whole, layout=None):
        """The bits of one rank."""
        whole = np.ascontiguousarray(whole)
        assert isinstance(x, ck.Distributed) and x.shape == whole.shape and x.dtype == whole.dtype, x
        assert layout is None or x.layout == layout, x
        all_of_it = x.to("").part
        assert rank > 0 or all_of_it.tobytes() == whole.tobytes(), (x, np.abs(all_of_it - whole).max())

    a = rng.random((64, 50))
    check(over(a, block), a, block)
    for layout in (block, f"@1:block({size})", f"@0:cyclic({size},3)"):
        x = over(a, layout)
        for what in ("gaussian:1.5", "laplacian:2", [[0, 1, 0], [1, -4, 1], [0, 1, 0]]):
            for boundary in ("reflect", "periodic", "constant:2"):
                check(ck.stencil(x, what, boundary=boundary), ck.stencil(a, what, boundary=boundary), layout)
        check(ck.stencil(x, "average:1", steps=3), ck.stencil(a, "average:1", steps=3))
        check(ck.stencil(x, "average:2", axes=1, dtype="float32"), ck.stencil(a, "average:2", axes=1, dtype="float32"))
        for f in (ck.fft.fftn, ck.fft.fft, ck.fft.rfftn, ck.fft.ifft2):
            check(f(x), f(a))
        check(ck.fft.fft(x, axis=0, n=70), ck.fft.fft(a, axis=0, n=70))
        check(ck.fft.fftn(x, layout=f"@1:block({size})"), ck.fft.fftn(a), f"@1:block({size})")
        check(ck.move(x, "y x -> x y", flip="x"), np.ascontiguousarray(a.T[::-1]))
        check(ck.move(x, "y x -> (x y)"), a.T.ravel())
        check(ck.resample(x, zoom=2), ck.resample(a, zoom=2))
        check(ck.roll(x, 3, 0), np.roll(a, 3, 0))
    named = over(a, f"y:block({size})", "y x")
    turned = ck.move(named, "y x -> x y")
    check(turned, np.ascontiguousarray(a.T), f"y:block({size})")
    assert turned.axes == ("x", "y")
    large = rng.random((60 * size, 70)).astype("f4")  # with inner parts and rims
    for boundary in ("edge", "periodic"):
        check(ck.stencil(over(large, block), "gaussian:1", boundary=boundary), ck.stencil(large, "gaussian:1", boundary=boundary))
    whole_numbers = rng.integers(0, 100, (64, 50)).astype("i4")
    x = over(whole_numbers, block)
    check(ck.stencil(x, "average:1"), ck.stencil(whole_numbers, "average:1"))
    check(ck.fft.fftn(x), ck.fft.fftn(whole_numbers))
    p, q = rng.random((37, 3)).astype("f4"), rng.random((21, 3)).astype("f4")
    points, others = over(p, block), over(q, f"@0:cyclic({size})")
    for one, two in ((points, others), (points, q), (p, others)):
        check(ck.cdist(one, two, "cityblock"), ck.cdist(p, q, "cityblock"))
    check(ck.cdist(points, 2 * q), ck.cdist(p, 2 * q))
    check(ck.pdist(points, form="square"), ck.pdist(p, form="square"))
    places, values, targets = rng.random((50, 2)), rng.random(50), rng.random((40, 2))
    for neighbours in (5, 6):
        check(ck.interpolate(places, values, over(targets, block), neighbours=neighbours), ck.interpolate(places, values, targets, neighbours=neighbours))
    own = comm.Dup()
    check(ck.stencil(ck.Distributed(own, over(a, block).part, block, a.shape), "average:1"), ck.stencil(a, "average:1"))
    own.Free()

    def refused(error, part, body):
        try:
            body()
        except error as caught:
            assert part in str(caught), caught
            assert len(set(comm.allgather(str(caught)))) == 1, caught
        else:
            raise AssertionError(f"nothing was raised where {part!r} was expected")

    x = over(a, block)
    mine = x.part
    refused(ValueError, "the part of this rank has shape", lambda: ck.Distributed(comm, mine[:, :1], block, a.shape))
    refused(ValueError, "divide by fewer", lambda: ck.Distributed(comm, mine, f"@0:block({size + 1})", a.shape))
    refused(ck.NotationError, "axes have no names here", lambda: ck.Distributed(comm, mine, "y:block(2)", a.shape))
    refused(TypeError, "layout is a str", lambda: ck.Distributed(comm, mine, None, a.shape))
    refused(TypeError, "comm is a communicator", lambda: ck.Distributed(None, mine, block, a.shape))
    refused(ValueError, "a name of each", lambda: ck.Distributed(comm, mine, block, a.shape, "y"))
    refused(TypeError, "objects of Python", lambda: ck.Distributed(comm, mine.astype(object), block, a.shape))
    refused(TypeError, "x.part is this rank's part", lambda: np.asarray(x))
    refused(ValueError, "out: the result", lambda: ck.stencil(x, "gaussian:1", out=np.empty(mine.shape)))
    refused(ck.NotationError, "did you mean gaussian", lambda: ck.stencil(x, "gausian:1"))
    refused(IndexError, "axis 5", lambda: ck.stencil(x, "gaussian:1", axes=5))
    refused(ck.NotationError, "there is no axis '@7'", lambda: ck.fft.fft(x, layout="@7:block(2)"))
    refused(TypeError, "layout is a str", lambda: ck.fft.fft(x, layout=("a",)))
    refused(ValueError, "give dask arrays", lambda: ck.fft.fft(x, chunks=3))
    refused(ValueError, "points of 50 and of 3", lambda: ck.cdist(x, np.ones((4, 3))))
    refused(ValueError, "known", lambda: ck.collisions(x, np.ones(64)))
    refused(ValueError, "whole on all ranks", lambda: ck.interpolate(over(places, block), values, targets))
    refused(ValueError, "along whose axes", lambda: ck.reshape(x, (50, 64)))
    refused(TypeError, "takes no Distributed arrays", lambda: ck.save("x.npy", x))
    refused(TypeError, "an array over ranks", lambda: ck.plan(ck.fft.fft, x))
    refused(ck.NotationError, "expected block", lambda: x.to("@0:blok(2)"))
    if size > 1:
        last = rank == size - 1
        differ = "ranks ask for different things"
        refused(ValueError, "divide an array, or the result", lambda: ck.stencil(x.to(""), "gaussian:1"))
        refused(RuntimeError, "are no boxes", lambda: ck.pdist(x))
        refused(ValueError, differ, lambda: ck.Distributed(comm, mine.astype("f4") if last else mine, block, a.shape))
        refused(TypeError, f"rank {size - 1}: builtins.NoneType", lambda: ck.Distributed(comm, None if last else mine, block, a.shape))
        refused(ValueError, differ, lambda: ck.stencil(x, "gaussian:1" if last else "gaussian:2"))
        refused(ValueError, differ, lambda: ck.stencil(x, [[0, 1, 0], [1, float(last), 1], [0, 1, 0]]))
        refused(ValueError, differ, lambda: ck.stencil(x, np.array([[1.0, 2.0, float(last)]])))
        refused(ValueError, differ, lambda: (ck.fft.fft if last else ck.fft.ifft)(x))
        refused(ValueError, differ, lambda: ck.fft.fft(x, layout=f"@1:block({size})" if last else block))
        refused(ValueError, differ, lambda: ck.cdist(x, np.full((4, 50), float(last))))
        refused(ValueError, differ, lambda: ck.interpolate(places, values + last, over(targets, block), neighbours=5))
        refused(ValueError, differ, lambda: x.to(block if last else ""))
        alone = comm.Split(rank)
        refused(ValueError, "two communicators", lambda: ck.cdist(x, ck.Distributed(alone, np.ones((3, 50)), "", (3, 50))))
        alone.Free()
    check(ck.stencil(x, "average:1"), ck.stencil(a, "average:1"))
    print("all is right", flush=True)


if __name__ == "__main__":
    main()
