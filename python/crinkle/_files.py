"""Files, by the command that the wheel carries: its formats, its bounded memory, its checks.

SPDX-License-Identifier: BSD-3-Clause
"""
import ast
import contextlib
import errno
import json
import os
import pathlib
import socket
import subprocess
import tempfile

from . import _arrays, _beyond, _stores, _values, _words
from ._headers import Header, header_of


def command():
    """The command's path."""
    program = pathlib.Path(__file__).parent / "bin" / "crinkle"
    if not os.access(program, os.X_OK):
        raise RuntimeError("this build of the package has no command: it was built with CRINKLE_TOOLS=OFF")
    return os.fspath(program)


def _run(arguments, progress, names):
    """Runs the command, and gives the notes that it says."""
    with tempfile.TemporaryFile() as said:
        if progress is None:
            status = subprocess.run([command(), *arguments], stdout=subprocess.DEVNULL, stderr=said).returncode
        else:
            status = _run_and_listen(arguments, progress, said)
        said.seek(0)
        text = said.read().decode(errors="replace").strip()
    if status != 0:
        raise _error(text, names)
    return [_words.in_python(line.removeprefix("crinkle: note: ")) for line in text.splitlines()]


def _run_and_listen(arguments, progress, said):
    """The command waits for every answer, and ends without an output where the socket is closed."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        there = theirs.fileno()
        process = subprocess.Popen([command(), *arguments], stdout=subprocess.DEVNULL, stderr=said, pass_fds=[there],
                                   env={**os.environ, "CRINKLE_PROGRESS": str(there)})
        theirs.close()
        try:
            with ours.makefile("r") as lines:
                for line in lines:
                    done, total = map(int, line.split())
                    progress(done, total)
                    ours.sendall(b".")
        finally:
            ours.close()
            process.wait()
    return process.returncode


def _error(text, names):
    """The exception for what the command says: `crinkle: KIND: TEXT`, TEXT ending as strerror() has it where the system refused."""
    kind, _, what = text.rpartition("\ncrinkle: ")[2].removeprefix("crinkle: ").partition(": ")
    if kind == "exists":
        return FileExistsError(errno.EEXIST, _words.in_python(what))
    if kind == "bad_file":
        for number in errno.errorcode:
            if what.lower().endswith(os.strerror(number).lower()):
                name = next((n for n in names if what.startswith(n + ": ")), None)
                return OSError(number, what) if name is None else OSError(number, what[len(name) + 2:], name)
    return {"out_of_memory": MemoryError, "unsupported": RuntimeError, "device": RuntimeError}.get(kind, ValueError)(_words.in_python(text))


@contextlib.contextmanager
def _listener(progress, name):
    """The function to tell: the caller's own, or that of a bar."""
    if progress is None or progress is False:
        yield None
    elif progress is not True:
        if not callable(progress):
            raise TypeError(f"progress is True, for a bar, or a function of (bytes done, bytes in all), not {progress!r}")
        yield progress
    else:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            _beyond.warn("progress=True shows a bar of tqdm, which is not installed")
            yield None
            return
        with tqdm(total=0, unit="B", unit_scale=True, unit_divisor=1024, desc=os.path.basename(name)) as bar:

            def tell(done, total):
                bar.total = total
                bar.update(done - bar.n)

            yield tell


def run_move(spec, source, destination, told, words, folder):
    """`crinkle move`, and the notes that it says."""
    names = [os.fspath(source), os.fspath(destination)]
    for name in names:
        if name.startswith("-"):
            raise ValueError(f"move_file: {name!r} would be read as an option; write ./{name}")
    return _run(["move", *_words.options(words, folder), "--", spec, *names], told, names)


def info(path):
    """What the command says of a file."""
    name = os.fspath(path)
    done = subprocess.run([command(), "info", "--json", "--", name], capture_output=True, text=True)
    if done.returncode != 0:
        raise _error(done.stderr.strip(), [name])
    return json.loads(done.stdout)


def _warn(notes):
    for note in notes:
        _beyond.warn(note)


def move_file(spec, source, destination, *, progress=None, **words):
    """`crinkle move SPEC SOURCE DESTINATION`, with the words of move() and the command's options as keywords: ``flip='y', roll={'x': 3},
    pad={'y': (1, 1, 'edge')}, slice={'x': slice(2, 9)}, take={'z': [3, 1]}, verify=True, force=True, shape=(480, 640), dtype='float32'``.
    Works in bounded memory; the file appears whole or not at all. What the command notes is a warning.

    progress=True shows a bar, of tqdm. A function is called with (bytes done, bytes in all) from (0, n) to (n, n) while the command works, which
    waits for it; bytes are moved, and those of .png and .nii.gz packed. What it raises ends the work, and no file appears.

    Raises OSError as open() does (FileNotFoundError …), FileExistsError without force, ValueError for what does not fit or is damaged.
    """
    with _listener(progress, os.fspath(destination)) as told, tempfile.TemporaryDirectory() as folder:
        notes = run_move(spec, source, destination, told, words, folder)
    _warn(notes)


_volumes = (".nii", ".nii.gz", ".hdr", ".img")
with_coordinates = (".h5", ".hdf5", ".he5", ".nc", ".nc3", ".nc4")  # files in which coordinates lie beside an array
_named = (".zarr", *with_coordinates)  # and whose arrays have attributes
_rasters = (".tif", ".tiff", ".TIF", ".TIFF")
_as_stored = "values are as stored"  # how the command's note of a slope begins


def load(path, *, header=False, scaled=None, progress=None, **words):
    """The array in a file: .npy, .png, .nii, .nii.gz, .tif, .zarr, or raw bytes with shape= and dtype=; `progress` as in move_file().

    header=True: (array, Header), which save() takes. scaled=True: the values of a volume, float64 (or complex128), where its header has
    stored numbers stand for them, of a GeoTIFF, NaN where it has no data, and of HDF5, NetCDF and Zarr by their attributes scale_factor, add_offset, _FillValue and
    missing_value; False: stored numbers, without the warning that they are.
    """
    import numpy

    path = os.fspath(path)
    header, scaled = _arrays.flag(header, "load: header"), None if scaled is None else _arrays.flag(scaled, "load: scaled")
    is_volume = path.endswith(_volumes) and (header or scaled)
    with _listener(progress, path) as told, tempfile.TemporaryDirectory() as folder:
        if path.endswith(".npy") and not words and told is None:
            array, its, notes = numpy.load(path, allow_pickle=False), None, []
        else:
            there = os.path.join(folder, "array.nii" if is_volume else "array.npy")
            notes = run_move("... -> ...", path, there, told, words, folder)
            array, its = _volume(there, scaled) if is_volume else (numpy.load(there, allow_pickle=False), None)
            if (header or scaled) and path.partition(":/")[0].endswith(_rasters):
                array, its, notes = _raster(path, array, scaled, words, folder, notes)
            elif scaled and is_in(path, _named):
                array = _values.unpacked(array, info(path).get("attributes", {}), path)
    _warn(note.replace(f"{folder}/array.npy has", "an array has") for note in notes if scaled is None or not note.startswith(_as_stored))
    if not header:
        return array
    return array, Header() if its is None else its


def is_in(path, ends):
    """Whether a path is of a file of one of these formats, or of an array in one."""
    return any(f"{end}:" in path or path.rstrip("/").endswith(end) for end in ends)


def _raster(path, array, is_scaled, words, folder, notes):
    """(the array, the header or None, notes) of a TIFF."""
    from ._rasters import RasterHeader

    moved = path
    if words:
        moved = os.path.join(folder, "moved.tif")
        run_move("... -> ...", path, moved, None, words, folder)
    header = RasterHeader._of_file(moved)
    if header is None:
        return array, None, notes
    notes = [note for note in notes if " stay behind: " not in note and " stays behind: " not in note]
    if header.tags:
        notes.append(f"{header.tags} tags of {path} stay behind: a header has no place for them")
    return (*(header._scaled(array) if is_scaled else (array, header)), notes)


def _volume(path, is_scaled):
    """(the array, the header) of a .nii file."""
    import numpy

    facts, data = info(path), header_of(path)
    dtype = numpy.dtype(ast.literal_eval(facts["descr"]) if facts["descr"].startswith("[") else facts["descr"])
    header = Header._of(data, facts, dtype)
    array = numpy.fromfile(path, dtype, offset=len(data)).reshape(facts["shape"])
    if not is_scaled:
        return array, header
    if dtype.kind not in "iufc":
        raise TypeError(f"load: scaled values of {dtype}: there are some of numbers only")
    values = array.astype(numpy.complex128 if dtype.kind == "c" else numpy.float64)
    values *= header.slope
    values += header.intercept
    return values, header.replace(slope=1, intercept=0)


def save(path, x, *, header=None, force=False, progress=None, **words):
    """An array into a file, in the format that the name says; an existing file is kept unless force; `progress` as in move_file().

    header, of load(), says where the voxels of a NIfTI volume lie and what its numbers mean, or the cells of a GeoTIFF. Without one a volume claims no place, which is
    a warning: readers then choose one, nibabel x to the left. Header() claims none, and none is missed.
    """
    _save(path, x, header, force, progress, words)


def save_named(path, x, *, dimension_names, attributes, name=None, coordinates=None, header=None, force=False, progress=None, **words):
    """save() of an array with a name, names of axes, attributes, and coordinates of one axis, {axis: (numbers, attributes)}."""
    _save(path, x, header, force, progress, words, {"dimension_names": dimension_names, "attributes": attributes, "name": name, "coordinates": coordinates or {}})


def _save(path, x, header, force, progress, words, named=None):
    import numpy

    from . import _arrays

    array, _ = _arrays.on_numpy(x, "save")
    path = os.fspath(path)
    is_volume = path.endswith((".nii", ".nii.gz"))
    if header is not None and not isinstance(header, Header):
        raise TypeError(f"save: header is a crinkle.Header, as load(…, header=True) gives one, not {type(header).__qualname__}")
    is_raster = header is not None and header.format == "geotiff"
    is_kept = header is not None and header.format != "" and not is_raster
    if is_kept and not is_volume:
        raise ValueError(f"{path}: only .nii and .nii.gz hold a volume's header: leave header out, or write one of these")
    if is_raster and not path.endswith(_rasters):
        raise ValueError(f"{path}: only .tif holds a raster's header: leave header out, or write one")
    with _listener(progress, path) as told, tempfile.TemporaryDirectory() as folder:
        there = os.path.join(folder, "array.nii" if is_kept else "array.npy")
        if is_kept:
            data, voxels = header._volume(array, path)
            with open(there, "wb") as f:
                f.write(data)
                voxels.tofile(f)
        elif named and not is_raster and _stores.holds(array.dtype) and _stores.is_read():
            there, named = _stores.write(os.path.join(folder, "array.zarr"), array, **named), None
        else:
            numpy.save(there, array, allow_pickle=False)
        if is_raster:
            words = {"header": header._json(folder, array.shape, path, array.dtype), **words}
        notes = [n.replace(f"the attributes of {there}", "its attributes") for n in run_move("... -> ...", there, path, told, {"force": force, **words}, folder) if not n.startswith(_as_stored)]
    if named:
        lost = [what for what in ("dimension_names", "attributes") if named[what] and (header is None or what == "attributes")]  # headers have axes of their own
        notes += [f"{path}: {what.replace('_', ' ')} stay behind: {', '.join(map(str, named[what]))}" for what in lost]
    if is_volume and header is None:
        notes.append(f"{path} does not say where its voxels lie, and readers choose: nibabel has x lead left; header= of load(…, header=True), or "
                     "Header(affine=…), says it, Header() that none is meant")
    if is_kept and (header.slope, header.intercept) != (1, 0) and header._type is not None and array.dtype.kind != header._type.kind:
        notes.append(f"{path}: these numbers are {array.dtype}, and the header has readers multiply them by {header.slope} and add {header.intercept}, "
                     f"as it did {header._type}: load(…, scaled=True) gives values and a header without")
    _warn(notes)
