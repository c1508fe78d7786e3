// A map of more boxes than one step may have is made in two, through a dense workspace that has the groups in their order. The first step
// makes the maps of about half of the axes; the second those of the others, the outputs, and all fills, so that the last fill lies on top.
// A split axis that has a map of its own as a whole gets that map in the first step and its digits' maps in the second. Where all fills are
// alike the first step makes that map's fills, too: cut into pieces of the split axis they might be too many.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/checked.hpp"
#include "form/lowering.hpp"
#include "form/map.hpp"

namespace crinkle {
namespace {

std::int64_t product_of(const std::vector<Factor>& factors) {
  std::int64_t n = 1;
  for (const Factor& f : factors) {
    if (__builtin_mul_overflow(n, std::max<std::int64_t>(1, static_cast<std::int64_t>(f.pieces.size())), &n)) return INT64_MAX;
  }
  return n;
}

bool are_alike(const std::vector<Fill>& fills) {
  const auto is_zero = [](const Fill& f) {
    return std::all_of(f.pattern.begin(), f.pattern.end(), [](std::byte b) { return b == std::byte{}; });
  };
  return std::all_of(fills.begin(), fills.end(), [&](const Fill& f) { return f == fills[0] || (is_zero(f) && is_zero(fills[0])); });
}

bool has_own_map(const Group& g) { return g.digits.size() > 1 && g.ragged_phases == 0 && !is_identity(g.whole, extent_of(g.whole)); }

// Which groups have their maps made by the first step: the heaviest axis first, each to the lighter side.
std::vector<bool> first_half(const std::vector<Group>& groups, const std::vector<Factor>& factors) {
  std::vector<double> bits(groups.size(), 0.0);  // log2 of each group's number of pieces
  for (const Factor& f : factors) {
    if (f.group >= 0 && !f.is_scattered)
      bits[static_cast<std::size_t>(f.group)] += std::log2(static_cast<double>(std::max<std::size_t>(1, f.pieces.size())));
  }
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return bits[a] != bits[b] ? bits[a] > bits[b] : a < b; });
  std::vector<bool> is_first(groups.size(), false);
  double first = 0, second = 0;
  for (const std::size_t g : order) {
    const bool is_free = groups[g].ragged_phases == 0 && groups[g].counts == Counts::bytes && !groups[g].digits.empty();
    is_first[g] = is_free && (has_own_map(groups[g]) || first <= second);
    (is_first[g] ? first : second) += bits[g];
  }
  return is_first;
}

}  // namespace

Steps Lowering::two_steps(const std::vector<Factor>& factors) const {
  const std::vector<bool> is_first = first_half(r_.groups_, factors);
  const bool fills_are_alike = are_alike(r_.fills_);
  bool fills_are_made_first = false;
  std::vector<Group> into_workspace, from_workspace;
  std::vector<Output> workspace_axes;
  for (std::size_t g = 0; g < r_.groups_.size(); ++g) {
    Group before = r_.groups_[g], after = r_.groups_[g];
    if (has_own_map(after) || !is_first[g]) {
      const Map map = is_first[g] ? before.whole : identity_map(before.extent);
      before.digits = {{"", before.extent, map}};
      before.whole.clear();
      before.ragged_phases = 0;
      if (is_first[g]) {
        fills_are_made_first = fills_are_alike;
        after.extent = extent_of(map);
        after.whole = fills_are_made_first ? identity_map(after.extent) : in_place(map);
      }
    } else {
      after.extent = 1;
      for (ElementaryAxis& d : after.digits) {
        d = {d.name, extent_of(d.map), in_place(d.map)};
        after.extent = multiply(after.extent, d.radix);
      }
      after.whole = identity_map(after.extent);
    }
    after.counts = Counts::bytes;
    Output axis;
    for (std::size_t d = 0; d < before.digits.size(); ++d) axis.terms.push_back({static_cast<int>(g), static_cast<int>(d), 1});
    workspace_axes.push_back(axis);
    into_workspace.push_back(std::move(before));
    from_workspace.push_back(std::move(after));
  }
  Rearrangement first(r_.element_bytes_, r_.src_offset_, std::move(into_workspace), std::move(workspace_axes));
  first.fills_ = r_.fills_;
  first.parts_ = r_.parts_;
  for (std::size_t g = 0; g < from_workspace.size(); ++g) from_workspace[g].stride = first.destination_.strides[g];
  Rearrangement second(r_.element_bytes_, 0, std::move(from_workspace), r_.outputs_);
  second.fills_ = r_.fills_;
  second.destination_ = r_.destination_;
  second.n_destinations_ = r_.n_destinations_;

  const auto one_step_of = [&](const Rearrangement& half) {
    const Lowering lowering(half);
    std::vector<Factor> halves = factors_of(half.groups_, lowering.destination_strides(), max_boxes);
    lowering.add_repeats(halves);
    std::optional<Step> step = lowering.one_step_gathering(halves, 1);
    if (!step) throw Error(ErrorCode::too_large, "two steps of 4096 boxes do not suffice for axes in so many pieces; move twice");
    return std::move(*step);
  };
  Step a = one_step_of(first), b = one_step_of(second);
  if (!fills_are_made_first) {  // what the second step fills need not be there
    a.boxes.erase(std::remove_if(a.boxes.begin(), a.boxes.end(), [](const Box& box) { return box.is_fill; }), a.boxes.end());
    for (Boxes& boxes : a.fill_boxes) boxes.clear();
  }
  const std::int64_t n = product_of(factors);
  const bool is_scattered = std::any_of(factors.begin(), factors.end(), [](const Factor& f) { return f.is_scattered && f.digit < 0; });
  std::string why = is_scattered ? "an index array is taken along an axis that is split or bit-reversed"
                                 : (n == INT64_MAX ? "2^63" : std::to_string(n)) + " boxes, more than the 4096 of one step";
  return {{std::move(a), std::move(b)}, first.destination_.n_bytes(), std::move(why)};
}

}  // namespace crinkle
