// The suite `simplex`: a wrong result is caught and named.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "papers/simplex/check.hpp"
#include "papers/simplex/epsilon.hpp"
#include "papers/simplex/simplex.hpp"

namespace crinkle::bench::simplex_check_test {
namespace {

/// A backend whose runs do nothing but give what they are told to.
class ToldBackend : public SimplexBackend {
 public:
  Numbers all = Numbers(numbers_needed(64, 64, true), 3, default_executor());
  std::function<Outcome(Work, std::int64_t)> told = [this](Work work, std::int64_t n) { return defined_outcome(work, n, all); };
  float distance = -1;

  const Numbers& numbers() const override { return all; }
  std::vector<MapWay> ways(Work, Maps, std::int64_t) override {
    return {{"first", [] {}, 4, 1}, {"second", [] {}, 3, 0}};
  }
  Ceiling dense(Work, std::int64_t) override {
    return {"dense", [] {}, 0.5};
  }
  Outcome outcome(Work work, std::int64_t n, const std::function<void()>&) override { return told(work, n); }
  std::vector<double> sample(const std::vector<std::int64_t>& places, Real) override {
    std::vector<double> values;
    for (const std::int64_t at : places) values.push_back(static_cast<double>(distance >= 0 ? distance : value_at(at)));
    return values;
  }
  std::function<void()> distances(const DistanceCall&) override { return {}; }
  NumberCall collisions(int, std::int64_t) override { return {}; }
  NumberCall energy(std::int64_t) override { return {}; }

 private:
  float value_at(std::int64_t at) const {
    std::int64_t i = 0;
    while ((i + 1) * (i + 2) / 2 <= at) ++i;
    const std::int64_t j = at - i * (i + 1) / 2;
    double sum = 0;
    for (std::int64_t f = 0; f < 4; ++f) {
      const double d = static_cast<double>(all.points[static_cast<std::size_t>(4 * i + f)]) -
                       static_cast<double>(all.points[static_cast<std::size_t>(4 * j + f)]);
      sum += d * d;
    }
    return static_cast<float>(std::sqrt(sum));
  }
};

TEST(Simplex, a_wrong_result_is_named) {
  const auto fails_with = [](Work work, const std::string& says, const auto& change, std::int64_t n = 64) {
    ToldBackend site;
    change(site);
    try {
      check_ways(site, work, Maps::all, is_of_triplets(work) ? 16 : n, site.ways(work, Maps::all, n));
      ADD_FAILURE() << "nothing was wrong: " << says;
    } catch (const std::runtime_error& e) { EXPECT_NE(std::string(e.what()).find(says), std::string::npos) << e.what(); }
  };
  const auto changed = [](const std::function<void(Outcome&, int)>& change) {
    return [change](ToldBackend& site) {
      site.told = [right = site.told, change, run = 0](Work work, std::int64_t n) mutable {
        Outcome o = right(work, n);
        change(o, run++);
        return o;
      };
    };
  };
  for (const Work work : {Work::dummy, Work::map_alone, Work::distances, Work::collisions_1d, Work::dummy_3d, Work::triplets}) {
    ToldBackend site;
    EXPECT_NO_THROW(check_ways(site, work, Maps::all, is_of_triplets(work) ? 16 : 64, site.ways(work, Maps::all, 64)));
  }
  fails_with(Work::dummy, "first of 64", changed([](Outcome& o, int) { ++o.count; }));
  fails_with(Work::dummy, "second of 64 points: counts", changed([](Outcome& o, int run) { o.count += run == 1 ? 1 : 0; }));
  fails_with(Work::map_alone, "second of 64 points, numbers of cells", changed([](Outcome& o, int run) { o.sum += run == 1 ? 1 : 0; }));
  fails_with(Work::collisions_3d, "first of 64", changed([](Outcome& o, int) { ++o.count; }));
  fails_with(Work::collisions_3d, "second of 64", changed([](Outcome& o, int run) { o.count += run == 1 ? 1 : 0; }));
  fails_with(Work::distances, "second of 64 points, what lies in which place",
             changed([](Outcome& o, int run) { o.sum += run == 1 ? 1 : 0; }));
  fails_with(Work::distances, "not written", changed([](Outcome& o, int) { ++o.count; }));
  fails_with(Work::distances, "the distance of points", [](ToldBackend& site) { site.distance = 0.25F; });
  fails_with(Work::dummy_3d, "second of 16", changed([](Outcome& o, int run) { o.count += run == 1 ? 1 : 0; }));
  fails_with(Work::triplets, "first of 16 points: the energy", changed([](Outcome& o, int) { o.energy *= 1.01; }));
  fails_with(Work::triplets, "second of 16 points: the energy", changed([](Outcome& o, int run) { o.energy *= run == 1 ? 1 + 1e-6 : 1; }));
  const auto uncounted = [](ToldBackend& site) {
    site.told = [run = 0](Work, std::int64_t) mutable { return Outcome{5U + (run++ == 1 ? 1U : 0U), 0, 0}; };
  };
  fails_with(Work::collisions_1d, "second of 8192 points: counts 6, not 5", uncounted, 8192);
}

TEST(SimplexEpsilon, ranges_end_at_the_first_row_that_has_a_wrong_cell) {
  constexpr std::int64_t tried = 5000;
  const std::vector<EpsilonRange> ranges = epsilon_ranges(tried);
  ASSERT_EQ(ranges.size(), 6U);
  for (const EpsilonRange& range : ranges) {
    std::int64_t row = 0;
    const auto is_right = [&] {
      for (std::int64_t w = row * (row + 1) / 2; w < (row + 1) * (row + 2) / 2; ++w)
        if (paper_row(range.map, range.epsilon, static_cast<std::uint64_t>(w)) != row) return false;
      return true;
    };
    while (row < tried && is_right()) ++row;
    EXPECT_EQ(range.rows, row) << range.map << ", " << range.epsilon;
    if (row < tried) EXPECT_NE(paper_row(range.map, range.epsilon, static_cast<std::uint64_t>(range.first_wrong)), row);
    else EXPECT_EQ(range.first_wrong, -1);
  }
  EXPECT_EQ(epsilon_ranges(10)[0].first_wrong, -1);
}

}  // namespace
}  // namespace crinkle::bench::simplex_check_test
