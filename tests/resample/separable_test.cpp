// Resampling axis by axis is the definition, byte for byte, on every instruction set: close and far columns, channels, blocks of lines,
// faces of numbers that are not finite, weights of 0.
// SPDX-License-Identifier: BSD-3-Clause
#include "resample/cpu/separable.hpp"

#include <cmath>
#include <limits>

#include "resample/on_all_sets.hpp"
#include "support/threads.hpp"

namespace crinkle::resample_separable_test {
namespace {

constexpr NumberType u1{Number::uint8}, i2{Number::int16};

AffineMap scaled(const std::vector<double>& scales, const std::vector<double>& offsets) {
  AffineMap map;
  map.rank = static_cast<int>(scales.size());
  for (std::size_t a = 0; a < scales.size(); ++a) {
    map.matrix[a][a] = scales[a];
    map.offset[a] = offsets[a];
  }
  return map;
}

void expect_separable(const Resampling& r, std::uint64_t seed = 1) {
  expect_lines_on_all_sets(r, seed,
                           [&](auto t, const auto& form, const std::byte* in, std::byte* out, Executor& executor, const auto& kernels) {
                             ASSERT_TRUE(resampling::is_separable(form)) << told(r);
                             resampling::run_separable<decltype(t)>(form, in, r.source_type, out, r.destination_type, executor, kernels);
                           });
}

// From columns that share elements to ones that are far apart.
TEST(ResampleSeparable, every_scale_and_every_element) {
  for (const ResampleBy by : all_local) {
    for (const double scale : {0.1, 0.5, 0.77, 1.0, 1.9, 2.5, 40.0, -0.6, -3.0, 0.0}) {
      for (const NumberType type :
           {f4, f8, u1, i2, NumberType{Number::uint16}, NumberType{Number::int32, true}, NumberType{Number::float16}}) {
        const double offset = scale < 0 ? 110.3 : -1.7;
        Resampling r = resampling_of(scaled({0.7, scale}, {-2.2, offset}), {6, 120}, {13, 75}, type, {Faces(Bound::reflect)});
        r.by = by;
        expect_separable(r);
        r = resampling_of(scaled({scale}, {offset}), {121}, {40}, type, {{{Bound::constant, 3}, {Bound::edge}}});
        r.by = by;
        expect_separable(r);
      }
    }
  }
}

TEST(ResampleSeparable, channels_are_columns) {
  for (const ResampleBy by : all_local) {
    for (const std::int64_t channels : {2, 3, 4, 9, 40}) {
      for (const NumberType type : {f4, u1}) {
        for (const double scale : {0.5, 1.4, 9.0}) {
          Resampling r =
              resampling_of(scaled({1.25, scale}, {-0.5, 0.25}), {9, 60, channels}, {11, 47, channels}, type, {Faces(Bound::symmetric)});
          r.axes = {0, 1};
          r.by = by;
          expect_separable(r);
          r.destination = dense({channels, 11, 47}, type);  // planes of colours
          r.destination_axes = {1, 2};
          expect_separable(r);
        }
      }
    }
  }
}

TEST(ResampleSeparable, blocks_of_long_lines_and_of_many_channels) {
  for (const ResampleBy by : all_local) {
    Resampling line = resampling_of(scaled({0.5, 0.37}, {0, -4}), {3, 3000}, {7, 20001}, u1, {Faces(Bound::periodic)});
    line.by = by;
    expect_separable(line);
    Resampling deep = resampling_of(scaled({0.6}, {-0.2}), {5, 2500}, {8, 2500}, f4, {Faces(Bound::edge)});
    deep.axes = {0};
    deep.by = by;
    expect_separable(deep);
    deep.source = {{5, 2500}, {11000, 4}, 24, 4};
    expect_separable(deep);
    Resampling beside = resampling_of(scaled({0.6}, {-0.2}), {4, 9, 3, 5}, {4, 8, 3, 5}, i2, {Faces(Bound::constant, -7)});
    beside.axes = {1};
    beside.by = by;
    expect_separable(beside);
  }
}

TEST(ResampleSeparable, volumes_beyond_every_face) {
  for (const ResampleBy by : all_local) {
    for (const Faces& faces : all_faces) {
      for (const NumberType type : {f4, f8, u1}) {
        Resampling r = resampling_of(scaled({0.8, 0.5, 1.3}, {-3.1, -2.25, -4.5}), {4, 5, 20}, {14, 19, 26}, type, {faces});
        r.by = by;
        expect_separable(r);
      }
    }
  }
}

// Integer coordinates give the source's bits, whatever lies beside them.
TEST(ResampleSeparable, weights_of_0_do_not_count) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (const ResampleBy by : all_local) {
    for (const Faces& faces : {Faces(Bound::constant, inf), Faces(Bound::constant, std::nan("")), Faces(Bound::edge)}) {
      for (const NumberType type : {f4, f8, u1}) {
        Resampling r = resampling_of(scaled({1, 0.5}, {-2, -3}), {7, 40}, {12, 90}, type, {faces});
        r.by = by;
        expect_separable(r);
        if (type.number != Number::float32) continue;
        std::vector<float> source(7 * 40), made(12 * 90), want(12 * 90);
        for (std::size_t i = 0; i < source.size(); ++i) source[i] = i % 3 == 0 ? -0.0f : i % 7 == 0 ? INFINITY : 2.5f;
        resample(r, source, made);
        resampling::resample_reference(r, std::as_bytes(std::span(source)).data(), std::as_writable_bytes(std::span(want)).data());
        for (std::size_t i = 0; i < made.size(); ++i)
          EXPECT_TRUE(made[i] == want[i] ? std::signbit(made[i]) == std::signbit(want[i]) : std::isnan(made[i]) && std::isnan(want[i]))
              << i;
      }
    }
  }
}

TEST(ResampleSeparable, numbers_far_above_and_below_are_saturated) {
  for (const NumberType type : {u1, i2, NumberType{Number::uint16}}) {
    Resampling r = resampling_of(scaled({0.7}, {0}), {60}, {80}, f4, {Faces(Bound::constant, 1e30)});
    r.destination_type = type;
    r.destination = dense({80}, type);
    std::vector<float> source(60);
    for (std::size_t i = 0; i < source.size(); ++i)
      source[i] = static_cast<float>((i % 2 == 0 ? 1 : -1) * std::pow(7.0, static_cast<double>(i % 13)));
    Bytes made(static_cast<std::size_t>(r.destination.n_bytes())), want = made;
    resample(r, source, made);
    resampling::resample_reference(r, std::as_bytes(std::span(source)).data(), want.data());
    EXPECT_TRUE(made == want) << told(r);
  }
}

TEST(ResampleSeparable, turned_maps_and_far_ones_are_not_separable) {
  const auto of = [](const AffineMap& map) {
    return resampling::is_separable(resampling::form_of(resampling::checked(resampling_of(map, {5, 5}, {4, 4}, f4))));
  };
  EXPECT_TRUE(of(scaled({2, 3}, {0, 1})));
  EXPECT_TRUE(of(scaled({0, -3}, {0, 1e9})));
  EXPECT_FALSE(of(scaled({2, 3}, {0, 1e16})));
  EXPECT_FALSE(of(scaled({2, 1e300}, {0, 0})));
  EXPECT_FALSE(of(skewed(2)));
  AffineMap transposed = scaled({0, 0}, {0, 0});
  transposed.matrix[0][1] = transposed.matrix[1][0] = 1;
  EXPECT_FALSE(of(transposed));
}

}  // namespace
}  // namespace crinkle::resample_separable_test
