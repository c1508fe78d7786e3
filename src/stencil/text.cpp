// Reads and prints what people write of stencils: faces, plans.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/caret.hpp"
#include "crinkle/error.hpp"
#include "stencil/plan.hpp"

namespace crinkle {
namespace {

constexpr std::array bound_names = {"periodic", "edge", "reflect", "symmetric", "constant", "function"};

std::string joined(const AxisNumbers& numbers, std::size_t n) {
  std::string text;
  for (std::size_t a = 0; a < n; ++a) text += (a == 0 ? "" : " x ") + std::to_string(numbers[a]);
  return text;
}

}  // namespace

Face parse_face(std::string_view text) {
  const std::string_view word = text.substr(0, text.find(':'));
  for (std::size_t b = 0; b + 1 < bound_names.size(); ++b) {  // functions are not written in words
    if (word != bound_names[b]) continue;
    Face face{static_cast<Bound>(b), 0};
    if (word.size() == text.size()) return face;
    const std::string_view number = text.substr(word.size() + 1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), face.value);
    if (face.bound == Bound::constant && error == std::errc{} && end == number.data() + number.size()) return face;
    throw Error(ErrorCode::bad_notation,
                fmt::format("the boundary '{}': {}", shown(text),
                            face.bound == Bound::constant ? "a number follows, as in constant:0.5" : "a value follows constant alone"));
  }
  const std::vector<std::string> known(bound_names.begin(), bound_names.end() - 1);
  const std::string meant = word == "wrap"      ? "periodic"
                            : word == "nearest" ? "edge"
                            : word == "mirror"  ? "reflect"
                                                : nearest_of(word, known);
  throw Error(ErrorCode::bad_notation,
              fmt::format("there is no boundary '{}'{} boundaries are periodic, edge, reflect, symmetric and constant:V", shown(text),
                          meant.empty() ? "; the" : "; did you mean " + meant + "? The"));
}

std::string print(const Face& face) {
  const char* const name = bound_names[static_cast<std::size_t>(face.bound)];
  return face.bound == Bound::constant && face.value != 0 ? fmt::format("{}:{}", name, face.value) : name;
}

std::string describe(const SweepPlan& plan) {
  const std::size_t n = plan.shape.axes.size();
  std::string extents, text;
  for (const SweepAxis& axis : plan.shape.axes) extents += (extents.empty() ? "" : " x ") + std::to_string(axis.extent);
  text = fmt::format("{} cells", extents);
  if (plan.shape.width > 1) text += fmt::format(" of {} elements", plan.shape.width);
  text += fmt::format(", sums in {}, {} pass{} over memory\n",
                      plan.integer      ? "int16"
                      : plan.running    ? "int32"
                      : plan.is_float32 ? "float32"
                                        : "float64",
                      plan.passes.size(), plan.passes.size() == 1 ? "" : "es");
  for (std::size_t p = 0; p < plan.passes.size(); ++p) {
    const MemoryPass& pass = plan.passes[p];
    std::int64_t n_points = 0;
    for (const std::size_t s : pass.stages) n_points += plan.stages[s].n_points();
    const bool repeats =
        std::any_of(plan.passes.begin(), plan.passes.begin() + static_cast<std::ptrdiff_t>(p), [&](const MemoryPass& other) {
          return other.stages == pass.stages && other.source.type.number == pass.source.type.number &&
                 other.destination.type.number == pass.destination.type.number;
        });
    if (repeats || pass.tiles.n_tiles == 0) continue;
    text +=
        fmt::format("pass {}: {} list{} of {} points in all, {} -> {}, tiles of {}{}\n", p + 1, pass.stages.size(),
                    pass.stages.size() == 1 ? "" : "s", n_points, name_of(pass.source.type.number), name_of(pass.destination.type.number),
                    joined(pass.tiles.shape, n), pass.is_streaming ? ", written past the caches" : "");
  }
  if (plan.n_buffers > 0)
    text += fmt::format("{} array{} of {} bytes between them\n", plan.n_buffers, plan.n_buffers == 1 ? "" : "s", plan.buffer_bytes);
  return text;
}

}  // namespace crinkle
