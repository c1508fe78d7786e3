// PNG pictures as arrays [y, x, channels] of u1 or of u2 in the machine's order: grey 1 channel, grey + alpha 2, RGB 3, RGBA 4.
// Palettes and fewer than 8 bits expand, and transparency becomes alpha. Everything else beside the pixels is dropped and named.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/facts.hpp"
#include "formats/file.hpp"

namespace crinkle::tool {

bool begins_like_png(std::span<const std::byte> file);

struct Picture {
  ArrayFacts facts;
  Mapping pixels;
};

/// Decodes the whole picture. Throws bad_file for anything cut, lying or damaged, before memory is taken for pixels that the
/// file cannot hold; out_of_memory.
Picture read_png(std::span<const std::byte> file, const std::string& path);

/// The shape that an array must have to become a PNG.
struct PngShape {
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  int channels = 1;
  int bits = 8;
  bool is_little_endian = false;  // of 16-bit samples in memory
};

/// Throws unsupported, with the way out, unless the array is [y, x] or [y, x, 1…4] of u1 or u2.
PngShape png_shape(const Extents& extents, const ElementType& type, const std::string& path);

/// Writes the picture whose rows lie densely in `pixels` to an open file.
void write_png(int descriptor, std::span<const std::byte> pixels, const PngShape& shape, const std::string& path);

}  // namespace crinkle::tool
