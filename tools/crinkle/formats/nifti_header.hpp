// The NIfTI header as the readers and writers here hold it: always with NIfTI-2's fields, in the machine's byte order; the
// fields that only NIfTI-1 has are kept beside it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nifti2_io.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/facts.hpp"

namespace crinkle::tool {

struct NiftiExtension {
  std::int32_t code = 0;
  std::vector<std::byte> data;
};

struct NiftiExtras : FormatExtras {
  nifti_2_header header = {};
  std::optional<nifti_1_header> first_version;  // the header as read, when the file is NIfTI-1
  char order = '<';                             // of the file
  std::vector<NiftiExtension> extensions;
};

/// Slope and intercept as a reader takes them: a slope of 0, or none that is a number, means values as stored.
std::pair<double, double> scale_of(const nifti_2_header& header);

/// The letters to which x, y and z lead: "RAS"; "" where the header says no place, '?' for an axis that leads nowhere.
std::string letters_of(const nifti_2_header& header);

/// How the note begins that slope and intercept are not applied.
inline constexpr std::string_view values_as_stored = "values are as stored";

/// A NIfTI data type and the element it is.
struct NiftiType {
  std::int16_t code;
  std::string_view descr;  // without the order character; a list for the colour types
};

inline constexpr std::array<NiftiType, 16> nifti_types = {{
    {NIFTI_TYPE_UINT8, "u1"},
    {NIFTI_TYPE_INT16, "i2"},
    {NIFTI_TYPE_INT32, "i4"},
    {NIFTI_TYPE_FLOAT32, "f4"},
    {NIFTI_TYPE_COMPLEX64, "c8"},
    {NIFTI_TYPE_FLOAT64, "f8"},
    {NIFTI_TYPE_RGB24, "[('R', '|u1'), ('G', '|u1'), ('B', '|u1')]"},
    {NIFTI_TYPE_INT8, "i1"},
    {NIFTI_TYPE_UINT16, "u2"},
    {NIFTI_TYPE_UINT32, "u4"},
    {NIFTI_TYPE_INT64, "i8"},
    {NIFTI_TYPE_UINT64, "u8"},
    {NIFTI_TYPE_FLOAT128, "f16"},
    {NIFTI_TYPE_COMPLEX128, "c16"},
    {NIFTI_TYPE_COMPLEX256, "c32"},
    {NIFTI_TYPE_RGBA32, "[('R', '|u1'), ('G', '|u1'), ('B', '|u1'), ('A', '|u1')]"},
}};

/// Gives `to` every field that both versions have; sizes, magic and offset of the data are left alone. A rotation by 180° stays one: its
/// quaternion is not rounded to less than length 1, from which a reader would compute a rotation 4·10⁻⁴ away.
void copy_common_fields(const nifti_1_header& from, nifti_2_header& to);
void copy_common_fields(const nifti_2_header& from, nifti_1_header& to);

/// Below this 1 − b² − c² − d² = a² is the rounding of b, c and d, and readers take the rotation for one by 180°.
inline constexpr double smallest_a_squared = 1e-7;

/// Carries dims, pixdim, both orientations, dim_info and the slice fields over to the output's axes.
void change_orientation(nifti_2_header& header, const Extents& source, const Extents& output, const SpatialChange* change,
                        std::vector<std::string>& notes);

}  // namespace crinkle::tool
