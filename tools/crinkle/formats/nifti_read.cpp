// Reading NIfTI headers; see nifti.hpp. Every number is judged here before it is used: the library only turns byte orders.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "base/checked.hpp"
#include "base/ensure.hpp"
#include "formats/file.hpp"
#include "formats/nifti.hpp"
#include "formats/nifti_header.hpp"
#include "formats/nifti_pair.hpp"

namespace crinkle::tool {
namespace {

constexpr char other_order = native_order == '<' ? '>' : '<';

/// 1 or 2, or 0 for what is no NIfTI header; the order it is in.
struct Version {
  int number = 0;
  char order = native_order;
};

Version version_of(std::span<const std::byte> file) {
  std::int32_t first = 0;
  if (file.size() < sizeof first) return {};
  std::memcpy(&first, file.data(), sizeof first);
  const std::int32_t swapped = std::bit_cast<std::int32_t>(__builtin_bswap32(std::bit_cast<std::uint32_t>(first)));
  for (const auto& [value, order] : {std::pair(first, native_order), std::pair(swapped, other_order)}) {
    if (value == static_cast<std::int32_t>(sizeof(nifti_1_header))) return {1, order};
    if (value == static_cast<std::int32_t>(sizeof(nifti_2_header))) return {2, order};
  }
  return {};
}

/// Whether the text is the magic of a pair's header; the other text fields are not judged.
bool is_pair(std::string_view magic, int version, const std::string& path) {
  const std::string single = "n+" + std::to_string(version), pair = "ni" + std::to_string(version);
  if (magic.starts_with(pair)) return true;
  if (magic.starts_with(single)) return false;
  if (version == 1 && names_pair(path)) {
    throw Error(ErrorCode::unsupported, path +
                                            ": has no NIfTI magic; a header of Analyze 7.5 does not say where its voxels lie, and is not "
                                            "read: save the volume as NIfTI first");
  }
  throw_bad_file(path, "NIfTI magic is '" + printable(magic) + "', not '" + single + "' or '" + pair + "'");
}

/// Header and data offset, in this machine's order, nothing but sizes and magic judged.
struct Head {
  std::shared_ptr<NiftiExtras> extras = std::make_shared<NiftiExtras>();
  std::size_t header_bytes = 0;
  std::int64_t data_offset = 0;
  bool is_pair = false;
};

std::int64_t whole_offset(double offset, const std::string& path) {
  constexpr double most = 9007199254740992;  // 2^53: beyond it doubles skip numbers
  if (!(offset >= 0 && offset <= most) || offset != std::floor(offset)) {
    throw_bad_file(path, "NIfTI vox_offset " + std::to_string(offset) + " is no place in a file");
  }
  return static_cast<std::int64_t>(offset);
}

Head head_of(std::span<const std::byte> file, const std::string& path) {
  const Version version = version_of(file);
  if (version.number == 0) throw_bad_file(path, "has no NIfTI header");
  Head head;
  NiftiExtras& extras = *head.extras;
  extras.order = version.order;
  head.header_bytes = version.number == 1 ? sizeof(nifti_1_header) : sizeof(nifti_2_header);
  if (file.size() < head.header_bytes)
    throw_bad_file(path, "ends after " + std::to_string(file.size()) + " bytes, inside the NIfTI header");
  if (version.number == 1) {
    nifti_1_header header;
    std::memcpy(&header, file.data(), sizeof header);
    if (version.order != native_order) swap_nifti_header(&header, 1);
    head.is_pair = is_pair({header.magic, sizeof header.magic}, 1, path);
    head.data_offset = whole_offset(static_cast<double>(header.vox_offset), path);
    copy_common_fields(header, extras.header);
    extras.first_version = header;
  } else {
    std::memcpy(&extras.header, file.data(), sizeof extras.header);
    if (version.order != native_order) swap_nifti_header(&extras.header, 2);
    head.is_pair = is_pair({extras.header.magic, sizeof extras.header.magic}, 2, path);
    head.data_offset = extras.header.vox_offset;
  }
  const auto least = static_cast<std::int64_t>(head.header_bytes);
  if (head.is_pair && head.data_offset < 0)
    throw_bad_file(path, "NIfTI vox_offset " + std::to_string(head.data_offset) + " is no place in a file");
  if (!head.is_pair && head.data_offset < least) {
    throw_bad_file(
        path, "NIfTI vox_offset " + std::to_string(head.data_offset) + " lies inside the header of " + std::to_string(least) + " bytes");
  }
  return head;
}

Extents extents_of(const nifti_2_header& header, const std::string& path) {
  const std::int64_t rank = header.dim[0];
  if (rank < 1 || rank > 7) throw_bad_file(path, "NIfTI dim[0] is " + std::to_string(rank) + ", not 1 to 7");
  Extents extents;
  for (std::int64_t d = rank; d >= 1; --d) {
    const std::int64_t extent = header.dim[d];
    if (extent < 1) throw_bad_file(path, "NIfTI dim[" + std::to_string(d) + "] is " + std::to_string(extent));
    extents.push_back(extent);
  }
  return extents;
}

ElementType type_of(const NiftiExtras& extras, const std::string& path) {
  const std::int16_t code = extras.header.datatype;
  for (const NiftiType& type : nifti_types) {
    if (type.code != code) continue;
    const bool is_list = type.descr[0] == '[';
    return element_type((is_list ? std::string() : std::string(1, extras.order)) + std::string(type.descr));
  }
  if (code == DT_BINARY)
    throw Error(ErrorCode::unsupported, path + ": single bits (NIfTI datatype 1) are not read; convert to uint8 first");
  throw_bad_file(path, "NIfTI datatype " + std::to_string(code) + " is not one of the standard's");
}

Layout layout_of(const Head& head, const ElementType& type, const std::string& path) {
  try {
    Layout layout = Layout::dense(extents_of(head.extras->header, path), type.bytes);
    layout.offset = head.data_offset;
    static_cast<void>(add(layout.offset, layout.n_bytes()));
    return layout;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::too_large) throw;
    throw_bad_file(path, std::string("NIfTI dim: ") + error.what());
  }
}

/// The extensions between header and voxels; `false` when they do not chain properly.
bool read_extensions(std::span<const std::byte> between, NiftiExtras& extras) {
  if (between.size() < 4 || between[0] == std::byte{0}) return true;
  between = between.subspan(4);
  while (between.size() >= 16) {
    std::uint32_t numbers[2];  // bytes, the two numbers included, and code
    std::memcpy(numbers, between.data(), sizeof numbers);
    if (extras.order != native_order) std::transform(numbers, numbers + 2, numbers, [](std::uint32_t n) { return __builtin_bswap32(n); });
    const std::size_t bytes = numbers[0];
    if (bytes == 0) return true;  // padding
    if (bytes < 8 || bytes % 16 != 0 || bytes > between.size()) return false;
    const auto data = between.subspan(8, bytes - 8);
    extras.extensions.push_back({std::bit_cast<std::int32_t>(numbers[1]), {data.begin(), data.end()}});
    between = between.subspan(bytes);
  }
  return true;
}

}  // namespace

bool begins_like_nifti(std::span<const std::byte> file) { return version_of(file).number != 0; }

bool begins_like_nifti_pair(std::span<const std::byte> file) {
  const int version = version_of(file).number;
  const std::size_t at = version == 1 ? offsetof(nifti_1_header, magic) : offsetof(nifti_2_header, magic);
  return version != 0 && file.size() >= at + 3 && std::memcmp(file.data() + at, version == 1 ? "ni1" : "ni2", 3) == 0;
}

std::int64_t nifti_file_bytes(std::span<const std::byte> begin, const std::string& path) {
  const Head head = head_of(begin, path);
  const Layout layout = layout_of(head, type_of(*head.extras, path), path);
  return add(layout.offset, layout.n_bytes());
}

namespace {

/// `between` may hold extensions; the voxels lie in `file`.
ArrayFacts facts_of(const Head& head, const std::string& header_path, std::span<const std::byte> between, std::span<const std::byte> file,
                    const std::string& path) {
  ArrayFacts facts;
  facts.format = "nifti";
  facts.path = path;
  facts.type = type_of(*head.extras, header_path);
  facts.layout = layout_of(head, facts.type, header_path);

  const auto there = static_cast<std::int64_t>(file.size());
  const std::int64_t needed = add(facts.layout.offset, facts.layout.n_bytes());
  if (needed > there) {
    throw_bad_file(path, "shape " + print_shape(facts.layout.extents) + " of " + spelled(facts.type) + " from byte " +
                             std::to_string(head.data_offset) + " on needs " + std::to_string(needed) + " bytes, but the file has " +
                             std::to_string(there));
  }
  if (there > needed) facts.notes.push_back(std::to_string(there - needed) + " bytes behind the voxels are ignored");
  if (!read_extensions(between, *head.extras)) facts.notes.push_back("damaged header extensions are dropped");
  if (const auto [slope, inter] = scale_of(head.extras->header); slope != 1 || inter != 0) {
    facts.notes.push_back(std::string(values_as_stored) + ": scl_slope " + std::to_string(slope) + " and scl_inter " +
                          std::to_string(inter) + " are not applied");
  }
  facts.extras = head.extras;
  return facts;
}

}  // namespace

ArrayFacts read_nifti(std::span<const std::byte> file, const std::string& path) {
  const Head head = head_of(file, path);
  if (head.is_pair) {
    throw Error(ErrorCode::unsupported,
                path + ": is the header of a pair; it is read where it is called .hdr, and the voxels .img, in one folder");
  }
  const std::size_t end = std::min(file.size(), static_cast<std::size_t>(head.data_offset));
  return facts_of(head, path, file.subspan(head.header_bytes, end - head.header_bytes), file, path);
}

ArrayFacts read_nifti_pair(std::span<const std::byte> header, const std::string& header_path, std::span<const std::byte> voxels,
                           const std::string& voxels_path) {
  const Head head = head_of(header, header_path);
  ensure(head.is_pair);
  return facts_of(head, header_path, header.subspan(head.header_bytes), voxels, voxels_path);
}

// 0.7, where float32, as most headers have it, holds 0.69999999.
static double decimal_of(double number) {
  const auto held = static_cast<float>(number);
  return static_cast<double>(held) == number ? std::strtod(fmt::format("{}", held).c_str(), nullptr) : number;
}

std::vector<double> spacing_mm(const ArrayFacts& facts) {
  const auto* extras = dynamic_cast<const NiftiExtras*>(facts.extras.get());
  if (extras == nullptr) return {};
  const int unit = XYZT_TO_SPACE(extras->header.xyzt_units);
  const double mm = unit == NIFTI_UNITS_METER ? 1e3 : unit == NIFTI_UNITS_MICRON ? 1e-3 : 1;  // an unknown unit is taken for mm
  const std::size_t rank = facts.layout.extents.size();
  std::vector<double> spacing(rank, 0.0);
  for (std::size_t d = 1; d <= std::min<std::size_t>(rank, 3); ++d) {
    const double length = std::abs(decimal_of(extras->header.pixdim[d])) * mm;
    if (!(length > 0) || !std::isfinite(length)) return {};
    spacing[rank - d] = length;
  }
  return spacing;
}

}  // namespace crinkle::tool
