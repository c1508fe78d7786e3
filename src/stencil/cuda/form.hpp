// The arguments of the kernel of stencils: plain values, the same for host and device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "crinkle/detail/stencil_boundary.hpp"

struct CUstream_st;

namespace crinkle {

inline constexpr int most_cuda_axes = 16, cuda_sweep_threads = 256;
/// Elements that a thread makes at once, 32 apart, so that a warp's accesses lie side by side.
inline constexpr int cuda_elements = 4;
/// How a block takes the planes of an array that stream past it: its rows, those of a thread, planes that are asked for before they are
/// needed, and blocks of a multiprocessor at least.
struct StreamTile {
  int rows, per_thread, ahead, blocks;
};
constexpr StreamTile stream_tile(int radius, bool is_box) {
  if (is_box) return radius == 1 ? StreamTile{16, 2, 3, 3} : StreamTile{16, 2, 3, 2};
  return radius <= 2 ? StreamTile{16, 1, 3, 2} : radius == 3 ? StreamTile{16, 2, 3, 2} : StreamTile{32, 2, 3, 1};
}
/// A star of more axes has no kernel of its own.
inline constexpr int most_star_axes = 8;
/// Cells, of as many bytes of the line, that a thread makes of it, one behind the other along its slowest axis.
CRINKLE_HD constexpr int star_length(int radius, int bytes) { return (radius <= 2 ? 4 : 2) * (bytes < 16 ? 2 : 1); }
/// The rows of a star's tile along each of the two axes before the line: 2^star_tile_bits.
inline constexpr int star_tile_bits = 2;
/// Points that go along with a launch; longer lists lie in the device's memory.
inline constexpr int most_cuda_points = 128;

template <class T>
struct CudaPoint {
  std::int64_t delta = 0;  // bytes in the source
  T coefficient = 0;
};

template <class T>
struct CudaSweepAxis {
  std::int64_t extent = 1, in = 0, out = 0;  // cells; strides in bytes
  std::int32_t below = 0, above = 0;         // how far the points reach
  std::int32_t array_axis = 0;               // which of two constant faces gives the value
  Bound low = Bound::edge, high = Bound::edge;
  T low_value = 0, high_value = 0;
};

/// One list of points over an array, once. The last three axes are those of a block's tile, z, y and the line; a cell of the line is
/// `width` elements. The others, slowest first, have one index a block.
template <class T>
struct CudaStage {
  std::int32_t n_axes = 3, width = 1;
  std::int64_t in_element = 0, out_element = 0;             // strides of a cell's elements, bytes
  std::int32_t lane_bits = 5, row_bits = 0, deep_bits = 0;  // threads along a line; rows of a tile along y; z
  std::int32_t line_tile = 1;                               // elements
  std::int32_t march = 1;                                   // rows that a thread makes one after the other
  std::int32_t along = 0;                                   // of a star: the axis along which a thread's cells follow each other
  std::int32_t vector = 16;                                 // of a march: bytes of the line that a thread makes at once
  std::int64_t counts[3] = {1, 1, 1};                       // tiles along z, y and the line
  std::int64_t n_blocks = 0;
  bool is_direct = false;  // lines of both arrays are elements side by side at multiples of their size
  bool is_aligned = true;  // elements lie at multiples of their size
  std::int32_t n_points = 0;
  const std::int32_t* offsets = nullptr;     // [n_points][n_axes] cells
  const CudaPoint<T>* far_points = nullptr;  // where there are more than fit in here
  CudaSweepAxis<T> axes[most_cuda_axes];
  CudaPoint<T> points[most_cuda_points];
};

/// The tiles of a list that has no kernel of its own. `workers`: multiprocessors.
template <class T>
void set_tiles(CudaStage<T>& stage, std::int64_t workers);

/// Given to the stream. `in` and `out` are where the first cells lie.
template <class T>
void launch_stencil(const CudaStage<T>& stage, const std::byte* in, std::byte* out, CUstream_st* stream);

}  // namespace crinkle
