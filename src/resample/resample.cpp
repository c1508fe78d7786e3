// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/resample.hpp"

#include "cuda/device_buffers.hpp"

namespace crinkle {

void resample(const Resampling& resampling, ConstBuffer source, Buffer destination, Executor& executor) {
  plan(resampling).run({source}, {destination}, executor);
}

void resample(const Resampling& resampling, ConstBuffer source, Buffer destination, Device device, const Stream& stream) {
  device.index = gpu::cuda_index(device, "resampling");
  plan(resampling, device).run({source}, {destination}, stream);
}

}  // namespace crinkle
