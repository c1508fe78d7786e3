"""Files: what is read and written, who is told how far it is, and what a failure raises and leaves.

SPDX-License-Identifier: BSD-3-Clause
"""
import errno
import os
import subprocess
import sys

import numpy as np
import pytest

import crinkle as ck

rng = np.random.default_rng(4)


def test_files_and_the_command(tmp_path):
    x = (rng.random((5, 7)) * 255).astype("u1")
    ck.save(tmp_path / "x.png", x)
    assert (ck.load(tmp_path / "x.png")[..., 0] == x).all()
    ck.save(tmp_path / "x.npy", x)
    ck.move_file("y x -> x y", tmp_path / "x.npy", tmp_path / "y.npy", flip="y", verify=True)
    assert (ck.load(tmp_path / "y.npy") == x[::-1].T).all()
    with pytest.raises(FileExistsError, match="x.png"):
        ck.save(tmp_path / "x.png", x)
    with pytest.raises(ValueError, match=r"\^"):
        ck.move_file("y x -> q", tmp_path / "x.npy", tmp_path / "z.npy")
    done = subprocess.run([sys.executable, "-m", "crinkle", "--version"], capture_output=True, text=True)
    assert done.returncode == 0 and "crinkle" in done.stdout


def check_told(told, n):
    """From nothing to all, in several steps that never go back."""
    assert told[0] == (0, n) and told[-1] == (n, n) and len(told) > 3
    assert all(a[0] <= b[0] and b[1] == n for a, b in zip(told, told[1:]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With an array of 32 MiB, and a picture."""
    made = tmp_path_factory.mktemp("files")
    np.save(made / "x.npy", np.arange(1 << 23, dtype="i4").reshape(2048, 4096))
    np.save(made / "y.npy", np.zeros((2000, 8000), "u1"))
    return made


@pytest.mark.parametrize("words", [{}, {"roll": {"x": 5}}, {"pad": {"y": (3, 4)}}, {"take": {"x": "indices.npy"}}])
def test_progress_of_a_move(folder, tmp_path, words):
    np.save(tmp_path / "indices.npy", np.arange(4096)[::-3].copy())
    words = {k: {a: tmp_path / n if n == "indices.npy" else n for a, n in v.items()} for k, v in words.items()}
    told = []
    ck.move_file("y x -> x y", folder / "x.npy", tmp_path / "y.npy", progress=lambda *n: told.append(n), verify=True, **words)
    check_told(told, np.load(tmp_path / "y.npy", mmap_mode="r").nbytes)


@pytest.mark.parametrize("name, packed", [("x.npy", 0), ("x.nii", 0), ("x.png", 1), ("x.nii.gz", 1)])
def test_progress_of_load_and_save(tmp_path, name, packed):
    x = rng.integers(0, 2, (1200, 8000), np.uint8)
    told = []
    ck.save(tmp_path / name, x, progress=lambda *n: told.append(n))
    header = 352 if name.endswith("gz") else 0
    check_told(told, x.nbytes * (1 + packed) + header)
    told = []
    assert (ck.load(tmp_path / name, progress=lambda *n: told.append(n)).reshape(x.shape) == x).all()
    check_told(told, x.nbytes)
    told = []
    ck.save(tmp_path / name, x[:, :0] if name == "x.npy" else x[:4, :4], force=True, progress=lambda *n: told.append(n))
    assert told[0][0] == 0 and told[-1][0] == told[-1][1]


@pytest.mark.parametrize("when", ["first", "middle", "last"])
@pytest.mark.parametrize("name, is_there", [("y.npy", False), ("y.npy", True), ("y.png", True)])
def test_what_progress_raises_ends_the_work(folder, tmp_path, when, name, is_there):
    class Enough(Exception):
        pass

    if is_there:
        (tmp_path / name).write_bytes(b"before")

    def tell(done, total):
        if (done == total if when == "last" else done > 0 if when == "middle" else True):
            raise Enough(done)

    with pytest.raises(Enough):
        ck.move_file("y x -> x y", folder / ("x.npy" if name == "y.npy" else "y.npy"), tmp_path / name, force=is_there, progress=tell)
    assert os.listdir(tmp_path) == ([name] if is_there else [])
    assert not is_there or (tmp_path / name).read_bytes() == b"before"
    with pytest.raises(KeyboardInterrupt):
        ck.load(folder / "x.npy", progress=lambda *n: (_ for _ in ()).throw(KeyboardInterrupt))


def test_errors_of_the_work_with_progress(folder, tmp_path):
    told = []
    with pytest.raises(ValueError, match="q"):
        ck.move_file("y x -> q", folder / "x.npy", tmp_path / "z.npy", progress=lambda *n: told.append(n))
    with pytest.raises(FileNotFoundError):
        ck.load(tmp_path / "nope.npy", progress=lambda *n: told.append(n))
    assert told == []
    with pytest.raises(TypeError, match="progress"):
        ck.load(folder / "x.npy", progress=3)


def test_a_bar(folder, tmp_path, capsys, monkeypatch):
    pytest.importorskip("tqdm")
    ck.move_file("y x -> x y", folder / "x.npy", tmp_path / "y.npy", progress=True)
    said = capsys.readouterr().err
    assert "y.npy: 100%" in said and "32.0M/32.0M" in said
    assert ck.load(folder / "x.npy", progress=False).shape == (2048, 4096) and capsys.readouterr().err == ""
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.warns(UserWarning, match="tqdm"):
        assert ck.load(folder / "x.npy", progress=True).shape == (2048, 4096)


@pytest.mark.parametrize("name", ["nope.npy", "nope.png", "nope.nii", "nope.nii.gz", "nope.hdr"])
def test_missing_files(tmp_path, name):
    for path in tmp_path / name, tmp_path / "no folder" / name:
        with pytest.raises(FileNotFoundError) as raised:
            ck.load(path)
        assert raised.value.filename == os.fspath(path) and raised.value.errno == errno.ENOENT
    with pytest.raises(FileNotFoundError) as raised:
        ck.load(tmp_path / "nope.raw", shape="3", dtype="u1")
    with pytest.raises(RuntimeError if name.endswith("hdr") else FileNotFoundError, match="no folder"):
        ck.save(tmp_path / "no folder" / name, np.zeros((2, 2), "u1"))


def test_other_errors_of_the_system(tmp_path):
    for name in "there.npy", "there.png":
        (tmp_path / name).mkdir()
        with pytest.raises(IsADirectoryError):
            ck.load(tmp_path / name, dtype=None)
        with pytest.raises(IsADirectoryError):
            ck.save(tmp_path / name, np.zeros((2, 2), "u1"), force=True)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(NotADirectoryError):
        ck.load(tmp_path / "file" / "x.png")
    with pytest.raises(OSError) as raised:
        ck.load(tmp_path / ("x" * 300 + ".png"))
    assert raised.value.errno == errno.ENAMETOOLONG
    (tmp_path / "bad.png").write_bytes(b"\x89PNG\r\n\x1a\n and no more")
    with pytest.raises(ValueError, match="bad.png") as raised:
        ck.load(tmp_path / "bad.png")
    assert not isinstance(raised.value, OSError)
    if os.geteuid() != 0:
        (tmp_path / "bad.png").chmod(0)
        with pytest.raises(PermissionError):
            ck.load(tmp_path / "bad.png")


def test_the_words_of_move(tmp_path):
    """All that move() and the command have, as keywords of move_file()."""
    x = np.arange(4 * 8, dtype="<i4").reshape(4, 8)
    np.save(tmp_path / "x.npy", x)
    for words in ({"flip": "y x"}, {"flip": ["x", "y"]}, {"bit_reverse": "x"}, {"roll": {"x": np.int64(3), "y": -1}}, {"at": {"y": 1}}, {"dilate": {"x": 2}},
                  {"slice": {"x": slice(1, None, 2), "y": (0, 3)}}, {"slice": {"x": slice(None, None, -1)}}, {"pad": {"x": 2}},
                  {"pad": {"x": (1, 2, "edge"), "y": (0, 1, "constant", 7)}}, {"take": {"x": [3, -1], "y": np.array([0, 0, 3])}},
                  {"order": "morton"}, {"order": "checkerboard"}, {"byte_order": "big"}, {"flip": "x", "roll": {"x": 3}}, {"roll": {"x": 3}, "flip": "x"}):
        right = "x" if "at" in words else "x y"
        ck.move_file(f"y x -> {right}", tmp_path / "x.npy", tmp_path / "y.npy", force=True, **words)
        expected = ck.move(x, f"y x -> {right}", **words)
        made = np.load(tmp_path / "y.npy")
        assert made.dtype == expected.dtype and made.shape == expected.shape and (made == expected).all(), words
    for words in ({"a": 4}, {"sizes": {"a": np.int32(4)}}, {"a": 4, "tail": "error"}):
        ck.move_file("y (x a) -> a y x", tmp_path / "x.npy", tmp_path / "y.npy", force=True, verify=True, **words)
        assert (np.load(tmp_path / "y.npy") == ck.move(x, "y (x a) -> a y x", **words)).all()
    (tmp_path / "x.raw").write_bytes(b"head" + x.tobytes())
    for shape in (4, 8), "4,8", [4, np.int64(8)]:
        for dtype in np.int32, "int32", np.dtype("<i4"):
            ck.move_file("y x -> x y", tmp_path / "x.raw", tmp_path / "y.npy", force=True, shape=shape, dtype=dtype, offset=4, memory=1 << 20)
            assert (np.load(tmp_path / "y.npy") == x.T).all()
    np.save(tmp_path / "whole.npy", np.zeros((8, 20), "<i4"))
    ck.move_file("y x -> x y", tmp_path / "x.npy", tmp_path / "whole.npy", put=(slice(None), slice(4, 8)))
    assert (np.load(tmp_path / "whole.npy")[:, 4:8] == x.T).all() and np.load(tmp_path / "whole.npy").sum() == x.sum()
    ck.move_file("y x -> y x", tmp_path / "x.npy", tmp_path / "y.npy", shuffle=True, force=True)
    assert (np.load(tmp_path / "y.npy").reshape(4, -1) == x.reshape(-1, 1).view("u1").T).all()
    for words, error, said in (({"dry_run": True}, TypeError, "prints it"), ({"wrong": "z"}, TypeError, "no such keyword"), ({"roll": 3}, TypeError, "dict"),
                               ({"verify": "yes"}, TypeError, "True or False"), ({"order": "hilbert"}, ValueError, "'morton' or"),
                               ({"take": {"x": [0.5]}}, ValueError, "integers"), ({"put": "a"}, FileNotFoundError, "z.npy"), ({"pad": {"x": (1, 2, 3, 4, 5)}}, ValueError, "pad"),
                               ({"shape": (6, 2.5)}, TypeError, "integer")):
        with pytest.raises(error, match=said):
            ck.move_file("y x -> x y", tmp_path / "x.npy", tmp_path / "z.npy", **words)
    assert not (tmp_path / "z.npy").exists()
