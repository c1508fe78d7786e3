// The Ising model (ising.hpp, ising.cuh) on a GPU, beside Onsager's solution, and how many flips a nanosecond are tried. Without a GPU it
// says so and exits with 77.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "ising.cuh"

namespace {

using ising::Spin;

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("CUDA says: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

/// n² spins, n a multiple of 8, all up at first.
class Lattice {
 public:
  explicit Lattice(std::int64_t n) : n_bytes_(static_cast<std::size_t>(n * n / 2)), lattice_(in_device_memory(3 * n_bytes_), {n, n / 2}) {}
  ~Lattice() { cudaFree(spins_); }
  Lattice(const Lattice&) = delete;
  Lattice& operator=(const Lattice&) = delete;

  void flip(double temperature) { lattice_.flip(temperature, ising::InKernels()); }
  /// Both, a spin.
  std::pair<double, double> energy_and_magnetisation() const {
    std::vector<Spin> spins(3 * n_bytes_);
    for (std::size_t c = 0; c < 2; ++c)
      check(cudaMemcpy(spins.data() + c * n_bytes_, lattice_.colour(static_cast<int>(c)).data, n_bytes_, cudaMemcpyDeviceToHost));
    const ising::Lattice<1, 1> here(spins.data(), lattice_.colour(0).extents);
    std::int64_t bonds = 0;
    here.bonds([&](const auto& of, const ising::Plane& out) {
      for (std::int64_t y = 0; y < out.extents[0]; ++y)
        for (std::int64_t x = 0; x < out.extents[1]; ++x) bonds += of.cell({y, x});
    });
    const std::int64_t sum = std::accumulate(spins.begin(), spins.end(), std::int64_t{0});  // the third array is still 0
    const double n = 2 * static_cast<double>(n_bytes_);
    return {-static_cast<double>(bonds) / n, static_cast<double>(sum) / n};
  }

 private:
  Spin* in_device_memory(std::size_t n) {
    check(cudaMalloc(&spins_, n));
    check(cudaMemset(spins_, 1, n));
    return spins_;
  }

  Spin* spins_ = nullptr;
  std::size_t n_bytes_;  // of a colour
  ising::Lattice<1, 1> lattice_;
};

}  // namespace

int main() {
  int n_devices = 0;
  if (cudaGetDeviceCount(&n_devices) != cudaSuccess || n_devices == 0) return std::printf("there is no GPU here\n"), 77;
  int failures = 0;
  for (const double temperature : {1.9, 2.2, 2.4, 3.0}) {
    Lattice lattice(1024);
    ising::Mean energy, magnetisation;
    for (int s = -2000; s < 1000; ++s) {
      lattice.flip(temperature);
      if (s < 0 || s % 5 != 0) continue;
      const auto [e, m] = lattice.energy_and_magnetisation();
      energy.add(e);
      magnetisation.add(m);
    }
    const std::string at = "1024 x 1024, T = " + std::to_string(temperature).substr(0, 3);
    failures += ising::compare(at + ": energy", energy.value(), energy.error(), ising::onsager_energy(temperature));
    if (temperature < 2.269)
      failures +=
          ising::compare(at + ": magnetisation", magnetisation.value(), magnetisation.error(), ising::onsager_magnetisation(temperature));
  }
  constexpr std::int64_t n = 16384;
  constexpr int n_sweeps = 20;
  Lattice lattice(n);
  cudaEvent_t begin = nullptr, end = nullptr;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  for (int s = 0; s < n_sweeps; ++s) lattice.flip(2.269);
  check(cudaEventRecord(begin));
  for (int s = 0; s < n_sweeps; ++s) lattice.flip(2.269);
  check(cudaEventRecord(end));
  check(cudaEventSynchronize(end));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  std::printf("%lld x %lld spins: %.0f flips tried a nanosecond\n", static_cast<long long>(n), static_cast<long long>(n),
              n_sweeps * static_cast<double>(n) * static_cast<double>(n) / (1e6 * milliseconds));
  return failures;
}
