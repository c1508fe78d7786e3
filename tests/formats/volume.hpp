// The volume that the NIfTI tests turn around: oblique in both forms, with scan axes and slice times.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nifti2_io.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "folder.hpp"
#include "formats/nifti_header.hpp"

namespace crinkle::tool {

inline nifti_1_header plain(const std::vector<int>& dim, int datatype, int bits) {
  nifti_1_header header = {};
  header.sizeof_hdr = 348;
  header.dim[0] = static_cast<short>(dim.size());
  for (std::size_t d = 0; d < 7; ++d) header.dim[d + 1] = d < dim.size() ? static_cast<short>(dim[d]) : 1;
  header.datatype = static_cast<short>(datatype);
  header.bitpix = static_cast<short>(bits);
  header.vox_offset = 352;
  for (float& step : header.pixdim) step = 1;
  std::memcpy(header.magic, "n+1", 4);
  return header;
}

inline std::string text_of(const nifti_1_header& header) {
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + std::string(4, '\0');
}

/// A volume of 4 × 3 × 5 voxels (x, y, z) and 2 times, oblique in both forms, with scan axes and slice times.
inline nifti_1_header oblique() {
  nifti_1_header header = plain({4, 3, 5, 2}, NIFTI_TYPE_INT16, 16);
  const float steps[] = {-1, 0.9F, 1.1F, 2.5F, 3, 1, 1, 1};
  std::copy(std::begin(steps), std::end(steps), header.pixdim);
  header.qform_code = 1;
  header.sform_code = 2;
  header.quatern_b = 0.1F;
  header.quatern_c = -0.3F;
  header.quatern_d = 0.5F;
  header.qoffset_x = 10;
  header.qoffset_y = -20;
  header.qoffset_z = 30;
  const float rows[3][4] = {{1, 0.2F, 0.1F, -90}, {-0.3F, 2, 0.4F, -126}, {0.1F, 0.2F, 3, -72}};
  std::memcpy(header.srow_x, rows[0], sizeof rows[0]);
  std::memcpy(header.srow_y, rows[1], sizeof rows[1]);
  std::memcpy(header.srow_z, rows[2], sizeof rows[2]);
  header.dim_info = static_cast<char>(FPS_INTO_DIM_INFO(1, 2, 3));
  header.slice_code = NIFTI_SLICE_ALT_INC;
  header.slice_start = 1;
  header.slice_end = 4;
  header.slice_duration = 0.1F;
  header.xyzt_units = NIFTI_UNITS_MM | NIFTI_UNITS_SEC;
  std::strcpy(header.descrip, "kept");
  header.glmax = 77;
  return header;
}

inline std::string oblique_file() { return text_of(oblique()) + pattern(240); }

inline const nifti_2_header& header_of(const Source& source) { return dynamic_cast<const NiftiExtras&>(*source.facts().extras).header; }

}  // namespace crinkle::tool
