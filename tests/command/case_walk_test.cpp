// Every case of every file in bench/cases, at its full size, planned for a GPU and some of its blocks walked thread by thread: what they
// write belongs to the entry, comes from where the entry says, and is written once; and entries are what the steps say. Bit planes are no
// moves; every other case is walked, those with index arrays unit by unit, the longest of these halved until that is done in time.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "command/written.hpp"
#include "form/check.hpp"
#include "form/simplify.hpp"
#include "harness/random.hpp"
#include "move/cuda/unit_tiles.hpp"
#include "plan/pass.hpp"
#include "suites/indexed.hpp"
#include "suites/operation.hpp"
#include "support/box_map.hpp"
#include "support/drawn.hpp"
#include "support/entry_map.hpp"
#include "support/source_dir.hpp"
#include "words/case_map.hpp"

namespace crinkle::case_walk_test {
namespace {

using bench::Case;
using testing::EntryMap;
using testing::Fault;
using testing::Unit;
using testing::Written;

const auto most_entries = static_cast<std::size_t>(testing::drawn(40));  // of a step, spread over all
constexpr std::int64_t enough_units = 1 << 16;  // walked of a step at one alignment, and the blocks that every tile is walked on
constexpr std::size_t least_blocks = 3;         // of a tile
const auto most_blocks = static_cast<std::uint32_t>(testing::drawn(48));  // drawn, or all of so many
constexpr std::uint64_t n_numbers = 64;                                   // units of an entry that are compared with the step's boxes
constexpr std::int64_t most_indices = 1 << 20;
const std::string folder = testing::source_dir("/bench/cases");

struct Tally {
  std::array<std::int64_t, std::variant_size_v<tile::Tile>> n_tiles = {};  // [kind]
  std::int64_t n_indexed = 0, n_rows_of_segments = 0, n_apart = 0, n_whole = 0, n_blocks = 0, n_units = 0;
};

/// Blocks to walk of so many, the ones that every tile is walked on first, then others: drawn, or all of a few.
std::vector<std::uint32_t> blocks_of(std::uint32_t n) {
  std::vector<std::uint32_t> blocks;
  const auto append = [&](std::uint32_t b) {
    if (b < n && std::find(blocks.begin(), blocks.end(), b) == blocks.end()) blocks.push_back(b);
  };
  for (const std::uint32_t b : {n / 2, 0u, n - 1, n / 3, 1u, n - 2}) append(b);
  std::uint64_t seed = n;
  for (std::uint32_t b = 0; b < most_blocks; ++b) append(n <= most_blocks ? b : static_cast<std::uint32_t>(bench::next_random(seed) % n));
  return blocks;
}

/// The bytes between which boxes read.
testing::Span source_span(const Boxes& boxes) {
  testing::Span span{INT64_MAX, INT64_MIN};
  for (const Box& box : boxes) {
    if (box.is_fill) continue;
    const testing::Span of_box = testing::source_span(box);
    span = {std::min(span.begin, of_box.begin), std::max(span.end, of_box.end)};
  }
  return span;
}

using EntryMaps = std::vector<EntryMap>;

/// A unit of a tile, which may be wider or narrower than an entry's, against the entries: one of them writes it.
Fault compare(const EntryMaps& entries, std::int32_t unit, const Unit& to, const Unit& from) {
  std::int32_t piece = unit;
  for (const EntryMap& entry : entries) piece = std::min(piece, entry.rows().box.unit);
  for (std::int32_t k = 0; k < unit; k += piece) {
    Unit expected{0, testing::unwritten};
    for (const EntryMap& entry : entries)
      if (expected.slot == testing::unwritten) expected = entry.source_of(to.address + k);
    const Unit found = from.slot == testing::filled ? Unit{0, testing::filled} : Unit{from.address + k, from.slot};
    if (to.slot != entries.front().rows().box.dst_slot || !(found == expected))
      return "destination " + std::to_string(to.address + k) + " comes from " + std::to_string(found.address) + " of slot " +
             std::to_string(found.slot) + ", not from " + std::to_string(expected.address) + " of slot " + std::to_string(expected.slot);
  }
  return {};
}

/// Blocks of a tile until they are enough and one of them writes as many units as blocks do on average: no block is missing.
Fault walk_tile(const tile::Tile& tile, const EntryMaps& entries, std::int64_t enough, Tally& tally, Written& written) {
  const std::int32_t unit = tile::frame_of(tile).unit;
  const std::uint32_t n_blocks = tile::frame_of(tile).n_blocks;
  std::int64_t n_bytes = 0;
  Boxes boxes;
  for (const EntryMap& entry : entries) {
    n_bytes += n_bytes_of(entry.rows().box);
    for (Box& box : boxes_of(entry.rows())) boxes.push_back(std::move(box));
  }
  const std::int64_t all = n_bytes / unit, average = (all + n_blocks - 1) / n_blocks;
  const testing::Span span = source_span(boxes);
  std::int64_t n_units = 0, largest = 0;
  std::size_t n_walked = 0;
  Fault fault;
  for (const std::uint32_t block : blocks_of(n_blocks)) {
    if (n_walked >= least_blocks && n_units >= enough && largest >= average) break;
    std::int64_t n_here = 0;
    const Fault found = testing::walk_block(tile, block, span, [&](const Unit& to, const Unit& from) {
      ++n_here;
      written.append(to.address, to.address + unit);
      if (fault.empty()) fault = compare(entries, unit, to, from);
    });
    if (fault.empty()) fault = found;
    if (!fault.empty()) return "block " + std::to_string(block) + " of " + std::to_string(n_blocks) + ": " + fault;
    n_units += n_here;
    largest = std::max(largest, n_here);
    ++n_walked;
  }
  const bool is_whole = n_walked == n_blocks;
  if (is_whole ? n_units != all : largest < average)
    return std::to_string(n_walked) + " of " + std::to_string(n_blocks) + " blocks write " + std::to_string(n_units) + " units of " +
           std::to_string(all) + ", the largest " + std::to_string(largest);
  ++tally.n_tiles[tile.index()];
  tally.n_blocks += static_cast<std::int64_t>(n_walked);
  tally.n_units += n_units;
  tally.n_whole += is_whole ? 1 : 0;
  return {};
}

/// An entry's tile, or its segments' where the alignment does not allow the units of a stitched row.
Fault walk_entry(const tile::Rows& rows, const planning::Choice& choice, std::int32_t alignment, std::int64_t enough, Tally& tally,
                 Written& written) {
  const Machine machine = Machine::h200();
  const bool is_one = rows.segments.size() == 1;
  if (is_one || planning::keeps_unit(rows, alignment)) {
    tally.n_rows_of_segments += is_one ? 0 : 1;
    return walk_tile(planning::tile_of(rows, choice, alignment, machine), {EntryMap(rows)}, enough, tally, written);
  }
  ++tally.n_apart;
  for (const Box& box : boxes_of(rows)) {
    const tile::Rows segment = tile::rows_of(box);
    const tile::Tile tile = choose_tile(planning::box_for(segment, alignment, machine), machine, alignment).tile;
    const Fault fault = walk_tile(tile, {EntryMap(segment)}, enough, tally, written);
    if (!fault.empty()) return fault;
  }
  return {};
}

/// A bundle's tile, or its boxes' where the alignment does not suit it.
Fault walk_bundle(const Boxes& bundle, std::int32_t alignment, std::int64_t enough, Tally& tally, Written& written) {
  EntryMaps entries;
  for (const Box& box : bundle) entries.emplace_back(tile::rows_of(box));
  if (const auto tile = planning::tile_of(bundle, alignment, Machine::h200())) return walk_tile(*tile, entries, enough, tally, written);
  for (const Box& box : bundle) {
    const Machine machine = Machine::h200();
    const tile::Tile tile = choose_tile(planning::box_for(tile::rows_of(box), alignment, machine), machine, alignment).tile;
    const Fault fault = walk_tile(tile, {EntryMap(tile::rows_of(box))}, enough, tally, written);
    if (!fault.empty()) return fault;
  }
  return {};
}

/// Some units of an entry against the boxes of its step: one of them writes each, and from there.
Fault compare_with_boxes(const EntryMap& entry, const std::vector<EntryMap>& boxes) {
  std::uint64_t seed = 1;
  for (std::uint64_t n = 0; n < n_numbers; ++n) {
    const std::int64_t destination = entry.destination_of(n == 0 ? 0 : bench::next_random(seed) >> 1);
    const Unit found = entry.source_of(destination);
    std::int64_t n_same = 0, n_writing = 0;
    for (const EntryMap& box : boxes) {
      const Unit source = box.source_of(destination);
      n_writing += source.slot != testing::unwritten ? 1 : 0;
      n_same += source == found ? 1 : 0;
    }
    if (n_writing != 1 || n_same != 1) return "destination " + std::to_string(destination) + " is not as the step's boxes say";
  }
  return {};
}

Fault walk_boxes(const Boxes& boxes, std::int32_t other_alignment, Tally& tally) {
  const planning::Pass pass = planning::plan_pass(boxes, Machine::h200());
  std::vector<EntryMap> defined;
  std::int64_t n_bytes = 0;
  for (Box box : boxes) {
    simplify(box);
    n_bytes += n_bytes_of(box);
    defined.emplace_back(tile::rows_of(box));
  }
  for (const tile::Rows& rows : pass.entries) n_bytes -= n_bytes_of(rows.box);
  for (const Boxes& bundle : pass.bundles)
    for (const Box& box : bundle) n_bytes -= n_bytes_of(box);
  if (n_bytes != 0) return "the entries write as many bytes less than the boxes: " + std::to_string(n_bytes);
  const std::size_t n = pass.entries.size(), n_walked = std::min(n, most_entries);
  for (const std::int32_t alignment : {16, other_alignment}) {
    Written written;
    for (std::size_t k = 0; k < n_walked; ++k) {
      const std::size_t e = n_walked < 2 ? 0 : k * (n - 1) / (n_walked - 1);
      const tile::Rows& rows = pass.entries[e];
      Fault fault = compare_with_boxes(EntryMap(rows), defined);
      if (fault.empty())
        fault = walk_entry(rows, pass.variant(alignment).choices[e], alignment, enough_units / static_cast<std::int64_t>(n_walked), tally,
                           written);
      if (!fault.empty()) return "entry " + std::to_string(e) + ", alignment " + std::to_string(alignment) + ": " + fault;
    }
    for (const Boxes& bundle : pass.bundles) {
      Fault fault;
      for (const Box& box : bundle)
        if (fault.empty()) fault = compare_with_boxes(EntryMap(tile::rows_of(box)), defined);
      if (fault.empty()) fault = walk_bundle(bundle, alignment, enough_units, tally, written);
      if (!fault.empty()) return "records, alignment " + std::to_string(alignment) + ": " + fault;
    }
    const Fault fault = written.twice();
    if (!fault.empty()) return "alignment " + std::to_string(alignment) + ": " + fault;
  }
  return {};
}

/// The boxes of a step with one index array, unit by unit as a GPU moves them.
Fault walk_indexed(const Step& step, std::int32_t other_alignment, Tally& tally) {
  if (step.gathers.size() != 1 || !step.fill_boxes.empty()) return "several index arrays, or fills";
  std::int64_t of_entries = 16;
  for (const std::int64_t o : step.gathers[0].src_offsets) of_entries = std::gcd(of_entries, o);
  for (const std::int64_t o : step.gathers[0].dst_offsets) of_entries = std::gcd(of_entries, o);
  std::vector<std::byte> tables;
  const EntriesAt entries = append_entries(tables_of(step.gathers), tables);
  const auto* at = reinterpret_cast<const char*>(tables.data());
  for (Box box : step.boxes) {
    simplify(box);
    const testing::IndexedMap map(box, step.gathers[0]);
    for (const std::int64_t alignment : {16, other_alignment}) {
      const tile::UnitTile t = unit_tile(planning::box_for(tile::rows_of(box), std::min(alignment, of_entries), Machine::h200()), entries);
      if (static_cast<std::int64_t>(t.n_units) * t.unit != n_bytes_of(box) * std::ssize(step.gathers[0].src_offsets))
        return "units of fewer or more bytes than the box has";
      Written written;
      for (const std::uint32_t block : blocks_of(t.n_blocks))
        for (std::int32_t i = 0; i < tile::UnitTile::each * tile::UnitTile::threads; ++i) {
          const auto place = t.place(t.number(block, i % tile::UnitTile::threads, i / tile::UnitTile::threads), at);
          if (!place.is_wanted) continue;
          for (std::int32_t k = 0; k < t.unit; k += std::min(t.unit, box.unit))
            if (!map.moves(place.src + k, place.dst + k))
              return "block " + std::to_string(block) + ": destination " + std::to_string(place.dst) + " comes from " +
                     std::to_string(place.src);
          written.append(place.dst, place.dst + t.unit);
          ++tally.n_units;
        }
      tally.n_blocks += std::ssize(blocks_of(t.n_blocks));
      ++tally.n_indexed;
      const Fault fault = written.twice();
      if (!fault.empty()) return fault;
    }
  }
  return {};
}

Rearrangement map_of(const Case& c) {
  const Layout source = Layout::dense(c.extents, c.element_bytes);
  switch (c.kind) {
    case Case::Kind::permutation: return permute(source, c.order);
    case Case::Kind::gather:
    case Case::Kind::scatter: return bench::indexed_map(c, bench::Indexed(c, 1));
    case Case::Kind::apart:  // in memory the groups lie in one array, too
    case Case::Kind::records: {
      const bench::Records records = bench::records_of(c);
      return convert_records(records.from, records.to, c.extents.at(0), {Storage::together, Storage::together, Padding::zero});
    }
    default: return bench::map_of_case(c, tool::map_of).map;
  }
}

TEST(CaseWalk, every_case_of_every_file_at_its_full_size_writes_each_unit_once_from_the_right_source) {
  std::set<std::string> names;
  Tally tally;
  std::int64_t n_cases = 0, n_walked = 0, n_bit_planes = 0;
  std::set<std::string> files;  // in one order everywhere
  for (const auto& file : std::filesystem::directory_iterator(folder)) files.insert(file.path().string());
  for (const std::string& file : files) {
    const std::vector<Case> cases = bench::read_cases(file);
    n_cases += std::ssize(cases);
    for (Case c : cases) {
      while ((c.kind == Case::Kind::gather || c.kind == Case::Kind::scatter) && c.extents[static_cast<std::size_t>(c.axis)] > most_indices)
        c = *bench::halved(c);
      if (c.kind == Case::Kind::planes || c.kind == Case::Kind::from_planes) {
        ++n_bit_planes;
        continue;
      }
      const std::int32_t other_alignment = planning::alignments[static_cast<std::size_t>(n_walked % 4)];
      const std::int64_t n_units_before = tally.n_units;
      for (const Step& step : map_of(c).steps().steps)
        EXPECT_EQ(step.gathers.empty() ? walk_boxes(step.boxes, other_alignment, tally) : walk_indexed(step, other_alignment, tally), "")
            << c.place << ": " << c.name;
      names.insert(c.name);
      n_walked += tally.n_units > n_units_before ? 1 : 0;
    }
  }
  EXPECT_EQ(n_walked + n_bit_planes, n_cases);
  EXPECT_GT(n_walked, 500);
  for (std::size_t kind = 0; kind < tally.n_tiles.size(); ++kind)
    EXPECT_GT(tally.n_tiles[kind], 20) << tile::name_of(static_cast<tile::Kind>(kind));
  EXPECT_GT(tally.n_rows_of_segments, 20);
  EXPECT_GT(tally.n_apart, 20);
  EXPECT_GT(tally.n_indexed, 20);
  for (const char* name : {"flip_x", "roll_y_3001_x_1234", "crinkle_y_2", "uncrinkle_x_3", "records_to_planes_3", "planes_to_records_3",
                           "bit_reverse_2^26", "morton_8192", "roll_flip_transpose", "transpose_huge_odd_el1"})
    EXPECT_TRUE(names.contains(name)) << name;
  for (std::size_t kind = 0; kind < tally.n_tiles.size(); ++kind)
    std::cout << tally.n_tiles[kind] << " " << tile::name_of(static_cast<tile::Kind>(kind)) << ", ";
  std::cout << tally.n_indexed << " indexed tiles of " << n_walked << " cases; " << tally.n_rows_of_segments << " rows of segments, "
            << tally.n_apart << " apart; " << tally.n_whole << " tiles whole; " << tally.n_blocks << " blocks, " << tally.n_units
            << " units\n";
}

}  // namespace
}  // namespace crinkle::case_walk_test
