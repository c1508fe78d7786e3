// Reading a strip or a tile.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "formats/tiff/picture.hpp"

namespace crinkle::tool::tiff {
namespace {

std::unique_ptr<std::byte[]> room(std::int64_t bytes, const std::string& path) {
  try {
    return std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
  } catch (const std::bad_alloc&) { throw Error(ErrorCode::out_of_memory, fmt::format("{}: a piece of it takes {} bytes", path, bytes)); }
}

void swap_items(std::byte* bytes, std::int64_t n_bytes, std::int64_t item) {
  for (std::int64_t i = 0; i < n_bytes; i += item) std::reverse(bytes + i, bytes + i + item);
}

// Numbers of `bits` bits, the high one first, as those of out_bytes bytes.
void unpack_row(const std::byte* packed, std::int64_t n, int bits, std::byte* out, std::int64_t out_bytes) {
  std::uint64_t held = 0;
  int n_held = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    while (n_held < bits) {
      held = held << 8U | std::to_integer<std::uint64_t>(*packed++);
      n_held += 8;
    }
    n_held -= bits;
    const std::uint64_t number = held >> static_cast<unsigned>(n_held) & ((std::uint64_t{1} << static_cast<unsigned>(bits)) - 1);
    if (out_bytes == 1) out[i] = static_cast<std::byte>(number);
    else if (const auto two = static_cast<std::uint16_t>(number); out_bytes == 2) std::memcpy(out + 2 * i, &two, 2);
    else if (const auto four = static_cast<std::uint32_t>(number); out_bytes == 4) std::memcpy(out + 4 * i, &four, 4);
  }
}

struct Piece {
  std::uint64_t place = 0, n_bytes = 0;
  std::string name;
};

Piece place_of(Handle& handle, std::uint32_t number, bool is_tiled) {
  int error = 0;
  Piece piece;
  piece.name = fmt::format("{} {} of the page whose directory is at byte {}", is_tiled ? "tile" : "strip", number + 1,
                           TIFFCurrentDirOffset(handle.get()));
  piece.place = TIFFGetStrileOffsetWithErr(handle.get(), number, &error);
  if (error == 0) piece.n_bytes = TIFFGetStrileByteCountWithErr(handle.get(), number, &error);
  if (error != 0) handle.refuse("the place of " + piece.name + " cannot be read");
  return piece;
}

}  // namespace

PieceElements piece_of(Handle& handle, const File& file, const Picture& p, const ElementType& type, std::uint32_t number,
                       const Window2& window, std::uint64_t shift) {
  TIFF* const tiff = handle.get();
  const Piece piece = place_of(handle, number, p.is_tiled);
  const std::int64_t spread = multiply(p.samples_of_piece(), type.bytes), row_bytes = multiply(p.piece_width, spread);
  const std::int64_t row_of_pieces = (number / p.pieces_across()) % p.pieces_down();
  const std::int64_t n_rows = p.is_tiled ? p.piece_height : std::min(p.piece_height, p.height - row_of_pieces * p.piece_height);
  PieceElements elements;
  if (piece.n_bytes == 0) {  // left out: zeros
    elements.row_stride = multiply(window.n_columns, spread);
    elements.bytes = room(multiply(window.n_rows, elements.row_stride), file.path());
    std::memset(elements.bytes.get(), 0, static_cast<std::size_t>(window.n_rows * elements.row_stride));
    return elements;
  }
  const std::int64_t item = type.name.starts_with("complex") ? type.bytes / 2 : type.bytes;
  const bool is_swapped = TIFFIsByteSwapped(tiff) != 0;
  if (p.is_plain()) {
    const std::int64_t all = multiply(n_rows, row_bytes);
    if (piece.n_bytes < static_cast<std::uint64_t>(all))
      throw_bad_file(file.path(), fmt::format("{} has {} bytes of its {}", piece.name, piece.n_bytes, all));
    // All of it, whatever the window: libtiff guesses numbers of bytes that are not said.
    if (piece.place > file.size() || shift > file.size() - piece.place ||
        static_cast<std::uint64_t>(all) > file.size() - piece.place - shift)
      throw_bad_file(file.path(), fmt::format("{}, {} bytes from byte {} on, ends behind the file, of {} bytes", piece.name, all,
                                              piece.place + shift, file.size()));
    const bool is_narrow = window.n_columns < p.piece_width / 4;
    elements.row_stride = is_narrow ? window.n_columns * spread : row_bytes;
    elements.first = is_narrow ? 0 : window.column * spread;
    const std::int64_t n_bytes = multiply(window.n_rows, elements.row_stride);
    elements.bytes = room(n_bytes, file.path());
    const std::uint64_t first = piece.place + shift + static_cast<std::uint64_t>(window.row * row_bytes);
    if (!is_narrow) file.read_all(first, {elements.bytes.get(), static_cast<std::size_t>(n_bytes)}, piece.name);
    for (std::int64_t r = 0; is_narrow && r < window.n_rows; ++r)
      file.read_all(first + static_cast<std::uint64_t>(r * row_bytes + window.column * spread),
                    {elements.bytes.get() + r * elements.row_stride, static_cast<std::size_t>(elements.row_stride)}, piece.name);
    if (is_swapped && item > 1) swap_items(elements.bytes.get(), n_bytes, item);
    return elements;
  }
  const std::int64_t packed_row = (multiply(multiply(p.piece_width, p.samples_of_piece()), p.bits) + 7) / 8,
                     n_packed = multiply(n_rows, packed_row);
  // No packing makes so much of so little, so that a lie does not take all memory.
  constexpr std::int64_t most_packed = 50000, always = std::int64_t{64} << 20;
  if (n_packed > always && static_cast<std::uint64_t>(n_packed / most_packed) > piece.n_bytes)
    throw_bad_file(file.path(), fmt::format("{} has {} bytes, which are not {} unpacked ones", piece.name, piece.n_bytes, n_packed));
  std::unique_ptr<std::byte[]> packed = room(n_packed, file.path());
  handle.forget();
  const tmsize_t got =
      p.is_tiled ? TIFFReadEncodedTile(tiff, number, packed.get(), n_packed) : TIFFReadEncodedStrip(tiff, number, packed.get(), n_packed);
  if (got != n_packed) handle.refuse(fmt::format("{} is torn", piece.name));
  elements.row_stride = row_bytes;
  elements.first = window.row * row_bytes + window.column * spread;
  if (p.bits == 8 * type.bytes) {
    elements.bytes = std::move(packed);
    return elements;
  }
  elements.bytes = room(multiply(n_rows, row_bytes), file.path());
  for (std::int64_t r = 0; r < n_rows; ++r) {
    std::byte* const row = packed.get() + r * packed_row;
    if (p.bits == 24 && native_order == '<') swap_items(row, packed_row, 3);  // libtiff has them in the machine's order
    unpack_row(row, p.piece_width * p.samples_of_piece(), p.bits, elements.bytes.get() + r * row_bytes, type.bytes);
  }
  return elements;
}

}  // namespace crinkle::tool::tiff
