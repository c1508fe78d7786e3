"""The libraries that crinkle stands beside: which are here, with their versions, and why the others are not; how many threads they use. Modules
of modules.py lie in `folder`.

SPDX-License-Identifier: BSD-3-Clause
"""
import importlib
import os

from cutensor_c import CuTensor
from modules import Blosc, Loops, Module

# {name: (Python package, what installs it)}
of_cpu = {"NumPy": ("numpy", "numpy"), "OpenCV": ("cv2", "opencv-python-headless"), "Eigen": (), "oneDNN": (), "PyTorch": ("torch", "torch"),
          "JAX": ("jax", "jax"), "crinkle in Python": ("crinkle", "."), "Blosc": ("blosc2", "blosc2"), "bitshuffle": ("bitshuffle", "bitshuffle"), "a plain loop": ()}
of_gpu = {"crinkle in Python": ("crinkle", "."), "CuPy": ("cupy", "cupy-cuda13x"), "cuTENSOR": (), "PyTorch": ("torch", "torch"), "JAX": ("jax", "jax[cuda13]")}


class Others:
    """here: {name: module}; labels: {name: "NumPy 2.4.6"}; skipped: {name: reason}."""

    def __init__(self, place, folder, names=None, is_compiled=True):
        self.threads, self.is_on_gpu, self.folder = place.threads, place.device >= 0, folder
        self.set_environment()
        wanted, other = (of_gpu, of_cpu) if self.is_on_gpu else (of_cpu, of_gpu)
        self.here, self.labels = {}, {}
        self.skipped = {name: f"only on a {'CPU' if self.is_on_gpu else 'GPU'}" for name in other if name not in wanted}
        for name, package in wanted.items():
            if names is not None and name.lower() not in names:
                self.skipped[name] = "not asked for"
                continue
            try:
                self.here[name] = self.load(name, *package)
                self.labels[name] = f"{name} {self.here[name].__version__}"
            except ImportError as error:
                self.skipped[name] = str(error)
        if "OpenCV" in self.here:
            self.here["OpenCV"].setNumThreads(self.threads)
        if "PyTorch" in self.here:
            if not self.is_on_gpu:
                self.here["PyTorch"].set_num_threads(self.threads)
            if is_compiled:
                self.labels["PyTorch compiled"] = self.labels["PyTorch"] + " compiled"

    def set_environment(self):
        """What the libraries read when they are imported."""
        if self.is_on_gpu:
            os.environ.setdefault("JAX_PLATFORMS", "cuda")
            os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
            return
        os.environ["OMP_NUM_THREADS"] = str(self.threads)
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
        os.environ["XLA_FLAGS"] = f"--xla_cpu_multi_thread_eigen={'true' if self.threads > 1 else 'false'} intra_op_parallelism_threads={self.threads}"

    def load(self, name, package=None, install=None):
        if name == "Blosc":
            self.import_module(package, install)
            return Blosc()
        if name == "a plain loop":
            return Loops(self.folder)
        if name == "Eigen":
            return Module(self.folder, "eigen", "libeigen3-dev")
        if name == "oneDNN":
            return Module(self.folder, "onednn", "libdnnl-dev")
        if name == "cuTENSOR":
            return CuTensor()
        module = self.import_module(package, install)
        if self.is_on_gpu and name == "PyTorch" and not module.cuda.is_available():
            raise ImportError("this build of it sees no GPU")
        if self.is_on_gpu and name == "JAX":
            try:
                module.devices("cuda")
            except RuntimeError as error:
                raise ImportError(str(error).splitlines()[0]) from error
        return module

    @staticmethod
    def import_module(package, install):
        try:
            return importlib.import_module(package)
        except ImportError as error:
            raise ImportError(f"{error}; pip install {install}") from error
