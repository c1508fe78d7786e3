"""What a call costs in Python: small moves of arrays whose plan is known, in turns with NumPy's and einops' way to the same array and with the plan
run from C++ (librival_calls.so); and distances of all pairs, of float32 in turns with SciPy's of float64. All results are compared first.

SPDX-License-Identifier: BSD-3-Clause
"""
import ctypes
import timeit

import einops
import numpy as np
import scipy
from scipy.spatial import distance

import crinkle as ck
import crinkle.einops as ck_einops
from drive import take_turns, time_of

CALLS = 1000  # of a sample
NUMPY, EINOPS, SCIPY = (f"{name} {module.__version__}" for name, module in (("NumPy", np), ("einops", einops), ("SciPy", scipy)))
SPEC = "z y x -> x z y"


class FromCpp:
    """The same plan, called from C++."""

    def __init__(self, folder):
        self.lib = ctypes.CDLL(str(folder / "librival_calls.so"))
        self.lib.calls_prepare.restype = ctypes.c_void_p
        self.lib.calls_run.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_int64] * 2

    def run(self, x, out):
        """A function that calls it so many times."""
        plan = self.lib.calls_prepare(SPEC.encode(), x.ndim, (ctypes.c_int64 * x.ndim)(*x.shape))
        return lambda n: self.lib.calls_run(plan, x.ctypes.data, out.ctypes.data, x.nbytes, n)


def calls(x):
    """{name: (our expression, the rivals' expressions, whether the plan from C++ does the same)}"""
    new = {NUMPY: "x.transpose(2, 0, 1).copy()", EINOPS: "ascontiguousarray(einops.rearrange(x, SPEC))"}
    into = {NUMPY: "copyto(out, x.transpose(2, 0, 1))", EINOPS: "copyto(out, einops.rearrange(x, SPEC))"}
    return {"plan.run": ("p.run(x)", new, True), "plan.run_out": ("p.run(x, out)", into, True), "move": ("ck.move(x, SPEC)", new, True),
            "move_out": ("ck.move(x, SPEC, out=out)", into, True),
            "move_flip_roll": ("ck.move(x, SPEC, flip='y', roll={'z': 1})", {NUMPY: "roll(x[:, ::-1], 1, 0).transpose(2, 0, 1).copy()"}, False),
            "permute_dims": ("ck.permute_dims(x, (2, 0, 1))", new, False), "einops.rearrange": ("ck_einops.rearrange(x, SPEC)", new, False),
            "view": ("ck_einops.rearrange(x, SPEC)", {EINOPS: "einops.rearrange(x, SPEC)"}, False)}


def small_moves(folder, words, place, n_samples):
    from_cpp = FromCpp(folder)
    for shape in (4, 4, 4), (8, 16, 16):
        x = np.random.default_rng(7).random(shape, np.float32)
        out, cpp_out = np.empty((shape[2], *shape[:2]), np.float32), np.empty((shape[2], *shape[:2]), np.float32)
        scope = {"x": x, "out": out, "p": ck.plan(x, SPEC), "ck": ck, "ck_einops": ck_einops, "einops": einops, "SPEC": SPEC, "copyto": np.copyto,
                 "roll": np.roll, "ascontiguousarray": np.ascontiguousarray}
        for name, (ours, rivals, is_of_cpp) in calls(x).items():
            name = f"{name}_{x.nbytes}"
            if words and not any(word in name for word in words):
                continue
            expressions = {"crinkle": ours, **rivals}
            results = {}
            for label, expression in expressions.items():
                found = eval(expression, scope)
                results[label] = (out if found is None else found).copy()
            cpp = from_cpp.run(x, cpp_out)
            cpp(1)
            if is_of_cpp:
                results["C++"] = cpp_out
            if any(not np.array_equal(found, results["crinkle"]) for found in results.values()):
                raise RuntimeError(f"{name}: the results are not alike")
            runs = {label: (lambda timer=timeit.Timer(expression, globals=scope): timer.timeit(CALLS)) for label, expression in expressions.items()}
            samples = take_turns(runs | {"C++": lambda: cpp(CALLS)}, place, n_samples, 10)
            cpp_time = time_of(samples["C++"], 1 / CALLS)
            yield {"name": name, "element_bytes": 4, "bytes": 2 * x.nbytes, **time_of(samples["crinkle"], 1 / CALLS), "samples": len(samples["crinkle"]),
                   "checked": "NumPy", "threads": place.threads, **({"cpp_seconds": cpp_time["seconds"], "cpp_iqr": cpp_time["iqr"]} if is_of_cpp else {}),
                   "rivals": {label: time_of(samples[label], 1 / CALLS) for label in rivals}}


def distances(words, place, n_samples):
    for n, features in (1024, 3), (4096, 16), (4096, 128):
        for metric in "euclidean", "sqeuclidean", "cityblock", "chebyshev", "cosine":
            name = f"pdist_{metric}_n{n}_f{features}"
            if words and not any(word in name for word in words):
                continue
            points = np.random.default_rng(7).random((n, features))
            single = points.astype(np.float32)
            if not np.allclose(ck.pdist(single, metric), distance.pdist(points, metric), rtol=1e-4, atol=1e-5):
                raise RuntimeError(f"{name}: the distances are not SciPy's")
            runs = {"crinkle": lambda: ck.pdist(single, metric), SCIPY: lambda: distance.pdist(points, metric)}
            samples = take_turns(runs, place, n_samples, 10)
            yield {"name": name, "element_bytes": 4, **time_of(samples["crinkle"]), "samples": len(samples["crinkle"]), "checked": "SciPy",
                   "threads": place.threads, "rivals": {SCIPY: time_of(samples[SCIPY])}}


def rows(program, words, place, n_samples, _):
    """Raises RuntimeError where results differ."""
    ck.set_threads(place.threads)
    yield from small_moves(program.parent, words, place, n_samples)
    yield from distances(words, place, n_samples)
