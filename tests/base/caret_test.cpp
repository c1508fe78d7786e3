// Errors that point into a text: the caret stands under the place, whatever the text holds. And the nearest word.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/caret.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace crinkle::caret_test {
namespace {

TEST(caret, counts_characters_not_bytes) {
  EXPECT_EQ(with_caret("m", "é→x y", 5, 1), "m\n  é→x y\n    ^");
  EXPECT_EQ(with_caret("m", "é→x y", 2, 3), "m\n  é→x y\n   ^");
  EXPECT_EQ(with_caret("m", "ab", 2, 1), "m\n  ab\n    ^") << "after the end";
  EXPECT_EQ(with_caret("m", "", 0, 0), "m\n  \n  ^");
  EXPECT_EQ(with_caret("m", "ab", 99, 99), "m\n  ab\n    ^");
}

TEST(caret, what_cannot_be_shown_is_one_character) {
  EXPECT_EQ(with_caret("m", "a\tb\nc", 4, 1), "m\n  a b c\n      ^");
  EXPECT_EQ(with_caret("m", "\x1b[2J x", 5, 1), "m\n  ?[2J x\n       ^");
  EXPECT_EQ(with_caret("m", "\xc3(\xe2\x86 \xff\xed\xa0\x80 x", 10, 1), "m\n  ?(?? ???? x\n            ^") << "broken UTF-8";
  EXPECT_EQ(with_caret("m", "\xe2\x80\xae x", 4, 1), "m\n  ? x\n    ^") << "a direction override";
}

TEST(caret, a_long_text_is_cut_around_the_place) {
  const std::string text = std::string(1000, 'a') + "!" + std::string(1000, 'b');
  const std::string shown_text = with_caret("m", text, 1000, 1);
  EXPECT_EQ(shown_text, "m\n  …" + std::string(60, 'a') + "!" + std::string(59, 'b') + "…\n  " + std::string(61, ' ') + "^");
  EXPECT_EQ(shown(text), std::string(60, 'a') + "…");
}

TEST(nearest, is_the_word_that_was_probably_meant) {
  const std::vector<std::string> words = {"height", "width", "x", "Time"};
  EXPECT_EQ(nearest_of("heigth", words), "height");
  EXPECT_EQ(nearest_of("widths", words), "width");
  EXPECT_EQ(nearest_of("X", words), "x");
  EXPECT_EQ(nearest_of("time", words), "Time");
  EXPECT_EQ(nearest_of("y", words), "");
  EXPECT_EQ(nearest_of("depth", words), "");
  EXPECT_EQ(nearest_of(std::string(100000, 'h'), words), "");
}

}  // namespace
}  // namespace crinkle::caret_test
