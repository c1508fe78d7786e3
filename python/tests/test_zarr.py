"""Zarr stores of the command and of zarr-python: each reads what the other writes.

SPDX-License-Identifier: BSD-3-Clause
"""
import itertools
import pathlib
import subprocess

import numpy as np
import pytest

import crinkle

program = pathlib.Path(crinkle.__file__).parent / "bin" / "crinkle"
if b"with Zarr" not in subprocess.run([program, "--version"], capture_output=True, check=True).stdout:
    pytest.skip("this build has no Zarr", allow_module_level=True)
numcodecs = pytest.importorskip("numcodecs")
zarr = pytest.importorskip("zarr")
codecs = zarr.codecs

dtypes = ["bool", "int8", ">i4", "<i8", "uint16", "float16", ">f4", "float64", "complex64", "<M8[s]"]
shapes = [((), ()), ((7,), (3,)), ((10, 11), (4, 5)), ((5, 6, 7), (2, 6, 3))]


def filled(dtype, shape):
    numbers = np.random.default_rng(1).integers(0, 200, shape)
    return (numbers % 2 == 1) if dtype == "bool" else numbers.astype(dtype)


def move(*words):
    done = subprocess.run([program, "move", "... -> ...", *map(str, words), "--force"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def version_2(itemsize):
    yield {}
    for packer in (None, numcodecs.Zlib(3), numcodecs.GZip(3), numcodecs.Zstd(3), numcodecs.LZ4(), numcodecs.Blosc("zstd", 3, 2)):
        yield {"compressors": packer}
    yield {"order": "F"}
    yield {"filters": [numcodecs.Shuffle(itemsize)]}
    yield {"chunk_key_encoding": {"name": "v2", "separator": "/"}}


def version_3(itemsize, chunks):
    yield {}
    for packers in (None, [codecs.GzipCodec()], [codecs.BloscCodec(shuffle="bitshuffle")], [codecs.ZstdCodec(level=3, checksum=True), codecs.Crc32cCodec()]):
        yield {"compressors": packers}
    yield {"chunk_key_encoding": {"name": "default", "separator": "."}}
    if itemsize > 1:
        yield {"serializer": codecs.BytesCodec(endian="big")}
    if chunks:
        yield {"filters": [codecs.TransposeCodec(order=tuple(range(len(chunks)))[::-1])]}
        yield {"shards": tuple(2 * n for n in chunks)}


@pytest.mark.parametrize("dtype", dtypes)
@pytest.mark.parametrize("shape, chunks", shapes)
def test_reads_what_zarr_python_writes(tmp_path, dtype, shape, chunks):
    array = filled(dtype, shape)
    ways = itertools.chain(((2, way) for way in version_2(array.itemsize)), ((3, way) for way in version_3(array.itemsize, chunks)))
    for version, way in ways:
        store = tmp_path / "a.zarr"
        zarr.create_array(store, shape=shape, chunks=chunks, dtype=array.dtype, zarr_format=version, overwrite=True, **way)[...] = array
        move(store, tmp_path / "a.npy")
        np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), array, f"{version} {way}")


@pytest.mark.parametrize("dtype", dtypes)
@pytest.mark.parametrize("shape, chunks", shapes)
def test_zarr_python_reads_what_is_written(tmp_path, dtype, shape, chunks):
    array = filled(dtype, shape)
    np.save(tmp_path / "a.npy", array)
    ways = [[], ["--filter", "none"], ["--filter", "gzip:5"], ["--filter", "zstd:3"], ["--filter", "zstd:3,shuffle,crc32c"], ["--filter", "lz4,bitshuffle"]]
    if chunks:
        ways.append(["--shards", ",".join(str(2 * n) for n in chunks)])
    for way in ways:
        move(tmp_path / "a.npy", tmp_path / "a.zarr", "--verify", *way, *(["--chunks", ",".join(map(str, chunks))] if chunks else []))
        np.testing.assert_array_equal(zarr.open_array(tmp_path / "a.zarr", mode="r")[...], array, str(way))


def test_names_and_attributes_of_xarray(tmp_path):
    xarray = pytest.importorskip("xarray")
    field = xarray.DataArray(np.random.default_rng(2).normal(size=(6, 5, 4)), dims=("time", "lat", "lon"), attrs={"units": "K"}, name="t")
    field.to_dataset().to_zarr(tmp_path / "a.zarr", consolidated=False)
    subprocess.run([program, "move", "time lat lon -> lat lon time", f"{tmp_path}/a.zarr:/t", f"{tmp_path}/b.zarr:/t"], check=True)
    back = xarray.open_zarr(tmp_path / "b.zarr", consolidated=False)["t"]
    assert back.dims == ("lat", "lon", "time") and back.attrs["units"] == "K"
    np.testing.assert_array_equal(back.values, field.values.transpose(1, 2, 0))
