// SPDX-License-Identifier: BSD-3-Clause
#include "fft/rader.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "fft/at.hpp"
#include "fft/cpu/line.hpp"
#include "fft/radices.hpp"

namespace crinkle::fft {
namespace {

std::int64_t power(std::int64_t g, std::int64_t exponent, std::int64_t n) {
  std::int64_t result = 1;
  for (; exponent > 0; exponent /= 2, g = multiply_modulo(g, g, n))
    if (exponent % 2 == 1) result = multiply_modulo(result, g, n);
  return result;
}

/// The smallest of order n − 1: no power by (n − 1)/p is 1 for a prime p, of which radices are products.
std::int64_t generator_of(std::int64_t n) {
  std::vector<std::int64_t> primes;
  std::int64_t rest = n - 1;
  for (std::int64_t p = 2; rest > 1; ++p) {
    if (rest % p == 0) primes.push_back(p);
    while (rest % p == 0) rest /= p;
  }
  for (std::int64_t g = 2;; ++g) {
    bool has_all = true;
    for (const std::int64_t p : primes) has_all = has_all && power(g, (n - 1) / p, n) != 1;
    if (has_all) return g;
  }
}

}  // namespace

bool is_prime(std::int64_t n) {
  for (std::int64_t d = 2; d <= n / d; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

bool has_rader(std::int64_t n) {
  if (n < 3 || has_radices(n)) return false;
  const std::vector<std::int64_t> radices = radices_of(n - 1);
  return !radices.empty() && *std::max_element(radices.begin(), radices.end()) <= 16 && is_prime(n);
}

Rader rader_of(std::int64_t n) {
  Rader rader;
  const std::int64_t g = generator_of(n), m = n - 1;
  for (std::int64_t q = 0, power = 1; q < m; ++q, power = multiply_modulo(power, g, n)) rader.powers.push_back(power);
  const simd::FftKernelsOf<double>& kernels = simd::FftKernels::best().of<double>();
  const std::int64_t vector = 2 * kernels.lanes;
  std::vector<double> a(at(vector * m)), b(a.size());
  for (std::int64_t q = 0; q < m; ++q) {
    const Root<double> w = root<double>(rader.powers[at((m - q) % m)], n);
    a[at(vector * q)] = w.re / static_cast<double>(m);
    a[at(vector * q + kernels.lanes)] = w.im / static_cast<double>(m);
  }
  const double* y = Stages<double>(m, kernels).run(a.data(), b.data(), 1);
  for (std::int64_t q = 0; q < m; ++q) rader.kernel.push_back({y[vector * q], y[vector * q + kernels.lanes]});
  return rader;
}

}  // namespace crinkle::fft
