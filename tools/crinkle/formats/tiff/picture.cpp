// SPDX-License-Identifier: BSD-3-Clause
#include "formats/tiff/picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "crinkle/error.hpp"

namespace crinkle::tool::tiff {
namespace {

struct Named {
  int number;
  const char* name;
};

constexpr Named compressions[] = {{COMPRESSION_NONE, "none"},         {COMPRESSION_CCITTRLE, "CCITT RLE"},
                                  {COMPRESSION_CCITTFAX3, "fax 3"},   {COMPRESSION_CCITTFAX4, "fax 4"},
                                  {COMPRESSION_LZW, "lzw"},           {COMPRESSION_OJPEG, "old JPEG"},
                                  {COMPRESSION_JPEG, "JPEG"},         {COMPRESSION_ADOBE_DEFLATE, "deflate"},
                                  {COMPRESSION_DEFLATE, "deflate"},   {COMPRESSION_PACKBITS, "packbits"},
                                  {COMPRESSION_JBIG, "JBIG"},         {COMPRESSION_LZMA, "LZMA"},
                                  {COMPRESSION_ZSTD, "zstd"},         {COMPRESSION_WEBP, "WebP"},
                                  {COMPRESSION_LERC, "LERC"},         {COMPRESSION_JXL, "JPEG XL"},
                                  {COMPRESSION_JP2000, "JPEG 2000"},  {33003, "JPEG 2000 (Aperio)"},
                                  {33005, "JPEG 2000 (Aperio)"},      {COMPRESSION_PIXARLOG, "PixarLog"},
                                  {COMPRESSION_SGILOG, "SGI LogLuv"}, {COMPRESSION_SGILOG24, "SGI LogLuv"}};

std::string compression_name(int number) {
  for (const Named& named : compressions)
    if (named.number == number) return named.name;
  return fmt::format("compression {}", number);
}

[[noreturn]] void refuse_picture(const std::string& path, const std::string& what) {
  throw Error(ErrorCode::unsupported, fmt::format("{}: {} are not read", path, what));
}

template <class T>
T field(TIFF* tiff, std::uint32_t tag, T otherwise) {
  T value{};
  return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : otherwise;
}

}  // namespace

bool Picture::is_like(const Picture& o) const {
  return width == o.width && height == o.height && samples == o.samples && is_planar == o.is_planar && bits == o.bits && format == o.format;
}

bool Picture::is_plain() const { return compression == COMPRESSION_NONE && fill_order == 1 && bits >= 8 && (bits & (bits - 1)) == 0; }

Picture picture_of(Handle& handle, const std::string& path) {
  TIFF* const tiff = handle.get();
  Picture p;
  p.place = TIFFCurrentDirOffset(tiff);
  p.width = field<std::uint32_t>(tiff, TIFFTAG_IMAGEWIDTH, 0);
  p.height = field<std::uint32_t>(tiff, TIFFTAG_IMAGELENGTH, 0);
  if (p.width == 0 || p.height == 0) throw_bad_file(path, fmt::format("a page has {} rows of {} cells", p.height, p.width));
  p.samples = field<std::uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  p.bits = field<std::uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE, 1);
  p.format = field<std::uint16_t>(tiff, TIFFTAG_SAMPLEFORMAT, 1);
  p.compression = field<std::uint16_t>(tiff, TIFFTAG_COMPRESSION, 1);
  p.photometric = field<std::uint16_t>(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  p.fill_order = field<std::uint16_t>(tiff, TIFFTAG_FILLORDER, 1);
  p.kind = field<std::uint32_t>(tiff, TIFFTAG_SUBFILETYPE, 0);
  p.is_planar = p.samples > 1 && field<std::uint16_t>(tiff, TIFFTAG_PLANARCONFIG, 1) == PLANARCONFIG_SEPARATE;
  if (p.samples == 0) throw_bad_file(path, "a page has no samples");
  if (TIFFIsCODECConfigured(static_cast<std::uint16_t>(p.compression)) == 0 || p.compression == COMPRESSION_OJPEG)
    refuse_picture(path, fmt::format("pictures packed by {} (TIFF's number {})", compression_name(p.compression), p.compression));
  if (p.compression == COMPRESSION_LZW || compression_name(p.compression) == "deflate" || p.compression == COMPRESSION_ZSTD)
    p.predictor = field<std::uint16_t>(tiff, TIFFTAG_PREDICTOR, 1);
  if (p.photometric == PHOTOMETRIC_LOGL || p.photometric == PHOTOMETRIC_LOGLUV) refuse_picture(path, "colours as LogLuv");
  if (p.photometric == PHOTOMETRIC_YCBCR) {
    if (p.compression == COMPRESSION_JPEG) {
      TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    } else {
      std::uint16_t across = 2, down = 2;
      TIFFGetFieldDefaulted(tiff, TIFFTAG_YCBCRSUBSAMPLING, &across, &down);
      if (across != 1 || down != 1)
        refuse_picture(path, fmt::format("colours YCbCr, of which some are kept for {} x {} cells,", across, down));
    }
  }
  p.is_tiled = TIFFIsTiled(tiff) != 0;
  p.piece_width = p.is_tiled ? field<std::uint32_t>(tiff, TIFFTAG_TILEWIDTH, 0) : p.width;
  p.piece_height = p.is_tiled ? field<std::uint32_t>(tiff, TIFFTAG_TILELENGTH, 0)
                              : std::min<std::int64_t>(p.height, field<std::uint32_t>(tiff, TIFFTAG_ROWSPERSTRIP, UINT32_MAX));
  if (p.piece_width == 0 || p.piece_height == 0)
    throw_bad_file(path, fmt::format("its pieces have {} rows of {} cells", p.piece_height, p.piece_width));
  return p;
}

ElementType element_of(const Picture& p, const std::string& path) {
  const int bytes = p.bits <= 8 ? 1 : p.bits <= 16 ? 2 : p.bits <= 32 ? 4 : 8;
  const bool is_whole = p.bits == 8 || p.bits == 16 || p.bits == 32 || p.bits == 64;
  const std::string order = bytes == 1 ? "|" : std::string(1, native_order);
  switch (p.format) {
    case SAMPLEFORMAT_UINT:
    case SAMPLEFORMAT_VOID:
      if (p.bits == 1) return element_type("|b1");
      if (p.bits <= 32 || p.bits == 64) return element_type(fmt::format("{}u{}", order, bytes));
      break;
    case SAMPLEFORMAT_INT:
      if (is_whole) return element_type(fmt::format("{}i{}", order, bytes));
      refuse_picture(path, fmt::format("integers with a sign of {} bits", p.bits));
    case SAMPLEFORMAT_IEEEFP:
      if (is_whole && p.bits > 8) return element_type(fmt::format("{}f{}", order, bytes));
      refuse_picture(path, fmt::format("floating-point numbers of {} bits", p.bits));
    case SAMPLEFORMAT_COMPLEXIEEEFP:
      if (p.bits == 64 || p.bits == 128) return element_type(fmt::format("{}c{}", native_order, p.bits / 8));
      refuse_picture(path, fmt::format("complex numbers of {} bits", p.bits));
    case SAMPLEFORMAT_COMPLEXINT: refuse_picture(path, fmt::format("complex integers of {} bits", p.bits));
    default: break;
  }
  refuse_picture(path, fmt::format("samples of {} bits of TIFF's format {}", p.bits, p.format));
}

std::string packing_of(const Picture& p) {
  return compression_name(p.compression) + (p.predictor > 1 ? fmt::format(", predictor {}", p.predictor) : "");
}

}  // namespace crinkle::tool::tiff
