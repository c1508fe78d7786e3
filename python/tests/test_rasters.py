"""GeoTIFFs and stacks of TIFF: what they say beside their numbers, loaded, kept, moved, told where it is lost. GDAL's tools are an oracle.

SPDX-License-Identifier: BSD-3-Clause
"""
import json
import pathlib
import shutil
import subprocess
import warnings

import numpy as np
import pytest

import crinkle as ck

program = pathlib.Path(ck.__file__).parent / "bin" / "crinkle"
said = subprocess.run([program, "--version"], capture_output=True, check=True).stdout
if b"GeoTIFF" not in said or b"TIFF," not in said or not (program.parent / "libcrinkle_gdal.so").exists():
    pytest.skip("this build has no TIFF or no GDAL", allow_module_level=True)

place = (500000, 10, 0, 5400000, 0, -20)
x = (np.arange(2 * 6 * 8) % 90).reshape(2, 6, 8).astype("i2")
header = ck.Header(crs="EPSG:25832", geotransform=place, nodata=-9, bands=["heights", "depths"], scales=[(0.5, 7), (1, 0)])


def gdalinfo(path):
    if shutil.which("gdalinfo") is None:
        pytest.skip("gdal-bin is not installed")
    return json.loads(subprocess.run(["gdalinfo", "-json", path], capture_output=True, check=True).stdout)


def test_a_header_is_written_and_read(tmp_path):
    ck.save(tmp_path / "a.tif", x, header=header)
    facts = gdalinfo(tmp_path / "a.tif")
    assert facts["geoTransform"] == list(place) and "ETRS89 / UTM zone 32N" in facts["coordinateSystem"]["wkt"]
    assert [(b["description"], b["noDataValue"], b.get("scale", 1), b.get("offset", 0)) for b in facts["bands"]] == [("heights", -9, 0.5, 7), ("depths", -9, 1, 0)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        array, its = ck.load(tmp_path / "a.tif", header=True)
        ck.save(tmp_path / "b.tif", array, header=its)
    assert array.dtype == x.dtype and (array == x).all() and its.shape == (2, 6, 8) and its.format == "geotiff"
    assert (its.geotransform, its.nodata, its.bands, its.scales) == (place, -9, ("heights", "depths"), ((0.5, 7), (1, 0)))
    assert its.crs.startswith("PROJCRS") and "25832" in its.crs and ck.load(tmp_path / "b.tif", header=True)[1] == its
    assert its.replace(nodata=0) != its and its.replace(nodata=0).crs == its.crs


def test_what_stays_behind_is_a_warning(tmp_path):
    ck.save(tmp_path / "a.tif", x, header=header)
    with pytest.warns(UserWarning, match=r"its place on the ground .*25832.* stay behind: an array has no place"):
        assert (ck.load(tmp_path / "a.tif") == x).all()


def test_values_on_request(tmp_path):
    array = x.copy()
    array[0, 2, 3] = -9
    ck.save(tmp_path / "a.tif", array, header=header)
    values, its = ck.load(tmp_path / "a.tif", header=True, scaled=True)
    want = array.astype(float) * [[[0.5]], [[1]]] + [[[7]], [[0]]]
    want[0, 2, 3] = np.nan
    np.testing.assert_array_equal(values, want)
    assert its.scales == () and np.isnan(its.nodata)
    ck.save(tmp_path / "b.tif", values, header=its)
    again, other = ck.load(tmp_path / "b.tif", header=True)
    np.testing.assert_array_equal(again, want)
    assert np.isnan(other.nodata) and gdalinfo(tmp_path / "b.tif")["bands"][0]["noDataValue"] == "NaN"


def test_a_header_follows_a_move(tmp_path):
    ck.save(tmp_path / "a.tif", x, header=header)
    array, its = ck.load(tmp_path / "a.tif", header=True)
    spec, words = "band y x -> band y x", {"flip": "y", "slice": {"x": slice(2, 8, 2)}}
    moved = its.moved(spec, **words)
    assert moved.geotransform == (500015, 20, 0, 5399880, 0, 20) and moved.shape == (2, 6, 3)
    ck.move_file(spec, tmp_path / "a.tif", tmp_path / "b.tif", **words)
    assert ck.load(tmp_path / "b.tif", header=True)[1].geotransform == moved.geotransform
    part, there = ck.load(tmp_path / "a.tif", header=True, slice={"y": slice(1, 4)})
    assert (part == x[:, 1:4]).all() and there.geotransform == (500000, 10, 0, 5399980, 0, -20)
    with pytest.raises(ValueError, match="no longer lines"):
        its.moved("band y x -> y x band")


def test_wrong_requests(tmp_path):
    with pytest.raises(ValueError, match="rows and columns"):
        loaded = header.replace()
        loaded.shape = (2, 6, 8)
        ck.save(tmp_path / "a.tif", x[:, :3], header=loaded)
    for words, text in (({"geotransform": (1, 2, 3)}, "six numbers"), ({"geotransform": (0, 0, 0, 0, 0, 0)}, "six numbers")):
        with pytest.raises(ValueError, match=text):
            ck.Header(**words)
    with pytest.raises(TypeError, match="no fact 'affine' of a raster"):
        ck.Header(crs="EPSG:4326", affine=np.eye(4))
    with pytest.raises(ValueError, match="only .tif"):
        ck.save(tmp_path / "a.npy", x, header=header)
    with pytest.raises(ValueError, match="bands of 2 bands"):
        ck.save(tmp_path / "a.tif", x[0], header=header)
    with pytest.raises(ValueError, match="header"):
        ck.save(tmp_path / "a.tif", x, header=header.replace(crs="EPSG:1"))
    with pytest.raises(RuntimeError, match="float16"):
        ck.save(tmp_path / "a.tif", x.astype("f2"), header=header)
    assert list(tmp_path.iterdir()) == []


def test_stacks_have_no_header(tmp_path):
    ck.save(tmp_path / "a.tif", x)
    array, its = ck.load(tmp_path / "a.tif", header=True)
    assert (array == x).all() and its == ck.Header()
    ck.move_file("z y x -> y z x", tmp_path / "a.tif", tmp_path / "b.tif")
    assert (ck.load(tmp_path / "b.tif") == x.swapaxes(0, 1)).all() and (ck.load(f"{tmp_path}/b.tif:/page2") == x[:, 1]).all()


def test_tifffile_reads_the_same(tmp_path):
    tifffile = pytest.importorskip("tifffile")
    ck.move_file("... -> ...", np_file(tmp_path, x), tmp_path / "a.tif")
    assert (tifffile.imread(tmp_path / "a.tif") == x).all()
    tifffile.imwrite(tmp_path / "b.tif", x.astype("u2"), imagej=True, metadata={"axes": "ZYX"})
    assert (ck.load(tmp_path / "b.tif") == x).all()


def np_file(folder, array):
    np.save(folder / "in.npy", array)
    return folder / "in.npy"


def test_no_data_that_a_type_does_not_hold(tmp_path):
    for nodata in (-9999, 0.5, np.nan, 1e30):
        with pytest.raises(ValueError, match="nodata .* is no uint8"):
            ck.save(tmp_path / "a.tif", x.astype("u1"), header=header.replace(nodata=nodata))
    assert not (tmp_path / "a.tif").exists()
    ck.save(tmp_path / "a.tif", x.astype("f4"), header=header.replace(nodata=-9999))
    its = ck.load(tmp_path / "a.tif", header=True)[1]
    assert its.nodata == -9999 and its.moved("band y x -> band y x", flip="y").nodata == -9999


def test_what_an_opened_map_says(tmp_path):
    pytest.importorskip("tifffile")
    pytest.importorskip("zarr")
    ck.save(tmp_path / "a.tif", x, header=header)
    with ck.open(tmp_path / "a.tif") as made:
        assert made.attrs["geotransform"] == place and made.attrs["nodata"] == -9 and "25832" in made.attrs["crs"] and made.attrs["scales"] == ((0.5, 7), (1, 0))
        with pytest.warns(UserWarning, match="as stored, with nodata -9.0, scales"):
            ck.stencil(made, "average:1")
