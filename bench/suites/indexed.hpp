// Gather and scatter as a person would write them: a loop over an index array, by words where the elements are words. It is what the moves
// are checked against and measured beside.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "crinkle/executor.hpp"
#include "crinkle/rearrangement.hpp"
#include "harness/site.hpp"
#include "suites/cases.hpp"

namespace crinkle::bench {

struct Indexed {
  /// Gather: as many indices as the axis is long, drawn independently. Scatter: one of 2j and 2j + 1 for every j, into an axis twice as
  /// long. Sorted, or in random order.
  Indexed(const Case& c, std::uint64_t seed);

  std::vector<std::int64_t> indices;
  bool is_gather;
  std::int64_t src_extent, dst_extent = 0;  // of the axis
  std::int64_t n_outer = 1;                 // product of the slower extents
  std::int64_t inner_bytes = 1;             // of the faster axes, one element at least

  /// dst[o, j, …] = src[o, indices[j], …] or dst[o, indices[j], …] = src[o, j, …], the j shared among the workers.
  void run(const std::byte* src, std::byte* dst, Executor& executor) const;

  /// The first byte of dst that is not what run() makes of a destination that was as `before`, or −1. Bytes that no index names are
  /// compared, too: they stay as they were.
  std::int64_t first_wrong(const std::byte* src, std::vector<std::byte> before, const std::byte* dst, Executor& executor) const;
};

/// The same as a rearrangement of the case's array.
Rearrangement indexed_map(const Case& c, const Indexed& indexed);

/// Its run on the site, on all workers or by a kernel of a thread a word.
RunMove indexed_loop(std::shared_ptr<const Indexed> indexed, std::int64_t element_bytes, Site& site);

/// The first of n bytes that differs, or −1.
std::int64_t first_difference(const std::byte* a, const std::byte* b, std::int64_t n);

}  // namespace crinkle::bench
