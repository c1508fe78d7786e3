// Conversions of triangles on a GPU. Left out of a build without CUDA (no_cuda.cpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/error.hpp"
#include "crinkle/triangle.hpp"
#include "cuda/runtime.hpp"
#include "simplex/triangle.hpp"

namespace crinkle {

void convert_triangle(const TriangleLayout& from, const TriangleLayout& to, ConstBuffer src, Buffer dst, Device device,
                      const Stream& stream) {
  check_conversion(from, to, src, dst);
  if (device.kind != Device::Kind::cuda)
    throw Error(ErrorCode::device, "a conversion on the CPU does not run on a stream; give cuda(n), or an executor");
  static_cast<void>(cuda(device.index));
  const gpu::OnDevice on(device.index);
  if (!gpu::is_capturing(stream.get())) {
    if (from.bytes() > 0) gpu::check_pointer(src.data, device.index, "the source");
    if (to.bytes() > 0) gpu::check_pointer(dst.data, device.index, "the destination");
    if (stream.get() != nullptr) gpu::check_stream(stream.get(), device.index);
  }
  convert_cuda(from, to, static_cast<const std::byte*>(src.data), static_cast<std::byte*>(dst.data), stream.get());
}

}  // namespace crinkle
