// The first and the last steps of long real lines' chains, folded where they read or write (known_ends.cuh), walked through on a CPU: the
// bits of lines that the library brings to rows, folded, and back. Even and odd numbers of lines, more than a block has and fewer; radices
// with and without a middle; lines and threads that are not whole, gaps.
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/planes.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "fft/cuda/rows.cuh"
#pragma GCC diagnostic pop

namespace crinkle::fft::known_folds_test {
namespace {

using namespace planes;

/// How a block goes about lines, some of them mirrored.
struct Threads {
  std::uint32_t lanes = 8, threads = 64;
  bool are_apart = false;
  std::uint32_t pad = 0, by = 0;
};

template <class T_, bool is_in, Threads shape, int... rs>
struct Folded {
  using T = T_;
  static constexpr KnownRadices radices{sizeof...(rs), {rs...}};
  static constexpr std::uint32_t n = (rs * ...), n_out = n, lanes = shape.lanes, threads = shape.threads, group = threads, cluster = 1;
  static constexpr KnownPlaces places(int) {
    return {shape.pad, shape.by, n + (shape.pad == 0 ? 0 : n / (shape.pad == 0 ? 1 : shape.pad) * shape.by) + 1};
  }
  static constexpr int n_blocks = 1, n_loops = 1, fetched = 0, firsts = 0, in_part = sizeof(T), out_part = sizeof(T);
  static constexpr bool are_columns = true, are_apart = shape.are_apart, reads = true, writes = true, goes_back = false;
  static constexpr bool are_convolved = false, are_ordered = false, may_be_twisted = is_in, are_numbers_in = true, are_numbers_out = true;
  static constexpr bool folds_in = is_in, folds_out = !is_in;
  static const CudaEnds<T>& ends(const CudaLines<T>& lines) { return lines.ends; }
  static const CudaLoop& lane(const CudaLines<T>& lines) { return lines.lane; }
  static bool lanes_first_in(const CudaLines<T>&) { return true; }
  static bool lanes_first_out(const CudaLines<T>&) { return !is_in; }
};

/// Long lines whose elements lie `away` numbers apart, each `all` lines of a step.
template <class P>
void expect_bits_of_rows(std::int64_t all, std::int64_t away = 1) {
  using T = typename P::T;
  constexpr std::int64_t n = P::n, n_lines = 3, number = sizeof(Number<T>);
  constexpr bool is_in = P::folds_in;
  const std::int64_t m = all * n, folded = (m + 4) * away * number, whole = (m + 3) * number;  // from line to line
  const std::int64_t line_in = is_in ? folded : whole, line_out = is_in ? whole : folded;
  std::vector<std::byte> in(at(n_lines * line_in)), out(at(n_lines * line_out), std::byte{0x5A}), other(out),
      row_bytes(at(n_lines * m * number));
  std::mt19937 random(static_cast<unsigned>(m));
  std::uniform_real_distribution<T> uniform(-1, 1);
  for (std::int64_t i = 0; i < 2 * std::ssize(in) / number; ++i) {
    const T x = uniform(random);
    std::memcpy(in.data() + std::int64_t{sizeof(T)} * i, &x, sizeof(T));
  }
  const auto root_of = [&](std::int64_t k, std::int64_t of) { return Number<T>{root<T>(k, of).re, root<T>(k, of).im}; };
  std::vector<Number<T>> folds, low, high, tables;
  for (std::int64_t k = 0; k <= m; ++k) folds.push_back({root_of(k, 2 * m).im, -root_of(k, 2 * m).re});
  for (std::int64_t k = 0; k < 16; ++k) low.push_back(root_of(k, m));
  for (std::int64_t k = 0; k * 16 < m; ++k) high.push_back(root_of(16 * k, m));
  // The first step, whose results lie one behind the other, or the last one, whose lines stay columns; of rows.
  CudaLines<T> lines;
  CudaEnds<T>& e = lines.ends;
  lines.n = e.n = e.n_in = e.n_out = n;
  e.in_unit = e.out_unit = static_cast<std::int32_t>(number);
  e.in = all * number;
  e.out = is_in ? number : all * number;
  lines.lane = {all, number, is_in ? n * number : number};
  lines.lanes_first_in = true;
  lines.lanes_first_out = !is_in;
  lines.loops.n = 1;
  lines.loops.loops[0] = {n_lines, is_in ? m * number : line_in, is_in ? line_out : m * number};
  lines.twist_loop = is_in ? 0 : -1;
  lines.twist_bits = 4;
  lines.twist_low = low.data();
  lines.twist_high = high.data();
  CudaRows<T> rows;
  rows.ends.n = m;
  rows.ends.n_in = rows.ends.n_out = m + 1;
  rows.ends.in_unit = rows.ends.out_unit = static_cast<std::int32_t>(number);
  rows.ends.in = rows.ends.out = away * number;
  rows.ends.im_in = T{-1};
  rows.ends.re = T{3};
  rows.ends.im = T{-7};
  rows.ends.fold = folds.data();
  rows.row = m;
  rows.n_lines = n_lines;
  rows.are_halves = true;
  rows.loops.n = 1;
  rows.loops.loops[0] = {n_lines, line_in, line_out};
  const Radices radices(P::radices.of, P::radices.of + P::radices.n);
  const auto* const from = reinterpret_cast<const char*>(in.data());
  auto* const row = reinterpret_cast<Number<T>*>(row_bytes.data());
  if (is_in) {
    walk::launch(1, kernel::row_threads, [&] { kernel::lines_to_rows<T>(rows, from, row); });
    pass(lines, radices, row_bytes.data(), other.data());
  } else {
    pass(lines, radices, in.data(), row_bytes.data());
    walk::launch(1, kernel::row_threads, [&] { kernel::rows_to_lines<T>(rows, m / 2 + 1, row, reinterpret_cast<char*>(other.data())); });
  }

  CudaLines<T> folding = lines;
  add_stages(radices, 1, folding, tables);
  tables.push_back({});  // never none
  folding.tables = tables.data();
  folding.ends.fold = folds.data();
  (is_in ? folding.ends.in : folding.ends.out) *= away;
  (is_in ? folding.lane.in : folding.lane.out) *= away;
  if (is_in) folding.ends.im_in = rows.ends.im_in;
  if (!is_in) folding.ends.re = rows.ends.re, folding.ends.im = rows.ends.im;
  folding.loops.loops[0] = {n_lines, line_in, line_out};
  folding.n_lanes = P::lanes;
  count_blocks(folding);
  std::memset(kernel::all_shared, 0xFF, sizeof(kernel::all_shared));
  walk::launch(static_cast<std::uint32_t>(folding.n_blocks), P::threads,
               [&] { kernel::transform_lines<P>(folding, 0, from, reinterpret_cast<char*>(out.data())); });
  EXPECT_TRUE(out == other) << all << " lines of " << n;
}

template <bool is_in>
void expect_folded() {
  expect_bits_of_rows<Folded<float, is_in, Threads{8, 64}, 6, 4>>(20);
  expect_bits_of_rows<Folded<float, is_in, Threads{8, 64}, 6, 4>>(21, 3);
  expect_bits_of_rows<Folded<float, is_in, Threads{32, 128}, 16, 16>>(6);
  expect_bits_of_rows<Folded<float, is_in, Threads{16, 96, true, 7, 1}, 7, 5, 3>>(32);
  expect_bits_of_rows<Folded<double, is_in, Threads{4, 32, true}, 5, 3>>(15);
  expect_bits_of_rows<Folded<double, is_in, Threads{16, 96}, 8, 7>>(35);
  expect_bits_of_rows<Folded<float, is_in, Threads{16, 64}, 4, 13>>(2);
  expect_bits_of_rows<Folded<float, is_in, Threads{4, 64}, 4, 2>>(3);
  expect_bits_of_rows<Folded<float, is_in, Threads{8, 64}, 13>>(17);
  expect_bits_of_rows<Folded<double, is_in, Threads{8, 32}, 12>>(18);
  expect_bits_of_rows<kernel::Folding<kernel::Known<float, 7, 5, 4, 4, true, 0, 0>, is_in>>(48);  // of the library
}

TEST(KnownFolds, where_lines_are_written) { expect_folded<false>(); }
TEST(KnownFolds, where_lines_are_read) { expect_folded<true>(); }

}  // namespace
}  // namespace crinkle::fft::known_folds_test
