// Records as a part of a move sees them, and a stretch of their run.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "base/checked.hpp"
#include "move/cpu/parts.hpp"
#include "move/cpu/reversed.hpp"

namespace crinkle {

inline constexpr std::int64_t least_stretch = 16 << 10;  // bytes of a run worth a place of its own
inline constexpr std::int64_t most_record_fields = 64;
inline constexpr std::int64_t reversed_bytes = 16 << 10;  // of records that are reversed at once, in the first cache
inline constexpr std::int64_t between_fields = 64;        // bytes there

// A record's fields lie along one chain, its repetition along the first axis of the other; everything else is outer.
struct RecordForm {
  AxisList fields;  // fastest first
  Axis run;
  AxisList outer;  // fastest first: what follows the run in its own chain, then the schedule's
  std::int64_t element = 1, n_fields = 1;
  std::int64_t n_stretches = 1;  // a long run in equal stretches
};

inline RecordForm record_form_of(const planning::Schedule& schedule, std::int64_t n_parts) {
  const bool is_interlace = schedule.regime == planning::Regime::interlace;
  RecordForm f;
  f.fields = is_interlace ? schedule.down : schedule.along;
  const AxisList& chain = is_interlace ? schedule.along : schedule.down;
  f.run = chain[0];
  for (std::size_t a = 1; a < chain.size(); ++a) f.outer.push_back(chain[a]);
  for (const Axis& a : outer_of(schedule)) f.outer.push_back(a);
  f.element = schedule.element;
  f.n_fields = n_indices(f.fields);
  const std::int64_t bytes = f.run.extent * f.n_fields * f.element, n = n_indices(f.outer);
  f.n_stretches = std::clamp<std::int64_t>(ceil_divide(4 * n_parts, n), 1, std::max<std::int64_t>(1, bytes / least_stretch));
  return f;
}

// A part of the run that lies in order in the source, or in a copy: of a reversed run so much as the first cache holds.
class RecordStretch {
 public:
  RecordStretch(const Run& run, const RecordForm& form) : run_(&run), form_(&form), is_reversed_(planning::is_reversed(*run.schedule)) {}

  // Stretch k of the run at a spot.
  void begin(const Spot& spot, std::int64_t k) {
    at_ = form_->run.extent * k / form_->n_stretches;
    end_ = form_->run.extent * (k + 1) / form_->n_stretches;
    from_ = is_reversed_ ? at_ : 0;
    to_ = is_reversed_ ? at_ : end_;
    spot_ = spot;
    Counter counter(form_->fields);
    counter.seek(0, spot);
    for (std::int64_t f = 0; f < form_->n_fields; ++f) {
      fields_[f] = counter.spot();
      counter.next();
    }
  }
  bool is_done() const { return at_ == end_; }

 protected:
  std::int64_t record() const { return form_->n_fields * form_->element; }
  std::int64_t at() const { return at_ - from_; }  // in what lies in order
  std::int64_t left() const { return to_ - at_; }  // of it
  std::int64_t extent() const { return is_reversed_ ? to_ - from_ : form_->run.extent; }

  // Of a reversed run that is used up, the next items: returns how many, 0 where some are left.
  std::int64_t next_reversed() {
    if (!is_reversed_ || at_ < to_) return 0;
    from_ = at_;
    to_ = std::min(end_, from_ + std::max<std::int64_t>(1, reversed_bytes / record()));
    return to_ - from_;
  }
  // n items of so many elements, the run's first at `in`: all elements in reverse order.
  void reverse_from(const std::byte* in, std::int64_t n, std::int64_t elements, std::byte* out) const {
    const std::int64_t e = form_->element;
    reversed(*run_->kernels, in - (to_ - 1) * elements * e, n * elements, e, out);
  }

  const Run* run_;
  const RecordForm* form_;
  bool is_reversed_;
  std::int64_t at_ = 0, end_ = 0;
  std::int64_t from_ = 0, to_ = 0;  // what lies in order
  Spot spot_;
  Spot fields_[most_record_fields];
  alignas(64) std::byte in_order_[reversed_bytes + most_record_fields * between_fields];
};

}  // namespace crinkle
