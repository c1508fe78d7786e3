// Requests are grouped by warp and step: the distinct sectors of a group are what is asked, its bytes over the sector size the fewest.
// Shared memory is counted in wavefronts (tile/banks.hpp). Where not every block is walked, the counts are scaled.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/accesses.hpp"

#include <algorithm>
#include <set>
#include <type_traits>
#include <variant>

#include "plan/requests.hpp"
#include "tile/banks.hpp"

namespace crinkle::plan {
namespace {

constexpr std::int32_t warp = 32;

// Requests come in the order of step and thread, so those of one warp and step are neighbours.
void count_requests(const std::vector<Request>& requests, std::int32_t unit, std::int32_t sector, SideCounts& side) {
  for (std::size_t i = 0; i < requests.size();) {
    const std::int64_t group = requests[i].number / warp;
    std::set<UnitPlace> sectors;
    std::int64_t n_bytes = 0;
    for (; i < requests.size() && requests[i].number / warp == group; ++i) {
      for (const UnitPlace& u : requests[i].units) {
        for (std::int64_t s = u.byte / sector; s <= (u.byte + unit - 1) / sector; ++s) sectors.insert({u.slot, s});
        n_bytes += unit;
      }
    }
    side.requests += 1;
    side.sectors += static_cast<std::int64_t>(sectors.size());
    side.ideal_sectors += (n_bytes + sector - 1) / sector;
  }
}

// One access to shared memory by every lane of a warp: cell(lane) bytes from its start, negative for an idle lane.
template <class Cell>
void count_wavefronts(std::int32_t bytes, Cell cell, SideCounts& side) {
  const int lanes = tile::phase_lanes(bytes);
  for (std::int32_t first = 0; first < warp; first += lanes) {
    std::int32_t cells[warp];
    for (std::int32_t l = 0; l < lanes; ++l) cells[l] = cell(first + l);
    const int n = tile::wavefronts(cells, lanes, bytes);
    side.wavefronts += n;
    side.ideal_wavefronts += n > 0 ? 1 : 0;
  }
}

std::vector<tile::Place> table_of(const tile::Digits& rows, std::int32_t n) {
  std::vector<tile::Place> table;
  for (std::int32_t r = 0; r < n; ++r) table.push_back(rows.at(static_cast<std::uint32_t>(r)));
  return table;
}

void count_shared(const tile::RowTile&, const tile::Block&, AccessCounts&) {}  // it has none

void count_shared(const tile::SegmentedTile& t, const tile::Block& block, AccessCounts& counts) {
  for (std::int32_t first = 0; first < t.n_read_steps() * t.threads; first += warp)
    count_wavefronts(16, [&](std::int32_t lane) { return t.load(block, first + lane).cell; }, counts.read);
  for (std::int32_t first = 0; first < t.n_write_steps() * t.threads; first += warp) {
    for (std::int32_t k = 0; k < t.vector; ++k) {
      count_wavefronts(
          t.frame.unit,
          [&](std::int32_t lane) {
            const auto piece = t.piece(block, first + lane);
            if ((piece.access.mask >> k & 1) == 0) return -1;
            const auto spot = t.spot(piece, k);
            const std::int32_t segment = t.segment_of(spot.column);
            return t.cells[segment].is_fill ? -1 : t.cell(t.base(block, spot.row), segment, spot.column);
          },
          counts.write);
    }
  }
}

void count_shared(const tile::TransposedTile& t, const tile::Block& block, AccessCounts& counts) {
  const auto table = table_of(t.write.rows, t.write.n_table());
  for (std::int32_t w = 0; w < t.threads; w += warp) {
    for (std::int32_t step = 0; step < t.read.n_steps; ++step) {
      for (std::int32_t i = 0; i < t.vector; ++i) {
        count_wavefronts(
            16,
            [&](std::int32_t lane) {
              const auto square = t.square(block, t.read.lane(w + lane), step);
              return square.is_inside ? t.cell(square, i) : -1;
            },
            counts.read);
      }
    }
    for (std::int32_t step = 0; step < t.write.n_steps; ++step) {
      count_wavefronts(
          16,
          [&](std::int32_t lane) {
            const auto piece = t.store(block, t.write.lane(w + lane), step, table.data());
            return piece.access.mask == 0 ? -1 : piece.cell;
          },
          counts.write);
    }
  }
}

void count_shared(const tile::GatheredTile& t, const tile::Block& block, AccessCounts& counts) {
  const auto read_table = table_of(t.read.rows, t.read.n_table()), write_table = table_of(t.write.rows, t.write.n_table());
  for (std::int32_t w = 0; w < t.threads; w += warp) {
    for (std::int32_t step = 0; step < t.read.n_steps; ++step) {
      count_wavefronts(
          t.load_bytes, [&](std::int32_t lane) { return t.load(block, t.read.lane(w + lane), step, read_table.data()).cell; }, counts.read);
    }
    const auto along_steps = static_cast<std::int32_t>(t.write.steps_run.value());
    for (std::int32_t down = 0; down < t.write.steps_down(); ++down) {
      for (std::int32_t along = 0; along < along_steps; ++along) {
        for (std::int32_t k = 0; k < t.vector; ++k) {
          count_wavefronts(
              t.frame.unit,
              [&](std::int32_t lane) {
                const auto at = t.write.lane(w + lane);
                const auto row = t.row(block, at, down, write_table.data());
                const auto piece = t.store(row, along);
                return (piece.access.mask >> k & 1) == 0 ? -1 : t.cell_of(row, piece, t.along(at, k), k);
              },
              counts.write);
        }
      }
    }
  }
}

void scale(SideCounts& side, std::int64_t blocks, std::int64_t n_counted) {
  const double factor = static_cast<double>(blocks) / static_cast<double>(n_counted);
  for (std::int64_t* n : {&side.requests, &side.sectors, &side.ideal_sectors, &side.wavefronts, &side.ideal_wavefronts}) {
    *n = static_cast<std::int64_t>(static_cast<double>(*n) * factor);
  }
}

}  // namespace

AccessCounts count_accesses(const tile::Tile& tile, std::int32_t sector_bytes, std::int64_t most) {
  const tile::Frame& frame = tile::frame_of(tile);
  AccessCounts counts;
  counts.blocks = frame.n_blocks;
  counts.n_counted = std::min(counts.blocks, most);
  for (std::int64_t k = 0; k < counts.n_counted; ++k) {
    const auto index = static_cast<std::uint32_t>(counts.n_counted == 1 ? 0 : k * (counts.blocks - 1) / (counts.n_counted - 1));
    const Requests requests = requests_of(tile, index);
    count_requests(requests.reads, frame.unit, sector_bytes, counts.read);
    count_requests(requests.writes, frame.unit, sector_bytes, counts.write);
    std::visit(
        [&](const auto& t) {
          const tile::Block block = t.block(index);
          if (!block.is_empty()) count_shared(t, block, counts);
        },
        tile);
  }
  if (counts.n_counted < counts.blocks) {
    scale(counts.read, counts.blocks, counts.n_counted);
    scale(counts.write, counts.blocks, counts.n_counted);
  }
  return counts;
}

}  // namespace crinkle::plan
