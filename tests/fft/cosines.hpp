// Cosine and sine transforms of a line by their definition, in long double.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <numbers>

#include "fft/fft_support.hpp"

namespace crinkle::fft {

using Numbers = std::vector<long double>;
inline constexpr FftNorm norms[] = {FftNorm::backward, FftNorm::ortho, FftNorm::forward};

// As include/crinkle/fft.hpp has it; the inverse is solved for: the transposed sum, by the orthogonality of cosines and sines.
class CosineDefinition {
 public:
  CosineDefinition(std::int64_t n, FftKind kind, FftDirection direction, FftNorm norm)
      : n_(n), is_inverse_(direction == FftDirection::inverse), is_sine_(kind == FftKind::sine), norm_(norm) {
    const long double two_n = 2 * static_cast<long double>(n);
    const long double f = norm == FftNorm::ortho ? 1 / std::sqrt(two_n) : is_inverse_ == (norm == FftNorm::backward) ? 1 / two_n : 1;
    for (std::int64_t turns = 0; turns < 4 * n; ++turns) {
      const long double angle = std::numbers::pi_v<long double> * static_cast<long double>(turns) / two_n;
      factors_.push_back(2 * f * (is_sine_ ? std::sin(angle) : std::cos(angle)));
    }
  }

  Numbers line(Numbers x) const {
    x.resize(at(n_));
    Numbers result(at(n_));
    for (std::int64_t k = 0; k < n_; ++k) {  // of the frequency
      const std::int64_t wave = k + (is_sine_ ? 1 : 0);
      for (std::int64_t j = 0, turns = wave; j < n_; ++j, turns = (turns + 2 * wave) % (4 * n_)) {  // of the place
        long double factor = factors_[at(turns)];
        const bool is_zero = k == (is_sine_ ? n_ - 1 : 0);
        if (is_zero && norm_ == FftNorm::ortho) factor /= std::sqrt(2.0L);
        if (is_zero && norm_ != FftNorm::ortho && is_inverse_) factor /= 2;
        result[at(is_inverse_ ? j : k)] += factor * x[at(is_inverse_ ? k : j)];
      }
    }
    return result;
  }

 private:
  std::int64_t n_;
  bool is_inverse_, is_sine_;
  FftNorm norm_;
  Numbers factors_;  // [4 n]: at so many of 4 n parts of a turn
};

inline Numbers defined(const Numbers& x, std::int64_t n, FftKind kind, FftDirection direction, FftNorm norm) {
  return CosineDefinition(n, kind, direction, norm).line(x);
}

}  // namespace crinkle::fft
