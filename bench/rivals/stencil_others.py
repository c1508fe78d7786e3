"""SciPy's ndimage, OpenCV and PyTorch on a CPU, and PyTorch, its compiler and JAX on a card, beside `crinkle bench stencil`, case by case: half of
their samples before the command's and half behind them, so that a machine that changes its pace changes it for both. All make the same array: each
is compared with NumPy's shifted slices before anything is timed. The command compares its own results with their definition, to the bit.

SPDX-License-Identifier: BSD-3-Clause
"""
import itertools
import json
import os
import re
import subprocess

import numpy as np

NAME = re.compile(r"(star|box|blur|gaussian|steps)_(\d)d_?(r\d|s\d|box)?(?:_(x\d+|periodic|edge|constant|float64))?")
MODES = {"reflect": "reflect", "periodic": "wrap", "edge": "edge", "constant": "constant"}  # NumPy's
SCIPY_MODES = {"reflect": "mirror", "periodic": "wrap", "edge": "nearest", "constant": "constant"}
CENTRAL = {1: [1], 2: [4 / 3, -1 / 12], 3: [3 / 2, -3 / 20, 1 / 90], 4: [8 / 5, -1 / 5, 8 / 315, -1 / 560]}


class Case:
    """Points (offset, coefficient), an array, and how often."""

    def __init__(self, name, is_card):
        kind, rank, size, more = NAME.fullmatch(name).groups()
        rank, radius = int(rank), int(size[1]) if size and size[0] == "r" else 1
        sides = {1: (1 << 26, 1 << 24), 2: (8192, 4096), 3: (512, 256), 4: (96, 64), 5: (40, 28), 6: (20, 16)}
        self.rank, self.shape, self.dtype = rank, (sides[rank][0 if is_card else 1],) * rank, "float64" if more == "float64" else "float32"
        self.steps = int(more[1:]) if more and more[0] == "x" else 1
        self.bound = more if more in MODES else "periodic" if size == "box" else "reflect"
        self.sigma = int(size[1]) if kind == "gaussian" else None
        if self.sigma:
            rows = np.exp(-0.5 / self.sigma**2 * np.arange(-4 * self.sigma, 4 * self.sigma + 1)**2.0)
            self.rows, self.radius, self.points = rows / rows.sum(), 4 * self.sigma, None
            return
        self.radius, zero = radius, (0,) * rank
        star = [tuple(sign * k if a == axis else 0 for a in range(rank)) for axis in range(rank) for k in range(1, radius + 1) for sign in (-1, 1)]
        if kind == "box" or size == "box":
            offsets = list(itertools.product(range(-radius, radius + 1), repeat=rank))
            self.points = [(o, 1 / len(offsets)) for o in offsets]
        elif kind == "star":
            self.points = [(zero, -2 * rank * sum(CENTRAL[radius]))] + [(o, CENTRAL[radius][abs(sum(o)) - 1]) for o in star]
        else:
            self.points = [(o, 1 / (2 * rank + 1)) for o in [zero, *star]]

    def weights(self):
        w = np.zeros((2 * self.radius + 1,) * self.rank)
        for offset, c in self.points:
            w[tuple(o + self.radius for o in offset)] = c
        return w

    def slices(self, padded):
        """One step by shifted slices of an array that was padded on every side, of any array library."""
        total = None
        for offset, c in self.points:
            view = padded[tuple(slice(self.radius + o, self.radius + o + n) for o, n in zip(offset, self.shape))]
            total = view * c if total is None else total + view * c
        return total


def on_host(case, x, threads):
    """{label: run}, each returning its result."""
    import scipy
    from scipy import ndimage
    mode, runs, out = SCIPY_MODES[case.bound], {}, [np.empty_like(x), np.empty_like(x)]

    def repeated(step):
        def run():
            result = x
            for k in range(case.steps):
                result = step(result, out[k % 2])
            return result
        return run

    def by_scipy(a, to):
        if case.sigma:
            return ndimage.gaussian_filter(a, case.sigma, mode=mode, output=to)
        ndimage.correlate(a, weights, mode=mode, output=to)
        return to

    weights = None if case.sigma else case.weights()
    runs[f"SciPy {scipy.__version__}"] = repeated(lambda a, to: (by_scipy(a, to), to)[1])
    if case.rank == 2 and case.bound != "periodic":  # which OpenCV's filters do not take
        try:
            import cv2
            cv2.setNumThreads(threads)
            border = {"reflect": cv2.BORDER_REFLECT_101, "edge": cv2.BORDER_REPLICATE, "constant": cv2.BORDER_CONSTANT}[case.bound]
            size = (2 * case.radius + 1,) * 2
            runs[f"OpenCV {cv2.__version__}"] = repeated(
                (lambda a, to: cv2.GaussianBlur(a, size, case.sigma, to, borderType=border)) if case.sigma else
                (lambda a, to: cv2.filter2D(a, -1, weights, to, borderType=border)))
        except ImportError:
            pass
    return runs


def on_card(case, x, is_compiled=True):
    import torch
    torch.backends.cudnn.allow_tf32 = False
    device, runs = torch.from_numpy(x).cuda(), {}
    mode = {"reflect": "reflect", "periodic": "circular", "edge": "replicate", "constant": "constant"}[case.bound]

    def padded(a):
        if case.rank <= 3:
            return torch.nn.functional.pad(a[None, None], (case.radius,) * (2 * case.rank), mode=mode)[0, 0]
        for axis in range(case.rank):
            n = a.shape[axis]
            a = torch.cat([a.narrow(axis, 1, 1), a, a.narrow(axis, n - 2, 1)], axis)
        return a

    def repeated(step):
        def run():
            result = device
            for _ in range(case.steps):
                result = step(result)
            return result
        return run

    if case.sigma is None and case.rank <= 3:
        conv = {1: torch.nn.functional.conv1d, 2: torch.nn.functional.conv2d, 3: torch.nn.functional.conv3d}[case.rank]
        weights = torch.from_numpy(case.weights().astype(x.dtype)).cuda()[None, None]
        runs[f"PyTorch {torch.__version__}"] = repeated(lambda a: conv(padded(a)[None, None], weights)[0, 0])
    if case.sigma is None and is_compiled:
        torch.compiler.reset()  # else it gives up after a few cases
        compiled = torch.compile(lambda a: case.slices(padded(a)))
        runs[f"PyTorch {torch.__version__} compiled"] = repeated(compiled)
        try:
            os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
            import jax
            jax.config.update("jax_enable_x64", True)
            there = jax.device_put(x)
            step = jax.jit(lambda a: case.slices(jax.numpy.pad(a, case.radius, mode=MODES[case.bound])))

            def by_jax():
                result = there
                for _ in range(case.steps):
                    result = step(result)
                return result
            runs[f"JAX {jax.__version__}"] = by_jax
        except ImportError:
            pass
    return runs


def check(case, x, runs):
    """The first rows of one step, or of several, are NumPy's of as many rows and what they need."""
    rows = min(x.shape[0], 64)
    part = x[:min(x.shape[0], rows + case.radius * case.steps)].astype("float64") if case.bound != "periodic" else None
    if part is None or case.sigma:
        return
    full, case.shape = case.shape, part.shape
    for _ in range(case.steps):
        part = case.slices(np.pad(part, case.radius, mode=MODES[case.bound]))
    case.shape = full
    for label, run in runs.items():
        found = run()
        found = np.asarray(found[:rows].cpu() if hasattr(found, "cpu") else found[:rows])
        if not np.allclose(found, part[:rows], rtol=1e-4, atol=1e-4):
            raise RuntimeError(f"{label}: another result than NumPy's, by {np.abs(found - part[:rows]).max()}")


def rows(program, words, place, n_samples, quartile_range):
    """The rows of the command, each with its rivals. Raises RuntimeError with what the command says."""
    is_card = place.threads is None

    def bench(*options):
        where = ["--device", "cuda"] if is_card else ["--threads", str(place.threads)]
        done = subprocess.run([program, "bench", "stencil", "--hot", *where, "--samples", str(n_samples), "--json", "-", *options], capture_output=True,
                              text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        return json.loads(done.stdout)["rows"]

    for name in names():
        if words and not any(word in name for word in words):
            continue
        case = Case(name, is_card)
        x = np.random.default_rng(7).random(case.shape, dtype=case.dtype) * 2 - 1
        if is_card:
            from fft_others import card_samples
            import torch
            runs = on_card(case, x)
        else:
            from scipy_pairs import samples
            runs = on_host(case, x, place.threads)
        check(case, x, runs)
        times = {label: [] for label in runs}
        for half in range(2):
            for label, run in runs.items():
                times[label] += (jax_samples(run) if label.startswith("JAX") else card_samples(torch, run)) if is_card else samples(run, 0.3)
            if half == 0:
                found = [row for row in bench("--case", name) if row["name"] == name]
        yield found[0] | {"rivals": {label: {"seconds": float(np.median(t)), "iqr": quartile_range(t)} for label, t in times.items()}}


def jax_samples(run, n_samples=10):
    """By the host's clock, several runs a sample: JAX has streams of its own."""
    import time
    times = []
    for i in range(n_samples + 2):
        start = time.perf_counter()
        for _ in range(5):
            result = run()
        result.block_until_ready()
        if i >= 2:
            times.append((time.perf_counter() - start) / 5)
    return times


def names():
    """As `crinkle bench stencil` names its cases."""
    yield from (f"star_{rank}d_r{radius}" for rank in (2, 3) for radius in (1, 2, 3, 4))
    yield from ["box_2d_r1", "box_3d_r1", "box_2d_r2"]
    yield from (f"blur_{rank}d" for rank in range(1, 7))
    yield from ["gaussian_2d_s1", "gaussian_2d_s2"]
    yield from (f"star_2d_r1_{bound}" for bound in ("periodic", "edge", "constant"))
    for rank in (2, 3):
        yield f"star_{rank}d_r1_float64"
        yield from (f"steps_{rank}d_r1_x{steps}" for steps in (2, 4, 8, 16))
    yield "steps_2d_box_x8"
