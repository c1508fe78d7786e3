"""Where arrays lie: in the memory of an NVIDIA GPU, as CuPy's. Raises ImportError where there is no CuPy or no GPU. Everything but JAX goes to
the default stream; a sample ends when the device is idle.

SPDX-License-Identifier: BSD-3-Clause
"""
import numpy

COPY = r"""
extern "C" __global__ void copy_16_bytes(const uint4* src, uint4* dst, long long n) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dst[i] = src[i];
}
"""
THREADS = 256


class Card:
    name, device, n_bytes = "CuPy", 0, 256 << 20
    least_sample_seconds = 2e-3  # many launches a sample, so that they wait in line as in a program that keeps the card busy
    threads = None
    emptying_bytes = 1 << 30  # some twenty times the second-level cache: a quarter of a millisecond, in which the host can give the next run
    cold_runs = 5

    def __init__(self):
        try:
            import cupy
        except ImportError as error:
            raise ImportError(f"{error}; pip install cupy-cuda13x") from error
        self.xp, self.runtime = cupy, cupy.cuda.runtime
        try:
            self.title = self.of = self.runtime.getDeviceProperties(0)["name"].decode()
        except self.runtime.CUDARuntimeError as error:
            raise ImportError(f"no GPU: {error}") from error

        def dotted(version):
            return f"{version // 1000}.{version % 1000 // 10}"

        self.emptied = None
        self.copy_16_bytes = cupy.RawKernel(COPY, "copy_16_bytes")
        self.driver = f"CUDA {dotted(self.runtime.driverGetVersion())}, runtime {dotted(self.runtime.runtimeGetVersion())}"

    @staticmethod
    def is_timed_cold(label):
        """What goes to the default stream, between two events on it."""
        return not label.startswith("JAX")

    def cold_seconds(self, run):
        """The mean of some runs, each given to the device while a pass that empties the caches goes on, so that the host's part is hidden."""
        if self.emptied is None:
            self.emptied = self.xp.ones(self.emptying_bytes // 8, self.xp.uint64)
        begin, end = self.xp.cuda.Event(), self.xp.cuda.Event()
        milliseconds = 0
        for _ in range(self.cold_runs):
            self.emptied.max()
            begin.record()
            run()
            end.record()
            end.synchronize()
            milliseconds += self.xp.cuda.get_elapsed_time(begin, end)
        return 1e-3 * milliseconds / self.cold_runs

    def placed(self, array):
        return self.xp.asarray(array)

    @staticmethod
    def address(array):
        return array.data.ptr

    def to_host(self, result):
        if isinstance(result, self.xp.ndarray):
            return self.xp.asnumpy(result)
        return result.cpu().numpy() if hasattr(result, "cpu") else numpy.asarray(result)

    @staticmethod
    def to_torch(torch, array):
        return torch.from_dlpack(array)

    @staticmethod
    def to_jax(jax, array):
        return jax.dlpack.from_dlpack(array)

    def finish(self, result):
        for r in result if isinstance(result, (list, tuple)) else [result]:
            if hasattr(r, "block_until_ready"):
                r.block_until_ready()
        self.runtime.deviceSynchronize()

    def copies(self, _, source, destination):
        """The driver's copy, and a kernel's, 16 bytes a thread, of as many whole vectors as there are: at most 15 bytes less."""
        n_bytes = min(source.nbytes, destination.nbytes)
        n, to, from_ = n_bytes // 16, destination.data.ptr, source.data.ptr
        return {"driver": lambda: self.runtime.memcpyAsync(to, from_, n_bytes, self.runtime.memcpyDeviceToDevice, 0),
                "kernel": lambda: self.copy_16_bytes((-(-n // THREADS),), (THREADS,), (source, destination, numpy.int64(n)))}
