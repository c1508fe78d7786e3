// Distances, collisions and triplets: what is checked, and who does it, a CPU or a device.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/pairs.hpp"

#include <cmath>
#include <memory>

#include "cuda/device_buffers.hpp"
#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"
#include "pairs/check.hpp"
#include "pairs/cpu/pairs.hpp"
#include "pairs/cuda/pairs.hpp"
#include "pairs/squares.hpp"

namespace crinkle {
namespace {

/// Returns radii_are_plain().
bool check_spheres_on(const Spheres& spheres, int device) {
  check_spheres(spheres);
  if (spheres.centres.n == 0) return true;
  gpu::check_pointer(spheres.centres.data.data, device, "the centres");
  gpu::check_pointer(spheres.radii.data, device, "the radii");
  const std::int64_t bytes = spheres.centres.n * bytes_of(spheres.centres.type);
  const auto on_host = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
  copy_bytes({spheres.radii.data, bytes}, {on_host.get(), bytes});
  check_radii({on_host.get(), bytes}, spheres.centres.n, spheres.centres.type);
  return spheres.centres.type == Real::float32 ? radii_are_plain(reinterpret_cast<const float*>(on_host.get()), spheres.centres.n)
                                               : radii_are_plain(reinterpret_cast<const double*>(on_host.get()), spheres.centres.n);
}

/// A number on a device that begins as 0.
class Counter {
 public:
  Counter(Device device, const Stream& stream) : memory_(device, std::int64_t{sizeof(std::uint64_t)}), stream_(stream) {
    gpu::clear(memory_, stream.get());
  }
  std::uint64_t* data() const { return static_cast<std::uint64_t*>(memory_.data()); }
  std::int64_t value() const {
    stream_.synchronize();
    std::uint64_t value = 0;
    copy_bytes(memory_, {&value, std::int64_t{sizeof value}});
    return static_cast<std::int64_t>(value);
  }

 private:
  DeviceMemory memory_;
  const Stream& stream_;
};

std::int64_t count(const Spheres& spheres, bool are_plain, Device device) {
  if (spheres.centres.n < 2) return 0;
  const Stream stream;
  const Counter counter(device, stream);
  gpu::entry<simplex::launch_count>(spheres, are_plain, counter.data(), stream);
  return counter.value();
}

double read_double(const DeviceMemory& memory) {
  double value = 0;
  copy_bytes({memory.data(), std::int64_t{sizeof value}}, {&value, std::int64_t{sizeof value}});
  return value;
}

}  // namespace

void distances(const Points& points, Metric metric, PairForm form, Buffer out, Executor& executor) {
  check_distances(points, form, out);
  run_distances(points, metric, form, static_cast<std::byte*>(out.data), executor);
}

std::int64_t count_collisions(const Spheres& spheres, Executor& executor) {
  check_spheres(spheres);
  check_radii(spheres.radii, spheres.centres.n, spheres.centres.type);
  return run_count(spheres, executor);
}

std::int64_t find_collisions(const Spheres& spheres, std::span<Collision> pairs, Executor& executor) {
  check_spheres(spheres);
  check_radii(spheres.radii, spheres.centres.n, spheres.centres.type);
  return run_find(spheres, pairs, executor);
}

double triplet_energy(const Points& points, Executor& executor) {
  check_triplets(points);
  return run_triplets(points, executor);
}

void distances(const Points& points, Metric metric, PairForm form, Buffer out, Device device, const Stream& stream) {
  gpu::check_built(device);
  check_distances(points, form, out);
  const gpu::OnDevice on(gpu::cuda_index(device, "distances"));
  if (distance_bytes(points.n, form, points.type) == 0) return;
  gpu::check_device_buffers({{points.data.data, "the points"}, {out.data, "the destination"}}, device.index, stream);
  gpu::entry<simplex::launch_distances>(simplex::distance_tiles(form, points.n, points.type), points, metric, out.data, stream);
}

std::int64_t count_collisions(const Spheres& spheres, Device device) {
  const gpu::OnDevice on(gpu::cuda_index(device, "counting collisions"));
  return count(spheres, check_spheres_on(spheres, device.index), device);
}

std::int64_t find_collisions(const Spheres& spheres, Buffer pairs, Device device) {
  const gpu::OnDevice on(gpu::cuda_index(device, "finding collisions"));
  const bool are_plain = check_spheres_on(spheres, device.index);
  const std::int64_t n = count(spheres, are_plain, device);
  check_room(pairs.data == nullptr ? 0 : pairs.bytes / std::int64_t{sizeof(Collision)}, n);
  if (n == 0) return 0;
  gpu::check_pointer(pairs.data, device.index, "the list of pairs");
  const Stream stream;
  const simplex::CollisionMemory bytes = gpu::entry<simplex::collision_memory>(n, spheres.centres.n);
  const DeviceMemory keys(device, bytes.keys_bytes), sort(device, bytes.sort_bytes);
  const Counter counter(device, stream);
  auto* const at = static_cast<std::uint64_t*>(keys.data());
  gpu::entry<simplex::launch_find>(spheres, are_plain, n, counter.data(), at, stream);
  gpu::entry<simplex::launch_sort>(n, spheres.centres.n, at, sort, static_cast<Collision*>(pairs.data), stream);
  stream.synchronize();
  return n;
}

double triplet_energy(const Points& points, Device device) {
  gpu::check_built(device);
  check_triplets(points);
  const gpu::OnDevice on(gpu::cuda_index(device, "the energy of triplets"));
  if (points.n < 3) return 0;
  gpu::check_pointer(points.data.data, device.index, "the points");
  const Stream stream;
  const DeviceMemory sums(device, gpu::entry<simplex::n_triplet_sums>(points.n) * std::int64_t{sizeof(double)});
  auto* const to = static_cast<double*>(sums.data());
  gpu::clear(sums, stream.get());
  gpu::entry<simplex::launch_most>(points.data.data, points.n * points.n_features, points.type, to, stream);
  stream.synchronize();
  const double most = read_double(sums);
  const auto energy_in = [&]<class C>(C) {
    const int exponent = triplet_exponent<C>(most);
    gpu::entry<simplex::launch_triplets>(points, sizeof(C) == 4 ? Real::float32 : Real::float64, std::ldexp(1.0, exponent), to, stream);
    stream.synchronize();
    return energy_of_scaled(read_double(sums), exponent);
  };
  const double energy = points.type == Real::float32 ? energy_in(0.0F) : energy_in(0.0);
  return points.type == Real::float64 || std::isfinite(energy) ? energy : energy_in(0.0);  // as on a CPU
}

}  // namespace crinkle
