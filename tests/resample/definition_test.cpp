// Every type, rank, boundary, interpolation, map and layout on a CPU is its definition, byte for byte, for any number of threads.
// SPDX-License-Identifier: BSD-3-Clause
#include "resample/places.hpp"
#include "resample/resamplings.hpp"
#include "support/threads.hpp"

namespace crinkle::resample_definition_test {
namespace {

const std::vector<Number> all_numbers = {Number::float16, Number::float32, Number::float64, Number::int8,  Number::int16, Number::int32,
                                         Number::uint8,   Number::uint16,  Number::uint32,  Number::int64, Number::uint64};

TEST(Resample, every_boundary_serves_every_extent_in_one_to_three_dimensions) {
  for (const ResampleBy by : all_local) {
    for (const Faces& faces : all_faces) {
      for (const NumberType type : {f4, f8, NumberType{Number::uint8}}) {
        for (const std::int64_t n : {1, 2, 3, 4, 5, 40}) {
          Resampling line = resampling_of(skewed(1), {n}, {61}, type, {faces});
          line.by = by;
          expect_as_defined(line);
          for (const std::int64_t m : {1, 2, 7}) {
            Resampling plane = resampling_of(skewed(2), {m, n}, {9, 40}, type, {faces});
            plane.by = by;
            expect_as_defined(plane);
            Resampling volume = resampling_of(skewed(3), {3, m, n}, {4, 5, 12}, type, {faces});
            volume.by = by;
            expect_as_defined(volume);
          }
        }
      }
    }
  }
}

TEST(Resample, axes_may_have_different_boundaries) {
  for (const ResampleBy by : all_local) {
    for (const Faces& a : all_faces) {
      for (const Faces& b : all_faces) {
        Resampling plane = resampling_of(skewed(2), {5, 4}, {12, 13}, f4, {a, b});
        plane.by = by;
        expect_as_defined(plane);
        Resampling volume = resampling_of(skewed(3), {3, 5, 4}, {6, 7, 8}, f8, {a, b, a});
        volume.by = by;
        expect_as_defined(volume);
      }
    }
  }
}

TEST(Resample, from_every_type_to_every_type) {
  for (const ResampleBy by : all_local) {
    for (const Number from : all_numbers) {
      for (const Number to : all_numbers) {
        for (const bool is_swapped : {false, true}) {
          Resampling r = resampling_of(skewed(2), {9, 11}, {10, 12}, {from, is_swapped}, {Faces(Bound::symmetric)});
          r.destination_type = {to, is_swapped};
          r.destination = dense({10, 12}, r.destination_type);
          r.by = by;
          expect_as_defined(r);
        }
      }
    }
  }
}

TEST(Resample, channels_and_other_axes_beside_are_resampled_one_by_one) {
  const Extents source = {3, 8, 2, 9, 4};
  for (const ResampleBy by : all_local) {
    for (const std::vector<int>& axes : {std::vector<int>{1, 3}, {3, 1}, {0, 4}, {4, -5}, {1, 2}, {3, 4}}) {
      Resampling r = resampling_of(skewed(2), source, source, f4);
      r.axes = axes;
      r.by = by;
      expect_as_defined(r);
      r.axes.push_back(2);
      if (axes == std::vector<int>{1, 2}) continue;
      r.map = skewed(3);
      expect_as_defined(r);
    }
  }
  Resampling picture = resampling_of(skewed(2), {40, 50, 3}, {33, 300, 3}, {Number::uint8});
  picture.axes = {0, 1};
  expect_as_defined(picture);
  picture.destination_axes = {1, 2};  // planes of colours
  picture.destination = dense({3, 33, 300}, picture.destination_type);
  expect_as_defined(picture);
}

TEST(Resample, any_strides_on_either_side) {
  for (const Layout& source : layouts_of_6_by_37()) {
    for (const Layout& destination : layouts_of_6_by_37()) {
      for (const ResampleBy by : all_local) {
        Resampling r = resampling_of(skewed(2), {6, 37}, {6, 37}, f4, two_faces);
        r.source = source;
        r.destination = destination;
        r.by = by;
        expect_as_defined(r);
      }
    }
  }
  Resampling repeated = resampling_of(skewed(2), {6, 37}, {7, 9}, f8, two_faces);
  for (const std::vector<std::int64_t>& strides : {std::vector<std::int64_t>{0, 8}, {8, 0}, {8, 8}}) {
    repeated.source.strides = {strides[0], strides[1]};
    expect_as_defined(repeated);
  }
}

// [2][n], between −3 and beyond the extents, float32 or float64, padded; some not finite.
struct Coordinates {
  std::vector<double> numbers;
  CoordinateField field;

  Coordinates(const Extents& shape, const Extents& source, Real type) {
    Extents all = {std::ssize(source)};
    all.insert(all.end(), shape.begin(), shape.end());
    field.layout = Layout::dense(all, bytes_of(type));
    field.layout.strides[0] += 8;
    field.type = type;
    numbers.resize(static_cast<std::size_t>(span_of(field.layout).last / 8 + 1));
    const double wild[] = {1e15,
                           -1e15,
                           4e15,
                           -1e300,
                           std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN(),
                           -0.0,
                           2,
                           1.5};
    std::uint64_t x = 5;
    std::int64_t i = 0;
    for (const std::int64_t place : places_of(field.layout)) {
      x = x * 6364136223846793005u + 1442695040888963407u;
      double q = static_cast<double>(x >> 40) / static_cast<double>(1 << 24) * 14 - 3;
      if (i++ % 7 == 0) q = wild[(x >> 33) % 10];
      store_line(reinterpret_cast<std::byte*>(numbers.data()) + place, 0, &q, 1, 1, type == Real::float32 ? f4 : f8);
    }
    field.data = {numbers.data(), std::ssize(numbers) * 8};  // as bytes: the numbers may be float32
  }
};

TEST(Resample, fields_of_coordinates_that_may_be_anywhere) {
  for (const ResampleBy by : all_local) {
    for (const Faces& faces : all_faces) {
      for (const Real type : {Real::float32, Real::float64}) {
        const Coordinates plane({7, 30}, {5, 8}, type), volume({2, 3, 40}, {4, 1, 6}, type), line({600}, {9}, type);
        for (Resampling r : {resampling_of(plane.field, {5, 8}, {7, 30}, f4, {faces}), resampling_of(line.field, {9}, {600}, f8, {faces}),
                             resampling_of(volume.field, {4, 1, 6}, {2, 3, 40}, {Number::int16}, {faces})}) {
          r.by = by;
          r.nodata = -9;
          expect_as_defined(r);
        }
      }
    }
  }
}

TEST(Resample, a_field_makes_a_result_of_any_rank) {
  const Coordinates along_a_line({50}, {5, 8, 6}, Real::float64), many({2, 3, 2, 5}, {5, 8}, Real::float32);
  Resampling line = resampling_of(along_a_line.field, {5, 8, 6}, {50}, f4);
  line.destination_axes = {0};
  expect_as_defined(line);
  line.source = dense({5, 8, 6, 3}, f4);  // colours, to be planes
  line.destination = dense({3, 50}, f4);
  line.destination_axes = {1};
  expect_as_defined(line);
  Resampling more = resampling_of(many.field, {5, 8}, {2, 3, 2, 5}, f8);
  more.destination_axes = {0, 1, 2, 3};
  expect_as_defined(more);
}

TEST(Resample, polar_maps_of_all_kinds) {
  for (const ResampleBy by : all_local) {
    for (const PolarScale scale : {PolarScale::linear, PolarScale::logarithmic}) {
      Resampling to = resampling_of(polar_map(PolarMap::Direction::to_polar, {24, 300}, {10.25, 14}, 13.5, scale), {21, 30}, {24, 300}, f4);
      to.by = by;
      expect_as_defined(to);
      Resampling from = resampling_of(polar_map(PolarMap::Direction::from_polar, {24, 13}, {10, 14}, 13.5, scale), {24, 13}, {21, 30}, f8);
      from.by = by;
      expect_as_defined(from);
    }
  }
}

TEST(Resample, any_number_of_threads_makes_the_same_bits) {
  for (const ResampleBy by : {ResampleBy::linear, ResampleBy::spline}) {
    Resampling r = resampling_of(skewed(2), {200, 150, 3}, {120, 530, 3}, f4, two_faces);
    r.axes = {0, 1};
    r.by = by;
    const Bytes source = numbers_for(r.source, f4);
    Threads one(1), three(3);
    EXPECT_TRUE(resampled(r, source, one) == resampled(r, source, three));
    EXPECT_TRUE(resampled(r, source, one) == resampled(r, source));
  }
}

TEST(Resample, an_index_far_outside_stands_for_the_one_that_steps_lead_to) {
  for (const Faces& faces : all_faces) {
    for (const std::int64_t n : {1, 2, 3, 7}) {
      const resampling::FormAxis axis{n, 0, 0, faces.low.bound, faces.high.bound, 0, 0};
      for (std::int64_t i = -60; i < 60; ++i)
        EXPECT_EQ(resampling::element_of(axis, i), detail::bounded(faces.low.bound, faces.high.bound, i, n)) << i << " of " << n;
    }
  }
}

TEST(Resample, axes_beyond_32_bits) {
  for (const ResampleBy by : all_local) {
    for (const double begin : {0.0, 0x1p31, 0x1p32, 0x1p34 - 20}) {
      AffineMap map;
      map.matrix[0][0] = 1.375;
      map.offset[0] = begin - 3.25;
      Resampling r = resampling_of(map, {40}, {30}, f4, {Faces(Bound::constant, 7)});
      r.source.extents = {std::int64_t{1} << 34};
      r.source.strides = {0};  // one element, again and again
      r.by = by;
      const std::vector<float> source = {3.25f};
      std::vector<float> want(30), got(30);
      resampling::resample_reference(r, std::as_bytes(std::span(source)).data(), std::as_writable_bytes(std::span(want)).data());
      resample(r, source, got);
      EXPECT_EQ(got, want) << begin;
      EXPECT_GT(std::count(got.begin(), got.end(), 3.25f), 5) << begin;
    }
  }
}

TEST(Resample, empty_arrays_are_left_alone) {
  for (const Extents& destination : {Extents{0, 4}, Extents{4, 0}}) {
    const Bytes source = numbers_for(dense({3, 4}, f4), f4);
    EXPECT_TRUE(resampled(resampling_of(skewed(2), {3, 4}, destination, f4), source).empty());
  }
  Resampling none = resampling_of(skewed(1), {0, 5}, {0, 6}, f4);
  none.axes = {1};
  EXPECT_TRUE(resampled(none, {}).empty());
}

}  // namespace
}  // namespace crinkle::resample_definition_test
