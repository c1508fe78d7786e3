// Sweeps over every layout, type and instruction set equal their definition byte for byte, and so do those by any number of threads.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "stencil/stencils.hpp"
#include "support/threads.hpp"

namespace crinkle::layout_test {
namespace {

TEST(Layouts, any_strides_on_either_side) {
  for (const Layout& source : layouts_of_6_by_37()) {
    for (const Layout& destination : layouts_of_6_by_37()) {
      for (const std::int64_t steps : {1, 3}) {
        Sweep sweep = sweep_of(lopsided, {6, 37}, f4, {0, 1}, two_faces);
        sweep.source = source;
        sweep.destination = destination;
        sweep.steps = steps;
        sweep.steps_at_once = steps == 3 ? 2 : 0;
        expect_as_defined(sweep);
      }
    }
  }
}

TEST(Layouts, a_source_may_repeat_itself) {
  Sweep sweep = sweep_of(lopsided, {6, 37}, f8, {0, 1}, two_faces);
  sweep.source.strides = {0, 8};
  expect_as_defined(sweep);
  sweep.source.strides = {8, 0};
  expect_as_defined(sweep);
  sweep.source.strides = {8, 8};  // overlapping windows
  expect_as_defined(sweep);
}

TEST(Layouts, axes_that_no_stencil_reaches_along) {
  const Extents extents = {3, 5, 4, 7, 3};
  for (const std::vector<int>& axes : {std::vector<int>{1, 3}, {3, 1}, {0, 4}, {4, 2}, {0, 1}, {3, 4}, {2, 0}}) {
    for (const std::int64_t at_once : {0, 1, 3}) {
      Sweep sweep = sweep_of(lopsided, extents, f4, axes, two_faces);
      sweep.steps = 3;
      sweep.steps_at_once = at_once;
      expect_as_defined(sweep);
    }
  }
  Sweep planes = sweep_of(lopsided, {4, 9, 8, 3}, f4, {1, 2}, two_faces);  // channels apart: planes of pictures
  planes.source = {{4, 9, 8, 3}, {9 * 8 * 3 * 4, 32, 4, 9 * 8 * 4}, 0, 4};
  expect_as_defined(planes);
  planes.source = {{4, 9, 8, 3}, {9 * 8 * 16, 8 * 16, 16, 4}, 0, 4};  // three of four channels
  expect_as_defined(planes);
}

TEST(Layouts, nothing_and_single_cells) {
  for (const Extents& extents : {Extents{0, 5}, Extents{5, 0}, Extents{1, 1}, Extents{1, 9}})
    expect_as_defined(sweep_of(lopsided, extents, f4, {0, 1}, two_faces));
}

TEST(Layouts, every_type_to_every_type) {
  const std::vector<Number> all = {Number::float16, Number::float32, Number::float64, Number::int8,  Number::int16, Number::int32,
                                   Number::uint8,   Number::uint16,  Number::uint32,  Number::int64, Number::uint64};
  for (const Number from : all) {
    for (const Number to : all) {
      for (const bool is_swapped : {false, true}) {
        Sweep sweep = sweep_of(lopsided, {7, 30}, {from, is_swapped}, {0, 1}, two_faces);
        sweep.destination_type = {to, is_swapped && from != Number::int16};
        sweep.destination = dense({7, 30}, sweep.destination_type);
        sweep.steps = 2;
        sweep.steps_at_once = is_swapped ? 1 : 2;
        expect_as_defined(sweep);
      }
    }
  }
}

TEST(Layouts, integers_are_rounded_to_even_and_saturated) {
  const std::vector<double> in = {0.5, 1.5, 2.5, -0.5, -1.5, 127.5, 127.4, 300, -128.5, -1e300, NAN, INFINITY};
  const std::vector<std::int8_t> want = {0, 2, 2, 0, -2, 127, 127, 127, -128, -128, 0, 127};
  std::vector<std::int8_t> out(in.size());
  store_line(reinterpret_cast<std::byte*>(out.data()), 1, in.data(), 1, std::ssize(in), {Number::int8});
  EXPECT_EQ(out, want);
  const std::vector<double> wide = {4294967295.0, 4294967295.4, 4294967296, 2147483648.5, -0.4, -1};
  std::vector<std::uint32_t> words(wide.size());
  store_line(reinterpret_cast<std::byte*>(words.data()), 4, wide.data(), 1, std::ssize(wide), {Number::uint32});
  EXPECT_EQ(words, (std::vector<std::uint32_t>{4294967295u, 4294967295u, 4294967295u, 2147483648u, 0, 0}));
  const std::vector<double> far = {2.5,     -3.5,   0x1p51 + 0.5, -0x1p51 - 1.5, 0x1p52 - 0.5, 0x1p52 + 1,
                                   -0x1p62, 0x1p63, 0x1p64,       1e300,         -1e300,       NAN};
  constexpr std::int64_t most = INT64_MAX, least = INT64_MIN;
  std::vector<std::int64_t> whole(far.size());
  store_line(reinterpret_cast<std::byte*>(whole.data()), 8, far.data(), 1, std::ssize(far), {Number::int64});
  EXPECT_EQ(whole, (std::vector<std::int64_t>{2, -4, std::int64_t{1} << 51, -(std::int64_t{1} << 51) - 2, std::int64_t{1} << 52,
                                              (std::int64_t{1} << 52) + 1, -(std::int64_t{1} << 62), most, most, most, least, 0}));
  std::vector<std::uint64_t> natural(far.size());
  store_line(reinterpret_cast<std::byte*>(natural.data()), 8, far.data(), 1, std::ssize(far), {Number::uint64});
  EXPECT_EQ(natural, (std::vector<std::uint64_t>{2, 0, std::uint64_t{1} << 51, 0, std::uint64_t{1} << 52, (std::uint64_t{1} << 52) + 1, 0,
                                                 std::uint64_t{1} << 63, UINT64_MAX, UINT64_MAX, 0, 0}));
}

TEST(Layouts, halves_are_rounded_to_the_nearest) {
  for (std::uint32_t h = 0; h < 65536; ++h) {  // every half comes back; what lies between two goes to the nearer, or to the even one
    const auto half = static_cast<std::uint16_t>(h);
    float x = 0, above = 0;
    load_line(&x, 1, reinterpret_cast<const std::byte*>(&half), 2, 1, {Number::float16});
    std::uint16_t back = 0;
    const auto stored = [&](float value) {
      store_line(reinterpret_cast<std::byte*>(&back), 2, &value, 1, 1, {Number::float16});
      return back;
    };
    if (std::isnan(x)) {
      EXPECT_EQ(stored(x) & 0x7C00, 0x7C00);
      continue;
    }
    ASSERT_EQ(stored(x), half);
    const auto next = static_cast<std::uint16_t>(half + 1);
    if ((half & 0x7FFF) >= 0x7BFF) continue;
    load_line(&above, 1, reinterpret_cast<const std::byte*>(&next), 2, 1, {Number::float16});
    const float middle = x + (above - x) / 2;
    ASSERT_EQ(stored(middle), half % 2 == 0 ? half : next) << h;
    ASSERT_EQ(stored(std::nextafter(middle, x)), half) << h;
    ASSERT_EQ(stored(std::nextafter(middle, above)), next) << h;
  }
  float x = 65519.99f;
  std::uint16_t back = 0;
  store_line(reinterpret_cast<std::byte*>(&back), 2, &x, 1, 1, {Number::float16});
  EXPECT_EQ(back, 0x7BFF);
  x = 65520;
  store_line(reinterpret_cast<std::byte*>(&back), 2, &x, 1, 1, {Number::float16});
  EXPECT_EQ(back, 0x7C00);
}

TEST(Layouts, every_instruction_set_and_way_of_storing) {
  ASSERT_GE(simd::StencilKernels::all().size(), 2u);
  for (const simd::StencilKernels* kernels : simd::StencilKernels::all()) {
    for (const NumberType type : {f4, f8}) {
      for (const LinearStencil& stencil : {laplacian(1, 2), laplacian(1, 4), laplacian(1, 6), laplacian(1, 8), average(1, 9),
                                           from_array(std::vector<double>{-1, 3}, {2})}) {
        for (const std::int64_t n : {1, 3, 15, 16, 17, 64, 129, 200}) {
          for (const std::int64_t offset : {0, 1, 5}) {
            Sweep sweep = sweep_of(stencil, {4, n}, type, {1}, {Faces(Bound::symmetric)});
            sweep.destination.offset = offset * sweep.destination.element_bytes;
            const Bytes source = numbers_for(sweep.source, type);
            SweepPlan plan = plan_sweep(checked(sweep));
            for (MemoryPass& pass : plan.passes) pass.is_streaming = n % 2 == 1;
            Guarded src(span_of(sweep.source), source), dst(span_of(sweep.destination));
            run_passes(plan, src.origin(), dst.origin(), {}, default_executor(), {}, *kernels);
            EXPECT_TRUE(dst.is_intact() && dst.content() == swept_by_reference(sweep, source)) << kernels->target << " " << told(sweep);
          }
        }
      }
    }
  }
}

TEST(Layouts, any_number_of_threads) {
  Sweep sweep = sweep_of(average(3, 2), {20, 33, 41}, f4, {0, 1, 2}, {Faces(Bound::reflect)});
  sweep.steps = 4;
  const Bytes source = numbers_for(sweep.source, f4);
  Threads one(1), two(2), five(5);
  const Bytes want = swept(sweep, source, one);
  EXPECT_TRUE(want == swept_by_reference(sweep, source));
  EXPECT_TRUE(swept(sweep, source, two) == want);
  EXPECT_TRUE(swept(sweep, source, five) == want);
}

TEST(Layouts, many_axes) {
  Sweep sweep = sweep_of(average(8), {2, 3, 1, 2, 3, 2, 4, 3}, f8, {0, 1, 2, 3, 4, 5, 6, 7}, {Faces(Bound::periodic)});
  expect_as_defined(sweep);
  LinearStencil corner{"corner", 8, {{{1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0, 0, 0, 0, 2}, {1, -0.5}}}};
  expect_as_defined(sweep_of(corner, {2, 3, 1, 2, 3, 2, 4, 3}, f4, {7, 6, 5, 4, 3, 2, 1, 0}, {Faces(Bound::reflect)}));
}

TEST(Layouts, a_copy_of_a_sweeper_has_arrays_of_its_own) {
  Sweep sweep = sweep_of(lopsided, {40, 50}, f4, {0, 1}, two_faces);
  sweep.steps = 3;
  sweep.steps_at_once = 1;
  Sweeper first(sweep), second(first);
  EXPECT_EQ(first.workspace_bytes(), 2 * 40 * 50 * 4);
  EXPECT_EQ(first.passes(), 3);
  const Bytes a = numbers_for(sweep.source, f4, 1), b = numbers_for(sweep.source, f4, 2);
  Bytes out_a(a.size()), out_b(b.size());
  int passed = 0;
  first.run({a.data(), 8000}, {out_a.data(), 8000}, default_executor(), [&] {
    if (++passed == 2) second.run({b.data(), 8000}, {out_b.data(), 8000});
  });
  EXPECT_TRUE(out_a == swept_by_reference(sweep, a) && out_b == swept_by_reference(sweep, b));
}

}  // namespace
}  // namespace crinkle::layout_test
