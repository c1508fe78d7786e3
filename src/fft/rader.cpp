// SPDX-License-Identifier: BSD-3-Clause
#include "fft/rader.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "fft/at.hpp"
#include "fft/chirp.hpp"
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
  for (std::int64_t p = 2; p <= rest / p; ++p) {
    if (rest % p == 0) primes.push_back(p);
    while (rest % p == 0) rest /= p;
  }
  if (rest > 1) primes.push_back(rest);
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
  const Roots roots(n);
  const double factor = 1 / static_cast<double>(m);
  std::vector<Root<double>> kernel;
  for (std::int64_t q = 0; q < m; ++q) {
    const Root<double> w = roots.of(rader.powers[at((m - q) % m)]);
    kernel.push_back({w.re * factor, w.im * factor});
  }
  rader.kernel = transform_of(std::move(kernel));
  return rader;
}

}  // namespace crinkle::fft
