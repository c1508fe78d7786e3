// Cosine and sine transforms of a line by their definition, in long double.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <numbers>

#include "fft/fft_support.hpp"

namespace crinkle::fft {

using Numbers = std::vector<long double>;
inline constexpr FftNorm norms[] = {FftNorm::backward, FftNorm::ortho, FftNorm::forward};

// As include/crinkle/fft.hpp has it; the inverse is solved for: the transposed sum, by the orthogonality of cosines and sines.
inline Numbers defined(Numbers x, std::int64_t n, FftKind kind, FftDirection direction, FftNorm norm) {
  x.resize(static_cast<std::size_t>(n));
  Numbers result(static_cast<std::size_t>(n));
  const bool is_inverse = direction == FftDirection::inverse, is_sine = kind == FftKind::sine;
  const long double two_n = 2 * static_cast<long double>(n);
  const long double f = norm == FftNorm::ortho ? 1 / std::sqrt(two_n) : is_inverse == (norm == FftNorm::backward) ? 1 / two_n : 1;
  for (std::int64_t k = 0; k < n; ++k) {    // of the frequency
    for (std::int64_t j = 0; j < n; ++j) {  // of the place
      const std::int64_t turns = (k + (is_sine ? 1 : 0)) * (2 * j + 1) % (4 * n);
      const long double angle = std::numbers::pi_v<long double> * static_cast<long double>(turns) / two_n;
      long double factor = 2 * f * (is_sine ? std::sin(angle) : std::cos(angle));
      const bool is_zero = k == (is_sine ? n - 1 : 0);
      if (is_zero && norm == FftNorm::ortho) factor /= std::sqrt(2.0L);
      if (is_zero && norm != FftNorm::ortho && is_inverse) factor /= 2;
      const auto from = static_cast<std::size_t>(is_inverse ? k : j), to = static_cast<std::size_t>(is_inverse ? j : k);
      result[to] += factor * x[from];
    }
  }
  return result;
}

}  // namespace crinkle::fft
