// SPDX-License-Identifier: BSD-3-Clause
#include "form/array_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked.hpp"
#include "base/values.hpp"
#include "crinkle/error.hpp"

namespace crinkle {
ByteSpan bytes_touched_by(const Layout& layout) {
  ByteSpan span{layout.offset, add(layout.offset, layout.element_bytes)};
  for (std::size_t a = 0; a < layout.extents.size(); ++a) {
    if (layout.extents[a] == 0) return {};
    const std::int64_t far = multiply(layout.extents[a] - 1, layout.strides[a]);
    (far < 0 ? span.first : span.last) = add(far < 0 ? span.first : span.last, far);
  }
  return span;
}

void check_array(const Layout& layout, NumberType type, const char* what) {
  const auto refused = [](const std::string& text) { return Error(ErrorCode::bad_shape, text); };
  if (layout.strides.size() != layout.extents.size())
    throw refused(fmt::format("the {} has {} strides for {} extents", what, layout.strides.size(), layout.extents.size()));
  if (layout.element_bytes != bytes_of(type.number)) {
    throw refused(fmt::format("the {} has elements of {} byte{}, and {} has {}", what, layout.element_bytes,
                              layout.element_bytes == 1 ? "" : "s", name_of(type.number), bytes_of(type.number)));
  }
  for (const std::int64_t n : layout.extents)
    if (n < 0) throw refused(fmt::format("the {} has an extent of {}; extents are 0 or more", what, n));
  layout.n_bytes();
  bytes_touched_by(layout);
}

void check_room(const Layout& layout, ConstBuffer buffer, const char* what, const char* toucher) {
  check_values(buffer, ValueForm::numbers(layout.element_bytes), what, toucher);
  const ByteSpan range = bytes_touched_by(layout);
  const std::int64_t there = buffer.data == nullptr ? 0 : buffer.bytes;
  if (range.first < range.last && (range.first < 0 || range.last > there)) {
    throw Error(ErrorCode::bad_shape,
                fmt::format("the {} has {} bytes; {} touches bytes {} to {}", what, there, toucher, range.first, range.last));
  }
}

void check_apart(const Layout& source, ConstBuffer from, const Layout& destination, ConstBuffer to) {
  const ByteSpan in = bytes_touched_by(source), out = bytes_touched_by(destination);
  const auto begin = [](const void* p, std::int64_t at) { return reinterpret_cast<std::uintptr_t>(p) + static_cast<std::uintptr_t>(at); };
  const auto a0 = begin(from.data, in.first), a1 = begin(from.data, in.last);
  const auto b0 = begin(to.data, out.first), b1 = begin(to.data, out.last);
  if (in.first < in.last && out.first < out.last && a0 < b1 && b0 < a1) {
    throw Error(ErrorCode::overlap, fmt::format("the source and the destination share {} bytes; give the destination memory of its own",
                                                std::min(a1, b1) - std::max(a0, b0)));
  }
}

}  // namespace crinkle
