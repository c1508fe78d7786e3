// Finds where a volume's voxels lie, and what two volumes say differently; see nifti.hpp. The sform counts before the qform, as nibabel and
// the standard's method 3 have it.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <memory>
#include <utility>

#include "formats/nifti.hpp"
#include "formats/nifti_header.hpp"

namespace crinkle::tool {
namespace {

const NiftiExtras* extras_of(const ArrayFacts& facts) { return dynamic_cast<const NiftiExtras*>(facts.extras.get()); }

std::string print(double value) {
  std::array<char, 32> text = {};
  std::snprintf(text.data(), text.size(), "%.9g", value);
  return text.data();
}

nifti_dmat44 affine_of(const nifti_2_header& h) {
  if (h.sform_code <= 0) {
    return nifti_quatern_to_dmat44(h.quatern_b, h.quatern_c, h.quatern_d, h.qoffset_x, h.qoffset_y, h.qoffset_z, h.pixdim[1], h.pixdim[2],
                                   h.pixdim[3], h.pixdim[0] < 0 ? -1 : 1);
  }
  nifti_dmat44 m = {};
  std::copy(std::begin(h.srow_x), std::end(h.srow_x), m.m[0]);
  std::copy(std::begin(h.srow_y), std::end(h.srow_y), m.m[1]);
  std::copy(std::begin(h.srow_z), std::end(h.srow_z), m.m[2]);
  m.m[3][3] = 1;
  return m;
}

}  // namespace

std::string letters_of(const nifti_2_header& h) {
  std::string letters;
  if (h.sform_code <= 0 && h.qform_code <= 0) return letters;
  int codes[3] = {};
  nifti_dmat44_to_orientation(affine_of(h), &codes[0], &codes[1], &codes[2]);
  for (const int code : codes) letters += code >= 1 && code <= 6 ? "RLAPSI"[code - 1] : '?';
  return letters;
}

std::pair<double, double> scale_of(const nifti_2_header& h) {
  const bool is_scaled = std::isfinite(h.scl_slope) && h.scl_slope != 0;
  return is_scaled ? std::pair(h.scl_slope, h.scl_inter) : std::pair(1.0, 0.0);
}

std::optional<NiftiGeometry> geometry_of(const ArrayFacts& facts) {
  const NiftiExtras* extras = extras_of(facts);
  if (extras == nullptr) return {};
  const nifti_2_header& h = extras->header;
  NiftiGeometry geometry;
  const auto rank = static_cast<int>(facts.layout.extents.size());
  for (int d = 1; d <= std::min(rank, 4); ++d) geometry.spacing.push_back(h.pixdim[d]);
  geometry.space_unit = nifti_units_string(XYZT_TO_SPACE(h.xyzt_units));
  geometry.time_unit = nifti_units_string(XYZT_TO_TIME(h.xyzt_units));
  geometry.letters = letters_of(h);
  if (geometry.letters.empty()) return geometry;
  geometry.form = h.sform_code > 0 ? "sform" : "qform";
  const nifti_dmat44 m = affine_of(h);
  for (std::size_t i = 0; i < 4; ++i) std::copy(std::begin(m.m[i]), std::end(m.m[i]), geometry.affine[i].begin());
  return geometry;
}

bool has_geometry(const ArrayFacts& facts) {
  const std::optional<NiftiGeometry> geometry = geometry_of(facts);
  return geometry && (!geometry->form.empty() || geometry->space_unit != "Unknown" ||
                      std::any_of(geometry->spacing.begin(), geometry->spacing.end(), [](double mm) { return mm != 0 && mm != 1; }));
}

std::pair<double, double> scale_of(const ArrayFacts& facts) {
  const NiftiExtras* extras = extras_of(facts);
  return extras == nullptr ? std::pair(1.0, 0.0) : scale_of(extras->header);
}

ArrayFacts facts_of_values(const ArrayFacts& facts, const ElementType& type) {
  ArrayFacts values = facts;
  values.type = type;
  values.layout = Layout::dense(facts.layout.extents, type.bytes);
  std::erase_if(values.notes, [](const std::string& note) { return note.starts_with(values_as_stored); });
  if (const NiftiExtras* extras = extras_of(facts)) {
    auto header = std::make_shared<NiftiExtras>(*extras);
    header->header.scl_slope = 1;
    header->header.scl_inter = 0;
    values.extras = std::move(header);
  }
  return values;
}

ArrayFacts facts_of_sums(const ArrayFacts& facts, double of_weights) {
  ArrayFacts sums = facts;
  const double intercept = scale_of(facts).second;
  if (intercept == 0 || of_weights == 1) return sums;
  auto header = std::make_shared<NiftiExtras>(*extras_of(facts));
  header->header.scl_inter = intercept * of_weights;
  sums.extras = std::move(header);
  return sums;
}

std::optional<std::string> scale_difference(const ArrayFacts& a, const ArrayFacts& b) {
  const auto [slope_a, inter_a] = scale_of(a);
  const auto [slope_b, inter_b] = scale_of(b);
  if (slope_a == slope_b && inter_a == inter_b) return {};
  return "values are stored times " + print(slope_a) + " plus " + print(inter_a) + " in " + a.path + ", times " + print(slope_b) +
         " plus " + print(inter_b) + " in " + b.path;
}

std::optional<std::string> nifti_difference(const ArrayFacts& a, const ArrayFacts& b) {
  const NiftiExtras *in_a = extras_of(a), *in_b = extras_of(b);
  if (in_a == nullptr && in_b == nullptr) return {};
  if (in_a == nullptr || in_b == nullptr) {
    const bool is_a = in_a != nullptr;
    return (is_a ? a : b).path + " says where its voxels lie, and " + (is_a ? b : a).path + " is no NIfTI volume and does not";
  }
  const nifti_2_header &h = in_a->header, &g = in_b->header;
  std::optional<std::string> found;
  const auto compare = [&](const std::string& what, double x, double y) {
    if (!found && x != y && !(std::isnan(x) && std::isnan(y)))
      found = what + " is " + print(x) + " in " + a.path + ", " + print(y) + " in " + b.path;
  };
  const auto rank = static_cast<int>(a.layout.extents.size());
  for (int d = 1; d <= std::min(std::max(rank, 4), 7); ++d) {
    const std::string axis = d <= 3   ? std::string("voxel size along ") + "xyz"[d - 1]
                             : d == 4 ? "time step"
                                      : "pixdim[" + std::to_string(d) + "]";
    compare(axis, h.pixdim[d], g.pixdim[d]);
  }
  compare("unit (xyzt_units)", h.xyzt_units, g.xyzt_units);
  compare("qform_code", h.qform_code, g.qform_code);
  compare("sform_code", h.sform_code, g.sform_code);
  const auto compare_affines = [&](const std::string& name, const nifti_dmat44& m, const nifti_dmat44& n) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 4; ++j) compare(name + "[" + std::to_string(i) + "][" + std::to_string(j) + "]", m.m[i][j], n.m[i][j]);
    }
  };
  nifti_2_header q = h, r = g;
  q.sform_code = r.sform_code = 0;
  if (h.sform_code > 0) compare_affines("sform", affine_of(h), affine_of(g));
  if (h.qform_code > 0) compare_affines("qform", affine_of(q), affine_of(r));
  compare("time offset (toffset)", h.toffset, g.toffset);
  compare("intent_code", h.intent_code, g.intent_code);
  compare("intent_p1", h.intent_p1, g.intent_p1);
  compare("intent_p2", h.intent_p2, g.intent_p2);
  compare("intent_p3", h.intent_p3, g.intent_p3);
  compare("dim_info", h.dim_info, g.dim_info);
  compare("slice_start", static_cast<double>(h.slice_start), static_cast<double>(g.slice_start));
  compare("slice_end", static_cast<double>(h.slice_end), static_cast<double>(g.slice_end));
  compare("slice_code", h.slice_code, g.slice_code);
  compare("slice_duration", h.slice_duration, g.slice_duration);
  compare("cal_min", h.cal_min, g.cal_min);
  compare("cal_max", h.cal_max, g.cal_max);
  return found;
}

}  // namespace crinkle::tool
