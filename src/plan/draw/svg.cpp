// OKLCH to sRGB after B. Ottosson, "A perceptual color space for image processing" (2020).
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/draw/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace crinkle::planning {
namespace {

using Rgb = std::array<double, 3>;  // linear light

Rgb from_oklch(double lightness, double chroma, double hue) {
  const double a = chroma * std::cos(hue), b = chroma * std::sin(hue);
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

int to_byte(double linear) {
  const double v = std::clamp(linear, 0.0, 1.0);
  return static_cast<int>(std::lround(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055)));
}

// Bytes of the UTF-8 sequence at the front of `text` that XML can hold, or 0.
std::size_t sequence_bytes(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7F ? 1 : 0;
  const std::size_t n = lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 && lead < 0xF0 ? 3 : lead >= 0xC2 && lead < 0xE0 ? 2 : 0;
  if (n == 0 || text.size() < n) return 0;
  std::uint32_t code = lead & (0xFFu >> (n + 1));
  for (std::size_t i = 1; i < n; ++i) {
    if ((at(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (at(i) & 0x3Fu);
  }
  const std::uint32_t least = n == 4 ? 0x10000 : n == 3 ? 0x800 : 0x80;
  const bool is_character = code >= least && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) && code != 0xFFFE && code != 0xFFFF;
  return is_character ? n : 0;
}

std::int64_t n_characters(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

const char* name_of(Anchor anchor) { return anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end"; }

}  // namespace

std::string colour_of(double hue, double shade) {
  const double lightness = 0.91 - 0.28 * shade;
  const double angle = (40 + 240 * hue) * std::numbers::pi / 180;
  const auto is_inside = [](const Rgb& c) { return std::all_of(c.begin(), c.end(), [](double v) { return v >= -1e-6 && v <= 1 + 1e-6; }); };
  double chroma = 0.13;
  Rgb colour = from_oklch(lightness, chroma, angle);
  for (; chroma > 0 && !is_inside(colour); chroma -= 0.005) colour = from_oklch(lightness, chroma, angle);
  return fmt::format("#{:02x}{:02x}{:02x}", to_byte(colour[0]), to_byte(colour[1]), to_byte(colour[2]));
}

std::string escape(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t n = sequence_bytes(text);
    switch (n == 1 ? text[0] : '\0') {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += n == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, n);
    }
    text.remove_prefix(std::max<std::size_t>(n, 1));
  }
  return out;
}

std::int64_t width_of_number(std::string_view text, int font) { return (n_characters(text) * font * 64 + 99) / 100; }
std::int64_t width_of_words(std::string_view text, int font) { return (n_characters(text) * font * 54 + 99) / 100; }

void Svg::rectangle(Point at, Extent2 extent, std::string_view fill, std::string_view attributes) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}{}/>\n", at.x, at.y, extent.width, extent.height,
                       fill, attributes.empty() ? "" : " ", attributes);
}

void Svg::line(Point from, Point to) {
  body_ += fmt::format("<path d=\"M{} {}L{} {}\" stroke=\"#5b616b\" stroke-width=\"2\" fill=\"none\"/>\n", from.x, from.y, to.x, to.y);
}

void Svg::text(Point baseline, std::string_view content, int font, Anchor anchor, std::string_view attributes) {
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\"{}{}>{}</text>\n", baseline.x, baseline.y, font,
                       name_of(anchor), attributes.empty() ? "" : " ", attributes, escape(content));
}

void Svg::rising_text(Point baseline, std::string_view content, int font) {
  text(baseline, content, font, Anchor::middle, fmt::format("{} transform=\"rotate(-90 {} {})\"", grey_text, baseline.x, baseline.y));
}

void Svg::arrow(Point from, Point to) {
  const bool is_level = from.y == to.y;
  line(from, is_level ? Point{to.x - 8, to.y} : Point{to.x, to.y - 8});
  const std::string head = is_level ? fmt::format("M{} {}l-12 -7v14z", to.x, to.y) : fmt::format("M{} {}l-7 -12h14z", to.x, to.y);
  body_ += fmt::format("<path d=\"{}\" {}/>\n", head, grey_text);
}

void Svg::cell(Point at, Extent2 extent, const Cell& cell, int font, int label_font) {
  rectangle(at, extent, cell.fill, cell.attributes);
  // A digit's middle lies a third of the font size above its baseline.
  body_ += fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", at.x + extent.width / 2, at.y + extent.height / 2 + label_font / 3,
                       label_font == font ? "" : fmt::format(" font-size=\"{}\"", label_font), escape(cell.label));
}

void Svg::begin(std::string_view id, int font) {
  body_ += fmt::format("<g id=\"{}\" font-size=\"{}\" text-anchor=\"middle\">\n", id, font);
}

std::string Svg::finish(Extent2 extent, std::string_view title) const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" fill=\"{2}\">\n"
      "<title>{3}</title>\n"
      "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" "
      "fill=\"#eceef1\"/>"
      "<path d=\"M-1 1L1 -1M0 6L6 0M5 7L7 5\" stroke=\"#c3c8d0\" stroke-width=\"1\"/></pattern></defs>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{4}</svg>\n",
      extent.width, extent.height, ink, escape(title), body_);
}

}  // namespace crinkle::planning
