"""What people run day by day, by the package crinkle and by the libraries picked for it, in turns: filters and resizing of pictures (OpenCV, Pillow, SciPy),
repetition, rolls, pads and joins (NumPy, PyTorch), transforms and convolutions (SciPy, PyTorch), small calls (NumPy). Every result is compared with the first
rival's before anything is timed; rows say how near they have to be, where libraries round or weight unlike.

SPDX-License-Identifier: BSD-3-Clause
"""
import importlib
import importlib.util

import numpy as np

import crinkle as ck
from drive import take_turns, time_of


def libraries(threads):
    """{name: module} of those that are here, each with so many threads."""
    here = {}
    for name, module in {"NumPy": "numpy", "SciPy": "scipy", "OpenCV": "cv2", "Pillow": "PIL.Image", "PyTorch": "torch"}.items():
        if importlib.util.find_spec(module.partition(".")[0]) is None:
            print(f"skipped {name}: it is not installed")
        else:
            here[name] = importlib.import_module(module)
    if "OpenCV" in here:
        here["OpenCV"].setNumThreads(threads)
    if "PyTorch" in here:
        here["PyTorch"].set_num_threads(threads)
    return here


def filters(here, random):
    """Each: name, ours, {rival: run}, how far results may be from the first rival's (None: other weights, not compared)."""
    from scipy import ndimage
    cv2 = here.get("OpenCV")
    for words, shape in (("grey", (1080, 1920)), ("colour", (1080, 1920, 3))):
        x = random.integers(0, 256, shape, np.uint8)
        to, wide, mine, mine_wide = np.empty_like(x), np.empty(shape, np.int16), np.empty_like(x), np.empty(shape, np.int16)
        border, axes = cv2 and cv2.BORDER_REFLECT_101, (0, 1)
        by_scipy = {"SciPy": lambda x=x, to=to: ndimage.uniform_filter(x, 3, to, mode="mirror")} if len(shape) == 2 else {}
        yield (f"average_3x3_{words}", lambda x=x, mine=mine: ck.stencil(x, "average:1", axes=axes, out=mine),
               {**({"OpenCV": lambda x=x, to=to: cv2.blur(x, (3, 3), to, borderType=border)} if cv2 else {}), **by_scipy}, 1)
        if cv2:
            yield (f"sobel_{words}", lambda x=x, mine=mine_wide: ck.stencil(x, "sobel:x" if x.ndim == 2 else "sobel:1", axes=axes, dtype="int16", out=mine),
                   {"OpenCV": lambda x=x, to=wide: cv2.Sobel(x, cv2.CV_16S, 1, 0, to, 3, borderType=border)}, None)
            yield (f"gaussian_{words}", lambda x=x, mine=mine: ck.stencil(x, "gaussian:1", axes=axes, out=mine),
                   {"OpenCV": lambda x=x, to=to: cv2.GaussianBlur(x, (9, 9), 1, to, borderType=border)}, 2)


def resizing(here, random):
    cv2, pillow = here.get("OpenCV"), here.get("Pillow")
    for dtype in np.uint8, np.float32:
        x = random.integers(0, 256, (1080, 1920)).astype(dtype)
        for zoom in 2, 0.5:
            shape = tuple(round(n * zoom) for n in x.shape)
            to, mine = np.empty(shape, dtype), np.empty(shape, dtype)
            for by in "nearest", "linear", "cubic":
                rivals = {}
                if cv2:
                    way = {"nearest": cv2.INTER_NEAREST, "linear": cv2.INTER_LINEAR, "cubic": cv2.INTER_CUBIC}[by]
                    rivals["OpenCV"] = lambda x=x, to=to, way=way: cv2.resize(x, to.shape[::-1], to, interpolation=way)
                if pillow and zoom > 1:  # it averages where it shrinks
                    way = {"nearest": pillow.NEAREST, "linear": pillow.BILINEAR, "cubic": pillow.BICUBIC}[by]
                    picture = pillow.fromarray(x)
                    rivals["Pillow"] = lambda picture=picture, to=to, way=way: np.asarray(picture.resize(to.shape[::-1], way))
                near = None if by == "cubic" or zoom < 1 and by == "nearest" else 1  # other cubic weights, another element of a pair
                yield (f"resize_{'x2' if zoom > 1 else 'half'}_{by}_{np.dtype(dtype).name}", lambda x=x, mine=mine, zoom=zoom, by=by: ck.resample(x, zoom=zoom, by=by, out=mine), rivals, near)
        for zoom in 0.5, 0.25, 0.3:  # which count all elements
            shape = tuple(round(n * zoom) for n in x.shape)
            to, mine, picture = np.empty(shape, dtype), np.empty(shape, dtype), pillow and pillow.fromarray(x)
            words = f"{zoom}_{np.dtype(dtype).name}"
            if cv2:
                yield (f"shrink_area_{words}", lambda x=x, mine=mine, shape=shape: ck.resample(x, shape, by="area", out=mine),
                       {"OpenCV": lambda x=x, to=to: cv2.resize(x, to.shape[::-1], to, interpolation=cv2.INTER_AREA)}, 1)
            for by, way in {"linear": "BILINEAR", "cubic": "BICUBIC", "lanczos": "LANCZOS"}.items() if pillow else ():
                yield (f"shrink_{by}_{words}", lambda x=x, mine=mine, shape=shape, by=by: ck.resample(x, shape, by=by, antialias=by != "lanczos", out=mine),
                       {"Pillow": lambda picture=picture, to=to, way=way: np.asarray(picture.resize(to.shape[::-1], getattr(pillow, way)))}, 1 if by == "linear" or dtype is np.float32 else None)  # it makes bytes of what lies between rows and columns


def arrays(here, random):
    torch = here.get("PyTorch")

    def beside(ours, by_numpy, by_torch=None):
        return ours, {"NumPy": by_numpy, **({"PyTorch": by_torch} if torch and by_torch else {})}, 0

    big = random.random((2048, 2048), np.float32)  # 16 MiB
    t = torch and torch.from_numpy(big)
    yield "repeat_last_16MiB", *beside(lambda: ck.repeat(big, 2, 1), lambda: np.repeat(big, 2, 1), torch and (lambda: t.repeat_interleave(2, 1)))
    yield "repeat_first_16MiB", *beside(lambda: ck.repeat(big, 2, 0), lambda: np.repeat(big, 2, 0), torch and (lambda: t.repeat_interleave(2, 0)))
    picture = random.integers(0, 256, (1080, 1920), np.uint8)
    cv2 = here.get("OpenCV")
    yield ("upsample_2x2_bytes", lambda: ck.repeat(ck.repeat(picture, 2, 1), 2, 0), {"NumPy": lambda: picture.repeat(2, 1).repeat(2, 0), **(
        {"OpenCV": lambda: cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)} if cv2 else {})}, 0)
    yield "roll_flat_16MiB", *beside(lambda: ck.roll(big, 12345), lambda: np.roll(big, 12345), torch and (lambda: torch.roll(t, 12345)))
    for side in 128, 2048:
        x = random.random((side, side), np.float32)
        both, u = [x, x], torch and torch.from_numpy(x)
        size = f"{x.nbytes >> 10}KiB"
        yield f"pad_8_{size}", *beside(lambda x=x: ck.pad(x, 8), lambda x=x: np.pad(x, 8), torch and (lambda u=u: torch.nn.functional.pad(u, (8,) * 4)))
        yield f"concat_{size}", *beside(lambda b=both: ck.concat(b), lambda b=both: np.concatenate(b), torch and (lambda u=u: torch.cat([u, u])))
        yield f"stack_last_{size}", *beside(lambda b=both: ck.stack(b, -1), lambda b=both: np.stack(b, -1), torch and (lambda u=u: torch.stack([u, u], -1)))
    pixels = random.integers(0, 256, (1080, 1920, 3), np.uint8)
    yield "channels_first_bytes", *beside(lambda: ck.move(pixels, "y x c -> c y x"), lambda: np.ascontiguousarray(pixels.transpose(2, 0, 1)))
    yield "pad_channels_last_bytes", *beside(lambda: ck.pad(pixels, ((8, 8), (8, 8), (0, 0))), lambda: np.pad(pixels, ((8, 8), (8, 8), (0, 0))))


def transforms(here, random):
    from scipy import fft, signal
    torch = here.get("PyTorch")
    for shape in (65536, 16), (32768, 32), (4096, 256), (16, 65536):
        x = (random.random(shape, np.float32) + 1j * random.random(shape, np.float32)).astype(np.complex64)
        t = torch and torch.from_numpy(x)
        yield (f"fft_{shape[0]}x{shape[1]}", lambda x=x: ck.fft.fft(x), {"SciPy": lambda x=x: fft.fft(x), **({"PyTorch": lambda t=t: torch.fft.fft(t)} if torch else {})}, 1e-3)
    for n in 441_000, 480_000, 275_625:
        x = random.random(n)
        yield f"rfft_{n}", lambda x=x: ck.fft.rfft(x), {"SciPy": lambda x=x: fft.rfft(x)}, 1e-6
    x, blocks = random.random((1024, 1024), np.float32), random.random((4096, 8, 8), np.float32)
    yield "dct_1024", lambda: ck.fft.dct(x), {"SciPy": lambda: fft.dct(x)}, 1e-1
    yield "dctn_8x8", lambda: ck.fft.dctn(blocks, axes=(1, 2)), {"SciPy": lambda: fft.dctn(blocks, axes=(1, 2))}, 1e-2
    line, window = random.random(100_000), random.random(500)
    yield "convolve_1e5_500", lambda: ck.fft.fftconvolve(line, window), {"SciPy": lambda: signal.oaconvolve(line, window), "SciPy, whole": lambda: signal.fftconvolve(line, window)}, 1e-6


def small(here, random):
    x, line = random.random((4, 4), np.float32), random.random(16)
    yield "small_pad", lambda: ck.pad(x, 1), {"NumPy": lambda: np.pad(x, 1)}, 0
    yield "small_concat", lambda: ck.concat([x, x]), {"NumPy": lambda: np.concatenate([x, x])}, 0
    yield "small_stack", lambda: ck.stack([x, x]), {"NumPy": lambda: np.stack([x, x])}, 0
    yield "small_take", lambda: ck.take(x, [2, 0], 0), {"NumPy": lambda: np.take(x, [2, 0], 0)}, 0
    yield "small_fft_16", lambda: ck.fft.fft(line), {"NumPy": lambda: np.fft.fft(line)}, 1e-9


def rows(_program, words, place, n_samples, _quartile_range):
    """Raises RuntimeError where results differ."""
    ck.set_threads(place.threads)
    here = libraries(place.threads)
    random = np.random.default_rng(7)
    for cases in filters, resizing, arrays, transforms, small:
        for name, ours, rivals, near in cases(here, random):
            if not rivals or (words and not any(word in name for word in words)):
                continue
            first = np.array(next(iter(rivals.values()))(), copy=True)
            mine = np.asarray(ours())
            if mine.shape != first.shape or (near is not None and np.abs(mine.astype(complex) - first).max() > near):
                far = np.abs(mine.astype(complex) - first).max() if mine.shape == first.shape else f"{mine.shape} beside {first.shape}"
                raise RuntimeError(f"{name}: the result is not that of {next(iter(rivals))}: {far}")
            samples = take_turns({"crinkle": ours, **rivals}, place, n_samples, 10)
            yield {"name": name, "element_bytes": mine.dtype.itemsize, "bytes": 2 * mine.nbytes, **time_of(samples["crinkle"]), "samples": len(samples["crinkle"]),
                   "checked": next(iter(rivals)) if near is not None else "shape", "threads": place.threads,
                   "rivals": {label: time_of(samples[label]) for label in rivals}}
