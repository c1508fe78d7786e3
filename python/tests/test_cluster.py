"""Dask's workers in processes of their own, one of which is killed in the middle; threads; stores that a second run completes.

SPDX-License-Identifier: BSD-3-Clause
"""
import os
import signal
import threading
import time

import numpy as np
import pytest

import crinkle as ck

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")
zarr = pytest.importorskip("zarr")

rng = np.random.default_rng(5)
maps = rng.normal(size=(48, 40, 36)).astype("f4")


@pytest.fixture(scope="module")
def client():
    """Two worker processes on the loopback interface."""
    settings = {"distributed.scheduler.allowed-failures": 10, "distributed.comm.timeouts.connect": "60s", "distributed.worker.daemon": False}
    with dask.config.set(settings), distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=":0") as cluster:
        with distributed.Client(cluster) as client:
            yield client


def lazy(chunks=(1, 40, 36)):
    return da.from_array(maps, chunks=chunks)


requests = [
    (lambda x: ck.move(x, "t y x -> y x t"), lambda x: np.transpose(x, (1, 2, 0))),
    (lambda x: ck.move(x, "t y x -> y x t", chunks={"y": 4, "x": 9}), lambda x: np.transpose(x, (1, 2, 0))),  # nearly all exchange pieces
    (lambda x: ck.move(x, "t y x -> x (t y)", flip="t", roll={"y": 3}, chunks=(12, 640)), lambda x: ck.move(x, "t y x -> x (t y)", flip="t", roll={"y": 3})),
    (lambda x: ck.stencil(x, "gaussian:1", boundary=("periodic", "edge", "reflect"), steps=2), lambda x: ck.stencil(x, "gaussian:1", boundary=("periodic", "edge", "reflect"), steps=2)),
    (lambda x: ck.fft.rfftn(x, axes=(0, 2)), lambda x: ck.fft.rfftn(x, axes=(0, 2))),
    (lambda x: ck.resample(x, zoom=(1, 2, 2)), lambda x: ck.resample(x, zoom=(1, 2, 2))),
    (lambda x: ck.pdist(x[0].rechunk((9, 36))), lambda x: ck.pdist(x[0])),
]


@pytest.mark.parametrize("f, expected", requests)
def test_two_processes(client, f, expected):
    made, right = f(lazy((5, 40, 18))).compute(), expected(maps)
    assert made.dtype == right.dtype and np.ascontiguousarray(made).tobytes() == np.ascontiguousarray(right).tobytes()
    made = f(lazy()).compute()
    assert np.ascontiguousarray(made).tobytes() == np.ascontiguousarray(right).tobytes()


def test_an_array_beyond_the_memory_of_workers_goes_through_files(client, monkeypatch):
    from crinkle import _graph

    monkeypatch.setattr(_graph, "share_of_memory", 0)
    made = ck.move(lazy(), "t y x -> y x t", chunks={"y": 4, "x": 9})
    assert any("p2p" in str(key) for key in made.__dask_graph__()) and ck.explain(made, workers=2).network_bytes >= maps.nbytes // 2
    assert made.compute().tobytes() == np.ascontiguousarray(np.transpose(maps, (1, 2, 0))).tobytes()


def test_pieces_travel_and_not_chunks(client):
    """A neighbour's halo is a task that packs it where the chunk lies."""
    graph = dict(ck.stencil(lazy((12, 40, 36)), "average:1", axes=(0,)).__dask_graph__())
    cuts = [task for key, task in graph.items() if "crinkle-cut" in str(key)]
    assert len(cuts) == 6 and all(task.args[1][0].stop - task.args[1][0].start == 1 for task in cuts)
    told = ck.explain(ck.stencil(lazy((12, 40, 36)), "average:1", axes=(0,)), workers=2)
    assert told.network_bytes <= 6 * 40 * 36 * 4 * 2


def slowly(block):
    time.sleep(0.1)
    return block


@pytest.mark.parametrize("f", [lambda x: ck.move(x, "t y x -> y x t", chunks={"y": 20, "x": 36}), lambda x: ck.stencil(x, "average:2", steps=2)])
def test_a_worker_is_killed_in_the_middle(client, f, tmp_path):
    made = f(lazy((4, 40, 36)).map_blocks(slowly, dtype="f4"))
    victim = list(client.run(os.getpid).values())[0]
    done = ck.save(tmp_path / "a.zarr", made, compute=False)
    future = client.compute(done)
    while not any("slowly" in name for held in client.has_what().values() for name in map(str, held)):
        assert not future.done()
        time.sleep(0.02)
    os.kill(victim, signal.SIGKILL)
    future.result(timeout=120)
    right = f(da.from_array(maps, chunks=-1)).compute(scheduler="sync")
    assert zarr.open_array(tmp_path / "a.zarr")[...].tobytes() == right.tobytes()
    client.wait_for_workers(2, timeout=60)
    assert victim not in client.run(os.getpid).values()


@pytest.fixture
def threads():
    """Threads, though there is a client."""
    with dask.config.set(scheduler="threads", num_workers=4):
        yield


def test_threads(threads):
    for f, expected in requests:
        made, right = f(lazy((5, 40, 18))).compute(), expected(maps)
        assert np.ascontiguousarray(made).tobytes() == np.ascontiguousarray(right).tobytes()


class Counted:
    def __init__(self, fails_at=None):
        self.n, self.fails_at, self.lock = 0, fails_at, threading.Lock()

    def __call__(self, block):
        with self.lock:
            self.n += block.size > 0  # Dask tries it on nothing
            if self.n == self.fails_at:
                raise RuntimeError("the power is gone")
        return block

    def __dask_tokenize__(self):
        return "counted"


def test_a_second_run_makes_what_the_first_did_not(tmp_path, threads):
    path = tmp_path / "out.zarr"

    def made(count):
        return ck.stencil(da.map_blocks(count, lazy((4, 40, 36)), dtype="f4", name="counted"), "average:1", axes=(1, 2))

    with dask.config.set(scheduler="sync"), pytest.raises(RuntimeError, match="power"):
        ck.save(f"{path}:/a", made(Counted(7)))
    n_done = len(os.listdir(path / "a" / "crinkle_finished"))
    assert 0 < n_done < 12
    with pytest.raises(FileExistsError, match="resume=True"):
        ck.save(f"{path}:/a", made(Counted()))
    again = Counted()
    ck.save(f"{path}:/a", made(again), resume=True)
    assert again.n == 12 - n_done and not (path / "a" / "crinkle_finished").exists()
    assert (ck.open(f"{path}:/a")[...] == ck.stencil(maps, "average:1", axes=(1, 2))).all()
    third = Counted()
    ck.save(f"{path}:/a", made(third), resume=True)
    assert third.n == 0
    with pytest.raises(ValueError, match="another array"):
        ck.save(f"{path}:/a", made(again) + 1, resume=True)
    ck.save(f"{path}:/a", ck.flip(lazy()), force=True, chunks=(1, 20, 9))
    assert ck.open(f"{path}:/a").chunks == (1, 20, 9) and (ck.open(f"{path}:/a")[...] == maps[::-1, ::-1, ::-1]).all()


def test_explain(threads):
    x = da.from_array(maps, chunks=(1, 40, 36))
    told = ck.explain(ck.move(x, "t y x -> y x t", chunks={"y": 20}), workers=4)
    assert told.tasks["crinkle-move"] == 2 and told.pieces >= 96 and told.bytes_read >= maps.nbytes
    assert 0.7 * maps.nbytes < told.network_bytes <= maps.nbytes and told.peak_bytes < 2 * maps.nbytes
    assert "between 4 workers" in str(told) and "2 crinkle-move" in str(told)
    for bad in (lambda: ck.explain(maps), lambda: ck.explain(x, workers=0)):
        with pytest.raises((TypeError, ValueError), match="explain"):
            bad()


@pytest.mark.parametrize("f, error, text", [
    (lambda path, y: ck.save(path / "a.npy", y), ValueError, "written to .zarr"),
    (lambda path, y: ck.save(path / "a.zarr", y, chunks=(5, 5, 5)), ValueError, "two tasks would write one"),
    (lambda path, y: ck.save(path / "a.zarr", y, force=True, resume=True), ValueError, "one of them"),
    (lambda path, y: ck.save(f"{path}/a.zarr:/../b", y), ValueError, "goes down only"),
    (lambda path, y: ck.save("s3://bucket/a.zarr", y), ValueError, "to_zarr"),
    (lambda path, y: ck.save(path, y), ValueError, "written to .zarr"),
    (lambda path, y: ck.save(path / "a.zarr", y, header=ck.Header()), ValueError, "header"),
    (lambda path, y: ck.save(path / "a.zarr", y, progress=True), ValueError, "ProgressBar"),
    (lambda path, y: ck.save(path / "a.zarr", y, chunks={"q": 3}), ValueError, "'q'"),
    (lambda path, y: ck.save(path / "a.zarr", y, colour="red"), TypeError, "colour"),
])
def test_what_is_wrong_of_stores(tmp_path, f, error, text):
    with pytest.raises(error, match=text):
        f(tmp_path, ck.flip(lazy((4, 40, 36))))
    assert not list(tmp_path.glob("*.zarr/c"))


def test_files_are_read_by_workers(client, tmp_path):
    np.save(tmp_path / "a.npy", maps)
    zarr.create_array(tmp_path / "a.zarr", shape=maps.shape, chunks=(8, 40, 36), dtype="f4")[...] = maps
    paths = [tmp_path / "a.npy", tmp_path / "a.zarr"]
    try:
        import h5py
        import tifffile
    except ImportError:
        pass
    else:
        tifffile.imwrite(tmp_path / "a.tif", maps, metadata={"axes": "TYX"})
        with h5py.File(tmp_path / "a.h5", "w") as f:
            f["a"] = maps
        paths += [tmp_path / "a.tif", tmp_path / "a.h5"]
    for path in paths:
        made = ck.move(ck.open(path).dask((12, 40, 36)), "t y x -> y x t", chunks={"y": 20}).compute()
        assert made.tobytes() == np.ascontiguousarray(np.transpose(maps, (1, 2, 0))).tobytes()
