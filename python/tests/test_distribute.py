"""Arrays over ranks through mpi4py: this file runs itself under mpirun, and is skipped where there is none.

SPDX-License-Identifier: BSD-3-Clause
"""
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

import crinkle as ck


def folder_of_mpi4py(tmp_path):
    """A folder with mpi4py alone: Debian's lies beside an older NumPy."""
    try:
        import mpi4py
        return None if mpi4py else None
    except ImportError:
        pass
    debian = pathlib.Path("/usr/lib/python3/dist-packages/mpi4py")
    if not debian.is_dir() or sys.version_info[:2] != (3, 11):
        pytest.skip("mpi4py is not installed")
    (tmp_path / "mpi4py").symlink_to(debian)
    return str(tmp_path)


def run_under_mpirun(file, n, tmp_path):
    if not shutil.which("mpirun"):
        pytest.skip("there is no mpirun")
    more = [str(pathlib.Path(ck.__file__).parent.parent)] + [f for f in [folder_of_mpi4py(tmp_path)] if f]
    path = os.pathsep.join(more + [p for p in [os.environ.get("PYTHONPATH")] if p])
    ran = subprocess.run(["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", str(n), sys.executable, file], capture_output=True, text=True,
                         timeout=100, env={**os.environ, "PYTHONPATH": path})
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.count("all is right") == n


@pytest.mark.parametrize("n", [1, 2, 4])
def test_under_mpirun(n, tmp_path):
    run_under_mpirun(__file__, n, tmp_path)


def owned(n, text, coordinate):
    """The indices of an axis that part `coordinate` of 'block(p)' or 'cyclic(p,cell)' has, by NumPy."""
    kind, numbers = text.rstrip(")").split("(")
    numbers = [int(x) for x in numbers.split(",")]
    if kind == "block":
        return np.array_split(np.arange(n), numbers[0])[coordinate]
    return np.array([i for i in range(n) if i // numbers[1] % numbers[0] == coordinate], dtype=int)


def main():
    from mpi4py import MPI
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()
    whole = np.arange(37 * 29, dtype=np.float64).reshape(37, 29)
    for dtype in ("float64", "complex64", "int8", "datetime64[s]", [("a", "i4"), ("b", "f8")]):
        array = np.zeros(whole.shape, dtype)
        if isinstance(dtype, list):
            array["a"], array["b"] = whole, -whole
        else:
            array[...] = whole.astype("int64").astype(dtype)
        for source in (f"block({size})", f"cyclic({size},3)"):
            for destination in (f"block({size})", f"cyclic({size},2)"):
                mine = array[owned(37, source, rank)]
                turned = ck.distribute(comm, mine, "y:" + source, "x:" + destination, shape=(37, 29), spec="y x -> x y")
                assert turned.dtype == array.dtype and (turned == array.T[owned(29, destination, rank)]).all()
    plan = ck.Redistribution(comm, (37, 29), "f8", "y x -> y x", f"y:block({size})", "", piece_bytes=500)
    assert "volume" in plan.describe()
    for _ in range(2):
        gathered = plan.run(whole[owned(37, f"block({size})", rank)])
        assert gathered.shape == ((37, 29) if rank == 0 else (0, 0)) and (gathered == whole[:gathered.shape[0], :gathered.shape[1]]).all()

    def refused(error, part, body):
        try:
            body()
        except error as caught:
            assert part in str(caught), caught
            assert len(set(comm.allgather(str(caught)))) == 1
        else:
            raise AssertionError(f"nothing was raised where {part!r} was expected")

    mine = whole[owned(37, f"block({size})", rank)]
    parts = f"y:block({size})"
    refused(ValueError, "the communicator has", lambda: ck.distribute(comm, mine, f"y:block({size + 1})", "", shape=(37, 29), spec="y x -> y x"))
    refused(ck.NotationError, "there is no axis 'z'", lambda: ck.distribute(comm, mine, "z:block(2)", "", shape=(37, 29), spec="y x -> y x"))
    refused(ValueError, "names the axes of both sides", lambda: ck.distribute(comm, mine, parts, "", shape=(37, 29), spec="y x"))
    refused(ValueError, "the part of this rank has shape", lambda: ck.distribute(comm, whole[:1, :1], parts, "", shape=(37, 29), spec="y x -> y x"))
    refused(ValueError, "the part of this rank has shape", lambda: plan.run(mine.astype("f4")))
    refused(TypeError, "objects of Python", lambda: ck.distribute(comm, mine.astype(object), parts, "", shape=(37, 29), spec="y x -> y x"))
    refused(RuntimeError, "merges axes", lambda: ck.distribute(comm, mine, parts, "", shape=(37, 29), spec="y x -> (y x)"))
    refused(TypeError, "masked array", lambda: ck.distribute(comm, np.ma.masked_greater(mine, 5), parts, "", shape=(37, 29), spec="y x -> y x"))
    refused(TypeError, "cannot be interpreted as an integer", lambda: ck.distribute(comm, mine, parts, "", shape=(37.5, 29), spec="y x -> y x"))
    refused(TypeError, "source is a text", lambda: ck.distribute(comm, mine, None, "", shape=(37, 29), spec="y x -> y x"))
    refused(TypeError, "comm is a communicator of mpi4py", lambda: ck.distribute(None, mine, parts, "", shape=(37, 29), spec="y x -> y x"))
    refused(ValueError, "contiguous in C order", lambda: plan.run(mine, np.empty(plan.shape, order="F")))
    one = ck.distribute(comm, np.array(5.0), f"copies({size})", f"copies({size})", shape=(), spec="->")
    assert one.shape == () and one == 5
    assert (plan.run(np.asfortranarray(mine)) == gathered).all() and (plan.run(np.repeat(mine, 2, 1)[:, ::2]) == gathered).all()
    freed = ck.Redistribution(comm, (37, 29), "f8", "y x -> y x", parts, "")
    freed.free()
    freed.free()
    refused(ValueError, "was freed", lambda: freed.run(mine))

    class Own(Exception):  # which no other rank knows
        pass

    class Failing:
        def __array__(self, dtype=None, copy=None):
            raise Own("my own")

    refused(RuntimeError, f"rank {size - 1}: my own", lambda: plan.run(mine if rank < size - 1 else Failing()))
    if size > 1:
        # One rank alone fails before anything is sent: all hear of it.
        refused(ValueError, f"rank {size - 1}: setting an array element",
                lambda: ck.distribute(comm, mine if rank < size - 1 else [[1, 2], [3]], parts, "", shape=(37, 29), spec="y x -> y x"))
        turned = [("a", "i4"), ("b", "f8")] if rank else [("b", "f8"), ("a", "i4")]
        refused(ValueError, "ranks ask for different things", lambda: ck.Redistribution(comm, (37, 29), turned, "y x -> y x", parts, ""))
        refused(ValueError, f"rank {size - 1}: the part of this rank", lambda: plan.run(mine if rank < size - 1 else mine[:0]))
        refused(ValueError, "ranks ask for different things",
                lambda: ck.distribute(comm, mine, parts, f"x:block({size})" if rank else f"x:cyclic({size})", shape=(37, 29), spec="y x -> y x"))
    print("all is right", flush=True)


if __name__ == "__main__":
    main()
