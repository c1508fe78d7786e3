// Paper 4's naive and tiled forms as loops of a CPU over the same records; the children of its third form would be threads of a few
// microseconds. A tile is 256 samples, copied to a cache in their layout; the targets before it go by a few at once, which a compiler
// can put into vectors.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "crinkle/error.hpp"
#include "harness/in_parts.hpp"
#include "papers/idw/variants.hpp"

namespace crinkle::bench::idw_paper {
namespace {

constexpr std::int64_t tile_samples = 256, block_targets = 256;

/// Field by field: of a record's words g++ 12 makes a detour over the stack, and no vectors of targets.
template <class T, class View>
Point<T> point_at(const View& view, std::int64_t i) {
  return {view.load(field<&Point<T>::x>(), i), view.load(field<&Point<T>::y>(), i), view.load(field<&Point<T>::z>(), i)};
}

template <Rule rule, class T, class View>
void naive(const View& samples, const View& targets, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    const Point<T> at = targets.load(i);
    Sums<rule, T> sums;
    for (std::int64_t j = 0; j < samples.size(); ++j) sums.add(point_at<T>(samples, j), at.x, at.y);
    targets.store(field<&Point<T>::z>(), i, sums.mean());
  }
}

/// Targets at once.
template <Rule rule, class T>
struct Few {
  static constexpr std::size_t n = 32 / sizeof(T);
  std::array<T, n> x{}, y{};
  std::array<Sums<rule, T>, n> sums{};

  template <class View>
  void add(const View& tile, std::int64_t n_here) {
    std::array<T, n> weights, values;
    for (std::size_t t = 0; t < n; ++t) weights[t] = sums[t].weights, values[t] = sums[t].values;
    for (std::int64_t k = 0; k < n_here; ++k) {
      const Point<T> sample = point_at<T>(tile, k);
      for (std::size_t t = 0; t < n; ++t) {
        Sums<rule, T> one{weights[t], values[t]};
        one.add(sample, x[t], y[t]);
        weights[t] = one.weights;
        values[t] = one.values;
      }
    }
    for (std::size_t t = 0; t < n; ++t) sums[t] = {weights[t], values[t]};
  }
};

template <Rule rule, class T, class View>
void tiled(const View& samples, const View& targets, std::int64_t begin, std::int64_t end) {
  using Group = Few<rule, T>;
  constexpr auto n = static_cast<std::int64_t>(Group::n);
  alignas(16) std::array<std::byte, static_cast<std::size_t>(View::bytes(tile_samples))> bytes;
  const View tile(bytes.data(), tile_samples);
  for (std::int64_t block = begin; block < end; block += block_targets) {
    const std::int64_t n_block = std::min(block_targets, end - block), n_groups = (n_block + n - 1) / n;
    std::array<Group, static_cast<std::size_t>(block_targets / n)> groups{};
    for (std::int64_t t = 0; t < n_groups * n; ++t) {  // of the last group some are the last target again
      const Point<T> at = targets.load(block + std::min(t, n_block - 1));
      Group& group = groups[static_cast<std::size_t>(t / n)];
      group.x[static_cast<std::size_t>(t % n)] = at.x;
      group.y[static_cast<std::size_t>(t % n)] = at.y;
    }
    for (std::int64_t first = 0; first < samples.size(); first += tile_samples) {
      const std::int64_t n_here = std::min(tile_samples, samples.size() - first);
      for (std::int64_t k = 0; k < n_here; ++k) tile.store(k, samples.load(first + k));
      for (std::int64_t g = 0; g < n_groups; ++g) groups[static_cast<std::size_t>(g)].add(tile, n_here);
    }
    for (std::int64_t t = 0; t < n_block; ++t)
      targets.store(field<&Point<T>::z>(), block + t, groups[static_cast<std::size_t>(t / n)].sums[static_cast<std::size_t>(t % n)].mean());
  }
}

}  // namespace

const char* name_of(Form form) {
  switch (form) {
    case Form::naive: return "naive";
    case Form::tiled: return "tiled";
    case Form::original: return "original";
    case Form::improved: return "improved";
    case Form::original_in_grid: return "original_in_grid";
    case Form::improved_in_grid: return "improved_in_grid";
  }
  return "";
}

const char* name_of(PointLayout layout, Real type) {
  switch (layout) {
    case PointLayout::soa: return "SoA";
    case PointLayout::aos: return "AoS";
    case PointLayout::aoas: return "AoaS";
    case PointLayout::soaos: return "SoAoS";
    case PointLayout::hybrid: return "Hybrid";
    case PointLayout::vector4: return type == Real::float32 ? "float4" : "double4";
    case PointLayout::vector2: return type == Real::float32 ? "float2" : "double2";
  }
  return "";
}

const char* text_of(PointLayout layout, Real type) {
  const bool is_float = type == Real::float32;
  switch (layout) {
    case PointLayout::soa: return "x|y|z";
    case PointLayout::aos: return "(x y z)";
    case PointLayout::aoas:
    case PointLayout::vector4: return "(x y z)@16";
    case PointLayout::soaos: return is_float ? "(x y)@8|z@8" : "(x y)@16|z@16";
    case PointLayout::hybrid:
    case PointLayout::vector2: return is_float ? "(x y)@8|z" : "(x y)@16|z";
  }
  return "";
}

std::function<void()> sum_in_loops(const Variant& v, const PointArrays& points, Executor& executor) {
  if (static_cast<int>(v.layout) >= n_plain_layouts || (v.form != Form::naive && v.form != Form::tiled))
    throw Error(ErrorCode::unsupported, fmt::format("{} of {}: of a GPU alone", name_of(v.form), name_of(v.layout, v.type)));
  return with_constants<n_plain_layouts>(v, [&]<class T>(T, auto rule, auto layout) -> std::function<void()> {
    using View = PointView<T, layout()>;
    const View samples(points.samples, points.n_samples), targets(points.targets, points.n_targets);
    return [=, is_tiled = v.form == Form::tiled, &executor] {
      in_parts(targets.size(), executor, [&](std::int64_t begin, std::int64_t end) {
        is_tiled ? tiled<rule(), T>(samples, targets, begin, end) : naive<rule(), T>(samples, targets, begin, end);
      });
    };
  });
}

}  // namespace crinkle::bench::idw_paper
