"""The libraries that crinkle stands beside: which are here, with their versions, and why the others are not; how many threads they use. Modules
of modules.py lie in `folder`.

SPDX-License-Identifier: BSD-3-Clause
"""
import importlib
import os

from modules import Blosc, Module

wanted = {"NumPy": "numpy", "OpenCV": "cv2", "PyTorch": "torch", "JAX": "jax", "bitshuffle": "bitshuffle", "Blosc": "blosc2", "Eigen": "", "oneDNN": ""}
packages = {"OpenCV": "opencv-python-headless", "PyTorch": "torch"}
not_driven = {"CuPy": "only on a GPU", "cuTENSOR": "only on a GPU"}


class Others:
    """here: {name: module}; labels: {name: "NumPy 2.4.6"}; skipped: {name: reason}."""

    def __init__(self, threads, folder, names=None, is_compiled=True):
        os.environ["OMP_NUM_THREADS"] = str(threads)
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
        os.environ["XLA_FLAGS"] = f"--xla_cpu_multi_thread_eigen={'true' if threads > 1 else 'false'} intra_op_parallelism_threads={threads}"
        self.here, self.labels, self.skipped = {}, {}, dict(not_driven)
        for name, module in wanted.items():
            if names is not None and name.lower() not in names:
                self.skipped[name] = "not asked for"
                continue
            try:
                self.here[name] = self.load(name, module, folder)
                self.labels[name] = f"{name} {self.here[name].__version__}"
            except ImportError as error:
                self.skipped[name] = f"{error}; pip install {packages.get(name, module)}" if module else str(error)
        if "OpenCV" in self.here:
            self.here["OpenCV"].setNumThreads(threads)
        if "PyTorch" in self.here:
            self.here["PyTorch"].set_num_threads(threads)
            if is_compiled:
                self.labels["PyTorch compiled"] = self.labels["PyTorch"] + " compiled"

    @staticmethod
    def load(name, module, folder):
        if name == "Blosc":
            return Blosc()
        if name == "Eigen":
            return Module(folder, "eigen", "libeigen3-dev")
        if name == "oneDNN":
            return Module(folder, "onednn", "libdnnl-dev")
        return importlib.import_module(module)
