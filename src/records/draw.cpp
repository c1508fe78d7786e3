// A panel is a group's bytes, each with the field and record that own it; what is equal side by side in a row becomes one cell.
// SPDX-License-Identifier: BSD-3-Clause
#include "records/draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "plan/draw/svg.hpp"

namespace crinkle::records {
namespace {

using namespace planning;

constexpr int font = 12;
constexpr int small_font = 9;
constexpr int title_font = 18;
constexpr std::int64_t margin = 24;
constexpr std::int64_t heading = 26;
constexpr std::int64_t cell_height = 24;
constexpr std::int64_t legend_height = 22;
constexpr std::int64_t narrowest_byte = 14, widest_byte = 34;  // pixels
constexpr std::int64_t usual_row = 32, longest_row = 64;       // bytes
constexpr std::int64_t narrowest_legend = 420;                 // pixels

constexpr std::int64_t padding = -1;

struct Owner {
  std::int64_t place = padding;  // of the layout's places
  std::int64_t record = 0;
  friend bool operator==(const Owner&, const Owner&) = default;
};

struct Panel {
  std::string name;
  std::int64_t begin = 0;      // offset of its first byte
  std::int64_t row_bytes = 1;  // at most
  std::vector<Owner> owners;   // [bytes]
};

// Rows of whole records begin with the same field, one below the other; rows of a whole run of a block hold one field each.
std::int64_t row_of(const RecordLayout& layout, std::size_t g) {
  const FieldGroup& group = layout.groups()[g];
  std::int64_t period = layout.record_bytes(g);
  if (group.block > 1) {
    if (group.block > longest_row) return usual_row;
    period = 0;
    for (const RecordLayout::Place& p : layout.places())
      if (p.group == g) period = std::gcd(period, p.field.bytes());
    period *= group.block;
    return period >= usual_row / 4 && period <= longest_row ? period : usual_row;
  }
  if (period > usual_row) return period <= longest_row ? period : usual_row;
  return usual_row / period * period;
}

std::vector<Panel> panels_of(const RecordLayout& layout, std::int64_t n, const DrawOptions& options) {
  std::vector<Panel> panels;
  for (std::size_t g = 0; g < layout.n_groups(); ++g) {
    const bool is_together = options.storage == Storage::together, is_last = g + 1 == layout.n_groups();
    const std::int64_t begin = layout.group_begin(g, n);
    const std::int64_t end = is_together && !is_last ? layout.group_begin(g + 1, n) : begin + layout.group_bytes(g, n);
    std::vector<Field> fields;
    for (const RecordLayout::Place& p : layout.places())
      if (p.group == g) fields.push_back(p.field);
    panels.push_back({RecordLayout(fields, {layout.groups()[g]}).print(), is_together ? begin : 0,
                      options.row_bytes.value_or(row_of(layout, g)), std::vector<Owner>(static_cast<std::size_t>(end - begin))});
  }
  for (std::size_t k = 0; k < layout.places().size(); ++k) {
    const RecordLayout::Place& p = layout.places()[k];
    for (std::int64_t i = 0; i < n; ++i) {
      const auto first = panels[p.group].owners.begin() + layout.address(p, i, n);
      std::fill_n(first, p.field.bytes(), Owner{static_cast<std::int64_t>(k), i});
    }
  }
  return panels;
}

std::string colour(const RecordLayout& layout, const Owner& owner) {
  if (owner.place == padding) return "url(#hatch)";
  const auto n = static_cast<double>(layout.places().size());
  return colour_of((static_cast<double>(owner.place) + 0.5) / n, owner.record % 2 == 0 ? 0.15 : 0.65);
}

/// The longest of "x3" and "3" that fits in so many pixels, or nothing.
Cell cell_of(const RecordLayout& layout, const Owner& owner, std::int64_t pixels, int& label_font) {
  Cell cell{"", colour(layout, owner), std::string(cell_border)};
  if (owner.place == padding) return cell;
  const std::string number = std::to_string(owner.record),
                    name = layout.places()[static_cast<std::size_t>(owner.place)].field.name + number;
  for (const std::string& label : {name, number})
    for (const int size : {font, small_font})
      if (cell.label.empty() && width_of_number(label, size) <= pixels) {
        cell.label = label;
        label_font = size;
      }
  return cell;
}

// So wide that the names of the narrowest fields fit, where that is not too wide.
std::int64_t pixels_of_byte(const RecordLayout& layout, std::int64_t n) {
  std::int64_t pixels = narrowest_byte;
  for (const RecordLayout::Place& p : layout.places())
    pixels = std::max(pixels, ceil_divide(width_of_number(p.field.name + std::to_string(n), small_font) + 2, p.field.bytes()));
  return std::min(pixels, widest_byte);
}

struct Rows {
  std::int64_t byte;  // pixels
  std::int64_t left;  // pixels for the offsets
};

/// Returns the first y below it.
std::int64_t draw_panel(Svg& svg, Point at, const RecordLayout& layout, const Panel& panel, const Rows& rows, std::size_t g) {
  if (!panel.name.empty()) {
    svg.text({at.x, at.y + 14}, panel.name, font + 1, Anchor::start, "font-weight=\"bold\"");
    at.y += heading;
  }
  const auto bytes = static_cast<std::int64_t>(panel.owners.size());
  for (std::int64_t row = 0; row * panel.row_bytes < bytes; ++row)
    svg.text({at.x + rows.left - 6, at.y + row * cell_height + 16}, std::to_string(panel.begin + row * panel.row_bytes), font - 1,
             Anchor::end, grey_text);
  svg.begin(fmt::format("group-{}", g), font);
  for (std::int64_t from = 0, to = 0; from < bytes; from = to) {
    const std::int64_t row = from / panel.row_bytes, row_end = std::min(bytes, (row + 1) * panel.row_bytes);
    const Owner& owner = panel.owners[static_cast<std::size_t>(from)];
    while (to < row_end && panel.owners[static_cast<std::size_t>(to)] == owner) ++to;
    const Extent2 extent{(to - from) * rows.byte, cell_height};
    int label_font = font;
    const Cell cell = cell_of(layout, owner, extent.width - 2, label_font);
    svg.cell({at.x + rows.left + from % panel.row_bytes * rows.byte, at.y + row * cell_height}, extent, cell, font, label_font);
  }
  svg.end();
  return at.y + ceil_divide(bytes, panel.row_bytes) * cell_height;
}

struct Line {
  std::string fill;  // of the sample before it; none where empty
  std::string text;
};

std::vector<Line> legend_of(const RecordLayout& layout, const std::vector<Panel>& panels, std::int64_t n) {
  const auto plural = [](std::int64_t count) { return count == 1 ? "" : "s"; };
  std::vector<Line> lines;
  for (std::size_t k = 0; k < layout.places().size(); ++k) {
    const Field& f = layout.places()[k].field;
    lines.push_back({colour(layout, {static_cast<std::int64_t>(k), 0}),
                     fmt::format("{}: {}{}{} byte{}", f.name, f.type, f.type.empty() ? "" : ", ", f.bytes(), plural(f.bytes()))});
  }
  std::int64_t n_bytes = 0, n_padding = 0;
  for (const Panel& panel : panels) {
    n_bytes += std::ssize(panel.owners);
    n_padding += std::count(panel.owners.begin(), panel.owners.end(), Owner{});
  }
  if (n_padding > 0) lines.push_back({"url(#hatch)", fmt::format("padding: {} byte{}", n_padding, plural(n_padding))});
  lines.push_back(
      {"", fmt::format("{} record{}: {} byte{}, {} of them of fields.", n, plural(n), n_bytes, plural(n_bytes), n_bytes - n_padding)});
  lines.push_back({"", "Number: record; at the left: offset of the row's first byte."});
  return lines;
}

/// Samples beside each other as far as `right` goes, which grows where that is too narrow; sentences below. Returns the first y below it.
std::int64_t draw_legend(Svg& svg, Point at, const std::vector<Line>& lines, std::int64_t& right) {
  const std::int64_t left = at.x;
  right = std::max(right, left + narrowest_legend);
  for (const Line& line : lines) {
    const std::int64_t indent = line.fill.empty() ? 0 : 28, width = indent + width_of_words(line.text, font);
    if (at.x > left && (line.fill.empty() || at.x + width > right)) at = {left, at.y + legend_height};
    if (!line.fill.empty()) svg.rectangle(at, {20, 16}, line.fill, faint_border);
    svg.text({at.x + indent, at.y + 13}, line.text, font, Anchor::start, grey_text);
    right = std::max(right, at.x + width);
    at.x += width + margin;
  }
  return at.y + legend_height;
}

void check(const RecordLayout& layout, std::int64_t n, const DrawOptions& options) {
  if (n < 0) throw Error(ErrorCode::bad_shape, fmt::format("cannot draw {} records", n));
  if (options.row_bytes && *options.row_bytes < 1)
    throw Error(ErrorCode::bad_shape, fmt::format("rows of {} bytes; give 1 or more", *options.row_bytes));
  const std::int64_t bytes = layout.bytes(n);
  if (bytes <= options.max_bytes) return;
  std::int64_t most = std::min(n, options.max_bytes / layout.record_bytes());
  while (layout.bytes(most) > options.max_bytes) --most;
  throw Error(ErrorCode::too_large,
              fmt::format("cannot draw: {} records take {} bytes, a picture holds at most {}; draw {}", n, bytes, options.max_bytes,
                          most > 0 ? fmt::format("{} record{} or fewer", most, most == 1 ? "" : "s") : "a layout of fewer fields"));
}

}  // namespace

std::string draw_records(const RecordLayout& layout, std::int64_t n, const DrawOptions& options) {
  check(layout, n, options);
  std::vector<Panel> panels = panels_of(layout, n, options);
  std::int64_t last = 0, widest_row = 0;
  for (const Panel& panel : panels) {
    last = std::max(last, panel.begin + std::ssize(panel.owners));
    widest_row = std::max(widest_row, std::min(panel.row_bytes, std::ssize(panel.owners)));
  }
  const Rows rows{pixels_of_byte(layout, n), width_of_number(std::to_string(last), font - 1) + 8};

  Svg svg;
  const std::string title = options.title.empty() ? layout.print() : options.title;
  if (panels.size() == 1 && panels[0].name == title) panels[0].name.clear();
  Point at{margin, margin};
  svg.text({at.x, at.y + 14}, title, title_font, Anchor::start, "font-weight=\"bold\"");
  std::int64_t right = std::max(at.x + width_of_words(title, title_font), at.x + rows.left + widest_row * rows.byte);
  at.y += 40;
  for (std::size_t g = 0; g < panels.size(); ++g) {
    right = std::max(right, at.x + width_of_words(panels[g].name, font + 1));
    at.y = draw_panel(svg, at, layout, panels[g], rows, g) + margin;
  }
  at.y = draw_legend(svg, at, legend_of(layout, panels, n), right);
  return svg.finish({right + margin, at.y + margin}, title);
}

}  // namespace crinkle::records
