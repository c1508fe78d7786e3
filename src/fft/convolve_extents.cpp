// SPDX-License-Identifier: BSD-3-Clause
#include "fft/convolve_extents.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "crinkle/fft.hpp"
#include "fft/at.hpp"

namespace crinkle {
namespace fft {

void refuse_shape(const std::string& text) { throw Error(ErrorCode::bad_shape, text); }

std::vector<bool> convolved_axes(std::size_t rank, const std::vector<std::int64_t>& axes) {
  std::vector<bool> are(rank, axes.empty());
  for (const std::int64_t axis : axes) {
    const std::int64_t place = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
    if (place < 0 || place >= static_cast<std::int64_t>(rank)) refuse_shape(fmt::format("axis {} of arrays of {} axes", axis, rank));
    if (are[at(place)]) refuse_shape(fmt::format("axis {} is named twice", place));
    are[at(place)] = true;
  }
  return are;
}

}  // namespace fft

Extents convolve_extents(const Extents& a, const Extents& b, ConvolveMode mode, const std::vector<std::int64_t>& axes) {
  if (a.size() != b.size() || a.empty())
    fft::refuse_shape(fmt::format("arrays of {} and {} axes cannot be convolved; give both the same, one or more", a.size(), b.size()));
  const std::vector<bool> are_convolved = fft::convolved_axes(a.size(), axes);
  Extents result;
  bool a_holds_b = true, b_holds_a = true;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] < 1 || b[i] < 1)
      fft::refuse_shape(fmt::format("axis {} has {} and {} elements; a convolution needs one at least", i, a[i], b[i]));
    if (!are_convolved[i]) {
      if (a[i] != b[i] && a[i] != 1 && b[i] != 1)
        fft::refuse_shape(
            fmt::format("axis {} has {} and {} elements and is not convolved: give as many, or 1, which is repeated", i, a[i], b[i]));
      result.push_back(std::max(a[i], b[i]));
      continue;
    }
    a_holds_b = a_holds_b && a[i] >= b[i];
    b_holds_a = b_holds_a && b[i] >= a[i];
    result.push_back(mode == ConvolveMode::full   ? add(a[i], b[i]) - 1
                     : mode == ConvolveMode::same ? a[i]
                                                  : std::max(a[i], b[i]) - std::min(a[i], b[i]) + 1);
  }
  if (mode == ConvolveMode::valid && !a_holds_b && !b_holds_a)
    fft::refuse_shape(fmt::format("valid convolution of [{}] and [{}]: one must be at least as long as the other along every axis",
                                  fmt::join(a, ", "), fmt::join(b, ", ")));
  return result;
}

}  // namespace crinkle
