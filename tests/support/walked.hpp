// Shared memory on a CPU: for every unit in it the source address it came from.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tile/frame.hpp"

namespace crinkle::testing {

/// Where one unit lies. A fill has no source: its slot is `filled`.
struct Unit {
  std::int64_t address = 0;
  std::int32_t slot = 0;
  friend bool operator==(const Unit&, const Unit&) = default;
};
inline constexpr std::int32_t filled = -1;
inline constexpr std::int32_t unwritten = -2;

/// What a walk found wrong, empty if nothing.
using Fault = std::string;

/// A source span that aligned vectors must not leave, in bytes.
struct Span {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

namespace detail {

class Shared {
 public:
  Shared(std::int32_t bytes, std::int32_t unit) : unit_(unit), cells_(static_cast<std::size_t>(bytes / unit), Unit{0, unwritten}) {}

  bool put(std::int32_t byte, const Unit& value) {
    if (byte < 0 || byte % unit_ != 0 || static_cast<std::size_t>(byte / unit_) >= cells_.size()) return false;
    cells_[static_cast<std::size_t>(byte / unit_)] = value;
    return true;
  }
  Unit get(std::int32_t byte) const {
    if (byte < 0 || byte % unit_ != 0 || static_cast<std::size_t>(byte / unit_) >= cells_.size()) return {0, unwritten};
    return cells_[static_cast<std::size_t>(byte / unit_)];
  }

 private:
  std::int32_t unit_;
  std::vector<Unit> cells_;
};

/// What a kernel prepares once per block.
inline std::vector<tile::Place> table_of(const tile::Digits& rows, std::int32_t n) {
  std::vector<tile::Place> table;
  for (std::int32_t r = 0; r < n; ++r) table.push_back(rows.at(static_cast<std::uint32_t>(r)));
  return table;
}

}  // namespace detail

}  // namespace crinkle::testing
