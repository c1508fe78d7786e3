// A line has the same bits alone, among others, side by side with them, strided, backward, in place: byte for byte.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/same_bits.hpp"

#include "support/drawn.hpp"
#include "support/threads.hpp"

namespace crinkle::fft::same_bits_test {
namespace {

using namespace same_bits;

Lines transformed_lines(const FftPlan& plan, const Place& place, const Lines& lines, bool is_in_place = false) {
  Bytes src(bytes_of(place.in)), dst(bytes_of(place.out));
  put_lines(place.in, place.axis, lines, src.data());
  Threads executor(1 + static_cast<int>(place.in.n_elements() % 3));
  run(plan, src.buffer(), is_in_place ? src.buffer() : dst.buffer(), executor);
  Bytes& result = is_in_place ? src : dst;
  EXPECT_TRUE(result.is_intact_around());
  return get_lines(place.out, place.axis, result.data());
}

void expect_same_bits(const Wish& wish, const std::vector<std::int64_t>& counts) {
  const Lines lines = random_lines(wish, *std::max_element(counts.begin(), counts.end()));
  same_bits::expect_same_bits(wish, lines, counts, Device{}, transformed_lines);
}

void expect_kinds(FftReal real, const std::vector<std::int64_t>& lengths, const std::vector<std::int64_t>& counts) {
  for (const std::int64_t n : lengths) {
    for (const FftKind kind : kinds) {
      const auto direction = n % 2 == static_cast<int>(kind) % 2 ? FftDirection::inverse : FftDirection::forward;
      expect_same_bits({.kind = kind, .real = real, .direction = direction, .n = n}, counts);
    }
  }
}

// Short ones; powers of two; products; primes by sums, by Rader's convolution and by Bluestein's.
const std::vector<std::int64_t> lengths = {1,   2,   3,   4,   7,   8,   12,  15,   16,   31,   32,   48,   61,   62,   64,  67,
                                           77,  80,  96,  97,  100, 101, 107, 112,  122,  127,  128,  144,  194,  240,  256, 270,
                                           360, 375, 427, 500, 536, 729, 960, 1000, 1008, 1009, 1024, 1147, 2018, 4096, 4100};

TEST(SameBits, complex_lines_of_float32) {
  for (const std::int64_t n : lengths)
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse})
      expect_same_bits({.direction = direction, .n = n}, {1, 2, 7, 8, 9, 64});
}
TEST(SameBits, complex_lines_of_float64) {
  for (const std::int64_t n : lengths) expect_same_bits({.real = FftReal::float64, .n = n}, {1, 2, 3, 4, 5, 64});
}

TEST(SameBits, every_kind_of_float32) { expect_kinds(FftReal::float32, lengths, {1, 3, 8, 18}); }
TEST(SameBits, every_kind_of_float64) { expect_kinds(FftReal::float64, lengths, {1, 3, 4, 18}); }
TEST(SameBits, every_kind_of_float16) { expect_kinds(FftReal::float16, {7, 12, 64, 100, 101, 127, 360, 1000, 1009, 1024}, {1, 3, 8, 18}); }

TEST(SameBits, lengths_drawn_at_random) {
  std::mt19937 random(53);
  for (int i = 0; i < 40; ++i) {
    const FftKind kind = kinds[random() % std::size(kinds)];
    const auto n = static_cast<std::int64_t>(1 + random() % (i % 4 == 0 ? 6000 : 700));
    expect_same_bits({.kind = kind, .real = random() % 2 == 0 ? FftReal::float32 : FftReal::float64, .n = n}, {1, 9, 16});
  }
}

TEST(SameBits, padded_cropped_and_shifted_lines) {
  for (const std::int64_t n : {12, 64, 100, 101, 360, 1000, 1009}) {
    for (const FftReal real : {FftReal::float32, FftReal::float64}) {
      for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
        for (const FftKind kind : kinds) {
          for (const std::int64_t n_given : {n / 3, n + 5})
            expect_same_bits({.kind = kind, .real = real, .direction = direction, .n = n, .n_given = n_given}, {1, 9});
        }
        for (const FftShift shift : {FftShift::input, FftShift::output, FftShift::both})
          expect_same_bits({.real = real, .direction = direction, .n = n, .shift = shift}, {1, 9});
      }
    }
  }
}

// 65537 is a prime; complex lines of 1 MiB and more go twice through memory where N is a multiple of lanes².
TEST(SameBits, long_lines) {
  for (const std::int64_t n : {10007, 65536, 65537}) {
    for (const FftKind kind : {FftKind::complex_to_complex, FftKind::real_to_complex, FftKind::complex_to_real})
      expect_same_bits({.kind = kind, .n = n}, {kind == FftKind::complex_to_real ? 1 : 9});
    expect_same_bits({.real = FftReal::float64, .n = n}, {5});
  }
}
TEST(SameBits, lines_of_a_mebibyte_and_more) {
  for (const std::int64_t n : {131072, 140625, 153664}) {
    for (const FftKind kind : {FftKind::complex_to_complex, FftKind::real_to_complex, FftKind::complex_to_real})
      expect_same_bits({.kind = kind, .n = n}, {1, 2});
    if (n != 131072 && testing::drawn(5) < 5) continue;  // these take minutes: ./test.sh long
    expect_same_bits({.direction = FftDirection::inverse, .n = n}, {9});
    for (const FftShift shift : {FftShift::input, FftShift::output, FftShift::both}) expect_same_bits({.n = n, .shift = shift}, {1, 2});
    expect_same_bits({.direction = FftDirection::inverse, .n = n, .n_given = n / 2 + 1, .shift = FftShift::both}, {1, 2});
    expect_same_bits({.real = FftReal::float64, .direction = FftDirection::inverse, .n = n}, {1, 5});
    expect_same_bits({.real = FftReal::float16, .n = n}, {1, 9});
  }
}

// A number that is not finite, and what comes of it.
TEST(SameBits, zeros_and_numbers_that_are_not_finite) {
  for (const std::int64_t n : {64, 100, 1000}) {
    const Wish wish{.n = n};
    Lines lines = random_lines(wish, 9);
    for (auto& line : lines) std::fill(line.begin(), line.end(), std::byte{0});
    put<float>(lines[0].data(), {INFINITY, 0}, false);
    put<float>(lines[1].data() + 8 * (n - 1), {0, -INFINITY}, false);
    put<float>(lines[2].data(), {-0.0F, -0.0F}, false);
    put<float>(lines[3].data() + 8 * (n / 2), {0, 1}, false);
    const Place alone{"alone", Layout::dense({n}, 8), Layout::dense({n}, 8), 0}, rows = places_of(wish, 9)[0],
                                                                                 beside = places_of(wish, 9)[1];
    const FftPlan plan_alone(request_of(wish, alone));
    const Lines of_rows = transformed_lines(FftPlan(request_of(wish, rows)), rows, lines),
                of_columns = transformed_lines(FftPlan(request_of(wish, beside)), beside, lines);
    for (std::int64_t l = 0; l < 9; ++l) {
      const std::vector<std::byte> want = transformed_lines(plan_alone, alone, {lines[at(l)]})[0];
      for (const Lines* got : {&of_rows, &of_columns}) {
        for (std::int64_t i = 0; i < 2 * n; ++i) {
          float a = 0, b = 0;
          std::memcpy(&a, want.data() + 4 * i, 4);
          std::memcpy(&b, (*got)[at(l)].data() + 4 * i, 4);
          ASSERT_TRUE((std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, 4) == 0) << n << ", line " << l << ", part " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace crinkle::fft::same_bits_test
