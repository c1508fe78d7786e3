// Distributed layouts: axes in parts, on a grid of ranks.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/checked.hpp"
#include "crinkle/distribute.hpp"

namespace crinkle {

Distribution::Distribution(std::vector<AxisParts> axes, std::vector<GridAxis> grid, std::vector<std::string> names)
    : names_(std::move(names)), axes_(std::move(axes)), grid_(std::move(grid)) {
  for (const AxisParts& axis : axes_) extents_.push_back(axis.extent());
  if (!names_.empty() && names_.size() != axes_.size())
    throw Error(ErrorCode::bad_shape, fmt::format("{} names of {} axes: one an axis, or none", names_.size(), axes_.size()));
  for (std::size_t a = 0; a < names_.size(); ++a)
    if (!names_[a].empty() && std::find(names_.begin(), names_.end(), names_[a]) != names_.begin() + static_cast<std::ptrdiff_t>(a))
      throw Error(ErrorCode::bad_shape, fmt::format("two axes are called '{}': give each a name of its own", names_[a]));
  std::vector<bool> is_there(axes_.size(), false);
  for (const GridAxis& g : grid_) {
    if (g.parts < 1) throw Error(ErrorCode::bad_shape, fmt::format("an axis of the grid has {} ranks: there is 1 or more", g.parts));
    if (g.axis < 0) continue;
    const auto a = static_cast<std::size_t>(g.axis);
    if (a >= axes_.size())
      throw Error(ErrorCode::bad_shape, fmt::format("the grid divides axis {} of an array of {} axes", a, axes_.size()));
    if (is_there[a])
      throw Error(ErrorCode::bad_shape, fmt::format("the grid divides axis {} twice: give one axis of the grid all parts", a));
    if (g.parts != axes_[a].parts())
      throw Error(ErrorCode::bad_shape, fmt::format("axis {} has {} parts and the grid {} ranks along it", a, axes_[a].parts(), g.parts));
    is_there[a] = true;
  }
  for (std::size_t a = 0; a < axes_.size(); ++a)
    if (axes_[a].parts() > 1 && !is_there[a])
      throw Error(ErrorCode::bad_shape, fmt::format("axis {} has {} parts and the grid no axis for them", a, axes_[a].parts()));
  std::erase_if(grid_, [](const GridAxis& g) { return g.parts == 1; });
  count_ranks();
}

void Distribution::count_ranks() {
  Layout::dense(extents_, 1);  // its bytes fit 63 bits
  n_ranks_ = 1;
  for (const GridAxis& g : grid_) n_ranks_ = multiply(n_ranks_, g.parts);
  if (n_ranks_ > INT32_MAX)
    throw Error(ErrorCode::too_large, fmt::format("a grid of {} ranks: at most {} are counted", n_ranks_, INT32_MAX));
}

Distribution Distribution::windows(const Extents& extents, std::vector<Ranges> of_ranks) {
  Distribution d;
  d.extents_ = extents;
  d.has_windows_ = true;
  d.count_ranks();
  if (of_ranks.empty()) throw Error(ErrorCode::bad_shape, "windows of no rank: there is one a rank");
  for (std::size_t r = 0; r < of_ranks.size(); ++r) {
    if (of_ranks[r].size() != extents.size())
      throw Error(ErrorCode::bad_shape,
                  fmt::format("rank {} has a window of {} ranges and the array {} axes", r, of_ranks[r].size(), extents.size()));
    for (std::size_t a = 0; a < extents.size(); ++a) {
      const Range& range = of_ranks[r][a];
      if (range.n < 0 || (range.n > 0 && (range.first < 0 || range.first >= extents[a])) || range.n > extents[a])
        throw Error(ErrorCode::bad_shape,
                    fmt::format("rank {} has {} indices from {} on of axis {}, which has {}", r, range.n, range.first, a, extents[a]));
    }
  }
  d.n_ranks_ = std::ssize(of_ranks);
  d.windows_ = std::move(of_ranks);
  return d;
}

Distribution Distribution::on(std::vector<std::int64_t> ranks) const {
  if (has_windows_) throw Error(ErrorCode::unsupported, "windows name their ranks already: give them in another order");
  if (std::ssize(ranks) != n_ranks_)
    throw Error(ErrorCode::bad_shape, fmt::format("{} ranks for {} positions: one a position", ranks.size(), n_ranks_));
  Distribution d = *this;
  d.positions_.assign(ranks.size(), -1);
  for (std::size_t p = 0; p < ranks.size(); ++p) {
    const std::int64_t r = ranks[p];
    if (r < 0 || r >= n_ranks_)
      throw Error(ErrorCode::bad_shape, fmt::format("position {} is rank {}; ranks are 0 to {}", p, r, n_ranks_ - 1));
    std::int64_t& position = d.positions_[static_cast<std::size_t>(r)];
    if (position >= 0) throw Error(ErrorCode::bad_shape, fmt::format("positions {} and {} are both rank {}", position, p, r));
    position = static_cast<std::int64_t>(p);
  }
  d.ranks_ = std::move(ranks);
  return d;
}

bool Distribution::has_copies() const noexcept {
  return std::any_of(grid_.begin(), grid_.end(), [](const GridAxis& g) { return g.axis < 0; });
}

std::int64_t Distribution::position_of(std::int64_t rank) const {
  if (rank < 0 || rank >= n_ranks_)
    throw Error(ErrorCode::bad_shape, fmt::format("there is no rank {}: ranks are 0 to {}", rank, n_ranks_ - 1));
  return positions_.empty() ? rank : positions_[static_cast<std::size_t>(rank)];
}

std::int64_t Distribution::rank_at(std::int64_t position) const {
  if (position < 0 || position >= n_ranks_)
    throw Error(ErrorCode::bad_shape, fmt::format("there is no position {}: positions are 0 to {}", position, n_ranks_ - 1));
  return ranks_.empty() ? position : ranks_[static_cast<std::size_t>(position)];
}

std::int64_t Distribution::part_of(std::int64_t rank, std::size_t axis) const {
  if (has_windows_) return rank;
  std::int64_t position = position_of(rank);
  for (std::size_t g = grid_.size(); g-- > 0; position /= grid_[g].parts)
    if (grid_[g].axis == static_cast<int>(axis)) return position % grid_[g].parts;
  return 0;
}

std::int64_t Distribution::copy_of(std::int64_t rank) const {
  std::int64_t position = position_of(rank), copy = 0, n = 1;
  for (std::size_t g = grid_.size(); g-- > 0; position /= grid_[g].parts) {
    if (grid_[g].axis >= 0) continue;
    copy += position % grid_[g].parts * n;
    n *= grid_[g].parts;
  }
  return copy;
}

std::vector<Range> Distribution::held(std::int64_t rank, std::size_t axis) const {
  if (rank < 0 || rank >= n_ranks_) return {};
  if (!has_windows_) return axes_[axis].held(part_of(rank, axis));
  const Range& r = windows_[static_cast<std::size_t>(rank)][axis];
  const std::int64_t before = std::min(r.n, extents_[axis] - r.first);
  std::vector<Range> ranges;
  if (before > 0) ranges.push_back({r.first, before});
  if (r.n > before) ranges.push_back({0, r.n - before});
  return ranges;
}

Extents Distribution::local_extents(std::int64_t rank) const {
  Extents local(extents_.size(), 0);
  if (rank < 0 || rank >= n_ranks_) return local;
  for (std::size_t a = 0; a < extents_.size(); ++a)
    local[a] = has_windows_ ? windows_[static_cast<std::size_t>(rank)][a].n : axes_[a].count(part_of(rank, a));
  return local;
}

std::string Distribution::text() const {
  std::string text;
  if (has_windows_) {
    for (const Ranges& window : windows_) {
      text += text.empty() ? "windows" : " |";
      for (const Range& r : window) text += fmt::format(" {}+{}", r.first, r.n);
    }
    return text;
  }
  for (const GridAxis& g : grid_) {
    if (!text.empty()) text += ' ';
    if (g.axis < 0) {
      text += fmt::format("copies({})", g.parts);
      continue;
    }
    const auto a = static_cast<std::size_t>(g.axis);
    text += (names_.empty() || names_[a].empty() ? fmt::format("@{}", a) : names_[a]) + ":" + axes_[a].text();
  }
  if (text.empty()) text = "whole";
  if (!ranks_.empty()) text += fmt::format(" on {}", fmt::join(ranks_, ","));
  return text;
}

}  // namespace crinkle
