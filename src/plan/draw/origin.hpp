// Finds where every byte of a destination comes from: walks boxes unit by unit with places in the role of data, through both steps and all
// gathered entries. For pictures, which are small; a plan never does this.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crinkle/rearrangement.hpp"

namespace crinkle::planning {

/// A source byte, a byte of a fill, or nothing: a byte that no box writes.
struct Origin {
  enum class Kind : std::uint8_t { untouched, fill, source };
  Kind kind = Kind::untouched;
  std::int32_t slot = 0;
  std::int64_t byte = 0;  // from the source buffer's origin; of a fill, its value
  friend bool operator==(const Origin&, const Origin&) = default;
};

/// Byte offsets of a layout's elements in C order.
std::vector<std::int64_t> offsets_of(const Layout& layout);

/// Entry (slot · n_elements + i) · element_bytes + b is the origin of byte b of element i of destination `slot`.
/// Throws too_large where a destination or a workspace has more than 4 MiB.
std::vector<Origin> origins_of(const Rearrangement& r);

/// The same for whole elements: of data, `element` is the number of the source element in C order (the first of several in one place); of a
/// fill, its value in hexadecimal as the bytes lie.
struct ElementOrigin {
  Origin::Kind kind = Origin::Kind::untouched;
  std::int32_t slot = 0;
  std::int64_t element = 0;
  bool keeps_bytes = true;  // byte b is the source element's byte b
  std::string fill;
};

/// Groups of source.element_bytes origins as elements of `source`; nothing where a group mixes several.
std::optional<std::vector<ElementOrigin>> elements_of(const std::vector<Origin>& origins, const Layout& source);

}  // namespace crinkle::planning
