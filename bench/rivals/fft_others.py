"""pocketfft (SciPy and NumPy) and, where it is, FFTW with measured plans on a CPU, and cuFFT through PyTorch on a card, beside `crinkle bench fft`, case by case: half of their samples before
the command's and half behind them, so that a machine that changes its pace changes it for both.

SPDX-License-Identifier: BSD-3-Clause
"""
import json
import re
import subprocess

import numpy as np

NAME = re.compile(r"(complex|real_to_complex|complex_to_real|columns)_(float32|float64)_(n\d+|\d+(?:x\d+)+)")


def card_samples(torch, run, n_samples=10):
    """Times of one run by the card's clock; the first ones make its plans."""
    times = []
    for i in range(n_samples + 3):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        run()
        end.record()
        end.synchronize()
        if i >= 3:
            times.append(begin.elapsed_time(end) * 1e-3)
    return times


def case_of(name, points):
    """Kind, extents and axes as the command has them."""
    kind, real, size = NAME.fullmatch(name).groups()
    if kind == "columns":
        n = int(size[1:])
        return "complex", real, (n, points // 4 // n), (0,)
    if size[0] == "n":
        n = int(size[1:])
        return kind, real, (max(1, points // n), n), (1,)
    extents = tuple(int(word) for word in size.split("x"))
    return kind, real, extents, tuple(range(len(extents)))


def extents_in(kind, extents, axes):
    extents = list(extents)
    if kind == "complex_to_real":
        extents[axes[-1]] = extents[axes[-1]] // 2 + 1
    return extents


def random_input(kind, real, extents, axes):
    extents = extents_in(kind, extents, axes)
    rng = np.random.default_rng(7)
    x = rng.random(extents, dtype=real) * 2 - 1
    return x if kind == "real_to_complex" else x + 1j * (rng.random(extents, dtype=real) * 2 - 1)


def runner_on_host(kind, x, extents, axes, threads):
    """SciPy's pocketfft, on as many threads."""
    from scipy import fft
    call = {"complex": fft.fftn, "real_to_complex": fft.rfftn, "complex_to_real": fft.irfftn}[kind]
    sizes = {"s": [extents[a] for a in axes]} if kind == "complex_to_real" else {}
    return lambda: call(x, axes=axes, workers=threads, **sizes)


def runner_on_card(torch, kind, real, extents, axes):
    shape = extents_in(kind, extents, axes)
    parts = [torch.rand(shape, dtype=getattr(torch, real), device="cuda") * 2 - 1 for _ in range(1 if kind == "real_to_complex" else 2)]
    x = parts[0] if len(parts) == 1 else torch.complex(*parts)
    call = {"complex": torch.fft.fftn, "real_to_complex": torch.fft.rfftn, "complex_to_real": torch.fft.irfftn}[kind]
    sizes = {"s": [extents[a] for a in axes]} if kind == "complex_to_real" else {}
    return lambda: call(x, dim=axes, **sizes)


def rows(program, words, place, n_samples, quartile_range):
    """The rows of the command, each with its rival. Raises RuntimeError with what the command says."""
    is_card = place.threads is None

    def bench(*options):
        where = ["--device", "cuda"] if is_card else ["--threads", str(place.threads)]
        done = subprocess.run([program, "bench", "fft", "--hot", *where, "--samples", str(n_samples), "--json", "-", *options], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        return json.loads(done.stdout)["rows"]

    if is_card:
        try:
            import torch
        except ImportError as error:  # rows of kept plans need none
            print(f"skipped cuFFT (PyTorch): {error}")
            torch = None
        label, points = f"cuFFT (PyTorch {getattr(torch, '__version__', '')})", 1 << 26
    else:
        import scipy
        from scipy_pairs import samples
        import fftw_c
        label, points = f"pocketfft (SciPy {scipy.__version__})", 1 << 22
        try:
            fftw_c.loaded("f", place.threads), fftw_c.loaded("", place.threads)
            has_fftw = True
        except OSError as error:
            print(f"skipped FFTW: {error}")
            has_fftw = False
    for name in names(is_card):
        if words and not any(word in name for word in words):
            continue
        kind, real, extents, axes = case_of(name, points)
        if is_card:
            runs = {} if torch is None else {label: runner_on_card(torch, kind, real, extents, axes)}
            sampled = lambda run: card_samples(torch, run)
        else:
            x = random_input(kind, real, extents, axes)
            runs = {label: runner_on_host(kind, x, extents, axes, place.threads)}
            if has_fftw:
                runs["FFTW"] = fftw_c.runner(kind, x, extents, axes, place.threads)
                check_fftw(name, runs["FFTW"], runs[label], kind, extents, axes)
            sampled = lambda run: samples(run, 0.15)
        times = {who: sampled(run) for who, run in runs.items()}
        found = [row for row in bench("--case", name) if row["name"] == name]
        for who, run in runs.items():
            times[who] += sampled(run)
        if not is_card and has_fftw:
            runs["FFTW"].free()
        yield found[0] | {"rivals": {who: {"seconds": float(np.median(t)), "iqr": quartile_range(t)} for who, t in times.items()}}
    if is_card:
        import fft_card
        yield from fft_card.rows(words, n_samples, quartile_range)


def check_fftw(name, fftw, pocketfft, kind, extents, axes):
    fftw()
    want = pocketfft()
    scale = np.prod([extents[a] for a in axes]) if kind == "complex_to_real" else 1  # FFTW's inverse has no factor
    if not np.linalg.norm(fftw.result / scale - want) < 1e-5 * np.linalg.norm(want):
        raise RuntimeError(f"{name}: FFTW's result is not pocketfft's")


def names(is_card):
    """As `crinkle bench fft` names its cases."""
    most = 26 if is_card else 22
    for k in range(3, most + 1):
        yield f"complex_float32_n{1 << k}"
    if not is_card:
        yield f"complex_float32_n{1 << 24}"
    for n in [24, 96, 100, 120, 360, 480, 1000, 1001, 1331, 1920, 5005, 10000, 15625, 19683, 100000, 17, 61, 97, 127, 1009, 9689, 65537]:
        yield f"complex_float32_n{n}"
    for kind in ["real_to_complex", "complex_to_real"]:
        for n in [64, 1000, 1024, 8192, 65536, 1 << 20]:
            yield f"{kind}_float32_n{n}"
    for k in range(4, most + 1, 2):
        yield f"complex_float64_n{1 << k}"
    for size in ["256x256", "1024x1024", "4096x4096", "128x128x128", "256x256x256"]:
        if np.prod([int(word) for word in size.split("x")]) <= 1 << most:
            yield f"complex_float32_{size}"
            yield f"real_to_complex_float32_{size}"
    for n in [64, 1024, 4096]:
        yield f"columns_float32_n{n}"
