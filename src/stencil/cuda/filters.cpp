// Filters recognised in lists of points, and what their kernels are told. SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cuda/filters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/checked.hpp"
#include "stencil/plan.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t most_down = 48, most_across = 128, most_of_grid = 256;  // weights: registers, and code
constexpr std::int64_t most_threads = 256;
constexpr std::int64_t enough_threads = 512;  // of a multiprocessor
constexpr std::int64_t all_registers = 65536, most_registers = 255, other_registers = 28,
                       marking_registers = 32;  // of a thread beside its sums and rows
constexpr double times_of_lone_blocks = 1.3;    // all threads of which wait for the slowest, row by row
constexpr std::int64_t most_marked_rows = 256;  // of bytes: marks of a block's elements lie in shared memory
constexpr std::int64_t most_down_wide = 20;     // weights: of more, sums of whole vectors do not fit registers
constexpr std::int64_t most_line = std::numeric_limits<std::int32_t>::max() / 4;

struct Row {
  std::size_t axis = 0;
  std::int64_t first = 0;
};

// The axis and the first offset of points that follow each other along it.
std::optional<Row> row_of(const Stage& stage, std::size_t n) {
  Row row{n - 2, 0};
  for (std::size_t a = 0; a < n; ++a)
    if (stage.below[a] != 0 || stage.above[a] != 0) row.axis = a;
  if (stage.n_points() == 0) return {};
  row.first = stage.offsets[row.axis];
  for (std::size_t k = 0; k < stage.coefficients.size(); ++k)
    for (std::size_t a = 0; a < n; ++a)
      if (stage.offsets[k * n + a] != (a == row.axis ? row.first + static_cast<std::int64_t>(k) : 0)) return {};
  return row;
}

// A rectangle of points of the last two axes, row by row.
std::optional<Filter> grid_of(const Stage& stage, std::size_t n) {
  if (stage.n_points() == 0 || stage.n_points() > most_of_grid) return {};
  const auto at = [&](std::size_t k, std::size_t a) { return stage.offsets[k * n + a]; };
  const std::size_t n_points = stage.coefficients.size();
  std::size_t n_across = 1;
  while (n_across < n_points && at(n_across, n - 2) == at(0, n - 2)) ++n_across;
  if (n_points % n_across != 0) return {};
  Filter filter;
  filter.rows = n - 2;
  filter.n_grid_rows = static_cast<std::int64_t>(n_points / n_across);
  filter.first_down = at(0, n - 2);
  filter.first_across = at(0, n - 1);
  filter.across = stage.coefficients;
  for (std::size_t k = 0; k < n_points; ++k) {
    for (std::size_t a = 0; a + 2 < n; ++a)
      if (at(k, a) != 0) return {};
    if (at(k, n - 2) != filter.first_down + static_cast<std::int64_t>(k / n_across)) return {};
    if (at(k, n - 1) != filter.first_across + static_cast<std::int64_t>(k % n_across)) return {};
  }
  return filter;
}

bool are_finite(const std::vector<double>& weights) {
  return std::all_of(weights.begin(), weights.end(), [](double w) { return std::isfinite(w) && std::isfinite(static_cast<float>(w)); });
}

// Whether every sum of bytes is exact in float32: weights are multiples of one power of two, and sums of so few of them that none rounds.
bool are_exact(const Filter& filter, double most) {
  const auto is_of = [](const std::vector<double>& weights, double unit) {
    return std::all_of(weights.begin(), weights.end(), [=](double w) { return std::nearbyint(w / unit) == w / unit; });
  };
  double unit = 1;
  for (const std::vector<double>* weights : {&filter.down, &filter.across}) {
    double its = 1, sizes = 0;
    while (its > 0x1p-24 && !is_of(*weights, its)) its /= 2;
    if (!is_of(*weights, its)) return false;
    for (const double w : *weights) sizes += std::abs(w);
    if (!weights->empty()) most *= sizes, unit *= its;
    if (most / unit >= 0x1p24) return false;
  }
  return true;
}

}  // namespace

std::optional<Filter> filter_of(const ShapedSweep& shaped, std::size_t k) {
  const std::size_t n = shaped.shape.axes.size(), line = n - 1;
  const std::int64_t width = shaped.shape.width;
  if (n < 3 || multiply(shaped.shape.axes[line].extent, width) > most_line) return {};
  const Stage& stage = shaped.stages[k];
  const std::optional<Row> row = row_of(stage, n);
  std::optional<Filter> filter;
  if (row && row->axis != line) {
    filter.emplace();
    filter->rows = row->axis;
    filter->first_down = row->first;
    filter->down = stage.coefficients;
    const std::optional<Row> next = k + 1 < shaped.stages.size() && !stage.ends_step ? row_of(shaped.stages[k + 1], n) : std::nullopt;
    if (next && next->axis == line) {
      filter->n_stages = 2;
      filter->first_across = next->first;
      filter->across = shaped.stages[k + 1].coefficients;
    }
  } else {
    filter = grid_of(stage, n);
  }
  if (!filter || !are_finite(filter->down) || !are_finite(filter->across)) return {};
  filter->stage = k;
  if (filter->n_down() > most_down || multiply(filter->n_across(), width) > most_across) return {};
  return filter;
}

std::optional<FilterTypes> byte_types(const Sweep& sweep, const ShapedSweep& shaped, const Filter& filter) {
  if (sweep.source_type.number != Number::uint8 || filter.n_stages != shaped.stages.size()) return {};
  SweepPlan plan;
  plan.shape = shaped.shape;
  plan.stages = shaped.stages;
  const std::optional<RoundedSweep> rounded = rounded_sweep(sweep, plan, shaped.source, shaped.destination);
  if (!rounded) return {};
  double most = 255;
  bool are_whole = true;
  for (const SweepAxis& axis : shaped.shape.axes) {
    for (const Face& face : {axis.faces.low, axis.faces.high}) {
      if (axis.stencil_axis < 0 || face.bound != Bound::constant) continue;
      most = std::max(most, std::abs(face.value));
      are_whole = are_whole && face.value == std::nearbyint(face.value);
    }
  }
  const bool is_exact = are_whole && are_exact(filter, most);
  return FilterTypes{Number::uint8, sweep.destination_type.number, is_exact ? 0.5 : static_cast<double>(rounded->certain)};
}

FilterTile tile_of(const Filter& filter, const SweepShape& shape, const FilterTypes& types) {
  const std::int64_t words = filter.n_down() > most_down_wide ? 2 : 4, lanes = types.is_float64() ? words / 2 : words;  // of a thread
  const std::int64_t last = filter.first_across + filter.n_across() - 1;
  const std::int64_t line = shape.axes.back().extent * shape.width;
  FilterTile best;
  best.has_marks = types.has_marks();
  best.lanes = lanes;
  if (filter.n_across() > 0) best.rim = ceil_divide(std::max({std::int64_t{0}, -filter.first_across, last}) * shape.width, lanes) * lanes;
  // As few threads in all as there can be, that are idle or have a rim, and as many at once as registers let be, up to enough.
  const std::int64_t window = filter.is_grid() ? words * (lanes + 2 * best.rim) / lanes : 0,
                     marking = types.has_marks() ? marking_registers : 0;
  const std::int64_t registers = std::min(most_registers, words * (filter.n_down() + 7) + window + marking + other_registers);
  const bool has_syncs = filter.n_across() > 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t threads = most_threads; threads >= 32; threads -= 32) {
    const std::int64_t own = threads * lanes - 2 * best.rim, blocks = all_registers / (registers * threads);
    if (own <= 0 || blocks == 0) continue;
    const auto all = static_cast<double>(ceil_divide(line, own) * threads),
               at_once = static_cast<double>(std::min(blocks * threads, enough_threads));
    const double time = all / at_once * (blocks == 1 && has_syncs ? times_of_lone_blocks : 1);
    if (time >= least) continue;
    least = time;
    best.threads = threads;
    best.blocks = blocks;
  }
  return best;
}

FilterTask task_of(const Filter& filter, const ShapedSweep& shaped, const SweepPlaces& in, const SweepPlaces& out, const FilterTypes& types,
                   const FilterTile& tile, std::int64_t slots) {
  const std::vector<SweepAxis>& axes = shaped.shape.axes;
  const std::size_t line = axes.size() - 1;
  const std::int64_t lanes = tile.lanes, in_bytes = lanes * bytes_of(types.in), out_bytes = lanes * bytes_of(types.out);
  const Stage &first = shaped.stages[filter.stage], &last = shaped.stages[filter.stage + filter.n_stages - 1];
  FilterTask task;
  const auto axis = [&](std::size_t a) { return FilterAxis{axes[a].extent, in.strides[a], out.strides[a]}; };
  const auto faces = [&](std::size_t a, const Stage& of) {
    return FilterFaces{axes[a].faces.low.value * of.beyond, axes[a].faces.high.value * of.beyond};
  };
  task.line.extent = axes[line].extent * shaped.shape.width;
  task.rows = axis(filter.rows);
  task.of_rows = faces(filter.rows, first);
  task.of_line = faces(line, last);
  std::int64_t n_columns = 1;
  for (std::size_t a = 0; a < line; ++a) {
    task.is_aligned_in = task.is_aligned_in && (axes[a].extent == 1 || in.strides[a] % in_bytes == 0);
    task.is_aligned_out = task.is_aligned_out && (axes[a].extent == 1 || out.strides[a] % out_bytes == 0);
    if (a == filter.rows || axes[a].extent == 1) continue;
    task.outer[task.n_outer++] = axis(a);
    n_columns = multiply(n_columns, axes[a].extent);
  }
  task.n_tiles = ceil_divide(task.line.extent, tile.threads * lanes - 2 * tile.rim);
  n_columns = multiply(n_columns, task.n_tiles);
  // So many strips that the last blocks end together: rounds of `slots` blocks, and the rows of each, those that are read twice among them.
  double least = std::numeric_limits<double>::infinity();
  const std::int64_t rows = std::max<std::int64_t>(task.rows.extent, 1);
  const std::int64_t fewest = tile.has_marks ? ceil_divide(rows, most_marked_rows) : 1;
  for (std::int64_t n = fewest; n <= std::min(rows, fewest + 1024); ++n) {
    const std::int64_t strip = ceil_divide(rows, n), n_strips = ceil_divide(rows, strip);
    const double rounds = std::ceil(static_cast<double>(n_columns) * static_cast<double>(n_strips) / static_cast<double>(slots));
    const double time = rounds * static_cast<double>(strip + filter.n_down() + 1);
    if (time >= least) continue;
    least = time;
    task.strip = strip;
    task.n_strips = n_strips;
  }
  return task;
}

std::int64_t shared_bytes_of(const Filter& filter, const FilterTask& task, const FilterTypes& types, const FilterTile& tile) {
  const std::int64_t rows = filter.n_across() == 0 ? 0 : 2 * tile.lanes * (types.is_float64() ? 8 : 4) * tile.threads;
  return rows + (tile.has_marks ? task.strip * tile.lanes * 4 * (tile.threads / 32) : 0);
}

std::int64_t blocks_of(const FilterTask& task) {
  std::int64_t n = multiply(task.n_tiles, task.n_strips);
  for (int a = 0; a < task.n_outer; ++a) n = multiply(n, task.outer[a].extent);
  return n;
}

}  // namespace crinkle
