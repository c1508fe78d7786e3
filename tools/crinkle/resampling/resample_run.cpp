// SPDX-License-Identifier: BSD-3-Clause
#include "resampling/resample_run.hpp"

#include "running/through_device.hpp"

namespace crinkle::tool {

bool may_go_beyond(const ResampleOptions& options, bool is_of_another_type) {
  return is_of_another_type || options.by == "cubic" || options.by == "spline" || !options.words.boundary.empty();
}

void resample_on(Device device, Resampling r, ConstBuffer from, Buffer to, Executor& executor) {
  if (device.kind == Device::Kind::cpu) return resample(r, from, to, executor);
  DeviceMemory coordinates;
  if (auto* field = std::get_if<CoordinateField>(&r.map)) {
    coordinates = DeviceMemory(device, field->data.bytes);
    copy_bytes(field->data, coordinates);
    field->data = coordinates;
  }
  through_device(device, from, to, [&](ConstBuffer in, Buffer out, const Stream& stream) { resample(r, in, out, device, stream); });
}

}  // namespace crinkle::tool
