// The overlay of two layouts under a move, along links, and as messages of a rank.
// SPDX-License-Identifier: BSD-3-Clause
#include "distribute/overlay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/checked.hpp"
#include "base/loops.hpp"

namespace crinkle::distributed {
namespace {

constexpr std::int64_t most_cells = std::int64_t{1} << 28;   // walked in seconds
constexpr std::int64_t most_listed = std::int64_t{1} << 24;  // runs, or pairs of parts: a gigabyte
constexpr std::size_t most_repeated = 16;                    // runs that repeat together: cells of two cyclic layouts in one period

// Calls emit(part of the source, run of one index step) for the indices [first, first + n) of the destination, of which the first is
// place `local` of a rank's part.
template <class Emit>
void walk(const Link& link, const AxisParts* src, const Range& range, std::int64_t local, const Emit& emit) {
  const std::int64_t end = range.first + range.n;
  auto run = std::partition_point(link.data.begin(), link.data.end(),
                                  [&](const MapRun& r) { return r.first + (r.count - 1) * r.pitch < range.first; });
  for (; run != link.data.end() && run->first < end; ++run) {
    std::int64_t m = run->first < range.first ? ceil_divide(range.first - run->first, run->pitch) : 0;
    const std::int64_t m_end = std::min(run->count, ceil_divide(end - run->first, run->pitch));
    while (m < m_end) {
      const std::int64_t j = local + run->first + m * run->pitch - range.first;
      if (src == nullptr) {
        emit(0, LinkPiece{.n = m_end - m, .i = 0, .j = j, .i_step = 0, .j_step = run->pitch});
        break;
      }
      const std::int64_t i = run->start + m * run->step;
      const AxisParts::Cell cell = src->cell(i);
      std::int64_t n = m_end - m;
      if (run->step > 0) n = std::min(n, (cell.end - 1 - i) / run->step + 1);
      if (run->step < 0) n = std::min(n, (i - cell.first) / -run->step + 1);
      emit(
          cell.owner,
          LinkPiece{.n = n, .i = cell.local + i - cell.first, .j = j, .i_step = n == 1 ? 0 : run->step, .j_step = n == 1 ? 0 : run->pitch});
      m += n;
    }
  }
}

// Calls emit(source part, destination part, run) over the whole link.
template <class Emit>
void walk_all(const Redistribution& r, const Link& link, const Emit& emit) {
  const AxisParts* src = link.src_axis < 0 ? nullptr : &r.from().axes()[static_cast<std::size_t>(link.src_axis)];
  std::int64_t n_cells = 0;
  const auto counted = [&](std::int64_t d) {
    return [&, d](std::int64_t s, const LinkPiece& piece) {
      if (++n_cells > most_cells)
        throw Error(ErrorCode::too_large,
                    fmt::format("cells of an axis of {} meet more than {} times: take longer cells", link.dst_extent, most_cells));
      emit(s, d, piece);
    };
  };
  if (link.dst_axis < 0) {
    walk(link, src, {0, 1}, 0, counted(0));
  } else if (r.to().has_windows()) {
    for (std::int64_t d = 0; d < r.to().n_ranks(); ++d) {
      std::int64_t local = 0;
      for (const Range& range : r.to().held(d, static_cast<std::size_t>(link.dst_axis))) {
        walk(link, src, range, local, counted(d));
        local += range.n;
      }
    }
  } else {
    const AxisParts& axis = r.to().axes()[static_cast<std::size_t>(link.dst_axis)];
    for (std::int64_t j = 0; j < axis.extent();) {
      const AxisParts::Cell cell = axis.cell(j);
      if (cell.end > cell.first) walk(link, src, {cell.first, cell.end - cell.first}, cell.local, counted(cell.owner));
      j = std::max(cell.end, j + 1);
    }
  }
}

void check_listed(std::int64_t n, const Link& link) {
  if (n > most_listed)
    throw Error(ErrorCode::too_large,
                fmt::format("over {} pieces of an axis of {} between ranks: take longer cells, or fewer ranks along it", most_listed,
                            link.dst_extent));
}

bool follows(const LinkPiece& a, const LinkPiece& b, std::int64_t i_jump, std::int64_t j_jump) {
  return b.n == a.n && b.i_step == a.i_step && b.j_step == a.j_step && b.i - a.i == i_jump && b.j - a.j == j_jump;
}

}  // namespace

std::vector<LinkPiece> repeated(const std::vector<LinkPiece>& runs) {
  std::vector<LinkPiece> pieces;
  for (std::size_t k = 0; k < runs.size();) {
    std::size_t best = 1, best_times = 1;
    for (std::size_t together = 1; together <= most_repeated && k + 2 * together <= runs.size(); ++together) {
      const std::int64_t i_jump = runs[k + together].i - runs[k].i, j_jump = runs[k + together].j - runs[k].j;
      std::size_t n = k;  // runs[n + together] follows runs[n]
      while (n + together < runs.size() && follows(runs[n], runs[n + together], i_jump, j_jump)) ++n;
      const std::size_t times = (n - k) / together + 1;
      if (times > 1 && times * together > best * best_times) std::tie(best, best_times) = std::pair(together, times);
      if (times * together >= runs.size() - k) break;
    }
    for (std::size_t u = 0; u < best; ++u) {
      LinkPiece piece = runs[k + u];
      piece.times = static_cast<std::int64_t>(best_times);
      piece.i_jump = best_times > 1 ? runs[k + best].i - runs[k].i : 0;
      piece.j_jump = best_times > 1 ? runs[k + best].j - runs[k].j : 0;
      if (piece.n == 1 && piece.times > 1)
        piece = {.n = piece.times, .i = piece.i, .j = piece.j, .i_step = piece.i_jump, .j_step = piece.j_jump};
      pieces.push_back(piece);
    }
    k += best * best_times;
  }
  return pieces;
}

LinkTable table_of(const Redistribution& r, const Link& link, std::int64_t src_part, std::int64_t dst_part) {
  LinkTable table;
  std::int64_t n_listed = 0;
  walk_all(r, link, [&](std::int64_t s, std::int64_t d, const LinkPiece& run) {
    if (src_part >= 0 && s != src_part && d != dst_part) return;
    check_listed(++n_listed, link);
    LinkPieces& found = table[{s, d}];
    found.n += run.n;
    found.pieces.push_back(run);
  });
  for (auto& [parts, found] : table) found.pieces = repeated(found.pieces);
  return table;
}

std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> counts_of(const Redistribution& r, const Link& link) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> counts;
  walk_all(r, link, [&](std::int64_t s, std::int64_t d, const LinkPiece& run) {
    counts[{s, d}] += run.n;
    check_listed(std::ssize(counts), link);
  });
  return counts;
}

std::int64_t server_of(const Distribution& from, const std::vector<std::int64_t>& parts_of_axes, std::int64_t rank) {
  std::int64_t copy = from.position_of(rank % from.n_ranks()), position = 0, n = 1;
  for (std::size_t g = from.grid().size(); g-- > 0;) {
    const GridAxis& axis = from.grid()[g];
    position += n * (axis.axis < 0 ? copy % axis.parts : parts_of_axes[static_cast<std::size_t>(axis.axis)]);
    copy /= axis.parts;
    n *= axis.parts;
  }
  return from.rank_at(position);
}

RankOverlay::RankOverlay(const Redistribution& r, std::int64_t rank, const std::vector<int>& order)
    : r_(r), rank_(rank), links_(links_of(r)) {
  const auto place = [&](const Link& link) { return std::find(order.begin(), order.end(), link.dst_axis) - order.begin(); };
  const auto key = [&](const Link& link) { return std::tuple(place(link), link.dst_axis < 0, link.dst_axis, link.src_axis); };
  std::sort(links_.begin(), links_.end(), [&](const Link& a, const Link& b) { return key(a) < key(b); });
  if (rank < 0 || rank >= r.n_ranks())
    throw Error(ErrorCode::bad_shape, fmt::format("there is no rank {}: ranks are 0 to {}", rank, r.n_ranks() - 1));
  const std::vector<std::int64_t> src = source_parts(rank), dst = destination_parts(rank);
  for (std::size_t k = 0; k < links_.size(); ++k) tables_.push_back(table_of(r, links_[k], src[k], dst[k]));
}

// Which part of every link the rank holds; one that no cell has where it holds nothing at all.
constexpr std::int64_t no_part = INT64_MAX;
std::vector<std::int64_t> RankOverlay::source_parts(std::int64_t rank) const {
  std::vector<std::int64_t> parts;
  const bool holds = rank < r_.from().n_ranks();
  for (const Link& link : links_) {
    const std::int64_t part = holds && link.src_axis >= 0 ? r_.from().part_of(rank, static_cast<std::size_t>(link.src_axis)) : 0;
    parts.push_back(holds ? part : no_part);
  }
  return parts;
}
std::vector<std::int64_t> RankOverlay::destination_parts(std::int64_t rank) const {
  std::vector<std::int64_t> parts;
  const bool holds = rank < r_.to().n_ranks();
  for (const Link& link : links_) {
    const std::int64_t part = holds && link.dst_axis >= 0 ? r_.to().part_of(rank, static_cast<std::size_t>(link.dst_axis)) : 0;
    parts.push_back(holds ? part : no_part);
  }
  return parts;
}

std::int64_t RankOverlay::elements(const std::vector<std::int64_t>& src, const std::vector<std::int64_t>& dst) const {
  std::int64_t n = 1;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const auto found = tables_[k].find({src[k], dst[k]});
    if (found == tables_[k].end()) return 0;
    n = multiply(n, found->second.n);
  }
  return n;
}

std::vector<Message> RankOverlay::in_rounds(std::vector<Message> messages) const {
  const std::int64_t n = r_.n_ranks();
  std::sort(messages.begin(), messages.end(),
            [&](const Message& a, const Message& b) { return modulo(a.to - a.from, n) < modulo(b.to - b.from, n); });
  return messages;
}

std::vector<Message> RankOverlay::receives() const {
  std::vector<Message> messages;
  const std::vector<std::int64_t> dst = destination_parts(rank_);
  if (rank_ >= r_.to().n_ranks()) return messages;
  std::vector<std::vector<std::int64_t>> partners(links_.size());
  for (std::size_t k = 0; k < links_.size(); ++k)
    for (const auto& [parts, found] : tables_[k])
      if (parts.second == dst[k]) partners[k].push_back(parts.first);
  Extents n_partners;
  for (const auto& p : partners) n_partners.push_back(std::ssize(p));
  for_each_index(n_partners, [&](const Extents& index) {
    std::vector<std::int64_t> src(links_.size()), of_axes(r_.from().extents().size(), 0);
    for (std::size_t k = 0; k < links_.size(); ++k) {
      src[k] = partners[k][static_cast<std::size_t>(index[k])];
      if (links_[k].src_axis >= 0) of_axes[static_cast<std::size_t>(links_[k].src_axis)] = src[k];
    }
    messages.push_back({server_of(r_.from(), of_axes, rank_), rank_, elements(src, dst)});
  });
  return in_rounds(std::move(messages));
}

std::vector<Message> RankOverlay::sends() const {
  std::vector<Message> messages;
  const std::vector<std::int64_t> src = source_parts(rank_);
  if (rank_ >= r_.from().n_ranks()) return messages;
  const Distribution& to = r_.to();
  std::vector<std::int64_t> of_axes(r_.from().extents().size(), 0);
  for (std::size_t a = 0; a < of_axes.size(); ++a) of_axes[a] = r_.from().part_of(rank_, a);
  const auto add = [&](std::int64_t d) {
    if (r_.from().has_copies() && server_of(r_.from(), of_axes, d) != rank_) return;
    if (const std::int64_t n = elements(src, destination_parts(d)); n > 0) messages.push_back({rank_, d, n});
  };
  if (to.has_windows()) {
    for (std::int64_t d = 0; d < to.n_ranks(); ++d) add(d);
    return in_rounds(std::move(messages));
  }
  std::vector<std::vector<std::int64_t>> partners;  // of every axis of the grid
  Extents n_partners;
  for (const GridAxis& g : to.grid()) {
    std::vector<std::int64_t>& parts = partners.emplace_back();
    for (std::size_t k = 0; k < links_.size() && g.axis >= 0; ++k)
      if (links_[k].dst_axis == g.axis)
        for (const auto& [pair, found] : tables_[k])
          if (pair.first == src[k]) parts.push_back(pair.second);
    for (std::int64_t copy = 0; g.axis < 0 && copy < g.parts; ++copy) parts.push_back(copy);
    n_partners.push_back(std::ssize(parts));
  }
  for_each_index(n_partners, [&](const Extents& index) {
    std::int64_t position = 0;
    for (std::size_t g = 0; g < partners.size(); ++g)
      position = position * to.grid()[g].parts + partners[g][static_cast<std::size_t>(index[g])];
    add(to.rank_at(position));
  });
  return in_rounds(std::move(messages));
}

std::vector<PieceBox> RankOverlay::boxes(const Message& m) const {
  const std::vector<std::int64_t> src = source_parts(m.from), dst = destination_parts(m.to);
  Extents n_pieces;
  std::vector<const std::vector<LinkPiece>*> pieces;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    pieces.push_back(&tables_[k].at({src[k], dst[k]}).pieces);
    n_pieces.push_back(std::ssize(*pieces.back()));
  }
  std::vector<PieceBox> boxes;
  for_each_index(n_pieces, [&](const Extents& index) {
    PieceBox& box = boxes.emplace_back();
    for (std::size_t k = 0; k < links_.size(); ++k) box.push_back((*pieces[k])[static_cast<std::size_t>(index[k])]);
  });
  return boxes;
}

}  // namespace crinkle::distributed
