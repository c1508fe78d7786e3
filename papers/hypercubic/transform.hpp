// The transforms that the suite `hypercubic` measures, on n × n float32, with their definitions.
// Source: Hawick and Playne, "Hypercubic storage layout and transforms in arbitrary dimensions using GPUs and CUDA", section 9.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "crinkle/executor.hpp"
#include "crinkle/rearrangement.hpp"

struct CUstream_st;

namespace crinkle::bench {

/// One operation with its numbers. Axis 0 is the fast one, as in the paper.
struct Transform {
  enum class Kind : std::uint8_t { blur, flip, shift, crinkle };

  Kind kind = Kind::blur;
  std::int64_t n = 1;                          // extent of both axes
  std::array<bool, 2> is_flipped = {};         // flip: i ↦ n − 1 − i
  std::array<std::int64_t, 2> distances = {};  // shift: i ↦ (i + distance) mod n
  int axis = 0;                                // crinkle: phase i mod step becomes the slowest axis
  std::int64_t step = 2;                       // of two or more; divides n
};

enum class Version : std::uint8_t {
  by_hand,      // A: written for two dimensions
  by_bits,      // B: k-indices of power-of-two extents
  by_division,  // C: k-indices of any extents, on a CPU a run of cells at a time
  by_plan       // this library's plan: any extents, rank and element; of a blur its sweep, whose products come before its sums
};
const char* name_of(Version version);  // "A", "B", "C", "crinkle"

/// What the paper averages over: flips of x, of y, of both; shifts by 4 pairs of distances drawn from −n … n; crinkles of either axis by
/// 2, 4 and 8; one blur. Requires n to be a multiple of 8.
std::vector<Transform> transforms_of(Transform::Kind kind, std::int64_t n, std::uint64_t seed);

/// "shift by 13, -200", and "shift by 13, -200 of 256"
std::string direction_of(const Transform& t);
std::string text_of(const Transform& t);

/// A transform that moves elements, as a rearrangement. Requires t.kind ≠ blur.
Rearrangement map_of(const Transform& t);

/// In version A, B or C, from n × n floats to as many, on all workers. Everything that can be prepared is prepared
/// here. The executor must outlive the result. Throws bad_shape for version B unless n is a power of two.
std::function<void(const float* src, float* dst)> loop_of(const Transform& t, Version version, Executor& executor);
/// The same by a kernel in version A, B or C between a device's arrays, given to the stream.
/// Requires n below 2^16, a power of two from 256 on or a multiple of 2048.
std::function<void()> kernel_of(const Transform& t, Version version, const float* src, float* dst, CUstream_st* stream);

/// The blur's definition: dst[y][x] = (src[y][x] + src[y][x−1] + src[y][x+1] + src[y−1][x] + src[y+1][x]) · 0.2, added in this order, rows
/// and columns taken modulo n.
inline float blurred(float centre, float left, float right, float above, float below) {
  return (centre + left + right + above + below) * 0.2F;
}
/// The first byte of a blur's result that is not as defined, or −1: equal to the last bit, or within a difference.
std::int64_t first_wrong_of_blur(std::int64_t n, const float* src, const float* dst, Executor& executor, float within = 0);

}  // namespace crinkle::bench
