"""What people run day by day on a GPU, by the package crinkle and by the libraries picked for it, in turns: pads, rolls, flips, channels and gathers (CuPy,
PyTorch and its compiler), resizing and rotation, filters (CuPy, PyTorch), points, steps of small grids, small calls. Every result is compared with the
first rival's before anything is timed; a row's share is that of a plain copy of as many bytes, in the same turns. Without a GPU the same rows run on
NumPy's arrays, of an eighth of the side, beside NumPy and SciPy.

SPDX-License-Identifier: BSD-3-Clause
"""
import importlib
import importlib.util
import statistics

import numpy as np

import crinkle as ck
from drive import take_turns, time_of


class Site:
    """The arrays' library, its ndimage, and PyTorch where it is."""

    def __init__(self, place):
        self.place, self.xp, self.on_card = place, place.xp, place.name == "CuPy"
        self.ndimage = importlib.import_module("cupyx.scipy.ndimage" if self.on_card else "scipy.ndimage")
        self.torch = importlib.import_module("torch") if self.on_card and importlib.util.find_spec("torch") else None
        if self.torch is None:
            print("skipped PyTorch: it is not installed, or there is no GPU")
        self.random = np.random.default_rng(7)

    def side(self, n):
        return n if self.on_card else max(8, n // 8)

    def array(self, shape, dtype):
        """Random, and a tensor of the same bytes (None without PyTorch)."""
        whole = self.random.integers(0, 256, shape, np.uint8) if np.dtype(dtype).itemsize == 1 else self.random.random(shape, np.float32) * 250
        x = self.xp.asarray(whole.astype(dtype))
        return x, self.torch and self.torch.from_dlpack(x)

    def rivals(self, by_arrays, by_torch=None, is_compiled=False):
        """by_arrays() by CuPy or NumPy; by_torch() by PyTorch, and compiled by it."""
        name, torch = ("CuPy" if self.on_card else "NumPy"), self.torch
        runs = {} if by_arrays is None else {name: by_arrays}
        if torch and by_torch:
            runs["PyTorch"] = by_torch
            if is_compiled:
                runs["torch.compile"] = torch.compile(by_torch, dynamic=False)
        return runs


def moves(s):
    xp, torch, f, side = s.xp, s.torch, s.torch and s.torch.nn.functional, s.side
    types = {"u1": np.uint8, "f2": np.float16, "f4": np.float32}

    def padded(name, shape, width):  # NumPy's pairs; PyTorch's go from the last axis on
        flat = [n for before, after in reversed(width) for n in (before, after)]
        for t in name.split()[1:]:
            x, u = s.array(shape, types[t])
            out = xp.pad(x, width)
            yield f"{name.split()[0]}_{t}", lambda x=x, o=xp.empty_like(out): ck.pad(x, width, out=o), x, s.rivals(
                lambda x=x: xp.pad(x, width), torch and (lambda u=u: f.pad(u, flat)), True), 0

    n = side(512)
    yield from padded("pad_1_planes u1 f2 f4", (4, 64, n - 2, n - 2), ((0, 0), (0, 0), (1, 1), (1, 1)))
    yield from padded("pad_1_last u1 f2 f4", (4, 64, n, n - 2), ((0, 0), (0, 0), (0, 0), (1, 1)))
    yield from padded("pad_8_channels_3 u1 f4", (16, n - 16, n - 16, 3), ((0, 0), (8, 8), (8, 8), (0, 0)))
    yield from padded("pad_1_channels_4 u1", (side(4096), side(4096), 4), ((1, 1), (1, 1), (0, 0)))
    yield from padded("pad_1_channels_64 f2", (2, side(1024) - 2, side(1024) - 2, 64), ((0, 0), (1, 1), (1, 1), (0, 0)))
    for t, dtype in types.items():
        x, u = s.array((side(8192), side(8192)), dtype)
        o, last = xp.empty_like(x), np.int64(x.shape[1] - 1)
        yield f"roll_7_5_{t}", lambda x=x, o=o: ck.roll(x, (7, 5), (0, 1), out=o), x, s.rivals(
            lambda x=x: xp.roll(x, (7, 5), (0, 1)), torch and (lambda u=u: torch.roll(u, (7, 5), (0, 1))), True), 0
        yield f"flip_both_{t}", lambda x=x, o=o: ck.flip(x, (0, 1), out=o), x, s.rivals(
            lambda x=x: xp.ascontiguousarray(x[::-1, ::-1]), torch and (lambda u=u: torch.flip(u, (0, 1))), True), 0
        several = s.random.integers(0, last + 1, x.shape[1])
        k = xp.asarray(several)
        i = torch and torch.from_dlpack(k)
        for axis in 0, 1:
            yield f"take_{'yx'[axis]}_{t}", lambda x=x, o=o, axis=axis, several=several: ck.take(x, several, axis, out=o), x, s.rivals(
                lambda x=x, axis=axis, k=k: xp.take(x, k, axis), torch and (lambda u=u, axis=axis, i=i: torch.index_select(u, axis, i)), True), 0
        pixels, v = s.array((32, n, n, 3), dtype)
        planes = xp.ascontiguousarray(pixels.transpose(0, 3, 1, 2))
        w = torch and torch.from_dlpack(planes)
        yield f"channels_first_{t}", lambda x=pixels, o=xp.empty_like(planes): ck.move(x, "n h w c -> n c h w", out=o), pixels, s.rivals(
            lambda x=pixels: xp.ascontiguousarray(x.transpose(0, 3, 1, 2)), torch and (lambda v=v: v.permute(0, 3, 1, 2).contiguous()), True), 0
        yield f"channels_last_{t}", lambda x=planes, o=xp.empty_like(pixels): ck.move(x, "n c h w -> n h w c", out=o), planes, s.rivals(
            lambda x=planes: xp.ascontiguousarray(x.transpose(0, 2, 3, 1)), torch and (lambda w=w: w.permute(0, 2, 3, 1).contiguous()), True), 0


def resizing(s):
    xp, nd, torch, f = s.xp, s.ndimage, s.torch, s.torch and s.torch.nn.functional
    order = {"nearest": 0, "linear": 1, "cubic": 3}
    for name, shape, zoom, ways in (("zoom_2_4096", (s.side(4096),) * 2, 2, order), ("zoom_half_8192", (s.side(8192),) * 2, 0.5, ("nearest", "linear")),
                                    ("zoom_1.5_256", (s.side(256),) * 3, 1.5, ("nearest", "linear"))):
        for t in np.float32, np.uint8:
            x, u = s.array(shape, t)
            words = {2: {"linear": "bilinear", "cubic": "bicubic", "nearest": "nearest"}, 3: {"linear": "trilinear", "nearest": "nearest"}}[len(shape)]
            for by in ways:
                out = xp.empty(tuple(round(n * zoom) for n in shape), t)
                # Cubic: SciPy's are splines, PyTorch's have another parameter. Nearest of a half: another one of a pair.
                near = None if by == "cubic" or by == "nearest" and zoom != 2 else 1e-2 if t is np.float32 else 1
                yield f"{name}_{by}_{np.dtype(t).name}", lambda x=x, o=out, zoom=zoom, by=by: ck.resample(x, zoom=zoom, by=by, out=o), x, s.rivals(
                    lambda x=x, o=xp.empty_like(out), zoom=zoom, by=by: nd.zoom(x, zoom, o, order[by], mode="nearest", grid_mode=True),
                    torch and t is np.float32 and (lambda u=u, zoom=zoom, way=words[by]: f.interpolate(u[None, None], scale_factor=zoom, mode=way)), True), near
    x, _ = s.array((s.side(4096),) * 2, np.float32)
    for by in "nearest", "linear":
        out = xp.empty_like(x)
        yield f"rotate_30_4096_{by}", lambda x=x, o=out, by=by: ck.resample(x, x.shape, rotate=30, by=by, out=o), x, s.rivals(
            lambda x=x, o=xp.empty_like(x), by=by: nd.rotate(x, 30, reshape=False, output=o, order=order[by], mode="constant")), None


def filters(s):
    xp, nd = s.xp, s.ndimage
    for t in np.float32, np.uint8:
        name = np.dtype(t).name
        for shape, sigmas in (((s.side(8192),) * 2, (1, 2, 5)), ((s.side(512),) * 3, (1, 2, 5))):
            x, _ = s.array(shape, t)
            out, theirs = xp.empty_like(x), xp.empty_like(x)
            for sigma in sigmas:
                yield f"gaussian_{sigma}_{len(shape)}d_{name}", lambda x=x, o=out, sigma=sigma: ck.stencil(x, f"gaussian:{sigma}", out=o), x, s.rivals(
                    lambda x=x, o=theirs, sigma=sigma: nd.gaussian_filter(x, sigma, output=o, mode="mirror")), 2e-2 if t is np.float32 else len(shape)  # theirs rounds bytes behind each axis
    for shape, side in (((s.side(8192),) * 2, 7), ((s.side(512),) * 3, 5)):
        x, u = s.array(shape, np.float32)
        weights = s.random.random((side,) * len(shape)).astype(np.float32)
        weights /= weights.sum()
        out, theirs, w = xp.empty_like(x), xp.empty_like(x), xp.asarray(weights)
        yield f"weights_{side}_{len(shape)}d", lambda x=x, o=out, weights=weights: ck.stencil(x, weights, out=o), x, s.rivals(
            lambda x=x, o=theirs, w=w: nd.correlate(x, w, output=o, mode="mirror")), 1e-1
    for rank, side in ((4, 96), (5, 38), (6, 20)):
        x, _ = s.array((s.side(side),) * rank, np.float32)
        out = xp.empty_like(x)
        yield f"star_{rank}d", lambda x=x, o=out: ck.stencil(x, "average:1:star", out=o), x, {}, None
    for side in 64, 128, 256, 512:
        x, _ = s.array((side, side), np.float32)
        out = xp.empty_like(x)
        yield f"steps_100_of_{side}", lambda x=x, o=out: ck.stencil(x, "average:1:star", steps=100, out=o), x, {}, None


def points(s):
    n, n_targets = s.side(1 << 20), s.side(1 << 22)
    for dtype in (np.float32, np.float64) if s.on_card else (np.float64,):
        places, values, targets = (s.xp.asarray(s.random.random(shape).astype(dtype)) for shape in ((n, 2), (n,), (n_targets, 2)))
        yield (f"interpolate_2d_k8_{np.dtype(dtype).name}", lambda p=places, v=values, t=targets: ck.interpolate(p, v, t, neighbours=8), targets, {}, None)


def small(s):
    """The host's part: of arrays so small that the device waits."""
    x, u = s.array((64, 64), np.float32)
    out, torch = s.xp.empty_like(x), s.torch
    plan = ck.plan(x, "y x -> x y")
    to = torch and torch.from_dlpack(out)

    def copied():
        s.xp.copyto(out, x.T)
        return out
    yield "small_planned_transpose", lambda: plan.run(x, out), x, s.rivals(copied, torch and (lambda: to.copy_(u.T))), 0
    yield "small_transpose", lambda: ck.move(x, "y x -> x y", out=out), x, s.rivals(copied, torch and (lambda: to.copy_(u.T))), 0
    yield "small_pad", lambda: ck.pad(x, 1), x, s.rivals(lambda: s.xp.pad(x, 1), torch and (lambda: torch.nn.functional.pad(u, (1, 1, 1, 1)))), 0


def checked(s, name, ours, rivals, near):
    """Our result on the host. Raises RuntimeError where it is not near to the first rival's."""
    def host(returned):
        s.place.finish(returned)
        return np.array(s.place.to_host(returned), copy=True)
    mine = host(ours())
    if not rivals:
        return mine
    theirs = host(next(iter(rivals.values()))())
    theirs = theirs.reshape(mine.shape) if theirs.size == mine.size else theirs
    if mine.shape != theirs.shape or (near is not None and np.abs(mine.astype(np.float64) - theirs).max() > near):
        far = np.abs(mine.astype(np.float64) - theirs).max() if mine.shape == theirs.shape else f"{mine.shape} beside {theirs.shape}"
        raise RuntimeError(f"{name}: the result is not that of {next(iter(rivals))}: {far}")
    return mine


def rows(_program, words, place, n_samples, _quartile_range):
    """Raises RuntimeError where results differ."""
    s = Site(place)
    if not s.on_card:
        ck.set_threads(place.threads)
    for cases in moves, resizing, filters, points, small:
        for name, ours, x, rivals, near in cases(s):
            if words and not any(word in name for word in words):
                continue
            mine = checked(s, name, ours, rivals, near)
            to = s.xp.empty(mine.nbytes, np.uint8)
            copy = {"copy": lambda a=s.xp.zeros(mine.nbytes, np.uint8), b=to: s.xp.copyto(b, a)}
            samples = take_turns({"crinkle": ours, **rivals, **copy}, place, n_samples, 5)
            copied, n_bytes = statistics.median(samples["copy"]), x.nbytes + mine.nbytes
            yield {"name": name, "element_bytes": mine.dtype.itemsize, "bytes": n_bytes, **time_of(samples["crinkle"]), "samples": len(samples["crinkle"]),
                   "fraction_of_copy": copied * n_bytes / (2 * mine.nbytes) / statistics.median(samples["crinkle"]), "copy_gb_per_s": 2e-9 * mine.nbytes / copied,
                   "gb_per_s": 1e-9 * n_bytes / statistics.median(samples["crinkle"]),
                   "checked": next(iter(rivals)) if rivals and near is not None else "shape", "rivals": {label: time_of(samples[label]) for label in rivals}}
