// Devices, buffers and streams of work that has no plan. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <initializer_list>
#include <string>

#include "crinkle/error.hpp"
#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"

namespace crinkle::gpu {

/// The number of a CUDA device that is there. Throws device for the CPU, and what cuda() throws; a build without CUDA unsupported for both.
inline int cuda_index(Device device, const std::string& what) {
  check_built(device);
  if (device.kind != Device::Kind::cuda)
    throw Error(ErrorCode::device, what + " on the CPU does not run in a GPU's memory; give cuda(n), or an executor");
  return cuda(device.index).index;
}

struct NamedAddress {
  const void* data;
  const char* what;
};

/// Throws device where memory cannot be reached by the device, or the stream is of another one. Asks nothing while the stream is captured.
inline void check_device_buffers(std::initializer_list<NamedAddress> buffers, int device, const Stream& stream) {
  if (is_capturing(stream.get())) return;
  for (const NamedAddress& b : buffers) check_pointer(b.data, device, b.what);
  check_stream(stream.get(), device);
}

}  // namespace crinkle::gpu
