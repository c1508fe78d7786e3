// SPDX-License-Identifier: BSD-3-Clause
#include "resampling/resample_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/caret.hpp"
#include "base/decimals.hpp"
#include "base/number_lines.hpp"
#include "command_line/options.hpp"
#include "crinkle/error.hpp"
#include "files/arrays.hpp"
#include "formats/nifti.hpp"
#include "maps/ground.hpp"
#include "resampling/resample_ground.hpp"

namespace crinkle::tool {
namespace {

constexpr double most_extent = 0x1p52;

std::vector<double> reals_of(const std::string& option, const std::string& text) {
  std::vector<double> numbers;
  for (const std::string& word : split(text)) numbers.push_back(parse_real(option, word));
  return numbers;
}

// One for all, or one an axis.
std::vector<double> one_an_axis(const std::string& option, const std::string& text, std::size_t n) {
  std::vector<double> numbers = reals_of(option, text);
  if (numbers.size() == 1) numbers.resize(n, numbers[0]);
  if (numbers.size() != n) refuse(fmt::format("{} {}: give one number, or one for each of {} axes", option, shown(text), n));
  for (const double number : numbers)
    if (!(number > 0) || !std::isfinite(number)) refuse(fmt::format("{} {}: give numbers above 0", option, shown(text)));
  return numbers;
}

std::int64_t whole_extent(const std::string& option, double extent) {
  if (!(extent < most_extent)) throw Error(ErrorCode::too_large, fmt::format("{}: an axis of {} elements", option, extent));
  return std::max<std::int64_t>(1, std::llrint(decimals::settled(extent, extent, decimals::to_halves)));
}

class Maker {
 public:
  Maker(const ResampleWords& words, const ArrayFacts& facts, const RasterFacts* raster)
      : words_(words), facts_(facts), raster_(raster), named_(axes_of(facts, words.axes)) {
    const int rank = static_cast<int>(facts.layout.extents.size());
    if (raster != nullptr && named_.axes != std::vector<int>{rank - 2, rank - 1})
      refuse("--axes " + shown(words.axes) + ": maps are resampled along y,x, and bands one by one");
    for (const int axis : named_.axes) in_.push_back(facts.layout.extents[static_cast<std::size_t>(axis)]);
  }

  WantedMap make() {
    WantedMap made;
    made.axes = made.destination_axes = named_.axes;
    check_together();
    if (words_.is_on_ground()) made.map = ground(made);
    else if (!words_.zoom.empty() || (!words_.size.empty() && !has_map())) made.map = zoom();
    else if (!words_.spacing.empty()) made.map = spacing();
    else if (words_.rotate) made.map = rotation();
    else if (!words_.affine.empty()) made.map = affine();
    else if (is_polar()) made.map = polar();
    else made.map = field(made);
    if (out_.size() != in_.size()) set_destination_axes(made);
    else made.extents = with_extents(out_);
    set_change(made);
    if (const auto* affine = std::get_if<AffineMap>(&made.map);
        affine && !made.transform && raster_ && raster_->transform && affine->rank == 2)
      made.transform = carried(*raster_->transform, *affine);
    if (!words_.boundary.empty()) made.boundary = faces_of(words_.boundary, named_);
    return made;
  }

 private:
  bool is_polar() const { return words_.is_polar || words_.is_log_polar; }
  bool has_map() const {
    return !words_.spacing.empty() || words_.rotate || !words_.affine.empty() || is_polar() || !words_.coordinates.empty();
  }
  void check_together() const {
    if (!words_.like.empty() && (words_.cell || !words_.extent.empty()))
      refuse("--like " + words_.like + " says the cells; leave out --cell and --extent");
    std::vector<std::string> maps;
    for (const auto& [is_given, name] :
         {std::pair(!words_.zoom.empty(), "--zoom"), std::pair(!words_.spacing.empty(), "--spacing"),
          std::pair(words_.rotate.has_value(), "--rotate"), std::pair(!words_.affine.empty(), "--affine"),
          std::pair(words_.is_polar, "--polar"), std::pair(words_.is_log_polar, "--log-polar"),
          std::pair(!words_.coordinates.empty(), "--coordinates"), std::pair(words_.cell.has_value(), "--cell"),
          std::pair(!words_.like.empty(), "--like"), std::pair(!words_.cell && !words_.extent.empty(), "--extent")})
      if (is_given) maps.emplace_back(name);
    if (maps.size() > 1)
      refuse(fmt::format("{} and {} are two maps; give one of them, and what it makes to another `crinkle resample` for the other", maps[0],
                         maps[1]));
    if (maps.empty() && words_.size.empty())
      refuse(
          "say how: --zoom 2, --size y=512,x=512, --spacing 1mm, --rotate 30, --affine \"1,0,0;0,1,0\", --polar, --log-polar or "
          "--coordinates FILE.npy; of GeoTIFF --cell 10, --extent X0,Y0,X1,Y1 or --like FILE.tif, too");
    if (!words_.size.empty() && !maps.empty() && maps[0] != "--rotate" && maps[0] != "--affine" && maps[0] != "--extent" && !is_polar())
      refuse("--size is the shape, which " + maps[0] + " already says");
    if (!is_polar() && (words_.is_inverse || !words_.centre.empty() || words_.radius))
      refuse("--centre, --radius and --inverse are of --polar and --log-polar");
    if (words_.keep != "edges" && (!maps.empty() && words_.zoom.empty())) refuse("--keep is of --zoom and --size");
  }

  Extents with_extents(const Extents& resampled) const {
    Extents all = facts_.layout.extents;
    for (std::size_t a = 0; a < resampled.size(); ++a) all[static_cast<std::size_t>(named_.axes[a])] = resampled[a];
    return all;
  }

  // "512,512", in the order of the axes, or "y=512,x=512"; what is not named is as in `usual`.
  Extents sizes(Extents usual) const {
    if (words_.size.empty()) return usual;
    const std::vector<std::string> words = split(words_.size);
    const bool is_named = words_.size.find('=') != std::string::npos;
    if (!is_named && words.size() != usual.size())
      refuse(fmt::format("--size {}: give one number for each of {} axes, or name them, as in x=512", shown(words_.size), usual.size()));
    std::vector<bool> is_said(usual.size());
    for (std::size_t w = 0; w < words.size(); ++w) {
      std::size_t axis = w;
      const std::size_t equals = words[w].find('=');
      if (is_named) {
        const std::string name = words[w].substr(0, equals);
        const auto& names = named_.named.names;
        axis = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
        if (equals == std::string::npos || axis == names.size())
          refuse(fmt::format("--size {}: write AXIS=N of the axes {}", shown(words[w]), fmt::join(names, ", ")));
        if (is_said.at(axis)) refuse(fmt::format("--size {}: the axis {} has two sizes", shown(words_.size), name));
        is_said.at(axis) = true;
      }
      const auto n = parse_integer<std::int64_t>("--size", is_named ? words[w].substr(equals + 1) : words[w]);
      if (n < 1) throw Error(ErrorCode::bad_shape, fmt::format("--size {}: give 1 or more", shown(words[w])));
      usual.at(axis) = n;
    }
    return usual;
  }

  CoordinateMap ground(WantedMap& made) {
    if (raster_ == nullptr)
      refuse(facts_.path + " does not say where its cells lie, which --cell, --extent and --like need; give a GeoTIFF");
    GroundMap map = ground_map(words_, *raster_, facts_.path, words_.size.empty() ? Extents() : sizes(in_));
    out_ = map.extents;
    made.transform = map.transform;
    return map.map;
  }

  CoordinateMap zoom() {
    if (words_.zoom.empty()) {
      out_ = sizes(in_);
    } else {
      const std::vector<double> factors = one_an_axis("--zoom", words_.zoom, in_.size());
      for (std::size_t a = 0; a < in_.size(); ++a) out_.push_back(whole_extent("--zoom", static_cast<double>(in_[a]) * factors[a]));
    }
    return zoom_map(in_, out_, words_.keep == "centres" ? ZoomKeeps::centres : ZoomKeeps::edges);
  }

  // The outer edge of the first voxel stays where it is.
  CoordinateMap spacing() {
    const std::vector<double>& mm = named_.named.spacing_mm;
    if (mm.empty()) refuse("--spacing: " + facts_.path + " does not say how far apart its voxels are; give --zoom or --size");
    std::string text;
    for (const std::string& word : split(words_.spacing)) {
      if (!word.ends_with("mm")) refuse("--spacing " + shown(words_.spacing) + ": write millimetres, as in 1mm or 1mm,1mm,2.5mm");
      text += (text.empty() ? "" : ",") + word.substr(0, word.size() - 2);
    }
    const std::vector<double> wanted = one_an_axis("--spacing", text, in_.size());
    AffineMap map;
    map.rank = static_cast<int>(in_.size());
    map.usual = Bound::edge;
    if (map.rank > 3) refuse(fmt::format("--spacing of {} axes; name up to 3 in --axes", map.rank));
    for (std::size_t a = 0; a < in_.size(); ++a) {
      const double scale = wanted[a] / mm[a];
      out_.push_back(whole_extent("--spacing", static_cast<double>(in_[a]) / scale));
      map.matrix[a][a] = scale;
      map.offset[a] = 0.5 * scale - 0.5;
    }
    return map;
  }

  CoordinateMap rotation() {
    if (in_.size() != 2) refuse(fmt::format("--rotate turns a plane: name its 2 axes in --axes, not {}", in_.size()));
    out_ = sizes(rotated_extents(*words_.rotate, in_));
    return rotation_map(*words_.rotate, in_, out_);
  }

  CoordinateMap affine() {
    AffineMap map;
    const std::vector<std::string> rows = split(words_.affine, ';');
    map.rank = static_cast<int>(rows.size());
    if (rows.size() > 3) refuse(fmt::format("--affine of {} rows; give one for each of 1 to 3 axes", rows.size()));
    for (std::size_t a = 0; a < rows.size(); ++a) {
      const std::vector<double> numbers = reals_of("--affine", rows[a]);
      if (numbers.size() != rows.size() + 1)
        refuse(fmt::format("--affine: row '{}' has {} numbers; {} axes have rows of {}, the last an offset", shown(rows[a]), numbers.size(),
                           rows.size(), rows.size() + 1));
      std::copy(numbers.begin(), numbers.end() - 1, map.matrix[a].begin());
      map.offset[a] = numbers.back();
    }
    out_ = sizes(in_);
    return map;
  }

  CoordinateMap polar() {
    if (in_.size() != 2) refuse(fmt::format("polar coordinates are of a plane: name its 2 axes in --axes, not {}", in_.size()));
    const PolarScale scale = words_.is_log_polar ? PolarScale::logarithmic : PolarScale::linear;
    std::optional<double> radius = words_.radius;
    if (radius && (!(*radius > 0) || !(*radius < most_extent))) refuse(fmt::format("--radius {}: give a number above 0", *radius));
    std::vector<double> centre;
    if (!words_.centre.empty()) {
      centre = reals_of("--centre", words_.centre);
      if (centre.size() != 2) refuse("--centre " + shown(words_.centre) + ": give two numbers, along the first and the second axis");
    }
    const auto middle = [](const Extents& of) {
      return std::vector<double>{(static_cast<double>(of[0]) - 1) / 2, (static_cast<double>(of[1]) - 1) / 2};
    };
    if (words_.is_inverse) {
      if (!radius) {
        if (words_.is_log_polar) refuse("--log-polar --inverse needs the --radius that the array was made with");
        radius = static_cast<double>(in_[1]);
      }
      const std::int64_t all = 2 * whole_extent("--radius", std::ceil(*radius)) + 1;
      out_ = sizes({all, all});
      if (centre.empty()) centre = middle(out_);
      return polar_map(PolarMap::Direction::from_polar, in_, {centre[0], centre[1]}, *radius, scale);
    }
    if (centre.empty()) centre = middle(in_);
    if (!radius) radius = std::max(farthest_corner(in_, {centre[0], centre[1]}), 1.5);  // of one element it is 0
    out_ = sizes({360, whole_extent("--radius", std::ceil(*radius))});
    return polar_map(PolarMap::Direction::to_polar, out_, {centre[0], centre[1]}, *radius, scale);
  }

  CoordinateMap field(WantedMap& made) {
    made.file = Source::open(words_.coordinates);
    const ArrayFacts& facts = made.file->facts();
    const Extents& extents = facts.layout.extents;
    if (extents.size() < 2 || extents[0] != std::ssize(in_))
      throw Error(ErrorCode::bad_shape,
                  fmt::format("{}: coordinates along {} axes are an array of shape [{}], then the shape of the result, not {}",
                              words_.coordinates, in_.size(), in_.size(), print_shape(extents)));
    out_.assign(extents.begin() + 1, extents.end());
    CoordinateField field{facts.layout, Real::float64, ConstBuffer(made.file->bytes().data(), std::ssize(made.file->bytes()))};
    const NumberType type = number_read(facts.type, words_.coordinates);
    if (type == NumberType{Number::float32}) field.type = Real::float32;
    if (type == NumberType{Number::float32} || type == NumberType{Number::float64}) return field;
    for_each_element(facts.layout, [&](std::int64_t, std::int64_t at) {
      load_line(&made.numbers.emplace_back(), 1, made.file->bytes().data() + at, 0, 1, type);
    });
    field.layout = Layout::dense(extents, 8);
    field.data = ConstBuffer(made.numbers);
    return field;
  }

  // A field of another rank than there are coordinates: its axes stand where the first of theirs stood.
  void set_destination_axes(WantedMap& made) const {
    const int first = *std::min_element(named_.axes.begin(), named_.axes.end());
    made.destination_axes.clear();
    for (int a = 0; a < static_cast<int>(facts_.layout.extents.size()); ++a) {
      if (a == first) {
        for (const std::int64_t extent : out_) {
          made.destination_axes.push_back(static_cast<int>(made.extents.size()));
          made.extents.push_back(extent);
        }
      }
      if (std::find(named_.axes.begin(), named_.axes.end(), a) == named_.axes.end())
        made.extents.push_back(facts_.layout.extents[static_cast<std::size_t>(a)]);
    }
  }

  // An axis of the result follows one of the source where the map is affine and has one number in its row and in its column.
  void set_change(WantedMap& made) const {
    made.change.axes.resize(made.extents.size());
    for (std::size_t a = 0; a < made.extents.size() && out_.size() == in_.size(); ++a)
      made.change.axes[a].source_axis = static_cast<int>(a);
    const auto* affine = std::get_if<AffineMap>(&made.map);
    if (out_.size() != in_.size()) return;
    for (std::size_t b = 0; b < in_.size(); ++b) {
      AxisOrigin& axis = made.change.axes[static_cast<std::size_t>(named_.axes[b])];
      axis.source_axis = -1;
      if (affine == nullptr || static_cast<std::size_t>(affine->rank) != in_.size()) continue;
      int n_found = 0;
      for (std::size_t a = 0; a < in_.size(); ++a) {
        if (affine->matrix[a][b] == 0) continue;
        for (std::size_t c = 0; c < in_.size(); ++c) n_found += affine->matrix[a][c] != 0 ? 1 : 0;
        axis = {named_.axes[a], affine->offset[a], affine->matrix[a][b], false};
      }
      if (n_found != 1) axis.source_axis = -1;
    }
  }

  const ResampleWords& words_;
  const ArrayFacts& facts_;
  const RasterFacts* raster_;
  NamedAxes named_;
  Extents in_, out_;  // along the resampled axes
};

}  // namespace

WantedMap wanted_map(const ResampleWords& words, const ArrayFacts& facts, const RasterFacts* raster) {
  return Maker(words, facts, raster).make();
}

}  // namespace crinkle::tool
