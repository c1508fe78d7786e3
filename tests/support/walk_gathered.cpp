// The kernels of gathered tiles, with addresses in place of data. What each knows when it is compiled is a constant here, too.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/walk_gathered.hpp"

#include <utility>

#include "tile/gathered_known.hpp"

namespace crinkle::testing {
namespace {

using tile::GatheredTile;
using tile::Known;
using tile::Walk;

bool is_equal(const GatheredTile::Source& a, const GatheredTile::Source& b) {
  return a.n_pieces == b.n_pieces && (a.n_pieces == 0 || (a.address == b.address && a.slot == b.slot && a.cell == b.cell));
}

bool is_equal(const GatheredTile::Row& a, const GatheredTile::Row& b) {
  return a.address == b.address && a.slot == b.slot && a.first == b.first && a.begin == b.begin && a.end == b.end && a.cell == b.cell;
}

template <int unit>
Fault put(const GatheredTile& tile, const GatheredTile::Load& load, const Span& span, detail::Shared& shared) {
  const std::int32_t bytes = tile.load_bytes;
  const auto leaves = [&](std::int64_t address, std::int64_t n) {
    return tile.is_superset && (address < span.begin || address + n > span.end);
  };
  const std::string what = "a " + std::to_string(bytes) + "-byte ";
  const bool is_whole = load.mask == (1u << bytes / unit) - 1;
  if (load.address % bytes != 0 || (is_whole && leaves(load.address, bytes)))
    return what + "load at address " + std::to_string(load.address);
  if (load.cell % bytes != 0) return what + "piece in cell " + std::to_string(load.cell);
  for (std::int32_t i = 0; i < bytes / unit; ++i) {
    if ((load.mask >> i & 1) == 0) continue;
    const std::int64_t address = load.address + i * unit;
    if (leaves(address, unit)) return "a load outside the source at " + std::to_string(address);
    if (!shared.put(load.cell + i * unit, Unit{address, load.slot}))
      return "cell " + std::to_string(load.cell) + " is outside shared memory";
  }
  return {};
}

template <int unit, Known known>
Fault read(const GatheredTile& tile, const tile::Block& block, const Span& span, detail::Shared& shared) {
  const auto table = detail::table_of(tile.read.rows, tile.read.n_table());
  const tile::Place row_step = tile.read.row_step();
  for (std::int32_t thread = 0; thread < tile.threads; ++thread) {
    const Walk::Lane lane = tile.read.lane(thread);
    Walk::Lane reader = lane;
    for (std::int32_t down = 0; down < tile.read.steps_down; ++down, tile.read.advance(reader, row_step)) {
      const auto row = tile.template source<known>(block, reader, 0, table.data());
      if (!is_equal(row, tile.template source<known>(block, lane, down, table.data()))) return "a lane that was moved down reads elsewhere";
      for (std::int32_t along = 0; along < tile.read.steps_along(); ++along) {
        const auto load = tile.template load<known>(row, reader, along);
        if (load.cell < 0) continue;
        const Fault fault = put<unit>(tile, load, span, shared);
        if (!fault.empty()) return fault;
      }
    }
  }
  return {};
}

template <int unit, Known known>
Fault write(const GatheredTile& tile, const tile::Block& block, const detail::Shared& shared,
            const std::function<void(Unit, Unit)>& write) {
  const auto table = detail::table_of(tile.write.rows, tile.write.n_table());
  std::vector<GatheredTile::RunCell> run_table;
  for (std::int32_t u = 0; u < tile.n_run_table(); ++u) run_table.push_back(static_cast<GatheredTile::RunCell>(tile.run_cell(u)));
  const auto cell_of = [&](const auto& row, const auto& piece, const Walk::Lane& lane, std::int32_t k) {
    if (run_table.empty()) {
      const std::int32_t along =
          tile.unit_cell != 0 ? tile.template along<known>(lane, 0) + k * tile.unit_cell : tile.template along<known>(lane, k);
      return tile.template cell_of<known>(row, piece, along, k);
    }
    const std::int32_t u = piece.first + k;
    return u < 0 || u >= std::ssize(run_table) ? -1 : tile.template cell_at<known>(row, run_table[static_cast<std::size_t>(u)]);
  };
  const tile::Place row_step = tile.write.row_step();
  for (std::int32_t thread = 0; thread < tile.threads; ++thread) {
    const Walk::Lane lane = tile.write.lane(thread);
    Walk::Lane writer = lane;
    for (std::int32_t down = 0; down < tile.write.steps_down; ++down, tile.write.advance(writer, row_step)) {
      const auto row = tile.template row<known>(block, writer, 0, table.data());
      if (!is_equal(row, tile.template row<known>(block, lane, down, table.data()))) return "a lane that was moved down writes elsewhere";
      for (std::int32_t along = 0; along < tile.write.steps_along(); ++along) {
        const auto piece = tile.template store<known>(row, along);
        if (piece.access.mask == (1u << tile.vector) - 1 && piece.access.address % tile.store_bytes != 0)
          return "a vector store at address " + std::to_string(piece.access.address);
        for (std::int32_t k = 0; k < tile.vector; ++k)
          if ((piece.access.mask >> k & 1) != 0)
            write(Unit{piece.access.address + k * unit, piece.access.slot}, shared.get(cell_of(row, piece, lane, k)));
      }
    }
  }
  return {};
}

template <int unit, Known of_kernel>
Fault walk(const GatheredTile& tile, const tile::Block& block, const Span& span, const std::function<void(Unit, Unit)>& to) {
  constexpr Known known = of_kernel | tile::of_unit(unit);
  constexpr Known inner = tile::gathered::knows_inner_blocks(of_kernel) ? known | tile::inner : known;
  detail::Shared shared(tile.staged_bytes(), unit);
  const Fault fault = block.reads_inner ? read<unit, inner>(tile, block, span, shared) : read<unit, known>(tile, block, span, shared);
  if (!fault.empty()) return fault;
  return block.is_inner ? write<unit, inner>(tile, block, shared, to) : write<unit, known>(tile, block, shared, to);
}

template <int unit>
Fault walk_of_unit(const GatheredTile& tile, std::uint32_t index, const Span& span, const std::function<void(Unit, Unit)>& write) {
  const tile::Block block = tile.block(index);
  std::vector<std::pair<Unit, Unit>> by_any;
  if (index % 4 == 0) {
    const Fault fault = walk<unit, 0>(tile, block, span, [&](Unit to, Unit from) { by_any.emplace_back(to, from); });
    if (!fault.empty()) return "by the kernel for every tile: " + fault;
  }
  bool is_equal = true;
  std::size_t n = 0;
  const auto compare = [&](Unit to, Unit from) {
    if (index % 4 == 0) is_equal = is_equal && n < by_any.size() && by_any[n] == std::pair(to, from);
    ++n;
    write(to, from);
  };
  const Fault fault = tile::gathered::with_best<unit>(
      tile.known() | tile::one_slot, [&](auto known) { return walk<unit, decltype(known)::value>(tile, block, span, compare); });
  if (!fault.empty()) return fault;
  return is_equal && (index % 4 != 0 || n == by_any.size()) ? Fault() : "the kernel for every tile does something else";
}

}  // namespace

Fault walk_gathered(const GatheredTile& tile, std::uint32_t index, const Span& span, const std::function<void(Unit, Unit)>& write) {
  switch (tile.frame.unit) {
    case 1: return walk_of_unit<1>(tile, index, span, write);
    case 2: return walk_of_unit<2>(tile, index, span, write);
    case 4: return walk_of_unit<4>(tile, index, span, write);
    case 8: return walk_of_unit<8>(tile, index, span, write);
    default: return walk_of_unit<16>(tile, index, span, write);
  }
}

}  // namespace crinkle::testing
