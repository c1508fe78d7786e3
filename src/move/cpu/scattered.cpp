// Scattered: no axis is contiguous in the destination, so lines cannot be written whole: unit by unit, the two fastest axes innermost.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "move/cpu/parts.hpp"

namespace crinkle {
namespace {

template <std::size_t unit>
void put(const std::byte* in, std::int64_t in_step, std::byte* out, std::int64_t out_step, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) std::memcpy(out + i * out_step, in + i * in_step, unit);
}

void put(std::int64_t unit, const std::byte* in, std::int64_t in_step, std::byte* out, std::int64_t out_step, std::int64_t n) {
  switch (unit) {
    case 1: return put<1>(in, in_step, out, out_step, n);
    case 2: return put<2>(in, in_step, out, out_step, n);
    case 4: return put<4>(in, in_step, out, out_step, n);
    case 8: return put<8>(in, in_step, out, out_step, n);
    default: return put<16>(in, in_step, out, out_step, n);
  }
}

}  // namespace

void run_scattered(const Run& run, std::int64_t part, std::int64_t n_parts) {
  const planning::Schedule& schedule = *run.schedule;
  const Box& box = schedule.rows.box;
  // The row is moved in one go where it counts bytes on both sides, else it is one more axis to count through.
  Axis row = box.axes.empty() ? Axis{} : box.axes.back();
  AxisList outer;
  const bool has_slot = row.src_counts == Counts::buffers || row.dst_counts == Counts::buffers;
  if (has_slot) outer.push_back(row);
  for (const Axis& a : outer_of(schedule)) outer.push_back(a);
  if (has_slot) row = Axis{};
  const std::int64_t n_outer = n_indices(outer), n = n_outer * row.extent;
  std::int64_t at = begin_of(n, part, n_parts);
  const std::int64_t last = begin_of(n, part + 1, n_parts);
  Counter counter(outer);
  if (at < last) counter.seek(at / row.extent, start_of(run));
  while (at < last) {
    const std::int64_t i = at % row.extent, some = std::min(row.extent - i, last - at);
    Spot spot = counter.spot();
    const bool is_fill = box.is_fill;
    const std::byte* in = is_fill ? box.pattern.data() : run.src[static_cast<std::size_t>(spot.src_slot)] + spot.src + i * row.src_stride;
    std::byte* out = run.dst[static_cast<std::size_t>(spot.dst_slot)] + spot.dst + i * row.dst_stride;
    put(box.unit, in, is_fill ? 0 : row.src_stride, out, row.dst_stride, some);
    at += some;
    if (at % row.extent == 0 && at < last) counter.next();
  }
}

}  // namespace crinkle
