"""The libraries that crinkle stands beside: which are here, with their versions, and why the others are not; how many threads they use.

SPDX-License-Identifier: BSD-3-Clause
"""
import importlib
import os

wanted = {"NumPy": "numpy", "OpenCV": "cv2", "PyTorch": "torch", "JAX": "jax", "bitshuffle": "bitshuffle", "CuPy": "cupy"}
packages = {"OpenCV": "opencv-python-headless", "PyTorch": "torch"}
not_driven = {"Blosc": "its Python package has no byte shuffle without compression", "Eigen": "no module for it yet", "oneDNN": "no module for it yet",
              "cuTENSOR": "only on a GPU"}


class Others:
    """here: {name: module}; labels: {name: "NumPy 2.4.6"}; skipped: {name: reason}."""

    def __init__(self, threads, names=None, is_compiled=True):
        os.environ["OMP_NUM_THREADS"] = str(threads)
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
        os.environ["XLA_FLAGS"] = f"--xla_cpu_multi_thread_eigen={'true' if threads > 1 else 'false'} intra_op_parallelism_threads={threads}"
        self.here, self.labels, self.skipped = {}, {}, dict(not_driven)
        for name, module in wanted.items():
            if names is not None and name.lower() not in names:
                self.skipped[name] = "not asked for"
                continue
            if name == "CuPy":
                self.skipped[name] = "only on a GPU"
                continue
            try:
                self.here[name] = importlib.import_module(module)
                self.labels[name] = f"{name} {self.here[name].__version__}"
            except ImportError as error:
                self.skipped[name] = f"{error}; pip install {packages.get(name, module)}"
        if "OpenCV" in self.here:
            self.here["OpenCV"].setNumThreads(threads)
        if "PyTorch" in self.here:
            self.here["PyTorch"].set_num_threads(threads)
            if is_compiled:
                self.labels["PyTorch compiled"] = self.labels["PyTorch"] + " compiled"
