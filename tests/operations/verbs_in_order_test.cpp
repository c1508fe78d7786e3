// Verbs beside a specification: each acts, in the order written, on an elementary axis of the source before the right side merges them.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/checked.hpp"
#include "crinkle/operations.hpp"
#include "notation/build.hpp"
#include "operations/wish.hpp"

namespace crinkle::testing::verbs_in_order_test {
namespace {

using Kind = Verb::Kind;
using Table = std::vector<std::int64_t>;

BoundVerb verb(Kind kind, std::string_view text, const Bytes& value = {}, const Table& indices = {}) {
  return {parse_verb(kind, text), value, indices};
}

struct Chain {
  std::vector<BoundVerb> verbs;
  Table table;  // what the chain makes of an axis of extent 6 named x
};

const std::vector<Chain> chains{
    {{verb(Kind::flip, "x")}, {5, 4, 3, 2, 1, 0}},
    {{verb(Kind::roll, "x=-2")}, {2, 3, 4, 5, 0, 1}},
    {{verb(Kind::roll, "x=1"), verb(Kind::flip, "x")}, {4, 3, 2, 1, 0, 5}},
    {{verb(Kind::flip, "x"), verb(Kind::roll, "x=1")}, {0, 5, 4, 3, 2, 1}},
    {{verb(Kind::slice, "x=1:6:2")}, {1, 3, 5}},
    {{verb(Kind::slice, "x=::-2"), verb(Kind::roll, "x=1")}, {1, 5, 3}},
    {{verb(Kind::pad, "x=1:2:reflect"), verb(Kind::flip, "x")}, {3, 4, 5, 4, 3, 2, 1, 0, 1}},
    {{verb(Kind::pad, "x=2:0"), verb(Kind::roll, "x=-1"), verb(Kind::slice, "x=0:4")}, {-1, 0, 1, 2}},
    {{verb(Kind::pad, "x=2:1"), verb(Kind::slice, "x=2:8")}, {0, 1, 2, 3, 4, 5}},
    {{verb(Kind::slice, "x=0:3"), verb(Kind::dilate, "x=2"), verb(Kind::roll, "x=1")}, {2, 0, -1, 1, -1}},
    {{verb(Kind::dilate, "x=2"), verb(Kind::slice, "x=1:6:1"), verb(Kind::pad, "x=1:0:edge")}, {-1, -1, 1, -1, 2, -1}},
    {{verb(Kind::take, "x=i.npy", {}, {5, -6, 2, 2}), verb(Kind::flip, "x")}, {2, 2, 0, 5}},
    {{verb(Kind::slice, "x=:4"), verb(Kind::bit_reverse, "x")}, {0, 2, 1, 3}},
    {{verb(Kind::pad, "x=0:2:wrap"), verb(Kind::bit_reverse, "x")}, {0, 4, 2, 0, 1, 5, 3, 1}},
    {{verb(Kind::slice, "x=4:2")}, {}},
    {{verb(Kind::slice, "x=1:3"), verb(Kind::bit_reverse, "x")}, {1, 2}},
    {{verb(Kind::slice, "x=:4"), verb(Kind::bit_reverse, "x"), verb(Kind::roll, "x=1"), verb(Kind::bit_reverse, "x")}, {3, 2, 0, 1}},
};

std::vector<BoundVerb> renamed(std::vector<BoundVerb> verbs, const std::string& axis) {
  for (BoundVerb& v : verbs) v.verb.axis = axis;
  return verbs;
}

TEST(verbs, act_in_the_order_written_on_a_whole_axis) {
  for (std::size_t c = 0; c < chains.size(); ++c) {
    for (const Lie lie : all_lies) {
      SCOPED_TRACE("chain " + std::to_string(c) + ", lie " + std::to_string(static_cast<int>(lie)));
      const Array array = numbered({3, 6, 2}, 4);
      const Source source = laid(array, lie);
      const Wish wish{{{"z"}, {"x"}, {"y"}}, {{"y"}, {"z", "x"}}, {{"z", 3}, {"x", 6}, {"y", 2}}, {{"x", chains[c].table}}};
      const Array expected = fulfilled(wish, array);
      EXPECT_EQ(moved(build("z x y -> y (z x)", source.layout, {}, chains[c].verbs), source), expected);
      EXPECT_EQ(moved(build("z x y -> y (z x)", source.layout, {}, renamed(chains[c].verbs, "@1")), source), expected);
      EXPECT_EQ(moved(build("z (x) y -> y (z x)", source.layout, {}, renamed(chains[c].verbs, "@-2")), source), expected);
      const Wish kept{wish.left, wish.left, wish.sizes, wish.tables};
      EXPECT_EQ(moved(build("... -> ...", source.layout, {}, renamed(chains[c].verbs, "@1")), source), fulfilled(kept, array));
    }
  }
}

TEST(verbs, act_on_a_part_of_a_composite_axis) {
  for (std::size_t c = 0; c < chains.size(); ++c) {
    SCOPED_TRACE("chain " + std::to_string(c));
    const Array array = numbered({2, 18}, 3);
    const Layout layout = Layout::dense(array.extents, 3);
    for (const bool is_slow : {false, true}) {
      const Wish wish{{{"y"}, is_slow ? std::vector<std::string>{"x", "w"} : std::vector<std::string>{"w", "x"}},
                      {{"x"}, {"w", "y"}},
                      {{"x", 6}, {"w", 3}, {"y", 2}},
                      {{"x", chains[c].table}}};
      const Rearrangement built = build(is_slow ? "y (x w:3) -> x (w y)" : "y (w:3 x) -> x (w y)", layout, {}, chains[c].verbs);
      EXPECT_EQ(moved(built, array), fulfilled(wish, array));
    }
  }
}

TEST(verbs, reverse_the_bits_of_a_part) {
  const Array array = numbered({24}, 4);
  const Wish wish{{{"a", "b"}}, {{"b"}, {"a"}}, {{"a", 3}, {"b", 8}}, {{"b", {0, 4, 2, 6, 1, 5, 3, 7}}}};
  EXPECT_EQ(moved(build("(a b:8) -> b a", Layout::dense({24}, 4), {}, {verb(Kind::bit_reverse, "b")}), array), fulfilled(wish, array));
}

TEST(verbs, on_a_whole_input_axis_come_before_its_split) {
  const Array array = numbered({2, 7}, 4);
  for (const Lie lie : all_lies) {
    const Source source = laid(array, lie);
    const Array rolled_and_padded =
        naive(array, {2, 9}, [](const Index& i) { return i[1] < 7 ? std::optional(Index{i[0], (i[1] + 3) % 7}) : std::nullopt; });
    const Wish wish{{{"y"}, {"x", "3"}}, {{"3"}, {"y"}, {"x"}}, {{"y", 2}, {"x", 3}, {"3", 3}}, {{"x", {2, 1, 0}}}};
    for (const char* axis : {"@1", "@-1"}) {
      std::vector<BoundVerb> verbs{verb(Kind::roll, "x=-3"), verb(Kind::pad, "x=0:2")};
      verbs = renamed(verbs, axis);
      verbs.insert(verbs.begin() + 1, verb(Kind::flip, "x"));
      EXPECT_EQ(moved(build("y (x 3) -> 3 y x", source.layout, {}, verbs), source), fulfilled(wish, rolled_and_padded));
    }
    const Wish flipped_first{{{"y"}, {"x", "3"}}, {{"3"}, {"y"}, {"x"}}, {{"y", 2}, {"x", 3}, {"3", 3}}, {{"y", {1, 0}}}};
    EXPECT_EQ(moved(build("... (x 3) -> 3 ... x", source.layout, {},
                          {verb(Kind::flip, "@0"), verb(Kind::roll, "@-1=4"), verb(Kind::pad, "@1=0:2")}),
                    source),
              fulfilled(flipped_first, rolled_and_padded));
  }
}

TEST(verbs, at_fixes_a_name_on_either_side) {
  const Array array = numbered({3, 4, 10}, 12);
  const Layout layout = Layout::dense(array.extents, 12);
  const std::map<std::string, std::int64_t> sizes{{"z", 3}, {"y", 4}, {"x", 5}, {"2", 2}};
  const Names left{{"z"}, {"y"}, {"x", "2"}};
  const Array y_fixed = fulfilled({left, {{"2"}, {"x", "z"}}, sizes, {{"y", {3}}}}, array);
  for (const char* text : {"z y (x 2) -> 2 (x z)", "z y (x 2) -> 2 y (x z)", "z y (x 2) -> 2 (y) (x z)", "z y (x 2) -> 2 (x y z)"}) {
    EXPECT_EQ(moved(build(text, layout, {}, {verb(Kind::at, "y=-1")}), array), y_fixed) << text;
    EXPECT_EQ(moved(build(text, layout, {}, {verb(Kind::at, "@1=3")}), array), y_fixed) << text;
  }
  const Array two_fixed = fulfilled({left, {{"x"}, {"z"}, {"y"}}, sizes, {{"2", {1}}}}, array);
  EXPECT_EQ(moved(build("z y (x 2) -> x z y", layout, {}, {verb(Kind::at, "2=1")}), array), two_fixed);
  EXPECT_EQ(moved(build("z y (x 2) -> x 2 z y", layout, {}, {verb(Kind::at, "2=-1")}), array), two_fixed);
  const Array none_left =
      fulfilled({{{"z"}, {"y"}, {"w"}}, {}, {{"z", 3}, {"y", 4}, {"w", 10}}, {{"z", {2}}, {"y", {0}}, {"w", {6}}}}, array);
  EXPECT_EQ(moved(build("z y w ->", layout, {}, {verb(Kind::at, "z=2"), verb(Kind::at, "y=0"), verb(Kind::at, "w=-4")}), array), none_left);
  EXPECT_EQ(moved(build("... -> ...", layout, {}, {verb(Kind::at, "@2=6"), verb(Kind::at, "@0=2"), verb(Kind::at, "@1=0")}), array),
            none_left);
  EXPECT_EQ(moved(build("3 y w -> y w", layout, {}, {verb(Kind::at, "@0=1")}), array),
            moved(build("z y w -> y w", layout, {}, {verb(Kind::at, "z=1")}), array));
}

TEST(verbs, at_follows_the_verbs_before_it) {
  const Array array = numbered({3, 4}, 4);
  const Rearrangement r =
      build("y x -> y", Layout::dense({3, 4}, 4), {}, {verb(Kind::roll, "x=1"), verb(Kind::at, "x=0"), verb(Kind::flip, "y")});
  EXPECT_EQ(moved(r, array), naive(array, {3}, [](const Index& i) { return Index{2 - i[0], 3}; }));
}

TEST(verbs, that_pad_later_cover_the_corner) {
  const Array array = numbered({2, 2}, 1);
  const Bytes seven{std::byte{7}}, nine{std::byte{9}};
  const BoundVerb above = verb(Kind::pad, "y=1:0:constant:7", seven), right = verb(Kind::pad, "x=0:1:constant:9", nine);
  const Layout layout = Layout::dense({2, 2}, 1);
  EXPECT_EQ(moved(build("y x -> x y", layout, {}, {above, right}), array).element({2, 0}), nine);
  EXPECT_EQ(moved(build("y x -> x y", layout, {}, {right, above}), array).element({2, 0}), seven);
}

TEST(verbs, that_pad_after_a_tail_cover_its_zeros) {
  const Array array = numbered({2, 3}, 1);
  const Bytes seven{std::byte{7}};
  const Array result =
      moved(build("y (x 2) -> y (x 2)", Layout::dense({2, 3}, 1), {{}, Tail::pad}, {verb(Kind::pad, "y=0:1:constant:7", seven)}), array);
  EXPECT_EQ(result.element({1, 3}), Bytes{std::byte{0}});
  EXPECT_EQ(result.element({2, 3}), seven);
}

TEST(verbs, that_cannot_be_say_why) {
  const Layout layout = Layout::dense({3, 10}, 4);
  const auto tried = [&](const char* text, Kind kind, const char* verb_text, Tail tail = Tail::error) {
    return [=] { build(text, layout, {{}, tail}, {verb(kind, verb_text)}); };
  };
  expect_error(ErrorCode::bad_shape, {"\"q\"", "y, x"}, tried("y x -> x y", Kind::flip, "q"));
  expect_error(ErrorCode::bad_notation, {"`q`"}, tried("y x -> x y", Kind::at, "q=0"));
  expect_error(ErrorCode::bad_shape, {"@2", "2 axes", "@0 to @1"}, tried("y x -> x y", Kind::flip, "@2"));
  expect_error(ErrorCode::bad_shape, {"@-3", "2 axes"}, tried("y x -> x y", Kind::roll, "@-3=1"));
  expect_error(ErrorCode::bad_shape, {"10", "3"}, tried("y x -> x y", Kind::at, "y=10"));
  expect_error(ErrorCode::bad_shape, {"10"}, tried("y x -> x y", Kind::bit_reverse, "x"));
  expect_error(ErrorCode::unsupported, {"@1", "(x 2)"}, tried("y (x 2) -> 2 x y", Kind::at, "@1=0"));
  expect_error(ErrorCode::unsupported, {"@1", "(x 2)"}, tried("y (x 2) -> 2 x y", Kind::bit_reverse, "@1"));
  expect_error(ErrorCode::unsupported, {"10", "3 ragged phases"}, tried("y (x 3) -> y (3 x)", Kind::flip, "x", Tail::ragged));
  expect_error(ErrorCode::unsupported, {"@0", "extent 1"},
               [] { build("1 x -> x", Layout::dense({1, 4}, 4), {}, {verb(Kind::at, "@0=0")}); });
  expect_error(ErrorCode::bad_shape, {"@0", "no axes"}, [] { build("->", Layout::dense({}, 4), {}, {verb(Kind::flip, "@0")}); });
  expect_error(ErrorCode::bad_shape, {"there is no axis \"c\""}, tried("y x -> y x c:2", Kind::flip, "c"));
  expect_error(ErrorCode::bad_notation, {"`x`"}, [&] { build("y x -> y", layout, {}, {verb(Kind::at, "y=0")}); });
  const BoundVerb on_y = verb(Kind::pad, "y=1:0"), on_x = verb(Kind::pad, "@1=1:1:constant:7", Bytes(4, std::byte{7}));
  expect_error(ErrorCode::unsupported, {"@1", "write this verb first"}, [&] { build("y (x 2) -> 2 x y", layout, {}, {on_y, on_x}); });
  EXPECT_NO_THROW(build("y (x 2) -> 2 x y", layout, {}, {on_x, on_y}));
}

}  // namespace
}  // namespace crinkle::testing::verbs_in_order_test
