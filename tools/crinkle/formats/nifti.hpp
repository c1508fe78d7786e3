// NIfTI-1 and NIfTI-2 volumes: single files (.nii, and .nii.gz once unpacked), and pairs (.hdr and .img), which are read. The array's shape
// is the header's `dim` reversed, so that its last axis is x; a big-endian file keeps its order. RGB24 and RGBA32 are records of u1 named
// R, G, B (and A), as nibabel has them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "formats/facts.hpp"

namespace crinkle::tool {

/// A reader needs to see so many bytes of a file to judge its header.
inline constexpr std::size_t nifti_header_bytes = 540;

bool begins_like_nifti(std::span<const std::byte> file);
/// A header whose voxels lie in a file of their own.
bool begins_like_nifti_pair(std::span<const std::byte> file);

/// The bytes that the file with the voxels must have by the header: data offset plus voxels. Throws bad_file, unsupported.
std::int64_t nifti_file_bytes(std::span<const std::byte> begin, const std::string& path);

/// The facts of the whole file; extras carry the header and its extensions. Throws bad_file, unsupported.
ArrayFacts read_nifti(std::span<const std::byte> file, const std::string& path);
/// The same of a pair; the layout is that of the voxels' file.
ArrayFacts read_nifti_pair(std::span<const std::byte> header, const std::string& header_path, std::span<const std::byte> voxels,
                           const std::string& voxels_path);

/// Millimetres from voxel to voxel along the axes of a volume that was read, as the decimal numbers that the header's float32 stand for, in
/// the order of its extents; 0 along those that are not in space. Empty for what is no NIfTI volume, or one whose header has no lengths.
std::vector<double> spacing_mm(const ArrayFacts& facts);

/// The places of a volume's voxels, x first.
struct NiftiGeometry {
  std::vector<double> spacing;                       // along x, y, z and time, as many as there are axes
  std::string space_unit, time_unit;                 // "mm", "s", "Unknown"
  std::string form;                                  // "sform" or "qform", which the rest is from; "": the header says neither
  std::string letters;                               // where x, y and z lead to: "RAS"
  std::array<std::array<double, 4>, 4> affine = {};  // millimetres = affine * (x, y, z, 1)
};

/// Nothing for what is no NIfTI volume.
std::optional<NiftiGeometry> geometry_of(const ArrayFacts& facts);
/// Whether there is one that says more than that nothing is known.
bool has_geometry(const ArrayFacts& facts);

/// The volume seen with x, y and z leading where `letters` say ("RAS": right, anterior, superior), every voxel at its place in the world:
/// another layout of the same bytes, and the header that a file of it would have. Throws bad_notation for letters that are not one each of
/// R or L, A or P, S or I; unsupported for what is no NIfTI volume of three axes that says where its voxels lie.
ArrayFacts turned_to(const std::string& letters, const ArrayFacts& facts);

/// The letters to which x, y and z of a NIfTI volume's output lead, "nowhere" if its header will not say; "" if they lead as before.
/// Requires a change.
std::string letters_elsewhere(const OutputFacts& facts);

/// A stored number n means first * n + second: slope and intercept, 1 and 0 of what is no NIfTI volume.
std::pair<double, double> scale_of(const ArrayFacts& facts);

/// The facts of a file whose numbers are the values that those of `facts` mean, as `type` in C order from the first byte on.
ArrayFacts facts_of_values(const ArrayFacts& facts, const ElementType& type);

/// The facts of a file whose numbers are sums of those of `facts`, with weights that add up to `of_weights`: the intercept is as often in
/// them.
ArrayFacts facts_of_sums(const ArrayFacts& facts, double of_weights);

/// Says, naming both files, that their stored numbers mean different values, if they do; a file that is no NIfTI volume is not scaled.
std::optional<std::string> scale_difference(const ArrayFacts& a, const ArrayFacts& b);

/// The first thing that the headers of two volumes of one shape say differently of their voxels (sizes, units, place, time, intent, slices,
/// the range to show), as a sentence naming both values and files. Descriptions and extensions are not compared.
std::optional<std::string> nifti_difference(const ArrayFacts& a, const ArrayFacts& b);

/// Header, extensions and gap, up to where the voxels begin. A NIfTI source's header is carried over and its orientation
/// follows the change; what cannot be kept is added to `notes`. NIfTI-1 unless the source is NIfTI-2 or an extent is above 32767.
/// Throws unsupported for types that NIfTI lacks, more than 7 axes or an extent of 0.
std::vector<std::byte> nifti_header(const OutputFacts& facts, const std::string& path, std::vector<std::string>& notes);

}  // namespace crinkle::tool
