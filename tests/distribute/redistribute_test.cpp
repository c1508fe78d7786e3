// Redistributions with all ranks in one process, byte for byte against their definition, and what is sent against sets of elements.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <set>

#include "distribute/layouts.hpp"

namespace crinkle {
namespace {

using spread::Parts;

void expect_right(const Redistribution& r, std::int64_t piece_bytes) {
  const std::int64_t n = r.n_ranks(), bytes = r.element_bytes();
  const Parts src = spread::parts_of(r.from(), n, bytes);
  Parts made = spread::poisoned(r.to(), n, bytes), right = made;
  const std::vector<ConstBuffer> sources(src.begin(), src.end());
  redistribute(r, sources, std::vector<Buffer>(made.begin(), made.end()), default_executor(), piece_bytes);
  define_redistribute(r, sources, std::vector<Buffer>(right.begin(), right.end()));
  for (std::size_t k = 0; k < made.size(); ++k) ASSERT_EQ(made[k], right[k]) << "rank " << k << " of " << r.text();
}

TEST(redistribute, all_pairs_of_kinds_and_transposes_on_1_to_9_ranks) {
  Draw draw{std::mt19937_64(3)};
  spread::for_all_pairs_of_kinds(draw, [&](const Redistribution& r, std::int64_t) {
    expect_right(r, draw.chance(2) ? 64 : 1 << 20);
    return !::testing::Test::HasFatalFailure();
  });
}

TEST(redistribute, drawn_moves_between_drawn_layouts_up_to_64_ranks) {
  Draw draw{std::mt19937_64(4)};
  for (int k = 0; k < 300; ++k) {
    Extents extents;
    for (std::int64_t a = draw.pick(0, 4); a > 0; --a) extents.push_back(draw.chance(9) ? 0 : draw.pick(1, draw.chance(3) ? 20 : 7));
    const std::int64_t bytes[] = {1, 2, 3, 4, 8, 12, 16, 24};
    const Rearrangement move = spread::move_of(extents, bytes[draw.pick(0, 7)], static_cast<int>(draw.pick(0, 4)), draw);
    const std::int64_t n = draw.chance(8) ? 64 : draw.pick(1, 12), m = draw.chance(2) ? n : draw.pick(1, 12);
    const Redistribution r(spread::layout_of(spread::all_kinds[draw.pick(0, 4)], extents, n, draw),
                           spread::layout_of(spread::all_kinds[draw.pick(0, 4)], move.destination().extents, m, draw), move);
    ASSERT_NO_FATAL_FAILURE(expect_right(r, draw.chance(2) ? draw.pick(1, 200) : 1 << 20)) << k;
  }
}

TEST(redistribute, windows_get_what_they_hold_round_the_ends) {
  Draw draw{std::mt19937_64(5)};
  for (int k = 0; k < 60; ++k) {
    const Extents extents{draw.pick(1, 12), draw.pick(1, 12)};
    std::vector<Ranges> windows;
    const std::int64_t n = draw.pick(1, 9);
    for (std::int64_t r = 0; r < n; ++r)
      windows.push_back(
          {{draw.pick(0, extents[0] - 1), draw.pick(0, extents[0])}, {draw.pick(0, extents[1] - 1), draw.pick(0, extents[1])}});
    const Redistribution r(spread::layout_of(spread::all_kinds[k % 5], extents, n, draw), Distribution::windows(extents, windows), 4);
    ASSERT_NO_FATAL_FAILURE(expect_right(r, 64));
  }
}

// Every element of the destination by itself: who has its source, who wants it.
TEST(redistribute, messages_are_the_intersections_of_what_ranks_hold) {
  Draw draw{std::mt19937_64(6)};
  for (int k = 0; k < 150; ++k) {
    const Extents extents{draw.pick(1, 9), draw.pick(1, 9)};
    const std::int64_t n = draw.pick(1, 9);
    const spread::Kind kind = spread::all_kinds[k % 4];
    const bool has_windows = draw.chance(6);
    std::vector<Ranges> windows;
    for (std::int64_t r = 0; r < n; ++r) windows.push_back({{draw.pick(0, extents[0] - 1), draw.pick(0, extents[0])}, {0, extents[1]}});
    const Distribution from = spread::layout_of(kind, extents, n, draw);
    const Redistribution r(
        from,
        has_windows ? Distribution::windows(extents, windows) : spread::layout_of(spread::all_kinds[draw.pick(0, 4)], extents, n, draw), 8);
    std::vector<std::vector<std::int64_t>> volume(static_cast<std::size_t>(n), std::vector<std::int64_t>(static_cast<std::size_t>(n), 0));
    const auto holds = [](const Distribution& d, std::int64_t rank, std::size_t axis) {
      std::set<std::int64_t> held;
      for (const Range& range : d.held(rank, axis))
        for (std::int64_t i = 0; i < range.n; ++i) held.insert(range.first + i);
      return held;
    };
    for (std::int64_t s = 0; s < n; ++s)
      for (std::int64_t d = 0; d < n; ++d)
        for (const std::int64_t y : holds(from, s, 0))
          for (const std::int64_t x : holds(from, s, 1))
            volume[static_cast<std::size_t>(s)][static_cast<std::size_t>(d)] +=
                static_cast<std::int64_t>(holds(r.to(), d, 0).contains(y) && holds(r.to(), d, 1).contains(x));
    Traffic right;
    std::vector<std::int64_t> sent(static_cast<std::size_t>(n), 0);
    for (std::int64_t d = 0; d < n; ++d) {
      std::int64_t received = 0, messages = 0;
      std::vector<Message> in;
      for (std::int64_t round = 0; round < n; ++round) {
        const std::int64_t s = (d - round + n) % n, elements = volume[static_cast<std::size_t>(s)][static_cast<std::size_t>(d)];
        right.elements += elements;
        if (elements > 0) in.push_back({s, d, elements});
        if (elements == 0 || s == d) continue;
        right.sent += elements;
        received += elements;
        ++messages;
        sent[static_cast<std::size_t>(s)] += elements;
      }
      ASSERT_EQ(r.receives(d), in) << r.text();
      right.messages += messages;
      right.peak_received = std::max(right.peak_received, received);
      right.peak_messages = std::max(right.peak_messages, messages);
    }
    for (std::int64_t s = 0; s < n; ++s) {
      right.peak_sent = std::max(right.peak_sent, sent[static_cast<std::size_t>(s)]);
      std::vector<Message> out;
      for (std::int64_t round = 0; round < n; ++round) {
        const std::int64_t d = (s + round) % n, elements = volume[static_cast<std::size_t>(s)][static_cast<std::size_t>(d)];
        if (elements > 0) out.push_back({s, d, elements});
      }
      ASSERT_EQ(r.sends(s), out) << r.text();
    }
    const Traffic t = r.traffic();
    ASSERT_EQ(t.elements, right.elements);
    ASSERT_EQ(t.sent, right.sent);
    ASSERT_EQ(t.messages, right.messages);
    ASSERT_EQ(t.peak_sent, right.peak_sent) << r.text();
    ASSERT_EQ(t.peak_received, right.peak_received);
    ASSERT_EQ(t.peak_messages, right.peak_messages);
  }
}

TEST(redistribute, refuses_what_is_no_map_of_axes) {
  const Distribution d({8, 8}, {"y", "x"}, "y:block(2)");
  const Layout array = Layout::dense({8, 8}, 4);
  const auto refused = [&](const Distribution& to, const Rearrangement& move, const std::string& part) {
    try {
      const Redistribution r(d, to, move);
      FAIL() << "taken: " << part;
    } catch (const Error& e) { EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what(); }
  };
  refused(Distribution({64}, {}, ""), parse("y x -> (y x)", array), "merges axes");
  refused(Distribution({4, 2, 8}, {}, ""), parse("(y:4 a) x -> y a x", array), "splits an axis");
  refused(d, Rearrangement(array).byte_swap(), "bytes of its elements are swapped");
  refused(d, Rearrangement(array).inverse(), "has no axes any more");
  refused(d, Rearrangement(Layout::dense({8, 9}, 4)), "the move is of [8][9] and the layout it is moved from of [8][8]");
  refused(Distribution({8, 9}, {}, ""), Rearrangement(array), "the move makes [8][8] and the layout it is moved to has [8][9]");
  const Redistribution r(d, d, 4);
  EXPECT_THROW((void)r.sends(2), Error);
  EXPECT_THROW((void)r.receives(-1), Error);
  EXPECT_THROW(Redistribution(Distribution::windows({8}, {{{0, 8}}}), Distribution({8}, {}, ""), 4), Error);
  const Distribution deep(Extents(24, 1), {}, "");
  EXPECT_THROW(Redistribution(deep, deep, 4), Error);
  std::vector<float> part(32);
  EXPECT_THROW(redistribute(r, std::vector<ConstBuffer>{part}, std::vector<Buffer>{part}), Error);
  EXPECT_THROW(redistribute(r, std::vector<ConstBuffer>{part, {}}, std::vector<Buffer>{part, part}), Error);
}

}  // namespace
}  // namespace crinkle
