// An index array as the CPU reads it. Its memory is read beside the data it moves, so it is kept short: nothing for a side whose entries
// are evenly spaced (a gather's destination, a scatter's source), otherwise four bytes an entry wherever those reach.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crinkle/rearrangement.hpp"

namespace crinkle {

/// Entry j lies at one of
///     first + j·step                                   even
///     first + narrow[j]·2^shift                        narrow
///     wide[j]                                          wide
struct EntryOffsets {
  enum class Kind { even, narrow, wide };

  Kind kind = Kind::even;
  std::int64_t first = 0, step = 0;  // bytes
  int shift = 0;
  std::vector<std::uint32_t> narrow;
  std::vector<std::int64_t> wide;

  std::int64_t operator[](std::int64_t j) const {
    const auto k = static_cast<std::size_t>(j);
    if (kind == Kind::even) return first + j * step;
    return kind == Kind::wide ? wide[k] : first + (static_cast<std::int64_t>(narrow[k]) << shift);
  }
};

/// Ensures: offsets_of(all)[j] = all[j], in the shortest kind that holds them.
EntryOffsets offsets_of(std::span<const std::int64_t> all);

/// An axis given by tables, made ready for the CPU: entry j is read at src[j] and written at dst[j], or is one of the fills.
struct EntryTable {
  std::int64_t n_entries = 0;
  EntryOffsets src, dst;
  std::vector<std::int32_t> fills;  // empty when no entry is fill; otherwise one per entry, -1 for data

  std::int32_t fill(std::int64_t j) const { return fills.empty() ? -1 : fills[static_cast<std::size_t>(j)]; }
};

/// Ensures: never one side narrow and the other wide.
std::vector<EntryTable> tables_of(std::span<const GatherAxis> axes);

}  // namespace crinkle
