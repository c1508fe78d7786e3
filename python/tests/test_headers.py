"""What volumes say beside their numbers: loaded, kept, turned, told where it is lost. Headers are written here by hand; nibabel is an oracle.

SPDX-License-Identifier: BSD-3-Clause
"""
import struct
import warnings

import numpy as np
import pytest

import crinkle as ck

affine = np.array([[2, 0, 0, -10], [0, 2.5, 0, -20], [0, 0, 3, -30], [0, 0, 0, 1]], float)
x = np.arange(3 * 4 * 5, dtype="i2").reshape(3, 4, 5)


def write(path, array=x, slope=0.5, intercept=-3.0, version=1, order="<", codes=(0, 2), extension=b""):
    """A volume with this place and scale, a time offset of 7, millimetres and seconds."""
    array = array.astype(array.dtype.newbyteorder(order))
    code = {"i2": 4, "f4": 16, "u1": 2}[array.dtype.str[1:]]
    dim = [array.ndim, *reversed(array.shape), *[1] * (7 - array.ndim)]
    offset = (352 if version == 1 else 544) + len(extension)
    data = bytearray(offset)

    def put(at, form, *values):
        struct.pack_into(order + form, data, at, *values)

    if version == 1:
        put(0, "i", 348), put(40, "8h", *dim), put(70, "2h", code, 8 * array.itemsize), put(76, "8f", 1, 2, 2.5, 3, 0.8, 1, 1, 1)
        put(108, "3f", offset, slope, intercept), put(123, "B", 10), put(136, "f", 7), put(252, "2h", *codes), put(280, "12f", *affine[:3].ravel())
        data[344:348] = b"n+1\0"
    else:
        put(0, "i", 540), put(12, "2h", code, 8 * array.itemsize), put(16, "8q", *dim), put(104, "8d", 1, 2, 2.5, 3, 0.8, 1, 1, 1)
        put(168, "q2d", offset, slope, intercept), put(216, "d", 7), put(344, "2i", *codes), put(400, "12d", *affine[:3].ravel()), put(500, "i", 10)
        data[4:12] = b"n+2\0\r\n\x1a\n"
    if extension:
        data[offset - len(extension) - 4] = 1
        data[offset - len(extension):] = extension
    with open(path, "wb") as f:
        f.write(bytes(data) + array.tobytes())
    return path


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("order", ["<", ">"])
def test_a_header_goes_through(tmp_path, version, order):
    extension = struct.pack(order + "2i", 32, 6) + b"a comment".ljust(24, b"\0")
    path = write(tmp_path / "a.nii", np.stack([x, x]), version=version, order=order, extension=extension)
    with pytest.warns(UserWarning, match="values are as stored"):
        array, header = ck.load(path, header=True)
    assert (array == x).all() and header.shape == (2, 3, 4, 5) and header.orientation == "RAS" and header.format == "nifti"
    assert (header.affine == affine).all() and header.spacing == (0.8, 3, 2.5, 2) and (header.space_unit, header.time_unit) == ("mm", "s")
    assert (header.slope, header.intercept, header.time_step, header.time_offset) == (0.5, -3, 0.8, 7)
    ck.save(tmp_path / "b.nii", array, header=header)
    assert (tmp_path / "b.nii").read_bytes() == path.read_bytes()
    ck.save(tmp_path / "c.nii.gz", array[0].astype("f4" if order == "<" else ">i2"), header=header.replace(slope=1, intercept=0))
    again, its = ck.load(tmp_path / "c.nii.gz", header=True)
    assert (again == x).all() and (its.affine == affine).all() and its.spacing == (3, 2.5, 2) and its.slope == 1


def test_values_on_request(tmp_path):
    path = write(tmp_path / "a.nii.gz.nii")
    with pytest.warns(UserWarning, match="values are as stored: scl_slope 0.5"):
        stored = ck.load(path)
    assert stored.dtype == "i2" and (stored == x).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values, header = ck.load(path, header=True, scaled=True)
        warnings.filterwarnings("ignore", "the size and place of the voxels of .* stay behind: an array has no place for them")
        assert (ck.load(path, scaled=False) == x).all()
        assert values.dtype == "f8" and (values == x * 0.5 - 3).all() and (ck.load(path, scaled=True) == values).all()
        assert (header.slope, header.intercept) == (1, 0)
        ck.save(tmp_path / "b.nii", values, header=header)
        assert (ck.load(tmp_path / "b.nii") == values).all()
    with pytest.warns(UserWarning, match="multiply them by 0.5 and add -3.0"):
        ck.save(tmp_path / "c.nii", values, header=ck.load(path, header=True, scaled=False)[1])


def test_a_volume_without_a_header_claims_no_place(tmp_path):
    with pytest.warns(UserWarning, match="a.nii does not say where its voxels lie"):
        ck.save(tmp_path / "a.nii", x)
    assert struct.unpack_from("<2h", (tmp_path / "a.nii").read_bytes(), 252) == (0, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ck.save(tmp_path / "b.nii", x, header=ck.Header())
        ck.save(tmp_path / "c.npy", x, header=ck.Header())
    assert (tmp_path / "b.nii").read_bytes() == (tmp_path / "a.nii").read_bytes()
    array, header = ck.load(tmp_path / "b.nii", header=True)
    assert header.affine is None and header.orientation == "" and (array == x).all()
    assert ck.load(tmp_path / "c.npy", header=True)[1] == ck.Header() and "claims nothing" in repr(ck.Header())


def test_headers_made_here(tmp_path):
    header = ck.Header(affine=affine, time_unit="ms")
    assert header.spacing == (3, 2.5, 2) and header.orientation == "RAS" and header.shape == () and header.time_unit == "ms"
    ck.save(tmp_path / "a.nii", x, header=header)
    its = ck.load(tmp_path / "a.nii", header=True)[1]
    assert (its.affine == affine).all() and its.space_unit == "mm" and its.shape == x.shape
    steps = ck.Header(spacing=(0.1, 3, 2, 1), space_unit="um")
    ck.save(tmp_path / "b.nii", np.stack([x, x]), header=steps)
    its = ck.load(tmp_path / "b.nii", header=True)[1]
    assert its.spacing == (0.1, 3, 2, 1) and its.affine is None and its.space_unit == "um"
    assert ck.load(write(tmp_path / "c.nii"), header=True, scaled=False)[1].replace(affine=None).affine is None
    for words, said in (({"affine": np.eye(3)}, r"affine is a matrix \(4, 4\)"), ({"affine": np.zeros((4, 4))}, "last row"), ({"spacing": -1}, "above 0"),
                        ({"affine": np.diag([1, 0, 1, 1])}, "plane"), ({"slope": 0}, "the slope not 0"), ({"space_unit": "s"}, "space_unit 's'")):
        with pytest.raises(ValueError, match=said):
            ck.Header(**words)
    with pytest.raises(TypeError, match="no fact 'voxel'"):
        ck.Header(voxel=3)
    with pytest.raises(ValueError, match="give both"):
        header.replace(spacing=2)


def test_a_header_follows_a_move(tmp_path):
    path = write(tmp_path / "a.nii")
    array, header = ck.load(path, header=True, scaled=False)
    moved = header.moved("z y x -> x z y", flip="z", roll={"y": 0})
    ck.move_file("z y x -> x z y", path, tmp_path / "b.nii", flip="z")
    ck.save(tmp_path / "c.nii", ck.move(array, "z y x -> x z y", flip="z"), header=moved)
    assert (tmp_path / "b.nii").read_bytes() == (tmp_path / "c.nii").read_bytes() and moved.orientation != header.orientation
    with pytest.raises(ValueError, match=r"volume \(3, 4, 5\), and the array has shape \(5, 3, 4\).*moved"):
        ck.save(tmp_path / "d.nii", ck.move(array, "z y x -> x z y"), header=header)
    turned, its = ck.load(path, header=True, scaled=False, orient="LPS")
    assert its.orientation == "LPS" and (turned == x[:, ::-1, ::-1]).all()


def test_wrong_requests(tmp_path):
    header = ck.load(write(tmp_path / "a.nii"), header=True, scaled=False)[1]
    with pytest.raises(ValueError, match="b.png: only .nii"):
        ck.save(tmp_path / "b.png", x.astype("u1"), header=header)
    with pytest.raises(TypeError, match="crinkle.Header"):
        ck.save(tmp_path / "b.nii", x, header={"affine": affine})
    with pytest.raises(RuntimeError, match="b.nii: NIfTI has no type for float16"):
        ck.save(tmp_path / "b.nii", x.astype("f2"), header=header)
    with pytest.raises(FileExistsError):
        ck.save(tmp_path / "a.nii", x, header=header)
    with pytest.raises(FileNotFoundError):
        ck.load(tmp_path / "none.nii", header=True)
    with pytest.raises(ValueError, match="a plane|NIfTI-1|does not hold"):
        ck.save(tmp_path / "b.nii", np.zeros((40000, 3, 4, 5), "u1"), header=header)
    with pytest.raises(ValueError, match="moved"):
        ck.Header(spacing=1).moved("x -> x")
    assert [p.name for p in tmp_path.iterdir()] == ["a.nii"]


def test_nibabel_reads_the_same(tmp_path):
    nib = pytest.importorskip("nibabel")
    path = write(tmp_path / "a.nii")
    values, header = ck.load(path, header=True, scaled=True)
    assert (values == nib.load(path).get_fdata().T).all() and (header.affine == nib.load(path).affine).all()
    ck.save(tmp_path / "b.nii.gz", values + 1, header=header)
    theirs = nib.load(tmp_path / "b.nii.gz")
    assert (theirs.affine == affine).all() and (theirs.get_fdata().T == values + 1).all() and theirs.header.get_xyzt_units() == ("mm", "sec")
    ck.save(tmp_path / "c.nii", values[..., ::-1], header=header.moved("z y x -> z y x", flip="x"))
    assert (nib.as_closest_canonical(nib.load(tmp_path / "c.nii")).get_fdata().T == values).all()
