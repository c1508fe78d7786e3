// Composition: one after the other, associative, one box exactly where the chain condition holds: the strides of both sides into the array
// between them divide one another in turn.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "crinkle/error.hpp"
#include "form/compose.hpp"
#include "support/chains.hpp"

namespace crinkle::then_test {
namespace {

// A random rearrangement of n elements: reshaped to factors of n, verbs that keep the number of elements, axes permuted.
Rearrangement any_map_of(std::int64_t n, std::int64_t e, bool is_bijection) {
  Extents extents;
  std::int64_t rest = n;
  for (const std::int64_t factor : shuffled<std::int64_t>({2, 2, 3, 4, 5, 6})) {
    if (rest % factor != 0 || chance(3)) continue;
    extents.push_back(factor);
    rest /= factor;
  }
  extents.push_back(rest);
  Rearrangement r(Layout::dense(extents, e));
  std::vector<Rearrangement::Split> splits;
  std::vector<Output> outputs;
  for (std::size_t a = 0; a < extents.size(); ++a) {
    const std::string axis = "@" + std::to_string(a);
    if (chance(5)) r = r.flip(axis);
    if (chance(5)) r = r.roll(axis, pick(-3, 3));
    if (!is_bijection && chance(5)) r = r.slice(axis, 1, {}).pad(axis, 0, 1, PadMode::constant, noise(e, 5));
    if (!is_bijection && extents[a] > 1 && chance(8)) r = r.slice(axis, 1, {}).pad(axis, 1, 0, PadMode::edge);
    splits.push_back({{{"a" + std::to_string(a), extents[a]}}});
    outputs.push_back({{{static_cast<int>(a), 0, 1}}});
  }
  return r.split_and_merge(splits, shuffled(outputs));
}

TEST(Then, equals_running_one_after_the_other) {
  EXPECT_TRUE(check_many("then", 500, [] {
    const std::int64_t n = one_of<std::int64_t>({1, 12, 24, 60, 72, 36, 30}), e = any_element_bytes();
    const Rearrangement first = any_map_of(n, e, false), second = any_map_of(n, e, false);
    const Rearrangement both = first.then(second);
    const Bytes source = noise_for(first.source());
    const Bytes expected = moved(second, moved(first, source));
    RC_ASSERT(moved(both, source) == expected);
    const Steps steps = both.steps();
    if (steps.steps.size() == 1) RC_ASSERT(steps.steps[0].boxes.size() <= max_composed_boxes);
    RC_ASSERT((steps.steps.size() == 1) == steps.why.empty());
    RC_ASSERT(steps.steps.size() <= 2U);
  }));
}

TEST(Then, of_other_element_sizes_on_the_same_bytes) {
  EXPECT_TRUE(rc::check("then, other elements", [] {
    const Rearrangement first = any_map_of(48, 3, false), second = any_map_of(12, 12, false), third = any_map_of(144, 1, true);
    const Bytes source = noise_for(first.source());
    RC_ASSERT(moved(first.then(second), source) == moved(second, moved(first, source)));
    RC_ASSERT(moved(first.then(third), source) == moved(third, moved(first, source)));
  }));
}

TEST(Then, is_associative) {
  EXPECT_TRUE(rc::check("associative", [] {
    const std::int64_t n = one_of<std::int64_t>({12, 24, 36}), e = any_element_bytes();
    const Rearrangement a = any_map_of(n, e, true), b = any_map_of(n, e, true), c = any_map_of(n, e, true);
    const Bytes source = noise_for(a.source());
    const Bytes expected = moved(c, moved(b, moved(a, source)));
    RC_ASSERT(moved(a.then(b).then(c), source) == expected);
    RC_ASSERT(moved(a.then(b.then(c)), source) == expected);
  }));
}

TEST(Then, the_inverse_is_the_identity) {
  EXPECT_TRUE(rc::check("then the inverse", [] {
    const Rearrangement r = any_map_of(one_of<std::int64_t>({12, 24, 60}), any_element_bytes(), true);
    const Rearrangement same = r.then(r.inverse());
    const Bytes source = noise_for(r.source());
    RC_ASSERT(moved(same, source) == source);
    if (same.steps().steps.size() > 1) return;
    Boxes boxes = same.boxes();
    simplify(boxes);
    RC_ASSERT(boxes.size() == 1);
    RC_ASSERT(boxes[0].axes.size() <= 1);
  }));
}

// A permutation of the digits of [0, n), slowest first, and the strides in M that survive on its side.
struct Permutation {
  Extents digits;
  std::vector<std::size_t> order;

  Rearrangement rearrangement() const {
    std::vector<Rearrangement::Split> splits;
    std::vector<Output> outputs;
    for (std::size_t k = 0; k < digits.size(); ++k) {
      splits.push_back({{{"d" + std::to_string(k), digits[k]}}});
      outputs.push_back({{{static_cast<int>(order[k]), 0, 1}}});
    }
    return Rearrangement(Layout::dense(digits, 1)).split_and_merge(splits, outputs);
  }
};

Permutation any_permutation(std::int64_t n) {
  Permutation p;
  while (n > 1) {
    std::vector<std::int64_t> divisors;
    for (std::int64_t d = 2; d <= n; ++d) {
      if (n % d == 0) divisors.push_back(d);
    }
    p.digits.push_back(one_of(divisors));
    n /= p.digits.back();
  }
  for (std::size_t k = 0; k < p.digits.size(); ++k) p.order.push_back(k);
  p.order = shuffled(p.order);
  return p;
}

bool is_divisibility_chain(std::set<std::int64_t> strides) {
  std::int64_t last = 1;
  for (const std::int64_t s : strides) {
    if (s % last != 0) return false;
    last = s;
  }
  return true;
}

// Whether id -> values[id] is one strided box: by peeling off the fastest axis of the destination as long as it goes.
bool is_one_box(std::vector<std::int64_t> values) {
  while (values.size() > 1) {
    const std::int64_t n = static_cast<std::int64_t>(values.size());
    std::int64_t extent = 0;
    for (std::int64_t candidate = n; candidate > 1 && extent == 0; --candidate) {
      if (n % candidate != 0) continue;
      bool is_axis = true;
      for (std::int64_t k = 0; k < n && is_axis; ++k) {
        const std::int64_t outer = k / candidate * candidate, step = values[1] - values[0];
        is_axis = values[static_cast<std::size_t>(k)] == values[static_cast<std::size_t>(outer)] + (k - outer) * step;
      }
      if (is_axis) extent = candidate;
    }
    if (extent == 0) return false;
    std::vector<std::int64_t> rest;
    for (std::int64_t k = 0; k < n; k += extent) rest.push_back(values[static_cast<std::size_t>(k)]);
    values = rest;
  }
  return true;
}

TEST(Then, is_one_box_exactly_where_the_strides_are_a_chain_of_divisors) {
  EXPECT_TRUE(check_many("chain condition", 1500, [] {
    const std::int64_t n = pick(1, 72);
    const Rearrangement first = any_permutation(n).rearrangement(), second = any_permutation(n).rearrangement();
    Boxes a = first.boxes(), b = second.boxes();
    simplify(a);
    simplify(b);
    std::set<std::int64_t> strides = {n};
    for (const Axis& axis : a[0].axes) strides.insert(axis.dst_stride);
    for (const Axis& axis : b[0].axes) strides.insert(axis.src_stride);
    std::string why;
    const auto both = compose_boxes(a, b, why);
    RC_ASSERT(both.has_value());
    RC_ASSERT((both->size() == 1) == is_divisibility_chain(strides));
    Bytes ids;
    for (std::int64_t k = 0; k < n; ++k) ids.push_back(static_cast<std::byte>(k));
    std::vector<std::int64_t> values;
    for (const std::byte id : moved(second, moved(first, ids))) values.push_back(std::to_integer<std::int64_t>(id));
    RC_ASSERT((both->size() == 1) == is_one_box(values));
    RC_ASSERT(moved(first.then(second), ids) == moved(second, moved(first, ids)));
  }));
}

TEST(Then, cuts_a_period_into_no_more_boxes_than_the_formula_has_segments) {
  struct Case {
    std::int64_t p, q;
    std::size_t n_boxes;  // segments of a period of lcm(p, q)
  };
  for (const Case c : {Case{2, 3, 4}, Case{4, 6, 4}, Case{32, 48, 4}, Case{7, 4, 10}}) {
    const std::int64_t period = std::lcm(c.p, c.q);
    EXPECT_EQ(static_cast<std::size_t>(period / c.p + period / c.q - 1), c.n_boxes);
    const auto transpose = [](std::int64_t rows, std::int64_t columns) { return Permutation{{rows, columns}, {1, 0}}.rearrangement(); };
    // the first writes M in rows of p, the second reads it in rows of q
    const Rearrangement first = transpose(c.p, period / c.p), second = transpose(period / c.q, c.q);
    const Rearrangement both = first.then(second);
    EXPECT_GT(both.boxes().size(), 1U);
    EXPECT_LE(both.boxes().size(), c.n_boxes) << c.p << " and " << c.q;  // fewer where two segments continue one another
    const Bytes source = noise(period);
    EXPECT_EQ(moved(both, source), moved(second, moved(first, source)));
  }
}

TEST(Then, says_why_it_takes_two_steps) {
  const auto transpose = [](std::int64_t rows, std::int64_t columns) { return Permutation{{rows, columns}, {1, 0}}.rearrangement(); };
  const Rearrangement first = transpose(97, 89), second = transpose(97, 89);
  const Rearrangement both = first.then(second);
  ASSERT_EQ(both.steps().steps.size(), 2U);
  EXPECT_NE(both.steps().why.find("more than 64"), std::string::npos) << both.steps().why;
  EXPECT_EQ(both.steps().workspace_bytes, 97 * 89);
  const Bytes source = noise(97 * 89);
  EXPECT_EQ(moved(both, source), moved(second, moved(first, source)));
  const Rearrangement three = both.then(first);
  ASSERT_EQ(three.steps().steps.size(), 3U);
  EXPECT_GE(three.steps().odd_at, 97 * 89);
  EXPECT_EQ(three.steps().workspace_bytes, three.steps().odd_at + 97 * 89);
  EXPECT_EQ(three.steps().why, both.steps().why) << "a reason is said once";
  EXPECT_EQ(moved(three, source), moved(first, moved(both, source)));
  EXPECT_EQ(moved(three.inverse(), moved(three, source)), source);
  EXPECT_EQ(moved(three.then(second).inverse(), moved(three.then(second), source)), source);
}

TEST(Then, of_any_passes_is_one_after_the_other_in_as_many_steps_as_it_takes) {
  std::size_t most = 0;
  EXPECT_TRUE(check_many("chains of passes", 150, [&most] {
    const PassChain chain = any_chain(pick(2, 5));
    const Bytes source = noise_for(chain.passes.front().source());
    const Bytes expected = chain.one_by_one(source);
    std::size_t n_steps = 0;
    for (const Rearrangement& pass : chain.passes) n_steps += pass.steps().steps.size();
    for (const Rearrangement& all : {chain.together(), chain.together_from_the_end()}) {
      RC_ASSERT(moved(all, source, Simplified::yes) == expected);
      const Steps steps = all.steps();
      RC_ASSERT(steps.steps.size() <= n_steps);
      RC_ASSERT((steps.steps.size() == 1) == steps.why.empty());
      RC_ASSERT((steps.steps.size() == 1) == (steps.workspace_bytes == 0));
      RC_ASSERT(all.destination() == chain.passes.back().destination());
      most = std::max(most, steps.steps.size());
    }
  }));
  EXPECT_GE(most, 4U) << "the chains were meant to have four steps and more";
}

TEST(Then, backwards_through_any_number_of_steps_is_the_way_back) {
  EXPECT_TRUE(rc::check("back", [] {
    const std::int64_t n = 210;
    Rearrangement all(Layout::dense({n}, 2));
    oracle::Indices order;
    for (std::int64_t k = 0; k < n; ++k) order.push_back(k * 11 % n);
    for (std::int64_t k = pick(1, 5); k > 0; --k) {
      const Rearrangement next(Layout::dense({n}, 2));
      all = all.then(chance(3) ? next.roll("@0", 7) : next.take("@0", shuffled(order)));
    }
    const Bytes source = noise(2 * n);
    RC_ASSERT(moved(all.inverse(), moved(all, source)) == source);
    RC_ASSERT(moved(all.inverse().inverse(), source) == moved(all, source));
  }));
}

TEST(Then, refuses_what_does_not_fit) {
  const Rearrangement r(Layout::dense({4, 6}, 2));
  EXPECT_THROW(r.then(Rearrangement(Layout::dense({4, 5}, 2))), Error);
  EXPECT_THROW(r.into(Layout{{4, 6}, {16, 2}, 0, 2}).then(r), Error);
  EXPECT_THROW(r.then(Rearrangement(Layout{{4, 6}, {16, 2}, 0, 2})), Error);
  EXPECT_THROW(r.then(Rearrangement(Layout{{4, 6}, {12, 2}, 2, 2})), Error);
  EXPECT_NO_THROW(r.then(Rearrangement(Layout{{4, 6}, {-12, 2}, 36, 2})));
}

}  // namespace
}  // namespace crinkle::then_test
