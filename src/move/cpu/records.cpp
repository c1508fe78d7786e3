// Records: one side keeps a few elements together that the other keeps apart. Interlacing reads k rows and writes one dense run; taking
// records apart reads one dense run and writes k rows. Both go in turns of a few hundred elements.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <new>
#include <optional>

#include "cpu/line_writer.hpp"
#include "cpu/scratch.hpp"
#include "cpu/tables.hpp"
#include "move/cpu/record_stretch.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t record_turn = 1024;                // of the destination of one place
constexpr std::int64_t woven_turn = 64 << 10;             // where nothing waits in a buffer
constexpr std::int64_t record_turn_in_caches = 32 << 10;  // nothing waits, nothing is fetched
constexpr std::int64_t field_turn = 2048;                 // of a field that is woven
constexpr std::int64_t most_streamed = 512;               // bytes of a field that leave at once
constexpr std::int64_t least_read = 16;                   // bytes of a record

// All stretches from the first to before the last.
template <class Work>
void run_stretches(const Run& run, const RecordForm& form, std::int64_t first, std::int64_t last, Work& work) {
  Counter counter(form.outer);
  counter.seek(first / form.n_stretches, start_of(run));
  for (std::int64_t at = first; at < last; ++at) {
    work.begin(counter.spot(), at % form.n_stretches);
    while (!work.is_done()) work.turn();
    if ((at + 1) % form.n_stretches == 0) counter.next();
  }
}

class Interlacing : public RecordStretch {
 public:
  Interlacing(const Run& run, const RecordForm& form)
      : RecordStretch(run, form), writer_(*run.kernels, run.is_streaming, run.habits.ahead) {}

  void turn() {
    const std::int64_t e = form_->element, record = this->record();
    set_bases();
    Spot spot = spot_;
    spot.step(form_->run, at_);
    writer_.go_to(run_->dst[static_cast<std::size_t>(spot.dst_slot)] + spot.dst);
    const simd::Weave* const weave = weave_of(*run_, 0);
    const bool crosses_lines = !run_->is_streaming && record == 32 && !writer_.is_at_multiple_of(record);
    const bool is_few = run_->kernels->few_fields != nullptr && simd::FewFields::has(form_->n_fields, e);
    const bool is_joined = is_few || (simd::joins(form_->n_fields, e) && !crosses_lines),
               is_straight = is_joined && writer_.next_line() != nullptr;
    const std::int64_t items = is_joined || weave == nullptr ? 1 : weave->items();
    const bool is_long = is_straight || (!is_joined && weave != nullptr);
    const std::int64_t turn = !run_->is_streaming ? record_turn_in_caches : is_long ? woven_turn : record_turn;
    const std::int64_t head = is_joined ? writer_.items_to_line(left(), record) : 0;
    const std::int64_t n = head > 0 ? head : std::min(left(), std::max(items, turn / record / items * items));
    const std::byte* rows[most_record_fields];
    for (std::int64_t f = 0; f < form_->n_fields; ++f) {
      rows[f] = bases_[f] + at() * e;
      if (run_->habits.reach != 0 && run_->is_streaming) fetch(rows[f] + n * e, std::min(n, left() - n) * e);
    }
    const bool is_better_joined = run_->is_streaming && is_joined && !is_few;
    if (const std::int64_t done = is_better_joined ? 0 : writer_.put_together(rows, form_->n_fields, e, left())) {
      at_ += done;
      return;
    }
    if (is_joined && joined(rows, n, is_straight)) return;
    if (weave != nullptr) return woven(*weave, n);
    simd::interlace(*run_->kernels, rows, form_->n_fields, n, writer_.room(), e);
    writer_.wrote(n * record);
    writer_.flush();
    at_ += n;
  }
  void finish() { writer_.finish(); }

 private:
  void set_bases() {
    const std::int64_t n = next_reversed(), e = form_->element;
    if (is_reversed_ && n == 0) return;
    for (std::int64_t f = 0; f < form_->n_fields; ++f) {
      bases_[f] = run_->src[static_cast<std::size_t>(fields_[f].src_slot)] + fields_[f].src;
      if (n == 0) continue;
      std::byte* const out = in_order_ + f * (n * e + between_fields);
      reverse_from(bases_[f], n, 1, out);
      bases_[f] = out;
    }
  }

  bool joined(const std::byte* const* rows, std::int64_t n, bool is_straight) {
    const std::size_t unit = simd::unit_index(form_->element);
    const auto join = is_straight ? run_->kernels->join_stream[unit] : run_->kernels->join[unit];
    const std::int64_t done = join(rows, form_->n_fields, n, is_straight ? writer_.next_line() : writer_.room());
    is_straight ? writer_.wrote_lines(done * record()) : writer_.wrote(done * record());
    writer_.flush();
    at_ += done;
    return done > 0;
  }

  void woven(const simd::Weave& weave, std::int64_t n) {
    writer_.woven(weave, bases_, at(), n, extent());
    at_ += n;
  }

  simd::LineWriter writer_;
  const std::byte* bases_[most_record_fields];  // of the fields
};

void interlace(const Run& run, const RecordForm& form, std::int64_t first, std::int64_t last) {
  Interlacing work(run, form);
  run_stretches(run, form, first, last, work);
  work.finish();
}

// Of a reversed run the fields of a record are reversed, too: the last comes first.
class Parting : public RecordStretch {
 public:
  Parting(const Run& run, const RecordForm& form, simd::LineWriter* writers) : RecordStretch(run, form), writers_(writers) {}

  void begin(const Spot& spot, std::int64_t k) {
    RecordStretch::begin(spot, k);
    if (is_reversed_) std::reverse(fields_, fields_ + form_->n_fields);
  }

  void turn() {
    const simd::Weave* const weave = weave_of(*run_, 0);
    const std::int64_t items = weave == nullptr ? 1 : weave->items();
    const std::int64_t turn = weave == nullptr     ? record_turn / 2
                              : run_->is_streaming ? field_turn
                                                   : record_turn_in_caches / form_->n_fields;
    set_base();
    const std::int64_t n = std::min(left(), std::max(items, turn / form_->element / items * items));
    std::byte* outs[most_record_fields];
    for (std::int64_t f = 0; f < form_->n_fields; ++f) {
      Spot spot = fields_[f];
      spot.step(form_->run, at_);
      writers_[f].go_to(run_->dst[static_cast<std::size_t>(spot.dst_slot)] + spot.dst);
      outs[f] = writers_[f].room();
    }
    const std::byte* in = base_ + at() * record();
    if (const std::int64_t head = items_to_line(); head > 0 && head < left()) return put(in, head, outs);
    if (taken_apart(in)) return;
    if (weave != nullptr) return woven(n);
    if (const std::int64_t n_lines = stream(in)) {
      at_ += n_lines;
      return;
    }
    put(in, n, outs);
  }

 private:
  void set_base() {
    const std::int64_t n = next_reversed();
    if (is_reversed_ && n == 0) return;
    base_ = run_->src[static_cast<std::size_t>(spot_.src_slot)] + spot_.src;
    if (n == 0) return;
    reverse_from(base_, n, form_->n_fields, in_order_);
    base_ = in_order_;
  }

  // Through the buffers.
  void put(const std::byte* in, std::int64_t n, std::byte* const* outs) {
    simd::deinterlace(*run_->kernels, in, form_->n_fields, n, outs, form_->element);
    for (std::int64_t f = 0; f < form_->n_fields; ++f) {
      writers_[f].wrote(n * form_->element);
      writers_[f].flush();
    }
    at_ += n;
  }

  // Where all fields begin at one place inside lines, what reaches the next ones: from there on they go by whole lines.
  std::int64_t items_to_line() const {
    const std::int64_t bytes = writers_[0].bytes_to_line();
    for (std::int64_t f = 1; f < form_->n_fields; ++f)
      if (writers_[f].bytes_to_line() != bytes) return 0;
    return bytes % form_->element == 0 ? bytes / form_->element : 0;
  }

  void woven(std::int64_t n) {
    // Each field reads these records again, from the cache: memory is kept busy with the next ones.
    const std::int64_t step = record(), share = std::min(n, left() - n) * step / form_->n_fields;
    for (std::int64_t f = 0; f < form_->n_fields; ++f) {
      if (run_->is_streaming) fetch_early(base_ + (at() + n) * step + f * share, share);
      writers_[f].woven(run_->ready->weaves[static_cast<std::size_t>(f)], &base_, at(), n, extent());
    }
    at_ += n;
  }

  // Straight from memory; the last records another way: 16 bytes of each are read, which may be more than it has, but in a copy is there.
  bool taken_apart(const std::byte* in) {
    const std::int64_t e = form_->element, record = this->record(),
                       past = is_reversed_ ? 0 : std::max<std::int64_t>(0, least_read - record);
    const std::int64_t n = left() - ceil_divide(past, record);
    if (n <= 0) return false;
    const std::int64_t done = simd::LineWriter::take_apart(writers_, form_->n_fields, in, record, e, n);
    at_ += done;
    return done > 0;
  }

  // Sends lines from the registers if every field begins a line now and fields lie evenly apart: returns how many elements of each, or 0.
  std::int64_t stream(const std::byte* in) {
    const std::int64_t e = form_->element, n = left() * e / most_streamed * most_streamed / e;
    if (!simd::is_unit(e) || n == 0) return 0;
    for (std::int64_t f = 0; f < form_->n_fields; ++f)
      if (writers_[f].next_line() == nullptr) return 0;
    std::byte* const first = writers_[0].next_line();
    const auto address = [&](std::int64_t f) { return reinterpret_cast<std::uintptr_t>(writers_[f].next_line()); };
    const std::uintptr_t apart = form_->n_fields > 1 ? address(1) - address(0) : 0;
    for (std::int64_t f = 2; f < form_->n_fields; ++f)
      if (address(f) - address(f - 1) != apart) return 0;
    const std::int64_t some = std::min(n, most_streamed / e);
    run_->kernels->transpose_stream[simd::unit_index(e)](in, form_->n_fields * e, some, form_->n_fields, first,
                                                         static_cast<std::int64_t>(apart), 0);
    for (std::int64_t f = 0; f < form_->n_fields; ++f) writers_[f].wrote_lines(some * e);
    return some;
  }

  simd::LineWriter* writers_;
  const std::byte* base_ = nullptr;
};

void deinterlace(const Run& run, const RecordForm& form, std::int64_t first, std::int64_t last) {
  const auto n_fields = static_cast<std::size_t>(form.n_fields);
  auto* writers = static_cast<simd::LineWriter*>(simd::Scratch::of_this_thread().get(n_fields * sizeof(simd::LineWriter)));
  for (std::size_t f = 0; f < n_fields; ++f) new (writers + f) simd::LineWriter(*run.kernels, run.is_streaming, run.habits.ahead);
  Parting work(run, form, writers);
  run_stretches(run, form, first, last, work);
  for (std::size_t f = 0; f < n_fields; ++f) writers[f].finish();
}

}  // namespace

void run_records(const Run& run, std::int64_t part, std::int64_t n_parts) {
  const RecordForm form = record_form_of(*run.schedule, n_parts);
  const std::int64_t n = n_indices(form.outer) * form.n_stretches;
  const std::int64_t first = begin_of(n, part, n_parts), last = begin_of(n, part + 1, n_parts);
  if (first == last) return;
  if (run.schedule->regime == planning::Regime::interlace) return interlace(run, form, first, last);
  Run parting = run;
  if (planning::is_reversed(*run.schedule) && form.run.extent * form.element < short_fields) parting.is_streaming = false;
  deinterlace(parting, form, first, last);
}

}  // namespace crinkle
