// Long lines as planes of their two parts (known_plane.cuh), walked through on a CPU: the bits of a chain of two steps of the library's
// kernel.
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/planes.hpp"

namespace crinkle::fft::known_long_lines_test {
namespace {

using namespace planes;

/// Lines of ny·nx numbers, some behind each other with gaps: ny numbers nx apart, twisted, and then nx of them.
template <class First, class Second>
void expect_bits_of_chain() {
  using T = typename First::T;
  constexpr std::int64_t n1 = First::n, n2 = Second::n, n = n1 * n2, n_lines = 3, number = sizeof(Number<T>);
  const std::int64_t line_in = (n + 3) * number, line_out = (n + 5) * number;
  std::vector<std::byte> in(at(n_lines * line_in)), out(at(n_lines * line_out), std::byte{0x5A}), other(out),
      between(at(n_lines * n * number));
  std::mt19937 random(static_cast<unsigned>(n));
  std::uniform_real_distribution<T> uniform(-1, 1);
  for (std::int64_t i = 0; i < 2 * std::ssize(in) / number; ++i) {
    const T x = uniform(random);
    std::memcpy(in.data() + std::int64_t{sizeof(T)} * i, &x, sizeof(T));
  }
  std::vector<Number<T>> low, high;
  for (std::int64_t k = 0; k < 16; ++k) low.push_back({root<T>(k, n).re, root<T>(k, n).im});
  for (std::int64_t k = 0; k * 16 < n; ++k) high.push_back({root<T>(16 * k, n).re, root<T>(16 * k, n).im});
  CudaLines<T> first, second;
  for (CudaLines<T>* const lines : {&first, &second}) {
    CudaEnds<T>& e = lines->ends;
    lines->n = e.n = e.n_in = e.n_out = lines == &first ? n1 : n2;
    e.in_unit = e.out_unit = static_cast<std::int32_t>(number);
    lines->loops.n = 1;
  }
  first.ends.in = n2 * number;
  first.ends.out = number;
  first.ends.im_in = T{-1};
  first.lane = {n2, number, n1 * number};
  first.loops.loops[0] = {n_lines, line_in, n * number};
  first.twist_loop = 0;
  first.twist_bits = 4;
  first.twist_low = low.data();
  first.twist_high = high.data();
  second.ends.in = second.ends.out = n1 * number;
  second.ends.re = T{3};
  second.ends.im = T{-7};
  second.lane = {n1, number, number};
  second.loops.loops[0] = {n_lines, n * number, line_out};
  First::its_ends = first.ends;
  First::its_lane = first.lane;
  Second::its_ends = second.ends;
  Second::its_lane = second.lane;
  const Radices first_radices(First::radices.of, First::radices.of + First::radices.n),
      second_radices(Second::radices.of, Second::radices.of + Second::radices.n);
  pass(first, first_radices, in.data(), between.data());
  pass(second, second_radices, between.data(), other.data());

  CudaLines<T> planes = first, counted;
  std::vector<Number<T>> tables, second_tables;
  counted.n = n1;
  add_stages(first_radices, 1, counted, tables);
  counted = {};
  counted.n = n2;
  add_stages(second_radices, 1, counted, second_tables);
  tables.push_back({});  // never none
  second_tables.push_back({});
  planes.tables = tables.data();
  planes.second_tables = second_tables.data();
  planes.loops.loops[0] = {n_lines, line_in, line_out};
  planes.lane = {1, 0, 0};
  planes.twist_loop = -1;
  planes.n_lanes = 1;
  count_blocks(planes);
  std::memset(kernel::all_shared, 0xFF, sizeof(kernel::all_shared));
  const auto transform = [&] {
    kernel::transform_plane<First, Second>(planes, 0, reinterpret_cast<const char*>(in.data()), reinterpret_cast<char*>(out.data()));
  };
  walk::launch(static_cast<std::uint32_t>(planes.n_blocks) * First::together, First::threads, transform, First::together);
  EXPECT_TRUE(out == other) << n1 << " by " << n2;
}

template <class T, Shape shape, int... xs, int... ys>
void expect_line(std::integer_sequence<int, xs...>, std::integer_sequence<int, ys...>) {
  expect_bits_of_chain<Plan<T, Way::long_line, shape, false, false, ys...>, Plan<T, Way::long_line, shape, true, true, xs...>>();
}

// Rows lie side by side where they are written, of groups of a warp, too.
TEST(KnownLongLines, have_the_bits_of_a_chain) {
  expect_line<float, in_groups>(by<5, 4>, by<6, 4>);
  expect_line<double, not_whole>(by<6, 5>, by<7, 3>);
  expect_line<float, of_warps>(by<6, 6>, by<5, 4>);
  expect_line<float, Shape{17, 13, 64, 24, 13, 64, 0, 0, 7}>(by<17>, by<13>);
  expect_line<float, one>(by<2>, by<2>);
  expect_line<float, two>(by<5, 4>, by<6, 4>);
  expect_line<double, four>(by<6, 5>, by<7, 3>);
  expect_line<float, narrow>(by<4, 2>, by<3, 3>);
  expect_line<float, few>(by<5>, by<5>);
}

}  // namespace
}  // namespace crinkle::fft::known_long_lines_test
