// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "formats/tiff/array.hpp"
#include "formats/tiff/tiff.hpp"

namespace crinkle::tool::tiff {
namespace {

/// All pictures of a file's list; overviews and masks among them.
std::vector<Picture> pictures_of(Handle& handle, const std::string& path) {
  std::vector<Picture> all;
  for (;;) {
    all.push_back(picture_of(handle, path));
    if (TIFFLastDirectory(handle.get()) != 0) return all;
    handle.forget();
    if (TIFFReadDirectory(handle.get()) == 0) handle.refuse(fmt::format("page {} cannot be read", all.size() + 1));
  }
}

std::string shape_of(const Picture& p, const std::string& path) {
  Extents extents = {p.height, p.width};
  if (p.samples > 1) extents.push_back(p.samples);
  return print_shape(extents) + " " + spelled(element_of(p, path));
}

void check_alike(const std::vector<Picture>& all, const std::vector<std::int64_t>& pages, const std::string& path) {
  for (std::size_t k = 1; k < pages.size(); ++k) {
    const Picture &first = all[static_cast<std::size_t>(pages[0])], &other = all[static_cast<std::size_t>(pages[k])];
    if (!first.is_like(other))
      throw Error(ErrorCode::bad_notation,
                  fmt::format("{}: its pages are unlike: page {} is {}, page {} {}; {}:/page{} is one of them", path, pages[0] + 1,
                              shape_of(first, path), pages[k] + 1, shape_of(other, path), path, pages[0] + 1));
  }
}

std::vector<std::string> notes_of(const Picture& p) {
  std::vector<std::string> notes;
  if (p.photometric == PHOTOMETRIC_PALETTE) notes.emplace_back("its numbers stand for colours of a table, which stays behind");
  if (p.photometric == PHOTOMETRIC_MINISWHITE) notes.emplace_back("0 is its white; numbers are as stored");
  if (p.photometric == PHOTOMETRIC_YCBCR && p.compression != COMPRESSION_JPEG)
    notes.emplace_back("its colours are luma and differences (YCbCr); numbers are as stored");
  if (p.photometric == PHOTOMETRIC_CIELAB || p.photometric == PHOTOMETRIC_ICCLAB || p.photometric == PHOTOMETRIC_ITULAB)
    notes.emplace_back("its colours are Lab; numbers are as stored");
  return notes;
}

}  // namespace

Stack::Stack(std::shared_ptr<const File> file, const Picture& first, std::vector<std::uint64_t> pages, const Axes& axes,
             const std::string& path)
    : file_(std::move(file)),
      handles_(file_),
      first_(first),
      pages_(std::move(pages)),
      n_counting_(axes.extents.size()),
      n_left_out_(axes.n_left_out) {
  constexpr std::int64_t most_plain = 1 << 20;  // bytes of rows that are read together where nothing is packed
  facts_.type = element_of(first_, path);
  const std::int64_t row_bytes = multiply(multiply(first_.width, first_.samples_of_piece()), facts_.type.bytes);
  std::int64_t rows = first_.piece_height;
  if (first_.is_plain() && !first_.is_tiled) rows = std::clamp<std::int64_t>(most_plain / row_bytes, 1, first_.height);
  facts_.extents = axes.extents;
  facts_.chunks = Extents(n_counting_, 1);
  if (first_.is_planar) facts_.extents.push_back(first_.samples), facts_.chunks.push_back(1);
  facts_.extents.insert(facts_.extents.end(), {first_.height, first_.width});
  facts_.chunks.insert(facts_.chunks.end(), {std::min(rows, first_.height), std::min(first_.piece_width, first_.width)});
  if (first_.samples > 1 && !first_.is_planar) facts_.extents.push_back(first_.samples), facts_.chunks.push_back(first_.samples);
  facts_.extents.erase(facts_.extents.begin(), facts_.extents.begin() + static_cast<std::ptrdiff_t>(n_left_out_));
  facts_.chunks.erase(facts_.chunks.begin(), facts_.chunks.begin() + static_cast<std::ptrdiff_t>(n_left_out_));
  Layout::dense(facts_.extents, facts_.type.bytes).n_bytes();  // throws too_large
  facts_.unit = facts_.chunks;
  facts_.is_in_pieces = first_.is_plain();
  facts_.axes = axes.names;
  facts_.steps = axes.steps;
  facts_.packing = packing_of(first_);
  facts_.path = path;
  facts_.place = file_->path();
  facts_.attributes = std::make_shared<const nlohmann::ordered_json>(axes.attributes);
  facts_.notes = notes_of(first_);
  facts_.notes.insert(facts_.notes.end(), axes.notes.begin(), axes.notes.end());
  if (axes.has_one_directory) picture_bytes_ = static_cast<std::uint64_t>(multiply(row_bytes, first_.height));
}

void Stack::read(const Ranges& box, std::byte* into, const Extents& strides) const {
  if (std::any_of(box.begin(), box.end(), [](const Range& range) { return range.n == 0; })) return;
  Ranges part = box;
  Extents steps = strides;
  part.insert(part.begin(), n_left_out_, {0, 1});
  steps.insert(steps.begin(), n_left_out_, 0);
  Ranges counted(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(n_counting_));
  handles_.with([&](Handle& handle) {
    for (const Ranges& one : boxes_of_grid(counted, Extents(n_counting_, 1))) {
      std::int64_t page = 0, at = 0;
      for (std::size_t a = 0; a < n_counting_; ++a) {
        page = page * facts_.extents[a] + one[a].first;
        at += (one[a].first - box[a].first) * strides[a];
      }
      read_picture(handle, {part.begin() + static_cast<std::ptrdiff_t>(n_counting_), part.end()}, page, into + at,
                   {steps.begin() + static_cast<std::ptrdiff_t>(n_counting_), steps.end()});
    }
  });
}

// `part` is of [plane][row][column][sample], planes and samples where there are any.
void Stack::read_picture(Handle& handle, const Ranges& part, std::int64_t page, std::byte* into, const Extents& strides) const {
  handle.go_to(pages_[picture_bytes_ > 0 ? 0 : static_cast<std::size_t>(page)]);
  Picture p = picture_of(handle, file_->path());
  if (!p.is_like(first_)) throw_bad_file(file_->path(), "was changed while it was read");
  const std::size_t r = p.is_planar ? 1 : 0, c = r + 1;
  const bool has_samples = part.size() > c + 1;
  const Range planes = p.is_planar ? part[0] : Range{0, 1}, samples = has_samples ? part[c + 1] : Range{0, 1};
  const std::int64_t e = facts_.type.bytes, end_row = part[r].first + part[r].n, end_column = part[c].first + part[c].n;
  const std::uint64_t shift = picture_bytes_ * static_cast<std::uint64_t>(page);
  for (std::int64_t plane = planes.first; plane < planes.first + planes.n; ++plane) {
    for (std::int64_t down = part[r].first / p.piece_height; down * p.piece_height < end_row; ++down) {
      for (std::int64_t across = part[c].first / p.piece_width; across * p.piece_width < end_column; ++across) {
        const std::int64_t top = down * p.piece_height, left = across * p.piece_width;
        Window2 w{std::max(part[r].first - top, std::int64_t{0}), std::max(part[c].first - left, std::int64_t{0}), 0, 0};
        w.n_rows = std::min(end_row - top, p.piece_height) - w.row;
        w.n_columns = std::min(end_column - left, p.piece_width) - w.column;
        const std::int64_t number = (plane * p.pieces_down() + down) * p.pieces_across() + across;
        const PieceElements piece = piece_of(handle, *file_, p, facts_.type, static_cast<std::uint32_t>(number), w, shift);
        std::int64_t to = (top + w.row - part[r].first) * strides[r] + (left + w.column - part[c].first) * strides[c];
        if (p.is_planar) to += (plane - planes.first) * strides[0];
        copy_box({w.n_rows, w.n_columns, samples.n}, e, piece.bytes.get() + piece.first + samples.first * e,
                 {piece.row_stride, p.samples_of_piece() * e, e}, into + to, {strides[r], strides[c], has_samples ? strides[c + 1] : e});
      }
    }
  }
}

bool is_built() { return true; }

std::unique_ptr<Dataset> open_stack(const std::string& path, const DatasetName& name) {
  const Part part = part_of(path, name);
  const auto file = std::make_shared<const File>(name.file);
  Handle handle(file);
  const std::vector<Picture> all = pictures_of(handle, name.file);
  std::vector<std::int64_t> counted;  // pages that are no smaller copies
  for (std::int64_t k = 0; k < std::ssize(all); ++k)
    if (k == 0 || !all[static_cast<std::size_t>(k)].is_overview()) counted.push_back(k);
  Axes axes;
  std::vector<std::int64_t> pages;
  if (part.page > 0) {
    if (part.page > std::ssize(all))
      throw Error(ErrorCode::bad_shape, fmt::format("{}: there is no page {}: its pages are 1 to {}", name.file, part.page, all.size()));
    pages = {part.page - 1};
    handle.go_to(all[static_cast<std::size_t>(part.page) - 1].place);
    axes = axes_of_page(handle, all[static_cast<std::size_t>(part.page) - 1]);
  } else {
    std::vector<Picture> pictures;
    for (const std::int64_t k : counted) pictures.push_back(all[static_cast<std::size_t>(k)]);
    handle.go_to(all[0].place);
    axes = axes_of(handle, pictures, part.image, name.file);
    for (const std::int64_t k : axes.pages) pages.push_back(counted[static_cast<std::size_t>(k)]);
    if (axes.pages.empty()) pages = counted;
    if (counted.size() < all.size())
      axes.notes.push_back(fmt::format("{} of its pages are smaller copies or masks, which are not read", all.size() - counted.size()));
    if (axes.has_one_directory) pages = {0};
  }
  check_alike(all, pages, path);
  std::vector<std::uint64_t> places;
  for (const std::int64_t k : pages) places.push_back(all[static_cast<std::size_t>(k)].place);
  auto stack = std::make_unique<Stack>(file, all[static_cast<std::size_t>(pages[0])], std::move(places), axes, path);
  stack->say(
      fmt::format("{}{}", TIFFIsBigTIFF(handle.get()) != 0 ? "bigtiff" : "tiff", axes.program.empty() ? "" : " (" + axes.program + ")"),
      part.page, std::ssize(all));
  return stack;
}

}  // namespace crinkle::tool::tiff
