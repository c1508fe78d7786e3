// SPDX-License-Identifier: BSD-3-Clause
#include "words/case_map.hpp"

#include <algorithm>

#include "command_line/command_line.hpp"
#include "words/wish.hpp"

namespace crinkle::tool {
namespace {

// Elements of 1, 2, 4 and 8 bytes are numbers, which have a byte order; others are bytes.
ElementType type_of(std::int64_t bytes) {
  const bool is_number = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  return element_type((is_number ? "u" : "V") + std::to_string(bytes), ErrorCode::bad_notation);
}

}  // namespace

bench::SpecMap map_of(const bench::Case& c) {
  try {
    Command line("", "");
    Wish wish;
    wish.add_to(line);
    give_words(line, c.words);
    wish.refuse_bit_planes("time");
    Wanted wanted = resolve(wish, Layout::dense(c.extents, c.element_bytes), type_of(c.element_bytes));
    const std::int64_t element_bytes = std::max(c.element_bytes, wanted.type.bytes);
    return {std::move(wanted.map), element_bytes};
  } catch (const Error& e) { throw bench::wrong_case(c.place, e.what()); }
}

}  // namespace crinkle::tool
