// The tile of a small move: all boxes of a step in one launch, one unit a thread and step. What a thread needs to find its place is a
// parameter of the launch, so none waits for a table, for another thread or for shared memory:
//     unit k of the step lies in the first part that ends behind it,   src = src_offset + Σ src_a · i_a,   dst likewise,
// the indices i_a of k − (end of the part before), the destination's fastest axis first.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/detail/hd.hpp"

namespace crinkle::tile {

struct SmallTile {
  static constexpr std::int32_t threads = 256, most_each = 4, most_parts = 8, most_digits = 4;

  struct Digit {
    Divisor<std::uint32_t> extent;
    std::int32_t src = 0, dst = 0;  // bytes
  };
  /// A box.
  struct Part {
    std::int64_t src_offset = 0, dst_offset = 0;  // bytes
    std::int32_t n_digits = 0;
    Array<Digit, most_digits> digit = {};
  };

  std::int32_t unit = 1;  // bytes
  std::int32_t each = 1;  // units of a thread, `threads` apart: 1 or most_each
  std::int32_t n_parts = 0;
  std::uint32_t n_units = 0, n_blocks = 0;
  Array<std::uint32_t, most_parts> end = {};  // of each part's units, among all: beside each other, so that they come in one line
  Array<Part, most_parts> part = {};

  CRINKLE_HD static constexpr std::int32_t shared_bytes() { return 0; }

  struct Place {
    std::int64_t src = 0, dst = 0;
  };
  /// Unit e of a thread; there is none from n_units on.
  template <int n_each>
  CRINKLE_HD constexpr std::uint32_t number(std::uint32_t block, std::int32_t thread, std::int32_t e) const {
    return block * static_cast<std::uint32_t>(threads * n_each) + static_cast<std::uint32_t>(e * threads + thread);
  }
  CRINKLE_HD constexpr Place place(std::uint32_t k) const {
    int p = 0;
    std::uint32_t begin = 0;
    for (; p + 1 < n_parts && k >= end[p]; ++p) begin = end[p];
    const Part& in = part[p];
    k -= begin;
    Place at{in.src_offset, in.dst_offset};
    CRINKLE_UNROLL
    for (int a = 0; a < most_digits; ++a) {
      if (a >= in.n_digits) break;
      std::uint32_t i = k;
      if (a + 1 < in.n_digits) {
        const Division<std::uint32_t> split = in.digit[a].extent.divide(k);
        k = split.quotient;
        i = split.remainder;
      }
      at.src += static_cast<std::int64_t>(i) * in.digit[a].src;
      at.dst += static_cast<std::int64_t>(i) * in.digit[a].dst;
    }
    return at;
  }
};

}  // namespace crinkle::tile
