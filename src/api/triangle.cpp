// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/triangle.hpp"

#include "simplex/triangle.hpp"

namespace crinkle {

void convert_triangle(const TriangleLayout& from, const TriangleLayout& to, ConstBuffer src, Buffer dst, Executor& executor) {
  check_conversion(from, to, src, dst);
  convert_cpu(from, to, static_cast<const std::byte*>(src.data), static_cast<std::byte*>(dst.data), executor);
}

}  // namespace crinkle
