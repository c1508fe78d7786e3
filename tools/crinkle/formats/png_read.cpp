// Decoding PNG through libpng; see png.hpp. The chunks are walked by hand first: that finds cut files and names what is dropped.
// libpng reports errors by longjmp, so the two functions it may jump out of hold nothing but plain data; they answer with a text.
// SPDX-License-Identifier: BSD-3-Clause
#include <png.h>

#include <algorithm>
#include <array>
#include <bit>
#include <csetjmp>
#include <cstring>

#include "formats/gzip.hpp"
#include "formats/png.hpp"

namespace crinkle::tool {
namespace {

constexpr std::array<unsigned char, 8> signature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

std::uint32_t big_endian_32(std::span<const std::byte> bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | std::to_integer<std::uint32_t>(bytes[i]);
  return value;
}

/// Walks the chunks to IEND; returns the note on dropped ones, "" when there are none.
std::string dropped_chunks(std::span<const std::byte> file, const std::string& path) {
  std::vector<std::string> names;
  std::size_t at = signature.size();
  for (std::string name; name != "IEND";) {
    if (file.size() - at < 12) throw_bad_file(path, "ends after " + std::to_string(file.size()) + " bytes, before the PNG's IEND chunk");
    const std::uint32_t bytes = big_endian_32(file.subspan(at));
    name.assign(reinterpret_cast<const char*>(file.data()) + at + 4, 4);
    if (bytes > file.size() - at - 12) {
      throw_bad_file(path, "chunk " + printable(name) + " is said to be " + std::to_string(bytes) + " bytes long, but " +
                               std::to_string(file.size() - at - 12) + " follow");
    }
    const bool is_ancillary = (std::to_integer<unsigned>(file[at + 4]) & 0x20) != 0;
    const bool is_named = std::find(names.begin(), names.end(), name) != names.end();
    if (is_ancillary && name != "tRNS" && !is_named && names.size() < 32) names.push_back(name);
    at += 12 + std::size_t{bytes};
  }
  std::string note;
  for (const std::string& name : names) note += (note.empty() ? "chunks that are dropped: " : ", ") + printable(name);
  return note;
}

/// Everything libpng's side needs, in plain data.
struct Reading {
  const unsigned char* file = nullptr;
  std::size_t bytes = 0;
  std::size_t at = 0;
  png_structp png = nullptr;
  png_infop info = nullptr;
  unsigned char* pixels = nullptr;  // rows of row_bytes
  std::size_t row_bytes = 0;
  std::size_t most_packed = 0;  // bytes that the file can unpack to
  png_uint_32 width = 0;
  png_uint_32 height = 0;
  int channels = 0;
  int bits = 0;
  std::array<char, 128> message = {};
};

void on_read_error(png_structp png, png_const_charp text) {
  auto* const reading = static_cast<Reading*>(png_get_error_ptr(png));
  std::strncpy(reading->message.data(), text, reading->message.size() - 1);
  png_longjmp(png, 1);
}

void on_read(png_structp png, png_bytep into, std::size_t bytes) {
  auto* const reading = static_cast<Reading*>(png_get_io_ptr(png));
  if (bytes > reading->bytes - reading->at) png_error(png, "ends too early");
  std::memcpy(into, reading->file + reading->at, bytes);
  reading->at += bytes;
}

/// Reads up to the first pixel and asks for the expansions. False: `message` says why not.
bool read_header(Reading* reading) {
  reading->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reading, on_read_error, [](png_structp, png_const_charp) {});
  if (reading->png == nullptr) return false;
  if (setjmp(png_jmpbuf(reading->png)) != 0) return false;
  reading->info = png_create_info_struct(reading->png);
  if (reading->info == nullptr) return false;
  png_set_read_fn(reading->png, reading, on_read);
  png_set_user_limits(reading->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_keep_unknown_chunks(reading->png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);  // ancillary chunks are not even parsed
  png_read_info(reading->png, reading->info);
  reading->width = png_get_image_width(reading->png, reading->info);
  reading->height = png_get_image_height(reading->png, reading->info);
  const std::size_t packed_row_bytes = png_get_rowbytes(reading->png, reading->info);
  if (packed_row_bytes > reading->most_packed / reading->height) return false;  // before libpng takes memory for two rows
  png_set_expand(reading->png);
  if (std::endian::native == std::endian::little) png_set_swap(reading->png);
  png_set_interlace_handling(reading->png);
  png_read_update_info(reading->png, reading->info);
  reading->channels = png_get_channels(reading->png, reading->info);
  reading->bits = png_get_bit_depth(reading->png, reading->info);
  reading->row_bytes = png_get_rowbytes(reading->png, reading->info);
  return true;
}

bool read_pixels(Reading* reading) {
  if (setjmp(png_jmpbuf(reading->png)) != 0) return false;
  const int passes = png_get_interlace_type(reading->png, reading->info) == PNG_INTERLACE_ADAM7 ? 7 : 1;
  for (int pass = 0; pass < passes; ++pass) {
    for (png_uint_32 y = 0; y < reading->height; ++y) png_read_row(reading->png, reading->pixels + y * reading->row_bytes, nullptr);
  }
  png_read_end(reading->png, nullptr);
  return true;
}

struct ReadingEnds {
  Reading* reading;
  ~ReadingEnds() { png_destroy_read_struct(&reading->png, &reading->info, nullptr); }
};

[[noreturn]] void throw_libpng(const Reading& reading, const std::string& path) {
  throw_bad_file(path, std::string("PNG: ") + (reading.message[0] != 0 ? printable(reading.message.data(), 120) : "libpng did not start"));
}

}  // namespace

bool begins_like_png(std::span<const std::byte> file) {
  return file.size() >= signature.size() && std::memcmp(file.data(), signature.data(), signature.size()) == 0;
}

Picture read_png(std::span<const std::byte> file, const std::string& path) {
  Picture picture;
  const std::string note = dropped_chunks(file, path);
  if (!note.empty()) picture.facts.notes.push_back(note);

  Reading reading;
  reading.file = reinterpret_cast<const unsigned char*>(file.data());
  reading.bytes = file.size();
  const ReadingEnds ends{&reading};
  reading.most_packed = static_cast<std::size_t>(most_inflated(static_cast<std::int64_t>(file.size())));
  if (!read_header(&reading)) {
    if (reading.message[0] != 0 || reading.height == 0) throw_libpng(reading, path);
    throw_bad_file(path, "a picture of " + std::to_string(reading.width) + " x " + std::to_string(reading.height) +
                             " pixels cannot be in " + std::to_string(file.size()) + " bytes");
  }

  picture.facts.format = "png";
  picture.facts.path = path;
  picture.facts.type = element_type(reading.bits == 16 ? "uint16" : "uint8");
  picture.facts.layout = Layout::dense({reading.height, reading.width, reading.channels}, picture.facts.type.bytes);
  const std::int64_t bytes = picture.facts.layout.n_bytes();

  picture.pixels = Mapping::anonymous(bytes, path);
  reading.pixels = reinterpret_cast<unsigned char*>(picture.pixels.writable().data());
  if (static_cast<std::int64_t>(reading.row_bytes) * reading.height != bytes) throw_bad_file(path, "PNG: rows of an unexpected length");
  if (!read_pixels(&reading)) throw_libpng(reading, path);
  return picture;
}

}  // namespace crinkle::tool
