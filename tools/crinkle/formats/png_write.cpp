// Encoding PNG through libpng; see png.hpp. As in reading, the function libpng may jump out of holds plain data only.
// SPDX-License-Identifier: BSD-3-Clause
#include <png.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csetjmp>
#include <cstring>

#include "formats/listener.hpp"
#include "formats/png.hpp"

namespace crinkle::tool {
namespace {

constexpr std::array color_types = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};

struct Writing {
  int descriptor = -1;
  const unsigned char* pixels = nullptr;
  std::size_t row_bytes = 0;
  PngShape shape;
  png_structp png = nullptr;
  png_infop info = nullptr;
  int system_error = 0;
  std::array<char, 128> message = {};
};

void on_write_error(png_structp png, png_const_charp text) {
  auto* const writing = static_cast<Writing*>(png_get_error_ptr(png));
  std::strncpy(writing->message.data(), text, writing->message.size() - 1);
  png_longjmp(png, 1);
}

void on_write(png_structp png, png_bytep from, std::size_t bytes) {
  auto* const writing = static_cast<Writing*>(png_get_io_ptr(png));
  while (bytes > 0) {
    const ssize_t n = ::write(writing->descriptor, from, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      writing->system_error = errno;
      png_error(png, "writing");
    }
    from += n;
    bytes -= static_cast<std::size_t>(n);
  }
}

void on_flush(png_structp) {}

bool write_all(Writing* writing) {
  writing->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writing, on_write_error, [](png_structp, png_const_charp) {});
  if (writing->png == nullptr) return false;
  if (setjmp(png_jmpbuf(writing->png)) != 0) return false;
  writing->info = png_create_info_struct(writing->png);
  if (writing->info == nullptr) return false;
  png_set_write_fn(writing->png, writing, on_write, on_flush);
  png_set_user_limits(writing->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  const PngShape& shape = writing->shape;
  png_set_IHDR(writing->png, writing->info, shape.width, shape.height, shape.bits,
               color_types[static_cast<std::size_t>(shape.channels - 1)], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(writing->png, writing->info);
  if (shape.bits == 16 && shape.is_little_endian) png_set_swap(writing->png);
  for (png_uint_32 y = 0; y < shape.height; ++y) {
    png_write_row(writing->png, writing->pixels + y * writing->row_bytes);
    if (Listener* const listener = Listener::present()) listener->advance(static_cast<std::int64_t>(writing->row_bytes));
  }
  png_write_end(writing->png, writing->info);
  return true;
}

struct WritingEnds {
  Writing* writing;
  ~WritingEnds() { png_destroy_write_struct(&writing->png, &writing->info); }
};

}  // namespace

PngShape png_shape(const Extents& extents, const ElementType& type, const std::string& path) {
  const auto refuse = [&](const std::string& why) { throw Error(ErrorCode::unsupported, path + ": " + why); };
  const bool is_sample = type.descr == "|u1" || type.descr == "<u2" || type.descr == ">u2";
  if (!is_sample)
    refuse("PNG holds uint8 and uint16, not " + spelled(type) +
           "; `crinkle move`, stencil and resample make grey levels of it by --window LOW:HIGH or --window auto; or write .npy instead");
  const bool is_picture = extents.size() == 2 || (extents.size() == 3 && extents[2] >= 1 && extents[2] <= 4);
  if (!is_picture) {
    refuse("PNG holds [y, x] or [y, x, 1 to 4 channels], not " + print_shape(extents) +
           "; merge axes, fix one with --at, or write .npy instead");
  }
  for (std::size_t a = 0; a < 2; ++a) {
    if (extents[a] < 1 || extents[a] > std::int64_t{PNG_UINT_31_MAX})
      refuse("PNG has 1 to 2147483647 pixels a side, not " + std::to_string(extents[a]));
  }
  PngShape shape;
  shape.height = static_cast<std::uint32_t>(extents[0]);
  shape.width = static_cast<std::uint32_t>(extents[1]);
  shape.channels = extents.size() == 3 ? static_cast<int>(extents[2]) : 1;
  shape.bits = static_cast<int>(8 * type.bytes);
  shape.is_little_endian = type.descr[0] == '<';
  return shape;
}

void write_png(int descriptor, std::span<const std::byte> pixels, const PngShape& shape, const std::string& path) {
  Writing writing;
  writing.descriptor = descriptor;
  writing.pixels = reinterpret_cast<const unsigned char*>(pixels.data());
  writing.row_bytes = std::size_t{shape.width} * static_cast<std::size_t>(shape.channels * shape.bits / 8);
  writing.shape = shape;
  const WritingEnds ends{&writing};
  if (write_all(&writing)) return;
  if (writing.system_error != 0) throw_system(path, "writing", writing.system_error);
  throw_bad_file(path, std::string("PNG: ") + (writing.message[0] != 0 ? printable(writing.message.data(), 120) : "libpng did not start"));
}

}  // namespace crinkle::tool
