// The law of an axis is read off its map: index p of the output is source index start + step · p for every datum, or there is none.
// SPDX-License-Identifier: BSD-3-Clause
#include "words/spatial.hpp"

#include <optional>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "form/map.hpp"
#include "formats/nifti.hpp"

namespace crinkle::tool {
namespace {

struct Law {
  double start = 0, step = 1;
};

// The line start + step · j that all of a map's data lie on, if there is one; step is the fraction steps / pitch.
std::optional<Law> law_of(const Map& map) {
  std::optional<MapRun> first;
  std::int64_t steps = 0, pitch = 0;  // pitch 0: one datum so far, which any step fits
  for (const MapRun& r : runs_of(map)) {
    if (r.fill >= 0) continue;
    if (!first) first = r;
    if (pitch == 0 && r.first != first->first) {
      steps = r.start - first->start;
      pitch = r.first - first->first;
    }
    if (pitch == 0 && r.count > 1) {
      steps = r.step;
      pitch = r.pitch;
    }
    if (pitch == 0) continue;
    const auto on_line = [&](std::int64_t rise, std::int64_t run) { return Int128{rise} * pitch == Int128{steps} * run; };
    if (!on_line(r.start - first->start, r.first - first->first) || (r.count > 1 && !on_line(r.step, r.pitch))) return {};
  }
  if (!first || (pitch != 0 && steps == 0)) return {};
  const double step = pitch == 0 ? 1 : static_cast<double>(steps) / static_cast<double>(pitch);
  return Law{static_cast<double>(first->start) - static_cast<double>(first->first) * step, step};
}

// The map of the group that the output axis is, whole and alone.
const Map* map_of(const Rearrangement& r, std::size_t axis) {
  const std::vector<OutputTerm>& terms = r.outputs()[axis].terms;
  if (terms.size() != 1 || terms[0].group < 0) return nullptr;
  const Group& g = r.groups()[static_cast<std::size_t>(terms[0].group)];
  return g.digits.size() == 1 ? &g.digits[0].map : nullptr;
}

AxisOrigin origin_of(const Wanted& wanted, std::size_t axis) {
  const Map* map = map_of(wanted.unpadded(), axis);
  if (map == nullptr) return {};
  const int source_axis = wanted.map.outputs()[axis].terms[0].group;
  if (const auto law = law_of(*map)) return {source_axis, law->start, law->step};
  const Map* unrolled = map_of(wanted.unrolled(), axis);  // nothing where the axis is its bits until it is rolled
  const auto law = unrolled == nullptr ? std::nullopt : law_of(*unrolled);
  return law ? AxisOrigin{source_axis, law->start, law->step, true} : AxisOrigin{};
}

}  // namespace

SpatialChange spatial_change(const Wanted& wanted) {
  const Rearrangement& r = wanted.map;
  SpatialChange change;
  change.axes.resize(r.destination().extents.size());
  change.fixed.resize(r.source().extents.size(), 0.0);
  if (!r.has_names()) return change;
  std::vector<bool> is_listed(r.groups().size(), false);
  for (std::size_t a = 0; a < change.axes.size() && a < r.outputs().size(); ++a) {
    for (const OutputTerm& t : r.outputs()[a].terms) {
      if (t.group >= 0) is_listed[static_cast<std::size_t>(t.group)] = true;
    }
    change.axes[a] = origin_of(wanted, a);
  }
  for (std::size_t g = 0; g < r.groups().size() && g < change.fixed.size(); ++g) {
    const Group& group = r.groups()[g];
    if (is_listed[g] || group.digits.size() != 1) continue;
    const std::vector<MapRun> runs = runs_of(group.digits[0].map);
    if (!runs.empty() && runs[0].fill < 0) change.fixed[g] = static_cast<double>(runs[0].start);
  }
  return change;
}

void check_letters(const std::string& orient, const std::string& path, const OutputFacts& output) {
  if (!(path.ends_with(".nii") || path.ends_with(".nii.gz"))) return;
  const std::string letters = letters_elsewhere(output);
  if (letters.empty()) return;
  throw Error(ErrorCode::unsupported, "--orient " + orient + " is done first, and with the rest the axes of " + path + " would lead " +
                                          letters + "; leave out what turns, flips or takes apart the last three axes, or write .npy");
}

}  // namespace crinkle::tool
