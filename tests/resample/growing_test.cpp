// Kernels that grow with the scale: means and commonest values against exact counts, weights that people know, borders, what is missing;
// and the definition's bits on every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#include "resample/cpu/growing.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "crinkle/error.hpp"
#include "resample/on_all_sets.hpp"
#include "support/threads.hpp"

namespace crinkle::resample_growing_test {
namespace {

constexpr NumberType u1{Number::uint8}, i2{Number::int16};

struct Kind {
  ResampleBy by;
  bool is_antialiased;
};
constexpr Kind kinds[] = {{ResampleBy::area, false},
                          {ResampleBy::mode, false},
                          {ResampleBy::lanczos, false},
                          {ResampleBy::linear, true},
                          {ResampleBy::cubic, true}};

Resampling zoomed(const Kind& kind, const Extents& in, const Extents& out, NumberType type) {
  Resampling r = resampling_of(zoom_map(in, out), in, out, type);
  r.by = kind.by;
  r.is_antialiased = kind.is_antialiased;
  return r;
}

template <class T>
std::vector<T> made(const Resampling& r, const std::vector<T>& source) {
  return values_of<T>(resampled(r, bytes_of_values(source)));
}

// How much of cell i the p-th of n_out equal parts of n_in cells covers, in parts of 1 / n_out.
std::int64_t covered(std::int64_t n_in, std::int64_t n_out, std::int64_t p, std::int64_t i) {
  return std::max<std::int64_t>(0, std::min((p + 1) * n_in, (i + 1) * n_out) - std::max(p * n_in, i * n_out));
}

const std::vector<std::pair<std::int64_t, std::int64_t>> sizes = {{6, 3}, {6, 2}, {7, 3}, {10, 4}, {5, 5}, {3, 7}, {9, 1}, {100, 7}};

TEST(ResampleGrowing, area_is_the_mean_of_what_is_covered) {
  for (const auto& [rows, rows_out] : sizes) {
    for (const auto& [columns, columns_out] : sizes) {
      std::vector<double> source(static_cast<std::size_t>(rows * columns));
      for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<double>(i * i * 7919 % 251);
      const std::vector<double> got = made(zoomed(kinds[0], {rows, columns}, {rows_out, columns_out}, f8), source);
      for (std::int64_t p = 0; p < rows_out; ++p) {
        for (std::int64_t q = 0; q < columns_out; ++q) {
          double sum = 0;  // of whole numbers
          for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j)
              sum += source[static_cast<std::size_t>(i * columns + j)] *
                     static_cast<double>(covered(rows, rows_out, p, i) * covered(columns, columns_out, q, j));
          EXPECT_NEAR(got[static_cast<std::size_t>(p * columns_out + q)], sum / static_cast<double>(rows * columns), 1e-12)
              << rows << "x" << columns << " to " << rows_out << "x" << columns_out << " at " << p << ", " << q;
        }
      }
    }
  }
}

TEST(ResampleGrowing, mode_is_the_commonest_of_what_is_covered_and_of_several_the_smallest) {
  for (const auto& [rows, rows_out] : sizes) {
    for (const auto& [columns, columns_out] : sizes) {
      std::vector<std::int16_t> source(static_cast<std::size_t>(rows * columns));
      for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::int16_t>(static_cast<int>(i * i * 7919 % 251 % 5) - 2);
      const std::vector<std::int16_t> got = made(zoomed(kinds[1], {rows, columns}, {rows_out, columns_out}, i2), source);
      for (std::int64_t p = 0; p < rows_out; ++p) {
        for (std::int64_t q = 0; q < columns_out; ++q) {
          std::map<std::int16_t, std::int64_t> counts;
          for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j)
              counts[source[static_cast<std::size_t>(i * columns + j)]] +=
                  covered(rows, rows_out, p, i) * covered(columns, columns_out, q, j);
          const std::int16_t its = got[static_cast<std::size_t>(p * columns_out + q)];
          for (const auto& [value, count] : counts) {
            // Areas that are no binary fractions are rounded: of nearly equal ones either.
            EXPECT_LE(count, counts[its]) << rows << "x" << columns << " to " << rows_out << "x" << columns_out;
            const bool is_binary = rows % rows_out == 0 && columns % columns_out == 0;
            if (is_binary && count == counts[its]) { EXPECT_LE(its, value); }
          }
        }
      }
    }
  }
  EXPECT_EQ(made<std::uint8_t>(zoomed(kinds[1], {6}, {2}, u1), {9, 200, 9, 7, 3, 250}), (std::vector<std::uint8_t>{9, 3}));
}

TEST(ResampleGrowing, weights_that_people_know) {
  std::vector<double> one(24);
  one[12] = 1;
  const auto near = [](const std::vector<double>& got, const std::vector<double>& want) {
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-15) << i;
  };
  near(made(zoomed({ResampleBy::linear, true}, {24}, {12}, f8), one), {0, 0, 0, 0, 0, 0.125, 0.375, 0, 0, 0, 0, 0});
  near(made(zoomed({ResampleBy::linear, true}, {24}, {8}, f8), one), {0, 0, 0, 1. / 9, 2. / 9, 0, 0, 0});
  near(made(zoomed({ResampleBy::area, false}, {24}, {8}, f8), one), {0, 0, 0, 0, 1. / 3, 0, 0, 0});
  for (const ResampleBy by : {ResampleBy::cubic, ResampleBy::lanczos}) {
    const double scale = 24.0 / 5, reach = by == ResampleBy::cubic ? 2 : 3;
    const auto w = [&](double x) {
      x = std::abs(x);
      if (x >= reach) return 0.0;
      if (by == ResampleBy::cubic) return x <= 1 ? 1.5 * x * x * x - 2.5 * x * x + 1 : -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2;
      const double a = std::numbers::pi * x;
      return x == 0 ? 1 : 3 * std::sin(a) * std::sin(a / 3) / (a * a);
    };
    const std::vector<double> got = made(zoomed({by, true}, {24}, {5}, f8), one);
    for (int p = 0; p < 5; ++p) {
      const double q = (p + 0.5) * scale - 0.5;
      double sum = 0;
      for (int i = 0; i < 24; ++i) sum += w((i - q) / scale);
      EXPECT_NEAR(got[static_cast<std::size_t>(p)], w((12 - q) / scale) / sum, 1e-14) << p;
    }
  }
}

TEST(ResampleGrowing, what_is_the_same_everywhere_stays_so_up_to_the_borders) {
  for (const Kind& kind : kinds) {
    for (const auto& [in, out] : sizes) {
      const std::vector<std::uint8_t> bytes(static_cast<std::size_t>(in * 2 * in), 201);
      for (const std::uint8_t x : made(zoomed(kind, {in, 2 * in}, {out, out}, u1), bytes)) EXPECT_EQ(x, 201);
      const std::vector<double> numbers(static_cast<std::size_t>(in * 2 * in), 0.7);
      for (const double x : made(zoomed(kind, {in, 2 * in}, {out, out}, f8), numbers)) EXPECT_NEAR(x, 0.7, 1e-14);
    }
  }
}

TEST(ResampleGrowing, outside_there_is_nodata_and_a_periodic_axis_goes_on) {
  AffineMap map;
  map.matrix[0][0] = 2;
  map.offset[0] = -3.5;  // covers [−4, −2], [−2, 0], [0, 2], [2, 4], [4, 6]
  for (const Kind& kind : kinds) {
    Resampling r = resampling_of(map, {4}, {5}, f8);
    r.by = kind.by;
    r.is_antialiased = kind.is_antialiased;
    r.nodata = -9;
    const std::vector<double> got = made<double>(r, {1, 1, 1, 1});
    for (const std::size_t outside : {0U, 1U, 4U}) EXPECT_EQ(got[outside], -9) << name_of(kind.by);
    for (const std::size_t inside : {2U, 3U}) EXPECT_NEAR(got[inside], 1, 1e-15) << name_of(kind.by);
  }
  Resampling round = resampling_of(map, {4}, {5}, f8, {Faces(Bound::periodic)});
  round.by = ResampleBy::area;
  EXPECT_EQ(made<double>(round, {1, 2, 3, 4}), (std::vector<double>{1.5, 3.5, 1.5, 3.5, 1.5}));
  map.matrix[0][0] = 12;
  map.offset[0] = 0;
  round.map = map;
  EXPECT_EQ(made<double>(round, {1, 2, 3, 6})[0], 3);
}

TEST(ResampleGrowing, nan_spreads_to_what_it_counts_for_and_is_no_mode) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> source = {1, 3, nan, 7, 7, nan, nan, nan};
  const auto told = [](const std::vector<double>& numbers) {
    std::vector<std::string> words;
    for (const double x : numbers) words.push_back(std::isnan(x) ? "nan" : std::to_string(static_cast<int>(x)));
    return words;
  };
  EXPECT_EQ(told(made(zoomed(kinds[0], {8}, {4}, f8), source)), (std::vector<std::string>{"2", "nan", "nan", "nan"}));
  EXPECT_EQ(told(made(zoomed(kinds[1], {8}, {4}, f8), source)), (std::vector<std::string>{"1", "7", "7", "nan"}));
}

void expect_on_all(const Resampling& r) {
  expect_lines_on_all_sets(r, 1,
                           [&](auto t, const auto& form, const std::byte* in, std::byte* out, Executor& executor, const auto& kernels) {
                             resampling::run_growing<decltype(t)>(form, in, r.source_type, out, r.destination_type, executor, kernels);
                           });
}

TEST(ResampleGrowing, every_type_and_scale_has_the_bits_of_the_definition) {
  for (const Kind& kind : kinds) {
    for (const NumberType type : {f4, f8, u1, i2, NumberType{Number::uint16}, NumberType{Number::int8}, NumberType{Number::int32, true},
                                  NumberType{Number::float16}}) {
      for (const auto& [in, out] : {std::pair<std::int64_t, std::int64_t>{60, 30}, {60, 17}, {61, 2}, {20, 45}}) {
        expect_on_all(zoomed(kind, {in + 3, in}, {out, out}, type));
        expect_on_all(zoomed(kind, {in}, {out}, type));
        expect_on_all(zoomed(kind, {9, in, 12}, {4, out, 5}, type));
      }
    }
  }
}

TEST(ResampleGrowing, channels_blocks_of_columns_and_windows_longer_than_a_block) {
  for (const Kind& kind : kinds) {
    for (const std::int64_t channels : {2, 3, 9}) {
      Resampling r = resampling_of(zoom_map({31, 50}, {12, 21}), {31, 50, channels}, {12, 21, channels}, u1);
      r.axes = {0, 1};
      r.by = kind.by;
      r.is_antialiased = kind.is_antialiased;
      expect_on_all(r);
      r.destination = dense({channels, 12, 21}, u1);
      r.destination_axes = {1, 2};
      expect_on_all(r);
    }
    expect_on_all(zoomed(kind, {2, 40000}, {2, 9001}, u1));
    expect_on_all(zoomed(kind, {3, 70001}, {2, 2}, f4));
    Resampling deep = resampling_of(zoom_map({40000}, {1}), {40000, 3}, {1, 3}, f4);
    deep.axes = {0};
    deep.by = kind.by;
    deep.is_antialiased = kind.is_antialiased;
    expect_on_all(deep);
  }
}

TEST(ResampleGrowing, which_results_skip_elements) {
  const auto scale_of = [](ResampleBy by, std::int64_t n, bool is_antialiased = false) {
    return skipping_scale(zoomed({by, is_antialiased}, {100, 100}, {100, n}, f4));
  };
  EXPECT_EQ(scale_of(ResampleBy::nearest, 100), 0);
  EXPECT_EQ(scale_of(ResampleBy::nearest, 80), 1.25);
  EXPECT_EQ(scale_of(ResampleBy::linear, 50), 0);
  EXPECT_EQ(scale_of(ResampleBy::linear, 40), 2.5);
  EXPECT_EQ(scale_of(ResampleBy::cubic, 25), 0);
  EXPECT_EQ(scale_of(ResampleBy::spline, 20), 5);
  EXPECT_EQ(scale_of(ResampleBy::linear, 1, true), 0);
  for (const ResampleBy by : {ResampleBy::area, ResampleBy::mode, ResampleBy::lanczos}) EXPECT_EQ(scale_of(by, 1), 0);
}

void expect_refused(const std::string& says, const Resampling& r, ErrorCode code) {
  try {
    plan(r);
    ADD_FAILURE() << "not refused; expected: " << says;
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    EXPECT_NE(std::string(e.what()).find(says), std::string::npos) << e.what();
  }
}

TEST(ResampleGrowing, what_is_refused) {
  for (const Kind& kind : kinds) {
    Resampling r = zoomed(kind, {8, 8}, {4, 4}, f4);
    r.map = skewed(2);
    expect_refused("do not scale one by one", r, ErrorCode::unsupported);
    r.map = polar_map(PolarMap::Direction::to_polar, {4, 4}, {3, 3}, 3);
    expect_refused("turn or warp the result", r, ErrorCode::unsupported);
    AffineMap flat = zoom_map({8, 8}, {4, 4});
    flat.matrix[1][1] = 0;
    r.map = flat;
    expect_refused("a scale of 0", r, ErrorCode::bad_shape);
    flat.matrix[1][1] = 65;
    r.map = flat;
    r.boundary = {Faces(Bound::periodic)};
    expect_refused("more than 8 times", r, ErrorCode::unsupported);
    for (const Faces& faces : {Faces(Bound::reflect), Faces(Bound::symmetric), Faces(Bound::constant, 3)}) {
      r = zoomed(kind, {8, 8}, {4, 4}, f4);
      r.boundary = {Faces(Bound::edge), faces};
      expect_refused("leave it out", r, ErrorCode::bad_shape);
    }
  }
  for (const ResampleBy by : {ResampleBy::nearest, ResampleBy::spline})
    expect_refused("linear and cubic have", zoomed({by, true}, {8}, {4}, f4), ErrorCode::unsupported);
}

}  // namespace
}  // namespace crinkle::resample_growing_test
