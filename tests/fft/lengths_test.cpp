// Every length from 1 to 2048 against the definition, and long lines against themselves.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "fft/fft_support.hpp"
#include "fft/radices.hpp"

namespace crinkle::fft::lengths_test {
namespace {

constexpr std::int64_t longest = 2048, longest_whole = 160;

// Which of X[k] are compared: all of a short line, and of a long one some that differ from length to length.
std::vector<std::int64_t> places_of(std::int64_t n, std::int64_t n_kept) {
  std::vector<std::int64_t> places;
  const std::int64_t step = n <= longest_whole ? 1 : n / 24;
  for (std::int64_t k = n <= longest_whole ? 0 : n % step; k < n_kept; k += step) places.push_back(k);
  return places;
}

enum class Made { of_small_primes, of_primes, by_bluestein };
Made made(std::int64_t n) {
  if (!has_radices(n)) return Made::by_bluestein;
  for (const std::int64_t r : radices_of(n))
    if (r > 16) return Made::of_primes;
  return Made::of_small_primes;
}
long double bound_of(std::int64_t n) {
  constexpr long double bounds[] = {0.75L, 1.0L, 1.75L};
  return bounds[static_cast<int>(made(n))];
}

// Few numbers are a sample of the error, which spreads; of short lines a single rounding is more than the bound.
long double slack_of(std::int64_t n) { return n < 16 ? 1.25L : n < 64 || n > longest_whole ? 0.25L : 0.0L; }

template <class T>
class Worst {
 public:
  explicit Worst(long double factor) : factor_(factor) {}
  void expect(const Series& got, const Series& x, const Reference& reference, std::int64_t n, const char* what) {
    Series some, want;
    for (const std::int64_t k : places_of(n, std::ssize(got))) {
      some.push_back(got[at(k)]);
      want.push_back(reference.number(x, k));
    }
    if (n == 1) {
      EXPECT_EQ(some, want);
      return;
    }
    const long double error = error_of<T>(some, want, n, sum_of_squares(x)), bound = bound_of(n) * factor_ + slack_of(n);
    EXPECT_LE(error, bound) << what << ' ' << n << " of float" << 8 * sizeof(T);
    long double& worst = worst_[static_cast<int>(made(n))];
    worst = std::max(worst, error);
  }
  void tell(const std::string& name) const {
    for (int i = 0; i < 3; ++i) testing::Test::RecordProperty(name + std::to_string(i), std::to_string(worst_[i]));
  }

 private:
  long double factor_, worst_[3] = {0, 0, 0};
};

template <class T>
void expect_every_length(std::int64_t begin, std::int64_t end) {
  Worst<T> complex(1), real(1.2L);  // a real line's halves are put together by one more product
  for (std::int64_t n = begin; n < end; ++n) {
    const Reference reference(n, n % 2 == 0 ? Sign::minus : Sign::plus);
    const FftDirection direction = n % 2 == 0 ? FftDirection::forward : FftDirection::inverse;
    const Series x = random_line(n, static_cast<unsigned>(n)), r = random_line(n, static_cast<unsigned>(n), true);
    complex.expect(transformed<T>(x, n, FftKind::complex_to_complex, direction, n % 2 == 0 ? FftNorm::backward : FftNorm::forward), x,
                   reference, n, "complex");
    if (n > 400 && n % 16 != 0 && n % 8 != 3 && n % 8 != 6) continue;
    const Series half =
        transformed<T>(r, n / 2 + 1, FftKind::real_to_complex, direction, n % 2 == 0 ? FftNorm::backward : FftNorm::forward);
    real.expect(half, r, reference, n, "real");
    const FftDirection back = n % 2 == 0 ? FftDirection::inverse : FftDirection::forward;
    const Series again = transformed<T>(half, n, FftKind::complex_to_real, back, n % 2 == 0 ? FftNorm::backward : FftNorm::forward);
    ASSERT_LE(n == 1 ? 0 : error_of<T>(again, r, n), 2 * bound_of(n) + 2 * slack_of(n)) << "back to real " << n;
  }
  complex.tell("complex");
  real.tell("real");
}

TEST(Lengths, every_one_of_float32_is_the_definition) { expect_every_length<float>(1, longest + 1); }
TEST(Lengths, every_one_of_float64_is_the_definition) { expect_every_length<double>(1, longest + 1); }

// Without slack, as all of X of several lines is looked at. Powers of three are where a rounded constant would add up.
template <class T>
void expect_mean_errors() {
  for (const std::int64_t n : {2, 3, 4, 5, 6, 7, 9, 11, 12, 13, 15, 16, 27, 32, 45, 63, 81, 125, 128, 243, 250, 375, 486, 729, 1458}) {
    const Reference reference(n, Sign::minus);
    const unsigned n_lines = n < 100 ? 60 : 6;
    long double sum = 0;
    for (unsigned line = 0; line < n_lines; ++line) {
      const Series x = random_line(n, static_cast<unsigned>(n) + 1000 * line);
      const long double error = error_of<T>(transformed<T>(x, n), reference.line(x), n);
      sum += error * error / n_lines;
    }
    EXPECT_LE(std::sqrt(sum), 0.7L) << n << " of float" << 8 * sizeof(T);
  }
}

TEST(Lengths, mean_errors_are_below_the_bound) {
  expect_mean_errors<float>();
  expect_mean_errors<double>();
}

TEST(Lengths, long_lines_come_back) {
  for (const std::int64_t n : {4096, 9689, 9697, 10007, 15625, 19683, 59049, 65536, 100000, 131071, 147456, 262144}) {
    const Series x = random_line(n, 7);
    const auto there = transformed<float>(x, n), back = transformed<float>(there, n, FftKind::complex_to_complex, FftDirection::inverse);
    EXPECT_LE(error_of<float>(back, x, n), 2 * bound_of(n)) << n;
    const Series exact = transformed<double>(x, n);
    EXPECT_LE(error_of<float>(there, exact, n), bound_of(n)) << n;
    const Reference reference(n, Sign::minus);
    Series some, want;
    for (std::int64_t k = 0; k < n; k += n / 7) {
      some.push_back(exact[at(k)]);
      want.push_back(reference.number(x, k));
    }
    EXPECT_LE(error_of<double>(some, want, n, sum_of_squares(x)), bound_of(n) + 0.5L) << n;
  }
}

}  // namespace
}  // namespace crinkle::fft::lengths_test
