"""Arrays of files, unread, through zarr-python, h5py and tifffile; functions from file to file, by the command.

SPDX-License-Identifier: BSD-3-Clause
"""
import shutil
import subprocess

import numpy as np
import pytest

import crinkle as ck

rng = np.random.default_rng(7)
field = rng.normal(size=(6, 40, 30)).astype("f4")
names = ("time", "lat", "lon")


def zarr_store(path):
    zarr = pytest.importorskip("zarr")
    group = zarr.open_group(path / "a.zarr", mode="w")
    group.create_array("t", shape=field.shape, chunks=(2, 20, 30), dtype="f4", dimension_names=names, attributes={"units": "K"})[...] = field
    group.create_array("u", shape=(3,), dtype="i2")[...] = 1
    return f"{path}/a.zarr:/t", (2, 20, 30)


def hdf5_file(path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(path / "a.h5", "w") as f:
        data = f.create_dataset("g/t", data=field, chunks=(2, 20, 30), compression="gzip")
        data.attrs["units"] = "K"
        for a, (name, n) in enumerate(zip(names, field.shape)):
            f[name] = np.arange(n)
            f[name].make_scale(name)
            data.dims[a].attach_scale(f[name])
    return f"{path}/a.h5:/g/t", (2, 20, 30)


def memory_store(path):
    zarr = pytest.importorskip("zarr")
    pytest.importorskip("fsspec")
    zarr.create_array("memory://a.zarr", shape=field.shape, chunks=(2, 20, 30), dtype="f4", dimension_names=names, attributes={"units": "K"}, overwrite=True)[...] = field
    return "memory://a.zarr", (2, 20, 30)


@pytest.mark.parametrize("made", [zarr_store, hdf5_file, memory_store])
def test_arrays_of_files(tmp_path, made):
    path, chunks = made(tmp_path)
    with ck.open(path) as x:
        assert (x.shape, x.dtype, x.dims, x.attrs, x.chunks) == (field.shape, field.dtype, names, {"units": "K"}, chunks) and "time lat lon" in repr(x)
        assert (x.ndim, x.size, x.nbytes, len(x)) == (3, 7200, 28800, 6)
        assert (x[1:3, 2] == field[1:3, 2]).all() and (np.asarray(x) == field).all()
        for f in (lambda a: ck.move(a, "a b c -> c b a", roll={"a": 1}), lambda a: ck.stencil(a, "average:1"), lambda a: ck.fft.rfft(a), lambda a: ck.flip(a, 1), lambda a: ck.pdist(a[0])):
            result = f(x)
            assert type(result) is np.ndarray and (result == f(field)).all()
        assert (ck.move(x, "lat lon time", slice={"time": slice(1, 3)}) == np.moveaxis(field[1:3], 0, 2)).all()
        assert (ck.stencil(x, "average:1", axes=("lat", "lon")) == ck.stencil(field, "average:1", axes=(1, 2))).all()


def test_only_what_is_needed_is_read(tmp_path):
    path, _ = zarr_store(tmp_path)
    shutil.rmtree(tmp_path / "a.zarr/t/c/2")
    x = ck.open(path)
    read = []
    data = x._data
    x._data = type("Read", (), {"__getitem__": lambda self, index: read.append(index) or data[index]})()
    ck.move(x, "time lat lon -> lat lon", at={"time": 1})
    assert read == [(slice(1, 2), slice(0, 40), slice(0, 30))]


def test_lazy_arrays_of_files(tmp_path):
    pytest.importorskip("dask")
    x = ck.open(zarr_store(tmp_path)[0])
    made = ck.move(x, "lat lon time", chunks={"lat": 8})
    assert made.chunks == ((8,) * 5, (30,), (6,)) and (made.compute() == np.moveaxis(field, 0, 2)).all()
    assert x.dask((1, 40, 30)).chunks[0] == (1,) * 6
    np.save(tmp_path / "w.npy", np.ones((1, 3, 1)))
    assert (ck.stencil(x.dask(), ck.open(tmp_path / "w.npy")).compute() == ck.stencil(field, np.ones((1, 3, 1)))).all()
    assert (ck.stencil(x, ck.open(tmp_path / "w.npy"), chunks=8).compute() == ck.stencil(field, np.ones((1, 3, 1)))).all()
    pytest.importorskip("xarray")
    assert x.xarray().dims == names and x.xarray().attrs == {"units": "K"} and x.xarray().name == "t"
    assert ck.move(x.xarray(), "lat lon time").dims == ("lat", "lon", "time")


def test_stacks_of_pages(tmp_path):
    tifffile = pytest.importorskip("tifffile")
    pytest.importorskip("zarr")
    pages = (100 * field).astype("u2")
    tifffile.imwrite(tmp_path / "a.tif", pages, imagej=True, metadata={"axes": "ZYX"})
    x = ck.open(tmp_path / "a.tif")
    assert x.dims == ("z", "y", "x") and (np.asarray(x) == pages).all() and (ck.move(x, "y x z") == np.moveaxis(pages, 0, 2)).all()
    if b"TIFF," in subprocess.run([ck._files.command(), "--version"], capture_output=True).stdout and with_zarr():
        ck._files.save_named(tmp_path / "b.tif", field, dimension_names=["lat", "lon", "time"], attributes={})
        assert ck.open(tmp_path / "b.tif").dims == ("lat", "lon", "time")
    with pytest.raises(KeyError, match="no series '3'"):
        ck.open(f"{tmp_path}/a.tif:/3")


def test_what_is_wrong_of_opening(tmp_path):
    path, _ = zarr_store(tmp_path)
    store = path.removesuffix(":/t")
    hdf5 = hdf5_file(tmp_path)[0].removesuffix(":/g/t")
    (tmp_path / "bad.h5").write_bytes(b"no such file")
    (tmp_path / "bad.nc3").write_bytes(b"no such file")
    (tmp_path / "bad.zarr").mkdir()
    for wrong, error, text in ((f"{tmp_path}/none.zarr", FileNotFoundError, "none.zarr"), (store, KeyError, "2 arrays: name one"), (f"{store}:/tt", KeyError, "near it: t"),
                               (f"{store}:/t/x", KeyError, "no array"), (f"{hdf5}:/g", KeyError, "no array 'g'"), (f"{tmp_path}/bad.h5", ValueError, "no HDF5"),
                               (f"{tmp_path}/bad.nc3:/t", ValueError, "load"), (f"{tmp_path}/bad.zarr", ValueError, "no Zarr"), (__file__, ValueError, "load"), ("s3://bucket/a.h5", ValueError, "Zarr"),
                               (3, TypeError, "PathLike")):
        with pytest.raises(error, match=text):
            ck.open(wrong)
    with pytest.raises(ValueError, match="copy=False"):
        ck.open(path).__array__(copy=False)
    with pytest.raises(TypeError, match="Lazy"):
        ck.plan(ck.open(path), "a b c -> c b a")
    with pytest.raises(ck.AxisError, match="no axis 'lev'"):
        ck.stencil(ck.open(path), "average:1", axes="lev")


by_command = [
    (ck.move, ("t y x -> x y t",), {"flip": "t", "roll": {"x": 3}}), (ck.stencil, ("gaussian:2",), {"axes": (1, 2), "boundary": ("periodic", ("edge", "constant:1"))}),
    (ck.stencil, (np.arange(9.0).reshape(1, 3, 3),), {"convolve": True, "boundary": "edge", "steps": 2}), (ck.stencil, ("average:1", ), {"axes": -1, "dtype": "f8"}),
    (ck.fft.fft, (), {"axis": 1}), (ck.fft.rfft, (20,), {}), (ck.fft.fftn, (), {"norm": "ortho"}), (ck.fft.dct, (), {"axis": -2}), (ck.fft.rfft2, (), {"s": (32, 24)}),
    (ck.fft.ifft2, (), {}), (ck.resample, ((6, 80, 20),), {}), (ck.resample, (), {"zoom": 2, "by": "cubic", "keep": "centres"}), (ck.resample, (), {"rotate": 30, "axes": (1, 2)}),
    (ck.resample, (), {"matrix": np.eye(3) / 2, "offset": 1.0, "boundary": "edge"}), (ck.resample, ((90, 30),), {"polar": "to", "axes": (1, 2), "centre": (20, 15)}),
]


@pytest.mark.filterwarnings("ignore:memory=")
@pytest.mark.parametrize("f, arguments, words", by_command)
def test_functions_from_file_to_file(tmp_path, f, arguments, words):
    source = field.astype("c8") if f is ck.fft.ifft2 else field
    np.save(tmp_path / "a.npy", source)
    ck.run_file(f, tmp_path / "a.npy", tmp_path / "b.npy", *arguments, memory="1MiB", threads=1, **words)
    made, expected = np.load(tmp_path / "b.npy"), f(source, *arguments, **words)
    assert made.dtype == expected.dtype and made.shape == expected.shape and made.tobytes() == np.ascontiguousarray(expected).tobytes()


def with_zarr():
    return b"with Zarr" in subprocess.run([ck._files.command(), "--version"], capture_output=True, check=True).stdout


def test_stores_from_file_to_file(tmp_path):
    if not with_zarr():
        pytest.skip("this build has no Zarr")
    zarr = pytest.importorskip("zarr")
    path, _ = zarr_store(tmp_path)
    ck.run_file(ck.move, path, tmp_path / "b.zarr", "lat lon time", chunks={"lat": 8, "lon": 30, "time": 6}, filter="zstd:3", memory="1MiB")
    made = zarr.open_array(tmp_path / "b.zarr")
    assert made.chunks == (8, 30, 6) and made.metadata.dimension_names == ("lat", "lon", "time") and (made[...] == np.moveaxis(field, 0, 2)).all()
    ck.move_file("time lat lon -> lon lat time", path, tmp_path / "c.zarr", chunks=(10, 10, 6), shards="20,20,6")
    assert zarr.open_array(tmp_path / "c.zarr").shards == (20, 20, 6)
    ck.run_file(ck.stencil, path, tmp_path / "d.zarr", "average:1", axes=("lat", "lon"), chunks=(1, 40, 30))
    assert (zarr.open_array(tmp_path / "d.zarr")[...] == ck.stencil(field, "average:1", axes=(1, 2))).all()


@pytest.mark.parametrize("f, arguments, words, error, text", [
    (ck.pdist, (), {}, ValueError, "not by"), (ck.fft.hfft, (), {}, ValueError, "not by"), (len, (), {}, ValueError, "not by"), ("stencil", (), {}, ValueError, "not by"),
    (ck.stencil, (), {}, TypeError, "what"), (ck.stencil, ("average:1",), {"colour": 3}, TypeError, "colour"), (ck.stencil, ("gausian:1",), {}, ValueError, "gausian"),
    (ck.stencil, ("average:1",), {"memory": "lots"}, ValueError, "lots"), (ck.stencil, ("average:1",), {"out": field}, TypeError, "destination"),
    (ck.fft.fft, (), {"axis": 7}, ck.AxisError, "axis 7"), (ck.fft.dct, (3,), {}, NotImplementedError, "type 3"), (ck.move, ("t y -> y t",), {}, ValueError, "axes"),
    (ck.move, (), {}, TypeError, "specification"), (ck.resample, (), {"polar": "sideways"}, ValueError, "polar"), (ck.resample, (), {}, ValueError, "resample|zoom"),
    (ck.stencil, ("average:1",), {"chunks": (1, 2.5, 3)}, TypeError, "integer"), (ck.stencil, ([1.0],), {"convolve": "no"}, TypeError, "True or False"),
    (ck.resample, (), {"polar": "to", "log": "no"}, TypeError, "True or False"),
])
def test_what_is_wrong_from_file_to_file(tmp_path, f, arguments, words, error, text):
    np.save(tmp_path / "a.npy", field)
    with pytest.raises(error, match=text):
        ck.run_file(f, tmp_path / "a.npy", tmp_path / "b.npy", *arguments, **words)
    assert not (tmp_path / "b.npy").exists()


def packed_files(path):
    """Numbers that stand for others, by NetCDF's attributes, in three formats; and the values."""
    zarr, h5py = pytest.importorskip("zarr"), pytest.importorskip("h5py")
    numbers = np.array([[0, 1, 2], [-9, 4, 7]], "i2")
    said = {"scale_factor": 0.5, "add_offset": 3.0, "_FillValue": -9, "missing_value": [7, 8]}
    zarr.create_array(path / "p.zarr", shape=numbers.shape, dtype="i2", chunks=(1, 3), attributes=said, dimension_names=("t", "x"))[...] = numbers
    with h5py.File(path / "p.h5", "w") as f:
        f["p"] = numbers
        f["p"].attrs.update(said)
        f["x"] = [10.0, 20.0, 30.0]
        f["x"].attrs["units"] = "m"
        f["x"].make_scale("x")
        f["p"].dims[1].attach_scale(f["x"])
    values = numbers * 0.5 + 3
    values[1, ::2] = np.nan
    return numbers, values, (f"{path}/p.zarr", f"{path}/p.h5:/p")


@pytest.mark.filterwarnings("ignore:.*attributes")
def test_values_of_packed_numbers(tmp_path):
    numbers, values, paths = packed_files(tmp_path)
    for path in paths:
        made = ck.load(path, scaled=True)
        assert made.dtype == "f8" and (ck.load(path, scaled=False) == numbers).all()
        np.testing.assert_array_equal(made, values)
    import h5py

    with h5py.File(tmp_path / "p.h5", "a") as f:
        f["p"].attrs["_Unsigned"] = "true"
        f["n"], f["big"] = np.arange(3.0), np.array([2**62, 2**62 + 1])
        f["big"].attrs["_FillValue"] = 2**62 + 1
        f["n"].attrs["_FillValue"] = np.nan
    with pytest.raises(ValueError, match="scale_factor 0.5, .*_Unsigned true"):
        ck.load(paths[1], scaled=True)
    assert ck.load(f"{tmp_path}/p.h5:/n", scaled=True).tolist() == [0, 1, 2]
    assert np.isnan(ck.load(f"{tmp_path}/p.h5:/big", scaled=True)).tolist() == [False, True]


def test_computing_with_packed_numbers_is_told(tmp_path):
    import warnings

    numbers, values, paths = packed_files(tmp_path)
    for path in paths:
        with ck.open(path) as x:
            assert x.attrs["_FillValue"] == -9
            with pytest.warns(UserWarning, match="stencil: numbers of .* are as stored, with scale_factor 0.5") as told:
                ck.stencil(x, "average:1")
            assert told[0].filename == __file__
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                assert (ck.flip(x) == numbers[::-1, ::-1]).all()


def test_no_data_of_stores_that_xarray_writes(tmp_path):
    xarray, _, _ = pytest.importorskip("xarray"), pytest.importorskip("zarr"), pytest.importorskip("h5py")
    data = xarray.Dataset({"t": ("x", [1.0, 2, np.nan])})
    for version in (2, 3):
        path = f"{tmp_path}/{version}.zarr"
        data.to_zarr(path, zarr_format=version, consolidated=False, encoding={"t": {"dtype": "i2", "scale_factor": 0.5, "add_offset": 1.0, "_FillValue": -9}})
        assert ck.open(f"{path}:/t").attrs == {"scale_factor": 0.5, "add_offset": 1.0, "_FillValue": -9}
        data.to_zarr(f"{tmp_path}/floats{version}.zarr", zarr_format=version, consolidated=False)
        for of in (f"{tmp_path}/floats{version}.zarr:/t", f"{path}:/t"):
            np.testing.assert_array_equal(ck.load(of, scaled=True), data.t)
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ck.stencil(ck.open(f"{tmp_path}/floats{version}.zarr:/t"), "average:1")  # NaN is NaN
        for of in (f"{tmp_path}/floats{version}.zarr:/t", f"{path}:/t"):
            for to in (f"{tmp_path}/again{version}.zarr:/t", f"{tmp_path}/again.h5:/t", f"{tmp_path}/lazy{version}.zarr:/t"):
                x = ck.open(of)
                x.attrs["missing_value"] = np.float32(np.nan)
                ck.save(to, x, force=True, **({"chunks": (2,)} if "lazy" in to else {}))
                np.testing.assert_array_equal(ck.load(to, scaled=True), data.t)
            np.testing.assert_array_equal(xarray.open_zarr(f"{tmp_path}/again{version}.zarr", consolidated=False).t, data.t)
            np.testing.assert_array_equal(xarray.open_zarr(f"{tmp_path}/lazy{version}.zarr", consolidated=False).t, data.t)


def test_coordinates_beside(tmp_path):
    pytest.importorskip("dask")
    pytest.importorskip("xarray")
    zarr = pytest.importorskip("zarr")
    _, _, paths = packed_files(tmp_path)
    x = ck.open(paths[1]).xarray()
    assert x.x.values.tolist() == [10, 20, 30] and x.x.attrs == {"units": "m"} and x.dims == ("dim_0", "x")
    group = zarr.open_group(tmp_path / "g.zarr", mode="w")
    for name, n, dims in (("t", (2, 3), ("a", "b")), ("b", (3,), ("b",)), ("a", (5,), ("a",))):  # a has another extent
        group.create_array(f"in/{name}", shape=n, dtype="f4", dimension_names=dims)[...] = 7
    assert list(ck.open(f"{tmp_path}/g.zarr:/in/t").xarray().coords) == ["b"]


def test_arrays_of_files_go_to_workers(tmp_path):
    import pickle

    da = pytest.importorskip("dask.array")
    tifffile = pytest.importorskip("tifffile")
    tifffile.imwrite(tmp_path / "a.tif", field, metadata={"axes": "ZYX"})
    np.save(tmp_path / "a.npy", field)
    for path in (zarr_store(tmp_path)[0], hdf5_file(tmp_path)[0], f"{tmp_path}/a.tif", f"{tmp_path}/a.npy", memory_store(tmp_path)[0]):
        x = ck.open(path)
        made = pickle.loads(pickle.dumps(x))
        assert (made.name, made.dims, made.shape) == (x.name, x.dims, x.shape) and (np.asarray(made) == field).all()
        lazy = pickle.loads(pickle.dumps(x.dask((2, 20, 30))))
        assert isinstance(lazy, da.Array) and (lazy.compute(scheduler="sync") == field).all() and x.dask().name == ck.open(path).dask().name
