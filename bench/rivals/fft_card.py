"""Plans that are kept, on a card: crinkle's (`ck.plan`) with kernels compiled for them, beside cuFFT's through CuPy with `out` given and, where pyvkfft is there, VkFFT's; all in this
process, in turns. The rows of `drive.py --suite fft --device cuda` behind those of the command. Lengths 2^a 3^b 5^c 7^d from 12 to 10^6 are drawn by a seed, which their names have.

SPDX-License-Identifier: BSD-3-Clause
"""
import os
import random

import numpy as np

SEED, N_DRAWN, POINTS, REPEATS = 57, 100, 1 << 25, 6
NAMED = [7, 11, 13, 17, 19, 23, 31, 96, 480, 1000, 1080, 1920, 3000, 6000, 9000, 10000, 12000, 16000, 37, 47, 59, 61, 101, 107, 127, 257, 509, 1009, 1021, 4093, 8191, 65521, *(1 << k for k in (13, 16, 20, 23, 24, 25, 26))]
SIDES = [(8, 1080, 1920), (16, 1000, 1000), (16, 96, 96, 96), (16, 128, 128, 128), (240,) * 3, (256,) * 3, (360,) * 3, (480,) * 3]


def drawn():
    lengths = {2**a * 3**b * 5**c * 7**d for a in range(20) for b in range(13) for c in range(9) for d in range(8)}
    return sorted(random.Random(SEED).sample(sorted(n for n in lengths if 12 <= n <= 10**6), N_DRAWN))


def cases():
    """Names, kinds, extents and transformed axes."""
    def rows(n):
        return max(1, POINTS // n), n
    for n in drawn():
        yield f"kept_seed{SEED}_float32_n{n}", "complex", rows(n), (1,)
    for n in NAMED:
        yield f"kept_float32_n{n}", "complex", rows(n), (1,)
    for n in [96, 1000, 1024, 1920, 4096, 10000, 65536]:
        yield f"kept_real_float32_n{n}", "real", rows(n), (1,)
    for extents in SIDES:
        axes = tuple(range(len(extents)))[1 if extents[0] <= 16 else 0:]
        for kind in ("complex", "real"):
            yield f"kept_{kind}_float32_{'x'.join(map(str, extents))}", kind, extents, axes


def rows(words, n_samples, quartile_range):
    """Raises RuntimeError where a result is not cuFFT's."""
    os.environ.setdefault("CRINKLE_KERNELS", "compiled")  # read when crinkle makes its first plan
    import cupy
    from cupyx.scipy import fft as cupy_fft
    try:
        import crinkle
    except ImportError as error:
        print(f"skipped kept plans: {error}")
        return
    try:
        from pyvkfft.cuda import VkFFTApp
    except (ImportError, OSError) as error:
        print(f"skipped VkFFT: {error}")
        VkFFTApp = None

    def sampled(run):
        """Seconds of one of several runs in a row, by the card's clock; the first ones are not counted."""
        times = []
        for i in range(n_samples + 2):
            begin, end = cupy.cuda.Event(), cupy.cuda.Event()
            run()  # while it works the host prepares the next, whose wait would count otherwise
            begin.record()
            for _ in range(REPEATS):
                run()
            end.record()
            end.synchronize()
            if i >= 2:
                times.append(1e-3 * cupy.cuda.get_elapsed_time(begin, end) / REPEATS)
        return times

    for name, kind, extents, axes in cases():
        if words and not any(word in name for word in words):
            continue
        x = cupy.random.standard_normal(extents, dtype="f4")
        if kind == "complex":
            x = (x + 1j * cupy.random.standard_normal(extents, dtype="f4")).astype("c8")
        plan = crinkle.plan(crinkle.fft.fftn if kind == "complex" else crinkle.fft.rfftn, x, axes=axes)
        ours = plan.run(x)
        theirs, half = cupy.empty_like(ours), (x.nbytes + ours.nbytes) // 2
        copied = cupy.empty(half, "u1"), cupy.empty(half, "u1")
        their_plan = cupy_fft.get_fft_plan(x, axes=axes, value_type="C2C" if kind == "complex" else "R2C")
        runs = {"crinkle": lambda: plan.run(x, out=ours), "cuFFT (CuPy, kept plan)": lambda: their_plan.fft(x, theirs, cupy.cuda.cufft.CUFFT_FORWARD),
                "copy": lambda: cupy.cuda.runtime.memcpyAsync(copied[1].data.ptr, copied[0].data.ptr, half, 3, cupy.cuda.get_current_stream().ptr)}
        runs["cuFFT (CuPy, kept plan)"]()
        if not cupy.linalg.norm((theirs - ours).ravel()) < 3e-6 * cupy.linalg.norm(theirs.ravel()):
            raise RuntimeError(f"{name}: crinkle's result is not cuFFT's")
        if VkFFTApp is not None and kind == "complex":
            app = VkFFTApp(x.shape, x.dtype, axes=axes, inplace=False)
            runs["VkFFT (kept plan)"] = lambda: app.fft(x, theirs)
        times = {who: sampled(run) for who, run in runs.items()}
        for who, run in reversed(runs.items()):
            times[who] += sampled(run)
        seconds = {who: float(np.median(t)) for who, t in times.items()}
        told = {who: {"seconds": seconds[who], "iqr": quartile_range(times[who])} for who in times}
        yield {"name": name, "element_bytes": 8, "bytes": 2 * half, **told["crinkle"], "gb_per_s": 2 * half / seconds["crinkle"] * 1e-9,
               "copy_gb_per_s": 2 * half / seconds["copy"] * 1e-9, "fraction_of_copy": seconds["copy"] / seconds["crinkle"], "best_copy": "driver",
               "copy_iqr": told["copy"]["iqr"], "samples": len(times["crinkle"]), "checked": "cuFFT", "compiled": "compiled" in plan.describe(),
               "rivals": {who: told[who] for who in runs if who not in ("crinkle", "copy")}}
        cupy.get_default_memory_pool().free_all_blocks()
