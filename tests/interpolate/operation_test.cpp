// Interpolation and binning as operations: parts have the bits of the whole, wherever they are cut.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/operations.hpp"

#include <fmt/format.h>

#include "crinkle/error.hpp"
#include "interpolate/support.hpp"
#include "support/drawn.hpp"
#include "support/in_parts.hpp"
#include "support/threads.hpp"

namespace crinkle::interpolate_operation_test {
namespace {

using namespace testing;

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
T one_of(std::mt19937_64& random, std::initializer_list<T> of) {
  return of.begin()[random() % of.size()];
}
double unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

/// Interpolation of a cloud, with the bytes that come by its input, if it has one.
struct Drawn {
  Cloud cloud;
  std::vector<double> places;
  std::vector<float> float_places;
  Interpolation how;
  InterpolationTargets targets;
  Real type = Real::float32;
  Buffers in;
  std::string text;

  Operation planned() const { return plan(InterpolateRequest{cloud.samples(), how, targets, type}); }
};

enum class Over { all, near };

Raster random_raster(int n_dimensions, std::mt19937_64& random) {
  Raster raster;
  for (std::size_t a = 0; a < static_cast<std::size_t>(n_dimensions); ++a) {
    raster.extents[a] = 1 + static_cast<std::int64_t>(random() % (n_dimensions == 2 ? (a == 0 ? 90 : 30) : 14));
    raster.step[a] = 1.4 / static_cast<double>(raster.extents[a]) * (random() % 3 == 0 ? -1 : 1);
    raster.first[a] = raster.step[a] < 0 ? 1.2 : -0.2;
    if (random() % 3 == 0) raster.first[a] = std::round(10 * raster.first[a]) / 10, raster.step[a] = raster.step[a] < 0 ? -0.1 : 0.1;
  }
  return raster;
}

Drawn random_request(Over over, std::mt19937_64& random) {
  Drawn r;
  const int n_dimensions = 2 + static_cast<int>(random() % 3 == 0);
  const auto n = static_cast<std::int64_t>(1 + random() % (over == Over::all ? 400 : 1500));
  r.cloud = cloud(n, n_dimensions, spreads[random() % 5], one_of<std::int64_t>(random, {1, 1, 3, 6}), random());
  if (random() % 3 == 0)
    for (std::int64_t i = 0; i < n; ++i) r.cloud.weights.push_back(0.1 + unit(random));
  r.how.power = one_of(random, {1.0, 2.0, 2.0, 3.0, 4.0, 6.0, 2.5, 0.7, 30.0});
  r.how.smoothing = random() % 4 == 0 ? 0.05 * unit(random) : 0;
  if (over == Over::near) {
    const std::uint64_t which = random() % 3;
    if (which != 1) r.how.neighbours = 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(std::min<std::int64_t>(n, 40)));
    if (which != 0) r.how.radius = std::round(10 * (0.1 + 0.5 * unit(random))) / 10;
    r.how.least_neighbours = static_cast<std::int64_t>(random() % 4);
    if (random() % 4 == 0) r.how.sectors = n_dimensions == 2 ? one_of(random, {4, 8}) : 8;
  }
  if (n_dimensions == 2 && random() % 4 == 0) r.how.anisotropy = {1 + 2 * unit(random), 30};
  r.type = static_cast<Real>(random() % 2);
  const std::uint64_t which = random() % 3;
  if (which == 0) {
    r.targets = random_raster(n_dimensions, random);
  } else {
    r.places = targets_of(r.cloud, static_cast<std::int64_t>(random() % 500));
    r.float_places.assign(r.places.begin(), r.places.end());
    const bool is_float = random() % 2 == 0;
    const Reals reals = is_float ? Reals(r.float_places) : Reals(r.places);
    if (which == 1) r.targets = reals;
    if (which == 2) {
      r.targets = TargetPlaces{reals.size() / n_dimensions, is_float ? Real::float32 : Real::float64};
      const auto* from = static_cast<const std::byte*>(reals.data());
      r.in.emplace_back(from, from + reals.size() * (is_float ? 4 : 8));
    }
  }
  r.text = fmt::format("{} samples in {} dimensions, {} columns, power {}, smoothing {}, {} neighbours within {}, {} sectors, {} of {}", n,
                       n_dimensions, r.cloud.n_columns, r.how.power, r.how.smoothing, r.how.neighbours, r.how.radius, r.how.sectors,
                       which == 0   ? "a raster"
                       : which == 1 ? "places"
                                    : "places that come",
                       r.type == Real::float32 ? "float32" : "float64");
  return r;
}

TEST(InterpolationOperations, parts_of_sums_over_all_samples_have_the_bits_of_the_whole) {
  std::mt19937_64 random(571);
  int n_cut = 0;
  for (int i = 0; i < drawn(5000) && !::testing::Test::HasFailure(); ++i) {
    const Drawn r = random_request(Over::all, random);
    const Operation operation = r.planned();
    EXPECT_EQ(operation.cuts().empty(), std::holds_alternative<TargetPlaces>(r.targets)) << r.text;
    n_cut += operation.cuts().empty() ? 0 : 1;
    expect_contract(operation, r.in, random, fmt::format("{}: {}", i, r.text));
  }
  EXPECT_GT(n_cut, 0);
}

TEST(InterpolationOperations, parts_of_sums_over_near_samples_have_the_bits_of_the_whole) {
  std::mt19937_64 random(572);
  for (int i = 0; i < drawn(3000) && !::testing::Test::HasFailure(); ++i) {
    const Drawn r = random_request(Over::near, random);
    const Operation operation = r.planned();
    EXPECT_FALSE(operation.cuts().empty()) << r.text;
    expect_contract(operation, r.in, random, fmt::format("{}: {}", i, r.text));
  }
}

TEST(InterpolationOperations, parts_of_parts_have_the_bits_of_the_whole) {
  std::mt19937_64 random(573);
  for (int i = 0; i < drawn(500) && !::testing::Test::HasFailure(); ++i) {
    const Drawn r = random_request(i % 2 == 0 ? Over::all : Over::near, random);
    const Operation whole = r.planned();
    if (whole.cuts().empty()) continue;
    Ranges part;
    for (const Cut& cut : whole.cuts()) {
      const std::int64_t first = cut.extent == 0 ? 0 : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(cut.extent));
      part.push_back({first, (cut.extent - first + 1) / 2});
    }
    Buffers in;
    for (std::size_t k = 0; k < r.in.size(); ++k) in.push_back(taken(whole.inputs()[k].layout, r.in[k], whole.needs(part)[k]));
    const Operation middle = whole.part(part);
    expect_parts(middle, in, random, fmt::format("{}: a part of {}", i, r.text));
    const Buffers all = run_whole(whole, r.in, untouched_outputs(whole)), own = run_whole(middle, in, untouched_outputs(middle));
    const Bytes there = taken(whole.outputs()[0].layout, all[0], whole.gives(part)[0]);
    EXPECT_EQ(difference(middle.outputs()[0], there, own[0]).n, 0) << i << ": " << r.text;
  }
}

TEST(InterpolationOperations, sums_by_a_tree_are_not_cut) {
  const Cloud c = cloud(3000, 2);
  const auto n_cuts = [&](double tolerance) {
    return plan(InterpolateRequest{c.samples(), {.tolerance = tolerance}, Raster{.extents = {9, 9, 1}}}).cuts().size();
  };
  EXPECT_EQ(n_cuts(0), 2U);
  EXPECT_EQ(n_cuts(1e-3), 0U);
}

TEST(InterpolationOperations, keep_samples_and_places) {
  Cloud c = cloud(200, 3);
  std::vector<double> places = targets_of(c, 70);
  const std::vector<double> want = interpolated<double>(c, places, {.neighbours = 5});
  const Operation operation = plan(InterpolateRequest{c.samples(), {.neighbours = 5}, Reals(places), Real::float64});
  std::fill(c.places.begin(), c.places.end(), 7.0);
  std::fill(c.values.begin(), c.values.end(), 7.0);
  std::fill(places.begin(), places.end(), 7.0);
  std::vector<double> out(70);
  Threads threads(3);
  operation.run({}, {Buffer(out)}, threads);
  EXPECT_EQ(out, want);
}

TEST(InterpolationOperations, parts_of_bins_have_the_bits_of_the_whole) {
  std::mt19937_64 random(574);
  for (int i = 0; i < drawn(2000) && !::testing::Test::HasFailure(); ++i) {
    const int n_dimensions = 2 + static_cast<int>(random() % 2);
    const auto n = static_cast<std::int64_t>(1 + random() % 3000);
    const Cloud c = cloud(n, n_dimensions, spreads[random() % 5], 1 + static_cast<std::int64_t>(random() % 2), random());
    std::vector<Statistic> statistics;
    for (int s = 0; s < 6; ++s)
      if (random() % 2 == 0) statistics.push_back(static_cast<Statistic>(s));
    Raster raster = random_raster(n_dimensions, random);
    if (random() % 4 == 0) raster.extents[random() % static_cast<std::uint64_t>(n_dimensions)] = 0;
    const Operation operation = plan(BinRequest{c.samples(), raster, statistics, -9});
    ASSERT_EQ(operation.cuts().size(), static_cast<std::size_t>(n_dimensions));
    expect_contract(operation, {}, random, fmt::format("{}: {} samples in {} dimensions", i, n, n_dimensions));
    Buffers out = untouched_outputs(operation);
    run_on(operation, {}, out);
    std::vector<double> want(size_of(operation.outputs()[0].layout.n_elements()));
    bin(c.samples(), raster, statistics, want, -9);
    ASSERT_TRUE(want.empty() || std::memcmp(out[0].data(), want.data(), want.size() * sizeof(double)) == 0) << i;
  }
}

/// How far an operation's numbers are from the definition's, beyond what is promised.
double beyond_promise(const Operation& operation, const Drawn& r, const Buffers& in) {
  const Buffers found = run_whole(operation, in, untouched_outputs(operation));
  Buffers defined = untouched_outputs(operation);
  std::vector<ConstBuffer> from(in.begin(), in.end());
  const Buffer to(defined[0]);
  operation.define(from, {&to, 1});
  const interpolation::SamplePlanes planes = r.cloud.planes();
  const std::int64_t n = operation.outputs()[0].layout.n_elements(), n_columns = r.cloud.n_columns;
  double most = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    const auto at = [&](const Buffers& buffers) {
      if (r.type == Real::float64) return reinterpret_cast<const double*>(buffers[0].data())[k];
      return static_cast<double>(reinterpret_cast<const float*>(buffers[0].data())[k]);
    };
    const double a = at(found), b = at(defined);
    if (std::isnan(a) && std::isnan(b)) continue;
    const auto column = size_of(k * n_columns / n);
    const bool is_narrow = r.type == Real::float32;
    const double bound = (is_narrow && !r.how.is_local() ? 1e-6 : 1e-12) * (planes.most[column] - planes.least[column]) +
                         (is_narrow ? 0x1p-23 : 0x1p-52) * std::abs(b);
    most = std::max(most, std::isnan(a) || std::isnan(b) ? infinity : std::abs(a - b) - bound);
  }
  return most;
}

TEST(InterpolationOperations, the_definition_is_as_near_as_promised_to_all_and_to_parts) {
  std::mt19937_64 random(575);
  for (int i = 0; i < drawn(300) && !::testing::Test::HasFailure(); ++i) {
    const Drawn r = random_request(i % 2 == 0 ? Over::all : Over::near, random);
    const Operation whole = r.planned();
    EXPECT_LE(beyond_promise(whole, r, r.in), 0) << i << ": " << r.text;
    if (whole.cuts().empty()) continue;
    Ranges part;
    for (const Cut& cut : whole.cuts()) part.push_back({cut.extent / 3, cut.extent / 4});
    Buffers in;
    for (std::size_t k = 0; k < r.in.size(); ++k) in.push_back(taken(whole.inputs()[k].layout, r.in[k], whole.needs(part)[k]));
    EXPECT_LE(beyond_promise(whole.part(part), r, in), 0) << i << ": a part of " << r.text;
  }
}

TEST(InterpolationOperations, the_definition_of_bins_has_their_bits) {
  std::mt19937_64 random(576);
  for (int i = 0; i < drawn(200) && !::testing::Test::HasFailure(); ++i) {
    const int n_dimensions = 2 + static_cast<int>(random() % 2);
    const Cloud c = cloud(static_cast<std::int64_t>(1 + random() % 3000), n_dimensions, spreads[random() % 5], 2, random());
    const Operation whole =
        plan(BinRequest{c.samples(), random_raster(n_dimensions, random), {Statistic::mean, Statistic::count, Statistic::deviation}, -9});
    Ranges part;
    for (const Cut& cut : whole.cuts()) part.push_back({cut.extent / 3, cut.extent / 2});
    expect_definition(whole.part(part), {}, fmt::format("{}: {} samples", i, c.n()));
  }
}

TEST(InterpolationOperations, run_in_parts_of_little_memory) {
  const Cloud c = cloud(300, 2);
  const Raster raster = raster_over(-0.2, -0.2, 1.2, 1.2, 0.013);
  for (const Interpolation& how : {Interpolation{}, Interpolation{.neighbours = 8}, Interpolation{.radius = 0.3}})
    expect_same_in_parts(plan(InterpolateRequest{c.samples(), how, raster}), {}, 5000, "a map");
  expect_same_in_parts(plan(BinRequest{c.samples(), raster, {Statistic::mean, Statistic::max}}), {}, 20000, "bins");
}

TEST(InterpolationOperations, refuse_what_is_not_there) {
  const Cloud c = cloud(20, 2);
  EXPECT_THROW(plan(InterpolateRequest{c.samples(), {}, TargetPlaces{.n = -1}}), Error);
  EXPECT_THROW(plan(InterpolateRequest{c.samples(), {}, Raster{.extents = {2, 2, 2}}}), Error);
  EXPECT_THROW(plan(InterpolateRequest{c.samples(), {.nodata = 1e300}, Raster{}}), Error);
  EXPECT_THROW(plan(BinRequest{c.samples(), Raster{.step = {0, 1, 1}, .extents = {2, 2, 1}}, {}}), Error);
  const Operation operation = plan(InterpolateRequest{c.samples(), {.radius = 1}, TargetPlaces{.n = 3}});
  std::vector<double> places(6), short_of(5);
  std::vector<float> out(3);
  operation.run({ConstBuffer(places)}, {Buffer(out)});
  EXPECT_THROW(operation.run({ConstBuffer(short_of)}, {Buffer(out)}), Error);
  EXPECT_THROW(operation.run({}, {Buffer(out)}), Error);
  places[2] = infinity;
  EXPECT_THROW(operation.run({ConstBuffer(places)}, {Buffer(out)}), Error);
}

}  // namespace
}  // namespace crinkle::interpolate_operation_test
