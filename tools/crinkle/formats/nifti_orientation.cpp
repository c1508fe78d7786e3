// How a NIfTI header's orientation follows a rearrangement. With w an output voxel and v = M·w the source voxel it came from,
//     world = A·v = (A·M)·w,
// so qform and sform are multiplied by M from the right: M's columns are the steps of the axes, its last column the starts.
// NIfTI's dimension d (1 = x) is axis rank − d; only dimensions 1 to 3 are spatial.
// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cmath>
#include <optional>

#include "formats/nifti_header.hpp"

namespace crinkle::tool {
namespace {

constexpr int n_spatial = 3;

/// The dimension of the source that an output dimension comes from (0: none), and the affine map of its indices.
struct Origin {
  int dimension = 0;
  double start = 0;
  double step = 1;
  bool is_rolled = false;
};

class Change {
 public:
  Change(const Extents& source, const Extents& output, const SpatialChange* change) : source_(source), output_(output) {
    if (change == nullptr) {
      for (int d = 1; d <= 7 && source == output && d <= rank(output); ++d) origin(d) = {d, 0, 1, false};
      return;
    }
    for (int d = 1; d <= rank(output) && d <= 7; ++d) {
      const AxisOrigin& axis = change->axes.at(static_cast<std::size_t>(rank(output) - d));
      if (axis.source_axis >= 0) origin(d) = {rank(source) - axis.source_axis, axis.start, axis.step, axis.is_rolled};
    }
    fixed_ = change->fixed;
  }

  Origin& origin(int d) { return origins_[static_cast<std::size_t>(d)]; }
  std::int64_t source_extent(int d) const { return extent(source_, d); }
  std::int64_t output_extent(int d) const { return extent(output_, d); }
  int source_rank() const { return rank(source_); }

  /// Finds a source dimension for each of the output's three spatial dimensions: those that are absent or of extent 1 take the source's
  /// spatial dimensions that no longer exist, at the index they were fixed to. False: a spatial axis was split, merged,
  /// taken at irregular indices or moved among the other axes.
  bool complete() {
    std::array<bool, n_spatial + 1> is_taken = {};
    for (int d = 1; d <= n_spatial; ++d) {
      const int s = origin(d).dimension;
      if (s > n_spatial || (s == 0 && output_extent(d) > 1) || (s > 0 && is_taken[static_cast<std::size_t>(s)])) return false;
      is_taken[static_cast<std::size_t>(s)] = true;
    }
    bool is_mixed = false;  // some later output axis is new, split or merged
    for (int d = n_spatial + 1; d <= 7; ++d) {
      const int s = origin(d).dimension;
      is_mixed = is_mixed || (s == 0 && output_extent(d) > 1);
      if (s >= 1 && s <= n_spatial && output_extent(d) > 1) return false;
    }
    for (int s = 1; s <= n_spatial; ++s) {
      if (is_taken[static_cast<std::size_t>(s)]) continue;
      if (is_mixed && source_extent(s) > 1) return false;
      const int d = origin(s).dimension == 0 ? s : first_free();
      origin(d) = {s, fixed_index(s), 1, false};
    }
    return true;
  }

 private:
  static int rank(const Extents& extents) { return static_cast<int>(extents.size()); }
  static std::int64_t extent(const Extents& extents, int d) {
    return d <= rank(extents) ? extents[static_cast<std::size_t>(rank(extents) - d)] : 1;
  }

  int first_free() {
    int d = 1;
    while (origin(d).dimension != 0) ++d;
    return d;
  }

  double fixed_index(int s) const {
    const int axis = rank(source_) - s;
    return axis >= 0 && axis < static_cast<int>(fixed_.size()) ? fixed_[static_cast<std::size_t>(axis)] : 0;
  }

  const Extents& source_;
  const Extents& output_;
  std::vector<double> fixed_;
  std::array<Origin, 8> origins_ = {};  // by output dimension; [0] is unused
};

nifti_dmat44 matrix_of(Change& change) {
  nifti_dmat44 m = {};
  for (int d = 1; d <= n_spatial; ++d) {
    const Origin& from = change.origin(d);
    m.m[from.dimension - 1][d - 1] = from.step;
    m.m[from.dimension - 1][3] = from.start;
  }
  m.m[3][3] = 1;
  return m;
}

bool is_finite(const nifti_dmat44& m) {
  double sum = 0;
  for (const auto& row : m.m) {
    for (const double value : row) sum += std::abs(value);
  }
  return std::isfinite(sum);
}

bool change_sform(nifti_2_header& header, const nifti_dmat44& m) {
  nifti_dmat44 s = {};
  for (int i = 0; i < 4; ++i) {
    s.m[0][i] = header.srow_x[i];
    s.m[1][i] = header.srow_y[i];
    s.m[2][i] = header.srow_z[i];
  }
  s.m[3][3] = 1;
  const nifti_dmat44 t = nifti_dmat44_mul(s, m);
  if (!is_finite(t)) return false;
  for (int i = 0; i < 4; ++i) {
    header.srow_x[i] = t.m[0][i];
    header.srow_y[i] = t.m[1][i];
    header.srow_z[i] = t.m[2][i];
  }
  return true;
}

/// Uses the voxel sizes of the source: call it before they change.
bool change_qform(nifti_2_header& header, const nifti_dmat44& m) {
  const nifti_dmat44 q =
      nifti_quatern_to_dmat44(header.quatern_b, header.quatern_c, header.quatern_d, header.qoffset_x, header.qoffset_y, header.qoffset_z,
                              header.pixdim[1], header.pixdim[2], header.pixdim[3], header.pixdim[0] < 0 ? -1 : 1);
  const nifti_dmat44 t = nifti_dmat44_mul(q, m);
  if (!is_finite(t)) return false;
  double b = 0, c = 0, d = 0, x = 0, y = 0, z = 0, handedness = 1;
  nifti_dmat44_to_quatern(t, &b, &c, &d, &x, &y, &z, nullptr, nullptr, nullptr, &handedness);
  // A turn by 180° has a = 0 and b, c, d of length 1; a ≈ 3·10⁻⁴ is what the errors of b, c, d alone would make of it.
  if (const double length = std::sqrt(b * b + c * c + d * d); 1 - length * length < smallest_a_squared) {
    b /= length;
    c /= length;
    d /= length;
  }
  header.quatern_b = b;
  header.quatern_c = c;
  header.quatern_d = d;
  header.qoffset_x = x;
  header.qoffset_y = y;
  header.qoffset_z = z;
  header.pixdim[0] = handedness;
  return true;
}

void change_spacings(nifti_2_header& header, Change& change) {
  const nifti_2_header before = header;
  for (int d = 1; d <= 7; ++d) {
    const Origin& from = change.origin(d);
    const bool is_beyond_both = change.output_extent(d) == 1 && d > change.source_rank();
    // The time step that a single volume has from its series is that of the series it is put into.
    const bool is_kept = d == 4 && before.pixdim[d] > 0 && (change.output_extent(d) == 1 || d > change.source_rank());
    if (from.dimension > 0) {
      header.pixdim[d] = before.pixdim[from.dimension] * std::abs(from.step);
    } else if (!is_beyond_both && !is_kept) {
      header.pixdim[d] = 1;
    }
  }
  if (change.origin(4).dimension == 4 && change.origin(4).step > 0) header.toffset += change.origin(4).start * before.pixdim[4];
}

/// The output dimension that continues a source dimension whole, or 0.
int continued(Change& change, int s) {
  for (int d = 1; d <= n_spatial; ++d) {
    if (change.origin(d).dimension == s) return d;
  }
  return 0;
}

void change_scan_axes(nifti_2_header& header, Change& change) {
  const auto info = static_cast<unsigned>(static_cast<unsigned char>(header.dim_info));
  unsigned moved = 0;
  for (unsigned shift = 0; shift < 6; shift += 2) {
    const auto s = static_cast<int>(info >> shift & 3U);
    if (s > 0) moved |= static_cast<unsigned>(continued(change, s)) << shift;
  }
  header.dim_info = static_cast<char>(moved);

  const auto slice = static_cast<int>(info >> 4 & 3U);
  if (slice == 0) return;
  const int d = continued(change, slice);
  const std::int64_t n = change.source_extent(slice);
  const bool is_whole = d > 0 && change.output_extent(d) == n && std::abs(change.origin(d).step) == 1 && !change.origin(d).is_rolled;
  const bool is_flipped = is_whole && change.origin(d).step < 0 && change.origin(d).start == static_cast<double>(n - 1);
  const bool is_kept = is_whole && change.origin(d).step > 0 && change.origin(d).start == 0;
  if (is_flipped) {
    const std::int64_t start = header.slice_start;
    if (header.slice_end > 0 && header.slice_end < n && start >= 0) {
      header.slice_start = n - 1 - header.slice_end;
      header.slice_end = n - 1 - start;
    }
    // Increasing and decreasing orders are neighbours: 1 and 2, 3 and 4, 5 and 6.
    if (header.slice_code >= 1 && header.slice_code <= 6) header.slice_code = ((header.slice_code - 1) ^ 1) + 1;
  } else if (!is_kept) {
    header.slice_start = header.slice_end = header.slice_code = 0;
    header.slice_duration = 0;
  }
}

}  // namespace

void change_orientation(nifti_2_header& header, const Extents& source, const Extents& output, const SpatialChange* change,
                        std::vector<std::string>& notes) {
  Change axes(source, output, change);
  const bool has_orientation = header.qform_code > 0 || header.sform_code > 0;
  const auto drop = [&](const std::string& why) {
    header.qform_code = header.sform_code = 0;
    if (has_orientation) notes.push_back("the orientation (qform and sform) is dropped: " + why);
  };
  if (axes.complete()) {
    const nifti_dmat44 m = matrix_of(axes);
    bool is_identity = true;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) is_identity = is_identity && m.m[i][j] == (i == j ? 1 : 0);
    }
    const bool is_done =
        is_identity || ((header.sform_code <= 0 || change_sform(header, m)) && (header.qform_code <= 0 || change_qform(header, m)));
    if (!is_done) drop("its numbers are not finite");
    for (int d = 1; d <= n_spatial && has_orientation && is_done; ++d) {
      if (!axes.origin(d).is_rolled) continue;
      notes.push_back(std::string("axis ") + "xyz"[axes.origin(d).dimension - 1] +
                      " is rolled: voxel positions are those of the unrolled array");
    }
  } else {
    drop("a spatial axis was split, merged, taken at irregular indices or moved away from the last three");
  }
  change_spacings(header, axes);
  change_scan_axes(header, axes);
}

}  // namespace crinkle::tool
