"""Decides which suites of crinkle-papers are a paper's experiments, on which devices, and which of their cases --quick has.

SPDX-License-Identifier: BSD-3-Clause
"""
import dataclasses

MOST_SPREAD = 0.25  # interquartile range over median: beyond it a time is rough


@dataclasses.dataclass(frozen=True)
class Experiment:
    """One or several runs of a suite, whose rows a page has under `name`."""
    name: str
    suite: str
    cases: tuple = ()  # only these; all where there are none
    quick: tuple = ()  # these alone with --quick
    on_cpu: bool = True
    memory: tuple = ()  # a run each, of arrays that take no more
    quick_memory: tuple = ()
    in_quick: bool = True
    takes: tuple = ()  # options of the page that the suite takes, too

    def runs(self, is_quick, kind, given):
        """The options of each run; given: {option of the page: value}."""
        cases = self.quick if is_quick and kind == "cpu" else self.cases
        options = [word for case in cases for word in ("--case", case)]
        options += [word for name in self.takes if given.get(name) is not None for word in (f"--{name}", str(given[name]))]
        if is_quick:
            options += ["--hot", "--samples", "7"]
        memory = self.quick_memory if is_quick and self.quick_memory else self.memory
        return [options + ["--memory", most] for most in memory] or [options]


_SIZES = ("128KiB", "1MiB", "8MiB", "64MiB", "512MiB")
_FIGURE_1 = ("sequential", "indexed_read", "indexed_write", "range_")
_SIMPLEX = ("roots_", "dummy_", "edm_", "collisions_", "tetrahedron_", "triplets_")

OF_PAPER = {
    0: [Experiment("hypercubic", "hypercubic", quick=("_256", "_512", "_1024", "_2048")),
        Experiment("access", "textures", ("access_", "weights_"), on_cpu=False)],
    1: [Experiment("fft_paper", "fft_paper", ("table1", "figure5"), ("table1", "figure5_batch1_", "figure5_batch64_"), takes=("c", "k"))],
    2: [Experiment("simplex", "simplex", _SIMPLEX, ("roots_1024", "roots_2048", "dummy_1024", "dummy_2048", "edm_1024", "edm_2048", "collisions_1d_1024",
                                                    "collisions_1d_2048", "collisions_3d_1024", "collisions_3d_2048", "tetrahedron_128"))],
    3: [Experiment("reads", "rearrange", _FIGURE_1, _FIGURE_1, memory=_SIZES, quick_memory=_SIZES[:-1]),
        Experiment("reads_large", "rearrange", tuple(f"{name}_{size}" for name in ("sequential", "indexed_read_sorted", "indexed_read_random", "range_read")
                                                     for size in ("256MiB", "1GiB")), in_quick=False),
        Experiment("orders", "rearrange", ("order_", "reorder_", "interlace_"), ("order_", "reorder_", "interlace_"), quick_memory=("64MiB",)),
        Experiment("stencils", "stencil", *[tuple(f"star_2d_r{order}" for order in (1, 2, 3, 4))] * 2),
        Experiment("stencil_sizes", "stencil", ("figure2_",), ("figure2_",), quick_memory=("8MiB",)),
        Experiment("table4", "textures", ("table4_",), on_cpu=False)],
    4: [Experiment("figure2", "idw", ("figure2_",), on_cpu=False),
        Experiment("layouts", "idw", *[("figure7_", "figure8_")] * 2),
        Experiment("large", "idw", (*(f"figure{figure}_{form}_n{n}" for figure, form in (("2", "p2"), ("2", "p3"), ("7", "naive"), ("7", "tiled"), ("8", "naive"), ("8", "tiled"))
                                      for n in (512000, 1024000)), *(f"figure{figure}_child_n512000" for figure in (7, 8))), on_cpu=False, in_quick=False)],
}
