// Schedules of rows that fill the destination between them, as the boxes of rolled and padded arrays do: gone through together in the order
// of the destination, by one line writer, so that where one schedule's rows end and another's begin no line is written in two parts. Parts
// are stretches of the destination; a schedule's share of one is found by bisection.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <new>

#include "cpu/scratch.hpp"
#include "move/cpu/row_place.hpp"

namespace crinkle {
namespace {

constexpr std::size_t most_schedules = 128;
constexpr std::int64_t long_merged_rows = 4096;  // bytes a row, all in all: what a seam costs does not count beyond

// The schedule's rows come in the order of the destination, whose bytes they do not skip.
bool is_in_order(const planning::Schedule& schedule) {
  if (schedule.regime != planning::Regime::rows || schedule.swapped != 0) return false;
  std::int64_t span = row_form_of(schedule).row_bytes;
  for (std::size_t a = schedule.outer.size(); a-- > 0;) {
    const Axis& axis = schedule.outer[a];
    if (axis.dst_counts != Counts::bytes || axis.dst_stride < span) return false;
    span += (axis.extent - 1) * axis.dst_stride;
  }
  return true;
}

struct Lane {
  Run run;
  RowForm form;
  std::int64_t n_rows = 0;

  Lane(const Run& base, const CpuSchedule& schedule) : run(base.of(schedule)), form(row_form_of(schedule)), n_rows(n_indices(form.outer)) {}
  std::int64_t at(std::int64_t row) const {
    Counter counter(form.outer);
    counter.seek(row, start_of(run));
    return counter.spot().dst;
  }
  // The first row that begins at `dst` or behind it.
  std::int64_t row_from(std::int64_t dst) const {
    std::int64_t low = 0, high = n_rows;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      at(middle) < dst ? low = middle + 1 : high = middle;
    }
    return low;
  }
};

// All lanes' rows of a stretch of the destination. Each lane is at a place of its own; the places are a heap, the first of them next.
class Merging {
 public:
  Merging(const Lane* lanes, std::size_t n, RowPlace* places, RowPlace** heap, std::int64_t from, std::int64_t to)
      : places_(places), heap_(heap), n_places_(n), writer_(*lanes[0].run.kernels, true, lanes[0].run.habits.ahead) {
    for (std::size_t k = 0; k < n; ++k) {
      const Lane& lane = lanes[k];
      const std::int64_t first = lane.row_from(from), last = lane.row_from(to);
      RowPlace* place =
          new (places + k) RowPlace(lane.run, lane.form, first * lane.form.n_pieces, last * lane.form.n_pieces, lone_turn, writer_);
      if (first < last) heap_[n_busy_++] = place;
    }
    std::make_heap(heap_, heap_ + n_busy_, is_later);
  }
  ~Merging() {
    writer_.finish();
    std::destroy_n(places_, n_places_);
  }
  Merging(const Merging&) = delete;
  Merging& operator=(const Merging&) = delete;

  bool is_done() const { return n_busy_ == 0; }
  void turn() {
    heap_[0]->turn();
    if (heap_[0]->is_done()) heap_[0] = heap_[--n_busy_];
    sink();
    writer_.flush();
  }

 private:
  static bool is_later(const RowPlace* a, const RowPlace* b) { return a->out() > b->out(); }
  // The first place to where it belongs.
  void sink() {
    for (std::size_t k = 0; 2 * k + 1 < n_busy_;) {
      std::size_t next = 2 * k + 1;
      if (next + 1 < n_busy_ && is_later(heap_[next], heap_[next + 1])) ++next;
      if (!is_later(heap_[k], heap_[next])) return;
      std::swap(heap_[k], heap_[next]);
      k = next;
    }
  }

  RowPlace* places_;
  RowPlace** heap_;
  std::size_t n_places_, n_busy_ = 0;
  simd::LineWriter writer_;
};

// Objects of some types one behind the other.
class Room {
 public:
  explicit Room(std::size_t bytes) : at_(static_cast<std::byte*>(simd::Scratch::of_this_thread().get(bytes))) {}
  template <class T>
  T* take(std::size_t n) {
    T* const first = reinterpret_cast<T*>(at_);
    at_ += bytes_of<T>(n);
    return first;
  }
  template <class T>
  static constexpr std::size_t bytes_of(std::size_t n) {
    return (n * sizeof(T) + 63) / 64 * 64;
  }

 private:
  std::byte* at_;
};

}  // namespace

bool is_merged(std::span<const CpuSchedule> schedules) {
  if (schedules.size() < 2 || schedules.size() > most_schedules) return false;
  const auto is_same_buffer = [&](const CpuSchedule& s) { return s.dst_slot == schedules[0].dst_slot; };
  if (!std::all_of(schedules.begin(), schedules.end(), is_in_order) || !std::all_of(schedules.begin(), schedules.end(), is_same_buffer))
    return false;
  std::int64_t n_bytes = 0, n_rows = 0;
  for (const CpuSchedule& s : schedules) n_bytes += s.n_bytes, n_rows += n_indices(s.outer);
  return n_bytes / n_rows < long_merged_rows;
}

void run_merged(const Run& run, std::span<const CpuSchedule> schedules, std::int64_t part, std::int64_t n_parts) {
  const std::size_t n = schedules.size();
  Room room(Room::bytes_of<Lane>(n) + Room::bytes_of<RowPlace>(n) + Room::bytes_of<RowPlace*>(n));
  Lane* const lanes = room.take<Lane>(n);
  for (std::size_t k = 0; k < n; ++k) new (lanes + k) Lane(run, schedules[k]);
  std::int64_t low = INT64_MAX, high = INT64_MIN;
  for (std::size_t k = 0; k < n; ++k) {
    low = std::min(low, lanes[k].at(0));
    high = std::max(high, lanes[k].at(lanes[k].n_rows - 1) + 1);
  }
  const auto bound = [&](std::int64_t p) { return low + begin_of(high - low, p, n_parts); };
  {
    Merging merging(lanes, n, room.take<RowPlace>(n), room.take<RowPlace*>(n), bound(part), bound(part + 1));
    while (!merging.is_done()) merging.turn();
  }
  std::destroy_n(lanes, n);
}

}  // namespace crinkle
