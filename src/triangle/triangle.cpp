// Conversions of triangles: what is checked, and who does them, a CPU or a device.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/triangle.hpp"

#include "cuda/device_buffers.hpp"
#include "cuda/entry.hpp"
#include "triangle/triangle.hpp"

namespace crinkle {

void convert_triangle(const TriangleLayout& from, const TriangleLayout& to, ConstBuffer src, Buffer dst, Executor& executor) {
  check_conversion(from, to, src, dst);
  convert_cpu(from, to, static_cast<const std::byte*>(src.data), static_cast<std::byte*>(dst.data), executor);
}

void convert_triangle(const TriangleLayout& from, const TriangleLayout& to, ConstBuffer src, Buffer dst, Device device,
                      const Stream& stream) {
  gpu::check_built(device);
  check_conversion(from, to, src, dst);
  const gpu::OnDevice on(gpu::cuda_index(device, "a conversion of triangles"));
  if (to.bytes() == 0) return;
  const gpu::NamedAddress destination{dst.data, "the destination"};
  if (from.bytes() == 0) gpu::check_device_buffers({destination}, device.index, stream);
  else gpu::check_device_buffers({{src.data, "the source"}, destination}, device.index, stream);
  gpu::entry<convert_cuda>(from, to, static_cast<const std::byte*>(src.data), static_cast<std::byte*>(dst.data), stream.get());
}

}  // namespace crinkle
