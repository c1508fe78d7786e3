// Counting accesses: one block by walking its warps, all blocks by classes.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/counts.hpp"

#include <algorithm>
#include <array>

#include "base/checked.hpp"
#include "tile/banks.hpp"

namespace crinkle {
namespace {

constexpr int warp = 32;

/// The lanes of one request: addresses in the order of lanes, the same width for all.
struct Request {
  std::array<std::int64_t, 2 * warp> sector = {};
  int n_sectors = 0;
  std::int64_t bytes = 0;

  void add(std::int64_t address, std::int32_t slot, std::int64_t width, std::int64_t sector_bytes) {
    bytes += width;
    const std::int64_t key = static_cast<std::int64_t>(slot) << 50;  // addresses stay far below 2^50 sectors
    const std::int64_t first = floor_divide(address, sector_bytes), last = floor_divide(address + width - 1, sector_bytes);
    for (std::int64_t s = first; s <= last; ++s)
      if (n_sectors == 0 || sector[static_cast<std::size_t>(n_sectors - 1)] != s + key)
        sector[static_cast<std::size_t>(n_sectors++)] = s + key;
  }
  void count_into(SideCounts& side, std::int64_t sector_bytes) {
    if (bytes == 0) return;
    std::sort(sector.begin(), sector.begin() + n_sectors);
    ++side.requests;
    side.sectors += std::unique(sector.begin(), sector.begin() + n_sectors) - sector.begin();
    side.ideal_sectors += ceil_divide(bytes, sector_bytes);
    side.bytes += bytes;
  }
};

/// Cells of one request to shared memory.
struct SharedRequest {
  std::array<std::int32_t, warp> cell;
  SharedRequest() { cell.fill(-1); }

  void count_into(AccessCounts& counts, std::int32_t bytes) const {
    const int lanes = tile::phase_lanes(bytes);
    for (int from = 0; from < warp; from += lanes) {
      const int n = tile::wavefronts(cell.data() + from, lanes, bytes);
      counts.shared_wavefronts += n;
      counts.ideal_wavefronts += n > 0 ? 1 : 0;
    }
  }
};

/// A tile's warps one after the other, with its tables ready.
struct Counter {
  std::int64_t sector;
  AccessCounts counts = {};
  detail::SmallVector<tile::Place, 256> read_table, write_table;

  static void fill(detail::SmallVector<tile::Place, 256>& table, const tile::Digits& rows, std::int32_t n) {
    table.clear();
    for (std::int32_t r = 0; r < n; ++r) table.push_back(rows.at(static_cast<std::uint32_t>(r)));
  }

  void walk(const tile::TransposedTile& t, const tile::Block& block) {
    for (std::int32_t w = 0; w < t.threads; w += warp) {
      for (std::int32_t step = 0; step < t.read.n_steps; ++step)
        for (std::int32_t k = 0; k < t.vector; ++k) {
          Request request;
          SharedRequest shared;
          for (std::int32_t lane = 0; lane < warp && w + lane < t.threads; ++lane) {
            const auto square = t.square(block, t.read.lane(w + lane), step);
            if (!square.is_inside) continue;
            const tile::Access access = t.load(square, k, read_table.data());
            request.add(access.address, access.slot, 16, sector);
            shared.cell[static_cast<std::size_t>(lane)] = t.cell(square, k);
          }
          request.count_into(counts.read, sector);
          shared.count_into(counts, 16);
        }
      for (std::int32_t step = 0; step < t.write.n_steps; ++step) {
        Request request;
        SharedRequest shared;
        for (std::int32_t lane = 0; lane < warp && w + lane < t.threads; ++lane) {
          const auto piece = t.store(block, t.write.lane(w + lane), step, write_table.data());
          if (piece.access.mask == 0) continue;
          request.add(piece.access.address, piece.access.slot, 16, sector);
          shared.cell[static_cast<std::size_t>(lane)] = piece.cell;
        }
        request.count_into(counts.write, sector);
        shared.count_into(counts, 16);
      }
    }
  }

  void walk(const tile::GatheredTile& t, const tile::Block& block) {
    const std::int32_t unit = t.frame.unit;
    for (std::int32_t w = 0; w < t.threads; w += warp) {
      for (std::int32_t step = 0; step < t.read.n_steps; ++step) {
        Request request;
        SharedRequest shared;
        for (std::int32_t lane = 0; lane < warp && w + lane < t.threads; ++lane) {
          const auto load = t.load(block, t.read.lane(w + lane), step, read_table.data());
          if (load.cell < 0) continue;
          request.add(load.address, load.slot, t.load_bytes, sector);
          shared.cell[static_cast<std::size_t>(lane)] = load.cell;
        }
        request.count_into(counts.read, sector);
        shared.count_into(counts, t.load_bytes);
      }
      for (std::int32_t index = 0; index < t.write.n_steps; ++index) {
        const tile::Walk::Step step = t.write.step(index);
        Request whole;
        std::array<Request, 16> partial;
        std::array<SharedRequest, 16> shared;
        for (std::int32_t lane = 0; lane < warp && w + lane < t.threads; ++lane) {
          const tile::Walk::Lane place = t.write.lane(w + lane);
          const auto row = t.row(block, place, step.down, write_table.data());
          const auto piece = t.store(row, step.along);
          const bool is_whole = piece.access.mask == (1u << t.vector) - 1;
          if (is_whole) whole.add(piece.access.address, piece.access.slot, t.store_bytes, sector);
          for (std::int32_t k = 0; k < t.vector; ++k) {
            if ((piece.access.mask >> k & 1) == 0) continue;
            if (!is_whole) partial[static_cast<std::size_t>(k)].add(piece.access.address + k * unit, piece.access.slot, unit, sector);
            shared[static_cast<std::size_t>(k)].cell[static_cast<std::size_t>(lane)] = t.cell_of(row, piece, t.along(place, k), k);
          }
        }
        whole.count_into(counts.write, sector);
        for (std::int32_t k = 0; k < t.vector; ++k) {
          partial[static_cast<std::size_t>(k)].count_into(counts.write, sector);
          shared[static_cast<std::size_t>(k)].count_into(counts, unit);
        }
      }
    }
  }

  void walk(const tile::RowTile& t, const tile::Block& block) {
    using How = tile::RowTile::How;
    const std::int32_t unit = t.frame.unit;
    for (std::int32_t w = 0; w < t.threads; w += warp)
      for (std::int32_t step = 0; step < t.walk.n_steps; ++step) {
        Request low, high, whole;
        std::array<Request, 16> from, to;
        for (std::int32_t lane = 0; lane < warp && w + lane < t.threads; ++lane) {
          const auto piece = t.piece(block, t.walk.lane(w + lane), step);
          if (piece.access.mask == 0) continue;
          const std::int32_t slot = piece.row_slot + t.segments[piece.segment].src_slot;
          if (piece.how == How::forwards || piece.how == How::backwards) {
            low.add(piece.src, slot, t.piece_bytes, sector);
            if (piece.shift != 0) high.add(piece.src + t.piece_bytes, slot, t.piece_bytes, sector);
          }
          if (piece.how == How::standing) low.add(piece.src, slot, unit, sector);
          if (piece.how != How::units) whole.add(piece.access.address, piece.access.slot, t.piece_bytes, sector);
          for (std::int32_t k = 0; k < t.vector && piece.how == How::units; ++k) {
            if ((piece.access.mask >> k & 1) == 0) continue;
            const tile::Access source = t.source(piece, k);
            if (source.mask != 0) from[static_cast<std::size_t>(k)].add(source.address, source.slot, unit, sector);
            to[static_cast<std::size_t>(k)].add(piece.access.address + k * unit, piece.access.slot, unit, sector);
          }
        }
        low.count_into(counts.read, sector);
        high.count_into(counts.read, sector);
        whole.count_into(counts.write, sector);
        for (std::size_t k = 0; k < static_cast<std::size_t>(t.vector); ++k) {
          from[k].count_into(counts.read, sector);
          to[k].count_into(counts.write, sector);
        }
      }
  }
};

void add(AccessCounts& total, const AccessCounts& one, std::int64_t times, std::int64_t out_of) {
  const auto scaled = [&](std::int64_t n) { return n * times / out_of; };
  const auto side = [&](SideCounts& to, const SideCounts& from) {
    to.requests += scaled(from.requests);
    to.sectors += scaled(from.sectors);
    to.ideal_sectors += scaled(from.ideal_sectors);
    to.bytes += scaled(from.bytes);
  };
  side(total.read, one.read);
  side(total.write, one.write);
  total.shared_wavefronts += scaled(one.shared_wavefronts);
  total.ideal_wavefronts += scaled(one.ideal_wavefronts);
  total.blocks += scaled(one.blocks);
}

/// Positions along a cut axis that differ from their neighbours, each with the number of tiles it stands for.
struct Positions {
  struct Position {
    std::int64_t tile;
    std::int64_t weight;
  };
  detail::SmallVector<Position, 24> at;
};

Positions positions(std::int64_t n_tiles, const detail::SmallVector<std::int64_t, 16>& special) {
  detail::SmallVector<std::int64_t, 24> tiles;
  for (const std::int64_t t : {std::int64_t{0}, n_tiles / 2, n_tiles - 2, n_tiles - 1})
    tiles.push_back(std::clamp<std::int64_t>(t, 0, n_tiles - 1));
  for (const std::int64_t t : special)
    if (t >= 0 && t < n_tiles) tiles.push_back(t);
  std::sort(tiles.begin(), tiles.end());
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
  Positions positions;
  for (const std::int64_t t : tiles) positions.at.push_back({t, 1});
  // All tiles without a place of their own are like the one in the middle.
  for (auto& p : positions.at)
    if (p.tile == n_tiles / 2) p.weight += n_tiles - static_cast<std::int64_t>(positions.at.size());
  return positions;
}

template <class Tile>
AccessCounts count(const Tile& t, const Machine& machine, std::int64_t most_requests,
                   const detail::SmallVector<std::int64_t, 16>& special) {
  const tile::Frame& frame = t.frame;
  Counter counter{machine.sector_bytes};
  if constexpr (requires { t.n_table(); }) Counter::fill(counter.read_table, t.rows, t.n_table());
  if constexpr (requires {
                  t.read;
                  t.load_bytes;
                })
    Counter::fill(counter.read_table, t.read.rows, t.read.n_table());
  if constexpr (requires { t.write; }) Counter::fill(counter.write_table, t.write.rows, t.write.n_table());
  const auto walk = [&](std::uint32_t index) {
    counter.counts = {};
    const tile::Block block = t.block(index);
    if (block.is_empty()) return;
    counter.walk(t, block);
    counter.counts.blocks = 1;
  };
  AccessCounts total;
  walk(frame.n_blocks / 2);
  const std::int64_t per_block = std::max<std::int64_t>(1, counter.counts.read.requests + 4 * counter.counts.write.requests);
  if (static_cast<std::int64_t>(frame.n_blocks) <= most_requests / per_block || frame.n_blocks <= 4) {
    for (std::uint32_t b = 0; b < frame.n_blocks; ++b) {
      walk(b);
      add(total, counter.counts, 1, 1);
    }
    return total;
  }

  // A class is a position on both cut axes; its blocks differ in the other digits, which are sampled unless they keep their place in a
  // line.
  std::int64_t others = 1;
  bool is_even = true;
  for (std::int32_t a = 0; a < frame.n_grid; ++a) {
    if (frame.grid[a].cut == tile::no_cut) others *= frame.grid[a].extent.value();
    is_even = is_even && frame.grid[a].src % machine.line_bytes == 0 && frame.grid[a].dst % machine.line_bytes == 0;
  }
  const auto tiles_of = [&](int c) { return ceil_divide(frame.cut[c].extent + (c == 1 ? frame.reach : 0), frame.cut[c].tile); };
  const Positions first = positions(tiles_of(0), {}), second = positions(tiles_of(1), special);
  const auto n_classes = static_cast<std::int64_t>(first.at.size() * second.at.size());
  const std::int64_t n_samples =
      is_even ? 1 : std::clamp<std::int64_t>(most_requests / per_block / n_classes, 1, std::min<std::int64_t>(others, 8));
  for (const auto& p : first.at)
    for (const auto& q : second.at) {
      AccessCounts sampled;
      for (std::int64_t sample = 0; sample < n_samples; ++sample) {
        std::int64_t index = 0, step = 1, rest = others * (2 * sample + 1) / (2 * n_samples);
        for (std::int32_t a = 0; a < frame.n_grid; ++a) {
          const tile::GridDigit& digit = frame.grid[a];
          const std::int64_t extent = digit.extent.value();
          std::int64_t i = rest % extent;
          if (digit.cut == tile::no_cut) rest /= extent;
          if (digit.cut != tile::no_cut) i = (digit.cut == 0 ? p.tile : q.tile) * frame.cut[digit.cut].tile / digit.advance % extent;
          index += i * step;
          step *= extent;
        }
        walk(static_cast<std::uint32_t>(index));
        add(sampled, counter.counts, 1, 1);
      }
      add(total, sampled, p.weight * q.weight * others, n_samples);
    }
  total.is_exact = is_even;
  return total;
}

}  // namespace

AccessCounts count_accesses(const Tiling& tiling, const Machine& machine, std::int64_t most_requests) {
  detail::SmallVector<std::int64_t, 16> special;
  if (const auto* rows =
          std::get_if<tile::RowTile>(&tiling.tile))  // blocks of a row with a seam in them, wherever in a line the row begins
    for (std::int32_t s = 1; s < rows->n_segments; ++s) {
      const std::int64_t piece = rows->segments[s].first / rows->vector;
      special.push_back(piece / rows->frame.cut[1].tile);
      special.push_back((piece + tile::RowTile::line / rows->piece_bytes) / rows->frame.cut[1].tile);
    }
  return std::visit([&](const auto& t) { return count(t, machine, most_requests, special); }, tiling.tile);
}

}  // namespace crinkle
