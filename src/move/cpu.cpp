// The two innermost axes are loops over units of a width known at compile time, in blocks where the two sides disagree on which is fast.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cpu.hpp"

#include <algorithm>
#include <cstring>

#include "form/check.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t small_bytes = 256 << 10;  // below this a move is not worth waking a second thread
constexpr int chunks_per_worker = 4;

using Source = std::span<const std::byte* const>;
using Destination = std::span<std::byte* const>;

// The two innermost axes, units of a width known at compile time. The faster destination axis is the inner loop unless the source's run is
// the other one and short rows would be read with long strides; there are no cache blocks here yet.
template <std::size_t unit>
void copy_rows(std::byte* dst, const std::byte* src, const Axis& rows, const Axis& row) {
  for (std::int64_t j = 0; j < rows.extent; ++j) {
    std::byte* out = dst + j * rows.dst_stride;
    const std::byte* in = src + j * rows.src_stride;
    for (std::int64_t i = 0; i < row.extent; ++i) std::memcpy(out + i * row.dst_stride, in + i * row.src_stride, unit);
  }
}

void copy_run(std::byte* dst, const std::byte* src, const Axis& rows, const Axis& row, std::int32_t unit) {
  if (row.src_stride == unit && row.dst_stride == unit) {
    for (std::int64_t j = 0; j < rows.extent; ++j) {
      std::memcpy(dst + j * rows.dst_stride, src + j * rows.src_stride, static_cast<std::size_t>(row.extent * unit));
    }
    return;
  }
  switch (unit) {
    case 1: return copy_rows<1>(dst, src, rows, row);
    case 2: return copy_rows<2>(dst, src, rows, row);
    case 4: return copy_rows<4>(dst, src, rows, row);
    case 8: return copy_rows<8>(dst, src, rows, row);
    default: return copy_rows<16>(dst, src, rows, row);
  }
}

// Source-fast and destination-fast axes differ: blocks of at most 32 of each, so that lines of both sides are used while they are near.
void copy_blocks(std::byte* dst, const std::byte* src, const Axis& rows, const Axis& row, std::int32_t unit) {
  constexpr std::int64_t edge = 32;
  const bool is_crossed = std::abs(rows.src_stride) < std::abs(row.src_stride);
  if (!is_crossed || rows.extent <= edge || row.extent <= edge) return copy_run(dst, src, rows, row, unit);
  for (std::int64_t j = 0; j < rows.extent; j += edge) {
    for (std::int64_t i = 0; i < row.extent; i += edge) {
      const Axis part_rows{std::min(edge, rows.extent - j), rows.src_stride, rows.dst_stride};
      const Axis part_row{std::min(edge, row.extent - i), row.src_stride, row.dst_stride};
      copy_run(dst + j * rows.dst_stride + i * row.dst_stride, src + j * rows.src_stride + i * row.src_stride, part_rows, part_row, unit);
    }
  }
}

bool has_slots(const Box& box) {
  return std::any_of(box.axes.begin(), box.axes.end(),
                     [](const Axis& a) { return a.src_counts == Counts::buffers || a.dst_counts == Counts::buffers; });
}

// Axes a … of a box, the last `inner` of them in one go.
void move_axes(const Box& box, std::size_t inner, std::int64_t src_at, std::int64_t src_slot, std::int64_t dst_at, std::int64_t dst_slot,
               std::size_t a, Source src, Destination dst) {
  if (box.axes.size() - a <= inner) {
    const Axis one{};
    const Axis& row = inner > 0 && a < box.axes.size() ? box.axes.back() : one;
    const Axis& rows = box.axes.size() - a > 1 ? box.axes[a] : one;
    const std::byte* in = box.is_fill ? box.pattern.data() : src[static_cast<std::size_t>(src_slot)] + src_at;
    copy_blocks(dst[static_cast<std::size_t>(dst_slot)] + dst_at, in, rows, row, box.unit);
    return;
  }
  const Axis& axis = box.axes[a];
  for (std::int64_t i = 0; i < axis.extent; ++i) {
    move_axes(box, inner, src_at, src_slot, dst_at, dst_slot, a + 1, src, dst);
    (axis.src_counts == Counts::bytes ? src_at : src_slot) += axis.src_stride;
    (axis.dst_counts == Counts::bytes ? dst_at : dst_slot) += axis.dst_stride;
  }
}

void move_box(const Box& box, std::int64_t src_at, std::int64_t src_slot, std::int64_t dst_at, std::int64_t dst_slot, Source src,
              Destination dst) {
  move_axes(box, has_slots(box) ? 0 : 2, src_at, src_slot, dst_at, dst_slot, 0, src, dst);
}

// The axis whose indices are dealt out as chunks: the slowest one that is long enough, so that chunks are far apart; −1 for none.
int cut_axis(const Box& box, std::int64_t n_chunks) {
  for (std::size_t a = 0; a < box.axes.size(); ++a) {
    if (box.axes[a].extent >= n_chunks) return static_cast<int>(a);
  }
  return -1;
}

void move_whole(const Box& box, Source src, Destination dst) {
  move_box(box, box.src_offset, box.src_slot, box.dst_offset, box.dst_slot, src, dst);
}

// Chunk c of n: a range of the axis that is cut.
void move_chunk(Box box, int axis, std::int64_t c, std::int64_t n, Source src, Destination dst) {
  Axis& cut = box.axes[static_cast<std::size_t>(axis)];
  const std::int64_t first = cut.extent / n * c + std::min(c, cut.extent % n);
  if (cut.src_counts == Counts::bytes) box.src_offset += first * cut.src_stride;
  if (cut.src_counts == Counts::buffers) box.src_slot += static_cast<std::int32_t>(first * cut.src_stride);
  if (cut.dst_counts == Counts::bytes) box.dst_offset += first * cut.dst_stride;
  if (cut.dst_counts == Counts::buffers) box.dst_slot += static_cast<std::int32_t>(first * cut.dst_stride);
  cut.extent = cut.extent / n + (c < cut.extent % n ? 1 : 0);
  move_whole(box, src, dst);
}

void move_entries(const Step& step, std::size_t g, std::int64_t from, std::int64_t to, std::int32_t fill, std::int64_t first,
                  std::int64_t last, Source src, Destination dst) {
  if (g == step.gathers.size()) {
    for (const Box& box : fill < 0 ? step.boxes : step.fill_boxes[static_cast<std::size_t>(fill)]) {
      move_box(box, from + box.src_offset, box.src_slot, to + box.dst_offset, box.dst_slot, src, dst);
    }
    return;
  }
  const GatherAxis& axis = step.gathers[g];
  const auto n = static_cast<std::int64_t>(axis.src_offsets.size());
  for (std::int64_t j = g == 0 ? first : 0; j < (g == 0 ? last : n); ++j) {
    const auto k = static_cast<std::size_t>(j);
    move_entries(step, g + 1, from + axis.src_offsets[k], to + axis.dst_offsets[k], std::max(fill, axis.fills.empty() ? -1 : axis.fills[k]),
                 first, last, src, dst);
  }
}

}  // namespace

void run_cpu(const Boxes& boxes, Source src, Destination dst, Executor& executor) {
  std::int64_t n_bytes = 0;
  for (const Box& box : boxes) n_bytes += n_bytes_of(box);
  if (n_bytes <= small_bytes || executor.n_workers() == 1) {
    for (const Box& box : boxes) move_whole(box, src, dst);
    return;
  }
  // Every box with an axis that is long enough is cut into as many chunks; the others are dealt out in turn.
  const std::int64_t n_chunks = std::int64_t{chunks_per_worker} * executor.n_workers();
  executor.parallel_for(n_chunks, [&](std::int64_t c) {
    std::int64_t n_whole = 0;
    for (const Box& box : boxes) {
      const int axis = cut_axis(box, n_chunks);
      if (axis >= 0) move_chunk(box, axis, c, n_chunks, src, dst);
      if (axis < 0 && n_whole++ % n_chunks == c) move_whole(box, src, dst);
    }
  });
}

void run_cpu(const Step& step, Source src, Destination dst, Executor& executor) {
  if (step.gathers.empty()) return run_cpu(step.boxes, src, dst, executor);
  const auto n = static_cast<std::int64_t>(step.gathers.front().src_offsets.size());
  const std::int64_t n_chunks = std::min<std::int64_t>(n, std::int64_t{chunks_per_worker} * executor.n_workers());
  executor.parallel_for(n_chunks,
                        [&](std::int64_t c) { move_entries(step, 0, 0, 0, -1, n * c / n_chunks, n * (c + 1) / n_chunks, src, dst); });
}

}  // namespace crinkle
