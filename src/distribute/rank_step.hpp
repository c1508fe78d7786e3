// One stage of an operation as one rank makes it: parts, from what it holds and from what was fetched.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/reused_memory.hpp"
#include "crinkle/cuda.hpp"
#include "crinkle/distribute.hpp"
#include "distribute/slabs.hpp"

namespace crinkle::distributed {

/// Memory of one device, taken anew only where it is too small.
class DeviceRoom {
 public:
  explicit DeviceRoom(Device device) : device_(device) {}
  std::byte* of(std::int64_t bytes) {
    if (device_.kind == Device::Kind::cpu) return on_cpu_.of(bytes);
    if (bytes > on_gpu_.bytes()) on_gpu_ = DeviceMemory(device_, bytes);
    return static_cast<std::byte*>(on_gpu_.data());
  }

 private:
  Device device_;
  ReusedMemory on_cpu_;
  DeviceMemory on_gpu_;
};

/// A part of a stage, from arrays to its place in the stage's output on this rank.
class RankPart {
 public:
  /// The whole, of what cannot be cut.
  explicit RankPart(const Operation& whole) : RankPart(whole, std::vector<std::int64_t>(whole.inputs().size(), 0), 0) {}
  /// Of an output these ranges, whose inputs begin so many bytes behind the first ones of the arrays that they lie in. `made`: what the
  /// rank has of the output.
  RankPart(Operation part, const Ranges& gives, std::vector<std::int64_t> from, const Ranges& made);

  /// Requires arrays that hold what the part needs, dense, and the rank's output. On a stream: given to it, not waited for.
  void run(std::vector<ConstBuffer> in, Buffer out, const Worker& worker);

  /// Whether its only input may be the same bytes as the rank's output, all of it.
  bool can_run_in_place() const;
  /// What run() takes on its first time, taken before. Throws out_of_memory.
  void take_memory();
  std::int64_t own_bytes() const;
  std::int64_t input_bytes(std::size_t k) const { return from_[k] + operation_.inputs()[k].touched.last; }  // of the array, at least

 private:
  RankPart(Operation operation, std::vector<std::int64_t> from, std::int64_t to)
      : operation_(std::move(operation)), from_(std::move(from)), to_(to) {}
  static void run_one(const Operation& op, DeviceRoom& room, const std::vector<ConstBuffer>& in, Buffer out, const Worker& worker);

  Operation operation_;
  std::vector<std::int64_t> from_;
  std::int64_t to_;                 // bytes: where the output lies in a row in the rank's; −1: it does not
  std::optional<Operation> put_{};  // which then brings it there
  DeviceRoom made_{operation_.device()}, workspace_{operation_.device()}, of_put_{operation_.device()};
};

/// What is brought together for a step's parts: of every set of parts one redistribution an input.
std::vector<const std::vector<Redistribution>*> fetches_of(const DistributedOperation::Step& step);

/// A stage of one rank.
struct RankStep {
  /// For each of the step's fetches.
  struct Fetched {
    std::vector<bool> is_fetched;     // of every input; else what the rank holds is what the part needs
    std::vector<std::int64_t> bytes;  // that are fetched of every input
    std::vector<RankPart> parts;      // one a slab; none: nothing to do
  };
  std::vector<RankPart> inner;  // slices, from what the rank holds
  std::vector<Fetched> fetched;
  Ranges made;  // of the output
  std::int64_t made_bytes = 0;

  /// Inner parts are cut into at most so many slices, between which messages go on; others into these slabs. Throws what planning parts
  /// throws.
  RankStep(const DistributedOperation::Step& step, std::int64_t rank, std::int64_t most_slices = 16, const Slabs& slabs = {});
};

/// Where a step puts what it makes: transforms go on in the array where the step before has put its own, as one of several axes does.
struct OutputPlace {
  std::int64_t array = -1;       // that of the step of this number; −1: the result
  bool is_fetched_into = false;  // what is fetched, too, goes there, and is computed in place
};
/// `has_last`: another move makes the result. `is_input_kept`: the result is never the first step's input.
std::vector<OutputPlace> places_of(const std::deque<RankStep>& steps, bool has_last, bool is_input_kept);

}  // namespace crinkle::distributed
