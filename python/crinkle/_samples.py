"""Samples of interpolation: their places, values and weights, on the host or on the GPU of the targets.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import _arrays


def samples(places, values, weights, what):
    p, v = _arrays.real(places, f"{what}: places"), _arrays.real(values, f"{what}: values")
    if p.ndim != 2 or v.ndim not in (1, 2) or v.shape[0] != p.shape[0]:
        raise ValueError(f"{what}: places (n, d) and values (n,) or (n, columns), not {p.shape} and {v.shape}")
    return p, v, None if weights is None else _arrays.real(weights, f"{what}: weights")


def are_there(*arrays):
    return any(x is not None and _arrays.is_on_gpu(x) for x in arrays)


def samples_there(places, values, weights, targets, what):
    """Samples on one GPU, that of the targets where there are some, read as they lie."""
    named = [(name, x) for name, x in (("places", places), ("values", values), ("targets", targets), ("weights", weights)) if x is not None]
    for name, x in named:
        if not _arrays.is_on_gpu(x):
            raise ValueError(f"{what}: {name} on the CPU, other arguments on a GPU: give all of them there{', or the samples on the CPU and targets on the GPU' if targets is not None else ''}")
    of, like = ("places", places) if targets is None else ("targets", targets)
    for name, x in named:
        if _arrays.place_of(x) != _arrays.place_of(like):
            raise ValueError(f"{what}: {name} on {_arrays.place_of(x)}, {of} on {_arrays.place_of(like)}: bring them together with their library first")
        if _arrays.name_of(x) not in ("float32", "float64"):
            raise TypeError(f"{what}: {name} of {x.dtype} on a GPU: float32 or float64")
    p, v, w = (None if x is None else tuple(x.shape) for x in (places, values, weights))
    if len(p) != 2 or len(v) not in (1, 2) or v[0] != p[0] or (w is not None and w != p[:1]):
        raise ValueError(f"{what}: places (n, d) and values (n,) or (n, columns){'' if w is None else ' and weights (n,)'}, not {p}, {v}{'' if w is None else f' and {w}'}")
    return places, values, weights
