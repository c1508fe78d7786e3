// Orders: every record once, for all numbers of records, and the order that was asked for.
// SPDX-License-Identifier: BSD-3-Clause
#include "advise/visit.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "crinkle/advise.hpp"
#include "notation/expect_error.hpp"

namespace crinkle::testing::visit_test {
namespace {

using advising::Visit;

void expect_every_record_once(const Visit& visit, const std::string& what) {
  std::vector<bool> is_seen(static_cast<std::size_t>(visit.n));
  for (std::int64_t t = 0; t < visit.n; ++t) {
    const std::int64_t i = visit.record(t);
    ASSERT_TRUE(i >= 0 && i < visit.n) << what << ": position " << t << " is record " << i;
    ASSERT_FALSE(is_seen[static_cast<std::size_t>(i)]) << what << ": record " << i << " comes twice, again at " << t;
    is_seen[static_cast<std::size_t>(i)] = true;
  }
}

TEST(Visit, every_record_comes_once) {
  std::vector<std::int64_t> counts;
  for (std::int64_t n = 1; n <= 130; ++n) counts.push_back(n);
  for (const std::int64_t n : {255, 256, 257, 1009, 4095, 4096, 4097, 65536, 65537, 100003}) counts.push_back(n);
  for (const std::int64_t n : counts) {
    const std::string what = std::to_string(n) + " records, ";
    expect_every_record_once(Visit::sequential(n), what + "sequential");
    for (const std::uint64_t seed : {0u, 1u, 77u})
      expect_every_record_once(Visit::random(n, seed), what + "random " + std::to_string(seed));
    for (const std::int64_t step :
         {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{7}, std::int64_t{64}, n - 1, n, n + 1, INT64_MAX})
      if (step >= 1) expect_every_record_once(Visit::strided(n, step), what + "step " + std::to_string(step));
  }
}

TEST(Visit, steps_are_as_long_as_asked_for) {
  const auto order = [](std::int64_t n, std::int64_t step) {
    std::vector<std::int64_t> all;
    for (std::int64_t t = 0; t < n; ++t) all.push_back(Visit::strided(n, step).record(t));
    return all;
  };
  EXPECT_EQ(order(7, 3), (std::vector<std::int64_t>{0, 3, 6, 1, 4, 2, 5}));
  EXPECT_EQ(order(6, 3), (std::vector<std::int64_t>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(order(4, 9), (std::vector<std::int64_t>{0, 1, 2, 3}));
  const std::int64_t n = (std::int64_t{1} << 40) + 5, step = 1 << 20;
  EXPECT_EQ(Visit::strided(n, step).record(1), step);
  EXPECT_EQ(Visit::strided(n, step).record(n - 1), n - 6);  // the last phase, 2^20 − 1, has its last row at 2^40 − 1
}

TEST(Visit, a_random_order_has_no_pattern) {
  const std::int64_t n = 100000;
  const Visit visit = Visit::random(n, 5), other = Visit::random(n, 6);
  std::int64_t n_fixed = 0, n_near = 0, n_same = 0, n_rising = 0;
  for (std::int64_t t = 0; t + 1 < n; ++t) {
    const std::int64_t i = visit.record(t), next = visit.record(t + 1);
    n_fixed += i == t;
    n_near += std::abs(next - i) < 100;
    n_same += i == other.record(t);
    n_rising += next > i;
  }
  EXPECT_LT(n_fixed, 20);
  EXPECT_LT(n_near, 500);  // 200 are expected of numbers drawn at random
  EXPECT_LT(n_same, 20);
  EXPECT_NEAR(static_cast<double>(n_rising) / static_cast<double>(n), 0.5, 0.1);
  const Visit huge = Visit::random((std::int64_t{1} << 40) + 1, 1);
  for (std::int64_t t = 0; t < 1000; ++t) EXPECT_LT(huge.record(t), huge.n);
}

constexpr bool is_a_bijection(const Visit& visit) {
  std::uint64_t seen = 0;
  for (std::int64_t t = 0; t < visit.n; ++t) seen |= std::uint64_t{1} << visit.record(t);
  return seen == (std::uint64_t{1} << visit.n) - 1;
}
static_assert(is_a_bijection(Visit::sequential(13)) && is_a_bijection(Visit::strided(13, 5)) && is_a_bijection(Visit::random(13, 3)));

TEST(AccessOrder, is_printed_as_it_is_read) {
  for (const char* text : {"sequential", "random", "strided:1", "strided:4096"}) EXPECT_EQ(AccessOrder::parse(text).print(), text);
  EXPECT_EQ(AccessOrder::parse("strided:32"), (AccessOrder{AccessOrder::Kind::strided, 32}));
}

TEST(AccessOrder, that_is_none_is_refused_with_a_caret) {
  const auto refused = [](const char* text, const char* says, const char* caret, ErrorCode code = ErrorCode::bad_notation) {
    const std::string error = error_of(code, [&] { AccessOrder::parse(text); });
    EXPECT_NE(error.find(says), std::string::npos) << error;
    EXPECT_EQ(caret_line(error), caret) << error;
  };
  refused("", "sequential, random or strided:K", "^");
  refused("sorted", "sequential, random or strided:K", "^^^^^^");
  refused("randon", "did you mean random?", "^^^^^^");
  refused("strided", "strided:8", "       ^");
  refused("strided:", "strided:8", "        ^");
  refused("strided:0", "not '0'", "        ^");
  refused("strided:-3", "not '-3'", "        ^^");
  refused("strided:4x", "not '4x'", "        ^^");
  refused("random:3", "only strided", "      ^^");
  refused("strided:99999999999999999999", "63 bits", "        ^^^^^^^^^^^^^^^^^^^^", ErrorCode::too_large);
}

}  // namespace
}  // namespace crinkle::testing::visit_test
