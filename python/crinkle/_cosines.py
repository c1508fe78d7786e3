"""SciPy's cosine and sine transforms of real numbers, types 1 to 4, along one axis or several.

SPDX-License-Identifier: BSD-3-Clause
"""
import math

from . import _arrays, _core
from .fft import _cosine, _kept, _opposite, _sine, _sizes, _transform, rfft  # type: ignore[attr-defined]


def _other_side(norm):
    if norm not in _opposite:
        raise ValueError(f"norm is 'backward', 'ortho' or 'forward', not {norm!r}")
    return _opposite[norm]


def _of_type(x, kind, type, is_inverse, sizes, axes, norm, orthogonalize, what):
    if _arrays.size(type, f"{what}: the type") not in (1, 2, 3, 4):
        raise ValueError(f"{what} of type {type!r}: there are 1, 2, 3 and 4")
    opposite = _other_side(norm)
    is_ortho = norm == "ortho"
    has_root = is_ortho if orthogonalize is None else bool(orthogonalize)
    if type in (2, 3) and has_root == is_ortho:
        if type == 3:  # the inverse of 2, whose factor is on the other side
            is_inverse, norm = not is_inverse, opposite
        return _transform(x, kind, is_inverse, sizes, axes, norm, None, what)
    x = _arrays.of(x)
    if axes is None:
        axes = range(len(x.shape)) if sizes is None else range(-len(sizes), 0)
    axes = _arrays.axes_of(axes, len(x.shape), what)
    if sizes is not None and len(sizes) != len(axes):
        raise ValueError(f"{what}: {len(sizes)} sizes for {len(axes)} axes")
    for axis, n in zip(axes, sizes or [None] * len(axes)):
        n = x.shape[axis] if n is None or n is _kept else _arrays.size(n, f"{what}: a size")
        if type in (2, 3):
            x = _with_other_root(x, kind, type, is_inverse, n, axis, norm, has_root, what)
        else:
            x = _itself(x, kind, type, is_inverse, n, axis, norm, has_root, what)
    return x


def _with_other_root(x, kind, type, is_inverse, n, axis, norm, has_root, what):
    """Types 2 and 3, where their first (a sine's last) number has the factor √2 that its scale does not go with, or lacks it."""
    of_input = is_inverse != (type == 3)
    factor = math.sqrt(2) if has_root == of_input else math.sqrt(0.5)
    end = 0 if kind == _cosine else n - 1
    if of_input:
        x = _times(_resized(x, axis, n), axis, (end,), factor, what)
    x = _of_type(x, kind, type, is_inverse, [n], [axis], norm, None, what)
    return x if of_input else _times(x, axis, (end,), factor, what)


def _itself(x, kind, type, is_inverse, n, axis, norm, has_root, what):
    """Types 1 and 4, each of which undoes itself, by a longer transform."""
    least = 2 if type == 1 and kind == _cosine else 1
    if n < least:
        raise ValueError(f"{what} of type {type}: {n} numbers, it takes {least} or more")
    x = _resized(x, axis, n)
    period = 2 * n if type == 4 else 2 * (n - 1) if kind == _cosine else 2 * (n + 1)
    if type == 4:  # every other one of type 2 of twice as many numbers, the second half 0
        whole = _of_type(x, kind, 2, False, [2 * n], [axis], None, None, what)
        result = _copied(_cut(whole, axis, slice(1 if kind == _cosine else 0, None, 2)))
    elif kind == _cosine:
        root = math.sqrt(2) if has_root else 1
        x = _times(x, axis, (0, n - 1), root, what)
        result = _copied(rfft(_joined([x, _cut(x, axis, slice(-2, 0, -1))] if n > 2 else [x], axis), axis=axis).real)
        result = _times(result, axis, (0, n - 1), 1 / root, what)
    else:
        none = _arrays.zeros(x, tuple(1 if a == axis else e for a, e in enumerate(x.shape)))
        whole = _joined([none, x, none, -1 * _cut(x, axis, slice(None, None, -1))], axis)
        result = -1 * _copied(_cut(rfft(whole, axis=axis).imag, axis, slice(1, n + 1)))
    scale = {"ortho": 1 / math.sqrt(period), "forward": 1 if is_inverse else 1 / period}.get(norm, 1 / period if is_inverse else 1)
    return result if scale == 1 else result * scale


def _cut(x, axis, part):
    return x[(slice(None),) * axis + (part,)]


def _copied(x):
    return _core.move(x, "... -> ...", None, ())


def _joined(parts, axis):
    from ._joins import concat

    return concat([_copied(x) for x in parts], axis=axis)


def _resized(x, axis, n):
    """x with n numbers along an axis: the first ones, or zeros behind them; floating-point ones."""
    from ._names import pad

    name = _arrays.name_of(x)
    if name.startswith("complex"):
        raise TypeError(f"a transform of real numbers got {name}; use fft")
    if not name.startswith(("float", "bfloat", "longdouble")):
        x = _arrays.as_type(x, "float64")
    own = x.shape[axis]
    return _cut(x, axis, slice(0, n)) if n < own else x if n == own else pad(x, tuple((0, n - own if a == axis else 0) for a in range(len(x.shape))))


def _times(x, axis, places, factor, what):
    """A copy in which some numbers are multiplied."""
    if factor == 1:
        return x
    x = _copied(x)
    if not hasattr(x, "__setitem__") or type(x).__module__.startswith("jax"):
        raise TypeError(f"{what}: orthogonalize of {type(x).__qualname__}, which cannot be written to: give NumPy's")
    for place in places:
        x[(slice(None),) * axis + (place,)] *= factor
    return x


def _one(n):
    return None if n is None else [n]


def dct(x, type=2, n=None, axis=-1, norm=None, orthogonalize=None):
    """SciPy's cosine transforms. Type 2, which type 3 undoes: X[k] = 2 Σ_m x[m] cos(π k (2m + 1) / 2n). Type 1: X[k] = x[0] + (-1)^k x[n-1] +
    2 Σ_{0<m<n-1} x[m] cos(π k m / (n - 1)). Type 4: X[k] = 2 Σ_m x[m] cos(π (2k + 1)(2m + 1) / 4n). "ortho" makes them orthonormal; orthogonalize
    says by itself whether the numbers at the ends have their √2. Types 1 and 4 take a transform of twice as many numbers."""
    return _of_type(x, _cosine, type, False, _one(n), [axis], norm, orthogonalize, "dct")


def idct(x, type=2, n=None, axis=-1, norm=None, orthogonalize=None):
    """dct() backwards."""
    return _of_type(x, _cosine, type, True, _one(n), [axis], norm, orthogonalize, "idct")


def dst(x, type=2, n=None, axis=-1, norm=None, orthogonalize=None):
    """SciPy's sine transforms. Type 2, which type 3 undoes: X[k] = 2 Σ_m x[m] sin(π (k + 1)(2m + 1) / 2n). Type 1: X[k] = 2 Σ_m x[m]
    sin(π (k + 1)(m + 1) / (n + 1)). Type 4: X[k] = 2 Σ_m x[m] sin(π (2k + 1)(2m + 1) / 4n). All else as dct()."""
    return _of_type(x, _sine, type, False, _one(n), [axis], norm, orthogonalize, "dst")


def idst(x, type=2, n=None, axis=-1, norm=None, orthogonalize=None):
    """dst() backwards."""
    return _of_type(x, _sine, type, True, _one(n), [axis], norm, orthogonalize, "idst")


def dctn(x, type=2, s=None, axes=None, norm=None, orthogonalize=None):
    """dct() along all axes, or the given ones."""
    return _of_type(x, _cosine, type, False, _sizes(s), axes, norm, orthogonalize, "dctn")


def idctn(x, type=2, s=None, axes=None, norm=None, orthogonalize=None):
    """dctn() backwards."""
    return _of_type(x, _cosine, type, True, _sizes(s), axes, norm, orthogonalize, "idctn")


def dstn(x, type=2, s=None, axes=None, norm=None, orthogonalize=None):
    """dst() along all axes, or the given ones."""
    return _of_type(x, _sine, type, False, _sizes(s), axes, norm, orthogonalize, "dstn")


def idstn(x, type=2, s=None, axes=None, norm=None, orthogonalize=None):
    """dstn() backwards."""
    return _of_type(x, _sine, type, True, _sizes(s), axes, norm, orthogonalize, "idstn")
