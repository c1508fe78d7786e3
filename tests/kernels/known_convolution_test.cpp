// Convolutions in one pass by blocks of a cluster (known_convolution.cuh), walked through on a CPU: the bits of the library's steps, for
// complex and real lines both ways, padded, shifted and of float16; blocks that have fewer lines than others, or none.
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/convolutions.hpp"

namespace crinkle::fft::known_convolution_test {
namespace {

using namespace convolutions;

/// A plan of columns or of rows of a plane of nx · ny numbers.
struct Shape {
  int nx = 1, ny = 1;
  std::uint32_t together = 2, threads = 64, row_group = 64;
};
template <class T_, Shape shape, bool are_rows, int... rs>
struct Plan {
  using T = T_;
  static constexpr KnownRadices radices{sizeof...(rs), {rs...}};
  static constexpr std::uint32_t n = are_rows ? shape.nx : shape.ny, n_lines = are_rows ? shape.ny : shape.nx, threads = shape.threads;
  static constexpr std::uint32_t n_out = n, cluster = 1, group = are_rows ? shape.row_group : threads, together = shape.together;
  static constexpr std::uint32_t n_own = (n_lines + together - 1) / together, width = (shape.nx + together - 1) / together + 1;
  static constexpr std::uint32_t lanes = (n_own + threads / group - 1) / (threads / group) * (threads / group);
  static constexpr KnownPlaces places(int) { return are_rows ? KnownPlaces{0, 0, n + 3} : KnownPlaces{1, width - 1, 1}; }
  static constexpr int n_blocks = 1, n_loops = 2, fetched = 0, firsts = 0, in_part = sizeof(T), out_part = sizeof(T);
  static constexpr bool are_columns = !are_rows, are_apart = false, reads = !are_rows, writes = !are_rows, are_convolved = are_rows;
  static constexpr bool goes_back = false, are_ordered = false, may_be_twisted = are_rows, is_second = are_rows, is_folded = false;
  static constexpr bool are_numbers_in = false, are_numbers_out = false;
  static const CudaEnds<T>& ends(const CudaLines<T>& lines) { return lines.ends; }
  static CudaLoop lane(const CudaLines<T>&) { return {n_lines, 0, 0}; }
  static bool lanes_first_in(const CudaLines<T>&) { return are_columns; }
  static bool lanes_first_out(const CudaLines<T>&) { return are_columns; }
};
template <int... of>
constexpr std::integer_sequence<int, of...> by{};

template <class T, Shape shape, int... xs, int... ys>
void expect_bits(Wish wish, std::integer_sequence<int, xs...>, std::integer_sequence<int, ys...>) {
  using Rows = Plan<T, shape, true, xs...>;
  using Columns = Plan<T, shape, false, ys...>;
  wish.parts = {shape.ny, shape.nx};
  Case<T> c(wish), other(wish, ConvolutionWay::apart);
  ASSERT_EQ(cuda_radices(shape.nx), Radices({xs...}));
  ASSERT_EQ(cuda_radices(shape.ny), Radices({ys...}));
  walk_all(other);
  const Lines<T> columns(c, 0);
  Lines<T> rows(c, 1);
  CudaLines<T> lines = columns.lines;
  lines.ends = c.ends;
  lines.ends.fold = c.folds.data();
  lines.ends.chirp_in = lines.ends.chirp_out = c.chirp.data();
  lines.part_in = lines.part_out = shape.nx;
  lines.kernel = c.kernel.data();
  lines.kernel_step = shape.ny;
  lines.second_tables = rows.tables.data();
  lines.lane = {1, 0, 0};
  lines.twist_loop = -1;
  lines.n_lanes = 1;
  lines.loops.n = 2;
  lines.loops.loops[0] = {1, 0, 0};
  lines.loops.loops[1] = {c.n_lines, c.in_line, c.out_line};
  count_blocks(lines);
  std::memset(kernel::all_shared, 0xFF, sizeof(kernel::all_shared));
  const auto transform = [&] {
    kernel::transform_convolution<Columns, Rows>(lines, 0, reinterpret_cast<const char*>(c.in.data()),
                                                 reinterpret_cast<char*>(c.out.data()));
  };
  walk::launch(static_cast<std::uint32_t>(lines.n_blocks) * shape.together, shape.threads, transform, shape.together);
  EXPECT_TRUE(c.out == other.out) << wish.n << " numbers, kind " << static_cast<int>(wish.kind) << ", " << shape.together << " blocks";
}

constexpr Shape two{12, 8, 2}, four{12, 10, 4, 32, 32}, most{12, 8, 4, 64, 32}, few{8, 12, 4};

TEST(KnownConvolution, of_complex_lines) {
  expect_bits<float, two>({.n = 47}, by<4, 3>, by<4, 2>);
  expect_bits<double, four>({.n = 59}, by<4, 3>, by<5, 2>);
  expect_bits<float, most>({.n = 41}, by<4, 3>, by<4, 2>);
  expect_bits<float, few>({.n = 47}, by<4, 2>, by<4, 3>);
}
TEST(KnownConvolution, of_real_lines) {
  for (const std::int64_t n : {47, 46}) {
    if (n % 2 != 0) expect_bits<float, two>({.kind = Kind::from_real, .n = n}, by<4, 3>, by<4, 2>);  // others are folded
    expect_bits<float, four>({.kind = Kind::to_real, .n = n}, by<4, 3>, by<5, 2>);
  }
  expect_bits<float, two>({.kind = Kind::to_real, .n = 94}, by<4, 3>, by<4, 2>);
}
TEST(KnownConvolution, of_lines_that_are_padded_shifted_or_float16) {
  expect_bits<float, two>({.n = 47, .n_given = 13}, by<4, 3>, by<4, 2>);
  expect_bits<float, four>({.n = 47, .shift = 23}, by<4, 3>, by<5, 2>);
  expect_bits<float, two>({.n = 47, .part_bytes = 2}, by<4, 3>, by<4, 2>);
}

}  // namespace
}  // namespace crinkle::fft::known_convolution_test
