// The notation's tree, parser and printer (a superset of einops):
//     side := item*        item := name | name ':' size | integer | '(' item* ')' | '...'        name := [A-Za-z_][A-Za-z0-9_]*
//     spec := side '->' side
// Axes are listed slowest first. The parser decides what can be decided from the text alone; bind.hpp gives it a meaning
// against extents. parse_spec(print(s)) == s for every spec, and print(parse_spec(t)) is t in canonical spacing.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/caret.hpp"

namespace crinkle {

struct Item {
  enum class Kind : std::uint8_t { name, integer, ellipsis, group };

  Kind kind = Kind::name;
  std::string name;          // only of a name
  std::int64_t extent = -1;  // `name:16` or the integer, 1 included; −1 when not given
  std::vector<Item> items;   // only of a group; empty for `()`
  std::size_t column = 0;    // bytes into Spec::text
  std::size_t length = 0;    // bytes

  /// The same item wherever it stands: column and length are not compared.
  friend bool operator==(const Item& a, const Item& b) {
    return a.kind == b.kind && a.name == b.name && a.extent == b.extent && a.items == b.items;
  }
};

struct Spec {
  std::string text;               // as written, for errors that point into it
  std::vector<Item> left, right;  // slowest first

  friend bool operator==(const Spec& a, const Spec& b) { return a.left == b.left && a.right == b.right; }
};

/// The most levels of parentheses in a spec.
inline constexpr int max_nesting = 32;

/// Throws bad_notation, or too_large for a size beyond 63 bits, with a caret under the place.
Spec parse_spec(std::string_view text);

/// "z y (x 2) -> 2 z y x": one space between items, none inside parentheses' ends.
std::string print(const Spec& spec);
std::string print(const Item& item);

}  // namespace crinkle
