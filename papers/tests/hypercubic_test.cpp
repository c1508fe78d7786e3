// The suite `hypercubic`: every version of every transform does what its definition says, a wrong one is caught, and what is printed and
// kept has a place for every figure, extent and version.
// SPDX-License-Identifier: BSD-3-Clause
#include "papers/hypercubic/transform.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <stdexcept>

#include "harness/random.hpp"
#include "harness/unit_numbers.hpp"
#include "move/reference.hpp"
#include "papers/suites.hpp"
#include "support/lines.hpp"

namespace crinkle::bench::hypercubic_test {
namespace {

using testing::Lines;

using Kind = Transform::Kind;
constexpr Kind kinds[] = {Kind::blur, Kind::flip, Kind::shift, Kind::crinkle};
constexpr Version versions[] = {Version::by_hand, Version::by_bits, Version::by_division};

std::vector<float> unit_numbers(std::int64_t n, std::uint64_t seed) {
  std::vector<float> numbers(static_cast<std::size_t>(n * n));
  fill_unit(numbers.data(), n * n, seed, default_executor());
  return numbers;
}

// From the paper's sentences, cell by cell; axis 0, x, is the fast one.
std::vector<float> expected_of(const Transform& t, const std::vector<float>& src) {
  const std::int64_t n = t.n;
  std::vector<float> dst(src.size());
  const auto at = [n](std::int64_t x, std::int64_t y) { return static_cast<std::size_t>((y % n + n) % n * n + (x % n + n) % n); };
  for (std::int64_t y = 0; y < n; ++y) {
    for (std::int64_t x = 0; x < n; ++x) {
      const float v = src[at(x, y)];
      switch (t.kind) {
        case Kind::blur: dst[at(x, y)] = (v + src[at(x - 1, y)] + src[at(x + 1, y)] + src[at(x, y - 1)] + src[at(x, y + 1)]) * 0.2F; break;
        case Kind::flip: dst[at(t.is_flipped[0] ? n - 1 - x : x, t.is_flipped[1] ? n - 1 - y : y)] = v; break;
        case Kind::shift: dst[at(x + t.distances[0], y + t.distances[1])] = v; break;
        case Kind::crinkle: {
          const std::int64_t width = t.axis == 0 ? n / t.step : n, height = n * n / t.step / width, i = t.axis == 0 ? x : y;
          const std::int64_t to_x = t.axis == 0 ? x / t.step : x, to_y = t.axis == 0 ? y : y / t.step;
          dst[static_cast<std::size_t>((i % t.step * height + to_y) * width + to_x)] = v;
        }
      }
    }
  }
  return dst;
}

TEST(Hypercubic, every_version_does_what_the_paper_says) {
  const auto executor = make_executor(3);
  for (const std::int64_t n : {8, 24, 64, 136}) {
    const std::vector<float> src = unit_numbers(n, 5);
    for (const Kind kind : kinds) {
      for (const Transform& t : transforms_of(kind, n, 77)) {
        const std::vector<float> expected = expected_of(t, src);
        for (const Version version : versions) {
          if (version == Version::by_bits && (n & (n - 1)) != 0) {
            EXPECT_THROW(loop_of(t, version, *executor), Error) << text_of(t);
            continue;
          }
          std::vector<float> dst(src.size(), -1);
          loop_of(t, version, *executor)(src.data(), dst.data());
          EXPECT_EQ(dst, expected) << text_of(t) << ", version " << name_of(version);
        }
      }
    }
  }
}

TEST(Hypercubic, transforms_are_the_papers) {
  EXPECT_EQ(transforms_of(Kind::blur, 64, 1).size(), 1U);
  EXPECT_EQ(transforms_of(Kind::flip, 64, 1).size(), 3U);
  std::set<std::int64_t> distances;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const Transform& t : transforms_of(Kind::shift, 8, seed)) distances.insert(t.distances.begin(), t.distances.end());
  }
  EXPECT_EQ(distances.size(), 17U) << "from −8 to 8";
  EXPECT_EQ(*distances.begin(), -8);
  EXPECT_EQ(transforms_of(Kind::shift, 8192, 3)[0].distances, transforms_of(Kind::shift, 8192, 3)[0].distances);
  EXPECT_NE(transforms_of(Kind::shift, 8192, 3)[0].distances, transforms_of(Kind::shift, 8192, 4)[0].distances);
  std::map<std::pair<int, std::int64_t>, int> crinkles;
  for (const Transform& t : transforms_of(Kind::crinkle, 64, 1)) ++crinkles[{t.axis, t.step}];
  EXPECT_EQ(crinkles,
            (std::map<std::pair<int, std::int64_t>, int>{{{0, 2}, 1}, {{0, 4}, 1}, {{0, 8}, 1}, {{1, 2}, 1}, {{1, 4}, 1}, {{1, 8}, 1}}));
}

TEST(Hypercubic, a_blur_that_is_wrong_anywhere_is_found) {
  constexpr std::int64_t n = 24;
  const std::vector<float> src = unit_numbers(n, 9);
  std::vector<float> dst = expected_of({.kind = Kind::blur, .n = n}, src);
  ASSERT_EQ(first_wrong_of_blur(n, src.data(), dst.data(), default_executor()), -1);
  for (const std::size_t at : {std::size_t{0}, std::size_t{n * n / 2 + 3}, std::size_t{n * n - 1}}) {
    const float kept = dst[at];
    dst[at] = std::nextafter(kept, 2.0F);
    EXPECT_EQ(first_wrong_of_blur(n, src.data(), dst.data(), default_executor()), static_cast<std::int64_t>(4 * at));
    EXPECT_EQ(first_wrong_of_blur(n, src.data(), dst.data(), default_executor(), 0x1p-21F), -1);
    dst[at] = kept + 0x1p-20F;
    EXPECT_EQ(first_wrong_of_blur(n, src.data(), dst.data(), default_executor(), 0x1p-21F), static_cast<std::int64_t>(4 * at));
    dst[at] = std::nanf("");
    EXPECT_EQ(first_wrong_of_blur(n, src.data(), dst.data(), default_executor(), 0x1p-21F), static_cast<std::int64_t>(4 * at));
    dst[at] = kept;
  }
}

TEST(Hypercubic, figures_have_a_row_for_every_extent_and_version) {
  Lines lines;
  Origin origin{"hypercubic", 2, 0, "abc"};
  origin.facts = hypercubic_facts();
  Report report(origin, lines.file);
  const auto site = cpu_site(make_executor(2));
  const std::vector<Entry> entries = hypercubic_entries({8, 16, 24, 32});
  run_entries(*site, entries, {7, 0.01, 2 * 24 * 24 * 4, false}, 3, report);
  ASSERT_EQ(report.rows().size(), 2U * (4 + 4 + 4 + 4) + (3 + 3 + 3 + 3)) << "32 does not fit, and 24 has no bits";
  EXPECT_EQ(report.rows()[0].name, "blur_8_A");
  EXPECT_EQ(report.rows().back().name, "crinkle_24_crinkle");
  for (const Row& row : report.rows()) {
    EXPECT_EQ(row.bytes, row.facts["plot"]["x"].get<std::int64_t>() * row.facts["plot"]["x"].get<std::int64_t>() * 8);
    EXPECT_GT(row.seconds, 0);
    EXPECT_EQ(row.copies.size(), 4U) << "memcpy on one thread is among them";
    EXPECT_TRUE(row.copy_iqr);
    if (row.name.starts_with("blur")) continue;
    // Every direction by itself, whose mean the row is.
    const auto& parts = row.facts["parts"];
    ASSERT_EQ(parts.size(), row.name.starts_with("flip") ? 3U : row.name.starts_with("shift") ? 4U : 6U) << row.name;
    double sum = 0;
    for (const auto& [direction, seconds] : parts.items()) sum += seconds.get<double>();
    EXPECT_NEAR(sum / static_cast<double>(parts.size()), row.seconds, 1e-9 * sum) << row.name;
  }
  const auto document = nlohmann::json::parse(report.json());
  for (const Row& row : report.rows()) EXPECT_TRUE(document["paper"].contains(row.facts["plot"]["title"].get<std::string>()));
  EXPECT_DOUBLE_EQ(document["paper"]["Figure 14: shift"]["seconds"]["CPU"], 0.5716);
  const std::string text = lines.text();
  for (const char* expected :
       {"Figure 12: blur", "Figure 13: flip", "Figure 14: shift", "Figure 15: crinkle", "blur_32 left out", "571.6", "\nflip_8_B"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\n" << text;
  EXPECT_THROW(run_entries(*site, entries, {7, 0.01, 8 * 8 * 4}, 3, report), Error);

  Report anew(origin, std::set<std::string>{"flip_16_crinkle"});
  run_entries(*site, entries, {7, 0.01, 2 * 16 * 16 * 4, false}, 3, anew);
  ASSERT_EQ(anew.rows().size(), 4U);
  EXPECT_EQ(anew.rows()[0].name, "flip_16_A");
}

}  // namespace
}  // namespace crinkle::bench::hypercubic_test
