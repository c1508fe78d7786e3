// The normal form's two nouns. A box is an affine copy between two views of one index box,
//     dst[dst_offset + Σ i_a · dst_stride_a] = src[src_offset + Σ i_a · src_stride_a],   0 ≤ i_a < extent_a,
// or a fill, which has no source and writes one pattern of unit bytes everywhere. All strides and offsets are signed bytes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "crinkle/detail/small_vector.hpp"

namespace crinkle {

/// What a stride counts. At most one axis per side of a box is a slot axis: its stride selects the next buffer, not the next byte.
enum class Counts : std::uint8_t { bytes, buffers };

struct Axis {
  std::int64_t extent = 1;
  std::int64_t src_stride = 0;
  std::int64_t dst_stride = 0;
  Counts src_counts = Counts::bytes;
  Counts dst_counts = Counts::bytes;

  friend bool operator==(const Axis&, const Axis&) = default;
};

/// The most axes a box may have: 2^48 units of extent-2 axes, a bit reversal of everything a machine can address.
inline constexpr int max_axes = 48;

/// Inline for an array of rank 8 and the units of its element.
using AxisList = detail::SmallVector<Axis, 9>;

struct Box {
  AxisList axes;                           // slowest destination axis first once simplified
  std::int64_t src_offset = 0;             // bytes; unused by a fill
  std::int64_t dst_offset = 0;             // bytes
  std::int32_t unit = 1;                   // bytes moved at once: 1, 2, 4, 8 or 16
  std::int32_t src_slot = 0;               // buffer the source offset counts from
  std::int32_t dst_slot = 0;               // buffer the destination offset counts from
  bool is_fill = false;                    //
  std::array<std::byte, 16> pattern = {};  // the first `unit` bytes are written by a fill

  friend bool operator==(const Box&, const Box&) = default;
};

using Boxes = detail::SmallVector<Box, 4>;

}  // namespace crinkle
