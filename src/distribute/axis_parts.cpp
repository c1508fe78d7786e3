// One axis of a distributed array: cells and their owners.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/checked.hpp"
#include "base/sizes.hpp"
#include "crinkle/distribute.hpp"

namespace crinkle {
namespace {

void check_parts(std::int64_t n, std::int64_t parts) {
  if (n < 0) throw Error(ErrorCode::bad_shape, fmt::format("an axis of {} indices: an extent is 0 or more", n));
  if (parts < 1) throw Error(ErrorCode::bad_shape, fmt::format("{} parts of an axis of {}: there is 1 or more", parts, n));
}

}  // namespace

AxisParts AxisParts::block(std::int64_t n, std::int64_t parts) {
  check_parts(n, parts);
  AxisParts axis;
  axis.extent_ = n;
  axis.parts_ = parts;
  return axis;
}

AxisParts AxisParts::cyclic(std::int64_t n, std::int64_t parts, std::int64_t cell, std::int64_t first) {
  check_parts(n, parts);
  if (cell < 1) throw Error(ErrorCode::bad_shape, fmt::format("cells of {} indices: a cell has 1 or more", cell));
  if (first < 0 || first >= parts)
    throw Error(ErrorCode::bad_shape, fmt::format("the first cell is of part {}; parts are 0 to {}", first, parts - 1));
  if (parts == 1) return whole(n);  // its cells lie in a row
  AxisParts axis;
  axis.kind_ = Kind::cyclic;
  axis.extent_ = n;
  axis.parts_ = parts;
  axis.cell_ = cell;
  axis.first_ = first;
  return axis;
}

AxisParts AxisParts::irregular(std::vector<std::int64_t> cuts, std::vector<std::int64_t> owners) {
  if (cuts.size() < 2) throw Error(ErrorCode::bad_shape, fmt::format("{} cuts: there are two or more, from 0 to the extent", cuts.size()));
  if (cuts.front() != 0)
    throw Error(ErrorCode::bad_shape, fmt::format("cuts begin at {}: nobody holds the indices from 0 on", cuts.front()));
  for (std::size_t k = 1; k < cuts.size(); ++k)
    if (cuts[k] < cuts[k - 1]) throw Error(ErrorCode::bad_shape, fmt::format("cut {} follows cut {}: cuts ascend", cuts[k], cuts[k - 1]));
  const std::size_t n_cells = cuts.size() - 1;
  const bool has_owners = !owners.empty();
  if (has_owners && owners.size() != n_cells)
    throw Error(ErrorCode::bad_shape,
                fmt::format("{} owners of the {} cells between {} cuts: one a cell", owners.size(), n_cells, cuts.size()));
  AxisParts axis;
  axis.kind_ = Kind::irregular;
  axis.extent_ = cuts.back();
  for (std::size_t k = 0; k < n_cells && !has_owners; ++k) owners.push_back(static_cast<std::int64_t>(k));
  constexpr std::int64_t most_parts = 1 << 24;  // a count each
  for (const std::int64_t owner : owners)
    if (owner < 0 || owner >= most_parts)
      throw Error(ErrorCode::bad_shape, fmt::format("a cell is of part {}: parts are 0 to {}", owner, most_parts - 1));
  axis.parts_ = *std::max_element(owners.begin(), owners.end()) + 1;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(axis.parts_), 0);
  for (std::size_t k = 0; k < n_cells; ++k) {
    std::int64_t& count = counts[static_cast<std::size_t>(owners[k])];
    axis.locals_.push_back(count);
    count += cuts[k + 1] - cuts[k];
  }
  axis.locals_.insert(axis.locals_.end(), counts.begin(), counts.end());
  axis.cuts_ = std::move(cuts);
  axis.owners_ = std::move(owners);
  return axis;
}

AxisParts::Cell AxisParts::cell(std::int64_t index) const {
  if (kind_ == Kind::block) {
    const std::int64_t size = extent_ / parts_, longer = extent_ % parts_, their = longer * (size + 1);
    const std::int64_t owner = index < their ? index / (size + 1) : longer + (index - their) / size;
    return {part_begin(extent_, parts_, owner), part_begin(extent_, parts_, owner + 1), owner, 0};
  }
  if (kind_ == Kind::cyclic) {
    const std::int64_t k = index / cell_, first = k * cell_;
    return {first, extent_ - first > cell_ ? first + cell_ : extent_, (first_ + k % parts_) % parts_, k / parts_ * cell_};
  }
  const auto k = static_cast<std::size_t>(std::upper_bound(cuts_.begin(), cuts_.end(), index) - cuts_.begin() - 1);
  return {cuts_[k], cuts_[k + 1], owners_[k], locals_[k]};
}

std::int64_t AxisParts::count(std::int64_t part) const {
  if (kind_ == Kind::block) return part_begin(extent_, parts_, part + 1) - part_begin(extent_, parts_, part);
  if (kind_ == Kind::irregular) return locals_[owners_.size() + static_cast<std::size_t>(part)];
  const std::int64_t k = modulo(part - first_, parts_);  // its first cell
  const std::int64_t full = extent_ / cell_, own = full / parts_ + (k < full % parts_ ? 1 : 0);
  return own * cell_ + (k == full % parts_ ? extent_ % cell_ : 0);
}

std::vector<Range> AxisParts::held(std::int64_t part) const {
  std::vector<Range> ranges;
  const auto push = [&](std::int64_t first, std::int64_t end) {
    if (end <= first) return;
    if (!ranges.empty() && ranges.back().first + ranges.back().n == first) ranges.back().n += end - first;
    else ranges.push_back({first, end - first});
  };
  if (kind_ == Kind::block) {
    push(part_begin(extent_, parts_, part), part_begin(extent_, parts_, part + 1));
  } else if (kind_ == Kind::cyclic) {
    const std::int64_t n_cells = ceil_divide(extent_, cell_);
    for (std::int64_t k = modulo(part - first_, parts_); k < n_cells; k += parts_)
      push(k * cell_, extent_ - k * cell_ > cell_ ? (k + 1) * cell_ : extent_);
  } else {
    for (std::size_t k = 0; k < owners_.size(); ++k)
      if (owners_[k] == part) push(cuts_[k], cuts_[k + 1]);
  }
  return ranges;
}

std::string AxisParts::text() const {
  if (kind_ == Kind::block) return parts_ == 1 ? "whole" : fmt::format("block({})", parts_);
  if (kind_ == Kind::cyclic)
    return first_ == 0 ? fmt::format("cyclic({},{})", parts_, cell_) : fmt::format("cyclic({},{},{})", parts_, cell_, first_);
  return fmt::format("cuts({};{})", fmt::join(cuts_, ","), fmt::join(owners_, ","));
}

}  // namespace crinkle
