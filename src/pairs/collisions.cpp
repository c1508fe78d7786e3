// Collisions as an operation, whose list is as long as it turns out to be.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "base/checked.hpp"
#include "cpu/point_planes.hpp"
#include "crinkle/error.hpp"
#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"
#include "operation/check.hpp"
#include "operation/model.hpp"
#include "pairs/check.hpp"
#include "pairs/cpu/pairs.hpp"
#include "pairs/cuda/pairs.hpp"
#include "pairs/reference.hpp"
#include "pairs/squares.hpp"

namespace crinkle {
namespace {

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

class Collisions final : public Operation::Model {
 public:
  Collisions(const CollisionRequest& of, Device on);

  void run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const override {
    find(in, out[0], workspace == nullptr ? nullptr : aligned_lines(workspace), worker);
  }
  void define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const override;
  std::int64_t count(std::span<const ConstBuffer> in, const Worker& worker) const override;
  /// How many it found.
  std::int64_t find(std::span<const ConstBuffer> in, Buffer pairs, std::byte* workspace, const Worker& worker) const;
  OperationCost cost() const override;
  std::string describe() const override {
    return fmt::format("collisions of {} spheres in {} dimensions: {} pairs tried, {}\n", request_.n, request_.n_dimensions,
                       static_cast<double>(request_.n) * static_cast<double>(request_.n - 1) / 2, machine);
  }

 private:
  Spheres spheres(std::span<const ConstBuffer> in) const { return {{in[0], request_.type, request_.n, request_.n_dimensions}, in[1]}; }
  bool check_radii_on_device(ConstBuffer radii, const Stream& stream) const;
  std::int64_t count_on_device(const Spheres& of, bool are_plain, const Stream& stream) const;

  CollisionRequest request_;
};

Collisions::Collisions(const CollisionRequest& of, Device on) : request_(of) {
  name = "collision search";
  device = on;
  machine = on.kind == Device::Kind::cuda ? facts_of(on).name : simd::PairKernels::best().target;
  if (of.n_dimensions > 3)
    throw Error(ErrorCode::bad_shape, fmt::format("spheres in {} dimensions; collisions are found in 1, 2 and 3", of.n_dimensions));
  check_points(of.n, of.n_dimensions, of.type);
  inputs = {points_port("centres", of.n, of.n_dimensions, of.type),
            port_of("radii", Layout::dense({of.n}, bytes_of(of.type)), element_type(of.type))};
  constexpr std::int64_t number = sizeof(std::int64_t), pair = sizeof(Collision);
  const double all = static_cast<double>(of.n) * static_cast<double>(of.n - 1) / 2;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / pair;
  const std::int64_t n_pairs = all < static_cast<double>(most / 2) ? of.n * (of.n - 1) / 2 : most;
  Port pairs = port_of("pairs", Layout::dense({n_pairs, 2}, number), ElementType{{Number::int64}});
  pairs.values = {pair, number, true};
  pairs.is_counted = true;
  outputs = {pairs};
  if (on.kind == Device::Kind::cpu) workspace_bytes = add(collision_bytes(of.n, of.n_dimensions, of.type), line_alignment);
}

std::int64_t Collisions::count(std::span<const ConstBuffer> in, const Worker& worker) const {
  const Spheres of = spheres(in);
  if (device.kind == Device::Kind::cuda) return count_on_device(of, check_radii_on_device(of.radii, worker.stream()), worker.stream());
  check_radii(of.radii, request_.n, request_.type);
  return run_count(of, worker.executor());
}

void Collisions::define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const {
  const Spheres of = spheres(in);
  check_radii(of.radii, request_.n, request_.type);
  const std::vector<Collision> all = reference_collisions(of);
  check_room(out[0].data == nullptr ? 0 : out[0].bytes / std::int64_t{sizeof(Collision)}, std::ssize(all));
  if (!all.empty()) std::memcpy(out[0].data, all.data(), all.size() * sizeof(Collision));
}

std::int64_t Collisions::find(std::span<const ConstBuffer> in, Buffer pairs, std::byte* workspace, const Worker& worker) const {
  const Spheres of = spheres(in);
  const std::int64_t room = pairs.data == nullptr ? 0 : pairs.bytes / std::int64_t{sizeof(Collision)};
  auto* const to = static_cast<Collision*>(pairs.data);
  if (device.kind == Device::Kind::cpu) {
    check_radii(of.radii, request_.n, request_.type);
    return run_find(of, {to, static_cast<std::size_t>(room)}, worker.executor(), simd::PairKernels::best(), {}, workspace);
  }
  const Stream& stream = worker.stream();
  const bool are_plain = check_radii_on_device(of.radii, stream);
  const std::int64_t n = count_on_device(of, are_plain, stream);
  check_room(room, n);
  if (n == 0) return 0;
  const simplex::CollisionMemory bytes = gpu::entry<simplex::collision_memory>(n, request_.n);
  const DeviceMemory keys(device, bytes.keys_bytes), sort(device, bytes.sort_bytes);
  const Counter counter(device, stream);
  auto* const at = static_cast<std::uint64_t*>(keys.data());
  gpu::entry<simplex::launch_find>(of, are_plain, n, counter.data(), at, stream);
  gpu::entry<simplex::launch_sort>(n, request_.n, at, sort, to, stream);
  stream.synchronize();
  return n;
}

/// Checks radii in a GPU's memory. Returns whether the squares of their sums are plain.
bool Collisions::check_radii_on_device(ConstBuffer radii, const Stream& stream) const {
  if (request_.n == 0) return true;
  stream.synchronize();  // who makes them
  const std::int64_t bytes = request_.n * bytes_of(request_.type);
  const auto on_host = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
  copy_bytes({radii.data, bytes}, {on_host.get(), bytes});
  check_radii({on_host.get(), bytes}, request_.n, request_.type);
  return request_.type == Real::float32 ? radii_are_plain(reinterpret_cast<const float*>(on_host.get()), request_.n)
                                        : radii_are_plain(reinterpret_cast<const double*>(on_host.get()), request_.n);
}

std::int64_t Collisions::count_on_device(const Spheres& of, bool are_plain, const Stream& stream) const {
  if (request_.n < 2) return 0;
  const Counter counter(device, stream);
  gpu::entry<simplex::launch_count>(of, are_plain, counter.data(), stream);
  return counter.value();
}

OperationCost Collisions::cost() const {
  OperationCost cost;
  for (const Port& port : inputs) cost.bytes = add(cost.bytes, port.layout.n_bytes());
  const auto n = static_cast<double>(request_.n);
  cost.operations = n * (n - 1) / 2 * 3 * request_.n_dimensions;
  return cost;
}

Operation planned(const Spheres& spheres, Device device) {
  const Points& centres = spheres.centres;
  if (centres.n_features > 3)
    throw Error(ErrorCode::bad_shape, fmt::format("spheres in {} dimensions; collisions are found in 1, 2 and 3", centres.n_features));
  return plan(CollisionRequest{centres.n, static_cast<int>(std::max<std::int64_t>(centres.n_features, 0)), centres.type}, device);
}

std::int64_t count(const Spheres& spheres, Device device, const Worker& worker) {
  const ConstBuffer in[] = {spheres.centres.data, spheres.radii};
  return planned(spheres, device).count(in, worker);
}

std::int64_t find(const Spheres& spheres, Buffer pairs, Device device, const Worker& worker) {
  const Operation operation = planned(spheres, device);
  const auto& model = static_cast<const Collisions&>(operation.model());
  const ConstBuffer in[] = {spheres.centres.data, spheres.radii};
  check_device(model, worker);
  check_buffers(model, in, {&pairs, 1});
  if (device.kind == Device::Kind::cpu) return model.find(in, pairs, nullptr, worker);
  const gpu::OnDevice on(device.index);
  check_reach(model, in, {}, {}, worker);
  if (pairs.data != nullptr) gpu::check_pointer(pairs.data, device.index, "the pairs");
  return model.find(in, pairs, nullptr, worker);
}

}  // namespace

Operation plan(const CollisionRequest& request, Device device) { return Operation(std::make_shared<const Collisions>(request, device)); }

std::int64_t count_collisions(const Spheres& spheres, Executor& executor) { return count(spheres, cpu(), executor); }
std::int64_t find_collisions(const Spheres& spheres, std::span<Collision> pairs, Executor& executor) {
  return find(spheres, pairs, cpu(), executor);
}
std::int64_t count_collisions(const Spheres& spheres, Device device) { return count(spheres, device, Stream()); }
std::int64_t find_collisions(const Spheres& spheres, Buffer pairs, Device device) { return find(spheres, pairs, device, Stream()); }

}  // namespace crinkle
