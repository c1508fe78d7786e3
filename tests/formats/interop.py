# The other side of interop_test.cpp: NumPy, Pillow and nibabel make files for crinkle to read ("make FOLDER"), and read what
# crinkle wrote from them ("check FOLDER"). Exit status 77: one of the three is not installed.
# SPDX-License-Identifier: BSD-3-Clause
import shutil
import sys
from pathlib import Path

try:
    import nibabel
    import numpy as np
    from PIL import Image
except ImportError as missing:
    print(missing)
    sys.exit(77)

record = np.dtype([("x", "<f4"), (("a title", "y"), ">i2", (3,)), ("n", [("s", "S3"), ("u", "<U2")], (2,))])
aligned = np.dtype([("a", "i1"), ("b", "<f8")], align=True)
types = ["?", "i1", "<i2", ">i4", "<u8", "<f2", ">f4", "<f8", "<f16", "<c8", ">c16", "S7", "<U5", ">U3", "<M8[ns]", ">m8[25s]", "V6", record, aligned]
shapes = [(), (7,), (2, 3, 4), (3, 0, 2), (1, 5)]

brain = Path("/usr/share/mricron/templates/ch2.nii.gz")  # Debian's mricron-data


def filled(shape, dtype, seed):
    dtype = np.dtype(dtype)
    count = int(np.prod(shape, dtype=np.int64))
    data = np.random.default_rng(seed).integers(0, 128 if dtype.kind == "U" else 256, count * dtype.itemsize, dtype=np.uint8)
    if dtype.kind == "U" or dtype.kind == "b":
        data &= 1
    return np.frombuffer(data.tobytes(), dtype).reshape(shape) if count else np.zeros(shape, dtype)


def arrays():
    for i, dtype in enumerate(types):
        for j, shape in enumerate(shapes):
            yield f"{i}_{j}", filled(shape, dtype, 100 * i + j)
    yield "fortran", np.asfortranarray(filled((3, 4, 5), "<i4", 1))
    yield "latin", np.zeros(3, [("é", "<f4")])
    yield "chinese", np.zeros(3, [("名", "<f4")])
    yield "wide", np.zeros(1, [(f"field{i:05}", "<f4") for i in range(5000)])


def pictures():
    rng = np.random.default_rng(5)
    for mode, shape in {"L": (9, 7), "LA": (9, 7, 2), "RGB": (9, 7, 3), "RGBA": (9, 7, 4)}.items():
        yield mode, Image.fromarray(rng.integers(0, 256, shape, dtype=np.uint8), mode)
    yield "I16", Image.fromarray(rng.integers(0, 65536, (9, 7), dtype=np.uint16))
    yield "bits", Image.fromarray(rng.integers(0, 2, (9, 7), dtype=np.uint8) * 255).convert("1")
    yield "palette", Image.fromarray(rng.integers(0, 256, (9, 7, 3), dtype=np.uint8)).quantize(7)


def pixels(name, picture):
    if name == "bits":
        picture = picture.convert("L")
    if name == "palette":
        picture = picture.convert("RGB")
    data = np.asarray(picture)
    return data.astype(np.uint16) if name == "I16" else data


def affine():
    matrix = np.eye(4)
    angle = 0.3
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, -1]])
    matrix[:3, :3] = turn @ np.diag([0.9, 1.1, 2.5])
    matrix[:3, 3] = [-90, -126, 33]
    return matrix


def volumes():
    for version, kind in (1, nibabel.Nifti1Image), (2, nibabel.Nifti2Image):
        for dtype in "u1", "<i2", ">f4", "<f8", ">c16":
            volume = kind(filled((4, 3, 5), dtype, 9), affine(), dtype=np.dtype(dtype))
            volume.header.set_data_dtype(dtype)
            volume = kind(filled((4, 3, 5), dtype, 9), affine(), volume.header.as_byteswapped("<" if dtype[0] != ">" else ">"))
            volume.set_qform(affine(), 1)
            volume.set_sform(affine(), 2)
            yield f"{version}_{dtype.replace('<', 'le').replace('>', 'be')}", volume


def make(folder):
    for name, array in arrays():
        np.save(folder / f"{name}.npy", array)
    for name, picture in pictures():
        picture.save(folder / f"{name}.png")
    for i, (name, volume) in enumerate(volumes()):
        nibabel.save(volume, folder / f"{name}.nii{'.gz' if i % 2 else ''}")
    if brain.exists():
        shutil.copy(brain, folder / "brain.nii.gz")


def check(folder):
    """Copies stand in copies/ under the same names; turned/ holds every volume with x and z exchanged and y flipped."""
    for name, array in arrays():
        copy = folder / "copies" / f"{name}.npy"
        assert copy.read_bytes() == as_saved(np.ascontiguousarray(array).reshape(array.shape)), name
    for name, picture in pictures():
        wanted = pixels(name, picture)
        found = np.asarray(Image.open(folder / "copies" / f"{name}.png")).astype(wanted.dtype)
        assert np.array_equal(found, wanted), name
        assert np.array_equal(np.load(folder / "copies" / f"{name}.png.npy").reshape(wanted.shape), wanted), name
    for path in sorted(folder.glob("*.nii*")):
        first, copy, turned = (nibabel.load(p) for p in (path, folder / "copies" / path.name, folder / "turned" / path.name))
        raw = np.asanyarray(first.dataobj)
        assert type(copy) is type(first) and copy.header.endianness == first.header.endianness, path.name
        assert raw.tobytes() == np.asanyarray(copy.dataobj).tobytes() and np.array_equal(copy.affine, first.affine), path.name
        assert np.transpose(raw, (2, 1, 0))[:, ::-1, :].tobytes() == np.asanyarray(turned.dataobj).tobytes(), path.name
        places = np.indices(raw.shape).reshape(3, -1)
        places = np.vstack([places, np.ones(places.shape[1], int)])
        moved = places[[2, 1, 0, 3]]
        moved[1] = raw.shape[1] - 1 - moved[1]
        for form in "get_qform", "get_sform":
            (was, was_code), (now, now_code) = (getattr(v.header, form)(coded=True) for v in (first, turned))
            assert was_code == now_code, (path.name, form)
            assert was is None or np.allclose(was @ places, now @ moved, atol=1e-3 if raw.size > 1000 else 1e-4), (path.name, form, was, now)


def as_saved(array):
    import io

    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


import warnings

warnings.simplefilter("ignore")
{"make": make, "check": check}[sys.argv[1]](Path(sys.argv[2]))
