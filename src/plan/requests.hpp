// The accesses of one block of a tile to global memory, in the order of step and thread: what a picture of a tile draws,
// and what is counted of it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "tile/shape.hpp"

namespace crinkle::plan {

struct UnitPlace {
  std::int32_t slot = 0;
  std::int64_t byte = 0;  // from the slot's first byte
  friend auto operator<=>(const UnitPlace&, const UnitPlace&) = default;
};

/// One access of one thread.
struct Request {
  std::int64_t number = 0;  // step · threads + thread
  std::vector<UnitPlace> units;
};

struct Requests {
  std::vector<Request> reads;
  std::vector<Request> writes;
};

/// Requires index < the tile's number of blocks. Fills are writes without a read; a block past the end has neither.
Requests requests_of(const tile::Tile& tile, std::uint32_t index);

}  // namespace crinkle::plan
