// Why a bounding box wastes half: which row of a triangle of 8 rows every block of a grid works on, by the box around the triangle and by
// the fold. With a file's name it draws both there, as SVG.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <cstdio>
#include <string>

#include "crinkle/simplex.hpp"

using namespace crinkle;

constexpr std::uint32_t n_rows = 8;
constexpr int edge = 28;  // pixels of a block
const char* const colours[n_rows] = {"#ffcab8", "#eaab4f", "#dfdf74", "#85ce80", "#66f4d7", "#27cee8", "#b8ddfe", "#abb1fe"};

std::string text(int x, int y, int font, const char* attributes, const std::string& content) {
  return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" font-size=\"" + std::to_string(font) + "\"" + attributes +
         ">" + content + "</text>\n";
}

// The grid of a map, every block with the number and the colour of its row; blocks outside are hatched and counted.
template <class Map>
std::string draw(const Map& map, int left, const char* title, std::uint32_t& n_outside) {
  const std::uint32_t width = map.grid()[0];
  std::string cells = "<g id=\"" + std::string(Map::name) + "\" font-size=\"12\" text-anchor=\"middle\">\n";
  n_outside = 0;
  for (std::uint32_t w = 0; w < map.size(); ++w) {
    const TriangleCell<std::uint32_t> cell = map.at(w);
    const int x = left + edge * static_cast<int>(w % width), y = 108 + edge * static_cast<int>(w / width);
    cells += "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"28\" height=\"28\" fill=\"" +
             (cell.is_inside ? colours[cell.i] : "url(#hatch)") + "\" stroke=\"#ffffff\" stroke-width=\"1\"/>\n";
    if (cell.is_inside) {
      cells += "<text x=\"" + std::to_string(x + 14) + "\" y=\"" + std::to_string(y + 18) + "\">" + std::to_string(cell.i) + "</text>\n";
    }
    n_outside += !cell.is_inside;
  }
  const std::string grid = std::to_string(width) + " × " + std::to_string(map.grid()[1]) + " = " + std::to_string(map.size()) +
                           " blocks, " + (n_outside == 0 ? "none" : std::to_string(n_outside)) + " wasted";
  return text(left, 76, 13, " font-weight=\"bold\"", title) + text(left, 96, 12, " fill=\"#5b616b\"", grid) + cells + "</g>\n";
}

int main(int n_arguments, char** arguments) {
  std::uint32_t of_box = 0, of_fold = 0;
  const std::string box = draw(BoundingBox<std::uint32_t>(n_rows), 24, "the box around the triangle", of_box);
  const std::string fold = draw(Fold<std::uint32_t>(n_rows), 296, "the fold", of_fold);
  const std::string picture =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"600\" height=\"356\" viewBox=\"0 0 600 356\" role=\"img\" "
      "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" fill=\"#0f1115\">\n"
      "<title>Blocks for a triangle of 8 rows</title>\n"
      "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" "
      "fill=\"#eceef1\"/><path d=\"M-1 1L1 -1M0 6L6 0M5 7L7 5\" stroke=\"#c3c8d0\" stroke-width=\"1\"/></pattern></defs>\n"
      "<rect width=\"600\" height=\"356\" fill=\"#ffffff\"/>\n" +
      text(24, 38, 18, " font-weight=\"bold\"", "Blocks for a triangle of 8 rows") + box + fold +
      text(296, 248, 12, " fill=\"#5b616b\"", "A number is the row that a block works on.") +
      text(296, 266, 12, " fill=\"#5b616b\"", "A line of the fold holds one row from the end") +
      text(296, 284, 12, " fill=\"#5b616b\"", "of the triangle and one from its beginning:") +
      text(296, 302, 12, " fill=\"#5b616b\"", "9 blocks in every line.") + "</svg>\n";
  std::printf("of 8 rows the box wastes %u blocks, the fold %u\n", of_box, of_fold);

  bool is_right = of_box == 28 && of_fold == 0;
  if (n_arguments == 2) {
    std::FILE* file = std::fopen(arguments[1], "wb");
    is_right = file != nullptr && std::fwrite(picture.data(), 1, picture.size(), file) == picture.size() && is_right;
    is_right = file != nullptr && std::fclose(file) == 0 && is_right;
  }
  return is_right ? 0 : 1;
}
