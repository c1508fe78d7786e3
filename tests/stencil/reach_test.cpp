// The cells that stand for others beyond the faces, against all of these one by one. SPDX-License-Identifier: BSD-3-Clause
#include "stencil/reach.hpp"

#include "stencil/stencils.hpp"

namespace crinkle::stencil_reach_test {
namespace {

TEST(StencilReach, takes_every_cell_that_is_seen_however_far_the_range_reaches) {
  std::vector<Face> faces;
  for (const Bound bound : {Bound::edge, Bound::reflect, Bound::symmetric, Bound::constant}) faces.push_back({bound, 1});
  for (const Face& low_face : faces) {
    for (const Face& high_face : faces) {
      for (std::int64_t n = 1; n <= 5; ++n) {
        const SweepAxis axis{n, 0, 0, {low_face, high_face}};
        for (std::int64_t first = -5 * n; first <= 6 * n; ++first) {
          for (std::int64_t last = first; last <= 6 * n; ++last) {
            std::int64_t low = n, high = 0;
            for (std::int64_t i = first; i < last; ++i) {
              const std::int64_t at = detail::bounded(low_face.bound, high_face.bound, i, n);
              if (at < 0) continue;
              low = std::min(low, at);
              high = std::max(high, at + 1);
            }
            std::int64_t got_low = first, got_high = last;
            bring_inside(axis, got_low, got_high);
            if (high == 0) EXPECT_EQ(got_low, got_high);
            else EXPECT_TRUE(got_low == low && got_high == high) << n << ": " << first << " to " << last;
          }
        }
      }
    }
  }
}

// One mirror or one turn after the other, as the head of stencil_boundary.hpp says.
std::int64_t step_by_step(Bound low, Bound high, std::int64_t i, std::int64_t n) {
  while (i < 0 || i >= n) {
    const bool is_low = i < 0;
    switch (is_low ? low : high) {
      case Bound::periodic: i += is_low ? n : -n; break;
      case Bound::edge: return is_low ? 0 : n - 1;
      case Bound::reflect:
        if (n == 1) return 0;
        i = (is_low ? 0 : 2 * (n - 1)) - i;
        break;
      case Bound::symmetric: i = (is_low ? -1 : 2 * n - 1) - i; break;
      case Bound::constant:
      case Bound::function: return is_low ? detail::at_low_face : detail::at_high_face;
    }
  }
  return i;
}

TEST(StencilReach, an_index_stands_for_the_one_that_steps_lead_to) {
  constexpr std::int64_t far = 1'000'000'000'000'000;
  std::vector<std::pair<Bound, Bound>> all = {{Bound::periodic, Bound::periodic}};
  for (const Bound low : {Bound::edge, Bound::reflect, Bound::symmetric, Bound::constant})
    for (const Bound high : {Bound::edge, Bound::reflect, Bound::symmetric, Bound::constant}) all.emplace_back(low, high);
  for (const auto& [low, high] : all) {
    for (std::int64_t n = 1; n <= 7; ++n) {
      for (std::int64_t i = -90; i < 90; ++i)
        EXPECT_EQ(detail::bounded(low, high, i, n), step_by_step(low, high, i, n)) << i << " of " << n;
      // Beyond a face all of them repeat after a common multiple of what they repeat after.
      const std::int64_t turn = n * std::max<std::int64_t>(1, 2 * n - 2) * (2 * n - 1) * 40, turns = far / turn * turn;
      for (std::int64_t i = -20; i < 20; ++i) {
        EXPECT_EQ(detail::bounded(low, high, i - turns, n), step_by_step(low, high, i - turn, n)) << i << " of " << n;
        EXPECT_EQ(detail::bounded(low, high, i + turns, n), step_by_step(low, high, i + turn, n)) << i << " of " << n;
      }
    }
  }
}

}  // namespace
}  // namespace crinkle::stencil_reach_test
