// The picture of a rearrangement: sources, an arrow, destinations, and below them what the colours and signs mean.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/draw/draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/checked.hpp"
#include "plan/draw/grid.hpp"
#include "plan/draw/origin.hpp"
#include "plan/draw/svg.hpp"

namespace crinkle::planning {
namespace {

constexpr int font = 12;
constexpr int title_font = 18;
constexpr std::int64_t margin = 24;
constexpr std::int64_t heading = 26;
constexpr std::int64_t arrow_length = 72;
constexpr std::int64_t readable_width = 1000;  // beyond it a flat picture stands source above destination

/// All buffers of one side: equal arrays, one below the other.
struct DrawnSide {
  std::string word;  // "source", "destination"
  Layout layout;
  NamedExtents array;
  std::int64_t n_buffers = 1;
  std::int64_t n_elements() const { return layout.n_elements(); }
};

std::string joined(const std::vector<std::string>& names) {
  if (names.size() == 1) return names[0];
  if (names.empty() || std::find(names.begin(), names.end(), "") != names.end()) return "";
  return fmt::format("({})", fmt::join(names, " "));
}

std::vector<std::string> source_names(const Rearrangement& r) {
  std::vector<std::string> names;
  for (const Group& g : r.groups()) {
    std::vector<std::string> digits;
    for (const ElementaryAxis& d : g.digits)
      if (digits.empty() || !d.is_bit || digits.back() != d.name) digits.push_back(d.name);
    if (g.counts == Counts::bytes) names.push_back(joined(digits));
  }
  return names;
}

std::vector<std::string> destination_names(const Rearrangement& r) {
  std::vector<std::string> names;
  for (const Output& o : r.outputs()) {
    std::vector<std::string> terms;
    for (const OutputTerm& t : o.terms) {
      std::string name = t.group < 0 ? "" : r.groups()[static_cast<std::size_t>(t.group)].digits[static_cast<std::size_t>(t.digit)].name;
      if (terms.empty() || name.empty() || terms.back() != name) terms.push_back(std::move(name));
    }
    if (o.counts == Counts::bytes) names.push_back(joined(terms));
  }
  return names;
}

// Elements of another size become pieces of `piece` bytes: one more axis, the fastest.
DrawnSide side_of(const char* word, Layout layout, std::vector<std::string> names, std::int64_t n_buffers, std::int64_t piece) {
  names.resize(layout.extents.size());
  if (layout.element_bytes != piece) {
    layout.extents.push_back(layout.element_bytes / piece);
    layout.strides.push_back(piece);
    names.push_back(piece == 1 ? "byte" : "piece");
    layout.element_bytes = piece;
  }
  NamedExtents array{layout.extents, std::move(names)};
  return {word, std::move(layout), std::move(array), n_buffers};
}

void check_cells(const DrawnSide& side, std::int64_t max_cells) {
  const std::int64_t cells = multiply(side.n_elements(), side.n_buffers);
  if (cells <= max_cells) return;
  const char* way_out = side.word == "source" ? "give a smaller shape" : "slice first";
  throw Error(ErrorCode::too_large, fmt::format("cannot draw: the {} has {} cells, a picture holds at most {}; {}, or raise max_cells",
                                                side.word, cells, max_cells, way_out));
}

/// "a", "b", … for one of several buffers; a number and a colon beyond the alphabet.
std::string buffer_name(std::int64_t slot, std::int64_t n_buffers) {
  if (n_buffers == 1) return "";
  return n_buffers <= 26 ? std::string(1, static_cast<char>('a' + slot)) : std::to_string(slot) + ":";
}

/// Labels and colours of the sources: those of element k of a buffer.
struct Sources {
  const DrawnSide& side;
  Cell cell(std::int64_t slot, std::int64_t k) const {
    const std::int64_t fastest = side.layout.extents.empty() ? 1 : side.layout.extents.back();
    const std::int64_t n_rows = side.n_elements() / fastest * side.n_buffers;
    const std::int64_t row = (slot * side.n_elements() + k) / fastest;
    const auto share = [](std::int64_t i, std::int64_t n, double only) {
      return n == 1 ? only : static_cast<double>(i) / static_cast<double>(n - 1);
    };
    return {buffer_name(slot, side.n_buffers) + std::to_string(k), colour_of(share(k % fastest, fastest, 0.5), share(row, n_rows, 0.25)),
            std::string(cell_border)};
  }
};

/// Lines of text below the picture.
struct Notes {
  std::vector<std::string> lines;
  std::vector<std::string> fills;  // in hexadecimal, as the bytes lie
  bool has_untouched = false;
  void say(const std::string& line) {
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }
};

std::vector<Cell> destination_cells(const std::vector<ElementOrigin>& origins, const DrawnSide& source, Notes& notes) {
  const Sources sources{source};
  std::vector<Cell> cells;
  for (const ElementOrigin& origin : origins) {
    switch (origin.kind) {
      case Origin::Kind::source:
        if (!origin.keeps_bytes) notes.say("The bytes inside the elements change places.");
        cells.push_back(sources.cell(origin.slot, origin.element));
        break;
      case Origin::Kind::fill: {
        const std::string value = origin.fill.find_first_not_of('0') == std::string::npos ? "0" : origin.fill;
        if (std::find(notes.fills.begin(), notes.fills.end(), value) == notes.fills.end()) notes.fills.push_back(value);
        cells.push_back({"·", "url(#hatch)", std::string(cell_border)});
        break;
      }
      case Origin::Kind::untouched:
        notes.has_untouched = true;
        cells.push_back({"", "none", std::string(faint_border)});
        break;
    }
  }
  return cells;
}

Extent2 extent_of(const DrawnSide& side, const std::optional<Grid>& grid) {
  const Extent2 one = !grid ? Extent2{150, 44} : grid->extent();
  return {std::max<std::int64_t>(one.width, width_of_words(side.word + " a " + print_shape(side.array.extents), font + 1)),
          side.n_buffers * (one.height + heading + margin) - margin};
}

void draw_side(Svg& svg, Point at, const DrawnSide& side, const std::optional<Grid>& grid, Extent2 cell, const std::vector<Cell>& cells) {
  const std::int64_t n = side.n_elements();
  for (std::int64_t slot = 0; slot < side.n_buffers; ++slot) {
    const std::string letter = side.n_buffers == 1 ? "" : side.word == "source" ? buffer_name(slot, side.n_buffers) : std::to_string(slot);
    svg.text({at.x, at.y + 14}, fmt::format("{}{}{} {}", side.word, letter.empty() ? "" : " ", letter, print_shape(side.array.extents)),
             font + 1, Anchor::start, "font-weight=\"bold\"");
    at.y += heading;
    if (grid) grid->label_axes(svg, at);
    svg.begin(fmt::format("{}-{}", side.word, slot), font);
    for (std::int64_t i = 0; i < n; ++i) {
      const Point p = grid->place(i);
      const Cell& c = cells[static_cast<std::size_t>(slot * n + i)];
      svg.cell({at.x + p.x, at.y + p.y}, cell, c, font, font);
    }
    svg.end();
    if (!grid) {
      svg.rectangle(at, {150, 44}, "none", faint_border);
      svg.text({at.x + 75, at.y + 27}, "no elements", font + 1, Anchor::middle, grey_text);
    }
    at.y += (!grid ? 44 : grid->extent().height) + margin;
  }
}

// Signs first, then sentences. Returns the right and lower end.
Point draw_notes(Svg& svg, Point at, const Notes& notes) {
  Point end = at;
  const auto line = [&](std::int64_t indent, const std::string& text) {
    svg.text({at.x + indent, end.y + 14}, text, font, Anchor::start, grey_text);
    end = {std::max(end.x, at.x + indent + width_of_words(text, font)), end.y + 22};
  };
  if (!notes.fills.empty()) {
    svg.rectangle({at.x, end.y + 2}, {16, 16}, "url(#hatch)");
    line(24, fmt::format("fill: {}", fmt::join(notes.fills, ", ")));
  }
  if (notes.has_untouched) {
    svg.rectangle({at.x, end.y + 2}, {16, 16}, "none", faint_border);
    line(24, "left as it was");
  }
  for (const std::string& text : notes.lines) line(0, text);
  return end;
}

/// Both sides, every cell made, nothing placed.
struct Picture {
  DrawnSide source, destination;
  std::vector<Cell> source_cells, destination_cells;
  Notes notes;
};

Picture picture_of(const Rearrangement& r, std::int64_t piece, std::int64_t max_cells) {
  Picture p{side_of("source", r.source(), source_names(r), r.n_sources(), piece),
            side_of("destination", r.destination(), destination_names(r), r.n_destinations(), piece),
            {},
            {},
            {}};
  check_cells(p.source, max_cells);
  check_cells(p.destination, max_cells);
  const std::int64_t n = p.source.n_elements();
  const bool is_empty = p.destination.n_elements() == 0;
  const auto origins = elements_of(is_empty ? std::vector<Origin>{} : origins_of(r), p.source.layout);
  if (!origins && piece > 1) return picture_of(r, 1, max_cells);  // elements are taken apart: byte by byte
  if (!origins)
    throw Error(ErrorCode::unsupported, "cannot draw: bytes are read that belong to no element of the source; describe all of it");
  const Sources sources{p.source};
  for (std::int64_t i = 0; i < n * p.source.n_buffers; ++i) p.source_cells.push_back(sources.cell(i / n, i % n));
  p.destination_cells = destination_cells(*origins, p.source, p.notes);
  if (!is_empty && n > 0) {
    const bool is_cut = piece != r.source().element_bytes || piece != r.destination().element_bytes;
    p.notes.say(is_cut ? fmt::format("Number: which piece of {} byte{} in the source.", piece, piece == 1 ? "" : "s")
                       : "Number: k-index in the source.");
    p.notes.say("Hue: along the source's fastest axis; lightness: across the others.");
  }
  return p;
}

std::optional<Grid> grid_of(const DrawnSide& side, Extent2 cell, int columns, std::int64_t row) {
  if (side.n_elements() == 0) return std::nullopt;
  return Grid(side.array, cell, columns, row);
}

std::string compose(const Picture& p, const DrawOptions& options) {
  std::int64_t widest = 0;
  for (const auto* cells : {&p.source_cells, &p.destination_cells})
    for (const Cell& c : *cells) widest = std::max(widest, width_of_number(c.label, font));
  const Extent2 cell{std::max<std::int64_t>(28, (widest + 10) / 2 * 2), 28};
  const std::int64_t row = p.source.layout.extents.empty() ? 0 : p.source.layout.extents.back();
  const auto source_grid = grid_of(p.source, cell, options.columns_hint, row),
             destination_grid = grid_of(p.destination, cell, options.columns_hint, row);
  const Extent2 first = extent_of(p.source, source_grid), second = extent_of(p.destination, destination_grid);

  Svg svg;
  Point at{margin, margin};
  if (!options.title.empty()) {
    svg.text({at.x, at.y + 14}, options.title, title_font, Anchor::start, "font-weight=\"bold\"");
    at.y += 40;
  }
  const std::int64_t beside = first.width + arrow_length + 2 * margin + second.width, tallest = std::max(first.height, second.height);
  Point end{at.x + beside, at.y + tallest};
  if (beside > readable_width && beside > 3 * tallest) {
    const Point tail{at.x + std::min(first.width, second.width) / 2, at.y + first.height + margin / 2},
        tip{tail.x, tail.y + arrow_length / 2};
    draw_side(svg, at, p.source, source_grid, cell, p.source_cells);
    svg.arrow(tail, tip);
    draw_side(svg, {at.x, tip.y + margin / 2}, p.destination, destination_grid, cell, p.destination_cells);
    end = {at.x + std::max(first.width, second.width), tip.y + margin / 2 + second.height};
  } else {
    const Point tail{at.x + first.width + margin, at.y + heading + (std::min(first.height, second.height) - heading) / 2},
        tip{tail.x + arrow_length, tail.y};
    draw_side(svg, at, p.source, source_grid, cell, p.source_cells);
    svg.arrow(tail, tip);
    draw_side(svg, {tip.x + margin, at.y}, p.destination, destination_grid, cell, p.destination_cells);
  }
  const Point below = draw_notes(svg, {at.x, end.y + 16}, p.notes);
  const std::int64_t right = std::max({end.x, below.x, at.x + width_of_words(options.title, title_font)});
  return svg.finish({right + margin, below.y + margin}, options.title.empty() ? "a rearrangement" : options.title);
}

}  // namespace

std::string draw(const Rearrangement& r, const DrawOptions& options) {
  return compose(picture_of(r, std::gcd(r.source().element_bytes, r.destination().element_bytes), options.max_cells), options);
}

}  // namespace crinkle::planning
