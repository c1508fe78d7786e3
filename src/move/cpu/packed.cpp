// Packed: runs are short on both sides. Block by block, a block's lines are sent for while the one before is put together; its runs leave
// by whole lines, and what does not fill a line waits for the next block where that carries on.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cpu/packed.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "base/sizes.hpp"
#include "cpu/scratch.hpp"
#include "move/cpu/parts.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t n_together = 128;  // items between two looks at what is to be sent for
constexpr std::int64_t widest_load = 16;  // bytes that are read of an element that is shorter

// The axis along which runs of the destination follow each other before the other outer ones.
AxisList order_of(const planning::Schedule& schedule, std::int64_t dst_run_bytes) {
  AxisList outer = outer_of(schedule);
  const auto next = std::find_if(outer.begin(), outer.end(), [&](const Axis& a) { return a.dst_stride == dst_run_bytes; });
  if (next != outer.end()) std::rotate(outer.begin(), next, next + 1);
  return outer;
}

class Block {
 public:
  Block(const Run& run, const PackTables& tables, simd::Scratch& memory) : run_(run), t_(tables), element_(run.schedule->element) {
    const std::int64_t n_src_runs = std::ssize(t_.src_runs), n_dst_runs = std::ssize(t_.dst_runs);
    const std::int64_t stage = t_.is_staged ? n_src_runs * t_.pitch + cache_line : 0;
    const std::int64_t buffer = ceil_divide(n_dst_runs * t_.dst_run_bytes, cache_line) * cache_line + cache_line,
                       carry = (n_dst_runs + 1) * cache_line;
    const std::int64_t columns = n_dst_runs * static_cast<std::int64_t>(sizeof(std::byte*));
    stage_ = static_cast<std::byte*>(memory.get(static_cast<std::size_t>(stage + buffer + carry + columns)));
    buffer_ = stage_ + stage;
    carry_ = buffer_ + buffer;
    columns_ = reinterpret_cast<std::byte**>(carry_ + carry);
  }

  // The block whose first element lies at a spot, `from_start` bytes behind that of the first block; the next one, if any, is at `next`.
  void put_together(const Spot& spot, std::int64_t from_start, const Spot* next) {
    const std::byte* const src = source(spot);
    next_ = next == nullptr ? nullptr : source(*next);
    n_sent_ = next == nullptr ? std::ssize(t_.src_lines) : 0;
    if (t_.is_staged)
      for (std::size_t k = 0; k < t_.src_runs.size(); ++k)
        run_.kernels->copy(src + t_.src_runs[k], stage_ + static_cast<std::int64_t>(k) * t_.pitch, t_.src_run_bytes);
    const std::byte* const from = t_.is_staged ? stage_ : src;
    is_exact_ = !t_.is_staged && !simd::is_unit(element_) && from_start + t_.block_end + widest_load > t_.src_end;
    for (std::size_t l = 0; l < t_.in_lanes.size(); ++l)
      t_.items.empty() ? matrix(l, from + t_.in_lanes[l]) : items(l, from + t_.in_lanes[l]);
  }

  // To the destination. is_first: nothing waits for these runs yet; is_last: nothing may stay.
  void leave(const Spot& spot, bool is_first, bool is_last) {
    std::byte* const dst = run_.dst[static_cast<std::size_t>(spot.dst_slot)] + spot.dst;
    const std::int64_t n = std::ssize(t_.dst_runs);
    for (std::int64_t k = 0; k < n; ++k) columns_[k] = dst + t_.dst_runs[static_cast<std::size_t>(k)];
    if (run_.is_streaming) {
      const std::byte* const row = buffer_;
      return run_.kernels->table_runs_shift(&row, 1, columns_, n, 0, t_.dst_run_bytes, carry_, is_first, is_last, 0);
    }
    for (std::int64_t k = 0; k < n; ++k) run_.kernels->copy(buffer_ + k * t_.dst_run_bytes, columns_[k], t_.dst_run_bytes);
  }

 private:
  const std::byte* source(const Spot& spot) const { return run_.src[static_cast<std::size_t>(spot.src_slot)] + spot.src; }

  void matrix(std::size_t lane, const std::byte* in) {
    run_.kernels->transpose[simd::unit_index(element_)](in, t_.in_stride, t_.n_rows, t_.n_columns, buffer_ + t_.out_lanes[lane],
                                                        t_.out_stride);
    send_for(static_cast<std::int64_t>(lane) + 1, std::ssize(t_.in_lanes));
  }

  void items(std::size_t lane, const std::byte* in) {
    const std::int64_t n = std::ssize(t_.items), n_turns = ceil_divide(n, n_together);
    for (std::int64_t i = 0, turn = 1; i < n; i += n_together, ++turn) {
      const std::int64_t some = std::min(n_together, n - i);
      std::byte* const out = buffer_ + t_.out_lanes[lane] + i * element_;
      for (std::int64_t k = 0; is_exact_ && k < some; ++k)
        run_.kernels->copy(in + t_.items[static_cast<std::size_t>(i + k)], out + k * element_, element_);
      if (!is_exact_) run_.kernels->pack(in, t_.items.data() + i, some, element_, out);
      send_for(static_cast<std::int64_t>(lane) * n_turns + turn, std::ssize(t_.in_lanes) * n_turns);
    }
  }

  // Sends for the next block's lines as far as `done` of `of` shares of this one.
  void send_for(std::int64_t done, std::int64_t of) {
    for (const std::int64_t until = std::ssize(t_.src_lines) * done / of; n_sent_ < until; ++n_sent_)
      fetch(next_ + t_.src_lines[static_cast<std::size_t>(n_sent_)], 1);
  }

  const Run& run_;
  const PackTables& t_;
  std::int64_t element_;
  std::byte* stage_ = nullptr;
  std::byte* buffer_ = nullptr;
  std::byte* carry_ = nullptr;
  std::byte** columns_ = nullptr;
  const std::byte* next_ = nullptr;
  std::int64_t n_sent_ = 0;  // lines of the next block
  bool is_exact_ = false;    // nothing may be read behind an element
};

}  // namespace

void run_packed(const Run& run, std::int64_t part, std::int64_t n_parts) {
  const PackTables& tables = run.ready->tables;
  const AxisList outer = order_of(*run.schedule, tables.dst_run_bytes);
  const std::int64_t n = n_indices(outer);
  const std::int64_t first = begin_of(n, part, n_parts), last = begin_of(n, part + 1, n_parts);
  if (first == last) return;
  const std::int64_t n_on = !outer.empty() && outer[0].dst_stride == tables.dst_run_bytes ? outer[0].extent : 1;
  Block block(run, tables, simd::Scratch::of_this_thread());
  Counter at(outer);
  at.seek(first, start_of(run));
  Counter next = at;
  for (std::int64_t b = first; b < last; ++b, at.next()) {
    if (b + 1 < last) next.next();
    block.put_together(at.spot(), at.spot().src - start_of(run).src, b + 1 < last ? &next.spot() : nullptr);
    block.leave(at.spot(), b == first || b % n_on == 0, b + 1 == last || (b + 1) % n_on == 0);
  }
}

}  // namespace crinkle
