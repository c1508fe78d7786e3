// The picture of one block of a tile: its accesses as the kernel makes them, laid out by address. What is contiguous is a row; a vector
// access is one wide cell, so that short, misaligned or scattered accesses show as such.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "base/checked.hpp"
#include "plan/draw/draw.hpp"
#include "plan/draw/svg.hpp"
#include "plan/requests.hpp"

namespace crinkle::planning {
namespace {

constexpr int tile_font = 11;
constexpr std::int64_t cell_height = 20;
constexpr std::int64_t tile_margin = 24;
constexpr std::int64_t between = 48;
constexpr std::int64_t tile_heading = 28;
constexpr std::int64_t longest_row = 160;           // units; what is longer is broken
constexpr std::int64_t broken_row = 64;             // into rows of so many units
constexpr std::int64_t tile_readable_width = 1500;  // beyond it the panels stand one above the other

using Stride = std::int64_t Axis::*;

/// Units that one access touches side by side.
struct Piece {
  std::int64_t column = 0;  // units
  std::int64_t units = 1;
  std::int64_t number = 0;
};
struct Row {
  UnitPlace first;
  std::vector<Piece> pieces;
};
struct Panel {
  std::string word;
  std::vector<Row> rows;
  std::int64_t columns = 0;  // units
  std::int64_t usual = 1;    // units of the most common piece
  std::int64_t largest = 0;  // number
  bool has_slots = false;
};

/// The length at which a long stretch is best broken: the extent of this side's fastest axis, at least four units.
std::int64_t natural_row(const Box& box, Stride stride) {
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // stride, extent
  for (const Axis& axis : box.axes)
    if (axis.*stride != 0 && axis.extent > 1) axes.emplace_back(axis.*stride < 0 ? -(axis.*stride) : axis.*stride, axis.extent);
  std::sort(axes.begin(), axes.end());
  std::int64_t row = 1;
  for (std::size_t a = 0; a < axes.size() && row < 4; ++a) row = std::min(broken_row, axes[a].second) * row;
  return row < 4 || row >= broken_row ? longest_row : row;
}

/// Units at equal distances, in ascending order: the accesses that touch them.
struct Stretch {
  UnitPlace first;
  std::vector<std::int64_t> numbers;
};

std::vector<Stretch> stretches_of(const std::map<UnitPlace, std::int64_t>& number_of, std::int64_t pitch) {
  std::vector<Stretch> stretches;
  for (const auto& [unit, number] : number_of) {
    const auto reached = stretches.empty() ? 0 : static_cast<std::int64_t>(stretches.back().numbers.size()) * pitch;
    const bool continues =
        !stretches.empty() && unit.slot == stretches.back().first.slot && unit.byte == stretches.back().first.byte + reached;
    if (!continues) stretches.push_back({unit, {}});
    stretches.back().numbers.push_back(number);
  }
  return stretches;
}

Panel panel_of(const char* word, const std::vector<Request>& requests, std::int64_t natural) {
  std::map<UnitPlace, std::int64_t> number_of;  // the first access of a unit
  for (const Request& request : requests)
    for (const UnitPlace& unit : request.units) number_of.emplace(unit, request.number);
  std::int64_t pitch = std::numeric_limits<std::int32_t>::max();  // bytes: the least distance between neighbours
  for (auto it = number_of.begin(); it != number_of.end(); ++it) {
    const auto next = std::next(it);
    if (next != number_of.end() && next->first.slot == it->first.slot) pitch = std::min(pitch, next->first.byte - it->first.byte);
  }
  Panel panel{word, {}, 0, 1, 0, false};
  std::map<std::int64_t, std::int64_t> n_of_width;
  for (const Stretch& stretch : stretches_of(number_of, pitch)) {
    const auto length = static_cast<std::int64_t>(stretch.numbers.size());
    const std::int64_t row_units = natural == longest_row && length > longest_row ? broken_row : natural;
    for (std::int64_t i = 0; i < length; ++i) {
      const std::int64_t column = i % row_units, number = stretch.numbers[static_cast<std::size_t>(i)];
      if (column == 0) panel.rows.push_back({{stretch.first.slot, stretch.first.byte + i * pitch}, {}});
      std::vector<Piece>& pieces = panel.rows.back().pieces;
      if (pieces.empty() || pieces.back().number != number) pieces.push_back({column, 0, number});
      ++pieces.back().units;
      panel.columns = std::max(panel.columns, column + 1);
      panel.largest = std::max(panel.largest, number);
    }
    panel.has_slots = panel.has_slots || stretch.first.slot != number_of.begin()->first.slot;
  }
  for (const Row& row : panel.rows)
    for (const Piece& piece : row.pieces) ++n_of_width[piece.units];
  const auto most =
      std::max_element(n_of_width.begin(), n_of_width.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != n_of_width.end()) panel.usual = most->first;
  return panel;
}

std::string label_of(const Row& row, const Panel& panel) {
  return panel.has_slots ? fmt::format("{}: {}", row.first.slot, row.first.byte) : std::to_string(row.first.byte);
}

struct Measure {
  std::int64_t unit = 8;  // pixels
  std::int64_t left = 0;  // pixels for the labels of rows
  Extent2 extent;
};

Measure measure(const Panel& panel) {
  Measure m;
  const std::int64_t label = width_of_number(std::to_string(panel.largest), tile_font) + 8;
  m.unit = std::max<std::int64_t>(6, ceil_divide(label, panel.usual));
  for (const Row& row : panel.rows) m.left = std::max(m.left, width_of_number(label_of(row, panel), tile_font - 1) + 8);
  m.extent = {std::max<std::int64_t>(160, m.left + m.unit * panel.columns),
              tile_heading + static_cast<std::int64_t>(panel.rows.size()) * cell_height};
  return m;
}

struct Colours {
  std::int32_t threads = 1;
  std::int32_t steps = 1;  // of the panel
  std::string operator()(std::int64_t number) const {
    const std::int64_t warp = number % threads / 32, n_warps = ceil_divide(threads, 32), step = number / threads;
    const auto share = [](std::int64_t i, std::int64_t n) { return n <= 1 ? 0.3 : static_cast<double>(i) / static_cast<double>(n - 1); };
    return colour_of(share(warp, n_warps), share(step, steps));
  }
};

void draw_panel(Svg& svg, Point at, const Panel& panel, const Measure& m, std::int32_t threads) {
  svg.text({at.x, at.y + 14}, panel.word, tile_font + 2, Anchor::start, "font-weight=\"bold\"");
  const Colours colour{threads, static_cast<std::int32_t>(panel.largest / threads + 1)};
  at.y += tile_heading;
  for (std::size_t r = 0; r < panel.rows.size(); ++r)
    svg.text({at.x + m.left - 6, at.y + static_cast<std::int64_t>(r) * cell_height + 14}, label_of(panel.rows[r], panel), tile_font - 1,
             Anchor::end, grey_text);
  svg.begin(panel.word, tile_font);
  for (std::size_t r = 0; r < panel.rows.size(); ++r)
    for (const Piece& piece : panel.rows[r].pieces) {
      const std::string label = std::to_string(piece.number);
      const Point p{at.x + m.left + piece.column * m.unit, at.y + static_cast<std::int64_t>(r) * cell_height};
      const bool is_tight = width_of_number(label, tile_font) > piece.units * m.unit;
      svg.cell(p, {piece.units * m.unit, cell_height}, {label, colour(piece.number), std::string(cell_border)}, tile_font,
               is_tight ? 7 : tile_font);
    }
  svg.end();
}

std::string group_text(const tile::Group& group, const Box& box) {
  std::string text;
  for (std::int32_t i = 0; i < group.count; ++i) {
    const std::int64_t extent = box.axes[static_cast<std::size_t>(group.axis[i])].extent;
    text += fmt::format("{}axis {}: {} of {}", i == 0 ? "" : ", ", group.axis[i], i + 1 == group.count ? group.tile : extent, extent);
  }
  return text.empty() ? "one unit" : text;
}

std::vector<std::string> notes_of(const Box& box, const Tiling& tiling, std::uint32_t index, std::int64_t n_reads, std::int64_t n_writes) {
  const tile::Frame& frame = tile::frame_of(tiling.tile);
  const std::int32_t threads = tile::threads_of(tiling.tile);
  std::vector<std::string> lines{fmt::format("Block {} of {}: {} threads, {} bytes of shared memory, units of {} byte{}.", index,
                                             frame.n_blocks, threads, tile::shared_bytes_of(tiling.tile), frame.unit,
                                             frame.unit == 1 ? "" : "s")};
  if (tiling.shape.kind == tile::Kind::rows) {
    lines.push_back(fmt::format("Inside: rows: {}, pieces of each: {}.", tiling.shape.source.tile, tiling.shape.destination.tile));
  } else {
    lines.push_back(fmt::format("Source run: {}. Destination run: {}.", group_text(tiling.shape.source, box),
                                group_text(tiling.shape.destination, box)));
  }
  lines.push_back(fmt::format("Number: step · {} + thread; {} reads, {} writes. Hue: warp of 32 threads; lightness: step.", threads,
                              n_reads, n_writes));
  lines.push_back("Beside each row: its first byte.");
  return lines;
}

}  // namespace

std::string draw_tile(const Box& box, const Tiling& tiling, const DrawOptions& options, std::uint32_t index) {
  const std::uint32_t n_blocks = tile::frame_of(tiling.tile).n_blocks;
  if (index >= n_blocks)
    throw Error(ErrorCode::bad_shape,
                fmt::format("cannot draw block {}: the tiling has blocks 0 to {}", index, std::int64_t{n_blocks} - 1));
  const Requests requests = requests_of(tiling.tile, index);
  const auto most = static_cast<std::int64_t>(std::max(requests.reads.size(), requests.writes.size()));
  if (most > options.max_cells) {
    throw Error(ErrorCode::too_large,
                fmt::format("cannot draw: the tile has {} accesses, a picture holds at most {}; raise max_cells", most, options.max_cells));
  }
  const Panel read = panel_of("source", requests.reads, natural_row(box, &Axis::src_stride));
  const Panel written = panel_of("destination", requests.writes, natural_row(box, &Axis::dst_stride));
  const Measure first = measure(read), second = measure(written);

  Svg svg;
  const std::string title = options.title.empty() ? fmt::format("One tile: {}", tile::name_of(tiling.shape.kind)) : options.title;
  Point at{tile_margin, tile_margin};
  svg.text({at.x, at.y + 14}, title, 18, Anchor::start, "font-weight=\"bold\"");
  at.y += 40;
  const bool is_stacked = first.extent.width + between + second.extent.width > tile_readable_width;
  const Point beside =
      is_stacked ? Point{at.x, at.y + first.extent.height + tile_margin} : Point{at.x + first.extent.width + between, at.y};
  const std::int32_t threads = tile::threads_of(tiling.tile);
  draw_panel(svg, at, read, first, threads);
  draw_panel(svg, beside, written, second, threads);
  Point end{std::max({at.x + first.extent.width, beside.x + second.extent.width, at.x + width_of_words(title, 18)}),
            std::max(at.y + first.extent.height, beside.y + second.extent.height) + 16};
  for (const std::string& line :
       notes_of(box, tiling, index, static_cast<std::int64_t>(requests.reads.size()), static_cast<std::int64_t>(requests.writes.size()))) {
    svg.text({at.x, end.y + 14}, line, 12, Anchor::start, grey_text);
    end = {std::max(end.x, at.x + width_of_words(line, 12)), end.y + 22};
  }
  return svg.finish({end.x + tile_margin, end.y + tile_margin}, title);
}

}  // namespace crinkle::planning
