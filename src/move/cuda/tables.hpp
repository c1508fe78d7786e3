// Tables that a step of a GPU looks up: they lie one behind the other in one piece of memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace crinkle {

/// Appends a table from a multiple of 16 bytes on; returns where it lies.
template <class T>
std::int64_t append_table(const std::vector<T>& items, std::vector<std::byte>& tables) {
  const std::size_t at = (tables.size() + 15) / 16 * 16;
  tables.resize(at + items.size() * sizeof(T));
  if (!items.empty()) std::memcpy(tables.data() + at, items.data(), items.size() * sizeof(T));
  return static_cast<std::int64_t>(at);
}

}  // namespace crinkle
