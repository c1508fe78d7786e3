// Rows whose units are picked by an index array, by a kernel that is compiled for them or by one of the library; entries of whole vectors,
// by one of the library.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "move/cuda/compiled.hpp"
#include "tile/picked_tile.hpp"
#include "tile/taken_tile.hpp"

namespace crinkle {

/// Rows and their indices, in units from where the span begins.
struct TakenRows {
  tile::TakenTile tile;
  std::vector<std::uint16_t> indices;  // [row_units]
};

/// None where a step is no such move: several boxes or arrays, fills, entries that are not side by side in the destination; where rows do
/// not fit in shared memory, or are too few to keep a GPU busy.
std::optional<TakenRows> taken_rows(const Boxes& boxes, const std::vector<EntryTable>& arrays, const Machine& machine);

gpu::KernelSource source_of(const tile::TakenTile& tile);

/// What fraction of a plain copy's rate the kernel is predicted to have: bytes beside those that are taken count, too.
double taken_fraction(const tile::TakenTile& tile);

std::optional<CompiledForm> taken_form(const PlannedStep& step, const Machine& machine);

struct PickedEntries {
  tile::PickedTile tile;
  std::vector<tile::PickedEntry> entries;
};

/// None where a step is no such move: several boxes or arrays, fills, places that are no multiples of 16 bytes.
std::optional<PickedEntries> picked_entries(const Boxes& boxes, const std::vector<EntryTable>& arrays);

std::optional<CompiledForm> picked_form(const PlannedStep& step);

/// The library's tiles for a step of index arrays, as a fraction of a plain copy's rate.
double picked_fraction(const PlannedStep& step);

}  // namespace crinkle
