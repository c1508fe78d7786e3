// The cost of a number of a transform: its stages, about log₂ N, and the passes that copy, multiply and store it; lines that leave the
// second cache take passes more. The array that is cut is transformed twice, there and back, the other one once.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/checked.hpp"
#include "fft/radices.hpp"

namespace crinkle::fft {
namespace {

constexpr double passes_beside = 4, passes_of_long = 8;
constexpr std::int64_t long_line = 1 << 15, shortest_block = 256;  // numbers
constexpr double worthwhile = 0.9;                                 // of the cost of the whole

double cost(const std::vector<ConvolvedAxis>& axes, const std::vector<AxisBlocks>& blocks) {
  double numbers = 1, of_one = 1, stages = passes_beside;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const AxisBlocks& b = blocks[a];
    numbers *= static_cast<double>(b.n) * static_cast<double>(b.count);
    of_one *= static_cast<double>(axes[a].is_transformed ? b.n : axes[a].other);
    if (axes[a].is_transformed) stages += std::log2(static_cast<double>(b.n)) + (b.n > long_line ? passes_of_long : 0);
  }
  return (2 * numbers + of_one) * stages;
}

}  // namespace

std::vector<AxisBlocks> whole_axes(const std::vector<ConvolvedAxis>& axes, std::int64_t multiple) {
  std::vector<AxisBlocks> blocks;
  for (const ConvolvedAxis& axis : axes)
    blocks.push_back({axis.is_transformed ? smooth_length(add(axis.main, axis.other) - 1, multiple) : std::max(axis.main, axis.other)});
  return blocks;
}

std::vector<AxisBlocks> cheapest_blocks(const std::vector<ConvolvedAxis>& axes, std::int64_t multiple) {
  const std::vector<AxisBlocks> whole = whole_axes(axes, multiple);
  std::vector<AxisBlocks> best = whole;
  double least = cost(axes, whole);
  const double of_whole = least;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const ConvolvedAxis& axis = axes[a];
    if (!axis.is_transformed || axis.main <= axis.other) continue;
    std::vector<AxisBlocks> tried = best;
    for (std::int64_t target = std::max(add(axis.other, axis.other / 2), shortest_block); target < whole[a].n / 2; target += target / 4) {
      const std::int64_t n = smooth_length(target, multiple), step = n - axis.other + 1;
      tried[a] = {n, step, ceil_divide(axis.n_results, step)};
      const double its = cost(axes, tried);
      if (tried[a].count < 2 || its >= least) continue;
      least = its;
      best = tried;
    }
  }
  return least < worthwhile * of_whole ? best : whole;
}

bool is_cut(const std::vector<AxisBlocks>& blocks) {
  return std::any_of(blocks.begin(), blocks.end(), [](const AxisBlocks& b) { return b.is_cut(); });
}

PlannedMove widening(const std::vector<ConvolvedAxis>& axes, const std::vector<AxisBlocks>& blocks, Layout& main, Device device) {
  Layout inside = main;
  std::vector<std::int64_t> before(axes.size(), 0), after(axes.size(), 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!blocks[i].is_cut()) continue;
    const std::int64_t begin = axes[i].start - (axes[i].other - 1), end = add(begin, blocks[i].covered(axes[i].other));
    const std::int64_t first = std::max<std::int64_t>(begin, 0), last = std::min(end, axes[i].main);
    inside.offset = add_product(inside.offset, first, inside.strides[i]);
    inside.extents[i] = last - first;
    before[i] = first - begin;
    after[i] = end - last;
  }
  Rearrangement widened(inside);
  Extents extents = inside.extents;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!blocks[i].is_cut()) continue;
    widened = widened.pad(fmt::format("@{}", i), before[i], after[i]);
    extents[i] += before[i] + after[i];
  }
  main = Layout::dense(extents, main.element_bytes);
  return {widened.into(main).steps(), machine_of(device), device, 1, 1};
}

// Along each axis that is cut from all blocks that are full, and from the rest of one.
std::vector<PlannedMove> windows(const std::vector<ConvolvedAxis>& axes, const std::vector<AxisBlocks>& blocks, const Layout& whole,
                                 const Layout& out, Device device) {
  std::vector<PlannedMove> moves;
  const auto n_cut = std::count_if(blocks.begin(), blocks.end(), [](const AxisBlocks& b) { return b.is_cut(); });
  for (std::size_t which = 0; which < std::size_t{1} << n_cut; ++which) {
    Layout from{{}, {}, 0, out.element_bytes}, to{{}, {}, out.offset, out.element_bytes};
    const auto take = [&](std::int64_t extent, std::int64_t from_stride, std::int64_t to_stride) {
      from.extents.push_back(extent);
      from.strides.push_back(from_stride);
      to.extents.push_back(extent);
      to.strides.push_back(to_stride);
    };
    std::size_t n_seen = 0;
    for (std::size_t i = 0, at = 0; i < axes.size(); ++i, ++at) {
      const std::int64_t n = axes[i].n_results, step = blocks[i].step;
      if (!blocks[i].is_cut()) {
        from.offset = add_product(from.offset, axes[i].start, whole.strides[at]);
        take(n, whole.strides[at], out.strides[i]);
        continue;
      }
      const std::int64_t of_block = whole.strides[at++], of_number = whole.strides[at];
      const bool is_rest = (which >> n_seen++ & 1) != 0;
      from.offset = add_product(from.offset, axes[i].other - 1, of_number);
      if (is_rest) {
        from.offset = add_product(from.offset, n / step, of_block);
        to.offset = add_product(to.offset, n / step * step, out.strides[i]);
      }
      take(is_rest ? 1 : n / step, of_block, multiply(step, out.strides[i]));
      take(is_rest ? n % step : step, of_number, out.strides[i]);
    }
    if (from.n_elements() > 0) moves.emplace_back(Rearrangement(from).into(to).steps(), machine_of(device), device, 1, 1);
  }
  return moves;
}

}  // namespace crinkle::fft
