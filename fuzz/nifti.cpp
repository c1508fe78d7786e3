// Any bytes as a NIfTI volume: either a refusal, or facts whose voxels lie inside the bytes and whose header goes out again, flipped
// and permuted, to a volume that is read.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/nifti.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "crinkle/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  using namespace crinkle;
  const std::span<const std::byte> file(reinterpret_cast<const std::byte*>(data), bytes);
  if (!tool::begins_like_nifti(file)) return 0;
  try {
    const bool is_pair = tool::begins_like_nifti_pair(file);  // the same bytes are its voxels
    const tool::ArrayFacts facts = is_pair ? tool::read_nifti_pair(file, "in.hdr", file, "in.img") : tool::read_nifti(file, "in.nii");
    const std::int64_t n_bytes = facts.layout.n_bytes();
    if (facts.layout.offset + n_bytes > static_cast<std::int64_t>(bytes)) std::abort();

    // The axes in reverse, every one flipped and stepped by what the first byte says.
    const double step = bytes % 3 == 0 ? -1 : static_cast<double>(data[bytes - 1]);
    tool::SpatialChange change;
    tool::OutputFacts out{facts.layout.extents, facts.type, &facts, &change};
    std::reverse(out.extents.begin(), out.extents.end());
    const int rank = static_cast<int>(out.extents.size());
    for (int a = rank; a-- > 0;) change.axes.push_back({bytes % 5 == 0 && a == 0 ? -1 : a, step, step == 0 ? 1 : step});
    std::vector<std::string> notes;
    std::vector<std::byte> header = tool::nifti_header(out, "out.nii", notes);
    const std::size_t data_offset = header.size();
    header.resize(data_offset + static_cast<std::size_t>(n_bytes));
    const tool::ArrayFacts back = tool::read_nifti(header, "out.nii");
    if (back.layout.extents != out.extents || back.type.descr != facts.type.descr) std::abort();
    if (back.layout.offset != static_cast<std::int64_t>(data_offset)) std::abort();
  } catch (const Error&) {}
  return 0;
}
