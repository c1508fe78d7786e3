// The particles of particles.cpp on a GPU: one kernel over every layout of their records; all give the same particles, bit for bit.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <cstring>
#include <vector>

#include "crinkle/records.hpp"

using namespace crinkle;

struct Particle {
  float x, y, z, vx, vy, vz;
};
using Particles = Record<Particle, &Particle::x, &Particle::y, &Particle::z, &Particle::vx, &Particle::vy, &Particle::vz>;
constexpr field<&Particle::z> z;
constexpr field<&Particle::vz> vz;

constexpr std::int64_t n_particles = 100003;  // no multiple of any block

template <class View>
__global__ void move(View view, float step) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= view.size()) return;
  Particle one = view.load(i);  // whole records, by the widest words
  one.vx = fmaf(-step, one.x, one.vx);
  one.vy = fmaf(-step, one.y, one.vy);
  one.vz = fmaf(-step, 9.81f, one.vz);
  one.x = fmaf(step, one.vx, one.x);
  one.y = fmaf(step, one.vy, one.y);
  one.z = fmaf(step, one.vz, one.z);
  view.store(i, one);
  if (view.get(z, i) < 0 && view.get(vz, i) < 0) view.get(vz, i) *= -0.9f;  // and single fields, where they are
}

// The host fills and reads the same memory by the same view.
template <class View>
bool run(const char* name, std::int64_t bytes, const View& view, std::vector<Particle>& expected) {
  for (std::int64_t i = 0; i < n_particles; ++i) {
    const float a = static_cast<float>(i) / n_particles;
    view.store(i, {a, 1 - a, 1 + a * a, a - 1, a, 0});
  }
  const Particle before = view.load(500);
  for (int k = 0; k < 100; ++k) move<<<(n_particles + 255) / 256, 256>>>(view, 1.0f / 64);
  const cudaError_t status = cudaDeviceSynchronize();
  std::vector<Particle> moved(n_particles);
  for (std::int64_t i = 0; i < n_particles; ++i) moved[static_cast<std::size_t>(i)] = view.load(i);
  if (expected.empty()) expected = moved;
  const bool is_same =
      status == cudaSuccess && before.z != moved[500].z && std::memcmp(moved.data(), expected.data(), sizeof(Particle) * moved.size()) == 0;
  std::printf("%-14s %8lld bytes, particle 500 at z = %.6f: %s\n", name, static_cast<long long>(bytes), moved[500].z,
              is_same ? "the same" : "ANOTHER RESULT");
  return is_same;
}

template <class Layout>
bool run(const char* name, void* memory, std::vector<Particle>& expected) {
  using View = RecordView<Particles, Layout>;
  return run(name, View::bytes(n_particles), View(memory, n_particles), expected);
}

int main() {
  int n_devices = 0;
  if (cudaGetDeviceCount(&n_devices) != cudaSuccess || n_devices == 0) return std::puts("no GPU here"), 77;
  void* memory = nullptr;  // enough for every layout
  if (cudaMallocManaged(&memory, 64 * n_particles) != cudaSuccess) return 1;
  std::vector<Particle> expected;
  using Pairs =
      Groups<Members<&Particle::x, &Particle::y, &Particle::z>::Aligned<16>, Members<&Particle::vx, &Particle::vy, &Particle::vz>>;
  const PlainPlace turned[6] = {{0, 0, 1, 24, 20, 24}, {0, 0, 1, 24, 16, 24}, {0, 0, 1, 24, 12, 24},
                                {0, 0, 1, 24, 8, 24},  {0, 0, 1, 24, 4, 24},  {0, 0, 1, 24, 0, 24}};  // (vz vy vx z y x)
  const bool is_right = run<Aos<>>("Aos<>", memory, expected) && run<Aos<16>>("Aos<16>", memory, expected) &&
                        run<Soa>("Soa", memory, expected) && run<Aosoa<8>>("Aosoa<8>", memory, expected) &&
                        run<Pairs>("Groups<...>", memory, expected) &&
                        run("at run time", 24 * n_particles, RecordView<Particles, RunTime>(memory, turned, n_particles), expected);
  return cudaFree(memory) == cudaSuccess && is_right ? 0 : 1;
}
