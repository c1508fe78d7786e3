// Arrays of files through a GPU's memory: up, whatever is given to a stream, down again.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/cuda.hpp"

namespace crinkle::tool {

/// give(in, out, stream) makes `out` of `in`, both of the device; what it takes beside them has to last until this returns.
template <class Give>
void through_device(Device device, ConstBuffer src, Buffer dst, Give&& give) {
  const DeviceMemory in(device, src.bytes), out(device, dst.bytes);
  copy_bytes(src, in);
  const Stream stream(device);
  give(ConstBuffer(in), Buffer(out), stream);
  stream.synchronize();
  copy_bytes(out, dst);
}

}  // namespace crinkle::tool
