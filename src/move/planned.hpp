// A move made ready for one device: its steps planned, and how they run one after the other. What calls it checks buffers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crinkle/cuda.hpp"
#include "crinkle/detail/small_vector.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/rearrangement.hpp"
#include "move/cpu/move.hpp"
#include "plan/in_place.hpp"
#include "plan/pass.hpp"

namespace crinkle {

struct CudaStep;
struct CompiledStep;

/// A device as a planner sees it. Throws what cuda() throws.
Machine machine_of(Device device);

struct PlannedStep {
  PlannedStep(Step step, const Machine& machine);

  planning::Pass pass;
  CpuStep on_cpu;                                // of a plan for a CPU
  std::shared_ptr<const CudaStep> on_gpu;        // of a plan for a CUDA device
  std::shared_ptr<const CompiledStep> compiled;  // if there: a kernel compiled for it, which buffers at multiples of 16 bytes take
  std::vector<EntryTable> other_gathers;         // of a plan for another machine than a CPU
  std::vector<Boxes> fill_boxes;                 // likewise, per fill of these, until they are on the device
  std::string chosen;                            // by measurement: what and why; "" where the planner alone decided

  const std::vector<EntryTable>& gathers() const { return on_cpu.gathers.empty() ? other_gathers : on_cpu.gathers; }
  void run(std::span<const std::byte* const> src, std::span<std::byte* const> dst, Executor& executor) const;
  std::int64_t n_entries() const;  // of the gathered axes together; 1 without any
  double predicted_fraction(const Machine& machine) const;
  std::int64_t held_bytes() const;
};

struct PlannedMove {
  Machine machine;
  Device device;     // that runs it; of a plan for a machine by name the CPU, which cannot
  std::string what;  // of a plan for a CUDA device: said in errors
  std::vector<PlannedStep> steps;
  std::vector<ByteSpan> source_spans, destination_spans;
  std::int64_t workspace_bytes = 0;
  std::int64_t odd_at = 0;  // where in the workspace steps 1, 3, … write
  std::int64_t bytes_moved = 0;
  std::string why;  // why there is more than one step
  // In place, if it can be: offsets count from the spans' first bytes.
  std::optional<std::vector<planning::Exchange>> exchanges;
  std::shared_ptr<const CudaStep> exchanges_on_gpu;  // of a plan for a CUDA device

  /// Plans every step. Throws what machine_of() throws, and out_of_memory and device where tables do not get to the device.
  PlannedMove(Steps of, Machine on, Device runs_on, std::int64_t n_sources, std::int64_t n_destinations);

  bool can_run_in_place() const noexcept { return exchanges.has_value() || exchanges_on_gpu != nullptr; }
  std::string why_not_in_place() const;
  /// Memory of its own, about.
  std::int64_t held_bytes() const;

  /// dst = the move of src. Requires a plan for the CPU, or for the device that is the calling thread's own, buffers that hold the spans
  /// and do not overlap, and a workspace where one is needed. On a stream: given to it, not waited for.
  void run(std::span<const ConstBuffer> src, std::span<const Buffer> dst, Buffer workspace, Executor& executor) const;
  void run(std::span<const ConstBuffer> src, std::span<const Buffer> dst, Buffer workspace, const Stream& stream) const;
  /// The same where source and destination are the same bytes. Requires can_run_in_place().
  void run_in_place(std::span<const Buffer> buffers, Executor& executor) const;
  void run_in_place(std::span<const Buffer> buffers, const Stream& stream) const;

  std::int64_t written_at(std::size_t k) const noexcept { return k % 2 == 0 ? 0 : odd_at; }

 private:
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
  /// The first bytes of the buffers that are moved in place.
  detail::SmallVector<std::byte*, 4> begins_of(std::span<const Buffer> buffers) const;
  /// The only step's boxes with offsets that count from the spans' first bytes; nothing where they cannot be a map of bytes on themselves,
  /// and then why.
  std::optional<Boxes> boxes_in_place(std::string& why_not) const;
  void make_cuda_steps();
  void make_cuda_exchanges(const Boxes& boxes, const planning::Partners& partners);
};

}  // namespace crinkle
