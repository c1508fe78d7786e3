// Launches from tiles: what the executors of a GPU share. For .cu files.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "cuda/runtime.hpp"
#include "move/cuda/kernels.hpp"
#include "move/cuda/move.hpp"
#include "move/cuda/tables.hpp"
#include "tile/exchange_tile.hpp"
#include "tile/small_tile.hpp"
#include "tile/unit_tile.hpp"

namespace crinkle {

using Tables = std::vector<std::byte>;

template <class Tile>
std::uint32_t n_blocks_of(const Tile& tile) {
  return tile.frame.n_blocks;
}
inline std::uint32_t n_blocks_of(const tile::ExchangeTile& exchange) { return exchange.tile.frame.n_blocks; }
inline std::uint32_t n_blocks_of(const tile::UnitTile& tile) { return tile.n_blocks; }
inline std::uint32_t n_blocks_of(const tile::SmallTile& tile) { return tile.n_blocks; }
template <class Tile>
std::int32_t threads_of(const Tile& tile) {
  return tile.threads;
}
inline std::int32_t threads_of(const tile::ExchangeTile& exchange) { return exchange.tile.threads; }

/// Shared memory that a launch asks for and nothing uses, so that not too many blocks run at once.
template <class Tile>
std::int64_t pace_bytes_of(const Tile&) {
  return 0;
}
inline std::int64_t pace_bytes_of(const tile::RowTile& tile) { return tile.is_plain() ? tile.pace_bytes : 0; }

/// One launch of all these tiles by a kernel, given the largest one of them.
template <class Tile, class Kernel>
CudaLaunch launch_of(std::vector<Tile> tiles, const Kernel& kernel, Tables& tables) {
  const auto by_blocks = [](const Tile& a, const Tile& b) { return n_blocks_of(a) < n_blocks_of(b); };
  std::iter_swap(tiles.begin(), std::max_element(tiles.begin(), tiles.end(), by_blocks));
  CudaLaunch launch;
  launch.kernel = kernel(tiles.front());
  launch.tile.resize(sizeof(Tile));
  std::memcpy(launch.tile.data(), &tiles.front(), sizeof(Tile));
  std::vector<std::uint32_t> first_blocks;
  std::int64_t n_blocks = 0, pace_bytes = 0;
  for (std::size_t t = 1; t <= tiles.size(); ++t) {  // the first tile's blocks come last
    const Tile& tile = tiles[t % tiles.size()];
    if (t < tiles.size()) first_blocks.push_back(static_cast<std::uint32_t>(n_blocks));
    else launch.n_before = static_cast<std::uint32_t>(n_blocks);
    n_blocks = add(n_blocks, n_blocks_of(tile));
    launch.threads = std::max(launch.threads, static_cast<std::uint32_t>(threads_of(tile)));
    launch.shared_bytes = std::max<std::int64_t>(launch.shared_bytes, tile.shared_bytes());
    pace_bytes = std::max(pace_bytes, pace_bytes_of(tile));
  }
  if (n_blocks > 0xFFFFFFFFll)
    throw Error(ErrorCode::too_large,
                "a step of " + std::to_string(n_blocks) + " tiles exceeds the 4294967295 of one launch: move it in parts");
  launch.n_blocks = static_cast<std::uint32_t>(n_blocks);
  launch.n_further = static_cast<std::int32_t>(tiles.size()) - 1;
  if (launch.n_further > 0) launch.shared_bytes += shared_bytes_of_tile<Tile>();
  launch.shared_bytes = std::max(launch.shared_bytes, pace_bytes);
  tiles.erase(tiles.begin());
  launch.first_blocks_at = append_table(first_blocks, tables);
  launch.further_at = append_table(tiles, tables);
  return launch;
}

/// Gives a step what every step of a GPU has: tables on the device, memory for the pointers of more buffers than a launch carries, kernels
/// that may use their shared memory.
void finish(CudaStep& step, const Tables& tables, const Machine& machine, std::int64_t n_sources, std::int64_t n_destinations, int device);

}  // namespace crinkle
