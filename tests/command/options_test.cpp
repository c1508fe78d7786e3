// Options as a subcommand declares them: whole numbers, empty values, words that are the only ones, and the order of a line.
// SPDX-License-Identifier: BSD-3-Clause
#include "command_line/options.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "command_line/command_line.hpp"
#include "notation/expect_error.hpp"

namespace crinkle::tool::options_test {
namespace {

void expect_error(const std::function<void()>& act, ErrorCode code, const std::string& says) {
  const std::string text = testing::error_of(code, act);
  EXPECT_NE(text.find(says), std::string::npos) << text;
}

TEST(options, numbers_are_decimal_and_fit_their_type) {
  EXPECT_EQ(parse_integer<std::int64_t>("--n", "010"), 10);
  EXPECT_EQ(parse_integer<int>("--n", "08"), 8);
  EXPECT_EQ(parse_integer<int>("--n", "-08"), -8);
  EXPECT_EQ(parse_integer<std::uint32_t>("--n", "+7"), 7u);
  EXPECT_EQ(parse_integer<std::int64_t>("--n", "-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parse_integer<std::uint64_t>("--n", "18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  for (const char* text : {"", "+", "-", "+-1", "0x10", "1e3", "1.0", " 1", "1 ", "1_000", "one"})
    expect_error([&] { parse_integer<std::int64_t>("--n", text); }, ErrorCode::bad_notation, std::string("--n: '") + text + "'");
  expect_error([] { parse_integer<int>("--n", "2147483648"); }, ErrorCode::too_large, "--n 2147483648: does not fit 32 bits");
  expect_error([] { parse_integer<std::int64_t>("--n", "9223372036854775808"); }, ErrorCode::too_large, "64 bits");
  expect_error([] { parse_integer<std::uint64_t>("--n", "-1"); }, ErrorCode::bad_notation, "--n -1: give 0 or more");
}

struct Line {
  std::string shape;
  std::optional<int> count;
  std::vector<std::string> files, order;
  bool is_forced = false;
  Command command{"", ""};

  Line() {
    command.argument("FILE", files, "");
    command.option("--shape", "SHAPE", shape, "");
    command.option("-n,--count", "N", count, "");
    command.flag("--force", is_forced, "");
    for (const char* name : {"--flip", "--roll"}) {
      const auto note = [this, name](const std::string& text) { order.push_back(name + (" " + text)); };
      command.option(name, "AXIS", std::function<void(const std::string&)>(note), "").repeatable();
    }
    command.option("--tail", "TAIL", shape, "").only({"error", "pad", "drop"});
  }
};

TEST(options, values_are_given_in_the_order_of_the_line) {
  Line line;
  give_words(line.command, {"--roll", "x=-1", "a", "--flip=y", "--force", "-n", "007", "b", "--roll", "z=2", "-> y"});
  EXPECT_EQ(line.order, (std::vector<std::string>{"--roll x=-1", "--flip y", "--roll z=2"}));
  EXPECT_EQ(line.files, (std::vector<std::string>{"a", "b", "-> y"}));
  EXPECT_EQ(line.count, 7);
  EXPECT_TRUE(line.is_forced);
  EXPECT_EQ(line.shape, "");
}

TEST(options, an_empty_value_is_refused_by_the_name_of_its_option) {
  for (const char* name : {"--shape", "--count", "--flip", "--tail"}) {
    const std::string says = std::string(name) + ": its value is empty";
    expect_error([&] { give_words(Line().command, {name, ""}); }, ErrorCode::bad_notation, says);
    expect_error([&] { give_words(Line().command, {std::string(name) + "=", "a"}); }, ErrorCode::bad_notation, says);
  }
}

TEST(options, words_that_are_the_only_ones_are_named) {
  expect_error([] { give_words(Line().command, {"--tail", "pat"}); }, ErrorCode::bad_notation, "--tail 'pat': it is error, pad or drop");
  expect_error([] { give_words(Line().command, {"--tale", "pad"}); }, ErrorCode::bad_notation, "--tale");
  Line line;
  give_words(line.command, {"--tail", "pad"});
  EXPECT_EQ(line.shape, "pad");
}

}  // namespace
}  // namespace crinkle::tool::options_test
