// The oracle of the notation: a specification as lists of names, every name's extent, and for every name a table that says which index of
// the source's digit an index of the destination's digit reads (the verbs, worked out), or -1 for zeros.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "operations/naive.hpp"

namespace crinkle::testing {

using Names = std::vector<std::vector<std::string>>;  // per axis, its digits, slowest first

struct Wish {
  Names left, right;
  std::map<std::string, std::int64_t> sizes;                  // of all names, as the source has them
  std::map<std::string, std::vector<std::int64_t>> tables{};  // where a verb made it other than 0 … n−1
};

inline Array fulfilled(const Wish& wish, const Array& array) {
  std::vector<std::string> names;
  std::vector<std::vector<std::int64_t>> tables;
  Extents counts;
  for (const auto& [name, size] : wish.sizes) {
    std::vector<std::int64_t> table;
    for (std::int64_t i = 0; i < size; ++i) table.push_back(i);
    if (const auto given = wish.tables.find(name); given != wish.tables.end()) table = given->second;
    names.push_back(name);
    counts.push_back(static_cast<std::int64_t>(table.size()));
    tables.push_back(table);
  }
  const auto mixed = [&](const Names& side, const auto& value_of, const auto& extent_of) {
    Index index;
    for (const std::vector<std::string>& axis : side) {
      std::int64_t number = 0;
      for (const std::string& name : axis) {
        const auto k = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
        number = number * extent_of(k) + value_of(k);
      }
      index.push_back(number);
    }
    return index;
  };
  Extents extents;
  for (const std::vector<std::string>& axis : wish.right) {
    extents.push_back(1);
    for (const std::string& name : axis)
      extents.back() *= counts[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())];
  }
  Array result = filled(extents, array.element_bytes, std::byte{0});
  for_each_index(counts, [&](const Index& choice) {
    bool is_fill = false;
    const Index from = mixed(
        wish.left,
        [&](std::size_t k) {
          const std::int64_t i = tables[k][static_cast<std::size_t>(choice[k])];
          is_fill = is_fill || i < 0;
          return i;
        },
        [&](std::size_t k) { return wish.sizes.at(names[k]); });
    const Index to = mixed(wish.right, [&](std::size_t k) { return choice[k]; }, [&](std::size_t k) { return counts[k]; });
    if (!is_fill) result.set(to, array.element(from));
  });
  return result;
}

}  // namespace crinkle::testing
