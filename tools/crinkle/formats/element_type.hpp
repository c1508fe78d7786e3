// The type of one element: NumPy's descr text kept as written, its bytes, and the scalar items it consists of (for byte swaps).
//     "<f4"   [('x', '<f4'), ('', '|V4'), ('y', '>i2', (3,))]   "float32"
// The text is parsed by a small strict reader of Python literals; nothing is ever evaluated.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "crinkle/error.hpp"

namespace crinkle::tool {

inline constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';

/// `count` items of `item_bytes` bytes, one behind the other, `offset` bytes into the element. A complex number is two items,
/// a string of n characters n items.
struct ItemPart {
  std::int64_t offset = 0;
  std::int64_t item_bytes = 1;
  std::int64_t count = 1;
  char order = '|';  // '<' or '>'; '|' where there is none (item_bytes 1, or raw bytes "V")

  friend bool operator==(const ItemPart&, const ItemPart&) = default;
};

struct ElementType {
  std::string descr;            // UTF-8; quotes around a plain type's code are not part of it: <f4
  std::int64_t bytes = 1;       // of one element, at least 1
  std::vector<ItemPart> parts;  // ascending, neighbours of one kind joined; they cover every byte
  std::string name;             // "float32", "datetime64[ns]", "S7", …; "" for structured types
  bool has_parts = true;        // false when there would be more than 65536 parts: the type moves, but its bytes cannot be swapped

  bool is_structured() const noexcept { return !descr.empty() && descr.front() == '['; }
};

/// The type that a descr code or a NumPy name means: "<f4", "f4", "float32", "complex128", "S7", "[('x', '<f4')]".
/// Throws bad_file for text that is no fixed-size type, objects included; unsupported for elements of no bytes. `as` is the code thrown
/// for text that is no type: bad_notation where a person typed it.
ElementType element_type(std::string_view descr_or_name, ErrorCode as = ErrorCode::bad_file);

/// The same type with every item that has a byte order in order '<' or '>'; the text changes only in those characters.
/// Throws unsupported when has_parts is false.
ElementType with_byte_order(const ElementType& type, char order);

/// "float32", or for structured types the descr: what a person is told.
std::string spelled(const ElementType& type);

}  // namespace crinkle::tool
