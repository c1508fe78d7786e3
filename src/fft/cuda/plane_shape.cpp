// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/plane_shape.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "base/checked.hpp"

namespace crinkle::fft {
namespace {

constexpr std::int64_t plane_block_bytes = 1 << 10;  // of each block, for the runtime
constexpr std::int64_t columns_beside_bytes = 64,
                       held_bytes_of_plane = 192;  // of columns side by side, at least; of a thread's numbers: docs/tuning.md
constexpr double worth_alone = 0.2;

// Lines of an axis at once, and what that is worth: more is better.
struct PlaneLanes {
  std::int64_t lanes = 0, group = 0, held = 0;
  double worth = -1e9;
};

// Which lines, and how they lie.
struct PlaneSide {
  const PlaneLines& lines;
  bool are_rows = true, are_beside = false;  // in the plane; side by side in memory
};
// Of `own` lines of a block.
PlaneLanes lanes_of_plane(const PlaneSide& side, std::int64_t own, bool are_at_once, std::int64_t threads, std::int64_t number) {
  const PlaneLines& lines = side.lines;
  PlaneLanes best;
  const auto add = [&](std::int64_t lanes_of_group, std::int64_t group) {
    const std::int64_t lanes = lanes_of_group * (threads / group), n_groups = ceil_divide(own, lanes);
    if (are_at_once && n_groups > 1) return;
    std::int64_t held = 0, all = 0;
    for (const std::int64_t r : lines.radices) {
      const std::int64_t of_stage = ceil_divide(lanes_of_group * (lines.n / r), group) * r;
      held = std::max(held, of_stage);
      all += of_stage;
    }
    const std::int64_t largest = *std::max_element(lines.radices.begin(), lines.radices.end());
    if (held > std::max(largest, held_bytes_of_plane / number)) return;
    const double use = static_cast<double>(own * lines.n * std::ssize(lines.radices)) / static_cast<double>(n_groups * threads * all);
    // Groups of a warp wait for themselves alone, others for the whole block.
    const double worth = 0.4 * std::log(use) + (group < threads ? 0.05 : -0.05 * std::log2(static_cast<double>(n_groups)));
    if (worth > best.worth + 1e-9) best = {lanes, group, held, worth};
  };
  for (std::int64_t lanes = 1; lanes <= own; ++lanes) {
    if (side.are_beside && lanes < own && lanes * number < columns_beside_bytes) continue;
    add(lanes, threads);
    if (side.are_rows && threads > 32 && lanes * (threads / 32) < own + lanes) add(lanes, 32);
  }
  return best;
}

// Of so many blocks that have a plane together.
struct PlaneTry {
  std::int64_t together = 1, threads = 0, n_blocks = 0;
  PlaneLanes rows, columns;
  std::int64_t own_rows = 0, own_columns = 0;  // lines of a block
  double worth = -1e9;
};

std::int64_t padded_lines(std::int64_t n, std::int64_t lanes) { return ceil_divide(n, lanes) * lanes; }

// Numbers of shared memory, of rows at a pitch. Several blocks have their lines of one axis there, and then those of the other one.
std::int64_t numbers_of_plane(const PlaneTry& t, const PlaneLines& rows, const PlaneLines& columns, std::int64_t pitch) {
  const std::int64_t n_rows = padded_lines(t.own_rows, t.rows.lanes), width = padded_lines(t.own_columns, t.columns.lanes);
  if (t.together == 1) return multiply(n_rows, std::max(pitch, width));
  return std::max(multiply(n_rows, std::max(pitch, rows.n + 1)), multiply(columns.n, width));
}

const PlaneLines& rows_of(const PlaneWanted& wanted) { return wanted.is_first_rows ? wanted.first : wanted.second; }
const PlaneLines& columns_of(const PlaneWanted& wanted) { return wanted.is_first_rows ? wanted.second : wanted.first; }

// All that fit, the best first.
std::vector<PlaneTry> tries_of(const PlaneWanted& wanted) {
  const PlaneLines &rows = rows_of(wanted), &columns = columns_of(wanted);
  std::vector<PlaneTry> tries;
  for (const std::int64_t together : {1, 2, 4, 8}) {
    if (together > 1 && !wanted.has_clusters) break;
    const bool is_shared = together > 1;
    for (std::int64_t threads = 64; threads <= 1024; threads += 32) {
      PlaneTry t;
      t.together = together;
      t.threads = threads;
      t.own_rows = ceil_divide(rows.n_lines, together);
      t.own_columns = ceil_divide(columns.n_lines, together);
      const std::int64_t beside = wanted.are_rows_turned ? std::min(t.own_rows, t.own_columns) : t.own_columns;
      if (is_shared && beside * wanted.number < columns_beside_bytes) continue;
      const PlaneSide of_rows{rows, true, wanted.are_rows_turned}, of_columns{columns, false, true};
      const bool are_rows_sent = is_shared && wanted.is_first_rows, are_columns_sent = is_shared && !wanted.is_first_rows;
      t.rows = lanes_of_plane(of_rows, t.own_rows, are_rows_sent, threads, wanted.number);
      t.columns = lanes_of_plane(of_columns, t.own_columns, are_columns_sent, threads, wanted.number);
      if (t.rows.lanes == 0 || t.columns.lanes == 0) continue;
      const std::int64_t bytes = multiply(numbers_of_plane(t, rows, columns, rows.n + 1), wanted.number);
      if (bytes > wanted.shared_bytes) continue;
      const std::int64_t words = wanted.number / 4 * std::max(t.rows.held, t.columns.held);
      t.n_blocks = std::min(wanted.shared_bytes_worker / (bytes + plane_block_bytes), 2048 / threads);
      while (t.n_blocks > 1 && registers_of(threads, t.n_blocks) < words + 24) --t.n_blocks;
      if (t.n_blocks < 1 || registers_of(threads, t.n_blocks) < words + 16) continue;
      const auto left = static_cast<double>(registers_of(threads, t.n_blocks) - words);
      const auto at_once = static_cast<double>(std::min<std::int64_t>(threads * t.n_blocks, 1400));
      // One block alone reads, computes and writes in turns; blocks of a cluster wait for each other.
      t.worth = t.rows.worth + t.columns.worth + 0.4 * std::log(at_once) - 0.012 * std::max(0.0, 39 - left) -
                (t.n_blocks == 1 ? worth_alone : 0) - (is_shared ? 0.1 + 0.03 * std::log2(static_cast<double>(together)) : 0);
      tries.push_back(t);
    }
  }
  std::stable_sort(tries.begin(), tries.end(), [](const PlaneTry& a, const PlaneTry& b) { return a.worth > b.worth; });
  return tries;
}

// With places and shared memory.
PlaneShape placed(const PlaneWanted& wanted, const PlaneTry& best) {
  const PlaneLines &rows = rows_of(wanted), &columns = columns_of(wanted);
  PlaneShape shape;
  const auto made = [&](const PlaneLanes& of) {
    LinesShape lines;
    lines.lanes = of.lanes;
    lines.group = of.group;
    lines.held = of.held;
    lines.threads = best.threads;
    lines.n_blocks = best.n_blocks;
    lines.together = best.together;
    return lines;
  };
  LinesShape of_rows = made(best.rows), of_columns = made(best.columns);
  LinesWanted row;
  row.radices = rows.radices;
  row.n = rows.n;
  row.number = wanted.number;
  // As many blocks as before have room for the pitch.
  const std::int64_t room = std::min(wanted.shared_bytes, wanted.shared_bytes_worker / best.n_blocks - plane_block_bytes);
  const std::int64_t width = padded_lines(best.own_columns, best.columns.lanes),
                     least = best.together == 1 ? std::max(width, rows.n + 1) : rows.n + 1;
  std::int64_t pitch =
      place_rows(row, of_rows, least, std::max(least, room / (padded_lines(best.own_rows, best.rows.lanes) * wanted.number)));
  shape.shared_bytes = numbers_of_plane(best, rows, columns, pitch) * wanted.number;
  if (best.together > 1) pitch = width;
  of_columns.places.assign(columns.radices.size() + 1, {1, static_cast<std::uint32_t>(pitch - 1), 1});
  shape.own_rows = best.own_rows;
  shape.own_columns = best.own_columns;
  shape.first = wanted.is_first_rows ? of_rows : of_columns;
  shape.second = wanted.is_first_rows ? of_columns : of_rows;
  return shape;
}

}  // namespace

PlaneShape plane_shape(const PlaneWanted& wanted) {
  const std::vector<PlaneShape> shapes = plane_shapes(wanted, 1);
  if (!shapes.empty()) return shapes.front();
  PlaneShape none;
  none.first.lanes = 0;
  return none;
}

std::vector<PlaneShape> plane_shapes(const PlaneWanted& wanted, std::size_t most) {
  std::vector<PlaneShape> shapes;
  std::vector<PlaneTry> tries = tries_of(wanted);
  while (!tries.empty() && shapes.size() < most) {
    const PlaneTry best = tries.front();
    shapes.push_back(placed(wanted, best));
    // Threads that differ by a quarter or more, or another number of blocks together, are worth a try.
    std::erase_if(tries, [&](const PlaneTry& other) {
      return other.together == best.together && 4 * std::abs(other.threads - best.threads) < std::max(other.threads, best.threads);
    });
  }
  return shapes;
}

}  // namespace crinkle::fft
