// Kernels of affine maps, walked through on a CPU thread by thread: the definition's bits for every type, face, rank and way, extents that
// no tile divides, channels, strides with gaps, axes turned round and parts. SPDX-License-Identifier: BSD-3-Clause
#include "support/kernel_walk.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

#include "cpu/walls.hpp"
#include "operation/model.hpp"
#include "resample/check.hpp"
#include "resample/reach.hpp"
#include "resample/resamplings.hpp"
#pragma GCC diagnostic push  // of headers that nvcc compiles elsewhere
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include "resample/cuda/gathers.cuh"
#include "resample/cuda/scales.cuh"
#pragma GCC diagnostic pop
#include "resample/cuda/ways.hpp"

namespace crinkle::resampling::kernel {
alignas(16) char shared[1 << 16];
}

namespace crinkle::resampling::walked_test {
namespace {

namespace walk = crinkle::testing::walk;

template <class E, class Out, int n_taps, int n_in>
void walk_plan(const CudaShape& shape, const Form& form, const std::byte* source, std::byte* result) {
  const auto* const in = reinterpret_cast<const char*>(source);
  auto* const out = reinterpret_cast<char*>(result);
  const auto blocks = static_cast<std::uint32_t>(shape.n_blocks), threads = static_cast<std::uint32_t>(shape.threads);
  ASSERT_LE(shape.shared_bytes, static_cast<std::int64_t>(sizeof kernel::shared));
  const bool is_wide = shape.unit > 0 && reinterpret_cast<std::uintptr_t>(out) % static_cast<std::uintptr_t>(shape.unit) == 0;
  if (shape.way == CudaWay::scales) {
    const ScalesPlan<E, Out, n_taps, n_in> plan{shape.scales, form};
    walk::launch(blocks, threads, [&] { kernel::resample_scales(plan, 0, in, out, is_wide); });
  } else if constexpr (n_in > 1) {  // no thread waits for another
    const GathersPlan<E, Out, n_taps, n_in> plan{form};
    for (walk::block = {}; walk::block.x < blocks; ++walk::block.x)
      for (walk::thread = {}; walk::thread.x < threads; ++walk::thread.x) kernel::resample_gathers(plan, 0, in, out, is_wide);
  }
}
template <class E, class Out, int n_taps>
void walk_of_rank(const CudaShape& shape, const Form& form, const std::byte* in, std::byte* out) {
  if (form.map.n_in == 1) return walk_plan<E, Out, n_taps, 1>(shape, form, in, out);
  if (form.map.n_in == 2) return walk_plan<E, Out, n_taps, 2>(shape, form, in, out);
  walk_plan<E, Out, n_taps, 3>(shape, form, in, out);
}
template <class E, class Out = E>
void walk_of(const CudaShape& shape, const Form& form, const std::byte* in, std::byte* out) {
  if constexpr (std::is_same_v<E, Out>) {
    if (form.n_taps == 1) return walk_of_rank<E, E, 1>(shape, form, in, out);
    if (form.n_taps == 2) return walk_of_rank<E, E, 2>(shape, form, in, out);
  }
  walk_of_rank<E, Out, 4>(shape, form, in, out);
}

void walk_request(const CudaShape& shape, const Form& form, const Resampling& r, const std::byte* in, std::byte* out) {
  const bool is_read_as_float = r.source_type.number == Number::float32;
  switch (r.destination_type.number) {
    case Number::uint8:
      is_read_as_float ? walk_of<float, std::uint8_t>(shape, form, in, out) : walk_of<std::uint8_t>(shape, form, in, out);
      break;
    case Number::uint16: walk_of<std::uint16_t>(shape, form, in, out); break;
    case Number::int16:
      is_read_as_float ? walk_of<float, std::int16_t>(shape, form, in, out) : walk_of<std::int16_t>(shape, form, in, out);
      break;
    case Number::float32: walk_of<float>(shape, form, in, out); break;
    default: walk_of<double>(shape, form, in, out);
  }
}

void expect_same(const Guarded& want, const Guarded& got, const Resampling& r) {
  EXPECT_TRUE(got.is_intact());
  const Bytes wanted = want.content(), made = got.content();
  const auto differs = std::mismatch(wanted.begin(), wanted.end(), made.begin()).first - wanted.begin();
  EXPECT_TRUE(wanted == made) << told(r) << ": byte " << differs << " of " << wanted.size();
}

// The walked result between guard zones is the definition's.
CudaShape expect_as_walked(const Resampling& request, CudaWay way) {
  const Resampling r = checked(request);
  Form form = form_of(r);
  form.is_aligned = true;
  const CudaShape shape = cuda_shape_of(form, r.destination.element_bytes);
  EXPECT_EQ(shape.way, way) << told(r);
  if (shape.way == CudaWay::elements) return shape;
  const Bytes source = numbers_for(r.source, r.source_type, 1);
  Guarded src(span_of(r.source), source), want(span_of(r.destination)), got(span_of(r.destination));
  resample_reference(r, src.origin(), want.origin());
  walk_request(shape, form, r, src.origin() + r.source.offset, got.origin() + r.destination.offset);
  expect_same(want, got, r);
  return shape;
}

// The same of a part, `p` of the result's axes, all of which are resampled, from what it needs and nothing else: that ends at a wall.
void expect_part_as_walked(const Resampling& request, const Ranges& p, CudaWay way) {
  Resampling r = checked(request);
  const auto reach = reach_of(form_of(r), p, Given::unseen);
  const Extents whole = r.source.extents;
  r.source = dense_part(r.source, Ranges(reach.begin(), reach.begin() + std::ssize(whole)));
  r.destination = dense_part(r.destination, p);
  Form form = form_of(r);
  form.is_aligned = true;
  std::int64_t first[slots] = {}, shift = 0;
  for (std::size_t a = 0; a < whole.size(); ++a) {
    FormAxis& axis = form.in[slots - whole.size() + a];
    axis.extent = whole[a];
    first[a] = reach[a].first;
    shift += first[a] * axis.stride;
    form.map.begin[a] = p[a].first;
  }
  const CudaShape shape = cuda_shape_of(form, r.destination.element_bytes);
  EXPECT_EQ(shape.way, way) << told(r);
  const Bytes source = numbers_for(r.source, r.source_type, 1);
  simd::Walled walled(std::ssize(source));
  for (const simd::Place place : simd::both_places) {
    std::byte* const in = place.start(walled, std::ssize(source));
    std::copy(source.begin(), source.end(), in);
    Guarded want(span_of(r.destination)), got(span_of(r.destination));
    resample_reference(r, form, first, in, want.origin());
    walk_request(shape, form, r, in - shift, got.origin());
    expect_same(want, got, r);
  }
}

constexpr Number types[] = {Number::float32, Number::uint8, Number::float64, Number::int16, Number::uint16};

// Axes one by one: smaller or larger by no whole number, moved, some backwards.
AffineMap scaled(const Extents& in, const Extents& out, bool is_backwards = false) {
  AffineMap map = zoom_map(in, out);
  for (std::size_t a = 0; a < in.size(); ++a) {
    map.offset[a] += 0.3 * static_cast<double>(a) - 0.7;
    if (!is_backwards) continue;
    map.matrix[a][a] = -map.matrix[a][a];
    map.offset[a] = static_cast<double>(in[a]) - map.offset[a];
  }
  return map;
}

TEST(WalkedResampling, by_scales_of_every_type_face_and_rank) {
  std::size_t n = 0;
  for (const ResampleBy by : all_local) {
    for (const Faces& faces : all_faces) {
      const std::pair<Extents, Extents> shapes[] = {
          {{41}, {150}}, {{7, 33}, {19, 75}}, {{33, 40}, {9, 17}}, {{4, 5, 9}, {7, 3, 41}}, {{1, 3, 2}, {5, 1, 6}}};
      for (const auto& [in, out] : shapes) {
        const Number type = types[n++ % 5];
        Resampling r = resampling_of(scaled(in, out, n % 3 == 0), in, out, {type}, {faces});
        r.by = by;
        expect_as_walked(r, CudaWay::scales);
      }
    }
  }
}

TEST(WalkedResampling, by_scales_of_whole_numbers_and_far_beside) {
  for (const ResampleBy by : all_local) {
    for (const ZoomKeeps keeps : {ZoomKeeps::edges, ZoomKeeps::centres}) {
      Resampling r = resampling_of(zoom_map({9, 21}, {27, 61}, keeps), {9, 21}, {27, 61}, {Number::float32}, {Faces(Bound::constant, 2)});
      r.by = by;
      expect_as_walked(r, CudaWay::scales);
      for (const double by_far : {-200.0, 300.0}) {
        AffineMap far = zoom_map({9, 21}, {27, 61}, keeps);
        far.offset[1] = by_far;
        r.map = far;
        r.boundary = {Faces({Bound::constant, 3}, {Bound::constant, -7}), Faces({Bound::constant, 4}, {Bound::constant, -8})};
        expect_as_walked(r, CudaWay::scales);
        far.offset[0] = -by_far;
        r.map = far;
        expect_as_walked(r, CudaWay::scales);
      }
    }
  }
}

TEST(WalkedResampling, by_scales_of_several_blocks_channels_and_strides) {
  for (const ResampleBy by : all_local) {
    Resampling wide = resampling_of(scaled({20, 300}, {43, 1101}), {20, 300}, {43, 1101}, {Number::float32});
    wide.by = by;
    EXPECT_GT(expect_as_walked(wide, CudaWay::scales).n_blocks, 3);
    Resampling picture = resampling_of(scaled({30, 41}, {21, 83}), {30, 41, 3}, {21, 83, 3}, {Number::uint8});
    picture.axes = {0, 1};
    picture.by = by;
    expect_as_walked(picture, CudaWay::scales);
    Resampling many = resampling_of(scaled({11}, {23}), {3, 11, 2, 5}, {3, 23, 2, 5}, {Number::int16});
    many.axes = {1};
    many.by = by;
    expect_as_walked(many, CudaWay::scales);
    Resampling rows = resampling_of(scaled({37}, {66}), {5, 7, 37}, {5, 7, 66}, {Number::float32});
    rows.axes = {2};
    rows.by = by;
    expect_as_walked(rows, CudaWay::scales);
    Resampling slowest = resampling_of(scaled({6, 37}, {9, 50}), {6, 37}, {9, 50}, {Number::float32});
    slowest.by = by;
    for (const Layout& source : layouts_of_6_by_37()) {
      slowest.source = source;
      if (source.offset % 4 != 0 || source.strides[0] % 4 != 0 || source.strides[1] % 4 != 0) continue;  // those are made one by one
      expect_as_walked(slowest, CudaWay::scales);
    }
    slowest.destination = {{9, 50}, {208, 4}, 4, 4};  // rows at no multiple of 16 bytes
    expect_as_walked(slowest, CudaWay::scales);
    slowest.destination = {{9, 50}, {-208, 4}, 208 * 8, 4};
    expect_as_walked(slowest, CudaWay::scales);
  }
}

TEST(WalkedResampling, by_scales_of_one_element_with_any_stride) {
  for (const ResampleBy by : all_local) {
    Resampling r = resampling_of(scaled({1}, {3}), {1, 5}, {3, 5}, {Number::float32}, {Faces(Bound::edge)});
    r.axes = {0};
    r.by = by;
    for (const std::int64_t stride : {std::int64_t{1} << 32, std::int64_t{-3} << 33, std::int64_t{0}}) {
      r.source.strides[0] = stride;
      expect_as_walked(r, CudaWay::scales);
    }
  }
}

TEST(WalkedResampling, by_gathers_of_every_type_face_and_rank) {
  std::size_t n = 0;
  for (const ResampleBy by : all_local) {
    for (const Faces& faces : all_faces) {
      const std::pair<Extents, Extents> shapes[] = {{{7, 33}, {19, 75}}, {{60, 50}, {70, 131}}, {{4, 5, 9}, {7, 3, 41}}};
      for (const auto& [in, out] : shapes) {
        Resampling r = resampling_of(skewed(static_cast<int>(in.size())), in, out, {types[n++ % 5]}, {faces});
        r.by = by;
        expect_as_walked(r, CudaWay::gathers);
      }
    }
  }
}

TEST(WalkedResampling, by_gathers_of_turns_and_strides) {
  for (const ResampleBy by : all_local) {
    for (const double degrees : {25.0, 90.0, -45.0}) {
      Resampling r = resampling_of(rotation_map(degrees, {64, 90}, {90, 64}), {64, 90}, {90, 64}, {Number::float32});
      r.by = by;
      expect_as_walked(r, CudaWay::gathers);
      Resampling stack = resampling_of(rotation_map(degrees, {13, 17}, {15, 18}), {5, 13, 17}, {5, 15, 18}, {Number::uint16});
      stack.axes = {1, 2};
      stack.by = by;
      stack.destination.offset = 2;
      expect_as_walked(stack, CudaWay::gathers);
    }
  }
}

// Threads go beyond the end of a row, whose neighbours there are not what the part needs.
TEST(WalkedResampling, parts_read_what_they_need) {
  for (const ResampleBy by : all_local) {
    for (const Number type : types) {
      for (const Bound bound : {Bound::reflect, Bound::constant}) {
        Resampling zoomed = resampling_of(scaled({13, 40}, {9, 61}), {13, 40}, {9, 61}, {type}, {Faces(bound)});
        zoomed.by = by;
        Resampling skew = resampling_of(skewed(2), {60, 50}, {70, 131}, {type}, {Faces(bound)});
        skew.by = by;
        for (const Range columns : {Range{0, 5}, Range{7, 18}, Range{30, 10}}) {
          expect_part_as_walked(zoomed, {{2, 3}, columns}, CudaWay::scales);
          expect_part_as_walked(skew, {{20, 7}, columns}, CudaWay::gathers);
        }
      }
    }
  }
}

TEST(WalkedResampling, to_other_types_as_of_coefficients) {
  for (const Number type : {Number::uint8, Number::int16}) {
    for (const bool is_turned : {false, true}) {
      Resampling r = resampling_of(is_turned ? skewed(2) : scaled({9, 33}, {19, 75}), {9, 33}, {19, 75}, {Number::float32});
      r.destination = dense({19, 75}, {type});
      r.destination_type = {type};
      r.by = ResampleBy::cubic;
      expect_as_walked(r, is_turned ? CudaWay::gathers : CudaWay::scales);
    }
  }
}

TEST(WalkedResampling, leaves_other_requests_to_the_kernel_of_any_map) {
  Resampling r = resampling_of(skewed(2), {8, 9}, {8, 9}, {Number::float32});
  r.destination = Layout::dense_fortran({8, 9}, 4);
  expect_as_walked(r, CudaWay::elements);
  AffineMap far = skewed(2);
  far.offset[0] = 0x1p40;
  expect_as_walked(resampling_of(far, {8, 9}, {8, 9}, {Number::float32}), CudaWay::elements);
  expect_as_walked(resampling_of(polar_map(PolarMap::Direction::to_polar, {8, 9}, {4, 4}, 4), {8, 9}, {8, 9}, {Number::float32}),
                   CudaWay::elements);
}

}  // namespace
}  // namespace crinkle::resampling::walked_test
