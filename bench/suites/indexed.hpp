// Gather and scatter as a person would write them: a loop over an index array, by words where the elements are words. It is what the moves
// are checked against and measured beside.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "crinkle/executor.hpp"
#include "suites/cases.hpp"

namespace crinkle::bench {

struct Indexed {
  /// Gather: as many indices as the axis is long, drawn independently. Scatter: one of 2j and 2j + 1 for every j, into an axis twice as
  /// long. Sorted, or in random order.
  Indexed(const Case& c, std::uint64_t seed);

  std::vector<std::int64_t> indices;
  std::int64_t dst_extent = 0;  // of the axis

  /// dst[o, j, …] = src[o, indices[j], …] or dst[o, indices[j], …] = src[o, j, …], the j shared among the workers.
  void run(const std::byte* src, std::byte* dst, Executor& executor) const;

 private:
  bool is_gather_;
  std::int64_t n_outer_ = 1;      // product of the slower extents
  std::int64_t inner_bytes_ = 1;  // of the faster axes, one element at least
  std::int64_t src_extent_;
};

}  // namespace crinkle::bench
