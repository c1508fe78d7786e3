"""FFTW through its C interface, with measured plans on several threads. Lines of arrays lie one behind the other, or are columns.

SPDX-License-Identifier: BSD-3-Clause
"""
import ctypes
import ctypes.util
import functools

import numpy as np

MEASURE, PRESERVE_INPUT, FORWARD = 0, 1 << 4, -1
plan_seconds = 6.0  # after which FFTW takes the best that it has found


@functools.cache
def loaded(letter, threads):
    """libfftw3f of float32 and libfftw3 of float64, with their threads. Raises OSError."""
    found = [ctypes.util.find_library(f"fftw3{letter}{part}") for part in ("", "_threads")]
    if None in found:
        raise OSError(f"libfftw3{letter} and libfftw3{letter}_threads are not here")
    ctypes.CDLL(found[0], mode=ctypes.RTLD_GLOBAL)
    fftw = ctypes.CDLL(found[1], mode=ctypes.RTLD_GLOBAL)
    plain = ctypes.CDLL(found[0])
    prefix = f"fftw{letter}_"

    def function(name, result=None, arguments=()):
        f = getattr(fftw if "threads" in name else plain, prefix + name)
        f.restype, f.argtypes = result, arguments
        return f

    function("init_threads", ctypes.c_int)()
    function("plan_with_nthreads", None, [ctypes.c_int])(threads)
    function("set_timelimit", None, [ctypes.c_double])(plan_seconds)
    return function


def runner(kind, x, extents, axes, threads):
    """A function that runs the transform of x into an array of its own, and has that array as `.result`."""
    extents = list(extents)
    half = extents[:-1] + [extents[-1] // 2 + 1]
    real, numbers = (np.float32, np.complex64) if x.dtype.itemsize == (4 if kind == "real_to_complex" else 8) else (np.float64, np.complex128)
    y = np.empty({"complex": extents, "real_to_complex": half, "complex_to_real": extents}[kind], real if kind == "complex_to_real" else numbers)
    function = loaded("f" if real is np.float32 else "", threads)
    sizes = [extents[a] for a in axes]
    if len(axes) == 1:
        lines = extents[1 - axes[0]]
        apart = [(lines, 1) if axes[0] == 0 else (1, a.shape[-1]) for a in (x, y)]
    else:
        lines, apart = 1, [(1, 1), (1, 1)]
    ints = ctypes.c_int * len(sizes)
    n = ints(*sizes)
    kept = x.copy()  # measuring overwrites it
    name = {"complex": "plan_many_dft", "real_to_complex": "plan_many_dft_r2c", "complex_to_real": "plan_many_dft_c2r"}[kind]
    plan = function(name, ctypes.c_void_p, None)(
        len(sizes), n, lines, ctypes.c_void_p(x.ctypes.data), None, *apart[0], ctypes.c_void_p(y.ctypes.data), None, *apart[1],
        *([FORWARD] if kind == "complex" else []), ctypes.c_uint(MEASURE | (PRESERVE_INPUT if kind == "complex_to_real" else 0)))
    if not plan:
        raise OSError(f"FFTW has no plan for {kind} {extents}")
    x[...] = kept
    execute = function("execute", None, [ctypes.c_void_p])

    def run():
        execute(plan)

    run.result = y
    run.free = lambda: function("destroy_plan", None, [ctypes.c_void_p])(plan)
    return run
