// What the executor needs of the CUDA runtime, without its headers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "crinkle/cuda.hpp"

namespace crinkle::gpu {

/// Makes a device the calling thread's own for as long as it lives.
class OnDevice {
 public:
  explicit OnDevice(int device);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0, device_ = 0;
};

/// Throws device unless memory at `data` can be reached by the device. `what` names the buffer.
void check_pointer(const void* data, int device, const std::string& what);

/// Throws device unless the stream is one of the device's.
void check_stream(CUstream_st* stream, int device);

/// Whether what is given to the stream is being captured into a graph.
bool is_capturing(CUstream_st* stream);

/// Raises the shared memory that a kernel may be given. Requires the device to be the thread's own.
void allow_shared_bytes(const void* kernel, std::int64_t bytes);

/// Gives one launch to a stream. `what` is put into the error.
struct Grid {
  std::uint32_t blocks = 1, threads = 1;
  std::int64_t shared_bytes = 0;
};
void launch(const void* kernel, const Grid& grid, void** arguments, CUstream_st* stream, const char* what);

}  // namespace crinkle::gpu
