// The particles of particles.cpp on a GPU: one kernel over every layout of their records; all give the same particles, bit for bit.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
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

constexpr std::int64_t most_bytes = 64 * n_particles;  // enough for every layout

// The host fills and reads its copy by the same view; `view_at(memory)` is one of records there.
template <class ViewAt>
bool run(const char* name, std::int64_t bytes, const ViewAt& view_at, void* on_device, std::vector<Particle>& expected) {
  alignas(16) static std::byte on_host[most_bytes];
  const auto view = view_at(on_host), there = view_at(on_device);
  for (std::int64_t i = 0; i < n_particles; ++i) {
    const float a = static_cast<float>(i) / n_particles;
    view.store(i, {a, 1 - a, 1 + a * a, a - 1, a, 0});
  }
  const Particle before = view.load(500);
  bool is_done = cudaMemcpy(on_device, on_host, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice) == cudaSuccess;
  for (int k = 0; k < 100; ++k) move<<<(n_particles + 255) / 256, 256>>>(there, 1.0f / 64);
  is_done = is_done && cudaMemcpy(on_host, on_device, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost) == cudaSuccess;
  std::vector<Particle> moved(n_particles);
  for (std::int64_t i = 0; i < n_particles; ++i) moved[static_cast<std::size_t>(i)] = view.load(i);
  if (expected.empty()) expected = moved;
  const bool is_same =
      is_done && before.z != moved[500].z && std::memcmp(moved.data(), expected.data(), sizeof(Particle) * moved.size()) == 0;
  std::printf("%-14s %8lld bytes, particle 500 at z = %.6f: %s\n", name, static_cast<long long>(bytes), moved[500].z,
              is_same ? "the same" : "ANOTHER RESULT");
  return is_same;
}

template <class Layout>
bool run(const char* name, void* on_device, std::vector<Particle>& expected) {
  using View = RecordView<Particles, Layout>;
  return run(name, View::bytes(n_particles), [](void* memory) { return View(memory, n_particles); }, on_device, expected);
}

int main() {
  int n_devices = 0;
  if (cudaGetDeviceCount(&n_devices) != cudaSuccess || n_devices == 0) return std::puts("no GPU here"), 77;
  void* memory = nullptr;
  if (cudaMalloc(&memory, most_bytes) != cudaSuccess) return 1;
  std::vector<Particle> expected;
  using Pairs =
      Groups<Members<&Particle::x, &Particle::y, &Particle::z>::Aligned<16>, Members<&Particle::vx, &Particle::vy, &Particle::vz>>;
  const PlainPlace turned[6] = {{0, 0, 1, 24, 20, 24}, {0, 0, 1, 24, 16, 24}, {0, 0, 1, 24, 12, 24},
                                {0, 0, 1, 24, 8, 24},  {0, 0, 1, 24, 4, 24},  {0, 0, 1, 24, 0, 24}};  // (vz vy vx z y x)
  const bool is_right = run<Aos<>>("Aos<>", memory, expected) && run<Aos<16>>("Aos<16>", memory, expected) &&
                        run<Soa>("Soa", memory, expected) && run<Aosoa<8>>("Aosoa<8>", memory, expected) &&
                        run<Pairs>("Groups<...>", memory, expected) &&
                        run(
                            "at run time", 24 * n_particles,
                            [&](void* at) { return RecordView<Particles, RunTime>(at, turned, n_particles); }, memory, expected);
  return cudaFree(memory) == cudaSuccess && is_right ? 0 : 1;
}
