// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/taken.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/checked.hpp"
#include "cuda/entry.hpp"
#include "form/check.hpp"
#include "move/cuda/ahead.hpp"
#include "move/cuda/outer_text.hpp"
#include "plan/prediction.hpp"
#include "tile/build_channels.hpp"
#include "tile/build_frame.hpp"

namespace crinkle {
namespace {

using tile::common_alignment;
using tile::OuterAxes;
using tile::PickedTile;
using tile::TakenTile;

// docs/tuning.md: taken rows
constexpr double taken_share = 0.8, taken_share_of_bytes = 0.62, taken_share_of_ahead = 0.98;
constexpr double picked_share = 0.95, most_of_units = 0.7, bytes_beside_near = 14, bytes_beside_far = 40;
constexpr std::int64_t staged_bytes = 72 << 10, most_of_row = 110 << 10;    // of a block
constexpr std::int64_t most_vectors = (std::int64_t{1} << 32) - (1 << 16);  // which a launch counts in 32 bits
constexpr std::int64_t most_indices = 1 << 20, blocks_each = 2;             // of a row; of a multiprocessor
constexpr std::int64_t most_picked = 1 << 22;                               // whose table has 64 MiB

/// The axis along which an entry lies in one piece on both sides; -1 where an entry is one unit.
std::ptrdiff_t axis_of_entry(const Box& box) {
  for (std::ptrdiff_t a = 0; a < std::ssize(box.axes); ++a) {
    const Axis& axis = box.axes[static_cast<std::size_t>(a)];
    if (axis.src_stride == box.unit && axis.dst_stride == box.unit) return a;
  }
  return -1;
}

std::int64_t entry_bytes(const Box& box) {
  const std::ptrdiff_t along = axis_of_entry(box);
  return box.unit * (along < 0 ? 1 : box.axes[static_cast<std::size_t>(along)].extent);
}

std::int64_t bytes_of(const PlannedStep& step) { return multiply(step.n_entries(), add(step.pass.bytes_read, step.pass.bytes_written)); }

bool is_simple(const Box& box, const EntryTable& array) {
  return !box.is_fill && box.src_slot == 0 && box.dst_slot == 0 && array.fills.empty() && array.n_entries > 0 &&
         std::all_of(box.axes.begin(), box.axes.end(),
                     [](const Axis& a) { return a.src_counts == Counts::bytes && a.dst_counts == Counts::bytes; });
}

std::int64_t row_power(std::int64_t n) {  // the largest of 1, 2, 4, 8 that is no more
  std::int64_t power = TakenTile::most_each;
  while (power > std::max<std::int64_t>(n, 1)) power /= 2;
  return power;
}

/// What all rows reach, from the first row's span.
void take_ends(TakenTile& tile) {
  std::int64_t low = tile.src_offset, high = tile.src_offset;
  for (int a = 0; a < tile.rows.n; ++a) {
    const std::int64_t reach = multiply(tile.rows.axis[a].src, std::int64_t{tile.rows.axis[a].extent} - 1);
    (reach < 0 ? low : high) += reach;
  }
  tile.src_begin = low;
  tile.src_end = high + tile.span;
}

}  // namespace

std::optional<TakenRows> taken_rows(const Boxes& boxes, const std::vector<EntryTable>& arrays, const Machine& machine) {
  if (boxes.size() != 1 || arrays.size() != 1 || !is_simple(boxes[0], arrays[0])) return {};
  const Box& box = boxes[0];
  const EntryTable& array = arrays[0];
  const std::ptrdiff_t along = axis_of_entry(box);
  const std::int64_t entry = entry_bytes(box), n = array.n_entries;
  std::int64_t n_rows = 0;
  const auto rows = tile::outer_axes(box, along, along, n_rows);
  if (!rows || n > most_indices || entry > most_of_row || n * entry > std::numeric_limits<std::int32_t>::max()) return {};
  std::int64_t low = array.src[0], high = low;
  for (std::int64_t j = 0; j < n; ++j) {
    if (array.dst[j] - array.dst[0] != j * entry) return {};
    low = std::min(low, array.src[j]);
    high = std::max(high, array.src[j]);
  }
  if (high - low > most_of_row) return {};

  TakenRows taken;
  TakenTile& t = taken.tile;
  t.rows = *rows;
  t.src_offset = add(box.src_offset, low);
  t.dst_offset = add(box.dst_offset, array.dst[0]);
  t.span = static_cast<std::int32_t>(high - low + entry);
  std::int64_t unit = common_alignment(common_alignment(16, entry), t.src_offset), vector = 16;
  for (std::int64_t j = 0; j < n; ++j) unit = common_alignment(unit, array.src[j] - low);
  for (int a = 0; a < rows->n; ++a) {
    unit = common_alignment(unit, rows->axis[a].src);
    vector = common_alignment(vector, rows->axis[a].dst);
  }
  vector = common_alignment(common_alignment(vector, t.dst_offset), n * entry);
  unit = std::min(unit, vector);
  t.unit = static_cast<std::int32_t>(unit);
  t.vector = static_cast<std::int32_t>(vector);
  t.row_units = static_cast<std::uint32_t>(n * entry / unit);
  t.all_rows = static_cast<std::uint32_t>(n_rows);
  if (t.span / unit > TakenTile::most_units || t.row_units > most_indices) return {};
  take_ends(t);

  const std::int64_t room =
      std::min(machine.shared_bytes_block, t.pitch() > staged_bytes ? most_of_row + TakenTile::load_bytes : staged_bytes);
  const std::int64_t fit = room / t.pitch();
  if (fit == 0) return {};
  // Short rows: so many that every thread has work, and not so many that a multiprocessor has none.
  const std::int64_t most = n_rows / (blocks_each * machine.workers);
  if (most == 0) return {};
  t.rows_each = static_cast<std::int32_t>(row_power(std::min(fit, most)));
  const std::int64_t groups =
      std::min(ceil_divide(std::int64_t{TakenTile::threads}, std::int64_t{t.n_pieces()}), std::min(fit, most) / t.rows_each);
  t.n_rows = static_cast<std::int32_t>(t.rows_each * groups);
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t u = 0; u < entry / unit; ++u) taken.indices.push_back(static_cast<std::uint16_t>((array.src[j] - low) / unit + u));
  return taken;
}

double picked_fraction(const PlannedStep& step) {
  const Boxes boxes = planning::all_boxes(step.pass);
  if (boxes.size() != 1 || step.gathers().size() != 1) return planning::fraction_of_picked(step.pass.bytes_written);
  const EntryTable& array = step.gathers()[0];
  std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = std::numeric_limits<std::int64_t>::min();
  for (std::int64_t j = 0; j < array.n_entries; ++j) {
    low = std::min(low, array.src[j]);
    high = std::max(high, array.src[j]);
  }
  const auto entry = static_cast<double>(entry_bytes(boxes[0]));
  return std::min(most_of_units, entry / (entry + (low <= high && high - low <= most_of_row ? bytes_beside_near : bytes_beside_far)));
}

double taken_fraction(const TakenTile& tile) {
  const double written = static_cast<double>(tile.row_units) * tile.unit, staged = tile.span;
  return (tile.unit == 1 ? taken_share_of_bytes : taken_share) * std::min(1.0, 2 * written / (written + staged));
}

gpu::KernelSource source_of(const TakenTile& tile) {
  gpu::KernelSource source;
  source.name = fmt::format("rows of {} units of {} bytes, picked by an index array", tile.row_units, tile.unit);
  source.text = fmt::format(
      R"(#include "move/cuda/taken.cuh"
using namespace crinkle;
extern "C" __global__ void __launch_bounds__(tile::TakenTile::threads, 3) kernel(std::uint32_t first, const char* __restrict__ src, char* __restrict__ dst, const char* __restrict__ indices) {{
  extern __shared__ __align__(128) char shared[];
  constexpr tile::TakenTile tile{{{unit}, {vector}, {n_rows}, {rows_each}, {row_units}, {all_rows}, {span}, {src_offset}, {dst_offset}, {src_begin}, {src_end}, {rows}}};
  crinkle::kernel::move_taken<{unit}, {vector}>(tile, first + blockIdx.x, src, dst, indices, shared);
}}
)",
      fmt::arg("unit", tile.unit), fmt::arg("vector", tile.vector), fmt::arg("n_rows", tile.n_rows), fmt::arg("rows_each", tile.rows_each),
      fmt::arg("row_units", tile.row_units), fmt::arg("all_rows", tile.all_rows), fmt::arg("span", tile.span),
      fmt::arg("src_offset", tile.src_offset), fmt::arg("dst_offset", tile.dst_offset), fmt::arg("src_begin", tile.src_begin),
      fmt::arg("src_end", tile.src_end), fmt::arg("rows", text_of(tile.rows)));
  return source;
}

std::optional<CompiledForm> taken_form(const PlannedStep& step, const Machine& machine) {
  const auto taken = taken_rows(planning::all_boxes(step.pass), step.gathers(), machine);
  if (!taken) return {};
  CompiledForm form;
  form.source = source_of(taken->tile);
  form.n_blocks = taken->tile.n_blocks();
  form.threads = TakenTile::threads;
  form.shared_bytes = taken->tile.shared_bytes();
  form.table.resize(taken->indices.size() * sizeof(std::uint16_t));
  std::memcpy(form.table.data(), taken->indices.data(), form.table.size());
  form.fraction = taken_fraction(taken->tile);
  form.fixed_fraction = picked_fraction(step);
  form.bytes = bytes_of(step);
  TakenTile ahead = taken->tile;
  if (ahead.vector < TakenTile::load_bytes) ahead.vector = ahead.unit;
  form.ahead = ahead_of(gpu::is_built ? gpu::entry<taken_kernel>(ahead.unit, ahead.vector > ahead.unit) : nullptr, ahead,
                        taken_share_of_ahead * form.fraction);
  return form;
}

std::optional<PickedEntries> picked_entries(const Boxes& boxes, const std::vector<EntryTable>& arrays) {
  if (boxes.size() != 1 || arrays.size() != 1 || !is_simple(boxes[0], arrays[0])) return {};
  const EntryTable& array = arrays[0];
  const std::int64_t entry = entry_bytes(boxes[0]), n = array.n_entries;
  if (n > most_picked) return {};
  const std::ptrdiff_t along = axis_of_entry(boxes[0]);
  std::int64_t n_rows = 0, alignment = common_alignment(PickedTile::vector_bytes, entry);
  const auto rows = tile::outer_axes(boxes[0], along, along, n_rows);
  if (!rows) return {};
  PickedEntries picked;
  for (std::int64_t j = 0; j < n; ++j) {
    picked.entries.push_back({array.src[j], array.dst[j]});
    alignment = common_alignment(common_alignment(alignment, array.src[j]), array.dst[j]);
  }
  for (int a = 0; a < rows->n; ++a) alignment = common_alignment(common_alignment(alignment, rows->axis[a].src), rows->axis[a].dst);
  alignment = common_alignment(common_alignment(alignment, boxes[0].src_offset), boxes[0].dst_offset);
  const std::int64_t vectors = entry / PickedTile::vector_bytes, all = multiply(multiply(vectors, n), n_rows);
  if (alignment < PickedTile::vector_bytes || all > most_vectors) return {};
  picked.tile = {static_cast<std::uint32_t>(all),
                 Divisor<std::uint32_t>(static_cast<std::uint32_t>(vectors)),
                 Divisor<std::uint32_t>(static_cast<std::uint32_t>(n)),
                 boxes[0].src_offset,
                 boxes[0].dst_offset,
                 *rows};
  return picked;
}

std::optional<CompiledForm> picked_form(const PlannedStep& step) {
  const auto picked = picked_entries(planning::all_boxes(step.pass), step.gathers());
  if (!picked) return {};
  const auto entry = static_cast<double>(PickedTile::vector_bytes * picked->tile.n_vectors.value());
  CompiledForm form;
  form.source.name = fmt::format("entries of {} bytes, picked by an index array", entry);
  form.n_blocks = ceil_divide(std::int64_t{picked->tile.n_all}, std::int64_t{PickedTile::threads} * PickedTile::each);
  form.threads = PickedTile::threads;
  form.table.resize(picked->entries.size() * sizeof(tile::PickedEntry));
  std::memcpy(form.table.data(), picked->entries.data(), form.table.size());
  form.fixed_fraction = picked_fraction(step);
  form.bytes = bytes_of(step);
  form.ahead = ahead_of(gpu::is_built ? gpu::entry<picked_kernel>() : nullptr, picked->tile,
                        std::min(picked_share, entry / (entry + bytes_beside_far)));
  return form;
}

}  // namespace crinkle
