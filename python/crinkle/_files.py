"""Files, by the command that the wheel carries: its formats, its bounded memory, its checks.

SPDX-License-Identifier: BSD-3-Clause
"""
import os
import pathlib
import subprocess

import tempfile


def command():
    """The command's path."""
    program = pathlib.Path(__file__).parent / "bin" / "crinkle"
    if not os.access(program, os.X_OK):
        raise RuntimeError("this build of the package has no command: it was built with CRINKLE_TOOLS=OFF")
    return os.fspath(program)


def _run(arguments):
    done = subprocess.run([command(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        text = done.stderr.strip()
        kind = text.removeprefix("crinkle: ").partition(":")[0]
        if kind == "exists":
            raise FileExistsError(text.replace("--force", "force=True"))
        error = {"out_of_memory": MemoryError, "unsupported": RuntimeError, "device": RuntimeError}.get(kind, ValueError)
        raise error(text)
    return done.stdout


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


def move_file(spec, source, destination, *, progress=None, **words):
    """`crinkle move SPEC SOURCE DESTINATION` with its options as keywords: ``flip='y', roll={'x': 3}, pad={'y': (1, 1, 'edge')}, verify=True,
    force=True, shape='480,640', dtype='float32'``. Works in bounded memory; the file appears whole or not at all. `progress`, if there, is
    called with (bytes written, bytes in all) when it is done: the command reports to terminals only.
    """
    for name in (source, destination):
        if os.fspath(name).startswith("-"):
            raise ValueError(f"move_file: {name!r} would be read as an option; write ./{name}")
    _run(["move", spec, os.fspath(source), os.fspath(destination), *_words(words)])
    if progress is not None:
        n = os.path.getsize(destination)
        progress(n, n)


def load(path, **words):
    """The array in a file: .npy, .png, .nii, .nii.gz, or raw bytes with shape= and dtype=."""
    import numpy

    path = os.fspath(path)
    if path.endswith(".npy") and not words:
        return numpy.load(path, allow_pickle=False)
    with tempfile.TemporaryDirectory() as folder:
        there = os.path.join(folder, "array.npy")
        move_file("... -> ...", path, there, **words)
        return numpy.load(there, allow_pickle=False)


def save(path, x, *, force=False, **words):
    """An array into a file, in the format that the name says; an existing file is kept unless force."""
    import numpy

    from . import _arrays

    array, _ = _arrays.on_numpy(x, "save")
    with tempfile.TemporaryDirectory() as folder:
        there = os.path.join(folder, "array.npy")
        numpy.save(there, array, allow_pickle=False)
        move_file("... -> ...", there, path, force=force, **words)


