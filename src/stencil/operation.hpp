// A sweep as an operation. A part is a sweep over a window of the array, the part and what its steps read around it, of which it writes the
// part alone. Where the window ends in the array a face of it lies; where it is cut, nothing beyond is read.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <memory>

#include "base/fingerprint.hpp"
#include "operation/model.hpp"
#include "stencil/cuda/sweep.hpp"
#include "stencil/plan.hpp"

namespace crinkle {

class SweptArray final : public Operation::Model {
 public:
  /// Requires a checked sweep. `made`: of a part the cells that it writes, a range of every axis of the source, those of the destination's
  /// layout; empty: all.
  SweptArray(Sweep sweep, Device device, Ranges made = {});

  void run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const override;
  void define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const override;
  std::vector<Ranges> needs(const Ranges& part) const override;
  Operation part(const Ranges& part) const override;
  std::pair<Ranges, Operation> part_with_rims(const Ranges& part) const override;
  OperationCost cost() const override;
  std::string describe() const override;
  std::int64_t held_bytes() const override;
  std::uint64_t fingerprint() const override { return Fingerprint().of(sweep_).number(); }

  /// On a CPU; `passed`, if there, is called after every pass over memory.
  void run(ConstBuffer source, Buffer destination, std::byte* workspace, Executor& executor, const std::function<void()>& passed) const;
  void run(ConstBuffer source, Buffer destination, std::byte* workspace, CUstream_st* stream) const;
  std::int64_t passes() const;
  std::int64_t bytes_between() const;  // of the arrays between passes

 private:
  struct Window;
  Window window(std::size_t axis, const Range& range) const;
  std::pair<Ranges, Sweep> over_window(const Ranges& part, Ranges& made) const;
  int n_buffers() const { return on_gpu_ ? on_gpu_->n_buffers() : plan_.n_buffers; }
  std::int64_t buffer_bytes() const { return on_gpu_ ? on_gpu_->buffer_bytes() : plan_.buffer_bytes; }
  std::array<std::byte*, 2> buffers(std::byte* workspace) const;

  Sweep sweep_;  // its destination has the source's extents, of which a part writes some
  Ranges made_;
  SweepPlan plan_;
  std::unique_ptr<CudaSweep> on_gpu_;  // instead of the plan
};

}  // namespace crinkle
