"""On a CPU gdal_grid, and SciPy's cKDTree with NumPy, beside `crinkle interpolate`: the runs take turns, and every map is compared before it counts.
On a card PyTorch, eager and compiled, beside `crinkle bench interpolate`.

Beside gdal_grid both are whole processes, from the same FlatGeobuf file of points to a GeoTIFF without compression; `sums_seconds` is what crinkle took for
the sums alone. SciPy has its arrays in memory and is timed from building its tree to the last value, in float64; beside it crinkle is a whole process all
the same, from .npy to .npy.

PyTorch and crinkle have everything in the card's memory: sums over all samples, as many targets, float32, p = 2. Half of PyTorch's samples come before
the command's and half behind them. It goes through the targets in chunks; without its compiler every step of a chunk goes through memory, so a part of the
targets is timed and stands for all.

SPDX-License-Identifier: BSD-3-Clause
"""
import json
import pathlib
import shutil
import subprocess
import tempfile
import time

import numpy as np

side = 10000.0
most_seconds = 20  # of one contender


def names(words):
    """Weights over all samples, of the 12 nearest within a radius, of the 12 nearest."""
    for name in ["all_p2_n16384_512x512", "all_p2_n65536_512x512", "radius_k12_n100000_316x316", "radius_k12_n1000000_1000x1000", "nearest_k12_n100000_316x316",
                 "nearest_k12_n1000000_1000x1000", "nearest_k12_clusters_n1000000_1000x1000"]:
        if not words or any(word in name for word in words):
            yield name


def points_of(n, is_clustered):
    random = np.random.default_rng(7)
    places = random.random((n, 2)) * side
    if is_clustered:
        centres = random.random((100, 2)) * side
        places = np.clip(centres[random.integers(0, 100, n)] + random.standard_normal((n, 2)) * side / 500, 0, side)
    return places, np.sin(places[:, 0] / 700) + np.cos(places[:, 1] / 900)


def centres_of(n_cells):
    cell = side / n_cells
    x = (np.arange(n_cells) + 0.5) * cell
    return np.stack(np.meshgrid(x, x[::-1]), -1).reshape(-1, 2)


def timed(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def take_turns(runs, n_samples):
    """{label: seconds}: rounds in which everyone runs once, after one that is not counted; fewer of what takes long."""
    took = {label: timed(run) for label, run in runs.items()}
    n = max(2, min(n_samples, int(most_seconds / max(took.values()))))
    samples = {label: [] for label in runs}
    for turn in range(n):
        for k in range(len(runs)):
            label = list(runs)[(k + turn) % len(runs)]
            samples[label].append(timed(runs[label]))
    return samples


def checked_run(words, folder):
    done = subprocess.run(list(map(str, words)), cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{words[0]}: {done.stderr.strip()}")
    return done.stdout


class Case:
    def __init__(self, program, name, place, folder):
        self.name, self.folder, self.threads = name, folder, place.threads
        self.kind, *_, n, cells = name.split("_")
        self.n, self.n_cells = int(n[1:]), int(cells.split("x")[0])
        self.places, self.values = points_of(self.n, "clusters" in name)
        self.cell = repr(side / self.n_cells)
        # As many as 40 samples on average.
        self.radius = repr(float(side * np.sqrt(40 / np.pi / self.n)))
        self.options = [] if self.kind == "all" else ["--neighbours", 12] + (["--radius", self.radius] if self.kind == "radius" else [])
        self.program = program

    def crinkle(self, source, destination, *more):
        """It stands in `facts` how it went."""
        words = [self.program, "interpolate", source, destination, "--cell", self.cell, "--extent", f"0,0,{side},{side}", "--threads", self.threads, "--json", "--force",
                 *self.options, *more]
        return lambda: self.facts.append(json.loads(checked_run(words, self.folder)))

    def gdal_grid(self):
        algorithm = "invdist:power=2.0:smoothing=0.0" if self.kind == "all" else f"invdistnn:power=2.0:radius={self.radius}:max_points=12:min_points=1:nodata=nan"
        words = ["gdal_grid", "-q", "-ot", "Float32", "-zfield", "value", "-a", algorithm, "-txe", 0, side, "-tye", side, 0, "-outsize", self.n_cells, self.n_cells,
                 "--config", "GDAL_NUM_THREADS", self.threads, "points.fgb", "theirs.tif"]
        return lambda: checked_run(words, self.folder)

    def write_layer(self):
        with open(self.folder / "points.csv", "w") as file:
            file.write("x,y,value\n")
            np.savetxt(file, np.column_stack([self.places, self.values]), "%r", ",")
        checked_run(["ogr2ogr", "-f", "FlatGeobuf", "-lco", "SPATIAL_INDEX=NO", "-oo", "X_POSSIBLE_NAMES=x", "-oo", "Y_POSSIBLE_NAMES=y", "-oo", "AUTODETECT_TYPE=YES",
                     "-nln", "points", "points.fgb", "points.csv"], self.folder)

    def array_of(self, name):
        """The map of a GeoTIFF."""
        checked_run(["gdal_translate", "-q", "-of", "ENVI", name, "map.raw"], self.folder)
        return np.fromfile(self.folder / "map.raw", np.float32)

    def scipy(self):
        from scipy.spatial import cKDTree
        targets = centres_of(self.n_cells)

        def run():
            distances, found = cKDTree(self.places).query(targets, 12, workers=self.threads)
            w = 1 / np.maximum(distances, 1e-300)**2
            self.theirs = (w * self.values[found]).sum(1) / w.sum(1)
        return run

    def runs(self):
        self.facts = []
        if self.kind == "nearest":
            import scipy
            np.save(self.folder / "points.npy", np.column_stack([self.places, self.values]))
            return f"cKDTree (SciPy {scipy.__version__})", self.crinkle("points.npy", "ours.npy", "--dtype", "float64"), self.scipy()
        if shutil.which("gdal_grid") is None:
            raise RuntimeError("no gdal_grid here; apt-get install gdal-bin")
        self.write_layer()
        version = checked_run(["gdal_grid", "--version"], self.folder).split(",")[0].replace("GDAL ", "")
        return f"gdal_grid {version}", self.crinkle("points.fgb", "ours.tif", "--value", "value", "--compress", "none"), self.gdal_grid()

    def check(self):
        """Both maps are the same, to the precision that gdal_grid has with its vectors of float32."""
        ours, theirs, most = (np.load(self.folder / "ours.npy").ravel(), self.theirs, 1e-9) if self.kind == "nearest" else (*map(self.array_of, ["ours.tif", "theirs.tif"]), 2e-4)
        worst = np.nanmax(np.abs(ours - theirs))
        if not np.array_equal(np.isnan(ours), np.isnan(theirs)) or not worst <= most * np.ptp(self.values):
            raise RuntimeError(f"{self.name}: the maps differ by {worst}")


def weighted_sums(places, values, targets):
    """Σ w z and Σ w of all pairs at once, p = 2, by any array library."""
    x, y = targets[:, None, 0] - places[None, :, 0], targets[:, None, 1] - places[None, :, 1]
    weights = 1 / (x * x + y * y)
    return (weights * values).sum(1), weights.sum(1)


def in_chunks(sums, places, values, targets, n_pairs, n_samples=1 << 16):
    """The means of all targets, a chunk each; so many pairs at once, of at most so many samples."""
    n_samples = min(n_samples, len(places))
    n_targets, means = max(1, n_pairs // n_samples), []
    for first in range(0, len(targets), n_targets):
        chunk = targets[first:first + n_targets]
        parts = [sums(places[k:k + n_samples], values[k:k + n_samples], chunk) for k in range(0, len(places), n_samples)]
        means.append(sum(part[0] for part in parts) / sum(part[1] for part in parts))
    return means


def card_names(words):
    """As `crinkle bench interpolate` names its cases; log2 of the samples' number."""
    for n in [16, 20]:
        name = f"full_sum_float32_p2_n{1 << n}"
        if not words or any(word in name for word in words):
            yield name, n


def lattice_points(n):
    """Places and values of samples, places of targets: none is another one's, as in the command."""
    random = np.random.default_rng(7)
    even, odd = (random.integers(0, 1 << 23, (n, 3)) * 2 + k for k in range(2))
    samples, targets = (np.float32(numbers * 2.0**-24) for numbers in (even, odd))
    return samples[:, :2].copy(), samples[:, 2].copy(), targets[:, :2].copy()


def check_means(label, found, places, values, targets):
    """The first ones are as defined, in float64."""
    n = min(len(found), 32)
    wanted = np.concatenate(in_chunks(weighted_sums, *(a.astype(np.float64) for a in (places, values, targets[:n])), 1 << 21))
    if not np.abs(found[:n] - wanted).max() <= 1e-3:
        raise RuntimeError(f"{label}: another result than NumPy's, by {np.abs(found[:n] - wanted).max()}")


def card_rows(program, words, n_samples, quartile_range):
    """The rows of the command, each with its rivals. Raises RuntimeError with what the command says."""
    import torch
    from fft_others import card_samples
    for name, n in card_names(words):
        host = lattice_points(1 << n)
        places, values, targets = (torch.from_numpy(a).cuda() for a in host)
        part = targets[:max(1, min(len(targets), (1 << 35) >> n))]
        compiled = torch.compile(weighted_sums, dynamic=False)
        label = f"PyTorch {torch.__version__}"
        runs = {label: (lambda: in_chunks(weighted_sums, places, values, part, 1 << 28), len(targets) // len(part)),
                label + " compiled": (lambda: in_chunks(compiled, places, values, targets, 1 << 30), 1)}
        for who, (run, _) in runs.items():
            check_means(who, run()[0].cpu().numpy(), *host)
        times = {who: [] for who in runs}
        for half in range(2):
            for who, (run, scale) in runs.items():
                times[who] += [scale * seconds for seconds in card_samples(torch, run, 3)]
            if half == 0:
                found, = json.loads(checked_run([program, "bench", "interpolate", "--hot", "--device", "cuda", "--samples", n_samples, "--json", "-", "--case", name], None))["rows"]
        yield found | {"eager_targets": len(part), "rivals": {who: {"seconds": float(np.median(taken)), "iqr": quartile_range(taken)} for who, taken in times.items()}}


def rows(program, words, place, n_samples, quartile_range):
    """One a case, with its rival. Raises RuntimeError with what a program says, and where the maps differ."""
    if place.threads is None:
        yield from card_rows(program, words, n_samples, quartile_range)
        return
    for name in names(words):
        with tempfile.TemporaryDirectory() as folder:
            case = Case(program, name, place, pathlib.Path(folder))
            label, ours, theirs = case.runs()
            samples = take_turns({"crinkle": ours, label: theirs}, n_samples)
            case.check()
            sums = float(np.median([facts["seconds"] for facts in case.facts[1:]]))
            time_of = {who: {"seconds": float(np.median(taken)), "iqr": quartile_range(taken)} for who, taken in samples.items()}
            yield {"name": name, "element_bytes": 8 if case.kind == "nearest" else 4, **time_of["crinkle"], "sums_seconds": sums, "threads": place.threads,
                   "samples": len(samples["crinkle"]), "checked": label.split(" ")[0], "rivals": {label: time_of[label]}}
