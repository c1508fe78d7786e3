// SPDX-License-Identifier: BSD-3-Clause
#include "maps/preview.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "formats/element_type.hpp"

namespace crinkle::tool {
namespace {

// Dark blue, blue, green, orange, yellow: lightness rises all the way.
constexpr double colours[5][3] = {{24, 16, 72}, {30, 90, 140}, {40, 150, 110}, {190, 190, 60}, {255, 245, 170}};

std::byte colour(double share, std::size_t channel) {
  const double at = 4 * std::clamp(share, 0.0, 1.0);
  const auto k = static_cast<std::size_t>(std::min(3.0, std::floor(at)));
  const double of_next = at - static_cast<double>(k);
  return static_cast<std::byte>(std::lround(colours[k][channel] + of_next * (colours[k + 1][channel] - colours[k][channel])));
}

}  // namespace

void PreviewOptions::add_to(Command& c, const std::string& what) {
  c.option("--preview", "FILE.png", path, "a picture of " + what + " beside the map");
  c.option("--window", "LOW:HIGH", window,
           "of the preview: the ends of its colours; left out: least and greatest; auto: 1st to 99th percentile")
      .such_as({"auto"});
}

void PreviewOptions::check(Overwrite overwrite) const {
  if (parse_window(window) && path.empty())
    throw Error(ErrorCode::bad_notation, "--window " + window + " is of a preview, and --preview FILE.png asks for none");
  if (path.empty()) return;
  if (!path.ends_with(".png")) throw Error(ErrorCode::unsupported, path + ": a preview is a picture, its name ends in .png");
  Sink::check(path, {{1, 1, 4}, element_type("|u1")}, overwrite);
}

std::unique_ptr<Sink> draw_preview(const PreviewOptions& options, std::int64_t n_rows, std::int64_t n_columns,
                                   const std::function<double(std::int64_t, std::int64_t)>& value,
                                   const std::function<bool(double)>& is_nodata, Overwrite overwrite) {
  constexpr std::int64_t most = 2048;
  const std::int64_t step = std::max<std::int64_t>(1, ceil_divide(std::max(n_rows, n_columns), most));
  const std::int64_t height = ceil_divide(n_rows, step), width = ceil_divide(n_columns, step);
  auto sink = Sink::create(options.path, {{height, width, 4}, element_type("|u1")}, overwrite);
  std::vector<double> there;
  const auto each_cell = [&](const auto& act) {
    for (std::int64_t y = 0; y < height; ++y)
      for (std::int64_t x = 0; x < width; ++x) act(y * width + x, value(y * step, x * step));
  };
  each_cell([&](std::int64_t, double v) {
    if (!is_nodata(v)) there.push_back(v);
  });
  const std::optional<Window> window = parse_window(options.window);
  std::pair<double, double> ends{0, 0};
  if (window) ends = ends_of(*window, there);
  else if (!there.empty()) ends = {*std::min_element(there.begin(), there.end()), *std::max_element(there.begin(), there.end())};
  std::byte* pixels = sink->bytes().data() + sink->data_offset();
  each_cell([&](std::int64_t k, double v) {
    const bool is_there = !is_nodata(v);
    const double share = is_there ? share_between(ends, v) : 0;
    for (std::size_t c = 0; c < 3; ++c) pixels[4 * k + static_cast<std::int64_t>(c)] = is_there ? colour(share, c) : std::byte{0};
    pixels[4 * k + 3] = is_there ? std::byte{255} : std::byte{0};
  });
  return sink;
}

}  // namespace crinkle::tool
