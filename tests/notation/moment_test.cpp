// Dates as numbers: every unit, both sides of 1970, leap years, and what is no date or no whole number of units.
// SPDX-License-Identifier: BSD-3-Clause
#include "notation/moment.hpp"

#include <gtest/gtest.h>

#include "notation/expect_error.hpp"

namespace crinkle::moment_test {
namespace {

using testing::caret_line;
using testing::error_of;

TEST(moment, every_unit_counts_from_1970) {
  for (const auto& [unit, count] : std::initializer_list<std::pair<const char*, std::int64_t>>{{"D", 11016},
                                                                                               {"h", 264384},
                                                                                               {"m", 15863040},
                                                                                               {"s", 951782400},
                                                                                               {"ms", 951782400000},
                                                                                               {"us", 951782400000000},
                                                                                               {"ns", 951782400000000000},
                                                                                               {"2D", 5508},
                                                                                               {"25s", 38071296}}) {
    EXPECT_EQ(parse_moment("2000-02-29", unit), count) << unit;
  }
  EXPECT_EQ(parse_moment("2000", "Y"), 30);
  EXPECT_EQ(parse_moment("2000-03", "M"), 362);
  EXPECT_EQ(parse_moment("1970-01-08", "W"), 1);
  EXPECT_EQ(parse_moment("1970-01-01T00:00:00.000000000001", "ps"), 1);
  EXPECT_EQ(parse_moment("1970-01-01T00:00:01.5", "fs"), 1500000000000000);
  EXPECT_EQ(parse_moment("1970-01-01 00:00:00.000000000000000001", "as"), 1);
  EXPECT_EQ(parse_moment("2020-06-01T13:07:09", "s"), 1591016829);
}

TEST(moment, before_1970_and_far_away) {
  EXPECT_EQ(parse_moment("1969-12-31", "D"), -1);
  EXPECT_EQ(parse_moment("1969-12-31T23:59", "m"), -1);
  EXPECT_EQ(parse_moment("1900-03-01", "D") - parse_moment("1900-02-28", "D"), 1) << "1900 was no leap year";
  EXPECT_EQ(parse_moment("0000-01-01", "D"), -719528);
  EXPECT_EQ(parse_moment("-0001", "Y"), -1971);
  EXPECT_EQ(parse_moment("+999999999999", "Y"), 999999998029);
  EXPECT_EQ(parse_moment("2262-04-11T23:47:16.854775807", "ns"), INT64_MAX);
  EXPECT_EQ(parse_moment("NaT", "ns"), not_a_time);
  EXPECT_EQ(parse_moment("nat", "Y"), not_a_time);
}

TEST(moment, what_is_no_date_is_pointed_at) {
  EXPECT_EQ(error_of(ErrorCode::bad_notation, [] { parse_moment("2019-02-29", "D"); }),
            "expected a day of that month, 01 to 28\n"
            "  2019-02-29\n"
            "          ^^");
  for (const auto& [text, carets] :
       std::initializer_list<std::pair<const char*, const char*>>{{"20", "^^"},
                                                                  {"", "^"},
                                                                  {"today", "^"},
                                                                  {"2020-1", "     ^"},
                                                                  {"2020-13", "     ^^"},
                                                                  {"2020-01-00", "        ^^"},
                                                                  {"2020-01-01Z", "          ^"},
                                                                  {"2020-01-01T24", "           ^^"},
                                                                  {"2020-01-01T00:60", "              ^^"},
                                                                  {"2020-01-01T00:00:00.", "                    ^"},
                                                                  {"2020-01-01T00:00:00+01", "                   ^^^"},
                                                                  {"1234567890123-01-01", "^^^^^^^^^^^^^"}}) {
    EXPECT_EQ(caret_line(error_of(ErrorCode::bad_notation, [&] { parse_moment(text, "D"); })), carets) << text;
  }
}

TEST(moment, a_part_of_a_unit_is_refused_and_so_is_what_64_bits_do_not_reach) {
  EXPECT_TRUE(error_of(ErrorCode::bad_notation, [] { parse_moment("2020-01-31", "M"); })
                  .starts_with("expected a whole number of units since "
                               "1970-01-01: it is a datetime64 in months\n"));
  for (const auto& [text, unit] : std::initializer_list<std::pair<const char*, const char*>>{{"2020-02", "Y"},
                                                                                             {"1970-01-09", "W"},
                                                                                             {"1970-01-01T00:00:01", "m"},
                                                                                             {"1970-01-02", "2D"},
                                                                                             {"1970-01-01T00:00:00.0001", "ms"},
                                                                                             {"2262-04-11T23:47:16.854775808", "ns"},
                                                                                             {"1677-09-21T00:12:43.145224192", "ns"},
                                                                                             {"2020", "as"}}) {
    error_of(ErrorCode::bad_notation, [&] { parse_moment(text, unit); });
  }
  for (const char* unit : {"", "x", "0s", "-1s", "s/2", "99999999999999999999s"})
    error_of(ErrorCode::unsupported, [&] { parse_moment("2020-01-31", unit); });
}

}  // namespace
}  // namespace crinkle::moment_test
