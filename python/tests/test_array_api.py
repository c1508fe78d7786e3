"""The manipulation functions of the array API standard, as array-api-strict has them: signatures, results and errors. Its arrays are the input, so
results are its arrays, too.

SPDX-License-Identifier: BSD-3-Clause
"""
import inspect
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import crinkle as ck

xp = pytest.importorskip("array_api_strict")
settings.register_profile("array_api", max_examples=25, deadline=None, derandomize=True)
settings.load_profile("array_api")

functions = ("broadcast_arrays", "broadcast_to", "concat", "expand_dims", "flip", "matrix_transpose", "moveaxis", "permute_dims", "repeat", "reshape",
             "roll", "squeeze", "stack", "take", "tile", "unstack")
types = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64", "complex128")
same_kind = st.sampled_from([[t for t in types if t.startswith(("int", "uint"))], [t for t in types if t.startswith(("float", "complex"))], ["bool"]])
P = inspect.Parameter


def test_every_manipulation_function_of_the_standard_is_there():
    from array_api_strict import _manipulation_functions as standard

    defined = {name for name, f in vars(standard).items() if inspect.isfunction(f) and f.__module__ == standard.__name__ and not name.startswith("_")}
    assert defined and defined <= set(functions) and set(functions) <= set(ck.__all__)


@pytest.mark.parametrize("name", functions)
def test_what_the_standard_lets_one_write_is_understood(name):
    """The parameters in their order, by their names, with their defaults; more of ours have defaults or are by keyword alone."""
    standard, ours = (list(inspect.signature(getattr(module, name)).parameters.values()) for module in (xp, ck))
    there = {p.name: p for p in ours}
    for k, p in enumerate(standard):
        if p.kind in (P.POSITIONAL_ONLY, P.POSITIONAL_OR_KEYWORD):
            assert ours[k].kind in (P.POSITIONAL_ONLY, P.POSITIONAL_OR_KEYWORD), p
        if p.kind in (P.KEYWORD_ONLY, P.POSITIONAL_OR_KEYWORD):
            assert there[p.name].kind in (P.KEYWORD_ONLY, P.POSITIONAL_OR_KEYWORD), p
        if p.kind is P.VAR_POSITIONAL:
            assert ours[k].kind is p.kind
        elif p.default is not P.empty:
            assert there[p.name].default == p.default, p
    extra = ours[len(standard):]
    assert all(p.default is not P.empty for p in extra), extra


@st.composite
def arrays(draw, kinds=types, shape=None):
    shape = draw(st.lists(st.integers(0, 5), max_size=4)) if shape is None else shape
    n = math.prod(shape)
    numbers = np.random.default_rng(draw(st.integers(0, 99))).integers(0, 100, n).reshape(shape)
    x = xp.asarray(numbers.astype(draw(st.sampled_from(list(kinds)))))
    return xp.permute_dims(x, tuple(draw(st.permutations(range(len(shape))))))


def same(ours, standard):
    assert type(ours) is type(standard)
    if isinstance(standard, (tuple, list)):
        assert len(ours) == len(standard)
        for a, b in zip(ours, standard):
            same(a, b)
    else:
        assert ours.dtype == standard.dtype and ours.shape == standard.shape and bool(xp.all(ours == standard))


def both(name, *arguments, **words):
    same(getattr(ck, name)(*arguments, **words), getattr(xp, name)(*arguments, **words))


@given(arrays(), st.data())
def test_one_array(x, data):
    axes = st.integers(-x.ndim, max(x.ndim - 1, 0))
    order = tuple(data.draw(st.permutations(range(x.ndim))))
    some = tuple(data.draw(st.lists(st.integers(0, x.ndim - 1), unique=True))) if x.ndim else ()
    both("permute_dims", x, order)
    both("permute_dims", x, axes=tuple(a - x.ndim for a in order))
    both("flip", x)
    both("flip", x, axis=some)
    both("roll", x, data.draw(st.integers(-9, 9)))
    if some:
        both("roll", x, tuple(range(len(some))), axis=some)
    both("reshape", x, (-1,) if math.prod(x.shape) else (0,))
    both("reshape", x, tuple(reversed(x.shape)), copy=True)
    both("expand_dims", x, axis=data.draw(st.integers(-x.ndim - 1, x.ndim)))
    both("tile", x, tuple(data.draw(st.lists(st.integers(0, 3), max_size=5))))
    both("repeat", x, data.draw(st.integers(0, 3)))
    n = math.prod(x.shape)
    each = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    if n:
        both("repeat", x, xp.asarray(each))
    new = data.draw(st.lists(st.integers(0, 3), max_size=2))
    both("broadcast_to", x, (*new, *(data.draw(st.integers(0, 4)) if e == 1 else e for e in x.shape)))
    if x.ndim == 0:
        return
    axis = data.draw(axes)
    both("flip", x, axis=axis)
    both("roll", x, shift=3, axis=axis)
    both("moveaxis", x, axis, data.draw(axes))
    both("moveaxis", x, some, tuple(data.draw(st.permutations(some))))
    both("repeat", x, 2, axis=axis)
    both("unstack", x, axis=axis)
    both("squeeze", xp.expand_dims(x, axis=axis), axis)
    if x.shape[axis]:
        both("take", x, xp.asarray(data.draw(st.lists(st.integers(0, x.shape[axis] - 1), min_size=1))), axis=axis)
    if x.ndim > 1:
        both("matrix_transpose", x)


@given(same_kind, st.lists(st.integers(0, 4), max_size=3), st.data())
def test_several_arrays_of_several_types(kinds, shape, data):
    if "uint64" in kinds:  # with signed ones: the standard leaves it open
        kinds = [t for t in kinds if t != "uint64"] if data.draw(st.booleans()) else [t for t in kinds if t.startswith("u")]
    several = [data.draw(arrays(kinds, shape)) for _ in range(data.draw(st.integers(1, 4)))]
    several = [xp.reshape(x, tuple(shape)) for x in several]
    axis = data.draw(st.integers(-len(shape) - 1, len(shape)))
    both("stack", several, axis=axis)
    both("stack", tuple(several))
    both("concat", several, axis=None)
    if shape:
        along = data.draw(st.integers(-len(shape), len(shape) - 1))
        both("concat", several, axis=along)
        both("concat", [several[0], *(xp.repeat(x, 2, axis=along) for x in several)], axis=along)
    ones = [xp.reshape(x, (1,) * k + tuple(shape)) for k, x in enumerate(several)]
    both("broadcast_arrays", *ones, xp.zeros((3, *(1 for _ in shape))))


@pytest.mark.parametrize("name, arguments, words", [
    ("permute_dims", [(0, 0)], {}), ("permute_dims", [(0,)], {}), ("permute_dims", [(0, 2)], {}), ("flip", [], {"axis": 2}), ("flip", [], {"axis": (0, -3)}),
    ("roll", [1], {"axis": 2}), ("roll", [(1, 2, 3)], {"axis": (0, 1)}), ("reshape", [(4,)], {}), ("reshape", [(-1, -1)], {}), ("reshape", [(-1, 4)], {}),
    ("expand_dims", [], {"axis": 3}), ("expand_dims", [], {"axis": -4}), ("squeeze", [0], {}), ("squeeze", [2], {}), ("moveaxis", [0, 2], {}),
    ("moveaxis", [(0, 1), 0], {}), ("moveaxis", [(0, 0), (0, 1)], {}), ("tile", [(-1,)], {}), ("repeat", [-1], {}), ("repeat", [2], {"axis": 2}),
    ("unstack", [], {"axis": 2}), ("broadcast_to", [(3,)], {}), ("broadcast_to", [(2, 4)], {}), ("take", [xp.asarray([0])], {"axis": 2})])
def test_what_the_standard_refuses(name, arguments, words):
    x = xp.reshape(xp.arange(6), (2, 3))
    for module in xp, ck:
        with pytest.raises(ValueError) as raised:
            getattr(module, name)(x, *arguments, **words)
    assert any(c.isdigit() for c in str(raised.value)), raised.value  # the values


@pytest.mark.parametrize("kinds", [("int64", "float64"), ("bool", "int8"), ("uint64", "int8"), ("bool", "complex64"), ("int32", "complex128")])
@pytest.mark.parametrize("name", ["stack", "concat"])
def test_kinds_that_the_standard_does_not_mix(name, kinds):
    several = [xp.zeros(3, dtype=getattr(xp, kind)) for kind in kinds]
    for module in xp, ck:
        with pytest.raises(TypeError, match=kinds[0]):
            getattr(module, name)(several)
    for wrong in [], [several[0], xp.zeros((2, 3))]:
        for module in xp, ck:
            with pytest.raises((ValueError, TypeError)):
                getattr(module, name)(wrong)


numpy_types = st.sampled_from(["?", "i1", "u2", ">i4", "i8", "u8", "f2", "f4", ">f8", "c8", ">c16", "S3", "S5", "U2", "M8[s]", "M8[D]", "m8[ms]", "V3", "V5",
                               [("a", "i4"), ("b", "f4")], [("a", ">i8"), ("b", "f4")]])


@given(st.lists(numpy_types, min_size=2, max_size=3), st.integers(0, 2), st.booleans())
def test_types_are_promoted_as_numpy_does(kinds, seed, is_stack):
    several = [np.random.default_rng(seed).integers(0, 9, (2, 3)).astype("S1" if np.dtype(k).kind == "V" and not np.dtype(k).names else "i4") for k in kinds]
    several = [np.zeros(x.shape, k) if np.dtype(k).kind == "V" else x.astype(k) for x, k in zip(several, kinds)]
    name, by_numpy = ("stack", np.stack) if is_stack else ("concat", np.concatenate)
    try:
        want = by_numpy(several, axis=-1)
    except TypeError:
        with pytest.raises(TypeError, match="type"):
            getattr(ck, name)(several, axis=-1)
        return
    got = getattr(ck, name)(several, axis=-1)
    if len(set(map(str, map(np.dtype, kinds)))) > 1:  # of one type, ours keep their byte order
        assert got.dtype == want.dtype
    assert got.shape == want.shape and np.array_equal(got, want)


def test_types_of_several_libraries():
    torch = pytest.importorskip("torch")
    a, b = torch.arange(3), torch.arange(3.0)
    assert torch.equal(ck.concat([a, b]), torch.cat([a, b])) and torch.equal(ck.stack([a.to(torch.int8), a]), torch.stack([a.to(torch.int8), a]))
    with pytest.raises(TypeError, match="libraries"):
        ck.concat([a, b.numpy()])
