// Stencils of bytes in whole numbers are the definition, byte for byte, on every instruction set; quotients are rounded exactly.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cpu/integer_rows.hpp"
#include "stencil/stencils.hpp"
#include "support/threads.hpp"

namespace crinkle::stencil_integer_test {
namespace {

constexpr NumberType u1{Number::uint8}, i2{Number::int16};

// All bytes, the least and the greatest often.
Bytes bytes_for(const Layout& layout, std::uint64_t seed) {
  Bytes bytes = noise_for(layout, seed);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int kind = static_cast<int>((i * 7 + seed) % 11);
    if (kind < 2) bytes[i] = std::byte{255};
    else if (kind == 2) bytes[i] = std::byte{0};
  }
  return bytes;
}

bool is_integer(const Sweep& sweep) { return plan_sweep(checked(sweep)).integer.has_value(); }

void expect_integer(const Sweep& sweep) {
  const SweepPlan plan = plan_sweep(checked(sweep));
  ASSERT_TRUE(plan.integer.has_value()) << told(sweep);
  const Bytes source = bytes_for(sweep.source, 3), want = swept_by_reference(sweep, source);
  Threads one(1), three(3);
  for (const simd::IntegerKernels* kernels : simd::IntegerKernels::all()) {
    for (Executor* executor : {static_cast<Executor*>(&one), static_cast<Executor*>(&three)}) {
      Guarded src(span_of(sweep.source), source), dst(span_of(sweep.destination));
      run_integers(plan, src.origin(), dst.origin(), *executor, *kernels);
      EXPECT_TRUE(dst.content() == want) << told(sweep) << " on " << kernels->target;
      EXPECT_TRUE(dst.is_intact() && src.is_intact());
    }
  }
  EXPECT_TRUE(swept(sweep, source) == want) << told(sweep);
}

LinearStencil of_weights(const Extents& extents, const std::vector<double>& weights, double over = 1) {
  std::vector<double> each;
  for (const double w : weights) each.push_back(w / over);
  return from_array(each, extents);
}

const std::vector<Faces> whole_faces = {Faces(Bound::periodic),
                                        Faces(Bound::edge),
                                        Faces(Bound::reflect),
                                        Faces(Bound::symmetric),
                                        Faces(Bound::constant, 7),
                                        Faces({Bound::edge}, {Bound::reflect}),
                                        Faces({Bound::constant, 3}, {Bound::constant, 251})};

std::vector<LinearStencil> planes() {
  return {average(2, 1),
          average(2, 2),
          average(2, 3),
          average(2, 4),
          average(2, 2, StencilShape::star),
          laplacian(2, 2),
          gradient(2, 0, 2),
          sobel(2, 0),
          sobel(2, 1),
          separable("binomial", {{1, 2, 1}, {1, 2, 1}}),
          of_weights({3, 3}, {1, 2, 1, 2, 4, 2, 1, 2, 1}, 16),
          of_weights({1, 4}, {3, 0, -5, 1}),
          of_weights({4, 1}, {1, 0, 0, 2}, 3),
          of_weights({3, 3}, {0, 5, 0, -7, 3, 2, 1, 0, 1}, 8),
          LinearStencil{"lopsided", 2, {{{0, 0, -2, 0, 1, 3, 0, 1, 0, 1}, {1, -3, 2, 1, 1}}}}};
}

TEST(StencilInteger, every_stencil_at_every_face) {
  for (const LinearStencil& stencil : planes()) {
    for (const Faces& faces : whole_faces) {
      for (const Extents& extents : {Extents{9, 300}, Extents{1, 2}, Extents{4, 1}, Extents{40, 33}}) {
        Sweep sweep = sweep_of(stencil, extents, u1, {0, 1}, {faces, faces});
        expect_integer(sweep);
        sweep.destination_type = i2;
        sweep.destination = dense(extents, i2);
        expect_integer(sweep);
      }
    }
  }
}

TEST(StencilInteger, faces_that_differ_and_axes_in_any_order) {
  for (const LinearStencil& stencil : {average(2, 1), average(2, 3), sobel(2, 1), laplacian(2, 2)}) {
    for (const Faces& a : whole_faces) {
      for (const Faces& b : whole_faces) {
        Sweep sweep = sweep_of(stencil, {7, 21}, u1, {0, 1}, {a, b});
        expect_integer(sweep);
        sweep.source = Layout::dense_fortran({7, 21}, 1);
        sweep.destination = Layout::dense_fortran({7, 21}, 1);
        expect_integer(sweep);
      }
    }
  }
}

TEST(StencilInteger, channels_stacks_and_long_rows) {
  for (const LinearStencil& stencil : {average(2, 1), sobel(2, 0), average(2, 5)}) {
    for (const Faces& faces : whole_faces) {
      expect_integer(sweep_of(stencil, {9, 20, 3}, u1, {0, 1}, {faces, faces}));
      expect_integer(sweep_of(stencil, {3, 6, 20}, u1, {1, 2}, {faces, faces}));
      expect_integer(sweep_of(stencil, {3, 2, 6, 20, 2}, u1, {2, 3}, {faces, faces}));
    }
    expect_integer(sweep_of(stencil, {3, 40000}, u1, {0, 1}, {Faces(Bound::reflect), Faces(Bound::periodic)}));
  }
  Sweep padded = sweep_of(average(2, 1), {9, 50}, u1, {0, 1}, {Faces(Bound::edge), Faces(Bound::edge)});
  padded.source = {{9, 50}, {-61, 1}, 8 * 61 + 3, 1};
  padded.destination = {{9, 50}, {77, 1}, 5, 1};
  expect_integer(padded);
  expect_integer(sweep_of(average(1, 2), {400}, u1, {0}, {Faces(Bound::symmetric)}));
  expect_integer(sweep_of(average(1, 2), {6, 50}, u1, {0}, {Faces(Bound::symmetric)}));
}

TEST(StencilInteger, what_float32_may_round_otherwise_stays_in_float32) {
  const std::vector<Faces> edges = {Faces(Bound::edge), Faces(Bound::edge)};
  const Sweep box = sweep_of(average(2, 1), {5, 6}, u1, {0, 1}, edges);
  EXPECT_TRUE(is_integer(box));
  EXPECT_FALSE(is_integer(sweep_of(gaussian({1, 1}), {5, 6}, u1, {0, 1}, edges)));
  EXPECT_FALSE(is_integer(sweep_of(average(2, 6), {5, 6}, u1, {0, 1}, edges))) << "169 bytes are more than 16 bits";
  EXPECT_FALSE(is_integer(sweep_of(separable("binomial", {{1, 4, 6, 4, 1}, {1, 4, 6, 4, 1}}), {5, 6}, u1, {0, 1}, edges)));
  EXPECT_FALSE(is_integer(sweep_of(of_weights({1, 3}, {1, 2, 3}, 6), {5, 6}, u1, {0, 1}, edges))) << "sixths have halves";
  EXPECT_FALSE(is_integer(sweep_of(of_weights({1, 2}, {-1, 2}, 3), {5, 6}, u1, {0, 1}, edges)));
  EXPECT_FALSE(is_integer(sweep_of(average(2, 1), {5, 6}, i2, {0, 1}, edges)));
  EXPECT_FALSE(is_integer(sweep_of(average(2, 1), {5, 6}, u1, {0, 1}, {Faces(Bound::edge), Faces(Bound::constant, 0.5)})));
  EXPECT_FALSE(is_integer(sweep_of(average(2, 1), {5, 6}, u1, {0, 1}, {Faces(Bound::edge), Faces(Bound::constant, -1)})));
  Sweep other = box;
  other.steps = 2;
  EXPECT_FALSE(is_integer(other));
  other = box;
  other.destination_type = f4;
  other.destination = dense({5, 6}, f4);
  EXPECT_FALSE(is_integer(other));
  other = box;
  other.source = {{5, 6}, {24, 2}, 0, 1};
  EXPECT_FALSE(is_integer(other));
}

// Against whole numbers alone: 2 |S − q D| ≤ D, and q even where both sides are equal.
TEST(StencilInteger, quotients_are_the_nearest_whole_numbers) {
  for (std::int64_t divisor = 1; divisor <= 255; ++divisor) {
    const bool is_odd = divisor % 2 == 1 && divisor > 1;
    if (!is_odd && (divisor & (divisor - 1)) != 0) continue;
    std::vector<double> weights(static_cast<std::size_t>(divisor), 1 / static_cast<double>(divisor));
    if (divisor > 23) weights.assign(1, 1 / static_cast<double>(divisor));
    const SweepPlan plan = plan_sweep(checked(sweep_of(of_weights({std::ssize(weights)}, weights), {4}, u1, {0}, {Faces(Bound::edge)})));
    ASSERT_TRUE(plan.integer.has_value()) << divisor;
    std::vector<std::int16_t> sums;
    for (std::int64_t s = is_odd ? 0 : -32767 + divisor; s <= 32767 - divisor; ++s) sums.push_back(static_cast<std::int16_t>(s));
    const std::int64_t n = std::ssize(sums);
    sums.resize(sums.size() + 64);
    std::vector<std::int16_t> made(static_cast<std::size_t>(n));
    const std::int16_t* const from = sums.data();
    const std::int16_t one = 1;
    for (const simd::IntegerKernels* kernels : simd::IntegerKernels::all()) {
      kernels->sum_int16({&from, &one, 1, n, true}, plan.integer->division, reinterpret_cast<std::byte*>(made.data()));
      std::int64_t n_wrong = 0;
      for (std::size_t i = 0; i < made.size(); ++i) {
        const std::int64_t apart = 2 * std::abs(std::int64_t{sums[i]} - made[i] * divisor);
        n_wrong += apart < divisor || (apart == divisor && made[i] % 2 == 0) ? 0 : 1;
      }
      EXPECT_EQ(n_wrong, 0) << "by " << divisor << " on " << kernels->target;
    }
  }
}

}  // namespace
}  // namespace crinkle::stencil_integer_test
