"""Several GPUs of one host, by the package crinkle: a transposition beside what the links carry, steps of a stencil beside one GPU, a transform of three
dimensions beside cuFFT's plan for several (cufftXt). With one GPU two logical devices of it do the same, beside the plain functions. Sizes are those of
16 GB a GPU; where less memory is free, a half of the side, and so on, which the rows' names say.

SPDX-License-Identifier: BSD-3-Clause
"""
import ctypes
import statistics

import numpy as np

import crinkle as ck
from drive import take_turns, time_of

CUFFT_C2C, FORWARD, INPLACE = 0x29, -1, 2


class AllOf:
    """A place that is finished when every device is."""

    def __init__(self, place, devices):
        self.cupy, self.devices = place.xp, devices
        self.least_sample_seconds = place.least_sample_seconds

    def finish(self, _):
        for d in self.devices:
            with self.cupy.cuda.Device(d):
                self.cupy.cuda.runtime.deviceSynchronize()


def free_bytes(cupy, devices):
    least = []
    for d in devices:
        with cupy.cuda.Device(d):
            least.append(cupy.cuda.runtime.memGetInfo()[0] // devices.count(d))
    return min(least)


def parts(cupy, devices, shape, dtype, value=None):
    made = []
    for k, d in enumerate(devices):
        with cupy.cuda.Device(d):
            made.append(cupy.full(shape, k + 1 if value is None else value, dtype))
    return made


class FftOverDevices:
    """cufftXt: a plan of three dimensions over the devices, in the order in which it leaves its result. Raises OSError where there is no cuFFT."""

    def __init__(self, cupy, devices, n):
        self.cufft = ctypes.CDLL("libcufft.so.12" if cupy.cuda.runtime.runtimeGetVersion() >= 13000 else "libcufft.so.11")
        self.plan, self.memory = ctypes.c_int(), ctypes.c_void_p()
        sizes = (ctypes.c_size_t * len(devices))()
        self.call("cufftCreate", ctypes.byref(self.plan))
        self.call("cufftXtSetGPUs", self.plan, len(devices), (ctypes.c_int * len(devices))(*devices))
        self.call("cufftMakePlan3d", self.plan, n, n, n, CUFFT_C2C, sizes)
        self.call("cufftXtMalloc", self.plan, ctypes.byref(self.memory), INPLACE)

    def call(self, name, *arguments):
        status = getattr(self.cufft, name)(*arguments)
        if status != 0:
            raise OSError(f"{name} returns {status}")

    def __call__(self):
        self.call("cufftXtExecDescriptorC2C", self.plan, self.memory, self.memory, FORWARD)

    def close(self):
        self.call("cufftXtFree", self.memory)
        self.call("cufftDestroy", self.plan)


def link_seconds(cupy, devices, n_bytes, place, n_samples):
    """Of so many bytes from every device to the next one, all at once."""
    sources, into = parts(cupy, devices, n_bytes, np.uint8), parts(cupy, devices, n_bytes, np.uint8)
    streams = []
    for d in devices:
        with cupy.cuda.Device(d):
            streams.append(cupy.cuda.Stream(non_blocking=True))

    def copy():
        for k, d in enumerate(devices):
            other = (k + 1) % len(devices)
            with cupy.cuda.Device(d):
                cupy.cuda.runtime.memcpyPeerAsync(into[other].data.ptr, devices[other], sources[k].data.ptr, d, n_bytes, streams[k].ptr)
    return statistics.median(take_turns({"copy": copy}, place, n_samples, 10)["copy"])


def rows(_program, words, place, n_samples, _quartile_range):
    """Raises RuntimeError where results differ."""
    if place.name != "CuPy":
        raise RuntimeError("the suite devices is of GPUs; give --device cuda")
    cupy = place.xp
    n_cards = cupy.cuda.runtime.getDeviceCount()
    devices = list(range(n_cards)) if n_cards > 1 else [0, 0]
    logical, n, everywhere = n_cards == 1, len(devices), AllOf(place, devices)

    def row(name, runs, n_bytes, more):
        samples = take_turns(runs, everywhere, n_samples, 10)
        ours = time_of(samples["crinkle"])
        return {"name": f"{name}_{n}_{'logical' if logical else 'gpus'}", "element_bytes": 4, "bytes": n_bytes, **ours, "samples": len(samples["crinkle"]),
                "checked": "values", "rivals": {label: time_of(taken) for label, taken in samples.items() if label != "crinkle"}, **more(ours["seconds"])}

    def wanted(name):
        return not words or any(word in name for word in words)

    def planned(function, array, *arguments, layout):
        return ck.DevicesPlan(function, array, *arguments, layout=layout, devices=devices, logical=logical)

    if wanted("transpose"):
        side = 1 << 16
        while 2.5 * side * side * 8 / n > free_bytes(cupy, devices):
            side //= 2
        plan = planned(ck.move, ck.Array((side, side), "float64"), "y x -> x y", layout=f"y:block({n}) -> x:block({n})")
        x, out = parts(cupy, devices, (side // n, side), "f8"), parts(cupy, devices, (side // n, side), "f8", 0)
        plan.run(x, out)
        if any(not np.array_equal(cupy.asnumpy(y[0, :: side // n]), np.arange(1, n + 1)) for y in out):
            raise RuntimeError("the transposition is wrong")
        sent = plan.sent_bytes // n
        link = link_seconds(cupy, devices, min(sent, 1 << 30), place=everywhere, n_samples=n_samples) / min(sent, 1 << 30)
        yield row(f"transpose_{side}", {"crinkle": lambda: plan.run(x, out)}, 2 * side * side * 8,
                  lambda seconds: {"sent_bytes": sent, "link_gb_per_s": 1e-9 / link, "fraction_of_link": sent * link / seconds})
        del x, out, plan
        cupy.get_default_memory_pool().free_all_blocks()
    if wanted("stencil"):
        for side, steps in (512, 1), (512, 8), (1024, 1):
            plan = planned(ck.stencil, ck.Array((n * side, side, side), "float32"), "average:1:star", layout=f"@0:block({n})")
            x, out = parts(cupy, devices, (side, side, side), "f4"), parts(cupy, devices, (side, side, side), "f4", 0)
            one, made = x[0], cupy.empty_like(x[0])
            alone = ck.plan(ck.stencil, one, "average:1:star")

            def of_all():
                for k in range(steps):
                    plan.run(*((x, out) if k % 2 == 0 else (out, x)))

            def of_one():
                for k in range(steps):
                    alone.run(one if k % 2 == 0 else made, out=made if k % 2 == 0 else one)
            of_all()
            middle, right = side // 2, (6 + 2) / 7 if steps == 1 else None
            if right and abs(float(out[0][-1, middle, middle]) - right) > 1e-5:
                raise RuntimeError("the stencil is wrong")
            yield row(f"stencil_7_points_{side}_{steps}_steps", {"crinkle": of_all, "one GPU": of_one}, 2 * n * steps * one.nbytes, lambda seconds: {})
            del x, out, one, made, plan, alone
            cupy.get_default_memory_pool().free_all_blocks()
    if wanted("fft"):
        side = 1024
        while 5 * side ** 3 * 8 / n > free_bytes(cupy, devices):
            side //= 2
        plan = planned(ck.fft.fftn, ck.Array((side,) * 3, "complex64"), layout=f"@0:block({n}) -> @1:block({n})")  # as cuFFT leaves it: cut along another axis
        x, out = parts(cupy, devices, (side // n, side, side), "c8", 1), parts(cupy, devices, (side, side // n, side), "c8", 0)
        plan.run(x, out)
        if abs(complex(cupy.asnumpy(out[0][0, 0, 0])) - side ** 3) > 1e-3 * side ** 3 or float(abs(out[-1][1:]).max()) > 1e-3 * side ** 3:
            raise RuntimeError("the transform is wrong")
        runs = {"crinkle": lambda: plan.run(x, out)}
        try:
            if not logical:
                theirs = FftOverDevices(cupy, devices, side)
                runs["cufftXt"] = theirs
        except (OSError, AttributeError) as error:
            print(f"skipped cufftXt: {error}")
        yield row(f"fft_{side}x{side}x{side}", runs, 2 * side ** 3 * 8, lambda seconds: {})
        if "cufftXt" in runs:
            theirs.close()
