// The little SVG that the pictures need: whole-number coordinates, escaped text, an even palette. No scripts, no references outside the
// file, no locale, so that one picture is the same bytes everywhere.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace crinkle::planning {

inline constexpr std::string_view ink = "#0f1115";
inline constexpr std::string_view grey_text = "fill=\"#5b616b\"";
inline constexpr std::string_view cell_border = "stroke=\"#ffffff\" stroke-width=\"1\"";
inline constexpr std::string_view faint_border = "stroke=\"#c3c8d0\" stroke-width=\"1\"";

struct Point {
  std::int64_t x = 0;  // pixels to the right
  std::int64_t y = 0;  // pixels down
};
struct Extent2 {
  std::int64_t width = 0;   // pixels
  std::int64_t height = 0;  // pixels
};

/// Colour of a place, "#rrggbb": `hue` and `shade` in [0, 1]. OKLCH with hue 40° … 280°, lightness 0.91 … 0.63 and a chroma of 0.13, less
/// where sRGB ends, so that equal steps look equal and near-black text stands out (contrast at least 4.5 : 1).
std::string colour_of(double hue, double shade);

/// The same text with &, <, > and quotes as entities; what XML cannot hold (controls, broken UTF-8) as U+FFFD.
std::string escape(std::string_view text);

/// Pixels that a text needs at a font size, estimated for a wide sans-serif face: a number, words.
std::int64_t width_of_number(std::string_view text, int font);
std::int64_t width_of_words(std::string_view text, int font);

/// One element or access: a rectangle with a label.
struct Cell {
  std::string label;
  std::string fill;
  std::string attributes;
};

enum class Anchor : std::uint8_t { start, middle, end };

class Svg {
 public:
  void rectangle(Point at, Extent2 extent, std::string_view fill, std::string_view attributes = {});
  void line(Point from, Point to);
  void text(Point baseline, std::string_view content, int font, Anchor anchor, std::string_view attributes = {});
  void rising_text(Point baseline, std::string_view content, int font);  // turned by 90°, read from below; centred
  void arrow(Point from, Point to);                                      // level or upright
  /// Inside a group of font size `font`; a label in another size says so.
  void cell(Point at, Extent2 extent, const Cell& cell, int font, int label_font);
  void begin(std::string_view id, int font);  // a group whose text is centred
  void end() { body_ += "</g>\n"; }
  /// The whole file.
  std::string finish(Extent2 extent, std::string_view title) const;

 private:
  std::string body_;
};

}  // namespace crinkle::planning
