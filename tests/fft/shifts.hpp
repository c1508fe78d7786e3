// Number 0 in the middle of either side of a transform, as it is defined: rolls beside it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fft/random_requests.hpp"

namespace crinkle::fft {

inline bool has(FftShift shift, FftShift side) { return shift == side || shift == FftShift::both; }

enum class Roll { to_middle, from_middle };
// NumPy's fftshift and ifftshift of the axes, of which the last may be left out.
inline Array rolled(Array array, std::vector<std::size_t> axes, bool is_halved, Roll roll) {
  if (is_halved) axes.pop_back();
  for (const std::size_t axis : axes) {
    const std::int64_t n = array.extents[axis], from = roll == Roll::to_middle ? n - n / 2 : n / 2;
    each_line(array, axis, n, [&](Series line) {
      std::rotate(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(from % n), line.end());
      return line;
    });
  }
  return array;
}

/// Whether sizes crop what would be shifted: that is refused.
inline bool is_input_cut(const RandomRequest& drawn) {
  if (!has(drawn.request.shift, FftShift::input)) return false;
  for (std::size_t i = 0; i < drawn.axes.size(); ++i) {
    const bool is_half = drawn.is_real_out() && i + 1 == drawn.axes.size();
    if (!is_half && drawn.request.in.extents[drawn.axes[i]] > drawn.sizes[i]) return true;
  }
  return false;
}

inline Array shifted_definition(const Array& array, const RandomRequest& drawn) {
  const FftShift shift = drawn.request.shift;
  const Array in = has(shift, FftShift::input) ? rolled(array, drawn.axes, drawn.is_real_out(), Roll::from_middle) : array;
  const Array out = definition(in, drawn.request, drawn.axes, drawn.sizes);
  return has(shift, FftShift::output) ? rolled(out, drawn.axes, drawn.is_real_in(), Roll::to_middle) : out;
}

}  // namespace crinkle::fft
