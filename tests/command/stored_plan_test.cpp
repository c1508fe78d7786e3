// Passes between grids of chunks: no plan of one or two passes that fits is predicted to be much faster than the one that is chosen; and
// what passes through temporary stores has the bytes of one pass.
// SPDX-License-Identifier: BSD-3-Clause
#include "running/stored_plan.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "crinkle/crinkle.hpp"
#include "operation/model.hpp"

namespace crinkle::tool {
namespace {

constexpr int n_workers = 2;

/// Every grid of boxes of an axis, not only doubled ones.
std::vector<Extents> all_sizes(const Extents& extents, const Extents& unit) {
  std::vector<Extents> all{{}};
  for (std::size_t a = 0; a < extents.size(); ++a) {
    std::vector<Extents> longer;
    for (const Extents& some : all)
      for (std::int64_t n = unit[a]; n < extents[a] + unit[a]; n += unit[a]) {
        longer.push_back(some);
        longer.back().push_back(n);
      }
    all = std::move(longer);
  }
  return all;
}

struct Best {
  double one = std::numeric_limits<double>::infinity(), two = one;
};

// The least seconds of one pass, and of a copy into tiles and one pass, over all grids that fit.
Best best_of(const Operation& operation, const Grid& from, const Grid& to, std::int64_t memory) {
  Best best;
  const Operation copy = plan(Rearrangement(Layout::dense(from.extents, from.element_bytes)), cpu());
  const std::vector<Extents> parts = all_sizes(to.extents, to.chunks), boxes = all_sizes(from.extents, from.chunks);
  const auto fits = [&](const Operation& of, bool is_copy, const Extents& pieces, const Grid& read, const Grid& written) {
    return memory_of(of, is_copy, Parts(of, pieces).middle(), read, written, 2, n_workers) <= memory;
  };
  for (const Extents& pieces : parts) {
    const Parts grid(operation, pieces);
    const auto seconds = [&](const Operation& of, bool is_copy, const Extents& size, const Grid& read, const Grid& written) {
      return seconds_of(traffic_of(of, Parts(of, size), read, written),
                        memory_of(of, is_copy, Parts(of, size).middle(), read, written, 2, n_workers), n_workers);
    };
    if (fits(operation, false, pieces, from, to)) best.one = std::min(best.one, seconds(operation, false, pieces, from, to));
    const Grid whole{from.extents, from.extents, from.element_bytes, true};
    if (!fits(operation, false, pieces, whole, to)) continue;
    const Ranges needs = operation.needs(grid.middle())[0];
    for (const Extents& box : boxes) {
      Grid tiles{from.extents, {}, from.element_bytes, true};
      for (std::size_t a = 0; a < box.size(); ++a) tiles.chunks.push_back(std::min({box[a], needs[a].n, from.extents[a]}));
      if (!fits(copy, true, box, from, tiles)) continue;
      best.two = std::min(best.two, seconds(copy, true, box, from, tiles) + seconds(operation, false, pieces, tiles, to));
    }
  }
  return best;
}

struct Case {
  Extents extents, from, to;  // of a move that brings the first axis to the end
  std::int64_t memory;
  bool is_packed;
};

Operation to_the_end(const Extents& extents) { return plan(parse("t y x -> y x t", Layout::dense(extents, 4)), cpu()); }

Extents moved(const Extents& e) { return {e[1], e[2], e[0]}; }

TEST(StoredPlan, is_the_best_of_all) {
  const std::vector<Case> cases = {
      {{64, 48, 48}, {1, 48, 48}, {8, 8, 64}, 128 << 10, true},  {{64, 48, 48}, {1, 48, 48}, {8, 8, 64}, 4 << 20, true},
      {{64, 48, 48}, {1, 48, 48}, {8, 8, 64}, 128 << 10, false}, {{64, 48, 48}, {16, 16, 16}, {16, 16, 16}, 160 << 10, true},
      {{96, 32, 32}, {1, 32, 32}, {4, 4, 96}, 64 << 10, true},   {{33, 47, 29}, {2, 47, 29}, {5, 7, 33}, 96 << 10, true},
      {{128, 16, 64}, {1, 16, 64}, {16, 64, 1}, 96 << 10, true}, {{256, 16, 16}, {4, 16, 16}, {2, 2, 256}, 48 << 10, true},
      {{60, 60, 16}, {60, 1, 16}, {1, 16, 60}, 64 << 10, true},  {{24, 24, 24}, {5, 24, 7}, {9, 7, 24}, 40 << 10, false},
  };
  int n_two = 0;
  for (const Case& c : cases) {
    const Operation operation = to_the_end(c.extents);
    const Grid from{c.extents, c.from, 4, !c.is_packed}, to{moved(c.extents), c.to, 4, !c.is_packed};
    const StoredPlan made = plan_stored({{operation}, from, to, c.memory, n_workers});
    const Best best = best_of(operation, from, to, c.memory);
    const double least = std::min(best.one, best.two);
    EXPECT_LE(made.seconds, least * 1.25) << ::testing::PrintToString(c.extents) << " of " << c.memory << ": one " << best.one << ", two "
                                          << best.two;
    if (std::max(best.one, best.two) > 1.3 * least) {  // not about the same
      EXPECT_EQ(made.passes.size(), best.one < best.two ? 1U : 2U) << ::testing::PrintToString(c.extents) << " of " << c.memory;
    }
    EXPECT_LE(made.memory_bytes, c.memory);
    n_two += made.passes.size() == 2 ? 1 : 0;
  }
  EXPECT_GE(n_two, 2);
  EXPECT_LE(n_two, 8);
}

TEST(StoredPlan, one_part_where_all_fits) {
  const Operation operation = to_the_end({16, 16, 16});
  const Grid from{{16, 16, 16}, {1, 16, 16}, 4, false}, to{{16, 16, 16}, {4, 4, 16}, 4, false};
  const StoredPlan made = plan_stored({{operation}, from, to, 1 << 30, n_workers});
  EXPECT_EQ(made.passes.size(), 1U);
  EXPECT_EQ(made.all.read, 16 * 16 * 16 * 4);
  EXPECT_EQ(made.temporary_bytes, 0);
}

TEST(StoredPlan, what_does_not_fit_is_made_in_the_smallest_parts) {
  const Operation operation = to_the_end({16, 16, 16});
  const Grid from{{16, 16, 16}, {16, 16, 16}, 4, false}, to{{16, 16, 16}, {16, 16, 16}, 4, false};
  const StoredPlan made = plan_stored({{operation}, from, to, 1000, n_workers});
  EXPECT_GT(made.memory_bytes, 1000);
  EXPECT_EQ(made.passes.size(), 1U);
}

RC_GTEST_PROP(StoredPlan, parts_cover_the_array_once, ()) {
  const Extents extents{*rc::gen::inRange<std::int64_t>(1, 9), *rc::gen::inRange<std::int64_t>(1, 9),
                        *rc::gen::inRange<std::int64_t>(1, 9)};
  const Operation operation = to_the_end(extents);
  Extents pieces;
  for (const std::int64_t n : moved(extents)) pieces.push_back(*rc::gen::inRange<std::int64_t>(1, n + 1));
  const Parts parts(operation, pieces);
  std::int64_t n = 0;
  for (std::int64_t k = 0; k < parts.n(); ++k) n += bytes_of(operation.outputs(), operation.gives(parts.at(k)));
  RC_ASSERT(n == bytes_of(operation.outputs()));
}

}  // namespace
}  // namespace crinkle::tool
