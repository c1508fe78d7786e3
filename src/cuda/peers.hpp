// Copies between the memories of devices by no kernel, where the driver has another way.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cuda/runtime.hpp"

namespace crinkle::gpu {

/// Rows of so many bytes, their pitches apart.
struct Rows {
  const void* from = nullptr;
  void* to = nullptr;
  std::int64_t bytes = 0, n = 1, from_pitch = 0, to_pitch = 0;  // of several rows below 2^31
};

/// From one device's memory to another one's, given to a stream of either.
void copy_rows_between_devices(const Rows& rows, CUstream_st* stream);

}  // namespace crinkle::gpu
