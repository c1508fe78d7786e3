// Binding: sizes found, given and wrong, ragged axes, and what each refusal says.
// SPDX-License-Identifier: BSD-3-Clause
#include "notation/bind.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "notation/expect_error.hpp"

namespace crinkle::bind_test {
namespace {

using testing::caret_line;
using testing::error_of;

struct Wish {
  std::string text;
  Extents source;
  Sizes sizes = {};
  Tail tail = Tail::error;
  std::set<std::string> fixed = {};
};

Binding bound(const Wish& wish) { return crinkle::bind(parse_spec(wish.text), wish.source, wish.sizes, wish.tail, wish.fixed); }

std::string refusal(ErrorCode code, const Wish& wish) {
  return error_of(code, [&] { bound(wish); });
}

/// The destination's extents.
Extents outcome(const Wish& wish) {
  const Binding binding = bound(wish);
  Extents extents;
  for (const OutputAxis& output : binding.outputs) {
    std::int64_t extent = 1;
    for (const Term& term : output.terms) {
      const std::size_t input = static_cast<std::size_t>(std::max(term.input, 0));
      extent *= term.input < 0 ? term.repeat : binding.inputs[input].digits[static_cast<std::size_t>(term.digit)].extent;
    }
    if (output.is_ragged) extent = binding.inputs[static_cast<std::size_t>(output.terms[0].input)].extent;
    extents.push_back(extent);
  }
  return extents;
}

TEST(bind, a_permutation_names_every_digit) {
  const Binding binding = bound({"z y x -> x z y", {4, 5, 6}});
  const std::vector<InputAxis> inputs = {{4, 4, false, 0, {{"z", 4}}}, {5, 5, false, 0, {{"y", 5}}}, {6, 6, false, 0, {{"x", 6}}}};
  const std::vector<OutputAxis> outputs = {{{{2, 0, 1}}, false}, {{{0, 0, 1}}, false}, {{{1, 0, 1}}, false}};
  EXPECT_EQ(binding.inputs, inputs);
  EXPECT_EQ(binding.outputs, outputs);
  EXPECT_TRUE(binding.fixed.empty());
}

TEST(bind, an_integer_is_a_digit_named_by_its_text) {
  const Binding binding = bound({"z y (x 2) -> 2 z y x", {4, 5, 6}});
  EXPECT_EQ(binding.inputs[2], (InputAxis{6, 6, false, 0, {{"x", 3}, {"2", 2}}}));
  EXPECT_EQ(binding.outputs[0].terms, (std::vector<Term>{{2, 1, 1}}));
  EXPECT_EQ(outcome({"z y (x 2) -> 2 z y x", {4, 5, 6}}), (Extents{2, 4, 5, 3}));
}

TEST(bind, einops_patterns_give_einops_shapes) {
  const Extents images = {32, 30, 40, 3};  // b h w c
  EXPECT_EQ(outcome({"b h w c -> b c h w", images}), (Extents{32, 3, 30, 40}));
  EXPECT_EQ(outcome({"b h w c -> (b h) w c", images}), (Extents{960, 40, 3}));
  EXPECT_EQ(outcome({"b h w c -> h (b w) c", images}), (Extents{30, 1280, 3}));
  EXPECT_EQ(outcome({"b h w c -> b (c h w)", images}), (Extents{32, 3600}));
  EXPECT_EQ(outcome({"b (h1 h) (w1 w) c -> (b h1 w1) h w c", images, {{"h1", 2}, {"w1", 2}}}), (Extents{128, 15, 20, 3}));
  EXPECT_EQ(outcome({"b (h p) (w q) c -> b h w (p q c)", images, {{"p", 2}, {"q", 2}}}), (Extents{32, 15, 20, 12}));
  EXPECT_EQ(outcome({"(b1 b2) h w c -> b1 b2 h w c", images, {{"b1", 8}}}), (Extents{8, 4, 30, 40, 3}));
  EXPECT_EQ(outcome({"b c (h h2) (w w2) -> b (c h2 w2) h w", {10, 32, 100, 200}, {{"h2", 2}, {"w2", 2}}}), (Extents{10, 128, 50, 100}));
  EXPECT_EQ(outcome({"h w -> h w c", {30, 40}, {{"c", 3}}}), (Extents{30, 40, 3}));
  EXPECT_EQ(outcome({"h w -> (repeat h) w", {30, 40}, {{"repeat", 2}}}), (Extents{60, 40}));
  EXPECT_EQ(outcome({"h w -> (h h2) (w w2)", {30, 40}, {{"h2", 2}, {"w2", 2}}}), (Extents{60, 80}));
  EXPECT_EQ(outcome({"b c h w -> (b c h w)", {10, 20, 30, 40}}), (Extents{240000}));
  EXPECT_EQ(outcome({"b c -> b c () ()", {10, 20}}), (Extents{10, 20, 1, 1}));
}

TEST(bind, an_ellipsis_stands_for_any_number_of_axes) {
  EXPECT_EQ(outcome({"... x -> x ...", {4, 5, 6}}), (Extents{6, 4, 5}));
  EXPECT_EQ(outcome({"... x -> x ...", {6}}), (Extents{6}));
  EXPECT_EQ(outcome({"... -> ...", {}}), (Extents{}));
  EXPECT_EQ(outcome({"a ... b -> b (...) a", {2, 3, 4, 5}}), (Extents{5, 12, 2}));
  EXPECT_EQ(outcome({"a ... b -> b (...) a", {2, 5}}), (Extents{5, 1, 2}));
  const Binding binding = bound({"a ... -> ... a", {2, 3, 4}});
  EXPECT_EQ(binding.inputs[2], (InputAxis{4, 4, false, 0, {{"", 4}}}));
  EXPECT_EQ(binding.outputs[1].terms, (std::vector<Term>{{2, 0, 1}}));
}

TEST(bind, ones_come_and_go) {
  EXPECT_EQ(outcome({"y 1 x () -> 1 x (y 1)", {4, 1, 5, 1}}), (Extents{1, 5, 4}));
  EXPECT_EQ(outcome({"->", {}}), (Extents{}));
  EXPECT_EQ(outcome({"-> 1 3", {}}), (Extents{1, 3}));
  EXPECT_TRUE(bound({"1 ->", {1}}).inputs[0].digits.empty());
  EXPECT_EQ(caret_line(refusal(ErrorCode::bad_shape, {"y 1 -> y", {4, 5}})), "  ^");
}

TEST(bind, nested_parentheses_mean_their_items) {
  const Wish nested = {"((a 2) (b 3)) -> b (3 (2 a))", {60}, {{"b", 5}}};
  const Wish flat = {"(a 2 b 3) -> b (3 2 a)", {60}, {{"b", 5}}};
  EXPECT_EQ(bound(nested), bound(flat));
  EXPECT_EQ(outcome(nested), (Extents{5, 12}));
}

TEST(bind, sizes_are_inferred_from_either_side_and_from_beside) {
  EXPECT_EQ(outcome({"(h w) -> h w:16", {64}}), (Extents{4, 16}));
  EXPECT_EQ(outcome({"(h w) -> w h", {64}, {{"h", 4}}}), (Extents{16, 4}));
  EXPECT_EQ(outcome({"(h:4 w) -> w h", {64}, {{"h", 4}}}), (Extents{16, 4}));
  EXPECT_EQ(outcome({"(x 2) -> 2 x", {8}, {{"2", 2}}}), (Extents{2, 4}));
  EXPECT_EQ(caret_line(refusal(ErrorCode::bad_notation, {"z (h w c) -> h w c z", {3, 64}, {{"h", 4}}})), "  ^^^^^^^");
}

TEST(bind, contradicting_sizes_name_both) {
  const std::string beside = refusal(ErrorCode::bad_notation, {"(h:4 w) -> h w", {64}, {{"h", 8}}});
  EXPECT_EQ(caret_line(beside), " ^^^");
  EXPECT_NE(beside.find("is 4 here and 8 beside"), std::string::npos) << beside;
  const std::string sides = refusal(ErrorCode::bad_notation, {"h:4 w -> h:8 w", {4, 4}});
  EXPECT_EQ(caret_line(sides), "         ^^^");
  EXPECT_EQ(caret_line(refusal(ErrorCode::bad_notation, {"h w -> h:8 w", {8, 4}, {{"h", 9}}})), "       ^^^");
  EXPECT_EQ(caret_line(refusal(ErrorCode::bad_notation, {"(x 2) -> 2 x", {8}, {{"2", 3}}})), "   ^");
  EXPECT_EQ(caret_line(refusal(ErrorCode::bad_shape, {"y h:4 -> h y", {8, 5}})), "  ^^^");
  EXPECT_EQ(caret_line(refusal(ErrorCode::bad_shape, {"y 3 -> 3 y", {8, 5}})), "  ^");
  EXPECT_EQ(caret_line(refusal(ErrorCode::bad_shape, {"y (a:3 b:2) -> a b y", {8, 7}})), "  ^^^^^^^^^");
}

TEST(bind, an_unknown_size_names_the_nearest_axis) {
  const std::string near = refusal(ErrorCode::bad_notation, {"(height w) -> height w", {64}, {{"heigth", 4}}});
  EXPECT_NE(near.find("did you mean `height`?"), std::string::npos) << near;
  EXPECT_EQ(caret_line(near), " ^^^^^^");
  refusal(ErrorCode::bad_notation, {"h w -> w h", {6, 4}, {{"zebra", 4}}});
  refusal(ErrorCode::bad_shape, {"h w -> w h", {6, 4}, {{"h", -4}}});
}

TEST(bind, a_name_on_one_side_only_is_fixed_or_repeated_or_refused) {
  EXPECT_EQ(bound({"t y x -> y x", {9, 4, 5}, {}, Tail::error, {"t"}}).fixed, (std::vector<Term>{{0, 0, 1}}));
  EXPECT_EQ(bound({"(x 2) -> x", {8}, {}, Tail::error, {"2"}}).fixed, (std::vector<Term>{{0, 1, 1}}));
  EXPECT_EQ(bound({"x -> c:3 x", {8}}).outputs[0].terms, (std::vector<Term>{{-1, -1, 3}}));
  EXPECT_EQ(outcome({"x -> x 3", {8}}), (Extents{8, 3}));
  EXPECT_EQ(outcome({"x -> x c:0", {8}}), (Extents{8, 0}));
  EXPECT_EQ(caret_line(refusal(ErrorCode::bad_notation, {"t y x -> y x", {9, 4, 5}})), "^");
  EXPECT_EQ(caret_line(refusal(ErrorCode::bad_notation, {"x -> c x", {8}})), "     ^");
  EXPECT_EQ(caret_line(refusal(ErrorCode::bad_notation, {"t x -> x t", {8, 2}, {}, Tail::error, {"t"}})), "         ^");
  const std::string unknown = refusal(ErrorCode::bad_notation, {"time x -> x", {8, 2}, {}, Tail::error, {"tiem"}});
  EXPECT_NE(unknown.find("did you mean `time`?"), std::string::npos) << unknown;
  EXPECT_EQ(outcome({"x -> x", {8}, {}, Tail::error, {"@0"}}), (Extents{8})) << "a whole input axis is gone before";
}

TEST(bind, zero_extents_are_divided_and_repeated) {
  EXPECT_EQ(outcome({"(x 4) y -> 4 y x", {0, 5}}), (Extents{4, 5, 0}));
  EXPECT_EQ(outcome({"(x 4) -> 4 x", {0}, {}, Tail::ragged}), (Extents{4, 0}));
  EXPECT_EQ(outcome({"(a:0 b:3) -> b a", {0}}), (Extents{3, 0}));
  EXPECT_EQ(outcome({"x:0 -> x", {0}}), (Extents{0}));
  EXPECT_EQ(outcome({"(b:9223372036854775807 c:3 a:0) -> a b c", {0}})[0], 0);
  EXPECT_EQ(caret_line(refusal(ErrorCode::bad_notation, {"(a:0 b) -> b a", {0}})), "^^^^^^^");
  EXPECT_EQ(caret_line(refusal(ErrorCode::bad_notation, {"(a b) -> b a", {0}})), "^^^^^");
  EXPECT_EQ(caret_line(refusal(ErrorCode::bad_shape, {"(a:0 b) -> b a", {6}})), "^^^^^^^");
}

TEST(bind, sizes_that_overflow_are_too_large) {
  EXPECT_EQ(caret_line(refusal(ErrorCode::too_large, {"x (a:4294967296 b:4294967296) -> a b x", {2, 6}})), "  ^^^^^^^^^^^^^^^^^^^^^^^^^^^");
  refusal(ErrorCode::too_large, {"(x 2) -> 2 x", {INT64_MAX}, {}, Tail::pad});
  refusal(ErrorCode::not_divisible, {"(x 2) -> 2 x", {INT64_MAX}});
}

TEST(bind, a_wrong_rank_says_both_counts) {
  const std::string few = refusal(ErrorCode::bad_shape, {"z y -> y z", {4, 5, 6}});
  EXPECT_NE(few.find("[4][5][6] has 3 axes, the left side names 2; '...'"), std::string::npos) << few;
  EXPECT_EQ(caret_line(few), "^^^");
  refusal(ErrorCode::bad_shape, {"z y x -> x y z", {4}});
  refusal(ErrorCode::bad_shape, {"->", {4}});
  const std::string least = refusal(ErrorCode::bad_shape, {"z ... y -> ... z y", {4}});
  EXPECT_NE(least.find("at least 2"), std::string::npos) << least;
}

TEST(bind, a_tail_pads_or_drops_the_end_of_the_axis) {
  EXPECT_EQ(bound({"(x 4) -> 4 x", {10}, {}, Tail::pad}).inputs[0], (InputAxis{10, 12, false, 0, {{"x", 3}, {"4", 4}}}));
  EXPECT_EQ(bound({"(x 4) -> 4 x", {10}, {}, Tail::drop}).inputs[0], (InputAxis{10, 8, false, 0, {{"x", 2}, {"4", 4}}}));
  EXPECT_EQ(bound({"(x 4) -> 4 x", {3}, {}, Tail::drop}).inputs[0], (InputAxis{3, 0, false, 0, {{"x", 0}, {"4", 4}}}));
  EXPECT_EQ(bound({"(2 x 3) -> 2 x 3", {10}, {}, Tail::pad}).inputs[0], (InputAxis{10, 12, false, 0, {{"2", 2}, {"x", 2}, {"3", 3}}}));
  EXPECT_EQ(bound({"(x 4) -> 4 x", {12}, {}, Tail::pad}).inputs[0], (InputAxis{12, 12, false, 0, {{"x", 3}, {"4", 4}}}));
}

TEST(bind, a_ragged_axis_ends_in_or_comes_from_a_slower_factor) {
  const Binding split = bound({"y (x 2) -> y (2 x)", {3, 7}, {}, Tail::ragged});
  EXPECT_EQ(split.inputs[1], (InputAxis{7, 7, true, 1, {{"x", 4}, {"2", 2}}}));
  EXPECT_EQ(split.outputs[1], (OutputAxis{{{1, 1, 1}, {1, 0, 1}}, true}));
  EXPECT_FALSE(split.outputs[0].is_ragged);
  EXPECT_EQ(bound({"y (2 x) -> y (x 2)", {3, 7}, {}, Tail::ragged}).inputs[1], (InputAxis{7, 7, true, 0, {{"2", 2}, {"x", 4}}}));
  EXPECT_TRUE(bound({"y (x 2) -> (y 2 x)", {3, 7}, {}, Tail::ragged}).outputs[0].is_ragged);
  EXPECT_FALSE(bound({"y (x 2) -> 2 y x", {3, 8}, {}, Tail::ragged}).inputs[1].is_ragged);
}

class ragged_without_a_home : public ::testing::TestWithParam<const char*> {};

TEST_P(ragged_without_a_home, is_not_divisible) {
  const std::string text = refusal(ErrorCode::not_divisible, {GetParam(), {3, 7}, {}, Tail::ragged});
  EXPECT_NE(text.find("`y (x 2) -> y (2 x)`"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(bind, ragged_without_a_home,
                         ::testing::Values("y (x 2) -> 2 y x", "y (x 2) -> y (x 2)", "y (x 2) -> (2 y x)", "y (2 x) -> y 2 x",
                                           "y (a:2 x b:2) -> y (a b x)", "y (x 2) -> (y 2) x"));

TEST(bind, digits_multiply_to_their_axis_and_each_ends_in_one_place) {
  EXPECT_TRUE(rc::check("on generated splits and merges", [] {
    Wish wish;
    std::vector<std::string> names;
    const int rank = *rc::gen::inRange(0, 5);
    for (int a = 0; a < rank; ++a) {
      const auto sizes = *rc::gen::container<Extents>(*rc::gen::inRange<std::size_t>(0, 6), rc::gen::inRange<std::int64_t>(1, 6));
      const std::size_t open = sizes.empty() ? 0 : *rc::gen::inRange<std::size_t>(0, sizes.size());
      std::int64_t extent = 1;
      wish.text += "( ";
      for (std::size_t k = 0; k < sizes.size(); ++k) {
        names.push_back("n" + std::to_string(names.size()));
        wish.text += names.back() + (k == open ? "" : ":" + std::to_string(sizes[k])) + " ";
        extent *= sizes[k];
      }
      wish.text += ") ";
      wish.source.push_back(extent);
    }
    wish.text += "->";
    std::size_t n_left = names.size();
    while (n_left > 0) {  // any order, any merging
      std::swap(names[*rc::gen::inRange<std::size_t>(0, n_left)], names[n_left - 1]);
      wish.text += *rc::gen::arbitrary<bool>() ? " (" + names[n_left - 1] + ")" : " " + names[n_left - 1];
      --n_left;
    }
    const Binding binding = bound(wish);
    std::size_t n_digits = 0;
    for (std::size_t a = 0; a < wish.source.size(); ++a) {
      std::int64_t product = 1;
      for (const Digit& digit : binding.inputs[a].digits) product *= digit.extent;
      RC_ASSERT(product == wish.source[a]);
      RC_ASSERT(binding.inputs[a].padded_extent == wish.source[a]);
      n_digits += binding.inputs[a].digits.size();
    }
    std::set<std::pair<int, int>> places;
    for (const OutputAxis& output : binding.outputs) {
      for (const Term& term : output.terms) places.emplace(term.input, term.digit);
    }
    RC_ASSERT(n_digits == names.size());
    RC_ASSERT(places.size() == names.size());
  }));
}

TEST(bind, errors_read_as_help) {
  EXPECT_EQ(refusal(ErrorCode::not_divisible, {"z y (x 2) -> 2 z y x", {4, 5, 7}}),
            "axis 2 `(x 2)` has extent 7, which the factor 2 does not divide: an extent of 6 or 8 would do, "
            "or choose a tail: `pad` or `drop`\n"
            "  z y (x 2) -> 2 z y x\n"
            "      ^^^^^");
  EXPECT_NE(refusal(ErrorCode::not_divisible, {"y (x 2) -> y (2 x)", {5, 7}}).find("choose a tail: `ragged`, `pad` or `drop`"),
            std::string::npos);
  EXPECT_EQ(refusal(ErrorCode::bad_notation, {"time y x -> y x", {9, 4, 5}}),
            "`time` is not on the right side, and crinkle never reduces: take one index of it with `at time=0`\n"
            "  time y x -> y x\n"
            "  ^^^^");
  EXPECT_EQ(
      refusal(ErrorCode::bad_notation, {"width y -> y widht", {9, 4}}),
      "`width` is not on the right side, and crinkle never reduces: take one index of it with `at width=0`; or did you mean `widht`?\n"
      "  width y -> y widht\n"
      "  ^^^^^");
  EXPECT_EQ(
      refusal(ErrorCode::bad_notation, {"zyx->xzy", {9}}),
      "`zyx` is not on the right side, and crinkle never reduces: take one index of it with `at zyx=0`; or did you mean `z y x -> x z "
      "y`?\n"
      "  zyx->xzy\n"
      "  ^^^");
  EXPECT_EQ(refusal(ErrorCode::bad_shape, {"z y -> y z", {4, 5, 6}}),
            "the source [4][5][6] has 3 axes, the left side names 2; '...' on both sides stands for the axes you do not name\n"
            "  z y -> y z\n"
            "  ^^^");
  EXPECT_EQ(refusal(ErrorCode::bad_notation, {"(h w) -> h w", {64}}),
            "axis 0 `(h w)` of extent 64 leaves `h` and `w` open: give all sizes but one, as `w:2` or a size `w=2`\n"
            "  (h w) -> h w\n"
            "  ^^^^^");
}

}  // namespace
}  // namespace crinkle::bind_test
