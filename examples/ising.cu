// The Ising model (ising.hpp) on a GPU: the stencil of ising.cpp in a kernel, four spins a thread, beside Onsager's solution, and how many
// flips a nanosecond are tried. Without a GPU it says so and exits with 77.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <utility>
#include <vector>

#include "ising.hpp"

namespace {

using namespace crinkle;
using ising::Spin;
using Plane = Field<Spin, 2>;

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("CUDA says: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

// Requires rows of a multiple of 4 spins.
template <class Stencil>
__global__ void flip_four(const __grid_constant__ Stencil stencil, const __grid_constant__ Plane out) {
  const Array<std::int64_t, 2> first{static_cast<std::int64_t>(blockIdx.y * blockDim.y + threadIdx.y),
                                     4 * static_cast<std::int64_t>(blockIdx.x * blockDim.x + threadIdx.x)};
  if (first[0] >= out.extents[0] || first[1] >= out.extents[1]) return;
  const Array<std::int64_t, 2> last{first[0], first[1] + 3};
  char4 made;
  if (stencil.is_inside(first) && stencil.is_inside(last)) {
    const auto from = stencil.inputs().moved(first);
    made = {stencil.template cell_inside<true>(from, first, 0), stencil.template cell_inside<true>(from, first, 1),
            stencil.template cell_inside<true>(from, first, 2), stencil.template cell_inside<true>(from, first, 3)};
  } else {
    made = {stencil.cell(first), stencil.cell({first[0], first[1] + 1}), stencil.cell({first[0], first[1] + 2}), stencil.cell(last)};
  }
  *reinterpret_cast<char4*>(out.at(first)) = made;
}

/// n² spins, n a multiple of 8.
class Lattice {
 public:
  explicit Lattice(std::int64_t n) : n_bytes_(static_cast<std::size_t>(n * n / 2)) {
    for (Plane& p : planes_) {
      p.extents = {n, n / 2};
      p.strides = {n / 2, 1};
      check(cudaMalloc(&p.data, n_bytes_));
      check(cudaMemset(p.data, 1, n_bytes_));
    }
  }
  ~Lattice() {
    for (const Plane& p : planes_) cudaFree(p.data);
  }
  Lattice(const Lattice&) = delete;
  Lattice& operator=(const Lattice&) = delete;

  void flip(double temperature) {
    const dim3 threads(64, 4),
        blocks(static_cast<unsigned>((planes_[0].extents[1] / 4 + 63) / 64), static_cast<unsigned>((planes_[0].extents[0] + 3) / 4));
    for (const std::uint32_t c : {0u, 1u}) {
      flip_four<<<blocks, threads>>>(
          stencil(ising::Flip<1, 1>(c, n_sweeps_, 42, temperature), filled<2>(Faces(Bound::periodic)), planes_[1 - c], planes_[c]),
          planes_[2]);
      std::swap(planes_[c], planes_[2]);
    }
    ++n_sweeps_;
  }
  /// Both, a spin.
  std::pair<double, double> energy_and_magnetisation() const {
    std::vector<Spin> spins[2];
    Plane there[2] = {planes_[0], planes_[1]};
    std::int64_t bonds = 0, sum = 0;
    for (int c = 0; c < 2; ++c) {
      spins[c].resize(n_bytes_);
      check(cudaMemcpy(spins[c].data(), planes_[c].data, n_bytes_, cudaMemcpyDeviceToHost));
      there[c].data = spins[c].data();
      for (const Spin s : spins[c]) sum += s;
    }
    const auto of = stencil(ising::Bonds<1, 1>{0}, filled<2>(Faces(Bound::periodic)), there[1], there[0]);
    for (std::int64_t y = 0; y < there[0].extents[0]; ++y)
      for (std::int64_t x = 0; x < there[0].extents[1]; ++x) bonds += of.cell({y, x});
    const double n = 2 * static_cast<double>(n_bytes_);
    return {-static_cast<double>(bonds) / n, static_cast<double>(sum) / n};
  }

 private:
  std::size_t n_bytes_;
  Plane planes_[3];  // both colours, and the next of one
  std::uint32_t n_sweeps_ = 0;
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
