// A picture of hills, lake and sun with one vertical white line, one pixel wide, crinkled and uncrinkled by its k-indices (figures 8 to 11
// of the paper). Crinkled along x, the line is in one of the phases only; along y, in all of them. With a file's name it writes the picture
// there, 128 × 128 × 3 bytes [y][x][c], for the command to crinkle.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "crinkle/kindex.hpp"

namespace {

constexpr int edge = 128, line_x = 61;
using Picture = std::vector<std::uint8_t>;
using Index = crinkle::AnyIndex<3, std::uint32_t>;  // c, x, y

double ridge(double x, double height, double wave) {
  return height + 7 * std::sin(x * wave) + 4 * std::sin(x * wave * 2.7 + 1) + 1.5 * std::sin(x * wave * 7.1);
}

// Light in 0 … 1 for one pixel and colour: sky with a sun, three ridges that fade with distance, a lake that mirrors them, a little grain.
double light(double x, double y, int c) {
  const double shore = 94;
  if (y > shore) return 0.72 * light(x + 1.5 * std::sin(y * 1.3), 2 * shore - y, c) + (c == 2 ? 0.12 : 0.03);
  const double from_sun = std::hypot(x - 92, y - 30);
  const double sky[3] = {0.93 - 0.004 * (shore - y), 0.66 + 0.001 * y, 0.62 + 0.0022 * (shore - y)};
  double value = sky[c] + (from_sun < 9 ? 0.4 : 0.28 * std::exp((9 - from_sun) / 14)) * (c == 2 ? 0.6 : 1);
  const double rock[3] = {0.34, 0.36, 0.45};
  if (y > ridge(x, 56, 0.071)) value = 0.35 * sky[c] + 0.65 * rock[c] + 0.003 * (y - 56);
  if (y > ridge(x + 40, 69, 0.093)) value = 0.15 * sky[c] + 0.6 * rock[c];
  const double wood[3] = {0.10, 0.19, 0.13};
  if (y > ridge(x, 84, 0.12) - 3 * std::fabs(std::sin(x * 1.1))) value = wood[c];
  return value + 0.03 * std::sin(x * 12.9898 + y * 78.233 + c);
}

Picture make_picture() {
  Picture picture;
  for (int y = 0; y < edge; ++y)
    for (int x = 0; x < edge; ++x)
      for (int c = 0; c < 3; ++c)
        picture.push_back(x == line_x ? std::uint8_t{255} : static_cast<std::uint8_t>(250 * std::clamp(light(x, y, c), 0.0, 1.0)));
  return picture;
}

// How many of the phases, pictures of equal size one after the other, hold a white pixel.
int phases_with_line(const Picture& crinkled, int step) {
  const auto part = static_cast<std::ptrdiff_t>(crinkled.size()) / step;
  int n = 0;
  for (int p = 0; p < step; ++p) n += std::count(crinkled.begin() + p * part, crinkled.begin() + (p + 1) * part, std::uint8_t{255}) > 0;
  return n;
}

}  // namespace

int main(int n_arguments, char** arguments) {
  const Picture picture = make_picture();
  const Index index({3, edge, edge});
  bool is_right = true;
  for (const int axis : {1, 2}) {
    for (const int step : {2, 4}) {
      const auto map = index.make_crinkle(axis, static_cast<std::uint64_t>(step), crinkle::Placement::global);
      Picture crinkled(picture.size()), back(picture.size());
      for (std::uint32_t k = 0; k < index.total(); ++k) crinkled[index.crinkle(k, map)] = picture[k];
      for (std::uint32_t k = 0; k < index.total(); ++k) back[index.uncrinkle(k, map)] = crinkled[k];
      const int n = phases_with_line(crinkled, step);
      is_right = is_right && back == picture && n == (axis == 1 ? 1 : step);
      std::printf("crinkled along %c by %d: the white line is in %d of %d phases\n", axis == 1 ? 'x' : 'y', step, n, step);
    }
  }
  if (n_arguments < 2) return is_right ? 0 : 1;
  std::FILE* file = std::fopen(arguments[1], "wb");
  if (file == nullptr) return 1;
  const std::size_t written = std::fwrite(picture.data(), 1, picture.size(), file);
  return std::fclose(file) == 0 && written == picture.size() && is_right ? 0 : 1;
}
