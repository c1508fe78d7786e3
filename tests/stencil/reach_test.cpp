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

}  // namespace
}  // namespace crinkle::stencil_reach_test
