// SPDX-License-Identifier: BSD-3-Clause
#include "suites/indexed.hpp"

#include <algorithm>
#include <cstring>

#include "suites/random.hpp"

namespace crinkle::bench {
namespace {

// Entries [first, last) of one slower index. A width of 0 is any width.
template <std::int64_t width>
void move_entries(const std::int64_t* indices, std::int64_t first, std::int64_t last, std::int64_t inner_bytes, bool is_gather,
                  const std::byte* src, std::byte* dst) {
  const std::int64_t n = width == 0 ? inner_bytes : width;
  const auto bytes = static_cast<std::size_t>(n);
  if (is_gather) {
    for (std::int64_t j = first; j < last; ++j) std::memcpy(dst + j * n, src + indices[j] * n, bytes);
  } else {
    for (std::int64_t j = first; j < last; ++j) std::memcpy(dst + indices[j] * n, src + j * n, bytes);
  }
}

auto mover_of(std::int64_t inner_bytes) {
  switch (inner_bytes) {
    case 1: return move_entries<1>;
    case 2: return move_entries<2>;
    case 4: return move_entries<4>;
    case 8: return move_entries<8>;
    case 16: return move_entries<16>;
    default: return move_entries<0>;
  }
}

}  // namespace

Indexed::Indexed(const Case& c, std::uint64_t seed)
    : is_gather_(c.kind == Case::Kind::gather), inner_bytes_(c.element_bytes), src_extent_(c.extents[static_cast<std::size_t>(c.axis)]) {
  for (std::size_t a = 0; a < c.extents.size(); ++a) {
    if (static_cast<std::int64_t>(a) < c.axis) n_outer_ *= c.extents[a];
    if (static_cast<std::int64_t>(a) > c.axis) inner_bytes_ *= c.extents[a];
  }
  dst_extent = is_gather_ ? src_extent_ : 2 * src_extent_;
  indices.resize(static_cast<std::size_t>(src_extent_));
  for (std::int64_t j = 0; j < src_extent_; ++j) {
    const std::uint64_t draw = next_random(seed);
    const auto below = static_cast<std::int64_t>(draw % static_cast<std::uint64_t>(src_extent_));
    indices[static_cast<std::size_t>(j)] = is_gather_ ? below : 2 * j + static_cast<std::int64_t>(draw & 1U);
  }
  std::sort(indices.begin(), indices.end());
  if (c.index_order == IndexOrder::sorted) return;
  for (std::size_t left = indices.size(); left > 1; --left) std::swap(indices[left - 1], indices[next_random(seed) % left]);
}

void Indexed::run(const std::byte* src, std::byte* dst, Executor& executor) const {
  const auto move = mover_of(inner_bytes_);
  const std::int64_t n_parts = executor.n_workers();
  executor.parallel_for(n_parts, [&](std::int64_t p) {
    const std::int64_t first = src_extent_ * p / n_parts, last = src_extent_ * (p + 1) / n_parts;
    for (std::int64_t o = 0; o < n_outer_; ++o) {
      move(indices.data(), first, last, inner_bytes_, is_gather_, src + o * src_extent_ * inner_bytes_,
           dst + o * dst_extent * inner_bytes_);
    }
  });
}

}  // namespace crinkle::bench
