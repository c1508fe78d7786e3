// What is checked before a conversion writes anything.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "base/values.hpp"
#include "crinkle/error.hpp"
#include "triangle/triangle.hpp"

namespace crinkle {
namespace {

void check_buffer(const char* side, const TriangleLayout& layout, const void* data, std::int64_t bytes) {
  const std::int64_t needed = layout.bytes(), there = data == nullptr ? 0 : bytes;
  if (there >= needed) return;
  throw Error(ErrorCode::bad_shape, std::string("the ") + side + " has " + std::to_string(there) + " bytes; " + layout.print() + " of " +
                                        std::to_string(layout.n) + " rows needs " + std::to_string(needed));
}

}  // namespace

void check_conversion(const TriangleLayout& from, const TriangleLayout& to, ConstBuffer src, Buffer dst) {
  from.check();
  to.check();
  if (from.n != to.n) {
    throw Error(ErrorCode::bad_shape,
                "from " + std::to_string(from.n) + " rows to " + std::to_string(to.n) + "; a conversion keeps the triangle's size");
  }
  if (from.element_bytes != to.element_bytes) {
    throw Error(ErrorCode::bad_shape, "elements of " + std::to_string(from.element_bytes) + " bytes to elements of " +
                                          std::to_string(to.element_bytes) + "; a conversion keeps the element");
  }
  const ValueForm elements{from.element_bytes, from.element_bytes % 2 == 0 ? from.element_bytes / 2 : 0};
  check_values(src, elements, "source", "the triangle");
  check_values(dst, elements, "destination", "the triangle");
  check_buffer("source", from, src.data, src.bytes);
  check_buffer("destination", to, dst.data, dst.bytes);
  const auto first = reinterpret_cast<std::uintptr_t>(src.data), second = reinterpret_cast<std::uintptr_t>(dst.data);
  const std::uintptr_t first_end = first + static_cast<std::uintptr_t>(from.bytes()),
                       second_end = second + static_cast<std::uintptr_t>(to.bytes());
  if (first >= second_end || second >= first_end || from.bytes() == 0 || to.bytes() == 0) return;
  throw Error(ErrorCode::overlap, "source and destination share " +
                                      std::to_string(std::min(first_end, second_end) - std::max(first, second)) +
                                      " bytes; a conversion of triangles needs them apart");
}

}  // namespace crinkle
