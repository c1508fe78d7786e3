// Every call of records.hpp from inside a kernel: plain nvcc, without flags, must compile this file; vector_loads_test.py reads its PTX.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/records.hpp"

namespace {

using namespace crinkle;

struct Particle {
  float x, y, z, p;
};
using Particles = Record<Particle, &Particle::x, &Particle::y, &Particle::z, &Particle::p>;
constexpr field<&Particle::x> x;
constexpr field<&Particle::p> p;

struct Mixed {
  double mass;
  float v[3];
  std::uint16_t kind;
};
using Mixeds = Record<Mixed, &Mixed::mass, &Mixed::v, &Mixed::kind>;

struct Vectors {
  float4 at;
  double2 of;
};
using VectorRecords = Record<Vectors, &Vectors::at, &Vectors::of>;

}  // namespace

template <class View>
__device__ void push(const View& view) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= view.size()) return;
  Particle one = view.load(i);
  one.x += one.y * one.z;
  one.p += one.x;
  view.store(i, one);
}

extern "C" {

__global__ void push_aos(RecordView<Particles, Aos<>> view) { push(view); }
__global__ void push_aos_of(RecordView<Particles, AosOf<Particle>> view) { push(view); }
__global__ void push_aos_16(RecordView<Particles, Aos<16>> view) { push(view); }
__global__ void push_pairs(
    RecordView<Particles, Groups<Members<&Particle::x, &Particle::y>::Aligned<8>, Members<&Particle::z, &Particle::p>::Aligned<8>>> view) {
  push(view);
}
__global__ void push_soa(RecordView<Particles, Soa> view) { push(view); }
__global__ void push_aosoa_8(RecordView<Particles, Aosoa<8>> view) { push(view); }
__global__ void push_run_time(RecordView<Particles, RunTime> view) { push(view); }

__global__ void sum_aos_16(RecordView<const Mixeds, Aos<16>> view, double* sum) {
  const Mixed one = view.load(threadIdx.x);
  sum[threadIdx.x] = one.mass * one.kind + one.v[0] + one.v[1] + one.v[2];
}
__global__ void sum_packed(RecordView<const Mixeds, Aos<>> view, double* sum) {
  const Mixed one = view.load(threadIdx.x);
  sum[threadIdx.x] = one.mass * one.kind + one.v[0] + one.v[1] + one.v[2];
}
__global__ void sum_vectors(RecordView<const VectorRecords, Apart<Soa>> view, double* sum) {
  const Vectors one = view.load(threadIdx.x);
  sum[threadIdx.x] = one.at.x + one.at.y + one.at.z + one.at.w + one.of.x + one.of.y;
}

__global__ void assign(RecordView<Particles, Soa> soa, RecordView<Particles, RunTime> any) {
  soa.get(x, threadIdx.x) += any.get(p, threadIdx.x);
  any.store(x, threadIdx.x, soa.load(p, threadIdx.x));
}
}
