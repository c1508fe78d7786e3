// Pixels of few narrow channels to planes, or back: with P pixels of a picture, c channels and units of 1 or 2 bytes
//     planes[k][i] = pixels[i][k],   i in [0, P), k in [0, c).
// A thread has a piece of n = vector / unit pixels: c vectors side by side among the pixels, and one vector of each plane. Units change
// places in its registers,
//     to planes:  out[k · n + p] = in[p · c + k],        to pixels:  out[p · c + k] = in[k · n + p],
// p counted from the other end where pixels go backwards. What a warp stores as pixels goes through shared memory, so that neighbours
// write side by side.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tile/outer_axes.hpp"

namespace crinkle::tile {

struct ChannelTile {
  static constexpr std::int32_t threads = 256, lanes = 32, most_channels = 8;

  std::int32_t unit = 1, channels = 3;
  std::int32_t vector = 16;  // bytes: 4, 8 or 16, which divide all places
  bool to_planes = true;
  bool is_backwards = false;                    // pixels are read from the last one on
  std::uint32_t n_pieces = 1;                   // of a picture
  std::uint32_t n_strips = 1;                   // of a picture: so many pieces as a warp has lanes each
  std::uint32_t n_all = 1;                      // strips of all pictures
  std::int64_t src_offset = 0, dst_offset = 0;  // bytes: the lowest ones of the first piece
  std::int64_t plane = 0;                       // bytes from one plane to the next
  OuterAxes pictures = {};

  CRINKLE_HD constexpr std::int32_t n() const { return vector / unit; }                // pixels of a piece
  CRINKLE_HD constexpr std::int32_t piece_bytes() const { return channels * vector; }  // among the pixels
  CRINKLE_HD constexpr std::int32_t strips_each() const { return 16 / vector; }        // of a warp: bytes enough under way
  CRINKLE_HD constexpr std::uint32_t strips_of_block() const { return static_cast<std::uint32_t>(threads / lanes * strips_each()); }
  CRINKLE_HD constexpr std::int32_t shared_bytes() const { return to_planes ? 0 : threads * piece_bytes(); }

  /// From the lowest byte that a piece reads to the next piece's.
  CRINKLE_HD constexpr std::int32_t src_step() const { return (to_planes ? piece_bytes() : vector) * (is_backwards ? -1 : 1); }
  CRINKLE_HD constexpr std::int32_t dst_step() const { return to_planes ? vector : piece_bytes(); }

  struct Strip {
    std::int64_t src = 0, dst = 0;  // bytes: the lowest ones of its first piece, in the first plane
    std::int32_t n_pieces = 0;
  };
  CRINKLE_HD constexpr Strip strip(std::uint32_t number) const {
    Strip s;
    if (number >= n_all) return s;
    const std::uint32_t picture = number / n_strips, first = (number - picture * n_strips) * lanes, left = n_pieces - first;
    const OuterAxes::Offset at = pictures.at(picture);
    s.src = src_offset + at.src + std::int64_t{first} * src_step();
    s.dst = dst_offset + at.dst + std::int64_t{first} * dst_step();
    s.n_pieces = left < lanes ? static_cast<std::int32_t>(left) : lanes;
    return s;
  }

  /// The byte of all vectors that were read, side by side, which becomes byte `out` of those that are written.
  CRINKLE_HD constexpr std::int32_t source_byte(std::int32_t out) const {
    const std::int32_t u = out / unit, b = out % unit;
    const std::int32_t k = to_planes ? u / n() : u % channels, p = to_planes ? u % n() : u / channels;
    const std::int32_t pixel = is_backwards ? n() - 1 - p : p;
    return (to_planes ? pixel * channels + k : k * n() + pixel) * unit + b;
  }

  /// Where vector v of a warp's pixels lies in its shared memory, in vectors: another one, so that lanes which are a power of two apart
  /// meet other banks.
  CRINKLE_HD constexpr std::int32_t cell(std::int32_t v) const {
    const std::int32_t twos = channels & -channels;
    return v ^ (v / (128 / vector) & (twos - 1));
  }
};

}  // namespace crinkle::tile
