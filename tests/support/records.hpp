// The oracle for record layouts: a file written group by group, block by block, run by run, as one would write it by hand. Nothing here
// asks the library where a field lies.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "crinkle/record_layout.hpp"

namespace crinkle::testing {

using Bytes = std::vector<std::byte>;

/// Byte k of the field of that name in record i.
inline std::byte value_of(const std::string& field, std::int64_t i, std::int64_t k) {
  std::uint64_t x = static_cast<std::uint64_t>(i * 131 + k) * 0x9E3779B97F4A7C15u;
  for (const char c : field) x = (x ^ static_cast<unsigned char>(c)) * 0xD6E8FEB86659FD93u;
  return static_cast<std::byte>(x >> 40);
}

/// The groups of n records, each in an array of its own; what lies between is `between`. Of a field that `has` says no to, too.
template <class Has>
std::vector<Bytes> written_apart(const RecordLayout& layout, const Fields& fields, std::int64_t n, std::byte between, bool is_swapped,
                                 const Has& has) {
  std::vector<Bytes> arrays;
  for (const FieldGroup& group : layout.groups()) {
    std::vector<const Field*> of_group;
    for (const std::string& name : group.fields)
      for (const Field& f : fields)
        if (f.name == name) of_group.push_back(&f);
    const auto up = [](std::int64_t at, std::int64_t to) { return (at + to - 1) / to * to; };
    Bytes bytes;
    for (std::int64_t first = 0; first < n; first += group.block) {
      const std::int64_t r = std::min(group.block, n - first);
      const std::size_t block_begin = bytes.size();
      std::int64_t at = 0;
      for (const Field* f : of_group) {
        std::int64_t aligned = 1;
        while (aligned < 16 && f->item_bytes % (2 * aligned) == 0) aligned *= 2;
        at = up(at, std::min(aligned, group.alignment));
        bytes.resize(block_begin + static_cast<std::size_t>(r * at), between);
        const std::int64_t e = f->item_bytes * f->n_items;
        for (std::int64_t i = first; i < first + r; ++i)
          for (std::int64_t k = 0; k < e; ++k) {
            const std::int64_t item = k / f->item_bytes, in_item = k % f->item_bytes;
            const std::int64_t from = is_swapped ? item * f->item_bytes + f->item_bytes - 1 - in_item : k;
            bytes.push_back(has(*f) ? value_of(f->name, i, from) : between);
          }
        at += e;
      }
      bytes.resize(block_begin + static_cast<std::size_t>(r * up(at, group.alignment)), between);
    }
    arrays.push_back(std::move(bytes));
  }
  return arrays;
}

inline std::vector<Bytes> written_apart(const RecordLayout& layout, const Fields& fields, std::int64_t n, std::byte between) {
  return written_apart(layout, fields, n, between, false, [](const Field&) { return true; });
}

/// The same in one array.
inline Bytes joined(const RecordLayout& layout, const std::vector<Bytes>& groups, std::byte between) {
  Bytes all;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto alignment = static_cast<std::size_t>(layout.groups()[g].alignment);
    all.resize((all.size() + alignment - 1) / alignment * alignment, between);
    all.insert(all.end(), groups[g].begin(), groups[g].end());
  }
  return all;
}

/// Layouts of any fields: of all kinds, more than a dozen.
inline std::vector<std::string> layouts_of(const Fields& fields) {
  const auto list = [&](std::size_t first, std::size_t last, bool is_reversed = false) {
    std::string text;
    for (std::size_t k = first; k < last; ++k) text += (k > first ? " " : "") + fields[is_reversed ? last - 1 - k + first : k].name;
    return '(' + text + ')';
  };
  const auto each = [&](const std::string& tail) {
    std::string text;
    for (const Field& f : fields) text += (text.empty() ? "" : "|") + f.name + tail;
    return text;
  };
  const std::size_t n = fields.size(), half = (n + 1) / 2;
  const std::string low = list(0, half), high = half < n ? list(half, n) : "";
  const auto both = [&](const std::string& a, const std::string& b) { return high.empty() ? low + a : low + a + '|' + high + b; };
  const std::string all = list(0, n), turned = list(0, n, true);
  return {all,        all + "@16",    each(""),          both("@16", "@16"), both("@16", ""),
          all + "*8", all + "*7@8",   all + "*1000",     both("*4", "*8@4"), both("*3", ""),
          turned,     turned + "*12", both("@64", "@2"), each("@32"),        each("*5"),
          all + "*6", all + "@4",     both("@8", "*16")};
}

}  // namespace crinkle::testing
