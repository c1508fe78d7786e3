// The Ising model (ising.hpp) on a GPU, beside what is known of it (ising_known.hpp), and how fast it is. Without a GPU it says so and
// exits with 77.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <memory>

#include "crinkle/stencil_loops.cuh"
#include "ising_known.hpp"

namespace {
using namespace crinkle;
using ising::Four;

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("CUDA says: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

/// Spins in a GPU's memory, swept there.
class OnGpu {
 public:
  struct Free {
    void operator()(Four* memory) const { cudaFree(memory); }
  };
  using Memory = std::unique_ptr<Four, Free>;
  Memory memory(std::size_t n) const {
    void* data = nullptr;
    check(cudaMalloc(&data, n * sizeof(Four)));
    return Memory(static_cast<Four*>(data));
  }
  void put(Four* to, const std::vector<Four>& from) const {
    check(cudaMemcpy(to, from.data(), from.size() * sizeof(Four), cudaMemcpyHostToDevice));
  }
  std::vector<Four> get(const Four* from, std::size_t n) const {
    std::vector<Four> here(n);
    check(cudaMemcpy(here.data(), from, n * sizeof(Four), cudaMemcpyDeviceToHost));
    return here;
  }
  auto sweeps() const {
    return [](const auto& stencil, const auto& out) { sweep(stencil, out, cudaStream_t{}); };
  }
  void move(const Rearrangement& what, const Four* from, Four* to, std::int64_t n_bytes) const {
    Plan(what, cuda()).run(ConstBuffer{from, n_bytes}, Buffer{to, n_bytes});
  }
  void wait() const { check(cudaDeviceSynchronize()); }
};

}  // namespace

int main() {
  int n_devices = 0;
  if (cudaGetDeviceCount(&n_devices) != cudaSuccess || n_devices == 0) return std::printf("there is no GPU here\n"), 77;
  OnGpu place;
  int failures = ising::compare_all(place);
  for (const double temperature : {2.2, 2.4}) {
    const ising::Means means = ising::measured(ising::Sample<OnGpu, 1, 1>(place, {1024, 512}), temperature, 2000, 1000, 5);
    const std::string at = "1024 x 1024, T = " + std::to_string(temperature).substr(0, 3);
    failures += ising::compare(at + ": energy", means.energy.value(), means.energy.error(), ising::onsager_energy(temperature));
    if (temperature < 2.269)
      failures += ising::compare(at + ": magnetisation", means.magnetisation.value(), means.magnetisation.error(),
                                 ising::onsager_magnetisation(temperature));
  }
  ising::tell_speeds(place, 16384);
  return failures;
}
