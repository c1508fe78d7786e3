// A sweep on a CUDA device: one launch for every list of points of every step, arrays between them in a workspace.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>
#include <string>

#include "crinkle/cuda.hpp"
#include "crinkle/operation.hpp"
#include "crinkle/sweeper.hpp"

namespace crinkle {

class CudaSweep {
 public:
  virtual ~CudaSweep() = default;
  /// Gives it all to the stream, allocating nothing. Requires checked buffers, and n_buffers() arrays of buffer_bytes() on the device that
  /// begin at multiples of 16 bytes.
  virtual void run(const std::byte* source, std::byte* destination, const std::array<std::byte*, 2>& buffers,
                   CUstream_st* stream) const = 0;
  virtual std::int64_t passes() const = 0;
  virtual int n_buffers() const = 0;  // 0, 1 or 2
  virtual std::int64_t buffer_bytes() const = 0;
  virtual std::string describe() const = 0;
};

/// Requires a checked sweep; `made` as plan_sweep() says. Throws unsupported in a build without CUDA; device, out_of_memory, too_large.
std::unique_ptr<CudaSweep> make_cuda_sweep(const Sweep& sweep, const Ranges& made, Device device);

}  // namespace crinkle
