"""Lists of arrays, one a device, with a layout: on the CPU's memory, where several logical devices are the CPU.

SPDX-License-Identifier: BSD-3-Clause
"""
import numpy as np
import pytest

import crinkle as ck


def divided(whole, text, axis):
    """Parts by NumPy: block(p), cyclic(p,cell) along one axis."""
    kind, numbers = text.rstrip(")").split("(")
    numbers = [int(n) for n in numbers.split(",")]
    if kind == "block":
        indices = np.array_split(np.arange(whole.shape[axis]), numbers[0])
    else:
        indices = [[i for i in range(whole.shape[axis]) if i // numbers[1] % numbers[0] == k] for k in range(numbers[0])]
    return [np.ascontiguousarray(np.take(whole, np.asarray(i, int), axis)) for i in indices]


def same(parts, right):
    assert len(parts) == len(right)
    for a, b in zip(parts, right):
        assert a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("source", ["block({n})", "cyclic({n},2)"])
@pytest.mark.parametrize("destination", ["block({n})", "cyclic({n},3)"])
@pytest.mark.parametrize("dtype", ["float64", "int8", "complex64", "datetime64[s]", [("a", "i4"), ("b", "f8")], ">f4"])
def test_transposes_between_layouts(n, source, destination, dtype):
    whole = np.arange(23 * 17).reshape(23, 17)
    whole = whole.astype(dtype) if not isinstance(dtype, list) else np.array([(v, -v) for v in whole.ravel()], dtype).reshape(whole.shape)
    source, destination = source.format(n=n), destination.format(n=n)
    made = ck.move(divided(whole, source, 0), "y x -> x y", layout=f"y:{source} -> x:{destination}")
    same(made, divided(np.ascontiguousarray(whole.T), destination, 0))
    # One layout is that of both sides: every part is turned where it lies.
    same(ck.move(divided(whole, source, 0), "y x -> x y", layout=f"y:{source}"), divided(np.ascontiguousarray(whole.T), source, 1))


def test_verbs_other_axes_and_grids():
    whole = np.arange(6 * 8 * 10, dtype="f4").reshape(6, 8, 10)
    parts = [np.ascontiguousarray(whole[:3, :4]), np.ascontiguousarray(whole[:3, 4:]), np.ascontiguousarray(whole[3:, :4]), np.ascontiguousarray(whole[3:, 4:])]
    made = ck.move(parts, "z y x -> x z y", layout="z:block(2) y:block(2) -> x:block(4)", flip="z", roll={"x": 3})
    right = np.ascontiguousarray(np.roll(whole[::-1], 3, 2).transpose(2, 0, 1))
    same(made, divided(right, "block(4)", 0))
    made = ck.move(parts, "... y x -> ... x y", layout=("@0:block(2) @1:block(2)", "@0:cuts(0,1,1,6,6;3,2,1,0)"))
    right = np.ascontiguousarray(whole.transpose(0, 2, 1))
    same(made, [right[6:], right[1:6], right[1:1], right[:1]])
    padded = ck.move(parts, "z y x -> z y x", layout="z:block(2) y:block(2) -> z:block(4)", pad={"x": (1, 2, "constant", 7)})
    same(padded, divided(np.pad(whole, ((0, 0), (0, 0), (1, 2)), constant_values=7), "block(4)", 0))
    # Merged axes are an operation, whose parts are cut.
    same(ck.move(parts, "z y x -> (z y) x", layout="z:block(2) y:block(2) -> @0:block(4)"), divided(whole.reshape(48, 10), "block(4)", 0))
    irregular = ck.move([whole[:1], whole[1:]], "z y x -> z y x", layout="z:cuts(0,1,6) -> y:block(2)")
    same(irregular, divided(whole, "block(2)", 1))
    strided = [whole[:3, :, ::-1], whole[3:, :, ::-1]]
    same(ck.move(strided, "z y x -> z y x", layout="z:block(2)"), divided(np.ascontiguousarray(whole[:, :, ::-1]), "block(2)", 0))


@pytest.mark.parametrize("n", [1, 2, 4])
@pytest.mark.parametrize("axis", [0, 1])
def test_stencils_and_transforms_have_the_bits_of_one_memory(n, axis):
    random = np.random.default_rng(5)
    whole = random.random((20, 24)).astype("f4")
    parts, other = divided(whole, f"block({n})", axis), 1 - axis
    for how in ({"boundary": "periodic"}, {"boundary": "reflect", "steps": 3}):
        right = ck.stencil(whole, "gaussian:1", **how)
        same(ck.stencil(parts, "gaussian:1", layout=f"@{axis}:block({n})", **how), divided(right, f"block({n})", axis))
        same(ck.stencil(parts, "gaussian:1", layout=f"@{axis}:block({n}) -> @{other}:block({n})", **how), divided(right, f"block({n})", other))
    numbers = (random.random((20, 24)) + 1j * random.random((20, 24))).astype("c8")
    parts = divided(numbers, f"block({n})", axis)
    same(ck.fft.fft2(parts, layout=f"@{axis}:block({n})"), divided(ck.fft.fft2(numbers), f"block({n})", axis))
    same(ck.fft.rfft2(divided(whole, f"block({n})", axis), layout=f"@{axis}:block({n})"), divided(ck.fft.rfft2(whole), f"block({n})", axis))
    same(ck.flip(divided(whole, f"block({n})", axis), layout=f"@{axis}:block({n})"), divided(np.ascontiguousarray(whole[::-1, ::-1]), f"block({n})", axis))


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("staged", [False, True])
def test_transforms_in_slabs_have_the_bits_of_one_memory(n, staged):
    random = np.random.default_rng(6)
    real = random.random((13, 9, 10))
    whole = real + 1j * random.random((13, 9, 10))
    for function, x, options in (ck.fft.fftn, whole, {}), (ck.fft.rfftn, real, {}), (ck.fft.fftn, whole, {"axes": (1, 2)}):
        right = function(x, **options)
        for source, other in (0, 1), (0, 0), (0, 2), (1, 0):
            plan = ck.DevicesPlan(function, ck.Array(x.shape, x.dtype.name), layout=f"@{source}:block({n}) -> @{other}:block({n})", devices=n, staged=staged, slab_bytes=1, **options)
            assert "slabs, each sent while the next one is computed" in plan.describe() or "exchange" not in plan.describe()
            for k in range(2):
                same(plan.run(divided(x, f"block({n})", source)), divided(right, f"block({n})", other))
    large = ck.Array((256, 256, 128), "complex128")
    assert "slabs" not in ck.DevicesPlan(ck.fft.fftn, large, layout="@0:block(2) -> @1:block(2)", devices=2).describe()  # no link keeps them waiting
    assert "2 slabs" in ck.DevicesPlan(ck.fft.fftn, large, layout="@0:block(2) -> @1:block(2)", devices=2, slab_bytes=16 << 20).describe()
    with pytest.raises(ValueError, match="slabs of 0 bytes"):
        ck.DevicesPlan(ck.fft.fftn, ck.Array((8, 8, 8), "complex64"), layout="@0:block(2)", devices=2, slab_bytes=0)


def test_plans_run_again_and_describe_themselves():
    whole = np.arange(16 * 16, dtype="f4").reshape(16, 16)
    parts = divided(whole, "block(2)", 0)
    for staged in (False, True):
        plan = ck.DevicesPlan(ck.move, ck.Array((16, 16), "float32"), "y x -> x y", layout="y:block(2) -> x:block(2)", devices=2, staged=staged)
        out = [np.full((8, 16), -1, "f4") for _ in range(2)]
        for k in range(3):
            assert plan.run([x + k for x in parts], out) is out
            same(out, divided(np.ascontiguousarray(whole.T) + np.float32(k), "block(2)", 0))
        assert plan.sent_bytes == 2 * 8 * 8 * 4
        assert ("packed" in plan.describe()) == staged
        assert plan.source_shapes == [(8, 16), (8, 16)]
    text = ck.explain_links(ck.move, ck.Array((1 << 16, 1 << 16), "complex128"), "y x -> x y", layout="y:block(4) -> x:block(4)")
    assert "51539607552 bytes" in text and "NVLink 4" in text and "0.0286 s" in text
    assert "PCIe 5" in ck.explain_links(ck.fft.fftn, ck.Array((64, 64, 64), "complex64"), layout="@0:block(8)", links="pcie5")


def test_lists_without_a_layout_are_what_they_were():
    a = np.arange(6.0).reshape(2, 3)
    assert np.array_equal(ck.move([a, a], "n y x -> y x n"), np.stack([a, a], -1))
    assert ck.stencil([[1.0, 2.0], [3.0, 4.0]], "average:1").shape == (2, 2)


whole = np.arange(48.0).reshape(8, 6)
two = [whole[:4], whole[4:]]


@pytest.mark.parametrize("kind, words, wrong", [
    (ck.NotationError, "there is no axis 'z'", lambda: ck.move(two, "y x -> x y", layout="z:block(2)")),
    (ck.NotationError, "there is no axis 'y'", lambda: ck.move(two, "y x -> (y x)", layout="y:block(2)")),
    (ValueError, "divide by 3 and there are 2 devices", lambda: ck.move(two, "y x -> x y", layout="y:block(3)")),
    (TypeError, "layout is a text", lambda: ck.move(two, "y x -> x y", layout=2)),
    (TypeError, "layout is a text", lambda: ck.move(two, "y x -> x y", layout="y:block(2) -> x -> y")),
    (TypeError, "a list of arrays, one a device, not ndarray", lambda: ck.move(whole, "y x -> x y", layout="y:block(2)")),
    (TypeError, "an empty list", lambda: ck.move([], "y x -> x y", layout="y:block(2)")),
    (ValueError, r"of shape \(4, 6\), not one of shape \(3, 6\)", lambda: ck.move([whole[:3], whole[3:]], "y x -> x y", layout="y:block(2)")),
    (ValueError, "do not add up", lambda: ck.move([whole[:4], whole[4:, :5]], "y x -> x y", layout="y:block(2)")),
    (ValueError, "as many axes", lambda: ck.move([whole, whole[0]], "y x -> x y", layout="y:block(2)")),
    (TypeError, "one type of element", lambda: ck.move([whole[:4], whole[4:].astype("f4")], "y x -> x y", layout="y:block(2)")),
    (ValueError, r"out has shape \(8, 6\)", lambda: ck.move(two, "y x -> x y", layout="y:block(2)", out=[whole, whole])),
    (TypeError, "out is a list of 2 arrays", lambda: ck.move(two, "y x -> x y", layout="y:block(2)", out=np.empty((6, 8)))),
    (ValueError, "share bytes", lambda: ck.move(two, "y x -> y x", layout="y:block(2)", out=two)),
    (ValueError, "byte_order", lambda: ck.move(two, "y x -> x y", layout="y:block(2)", byte_order="big")),
    (ck.NotationError, "chunks=3 names no axis", lambda: ck.move(two, "y x -> x y", layout="y:block(2)", chunks=3)),
    (ck.NotationError, "axes have no names here", lambda: ck.stencil(two, "gaussian:1", layout="y:block(2)")),
    (ck.NotationError, "there is no stencil 'gauss'", lambda: ck.stencil(two, "gauss:1", layout="@0:block(2)")),
    (ValueError, "plan it for one of complex128", lambda: ck.fft.fft(two, layout="@0:block(2)")),
    (ValueError, r"other byte order .* x.astype\('float64'\)", lambda: ck.stencil([x.astype(">f8") for x in two], "gaussian:1", layout="@0:block(2)")),
    (ValueError, "2 inputs", lambda: ck.DevicesPlan(ck.cdist, ck.Array((8, 3), "float64"), ck.Array((9, 3), "float64"), layout="@0:block(2)", devices=2)),
    (ValueError, "planned by ck.DevicesPlan", lambda: ck.plan(ck.move, two, "y x -> x y", layout="y:block(2)")),
    (TypeError, "what the whole array is", lambda: ck.DevicesPlan(ck.move, whole, "y x -> x y", layout="y:block(2)", devices=2)),
    (ValueError, "devices is a list of GPUs' numbers", lambda: ck.DevicesPlan(ck.move, ck.Array((8, 6)), "y x -> x y", layout="y:block(2)", devices=0)),
    (ValueError, "devices is a list of GPUs' numbers", lambda: ck.DevicesPlan(ck.move, ck.Array((8, 6)), "y x -> x y", layout="y:block(2)", devices=[-1, 0])),
    (TypeError, "staged is True or False", lambda: ck.DevicesPlan(ck.move, ck.Array((8, 6)), "y x -> x y", layout="y:block(2)", devices=2, staged=1)),
    (TypeError, "no function of crinkle|function of crinkle", lambda: ck.DevicesPlan(np.flip, ck.Array((8, 6)), layout="@0:block(2)", devices=2)),
    (RuntimeError, "no links are called 'infiniband'", lambda: ck.explain_links(ck.move, ck.Array((8, 6)), "y x -> x y", layout="y:block(2)", links="infiniband")),
])
def test_what_does_not_fit_is_refused(kind, words, wrong):
    before = whole.copy()
    with pytest.raises(kind, match=words):
        wrong()
    assert np.array_equal(whole, before)


def test_parts_that_a_plan_is_not_for():
    plan = ck.DevicesPlan(ck.stencil, ck.Array((8, 6), "float64"), "average:1", layout="@0:block(2)", devices=2)
    for wrong, words in ((two[:1], "a list of 2 arrays"), (whole, "a list of 2 arrays"), ([x.astype("f4") for x in two], "planned with elements of float64"),
                         ([whole, whole], "not one of shape")):
        with pytest.raises((TypeError, ValueError), match=words):
            plan.run(wrong)
    with pytest.raises(TypeError, match="planned with elements of float64"):
        plan.run(two, [np.empty((4, 6), "f4"), np.empty((4, 6), "f4")])
    same(plan.run(two), divided(ck.stencil(whole, "average:1"), "block(2)", 0))
    if not ck.has_cuda:
        with pytest.raises(RuntimeError, match="no CUDA"):
            ck.DevicesPlan(ck.move, ck.Array((8, 6)), "y x -> x y", layout="y:block(2)", devices=[0, 1])
