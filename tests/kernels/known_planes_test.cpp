// Kernels that take two axes at once, walked through on a CPU: each number has the bits of two passes of the library's kernel for any
// length. Groups of lines that are whole and others, threads without work, groups of a warp, places with gaps, either axis first, real
// lines both ways, float16, planes far apart.
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cluster.hpp"

#include <gtest/gtest.h>

#include <random>

#include "fft/at.hpp"
#pragma GCC diagnostic push  // of headers that nvcc compiles elsewhere
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "fft/cuda/known_plane.cuh"
#include "fft/cuda/lines.cuh"
#pragma GCC diagnostic pop
#include "fft/cuda/stages.hpp"
#include "fft/roots.hpp"

namespace crinkle::fft::kernel {
extern char all_shared[1 << 18], shared[1 << 18];
}

namespace crinkle::fft::known_planes_test {
namespace {

namespace walk = crinkle::testing::walk;

enum class Way : std::uint8_t { rows_first, columns_first, from_real, to_real };

/// How a block goes about a plane of nx · ny numbers.
struct Shape {
  int nx = 1, ny = 1;
  std::uint32_t threads = 64, pitch = 0;
  std::uint32_t row_lanes = 1, row_group = 64, pad = 0, by = 0;
  std::uint32_t column_lanes = 1;
  int part = 0;                                  // bytes in memory: 2 of float16, else 0
  std::uint32_t together = 1, column_pitch = 0;  // of columns, where several blocks have a plane
};

template <class T_, Way way, Shape shape, bool are_rows, bool is_second_, int... rs>
struct Plan {
  using T = T_;
  static constexpr KnownRadices radices{sizeof...(rs), {rs...}};
  static constexpr std::uint32_t n = are_rows ? shape.nx : shape.ny, n_out = n, threads = shape.threads, cluster = 1;
  static constexpr std::uint32_t lanes = are_rows ? shape.row_lanes : shape.column_lanes, group = are_rows ? shape.row_group : threads;
  static constexpr bool is_real = way == Way::from_real || way == Way::to_real;
  static constexpr std::uint32_t n_lines = are_rows ? shape.ny : shape.nx + (is_real ? 1 : 0);
  static constexpr std::uint32_t together = shape.together, n_own = (n_lines + together - 1) / together;
  static constexpr KnownPlaces places(int i) {
    if (!are_rows) return {1, (together == 1 ? shape.pitch : shape.column_pitch) - 1, 1};
    return i == 0 || i == sizeof...(rs) ? KnownPlaces{0, 0, shape.pitch} : KnownPlaces{shape.pad, shape.by, shape.pitch};
  }
  static constexpr int n_blocks = 1, n_loops = 1, fetched = 0, firsts = 0;
  static constexpr int in_part = !is_second_ && shape.part > 0 ? shape.part : sizeof(T), out_part = is_second_ && shape.part > 0
                                                                                                        ? shape.part
                                                                                                        : sizeof(T);
  static constexpr bool are_columns = !are_rows, are_apart = false, reads = !is_second_, writes = is_second_;
  static constexpr bool goes_back = false, are_convolved = false, are_ordered = false, may_be_twisted = false;
  static constexpr bool are_numbers_in = false, are_numbers_out = false;
  static constexpr bool is_second = is_second_, is_folded = is_real && are_rows;
  static inline CudaEnds<T> its_ends;
  static inline CudaLoop its_lane;
  static CudaEnds<T> ends(const CudaLines<T>&) { return its_ends; }
  static CudaLoop lane(const CudaLines<T>&) { return its_lane; }
  static bool lanes_first_in(const CudaLines<T>&) { return are_columns; }
  static bool lanes_first_out(const CudaLines<T>&) { return are_columns; }
};

/// A pass by the library's kernel: all of its lines, one a block.
template <class T>
void pass(CudaLines<T> lines, const Radices& radices, const std::byte* in, std::byte* out) {
  std::vector<Number<T>> tables;
  add_stages(radices, 1, lines, tables);
  lines.tables = tables.data();
  lines.n_lanes = 1;
  count_blocks(lines);
  const CudaEnds<T>& e = lines.ends;
  lines.cell_stride = static_cast<std::int32_t>(2 * lines.n + 40);
  lines.by_lanes = division_by(1);
  lines.by_n = division_by(lines.n);
  lines.by_in = division_by(e.in_kind == CudaIn::folded ? e.n / 2 + 1 : e.n);
  lines.by_put = division_by(e.out_kind == CudaOut::folded ? e.n / 2 + 1 : e.n);
  lines.n_put = static_cast<std::int32_t>(e.n);
  for (std::size_t i = 0; i < most_stages; ++i)
    if (lines.stages[i].n_butterflies > 0) lines.stages[i].by_columns = division_by(lines.stages[i].n_butterflies);
  walk::launch(static_cast<std::uint32_t>(lines.n_blocks), static_cast<std::uint32_t>(cuda_threads(radices, lines.n, 1)), [&] {
    const auto* const from = reinterpret_cast<const char*>(in);
    auto* const to = reinterpret_cast<char*>(out);
    if (radices.back() > most_held) kernel::staged_lines<T, true>(lines, 0, from, to);
    else kernel::staged_lines<T, false>(lines, 0, from, to);
  });
}

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
template <int... of>
constexpr std::integer_sequence<int, of...> by{};

constexpr Shape in_groups{20, 24, 64, 33, 6, 64, 5, 2, 8}, not_whole{30, 21, 96, 47, 4, 96, 6, 1, 9},
    of_warps{36, 20, 64, 49, 8, 32, 6, 2, 8}, primes{13, 17, 64, 20, 17, 64, 0, 0, 7}, half{20, 24, 64, 24, 6, 64, 0, 0, 8, 2},
    one{2, 2, 64, 8, 1, 64, 0, 0, 2}, odd{15, 10, 32, 32, 10, 32, 5, 1, 8};

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
// Of two blocks, and of four, the last of which has fewer lines, or none.
constexpr Shape two{20, 24, 64, 24, 12, 64, 5, 1, 10, 0, 2, 10}, four{30, 21, 64, 37, 6, 64, 6, 1, 8, 0, 4, 8},
    narrow{8, 9, 64, 12, 16, 32, 4, 1, 3, 0, 4, 3}, few{5, 5, 64, 8, 2, 64, 0, 0, 2, 0, 4, 2};
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
