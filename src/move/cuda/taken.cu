// Rows and entries that an index array picks from, and pixels, by kernels of the library. SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/taken.cuh"

#include "move/cuda/ahead.hpp"
#include "move/cuda/channels.cuh"
#include "move/cuda/picked.cuh"
#include "tile/axis_maps.hpp"

namespace crinkle {
namespace {

using tile::ChannelTile;
using tile::PickedTile;
using tile::Sources;
using tile::TakenTile;

template <int unit, int vector>
__global__ void __launch_bounds__(TakenTile::threads, 3)
    taken(std::uint32_t first, const __grid_constant__ Sources sources, char* __restrict__ dst, const char* __restrict__ indices,
          const __grid_constant__ TakenTile tile) {
  extern __shared__ __align__(128) char shared[];
  kernel::move_taken<unit, vector>(tile, first + blockIdx.x, sources.at[0], dst, indices, shared);
}

__global__ void __launch_bounds__(PickedTile::threads, 6)
    picked(std::uint32_t first, const __grid_constant__ Sources sources, char* __restrict__ dst, const char* __restrict__ table,
           const __grid_constant__ PickedTile tile) {
  kernel::move_picked(tile, first + blockIdx.x, sources.at[0], dst, table);
}

template <int n, bool to_planes>
__global__ void __launch_bounds__(ChannelTile::threads, 4)
    channels(std::uint32_t first, const __grid_constant__ Sources sources, char* __restrict__ dst, const char*,
             const __grid_constant__ ChannelTile tile) {
  extern __shared__ __align__(128) char shared[];
  kernel::move_channels<to_planes, false, 1, n, 16>(tile, first + blockIdx.x, sources.at[0], dst, shared);
}

template <int n>
const void* channels_of(bool to_planes) {
  return to_planes ? reinterpret_cast<const void*>(&channels<n, true>) : reinterpret_cast<const void*>(&channels<n, false>);
}
template <int unit>
const void* taken_of(bool is_wide) {
  return is_wide ? reinterpret_cast<const void*>(&taken<unit, 16>) : reinterpret_cast<const void*>(&taken<unit, unit>);
}

}  // namespace

const void* taken_kernel(int unit, bool is_wide) {
  switch (unit) {
    case 1: return taken_of<1>(is_wide);
    case 2: return taken_of<2>(is_wide);
    case 4: return taken_of<4>(is_wide);
    case 8: return taken_of<8>(is_wide);
    default: return taken_of<16>(true);
  }
}

const void* picked_kernel() { return reinterpret_cast<const void*>(&picked); }

const void* channels_kernel(int n, bool to_planes) { return n == 3 ? channels_of<3>(to_planes) : channels_of<4>(to_planes); }

}  // namespace crinkle
