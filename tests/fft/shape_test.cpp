// Shapes of kernels that are compiled for lines, without a GPU: every number has a thread and a place of its own, and sources compile.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/shape.hpp"

#include <algorithm>
#include <set>

#include "cuda/compiled_kernel.hpp"
#include "fft/cuda/compiled.hpp"

namespace crinkle::fft::shape_test {
namespace {

constexpr std::int64_t shared_bytes = 225 << 10;

LinesWanted wanted_of(std::int64_t n, std::int64_t number, bool are_columns, std::int64_t n_lines) {
  LinesWanted wanted;
  wanted.radices = number == 8 ? cuda_radices<float>(n) : cuda_radices<double>(n);
  wanted.n = n;
  wanted.number = number;
  wanted.are_columns = are_columns;
  wanted.n_lines = n_lines;
  wanted.shared_bytes = shared_bytes;
  return wanted;
}

void expect_sound(const LinesWanted& wanted, const LinesShape& shape) {
  const auto name = ::testing::Message() << wanted.n << " numbers of " << wanted.number << " bytes, " << shape.lanes << " lanes, "
                                         << shape.threads << " threads";
  ASSERT_TRUE(shape.threads % 32 == 0 && shape.threads <= 1024 && shape.threads % shape.group == 0) << name;
  ASSERT_EQ(shape.lanes * shape.group % shape.threads, 0) << name;
  ASSERT_LE(shape.shared_bytes, wanted.shared_bytes) << name;
  ASSERT_EQ(shape.places.size(), wanted.radices.size() + 1) << name;
  const bool is_ahead = shape.landing >= 0;
  const std::int64_t of_lines = shape.lanes * wanted.n * wanted.number;
  std::int64_t bytes = 0;  // of what is exchanged
  for (std::size_t i = 0; i < shape.places.size(); ++i) {
    const bool is_end = i == 0 || i + 1 == shape.places.size();
    const bool is_used = !is_end || (!is_ahead && (i == 0 ? !wanted.reads : !wanted.writes));
    if (!is_used) continue;
    const KnownPlaces& at = shape.places[i];
    std::set<std::int64_t> taken;
    for (std::int64_t j = 0; j < wanted.n; ++j) taken.insert(j + (at.pad == 0 ? 0 : j / at.pad * at.by));
    ASSERT_EQ(std::ssize(taken), wanted.n) << name;
    ASSERT_LT(*taken.rbegin(), at.stride) << name;
    bytes = std::max(bytes, shape.lanes * at.stride * (shape.are_apart && !is_end ? wanted.number / 2 : wanted.number));
  }
  ASSERT_EQ(shape.places_back.empty(), !wanted.are_convolved || has_sums(wanted.radices.back())) << name;
  for (std::size_t i = 1; i < shape.places_back.size(); ++i) {
    const KnownPlaces& at = shape.places_back[i];
    std::set<std::int64_t> taken;
    for (std::int64_t j = 0; j < wanted.n; ++j) taken.insert(j + (at.pad == 0 ? 0 : j / at.pad * at.by));
    ASSERT_EQ(std::ssize(taken), wanted.n) << name;
    ASSERT_LT(*taken.rbegin(), at.stride) << name;
    const std::int64_t size = shape.are_apart && i + 1 < shape.places_back.size() ? wanted.number / 2 : wanted.number;
    bytes = std::max(bytes, shape.lanes * at.stride * size);
  }
  if (is_ahead) {
    ASSERT_GE(shape.landing, bytes) << name;
    ASSERT_EQ(shape.landing % 16, 0) << name;
    ASSERT_GE(shape.shared_bytes, shape.landing + of_lines + 8) << name;
  } else {
    ASSERT_GE(shape.shared_bytes, bytes + (wanted.are_ordered ? shape.lanes * wanted.number : 0)) << name;
  }
}

TEST(LinesShape, holds_every_number) {
  std::int64_t count = 0, n_shapes = 0;
  for (std::int64_t n = 2; n <= 16384; n += n < 600 ? 1 : n / 40) {
    const Radices radices = cuda_radices<double>(n);
    if (radices.empty() || radices.back() > largest_butterfly) continue;
    for (const std::int64_t number : {8, 16}) {
      for (const bool are_columns : {false, true}) {
        for (const int ends : {0, 1, 2, 3}) {
          LinesWanted wanted = wanted_of(n, number, are_columns, n % 3 == 0 ? 5 : 100000);
          wanted.reads = ends != 1 && ends != 3;
          wanted.writes = ends != 2 && ends != 3;
          wanted.are_convolved = wanted.has_chirp = ends == 3 && n % 2 == 0;
          wanted.are_ordered = wanted.are_convolved && n % 4 == 0;
          wanted.may_come_ahead = !are_columns && ends == 0;
          const LinesShape best = shape_of(wanted);
          const std::vector<LinesShape> shapes = n % 31 == 0 ? shapes_of(wanted, 6) : std::vector{best};
          ++count;
          if (best.lanes == 0) continue;
          ++n_shapes;
          for (const LinesShape& shape : shapes) {
            expect_sound(wanted, shape);
            if (::testing::Test::HasFatalFailure()) return;
          }
        }
      }
    }
  }
  EXPECT_GT(n_shapes, count * 3 / 4);
}

TEST(LinesShape, gives_a_thread_the_whole_line_of_a_prime) {
  for (const std::int64_t n : {31, 37, 41, 43, 47, 53, 59}) {
    for (const std::int64_t number : {8, 16}) {
      for (const bool are_columns : {false, true}) {
        LinesWanted wanted = wanted_of(n, number, are_columns, 100000);
        wanted.reads = wanted.writes = are_columns;
        const LinesShape shape = shape_of(wanted);
        ASSERT_GT(shape.lanes, 0) << n;
        EXPECT_EQ(shape.held, n);
        expect_sound(wanted, shape);
      }
    }
  }
}

TEST(LinesShape, of_long_rows_comes_ahead) {
  LinesWanted wanted = wanted_of(9000, 8, false, 1000);
  EXPECT_LT(shape_of(wanted).landing, 0);
  wanted.may_come_ahead = true;
  EXPECT_GE(shape_of(wanted).landing, 0);
  LinesWanted short_ones = wanted_of(31, 8, false, 1000);
  short_ones.may_come_ahead = true;
  EXPECT_LT(shape_of(short_ones).landing, 0);
  EXPECT_GT(shape_of(wanted_of(9261, 8, false, 1000)).lanes,
            0);  // whose smallest radix leaves too many butterflies for 16 numbers a thread
}

TEST(LinesShape, others_than_the_rules_are_worth_a_try) {
  LinesWanted wanted = wanted_of(8000, 8, false, 1000);
  wanted.may_come_ahead = true;
  const std::vector<LinesShape> shapes = shapes_of(wanted, 6);
  ASSERT_EQ(shapes.size(), 6U);
  EXPECT_EQ(shapes[0].threads, shape_of(wanted).threads);
  for (std::size_t i = 0; i < 6; ++i) {
    expect_sound(wanted, shapes[i]);
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_TRUE(shapes[i].threads != shapes[j].threads || shapes[i].n_blocks != shapes[j].n_blocks ||
                  shapes[i].landing != shapes[j].landing || shapes[i].are_apart != shapes[j].are_apart ||
                  shapes[i].lanes != shapes[j].lanes)
          << i << ' ' << j;
  }
  const auto has = [&](bool is_ahead, bool are_apart) {
    return std::any_of(shapes.begin(), shapes.end(),
                       [&](const LinesShape& shape) { return (shape.landing >= 0) == is_ahead && shape.are_apart == are_apart; });
  };
  EXPECT_TRUE(has(true, false) && has(true, true) && has(false, false) && has(false, true));
}

struct CompiledLinesSource : CompiledKernel {
  template <class T>
  void expect_compiles(std::int64_t n, bool are_columns, const std::function<void(CudaLines<T>&, LinesWanted&)>& change) {
    constexpr std::int64_t number = sizeof(Number<T>);
    CudaLines<T> lines;
    lines.n = lines.ends.n = lines.ends.n_in = lines.ends.n_out = n;
    lines.ends.in = lines.ends.out = are_columns ? 64 * number : number;
    lines.ends.in_unit = lines.ends.out_unit = static_cast<std::int32_t>(number);
    lines.lanes_first_in = lines.lanes_first_out = are_columns;
    lines.lane = {64, are_columns ? number : n * number, are_columns ? number : n * number};
    LinesWanted wanted = wanted_of(n, number, are_columns, 64);
    change(lines, wanted);
    const LinesShape shape = shape_of(wanted);
    ASSERT_GT(shape.lanes, 0) << n;
    EXPECT_NE(gpu::compiled_binary(source_of(lines, wanted, shape), 90, {}, options), nullptr) << source_of(lines, wanted, shape).text;
    for (const std::string& note : notes) ADD_FAILURE() << note;
  }
};

TEST_F(CompiledLinesSource, of_every_kind_compiles) {
  const auto as_they_are = [](auto&, LinesWanted&) {};
  expect_compiles<float>(1000, false, as_they_are);
  expect_compiles<double>(96, true, as_they_are);
  expect_compiles<float>(31, false, [](auto&, LinesWanted& wanted) { wanted.reads = wanted.writes = false; });
  expect_compiles<float>(37, false, [](auto&, LinesWanted& wanted) { wanted.reads = wanted.writes = false; });
  expect_compiles<float>(9261, false,
                         [](auto&, LinesWanted& wanted) { wanted.may_come_ahead = true; });  // begins 8 bytes behind a multiple of 16
  expect_compiles<float>(9000, false, [](auto&, LinesWanted& wanted) { wanted.may_come_ahead = true; });
  expect_compiles<float>(360, false, [](CudaLines<float>& lines, LinesWanted& wanted) {
    lines.ends.in_kind = CudaIn::pairs, lines.ends.out_kind = CudaOut::folded, lines.ends.n_out = 361, wanted.writes = false;
  });
  expect_compiles<double>(360, true, [](CudaLines<double>& lines, LinesWanted& wanted) {
    lines.ends.in_kind = CudaIn::folded, lines.ends.out_kind = CudaOut::pairs, lines.ends.n_in = 361, wanted.reads = false;
  });
  expect_compiles<float>(100, false, [](CudaLines<float>& lines, LinesWanted& wanted) {  // Rader's 101, of float16
    lines.ends.n = lines.ends.n_in = lines.ends.n_out = 101, lines.ends.in_part = lines.ends.out_part = 2;
    wanted.reads = wanted.writes = false, wanted.are_convolved = wanted.are_ordered = true;
  });
  expect_compiles<float>(4092, false, [](CudaLines<float>& lines, LinesWanted& wanted) {  // Rader's 4093, with a butterfly of 31
    lines.ends.n = lines.ends.n_in = lines.ends.n_out = 4093;
    wanted.reads = wanted.writes = false, wanted.are_convolved = wanted.are_ordered = true;
  });
  expect_compiles<float>(1000, true, [](CudaLines<float>& lines, LinesWanted&) {  // float16
    lines.ends.in_part = lines.ends.out_part = 2, lines.ends.in_unit = lines.ends.out_unit = 4;
  });
  expect_compiles<float>(216, false, [](CudaLines<float>& lines, LinesWanted& wanted) {  // Bluestein's 107
    lines.ends.n = lines.ends.n_in = lines.ends.n_out = 107;
    wanted.reads = wanted.writes = false, wanted.are_convolved = wanted.has_chirp = true;
  });
  expect_compiles<float>(100, true, [](CudaLines<float>& lines, LinesWanted&) { lines.twist_loop = 0, lines.twist_bits = 8; });
}

// The steps of a long real line's chain that fold it: half of the lines mirrored to the others.
TEST(LinesShape, of_lines_that_are_folded_has_whole_sectors_of_both_halves) {
  for (const std::int64_t n : {13, 100, 256, 400, 1000, 1024}) {
    for (const std::int64_t number : {8, 16}) {
      for (const bool is_in : {false, true}) {
        LinesWanted wanted = wanted_of(n, number, true, 320);
        wanted.folds_in = is_in;
        wanted.folds_out = !is_in;
        for (const LinesShape& shape : shapes_of(wanted, 6)) {
          expect_sound(wanted, shape);
          EXPECT_GE(shape.lanes / 2 * number, 64) << n;
          EXPECT_EQ(32 % shape.lanes, 0) << n;  // mirrored ones in one warp
          if (!is_in) { EXPECT_GE(shape.shared_bytes, 2 * n * number) << n; }
        }
        EXPECT_GT(shape_of(wanted).lanes, 0) << n;
      }
    }
  }
}
TEST_F(CompiledLinesSource, of_lines_that_are_folded_compiles) {
  for (const bool is_in : {false, true}) {
    const auto folds = [&](auto& lines, LinesWanted& wanted) {
      wanted.folds_in = is_in, wanted.folds_out = !is_in;
      lines.folds_in = is_in, lines.folds_out = !is_in;
      if (is_in) lines.twist_loop = 0, lines.twist_bits = 8, lines.lanes_first_out = false;
    };
    expect_compiles<float>(160, true, folds);
    expect_compiles<float>(315, true, folds);  // whose radices have a middle
    expect_compiles<double>(250, true, folds);
  }
}

// Of 65 521 by 131 072 = 256·512, real ones (convolution.hpp): pairs times the chirp, columns with the kernel, and back to real ones.
TEST_F(CompiledLinesSource, of_steps_of_a_long_convolution_compiles) {
  const auto twist = [](auto& lines) { lines.twist_loop = 0, lines.twist_bits = 9, lines.lanes_first_out = false; };
  expect_compiles<float>(256, true, [&](CudaLines<float>& lines, LinesWanted& wanted) {
    lines.ends.in_kind = CudaIn::pairs, lines.ends.n = 65521, lines.ends.n_in = 131042, lines.part_in = 512, lines.lane.in = 0;
    wanted.reads = false, wanted.has_chirp = true;
    twist(lines);
  });
  expect_compiles<float>(512, true, [&](CudaLines<float>& lines, LinesWanted& wanted) {
    lines.kernel_step = 256;
    wanted.reads = wanted.writes = false, wanted.are_convolved = wanted.is_part = true;
    twist(lines);
  });
  expect_compiles<double>(256, true, [&](CudaLines<double>& lines, LinesWanted& wanted) {
    lines.ends.out_kind = CudaOut::reals, lines.ends.n = lines.ends.n_out = 65521, lines.part_out = 512, lines.lane.out = 0;
    wanted.writes = false, wanted.has_chirp = true;
    lines.twist_loop = 0;
  });
}

}  // namespace
}  // namespace crinkle::fft::shape_test
