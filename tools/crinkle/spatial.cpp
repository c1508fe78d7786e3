// SPDX-License-Identifier: BSD-3-Clause
#include "spatial.hpp"

#include <algorithm>

#include "form/map.hpp"

namespace crinkle::tool {
namespace {

// The affine law of a map: that of its longest run of data, or of its only datum; a rolled axis keeps the identity.
AxisOrigin origin_of(int axis, const Map& map, std::int64_t n) {
  const Run* longest = nullptr;
  const std::vector<Run> runs = runs_of(map);
  for (const Run& r : runs) {
    if (r.fill >= 0) continue;
    if (longest == nullptr || r.count > longest->count) longest = &r;
  }
  if (longest == nullptr) return {axis, 0, 1};
  const bool is_rolled = runs.size() > 1 && is_permutation(map, n);
  const double step = longest->count == 1 ? 1.0 : static_cast<double>(longest->step) / static_cast<double>(longest->pitch);
  if (is_rolled || step == 0) return step < 0 ? AxisOrigin{axis, static_cast<double>(n - 1), -1} : AxisOrigin{axis, 0, 1};
  return {axis, static_cast<double>(longest->start) - static_cast<double>(longest->first) * step, step};
}

}  // namespace

SpatialChange spatial_change(const Rearrangement& r) {
  SpatialChange change;
  change.axes.resize(r.destination().extents.size());
  change.fixed.resize(r.source().extents.size(), 0.0);
  if (!r.has_names()) return change;
  std::vector<bool> is_listed(r.groups().size(), false);
  for (std::size_t a = 0; a < change.axes.size() && a < r.outputs().size(); ++a) {
    const std::vector<OutputTerm>& terms = r.outputs()[a].terms;
    for (const OutputTerm& t : terms) {
      if (t.group >= 0) is_listed[static_cast<std::size_t>(t.group)] = true;
    }
    if (terms.size() != 1 || terms[0].group < 0) continue;
    const Group& g = r.groups()[static_cast<std::size_t>(terms[0].group)];
    if (g.digits.size() == 1) change.axes[a] = origin_of(terms[0].group, g.digits[0].map, g.extent);
  }
  for (std::size_t g = 0; g < r.groups().size() && g < change.fixed.size(); ++g) {
    const Group& group = r.groups()[g];
    if (is_listed[g] || group.digits.size() != 1) continue;
    const std::vector<Run> runs = runs_of(group.digits[0].map);
    if (!runs.empty() && runs[0].fill < 0) change.fixed[g] = static_cast<double>(runs[0].start);
  }
  return change;
}

}  // namespace crinkle::tool
