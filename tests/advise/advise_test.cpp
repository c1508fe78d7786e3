// What advise() answers and refuses. No speed is judged.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/advise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "crinkle/cuda.hpp"
#include "notation/expect_error.hpp"

namespace crinkle::testing::advise_test {
namespace {

const Fields& four() {
  static const Fields fields = parse_fields("x:f4 y:f4 z:f4 p:f4");
  return fields;
}
RecordLayout layout(const char* text) { return RecordLayout::parse(text, four()); }

AdviseOptions quick() {
  AdviseOptions options;
  options.samples = 1;
  return options;
}

TEST(Advise, the_fastest_comes_first_and_all_candidates_are_there) {
  for (const char* order : {"sequential", "random", "strided:7"}) {
    const AccessPattern pattern{{"x", "y", "z"}, {"p"}, AccessOrder::parse(order)};
    const Advice advice = advise(four(), pattern, 1001, quick());
    EXPECT_EQ(advice.n, 1001);
    EXPECT_EQ(advice.pass_bytes, 1001 * 16);
    EXPECT_EQ(advice.candidates.size(), candidate_layouts(four(), pattern).size());
    EXPECT_EQ(advice.present(), nullptr);
    EXPECT_FALSE(advice.copies.empty());
    EXPECT_GT(advice.best_copy_seconds(), 0);
    for (std::size_t k = 0; k < advice.candidates.size(); ++k) {
      const Candidate& c = advice.candidates[k];
      EXPECT_LE(advice.candidates[k > 0 ? k - 1 : 0].seconds, c.seconds);
      EXPECT_GT(c.seconds, 0);
      EXPECT_GE(c.iqr, 0);
      EXPECT_EQ(c.bytes, c.layout.bytes(1001));
      EXPECT_DOUBLE_EQ(c.gb_per_s, 1001 * 16 / c.seconds * 1e-9);
      EXPECT_FALSE(c.is_present || c.convert_seconds || c.pays_after);
    }
  }
}

TEST(Advise, the_present_layout_is_measured_too_and_what_leaving_it_costs) {
  AdviseOptions options = quick();
  options.from = layout("(p x y z)*4");
  const Advice advice = advise(four(), {{"x", "p"}, {"p"}, {}}, 500, options);
  ASSERT_NE(advice.present(), nullptr);
  EXPECT_EQ(advice.present()->layout, *options.from);
  EXPECT_EQ(advice.pass_bytes, 500 * 12);
  for (const Candidate& c : advice.candidates) {
    EXPECT_EQ(c.is_present, c.layout == *options.from);
    EXPECT_EQ(c.convert_seconds.has_value(), !c.is_present);
    EXPECT_EQ(c.pays_after.has_value(),
              !c.is_present && c.seconds < advice.present()->seconds && !Advice::are_equally_fast(c, *advice.present()))
        << c.layout.print();
    if (!c.pays_after) continue;
    const double saved = advice.present()->seconds - c.seconds;
    EXPECT_GE(static_cast<double>(*c.pays_after) * saved, *c.convert_seconds * (1 - 1e-9));
    EXPECT_LT(static_cast<double>(*c.pays_after - 1) * saved, *c.convert_seconds);
  }
}

TEST(Advise, only_layouts_that_are_given_are_measured) {
  AdviseOptions options = quick();
  options.candidates = {layout("x|y|z|p"), layout("(x p)"), layout("x|y|z|p")};
  const Advice advice = advise(four(), {{"x"}, {"p"}, {}}, 100, options);
  EXPECT_EQ(advice.candidates.size(), 2u);
  options.from = layout("(x y z p)");
  EXPECT_EQ(advise(four(), {{"x"}, {"p"}, {}}, 100, options).candidates.size(), 3u);
  options.from = layout("x|y|z|p");
  EXPECT_EQ(advise(four(), {{"x"}, {"p"}, {}}, 100, options).candidates.size(), 2u);
}

TEST(Advise, any_fields_counts_orders_and_numbers_of_threads_come_out_as_defined) {
  const Fields fields = parse_fields("a:u1 b:>f8 c:i2[3] d:S5 e:c16 f:f4");
  const auto two = make_executor(2);
  for (const std::int64_t n : {1, 2, 31, 300, 70001})
    for (const char* order : {"sequential", "random", "strided:3"}) {
      AdviseOptions options = quick();
      options.executor = two.get();
      options.seed = static_cast<std::uint64_t>(n);
      options.from = RecordLayout::parse("(f a b)*6@4|c|(d e)@8", fields);
      EXPECT_GT(advise(fields, {{"d", "b", "a"}, {"c", "a", "e"}, AccessOrder::parse(order)}, n, options).candidates.size(), 8u);
    }
}

TEST(Advise, a_conversion_in_two_steps_is_measured_too) {
  AdviseOptions options = quick();
  options.from = layout("(x y)*541|(z p)*547");
  options.candidates = {layout("(p x z)*557|y")};
  EXPECT_TRUE(advise(four(), {{"x"}, {}, {}}, 301000, options).candidates.size() == 2);
}

TEST(Advise, what_makes_no_sense_is_refused) {
  const auto refused = [](ErrorCode code, const char* says, const AccessPattern& pattern, std::int64_t n, const AdviseOptions& options) {
    const std::string text = error_of(code, [&] { advise(four(), pattern, n, options); });
    EXPECT_NE(text.find(says), std::string::npos) << text;
  };
  const AccessPattern good{{"x"}, {"p"}, {}};
  refused(ErrorCode::bad_notation, "reads and writes nothing", {}, 5, quick());
  refused(ErrorCode::bad_notation, "no field 'q'", {{"q"}, {}, {}}, 5, quick());
  refused(ErrorCode::bad_shape, "0 records", good, 0, quick());
  refused(ErrorCode::bad_shape, "-3 records", good, -3, quick());
  refused(ErrorCode::bad_shape, "steps of -1", {{"x"}, {}, {AccessOrder::Kind::strided, -1}}, 5, quick());
  AdviseOptions options = quick();
  options.samples = 0;
  refused(ErrorCode::bad_shape, "0 samples", good, 5, options);
  options = quick();
  options.candidates = {layout("(x y)")};
  refused(ErrorCode::bad_notation, "(x y) has no field 'p'", good, 5, options);
  options.candidates = {layout("(x p z)")};
  options.from = layout("(x p)");
  refused(ErrorCode::bad_notation, "'z' of (x p z) is not in the present layout (x p)", good, 5, options);
  options = quick();
  options.from = RecordLayout::parse("(x p)", parse_fields("x:f8 p:f4"));
  options.candidates = {layout("(x p)")};
  refused(ErrorCode::bad_notation, "'x' of the layout (x p) is none of x:f4", good, 5, options);
  refused(ErrorCode::too_large, "64 bits", good, INT64_MAX / 3, quick());
  refused(ErrorCode::out_of_memory, "measure fewer records", good, std::int64_t{1} << 50, quick());
}

TEST(Advise, a_device_that_is_not_there_is_refused) {
  AdviseOptions options = quick();
  options.device = {Device::Kind::cuda, 77};
  try {
    advise(four(), {{"x"}, {}, {}}, 5, options);
    ADD_FAILURE() << "there are no 78 devices";
  } catch (const Error& e) { EXPECT_TRUE(e.code() == ErrorCode::unsupported || e.code() == ErrorCode::device) << e.what(); }
}

TEST(Advice, within_three_percent_is_as_fast) {
  const auto taking = [](double seconds) { return Candidate{layout("x"), 0, seconds}; };
  EXPECT_TRUE(Advice::are_equally_fast(taking(1), taking(1.02)));
  EXPECT_TRUE(Advice::are_equally_fast(taking(1.02), taking(1)));
  EXPECT_FALSE(Advice::are_equally_fast(taking(1), taking(1.04)));
}

}  // namespace
}  // namespace crinkle::testing::advise_test
