// What a directory of a TIFF says of its picture, and the elements of its pieces: strips or tiles, each packed by itself.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "formats/element_type.hpp"
#include "formats/tiff/handle.hpp"

namespace crinkle::tool::tiff {

struct Picture {
  std::uint64_t place = 0;  // of its directory in the file
  std::int64_t width = 0, height = 0;
  std::int64_t piece_width = 0, piece_height = 0;  // of a tile, or of a strip
  bool is_tiled = false;
  std::int64_t samples = 1;
  bool is_planar = false;                                    // each sample has pieces of its own
  int bits = 1, format = 1, compression = 1, predictor = 1;  // in TIFF's numbers
  int photometric = 1, fill_order = 1;
  std::uint32_t kind = 0;  // NewSubfileType

  std::int64_t samples_of_piece() const { return is_planar ? 1 : samples; }
  std::int64_t pieces_across() const { return (width + piece_width - 1) / piece_width; }
  std::int64_t pieces_down() const { return (height + piece_height - 1) / piece_height; }
  bool is_overview() const { return (kind & (1U | 4U)) != 0; }  // a smaller copy, or a mask
  bool is_like(const Picture& other) const;                     // so that both are parts of one array
  bool is_plain() const;                                        // elements lie in the file as they are, but for their byte order
};

/// The picture that the handle stands on; from then on libtiff gives its colours as red, green and blue. Throws bad_file and unsupported,
/// naming what is not read.
Picture picture_of(Handle& handle, const std::string& path);

/// The elements that its samples become. Throws unsupported.
ElementType element_of(const Picture& picture, const std::string& path);

/// "deflate, predictor 2".
std::string packing_of(const Picture& picture);

/// A part of a piece, in elements from its first on.
struct Window2 {
  std::int64_t row = 0, column = 0, n_rows = 0, n_columns = 0;
};

/// The elements of a piece of the picture that the handle stands on: of all of it, or, where it lies plain in the file, of the window
/// alone, `shift` bytes behind the place that its directory says.
struct PieceElements {
  std::unique_ptr<std::byte[]> bytes;
  std::int64_t row_stride = 0;  // in bytes; samples of a place lie together
  std::int64_t first = 0;       // byte of the window's first element
};
PieceElements piece_of(Handle& handle, const File& file, const Picture& picture, const ElementType& type, std::uint32_t number,
                       const Window2& window, std::uint64_t shift);

}  // namespace crinkle::tool::tiff
