// Pixels of few narrow channels to planes and back: units change places in registers. Compiled for one plan, or walked through on a CPU.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda/vectors.cuh"
#include "tile/channel_tile.hpp"

namespace crinkle::kernel {

template <int vector, int n>
union Vectors {
  Word<vector> of[n];
  std::uint32_t word[n * vector / 4];
};

/// What is written, from what was read: each word from two pairs of bytes.
template <bool to_planes, bool is_backwards, int unit, int channels, int vector>
__device__ inline Vectors<vector, channels> rearranged(const Vectors<vector, channels>& in) {
  constexpr tile::ChannelTile form{unit, channels, vector, to_planes, is_backwards};
  const auto pair = [&](int byte) {
    const auto a = static_cast<std::uint32_t>(form.source_byte(byte)), b = static_cast<std::uint32_t>(form.source_byte(byte + 1));
    return __byte_perm(in.word[a / 4], in.word[b / 4], a % 4 | (4 + b % 4) << 4);
  };
  Vectors<vector, channels> out;
#pragma unroll
  for (int w = 0; w < channels * vector / 4; ++w) out.word[w] = __byte_perm(pair(4 * w), pair(4 * w + 2), 0x5410);
  return out;
}

/// All lanes of a warp store what they made: through shared memory, so that those side by side store side by side.
template <int unit, int channels, int vector>
__device__ inline void put_pixels(const Vectors<vector, channels>& made, int n_pieces, char* to, char* shared) {
  constexpr tile::ChannelTile form{unit, channels, vector, false};
  const int lane = static_cast<int>(threadIdx.x) % form.lanes;
  auto* cells = reinterpret_cast<Word<vector>*>(shared);
#pragma unroll
  for (int k = 0; k < channels; ++k) cells[form.cell(lane * channels + k)] = made.of[k];
  __syncwarp();
#pragma unroll
  for (int k = 0; k < channels; ++k) {
    const int v = lane + k * form.lanes;
    if (v < n_pieces * channels) store(to + v * vector, cells[form.cell(v)]);
  }
  __syncwarp();  // before the next strip
}

/// Requires tile.shared_bytes() of shared memory.
template <bool to_planes, bool is_backwards, int unit, int channels, int vector>
__device__ inline void move_channels(const tile::ChannelTile& tile, std::uint32_t block, const char* src, char* dst, char* shared) {
  constexpr int each = 16 / vector;
  const int lane = static_cast<int>(threadIdx.x) % tile.lanes, warp = static_cast<int>(threadIdx.x) / tile.lanes;
  const std::uint32_t first = block * tile.strips_of_block() + static_cast<std::uint32_t>(warp * each);
  Vectors<vector, channels> in[each] = {};  // [each]
#pragma unroll
  for (int e = 0; e < each; ++e) {
    const auto strip = tile.strip(first + static_cast<std::uint32_t>(e));
    if (lane >= strip.n_pieces) continue;
    const char* from = src + strip.src + lane * tile.src_step();
#pragma unroll
    for (int k = 0; k < channels; ++k) in[e].of[k] = load<Word<vector>>(from + k * (to_planes ? vector : tile.plane));
  }
#pragma unroll
  for (int e = 0; e < each; ++e) {
    const auto strip = tile.strip(first + static_cast<std::uint32_t>(e));
    const auto made = rearranged<to_planes, is_backwards, unit, channels, vector>(in[e]);
    if constexpr (!to_planes) {
      put_pixels<unit, channels, vector>(made, strip.n_pieces, dst + strip.dst, shared + warp * tile.lanes * tile.piece_bytes());
    } else if (lane < strip.n_pieces) {
#pragma unroll
      for (int k = 0; k < channels; ++k) store(dst + strip.dst + k * tile.plane + lane * vector, made.of[k]);
    }
  }
}

}  // namespace crinkle::kernel
