// One walk per kind of tile, thread by thread within step by step, as its kernel goes (move/cuda_*.cuh).
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/requests.hpp"

#include <utility>
#include <variant>

namespace crinkle::planning {
namespace {

/// Instructions of a step: a whole vector, then one for each unit; of rows the other half of a shifted vector comes after that; then one
/// for each word of several units.
constexpr std::int32_t whole = 0, first_unit = 1, second_vector = 32, first_word = 48;

std::uint32_t all_of(std::int32_t n) { return (1u << n) - 1; }

/// One vector where the mask is full, otherwise a unit at a time.
void append(std::vector<Request>& requests, std::int64_t number, const tile::Access& access, std::int32_t n, std::int64_t step_bytes) {
  Request request{number, whole};
  for (int k = 0; k < n; ++k) {
    if ((access.mask >> k & 1) == 0) continue;
    const UnitPlace place{access.slot, access.address + k * step_bytes};
    if (access.mask != all_of(n)) requests.push_back({number, first_unit + k, {place}});
    else request.units.push_back(place);
  }
  if (!request.units.empty()) requests.push_back(std::move(request));
}

/// Appends as above; where the mask is not full, a word of 4 bytes at a time that is whole in it.
void append_words(std::vector<Request>& requests, std::int64_t number, const tile::Access& access, std::int32_t n, std::int32_t unit) {
  const std::int32_t of_word = 4 / unit;
  if (access.mask == all_of(n) || of_word < 2) return append(requests, number, access, n, unit);
  for (std::int32_t w = 0; w < n / of_word; ++w) {
    const std::uint32_t mask = access.mask >> w * of_word & all_of(of_word);
    const bool is_word = mask == all_of(of_word);
    Request request{number, first_word + w};
    for (std::int32_t k = 0; k < of_word; ++k) {
      if ((mask >> k & 1) == 0) continue;
      const UnitPlace place{access.slot, access.address + (w * of_word + k) * unit};
      if (is_word) request.units.push_back(place);
      else requests.push_back({number, first_unit + w * of_word + k, {place}});
    }
    if (is_word) requests.push_back(std::move(request));
  }
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
void walk(const tile::TransposedTile& t, const tile::Block& block, Requests& all) {
  const auto read_table = table_of(t.rows, t.n_table()), write_table = table_of(t.write.rows, t.write.n_table());
  in_order(t.read.n_steps * t.vector, t.threads, [&](std::int32_t thread, std::int32_t step, std::int64_t number) {
    const auto square = t.square(block, t.read.lane(thread), step / t.vector);
    if (!square.is_inside) return;
    append(all.reads, number, t.load(square, step % t.vector, read_table.data()), t.vector, t.frame.unit);
    all.shared_writes.push_back({number, whole, t.cell(square, step % t.vector), 16});
  });
  in_order(t.write.n_steps, t.threads, [&](std::int32_t thread, std::int32_t step, std::int64_t number) {
    const auto piece = t.store(block, t.write.lane(thread), step, write_table.data());
    append(all.writes, number, piece.access, t.vector, t.frame.unit);
    if (piece.access.mask != 0) all.shared_reads.push_back({number, whole, piece.cell, 16});
  });
}

/// A piece on its way to shared memory: as a vector, or unit by unit.
template <class Load>
void append_load(Requests& all, std::int64_t number, const Load& load, std::int32_t bytes, std::int32_t unit) {
  if (load.cell < 0) return;
  const std::int32_t n = bytes / unit;
  append(all.reads, number, {load.address, load.slot, load.mask}, n, unit);
  if (load.mask == all_of(n)) {
    if (bytes == 16) all.reads.back().lanes = 8;
    return all.shared_writes.push_back({number, whole, load.cell, bytes});
  }
  for (int k = 0; k < n; ++k)
    if ((load.mask >> k & 1) != 0) all.shared_writes.push_back({number, first_unit + k, load.cell + k * unit, unit});
}

void walk(const tile::GatheredTile& t, const tile::Block& block, Requests& all) {
  const auto read_table = table_of(t.read.rows, t.read.n_table()), write_table = table_of(t.write.rows, t.write.n_table());
  const std::int32_t unit = t.frame.unit, n = 16 / unit, cells_at = t.staged_bytes() + t.table_bytes();
  in_order(t.read.n_steps, t.threads, [&](std::int32_t thread, std::int32_t step, std::int64_t number) {
    const auto lane = t.read.lane(thread);
    const auto row = t.source(block, lane, step / t.read.steps_along(), read_table.data());
    append_load(all, number, t.load(row, lane, step % t.read.steps_along()), t.load_bytes, unit);
  });
  const std::int32_t along_steps = t.write.steps_along();
  const bool is_tabled = t.n_run_table() > 0;
  in_order(t.write.n_steps, t.threads, [&](std::int32_t thread, std::int32_t step, std::int64_t number) {
    const auto lane = t.write.lane(thread);
    const auto row = t.row(block, lane, step / along_steps, write_table.data());
    const auto piece = t.store(row, step % along_steps);
    append_words(all.writes, number, piece.access, n, unit);
    for (std::int32_t k = 0; k < n; ++k) {
      if ((piece.access.mask >> k & 1) == 0) continue;
      const std::int32_t u = piece.first + k;
      if (is_tabled) all.shared_reads.push_back({number, n + k, cells_at + 2 * u, 2});
      const auto entry = static_cast<tile::GatheredTile::RunCell>(is_tabled ? t.run_cell(u) : 0);
      const std::int32_t cell = is_tabled ? t.cell_at(row, entry) : t.cell_of(row, piece, t.along(lane, k), k);
      all.shared_reads.push_back({number, k, cell, unit});
    }
  });
}

void walk(const tile::SegmentedTile& t, const tile::Block& block, Requests& all) {
  const auto reads = t.run_reads(block);
  const std::int32_t unit = t.frame.unit, n = t.vector;
  in_order(t.n_read_steps(), t.threads, [&](std::int32_t, std::int32_t, std::int64_t number) {
    const auto i = static_cast<std::int32_t>(number);
    if (reads.is_inside && i >= reads.n_vectors) return;
    append_load(all, number,
                !reads.is_inside ? t.load(block, i)
                : t.n_runs == 1  ? t.run_load<true>(block, reads, i)
                                 : t.run_load(block, reads, i),
                16, unit);
  });
  const auto few = t.few();
  const auto base = [&](std::int64_t number, std::int32_t instruction, std::int32_t row) {
    all.shared_reads.push_back({number, instruction, t.staged_bytes() + 4 * row, 4});
    return t.base(block, row);
  };
  in_order(t.n_write_steps(), t.threads, [&](std::int32_t, std::int32_t, std::int64_t number) {
    const auto i = static_cast<std::int32_t>(number);
    const auto start = t.start(block, i);
    if (start.run >= block.write_rows) return;
    const auto piece = t.piece(block, i);
    if (few.is_all) {
      const std::uint32_t mask = piece.access.mask;
      if (mask == 0) return;
      append(all.writes, number, piece.access, n, unit);
      const auto at = t.two_rows(piece);
      const std::int32_t now = base(number, n, at.row), next = base(number, n + 1, at.row + 1);
      const std::int32_t of_part = mask == all_of(n) ? 0 : 2 * n;
      for (std::int32_t k = 0; k < n; ++k) {
        if ((mask >> k & 1) == 0) continue;
        const std::int32_t cell = few.has_one_step() ? t.cell<true>(few, at, k, now, next) : t.cell<false>(few, at, k, now, next);
        all.shared_reads.push_back({number, of_part + k, cell, unit});
      }
      return;
    }
    for (std::int32_t k = 0; k < n; ++k) {
      if ((piece.access.mask >> k & 1) == 0) continue;
      all.writes.push_back({number, first_unit + k, {{piece.access.slot, piece.access.address + k * unit}}});
      const auto spot = t.spot(piece, k);
      const std::int32_t segment = t.segment_of(spot.column), by_unit = 4 * n + 2 * k;
      if (t.cells[segment].is_fill) continue;
      const std::int32_t cell = t.cell(base(number, by_unit, spot.row), segment, spot.column);
      all.shared_reads.push_back({number, by_unit + 1, cell, unit});
    }
  });
}

/// Calls visit(region, the lane's piece in it, number) as the warps of a block go through their shares.
template <class ShareOf, class EndOf, class FirstOf, class LanesOf, class Visit>
void in_shares(const tile::RecordTile& t, const ShareOf& share_of, const EndOf& end_of, const FirstOf& first_of, const LanesOf& lanes_of,
               const Visit& visit) {
  constexpr std::int32_t lanes = tile::RecordTile::lanes;
  for (std::int32_t warp = 0; warp < t.threads / lanes; ++warp) {
    std::int64_t step = 0;
    auto share = share_of(warp);
    for (std::int32_t at = share.first; at < share.last; ++share.region) {
      const std::int32_t end = std::min(share.last, end_of(share.region)), used = lanes_of(share.region);
      for (std::int32_t first = at; first < end; first += used, ++step)
        for (std::int32_t lane = 0; lane < used && first + lane < end; ++lane)
          visit(share.region, first + lane - first_of(share.region), step * t.threads + warp * lanes + lane);
      at = end;
    }
  }
}

void walk(const tile::RecordTile& t, const tile::Block& block, Requests& all) {
  const std::int32_t unit = t.frame.unit, n = t.vector;
  in_shares(
      t, [&](std::int32_t warp) { return t.read_share(warp); }, [&](std::int32_t r) { return t.source_end(r); },
      [&](std::int32_t r) { return t.source[r].first_piece; }, [](std::int32_t) { return tile::RecordTile::lanes; },
      [&](std::int32_t region, std::int32_t piece, std::int64_t number) {
        struct Load : tile::RecordTile::Load {
          std::int32_t slot = 0;
        };
        const auto source = t.source_of(block, region);
        append_load(all, number, Load{t.load(source, piece), source.slot}, t.piece_bytes, unit);
      });
  std::vector<tile::RecordTile::Entry> entries;
  for (std::int32_t e = 0; e < t.n_entries; ++e) entries.push_back(t.entry(e));
  in_shares(
      t, [&](std::int32_t warp) { return t.write_share(warp); }, [&](std::int32_t r) { return t.destination_end(r); },
      [&](std::int32_t r) { return t.destination[r].first_piece; }, [&](std::int32_t r) { return t.destination[r].lanes_used; },
      [&](std::int32_t region, std::int32_t piece, std::int64_t number) {
        const auto destination = t.destination_of(block, region);
        const std::int32_t first = t.first_unit(destination, piece);
        tile::Access access{destination.address + std::int64_t{piece} * t.piece_bytes, destination.slot, 0};
        const std::uint32_t mask = t.mask(destination, first);
        tile::RecordTile::Cell cells[16];
        t.find_cells(destination, first, n, entries.data(), cells);
        const auto cell = [&](std::int32_t k) { return cells[k]; };
        for (std::int32_t k = 0; k < n; ++k)
          if ((mask >> k & 1) != 0 && !t.is_gap(cell(k))) access.mask |= 1u << k;
        const std::int32_t of_word = unit < 4 && access.mask == all_of(n) ? 4 / unit : 1;
        for (std::int32_t k = 0; k < n; k += of_word) {
          bool is_word = of_word > 1;
          for (std::int32_t i = k + 1; i < k + of_word; ++i) is_word = is_word && t.follows(cell(i), cell(i - 1));
          const std::int32_t at = cell(k).at;
          if (is_word) {
            all.shared_reads.push_back({number, k, t.swizzle.place(at & ~3), 4});
            if ((at & 3) != 0) all.shared_reads.push_back({number, k + 1, t.swizzle.place((at & ~3) + 4), 4});
            continue;
          }
          for (std::int32_t i = k; i < k + of_word; ++i)
            if ((access.mask >> i & 1) != 0) all.shared_reads.push_back({number, i, t.swizzle.place(cell(i).at), unit});
        }
        if (access.mask != 0) append_words(all.writes, number, access, n, unit);
      });
}

void append_vector(Requests& all, std::int64_t number, std::int32_t instruction, std::int32_t slot, std::int64_t address,
                   std::int32_t unit) {
  Request read{number, instruction};
  for (std::int32_t b = 0; b < 16; b += unit) read.units.push_back({slot, address + b});
  all.reads.push_back(std::move(read));
}

void append_piece(const tile::RowTile& t, const tile::RowTile::Piece& piece, std::int64_t number, Requests& all) {
  using How = tile::RowTile::How;
  const std::int32_t unit = t.frame.unit, n = 16 / unit;
  append(all.writes, number, piece.access, n, unit);
  const std::int32_t slot = piece.row_slot + t.segments[piece.segment].src_slot;
  const bool is_vector = t.vector == n && (piece.how == How::forwards || piece.how == How::backwards);
  if (is_vector) {
    append_vector(all, number, whole, slot, piece.src, unit);
    if (piece.shift != 0) append_vector(all, number, second_vector, slot, piece.src + 16, unit);
  } else if (t.vector == n && piece.how == How::standing) {
    all.reads.push_back({number, first_unit, {{slot, piece.src}}});
  } else if (t.vector != n || piece.how == How::units) {
    for (std::int32_t k = 0; k < t.vector; ++k) {
      if ((piece.access.mask >> k & 1) == 0) continue;
      const tile::Access from = t.source(piece, k);
      if (from.mask != 0) all.reads.push_back({number, first_unit + k, {{from.slot, from.address}}});
    }
  }
}

void walk(const tile::RowTile& t, const tile::Block& block, Requests& all) {
  const std::int32_t unit = t.frame.unit;
  if (t.is_plain()) {
    for (std::int32_t i = 0; i < t.n_plain(); ++i) {
      const auto piece = t.plain(block, i);
      if (piece.access.mask == 0) continue;
      append(all.writes, i, piece.access, 1, unit);
      append_vector(all, i, whole, piece.src_slot, piece.src, unit);
    }
    return;
  }
  const auto stretch = t.stretch(block);
  if (stretch.begin >= stretch.end) {
    return in_order(t.walk.n_steps, t.threads, [&](std::int32_t thread, std::int32_t step, std::int64_t number) {
      append_piece(t, t.piece(block, t.walk.lane(thread), step), number, all);
    });
  }
  in_order(t.n_stretch_steps(), t.threads, [&](std::int32_t thread, std::int32_t step, std::int64_t number) {
    const std::int32_t i = t.stretch_piece(thread, step);
    if (!stretch.holds(i)) return;
    append(all.writes, number, {stretch.dst + stretch.destination(i), block.dst_slot, all_of(t.vector)}, t.vector, unit);
    append_vector(all, number, whole, stretch.src_slot, stretch.src + stretch.source(i), unit);
    if (stretch.shift != 0) append_vector(all, number, second_vector, stretch.src_slot, stretch.src + stretch.source(i) + 16, unit);
  });
  const std::int32_t beside_steps = (t.n_beside(stretch) + t.threads - 1) / t.threads;
  in_order(beside_steps, t.threads, [&](std::int32_t thread, std::int32_t step, std::int64_t number) {
    const std::int32_t i = t.stretch_piece(thread, step);
    if (i < t.n_beside(stretch)) append_piece(t, t.beside(block, stretch, i), std::int64_t{t.n_stretch_steps()} * t.threads + number, all);
  });
}

}  // namespace

Requests requests_of(const tile::Tile& tile, std::uint32_t index) {
  Requests all;
  std::visit([&](const auto& t) { walk(t, t.block(index), all); }, tile);
  return all;
}

}  // namespace crinkle::planning
