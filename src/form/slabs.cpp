// Slab lengths, and the recursion from the destination back to the source.
// SPDX-License-Identifier: BSD-3-Clause
#include "form/slabs.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "base/checked.hpp"
#include "form/check.hpp"
#include "form/compose.hpp"
#include "form/cut.hpp"
#include "form/simplify.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t widest_unit = 16;                     // bytes: slabs that begin at multiples of it tear nothing
constexpr CompositionLimits between_slabs{4096, 4'000'000};  // a step saved is worth more boxes here than it is to then()

std::int64_t last_byte(const Step& step, Side side) {
  Steps one;
  one.steps.push_back(step);
  return spans_of(one, side, 1).front().last;
}

// With three steps and more, steps between which then() has found too many boxes may be one after all.
void fuse(std::vector<Step>& steps) {
  for (std::size_t k = 0; k + 1 < steps.size() && steps.size() > 2;) {
    std::string unused;
    std::optional<Boxes> both;
    if (steps[k].gathers.empty() && steps[k + 1].gathers.empty())
      both = compose_boxes(steps[k].boxes, steps[k + 1].boxes, unused, between_slabs);
    if (!both) {
      ++k;
      continue;
    }
    steps[k] = {std::move(*both), {}, {}};
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(k) + 1);
  }
}

// The longest stretch of at most `most` bytes, a multiple of `base`, that is a multiple of a stride of either step: where it ends, few
// boxes are torn.
std::int64_t even_stretch(const Step* before, const Step* after, std::int64_t base, std::int64_t most) {
  std::int64_t best = base;
  const auto offer = [&](std::int64_t stride) {
    std::int64_t common = 0;
    stride = stride < 0 ? -stride : stride;
    if (stride > 0 && stride <= most && !__builtin_mul_overflow(stride / std::gcd(stride, base), base, &common) && common <= most)
      best = std::max(best, common);
  };
  const auto offer_all = [&](const Step* step, Side side) {
    if (step == nullptr) return;
    for (const Box& b : step->boxes) {
      for (const Axis& a : b.axes) offer(stride_of(a, side));
    }
    if (side == Side::source) return;  // of a gathered axis only the destination is even
    for (const GatherAxis& g : step->gathers) offer(g.dst_offsets.size() > 1 ? subtract(g.dst_offsets[1], g.dst_offsets[0]) : 0);
  };
  offer_all(before, Side::destination);
  offer_all(after, Side::source);
  return best;
}

template <class F>
void for_each_slab(std::int64_t n_bytes, std::int64_t slab, const F& body) {
  for (std::int64_t first = 0; first < n_bytes; first += slab) body(ByteSpan{first, std::min(n_bytes, add(first, slab))});
}

}  // namespace

Slabs::Slabs(const Rearrangement& r, std::int64_t limit, Actions actions) : limit_(limit), actions_(std::move(actions)) {
  steps_ = r.steps().steps;
  for (Step& step : steps_) {
    simplify(step.boxes);
    for (Boxes& boxes : step.fill_boxes) simplify(boxes);
  }
  fuse(steps_);
  arrays_.resize(steps_.size() + 1);
  const std::size_t last = steps_.size();
  std::int64_t n_slabbed = 0, all_bytes = 0;
  for (std::size_t k = 0; k <= last; ++k) {
    Array& array = arrays_[k];
    array.is_whole = (k == 0 && !actions_.read) || (k == last && !actions_.take);
    array.n_bytes = k == 0      ? r.source().n_bytes()
                    : k == last ? r.destination().n_bytes()
                                : std::max(last_byte(steps_[k - 1], Side::destination), last_byte(data_of(steps_[k]), Side::source));
    if (array.is_whole) continue;
    ++n_slabbed;
    all_bytes = add(all_bytes, multiply(ceil_divide(array.n_bytes, widest_unit), widest_unit));
  }
  for (std::size_t k = 0; k <= last; ++k) {
    Array& array = arrays_[k];
    if (array.is_whole) continue;
    array.slab = all_bytes <= limit_ || !can_be_cut_at(k) ? array.n_bytes : slab_bytes(k, limit_ / n_slabbed);
    array.at = workspace_bytes_;
    workspace_bytes_ = add(workspace_bytes_, multiply(ceil_divide(std::min(array.slab, array.n_bytes), widest_unit), widest_unit));
  }
}

bool Slabs::can_be_cut_at(std::size_t k) const {
  return (k == 0 || can_be_cut(steps_[k - 1], Side::destination)) && (k == steps_.size() || can_be_cut(steps_[k], Side::source));
}

std::int64_t Slabs::slab_bytes(std::size_t k, std::int64_t share) const {
  const std::int64_t whole = k == 0 ? actions_.read_multiple : k == steps_.size() ? actions_.take_multiple : 1;
  const std::int64_t base = multiply(widest_unit / std::gcd(widest_unit, whole), whole);
  const std::int64_t stretch = even_stretch(k == 0 ? nullptr : &steps_[k - 1], k == steps_.size() ? nullptr : &steps_[k], base, share);
  return std::max(stretch, share / stretch * stretch);
}

std::int64_t Slabs::most_makings() const noexcept {
  std::int64_t n = 1;
  bool is_first = true;
  for (const Array& array : arrays_) {
    if (array.is_whole || array.n_bytes == 0) continue;
    if (!is_first && __builtin_mul_overflow(n, ceil_divide(array.n_bytes, array.slab), &n)) return INT64_MAX;
    is_first = false;
  }
  return n;
}

Place Slabs::place_of(std::size_t k) const {
  if (!arrays_[k].is_whole) return {Place::In::workspace, arrays_[k].at};
  return {k == 0 ? Place::In::source : Place::In::destination, 0};
}

// The parts of the step before array k that write this slab of it.
std::vector<Step> Slabs::writers_of(std::size_t k, ByteSpan slab) const {
  if (slab.first == 0 && slab.last == arrays_[k].n_bytes) return {steps_[k - 1]};
  return cut(steps_[k - 1], Side::destination, slab);
}

void Slabs::run() {
  const std::size_t last = steps_.size();
  for (Array& array : arrays_) array.present = {};
  if (last == 0) return;
  if (!arrays_[last].is_whole) {
    return for_each_slab(arrays_[last].n_bytes, arrays_[last].slab, [&](ByteSpan slab) {
      make(last, slab);
      actions_.take(slab, arrays_[last].at);
    });
  }
  if (last == 1 && arrays_[0].is_whole) return run_in_parts(steps_[0]);
  write(last, {steps_[last - 1]});
}

// Brings a slab of array k into the workspace.
void Slabs::make(std::size_t k, ByteSpan slab) {
  if (arrays_[k].present == slab) return;
  if (k == 0) {
    actions_.read(slab, arrays_[0].at);
  } else {
    write(k, writers_of(k, slab));
  }
  arrays_[k].present = slab;
}

// Runs parts of the step before array k: first what they fill, then what each slab of the array before has for them.
void Slabs::write(std::size_t k, const std::vector<Step>& parts) {
  const Place to = place_of(k);
  const Array& before = arrays_[k - 1];
  if (before.is_whole) {
    for (const Step& part : parts) actions_.run(part, place_of(k - 1), to);
    return;
  }
  std::vector<Step> movers;
  for (const Step& part : parts) {
    const Step fills = fills_of(part);
    if (!is_nothing(fills)) actions_.run(fills, place_of(k - 1), to);
    movers.push_back(data_of(part));
  }
  for_each_slab(before.n_bytes, before.slab, [&](ByteSpan slab) {
    std::vector<Step> readers;
    for (const Step& mover : movers) {
      if (slab.first == 0 && slab.last == before.n_bytes) {
        readers.push_back(mover);
      } else {
        std::vector<Step> inside = cut(mover, Side::source, slab);
        std::move(inside.begin(), inside.end(), std::back_inserter(readers));
      }
    }
    if (std::all_of(readers.begin(), readers.end(), is_nothing)) return;
    make(k - 1, slab);
    for (const Step& reader : readers) actions_.run(reader, place_of(k - 1), to);
  });
}

void Slabs::run_in_parts(const Step& step) {
  constexpr std::int64_t few_parts = 8;
  const Place from = place_of(0), to = place_of(1);
  const std::int64_t n_bytes = arrays_[1].n_bytes;
  const bool has_parts =
      n_bytes / few_parts > limit_ && can_be_cut(step, Side::destination) && last_byte(step, Side::destination) == n_bytes;
  if (!has_parts) return actions_.run(step, from, to);
  for_each_slab(n_bytes, slab_bytes(1, limit_), [&](ByteSpan slab) {
    for (const Step& part : writers_of(1, slab)) actions_.run(part, from, {to.array, slab.first});
  });
}

}  // namespace crinkle
