// A sweep on a CUDA device: one launch for every list of points of every step, arrays between them in the device's memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "crinkle/cuda.hpp"
#include "crinkle/sweeper.hpp"

namespace crinkle {

class CudaSweep {
 public:
  virtual ~CudaSweep() = default;
  /// Gives it all to the stream, allocating nothing. Requires checked buffers.
  virtual void run(const std::byte* source, std::byte* destination, CUstream_st* stream) const = 0;
  virtual std::int64_t passes() const = 0;
  virtual std::int64_t workspace_bytes() const = 0;
  virtual std::string describe() const = 0;
};

/// Requires a checked sweep. Throws unsupported in a build without CUDA; device, out_of_memory, too_large.
std::unique_ptr<CudaSweep> make_cuda_sweep(const Sweep& sweep, Device device);

}  // namespace crinkle
