// Requests of one block of a tile to memory, in the order of step and thread: a picture of a tile draws them, and they are counted.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "tile/shape.hpp"

namespace crinkle::planning {

struct UnitPlace {
  std::int32_t slot = 0;
  std::int64_t byte = 0;  // from the slot's first byte
  friend auto operator<=>(const UnitPlace&, const UnitPlace&) = default;
};

/// One access of one thread. Threads of a warp whose requests have the same step and instruction ask together.
struct Request {
  std::int64_t number = 0;       // step · threads + thread
  std::int32_t instruction = 0;  // of the step: a thread that goes unit by unit asks once for each
  std::vector<UnitPlace> units = {};
  /// So many neighbours of a warp share sectors: all, or, for vectors of 16 bytes that are copied straight to shared memory, eight.
  std::int32_t lanes = 32;
};

/// The same of shared memory: `bytes` from byte `cell` on.
struct CellRequest {
  std::int64_t number = 0;
  std::int32_t instruction = 0;
  std::int32_t cell = 0;
  std::int32_t bytes = 0;
};

struct Requests {
  std::vector<Request> reads;
  std::vector<Request> writes;
  std::vector<CellRequest> shared_writes;  // of what was read
  std::vector<CellRequest> shared_reads;   // of what is written
};

/// Everything that a kernel asks for the data of one block; not what it asks for the tile itself and the block's tables.
/// Requires index < the tile's number of blocks. Fills are writes without a read; a block past the end has nothing.
Requests requests_of(const tile::Tile& tile, std::uint32_t index);

}  // namespace crinkle::planning
