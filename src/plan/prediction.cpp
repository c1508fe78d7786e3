// SPDX-License-Identifier: BSD-3-Clause
#include "plan/prediction.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "form/check.hpp"

namespace crinkle::planning {
namespace {

// Medians (docs/tuning.md), by elements of 1, 2, 4, 8, 16, 32 and 64 bytes and more; what was not measured has the value of its neighbour.
// Lengths that are no power of two are put together from narrower words.
struct Fractions {
  std::array<double, 7> of_power, other;
};
constexpr Fractions rows = {{0.85, 0.85, 0.85, 0.9, 0.9, 0.9, 0.98}, {0.85, 0.85, 0.85, 0.85, 0.85, 0.9, 0.98}};
constexpr Fractions blocks = {{0.6, 0.63, 0.8, 0.86, 0.88, 0.9, 0.98}, {0.45, 0.45, 0.5, 0.55, 0.75, 0.78, 0.98}};
constexpr Fractions records = {{0.85, 0.85, 0.85, 0.9, 0.9, 0.9, 0.9}, {0.54, 0.54, 0.54, 0.54, 0.54, 0.54, 0.54}};
constexpr Fractions packed = {{0.44, 0.48, 0.55, 0.57, 0.59, 0.6, 0.6}, {0.32, 0.32, 0.43, 0.51, 0.6, 0.56, 0.56}};
constexpr Fractions scattered = {{0.05, 0.07, 0.1, 0.17, 0.3, 0.4, 0.6}, {0.05, 0.07, 0.1, 0.17, 0.3, 0.4, 0.6}};

const Fractions& fractions_of(Regime regime) {
  switch (regime) {
    case Regime::rows: return rows;
    case Regime::blocks: return blocks;
    case Regime::interlace:
    case Regime::deinterlace: return records;
    case Regime::packed: return packed;
    case Regime::scattered: return scattered;
  }
  return scattered;
}

/// What a side costs: sectors beyond the fewest, of which some are still in the cache; and instructions, by what asks for them.
struct SideCosts {
  double sector, request, wavefront;
};
/// The speed that tiles of a kind reach if they ask for nothing twice, and what else costs. Fitted to one GPU's results (docs/tuning.md),
/// and taken for every GPU.
struct Costs {
  double reached;
  SideCosts read, write;
  double warp;
};
constexpr Costs costs_of(tile::Kind kind) {
  // Windows are read as vectors while others are written: sectors that are written in part are read first, and units are put together.
  if (kind == tile::Kind::gathered) return {0.946, {1.26, 0, 0}, {3.83, 0.4, 0.131}, 0};
  const double reached = kind == tile::Kind::segmented ? 1 : kind == tile::Kind::transposed ? 0.95 : 0.97;
  constexpr SideCosts side = {0.72, 0.32, 0.104};
  return {reached, side, side, 0.152};
}
double sectors_beyond(const SideCosts& costs, const SideCounts& counts) {
  return costs.sector * static_cast<double>(counts.sectors - counts.ideal_sectors);
}
double issued(const SideCosts& costs, const SideCounts& counts) {
  return costs.request * 16 * static_cast<double>(counts.requests) + costs.wavefront * 4 * static_cast<double>(counts.wavefronts);
}

double fraction_of_copy(const tile::Tile& tile, const AccessCounts& counts, tile::Kind kind) {
  const Costs costs = costs_of(kind);
  const auto fewest = static_cast<double>(counts.read.ideal_sectors + counts.write.ideal_sectors);
  if (fewest == 0) return 1;
  const double warps = static_cast<double>(counts.blocks) * tile::threads_of(tile) / 32;
  const double memory =
      (1 + (sectors_beyond(costs.read, counts.read) + sectors_beyond(costs.write, counts.write)) / fewest) / costs.reached;
  const double issue = (issued(costs.read, counts.read) + issued(costs.write, counts.write) + costs.warp * 64 * warps) / fewest;
  return std::min(1.0, 1 / std::pow(std::pow(memory, 4) + std::pow(issue, 4), 0.25));
}

}  // namespace

double fraction_of_copy(const Schedule& schedule) {
  const auto bytes = static_cast<std::uint64_t>(schedule.element);
  const Fractions& fractions = fractions_of(schedule.regime);
  const std::size_t at = std::min<std::size_t>(6, static_cast<std::size_t>(std::bit_width(bytes)) - 1);
  return std::has_single_bit(bytes) ? fractions.of_power[at] : fractions.other[at];
}

double fraction_of_copy(const Pass& pass, const Machine& machine) {
  constexpr std::size_t most = 64;  // the first ones stand for all
  const Variant& variant = pass.variants.back();
  double bytes = 0, copies = 0;
  for (std::size_t e = 0; e < std::min(most, pass.entries.size()); ++e) {
    const tile::Tile tile = tile_of(pass.entries[e], variant.choices[e], alignments.back(), machine);
    const auto written = static_cast<double>(n_bytes_of(pass.entries[e].box));
    bytes += written;
    copies += written / fraction_of_copy(tile, count_accesses(tile, machine.sector_bytes), variant.choices[e].shape.kind);
  }
  for (const Boxes& bundle : pass.bundles) {
    const tile::Tile tile = *tile_of(bundle, alignments.back(), machine);
    double written = 0;
    for (const Box& box : bundle) written += static_cast<double>(n_bytes_of(box));
    bytes += written;
    copies += written / fraction_of_copy(tile, count_accesses(tile, machine.sector_bytes), tile::Kind::records);
  }
  return copies > 0 ? bytes / copies : 1;
}

double fraction_of_picked(std::int64_t entry_bytes) {
  if (entry_bytes == 0) return 1;
  constexpr double line = 40;  // bytes: what an entry costs beside its own; random and sorted entries of 4, 8 and 64 bytes together
  const auto n = static_cast<double>(entry_bytes);
  return n / (n + line);
}

}  // namespace crinkle::planning
