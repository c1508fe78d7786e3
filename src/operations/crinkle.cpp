// Crinkle and uncrinkle: paper 0, equation 24, for any step, any set of axes and both places for the phase. Errata 8 to 10 of the paper: the
// formula puts the phase slowest of the whole array; several crinkles differ only by the order of their phase axes.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/checked.hpp"
#include "crinkle/operations.hpp"
#include "operations/axes.hpp"

namespace crinkle {
namespace {

struct Prepared {
  Rearrangement padded;                       // the source, its tails padded or dropped
  std::vector<Rearrangement::Split> splits;   // (x phase) on every crinkled axis
  std::vector<std::int64_t> order;            // the crinkled axes, in the order of the crinkles
  std::vector<bool> is_ragged;                // per source axis
};

Prepared prepare(const Layout& source, std::span<const Crinkle> crinkles, Tail tail) {
  Prepared p{Rearrangement(source), {}, {}, std::vector<bool>(source.extents.size(), false)};
  for (const std::int64_t n : source.extents) p.splits.push_back({{{"", n}}});
  for (const Crinkle& c : crinkles) {
    const std::int64_t a = checked_axis(source, c.axis);
    const auto at = static_cast<std::size_t>(a);
    const std::int64_t n = source.extents[at];
    const std::string what = "axis " + std::to_string(a) + " of extent " + std::to_string(n);
    if (c.step < 1) throw Error(ErrorCode::bad_shape, "cannot crinkle " + what + " by " + std::to_string(c.step) + ": the step is 1 or more");
    if (std::find(p.order.begin(), p.order.end(), a) != p.order.end()) {
      throw Error(ErrorCode::unsupported, what + " is crinkled twice; crinkle once by the product of the steps, or compose with then()");
    }
    p.order.push_back(a);
    const std::int64_t rest = n % c.step;
    std::int64_t x = n / c.step;
    if (rest != 0) {
      switch (tail) {
        case Tail::error:
          throw Error(ErrorCode::not_divisible, what + " is not divisible by the step " + std::to_string(c.step) + ": " + std::to_string(n - rest) + " and " +
                                                    std::to_string(add(n - rest, c.step)) + " would do, or choose a tail (ragged, pad, drop)");
        case Tail::pad:
          x += 1;
          p.padded = p.padded.pad(axis_name(a), 0, c.step - rest);
          break;
        case Tail::drop: p.padded = p.padded.slice(axis_name(a), 0, n - rest); break;
        case Tail::ragged:
          x += 1;
          p.is_ragged[at] = true;
          break;
      }
    }
    p.splits[at] = {{{"", x}, {"", c.step}}, p.is_ragged[at], 1};
  }
  return p;
}

// Global and ragged: the phases' arrays have different extents, so the result is flat. Every choice of a range of phases with equal extents is one box;
// its place is the sum over axes, slowest first, of what the phases before it take.
Rearrangement crinkle_flat(const Layout& source, std::span<const Crinkle> crinkles) {
  const std::size_t rank = source.extents.size();
  std::vector<std::int64_t> steps(rank, 1), order;
  for (const Crinkle& c : crinkles) {
    order.push_back(checked_axis(source, c.axis));
    steps[static_cast<std::size_t>(order.back())] = c.step;
  }
  std::reverse(order.begin(), order.end());  // outermost phase first: the last crinkle
  Boxes boxes;
  // For each crinkled axis: 0 = the phases with one element more, 1 = the others.
  for (std::uint64_t choice = 0; choice < (std::uint64_t{1} << order.size()); ++choice) {
    std::vector<std::int64_t> within(source.extents), n_phases(rank, 1), first(rank, 0);
    bool is_empty = false;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const auto a = static_cast<std::size_t>(order[k]);
      const std::int64_t q = source.extents[a] / steps[a], r = source.extents[a] % steps[a];
      const bool is_short = (choice >> k & 1) != 0;
      within[a] = is_short ? q : q + 1;
      n_phases[a] = is_short ? steps[a] - r : r;
      first[a] = is_short ? r : 0;
      is_empty = is_empty || n_phases[a] == 0 || within[a] == 0;
    }
    if (is_empty) continue;
    // Phase axes, outermost first: one step of axis k's phase passes all that lies below it with this extent on axis k.
    Box box;
    box.unit = 1;
    box.src_offset = source.offset;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const auto a = static_cast<std::size_t>(order[k]);
      std::int64_t stride = source.element_bytes;  // one phase of axis a: axes outside have their chosen extents, axes inside are whole
      for (std::size_t b = 0; b < rank; ++b) {
        const auto place = std::find(order.begin(), order.end(), static_cast<std::int64_t>(b)) - order.begin();
        const bool is_chosen = static_cast<std::size_t>(place) <= k;
        stride = multiply(stride, is_chosen && place < static_cast<std::ptrdiff_t>(order.size()) ? within[b] : source.extents[b]);
      }
      // what the phases before the first of this range take: they hold one element more, `first` of them
      const std::int64_t before = first[a] == 0 ? 0 : multiply(multiply(stride / within[a], add(within[a], 1)), first[a]);
      box.dst_offset = add(box.dst_offset, before);
      box.src_offset = add_product(box.src_offset, first[a], source.strides[a]);
      box.axes.push_back({n_phases[a], source.strides[a], stride});
    }
    std::int64_t stride = source.element_bytes;
    for (std::size_t a = rank; a-- > 0;) {
      box.axes.push_back({within[a], multiply(source.strides[a], steps[a]), stride});
      stride = multiply(stride, within[a]);
    }
    box.axes.push_back({source.element_bytes, 1, 1});
    boxes.push_back(box);
  }
  Steps steps_of;
  steps_of.steps.push_back({std::move(boxes), {}, {}});
  return Rearrangement(source, Layout::dense({source.n_elements()}, source.element_bytes), std::move(steps_of));
}

}  // namespace

Rearrangement crinkle(const Layout& source, std::span<const Crinkle> crinkles, Placement placement, Tail tail) {
  const Prepared p = prepare(source, crinkles, tail);
  const bool is_ragged = std::find(p.is_ragged.begin(), p.is_ragged.end(), true) != p.is_ragged.end();
  const bool is_local = placement == Placement::local || (is_ragged && source.extents.size() == 1);
  if (is_ragged && !is_local) return crinkle_flat(source, crinkles);
  std::vector<Output> outputs;
  if (!is_local) {
    for (std::size_t k = p.order.size(); k-- > 0;) outputs.push_back({{OutputTerm{static_cast<int>(p.order[k]), 1, 1}}});
  }
  for (std::size_t a = 0; a < source.extents.size(); ++a) {
    const int axis = static_cast<int>(a);
    const bool is_crinkled = p.splits[a].digits.size() == 2;
    if (p.is_ragged[a]) {
      outputs.push_back({{OutputTerm{axis, 1, 1}, OutputTerm{axis, 0, 1}}});
    } else {
      if (is_crinkled && is_local) outputs.push_back({{OutputTerm{axis, 1, 1}}});
      outputs.push_back({{OutputTerm{axis, 0, 1}}});
    }
  }
  return p.padded.split_and_merge(p.splits, std::move(outputs));
}

Rearrangement uncrinkle(const Extents& extents, std::int64_t element_bytes, std::span<const Crinkle> crinkles, Placement placement, Tail tail) {
  const Layout whole = Layout::dense(extents, element_bytes);
  if (tail == Tail::error || tail == Tail::ragged) return crinkle(whole, crinkles, placement, tail).inverse();
  // pad: the crinkled array is that of the next multiples, cut afterwards; drop: of the multiples below, zeros where the end was
  Layout even = whole;
  std::vector<SliceRange> ranges(extents.size());
  for (const Crinkle& c : crinkles) {
    std::int64_t& n = even.extents[static_cast<std::size_t>(checked_axis(whole, c.axis))];
    if (c.step < 1) throw Error(ErrorCode::bad_shape, "cannot uncrinkle by " + std::to_string(c.step) + ": the step is 1 or more");
    n = multiply(tail == Tail::pad ? ceil_divide(n, c.step) : n / c.step, c.step);
  }
  even = Layout::dense(even.extents, element_bytes);
  const Rearrangement back = crinkle(even, crinkles, placement, Tail::error).inverse();
  Rearrangement fit(even);
  for (std::size_t a = 0; a < extents.size(); ++a) {
    const std::string axis = axis_name(static_cast<std::int64_t>(a));
    fit = tail == Tail::pad ? fit.slice(axis, 0, extents[a]) : fit.pad(axis, 0, extents[a] - even.extents[a]);
  }
  return back.then(fit);
}

}  // namespace crinkle
