#!/usr/bin/env python3
"""Scattered samples of real terrain: elevations of 403 x 344 cells around the Jacksboro fault in Tennessee, which come with matplotlib
(USGS, in metres; cells of 3 arc seconds).

usage: examples/elevations.py FOLDER [N]      writes elevations.csv, N cells (2000) drawn at random, and elevations.npy, all of them

SPDX-License-Identifier: BSD-3-Clause
"""
import pathlib
import sys

try:
    import matplotlib.cbook
    import numpy as np
except ModuleNotFoundError as error:
    sys.exit(f"examples/elevations.py needs {error.name}: pip install matplotlib, with which the elevations and NumPy come")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder, n = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) == 3 else 2000
    heights = np.asarray(matplotlib.cbook.get_sample_data("jacksboro_fault_dem.npz")["elevation"], np.float32)
    if not 1 <= n <= heights.size:
        sys.exit(f"N = {n}; there are {heights.size} cells")
    np.save(folder / "elevations.npy", heights)
    rows, columns = np.divmod(np.sort(np.random.default_rng(1).choice(heights.size, n, replace=False)), heights.shape[1])
    lines = (f"{x + 0.5},{heights.shape[0] - y - 0.5},{heights[y, x]:g}\n" for y, x in zip(rows, columns))  # the first row is the northern one
    (folder / "elevations.csv").write_text("x,y,height\n" + "".join(lines))


if __name__ == "__main__":
    main()
