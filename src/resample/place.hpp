// Where a part of a resampling lies in the whole, and where arrays lie in a workspace. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/checked.hpp"
#include "crinkle/resample.hpp"
#include "resample/form.hpp"

namespace crinkle::resampling {

inline constexpr std::int64_t alignment = 64;  // bytes, of a workspace's arrays

inline std::int64_t aligned(std::int64_t bytes) { return multiply(ceil_divide(bytes, alignment), alignment); }
inline std::byte* aligned(std::byte* workspace) {
  return workspace + (alignment - static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(workspace) % alignment));
}

inline bool is_at_multiple(const std::byte* address, std::int64_t size) {
  return reinterpret_cast<std::uintptr_t>(address) % static_cast<std::uintptr_t>(size) == 0;
}

/// A part's place in the whole: along axes of the source that are resampled, and those of p.
struct Place {
  std::array<std::int64_t, slots> extents = {}, first = {};  // of the whole source; the first element of it that is there
  std::array<std::int64_t, slots> before = {};               // elements in front of index 0
  std::array<std::int64_t, most_form_axes> begin = {};       // of p
  bool has_coefficients = false;                             // the source is those of a spline
  bool is_part = false;                                      // of a larger one
};

inline Place place_of(const Resampling& r) {
  Place place;
  for (std::size_t a = 0; a < r.axes.size(); ++a) place.extents[a] = r.source.extents[static_cast<std::size_t>(r.axes[a])];
  return place;
}

}  // namespace crinkle::resampling
