"""xarray's objects: axes by names; coordinates, names and attributes follow them.

SPDX-License-Identifier: BSD-3-Clause
"""
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import crinkle as ck

xr = pytest.importorskip("xarray")
rng = np.random.default_rng(3)


def field(shape=(6, 5, 4)):
    nt, ny, nx = shape
    return xr.DataArray(rng.normal(size=shape).astype("f4"), dims=("time", "lat", "lon"), name="t", attrs={"units": "K"},
                        coords={"time": np.datetime64("2020-01-01", "s") + np.arange(nt) * np.timedelta64(1, "h"), "lat": np.linspace(-40, 40, ny), "lon": 90.0 * np.arange(nx),
                                "area": (("lat", "lon"), rng.random((ny, nx)), {"units": "m2"}), "run": 7})


def lazy(x):
    pytest.importorskip("dask")
    return x.chunk({"time": 2, "lat": 3})


def same(made, expected):
    xr.testing.assert_identical(made.transpose(*expected.dims), expected)
    assert made.dims == expected.dims


@settings(max_examples=60, deadline=None)
@given(st.permutations(["time", "lat", "lon"]), st.sets(st.sampled_from(["time", "lat", "lon"])), st.tuples(*[st.integers(1, 5)] * 3),
       st.dictionaries(st.sampled_from(["time", "lat", "lon"]), st.integers(-4, 4)))
def test_moves_are_those_of_xarray(order, flipped, shape, rolled):
    x = field(shape)
    expected = x.transpose(*order)
    for d in flipped:
        expected = expected.isel({d: slice(None, None, -1)})
    expected = expected.roll({d: n for d, n in rolled.items()}, roll_coords=True)
    same(ck.move(x, " ".join(order), flip=sorted(flipped), roll=rolled), expected)


functions = [
    (lambda x: ck.move(x, "lat lon time"), lambda x: x.transpose("lat", "lon", "time")),
    (lambda x: ck.move(x, "lon ..."), lambda x: x.transpose("lon", "time", "lat")),
    (lambda x: ck.move(x, "t y x -> x y t"), lambda x: x.transpose("lon", "lat", "time")),
    (lambda x: ck.move(x, "time lat lon -> lat lon", at={"time": 2}), lambda x: x.isel(time=2)),
    (lambda x: ck.move(x, "time lat lon", slice={"lat": slice(1, 4)}, take={"lon": [3, 0]}), lambda x: x.isel(lat=slice(1, 4), lon=[3, 0])),
    (lambda x: ck.flip(x, "lat"), lambda x: x.isel(lat=slice(None, None, -1))),
    (lambda x: ck.permute_dims(x, ("lon", "time", "lat")), lambda x: x.transpose("lon", "time", "lat")),
    (lambda x: ck.moveaxis(x, "time", -1), lambda x: x.transpose("lat", "lon", "time")),
    (lambda x: ck.roll(x, 1, axis="lon"), lambda x: x.roll(lon=1, roll_coords=True)),
    (lambda x: ck.take(x, [1, 1], axis="lat"), lambda x: x.isel(lat=[1, 1])),
    (lambda x: ck.squeeze(x[:, :1], "lat"), lambda x: x.isel(lat=0)),
    (lambda x: ck.stencil(x, "average:1", axes=("lat", "lon")), lambda x: x.copy(data=ck.stencil(np.asarray(x), "average:1", axes=(1, 2)))),
    (lambda x: ck.fft.fftshift(x, axes="lon"), lambda x: x.roll(lon=2, roll_coords=True)),
]


@pytest.mark.parametrize("f, expected", functions)
def test_names_and_coordinates_follow_the_elements(f, expected):
    x = field()
    same(f(x), expected(x))
    made = f(lazy(x))
    assert made.chunks is not None
    same(made.compute(), expected(x))


def test_axes_that_are_split_and_merged():
    x = field()
    made = ck.move(x, "time (lat 1) lon -> lon (time lat)", flip="lat")
    assert made.dims == ("lon", "time_lat") and made.attrs == x.attrs and made.name == "t"
    np.testing.assert_array_equal(made.lat, np.tile(x.lat[::-1], 6))
    np.testing.assert_array_equal(made.time, np.repeat(x.time, 5))
    np.testing.assert_array_equal(made.area, np.tile(x.area.values[::-1], (6, 1)).T)
    days = ck.move(x, "(day hour) lat lon -> day hour lat lon", hour=3)
    assert days.dims == ("day", "hour", "lat", "lon")
    np.testing.assert_array_equal(days.time, x.time.values.reshape(2, 3))


def test_what_is_padded_has_no_coordinate():
    made = ck.pad(field(), ((0, 0), (1, 2), (0, 0)))
    np.testing.assert_array_equal(made.lat, [np.nan, -40, -20, 0, 20, 40, np.nan, np.nan])
    np.testing.assert_array_equal(ck.pad(field(), ((0, 0), (1, 0), (0, 0)), mode="edge").lat, [-40, -40, -20, 0, 20, 40])
    assert np.isnat(ck.move(field(), "time lat lon", pad={"time": (1, 0, "constant", np.nan)}).time[0])


def test_frequencies_are_coordinates():
    x = field((8, 5, 4))
    made = ck.fft.rfft(x, axis="time")
    assert made.dims == ("freq_time", "lat", "lon") and "time" not in made.coords and made.area.dims == ("lat", "lon")
    np.testing.assert_allclose(made.freq_time, np.fft.rfftfreq(8, 3600))
    np.testing.assert_array_equal(made.values, ck.fft.rfft(x.values, axis=0))
    both = ck.fft.fft2(x, axes=("lat", "lon"))
    np.testing.assert_allclose(both.freq_lat, np.fft.fftfreq(5, 20))
    assert ck.fft.ifft2(both, axes=("freq_lat", "freq_lon")).dims == x.dims
    np.testing.assert_allclose(ck.fft.rfft(x, 12, "time").freq_time, np.fft.rfftfreq(12, 3600))
    np.testing.assert_allclose(ck.fft.fft(x.drop_vars("time"), axis="time").freq_time, np.fft.fftfreq(8))
    same(ck.fft.rfft(lazy(x), axis="time").compute(), made)
    for kind in (1, 2):
        for of in (x, lazy(x)):
            cosines = ck.fft.dct(of, type=kind, axis="lat").compute()
            assert cosines.dims == x.dims and set(cosines.coords) == {"time", "lon", "run"} and (cosines.values == ck.fft.dct(x.values, type=kind, axis=1)).all()
    with pytest.raises(ValueError, match="not evenly spaced, 3600 to 10800"):
        ck.fft.fft(x[[0, 1, 4]], axis="time")


def test_positions_of_a_resampling():
    x = field()
    made = ck.resample(x, (10, 8), axes=("lat", "lon"))
    np.testing.assert_allclose(made.lat, np.arange(-45, 50, 10))
    np.testing.assert_allclose(ck.resample(x, (9,), axes=("lat",), keep="centres").lat, np.linspace(-40, 40, 9))
    assert "area" not in made.coords and made.time.equals(x.time)
    assert set(ck.resample(x, rotate=30, axes=("lat", "lon")).coords) == {"time", "run"}
    with pytest.raises(ValueError, match="give 2 axes, which have no names"):
        ck.resample(x, coordinates=np.ones((2, 5)), axes=("lat", "lon"))


def test_datasets_and_accessors():
    import crinkle.xarray  # noqa: F401

    x = field()
    data = xr.Dataset({"t": x, "u": 2 * x, "n": ((), 3)}, attrs={"title": "weather"})
    made = data.crinkle.move("lat lon time")
    assert made.t.dims == ("lat", "lon", "time") and made.attrs == data.attrs and made.n == 3
    same(made.u.rename("t"), (2 * x).transpose("lat", "lon", "time").rename("t"))
    same(x.crinkle.stencil("average:1", axes="lat"), ck.stencil(x, "average:1", axes="lat"))
    same(x.crinkle.fft.rfft(axis="time"), ck.fft.rfft(x, axis="time"))
    assert {"stencil", "save", "fft", "move", "pdist", "explain"} <= set(dir(x.crinkle)) and {"dct", "rfft", "fftconvolve"} <= set(dir(x.crinkle.fft))
    for name in ("load", "set_threads", "stack", "move_file"):
        with pytest.raises(AttributeError, match=f"no function '{name}' of an array"):
            getattr(x.crinkle, name)
    with pytest.raises(AttributeError, match="no function 'blur'"):
        x.crinkle.blur
    with pytest.raises(ValueError, match="v of the Dataset would stay behind"):
        ck.move(data.assign(v=x[0]), "lat lon time")
    mixed = data.assign(v=x[0].drop_vars("time"), name=("lat", np.array(list("abcde"), object)))
    for f in (lambda: ck.flip(mixed), lambda: ck.flip(mixed[["t", "v"]], 0)):
        with pytest.raises(ValueError, match="unlike coordinates along one axis"):
            f()
    assert ck.flip(mixed, "lon").name.equals(mixed.name) and ck.flip(mixed[["t", "v"]], "lat").v.values.tolist() == x.values[0, ::-1].tolist()
    assert np.isnan(ck.pad(data, {"lat": 2}).lat.values).sum() == 4


@pytest.mark.parametrize("f, error, text", [
    (lambda x: ck.move(x, "lon time"), ValueError, "'lat' is missing"),
    (lambda x: ck.move(x, "lat lon tme"), ValueError, "no 'tme'"),
    (lambda x: ck.move(x, "lat lon time -> time lat lon"), ValueError, "write just the right side, 'time lat lon'"),
    (lambda x: ck.move(x, "time lat -> lat time"), ValueError, "axes"),
    (lambda x: ck.stencil(x, "average:1", axes="lev"), ck.AxisError, "no axis 'lev': there are time, lat, lon"),
    (lambda x: ck.flip(x, "lev"), ck.AxisError, "lev"),
    (lambda x: ck.flip(x, out=x), ValueError, "leave out away"),
    (lambda x: ck.flip(x.variable), TypeError, "DataArray"),
    (lambda x: ck.move(x.to_dataset(), "lat lon lev"), ValueError, "no variable"),
    (lambda x: ck.move(x, "lat lon time", chunks=2), ValueError, "from_array"),
    (lambda x: ck.stack([x, x.transpose("lat", "time", "lon")]), ValueError, "transpose"),
    (lambda x: ck.move(x.rename(lat="latitude (deg)"), "time lon"), ValueError, "rename"),
    (lambda x: ck.flip(x.astype(object)), TypeError, "objects"),
])
def test_what_is_wrong(f, error, text):
    with pytest.raises(error, match=text):
        f(field())


def test_chunks_by_names():
    x = lazy(field())
    assert ck.move(x, "lat lon time", chunks={"lat": 2}).chunks == ((2, 2, 1), (4,), (6,))
    assert ck.stencil(x, "average:1", axes="lat", chunks={"lon": 2}).chunks == ((6,), (5,), (2, 2))
    assert ck.fft.fft(x, axis="time", chunks={"freq_time": -1, "lat": 5}).chunks == ((6,), (5,), (4,))
    with pytest.raises(ck.AxisError, match="no axis 'lev'"):
        ck.flip(x, chunks={"lev": 2})


def test_padding_along_one_axis_keeps_the_other_ones_coordinates():
    x = xr.DataArray(np.arange(6.0).reshape(2, 3), dims=("lat", "lon"), coords={"lat": [10, 20], "lon": [1, 2, 3]})
    for widths in ((1, 0), (0, 1), (2, 9)):
        padded = ck.pad(x, ((0, 0), widths))
        assert padded.lat.values.tolist() == [10, 20]
        assert padded.lon.values[widths[0]:widths[0] + 3].tolist() == [1, 2, 3] and np.isnan(padded.lon.values).sum() == sum(widths)


def test_orders_of_all_elements_keep_their_coordinates():
    x = xr.DataArray(np.arange(16.0).reshape(4, 4), dims=("lat", "lon"), coords={"lat": [0.0, 10, 20, 30], "lon": [0.0, 1, 2, 3]})
    x = x.assign_coords(number=x)
    for made in (ck.morton(x), ck.checkerboard(x), ck.move(x, "lat lon", order="morton"), ck.move(x.chunk(2), "lat lon", order="checkerboard").compute()):
        assert made.dims == ("lat_lon",) and (made.number == made).all() and (made.lat / 10 * 4 + made.lon == made).all()
    assert ck.move(x[:1], "lat lon -> (lat lon)").lat.values.tolist() == [0, 0, 0, 0]
    padded = ck.move(x[:1], "lat lon -> (lat lon)", pad={"lon": (1, 0)})
    assert np.isnan(padded.lat[0]) and padded.lat[1:].values.tolist() == [0, 0, 0, 0] and padded.lon[1:].values.tolist() == [0, 1, 2, 3]
    assert ck.einops.rearrange(field(), "time lat lon -> lon (lat time)").dims == ("lon", "lat_time")


def test_names_stay_where_elements_are_computed_or_go_round():
    x = field()
    with pytest.warns(UserWarning, match="roll: coordinates stay behind: time, lat, lon, area"):
        made = ck.roll(x, 1)
    assert made.dims == x.dims and set(made.coords) == {"run"} and made.attrs == x.attrs
    made = ck.pad(x, {"lat": 1}, "mean")
    assert made.dims == x.dims and made.time.equals(x.time) and made.lat.values[1:-1].tolist() == x.lat.values.tolist() and np.isnan(made.lat[0])
    assert ck.pad(x, 1, "linear_ramp").shape == (8, 7, 6)
    for of in (x, lazy(x)):
        for k, one in enumerate(ck.unstack(of, "lat")):
            same(one.compute(), x[:, k])
    with pytest.warns(UserWarning, match="fftconvolve: coordinates stay behind"):
        assert ck.fft.fftconvolve(x, np.ones((1, 1, 2))).dims == x.dims
    assert ck.fft.fftconvolve(x, np.ones((1, 1, 2)), mode="same").area.equals(x.area)


def test_times_of_any_calendar():
    pytest.importorskip("cftime")

    def of(n, **words):
        return xr.DataArray(np.arange(float(n)), dims="time", coords={"time": xr.date_range("2000-01-01", periods=n, calendar="noleap", use_cftime=True, **words)})

    np.testing.assert_allclose(ck.fft.rfft(of(8), axis="time").freq_time, np.fft.rfftfreq(8, 86400))
    with pytest.raises(ValueError, match="not evenly spaced, 2.4192e"):
        ck.fft.rfft(of(4, freq="MS"), axis="time")
    lags = xr.DataArray(np.arange(4.0), dims="lag", coords={"lag": np.arange(4) * np.timedelta64(2, "s")})
    np.testing.assert_allclose(ck.fft.rfft(lags, axis="lag").freq_lag, np.fft.rfftfreq(4, 2))
    made = ck.resample(of(4), zoom=2, keep="centres")
    assert made.time.values[0] == of(4).time.values[0] and made.time.values[-1] == of(4).time.values[-1] and made.time.values[1] > made.time.values[0]
    with pytest.warns(UserWarning, match="resample: coordinates stay behind: name"):
        made = ck.resample(of(4).assign_coords(name=("time", list("abcd"))), zoom=2)
    down = xr.DataArray(np.arange(3.0), dims="x", coords={"x": np.array([6, 4, 2], "u1")})
    assert ck.resample(down, (5,), keep="centres").x.values.tolist() == [6, 5, 4, 3, 2]


def test_axes_by_name_where_there_are_several():
    x = field()
    assert (ck.concat([x, x], axis="lat") == np.concatenate([x, x], 1)).all() and (ck.concat([x, x], "lon") == np.concatenate([x, x], 2)).all()
    assert (ck.pad(x, {"lat": (1, 2)}).values == np.pad(x.values, ((0, 0), (1, 2), (0, 0)))).all()
    for join in (ck.concat, ck.stack, lambda xs: ck.move(xs, "n time lat lon -> time n lat lon"), lambda xs: ck.move(xs, "lat lon time -> time lat lon", layout="lat:block(2)")[0]):
        with pytest.warns(UserWarning, match="names of axes, coordinates and attributes stay behind"):
            assert isinstance(join([x, x]), np.ndarray)
    with pytest.raises(ck.AxisError, match="no axis 'lev': there are time"):
        ck.concat([x, x], axis="lev")
    for of, widths in ((x, {"time": 1, 0: 2}), (x, {0: 1, -3: 2}), (x.values, {0: 1, -3: 2})):
        with pytest.raises(ValueError, match="an axis is named twice"):
            ck.pad(of, widths)
    same(ck.take(x, xr.DataArray([1, 0]), axis="lat"), x.isel(lat=[1, 0]))
    same(ck.stencil(x, xr.DataArray(np.ones((1, 1, 3)))), ck.stencil(x, np.ones((1, 1, 3))))
    with pytest.raises(TypeError, match="save its variables one by one"):
        ck.save("x.zarr", x.to_dataset())
    with pytest.raises(ck.AxisError, match="no axis 'lev'"):
        ck.pad(x, {"lev": 1})
    for f in (lambda: ck.stack([x, x], axis="member"), lambda: ck.expand_dims(x, "member")):
        with pytest.raises(ValueError, match="the new axis has a number"):
            f()


def test_files_keep_names_and_attributes(tmp_path):
    zarr = pytest.importorskip("zarr")
    x = field().assign_attrs(levels=np.arange(3), scale=np.float32(2))
    kept = {"units": "K", "levels": [0, 1, 2], "scale": 2.0}
    for name, of in (("numpy", x), ("dask", lazy(x)), ("turned", x.transpose("lon", "lat", "time")), ("complex", x.astype("c16")), ("bool", x > 0), ("swapped", x.astype(">f8")),
                     ("dates", x.astype("M8[s]")), ("steps", x.astype("m8[ms]"))):
        with pytest.warns(UserWarning, match="save: coordinates stay behind: time, lat, lon, area, run"):
            ck.save(f"{tmp_path}/a.zarr:/{name}", of)
        with ck.open(f"{tmp_path}/a.zarr:/{name}") as made:
            assert made.dims == of.dims and (np.asarray(made) == of.values).all() and made.attrs == (kept if of.attrs else {})
    for path in ("b.h5:/t", "b.zarr:/t"):
        ck.save(f"{tmp_path}/{path}", ck.open(f"{tmp_path}/a.zarr:/numpy"))
        assert ck.open(f"{tmp_path}/{path}").dims == x.dims and ck.open(f"{tmp_path}/{path}").attrs["units"] == "K"
    with pytest.warns(UserWarning, match="attributes stay behind"):
        ck.save(tmp_path / "c.npy", x)
    with pytest.warns(UserWarning, match="dimension names stay behind: time, lat, lon"):
        ck.save(f"{tmp_path}/c.npy", x.astype("S4"), force=True)
    for of in (x, lazy(x)):
        for wrong in (b"bytes", np.nan, {1, 2}):
            with pytest.raises(TypeError, match="the attribute 'odd' is"):
                ck.save(tmp_path / "d.zarr", of.assign_attrs(odd=wrong))
    with pytest.raises(TypeError, match="colour"):
        ck.save(tmp_path / "d.zarr", lazy(x), colour="red")
    assert not list(tmp_path.glob("d.zarr*"))
    before = zarr.open(tmp_path / "a.zarr")["dask"][...]
    with pytest.raises(TypeError, match="colour"):
        ck.save(f"{tmp_path}/a.zarr:/dask", lazy(x), colour="red", force=True)
    assert (zarr.open(tmp_path / "a.zarr")["dask"][...] == before).all()


@pytest.mark.filterwarnings("ignore:the coordinates of axis")
def test_files_keep_coordinates_of_one_axis(tmp_path):
    pytest.importorskip("h5py")
    x = field().transpose("lon", "lat", "time").rename("warm").drop_vars(("area", "run"))
    import crinkle.xarray  # noqa: F401

    for path in ("g.h5:/lat", "g.nc:/lat", "h.h5"):
        ck.save(f"{tmp_path}/{path}", x.lat)
        assert (ck.open(f"{tmp_path}/{path}")[...] == x.lat.values).all() and ck.open(f"{tmp_path}/{path}").name == "lat"
    x.crinkle.save(tmp_path / "f.nc")
    assert ck.open(tmp_path / "f.nc").dims == x.dims
    for path in ("a.h5", "b.nc", "c.h5:/in/a/group", "d.nc:/warm", "i.he5", "j.he5:/warm"):
        with pytest.warns(UserWarning, match="save: coordinates stay behind: text$"):
            ck.save(tmp_path / path, x.assign_coords(text=("lat", list("abcde"))))
        made = xr.decode_cf(ck.open(tmp_path / path).xarray().to_dataset(name="warm")).warm
        xr.testing.assert_identical(made.compute(), x)
    ck.save(f"{tmp_path}/e.h5:/t", ck.open(tmp_path / "a.h5"))
    xr.testing.assert_identical(ck.open(f"{tmp_path}/e.h5:/t").xarray().rename("warm").compute(), ck.open(tmp_path / "a.h5").xarray().compute())
