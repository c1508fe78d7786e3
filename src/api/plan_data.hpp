// What a Plan owns.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
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

/// The last few addresses that were found good. Threads may use it at once; what one forgets is only asked again.
class SeenAddresses {
 public:
  bool holds(const void* p) const noexcept {
    for (const auto& s : seen_)
      if (s.load(std::memory_order_relaxed) == p) return true;
    return false;
  }
  void note(const void* p) noexcept {
    seen_[next_.fetch_add(1, std::memory_order_relaxed) % seen_.size()].store(p, std::memory_order_relaxed);
  }

 private:
  std::array<std::atomic<const void*>, 16> seen_ = {};
  std::atomic<unsigned> next_ = 0;
};

/// What a device is to a planner. Throws what cuda() throws.
Machine machine_of_cuda(Device device);

/// Throws unsupported where there are gathered axes.
void check_gathers_on_gpu(std::size_t n_gathers);

struct PlannedStep {
  PlannedStep(Step step, const Machine& machine);

  plan::Pass pass;
  CpuStep move;                            // of a plan for another machine the gathered axes alone
  std::string chosen;                      // by measurement: what and why; "" where the planner alone decided
  std::shared_ptr<const CudaStep> on_gpu;  // of a plan for a CUDA device

  void run(std::span<const std::byte* const> src, std::span<std::byte* const> dst, Executor& executor) const;
  std::int64_t n_entries() const;  // of the gathered axes together; 1 without any
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
  std::string why;                                       // why there is more than one step
  std::optional<std::vector<plan::Exchange>> exchanges;  // offsets count from the spans' first bytes; nothing: not in place

  std::int64_t written_at(std::size_t k) const noexcept { return k % 2 == 0 ? 0 : odd_at; }

  /// The only step's boxes with offsets that count from the spans' first bytes; nothing where they cannot be a map of bytes on themselves,
  /// and then why.
  std::optional<Boxes> boxes_in_place(std::string& why_not) const;
  std::string why_not_in_place() const;

  /// Runs the steps one after the other through the workspace, run(step, sources, destinations) each.
  template <class Run>
  void run_steps(std::span<const std::byte* const> from, std::span<std::byte* const> to, Buffer workspace, const Run& run) const {
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const std::byte* in = k > 0 ? static_cast<const std::byte*>(workspace.data) + written_at(k - 1) : nullptr;
      std::byte* out = k + 1 < steps.size() ? static_cast<std::byte*>(workspace.data) + written_at(k) : nullptr;
      run(steps[k], k > 0 ? std::span<const std::byte* const>(&in, 1) : from, out != nullptr ? std::span<std::byte* const>(&out, 1) : to);
    }
  }
  void make_cuda_steps();

  Data(Steps of, Machine on, Device runs_on, std::int64_t n_sources, std::int64_t n_destinations, std::optional<Layout> from,
       std::optional<Layout> to);
};

}  // namespace crinkle
