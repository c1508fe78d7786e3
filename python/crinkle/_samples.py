"""Samples of interpolation: their places, values and weights, on the host or on the GPU of the targets.

SPDX-License-Identifier: BSD-3-Clause
"""
from . import _arrays


def samples(places, values, weights, what):
    p, v = _arrays.real(places, f"{what}: places"), _arrays.real(values, f"{what}: values")
    if p.ndim != 2 or v.ndim not in (1, 2) or v.shape[0] != p.shape[0]:
        raise ValueError(f"{what}: places (n, d) and values (n,) or (n, columns), not {p.shape} and {v.shape}")
    return p, v, None if weights is None else _arrays.real(weights, f"{what}: weights")


def samples_there(places, values, weights, targets, what):
    """Samples on the GPU of the targets, read as they lie."""
    named = [("places", places), ("values", values), ("targets", targets), *([] if weights is None else [("weights", weights)])]
    for name, x in named:
        if not _arrays.is_on_gpu(x):
            raise ValueError(f"{what}: {name} on the CPU, other arguments on a GPU: give all of them there, or the samples on the CPU and targets on the GPU")
    for name, x in named:
        if _arrays.place_of(x) != _arrays.place_of(targets):
            raise ValueError(f"{what}: {name} on {_arrays.place_of(x)}, targets on {_arrays.place_of(targets)}: bring them together with their library first")
        if _arrays.name_of(x) not in ("float32", "float64"):
            raise TypeError(f"{what}: {name} of {x.dtype} on a GPU: float32 or float64")
    p, v, w = (None if x is None else tuple(x.shape) for x in (places, values, weights))
    if len(p) != 2 or len(v) not in (1, 2) or v[0] != p[0] or (w is not None and w != p[:1]):
        raise ValueError(f"{what}: places (n, d), values (n,) or (n, columns) and weights (n,), not {p}, {v} and {w}")
    return places, values, weights
