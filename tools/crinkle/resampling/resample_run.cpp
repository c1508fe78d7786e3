// SPDX-License-Identifier: BSD-3-Clause
#include "resampling/resample_run.hpp"

#include <cstdint>
#include <utility>

namespace crinkle::tool {

bool may_go_beyond(const ResampleOptions& options, bool is_of_another_type) {
  return is_of_another_type || options.by == "cubic" || options.by == "spline" || !options.words.boundary.empty();
}

Resampling CoordinateOnDevice::on(Device device, Resampling r) {
  auto* const field = std::get_if<CoordinateField>(&r.map);
  if (device.kind == Device::Kind::cpu || field == nullptr) return r;
  memory_ = DeviceMemory(device, field->data.bytes);
  copy_bytes(field->data, memory_);
  field->data = memory_;
  return r;
}

void resample_on(Device device, Resampling r, ConstBuffer from, Buffer to, Executor& executor) {
  CoordinateOnDevice coordinates;
  run_in_parts(plan(coordinates.on(device, std::move(r)), device), {&from, 1}, {&to, 1}, executor, {.memory_bytes = INT64_MAX});
}

}  // namespace crinkle::tool
