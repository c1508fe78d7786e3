"""gdal_grid, and SciPy's cKDTree with NumPy, beside `crinkle interpolate`: the runs take turns, and every map is compared before it counts.

Beside gdal_grid both are whole processes, from the same FlatGeobuf file of points to a GeoTIFF without compression; `sums_seconds` is what crinkle took for
the sums alone. SciPy has its arrays in memory and is timed from building its tree to the last value, in float64; beside it crinkle is a whole process all
the same, from .npy to .npy.

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


def rows(program, words, place, n_samples, quartile_range):
    """One a case, with its rival. Raises RuntimeError with what a program says, and where the maps differ."""
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
