// Kernels that take two axes at once, walked through on a CPU: each number has the bits of two passes of the library's kernel for any
// length. Groups of lines that are whole and others, threads without work, groups of a warp, places with gaps, either axis first, real
// lines both ways, float16, planes far apart.
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/planes.hpp"

namespace crinkle::fft::known_planes_test {
namespace {

using namespace planes;

template <class First, class Second>
void expect_bits_of_two_passes() {
  using T = typename First::T;
  constexpr bool is_first_rows = !First::are_columns;
  using Rows = std::conditional_t<is_first_rows, First, Second>;
  using Columns = std::conditional_t<is_first_rows, Second, First>;
  constexpr std::int64_t nx = Rows::n, ny = Columns::n, n_planes = 3, number = sizeof(Number<T>);
  constexpr bool is_from_real = Rows::is_folded && is_first_rows, is_to_real = Rows::is_folded && !is_first_rows;
  constexpr std::int64_t in_number = 2 * First::in_part, out_number = 2 * Second::out_part, n_columns = Columns::n_lines;
  // In memory a row has a gap behind it, and a plane two rows.
  const std::int64_t row_in = ((is_to_real ? n_columns : nx) + 1) * in_number, row_out = ((is_from_real ? n_columns : nx) + 2) * out_number,
                     row_between = n_columns * number;
  const std::int64_t plane_in = (ny + 2) * row_in, plane_out = (ny + 2) * row_out, plane_between = ny * row_between;
  std::vector<std::byte> in(at(n_planes * plane_in)), out(at(n_planes * plane_out), std::byte{0x5A}), other(out),
      between(at(n_planes * plane_between));
  std::mt19937 random(static_cast<unsigned>(nx * ny));
  std::uniform_real_distribution<T> uniform(-1, 1);
  for (std::int64_t i = 0; i < n_planes * plane_in / First::in_part; ++i) {
    const T x = uniform(random);
    if constexpr (First::in_part == 2) {
      const Half half(x);
      std::memcpy(in.data() + 2 * i, &half, 2);
    } else {
      std::memcpy(in.data() + std::int64_t{sizeof(T)} * i, &x, sizeof(T));
    }
  }
  std::vector<Number<T>> folds;
  for (std::int64_t k = 0; k <= nx; ++k) {
    const Root<T> w = root<T>(k, 2 * nx);
    folds.push_back({w.im, -w.re});
  }
  CudaLines<T> first, second;
  const auto make = [&](CudaLines<T>& lines, auto plan, bool is_first) {
    using P = decltype(plan);
    lines.n = P::n;
    CudaEnds<T>& e = lines.ends;
    e.n = e.n_in = e.n_out = P::n;
    e.in_part = P::in_part;
    e.out_part = P::out_part;
    e.in_unit = 2 * P::in_part;
    e.out_unit = 2 * P::out_part;
    e.im_in = T{-1};
    e.re = is_first ? T{0.5} : T{3};
    e.im = is_first ? T{0.25} : T{-7};
    e.fold = folds.data();
    const std::int64_t across_in = is_first ? row_in : row_between, across_out = is_first ? row_between : row_out;
    const std::int64_t along_in = is_first ? in_number : number, along_out = is_first ? number : out_number;
    e.in = P::are_columns ? across_in : along_in;
    e.out = P::are_columns ? across_out : along_out;
    lines.lane = {P::n_lines, P::are_columns ? along_in : across_in, P::are_columns ? along_out : across_out};
    lines.loops.n = 1;
    lines.loops.loops[0] = {n_planes, is_first ? plane_in : plane_between, is_first ? plane_between : plane_out};
    if (P::is_folded && is_first) e.out_kind = CudaOut::folded, e.n_out = P::n + 1, e.im_in = T{1};
    if (P::is_folded && !is_first) e.in_kind = CudaIn::folded, e.n_in = P::n + 1;
    P::its_ends = e;
    P::its_lane = lines.lane;
    // Pairs that follow each other are numbers.
    if (P::is_folded && is_first) e.in_kind = CudaIn::pairs, e.n_in = 2 * P::n, e.in = P::in_part;
    if (P::is_folded && !is_first) e.out_kind = CudaOut::pairs, e.n_out = 2 * P::n, e.out = P::out_part;
  };
  make(first, First{}, true);
  make(second, Second{}, false);
  const Radices first_radices(First::radices.of, First::radices.of + First::radices.n),
      second_radices(Second::radices.of, Second::radices.of + Second::radices.n);
  pass(first, first_radices, in.data(), between.data());
  pass(second, second_radices, between.data(), other.data());

  CudaLines<T> planes = first;
  std::vector<Number<T>> tables, second_tables;
  CudaLines<T> counted;
  counted.n = First::n;
  add_stages(first_radices, 1, counted, tables);
  counted = {};
  counted.n = Second::n;
  add_stages(second_radices, 1, counted, second_tables);
  planes.tables = tables.data();
  planes.second_tables = second_tables.data();
  planes.loops.loops[0] = {n_planes, plane_in, plane_out};
  planes.lane = {1, 0, 0};
  planes.n_lanes = 1;
  count_blocks(planes);
  std::memset(kernel::all_shared, 0xFF, sizeof(kernel::all_shared));
  const auto transform = [&] {
    kernel::transform_plane<First, Second>(planes, 0, reinterpret_cast<const char*>(in.data()), reinterpret_cast<char*>(out.data()));
  };
  walk::launch(static_cast<std::uint32_t>(planes.n_blocks) * First::together, First::threads, transform, First::together);
  EXPECT_TRUE(out == other) << nx << " by " << ny;
}

template <class T, Way way, Shape shape, int... xs, int... ys>
void expect_plane(std::integer_sequence<int, xs...>, std::integer_sequence<int, ys...>) {
  constexpr bool is_first_rows = way == Way::rows_first || way == Way::from_real;
  using Rows = Plan<T, way, shape, true, !is_first_rows, xs...>;
  using Columns = Plan<T, way, shape, false, is_first_rows, ys...>;
  if constexpr (is_first_rows) expect_bits_of_two_passes<Rows, Columns>();
  else expect_bits_of_two_passes<Columns, Rows>();
}
TEST(KnownPlanes, of_complex_numbers_rows_first) {
  expect_plane<float, Way::rows_first, in_groups>(by<5, 4>, by<6, 4>);
  expect_plane<double, Way::rows_first, not_whole>(by<6, 5>, by<7, 3>);
  expect_plane<float, Way::rows_first, of_warps>(by<6, 6>, by<5, 4>);
  expect_plane<float, Way::rows_first, primes>(by<13>, by<17>);
  expect_plane<float, Way::rows_first, one>(by<2>, by<2>);
}
TEST(KnownPlanes, of_complex_numbers_columns_first) {
  expect_plane<float, Way::columns_first, in_groups>(by<5, 4>, by<6, 4>);
  expect_plane<float, Way::columns_first, not_whole>(by<6, 5>, by<7, 3>);
}
TEST(KnownPlanes, of_real_numbers) {
  expect_plane<float, Way::from_real, in_groups>(by<5, 4>, by<6, 4>);
  expect_plane<double, Way::from_real, odd>(by<5, 3>, by<5, 2>);
  expect_plane<float, Way::to_real, in_groups>(by<5, 4>, by<6, 4>);
  expect_plane<double, Way::to_real, odd>(by<5, 3>, by<5, 2>);
}
TEST(KnownPlanes, of_several_blocks_together) {
  expect_plane<float, Way::rows_first, two>(by<5, 4>, by<6, 4>);
  expect_plane<double, Way::rows_first, four>(by<6, 5>, by<7, 3>);
  expect_plane<float, Way::rows_first, narrow>(by<4, 2>, by<3, 3>);
  expect_plane<float, Way::rows_first, few>(by<5>, by<5>);
  expect_plane<float, Way::columns_first, four>(by<6, 5>, by<7, 3>);
  expect_plane<double, Way::columns_first, few>(by<5>, by<5>);
}
TEST(KnownPlanes, of_real_numbers_and_several_blocks_together) {
  constexpr Shape wide{20, 24, 64, 24, 12, 64, 5, 1, 11, 0, 2, 11};
  expect_plane<float, Way::from_real, wide>(by<5, 4>, by<6, 4>);
  expect_plane<float, Way::from_real, narrow>(by<4, 2>, by<3, 3>);
  expect_plane<double, Way::to_real, wide>(by<5, 4>, by<6, 4>);
  expect_plane<float, Way::to_real, narrow>(by<4, 2>, by<3, 3>);
}
TEST(KnownPlanes, of_float16) { expect_plane<float, Way::rows_first, half>(by<5, 4>, by<6, 4>); }

}  // namespace
}  // namespace crinkle::fft::known_planes_test
