// Steps with index arrays: the units of every box, once for every combination of entries.
// SPDX-License-Identifier: BSD-3-Clause
#include <bit>

#include "move/cuda/kernels.hpp"
#include "move/cuda/launches.hpp"
#include "move/cuda/unit_tiles.hpp"

namespace crinkle {
namespace {

void take(std::uint64_t& low, const EntryOffsets& offsets) {
  low |= static_cast<std::uint64_t>(offsets.first) | static_cast<std::uint64_t>(offsets.step);
  for (const std::uint32_t n : offsets.narrow) low |= static_cast<std::uint64_t>(n) << offsets.shift;
  for (const std::int64_t n : offsets.wide) low |= static_cast<std::uint64_t>(n);
}

/// The largest power of two up to 16 that divides every entry of the arrays.
std::int64_t alignment_of(std::span<const EntryTable> arrays) {
  std::uint64_t low = 16;
  for (const EntryTable& array : arrays) {
    take(low, array.src);
    take(low, array.dst);
  }
  return std::int64_t{1} << std::countr_zero(low);
}

}  // namespace

CudaStep cuda_gather_step(const planning::Pass& pass, const std::vector<Boxes>& fill_boxes, std::span<const EntryTable> arrays,
                          const Machine& machine, std::int64_t n_sources, std::int64_t n_destinations, int device) {
  const gpu::OnDevice on(device);
  CudaStep made;
  Tables tables;
  const EntriesAt entries = append_entries(arrays, tables);
  const std::int64_t of_entries = alignment_of(arrays);
  const bool is_empty = std::any_of(arrays.begin(), arrays.end(), [](const EntryTable& a) { return a.n_entries == 0; });
  for (std::size_t v = 0; v < planning::alignments.size() && !is_empty; ++v) {
    const std::int64_t alignment = std::min<std::int64_t>(planning::alignments[v], of_entries);
    std::vector<tile::UnitTile> tiles;
    const auto append = [&](const Boxes& boxes, std::int32_t fill) {
      for (const Box& box : boxes) {
        tiles.push_back(unit_tile(planning::box_for(tile::rows_of(box), alignment, machine), entries));
        tiles.back().wanted_fill = fill;
      }
    };
    append(planning::all_boxes(pass), -1);
    for (std::size_t f = 0; f < fill_boxes.size(); ++f) append(fill_boxes[f], static_cast<std::int32_t>(f));
    if (!tiles.empty())
      made.variants[v].push_back(launch_of(std::move(tiles), [](const tile::UnitTile&) { return units_kernel(false); }, tables));
  }
  finish(made, tables, machine, n_sources, n_destinations, device);
  return made;
}

}  // namespace crinkle
