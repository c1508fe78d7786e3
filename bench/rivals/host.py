"""Where arrays lie: in this machine's memory, as NumPy's.

SPDX-License-Identifier: BSD-3-Clause
"""
import platform

import numpy


class Host:
    xp, name, device, n_bytes = numpy, "NumPy", -1, 64 << 20
    least_sample_seconds = 2e-4

    def __init__(self, threads):
        self.threads, self.of = threads, f"{threads} thread{'s' if threads > 1 else ''}"
        with open("/proc/cpuinfo") as info:
            cpu = next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")), "unknown")
        self.title, self.driver = f"{cpu}, {self.of}", f"{platform.system()} {platform.release().split('-')[0]}"

    @staticmethod
    def placed(array):
        return array

    @staticmethod
    def address(array):
        return array.ctypes.data

    @staticmethod
    def to_host(result):
        return numpy.asarray(result)

    @staticmethod
    def to_torch(torch, array):
        return torch.from_numpy(array)

    @staticmethod
    def to_jax(jax, array):
        return jax.device_put(array)

    @staticmethod
    def finish(result):
        """Waits for what was begun last; JAX alone begins without waiting."""
        for r in result if isinstance(result, (list, tuple)) else [result]:
            if hasattr(r, "block_until_ready"):
                r.block_until_ready()

    def copies(self, crinkle, source, destination):
        """{kind: function}: the plain copies that a move is measured against."""
        return {kind: crinkle.copy(source, destination, kind, self.threads) for kind in ["memcpy", "streamed", "interleaved"]}
