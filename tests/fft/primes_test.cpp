// Several lines of a prime length, which Rader's convolution may take, side by side and one behind the other, against the definition.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <string>

#include "fft/fft_support.hpp"
#include "fft/rader.hpp"
#include "fft/radices.hpp"

namespace crinkle::fft::primes_test {
namespace {

constexpr std::int64_t n_lines = 19;  // not whole vectors of any instruction set

bool is_prime(std::int64_t n) {
  for (std::int64_t d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

std::vector<std::int64_t> primes() {
  std::vector<std::int64_t> all;
  for (std::int64_t n = 2; n <= 9850; n = n == 2048 ? 9650 : n + 1)
    if (is_prime(n)) all.push_back(n);
  return all;
}

enum class Beside { lines, numbers };  // what lies side by side

template <class T>
struct Lines {
  Layout layout;
  std::int64_t n;
  Bytes bytes;
  Lines(Beside beside, std::int64_t length)
      : layout(beside == Beside::lines ? Layout::dense({length, n_lines}, 2 * sizeof(T)) : Layout::dense({n_lines, length}, 2 * sizeof(T))),
        n(length),
        bytes(layout.n_bytes()) {}
  std::int64_t axis() const { return layout.extents[0] == n ? 0 : 1; }
  std::byte* at(std::int64_t j, std::int64_t line) {
    const auto a = static_cast<std::size_t>(axis());
    return bytes.data() + j * layout.strides[a] + line * layout.strides[1 - a];
  }
};

template <class T>
void expect_prime(std::int64_t n, Beside beside, FftDirection direction) {
  Lines<T> x(beside, n), y(beside, n);
  std::vector<Series> lines;
  for (std::int64_t l = 0; l < n_lines; ++l) {
    lines.push_back(random_line(n, static_cast<unsigned>(n + l)));
    for (std::int64_t j = 0; j < n; ++j) put<T>(x.at(j, l), lines.back()[at(j)], false);
  }
  // A number that is none, in a line that is not looked at.
  put<T>(x.at(n / 2, 5), {NAN, 1}, false);
  const FftPlan plan(
      {.in = x.layout, .out = y.layout, .axes = {x.axis()}, .direction = direction, .norm = FftNorm::forward, .real = real_of<T>});
  const bool is_rader = plan.describe().find("Rader") != std::string::npos;
  EXPECT_EQ(is_rader, has_rader(n)) << plan.describe();
  run(plan, x.bytes.buffer(), y.bytes.buffer());
  EXPECT_TRUE(y.bytes.is_intact_around());
  const bool is_forward = direction == FftDirection::forward;
  const Reference reference(n, is_forward ? Sign::minus : Sign::plus);
  const long double factor = is_forward ? 1 / static_cast<long double>(n) : 1;
  Series got, want;  // a sample of the error, which spreads
  long double square = 0;
  for (const std::int64_t l : {std::int64_t{0}, std::int64_t{10}, n_lines - 1}) {
    square += factor * factor * sum_of_squares(lines[at(l)]) / 3;
    for (std::int64_t k = 0; k < n; k += n < 25 ? 1 : n / 24) {
      got.push_back(get<T>(y.at(k, l), false));
      want.push_back(factor * reference.number(lines[at(l)], k));
    }
  }
  const long double error = error_of<T>(got, want, n, square);
  EXPECT_LE(error, is_rader ? 1.75L : n < 64 ? 2.25L : 2.0L) << plan.describe();
  for (std::int64_t k = 0; k < n; ++k) EXPECT_FALSE(std::isfinite(std::abs(get<T>(y.at(k, 5), false)))) << n << ", " << k;
}

TEST(Primes, several_lines_are_the_definition) {
  int n_rader = 0;
  for (const std::int64_t n : primes()) {
    const Beside beside = n % 4 == 1 ? Beside::lines : Beside::numbers;
    const FftDirection direction = n % 3 == 1 ? FftDirection::forward : FftDirection::inverse;
    expect_prime<float>(n, beside, direction);
    expect_prime<double>(n, beside == Beside::lines ? Beside::numbers : Beside::lines, direction);
    n_rader += has_rader(n) ? 1 : 0;
  }
  EXPECT_GT(n_rader, 80);  // of some 320
}

TEST(Primes, a_prime_has_rader_where_its_neighbour_is_made_of_small_butterflies) {
  for (const std::int64_t n : {67, 97, 101, 127, 257, 1009, 9721, 9829, 65537}) EXPECT_TRUE(has_rader(n)) << n;
  for (const std::int64_t n : {1, 2, 3, 61, 83, 107, 1021, 9689, 9697, 91, 134, 1000, 67 * 67}) EXPECT_FALSE(has_rader(n)) << n;
  const Rader rader = rader_of(97);
  std::vector<bool> is_seen(97);
  for (const std::int64_t power : rader.powers) {
    EXPECT_TRUE(power > 0 && power < 97 && !is_seen[at(power)]) << power;
    is_seen[at(power)] = true;
  }
  EXPECT_EQ(rader.powers.size(), 96U);
}

TEST(Primes, real_lines_are_what_complex_ones_are) {
  for (const std::int64_t n : {97, 194, 1009, 2018}) {
    const Layout real = Layout::dense({n_lines, n}, 8), half = Layout::dense({n_lines, n / 2 + 1}, 16),
                 whole = Layout::dense({n_lines, n}, 16);
    Bytes x(real.n_bytes()), z(whole.n_bytes()), y(half.n_bytes()), want(whole.n_bytes()), again(real.n_bytes());
    for (std::int64_t l = 0; l < n_lines; ++l) {
      const Series line = random_line(n, static_cast<unsigned>(l), true);
      for (std::int64_t j = 0; j < n; ++j) {
        put<double>(x.data() + 8 * (l * n + j), line[at(j)], true);
        put<double>(z.data() + 16 * (l * n + j), line[at(j)], false);
      }
    }
    run(FftPlan({.in = real, .out = half, .axes = {1}, .kind = FftKind::real_to_complex, .real = FftReal::float64}), x.buffer(),
        y.buffer());
    run(FftPlan({.in = whole, .out = whole, .axes = {1}, .real = FftReal::float64}), z.buffer(), want.buffer());
    run(FftPlan({.in = half,
                 .out = real,
                 .axes = {1},
                 .kind = FftKind::complex_to_real,
                 .direction = FftDirection::inverse,
                 .real = FftReal::float64}),
        y.buffer(), again.buffer());
    for (std::int64_t l = 0; l < n_lines; ++l) {
      for (std::int64_t k = 0; k <= n / 2; ++k) {
        const LongComplex a = get<double>(y.data() + 16 * (l * (n / 2 + 1) + k), false),
                          b = get<double>(want.data() + 16 * (l * n + k), false);
        EXPECT_LT(std::abs(a - b), 1e-12L) << n << ", " << l << ", " << k;
      }
      for (std::int64_t j = 0; j < n; ++j) {
        const std::int64_t place = 8 * (l * n + j);
        EXPECT_LT(std::abs(get<double>(again.data() + place, true) - get<double>(x.data() + place, true)), 1e-14L) << n << ", " << l;
      }
    }
  }
}

}  // namespace
}  // namespace crinkle::fft::primes_test
