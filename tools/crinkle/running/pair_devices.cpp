// SPDX-License-Identifier: BSD-3-Clause
#include "running/pair_devices.hpp"

#include <algorithm>
#include <optional>

#include "crinkle/crinkle.hpp"
#include "plan/machine.hpp"
#include "running/planning.hpp"

namespace crinkle::tool {
namespace {

// Of a core of a Xeon with AVX-512 (2026-11-24): differences of features a second for many features, pairs of spheres, triplets; and what
// both cores write. A GPU computes all of that in no time, and copies from and to pageable memory.
constexpr double features_s = 20e9, spheres_s = 7e9, triplets_s = 4e9, written_s = 20e9, through_s = 6e9;

double n_pairs(std::int64_t n) { return static_cast<double>(n) * static_cast<double>(n - 1) / 2; }
bool is_gpu(Device device) { return device.kind == Device::Kind::cuda; }
// float64 has half as many in a vector.
double of_type(Real type) { return type == Real::float32 ? 1 : 2; }

DeviceMemory uploaded(ConstBuffer from, Device device) {
  DeviceMemory memory(device, from.bytes);
  copy_bytes(from, memory);
  return memory;
}
std::int64_t bytes_of_points(const Points& points) { return points.n * points.n_features * bytes_of(points.type); }

/// Points whose numbers lie on the device as long as this does.
struct OnDevice {
  OnDevice(const Points& from, Device device) : memory(uploaded({from.data.data, bytes_of_points(from)}, device)), points(from) {
    points.data = memory;
  }
  DeviceMemory memory;
  Points points;
};
struct SpheresOnDevice {
  SpheresOnDevice(const Spheres& from, Device device)
      : centres(from.centres, device), radii(uploaded({from.radii.data, from.centres.n * bytes_of(from.centres.type)}, device)) {}
  Spheres spheres() const { return {centres.points, radii}; }
  OnDevice centres;
  DeviceMemory radii;
};

}  // namespace

PairCost cost_of_distances(const Points& points, PairForm form) {
  return {n_pairs(points.n) * static_cast<double>(points.n_features) * of_type(points.type) / features_s, bytes_of_points(points),
          distance_bytes(points.n, form, points.type)};
}
PairCost cost_of_collisions(const Points& points) {
  constexpr int passes = 3;  // one to know how many, two to list them
  return {passes * n_pairs(points.n) * of_type(points.type) / spheres_s, bytes_of_points(points), 0};
}
PairCost cost_of_triplets(const Points& points) {
  return {n_pairs(points.n) * static_cast<double>(points.n - 2) / 3 * of_type(points.type) / triplets_s, bytes_of_points(points), 0};
}

Device choose_device(const std::string& asked, const PairCost& cost, Executor& executor) {
  if (const std::optional<Device> device = parse_device(asked)) return *device;
  const double cpu_s = std::max(cost.core_seconds / executor.n_workers(), static_cast<double>(cost.written_bytes) / written_s);
  const double gpu_s = Machine::h200().start_up_s + static_cast<double>(cost.read_bytes + cost.written_bytes) / through_s;
  if (!has_cuda() || cpu_s <= gpu_s || count_cuda_devices() == 0) return cpu();
  return facts_of(cuda()).free_bytes > 2 * (cost.read_bytes + cost.written_bytes) ? cuda() : cpu();
}

void distances_on(Device device, const Points& points, Metric metric, PairForm form, Buffer out, Executor& executor) {
  const std::int64_t bytes = distance_bytes(points.n, form, points.type);
  if (!is_gpu(device) || bytes == 0) return distances(points, metric, form, out, executor);
  const OnDevice on(points, device);
  const DeviceMemory there(device, bytes);
  const Stream stream(device);
  distances(on.points, metric, form, there, device, stream);
  stream.synchronize();
  copy_bytes({there.data(), bytes}, out);
}

std::int64_t count_on(Device device, const Spheres& spheres, Executor& executor) {
  if (!is_gpu(device) || spheres.centres.n == 0) return count_collisions(spheres, executor);
  return count_collisions(SpheresOnDevice(spheres, device).spheres(), device);
}

void find_on(Device device, const Spheres& spheres, std::span<Collision> pairs, Executor& executor) {
  if (!is_gpu(device) || pairs.empty()) {
    find_collisions(spheres, pairs, executor);
    return;
  }
  const SpheresOnDevice on(spheres, device);
  const auto bytes = static_cast<std::int64_t>(pairs.size_bytes());
  const DeviceMemory there(device, bytes);
  find_collisions(on.spheres(), there, device);
  copy_bytes({there.data(), bytes}, {pairs.data(), bytes});
}

double triplets_on(Device device, const Points& points, Executor& executor) {
  if (!is_gpu(device) || points.n < 3) return triplet_energy(points, executor);
  const OnDevice on(points, device);
  return triplet_energy(on.points, device);
}

}  // namespace crinkle::tool
