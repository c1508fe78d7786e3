// One walk per kind of tile, thread by thread within step by step, that keeps the accesses to global memory and drops the staging.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/requests.hpp"

#include <utility>
#include <variant>

namespace crinkle::plan {
namespace {

void append(std::vector<Request>& requests, std::int64_t number, const tile::Access& access, std::int64_t step_bytes) {
  Request request{number, {}};
  for (int k = 0; k < 32; ++k)
    if ((access.mask >> k & 1) != 0) request.units.push_back({access.slot, access.address + k * step_bytes});
  if (!request.units.empty()) requests.push_back(std::move(request));
}

/// Calls visit(thread, step, number) in the order of steps and threads.
template <class Visit>
void in_order(std::int32_t steps, std::int32_t threads, Visit visit) {
  for (std::int32_t step = 0; step < steps; ++step)
    for (std::int32_t thread = 0; thread < threads; ++thread) visit(thread, step, std::int64_t{step} * threads + thread);
}

/// The places of a walk's rows, as a block tabulates them before it begins.
std::vector<tile::Place> table_of(const tile::Digits& rows, std::int32_t n) {
  std::vector<tile::Place> table;
  for (std::int32_t r = 0; r < n; ++r) table.push_back(rows.at(static_cast<std::uint32_t>(r)));
  return table;
}

// A thread reads the vectors of its square one after the other: each counts as a step.
Requests walk(const tile::TransposedTile& t, const tile::Block& block) {
  Requests all;
  const auto read_table = table_of(t.rows, t.n_table()), write_table = table_of(t.write.rows, t.write.n_table());
  in_order(t.read.n_steps * t.vector, t.threads, [&](std::int32_t thread, std::int32_t step, std::int64_t number) {
    const auto square = t.square(block, t.read.lane(thread), step / t.vector);
    if (square.is_inside) append(all.reads, number, t.load(square, step % t.vector, read_table.data()), t.frame.unit);
  });
  in_order(t.write.n_steps, t.threads, [&](std::int32_t thread, std::int32_t step, std::int64_t number) {
    append(all.writes, number, t.store(block, t.write.lane(thread), step, write_table.data()).access, t.frame.unit);
  });
  return all;
}

Requests walk(const tile::GatheredTile& t, const tile::Block& block) {
  Requests all;
  const auto read_table = table_of(t.read.rows, t.read.n_table()), write_table = table_of(t.write.rows, t.write.n_table());
  in_order(t.read.n_steps, t.threads, [&](std::int32_t thread, std::int32_t step, std::int64_t number) {
    const auto load = t.load(block, t.read.lane(thread), step, read_table.data());
    if (load.cell >= 0) append(all.reads, number, {load.address, load.slot, load.mask}, t.frame.unit);
  });
  const auto along_steps = static_cast<std::int32_t>(t.write.steps_run.value());
  in_order(t.write.steps_down() * along_steps, t.threads, [&](std::int32_t thread, std::int32_t step, std::int64_t number) {
    const auto row = t.row(block, t.write.lane(thread), step / along_steps, write_table.data());
    append(all.writes, number, t.store(row, step % along_steps).access, t.frame.unit);
  });
  return all;
}

Requests walk(const tile::SegmentedTile& t, const tile::Block& block) {
  Requests all;
  in_order(t.n_read_steps(), t.threads, [&](std::int32_t, std::int32_t, std::int64_t number) {
    const auto load = t.load(block, static_cast<std::int32_t>(number));
    if (load.cell >= 0) append(all.reads, number, {load.address, load.slot, load.mask}, t.frame.unit);
  });
  in_order(t.n_write_steps(), t.threads, [&](std::int32_t, std::int32_t, std::int64_t number) {
    append(all.writes, number, t.piece(block, static_cast<std::int32_t>(number)).access, t.frame.unit);
  });
  return all;
}

// Every piece is read and written by the same thread in the same step.
Requests walk(const tile::RowTile& t, const tile::Block& block) {
  Requests all;
  in_order(t.walk.n_steps, t.threads, [&](std::int32_t thread, std::int32_t step, std::int64_t number) {
    const auto piece = t.piece(block, t.walk.lane(thread), step);
    append(all.writes, number, piece.access, t.is_contiguous ? t.frame.unit : t.dst_step);
    Request read{number, {}};
    for (std::int32_t k = 0; k < t.vector; ++k) {
      if ((piece.access.mask >> k & 1) == 0) continue;
      const tile::Access from = t.source(piece, k);
      if (from.mask != 0) read.units.push_back({from.slot, from.address});
    }
    if (!read.units.empty()) all.reads.push_back(std::move(read));
  });
  return all;
}

}  // namespace

Requests requests_of(const tile::Tile& tile, std::uint32_t index) {
  return std::visit(
      [&](const auto& t) {
        const tile::Block block = t.block(index);
        return block.is_empty() ? Requests{} : walk(t, block);
      },
      tile);
}

}  // namespace crinkle::plan
