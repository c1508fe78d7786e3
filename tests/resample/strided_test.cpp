// Halves, quarters and means of bytes and floats: the definition's bits on every instruction set, wherever a part begins, and which
// requests are made so.
// SPDX-License-Identifier: BSD-3-Clause
#include "resample/cpu/scales.hpp"

#include <cmath>

#include "resample/on_all_sets.hpp"
#include "support/threads.hpp"

namespace crinkle::resample_strided_test {
namespace {

constexpr NumberType u1{Number::uint8};

struct Kind {
  ResampleBy by;
  bool is_antialiased;
};
constexpr Kind kinds[] = {{ResampleBy::nearest, false}, {ResampleBy::linear, false}, {ResampleBy::cubic, false},
                          {ResampleBy::area, false},    {ResampleBy::linear, true},  {ResampleBy::lanczos, false}};

// Rows and columns so far apart, the first place at these coordinates.
Resampling strided(const Kind& kind, std::array<double, 2> steps, std::array<double, 2> offsets, const Extents& out, NumberType type) {
  AffineMap map;
  map.rank = 2;
  Extents in;
  for (std::size_t a = 0; a < 2; ++a) {
    map.matrix[a][a] = steps[a];
    map.offset[a] = offsets[a];
    in.push_back(static_cast<std::int64_t>(steps[a] * static_cast<double>(out[a] - 1) + offsets[a]) + 13);
  }
  Resampling r = resampling_of(map, in, out, type);
  r.by = kind.by;
  r.is_antialiased = kind.is_antialiased;
  return r;
}

// Whether it is made so.
bool expect_strided(const Resampling& asked, const Bytes& source) {
  const Resampling r = resampling::checked(asked);
  const resampling::Form form = resampling::form_of(r);
  const auto plan = resampling::strided_plan(form, r.source_type, r.destination_type);
  if (!plan) return false;
  expect_on_all_sets<simd::StridedKernels>(
      asked, source, [&](const auto& its, const std::byte* in, std::byte* out, Executor& executor, const auto& kernels) {
        resampling::run_scales<float>(its, plan, in, r.source_type, out, r.destination_type, executor, kernels);
      });
  return true;
}
bool expect_strided(const Resampling& r) { return expect_strided(r, numbers_for(r.source, r.source_type, 1)); }

TEST(ResampleStrided, has_the_bits_of_the_definition_wherever_it_begins) {
  int n_made = 0;
  for (const Kind& kind : kinds)
    for (const NumberType type : {u1, f4})
      for (const double along : {2.0, 4.0})
        for (const double down : {1.0, 2.0, 3.0, 4.0})
          for (const double offset : {3.0, 3.25, 3.5, 4.5, 6.125})
            for (const std::int64_t columns : {1, 7, 64, 203})
              n_made += expect_strided(strided(kind, {down, along}, {3.5, offset}, {5, columns}, type)) ? 1 : 0;
  EXPECT_GT(n_made, 600);
}

TEST(ResampleStrided, halves_and_quarters_of_pictures_are_made_so) {
  for (const NumberType type : {u1, f4}) {
    for (const std::int64_t scale : {2, 4}) {
      for (const Kind& kind : {kinds[0], kinds[1], kinds[3]}) {
        Resampling r = resampling_of(zoom_map({12 * scale, 50 * scale}, {12, 50}), {12 * scale, 50 * scale}, {12, 50}, type);
        r.by = kind.by;
        EXPECT_TRUE(expect_strided(r)) << told(r);
        Resampling batch = r;  // of planes
        batch.source = dense({3, 12 * scale, 50 * scale}, type);
        batch.destination = dense({3, 12, 50}, type);
        batch.axes = {1, 2};
        EXPECT_TRUE(expect_strided(batch)) << told(batch);
      }
    }
  }
  for (const std::int64_t channels : {2, 3, 4, 5}) {
    for (const std::int64_t scale : {2, 4}) {
      for (const Kind& kind : {kinds[0], kinds[1], kinds[3]}) {
        Resampling r =
            resampling_of(zoom_map({12 * scale, 103 * scale}, {12, 103}), {12 * scale, 103 * scale, channels}, {12, 103, channels}, u1);
        r.axes = {0, 1};
        r.by = kind.by;
        EXPECT_EQ(expect_strided(r), channels < 5) << told(r);
      }
    }
  }
  const auto is_strided = [](const Resampling& asked) {
    const Resampling r = resampling::checked(asked);
    return resampling::strided_plan(resampling::form_of(r), r.source_type, r.destination_type).has_value();
  };
  const auto half = [](ResampleBy by, const Extents& in, const Extents& out, NumberType type) {
    Resampling r = resampling_of(zoom_map(in, out), in, out, type);
    r.by = by;
    return r;
  };
  EXPECT_FALSE(is_strided(half(ResampleBy::linear, {100, 101}, {50, 50}, u1))) << "weights differ";
  EXPECT_FALSE(is_strided(half(ResampleBy::area, {100, 90}, {50, 30}, u1))) << "3 apart";
  EXPECT_FALSE(is_strided(half(ResampleBy::area, {90, 100}, {30, 50}, u1))) << "thirds of bytes are not exact";
  EXPECT_TRUE(is_strided(half(ResampleBy::area, {90, 100}, {30, 50}, f4)));
  EXPECT_TRUE(is_strided(half(ResampleBy::cubic, {100, 100}, {50, 50}, f4))) << "but for the borders";
  EXPECT_FALSE(is_strided(half(ResampleBy::cubic, {100, 100}, {50, 50}, u1))) << "weights below 0";
  EXPECT_FALSE(is_strided(half(ResampleBy::lanczos, {100, 100}, {50, 50}, f4))) << "too many places";
  EXPECT_FALSE(is_strided(half(ResampleBy::mode, {100, 100}, {50, 50}, u1)));
}

TEST(ResampleStrided, borders_of_wider_kernels_are_made_beside) {
  for (const Kind& kind : {kinds[2], kinds[4]}) {
    for (const NumberType type : {u1, f4}) {
      for (const std::int64_t columns : {9, 40, 131}) {
        Resampling r = resampling_of(zoom_map({30, 2 * columns}, {15, columns}), {30, 2 * columns}, {15, columns}, type);
        r.by = kind.by;
        r.is_antialiased = kind.is_antialiased;
        EXPECT_EQ(expect_strided(r), kind.is_antialiased || type == f4) << told(r);
        r.boundary = {Faces(Bound::edge), Faces(Bound::periodic)};
        expect_strided(r);
      }
    }
  }
}

// All sums of four bytes, ties among them.
TEST(ResampleStrided, means_of_bytes_are_rounded_half_to_even) {
  std::vector<std::uint8_t> source(4 * 1024);
  for (std::size_t s = 0; s < 1024; ++s) {
    const std::size_t sum = std::min<std::size_t>(s, 1020);
    for (std::size_t k = 0; k < 4; ++k) source[k / 2 * 2048 + 2 * s + k % 2] = static_cast<std::uint8_t>((sum + k) / 4);
  }
  for (const ResampleBy by : {ResampleBy::linear, ResampleBy::area}) {
    Resampling r = resampling_of(zoom_map({2, 2048}, {1, 1024}), {2, 2048}, {1, 1024}, u1);
    r.by = by;
    EXPECT_TRUE(expect_strided(r, bytes_of_values(source)));
    const std::vector<std::uint8_t> got = values_of<std::uint8_t>(resampled(r, bytes_of_values(source)));
    for (std::size_t s = 0; s <= 1020; ++s) EXPECT_EQ(got[s], std::nearbyint(static_cast<double>(s) / 4)) << s;
  }
}

TEST(ResampleStrided, what_is_not_finite_counts_where_its_weight_is_not_0) {
  std::vector<float> source(16 * 64, 1.5f);
  for (std::size_t i = 0; i < source.size(); i += 7) source[i] = i % 2 == 0 ? INFINITY : -0.0f;
  for (const Kind& kind : {kinds[0], kinds[1], kinds[3]}) {
    Resampling r = resampling_of(zoom_map({16, 64}, {8, 16}), {16, 64}, {8, 16}, f4);
    r.by = kind.by;
    EXPECT_TRUE(expect_strided(r, bytes_of_values(source)));
  }
}

}  // namespace
}  // namespace crinkle::resample_strided_test
