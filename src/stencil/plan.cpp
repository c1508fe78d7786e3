// Which stages share a pass over memory, and in which tiles: the stages of a pass are computed in a tile and a halo of all that they
// need, so what they read of the halo is computed by several tiles. Time of a cell, as it is predicted:
//     max(bytes read and written / rate, Σ stages points · time of a point · cells computed / cells kept) + what is copied into tiles
// The constants are of an EPYC (Zen 3) core; only their ratios matter.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/checked.hpp"
#include "base/number_lines.hpp"
#include "crinkle/error.hpp"
#include "stencil/check.hpp"
#include "stencil/fused.hpp"
#include "stencil/reach.hpp"
#include "stencil/shape.hpp"
#include "stencil/tiles.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t tile_bytes = 192 << 10;       // of one of a tile's two arrays: both in a second cache of 512 KiB
constexpr std::int64_t most_tile_bytes = 256 << 20;  // where the halo alone needs more than that
constexpr std::int64_t streaming_from = 12 << 20;    // bytes of the destination: larger than what a last cache keeps
constexpr std::int64_t in_cache = 8 << 20;           // bytes of both arrays
constexpr std::int64_t most_integer_points = 24;     // of a box; sums of more take longer than running ones
constexpr double times_of_small_tiles = 6;
constexpr double ns_per_byte = 0.08, ns_per_byte_in_cache = 0.02, ns_per_point_byte = 0.004, ns_per_packed_element = 0.25;

Region whole(const SweepShape& shape) {
  Region all;
  for (std::size_t a = 0; a < shape.axes.size(); ++a) all.high[a] = shape.axes[a].extent;
  return all;
}

Tiles tiles_of(const Region& region, const AxisNumbers& wanted, const AxisNumbers& halo, const SweepShape& shape) {
  Tiles tiles;
  tiles.region = region;
  tiles.n_tiles = 1;
  tiles.n_elements = shape.width;
  for (std::size_t a = shape.axes.size(); a-- > 0;) {
    const std::int64_t n = region.high[a] - region.low[a];
    tiles.shape[a] = std::clamp<std::int64_t>(wanted[a], 1, std::max<std::int64_t>(n, 1));
    tiles.counts[a] = ceil_divide(n, tiles.shape[a]);
    tiles.n_tiles = multiply(tiles.n_tiles, tiles.counts[a]);
    tiles.pitches[a] = tiles.n_elements;
    tiles.n_elements = multiply(tiles.n_elements, add_product(tiles.shape[a], 2, halo[a]));
  }
  return tiles;
}

// Grows a tile where the halo is largest beside it, in halves of what the memory allows: four of the smallest tile at least, since most of
// what that one reads is halo.
AxisNumbers shape_of_tile(const SweepShape& shape, const Region& region, const AxisNumbers& halo, std::int64_t most_elements) {
  const std::size_t n = shape.axes.size();
  AxisNumbers tile;
  tile.fill(1);
  const auto extent = [&](std::size_t a) { return region.high[a] - region.low[a]; };
  tile[n - 1] = std::clamp<std::int64_t>(extent(n - 1), 1, std::max<std::int64_t>(1, 128 / shape.width));
  std::array<bool, most_axes> is_done = {};
  const auto elements = [&] {
    double all = static_cast<double>(shape.width);
    for (std::size_t a = 0; a < n; ++a) all *= static_cast<double>(tile[a] + 2 * halo[a]);
    return all;
  };
  const double most_of_all = std::max(static_cast<double>(most_elements), 4 * elements());
  for (;;) {
    std::size_t best = n;
    double most = -1;
    for (std::size_t a = n; a-- > 0;) {
      if (is_done[a] || tile[a] >= extent(a)) continue;
      const double ratio = static_cast<double>(halo[a]) / static_cast<double>(tile[a]);
      if (ratio > most) {
        most = ratio;
        best = a;
      }
    }
    if (best == n) return tile;
    const std::int64_t before = tile[best];
    tile[best] = std::min(extent(best), before * 2);
    if (elements() > most_of_all) {
      tile[best] = before;
      is_done[best] = true;
    }
  }
}

class Planner {
 public:
  Planner(const Sweep& sweep, ShapedSweep shaped)
      : sweep_(sweep), source_(shaped.source), destination_(shaped.destination), made_(shaped.made) {
    plan_.shape = std::move(shaped.shape);
    plan_.stages = std::move(shaped.stages);
    plan_.is_float32 = sums_are_float32(sweep.source_type, sweep.destination_type);
    plan_.settled = {sweep.destination_type.number};
    sum_bytes_ = plan_.is_float32 ? 4 : 8;
    for (const Stage& stage : plan_.stages) {
      if (plan_.is_float32) plan_.as_float32.emplace_back(stage.coefficients.begin(), stage.coefficients.end());
      else plan_.as_float64.push_back(stage.coefficients);
    }
  }

  SweepPlan plan() {
    std::int64_t n_stages = std::ssize(plan_.stages), at_once = sweep_.steps_at_once;  // steps; 0: every stage by itself
    plan_.integer = integer_sweep(sweep_, plan_, source_, destination_);
    if (!plan_.integer || plan_.integer->n_points() > most_integer_points)
      plan_.running = running_sweep(sweep_, plan_, source_, destination_);
    if (plan_.running) plan_.integer.reset();
    if (!plan_.integer && !plan_.running) plan_.rounded = rounded_sweep(sweep_, plan_, source_, destination_);
    if (at_once == 0) at_once = plan_.is_special() ? 1 : is_any_fused() ? 0 : best();
    if (at_once == 0) {
      for (std::int64_t s = 0; s < sweep_.steps; ++s) {
        for (std::int64_t k = 0; k < n_stages; ++k) {
          const auto stage = static_cast<std::size_t>(k);
          if (!is_fused_with_next(k)) add_pass({stage});
          else add_pass({stage, stage + 1}), ++k;
        }
      }
    } else {
      const std::int64_t n_passes = ceil_divide(sweep_.steps, at_once);
      for (std::int64_t p = 0; p < n_passes; ++p) add_pass(stages_of(sweep_.steps * (p + 1) / n_passes - sweep_.steps * p / n_passes));
    }
    set_regions();
    join_passes();
    return std::move(plan_);
  }

 private:
  std::vector<std::size_t> stages_of(std::int64_t n_steps) const {
    std::vector<std::size_t> stages;
    for (std::int64_t s = 0; s < n_steps; ++s)
      for (std::size_t k = 0; k < plan_.stages.size(); ++k) stages.push_back(k);
    return stages;
  }

  AxisNumbers halo_of(const std::vector<std::size_t>& stages) const {
    AxisNumbers halo = {};
    for (const std::size_t k : stages)
      for (std::size_t a = 0; a < plan_.shape.axes.size(); ++a) halo[a] += std::max(plan_.stages[k].below[a], plan_.stages[k].above[a]);
    return halo;
  }

  // Predicted nanoseconds a cell of a pass; infinite where a tile would be too large.
  double cost(const std::vector<std::size_t>& stages, std::int64_t src_bytes, std::int64_t dst_bytes, bool is_direct) const {
    const std::size_t n = plan_.shape.axes.size();
    const AxisNumbers halo = halo_of(stages), tile = shape_of_tile(plan_.shape, whole(plan_.shape), halo, tile_bytes / sum_bytes_);
    const auto width = static_cast<double>(plan_.shape.width);
    double kept = 1, packed = 1;
    for (std::size_t a = 0; a < n; ++a) {
      kept *= static_cast<double>(tile[a]);
      packed *= static_cast<double>(tile[a] + 2 * halo[a]);
    }
    const bool is_tiled = stages.size() > 1 || !is_direct;
    if (is_tiled && packed * width * static_cast<double>(sum_bytes_) > most_tile_bytes) return INFINITY;
    // Tiles that are cut across three axes and more have short rows, most of them halo.
    const bool is_cut_small =
        is_tiled && std::count_if(halo.begin(), halo.begin() + static_cast<std::ptrdiff_t>(n), [](auto h) { return h > 0; }) > 2;
    double computing = 0;
    AxisNumbers left = halo;
    for (const std::size_t k : stages) {
      double cells = 1;
      for (std::size_t a = 0; a < n; ++a) {
        left[a] -= std::max(plan_.stages[k].below[a], plan_.stages[k].above[a]);
        cells *= is_tiled ? static_cast<double>(tile[a] + 2 * left[a]) : static_cast<double>(tile[a]);
      }
      computing += (is_cut_small ? times_of_small_tiles : 1) * (static_cast<double>(plan_.stages[k].n_points()) + 1) * ns_per_point_byte *
                   static_cast<double>(sum_bytes_) * cells / kept;
    }
    const auto both = static_cast<double>(src_bytes + dst_bytes);
    const bool is_cached = both * static_cast<double>(plan_.shape.n_cells()) * width < static_cast<double>(in_cache);
    const double memory = both * (is_cached ? ns_per_byte_in_cache : ns_per_byte);
    const double packing = is_direct ? 0 : ns_per_packed_element * packed / kept;
    return width * (std::max(memory, computing) + packing);
  }

  bool is_plain_line(const SweepPlaces& places) const {
    return plan_.is_float32 ? crinkle::is_plain_line<float>(plan_.shape, places) : crinkle::is_plain_line<double>(plan_.shape, places);
  }

  // Whether stage k and the next one share a pass as fused ones, which take and make plain lines.
  bool is_fused_with_next(std::int64_t k) const {
    const auto first = static_cast<std::size_t>(k), n_stages = plan_.stages.size();
    if (first + 1 >= n_stages || !are_fused(plan_.shape, plan_.stages[first], plan_.stages[first + 1])) return false;
    const bool is_plain_between = plan_.is_float32 ? is_plain<float>(plan_.settled) : is_plain<double>(plan_.settled);
    return (sweep_.steps == 1 || is_plain_between) && (k > 0 || is_plain_line(source_)) &&
           (first + 2 < n_stages || is_plain_line(destination_));
  }
  bool is_any_fused() const {
    for (std::int64_t k = 0; k + 1 < std::ssize(plan_.stages); ++k)
      if (is_fused_with_next(k)) return true;
    return false;
  }

  // How many steps a pass over memory takes; 0: every stage has a pass of its own.
  std::int64_t best() const {
    const std::int64_t dst = bytes_of(destination_.type.number), n_stages = std::ssize(plan_.stages);
    const bool is_direct = is_plain_line(source_);
    std::int64_t at_once = 0;
    double least = INFINITY;
    if (n_stages > 1) {
      least = 0;
      for (std::int64_t k = 0; k < n_stages; ++k) least += cost({static_cast<std::size_t>(k)}, sum_bytes_, sum_bytes_, true);
    }
    for (std::int64_t t = 1; t <= std::min<std::int64_t>(sweep_.steps, 16); ++t) {
      const double time = cost(stages_of(t), dst, dst, is_direct) / static_cast<double>(t);
      if (time < least || at_once + n_stages == 1) {
        least = time;
        at_once = t;
      }
    }
    return at_once;
  }

  void add_pass(std::vector<std::size_t> stages) {
    MemoryPass pass;
    pass.halo = halo_of(stages);
    pass.stages = std::move(stages);
    plan_.passes.push_back(std::move(pass));
  }

  // The cells that every pass makes: those that the stages behind it read.
  void set_regions() {
    const std::vector<SweepAxis>& axes = plan_.shape.axes;
    const bool is_empty = plan_.shape.n_cells() == 0;
    Region region = made_;
    for (std::size_t p = plan_.passes.size(); p-- > 0;) {
      MemoryPass& pass = plan_.passes[p];
      pass.tiles.region = region;
      for (std::size_t s = pass.stages.size(); s-- > 0 && !is_empty;) {
        const Stage& stage = plan_.stages[pass.stages[s]];
        for (std::size_t a = 0; a < axes.size(); ++a) {
          std::int64_t &low = region.low[a], &high = region.high[a];
          low -= stage.below[a];
          high += stage.above[a];
          bring_inside(axes[a], low, high);
          if (low < 0 || high > axes[a].extent) low = 0, high = axes[a].extent;  // round the ends of a periodic axis
        }
      }
    }
  }

  // Sets the arrays between the passes, and the tiles of each.
  void join_passes() {
    SweepPlaces from = source_;
    for (std::size_t p = 0; p < plan_.passes.size(); ++p) {
      MemoryPass& pass = plan_.passes[p];
      pass.source = from;
      if (p + 1 == plan_.passes.size()) {
        pass.destination = destination_;
      } else {
        const NumberType sum{plan_.is_float32 ? Number::float32 : Number::float64};
        pass.destination = dense_places(plan_.shape, plan_.stages[pass.stages.back()].ends_step ? plan_.settled : sum);
        plan_.buffer_bytes = std::max(plan_.buffer_bytes,
                                      multiply(multiply(plan_.shape.n_cells(), plan_.shape.width), bytes_of(pass.destination.type.number)));
        plan_.n_buffers = std::min<int>(2, static_cast<int>(p) + 1);
      }
      tile(pass);
      from = pass.destination;
    }
  }

  void tile(MemoryPass& pass) const {
    const SweepShape& shape = plan_.shape;
    const Stage& first = plan_.stages[pass.stages[0]];
    pass.is_direct = pass.stages.size() == 1 && is_plain_line(pass.source) && is_plain_line(pass.destination);
    pass.is_fused = pass.stages.size() == 2 && sweep_.steps_at_once == 0 && is_fused_with_next(static_cast<std::int64_t>(pass.stages[0]));
    const Region region = pass.tiles.region;
    const auto of_planes = pass.is_direct ? shape_of_planes(shape, region, first, sum_bytes_) : std::nullopt;
    pass.is_in_planes = of_planes.has_value();
    const AxisNumbers wanted = of_planes        ? *of_planes
                               : pass.is_fused  ? shape_of_fused_tile(shape, first, plan_.stages[pass.stages[1]], sum_bytes_)
                               : pass.is_direct ? shape_of_direct_tile(shape, first, sum_bytes_)
                                                : shape_of_tile(shape, region, pass.halo, tile_bytes / sum_bytes_);
    pass.tiles = tiles_of(region, wanted, pass.halo, shape);
    pass.tiles.first_axis_is_fastest = pass.is_in_planes;
    pass.is_streaming =
        multiply(multiply(region.n_cells(shape.axes.size()), shape.width), bytes_of(pass.destination.type.number)) >= streaming_from;
  }

  const Sweep& sweep_;
  SweepPlaces source_, destination_;
  Region made_;
  SweepPlan plan_;
  std::int64_t sum_bytes_ = 4;
};

}  // namespace

SweepPlan plan_sweep(const Sweep& sweep, const Ranges& made) { return Planner(sweep, shaped(sweep, made)).plan(); }

}  // namespace crinkle
