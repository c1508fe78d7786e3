// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/shape.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

#include "base/checked.hpp"
#include "fft/at.hpp"

namespace crinkle::fft {
namespace {

constexpr std::int64_t mirrored_bytes = 64;  // of columns side by side, at least: docs/tuning.md

// Of a thread: the most numbers of a stage, and butterflies' places of all stages.
void count_numbers(const LinesWanted& wanted, LinesShape& shape) {
  std::int64_t most = 0, all = 0;
  for (const std::int64_t r : wanted.radices) {
    const std::int64_t of_stage = ceil_divide(shape.lanes * shape.group / shape.threads * (wanted.n / r), shape.group) * r;
    most = std::max(most, of_stage);
    all += of_stage;
  }
  shape.held = most;
  shape.use = static_cast<double>(shape.lanes * wanted.n * std::ssize(wanted.radices)) / static_cast<double>(shape.threads * all);
}

// Threads for so many lanes if each may hold `most` numbers.
std::int64_t threads_for(const LinesWanted& wanted, std::int64_t lanes, std::int64_t most) {
  std::int64_t threads = 1;
  for (const std::int64_t r : wanted.radices)
    threads = std::max(threads, ceil_divide(lanes * (wanted.n / r), std::max<std::int64_t>(1, most / r)));
  return ceil_divide(threads, 32) * 32;
}

std::int64_t least_shared(const LinesWanted& wanted, const LinesShape& shape) {
  const bool is_none = wanted.radices.size() == 1 && wanted.reads && wanted.writes;
  return is_none ? 0 : shape.lanes * wanted.n * (shape.are_apart ? wanted.number / 2 : wanted.number);
}

bool is_through_cells(const LinesWanted& wanted) { return !wanted.reads || !wanted.writes || wanted.are_convolved; }

}  // namespace

std::int64_t registers_of(std::int64_t threads, std::int64_t n_blocks) {
  return std::min<std::int64_t>(255, 512 / ceil_divide(n_blocks * ceil_divide(threads, 32), 4) / 8 * 8);
}

std::vector<LinesShape> shapes_to_try(const LinesWanted& wanted) {
  std::vector<LinesShape> shapes;
  const std::int64_t largest = *std::max_element(wanted.radices.begin(), wanted.radices.end());
  const auto add = [&](LinesShape shape) {
    count_numbers(wanted, shape);
    const std::int64_t shared = least_shared(wanted, shape);
    if (shared > wanted.shared_bytes || shape.threads > 1024) return;
    const std::int64_t most_blocks =
        std::min<std::int64_t>({2048 / shape.threads, 24, shared == 0 ? 24 : wanted.shared_bytes / (shared + shared / 16 + 1024)});
    std::int64_t before = 0;
    for (std::int64_t blocks = std::max<std::int64_t>(1, most_blocks); blocks > 0; --blocks) {
      const std::int64_t registers = registers_of(shape.threads, blocks);
      if (registers == before || registers < wanted.number / 4 * shape.held + 8) continue;
      before = registers;
      shape.n_blocks = blocks;
      shapes.push_back(shape);
      if (registers > wanted.number / 4 * shape.held + 6 * wanted.number) break;
    }
  };
  const auto try_holding = [&](std::int64_t most) {  // so many numbers a thread
    const bool is_line = wanted.radices.size() == 1 && most == largest;
    if (most < largest || (most * wanted.number > 320 && !is_line) || most > 2 * largest) return;
    if (wanted.has_chirp && most > std::max(largest, most_held)) return;  // products with it take registers, too
    for (std::int64_t lanes = 1; lanes <= 256; ++lanes) {
      if (wanted.are_columns && lanes != 4 && lanes != 8 && lanes != 16 && lanes != 32) continue;
      if ((wanted.folds_in || wanted.folds_out) && lanes * wanted.number < 2 * mirrored_bytes) continue;
      if (lanes > (wanted.are_columns ? std::max<std::int64_t>(4, 2 * wanted.n_lines - 1) : wanted.n_lines)) break;
      LinesShape shape;
      shape.lanes = lanes;
      shape.threads = shape.group = std::max<std::int64_t>(threads_for(wanted, lanes, most), is_through_cells(wanted) ? 64 : 32);
      if (shape.threads > (wanted.n < 1024 && !wanted.are_columns ? 256 : 1024)) break;
      if (shape.threads >= 64 || lanes >= 32) add(shape);
      // Two or more warps that do not wait for each other.
      if (wanted.are_columns || is_through_cells(wanted) || shape.threads > 32 || threads_for(wanted, lanes + 1, most) <= 32) continue;
      for (const std::int64_t warps : {2, 4}) {
        if (warps * lanes > wanted.n_lines) break;
        shape.lanes = warps * lanes;
        shape.threads = warps * 32;
        shape.group = 32;
        add(shape);
      }
    }
  };
  for (const std::int64_t most : {largest, std::int64_t{12}, std::int64_t{16}, std::int64_t{20}, std::int64_t{24}, std::int64_t{32}})
    try_holding(most);
  if (shapes.empty()) try_holding(2 * largest);
  return shapes;
}

// Fitted to times of some 4500 shapes (docs/tuning.md): registers besides a thread's numbers, of four bytes each part, threads that run at
// once, lines beside each other where they are columns.
double expected(const LinesWanted& wanted, const LinesShape& shape) {
  const auto words = static_cast<double>(wanted.number) / 8, threads = static_cast<double>(shape.threads);
  const double left = static_cast<double>(registers_of(shape.threads, shape.n_blocks)) / words - 2.0 * static_cast<double>(shape.held);
  const double at_once = std::log(threads * static_cast<double>(shape.n_blocks));
  if (wanted.are_columns)
    return 0.4 * std::log(shape.use) + 0.44 * at_once - 0.012 * std::max(0.0, 39 - left) +
           0.2 * std::log2(static_cast<double>(shape.lanes));
  const bool is_line = wanted.radices.size() == 1 && wanted.n > 23 && wanted.n < 41;  // of which a thread has one
  if (is_through_cells(wanted) && is_line)
    return 0.8 * std::log(shape.use) + 0.4 * std::min(at_once, std::log(576.0)) - 0.03 * std::max(0.0, 24.8 - left) -
           0.1 * std::abs(std::log(threads / 96));
  if (is_through_cells(wanted))
    return 0.8 * std::log(shape.use) + 0.4 * std::min(at_once, std::log(1400.0)) - 0.03 * std::max(0.0, 24.8 - left) -
           0.1 * std::log(threads);
  const bool is_float = wanted.number == 8;
  return 0.2 * std::log(shape.use) + (is_float ? 0.25 : 0.3) * std::min(at_once, std::log(is_float ? 1400.0 : 1540.0)) -
         0.07 * std::max(0.0, (is_float ? 24.8 : 16) - left) - (is_float ? 0.15 : 0.1) * std::log(threads);
}

namespace {

// Lines from so many bytes on come ahead, since few of them fit into a multiprocessor (docs/tuning.md).
constexpr std::int64_t least_ahead_bytes = 36 << 10, least_apart_bytes = 72 << 10;

double expected_ahead(const LinesWanted& wanted, const LinesShape& shape) {
  const auto words = static_cast<double>(wanted.number) / 8, threads = static_cast<double>(shape.threads);
  const double left = static_cast<double>(registers_of(shape.threads, shape.n_blocks)) / words - 2.0 * static_cast<double>(shape.held);
  return 1.5 * std::log(shape.use) + 0.12 * std::log(std::min(1024.0, threads * static_cast<double>(shape.n_blocks))) -
         0.01 * std::max(0.0, 40 - left) - (shape.threads > 896 ? 0.1 : 0);
}

// Ways to go about lines: all numbers of a block at once, or a line's parts one after the other; and so of lines that come ahead.
struct Way {
  bool is_ahead = false, are_apart = false;
};

// The shapes of a way, what is expected of them, and without places.
std::vector<std::pair<double, LinesShape>> ranked(LinesWanted wanted, const Way& way) {
  const std::int64_t line_bytes = wanted.n * wanted.number;
  if (way.is_ahead) wanted.reads = wanted.writes = true;
  const auto bytes_of = [&](const LinesShape& shape) {  // of landing and what is exchanged, about
    const std::int64_t of_lines = shape.lanes * line_bytes;
    return of_lines + 1024 + (way.are_apart ? of_lines / 2 : of_lines) * 17 / 16;
  };
  std::vector<std::pair<double, LinesShape>> shapes;
  for (LinesShape shape : shapes_to_try(wanted)) {
    if (way.is_ahead) shape.n_blocks = std::min(shape.n_blocks, wanted.shared_bytes / bytes_of(shape));
    if (way.is_ahead && (shape.n_blocks < 1 || shape.group != shape.threads)) continue;
    shape.are_apart = way.are_apart;
    shapes.emplace_back(way.is_ahead ? expected_ahead(wanted, shape) : expected(wanted, shape), shape);
  }
  std::stable_sort(shapes.begin(), shapes.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  return shapes;
}

// With places and shared memory; of no lanes where that is too much.
LinesShape finished(LinesWanted wanted, LinesShape shape, const Way& way) {
  if (way.is_ahead) wanted.reads = wanted.writes = true;
  shape = placed(wanted, shape);
  if (way.is_ahead) {
    const std::int64_t of_lines = shape.lanes * wanted.n * wanted.number;
    shape.landing = ceil_divide(shape.shared_bytes, 128) * 128;
    shape.shared_bytes = shape.landing + ceil_divide(of_lines, 16) * 16 + 16;
  }
  if (shape.shared_bytes > wanted.shared_bytes) shape.lanes = 0;
  return shape;
}

bool may_come_ahead(const LinesWanted& wanted) {
  return wanted.may_come_ahead && wanted.radices.size() > 1 && wanted.n * wanted.number >= least_ahead_bytes;
}
bool may_be_apart(const LinesWanted& wanted) {
  return wanted.radices.size() > 1 && wanted.n * wanted.number >= (wanted.number == 8 ? least_apart_bytes : least_ahead_bytes);
}

LinesShape found_shape(const LinesWanted& wanted) {
  LinesShape best;
  best.lanes = 0;
  for (const Way& way : {Way{true, may_be_apart(wanted)}, Way{}}) {
    if (way.is_ahead && !may_come_ahead(wanted)) continue;
    if (const auto shapes = ranked(wanted, way); !shapes.empty()) best = finished(wanted, shapes.front().second, way);
    if (best.lanes > 0) break;
  }
  return best;
}

}  // namespace

LinesShape shape_of(const LinesWanted& wanted) {
  static std::mutex mutex;
  static std::map<LinesWanted, LinesShape> kept;
  constexpr std::size_t most_kept = 256;
  {
    const std::scoped_lock lock(mutex);
    if (const auto found = kept.find(wanted); found != kept.end()) return found->second;
  }
  const LinesShape shape = found_shape(wanted);
  const std::scoped_lock lock(mutex);
  if (kept.size() >= most_kept) kept.clear();
  kept.emplace(wanted, shape);
  return shape;
}

std::vector<LinesShape> shapes_of(const LinesWanted& wanted, std::size_t most) {
  std::vector<LinesShape> shapes;
  const auto are_alike = [](const LinesShape& a, const LinesShape& b) {
    const auto near = [](std::int64_t x, std::int64_t y) { return 4 * std::abs(x - y) < std::max(x, y); };
    return near(a.lanes, b.lanes) && near(a.n_blocks, b.n_blocks) && a.threads == b.threads && a.group == b.group &&
           a.are_apart == b.are_apart && (a.landing < 0) == (b.landing < 0);
  };
  const auto add = [&](const LinesShape& shape) {
    const auto is_like = [&](const LinesShape& other) { return are_alike(shape, other); };
    if (shape.lanes > 0 && shapes.size() < most && std::none_of(shapes.begin(), shapes.end(), is_like)) shapes.push_back(shape);
  };
  add(shape_of(wanted));
  std::vector<Way> ways{{}};
  const bool is_long = wanted.radices.size() > 1 && wanted.n * wanted.number >= least_ahead_bytes;
  if (is_long) ways.push_back({false, true});
  if (may_come_ahead(wanted)) ways.push_back({true, false});
  if (may_come_ahead(wanted) && is_long) ways.push_back({true, true});
  std::vector<std::vector<std::pair<double, LinesShape>>> all;
  for (const Way& way : ways) all.push_back(ranked(wanted, way));
  // The best of each way, then the next ones that are not alike.
  for (bool is_more = true; is_more && shapes.size() < most;) {
    is_more = false;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (all[i].empty()) continue;
      const LinesShape shape = all[i].front().second;
      add(finished(wanted, shape, ways[i]));
      std::erase_if(all[i], [&](const auto& other) { return are_alike(shape, other.second); });
      is_more = true;
    }
  }
  return shapes;
}

}  // namespace crinkle::fft
