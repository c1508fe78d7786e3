"""Random arrays, specifications, options and types: an exception or a result that NumPy confirms, never a crash.

SPDX-License-Identifier: BSD-3-Clause
"""
import os
import random

import numpy as np

import crinkle as ck
import crinkle.einops as einops

n_rounds = int(os.environ.get("CRINKLE_FUZZ_ROUNDS", "4000"))
allowed = (ValueError, TypeError, RuntimeError, MemoryError, OverflowError, IndexError)


def any_array(r):
    rank = r.randrange(0, 5)
    shape = [r.choice([0, 1, 2, 3, 4, 7]) for _ in range(rank)]
    dtype = r.choice(["i1", ">i2", "f4", "f8", "c16", "S3", "U2", "V7", "M8[s]", "O", "?", [("a", "i1"), ("b", ">f4")]])
    x = np.zeros(shape, dtype)
    if r.random() < 0.5 and dtype not in ("O", "U2"):  # random bytes are no text to Python
        x = np.frombuffer(np.random.default_rng(r.randrange(99)).bytes(x.nbytes), dtype).reshape(shape) if x.nbytes else x
    if rank and r.random() < 0.5:
        x = x[tuple(slice(None, None, r.choice([1, -1, 2, -2])) for _ in range(rank))]
    if rank and r.random() < 0.3:
        x = x.transpose(r.sample(range(rank), rank))
    if r.random() < 0.1:
        x = np.broadcast_to(x, (3, *x.shape))
    return r.choice([x, x, x, x, x, x, x, x, x.tolist(), [x, x], [x], (), None, 3, "text", memoryview(b"abc"), bytearray(5), object()])


def any_spec(r, x):
    if isinstance(x, np.ndarray) and r.random() < 0.5:
        names = list("abcd"[: x.ndim])
        return f"{' '.join(names)} -> {' '.join(r.sample(names, len(names)))}"
    words = ["a", "b", "c", "d", "(", ")", "(a b)", "(a 2)", "2", "1", "...", "a:2", "()", "->", "0", "-1", "_", "é", "99999999999999999999"]
    if r.random() < 0.6:
        names = [n for n in "abcd"[: r.randrange(0, 5)]]
        right = r.sample(names, len(names))
        return f"{' '.join(names)} -> {' '.join(right)}"
    if r.random() < 0.05:
        return r.choice([None, 3, b"a -> a", "\0", "a" * 5000, "->" * 9, "\ud800 -> a"])
    return " ".join(r.choice(words) for _ in range(r.randrange(1, 8))) + r.choice([" -> ", "", "->"]) + " ".join(
        r.choice(words) for _ in range(r.randrange(0, 6)))


def any_words(r):
    axis = r.choice(["a", "b", "c", "q", "@0", "@-1", "2", ""])
    n = r.choice([0, 1, -1, 2, 5, 1 << 40, -(1 << 62), 1 << 70, 1.5, "x", None])
    return r.choice([{}, {}, {}, {"flip": axis}, {"roll": {axis: n}}, {"at": {axis: n}}, {"pad": {axis: n}}, {"pad": {axis: (1, 2, "reflect")}},
                     {"pad": {axis: (1, n, "constant", n)}}, {"slice": {axis: slice(n, None, r.choice([1, -1, 0]))}}, {"dilate": {axis: n}},
                     {"take": {axis: [0, n]}}, {"tail": r.choice(["pad", "drop", "ragged", "what"])}, {"bit_reverse": axis}, {"a": n}, {"sizes": n},
                     {"order": "morton"}, {"byte_order": r.choice(["big", "little", "odd"])}, {"out": any_array(r)}, {"flip": n}, {"roll": n}])


def small(words):
    """What would only fill the memory is left out."""
    return not any(isinstance(v, dict) and any(isinstance(n, int) and n > 1 << 30 for n in v.values()) for v in words.values())


def test_moves_never_crash():
    r = random.Random(20261128)
    n_done = 0
    for _ in range(n_rounds):
        x, spec, words = any_array(r), None, any_words(r)
        spec = any_spec(r, x)
        if not small(words):
            words = {}
        try:
            y = ck.move(x, spec, **words)
        except allowed as e:
            assert is_clear(e), f"move({x!r}, {spec!r}, {words}): {e!r}"
            continue
        n_done += 1
        if isinstance(x, np.ndarray) and not words and "(" not in spec and set("abcd") >= set(spec.replace("->", "").replace(" ", "")):
            left, right = (side.split() for side in spec.split("->"))
            if len(left) == x.ndim and sorted(left) == sorted(right):
                assert y.tobytes() == np.ascontiguousarray(x.transpose([left.index(n) for n in right])).tobytes()
    assert n_done > n_rounds // 20


def is_clear(e):
    """A text that is not about crinkle's own inside."""
    return (str(e) or isinstance(e, MemoryError)) and "incompatible function arguments" not in str(e) and not isinstance(e, (UnboundLocalError, AssertionError))


numbers = [0, 1, -1, 2, -7, (0, 1), (1, 1), [2, 2], (1, -1), 1.5, "x", None, (), [[1, 2], [3, 4]], float("nan"), True, b"x", object()]
names = {
    ck.permute_dims: ["axes"], ck.matrix_transpose: [], ck.moveaxis: ["source", "destination"], ck.flip: ["axis"], ck.roll: ["shift", "axis"],
    ck.expand_dims: ["axis"], ck.squeeze: ["axis"], ck.reshape: ["shape", "order", "copy"], ck.stack: ["axis"], ck.concat: ["axis"],
    ck.tile: ["repetitions"], ck.repeat: ["repeats", "axis"], ck.take: ["indices", "axis"], ck.pad: ["pad_width", "mode", "constant_values"],
    ck.pdist: ["metric", "form"], ck.squareform: ["force", "checks"], ck.triangle: ["source", "destination", "n"],
    ck.stencil: ["what", "axes", "boundary", "steps", "dtype", "convolve"], ck.records: ["to", "dtype", "source"],
    ck.resample: ["shape", "zoom", "rotate", "matrix", "offset", "polar", "log", "centre", "radius", "coordinates", "axes", "by", "boundary", "keep",
                  "nodata", "dtype"],
    ck.interpolate: ["values", "targets", "weights", "power", "smoothing", "neighbours", "radius", "least_neighbours", "sectors", "anisotropy",
                     "nodata", "tolerance"],
    ck.grid: ["values", "first", "step", "shape", "statistic", "nodata"],
    ck.fft.fft: ["n", "axis", "norm"], ck.fft.rfftn: ["s", "axes", "norm"], ck.fft.irfft: ["n", "axis", "norm"], ck.fft.fftshift: ["axes"],
    ck.fft.hfft: ["n", "axis", "norm"], ck.fft.ihfft: ["n", "axis", "norm"], ck.fft.dct: ["type", "n", "axis", "norm"], ck.fft.idctn: ["s", "axes"],
    einops.pack: ["pattern"], einops.unpack: ["packed_shapes", "pattern"], einops.parse_shape: ["pattern"], einops.rearrange: ["pattern"],
    einops.repeat: ["pattern", "r"],
}
fitting = {
    "mode": ["edge", "wrap", "constant"], "metric": ["euclidean", "cosine"], "form": ["square", "rfp", "condensed"], "source": ["full lower", "packed upper"],
    "destination": ["rfp lower", "symmetric"], "what": ["gaussian:1", "average", [1.0, 2, 1]], "boundary": ["edge", "periodic", [("edge", "constant:2")]],
    "dtype": ["f4", "f8", "i1", "nonsense"], "by": ["nearest", "cubic", "spline"], "keep": ["centres", "edges"], "polar": ["to", "from"],
    "norm": ["ortho", "forward"], "order": ["F"], "pattern": ["a * b", "a b -> b a", "*", "... -> ... r", "a b"], "statistic": ["mean", ["count", "deviation"]],
    "packed_shapes": [[(2,), (1,)]], "zoom": [2, 0.5], "anisotropy": [(2.0, 30.0)], "targets": [np.zeros((3, 2))], "values": [np.arange(4.0)], "first": [(0, 0)],
    "step": [(1, 1)], "shape": [(2, 3)], "coordinates": [np.zeros((2, 3, 4))], "matrix": [np.eye(2)], "force": ["tomatrix", "tovector"], "to": ["a|b"]}
with_out = {ck.permute_dims, ck.matrix_transpose, ck.moveaxis, ck.flip, ck.roll, ck.stack, ck.concat, ck.take, ck.pad, ck.pdist, ck.stencil, ck.resample, ck.fft.fft,
            ck.fft.rfftn, ck.fft.irfft, ck.fft.hfft, ck.fft.ihfft}


def any_arguments(r, call):
    """Some fit, some do not; what has to be there is there mostly."""
    words = {}
    for name in names[call]:
        is_needed = name in ("axes", "shift", "what", "pad_width", "indices", "values", "targets", "first", "step", "pattern", "packed_shapes", "zoom",
                          "destination") or (call is ck.moveaxis and name == "source")
        if r.random() < (0.95 if is_needed else 0.05 if call is ck.resample else 0.3):
            words[name] = r.choice(fitting[name]) if name in fitting and call is not ck.moveaxis and r.random() < 0.7 else any_array(r) if r.random() < 0.1 else r.choice(numbers)
    if call in with_out and r.random() < 0.3:
        words["out"] = any_array(r)
    return words


def test_names_never_crash():
    r = random.Random(7)
    n_done = dict.fromkeys(names, 0)
    for _ in range(3 * n_rounds):
        call, x = r.choice(list(names)), any_array(r)
        if call in (ck.interpolate, ck.grid) and r.random() < 0.6:
            x = np.random.default_rng(r.randrange(99)).random((4, 2))
        if call is ck.records and r.random() < 0.6:
            x = np.zeros(r.randrange(5), [("a", "i1"), ("b", ">f4")])
        words = any_arguments(r, call)
        try:
            call(x, **words)
        except allowed as e:
            assert is_clear(e), f"{call.__name__}({x!r}, {words}): {e!r}"
            continue
        except Exception as e:
            raise AssertionError(f"{call.__name__}({x!r}, {words}): {e!r}") from e
        n_done[call] += 1
    assert all(n > 0 for n in n_done.values()), [call.__name__ for call, n in n_done.items() if n == 0]
