// The layouts that are tried where none are given.
// SPDX-License-Identifier: BSD-3-Clause
#include "advise/candidates.hpp"

#include <gtest/gtest.h>

#include "notation/expect_error.hpp"
#include "support/generators.hpp"
#include "support/records.hpp"

namespace crinkle::testing::candidates_test {
namespace {

std::vector<std::string> candidates(const char* fields, AccessPattern pattern) {
  std::vector<std::string> texts;
  for (const RecordLayout& layout : candidate_layouts(parse_fields(fields), pattern)) texts.push_back(layout.print());
  return texts;
}

TEST(Candidates, of_four_floats_are_those_that_differ) {
  EXPECT_EQ(candidates("x:f4 y:f4 z:f4 p:f4", {{"x", "y", "z"}, {"p"}, {}}),
            (std::vector<std::string>{"(x y z p)", "x|y|z|p", "(x y z p)*8", "(x y z p)*32", "(x y z)|p", "(x y z)@16|p", "(x y)@8|z|p"}));
}

TEST(Candidates, of_many_fields_keep_what_is_visited_apart) {
  EXPECT_EQ(candidates("x:f4 y:f4 z:f4 a:f8 b:f8 c:f4", {{"x", "y", "z"}, {"x"}, {}}),
            (std::vector<std::string>{"(x y z a b c)", "(x y z a b c)@16", "x|y|z|a|b|c", "(x y z a b c)*8", "(x y z a b c)*32",
                                      "(x y z)|(a b c)", "(x y z)@16|(a b c)", "(x y z)@16|(a b c)@16", "(y z)|x|(a b c)",
                                      "(x y z)@16|(a b)@16|c", "(x y)@8|z|(a b)@16|c", "(y z)@8|x|(a b)@16|c", "(x y)@8|z|(a b c)"}));
}

TEST(Candidates, of_one_field_are_one) { EXPECT_EQ(candidates("x:f4", {{"x"}, {}, {}}), std::vector<std::string>{"x"}); }

TEST(Candidates, alike_are_those_that_put_every_byte_to_the_same_place) {
  const Fields fields = parse_fields("x:f4 y:f4 z:f4 p:f4 b:u1");
  const auto are_alike = [&](const char* a, const char* b) {
    return advising::are_alike(RecordLayout::parse(a, fields), RecordLayout::parse(b, fields));
  };
  for (const auto& [a, b] : std::vector<std::pair<const char*, const char*>>{
           {"(x y z p)", "(x y z p)@16"}, {"x|y", "y|x"}, {"x*8|y", "x|y"}, {"(x y)*8@4", "(x y)*8"}, {"(x b)@1", "(x b)"}})
    EXPECT_TRUE(are_alike(a, b)) << a << " and " << b;
  for (const auto& [a, b] : std::vector<std::pair<const char*, const char*>>{{"(x y z)", "(x y z)@16"},
                                                                             {"(x y)", "(y x)"},
                                                                             {"(x y)", "x|y"},
                                                                             {"(x y)*8", "(x y)"},
                                                                             {"(x y)*8", "(x y)*4"},
                                                                             {"x*8@16", "x@16"},
                                                                             {"(x b)", "(x b)@4"},
                                                                             {"(x y)|(z p)", "(x z)|(y p)"},
                                                                             {"x|y", "x"},
                                                                             {"(b x)@4", "(b x)"}})
    EXPECT_FALSE(are_alike(a, b)) << a << " and " << b;
}

TEST(Candidates, all_have_all_fields_and_differ) {
  EXPECT_TRUE(check_many("candidates are whole and differ", 300, [] {
    const std::int64_t n_fields = pick(1, 9);
    std::string text;
    for (std::int64_t f = 0; f < n_fields; ++f)
      text += " f" + std::to_string(f) + ':' + one_of<std::string>({"f4", "u1", "i2", "f8", "c16", "S3", "f4[3]", "f8[5]"});
    const Fields fields = parse_fields(text);
    AccessPattern pattern;
    for (const Field& f : fields) {
      if (chance(2)) pattern.reads.push_back(f.name);
      if (chance(3)) pattern.writes.push_back(f.name);
    }
    if (pattern.reads.empty()) pattern.reads.push_back("f0");
    const std::vector<RecordLayout> layouts = candidate_layouts(fields, pattern);
    for (std::size_t a = 0; a < layouts.size(); ++a) {
      RC_ASSERT(layouts[a].places().size() == fields.size());
      RC_ASSERT(RecordLayout::parse(layouts[a].print(), fields) == layouts[a]);
      for (std::size_t b = 0; b < a; ++b) RC_ASSERT(!advising::are_alike(layouts[a], layouts[b]));
    }
  }));
}

TEST(Candidates, of_a_pattern_that_is_none_are_refused) {
  const auto refused = [](AccessPattern pattern, const char* says, ErrorCode code = ErrorCode::bad_notation) {
    const std::string text = error_of(code, [&] { candidate_layouts(parse_fields("x:f4 y:f4"), pattern); });
    EXPECT_NE(text.find(says), std::string::npos) << text;
  };
  refused({}, "reads and writes nothing");
  refused({{"z"}, {}, {}}, "no field 'z' to be read");
  refused({{"x"}, {"q"}, {}}, "no field 'q' to be written");
  refused({{"x", "x"}, {}, {}}, "'x' stands twice");
  refused({{"x"}, {"y", "y"}, {}}, "'y' stands twice");
  refused({{"x"}, {}, {AccessOrder::Kind::strided, 0}}, "steps of 0", ErrorCode::bad_shape);
}

}  // namespace
}  // namespace crinkle::testing::candidates_test
