// The versions of the suite `hypercubic` on a CPU. A is what a careful person writes for two dimensions: whole rows where rows stay whole,
// no index arithmetic within one. B and C are the paper's: one loop over k; C divides once a run of cells (for_each_move).
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "crinkle/error.hpp"
#include "harness/in_parts.hpp"
#include "papers/hypercubic/maps.hpp"

namespace crinkle::bench {
namespace {

using Loop = std::function<void(const float* src, float* dst)>;

std::int64_t wrapped(std::int64_t i, std::int64_t n) { return (i % n + n) % n; }

void flip_row(const Transform& t, std::int64_t y, const float* src, float* dst) {
  const float* from = src + (t.is_flipped[1] ? t.n - 1 - y : y) * t.n;
  if (t.is_flipped[0]) std::reverse_copy(from, from + t.n, dst + y * t.n);
  else std::copy_n(from, t.n, dst + y * t.n);
}

void shift_row(const Transform& t, std::int64_t y, const float* src, float* dst) {
  const float* from = src + wrapped(y - t.distances[1], t.n) * t.n;
  const std::int64_t by = wrapped(t.distances[0], t.n);
  std::copy_n(from, t.n - by, dst + y * t.n + by);
  std::copy_n(from + t.n - by, by, dst + y * t.n);
}

// Row y of the source.
void crinkle_row(const Transform& t, std::int64_t y, const float* src, float* dst) {
  const float* from = src + y * t.n;
  if (t.axis == 1) {
    std::copy_n(from, t.n, dst + (y % t.step * (t.n / t.step) + y / t.step) * t.n);
    return;
  }
  const std::int64_t width = t.n / t.step;
  for (std::int64_t z = 0; z < t.step; ++z) {
    float* to = dst + (z * t.n + y) * width;
    for (std::int64_t x = 0; x < width; ++x) to[x] = from[x * t.step + z];
  }
}

void blur_row(const Transform& t, std::int64_t y, const float* src, float* dst) {
  const std::int64_t n = t.n;
  const float* here = src + y * n;
  const float* above = src + (y == 0 ? n - 1 : y - 1) * n;
  const float* below = src + (y == n - 1 ? 0 : y + 1) * n;
  float* to = dst + y * n;
  to[0] = blurred(here[0], here[n - 1], here[1], above[0], below[0]);
  for (std::int64_t x = 1; x < n - 1; ++x) to[x] = blurred(here[x], here[x - 1], here[x + 1], above[x], below[x]);
  to[n - 1] = blurred(here[n - 1], here[n - 2], here[0], above[n - 1], below[n - 1]);
}

template <void (*row)(const Transform&, std::int64_t, const float*, float*)>
Loop by_rows(const Transform& t, Executor& executor) {
  return [t, &executor](const float* src, float* dst) {
    in_parts(t.n, executor, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t y = first; y < last; ++y) row(t, y, src, dst);
    });
  };
}

Loop by_hand(const Transform& t, Executor& executor) {
  switch (t.kind) {
    case Transform::Kind::blur: return by_rows<blur_row>(t, executor);
    case Transform::Kind::flip: return by_rows<flip_row>(t, executor);
    case Transform::Kind::shift: return by_rows<shift_row>(t, executor);
    default: return by_rows<crinkle_row>(t, executor);
  }
}

template <class Index>
Loop by_index(const Transform& t, Executor& executor) {
  const auto extent = static_cast<std::uint64_t>(t.n);
  if (!Index::fits({extent, extent}))
    throw Error(ErrorCode::bad_shape, std::to_string(t.n) + " × " + std::to_string(t.n) + " cells have no k-index of this version");
  const Index index({extent, extent});
  const auto over_cells = [&executor, index](auto&& body) {
    in_parts(index.total(), executor, [&](std::int64_t first, std::int64_t last) {
      for (Cell k = static_cast<Cell>(first); k < static_cast<Cell>(last); ++k) body(k);
    });
  };
  if (t.kind == Transform::Kind::blur)
    return [=](const float* src, float* dst) { over_cells([&](Cell k) { dst[k] = blurred_at(index, src, k); }); };
  return with_map(t, index, [&](const auto& map) {
    if constexpr (std::is_same_v<Index, BitsIndex>)
      return Loop([=](const float* src, float* dst) { over_cells([&](Cell k) { dst[map(index, k)] = src[k]; }); });
    else
      return Loop([=, &executor](const float* src, float* dst) {
        in_parts(index.total(), executor, [&](std::int64_t first, std::int64_t last) {
          for_each_move(index, map.by, static_cast<Cell>(first), static_cast<Cell>(last), [=](Cell k, Cell to) { dst[to] = src[k]; });
        });
      });
  });
}

}  // namespace

Loop loop_of(const Transform& t, Version version, Executor& executor) {
  switch (version) {
    case Version::by_hand: return by_hand(t, executor);
    case Version::by_bits: return by_index<BitsIndex>(t, executor);
    case Version::by_division: return by_index<DividedIndex>(t, executor);
    default: throw std::logic_error("a plan is no loop");
  }
}

}  // namespace crinkle::bench
