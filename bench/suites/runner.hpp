// Where a suite's plans run: on the workers of an executor, or on a stream of a GPU; and memory there. What a suite sets beside its cases
// is written once, for either.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "crinkle/crinkle.hpp"
#include "suites/operation.hpp"

namespace crinkle::bench {

class Runner {
 public:
  /// On a CPU. The executor must outlive the runner and what it makes.
  explicit Runner(Executor& executor) : executor_(&executor) {}
  /// On a GPU: moves are given to the stream, not waited for.
  Runner(Device device, Stream stream) : device_(device), stream_(std::move(stream)) {}

  Device device() const noexcept { return device_; }
  const Stream& stream() const noexcept { return stream_; }
  /// Requires a plan for the device. Throws what Plan::run throws.
  void run(const Plan& plan, std::span<const ConstBuffer> from, std::span<const Buffer> to, Buffer workspace = {}) const;
  /// Memory of the device, on a CPU every page of it touched; nothing for 0 bytes. Throws out_of_memory.
  std::shared_ptr<std::byte> memory(std::int64_t n_bytes) const;

 private:
  Device device_ = cpu();
  Executor* executor_ = nullptr;  // of a CPU
  Stream stream_;                 // of a GPU
};

/// A plan's move between two arrays of so many bytes, its buffers beginning where `begins` says. Its workspace is made here.
RunMove run_of(Plan plan, const ArrayBytes& bytes, CaseBuffers begins, const Runner& runner);

}  // namespace crinkle::bench
