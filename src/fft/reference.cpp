// The definition of every Fourier transform here, in long double, with angles reduced in integers: k n mod N.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/reference.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace crinkle::fft {

Reference::Reference(std::int64_t n, Sign sign) {
  for (std::int64_t k = 0; k < n; ++k) {
    const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(k) / static_cast<long double>(n);
    roots_.emplace_back(std::cos(angle), sign == Sign::minus ? -std::sin(angle) : std::sin(angle));
  }
}

LongComplex Reference::number(const std::vector<LongComplex>& x, std::int64_t k) const {
  const std::size_t n = roots_.size(), step = static_cast<std::size_t>(k) % n;
  long double re = 0, im = 0;
  std::size_t place = 0;  // k j mod n
  for (const LongComplex& value : x) {
    re += value.real() * roots_[place].real() - value.imag() * roots_[place].imag();
    im += value.real() * roots_[place].imag() + value.imag() * roots_[place].real();
    place = place + step < n ? place + step : place + step - n;
  }
  return {re, im};
}

std::vector<LongComplex> Reference::line(const std::vector<LongComplex>& x) const {
  std::vector<LongComplex> result;
  for (std::size_t k = 0; k < roots_.size(); ++k) result.push_back(number(x, static_cast<std::int64_t>(k)));
  return result;
}

}  // namespace crinkle::fft
