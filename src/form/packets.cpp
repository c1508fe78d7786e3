// SPDX-License-Identifier: BSD-3-Clause
#include "form/packets.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/checked.hpp"
#include "base/ensure.hpp"
#include "form/check.hpp"
#include "form/simplify.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t alignment = 128;     // bytes, of a box's part within a packet: a line of a GPU
constexpr std::int64_t long_run = 4096;     // bytes, of what is read or written in a stretch: beyond it copies gain little
constexpr std::int64_t max_parts = 4096;    // of one packet: as many as a step may have boxes
constexpr std::int64_t whole_indices = 64;  // cuts lie at multiples of so many indices where there are more

using Counted = detail::SmallVector<std::int64_t, 9>;  // per axis of a box, as many indices of it

/// The bytes that so many indices of each axis are in the packed source; in the packed destination nothing is left out.
std::int64_t packed_bytes(const Box& box, const Counted& n, Side side) {
  std::int64_t bytes = box.unit;
  for (std::size_t a = 0; a < box.axes.size(); ++a)
    if (side == Side::destination || box.axes[a].src_stride != 0) bytes = multiply(bytes, n[a]);
  return bytes;
}

Counted extents_of(const Box& box) {
  Counted n;
  for (const Axis& a : box.axes) n.push_back(a.extent);
  return n;
}

/// A side's axes from the slowest to the fastest: buffers, then bytes by descending distance. Axes that repeat the source are left
/// out.
detail::SmallVector<std::size_t, 9> order_of(const Box& box, Side side) {
  detail::SmallVector<std::size_t, 9> order;
  for (std::size_t a = 0; a < box.axes.size(); ++a)
    if (stride_of(box.axes[a], side) != 0) order.push_back(a);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Axis &x = box.axes[a], &y = box.axes[b];
    if (counts_of(x, side) != counts_of(y, side)) return counts_of(x, side) == Counts::buffers;
    return std::abs(stride_of(x, side)) > std::abs(stride_of(y, side));
  });
  return order;
}

/// How many indices of each axis keep the runs of both sides long.
Counted indices_of_long_runs(const Box& box) {
  Counted n;
  n.resize(box.axes.size());
  std::fill(n.begin(), n.end(), 1);
  for (const Side side : {Side::source, Side::destination}) {
    std::int64_t run = box.unit;
    const auto order = order_of(box, side);
    for (std::size_t k = order.size(); k-- > 0 && run < long_run;) {
      const Axis& axis = box.axes[order[k]];
      if (counts_of(axis, side) == Counts::buffers || std::abs(stride_of(axis, side)) != run) break;
      n[order[k]] = std::max(n[order[k]], std::min(axis.extent, ceil_divide(long_run, run)));
      run = multiply(run, axis.extent);
    }
  }
  return n;
}

/// How many indices of each axis a part of the box has.
Counted part_of(const Box& box, PackedSides sides, std::int64_t limit) {
  Counted part = extents_of(box);
  const Counted kept = indices_of_long_runs(box);
  for (const bool keeps_runs : {true, false}) {
    for (std::size_t a = 0; a < box.axes.size(); ++a) {
      std::int64_t most = part[a];
      for (const Side side : {Side::source, Side::destination}) {
        if (!(side == Side::source ? packs_source(sides) && box.axes[a].src_stride != 0 : packs_destination(sides))) continue;
        const std::int64_t bytes = packed_bytes(box, part, side);
        if (bytes > limit) most = std::min(most, limit / (bytes / part[a]));
      }
      if (most == part[a]) continue;
      if (most > whole_indices) most -= most % whole_indices;
      part[a] = std::max<std::int64_t>(most, keeps_runs ? std::min(kept[a], part[a]) : 1);
    }
  }
  return part;
}

void move_origin(Box& box, const Axis& axis, std::int64_t n) {
  const std::int64_t src = multiply(n, axis.src_stride), dst = multiply(n, axis.dst_stride);
  if (axis.src_counts == Counts::bytes) box.src_offset = add(box.src_offset, src);
  else box.src_slot += static_cast<std::int32_t>(src);
  if (axis.dst_counts == Counts::bytes) box.dst_offset = add(box.dst_offset, dst);
  else box.dst_slot += static_cast<std::int32_t>(dst);
}

/// One side of a box as it lies in a packet from byte `at` on: dense, in the side's own order, axes turned round where it is.
struct PackedSide {
  Counted strides;
  std::int64_t offset = 0;
};
PackedSide packed(const Box& box, Side side, std::int64_t at) {
  PackedSide p;
  p.strides.resize(box.axes.size());
  std::fill(p.strides.begin(), p.strides.end(), 0);
  p.offset = at;
  std::int64_t stride = box.unit;
  const auto order = order_of(box, side);
  for (std::size_t k = order.size(); k-- > 0;) {
    const Axis& axis = box.axes[order[k]];
    const bool is_backwards = stride_of(axis, side) < 0;
    p.strides[order[k]] = is_backwards ? -stride : stride;
    if (is_backwards) p.offset = add_product(p.offset, axis.extent - 1, stride);
    stride = multiply(stride, axis.extent);
  }
  return p;
}

void set_source(Box& box, const PackedSide& p) {
  for (std::size_t a = 0; a < box.axes.size(); ++a) {
    box.axes[a].src_stride = p.strides[a];
    box.axes[a].src_counts = Counts::bytes;
  }
  box.src_offset = p.offset;
  box.src_slot = 0;
}
void set_destination(Box& box, const PackedSide& p) {
  for (std::size_t a = 0; a < box.axes.size(); ++a) {
    box.axes[a].dst_stride = p.strides[a];
    box.axes[a].dst_counts = Counts::bytes;
  }
  box.dst_offset = p.offset;
  box.dst_slot = 0;
}

class Packer {
 public:
  Packer(PackedSides sides, std::int64_t limit, const std::function<void(const Packet&)>& take)
      : sides_(sides), limit_(limit), take_(take) {}

  /// A box and how many indices of each of its axes a part has; axes before `a` are cut already.
  void append_parts(const Box& box, const Counted& part, std::size_t a = 0) {
    if (a == box.axes.size()) return append(box);
    const Axis axis = box.axes[a];
    for (std::int64_t i = 0; i < axis.extent; i += part[a]) {
      Box one = box;
      one.axes[a].extent = std::min(part[a], axis.extent - i);
      move_origin(one, axis, i);
      append_parts(one, part, a + 1);
    }
  }

  void finish() {
    if (packet_.move.empty()) return;
    if (sides_ != PackedSides::both) count_from_the_first_byte();
    take_(packet_);
    packet_ = {};
  }

 private:
  static std::int64_t next(std::int64_t bytes) { return ceil_divide(bytes, alignment) * alignment; }

  void append(const Box& box) {
    const Counted n = extents_of(box);
    const std::int64_t in = packs_source(sides_) ? packed_bytes(box, n, Side::source) : 0;
    const std::int64_t out = packs_destination(sides_) ? packed_bytes(box, n, Side::destination) : 0;
    ensure(in <= limit_ && out <= limit_);
    const bool is_full = next(packet_.in_bytes) > limit_ - in || next(packet_.out_bytes) > limit_ - out;
    if (is_full || std::ssize(packet_.move) == max_parts) finish();
    Box between = box;
    if (packs_source(sides_)) {
      const PackedSide p = packed(box, Side::source, next(packet_.in_bytes));
      Box pack;
      pack.unit = box.unit;
      pack.src_offset = box.src_offset, pack.src_slot = box.src_slot, pack.dst_offset = p.offset;
      for (std::size_t a = 0; a < box.axes.size(); ++a) {
        const Axis& axis = box.axes[a];
        if (axis.src_stride != 0) pack.axes.push_back({axis.extent, axis.src_stride, p.strides[a], axis.src_counts, Counts::bytes});
      }
      packet_.in_bytes = next(packet_.in_bytes) + in;
      packet_.pack.push_back(std::move(pack));
      set_source(between, p);
    }
    if (packs_destination(sides_)) {
      const PackedSide p = packed(box, Side::destination, next(packet_.out_bytes));
      Box unpack = box;
      set_source(unpack, p);
      packet_.out_bytes = next(packet_.out_bytes) + out;
      packet_.unpack.push_back(std::move(unpack));
      set_destination(between, p);
    }
    packet_.n_bytes += n_bytes_of(box);
    packet_.move.push_back(std::move(between));
  }

  void count_from_the_first_byte() {
    const Side side = packs_source(sides_) ? Side::destination : Side::source;
    const std::vector<ByteSpan> spans = spans_of(packet_.move, side, count_slots(packet_.move, side));
    const auto is_touched = [](const ByteSpan& s) { return s.first != s.last; };
    packet_.first_slot = static_cast<std::int32_t>(std::find_if(spans.begin(), spans.end(), is_touched) - spans.begin());
    packet_.at = INT64_MAX;
    for (const ByteSpan& s : spans)
      if (is_touched(s)) packet_.at = std::min(packet_.at, s.first);
    for (Box& box : packet_.move) {
      (side == Side::source ? box.src_offset : box.dst_offset) -= packet_.at;
      (side == Side::source ? box.src_slot : box.dst_slot) -= packet_.first_slot;
    }
  }

  PackedSides sides_;
  std::int64_t limit_;
  const std::function<void(const Packet&)>& take_;
  Packet packet_;
};

Boxes data_of(const Boxes& boxes) {
  Boxes data;
  for (const Box& box : boxes)
    if (!box.is_fill) data.push_back(box);
  simplify(data);
  return data;
}

}  // namespace

std::int64_t packed_bytes(const Boxes& boxes, PackedSides sides, std::int64_t limit) {
  std::int64_t in = 0, out = 0;
  for (const Box& box : boxes) {
    if (box.is_fill) continue;
    const Counted n = extents_of(box);
    if (packs_source(sides)) in = std::min(limit, add(in, add(packed_bytes(box, n, Side::source), alignment)));
    if (packs_destination(sides)) out = std::min(limit, add(out, add(packed_bytes(box, n, Side::destination), alignment)));
  }
  return std::max(in, out);
}

void for_each_packet(const Boxes& boxes, PackedSides sides, std::int64_t limit, const std::function<void(const Packet&)>& take) {
  Packer packer(sides, limit, take);
  for (const Box& box : data_of(boxes)) packer.append_parts(box, part_of(box, sides, limit));
  packer.finish();
}

}  // namespace crinkle
