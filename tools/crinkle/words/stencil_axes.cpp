// SPDX-License-Identifier: BSD-3-Clause
#include "words/stencil_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/caret.hpp"
#include "base/number_lines.hpp"
#include "command_line/options.hpp"
#include "crinkle/error.hpp"
#include "files/arrays.hpp"
#include "formats/nifti.hpp"
#include "formats/source.hpp"
#include "words/axis_names.hpp"

namespace crinkle::tool {
namespace {

std::vector<int> usual_axes(const ArrayFacts& facts) {
  const auto rank = static_cast<int>(facts.layout.extents.size());
  std::vector<int> axes;
  const bool has_channels = facts.format == "png" && rank == 3;
  for (int a = facts.format == "nifti"     ? std::max(0, rank - 3)
               : facts.format == "geotiff" ? rank - 2
                                           : 0;
       a < (has_channels ? 2 : rank); ++a)
    axes.push_back(a);
  return axes;
}

// Numbers of nested lists, and their extents.
void read_nested(const nlohmann::json& value, std::size_t depth, Extents& extents, std::vector<double>& numbers) {
  if (!value.is_array()) {
    if (!value.is_number() || depth != extents.size())
      refuse("the weights are numbers in lists of equal length, as in [[0,1,0],[1,-4,1],[0,1,0]]");
    return numbers.push_back(value.get<double>());
  }
  const auto n = static_cast<std::int64_t>(value.size());
  if (depth == extents.size() && numbers.empty()) extents.push_back(n);
  if (depth >= extents.size() || extents[depth] != n) refuse("the weights are lists of equal length, as in [[0,1,0],[1,-4,1],[0,1,0]]");
  for (const auto& item : value) read_nested(item, depth + 1, extents, numbers);
}

LinearStencil weights_of(const std::string& text, Orientation orientation, const NamedAxes& axes) {
  Extents extents;
  std::vector<double> weights;
  const bool is_list = text.starts_with("[");
  const std::string what = is_list ? "the weights " + shown(text) : text;
  if (is_list) {
    const auto lists = nlohmann::json::parse(text, nullptr, false);
    if (lists.is_discarded()) refuse("the weights '" + shown(text) + "' are no lists of numbers");
    read_nested(lists, 0, extents, weights);
  } else {
    const auto file = Source::open(text);
    const ArrayFacts& facts = file->facts();
    const NumberType type = number_read(facts.type, text);
    extents = facts.layout.extents;
    if (facts.format == "png" && extents.back() == 1) extents.pop_back();  // grey
    for_each_element(facts.layout,
                     [&](std::int64_t, std::int64_t at) { load_line(&weights.emplace_back(), 1, file->bytes().data() + at, 0, 1, type); });
  }
  const auto refuse_shape = [&](const std::string& why) { throw Error(ErrorCode::bad_shape, what + ": " + why); };
  for (const double w : weights)
    if (!std::isfinite(w)) refuse_shape(fmt::format("a weight of {}; weights are finite", w));
  if (extents.size() != axes.axes.size())
    refuse_shape(fmt::format("weights of shape {}, rank {}, for the axes {}; name as many with --axes", print_shape(extents),
                             extents.size(), fmt::join(axes.named.names, ", ")));
  if (weights.empty()) refuse_shape(fmt::format("no weights, shape {}; give one or more", print_shape(extents)));
  return from_array(weights, extents, orientation);
}

}  // namespace

NamedAxes axes_of(const ArrayFacts& facts, const std::string& asked) {
  const std::vector<std::string> names = names_of_axes(facts);
  NamedAxes result;
  if (asked.empty()) result.axes = usual_axes(facts);
  else
    for (const std::string& word : split(asked)) result.axes.push_back(axis_of(word, names, "--axes"));
  const std::vector<double> spacing = spacing_mm(facts);
  for (const int axis : result.axes) {
    const auto a = static_cast<std::size_t>(axis);
    result.named.names.push_back(names[a].empty() ? std::to_string(axis) : names[a]);
    result.named.numbers.push_back(axis);
    if (!spacing.empty()) result.named.spacing_mm.push_back(spacing[a]);
  }
  std::string left_out;
  for (std::size_t a = 0; a < names.size(); ++a)
    if (std::count(result.axes.begin(), result.axes.end(), static_cast<int>(a)) == 0)
      left_out += (left_out.empty() ? "" : ", ") + told_axis(a, names);
  if (!left_out.empty()) result.named.advice = "; --axes takes others, too: " + left_out;
  if (std::count(result.named.spacing_mm.begin(), result.named.spacing_mm.end(), 0.0) > 0) result.named.spacing_mm.clear();
  return result;
}

std::vector<Faces> faces_of(const std::string& text, const NamedAxes& axes) {
  std::vector<Faces> faces;
  for (const std::string& word : split(text)) {
    const std::vector<std::string> ends = split(word, '/');
    if (ends.size() > 2) refuse("--boundary: an axis has two ends, '" + shown(word) + "' has more");
    faces.emplace_back(parse_face(ends.front()), parse_face(ends.back()));
  }
  if (faces.size() == 1) faces.resize(axes.axes.size(), faces[0]);
  if (faces.size() != axes.axes.size())
    refuse(fmt::format("--boundary names {} axes, and there are {}; give one for all, or one an axis", faces.size(), axes.axes.size()));
  return faces;
}

LinearStencil stencil_of(const std::string& text, const NamedAxes& axes) {
  for (const auto& [word, orientation] :
       {std::pair("array:", Orientation::correlation), std::pair("convolve:", Orientation::convolution)}) {
    if (text == word || text + ':' == word)
      refuse(fmt::format("the stencil '{}' needs its weights: {}w.npy, or lists as in {}[[0,1,0],[1,-4,1],[0,1,0]]", text, word, word));
    if (!text.starts_with(word)) continue;
    LinearStencil stencil = weights_of(text.substr(std::string_view(word).size()), orientation, axes);
    stencil.name = text;
    return stencil;
  }
  return parse_stencil(text, axes.named, {"array:WEIGHTS", "convolve:WEIGHTS"});
}

void check_reach(const LinearStencil& stencil, const NamedAxes& axes, const Extents& extents) {
  if (std::count(extents.begin(), extents.end(), 0) > 0) return;  // no cell sees anything
  for (std::size_t a = 0; a < axes.axes.size(); ++a) {
    std::int64_t reach = 0;  // of all passes together
    for (const PointList& pass : stencil.passes) {
      std::int64_t farthest = 0;
      for (std::size_t i = a; i < pass.offsets.size(); i += axes.axes.size()) farthest = std::max(farthest, std::abs(pass.offsets[i]));
      reach += farthest;
    }
    const std::int64_t extent = extents[static_cast<std::size_t>(axes.axes[a])];
    if (reach <= extent) continue;
    std::vector<std::string> others = axes.named.names;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(a));
    if (stencil.name.starts_with("array:") || stencil.name.starts_with("convolve:")) others.clear();  // as many axes as they have
    throw Error(ErrorCode::bad_shape,
                fmt::format("the stencil {} reaches {} cells along the axis {}, which has {}; give a narrower one{}", shown(stencil.name),
                            reach, axes.named.names[a], extent,
                            others.empty() ? "" : fmt::format(", or leave the axis out: --axes {}", fmt::join(others, ","))));
  }
}

}  // namespace crinkle::tool
