// Distances, collisions and triplets as operations: parts have the bits of the whole, and distances of two sets are as defined.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/operations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "crinkle/error.hpp"
#include "notation/expect_error.hpp"
#include "pairs/cpu/pairs.hpp"
#include "pairs/reference.hpp"
#include "support/drawn.hpp"
#include "support/in_parts.hpp"
#include "support/threads.hpp"

namespace crinkle::pairs_operation_test {
namespace {

using namespace crinkle::testing;

constexpr Metric metrics[] = {Metric::euclidean, Metric::sqeuclidean, Metric::manhattan, Metric::chebyshev, Metric::cosine};
constexpr PairForm forms[] = {PairForm::condensed, PairForm::packed_lower, PairForm::packed_upper, PairForm::rfp, PairForm::square};

/// Numbers of points of one size, or of sizes whose squares leave the type's range on both sides, some of them again and again.
template <class T>
std::vector<T> numbers_of(std::int64_t n, std::mt19937_64& random) {
  const bool is_wide = random() % 3 == 0;
  std::vector<T> all;
  for (std::int64_t k = 0; k < n; ++k) {
    const double unit = static_cast<double>(random() >> 12) * 0x1p-52 - 0.5;
    const int far = sizeof(T) == 4 ? 90 : 700;
    const double scale = is_wide && random() % 3 == 0 ? std::ldexp(1.0, static_cast<int>(random() % 3 - 1) * far) : 1;
    all.push_back(static_cast<T>(random() % 8 == 0 ? static_cast<double>(random() % 3) : unit * scale));
  }
  return all;
}
Bytes bytes_from(const Port& port, std::mt19937_64& random) {
  const auto of = [&]<class T>(T) {
    const std::vector<T> numbers = numbers_of<T>(port.layout.n_elements(), random);
    Bytes bytes(numbers.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
  };
  return port.layout.element_bytes == 4 ? of(0.0F) : of(0.0);
}
Buffers inputs_of(const Operation& operation, std::mt19937_64& random) {
  Buffers in;
  for (const Port& port : operation.inputs()) in.push_back(bytes_from(port, random));
  return in;
}
std::int64_t up_to(std::int64_t most, std::mt19937_64& random) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1));
}

TEST(PairOperations, parts_of_distances_have_the_bits_of_the_whole) {
  std::mt19937_64 random(551);
  for (int i = 0; i < drawn(5000) && !::testing::Test::HasFailure(); ++i) {
    const DistanceRequest request{.n = up_to(i % 4 == 0 ? 150 : 24, random),
                                  .n_features = 1 + up_to(11, random),
                                  .type = static_cast<Real>(random() % 2),
                                  .metric = metrics[random() % 5],
                                  .form = forms[random() % 5]};
    const Operation operation = plan(request);
    expect_contract(
        operation, inputs_of(operation, random), random,
        fmt::format("{}: {} of {} points of {}, {}", i, name_of(request.metric), request.n, request.n_features, name_of(request.form)));
  }
}

TEST(PairOperations, parts_of_parts_have_the_bits_of_the_whole) {
  std::mt19937_64 random(552);
  for (int i = 0; i < drawn(2000) && !::testing::Test::HasFailure(); ++i) {
    const DistanceRequest request{.n = 2 + up_to(30, random), .n_features = 3, .form = forms[random() % 5]};
    const Operation whole = plan(request);
    if (whole.cuts().empty()) continue;
    const Buffers in = inputs_of(whole, random);
    Ranges part;
    for (const Cut& cut : whole.cuts()) {
      const std::int64_t first = up_to(cut.extent - 1, random);
      part.push_back({first, 1 + up_to(cut.extent - first - 1, random)});
    }
    const Bytes needed = taken(whole.inputs()[0].layout, in[0], whole.needs(part)[0]);
    expect_parts(whole.part(part), {needed}, random, fmt::format("{}: a part of {}", i, name_of(request.form)));
  }
}

TEST(PairOperations, the_definition_has_the_bits_of_distances_and_their_parts) {
  std::mt19937_64 random(559);
  for (int i = 0; i < drawn(3000) && !::testing::Test::HasFailure(); ++i) {
    const auto type = static_cast<Real>(random() % 2);
    const Metric metric = metrics[random() % 4];  // cosine is defined by roots and quotients, computed by products
    const Operation whole =
        i % 3 == 0
            ? plan(CrossDistanceRequest{.n = up_to(9, random), .m = up_to(9, random), .n_features = 2, .type = type, .metric = metric})
            : plan(DistanceRequest{.n = up_to(20, random), .n_features = 3, .type = type, .metric = metric, .form = forms[i % 5]});
    const std::string what = fmt::format("{}: {}, {}", i, name_of(metric), whole.describe());
    const Buffers in = inputs_of(whole, random);
    expect_definition(whole, in, what);
    if (whole.cuts().empty()) continue;
    Ranges part;
    for (const Cut& cut : whole.cuts()) {
      const std::int64_t first = up_to(cut.extent, random);
      part.push_back({first, up_to(cut.extent - first, random)});
    }
    Buffers some;
    for (std::size_t k = 0; k < in.size(); ++k) some.push_back(taken(whole.inputs()[k].layout, in[k], whole.needs(part)[k]));
    expect_definition(whole.part(part), some, what + ", a part");
  }
}

TEST(PairOperations, parts_of_distances_of_two_sets_have_the_bits_of_the_whole) {
  std::mt19937_64 random(553);
  for (int i = 0; i < drawn(5000) && !::testing::Test::HasFailure(); ++i) {
    CrossDistanceRequest request{.n = up_to(40, random),
                                 .m = up_to(i % 4 == 0 ? 200 : 20, random),
                                 .n_features = 1 + up_to(11, random),
                                 .type = static_cast<Real>(random() % 2),
                                 .metric = metrics[random() % 5]};
    if (random() % 3 != 0) request.out = random_layout({request.n, request.m}, bytes_of(request.type), random);
    const Operation operation = plan(request);
    expect_contract(operation, inputs_of(operation, random), random,
                    fmt::format("{}: {} of {} and {} points of {}, strides [{}]", i, name_of(request.metric), request.n, request.m,
                                request.n_features, fmt::join(operation.outputs()[0].layout.strides, ",")));
  }
}

/// Every distance of two sets, on every instruction set.
template <class T>
void expect_as_defined(std::int64_t n, std::int64_t m, std::int64_t n_features, Metric metric, std::mt19937_64& random) {
  constexpr Real type = sizeof(T) == 4 ? Real::float32 : Real::float64;
  const std::vector<T> x = numbers_of<T>(n * n_features, random), y = numbers_of<T>(m * n_features, random);
  const Points rows{ConstBuffer(x), type, n, n_features}, columns{ConstBuffer(y), type, m, n_features};
  std::vector<std::vector<T>> all(1, std::vector<T>(size_of(n * m)));
  cross_distances(rows, columns, metric, all[0]);
  Threads threads(3);
  for (const simd::PairKernels* kernels : simd::PairKernels::all()) {
    all.emplace_back(size_of(n * m));
    run_cross(rows, columns, metric, reinterpret_cast<std::byte*>(all.back().data()), m * std::int64_t{sizeof(T)}, threads, *kernels,
              {0, random() % 2 == 0 ? 0 : std::int64_t{1} << 40});
  }
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < m; ++j) {
      const T want = reference_distance(x.data() + i * n_features, y.data() + j * n_features, n_features, metric);
      for (const std::vector<T>& some : all) {
        const T have = some[size_of(i * m + j)];
        const std::string what = fmt::format("{} {} × {} of {}: {}, {}", name_of(metric), n, m, n_features, i, j);
        ASSERT_EQ(std::isnan(have), std::isnan(want)) << what;
        if (std::isnan(want)) continue;
        const double slack = metric != Metric::cosine
                                 ? 0
                                 : 16 * 0x1p-53 + static_cast<double>(want) * static_cast<double>(std::numeric_limits<T>::epsilon());
        if (have == want) continue;  // infinities, too
        ASSERT_NEAR(have, want, slack) << what;
      }
    }
  }
}

TEST(PairOperations, distances_of_two_sets_are_as_defined) {
  std::mt19937_64 random(554);
  for (const Metric metric : metrics) {
    for (const auto& [n, m] : {std::pair{0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 70}, {70, 1}, {3, 3}, {17, 16}, {33, 129}}) {
      for (const std::int64_t n_features : {1, 2, 3, 9}) {
        expect_as_defined<float>(n, m, n_features, metric, random);
        expect_as_defined<double>(n, m, n_features, metric, random);
      }
    }
  }
}

TEST(PairOperations, distances_of_a_set_and_itself_are_its_square) {
  std::mt19937_64 random(555);
  const std::vector<float> x = numbers_of<float>(50 * 5, random);
  const Points points{ConstBuffer(x), Real::float32, 50, 5};
  for (const Metric metric : metrics) {
    std::vector<float> one(2500), other(2500);
    distances(points, metric, PairForm::square, one);
    const std::vector<float> copy = x;
    cross_distances(points, {ConstBuffer(copy), Real::float32, 50, 5}, metric, other);
    for (std::size_t k = 0; k < one.size(); ++k)
      ASSERT_TRUE(one[k] == other[k] || (std::isnan(one[k]) && std::isnan(other[k]))) << name_of(metric) << ": " << k;
  }
}

TEST(PairOperations, distances_of_two_sets_are_refused_where_sets_differ) {
  const std::vector<float> x(12);
  const std::vector<double> wide(12);
  std::vector<float> out(12);
  const Points six{ConstBuffer(x), Real::float32, 6, 2}, four{ConstBuffer(x), Real::float32, 4, 3},
      other{ConstBuffer(wide), Real::float64, 6, 2};
  EXPECT_EQ(error_of(ErrorCode::bad_shape, [&] { cross_distances(six, four, Metric::cosine, out); }),
            "rows of 2 features in float32 and columns of 3 in float32; give both the same");
  error_of(ErrorCode::bad_shape, [&] { cross_distances(six, other, Metric::cosine, out); });
  error_of(ErrorCode::bad_shape, [&] { cross_distances(six, six, Metric::cosine, out); });
  error_of(ErrorCode::overlap,
           [&] { cross_distances({six.data, Real::float32, 2, 2}, six, Metric::cosine, Buffer(const_cast<float*>(x.data()), 48)); });
  error_of(ErrorCode::bad_shape, [] { plan(CrossDistanceRequest{.n = 2, .m = 3, .n_features = 1, .out = Layout::dense({3, 2}, 4)}); });
  error_of(ErrorCode::bad_shape, [] { plan(CrossDistanceRequest{.n = 2, .m = 3, .n_features = 1, .out = Layout::dense({2, 3}, 8)}); });
  error_of(ErrorCode::overlap, [] { plan(CrossDistanceRequest{.n = 2, .m = 3, .n_features = 1, .out = {{2, 3}, {0, 4}, 0, 4}}); });
  error_of(ErrorCode::bad_shape, [] { plan(CrossDistanceRequest{.n = -1, .m = 3, .n_features = 1}); });
  error_of(ErrorCode::too_large, [] { plan(CrossDistanceRequest{.n = 1, .m = std::int64_t{1} << 33, .n_features = 1}); });
}

TEST(PairOperations, run_in_parts_of_little_memory) {
  std::mt19937_64 random(558);
  for (const PairForm form : forms) {
    const Operation operation = plan(DistanceRequest{.n = 200, .n_features = 3, .form = form});
    if (!operation.cuts().empty()) expect_same_in_parts(operation, random_inputs(operation, random), 20000, name_of(form));
  }
  const Operation operation = plan(CrossDistanceRequest{.n = 120, .m = 90, .n_features = 2, .out = {{120, 90}, {8, 2000}, 0, 4}});
  expect_same_in_parts(operation, random_inputs(operation, random), 20000, "two sets");
}

TEST(PairOperations, collisions_are_counted_before_they_are_listed) {
  std::mt19937_64 random(556);
  for (int i = 0; i < drawn(100); ++i) {
    const CollisionRequest request{.n = up_to(60, random), .n_dimensions = 1 + static_cast<int>(random() % 3), .type = Real::float64};
    const Operation operation = plan(request);
    ASSERT_TRUE(operation.outputs()[0].is_counted);
    EXPECT_TRUE(operation.cuts().empty());
    EXPECT_THROW(operation.part({}), Error);
    std::vector<double> centres, radii;
    for (std::int64_t k = 0; k < request.n * request.n_dimensions; ++k) centres.push_back(static_cast<double>(random() % 100));
    for (std::int64_t k = 0; k < request.n; ++k) radii.push_back(static_cast<double>(random() % 10));
    const ConstBuffer in[] = {centres, radii};
    const std::int64_t n = operation.count(in);
    std::vector<Collision> pairs(size_of(n));
    operation.run({in[0], in[1]}, {pairs});
    EXPECT_EQ(pairs, reference_collisions({{in[0], Real::float64, request.n, request.n_dimensions}, in[1]}));
    std::vector<Collision> defined(size_of(n));
    const Buffer to(defined);
    operation.define(in, {&to, 1});
    EXPECT_EQ(defined, pairs);
    if (n == 0) continue;
    const Buffer short_one(defined.data(), (n - 1) * std::int64_t{sizeof(Collision)});
    EXPECT_THROW(operation.define(in, {&short_one, 1}), Error);
    pairs.pop_back();
    EXPECT_THROW(operation.run({in[0], in[1]}, {pairs}), Error);
  }
}

TEST(PairOperations, the_energy_of_triplets_is_one_number) {
  std::mt19937_64 random(557);
  const Operation operation = plan(TripletRequest{.n = 12, .type = Real::float64});
  const Buffers in = random_inputs(operation, random);
  Buffers out = untouched_outputs(operation);
  run_on(operation, in, out);
  double energy = 0;
  ASSERT_EQ(out[0].size(), sizeof energy);
  std::memcpy(&energy, out[0].data(), sizeof energy);
  EXPECT_EQ(energy, triplet_energy({ConstBuffer(in[0]), Real::float64, 12, 3}));
  double defined = 0;
  const ConstBuffer from(in[0]);
  const Buffer to(&defined, sizeof defined);
  operation.define({&from, 1}, {&to, 1});
  EXPECT_NEAR(energy, defined, 1e-12 * std::abs(defined));
  EXPECT_TRUE(operation.cuts().empty());
  EXPECT_THROW(plan(TripletRequest{.n = (1 << 21) + 1}), Error);
}

}  // namespace
}  // namespace crinkle::pairs_operation_test
