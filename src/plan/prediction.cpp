// SPDX-License-Identifier: BSD-3-Clause
#include "plan/prediction.hpp"

#include <array>
#include <bit>

namespace crinkle::plan {
namespace {

// Medians over bench/results/{epyc,xeon}-2-cores/{random,permute,operations}.json, 2026-11. By elements of 1, 2, 4, 8, 16, 32 and 64 bytes
// and more; what was not measured has the value of its neighbour. Lengths that are no power of two are put together from narrower words.
struct Fractions {
  std::array<double, 7> of_power, other;
};
constexpr Fractions rows = {{0.85, 0.85, 0.85, 0.9, 0.9, 0.9, 0.98}, {0.85, 0.85, 0.85, 0.85, 0.85, 0.9, 0.98}};
constexpr Fractions blocks = {{0.6, 0.63, 0.8, 0.86, 0.88, 0.9, 0.98}, {0.55, 0.55, 0.55, 0.55, 0.55, 0.55, 0.98}};
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

}  // namespace

double fraction_of_copy(const Sweep& sweep) {
  const auto bytes = static_cast<std::uint64_t>(sweep.element);
  const Fractions& fractions = fractions_of(sweep.regime);
  const std::size_t at = std::min<std::size_t>(6, static_cast<std::size_t>(std::bit_width(bytes)) - 1);
  return std::has_single_bit(bytes) ? fractions.of_power[at] : fractions.other[at];
}

double fraction_of_copy(const Pass& pass, const Machine& machine) {
  double copies = 0, bytes = 0;
  const Variant& variant = pass.variants.back();
  for (std::size_t e = 0; e < pass.entries.size(); ++e) {
    const tile::Tile tile = tile_of(pass.entries[e], variant.choices[e], alignments.back(), machine);
    const AccessCounts counts = count_accesses(tile, machine.sector_bytes);
    bytes += static_cast<double>(counts.read.ideal_sectors);
    copies += static_cast<double>(counts.read.sectors);
  }
  return copies > 0 ? bytes / copies : 1;
}

double fraction_of_picked(std::int64_t entry_bytes) {
  constexpr double line = 40;  // bytes: what an entry costs beside its own; random and sorted entries of 4, 8 and 64 bytes together
  const auto n = static_cast<double>(entry_bytes);
  return n / (n + line);
}

}  // namespace crinkle::plan
