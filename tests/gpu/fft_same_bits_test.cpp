// On a GPU, too, a line has the same bits alone, among others, as a column, strided, backward, at any address, in place: byte for byte.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft_lines.hpp"

namespace crinkle::testing::fft_same_bits_test {
namespace {

using Gpu = OnGpu;
using namespace fft::same_bits;
using fft::at;
using fft::bytes_of;

void expect_same_bits(const Wish& wish, const Lines& lines, const std::vector<std::int64_t>& counts) {
  fft::same_bits::expect_same_bits(wish, lines, counts, cuda(), [](const auto&... of) { return transformed_lines(of...); });
  const Elements b = wish.bytes();
  const auto n_lines = std::ssize(lines);
  const Place rows{"rows", Layout::dense({n_lines, wish.n_in()}, b.in), Layout::dense({n_lines, wish.n_out()}, b.out), 1};
  const FftPlan plan(request_of(wish, rows), cuda());
  const Lines want = transformed_lines(plan, rows, lines, false);
  for (const std::int64_t shift : {wish.part(), std::int64_t{1}})
    ASSERT_TRUE(transformed_lines(plan, rows, lines, false, shift) == want) << wish.name() << " at byte " << shift << '\n'
                                                                            << plan.describe();
}
void expect_same_bits(const Wish& wish, const std::vector<std::int64_t>& counts) {
  expect_same_bits(wish, random_lines(wish, *std::max_element(counts.begin(), counts.end())), counts);
}

// Lengths with kernels of their own and without, of one step and two, of primes by sums and by convolutions; halves of real lines, too.
const std::vector<std::int64_t> lengths = {1,    2,    3,    4,    7,    8,    12,   16,   17,   31,   32,   61,   64,   67,
                                           96,   97,   100,  101,  127,  128,  256,  289,  360,  512,  1000, 1009, 1024, 1080,
                                           1331, 1920, 2018, 2048, 2662, 3000, 4096, 4100, 5005, 6000, 6499, 8000, 8192, 8200};
const std::vector<std::int64_t> long_lengths = {9689, 10010, 16384, 19683, 32768, 44100, 65536, 65537, 100000, 131072};

std::vector<std::int64_t> tried(const std::vector<std::int64_t>& all) {
  if (n_cases(1000) == 1000) return all;
  std::vector<std::int64_t> some;
  for (std::size_t i = 0; i < all.size(); i += 5) some.push_back(all[i]);
  return some;
}

void expect_kinds(FftReal real, const std::vector<std::int64_t>& of, const std::vector<std::int64_t>& counts) {
  for (const std::int64_t n : tried(of)) {
    for (const FftKind kind : kinds) {
      const auto direction = n % 2 == static_cast<int>(kind) % 2 ? FftDirection::inverse : FftDirection::forward;
      expect_same_bits({.kind = kind, .real = real, .direction = direction, .n = n}, counts);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST_F(Gpu, lines_of_float32_have_the_same_bits_everywhere) { expect_kinds(FftReal::float32, lengths, {1, 3, 34}); }
TEST_F(Gpu, lines_of_float64_have_the_same_bits_everywhere) { expect_kinds(FftReal::float64, lengths, {1, 2, 18}); }
TEST_F(Gpu, lines_of_float16_have_the_same_bits_everywhere) {
  expect_kinds(FftReal::float16, {7, 64, 97, 100, 101, 127, 1000, 1024, 4096, 5005, 8192, 16384}, {1, 10});
}
// Columns whose kernels blocks of a cluster run together, of groups that are whole and others; and primes that a thread holds.
TEST_F(Gpu, columns_of_clusters_have_the_bits_of_rows) {
  for (const std::int64_t n : {2048, 4096, 8192}) {
    expect_same_bits({.n = n}, {4, 9, 40});
    expect_same_bits({.real = FftReal::float64, .n = n}, {2, 5, 18});
  }
  for (const std::int64_t n : {37, 41, 43, 47, 53, 59}) {
    expect_same_bits({.n = n}, {1, 70});
    expect_same_bits({.kind = FftKind::real_to_complex, .n = 2 * n}, {1, 70});
  }
}
TEST_F(Gpu, long_lines_of_float32_have_the_same_bits_everywhere) { expect_kinds(FftReal::float32, long_lengths, {1, 6}); }
TEST_F(Gpu, long_lines_of_float64_have_the_same_bits_everywhere) { expect_kinds(FftReal::float64, long_lengths, {1, 4}); }

// In two launches, by kernels of the library that fold them; at odd addresses in three.
TEST_F(Gpu, long_real_lines_that_a_chain_folds_have_the_same_bits_everywhere) {
  for (const FftReal real : {FftReal::float32, FftReal::float64}) {
    for (const FftKind kind : {FftKind::real_to_complex, FftKind::complex_to_real}) {
      for (const std::int64_t n : {1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20}) {
        const Wish wish{.kind = kind, .real = real, .n = n};
        if (n < 1 << 19 || kind == FftKind::real_to_complex) expect_same_bits(wish, {3});
        if (::testing::Test::HasFatalFailure()) return;
        const FftPlan plan(request_of(wish, places_of(wish, 3).front()), cuda());
        EXPECT_NE(plan.describe().find(", 2 launches"), std::string::npos) << plan.describe();
      }
    }
  }
}

TEST_F(Gpu, padded_and_shifted_lines_have_the_same_bits_everywhere) {
  for (const std::int64_t n : tried({12, 64, 100, 101, 128, 1000, 1024, 4096, 4100, 5005, 8192, 16384})) {
    for (const FftReal real : {FftReal::float32, FftReal::float64}) {
      for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
        for (const FftKind kind : {FftKind::complex_to_complex, FftKind::real_to_complex, FftKind::complex_to_real})
          for (const std::int64_t n_given : {n / 3, n + 5})
            expect_same_bits({.kind = kind, .real = real, .direction = direction, .n = n, .n_given = n_given}, {1, 6});
        for (const FftShift shift : {FftShift::input, FftShift::output, FftShift::both})
          expect_same_bits({.real = real, .direction = direction, .n = n, .shift = shift}, {1, 6});
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

// A line that is padded with zeros has the bits of the longer one that has them, and one in rolled order those of the line in order.
TEST_F(Gpu, padded_and_shifted_lines_have_the_bits_of_whole_ones) {
  for (const std::int64_t n : tried({12, 100, 128, 1000, 1024, 4096, 5005, 8192, 16384})) {
    for (const FftReal real : {FftReal::float32, FftReal::float64}) {
      const Wish whole{.real = real, .n = n}, padded{.real = real, .n = n, .n_given = n / 3},
          shifted{.real = real, .n = n, .shift = FftShift::both};
      const std::int64_t bytes = whole.bytes().in, half = n / 2 * bytes;
      Lines given = random_lines(padded, 3), filled = given, turned;
      for (auto& line : filled) {
        line.resize(at(n * bytes));
        turned.push_back(line);
        std::rotate(turned.back().begin(), turned.back().end() - half, turned.back().end());
      }
      const auto rows_of = [&](const Wish& wish, const Lines& lines) {
        const Place rows{"rows", Layout::dense({3, wish.n_in()}, bytes), Layout::dense({3, n}, bytes), 1};
        return transformed_lines(FftPlan(request_of(wish, rows), cuda()), rows, lines, false);
      };
      const Lines want = rows_of(whole, filled);
      EXPECT_TRUE(rows_of(padded, given) == want) << padded.name();
      Lines got = rows_of(shifted, turned);
      for (auto& line : got) std::rotate(line.begin(), line.begin() + half, line.end());
      EXPECT_TRUE(got == want) << shifted.name();
    }
  }
}

// Sums that cancel: the signs of zeros.
TEST_F(Gpu, lines_of_zeros_have_the_same_bits_everywhere) {
  for (const std::int64_t n : tried({12, 64, 100, 127, 128, 1000, 1024, 2048, 5005, 8192, 16384, 32768})) {
    for (const FftKind kind : kinds) {
      const Wish wish{.kind = kind, .direction = n % 3 == 0 ? FftDirection::forward : FftDirection::inverse, .n = n};
      Lines lines = random_lines(wish, 4);
      for (auto& line : lines) std::fill(line.begin(), line.end(), std::byte{0});
      const float one = 1, minus_zero = -0.0F;
      std::memcpy(lines[0].data(), &one, 4);
      std::memcpy(lines[1].data() + lines[1].size() / 8 * 4, &one, 4);
      for (std::size_t i = 0; i < lines[2].size(); i += 4) std::memcpy(lines[2].data() + i, &minus_zero, 4);
      expect_same_bits(wish, lines, {1, 4});
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace crinkle::testing::fft_same_bits_test
