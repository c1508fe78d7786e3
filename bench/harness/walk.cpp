// SPDX-License-Identifier: BSD-3-Clause
#include "harness/walk.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/checked.hpp"

namespace crinkle::bench {
namespace {

constexpr std::int64_t block = 32;  // rows and columns of a block: 32 lines of either side stay in the first cache

// The box as two inner axes, the one that is fastest in the source and the one that is fastest in the destination, and the others outside.
struct Nest {
  Axis src_fast, dst_fast;
  std::vector<Axis> outer;  // slowest first

  explicit Nest(const Box& box) : outer(box.axes.begin(), box.axes.end()) {
    dst_fast = take_least([](const Axis& a) { return std::abs(a.dst_stride); });
    src_fast = take_least([](const Axis& a) { return a.src_stride == 0 ? INT64_MAX : std::abs(a.src_stride); });
  }

 private:
  template <class Stride>
  Axis take_least(const Stride& stride) {
    const auto least = std::min_element(outer.begin(), outer.end(), [&](const Axis& a, const Axis& b) {
      return std::pair(a.extent == 1, stride(a)) < std::pair(b.extent == 1, stride(b));
    });
    if (least == outer.end()) return {};
    const Axis taken = *least;
    outer.erase(least);
    return taken;
  }
};

// Units [first, last) of the source-fast axis, all of the destination-fast axis.
template <std::size_t unit>
std::int64_t first_wrong_in_strip(const Nest& nest, std::int64_t first, std::int64_t last, const std::byte* src, const std::byte* dst) {
  const Axis &s = nest.src_fast, &d = nest.dst_fast;
  std::int64_t wrong = INT64_MAX;
  for (std::int64_t j0 = 0; j0 < d.extent; j0 += block) {
    for (std::int64_t i = first; i < last; ++i) {
      for (std::int64_t j = j0; j < std::min(d.extent, j0 + block); ++j) {
        const std::int64_t at = i * s.dst_stride + j * d.dst_stride;
        if (std::memcmp(dst + at, src + i * s.src_stride + j * d.src_stride, unit) != 0) wrong = std::min(wrong, at);
      }
    }
  }
  return wrong;
}

auto strip_of(std::int32_t unit) {
  switch (unit) {
    case 1: return first_wrong_in_strip<1>;
    case 2: return first_wrong_in_strip<2>;
    case 4: return first_wrong_in_strip<4>;
    case 8: return first_wrong_in_strip<8>;
    default: return first_wrong_in_strip<16>;
  }
}

std::int64_t first_wrong_byte(Box box, const std::byte* src, const std::byte* dst, Executor& executor) {
  if (box.is_fill) {  // a source of one unit that every index reads
    for (Axis& axis : box.axes) axis.src_stride = 0;
    box.src_offset = 0;
    src = box.pattern.data();
  }
  const Nest nest(box);
  std::int64_t n_strips = ceil_divide(nest.src_fast.extent, block);
  for (const Axis& axis : nest.outer) n_strips *= axis.extent;
  const auto first_wrong = strip_of(box.unit);
  const std::int64_t n_chunks = std::min<std::int64_t>(n_strips, 16 * executor.n_workers());
  std::atomic<std::int64_t> wrong = INT64_MAX;
  executor.parallel_for(n_chunks, [&](std::int64_t c) {
    std::vector<std::int64_t> index(nest.outer.size());
    std::int64_t from = box.src_offset, to = box.dst_offset, rest = n_strips * c / n_chunks;
    const std::int64_t n_here = n_strips * (c + 1) / n_chunks - rest;
    const std::int64_t n_blocks = ceil_divide(nest.src_fast.extent, block);
    std::int64_t strip = rest % n_blocks;
    rest /= n_blocks;
    for (std::size_t a = index.size(); a-- > 0; rest /= nest.outer[a].extent) {
      index[a] = rest % nest.outer[a].extent;
      from += index[a] * nest.outer[a].src_stride;
      to += index[a] * nest.outer[a].dst_stride;
    }
    for (std::int64_t k = 0; k < n_here; ++k) {
      const std::int64_t last = std::min(nest.src_fast.extent, (strip + 1) * block);
      const std::int64_t at = first_wrong(nest, strip * block, last, src + from, dst + to);
      if (at != INT64_MAX) {
        std::int64_t least = wrong;
        while (to + at < least && !wrong.compare_exchange_weak(least, to + at)) continue;
      }
      if (++strip < n_blocks) continue;
      strip = 0;
      for (std::size_t a = index.size(); a-- > 0;) {
        const Axis& axis = nest.outer[a];
        from += axis.src_stride;
        to += axis.dst_stride;
        if (++index[a] < axis.extent) break;
        from -= axis.extent * axis.src_stride;
        to -= axis.extent * axis.dst_stride;
        index[a] = 0;
      }
    }
  });
  return wrong;
}

}  // namespace

std::int64_t first_wrong_byte(const Boxes& boxes, const std::byte* src, const std::byte* dst, Executor& executor) {
  std::int64_t wrong = INT64_MAX;
  for (const Box& box : boxes) wrong = std::min(wrong, first_wrong_byte(box, src, dst, executor));
  return wrong == INT64_MAX ? -1 : wrong;
}

std::int64_t bytes_written(const Boxes& boxes) {
  std::int64_t n = 0;
  for (const Box& box : boxes) {
    std::int64_t here = box.unit;
    for (const Axis& axis : box.axes) here = multiply(here, axis.extent);
    n = add(n, here);
  }
  return n;
}

Box permuted_box(const std::int64_t* extents, const std::int64_t* order, std::size_t rank, std::int64_t element_bytes) {
  Box box;
  while (box.unit < 16 && element_bytes % (2 * box.unit) == 0) box.unit *= 2;
  std::vector<std::int64_t> src_strides(rank);
  std::int64_t n = element_bytes;
  for (std::size_t a = rank; a-- > 0; n *= extents[a]) src_strides[a] = n;
  std::vector<Axis> axes(rank);
  n = element_bytes;
  for (std::size_t a = rank; a-- > 0; n *= axes[a].extent) {
    const auto from = static_cast<std::size_t>(order[a]);
    axes[a].extent = extents[from];
    axes[a].src_stride = src_strides[from];
    axes[a].dst_stride = n;
  }
  for (const Axis& axis : axes) box.axes.push_back(axis);
  Axis units;
  units.extent = element_bytes / box.unit;
  units.src_stride = units.dst_stride = box.unit;
  box.axes.push_back(units);
  return box;
}

}  // namespace crinkle::bench
