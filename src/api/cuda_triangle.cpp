// Conversions of triangles on a GPU. Left out of a build without CUDA (no_cuda.cpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "api/device_buffers.hpp"
#include "crinkle/triangle.hpp"
#include "simplex/triangle.hpp"

namespace crinkle {

void convert_triangle(const TriangleLayout& from, const TriangleLayout& to, ConstBuffer src, Buffer dst, Device device,
                      const Stream& stream) {
  check_conversion(from, to, src, dst);
  const gpu::OnDevice on(cuda_index(device, "a conversion of triangles"));
  if (to.bytes() == 0) return;
  const NamedAddress destination{dst.data, "the destination"};
  if (from.bytes() == 0) check_device_buffers({destination}, device.index, stream);
  else check_device_buffers({{src.data, "the source"}, destination}, device.index, stream);
  convert_cuda(from, to, static_cast<const std::byte*>(src.data), static_cast<std::byte*>(dst.data), stream.get());
}

}  // namespace crinkle
