// The notation's parser and printer: what they accept, that they are inverse, and where errors point.
// SPDX-License-Identifier: BSD-3-Clause
#include "notation/spec.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>

#include "notation/expect_error.hpp"

namespace crinkle::spec_test {
namespace {

using testing::caret_line;
using testing::error_of;
using Kind = Item::Kind;

std::string canonical(std::string_view text) { return print(parse_spec(text)); }

struct Wrong {
  const char* text;
  const char* carets;     // under the text
  const char* contained;  // in the message
};

class wrong_notation : public ::testing::TestWithParam<Wrong> {};

TEST_P(wrong_notation, is_refused_with_a_caret_under_the_place) {
  const std::string text = error_of(ErrorCode::bad_notation, [&] { parse_spec(GetParam().text); });
  EXPECT_EQ(caret_line(text), GetParam().carets) << text;
  EXPECT_NE(text.find(GetParam().contained), std::string::npos) << text;
  EXPECT_NE(text.find("\n  " + std::string(GetParam().text) + "\n"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(spec, wrong_notation,
                         ::testing::Values(Wrong{"z y x", "     ^", "expected '->'"},                          //
                                           Wrong{"", "^", "`... -> ...`"},                                     //
                                           Wrong{"a -> b -> c", "       ^^", "second '->'"},                   //
                                           Wrong{"z y x → x", "      ^", "write the arrow as '->'"},           //
                                           Wrong{"z y => x", "    ^^", "write the arrow as '->'"},             //
                                           Wrong{"§ y -> y", "^", "found '§'"},                                //
                                           Wrong{"a … -> … a", "  ^", "three dots"},                           //
                                           Wrong{"(a b -> a b", "^", "not closed: expected ')' before '->'"},  //
                                           Wrong{"a b -> (a b", "       ^", "not closed: expected ')' before the end"},
                                           Wrong{"a b) -> a b", "   ^", "closes nothing"},                       //
                                           Wrong{"a b -> a) b", "        ^", "closes nothing"},                  //
                                           Wrong{"a b a -> a b", "    ^", "`a` stands twice on the left side"},  //
                                           Wrong{"a b -> a (b a)", "            ^", "`a` stands twice on the right side"},
                                           Wrong{"(x 2) (y 2) -> x y 2", "         ^", "`a:2 b:2`"},                  //
                                           Wrong{"... a ... -> ...", "      ^^^", "`...` stands twice on the left"},  //
                                           Wrong{"(a ...) -> a ...", "   ^^^", "only on the right side"},             //
                                           Wrong{"a ... -> a", "  ^^^", "never reduces"},                             //
                                           Wrong{"a -> ... a", "     ^^^", "only on the right side"},                 //
                                           Wrong{"a .. -> a ..", "  ^^", "three dots"},                               //
                                           Wrong{"a .... -> a", "  ^^^^", "found 4"},                                 //
                                           Wrong{"z,y -> y z", " ^", "names stand apart by spaces alone"},            //
                                           Wrong{"[y x] -> y x", "^", "round parentheses"},                           //
                                           Wrong{"a + b -> a b", "  ^", "found '+'"},                                 //
                                           Wrong{"0 a -> a", "^", "`a:0`"},                                           //
                                           Wrong{"2x -> x", "^^", "for two axes write `2 x`, for one `x2`"},          //
                                           Wrong{"2:3 -> 2", "^^", "`a:2`"},                                          //
                                           Wrong{"h:-1 w -> w", "  ^", "found '-'"},                                  //
                                           Wrong{"h: 16 -> h", "  ^", "right after `h:`"},                            //
                                           Wrong{"h -> h:", "       ^", "found the end"},                             //
                                           Wrong{"h:16w -> h", "    ^", "a space after `h:16`"},                      //
                                           Wrong{"h :16 -> h", "  ^", "without a space"},                             //
                                           Wrong{"@0 -> a", "^", "for verbs"}));

TEST(spec, parses_names_sizes_integers_groups_and_ellipses) {
  const Spec spec = parse_spec("... z:64 (x 2) 1 () -> 2 (... x) z");
  ASSERT_EQ(spec.left.size(), 5U);
  EXPECT_EQ(spec.left[0].kind, Kind::ellipsis);
  EXPECT_EQ(spec.left[1].name, "z");
  EXPECT_EQ(spec.left[1].extent, 64);
  EXPECT_EQ(spec.left[1].column, 4U);
  EXPECT_EQ(spec.left[1].length, 4U);
  EXPECT_EQ(spec.left[2].kind, Kind::group);
  EXPECT_EQ(spec.left[2].items[0].extent, -1);
  EXPECT_EQ(spec.left[2].items[1].kind, Kind::integer);
  EXPECT_EQ(spec.left[2].items[1].extent, 2);
  EXPECT_EQ(spec.left[2].length, 5U);
  EXPECT_EQ(spec.left[3].extent, 1);
  EXPECT_TRUE(spec.left[4].items.empty());
  EXPECT_EQ(spec.right[1].items[0].kind, Kind::ellipsis);
}

TEST(spec, names_are_of_the_letters_of_any_script) {
  EXPECT_EQ(print(parse_spec("α β₂ -> β₂ α")), "α β₂ -> β₂ α");
  EXPECT_EQ(print(parse_spec("größe (長さ:3 _x1) -> 長さ größe _x1")), "größe (長さ:3 _x1) -> 長さ größe _x1");
  for (const char* text : {"a→b -> a", "a b × -> a", "a\u00a0b -> b", "\xff -> a"})
    error_of(ErrorCode::bad_notation, [&] { parse_spec(text); });
}

TEST(spec, prints_in_canonical_spacing) {
  EXPECT_EQ(canonical("z y(x 2)->2 z\ty\n x"), "z y (x 2) -> 2 z y x");
  EXPECT_EQ(canonical("  ( a ( b c ) )  ->a b( )c 007"), "(a (b c)) -> a b () c 7");
  EXPECT_EQ(canonical("->"), "->");
  EXPECT_EQ(canonical("1 -> "), "1 ->");
  EXPECT_EQ(canonical("-> 1 1"), "-> 1 1");
  EXPECT_EQ(canonical("... -> (...)"), "... -> (...)");
  EXPECT_EQ(canonical("empty:0 -> empty"), "empty:0 -> empty");
}

TEST(spec, a_size_beyond_63_bits_is_too_large) {
  EXPECT_EQ(caret_line(error_of(ErrorCode::too_large, [] { parse_spec("a:9223372036854775808 -> a"); })), "  ^^^^^^^^^^^^^^^^^^^");
  EXPECT_EQ(parse_spec("a:9223372036854775807 -> a").left[0].extent, INT64_MAX);
  error_of(ErrorCode::too_large, [] { parse_spec("99999999999999999999999999 -> 1"); });
}

TEST(spec, nests_parentheses_up_to_a_limit) {
  const auto nested = [](std::size_t levels) { return std::string(levels, '(') + "a" + std::string(levels, ')') + " -> a"; };
  EXPECT_EQ(canonical(nested(max_nesting)), nested(max_nesting));
  EXPECT_EQ(caret_line(error_of(ErrorCode::bad_notation, [&] { parse_spec(nested(max_nesting + 1)); })),
            std::string(max_nesting, ' ') + "^");
  error_of(ErrorCode::bad_notation, [&] { parse_spec(std::string(1000000, '(')); });
}

TEST(spec, errors_read_as_help) {
  const auto text_of = [](const char* text) { return error_of(ErrorCode::bad_notation, [&] { parse_spec(text); }); };
  EXPECT_EQ(text_of("z y [x 2] -> z y x"),
            "expected a name, an integer, '(', '...' or '->', found '[': axes are merged in round parentheses, `(a b)`\n"
            "  z y [x 2] -> z y x\n"
            "      ^");
  EXPECT_EQ(text_of("y (x 2) (z 2) -> 2 z y x"),
            "`2` stands twice on the left side: tell the axes apart by names, `a:2 b:2`\n"
            "  y (x 2) (z 2) -> 2 z y x\n"
            "             ^");
  EXPECT_EQ(text_of("z y x → x z y"),
            "expected a name, an integer, '(', '...' or '->', found '→': write the arrow as '->'\n"
            "  z y x → x z y\n"
            "        ^");
  EXPECT_EQ(text_of("z (y x -> x (z y)"),
            "this '(' is not closed: expected ')' before '->'\n"
            "  z (y x -> x (z y)\n"
            "    ^");
}

TEST(spec, a_hostile_text_is_shown_on_one_short_line) {
  const std::string text = error_of(ErrorCode::bad_notation, [] { parse_spec(std::string(5000, 'a') + "\x1b[2J\xff -> b"); });
  EXPECT_LT(text.size(), 600U);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\xff'), std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
}

/// Items of one side: distinct names and integers, groups, at most one ellipsis (never inside parentheses on the left).
std::vector<Item> generated_side(std::set<std::string>& used, bool is_left, bool has_ellipsis, int depth) {
  std::vector<Item> items;
  const int n = *rc::gen::inRange(0, depth == 0 ? 6 : 4);
  for (int k = 0; k < n; ++k) {
    Item item;
    item.kind = *rc::gen::element(Kind::name, Kind::name, Kind::integer, Kind::group);
    if (item.kind == Kind::name) {
      item.name = *rc::gen::element<std::string>("a", "b", "h", "w", "_", "x1", "Time", "a_b", "aa", "z");
      item.extent = *rc::gen::element<std::int64_t>(-1, -1, 0, 1, 16, INT64_MAX);
      if (!used.insert(item.name).second) continue;
    } else if (item.kind == Kind::integer) {
      item.extent = *rc::gen::element<std::int64_t>(1, 2, 3, 4096, INT64_MAX);
      if (item.extent > 1 && !used.insert(std::to_string(item.extent)).second) continue;
    } else if (depth < 4) {
      const bool is_inside = has_ellipsis && !is_left && *rc::gen::arbitrary<bool>();
      item.items = generated_side(used, is_left, is_inside, depth + 1);
      if (is_inside) has_ellipsis = false;
    }
    items.push_back(item);
  }
  if (has_ellipsis) {
    Item ellipsis;
    ellipsis.kind = Kind::ellipsis;
    items.insert(items.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(items) + 1), ellipsis);
  }
  return items;
}

TEST(spec, print_and_parse_are_inverse) {
  EXPECT_TRUE(rc::check("parse_spec(print(s)) == s", [] {
    Spec spec;
    const bool has_ellipsis = *rc::gen::arbitrary<bool>();
    std::set<std::string> left, right;
    spec.left = generated_side(left, true, has_ellipsis, 0);
    spec.right = generated_side(right, false, has_ellipsis, 0);
    const std::string text = print(spec);
    const Spec again = parse_spec(text);
    RC_ASSERT(again == spec);
    RC_ASSERT(again.text == text);
    RC_ASSERT(print(again) == text);
  }));
}

TEST(spec, any_text_is_a_spec_or_a_caret) {
  EXPECT_TRUE(rc::check("never anything but a Spec or an Error", [] {
    std::string text;
    for (const auto& piece : *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
             "a", "b:", "16", "(", ")", "...", ".", "->", " ", "1", "2", "-", "\xe2\x86\x92", "\xff", ":", "\n", "x"))) {
      text += piece;
    }
    try {
      const Spec spec = parse_spec(text);
      RC_ASSERT(parse_spec(print(spec)) == spec);
    } catch (const Error& error) {
      RC_ASSERT(error.code() == ErrorCode::bad_notation);
      RC_ASSERT(std::string(error.what()).ends_with('^'));
    }
  }));
}

}  // namespace
}  // namespace crinkle::spec_test
