"""Functions from file to file, by the command that the wheel carries: its formats, its bounded memory, its parts.

SPDX-License-Identifier: BSD-3-Clause
"""
import os
import tempfile

from . import _arrays, _files, _words

_of_all = frozenset(("memory", "chunks", "shards", "filter", "device", "threads", "verify", "force", "shape", "offset"))
_transforms = {"fft": "", "ifft": "", "fft2": "", "ifft2": "", "fftn": "", "ifftn": "", "rfft": "--real", "irfft": "--real", "rfft2": "--real", "irfft2": "--real",
               "rfftn": "--real", "irfftn": "--real", "dct": "--cosine", "idct": "--cosine", "dctn": "--cosine", "idctn": "--cosine", "dst": "--sine", "idst": "--sine"}


def run_file(function, source, destination, /, *arguments, memory=None, chunks=None, progress=None, **words):
    """A function of crinkle from a file to a file: ``ck.run_file(ck.stencil, 'in.zarr:/t', 'out.zarr', 'gaussian:2', memory='2GiB', chunks={'y': 512, 'x': 512})``.

    function : move, stencil, resample, or fft.fft, rfft, dct … and their inverses
    arguments, words : the function's own, behind the array; and the command's: shards, filter, device, threads, verify, force, shape and offset of raw bytes
    memory : bytes, or as '512MiB', that the arrays of a part take. move and stencil of stores never have more; what is held whole is told by the command's note
    chunks : of a .zarr destination: {'y': 512}, a tuple, or as '1,512,512'

    The destination appears whole or not at all. What the command notes is a warning. `progress` as in move_file(). Errors are those of move_file().
    """
    name = getattr(function, "__name__", "")
    module = getattr(function, "__module__", "")
    makers = {("crinkle._moves", "move"): _move, ("crinkle._features", "stencil"): _stencil, ("crinkle._features", "resample"): _resample}
    maker = makers.get((module, name)) or (_transform if module in ("crinkle.fft", "crinkle._cosines") and name in _transforms else None)
    if maker is None:
        raise ValueError(f"run_file: files are read by move, stencil, resample and fft.{', fft.'.join(_transforms)}; not by {function!r}: load() the file")
    names = [os.fspath(source), os.fspath(destination)]
    for one in names:
        if one.startswith("-"):
            raise ValueError(f"run_file: {one!r} would be read as an option; write ./{one}")
    if words.get("out") is not None:
        raise TypeError("run_file: out: the result is in the destination")
    words |= {word: value for word, value in (("memory", memory), ("chunks", chunks)) if value is not None}
    shared = {word: words.pop(word) for word in list(words) if word in _of_all and not (maker is _resample and word in ("shape", "offset"))}
    with _files._listener(progress, names[1]) as told, tempfile.TemporaryDirectory() as folder:
        subcommand, before, options = maker(function, arguments, words, _Source(names[0], shared), folder)
        notes = _files._run([subcommand, *options, *_words.options(shared, folder), "--", *before, *names], told, names)
    _files._warn(notes)


class _Source:
    """What is known of the source's axes, when that is asked."""

    def __init__(self, path, words):
        self._path, self._words, self._shape = path, words, None

    @property
    def rank(self):
        if self._shape is None:
            shape = self._words.get("shape")
            if isinstance(shape, str) or hasattr(shape, "__index__"):
                shape = str(shape).split(",")
            self._shape = _files.info(self._path)["shape"] if shape is None else shape
        return len(self._shape)

    def axes(self, axes, what):
        """Axes as the command has them: names, or numbers from 0 on."""
        axes = [axes] if isinstance(axes, str) or hasattr(axes, "__index__") else list(axes)
        return ",".join(a if isinstance(a, str) else str(_arrays.axis_of(a, self.rank, what)) for a in axes)


def _bound(function, arguments, words):
    """The function's words, by name, without those that are left out."""
    import inspect

    try:
        bound = inspect.signature(function).bind(None, *arguments, **words)
    except TypeError as e:
        raise TypeError(f"run_file: {function.__name__}: {e}") from None
    return {word: value for word, value in list(bound.arguments.items())[1:] if value is not None}


def _move(function, arguments, words, source, folder):
    if len(arguments) != 1:
        raise TypeError("run_file: move takes one specification, and words")
    return "move", [_arrays.word(arguments[0], "the specification")], list(_words.options(words, folder))


def _boundary(boundary, what):
    from ._features import _faces

    return ["--boundary", ",".join(low if low == high else f"{low}/{high}" for low, high in _faces(boundary, what))]


def _common(words, source, what):
    if "axes" in words:
        yield from ("--axes", source.axes(words["axes"], what))
    if "dtype" in words:
        yield from ("--dtype", _arrays.numpy_dtype(words["dtype"]).name)


def _kept_as_file(array, folder, name):
    import numpy

    path = os.path.join(folder, name)
    numpy.save(path, array)
    return path


def _stencil(function, arguments, words, source, folder):
    words = _bound(function, arguments, words)
    is_convolution = _arrays.flag(words.get("convolve", False), "stencil: convolve")
    what = words["what"]
    if not isinstance(what, str):
        kind = "convolve" if is_convolution else "array"
        what = f"{kind}:{_kept_as_file(_arrays.real(what, 'stencil weights'), folder, 'weights.npy')}"
    options = [*_common(words, source, "stencil")]
    if "boundary" in words:
        options += _boundary(words["boundary"], "stencil")
    if "steps" in words:
        options += ["--steps", str(_arrays.size(words["steps"], "stencil: steps"))]
    return "stencil", [what], options


def _transform(function, arguments, words, source, folder):
    name = function.__name__
    words = _bound(function, arguments, words)
    if words.get("type", 2) != 2:
        raise NotImplementedError(f"run_file: {name} of type {words['type']}: the command has type 2 and its inverse")
    options = [_transforms[name]] if _transforms[name] else []
    if name.startswith("i"):
        options.append("--inverse")
    sizes = words.get("s", [words["n"]] if "n" in words else None)
    axes = words.get("axes", [words["axis"]] if "axis" in words else None)
    if axes is None:
        rank = source.rank
        axes = [-2, -1] if name.endswith("2") else range(-len(sizes), 0) if sizes is not None else range(rank) if name.endswith("n") else [-1]
    axes = source.axes(axes, name)
    options += ["--axes", axes]
    for axis, n in zip(axes.split(","), sizes or ()):
        options += ["--size", f"{axis}={_arrays.size(n, f'{name}: a size')}"]
    if "norm" in words:
        options += ["--norm", _arrays.word(words["norm"], f"{name}: norm")]
    return "fft", [], options


def _numbers(values):
    return ",".join(repr(float(v)) for v in ([values] if isinstance(values, (int, float)) else values))


def _resample(function, arguments, words, source, folder):
    import numpy

    words = _bound(function, arguments, words)
    options = [*_common(words, source, "resample")]
    if "shape" in words:
        options += ["--size", _words._shape(words["shape"], "resample")]
    if "zoom" in words:
        options += ["--zoom", _numbers(words["zoom"])]
    if "rotate" in words:
        options += ["--rotate", _numbers(words["rotate"])]
    if "matrix" in words:
        m = _arrays.real(words["matrix"], "resample: the matrix")
        if "offset" in words or m.shape[0] == m.shape[1]:
            m = numpy.c_[m, numpy.broadcast_to(words.get("offset", 0.0), m.shape[:1])]
        options += ["--affine", ";".join(map(_numbers, m.tolist()))]
    if "polar" in words:
        if words["polar"] not in ("to", "from"):
            raise ValueError(f"resample: polar is 'to' or 'from', not {words['polar']!r}")
        options += ["--log-polar" if _arrays.flag(words.get("log", False), "resample: log") else "--polar", *(["--inverse"] if words["polar"] == "from" else [])]
    if "centre" in words:
        options += ["--centre", _numbers(words["centre"])]
    if "radius" in words:
        options += ["--radius", _numbers(words["radius"])]
    if "coordinates" in words:
        options += ["--coordinates", _kept_as_file(_arrays.real(words["coordinates"], "resample: coordinates"), folder, "coordinates.npy")]
    for word in ("by", "keep"):
        if word in words:
            options += [f"--{word}", _arrays.word(words[word], f"resample: {word}")]
    if _arrays.flag(words.get("antialias", False), "resample: antialias"):
        options.append("--antialias")
    if "boundary" in words:
        options += _boundary(words["boundary"], "resample")
    if "nodata" in words:
        options += ["--nodata", repr(float(words["nodata"]))]
    return "resample", [], options
