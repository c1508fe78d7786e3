"""Files, by the command that the wheel carries: its formats, its bounded memory, its checks.

SPDX-License-Identifier: BSD-3-Clause
"""
import contextlib
import errno
import os
import pathlib
import socket
import subprocess
import tempfile
import warnings


def command():
    """The command's path."""
    program = pathlib.Path(__file__).parent / "bin" / "crinkle"
    if not os.access(program, os.X_OK):
        raise RuntimeError("this build of the package has no command: it was built with CRINKLE_TOOLS=OFF")
    return os.fspath(program)


def _run(arguments, progress, names):
    with tempfile.TemporaryFile() as said:
        if progress is None:
            status = subprocess.run([command(), *arguments], stdout=subprocess.DEVNULL, stderr=said).returncode
        else:
            status = _run_and_listen(arguments, progress, said)
        if status != 0:
            said.seek(0)
            raise _error(said.read().decode(errors="replace").strip(), names)


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
        return FileExistsError(errno.EEXIST, what.replace("--force", "force=True"))
    if kind == "bad_file":
        for number in errno.errorcode:
            if what.lower().endswith(os.strerror(number).lower()):
                name = next((n for n in names if what.startswith(n + ": ")), None)
                return OSError(number, what) if name is None else OSError(number, what[len(name) + 2:], name)
    return {"out_of_memory": MemoryError, "unsupported": RuntimeError, "device": RuntimeError}.get(kind, ValueError)(text)


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
            warnings.warn("progress=True shows a bar of tqdm, which is not installed", stacklevel=4)
            yield None
            return
        with tqdm(total=0, unit="B", unit_scale=True, unit_divisor=1024, desc=os.path.basename(name)) as bar:

            def tell(done, total):
                bar.total = total
                bar.update(done - bar.n)

            yield tell


def _words(words):
    for word, value in words.items():
        option = "--" + word.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            yield option
        elif hasattr(value, "items"):
            for axis, one in value.items():
                text = ":".join(str(part) for part in one) if isinstance(one, (tuple, list)) else str(one)
                yield from (option, f"{axis}={text}")
        elif isinstance(value, (list, tuple)):
            for one in value:
                yield from (option, str(one))
        else:
            yield from (option, str(value))


def _move_file(spec, source, destination, told, words):
    names = [os.fspath(source), os.fspath(destination)]
    for name in names:
        if name.startswith("-"):
            raise ValueError(f"move_file: {name!r} would be read as an option; write ./{name}")
    _run(["move", spec, *names, *_words(words)], told, names)


def move_file(spec, source, destination, *, progress=None, **words):
    """`crinkle move SPEC SOURCE DESTINATION` with its options as keywords: ``flip='y', roll={'x': 3}, pad={'y': (1, 1, 'edge')}, verify=True,
    force=True, shape='480,640', dtype='float32'``. Works in bounded memory; the file appears whole or not at all.

    progress=True shows a bar, of tqdm. A function is called with (bytes done, bytes in all) from (0, n) to (n, n) while the command works, which
    waits for it; bytes are moved, and those of .png and .nii.gz packed. What it raises ends the work, and no file appears.

    Raises OSError as open() does (FileNotFoundError …), FileExistsError without force, ValueError for what does not fit or is damaged.
    """
    with _listener(progress, os.fspath(destination)) as told:
        _move_file(spec, source, destination, told, words)


def load(path, *, progress=None, **words):
    """The array in a file: .npy, .png, .nii, .nii.gz, or raw bytes with shape= and dtype=; `progress` as in move_file()."""
    import numpy

    path = os.fspath(path)
    with _listener(progress, path) as told:
        if path.endswith(".npy") and not words and told is None:
            return numpy.load(path, allow_pickle=False)
        with tempfile.TemporaryDirectory() as folder:
            there = os.path.join(folder, "array.npy")
            _move_file("... -> ...", path, there, told, words)
            return numpy.load(there, allow_pickle=False)


def save(path, x, *, force=False, progress=None, **words):
    """An array into a file, in the format that the name says; an existing file is kept unless force; `progress` as in move_file()."""
    import numpy

    from . import _arrays

    array, _ = _arrays.on_numpy(x, "save")
    path = os.fspath(path)
    with _listener(progress, path) as told, tempfile.TemporaryDirectory() as folder:
        there = os.path.join(folder, "array.npy")
        numpy.save(there, array, allow_pickle=False)
        _move_file("... -> ...", there, path, told, {"force": force, **words})
