// parse() against the oracle of wish.hpp: the notation's classics, sizes, tails, strided sources, given destinations, round trips.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "operations/wish.hpp"

namespace crinkle::testing::parse_test {
namespace {

struct Case {
  std::string text;
  Extents extents;  // of the source
  Wish wish;
  std::map<std::string, std::int64_t> given{};  // sizes beside the text
};

const std::vector<Case> cases{
    {"->", {}, {{}, {}, {}}},
    {"-> 1 1", {}, {{}, {{}, {}}, {}}},
    {"1 () -> ", {1, 1}, {{{}, {}}, {}, {}}},
    {"z y x -> x z y", {2, 3, 4}, {{{"z"}, {"y"}, {"x"}}, {{"x"}, {"z"}, {"y"}}, {{"z", 2}, {"y", 3}, {"x", 4}}}},
    {"b h w c -> b c h w",
     {2, 3, 5, 3},
     {{{"b"}, {"h"}, {"w"}, {"c"}}, {{"b"}, {"c"}, {"h"}, {"w"}}, {{"b", 2}, {"h", 3}, {"w", 5}, {"c", 3}}}},
    {"b h w c -> (b h) w c",
     {2, 3, 4, 1},
     {{{"b"}, {"h"}, {"w"}, {"c"}}, {{"b", "h"}, {"w"}, {"c"}}, {{"b", 2}, {"h", 3}, {"w", 4}, {"c", 1}}}},
    {"(b1 b2) h w c -> b1 b2 (h w c)",
     {6, 2, 3, 2},
     {{{"b1", "b2"}, {"h"}, {"w"}, {"c"}}, {{"b1"}, {"b2"}, {"h", "w", "c"}}, {{"b1", 2}, {"b2", 3}, {"h", 2}, {"w", 3}, {"c", 2}}},
     {{"b1", 2}}},
    {"b (h h2:2) (w w2:3) c -> b h w (h2 w2 c)",
     {2, 4, 6, 3},
     {{{"b"}, {"h", "h2"}, {"w", "w2"}, {"c"}},
      {{"b"}, {"h"}, {"w"}, {"h2", "w2", "c"}},
      {{"b", 2}, {"h", 2}, {"h2", 2}, {"w", 2}, {"w2", 3}, {"c", 3}}}},
    {"h w (r1 r2 c) -> (h r1) (w r2) c",
     {3, 2, 12},
     {{{"h"}, {"w"}, {"r1", "r2", "c"}}, {{"h", "r1"}, {"w", "r2"}, {"c"}}, {{"h", 3}, {"w", 2}, {"r1", 2}, {"r2", 3}, {"c", 2}}},
     {{"r1", 2}, {"r2", 3}}},
    {"z y (x 2) -> 2 z y x",
     {3, 2, 10},
     {{{"z"}, {"y"}, {"x", "2"}}, {{"2"}, {"z"}, {"y"}, {"x"}}, {{"z", 3}, {"y", 2}, {"x", 5}, {"2", 2}}}},
    {"(3 y) x -> y (x 3)", {6, 4}, {{{"3", "y"}, {"x"}}, {{"y"}, {"x", "3"}}, {{"3", 3}, {"y", 2}, {"x", 4}}}},
    {"h w -> h w c:3", {2, 5}, {{{"h"}, {"w"}}, {{"h"}, {"w"}, {"c"}}, {{"h", 2}, {"w", 5}, {"c", 3}}}},
    {"h w -> (h 2) (w 3)", {2, 5}, {{{"h"}, {"w"}}, {{"h", "2"}, {"w", "3"}}, {{"h", 2}, {"w", 5}, {"2", 2}, {"3", 3}}}},
    {"x -> c x", {4}, {{{"x"}}, {{"c"}, {"x"}}, {{"x", 4}, {"c", 0}}}, {{"c", 0}}},
    {"h 1 w -> 1 w () h 1", {2, 1, 5}, {{{"h"}, {}, {"w"}}, {{}, {"w"}, {}, {"h"}, {}}, {{"h", 2}, {"w", 5}}}},
    {"... -> ...", {3, 4, 2}, {{{"a"}, {"b"}, {"c"}}, {{"a"}, {"b"}, {"c"}}, {{"a", 3}, {"b", 4}, {"c", 2}}}},
    {"... -> ...", {}, {{}, {}, {}}},
    {"... y x -> x ... y",
     {3, 4, 2, 5},
     {{{"a"}, {"b"}, {"y"}, {"x"}}, {{"x"}, {"a"}, {"b"}, {"y"}}, {{"a", 3}, {"b", 4}, {"y", 2}, {"x", 5}}}},
    {"y ... (x 2) -> 2 (y ...) x",
     {3, 2, 2, 4},
     {{{"y"}, {"a"}, {"b"}, {"x", "2"}}, {{"2"}, {"y", "a", "b"}, {"x"}}, {{"y", 3}, {"a", 2}, {"b", 2}, {"x", 2}, {"2", 2}}}},
    {"x ... -> ... x", {3}, {{{"x"}}, {{"x"}}, {{"x", 3}}}},
    {"... -> (...)", {3, 2, 4}, {{{"a"}, {"b"}, {"c"}}, {{"a", "b", "c"}}, {{"a", 3}, {"b", 2}, {"c", 4}}}},
    {"y x -> x y", {0, 3}, {{{"y"}, {"x"}}, {{"x"}, {"y"}}, {{"y", 0}, {"x", 3}}}},
    {"(y 2) x -> 2 x y", {0, 3}, {{{"y", "2"}, {"x"}}, {{"2"}, {"x"}, {"y"}}, {{"y", 0}, {"2", 2}, {"x", 3}}}},
    {"(a:2 b:2 c:2) -> c b a", {8}, {{{"a", "b", "c"}}, {{"c"}, {"b"}, {"a"}}, {{"a", 2}, {"b", 2}, {"c", 2}}}},
    {"a:3 b -> b a", {3, 2}, {{{"a"}, {"b"}}, {{"b"}, {"a"}}, {{"a", 3}, {"b", 2}}}},
};

TEST(parse, does_what_the_names_say) {
  for (const Case& c : cases) {
    for (const std::int64_t e : {1, 3, 4, 16}) {
      for (const Lie lie : all_lies) {
        SCOPED_TRACE("\"" + c.text + "\", elements of " + std::to_string(e) + " bytes, lie " + std::to_string(static_cast<int>(lie)));
        const Array array = numbered(c.extents, e);
        const Source source = laid(array, lie);
        const Array expected = fulfilled(c.wish, array);
        ASSERT_EQ(moved(parse(c.text, source.layout, {c.given, Tail::error}), source), expected);
        ASSERT_EQ(moved(parse(canonical(c.text), source.layout, {c.given, Tail::error}), source), expected);
      }
    }
  }
}

TEST(parse, reads_any_spacing_and_writes_one) {
  EXPECT_EQ(canonical("  z   y(x 2)->2 z y x "), "z y (x 2) -> 2 z y x");
  for (const Case& c : cases) EXPECT_EQ(canonical(canonical(c.text)), canonical(c.text));
}

TEST(parse, of_a_copy_is_one_box) {
  EXPECT_EQ(parse("... -> ...", Layout::dense({3, 4, 5}, 4)).boxes().size(), 1u);
  EXPECT_EQ(parse("z y (x 2) -> 2 z y x", Layout::dense({3, 4, 6}, 4)).boxes().size(), 1u);
}

TEST(parse, splits_raggedly_as_a_local_crinkle_does) {
  for (const std::int64_t n : {0, 1, 2, 3, 8, 9, 13}) {
    for (const Lie lie : all_lies) {
      const Array array = numbered({3, n}, 4);
      const Source source = laid(array, lie);
      for (const std::int64_t step : {2, 3, 5, 20}) {
        if (n % step == 0) continue;  // divides: the same words mean the same, without a ragged axis
        const std::string k = std::to_string(step);
        const std::vector<Crinkle> crinkles{{1, step}};
        const Array crinkled = moved(crinkle(source.layout, crinkles, Placement::local, Tail::ragged), source);
        const Rearrangement r = parse("y (x " + k + ") -> y (" + k + " x)", source.layout, {{}, Tail::ragged});
        EXPECT_EQ(moved(r, source), crinkled) << n << " by " << step;
        EXPECT_LE(r.boxes().size(), 2u);
        const Array uncrinkled = moved(uncrinkle({3, n}, 4, crinkles, Placement::local, Tail::ragged), array);
        EXPECT_EQ(moved(parse("y (" + k + " x) -> y (x " + k + ")", source.layout, {{}, Tail::ragged}), source), uncrinkled)
            << n << " by " << step;
        EXPECT_EQ(moved(parse("y (" + k + " x) -> y (" + k + " x)", source.layout, {{}, Tail::ragged}), source), array);
      }
    }
  }
}

TEST(parse, merges_a_ragged_axis_with_others) {
  const Array array = numbered({2, 7, 3}, 4);
  const Layout layout = Layout::dense(array.extents, 4);
  const Array crinkled = moved(crinkle(layout, std::vector<Crinkle>{{1, 2}}, Placement::local, Tail::ragged), array);
  const Array merged = moved(parse("z (y 2) x -> (x 2 y z)", layout, {{}, Tail::ragged}), array);
  EXPECT_EQ(merged.bytes, moved(parse("z y x -> (x y z)", layout), crinkled).bytes);
}

TEST(parse, pads_or_drops_the_tail) {
  const Array array = numbered({2, 7}, 12);
  const Layout layout = Layout::dense(array.extents, 12);
  const Array padded = naive(array, {2, 9}, [](const Index& i) { return i[1] < 7 ? std::optional(i) : std::nullopt; });
  const Array cut = naive(array, {2, 6}, [](const Index& i) { return i; });
  const Wish wish{{{"y"}, {"x", "3"}}, {{"3"}, {"x"}, {"y"}}, {{"y", 2}, {"x", 3}, {"3", 3}}};
  Wish shorter = wish;
  shorter.sizes["x"] = 2;
  EXPECT_EQ(moved(parse("y (x 3) -> 3 x y", layout, {{}, Tail::pad}), array), fulfilled(wish, padded));
  EXPECT_EQ(moved(parse("y (x 3) -> 3 x y", layout, {{}, Tail::drop}), array), fulfilled(shorter, cut));
}

TEST(parse, into_a_given_destination_leaves_its_gaps_alone) {
  const Array array = numbered({3, 4}, 4);
  const Layout source = Layout::dense({3, 4}, 4);
  Layout destination{{4, 3}, {-20, 5}, 80, 4};
  const Rearrangement r = parse("y x -> x y", source, destination);
  EXPECT_EQ(r.destination(), destination);
  const Bytes result = run(r, {array.bytes}, 100)[0];
  Bytes expected(100, poison);
  for_each_index({4, 3}, [&](const Index& i) {
    const Bytes value = array.element({i[1], i[0]});
    std::copy(value.begin(), value.end(), expected.begin() + 80 - 20 * i[0] + 5 * i[1]);
  });
  EXPECT_EQ(result, expected);
}

TEST(parse, refuses_what_it_cannot_mean_and_says_why) {
  const Layout layout = Layout::dense({3, 7}, 4);
  const auto tried = [&](const char* text, Tail tail = Tail::error) { return [=] { parse(text, layout, {{}, tail}); }; };
  expect_error(ErrorCode::bad_notation, {"^"}, tried("y x > x y"));
  expect_error(ErrorCode::bad_notation, {"`x`", "^"}, tried("y x -> y"));
  expect_error(ErrorCode::bad_notation, {"`c`", "^"}, tried("y x -> y x c"));
  expect_error(ErrorCode::bad_shape, {"2 axes", "3", "^"}, tried("z y x -> z y x"));
  expect_error(ErrorCode::not_divisible, {"axis 1", "7", "2", "6", "8"}, tried("y (x 2) -> 2 y x"));
  expect_error(ErrorCode::not_divisible, {"axis 1", "7", "2"}, tried("y (x 2) -> 2 y x", Tail::ragged));
  expect_error(ErrorCode::bad_shape, {"axis 0", "3", "4"}, tried("y:4 x -> x y"));
  expect_error(ErrorCode::too_large, {"^"}, tried("y x -> y x c:9223372036854775808"));
  expect_error(ErrorCode::too_large, {}, tried("y x -> y x c:9223372036854775807"));
  expect_error(ErrorCode::bad_shape, {"[3][7]", "[7][3]"}, [&] { parse("y x -> x y", layout, Layout::dense({3, 7}, 4)); });
  expect_error(ErrorCode::overlap, {"8", "12"}, [&] { parse("y x -> x y", layout, Layout{{7, 3}, {8, 4}, 0, 4}); });
}

}  // namespace
}  // namespace crinkle::testing::parse_test
