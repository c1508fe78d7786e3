// Moves as operations: any part, from a buffer of just what it needs, has the bytes of the whole.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/operations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "support/drawn.hpp"

namespace crinkle::move_operation_test {
namespace {

using namespace crinkle::testing;

std::int64_t below(std::mt19937_64& random, std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); }

/// One to three verbs on axes of the source.
Rearrangement with_verbs(Rearrangement r, std::mt19937_64& random, std::string& text) {
  const auto rank = static_cast<std::int64_t>(r.groups().size());
  for (std::uint64_t k = random() % 4; k > 0; --k) {
    const std::string axis = fmt::format("@{}", below(random, rank));
    const std::int64_t n = r.extent(axis);
    if (n < 2) continue;
    const auto which = random() % 6;
    text += fmt::format(" {}:{}", axis, which);
    try {
      if (which == 0) r = r.flip(axis);
      if (which == 1) r = r.roll(axis, below(random, 2 * n) - n);
      if (which == 2) r = r.slice(axis, below(random, n), {}, 1 + below(random, 3));
      if (which == 3) r = r.pad(axis, below(random, 4), below(random, 4), static_cast<PadMode>(random() % 5));
      if (which == 4) r = r.dilate(axis, 1 + below(random, 3));
      if (which == 5) {
        std::vector<std::int64_t> indices;
        for (std::int64_t i = 0; i < n; ++i) indices.push_back(below(random, n));
        r = r.take(axis, indices);
      }
    } catch (const Error& e) {
      if (e.code() != ErrorCode::unsupported) throw;  // an axis that is split
    }
  }
  return r;
}

TEST(MoveOperation, parts_of_verbs_on_any_layout) {
  std::mt19937_64 random(721);
  for (int i = 0; i < 10 * testing::drawn(200) && !HasFailure(); ++i) {
    const Extents extents = random_extents(1 + random() % 4, 9, random);
    const Layout source = random_layout(extents, std::initializer_list<std::int64_t>{1, 2, 3, 4, 8, 12, 16}.begin()[random() % 7], random);
    std::string text = fmt::format("{}: [{}] of {}", i, fmt::join(extents, ","), source.element_bytes);
    Rearrangement r = with_verbs(Rearrangement(source), random, text);
    if (random() % 2 == 0) r = r.into(random_layout(r.destination().extents, source.element_bytes, random));
    const Operation move = plan(r);
    expect_contract(move, random, text);
    expect_definition(move, random_inputs(move, random), text);
    const Operation part = move.part(random_parts(move, random).front());
    expect_definition(part, random_inputs(part, random), "part of " + text);
  }
}

TEST(MoveOperation, parts_of_notation) {
  struct Case {
    const char* spec;
    Extents extents;
  };
  const Case cases[] = {{"z y x -> x z y", {5, 6, 7}},
                        {"z (y a:3) x -> a (x y) z", {4, 12, 5}},
                        {"(z y) (x b:4) -> (b z x) y", {15, 12}},
                        {"a b c d -> (d c b a)", {3, 4, 5, 2}},
                        {"y x -> (y x) r:3", {6, 5}},
                        {"y x -> (y r:3 x)", {6, 5}},
                        {"(y x) -> x y", {30}},
                        {"y 1 x -> (x 1) y", {6, 1, 5}},
                        {"y (x 3) -> y (3 x)", {4, 12}}};
  std::mt19937_64 random(722);
  for (int i = 0; i < 10 * testing::drawn(60) && !HasFailure(); ++i) {
    const Case& of = cases[random() % std::size(cases)];
    ParseOptions options;
    for (const auto& [name, n] : {std::pair{"y", 5}}) {
      if (std::string(of.spec).find("(z y)") != std::string::npos || std::string(of.spec).starts_with("(y x)")) options.sizes[name] = n;
    }
    std::string text = fmt::format("{}: {}", i, of.spec);
    const Rearrangement r = parse(of.spec, random_layout(of.extents, 1 + below(random, 8), random), options);
    expect_contract(plan(with_verbs(r, random, text)), random, text);
  }
}

TEST(MoveOperation, parts_of_ragged_axes) {
  std::mt19937_64 random(723);
  for (int i = 0; i < testing::drawn(400) && !HasFailure(); ++i) {
    const std::int64_t n = 3 + below(random, 30), m = 2 + below(random, 5);
    if (n % m == 0) continue;
    const bool is_back = random() % 2 == 0;
    const std::string spec = is_back ? fmt::format("y ({} x) -> (x {}) y", m, m) : fmt::format("y (x {}) -> ({} x) y", m, m);
    ParseOptions options;
    options.tail = Tail::ragged;
    const Extents extents{1 + below(random, 4), n};
    expect_contract(plan(parse(spec, random_layout(extents, 4, random), options)), random, fmt::format("{}: {} of {}", i, spec, n));
  }
}

TEST(MoveOperation, parts_of_bits_in_reverse_and_of_swapped_bytes) {
  std::mt19937_64 random(724);
  const Rearrangement r = Rearrangement(Layout::dense({6, 64}, 8), {"y", "x"}).bit_reverse("x").byte_swap();
  for (int i = 0; i < 10; ++i) expect_contract(plan(r), random, "bits");
}

TEST(MoveOperation, parts_of_what_has_no_names) {
  std::mt19937_64 random(725);
  const Layout source = Layout::dense({6, 8, 4}, 4);
  const Rearrangement cases[] = {checkerboard(source), morton(Layout::dense({8, 8}, 2)),
                                 permute(source, std::vector<std::int64_t>{2, 0, 1}).inverse(),
                                 Rearrangement(source).roll("@0", 2).then(Rearrangement(source).flip("@1"))};
  for (const Rearrangement& r : cases) {
    ASSERT_FALSE(plan(r).cuts().empty());
    for (int i = 0; i < 10; ++i) expect_contract(plan(r), random, fmt::format("case {}", &r - cases));
  }
}

TEST(MoveOperation, parts_of_moves_between_several_buffers) {
  std::mt19937_64 random(726);
  const Layout one = Layout::dense({7, 5}, 4);
  for (int i = 0; i < 20; ++i) {
    const Operation together = plan(interlace(one, 3)), apart = plan(deinterlace(Layout::dense({7, 5, 3}, 4)));
    ASSERT_EQ(together.inputs().size(), 3U);
    ASSERT_EQ(apart.outputs().size(), 3U);
    expect_contract(together, random, "interlace");
    expect_contract(apart, random, "deinterlace");
  }
}

TEST(MoveOperation, a_roll_needs_its_window_round_the_end) {
  const Operation move = plan(Rearrangement(Layout::dense({10}, 4)).roll("@0", 3));
  const Ranges needs = move.needs({{1, 4}})[0];
  EXPECT_EQ(needs[0].first, 8);
  EXPECT_EQ(needs[0].n, 4);
  EXPECT_EQ(move.needs({{3, 7}})[0][0], (Range{0, 7}));
}

TEST(MoveOperation, runs_in_place_where_a_plan_does) {
  const Operation move = plan(permute(Layout::dense({5, 5}, 4), std::vector<std::int64_t>{1, 0}));
  ASSERT_TRUE(move.can_run_in_place());
  std::vector<float> m(25), turned(25);
  for (std::size_t i = 0; i < 25; ++i) m[i] = static_cast<float>(i);
  move.run({m}, {turned});
  move.run({m}, {m});
  EXPECT_EQ(m, turned);
  std::vector<float> more(30);
  EXPECT_THROW(move.run({std::span(more).first(25)}, {std::span(more).subspan(5)}), Error);
}

TEST(MoveOperation, names_its_ports_and_axes) {
  const Operation move = plan(parse("z (y a:2) -> (a z) y", Layout::dense({3, 8}, 4)));
  EXPECT_EQ(move.inputs()[0].name, "source");
  EXPECT_EQ(move.inputs()[0].axes, (std::vector<std::string>{"z", "(y a)"}));
  EXPECT_EQ(move.outputs()[0].axes, (std::vector<std::string>{"(a z)", "y"}));
  EXPECT_EQ(move.cuts()[0].name, "(a z)");
  std::vector<float> few(3), all(24);
  try {
    move.run({few}, {all});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("the source has 12 bytes; the move touches bytes 0 to 96"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace crinkle::move_operation_test
