// Making a TIFF. Pieces are packed by libtiff, each by itself and on all threads; the file around them is written here, so that pieces may
// come in any order and the bytes of the file are the same in every one.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "formats/interrupt.hpp"
#include "formats/packed_pieces.hpp"
#include "formats/temporary.hpp"
#include "formats/tiff/directory.hpp"
#include "formats/tiff/form.hpp"
#include "formats/tiff/handle.hpp"
#include "formats/tiff/tiff.hpp"

namespace crinkle::tool::tiff {
namespace {

using Bytes = std::vector<std::byte>;
constexpr std::uint64_t header_bytes = 16;

int compression_of(const Packing& packing) {
  return packing.name == "lzw"       ? COMPRESSION_LZW
         : packing.name == "deflate" ? COMPRESSION_ADOBE_DEFLATE
         : packing.name == "zstd"    ? COMPRESSION_ZSTD
                                     : COMPRESSION_NONE;
}

int predictor_of(const Form& form) {
  if (!form.packing.has_predictor) return PREDICTOR_NONE;
  return form.format == SAMPLEFORMAT_IEEEFP ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL;
}

// The one piece of a picture of its own, as libtiff packs it.
Bytes packed(const Form& form, std::int64_t n_rows, Bytes plain, const std::string& path) {
  Bytes memory;
  Handle handle(memory, path);
  TIFF* const tiff = handle.get();
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(form.piece_columns));
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(n_rows));
  if (form.is_tiled) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, static_cast<std::uint32_t>(form.piece_columns));
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, static_cast<std::uint32_t>(n_rows));
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(n_rows));
  }
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, static_cast<std::uint16_t>(form.samples));
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, static_cast<std::uint16_t>(form.bits));
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, static_cast<std::uint16_t>(form.format));
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression_of(form.packing));
  if (form.packing.name != "none") TIFFSetField(tiff, TIFFTAG_PREDICTOR, predictor_of(form));
  if (form.packing.level > 0) TIFFSetField(tiff, form.packing.name == "zstd" ? TIFFTAG_ZSTD_LEVEL : TIFFTAG_ZIPQUALITY, form.packing.level);
  const auto size = static_cast<tmsize_t>(plain.size());
  handle.forget();
  const tmsize_t written =
      form.is_tiled ? TIFFWriteEncodedTile(tiff, 0, plain.data(), size) : TIFFWriteEncodedStrip(tiff, 0, plain.data(), size);
  if (written != size || TIFFFlushData(tiff) == 0) handle.refuse("a piece could not be packed");
  const std::uint64_t place = TIFFGetStrileOffset(tiff, 0), n = TIFFGetStrileByteCount(tiff, 0);
  if (place + n > memory.size()) handle.refuse("a piece could not be packed");
  return {memory.begin() + static_cast<std::ptrdiff_t>(place), memory.begin() + static_cast<std::ptrdiff_t>(place + n)};
}

class Writing final : public NewDataset {
 public:
  Writing(const std::string& path, const DatasetFacts& facts, Form form, const DatasetWish& wish, Overwrite overwrite,
          const FileIdentity& input)
      : path_(path),
        form_(std::move(form)),
        is_swapped_(form_.type.descr != facts.type.descr),
        file_(path, plain_bytes(), overwrite, input, Replaced::all, GoingOn{wish.is_resumed, wish.request}) {
    facts_ = facts;
    facts_.unit = facts_.chunks = form_.unit();
    facts_.notes = form_.notes;
    facts_.format = "tiff";
    const auto n = static_cast<std::size_t>(multiply(form_.n_pictures(), form_.pieces_of_picture()));
    file_.goes_on(facts_.extents, facts_.unit);
    if (form_.packing.name != "none") pieces_.emplace(file_.companion(".packed"), n, path);
    file_.begin_parts(facts_.extents, facts_.unit);
  }
  bool has(const Ranges& box) const override { return file_.has(box); }
  void finish(const Ranges& box) override { file_.finish(box); }

  void write(const Ranges& box, const std::byte* from, const Extents& strides) override {
    for (const Ranges& part : boxes_of_grid(box, facts_.unit)) {
      std::int64_t at = 0;
      for (std::size_t a = 0; a < part.size(); ++a) at += (part[a].first - box[a].first) * strides[a];
      write_piece(part, from + at, strides);
    }
  }

  void commit() override {
    std::uint64_t end = header_bytes;
    const auto n = static_cast<std::size_t>(multiply(form_.n_pictures(), form_.pieces_of_picture()));
    for (std::size_t k = 0; k < n; ++k) {
      if (pieces_) {
        const Bytes piece = pieces_->get(k);
        write_at(file_.descriptor(), end, piece, path_);
        counts_.push_back(piece.size());
      } else {
        counts_.push_back(static_cast<std::uint64_t>(rows_of(row_of(k)) * row_bytes()));
      }
      places_.push_back(end);
      end += counts_.back();
    }
    const std::uint64_t first = (end + 7) / 8 * 8;
    // As few readers know BigTIFF, it is written where it has to be.
    constexpr std::uint64_t most = std::uint64_t{UINT32_MAX};
    Bytes directories = bytes_of(directories_of(false), first, false);
    const bool is_big = first + directories.size() > most;
    if (is_big) directories = bytes_of(directories_of(true), first, true);
    write_at(file_.descriptor(), first, directories, path_);
    write_at(file_.descriptor(), 0, header_of(first, is_big), path_);
    const SignalsHeld held;
    file_.exchange_with_output();
    file_.settle();
  }
  void withdraw() noexcept override { file_.withdraw(); }

 private:
  std::int64_t rows_of(std::int64_t piece_row) const {
    return form_.is_tiled ? form_.piece_rows : std::min(form_.piece_rows, form_.rows - piece_row * form_.piece_rows);
  }
  std::int64_t row_bytes() const {
    const std::int64_t n = multiply(form_.piece_columns, form_.samples);
    return form_.bits == 1 ? ceil_divide(n, 8) : multiply(n, form_.type.bytes);
  }
  std::int64_t picture_bytes() const {
    const std::int64_t down = form_.pieces_of_picture() / form_.pieces_across();
    const std::int64_t n_rows = form_.is_tiled ? multiply(down, form_.piece_rows) : form_.rows;
    return multiply(multiply(n_rows, form_.pieces_across()), row_bytes());
  }
  std::int64_t pieces_bytes() const { return multiply(form_.n_pictures(), picture_bytes()); }
  std::int64_t plain_bytes() const {
    return form_.packing.name == "none" ? add(static_cast<std::int64_t>(header_bytes), pieces_bytes()) : 0;
  }

  // Rows of the piece, one behind the other; those of tiles go on beyond the picture, as zeros.
  Bytes plain_piece(const Ranges& part, const std::byte* from, const Extents& strides, std::int64_t n_rows) const {
    const std::size_t n = form_.counting.size();
    const bool has_rows = form_.n_left_out == 0, has_columns = form_.n_left_out < 2;
    const std::int64_t e = form_.type.bytes, width = form_.piece_columns * form_.samples * e;
    const Extents extents = {has_rows ? part[n].n : 1, has_columns ? part[part.size() - (form_.has_samples ? 2U : 1U)].n : 1,
                             form_.samples};
    const Extents its = {has_rows ? strides[n] : 0, has_columns ? strides[part.size() - (form_.has_samples ? 2U : 1U)] : 0,
                         form_.has_samples ? strides.back() : 0};
    Bytes plain(static_cast<std::size_t>(n_rows * width));
    copy_box(extents, e, from, its, plain.data(), {width, form_.samples * e, e});
    const std::int64_t item = form_.format == SAMPLEFORMAT_COMPLEXIEEEFP ? e / 2 : e;
    if (is_swapped_)
      for (std::size_t i = 0; i < plain.size(); i += static_cast<std::size_t>(item))
        std::reverse(plain.begin() + static_cast<std::ptrdiff_t>(i), plain.begin() + static_cast<std::ptrdiff_t>(i) + item);
    if (form_.bits != 1) return plain;
    Bytes bits(static_cast<std::size_t>(n_rows * row_bytes()));
    for (std::int64_t r = 0; r < n_rows; ++r)
      for (std::int64_t i = 0; i < width; ++i)
        if (plain[static_cast<std::size_t>(r * width + i)] != std::byte{0})
          bits[static_cast<std::size_t>(r * row_bytes() + i / 8)] |= std::byte{0x80} >> static_cast<unsigned>(i % 8);
    return bits;
  }

  void write_piece(const Ranges& part, const std::byte* from, const Extents& strides) {
    const std::size_t n = form_.counting.size();
    std::int64_t picture = 0;
    for (std::size_t a = 0; a < n; ++a) picture = picture * form_.counting[a] + part[a].first;
    const bool has_rows = form_.n_left_out == 0;
    const std::int64_t down = has_rows ? part[n].first / form_.piece_rows : 0,
                       across = has_rows ? part[n + 1].first / form_.piece_columns : 0;
    const std::int64_t number = picture * form_.pieces_of_picture() + down * form_.pieces_across() + across;
    const Bytes plain = plain_piece(part, from, strides, rows_of(down));
    if (pieces_) return pieces_->put(static_cast<std::size_t>(number), packed(form_, rows_of(down), plain, path_));
    const std::int64_t before = form_.is_tiled ? (down * form_.pieces_across() + across) * form_.piece_rows : down * form_.piece_rows;
    write_at(file_.descriptor(), header_bytes + static_cast<std::uint64_t>(picture * picture_bytes() + before * row_bytes()), plain, path_);
  }
  /// Of pieces, within its picture.
  std::int64_t row_of(std::size_t number) const {
    return static_cast<std::int64_t>(number) % form_.pieces_of_picture() / form_.pieces_across();
  }

  std::vector<Directory> directories_of(bool is_big) const {
    const auto n_pieces = static_cast<std::size_t>(form_.pieces_of_picture());
    std::vector<Directory> all(static_cast<std::size_t>(form_.n_pictures()));
    const auto same = [&](int number) {
      return std::vector<std::uint16_t>(static_cast<std::size_t>(form_.samples), static_cast<std::uint16_t>(number));
    };
    const auto one = [](std::int64_t number) { return std::vector<std::uint32_t>{static_cast<std::uint32_t>(number)}; };
    for (std::size_t p = 0; p < all.size(); ++p) {
      Directory& d = all[p];
      d.set_longs(TIFFTAG_IMAGEWIDTH, one(form_.columns));
      d.set_longs(TIFFTAG_IMAGELENGTH, one(form_.rows));
      d.set_shorts(TIFFTAG_BITSPERSAMPLE, same(form_.bits));
      d.set_shorts(TIFFTAG_COMPRESSION, {static_cast<std::uint16_t>(compression_of(form_.packing))});
      d.set_shorts(TIFFTAG_PHOTOMETRIC, {static_cast<std::uint16_t>(form_.photometric)});
      if (p == 0 && !form_.description.empty()) d.set_text(TIFFTAG_IMAGEDESCRIPTION, form_.description);
      d.set_shorts(TIFFTAG_SAMPLESPERPIXEL, {static_cast<std::uint16_t>(form_.samples)});
      d.set_shorts(TIFFTAG_PLANARCONFIG, {PLANARCONFIG_CONTIG});
      if (form_.x_resolution > 0) {
        d.set_fraction(TIFFTAG_XRESOLUTION, form_.x_resolution);
        d.set_fraction(TIFFTAG_YRESOLUTION, form_.y_resolution);
        d.set_shorts(TIFFTAG_RESOLUTIONUNIT, {static_cast<std::uint16_t>(form_.resolution_unit)});
      }
      if (predictor_of(form_) != PREDICTOR_NONE) d.set_shorts(TIFFTAG_PREDICTOR, {static_cast<std::uint16_t>(predictor_of(form_))});
      const std::int64_t n_colours = form_.photometric == PHOTOMETRIC_RGB ? 3 : 1;
      if (form_.samples > n_colours)  // of colours the fourth is how much covers what is below
        d.set_shorts(TIFFTAG_EXTRASAMPLES, std::vector<std::uint16_t>(static_cast<std::size_t>(form_.samples - n_colours),
                                                                      n_colours == 3 ? EXTRASAMPLE_UNASSALPHA : EXTRASAMPLE_UNSPECIFIED));
      d.set_shorts(TIFFTAG_SAMPLEFORMAT, same(form_.format));
      if (form_.is_tiled) {
        d.set_longs(TIFFTAG_TILEWIDTH, one(form_.piece_columns));
        d.set_longs(TIFFTAG_TILELENGTH, one(form_.piece_rows));
      } else {
        d.set_longs(TIFFTAG_ROWSPERSTRIP, one(form_.piece_rows));
      }
      const auto first = static_cast<std::ptrdiff_t>(p * n_pieces), last = first + static_cast<std::ptrdiff_t>(n_pieces);
      d.set_places(form_.is_tiled ? TIFFTAG_TILEOFFSETS : TIFFTAG_STRIPOFFSETS, {places_.begin() + first, places_.begin() + last}, is_big);
      d.set_places(form_.is_tiled ? TIFFTAG_TILEBYTECOUNTS : TIFFTAG_STRIPBYTECOUNTS, {counts_.begin() + first, counts_.begin() + last},
                   is_big);
    }
    return all;
  }

  std::string path_;
  Form form_;
  bool is_swapped_;
  Temporary file_;
  std::optional<PackedPieces> pieces_;
  std::vector<std::uint64_t> places_, counts_;  // of all pieces, in the file
};

}  // namespace

void check_stack(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish) { form_of(path, facts, wish); }

std::unique_ptr<NewDataset> begin_stack(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
                                        const FileIdentity& input) {
  return std::make_unique<Writing>(path, facts, form_of(path, facts, wish), wish, overwrite, input);
}

}  // namespace crinkle::tool::tiff
