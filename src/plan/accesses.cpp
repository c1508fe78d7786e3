// Requests of one warp, step and instruction are one: its distinct sectors are what is asked, its bytes over the sector size the fewest.
// Shared memory is counted in wavefronts (tile/banks.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/accesses.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "plan/requests.hpp"
#include "tile/banks.hpp"

namespace crinkle::planning {
namespace {

constexpr std::int32_t warp = 32;
constexpr std::int64_t most_classified = 1 << 20;  // blocks

/// Calls visit(first, last) for the requests of one warp, step and instruction after the other.
template <class T, class Visit>
void by_warp(std::vector<T>& requests, std::int32_t threads, Visit visit) {
  const auto key = [threads](const T& r) { return std::tuple(r.number / threads, r.instruction, r.number % threads / warp); };
  std::sort(requests.begin(), requests.end(), [&](const T& a, const T& b) { return key(a) < key(b); });
  for (auto first = requests.begin(); first != requests.end();) {
    const auto last = std::find_if(first, requests.end(), [&](const T& r) { return key(r) != key(*first); });
    visit(first, last);
    first = last;
  }
}

void count_requests(std::vector<Request>& requests, std::int32_t threads, std::int32_t unit, std::int32_t sector, SideCounts& side) {
  std::vector<std::pair<std::int64_t, UnitPlace>> sectors;  // of the lanes that share them
  by_warp(requests, threads, [&](auto first, auto last) {
    std::int64_t n_bytes = 0;
    sectors.clear();
    for (; first != last; ++first) {
      for (const UnitPlace& u : first->units) {
        for (std::int64_t s = u.byte / sector; s <= (u.byte + unit - 1) / sector; ++s)
          sectors.push_back({first->number % threads % warp / first->lanes, {u.slot, s}});
        n_bytes += unit;
      }
    }
    std::sort(sectors.begin(), sectors.end());
    side.requests += 1;
    side.sectors += std::unique(sectors.begin(), sectors.end()) - sectors.begin();
    side.ideal_sectors += (n_bytes + sector - 1) / sector;
  });
}

void count_wavefronts(std::vector<CellRequest>& requests, std::int32_t threads, SideCounts& side) {
  by_warp(requests, threads, [&](auto first, auto last) {
    std::array<std::int32_t, warp> cells;
    cells.fill(-1);
    const std::int32_t bytes = first->bytes, lanes = tile::phase_lanes(bytes);
    for (; first != last; ++first) cells[static_cast<std::size_t>(first->number % threads % warp)] = first->cell;
    for (std::int32_t lane = 0; lane < warp; lane += lanes) {
      const int n = tile::wavefronts(cells.data() + lane, lanes, bytes);
      side.wavefronts += n;
      side.ideal_wavefronts += n > 0 ? 1 : 0;
    }
  });
}

/// Equal for blocks that ask alike.
using Key = std::array<std::int64_t, 12>;

/// Whether every vector that could be read for the block lies inside the source: then it does not matter where exactly.
bool is_inside(const tile::TransposedTile&, const tile::Block&) { return true; }
bool is_inside(const tile::GatheredTile& t, const tile::Block& block) { return !t.is_superset || t.is_inside(block); }
bool is_inside(const tile::SegmentedTile& t, const tile::Block& block) { return t.is_inside(block); }
bool is_inside(const tile::RecordTile& t, const tile::Block& block) { return block.first > 0 && block.first + t.chunk < t.n_records; }
bool is_inside(const tile::RowTile& t, const tile::Block& block) {
  const std::int64_t down = (t.walk.n_rows - 1) * t.row_src.address, vectors = 2 * t.piece_bytes;
  for (std::int32_t s = 0; s < t.n_segments; ++s) {
    const tile::Segment& segment = t.segments[s];
    if (segment.is_fill || segment.src_step == 0) continue;
    const std::int64_t end = s + 1 < t.n_segments ? t.segments[s + 1].first : t.row_units;
    const std::int64_t begin = block.src + segment.src_offset, last = begin + (end - segment.first - 1) * segment.src_step;
    if (std::min({begin, last, begin + down, last + down}) - vectors < t.src_begin[s] ||
        std::max({begin, last, begin + down, last + down}) + vectors > t.src_end[s])
      return false;
  }
  return true;
}

/// The part of a block's place in a row that its requests depend on; if all of it is one stretch, only how that is read.
struct PlaceInRow {
  bool is_stretch = false;
  std::int64_t first = 0, src = 0;
};
PlaceInRow place_in_row(const tile::RowTile& t, const tile::Block& block) {
  const auto stretch = t.stretch(block);
  if (stretch.begin != 0 || stretch.end != t.walk.n_pieces) return {false, block.first, 0};
  return {true, static_cast<std::int64_t>(stretch.how), stretch.src + stretch.shift};
}
template <class Tile>
PlaceInRow place_in_row(const Tile&, const tile::Block&) {
  return {};
}

template <class Tile>
Key key_of(const Tile& t, const tile::Block& b, std::int64_t line) {
  const PlaceInRow place = place_in_row(t, b);
  const std::int64_t exactly = place.is_stretch || is_inside(t, b) ? -1 : b.src;
  const std::int64_t src = place.is_stretch ? place.src : b.src;
  return {src & (line - 1),
          b.dst & (line - 1),
          place.first,
          exactly,
          b.low,
          b.cell,
          b.read_pieces,
          b.read_rows,
          b.write_units,
          b.write_rows,
          b.is_inner ? 1 : 0,
          place.is_stretch ? 1 : 0};
}

struct Class {
  std::uint32_t index = 0;  // of one of its blocks
  std::int64_t n_blocks = 0;
};

std::vector<Class> classes_of(const tile::Tile& tile, std::int64_t n_classified) {
  const std::int64_t n = tile::frame_of(tile).n_blocks;
  const std::int64_t line = std::holds_alternative<tile::RowTile>(tile) ? tile::RowTile::line : 32;
  std::map<Key, Class> classes;
  for (std::int64_t k = 0; k < n_classified; ++k) {
    const auto index = static_cast<std::uint32_t>(n_classified == 1 ? 0 : k * (n - 1) / (n_classified - 1));
    Class& c = classes[std::visit([&](const auto& t) { return key_of(t, t.block(index), line); }, tile)];
    if (c.n_blocks++ == 0) c.index = index;
  }
  std::vector<Class> list;
  for (const auto& [key, c] : classes) list.push_back(c);
  std::sort(list.begin(), list.end(),
            [](const Class& a, const Class& b) { return a.n_blocks != b.n_blocks ? a.n_blocks > b.n_blocks : a.index < b.index; });
  return list;
}

void scale(SideCounts& side, double factor) {
  for (std::int64_t* n : {&side.requests, &side.sectors, &side.ideal_sectors, &side.wavefronts, &side.ideal_wavefronts})
    *n = static_cast<std::int64_t>(static_cast<double>(*n) * factor);
}

}  // namespace

AccessCounts count_block(const tile::Tile& tile, std::uint32_t index, std::int32_t sector_bytes) {
  const std::int32_t threads = tile::threads_of(tile), unit = tile::frame_of(tile).unit;
  Requests requests = requests_of(tile, index);
  AccessCounts counts;
  count_requests(requests.reads, threads, unit, sector_bytes, counts.read);
  count_requests(requests.writes, threads, unit, sector_bytes, counts.write);
  count_wavefronts(requests.shared_writes, threads, counts.read);
  count_wavefronts(requests.shared_reads, threads, counts.write);
  counts.blocks = counts.n_counted = 1;
  return counts;
}

AccessCounts count_accesses(const tile::Tile& tile, std::int32_t sector_bytes, std::int64_t most) {
  AccessCounts counts;
  counts.blocks = tile::frame_of(tile).n_blocks;
  const std::int64_t n_classified = std::min(counts.blocks, most_classified);
  std::vector<Class> classes = classes_of(tile, n_classified);
  if (std::ssize(classes) > most) classes.resize(static_cast<std::size_t>(most));
  for (const Class& c : classes) {
    const AccessCounts one = count_block(tile, c.index, sector_bytes);
    counts.read.add(one.read, c.n_blocks);
    counts.write.add(one.write, c.n_blocks);
    counts.n_counted += c.n_blocks;
  }
  if (counts.n_counted < counts.blocks) {
    const double factor = static_cast<double>(counts.blocks) / static_cast<double>(counts.n_counted);
    scale(counts.read, factor);
    scale(counts.write, factor);
  }
  return counts;
}

}  // namespace crinkle::planning
