"""Where arrays lie: in this machine's memory, as NumPy's; and what the machine is called.

SPDX-License-Identifier: BSD-3-Clause
"""
import concurrent.futures
import platform
import time

import numpy


def cpu_name(path="/proc/cpuinfo"):
    """As `crinkle bench` names it: AMD EPYC (family 25, model 17, 2 processors)."""
    first, n = {}, 0
    with open(path) as info:
        for line in info:
            key, colon, value = line.partition(":")
            if colon and value.startswith(" "):
                n += key.strip() == "processor"
                first.setdefault(key.strip(), value.strip())
    which = f"family {first['cpu family']}, model {first['model']}, " if "cpu family" in first else ""
    return f"{first.get('model name', 'unknown processor')} ({which}{n} processor{'' if n == 1 else 's'})"


def system_name():
    """The version of the system, without who built it."""
    return f"{platform.system()} {platform.release().split('-')[0]}"


class Host:
    xp, name, device, n_bytes = numpy, "NumPy", -1, 64 << 20
    least_sample_seconds = 2e-4
    emptying_bytes = 512 << 20

    def __init__(self, threads):
        self.threads, self.of = threads, f"{threads} thread{'s' if threads > 1 else ''}"
        self.title, self.driver = f"{cpu_name()}, {self.of}", system_name()
        self.pool, self.parts = concurrent.futures.ThreadPoolExecutor(threads), []

    def empty_caches(self):
        """Reads more than they hold, on all threads."""
        if not self.parts:
            self.parts = numpy.array_split(numpy.ones(self.emptying_bytes // 8, numpy.uint64), 4 * self.threads)
        list(self.pool.map(numpy.max, self.parts))

    @staticmethod
    def is_timed_cold(_):
        return True

    def cold_seconds(self, run):
        self.empty_caches()
        start = time.perf_counter()
        self.finish(run())
        return time.perf_counter() - start

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
        all_threads = {kind: crinkle.copy(source, destination, kind, self.threads) for kind in ["memcpy", "streamed", "interleaved"]}
        return all_threads | ({"memcpy_1_thread": crinkle.copy(source, destination, "memcpy", 1)} if self.threads > 1 else {})
