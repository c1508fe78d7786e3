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
            assert str(e) or isinstance(e, MemoryError)
            continue
        n_done += 1
        if isinstance(x, np.ndarray) and not words and "(" not in spec and set("abcd") >= set(spec.replace("->", "").replace(" ", "")):
            left, right = (side.split() for side in spec.split("->"))
            if len(left) == x.ndim and sorted(left) == sorted(right):
                assert y.tobytes() == np.ascontiguousarray(x.transpose([left.index(n) for n in right])).tobytes()
    assert n_done > n_rounds // 20


def test_names_never_crash():
    r = random.Random(7)
    n = [0, 1, -1, 2, -7, (0, 1), (1, 1), [2, 2], None, 1.5, "x", 1 << 20, (1, -1)]
    calls = [ck.permute_dims, ck.flip, ck.roll, ck.expand_dims, ck.squeeze, ck.reshape, ck.stack, ck.concat, ck.repeat, ck.take, ck.pad, ck.pdist,
             ck.squareform, ck.stencil, ck.records, ck.fft.fft, ck.fft.rfftn, ck.fft.irfft, ck.fft.fftshift, einops.pack]
    for _ in range(n_rounds):
        call, x = r.choice(calls), any_array(r)
        arguments = [r.choice(n[:-2] if call in (ck.repeat, ck.pad, ck.fft.fft, ck.fft.rfftn, ck.fft.irfft) else n) for _ in range(r.randrange(0, 2))]
        if 1 << 20 in arguments:
            continue
        try:
            call(x, *arguments)
        except allowed + (AttributeError, ):
            pass
