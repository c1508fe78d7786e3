// Kernels of filters, walked through on a CPU: the bits of the definition, whatever the sizes, strides and addresses; rows and grids of
// weights, alone and behind each other, every boundary, cells of several elements, bytes, and sums of them that are made anew.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/kernel_walk.hpp"

#include <gtest/gtest.h>

#pragma GCC diagnostic push  // of headers that nvcc compiles elsewhere
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "stencil/cuda/filter.cuh"
#pragma GCC diagnostic pop
#include "stencil/cuda/filters.hpp"
#include "stencil/cuda/stages.hpp"
#include "stencil/stencils.hpp"

namespace crinkle::kernel {
extern char shared[8 << 16];  // resident_sweep_test.cpp has it
}

namespace crinkle::filter_test {
namespace {

struct Shape {
  int n_down = 1, first_down = 0, n_across = 0, first_across = 0;
  bool is_grid = false;
  Bound rows_low = Bound::reflect, rows_high = Bound::reflect, line_low = Bound::reflect, line_high = Bound::reflect;
  bool line_wins = true, is_rounded = false;
  float certain = 0.5f;
  int width = 1, threads = 32, ahead = 2;
};

template <class In_, class Out_, Shape shape>
struct Known {
  using In = In_;
  using Out = Out_;
  using T = std::conditional_t<std::is_same_v<In, double>, double, float>;
  static constexpr int threads = shape.threads, lanes = (shape.n_down > 20 ? 8 : 16) / sizeof(T), width = shape.width, ahead = shape.ahead;
  static constexpr int n_down = shape.n_down, first_down = shape.first_down, n_across = shape.n_across, first_across = shape.first_across;
  static constexpr int farthest = std::max({0, -first_across, first_across + n_across - 1}) * width,
                       rim = n_across == 0 ? 0 : (farthest + lanes - 1) / lanes * lanes;
  static constexpr bool is_grid = shape.is_grid, is_rounded = shape.is_rounded, line_wins = shape.line_wins;
  static constexpr float certain = shape.certain;
  static constexpr Bound rows_low = shape.rows_low, rows_high = shape.rows_high, line_low = shape.line_low, line_high = shape.line_high;
  static constexpr bool line_is_constant = line_low == Bound::constant || line_high == Bound::constant;
  static constexpr bool has_marks = is_rounded && certain < 0.5f, is_padded = false;
  static constexpr int n_unused = 0, begin_across = 0, end_across = n_across;
  static inline Filter filter;
  static double exact_down(int k) { return filter.down.at(static_cast<std::size_t>(k)); }
  static double exact_across(int k) { return filter.across.at(static_cast<std::size_t>(k)); }
  static double exact_grid(int k) { return exact_across(k); }
  static T down(int k) { return static_cast<T>(exact_down(k)); }
  static T across(int k) { return static_cast<T>(exact_across(k)); }
  static T grid(int j, int k) { return across(j * n_across + k); }
};

constexpr NumberType type_of(float) { return {Number::float32}; }
constexpr NumberType type_of(double) { return {Number::float64}; }
constexpr NumberType type_of(std::uint8_t) { return {Number::uint8}; }
constexpr NumberType type_of(std::int16_t) { return {Number::int16}; }

double weight(std::int64_t k) { return 0.3 / static_cast<double>(k + 2) * (k % 3 == 1 ? -0.7 : 1); }
double fraction(std::int64_t k) { return static_cast<double>(1 + k % 3) / 32; }

/// The list of P, or two of them, along two axes of a stencil; those of a kind that is_turned go along the line first.
template <class P>
LinearStencil stencil_of(double (*of)(std::int64_t), bool is_turned = false) {
  LinearStencil stencil{"known", 2, {}};
  const auto point = [&](std::int64_t y, std::int64_t x, double w) {
    stencil.passes.back().offsets.insert(stencil.passes.back().offsets.end(), {is_turned ? x : y, is_turned ? y : x});
    stencil.passes.back().coefficients.push_back(w);
  };
  stencil.passes.emplace_back();
  for (int j = 0; j < P::n_down; ++j) {
    if (!P::is_grid) point(P::first_down + j, 0, of(j));
    for (int k = 0; P::is_grid && k < P::n_across; ++k) point(P::first_down + j, P::first_across + k, of(j * P::n_across + k));
  }
  if (P::is_grid || P::n_across == 0) return stencil;
  stencil.passes.emplace_back();
  for (int k = 0; k < P::n_across; ++k) point(0, P::first_across + k, of(k + 1));
  return stencil;
}

template <class P>
void expect_defined(const Sweep& wanted, std::int64_t slots) {
  const Sweep sweep = checked(wanted);
  ShapedSweep shape = shaped(sweep, {});
  fill_up(shape);
  const std::optional<Filter> filter = filter_of(shape, 0);
  ASSERT_TRUE(filter.has_value()) << told(sweep);
  EXPECT_EQ(filter->n_down(), P::n_down);
  EXPECT_EQ(filter->first_down, P::first_down);
  EXPECT_EQ(filter->n_across(), P::n_across);
  EXPECT_EQ(filter->first_across, P::first_across);
  EXPECT_EQ(filter->n_stages, shape.stages.size());
  EXPECT_EQ(shape.shape.axes.back().array_axis > shape.shape.axes[filter->rows].array_axis, P::line_wins);
  P::filter = *filter;
  FilterTypes types{sweep.source_type.number, sweep.destination_type.number, {}};
  if (P::is_rounded) {
    const std::optional<FilterTypes> of_bytes = byte_types(sweep, shape, *filter);
    ASSERT_TRUE(of_bytes.has_value()) << told(sweep);
    types = *of_bytes;
    EXPECT_LE(P::certain, *types.certain);
  }
  EXPECT_EQ(tile_of(*filter, shape.shape, types).rim, P::rim);
  const FilterTile tile{P::rim, P::threads, 1, P::ahead, P::has_marks, P::lanes};
  FilterTask task = task_of(*filter, shape, shape.source, shape.destination, types, tile, slots);
  ASSERT_LE(shared_bytes_of(*filter, task, types, tile), std::ssize(kernel::shared));

  const Bytes source = numbers_for(sweep.source, sweep.source_type), want = swept_by_reference(sweep, source);
  Guarded src(span_of(sweep.source), source), dst(span_of(sweep.destination));
  const auto* const in = reinterpret_cast<const char*>(src.origin() + shape.source.offset);
  auto* const out = reinterpret_cast<char*>(dst.origin() + shape.destination.offset);
  const auto is_aligned = [](const void* at, std::size_t bytes) { return reinterpret_cast<std::uintptr_t>(at) % bytes == 0; };
  task.is_aligned_in = task.is_aligned_in && is_aligned(in, P::lanes * sizeof(typename P::In));
  task.is_aligned_out = task.is_aligned_out && is_aligned(out, P::lanes * sizeof(typename P::Out));
  testing::walk::launch(static_cast<std::uint32_t>(blocks_of(task)), P::threads, [&] { kernel::filter(P(), task, 0, in, out); });
  const Bytes got = dst.content();
  const auto differs = std::mismatch(want.begin(), want.end(), got.begin()).first - want.begin();
  EXPECT_TRUE(want == got) << told(sweep) << ": byte " << differs << " of " << want.size();
  EXPECT_TRUE(src.is_intact() && dst.is_intact());
}

using Sizes = std::vector<std::pair<std::int64_t, std::int64_t>>;
const Sizes sizes = {{1, 1}, {2, 4}, {7, 131}, {40, 17}, {23, 256}, {3, 300}}, sizes_of_bytes = {{1, 1}, {9, 70}, {2, 260}};

/// Arrays of all sizes, dense, padded and out of step; `channels` behind the line, `planes` before the rows.
template <class P>
void expect_all(double (*of)(std::int64_t), std::int64_t planes = 1, bool is_turned = false) {
  const Faces rows({P::rows_low, 2}, {P::rows_high, -3}), line({P::line_low, 5}, {P::line_high, 7});
  std::int64_t slots = 1;
  for (const auto& [n_rows, n_line] : P::is_rounded ? sizes_of_bytes : sizes) {
    if (is_turned && n_line == 1) continue;  // which axis is the line, then?
    const NumberType in = type_of(typename P::In{}), out = type_of(typename P::Out{});
    Extents extents = is_turned ? Extents{n_line, n_rows} : Extents{n_rows, n_line};
    std::vector<int> axes{0, 1};
    if (planes > 1) {
      extents.insert(extents.begin(), planes);
      axes = {1, 2};
    }
    if (P::width > 1) extents.push_back(P::width);
    for (const std::int64_t pad : {0, 1, 16}) {
      Sweep sweep =
          sweep_of(stencil_of<P>(of, is_turned), extents, in, axes, is_turned ? std::vector{line, rows} : std::vector{rows, line});
      sweep.destination_type = out;
      const auto layout_of = [&](NumberType type) {
        const std::int64_t size = bytes_of(type.number);
        Layout layout = is_turned ? Layout::dense_fortran(extents, size) : Layout::dense(extents, size);
        const std::size_t row = is_turned ? 1 : planes > 1 ? 1 : 0;
        layout.strides[row] += pad * size;
        if (planes > 1) layout.strides[0] = layout.strides[1] * n_rows;
        layout.offset = pad % 4 * size;
        return layout;
      };
      sweep.source = layout_of(in);
      sweep.destination = layout_of(out);
      expect_defined<P>(sweep, slots++);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

constexpr Bound periodic = Bound::periodic, edge = Bound::edge, reflect = Bound::reflect, symmetric = Bound::symmetric,
                constant = Bound::constant;

TEST(Filter, two_lists_behind_each_other_in_float32) {
  expect_all<Known<float, float, Shape{5, -2, 7, -3}>>(weight);
  expect_all<Known<float, float, Shape{4, 0, 6, -5, false, periodic, periodic, constant, constant}>>(weight);
  expect_all<Known<float, float, Shape{9, -4, 3, 1, false, constant, edge, symmetric, constant}>>(weight, 3);
}
TEST(Filter, two_lists_in_float64) {
  expect_all<Known<double, double, Shape{5, -2, 7, -3, false, constant, constant, edge, symmetric}>>(weight);
}
TEST(Filter, many_rows_by_narrow_vectors) {
  expect_all<Known<float, float, Shape{41, -20, 41, -20, false, symmetric, edge, reflect, reflect, true, false, 0.5f, 1, 64}>>(weight);
  expect_all<Known<double, double, Shape{23, -9, 5, -2, false, edge, edge, constant, symmetric}>>(weight);
}
TEST(Filter, cells_of_three_elements) {
  expect_all<Known<float, float, Shape{3, -1, 5, -2, false, edge, reflect, constant, symmetric, true, false, 0.5f, 3, 64}>>(weight);
}
TEST(Filter, one_list_down_the_rows) { expect_all<Known<float, float, Shape{6, -4, 0, 0, false, symmetric, constant}>>(weight, 2); }
TEST(Filter, one_list_along_the_line) { expect_all<Known<float, float, Shape{1, 0, 11, -5, true}>>(weight); }

TEST(Filter, a_grid_of_weights) {
  expect_all<Known<float, float, Shape{7, -3, 7, -3, true, periodic, periodic, reflect, reflect}>>(weight);
  expect_all<Known<double, double, Shape{3, -2, 5, -1, true, edge, constant, symmetric, constant, true, false, 0.5f, 1, 32, 3}>>(weight);
  expect_all<Known<float, float, Shape{3, -1, 4, -1, true, constant, constant, constant, constant}>>(weight, 2);
}
TEST(Filter, at_corners_the_later_axis_of_the_array_gives_the_number) {
  expect_all<Known<float, float, Shape{3, -1, 4, -1, true, constant, constant, constant, constant, false}>>(weight, 1, true);
}

// Of one sum in sixteen it is not certain what it becomes, of few or of none.
constexpr float few = 0.47f, most = 0.4998f;
TEST(Filter, two_lists_of_bytes) {
  expect_all<Known<std::uint8_t, std::uint8_t, Shape{5, -2, 7, -3, false, edge, edge, reflect, symmetric, true, true, few}>>(weight);
  expect_all<Known<std::uint8_t, std::int16_t, Shape{3, -1, 35, -17, false, edge, edge, periodic, periodic, true, true, few}>>(weight);
  expect_all<Known<std::uint8_t, std::uint8_t, Shape{5, -2, 5, -2, false, edge, edge, reflect, symmetric, true, true, most}>>(weight);
}
TEST(Filter, one_list_of_bytes) {
  expect_all<Known<std::uint8_t, std::int16_t, Shape{3, -1, 5, -2, true, constant, edge, constant, reflect, true, true, few}>>(weight);
  expect_all<Known<std::uint8_t, std::uint8_t, Shape{5, -2, 0, 0, false, edge, edge, reflect, reflect, true, true, few}>>(weight);
}
TEST(Filter, bytes_whose_sums_are_exact_in_float32) {
  using P = Known<std::uint8_t, std::uint8_t, Shape{3, -1, 3, -1, true, constant, edge, constant, reflect, true, true, 0.5f, 3, 64}>;
  expect_all<P>(fraction);
  expect_all<Known<std::uint8_t, std::uint8_t, Shape{3, -1, 3, -1, false, edge, edge, edge, edge, true, true, 0.5f}>>(fraction);
}

// Sums of two bytes at odd addresses, and rows of an odd pitch.
TEST(Filter, of_bytes_to_int16_at_any_address) {
  using P = Known<std::uint8_t, std::int16_t, Shape{3, -1, 5, -2, true, edge, edge, reflect, reflect, true, true, few}>;
  for (const std::int64_t offset : {0, 1}) {
    for (const std::int64_t pad : {0, 1}) {
      Sweep sweep = sweep_of(stencil_of<P>(weight), {9, 70}, type_of(std::uint8_t{}), {0, 1}, {Faces(edge), Faces(reflect)});
      sweep.destination_type = type_of(std::int16_t{});
      sweep.destination = {{9, 70}, {140 + pad, 2}, offset, 2};
      expect_defined<P>(sweep, 3);
    }
  }
}

// Points that are no row, no grid, in another order, or too many stay with the kernels of the library.
TEST(Filter, is_found_in_rows_and_grids_alone) {
  const auto found = [](const LinearStencil& stencil, Extents extents = {40, 60}) {
    const std::size_t n = static_cast<std::size_t>(stencil.rank);
    std::vector<int> axes(n);
    for (std::size_t a = 0; a < n; ++a) axes[a] = static_cast<int>(a);
    ShapedSweep shape = shaped(checked(sweep_of(stencil, extents, f4, axes, std::vector<Faces>(n))), {});
    fill_up(shape);
    const std::optional<Filter> filter = filter_of(shape, 0);
    return filter ? std::pair(filter->n_stages, filter->is_worth_a_kernel()) : std::pair(std::size_t{0}, false);
  };
  using Found = std::pair<std::size_t, bool>;
  EXPECT_EQ(found(gaussian({1, 2})), Found(2, true));
  EXPECT_EQ(found(gaussian({1, 1, 1}), {9, 10, 12}), Found(1, true)) << "9 weights of the slowest axis";
  EXPECT_EQ(found(from_array(std::vector<double>{1, 2, 1}, {3, 1})), Found(1, false));
  EXPECT_EQ(found(gaussian({2, 1, 1}), {9, 10, 12}), Found(1, true));
  const LinearStencil grid = from_array(std::vector<double>(35, 0.25), {5, 7});
  EXPECT_EQ(found(grid), Found(1, true));
  EXPECT_EQ(found(average(2)), Found(1, false));
  EXPECT_EQ(found(laplacian(2)), Found(0, false));
  EXPECT_EQ(found(lopsided), Found(0, false));
  EXPECT_EQ(found(gaussian({7, 1})), Found(0, false)) << "57 weights down";
  LinearStencil turned = grid;
  std::reverse(turned.passes[0].offsets.begin(), turned.passes[0].offsets.end());
  EXPECT_EQ(found(turned), Found(0, false));
  LinearStencil infinite = grid;
  infinite.passes[0].coefficients[3] = 1e300;
  EXPECT_EQ(found(infinite), Found(0, false));
}

}  // namespace
}  // namespace crinkle::filter_test
