// Crinkle and uncrinkle: Hawick and Playne, equation 24, for any step, any set of axes and both places for the phase. The formula,
// which puts the phase slowest of the whole array, is what holds; several crinkles differ only by the order of their phase axes.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/checked.hpp"
#include "crinkle/operations.hpp"
#include "operations/axes.hpp"

namespace crinkle {
namespace {

struct Prepared {
  Rearrangement padded;                      // the source, its tails padded or dropped
  std::vector<Rearrangement::Split> splits;  // (x phase) on every crinkled axis
  std::vector<std::int64_t> order;           // the crinkled axes, in the order of the crinkles
  std::vector<bool> is_ragged;               // per source axis
};

Prepared prepare(const Layout& source, std::span<const Crinkle> crinkles, Tail tail) {
  Prepared p{Rearrangement(source), {}, {}, std::vector<bool>(source.extents.size(), false)};
  for (const std::int64_t n : source.extents) p.splits.push_back({{{"", n}}});
  for (const Crinkle& c : crinkles) {
    const std::int64_t a = checked_axis(source, c.axis);
    const auto at = static_cast<std::size_t>(a);
    const std::int64_t n = source.extents[at];
    const std::string what = "axis " + std::to_string(a) + " of extent " + std::to_string(n);
    if (c.step < 1)
      throw Error(ErrorCode::bad_shape, "cannot crinkle " + what + " by " + std::to_string(c.step) + ": the step is 1 or more");
    if (std::find(p.order.begin(), p.order.end(), a) != p.order.end()) {
      throw Error(ErrorCode::unsupported, what + " is crinkled twice; crinkle once by the product of the steps, or compose with then()");
    }
    p.order.push_back(a);
    const std::int64_t rest = n % c.step;
    std::int64_t x = n / c.step;
    if (rest != 0) {
      switch (tail) {
        case Tail::error:
          throw Error(ErrorCode::not_divisible, what + " is not divisible by the step " + std::to_string(c.step) + ": " +
                                                    std::to_string(n - rest) + " and " + std::to_string(add(n - rest, c.step)) +
                                                    " would do, or choose a tail (ragged, pad, drop)");
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

// Some phases of one crinkled axis that have equally many elements.
struct Phases {
  std::int64_t first, count, within;
};

// Global and ragged: the phases' arrays have different extents, so the result is flat. Every choice of phases of equally many elements, one
// range per crinkled axis, is one box; its place is the sum over the crinkles, outermost first, of what the phases before it take.
Rearrangement crinkle_flat(const Layout& source, std::span<const Crinkle> crinkles) {
  const std::size_t rank = source.extents.size();
  std::vector<std::size_t> order;           // the crinkled axes, outermost phase first: the last crinkle
  std::vector<std::vector<Phases>> ranges;  // of each, at most two
  std::vector<std::int64_t> steps(rank, 1);
  std::int64_t n_boxes = source.n_elements() == 0 ? 0 : 1;
  for (auto c = crinkles.rbegin(); c != crinkles.rend(); ++c) {
    const auto a = static_cast<std::size_t>(checked_axis(source, c->axis));
    const std::int64_t q = source.extents[a] / c->step, r = source.extents[a] % c->step;
    order.push_back(a);
    steps[a] = c->step;
    ranges.emplace_back();
    if (r > 0) ranges.back().push_back({0, r, q + 1});
    if (q > 0) ranges.back().push_back({r, c->step - r, q});
    n_boxes *= static_cast<std::int64_t>(ranges.back().size());
    if (n_boxes > 4096)
      throw Error(ErrorCode::too_large,
                  "a ragged crinkle of this many axes has more than 4096 boxes; crinkle some axes in a move of their own");
  }
  Boxes boxes;
  for (std::int64_t choice = 0; choice < n_boxes; ++choice) {
    std::vector<std::int64_t> extents = source.extents;  // of what one choice of the phases so far holds
    Box box;
    box.src_offset = source.offset;
    std::int64_t rest = choice;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::size_t a = order[k];
      const Phases& p = ranges[k][static_cast<std::size_t>(rest) % ranges[k].size()];
      rest /= static_cast<std::int64_t>(ranges[k].size());
      std::int64_t beside = source.element_bytes;  // bytes of one index of axis a
      for (std::size_t b = 0; b < rank; ++b) {
        if (b != a) beside = multiply(beside, extents[b]);
      }
      // the phases before the first of these hold one element more, if there are any
      if (p.first > 0) box.dst_offset = add(box.dst_offset, multiply(multiply(beside, p.within + 1), p.first));
      if (p.first > 0) box.src_offset = add_product(box.src_offset, p.first, source.strides[a]);
      if (p.count > 1) box.axes.push_back({p.count, source.strides[a], multiply(beside, p.within)});
      extents[a] = p.within;
    }
    std::int64_t stride = source.element_bytes;
    for (std::size_t a = rank; a-- > 0;) {
      if (extents[a] > 1) box.axes.push_back({extents[a], multiply(source.strides[a], steps[a]), stride});
      stride = multiply(stride, extents[a]);
    }
    push_element(box, source.element_bytes);
    boxes.push_back(box);
  }
  return from_boxes(source, std::move(boxes), source.n_elements());
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

Rearrangement uncrinkle(const Extents& extents, std::int64_t element_bytes, std::span<const Crinkle> crinkles, Placement placement,
                        Tail tail) {
  const Layout whole = Layout::dense(extents, element_bytes);
  if (tail == Tail::error || tail == Tail::ragged) return crinkle(whole, crinkles, placement, tail).inverse();
  // pad: the crinkled array is that of the next multiples, cut afterwards; drop: of the multiples below, zeros where the end was
  Layout even = whole;
  for (const Crinkle& c : crinkles) {
    const std::int64_t a = checked_axis(whole, c.axis);
    std::int64_t& n = even.extents[static_cast<std::size_t>(a)];
    if (c.step < 1) {
      throw Error(ErrorCode::bad_shape, "cannot uncrinkle axis " + std::to_string(a) + " of extent " + std::to_string(n) + " by " +
                                            std::to_string(c.step) + ": the step is 1 or more");
    }
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
