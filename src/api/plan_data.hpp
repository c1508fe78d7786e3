// What a Plan owns.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crinkle/plan.hpp"
#include "form/simplify.hpp"
#include "move/cpu.hpp"
#include "plan/in_place.hpp"
#include "plan/pass.hpp"

namespace crinkle {

struct CudaStep;

/// Addresses that were found good, some of each run's buffers' several times over. Threads may use it at once; what two addresses that fall
/// on one place make it forget is only asked again.
class SeenAddresses {
 public:
  explicit SeenAddresses(std::size_t n_buffers) : seen_(std::bit_ceil(8 * n_buffers + 16)) {}
  bool holds(const void* p) const noexcept { return seen_[place_of(p)].load(std::memory_order_relaxed) == p; }
  void note(const void* p) noexcept { seen_[place_of(p)].store(p, std::memory_order_relaxed); }

 private:
  std::size_t place_of(const void* p) const noexcept {
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(p));
    return static_cast<std::size_t>(address * 0x9E3779B97F4A7C15u >> 32) & (seen_.size() - 1);
  }
  std::vector<std::atomic<const void*>> seen_;
};

/// What a device is to a planner. Throws what cuda() throws.
Machine machine_of_cuda(Device device);

struct PlannedStep {
  PlannedStep(Step step, const Machine& machine);

  plan::Pass pass;
  CpuStep move;                            // of a plan for another machine the gathered axes alone
  std::string chosen;                      // by measurement: what and why; "" where the planner alone decided
  std::shared_ptr<const CudaStep> on_gpu;  // of a plan for a CUDA device
  std::vector<Boxes> fill_boxes;           // of one with index arrays, per fill of theirs, until they are on the device

  void run(std::span<const std::byte* const> src, std::span<std::byte* const> dst, Executor& executor) const;
  std::int64_t n_entries() const;  // of the gathered axes together; 1 without any
  double predicted_fraction(const Machine& machine) const;
};

struct Plan::Data {
  Machine machine;
  Device device;                        // that runs it; of a plan for a machine by name the CPU, which cannot
  std::string what;                     // of a plan for a CUDA device: said in errors
  std::shared_ptr<SeenAddresses> seen;  // likewise
  std::vector<PlannedStep> steps;
  std::optional<Layout> source, destination;  // what was asked for; nothing for bare boxes
  std::vector<ByteSpan> source_spans, destination_spans;
  std::int64_t workspace_bytes = 0;
  std::int64_t odd_at = 0;  // where in the workspace steps 1, 3, … write
  std::int64_t bytes_moved = 0;
  std::string why;  // why there is more than one step
  // In place, if it can be: offsets count from the spans' first bytes.
  std::optional<std::vector<plan::Exchange>> exchanges;
  std::shared_ptr<const CudaStep> exchanges_on_gpu;  // of a plan for a CUDA device

  std::int64_t written_at(std::size_t k) const noexcept { return k % 2 == 0 ? 0 : odd_at; }

  /// The only step's boxes with offsets that count from the spans' first bytes; nothing where they cannot be a map of bytes on themselves,
  /// and then why.
  std::optional<Boxes> boxes_in_place(std::string& why_not) const;
  std::string why_not_in_place() const;

  /// Runs the steps one after the other through the workspace, run(step, sources, destinations) each.
  template <class Run>
  void run_steps(std::span<const ConstBuffer> src, std::span<const Buffer> dst, Buffer workspace, const Run& run) const {
    detail::SmallVector<const std::byte*, 4> sources;
    detail::SmallVector<std::byte*, 4> destinations;
    for (const ConstBuffer& b : src) sources.push_back(static_cast<const std::byte*>(b.data));
    for (const Buffer& b : dst) destinations.push_back(static_cast<std::byte*>(b.data));
    const std::span<const std::byte* const> from = sources;
    const std::span<std::byte* const> to = destinations;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const std::byte* in = k > 0 ? static_cast<const std::byte*>(workspace.data) + written_at(k - 1) : nullptr;
      std::byte* out = k + 1 < steps.size() ? static_cast<std::byte*>(workspace.data) + written_at(k) : nullptr;
      run(steps[k], k > 0 ? std::span<const std::byte* const>(&in, 1) : from, out != nullptr ? std::span<std::byte* const>(&out, 1) : to);
    }
  }
  void make_cuda_steps();
  void make_cuda_exchanges(const Boxes& boxes, const plan::Partners& partners);
  /// Where the bytes begin that are moved in place.
  detail::SmallVector<std::byte*, 4> begins_of(std::span<const Buffer> buffers) const {
    detail::SmallVector<std::byte*, 4> begins;
    for (std::size_t s = 0; s < buffers.size(); ++s)
      begins.push_back(static_cast<std::byte*>(buffers[s].data) + destination_spans[s].first);
    return begins;
  }
  [[noreturn]] void refuse_in_place() const;

  Data(Steps of, Machine on, Device runs_on, std::int64_t n_sources, std::int64_t n_destinations, std::optional<Layout> from,
       std::optional<Layout> to);
};

}  // namespace crinkle
