// Writing NIfTI headers; see nifti.hpp. The header is written in the byte order of the voxels, as the format wants it.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>
#include <cstring>

#include "formats/dataset.hpp"
#include "formats/nifti.hpp"
#include "formats/nifti_header.hpp"

namespace crinkle::tool {
namespace {

constexpr std::int64_t most_first_extent = 32767;  // NIfTI-1 has 16 bits for an extent

std::int16_t code_of(const ElementType& type, const std::string& path) {
  const std::string_view descr = type.is_structured() ? std::string_view(type.descr) : std::string_view(type.descr).substr(1);
  for (const NiftiType& known : nifti_types) {
    if (known.descr == descr) return known.code;
  }
  throw Error(ErrorCode::unsupported, path + ": NIfTI has no type for " + spelled(type) + "; write .npy instead");
}

char order_of(const ElementType& type, const NiftiExtras* source) {
  const char order = type.parts.empty() ? '|' : type.parts[0].order;
  return order != '|' ? order : source != nullptr ? source->order : native_order;
}

void append(std::vector<std::byte>& bytes, const void* from, std::size_t n) {
  const auto* const first = static_cast<const std::byte*>(from);
  bytes.insert(bytes.end(), first, first + n);
}

/// The bytes between header and voxels: the flag, the extensions, and zeros up to a multiple of 16 bytes of the file.
std::vector<std::byte> between(std::size_t header_bytes, const NiftiExtras* source, char order) {
  std::vector<std::byte> bytes(4);
  if (source != nullptr && !source->extensions.empty()) {
    bytes[0] = std::byte{1};
    for (const NiftiExtension& extension : source->extensions) {
      std::uint32_t numbers[2] = {static_cast<std::uint32_t>(extension.data.size() + 8), std::bit_cast<std::uint32_t>(extension.code)};
      if (order != native_order) std::transform(numbers, numbers + 2, numbers, [](std::uint32_t n) { return __builtin_bswap32(n); });
      append(bytes, numbers, sizeof numbers);
      append(bytes, extension.data.data(), extension.data.size());
    }
  }
  while ((header_bytes + bytes.size()) % 16 != 0) bytes.push_back(std::byte{0});
  return bytes;
}

std::size_t extension_bytes(const NiftiExtras* source) {
  std::size_t bytes = 0;
  if (source != nullptr) {
    for (const NiftiExtension& extension : source->extensions) bytes += extension.data.size() + 8;
  }
  return bytes;
}

/// A header that says nothing but shape and type: spacings 1, no orientation.
nifti_2_header plain_header() {
  nifti_2_header header = {};
  std::fill(std::begin(header.pixdim), std::end(header.pixdim), 1.0);
  return header;
}

// NIfTI's code of a unit; -1: it has none for it.
int unit_code(const std::string& unit, bool is_space) {
  if (is_space) return unit == "um" ? NIFTI_UNITS_MICRON : unit == "mm" ? NIFTI_UNITS_MM : unit == "m" ? NIFTI_UNITS_METER : -1;
  return unit == "s" ? NIFTI_UNITS_SEC : unit == "ms" ? NIFTI_UNITS_MSEC : unit == "us" ? NIFTI_UNITS_USEC : -1;
}

// Steps of a source that is no volume, where the last axes are x, y, z and t and steps in space have one unit. What is left is noted.
void set_steps(nifti_2_header& header, const OutputFacts& facts, const std::string& path, std::vector<std::string>& notes) {
  constexpr const char* names[] = {"x", "y", "z", "t"};
  const auto* const stored = dynamic_cast<const DatasetExtras*>(facts.source->extras.get());
  if (stored == nullptr || count_steps(stored->facts.steps) == 0) return;
  const DatasetFacts said = axes_and_steps(facts);
  const std::size_t rank = said.axes.size();
  int space = 0, time = 0;
  std::int64_t n_taken = 0;
  for (std::size_t d = 0; d < std::min<std::size_t>(rank, 4); ++d) {
    const AxisStep& step = said.steps[rank - 1 - d];
    if (!step.is_meant() || said.axes[rank - 1 - d] != names[d]) continue;
    int& unit = d < 3 ? space : time;
    const int code = unit_code(step.unit, d < 3);
    if (code < 0 || (unit != 0 && unit != code)) continue;
    unit = code;
    header.pixdim[d + 1] = step.size;
    ++n_taken;
  }
  header.xyzt_units = SPACE_TIME_TO_XYZT(space, time);
  if (n_taken < count_steps(stored->facts.steps))
    notes.push_back("not all steps along the axes of " + facts.source->path + " go with it: " + path +
                    " has a place for those of x, y, z and t, its last axes, in um, mm or m and in s");
}

void set_shape(nifti_2_header& header, const Extents& extents) {
  header.dim[0] = std::max<std::int64_t>(static_cast<std::int64_t>(extents.size()), 1);
  for (std::size_t d = 1; d <= 7; ++d) header.dim[d] = d <= extents.size() ? extents[extents.size() - d] : 1;
}

void check_shape(const Extents& extents, const std::string& path) {
  if (extents.size() > 7) {
    throw Error(ErrorCode::unsupported,
                path + ": NIfTI holds up to 7 axes, not " + std::to_string(extents.size()) + "; merge axes or write .npy instead");
  }
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) {
    throw Error(ErrorCode::unsupported, path + ": NIfTI holds no empty array such as " + print_shape(extents) + "; write .npy instead");
  }
}

std::vector<std::byte> first_version(const nifti_2_header& fields, const NiftiExtras* source, std::size_t data_offset, char order) {
  nifti_1_header header = {};
  if (source != nullptr && source->first_version) header = *source->first_version;
  copy_common_fields(fields, header);
  header.sizeof_hdr = sizeof header;
  header.vox_offset = static_cast<float>(data_offset);
  std::memcpy(header.magic, "n+1", 4);
  if (source == nullptr) header.regular = 'r';
  if (order != native_order) swap_nifti_header(&header, 1);
  std::vector<std::byte> bytes;
  append(bytes, &header, sizeof header);
  return bytes;
}

std::vector<std::byte> second_version(nifti_2_header header, std::size_t data_offset, char order) {
  header.sizeof_hdr = sizeof header;
  header.vox_offset = static_cast<std::int64_t>(data_offset);
  std::memcpy(header.magic, "n+2\0\r\n\032\n", 8);
  if (order != native_order) swap_nifti_header(&header, 2);
  std::vector<std::byte> bytes;
  append(bytes, &header, sizeof header);
  return bytes;
}

}  // namespace

std::vector<std::byte> nifti_header(const OutputFacts& facts, const std::string& path, std::vector<std::string>& notes) {
  check_shape(facts.extents, path);
  const auto* const source = facts.source == nullptr ? nullptr : dynamic_cast<const NiftiExtras*>(facts.source->extras.get());
  nifti_2_header header = source != nullptr ? source->header : plain_header();
  header.datatype = code_of(facts.type, path);
  header.bitpix = static_cast<std::int16_t>(8 * facts.type.bytes);
  if (source == nullptr && facts.source != nullptr) set_steps(header, facts, path, notes);
  if (source != nullptr) change_orientation(header, facts.source->layout.extents, facts.extents, facts.change, notes);
  set_shape(header, facts.extents);

  const bool is_small = std::all_of(facts.extents.begin(), facts.extents.end(), [](std::int64_t n) { return n <= most_first_extent; });
  const bool was_first = source == nullptr || source->first_version;
  if (was_first && !is_small) notes.push_back("written as NIfTI-2: an extent is above 32767");
  const bool is_first = was_first && is_small && extension_bytes(source) < (std::size_t{1} << 24);  // vox_offset is a float there

  const char order = order_of(facts.type, source);
  const std::size_t header_bytes = is_first ? sizeof(nifti_1_header) : sizeof(nifti_2_header);
  const std::vector<std::byte> rest = between(header_bytes, source, order);
  const std::size_t data_offset = header_bytes + rest.size();
  std::vector<std::byte> bytes = is_first ? first_version(header, source, data_offset, order) : second_version(header, data_offset, order);
  append(bytes, rest.data(), rest.size());
  return bytes;
}

}  // namespace crinkle::tool
