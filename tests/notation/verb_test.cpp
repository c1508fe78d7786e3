// Verbs and modes as text: what is understood, printed back and refused.
// SPDX-License-Identifier: BSD-3-Clause
#include "notation/verb.hpp"

#include <gtest/gtest.h>

#include "notation/expect_error.hpp"

namespace crinkle::verb_test {
namespace {

using testing::caret_line;
using testing::error_of;
using Kind = Verb::Kind;

struct Written {
  Kind kind;
  const char* text;
  const char* printed;
};

class written_verb : public ::testing::TestWithParam<Written> {};

TEST_P(written_verb, prints_canonically_and_parses_back) {
  const Verb verb = parse_verb(GetParam().kind, GetParam().text);
  const std::string printed = print(verb);
  EXPECT_EQ(printed, GetParam().printed);
  EXPECT_EQ(parse_verb(GetParam().kind, printed.substr(printed.find(' ') + 1)), verb);
}

INSTANTIATE_TEST_SUITE_P(verb, written_verb,
                         ::testing::Values(Written{Kind::flip, "x", "flip x"}, Written{Kind::flip, "@-1", "flip @-1"},
                                           Written{Kind::flip, "02", "flip 2"}, Written{Kind::bit_reverse, "@0", "bit_reverse @0"},
                                           Written{Kind::roll, "x=-7", "roll x=-7"}, Written{Kind::roll, "x=+7", "roll x=7"},
                                           Written{Kind::at, "time=5", "at time=5"}, Written{Kind::at, "x=-1", "at x=-1"},
                                           Written{Kind::dilate, "x=2", "dilate x=2"},
                                           Written{Kind::take, "x=a=b:c.npy", "take x=a=b:c.npy"},
                                           Written{Kind::slice, "x=1:9:2", "slice x=1:9:2"}, Written{Kind::slice, "x=::-1", "slice x=::-1"},
                                           Written{Kind::slice, "x=:", "slice x=:"}, Written{Kind::slice, "x=-3::", "slice x=-3:"},
                                           Written{Kind::pad, "x=1:2", "pad x=1:2"}, Written{Kind::pad, "x=1:2:constant", "pad x=1:2"},
                                           Written{Kind::pad, "x=1:2:reflect", "pad x=1:2:reflect"},
                                           Written{Kind::pad, "x=0:2:constant:-3.5", "pad x=0:2:constant:-3.5"}));

TEST(verb, values_land_in_their_fields) {
  const Verb slice = parse_verb(Kind::slice, "x=1::-2");
  EXPECT_EQ(slice.start, 1);
  EXPECT_EQ(slice.stop, std::nullopt);
  EXPECT_EQ(slice.step, -2);
  const Verb pad = parse_verb(Kind::pad, "x=3:4:wrap");
  EXPECT_EQ(pad.before, 3);
  EXPECT_EQ(pad.after, 4);
  EXPECT_EQ(pad.mode, PadMode::wrap);
  EXPECT_EQ(whole_axis("@-2"), -2);
  EXPECT_EQ(whole_axis("x"), std::nullopt);
}

struct WrongVerb {
  Kind kind;
  const char* text;
  const char* carets;
  const char* contained;
};

class wrong_verb : public ::testing::TestWithParam<WrongVerb> {};

TEST_P(wrong_verb, is_refused_with_a_caret_under_the_place) {
  const std::string text = error_of(ErrorCode::bad_notation, [&] { parse_verb(GetParam().kind, GetParam().text); });
  EXPECT_EQ(caret_line(text), GetParam().carets) << text;
  EXPECT_NE(text.find(GetParam().contained), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(
    verb, wrong_verb,
    ::testing::Values(WrongVerb{Kind::flip, "x=3", " ^^", "flip takes AXIS"}, WrongVerb{Kind::flip, "", "^", "expected an axis"},
                      WrongVerb{Kind::flip, "1", "^", "`@0`"}, WrongVerb{Kind::flip, "@x", "^^", "expected an axis"},
                      WrongVerb{Kind::roll, "x", " ^", "expected '='"}, WrongVerb{Kind::roll, "x=", "  ^", "found nothing"},
                      WrongVerb{Kind::roll, "x=1.5", "  ^^^", "expected an integer"},
                      WrongVerb{Kind::slice, "x=5", "  ^", "taken with at, `x=5`"},
                      WrongVerb{Kind::slice, "x=1:9:0", "      ^", "other than 0"},
                      WrongVerb{Kind::slice, "x=1:2:3:4", "        ^", "at most"}, WrongVerb{Kind::pad, "x=3", "  ^", "`x=3:3`"},
                      WrongVerb{Kind::pad, "x=1:-2", "    ^^", "0 or more"},
                      WrongVerb{Kind::pad, "x=1:2:reflct", "      ^^^^^^", "did you mean reflect?"},
                      WrongVerb{Kind::pad, "x=1:2:edge:5", "           ^", "only the mode constant"},
                      WrongVerb{Kind::pad, "x=1:2:constant:", "               ^", "after `constant:`"},
                      WrongVerb{Kind::dilate, "x=0", "  ^", "1 or more"}, WrongVerb{Kind::take, "x=", "  ^", "a file's name"},
                      WrongVerb{Kind::at, "x=0x1", "  ^^^", "expected an integer"}));

TEST(verb, a_number_beyond_64_bits_is_too_large) {
  EXPECT_EQ(caret_line(error_of(ErrorCode::too_large, [] { parse_verb(Kind::roll, "x=9223372036854775808"); })), "  ^^^^^^^^^^^^^^^^^^^");
  EXPECT_EQ(parse_verb(Kind::roll, "x=-9223372036854775808").distance, INT64_MIN);
}

TEST(verb, an_error_reads_as_help) {
  EXPECT_EQ(error_of(ErrorCode::bad_notation, [] { parse_verb(Kind::roll, "x=fast"); }),
            "expected an integer, found 'fast': roll takes AXIS=K, as in `x=-7`\n"
            "  x=fast\n"
            "    ^^^^");
}

TEST(modes, words_and_values_are_inverse) {
  for (const Tail tail : {Tail::error, Tail::ragged, Tail::pad, Tail::drop}) EXPECT_EQ(tail_of(name_of(tail)), tail);
  for (const PadMode mode : {PadMode::constant, PadMode::edge, PadMode::reflect, PadMode::symmetric, PadMode::wrap}) {
    EXPECT_EQ(pad_mode_of(name_of(mode)), mode);
  }
  for (const Placement placement : {Placement::global, Placement::local}) EXPECT_EQ(placement_of(name_of(placement)), placement);
  EXPECT_EQ(error_of(ErrorCode::bad_notation, [] { tail_of("raged"); }),
            "expected a tail, found 'raged'; did you mean ragged? (one of error, ragged, pad and drop)");
}

}  // namespace
}  // namespace crinkle::verb_test
