// Between NIfTI-1's and NIfTI-2's fields; see nifti_header.hpp. Floats become doubles and come back unchanged.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/nifti_header.hpp"

#include <cmath>
#include <cstring>

namespace crinkle::tool {
namespace {

template <class From, class To>
void copy_fields(const From& from, To& to) {
  const auto assign = [](auto value, auto like) { return static_cast<decltype(like)>(value); };
  to.datatype = assign(from.datatype, to.datatype);
  to.bitpix = assign(from.bitpix, to.bitpix);
  for (int i = 0; i < 8; ++i) to.dim[i] = assign(from.dim[i], to.dim[i]);
  for (int i = 0; i < 8; ++i) to.pixdim[i] = assign(from.pixdim[i], to.pixdim[i]);
  to.intent_p1 = assign(from.intent_p1, to.intent_p1);
  to.intent_p2 = assign(from.intent_p2, to.intent_p2);
  to.intent_p3 = assign(from.intent_p3, to.intent_p3);
  to.intent_code = assign(from.intent_code, to.intent_code);
  to.scl_slope = assign(from.scl_slope, to.scl_slope);
  to.scl_inter = assign(from.scl_inter, to.scl_inter);
  to.cal_max = assign(from.cal_max, to.cal_max);
  to.cal_min = assign(from.cal_min, to.cal_min);
  to.slice_duration = assign(from.slice_duration, to.slice_duration);
  to.slice_start = assign(from.slice_start, to.slice_start);
  to.slice_end = assign(from.slice_end, to.slice_end);
  to.slice_code = assign(from.slice_code, to.slice_code);
  to.toffset = assign(from.toffset, to.toffset);
  to.xyzt_units = assign(from.xyzt_units, to.xyzt_units);
  to.dim_info = from.dim_info;
  to.qform_code = assign(from.qform_code, to.qform_code);
  to.sform_code = assign(from.sform_code, to.sform_code);
  to.quatern_b = assign(from.quatern_b, to.quatern_b);
  to.quatern_c = assign(from.quatern_c, to.quatern_c);
  to.quatern_d = assign(from.quatern_d, to.quatern_d);
  to.qoffset_x = assign(from.qoffset_x, to.qoffset_x);
  to.qoffset_y = assign(from.qoffset_y, to.qoffset_y);
  to.qoffset_z = assign(from.qoffset_z, to.qoffset_z);
  for (int i = 0; i < 4; ++i) {
    to.srow_x[i] = assign(from.srow_x[i], to.srow_x[i]);
    to.srow_y[i] = assign(from.srow_y[i], to.srow_y[i]);
    to.srow_z[i] = assign(from.srow_z[i], to.srow_z[i]);
  }
  std::memcpy(to.descrip, from.descrip, sizeof to.descrip);
  std::memcpy(to.aux_file, from.aux_file, sizeof to.aux_file);
  std::memcpy(to.intent_name, from.intent_name, sizeof to.intent_name);
}

double squared_length(double b, double c, double d) { return b * b + c * c + d * d; }

// Lengthens the rounded quaternion of a rotation by 180° step by step; the largest part has the largest step, at most 1.2e-7 in the square.
void keep_half_turn(const nifti_2_header& from, nifti_1_header& to) {
  float &b = to.quatern_b, &c = to.quatern_c, &d = to.quatern_d;
  const bool is_exact = b == from.quatern_b && c == from.quatern_c && d == from.quatern_d;
  const double length = squared_length(from.quatern_b, from.quatern_c, from.quatern_d);
  if (is_exact || !(std::abs(1 - length) < smallest_a_squared)) return;
  float& most = std::abs(b) >= std::abs(c) && std::abs(b) >= std::abs(d) ? b : std::abs(c) >= std::abs(d) ? c : d;
  while (squared_length(b, c, d) < 1) most = std::nextafter(most, 2 * most);
}

}  // namespace

void copy_common_fields(const nifti_1_header& from, nifti_2_header& to) { copy_fields(from, to); }
void copy_common_fields(const nifti_2_header& from, nifti_1_header& to) {
  copy_fields(from, to);
  keep_half_turn(from, to);
}

}  // namespace crinkle::tool
