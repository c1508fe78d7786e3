// Any bytes as a PNG, its checksums mended first, else hardly any would pass them: either a refusal, or pixels as many as the shape
// says that are written and read again unchanged.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/png.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "crinkle/error.hpp"

namespace {

/// The chunks' checksums recomputed, as far as the lengths chain.
std::vector<std::byte> mended(const std::uint8_t* data, std::size_t bytes) {
  const auto* const first = reinterpret_cast<const std::byte*>(data);
  std::vector<std::byte> file(first, first + bytes);
  for (std::size_t at = 8; bytes >= 12 && at <= bytes - 12;) {
    const std::size_t length =
        std::size_t{data[at]} << 24 | std::size_t{data[at + 1]} << 16 | std::size_t{data[at + 2]} << 8 | data[at + 3];
    if (length > bytes - at - 12) break;
    const auto sum = ::crc32(0, data + at + 4, static_cast<uInt>(length + 4));
    at += 8 + length;
    for (int shift = 24; shift >= 0; shift -= 8) file[at++] = static_cast<std::byte>(sum >> shift & 0xff);
  }
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  using namespace crinkle;
  const std::vector<std::byte> file = mended(data, bytes);
  if (!tool::begins_like_png(file)) return 0;
  try {
    const tool::Picture picture = tool::read_png(file, "in.png");
    const auto pixels = picture.pixels.bytes();
    if (static_cast<std::int64_t>(pixels.size()) != picture.facts.layout.n_bytes()) std::abort();
    if (pixels.size() > 1 << 16) return 0;

    const tool::Descriptor out(::memfd_create("out.png", 0));
    tool::write_png(out.get(), pixels, tool::png_shape(picture.facts.layout.extents, picture.facts.type, "out.png"), "out.png");
    struct stat entry = {};
    ::fstat(out.get(), &entry);
    const tool::Mapping written = tool::Mapping::of_file(out.get(), entry.st_size, tool::Mapping::Access::read, "out.png");
    const tool::Picture back = tool::read_png(written.bytes(), "out.png");
    if (back.facts.layout != picture.facts.layout || !std::ranges::equal(back.pixels.bytes(), pixels)) std::abort();
  } catch (const Error&) {}
  return 0;
}
