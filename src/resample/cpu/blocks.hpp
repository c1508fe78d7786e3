// How a result that is made axis by axis is cut. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "base/checked.hpp"
#include "base/loops.hpp"
#include "base/sizes.hpp"
#include "crinkle/executor.hpp"
#include "resample/form.hpp"

namespace crinkle::resampling {

inline constexpr std::int64_t numbers_of_a_line = 2048, longest_line = 16384;  // lines and the row they are made of fit a second cache

/// Blocks of columns and of the elements beside them, what lies outside, rows. The last number is the fastest.
struct Blocks {
  std::array<Loop, 2 * most_form_axes> outer = {};
  std::size_t n_outer = 0;
  Loop beside;  // the elements of a column
  std::int64_t width = 1, n_columns = 1;
  std::int64_t n_widths = 1, n_blocks = 1, n_outers = 1, n_rows = 1;

  explicit Blocks(const Form& form) {
    const int last = form.map.n_out - 1;
    for (int b = 0; b < form.n_outer; ++b) outer[n_outer++] = form.outer[b];
    for (int b = 0; b + 1 < form.n_near; ++b) outer[n_outer++] = form.near[b];
    if (form.n_near > 0) beside = form.near[form.n_near - 1];
    for (std::size_t b = 0; b < n_outer; ++b) n_outers = multiply(n_outers, outer[b].extent);
    for (int b = 0; b < last; ++b) n_rows = multiply(n_rows, form.out[b].extent);
    width = std::clamp<std::int64_t>(beside.extent, 1, numbers_of_a_line);
    n_widths = ceil_divide(beside.extent, width);
    const std::int64_t columns = form.out[last].extent;
    const bool is_one = columns <= longest_line / width;
    n_columns = is_one ? std::max<std::int64_t>(columns, 1) : std::max<std::int64_t>(1, numbers_of_a_line / width);
    n_blocks = ceil_divide(columns, n_columns);
  }
  /// The same with other blocks of columns.
  void set_columns(std::int64_t columns, std::int64_t each) {
    n_columns = each;
    n_blocks = ceil_divide(columns, each);
  }
  std::int64_t n_units() const { return multiply(multiply(n_blocks, n_widths), multiply(n_outers, n_rows)); }
};

/// The way of a thread through units: into blocks of columns, what lies outside them, row by row.
class BlockWalk {
 public:
  BlockWalk(const Form& form, const Blocks& blocks, const std::byte* in, std::byte* out)
      : form_(form), blocks_(blocks), in_(in), out_(out) {}

  /// The source's first element of the block's columns.
  const std::byte* in() const { return in_at_; }

  /// For units [first, end): set_block(its first column, columns, numbers of each) in a new block, set_outer() in a new place outside, and
  /// make_row(its index in the result, where its columns of the block are) for every row.
  template <class SetBlock, class SetOuter, class MakeRow>
  void run(std::int64_t first, std::int64_t end, const SetBlock& set_block, const SetOuter& set_outer, const MakeRow& make_row) {
    std::int64_t block_was = -1, above_was = -1, block_in = 0, block_out = 0;
    std::byte* out_at = nullptr;
    const std::size_t last = static_cast<std::size_t>(form_.map.n_out - 1);
    for (std::int64_t unit = first; unit < end; ++unit) {
      const std::int64_t row = unit % blocks_.n_rows, above = unit / blocks_.n_rows, block = above / blocks_.n_outers;
      if (block != std::exchange(block_was, block)) {
        const std::int64_t begin = block / blocks_.n_widths * blocks_.n_columns, from = block % blocks_.n_widths * blocks_.width;
        block_in = from * blocks_.beside.in;
        block_out = from * blocks_.beside.out + begin * form_.out[last].out;
        set_block(begin, std::min(blocks_.n_columns, form_.out[last].extent - begin),
                  std::min(blocks_.width, blocks_.beside.extent - from));
      }
      if (above != std::exchange(above_was, above)) {
        const LoopPlace place = place_in(blocks_.outer.data(), blocks_.n_outer, above % blocks_.n_outers);
        in_at_ = in_ + place.in + block_in;
        out_at = out_ + place.out + block_out;
        set_outer();
      }
      std::int64_t p[most_form_axes] = {}, to = 0;
      split_index(
          row, last, [&](std::size_t b) { return form_.out[b].extent; },
          [&](std::size_t b, std::int64_t i) {
            p[b] = i;
            to += i * form_.out[b].out;
          });
      make_row(p, out_at + to);
    }
  }

 private:
  const Form& form_;
  const Blocks& blocks_;
  const std::byte* in_;
  std::byte* out_;
  const std::byte* in_at_ = nullptr;
};

inline constexpr std::int64_t chunks_of_a_thread = 2, least_numbers_of_a_chunk = std::int64_t{1} << 15;

/// Calls body(first, end) for ranges of the units, a thread's share in two, so that what a range makes anew at its begin is little.
template <class Body>
void in_chunks(std::int64_t n_units, double numbers, Executor& executor, const Body& body) {
  if (n_units == 0) return;
  const auto most = static_cast<std::int64_t>(std::min(numbers / static_cast<double>(least_numbers_of_a_chunk), 0x1p40)) + 1;
  const std::int64_t n_chunks = executor.n_workers() == 1 ? 1 : std::min({n_units, executor.n_workers() * chunks_of_a_thread, most});
  const auto chunk = [&](std::int64_t c) { body(part_begin(n_units, n_chunks, c), part_begin(n_units, n_chunks, c + 1)); };
  executor.parallel_for(n_chunks, std::cref(chunk));  // of one pointer: nothing is allocated
}

}  // namespace crinkle::resampling
