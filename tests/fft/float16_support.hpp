// Errors of results that are rounded to float16 once.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fft/fft_support.hpp"

namespace crinkle::fft {

// What rounding results to float16 once adds to float32's errors, without rounding between axes; of few numbers it spreads, up to 2⁻¹¹.
inline long double bound_of_float16(std::int64_t n) {
  return 0x1p-11L * (n < 32 ? 1.0L : 0.45L * (1 + 3 / std::sqrt(static_cast<long double>(n))));
}

inline long double relative_error(const Series& got, const Series& want) {
  const long double square = square_of_difference(got, want);
  return square == 0 ? 0 : std::sqrt(square / sum_of_squares(want));
}

inline Series rounded(Series x) {
  in_parts_of(10000, std::ssize(x), [&](std::int64_t begin, std::int64_t end) {
    for (std::size_t i = at(begin); i < at(end); ++i) x[i] = {Float16(x[i].real()), Float16(x[i].imag())};
  });
  return x;
}

}  // namespace crinkle::fft
