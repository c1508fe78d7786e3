// A resampling as plain numbers, the same for host and device. Axes of the source lie at the end of three slots: those in front of them
// have one element of weight 1. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/loops.hpp"
#include "crinkle/detail/stencil_boundary.hpp"

namespace crinkle::resampling {

inline constexpr int slots = 3, most_form_axes = 16;

enum class MapKind : std::uint8_t { affine, to_polar, from_polar, field };

inline constexpr double spline_pole = -0.26794919243112270647;  // z = √3 − 2
inline constexpr std::int64_t spline_run_up = 40;               // elements on either side of a line that count: |z|^40 < 2^-75

/// The kernel that grows with the scale of each axis.
enum class Growing : std::uint8_t { none, area, mode, linear, cubic, lanczos };

struct FormMap {
  MapKind kind = MapKind::affine;
  std::int32_t n_in = 1, n_out = 1;  // coordinates; axes of p
  double matrix[slots][slots] = {}, offset[slots] = {};
  double size[slots] = {};                                 // elements: up to which numbers the offset was computed from
  double centre[2] = {}, first[2] = {}, step[2] = {1, 1};  // of angle and radius
  double turn = 0;                                         // angles all around, in steps
  bool is_logarithmic = false;
  std::int64_t begin[most_form_axes] = {};  // of p at the result's first element; 0 of a field, which begins there
  bool is_float = false;                    // the field's numbers
  bool is_aligned = false;                  // they lie at multiples of their size: asked on a GPU alone, which else reads bytes
  const std::byte* field = nullptr;
  std::int64_t field_stride = 0;  // from coordinate to coordinate, bytes
  std::int64_t field_strides[most_form_axes] = {};
};

struct FormAxis {
  std::int64_t extent = 1, stride = 0;  // elements; bytes
  std::int64_t before = 0;              // elements in front of the one of index 0
  Bound low = Bound::edge, high = Bound::edge;
  double low_value = 0, high_value = 0;
};

struct Form {
  FormMap map;
  FormAxis in[slots];
  Loop out[most_form_axes];              // slowest first, as all loops here: axes of p; `in` is not used
  std::int32_t n_outer = 0, n_near = 0;  // axes beside them: far apart in the source, or closer than its resampled ones
  Loop outer[most_form_axes], near[most_form_axes];
  std::int32_t n_taps = 2;          // elements along an axis that count: 1, 2 or 4
  Growing growing = Growing::none;  // otherwise so many as growing.hpp says
  double weights[4][4] = {};        // of four: [element][power of the fraction]
  double nodata = 0;
  bool is_aligned = false;  // elements of both arrays lie at multiples of their size, as above
};

/// Whether coordinate a depends on index a alone, for all a, and none gives nodata.
bool is_separable(const Form& form);

}  // namespace crinkle::resampling
