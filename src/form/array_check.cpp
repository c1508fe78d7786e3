// SPDX-License-Identifier: BSD-3-Clause
#include "form/array_check.hpp"

#include <fmt/format.h>

#include "base/checked.hpp"
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

}  // namespace crinkle
