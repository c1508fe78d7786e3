// Roots of unity against Taylor's series in 113 bits, without any reduction of the angle: of float32 each is the nearest number, of float64
// it is, but where two are as near as 64 bits can tell.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/roots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace crinkle::fft::roots_test {
namespace {

__extension__ using Quad = __float128;

struct Exact {
  Quad re = 0, im = 0;
};

// exp(−2πi k/n), within some 2⁻¹⁰⁰.
Exact exact_root(std::int64_t k, std::int64_t n) {
  const Quad pi = Quad(0x1.921fb54442d18p+1) + Quad(0x1.1a62633145c07p-53) + Quad(-0x1.f1976b7ed8fbcp-109);
  const Quad x = 2 * pi * Quad(k) / Quad(n);
  Exact sum;
  Quad term = 1;  // x^i / i!
  for (int i = 0; i < 80; ++i, term *= x / Quad(i)) {
    const bool is_negative = i % 4 >= 2;
    Quad& part = i % 2 == 0 ? sum.re : sum.im;
    part += is_negative ? -term : term;
  }
  sum.im = -sum.im;
  return sum;
}

// How far a number is from the exact one, in units of the last place of the nearest, of which a half is the least that there can be.
template <class T>
double ulps(T got, Quad exact) {
  const Quad size = exact < 0 ? -exact : exact;
  if (size < Quad(1e-25)) return got == 0 ? 0 : 1e9;  // of a quarter of a turn
  const T nearest = static_cast<T>(size), ulp = std::nextafter(nearest, T{2}) - nearest;
  const Quad error = (Quad(got) - exact) / Quad(ulp);
  return static_cast<double>(error < 0 ? -error : error);
}

struct Found {
  double worst = 0;
  std::int64_t n_numbers = 0, n_not_nearest = 0;
};

template <class T>
Found look() {
  std::mt19937_64 random(8);
  std::vector<std::int64_t> lengths = {
      1, 2, 3, 4, 5, 7, 8, 12, 16, 100, 729, 1009, 4096, 6561, 65537, 1000000, (std::int64_t{1} << 26) - 5};
  for (int e = 5; e <= 26; ++e) lengths.push_back(std::int64_t{1} << e);
  for (int i = 0; i < 200; ++i) lengths.push_back(1 + static_cast<std::int64_t>(random() % (std::uint64_t{1} << 26)));
  Found found;
  for (const std::int64_t n : lengths) {
    for (int i = 0; i < 40; ++i) {
      const std::int64_t k = i < 8 ? i * n / 8 : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
      const Root<T> got = root<T>(k, n);
      const Exact exact = exact_root(k, n);
      for (const auto& [part, want] : {std::pair(got.re, exact.re), std::pair(got.im, exact.im)}) {
        const double error = ulps(part, want);
        EXPECT_LT(error, 0.51) << k << " of " << n;
        found.worst = std::max(found.worst, error);
        found.n_not_nearest += part == static_cast<T>(want) || error == 0 ? 0 : 1;
        ++found.n_numbers;
      }
    }
  }
  return found;
}

TEST(Roots, of_float32_are_correctly_rounded) {
  const Found found = look<float>();
  EXPECT_EQ(found.n_not_nearest, 0) << found.worst;
  EXPECT_GT(found.n_numbers, 10000);
}

TEST(Roots, of_float64_are_rounded_once_from_64_bits) {
  const Found found = look<double>();
  EXPECT_LE(found.worst, 0.501);
  EXPECT_LE(found.n_not_nearest, found.n_numbers / 1000);  // 3 of 19120
}

}  // namespace
}  // namespace crinkle::fft::roots_test
