// crinkle and uncrinkle against loops: any axes, any steps, both placements, all tails.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/checked.hpp"
#include "crinkle/operations.hpp"
#include "operations/naive.hpp"

namespace crinkle::testing::crinkle_test {
namespace {

using Crinkles = std::vector<Crinkle>;

std::int64_t step_on(const Crinkles& crinkles, std::size_t axis, std::size_t rank) {
  for (const Crinkle& c : crinkles) {
    if (modulo(c.axis, static_cast<std::int64_t>(rank)) == static_cast<std::int64_t>(axis)) return c.step;
  }
  return 0;
}

// The array as the tail leaves it: with zeros up to the next multiples, or cut to the ones below.
Array fitted(const Array& array, const Crinkles& crinkles, Tail tail) {
  Extents extents = array.extents;
  for (std::size_t a = 0; a < extents.size(); ++a) {
    const std::int64_t step = step_on(crinkles, a, extents.size());
    if (step > 0 && tail == Tail::pad) extents[a] = ceil_divide(extents[a], step) * step;
    if (step > 0 && tail == Tail::drop) extents[a] = extents[a] / step * step;
  }
  return naive(array, extents, [&](const Index& i) -> std::optional<Index> {
    for (std::size_t a = 0; a < i.size(); ++a) {
      if (i[a] >= array.extents[a]) return {};
    }
    return i;
  });
}

// Every choice of phases, the last crinkle's outermost, and for each the elements of these phases in C order.
Bytes globally(const Array& array, const Crinkles& crinkles) {
  const std::size_t rank = array.extents.size();
  Extents phases;
  for (auto c = crinkles.rbegin(); c != crinkles.rend(); ++c) phases.push_back(c->step);
  Bytes flat;
  for_each_index(phases, [&](const Index& phase) {
    Index first(rank, 0), step(rank, 1);
    for (std::size_t k = 0; k < phase.size(); ++k) {
      const auto a = static_cast<std::size_t>(modulo(crinkles[crinkles.size() - 1 - k].axis, static_cast<std::int64_t>(rank)));
      first[a] = phase[k];
      step[a] = phases[k];
    }
    Extents within(rank);
    for (std::size_t a = 0; a < rank; ++a) within[a] = std::max<std::int64_t>(0, ceil_divide(array.extents[a] - first[a], step[a]));
    for_each_index(within, [&](Index i) {
      for (std::size_t a = 0; a < rank; ++a) i[a] = first[a] + i[a] * step[a];
      const Bytes value = array.element(i);
      flat.insert(flat.end(), value.begin(), value.end());
    });
  });
  return flat;
}

// Axis by axis: the indices of phase 0, then those of phase 1, …
Bytes locally(const Array& array, const Crinkles& crinkles) {
  std::vector<std::vector<std::int64_t>> from(array.extents.size());
  for (std::size_t a = 0; a < from.size(); ++a) {
    const std::int64_t step = std::max<std::int64_t>(1, step_on(crinkles, a, from.size()));
    for (std::int64_t p = 0; p < step; ++p) {
      for (std::int64_t i = p; i < array.extents[a]; i += step) from[a].push_back(i);
    }
  }
  return naive(array, array.extents,
               [&](Index i) {
                 for (std::size_t a = 0; a < i.size(); ++a) i[a] = from[a][static_cast<std::size_t>(i[a])];
                 return i;
               })
      .bytes;
}

Extents crinkled_extents(const Extents& extents, const Crinkles& crinkles, Placement placement, Tail tail) {
  const std::size_t rank = extents.size();
  Extents result;
  bool is_ragged = false;
  for (std::size_t a = 0; a < rank; ++a)
    is_ragged = is_ragged || (step_on(crinkles, a, rank) > 0 && extents[a] % step_on(crinkles, a, rank) != 0);
  if (tail == Tail::ragged && is_ragged && placement == Placement::global) {
    std::int64_t n = 1;
    for (const std::int64_t extent : extents) n *= extent;
    return {n};
  }
  if (placement == Placement::global) {
    for (auto c = crinkles.rbegin(); c != crinkles.rend(); ++c) result.push_back(c->step);
  }
  for (std::size_t a = 0; a < rank; ++a) {
    const std::int64_t step = step_on(crinkles, a, rank);
    if (step == 0 || (extents[a] % step != 0 && tail == Tail::ragged)) {
      result.push_back(extents[a]);
      continue;
    }
    if (placement == Placement::local) result.push_back(step);
    result.push_back(extents[a] / step);
  }
  return result;
}

// One crinkle on every axis by every step, pairs in either order, and all axes at once.
std::vector<Crinkles> crinkles_of(std::size_t rank) {
  std::vector<Crinkles> all{{}};
  const auto n = static_cast<std::int64_t>(rank);
  for (std::int64_t a = 0; a < n; ++a) {
    for (const std::int64_t step : {1, 2, 3, 5, 11}) all.push_back({{a % 2 == 0 ? a : a - n, step}});
    for (std::int64_t b = 0; b < n; ++b) {
      if (a != b) all.push_back({{a, 2}, {b, 3}});
    }
  }
  if (n >= 3) all.push_back({{1, 2}, {2, 4}, {0, 3}});
  return all;
}

const std::vector<Extents> shapes{{7}, {12}, {1}, {0}, {4, 6}, {5, 7}, {3, 1, 8}, {5, 3, 4}, {2, 0}};

TEST(crinkle, puts_every_phase_together_in_every_placement_and_tail) {
  for_each_source(
      [](const Array& array, const Source& source) {
        for (const Crinkles& crinkles : crinkles_of(array.extents.size())) {
          for (const Placement placement : {Placement::global, Placement::local}) {
            for (const Tail tail : {Tail::ragged, Tail::pad, Tail::drop}) {
              const Array fit = fitted(array, crinkles, tail);
              const Rearrangement r = crinkle(source.layout, crinkles, placement, tail);
              const Array result = moved(r, source);
              ASSERT_EQ(result.extents, crinkled_extents(fit.extents, crinkles, placement, tail))
                  << name_of(placement) << " " << name_of(tail);
              ASSERT_EQ(result.bytes, placement == Placement::global ? globally(fit, crinkles) : locally(fit, crinkles))
                  << name_of(placement) << " " << name_of(tail) << ", " << crinkles.size() << " crinkles";
            }
          }
        }
      },
      shapes);
}

TEST(crinkle, that_divides_is_the_same_for_every_tail_and_one_box) {
  const Array array = numbered({4, 6}, 4);
  const Crinkles crinkles{{0, 2}, {1, 3}};
  const Layout layout = Layout::dense(array.extents, 4);
  const Array expected = moved(crinkle(layout, crinkles), array);
  EXPECT_EQ(expected.extents, (Extents{3, 2, 2, 2}));
  for (const Tail tail : {Tail::ragged, Tail::pad, Tail::drop})
    EXPECT_EQ(moved(crinkle(layout, crinkles, Placement::global, tail), array), expected);
  EXPECT_EQ(crinkle(layout, crinkles).boxes().size(), 1u);
  EXPECT_EQ(crinkle(layout, crinkles, Placement::local).boxes().size(), 1u);
}

TEST(crinkle, that_does_not_divide_is_exactly_two_boxes) {
  for (const Placement placement : {Placement::global, Placement::local}) {
    for (const std::int64_t axis : {0, 1, 2}) {
      const Layout layout = Layout::dense({7, 11, 13}, 4);
      EXPECT_EQ(crinkle(layout, Crinkles{{axis, 4}}, placement, Tail::ragged).boxes().size(), 2u);
      EXPECT_EQ(uncrinkle({7, 11, 13}, 4, Crinkles{{axis, 4}}, placement, Tail::ragged).boxes().size(), 2u);
    }
    EXPECT_EQ(crinkle(Layout::dense({7, 11, 13}, 4), Crinkles{{0, 2}, {1, 3}, {2, 4}}, placement, Tail::ragged).boxes().size(), 8u);
    EXPECT_EQ(crinkle(Layout::dense({7}, 4), Crinkles{{0, 9}}, placement, Tail::ragged).boxes().size(), 1u);
  }
}

TEST(crinkle, puts_a_later_phase_outside_an_earlier_one) {
  const Array array = numbered({4, 6}, 4);
  const Layout layout = Layout::dense(array.extents, 4);
  const Array zero_then_one = moved(crinkle(layout, Crinkles{{0, 2}, {1, 3}}), array);
  const Array one_then_zero = moved(crinkle(layout, Crinkles{{1, 3}, {0, 2}}), array);
  EXPECT_EQ(zero_then_one.extents, (Extents{3, 2, 2, 2}));  // [phase 1][phase 0][y][x]
  EXPECT_EQ(one_then_zero.extents, (Extents{2, 3, 2, 2}));  // [phase 0][phase 1][y][x]
  for_each_index({2, 3, 2, 2}, [&](const Index& i) {
    const Bytes value = array.element({2 * i[2] + i[0], 3 * i[3] + i[1]});
    EXPECT_EQ(one_then_zero.element(i), value);
    EXPECT_EQ(zero_then_one.element({i[1], i[0], i[2], i[3]}), value);
  });
}

TEST(uncrinkle, after_crinkle_gives_the_array_again) {
  for_each_source(
      [](const Array& array, const Source& source) {
        for (const Crinkles& crinkles : crinkles_of(array.extents.size())) {
          for (const Placement placement : {Placement::global, Placement::local}) {
            for (const Tail tail : {Tail::ragged, Tail::pad, Tail::drop}) {
              if (source.layout != Layout::dense(array.extents, array.element_bytes)) continue;
              const Array crinkled = moved(crinkle(source.layout, crinkles, placement, tail), source);
              const Rearrangement back = uncrinkle(array.extents, array.element_bytes, crinkles, placement, tail);
              Array expected = array;
              if (tail == Tail::drop) {  // what was cut comes back as zeros
                const Array kept = fitted(array, crinkles, tail);
                expected = filled(array.extents, array.element_bytes, std::byte{0});
                for_each_index(kept.extents, [&](const Index& i) { expected.set(i, kept.element(i)); });
              }
              ASSERT_EQ(moved(back, crinkled), expected)
                  << name_of(placement) << " " << name_of(tail) << ", " << crinkles.size() << " crinkles";
            }
          }
        }
      },
      shapes);
}

TEST(uncrinkle, undoes_a_crinkle_that_divides) {
  for (const Placement placement : {Placement::global, Placement::local}) {
    const Array array = numbered({4, 6, 10}, 3);
    const Crinkles crinkles{{2, 5}, {0, 4}, {1, 2}};
    const Array crinkled = moved(crinkle(Layout::dense(array.extents, 3), crinkles, placement), array);
    EXPECT_EQ(moved(uncrinkle(array.extents, 3, crinkles, placement), crinkled), array);
  }
}

}  // namespace
}  // namespace crinkle::testing::crinkle_test
