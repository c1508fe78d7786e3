"""HDF5 and NetCDF files of the command, of h5py, netCDF4 and xarray: each reads what the other writes.

SPDX-License-Identifier: BSD-3-Clause
"""
import pathlib
import subprocess

import numpy as np
import pytest

import crinkle

program = pathlib.Path(crinkle.__file__).parent / "bin" / "crinkle"
if b"HDF5" not in subprocess.run([program, "--version"], capture_output=True, check=True).stdout:
    pytest.skip("this build has no HDF5", allow_module_level=True)
h5py = pytest.importorskip("h5py")

dtypes = ["bool", "int8", ">i4", "<i8", "uint16", "float16", ">f4", "float64", "complex64", ">c16", "S5"]
shapes = [((), None), ((7,), (3,)), ((10, 11), (4, 5)), ((5, 6, 7), (2, 6, 3))]


def filled(dtype, shape):
    numbers = np.random.default_rng(1).integers(0, 200, shape)
    return (numbers % 2 == 1) if dtype == "bool" else np.asarray(numbers).astype(dtype)


def run(*words, status=0):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done


def move(*words):
    return run("move", "... -> ...", *words, "--force")


def ways_of_h5py(chunks):
    yield {}
    if chunks is None:
        return
    yield {"chunks": chunks}
    for how in ({"compression": "gzip", "shuffle": True}, {"compression": "gzip", "fletcher32": True}, {"fletcher32": True}, {"compression": "szip", "compression_opts": ("nn", 2)}, {"scaleoffset": 0}, {"maxshape": (None,) * len(chunks)}):
        yield {"chunks": chunks, **how}


@pytest.mark.parametrize("dtype", dtypes)
@pytest.mark.parametrize("shape, chunks", shapes)
def test_reads_what_h5py_writes(tmp_path, dtype, shape, chunks):
    array = filled(dtype, shape)
    for libver in ("earliest", ("v110", "v110")):
        for way in ways_of_h5py(chunks):
            if ("scaleoffset" in way and array.dtype.kind not in "iu") or ("compression" in way and way["compression"] == "szip" and (array.dtype.kind in "cSb" or not h5py.h5z.filter_avail(4))):
                continue
            with h5py.File(tmp_path / "a.h5", "w", libver=libver, userblock_size=512) as file:
                file.create_dataset("g/x", data=array, **way)
            move(f"{tmp_path}/a.h5:/g/x", tmp_path / "b.npy")
            np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), array, str(way))
            assert np.load(tmp_path / "b.npy").dtype == array.dtype


@pytest.mark.parametrize("dtype", dtypes)
@pytest.mark.parametrize("shape, chunks", shapes)
def test_h5py_reads_what_is_written(tmp_path, dtype, shape, chunks):
    array = filled(dtype, shape)
    np.save(tmp_path / "a.npy", array)
    for filters in ("gzip:4,shuffle", "none", "gzip:1,fletcher32", "shuffle,fletcher32", ""):
        words = ["--filter", filters] * (filters != "") + (["--chunks", ",".join(map(str, chunks))] if chunks else [])
        move(tmp_path / "a.npy", tmp_path / "a.h5", "--verify", *words)
        with h5py.File(tmp_path / "a.h5") as file:
            np.testing.assert_array_equal(file["data"][...], array, filters)
            assert file["data"].dtype == array.dtype


def test_chunks_that_are_not_there_have_the_fill_value(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        x = file.create_dataset("x", (6, 8), "f4", chunks=(2, 3), fillvalue=-7)
        x[2:4, :] = 1
        file.create_dataset("never", (3, 4), "i2", fillvalue=5)
        want = x[...]
    move(f"{tmp_path}/a.h5:/x", tmp_path / "b.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), want)
    move(f"{tmp_path}/a.h5:/never", tmp_path / "b.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), np.full((3, 4), 5))
    run("move", "y x -> x y", f"{tmp_path}/a.h5:/x", f"{tmp_path}/c.h5", "--chunks", "3,2")
    with h5py.File(tmp_path / "c.h5") as file:
        np.testing.assert_array_equal(file["x"][...], want.T)
        assert file["x"].fillvalue == -7 and file["x"].id.get_num_chunks() == 3


def test_filters_of_plugins(tmp_path):
    hdf5plugin = pytest.importorskip("hdf5plugin")
    array = np.random.default_rng(3).integers(0, 50, (60, 70)).astype("f4")
    ways = [hdf5plugin.Blosc(cname=c, clevel=5, shuffle=s) for c in ("lz4", "zstd", "blosclz", "zlib") for s in (0, 1, 2)]
    ways += [hdf5plugin.LZ4(), hdf5plugin.LZ4(nbytes=1024), hdf5plugin.Zstd(clevel=3), hdf5plugin.Bitshuffle(cname="lz4"), hdf5plugin.Bitshuffle(nelems=16, cname="none"), hdf5plugin.Bitshuffle(cname="zstd")]
    for dtype in ("f4", "u1", "<i8", ">i2"):
        for way in ways:
            with h5py.File(tmp_path / "a.h5", "w") as file:
                file.create_dataset("x", data=array.astype(dtype), chunks=(17, 31), **way)
            move(tmp_path / "a.h5", tmp_path / "b.npy")
            np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), array, str(way))
        np.save(tmp_path / "a.npy", array.astype(dtype))
        for filters in ("zstd:3", "zstd:3,shuffle", "lz4", "lz4,shuffle", "blosc:lz4:5", "blosc:zstd:3,bitshuffle"):
            assert "plugin" in move(tmp_path / "a.npy", tmp_path / "c.h5", "--chunks", "17,31", "--filter", filters).stderr
            with h5py.File(tmp_path / "c.h5") as file:
                np.testing.assert_array_equal(file["data"][...], array, filters)
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("x", data=array, chunks=(17, 31), **hdf5plugin.Zfp())
    assert "zfp (32013)" in run("move", "... -> ...", tmp_path / "a.h5", tmp_path / "b.npy", "--force", status=2).stderr


def test_what_is_not_read_is_named(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["records"] = np.zeros(3, [("x", "f4"), ("y", "i4")])
        file["texts"] = ["a", "bc"]
        file.create_dataset("lists", (3,), h5py.vlen_dtype("i4"))
        file["long"] = np.zeros(3, "f16")
        file["empty"] = h5py.Empty("f4")
    for name, says in [("records", "x, y"), ("texts", "any length"), ("lists", "lists of any length"), ("long", "16 bytes"), ("empty", "without a shape")]:
        assert says in run("move", "... -> ...", f"{tmp_path}/a.h5:/{name}", tmp_path / "b.npy", status=2).stderr
    text = run("info", tmp_path / "a.h5").stdout
    assert "/records  not read" in text and "/empty  not read" in text


def test_attributes_and_names(tmp_path):
    said = {"text": "µm", "f4": np.float32(0.1), "i2": np.int16(-3), "list": np.arange(3, dtype="u1"), "table": np.ones((2, 3)), "yes": True, "texts": ["a", "b"], "nan": np.float64("nan")}
    with h5py.File(tmp_path / "a.h5", "w") as file:
        x = file.create_dataset("x", data=np.zeros((4, 5), "f4"))
        x.attrs.update(said)
        x.attrs["reference"] = x.ref
        file.attrs["title"] = "a file"
        x.dims[0].label, x.dims[1].label = "y", "x"
        file["lat"] = np.arange(4.0)
        file["lat"].make_scale("lat")
        x.dims[0].attach_scale(file["lat"])
    told = run("move", "x y", f"{tmp_path}/a.h5:/x", f"{tmp_path}/b.h5")
    assert "attribute 'reference'" in told.stderr and "file itself stay behind: title" in told.stderr
    with h5py.File(tmp_path / "b.h5") as file:
        x = file["x"]
        assert [d.label for d in x.dims] == ["x", "y"] and set(x.attrs) - {"DIMENSION_LABELS"} == set(said)
        for name, value in said.items():
            np.testing.assert_array_equal(x.attrs[name], value)
            if isinstance(value, (np.generic, np.ndarray)):
                assert x.attrs[name].dtype == value.dtype, name


def field(xarray):
    data = np.random.default_rng(5).normal(size=(4, 5, 6)).astype("f4")
    data[0, 0, 0] = np.nan
    axes = {"time": np.datetime64("2020-01-01", "ns") + np.arange(4) * np.timedelta64(1, "D"), "lat": ("lat", np.linspace(-60, 60, 5), {"units": "degrees_north"}), "lon": np.arange(6.0)}
    return xarray.DataArray(data, dims=("time", "lat", "lon"), coords=axes, name="t", attrs={"units": "K"})


@pytest.mark.parametrize("engine, format, ending", [("netcdf4", "NETCDF4", "nc"), ("netcdf4", "NETCDF3_64BIT", "nc3"), ("netcdf4", "NETCDF3_CLASSIC", "nc"), ("netcdf4", "NETCDF4", "h5")])
def test_xarray_and_netcdf4(tmp_path, engine, format, ending):
    xarray, netcdf4 = pytest.importorskip("xarray"), pytest.importorskip("netCDF4")
    array = field(xarray)
    packed = {"dtype": "i2", "scale_factor": 0.01, "add_offset": 2.0, "_FillValue": -32768}
    array.to_dataset().to_netcdf(tmp_path / "a.nc", engine=engine, format=format, encoding={"t": packed}, unlimited_dims=["time"])
    want = xarray.open_dataset(tmp_path / "a.nc", engine=engine)["t"].load()
    run("move", "lat lon time", f"{tmp_path}/a.nc:/t", f"{tmp_path}/b.{ending}", "--slice", "lat=1:4", "--flip", "lon")
    back = xarray.open_dataset(tmp_path / f"b.{ending}", engine=engine)["t"].load()
    assert back.dims == ("lat", "lon", "time")
    xarray.testing.assert_identical(back, want.isel(lat=slice(1, 4), lon=slice(None, None, -1)).transpose("lat", "lon", "time"))
    with netcdf4.Dataset(tmp_path / f"b.{ending}") as file:
        file.set_auto_maskandscale(False)
        assert {n: len(d) for n, d in file.dimensions.items()} == {"lat": 3, "lon": 6, "time": 4}
        assert file["t"].dtype == np.dtype("i2") and file["t"]._FillValue == -32768 and file["t"]._FillValue.dtype == np.dtype("i2")
        assert file["t"].scale_factor == 0.01
    run("move", "time lat lon -> lon lat time", f"{tmp_path}/a.nc:/t", f"{tmp_path}/c.zarr:/t")
    run("move", "lon lat time -> time lat lon", f"{tmp_path}/c.zarr:/t", f"{tmp_path}/d.{ending}")
    with netcdf4.Dataset(tmp_path / f"d.{ending}") as file, netcdf4.Dataset(tmp_path / "a.nc") as first:
        np.testing.assert_array_equal(file["t"][...], first["t"][...])
        assert file["t"]._FillValue == -32768
        assert ending == "h5" or file["t"].dimensions == ("time", "lat", "lon")


def test_netcdf4_writes_on_in_what_is_written(tmp_path):
    netcdf4 = pytest.importorskip("netCDF4")
    np.save(tmp_path / "a.npy", np.arange(12.0).reshape(3, 4))
    run("move", "y x -> y x", tmp_path / "a.npy", f"{tmp_path}/b.nc:/g/v")
    with netcdf4.Dataset(tmp_path / "b.nc", "a") as file:
        assert file["g/v"].dimensions == ("y", "x")
        file.createVariable("g/w", "f8", ("x",))[:] = [1, 2, 3, 4]
        file["g/v"].units = "m"
    run("move", "y x -> x y", f"{tmp_path}/b.nc:/g/v", f"{tmp_path}/b2.nc")
    run("move", "... -> ...", tmp_path / "a.npy", f"{tmp_path}/b.nc:/g/u", "--into")
    with netcdf4.Dataset(tmp_path / "b.nc") as file:
        np.testing.assert_array_equal(file["g/w"][:], [1, 2, 3, 4])
        np.testing.assert_array_equal(file["g/u"][:], np.arange(12.0).reshape(3, 4))


def test_bool_in_netcdf_is_that_of_xarray(tmp_path):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("netCDF4")
    array = xarray.DataArray(np.arange(12).reshape(3, 4) % 3 == 0, dims=("y", "x"), name="m")
    array.to_dataset().to_netcdf(tmp_path / "a.nc", engine="netcdf4")
    move(f"{tmp_path}/a.nc", tmp_path / "b.npy")
    assert np.load(tmp_path / "b.npy").dtype == bool
    for ending in ("nc", "nc3"):
        move(tmp_path / "a.nc", tmp_path / f"c.{ending}")
        xarray.testing.assert_identical(xarray.open_dataset(tmp_path / f"c.{ending}", engine="netcdf4")["m"].load(), array)
