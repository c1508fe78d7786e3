// What every transform does: impulses, tones, sums, shifts, energy, symmetry; what is not finite stays in its line.
// SPDX-License-Identifier: BSD-3-Clause
#include <limits>
#include <numbers>

#include "fft/arrays.hpp"

namespace crinkle::fft::properties_test {
namespace {

// Powers of two, mixed radices, primes by their own butterfly and by convolution, one of each way through memory.
constexpr std::int64_t lengths[] = {1, 2, 8, 12, 15, 30, 31, 64, 67, 120, 210, 251, 256, 1000, 1009, 2310, 9689};

LongComplex root_of(std::int64_t k, std::int64_t n) {
  const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(k % n) / static_cast<long double>(n);
  return {std::cos(angle), -std::sin(angle)};
}

TEST(Properties, an_impulse_becomes_a_tone_and_a_tone_an_impulse) {
  for (const std::int64_t n : lengths) {
    for (const std::int64_t place : {std::int64_t{0}, n / 3, n - 1}) {
      Series impulse(at(n)), tone;
      impulse[at(place)] = 1;
      for (std::int64_t k = 0; k < n; ++k) tone.push_back(root_of(k * place, n));
      EXPECT_LE(error_of<double>(transformed<double>(impulse, n), tone, n), 3.0L) << n << " at " << place;
      const Series back = transformed<double>(tone, n, FftKind::complex_to_complex, FftDirection::inverse);
      EXPECT_LE(error_of<double>(back, impulse, n), 6.0L) << n << " at " << place;
    }
  }
}

TEST(Properties, every_impulse_of_a_short_line) {
  for (const std::int64_t n : {16, 24, 31, 64, 105}) {
    for (std::int64_t place = 0; place < n; ++place) {
      Series impulse(at(n)), tone;
      impulse[at(place)] = 1;
      for (std::int64_t k = 0; k < n; ++k) tone.push_back(root_of(k * place, n));
      ASSERT_LE(error_of<float>(transformed<float>(impulse, n), tone, n), 2.0L) << n << " at " << place;
    }
  }
}

TEST(Properties, sums_shifts_and_energy) {
  for (const std::int64_t n : lengths) {
    const Series x = random_line(n, 1), y = random_line(n, 2), fx = transformed<double>(x, n), fy = transformed<double>(y, n);
    Series sum, f_sum, shifted, f_shifted;
    for (std::int64_t k = 0; k < n; ++k) {
      sum.push_back(2.0L * x[at(k)] - 0.5L * y[at(k)]);
      f_sum.push_back(2.0L * fx[at(k)] - 0.5L * fy[at(k)]);
      shifted.push_back(x[at((k + n - n / 3) % n)]);
      f_shifted.push_back(fx[at(k)] * root_of(k * (n / 3), n));
    }
    EXPECT_LE(error_of<double>(transformed<double>(sum, n), f_sum, n), 4.0L) << n;
    EXPECT_LE(error_of<double>(transformed<double>(shifted, n), f_shifted, n), 4.0L) << n;
    const long double energy = sum_of_squares(x) * static_cast<long double>(n);
    EXPECT_NEAR(static_cast<double>(sum_of_squares(fx) / energy), 1, 1e-14) << n;
  }
}

TEST(Properties, of_real_numbers_negative_frequencies_are_conjugate) {
  for (const std::int64_t n : lengths) {
    const Series x = random_line(n, 3, true), all = transformed<double>(x, n),
                 half = transformed<double>(x, n / 2 + 1, FftKind::real_to_complex);
    Series mirrored, first;
    for (std::int64_t k = 0; k < n; ++k) mirrored.push_back(std::conj(all[at((n - k) % n)]));
    for (std::int64_t k = 0; k <= n / 2; ++k) first.push_back(all[at(k)]);
    EXPECT_LE(error_of<double>(mirrored, all, n), 4.0L) << n;
    EXPECT_LE(error_of<double>(half, first, n), 4.0L) << n;
    EXPECT_EQ(half[0].imag(), 0) << n;
    if (n % 2 == 0) { EXPECT_EQ(half.back().imag(), 0) << n; }
  }
}

TEST(Properties, what_is_not_finite_fills_its_line_and_no_other) {
  for (const std::int64_t n : {2, 15, 64, 67, 1009}) {
    for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
      for (const int axis : {0, 1}) {
        const Layout layout = Layout::dense(axis == 1 ? Extents{3, n} : Extents{n, 3}, 8);
        Array array = random_array(layout.extents, 4, false);
        array.values[at(axis == 1 ? n + n / 2 : n / 2 * 3 + 1)] = value;
        Bytes src(layout.n_bytes()), dst(layout.n_bytes());
        put_array<float>(layout, array, false, src);
        run(FftPlan(FftRequest{.in = layout, .out = layout, .axes = {axis}}), src.buffer(), dst.buffer());
        const Array got = get_array<float>(layout, false, dst);
        for (std::int64_t i = 0; i < 3 * n; ++i) {
          const std::int64_t line = axis == 1 ? i / n : i % 3;
          const LongComplex number = got.values[at(i)];
          ASSERT_EQ(std::isfinite(number.real()) && std::isfinite(number.imag()), line != 1) << n << ", axis " << axis << ", " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace crinkle::fft::properties_test
