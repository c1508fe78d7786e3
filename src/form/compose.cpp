// Two views of the array between, walked together from their largest strides down. Strands of equal stride meet index by index; a longer
// stride over a shorter one is cut into whole periods; what is left meets one index at a time, within a bound on the work.
// SPDX-License-Identifier: BSD-3-Clause
#include "form/compose.hpp"

#include <algorithm>
#include <numeric>

#include "base/checked.hpp"
#include "form/check.hpp"
#include "form/simplify.hpp"

namespace crinkle {
namespace {

constexpr std::size_t max_unmerged_boxes = 4096;  // of a composition, before those that continue one another are one

// An axis of a view of M, and what one step of it means on the view's other side.
struct Strand {
  std::int64_t extent, m_stride, other_stride;
  Counts counts;
};
// A view of M: first + Σ i·m_stride, strides positive, descending and nested.
struct View {
  std::int64_t first = 0;
  std::int64_t other_offset = 0, other_slot = 0;
  detail::SmallVector<Strand, 8> strands;

  std::int64_t end(std::int64_t unit) const {
    std::int64_t e = add(first, unit);
    for (const Strand& s : strands) e = add_product(e, s.extent - 1, s.m_stride);
    return e;
  }
  // Fixes the top strand at index i.
  View at(std::int64_t i) const { return sub(i, 1); }
  // `count` indices of the top strand from i; the strand goes when one is left.
  View sub(std::int64_t i, std::int64_t count) const {
    View v = *this;
    v.step(strands[0], i);
    if (count == 1) {
      v.strands.erase(v.strands.begin());
    } else {
      v.strands[0].extent = count;
    }
    return v;
  }
  void step(const Strand& s, std::int64_t i) {
    first = add_product(first, i, s.m_stride);
    (s.counts == Counts::bytes ? other_offset : other_slot) += multiply(i, s.other_stride);
  }
};

struct Composer {
  std::int64_t unit;
  const Box* from;  // the box of `first` at hand
  const Box* to;    // the box of `second` at hand
  std::size_t most_boxes;
  std::int64_t work_left;
  Boxes result = {};

  struct Overflow {};  // more boxes or work than a composition is worth
  struct Touch {};     // without boxes at hand, the two views have a byte in common

  AxisList common = {};  // the axes found so far, as (source, destination)

  void emit(const View& a, const View& b) {
    if (from == nullptr) throw Touch{};
    if (result.size() >= most_boxes) throw Overflow{};
    Box box;
    box.axes = common;
    box.unit = static_cast<std::int32_t>(unit);
    box.src_offset = a.other_offset;
    box.src_slot = static_cast<std::int32_t>(a.other_slot);
    box.dst_offset = b.other_offset;
    box.dst_slot = static_cast<std::int32_t>(b.other_slot);
    box.is_fill = from->is_fill;
    if (box.is_fill) {
      box.pattern = from->pattern;
      box.src_offset = 0;
      box.src_slot = 0;
    }
    for (const Axis& axis : to->axes) {
      if (axis.src_stride == 0 && axis.extent > 1) box.axes.push_back({axis.extent, 0, axis.dst_stride, Counts::bytes, axis.dst_counts});
    }
    if (box.axes.size() > max_axes) throw Overflow{};
    result.push_back(box);
  }

  void meet(const View& a, const View& b) {
    if (--work_left < 0) throw Overflow{};
    if (a.first >= b.end(unit) || b.first >= a.end(unit)) return;
    if (a.strands.empty() && b.strands.empty()) return emit(a, b);
    if (a.strands.empty() || (!b.strands.empty() && b.strands[0].m_stride > a.strands[0].m_stride)) return meet_tops(b, a, true);
    return meet_tops(a, b, false);
  }
  void meet_in_order(const View& x, const View& y, bool is_swapped) { is_swapped ? meet(y, x) : meet(x, y); }

  // x has the larger or equal top stride.
  void meet_tops(const View& x, const View& y, bool is_swapped) {
    const Strand& top = x.strands[0];
    const std::int64_t d = top.m_stride;
    if (!y.strands.empty() && y.strands[0].m_stride == d) return meet_equal(x, y, is_swapped);
    if (!y.strands.empty()) {
      const Strand& other = y.strands[0];
      std::int64_t period = 0;
      if (!__builtin_mul_overflow(d / std::gcd(d, other.m_stride), other.m_stride, &period) && split(x, y, period, is_swapped)) return;
    }
    // y lies within few indices of x's top strand
    const std::int64_t low = std::max<std::int64_t>(0, floor_divide(y.first - x.first, d) - 1);
    const std::int64_t high = std::min(top.extent - 1, floor_divide(y.end(unit) - 1 - x.first, d));
    for (std::int64_t i = low; i <= high; ++i) meet_in_order(x.at(i), y, is_swapped);
  }

  // Both step by d: index i of x meets index i + δ of y for two neighbouring δ at most.
  void meet_equal(const View& x, const View& y, bool is_swapped) {
    const Strand sx = x.strands[0], sy = y.strands[0];
    const std::int64_t near = floor_divide(x.first - y.first, sx.m_stride);
    for (std::int64_t delta = near; delta <= near + 1; ++delta) {
      const std::int64_t low = std::max<std::int64_t>(0, -delta), high = std::min(sx.extent, sy.extent - delta);
      if (low >= high) continue;
      const std::size_t n_before = common.size();
      if (high - low > 1) {
        const Strand& from_side = is_swapped ? sy : sx;
        const Strand& to_side = is_swapped ? sx : sy;
        common.push_back({high - low, from_side.other_stride, to_side.other_stride, from_side.counts, to_side.counts});
      }
      meet_in_order(x.at(low), y.at(low + delta), is_swapped);
      common.resize(n_before);
    }
  }

  // Cuts the top strands into whole periods with a head and a tail; false when neither is longer than one period.
  bool split(const View& x, const View& y, std::int64_t period, bool is_swapped) {
    const std::int64_t kx = period / x.strands[0].m_stride, ky = period / y.strands[0].m_stride;
    if (x.strands[0].extent <= kx && y.strands[0].extent <= ky) return false;
    if (kx == 1 && y.strands[0].extent <= ky) return false;
    const std::int64_t skew = modulo(x.first - y.first, period);  // where y's periods begin so that they meet x's
    const auto xs = periods(x, kx, 0), ys = periods(y, ky, ceil_divide(skew, y.strands[0].m_stride) % ky);
    for (const View& px : xs) {
      for (const View& py : ys) meet_in_order(px, py, is_swapped);
    }
    return true;
  }

  static detail::SmallVector<View, 3> periods(const View& v, std::int64_t k, std::int64_t head) {
    detail::SmallVector<View, 3> parts;
    const std::int64_t n = v.strands[0].extent;
    if (k == 1 || n <= k) {
      parts.push_back(v);
      return parts;
    }
    head = std::min(head, n);
    const std::int64_t n_whole = (n - head) / k, tail = n - head - n_whole * k;
    if (head > 0) parts.push_back(v.sub(0, head));
    if (n_whole > 0) {
      View body = v.sub(head, n - head);
      if (n_whole == 1) {
        body = v.sub(head, k);
      } else {
        const Strand s = v.strands[0];
        body = v;
        body.step(s, head);
        body.strands[0].extent = k;
        body.strands.insert(body.strands.begin(), Strand{n_whole, s.m_stride * k, multiply(s.other_stride, k), s.counts});
      }
      parts.push_back(body);
    }
    if (tail > 0) parts.push_back(v.sub(n - tail, tail));
    return parts;
  }
};

// The view of M that a box has on one side, or nothing when its strides into M are not nested.
std::optional<View> view_of(const Box& box, Side m_side) {
  View v;
  v.first = m_side == Side::source ? box.src_offset : box.dst_offset;
  v.other_offset = m_side == Side::source ? box.dst_offset : box.src_offset;
  v.other_slot = m_side == Side::source ? box.dst_slot : box.src_slot;
  for (const Axis& a : box.axes) {
    if (a.extent == 1) continue;
    Strand s{a.extent, stride_of(a, m_side), m_side == Side::source ? a.dst_stride : a.src_stride,
             m_side == Side::source ? a.dst_counts : a.src_counts};
    if (s.m_stride == 0) continue;  // a repeat
    if (s.m_stride < 0) {
      v.step(s, s.extent - 1);
      s.m_stride = -s.m_stride;
      s.other_stride = -s.other_stride;
    }
    v.strands.push_back(s);
  }
  std::sort(v.strands.begin(), v.strands.end(), [](const Strand& a, const Strand& b) { return a.m_stride > b.m_stride; });
  std::int64_t reached = box.unit;
  for (std::size_t k = v.strands.size(); k-- > 0;) {
    if (v.strands[k].m_stride < reached) return {};
    reached = add_product(reached, v.strands[k].extent - 1, v.strands[k].m_stride);
  }
  return v;
}

std::int64_t common_unit(const Boxes& first, const Boxes& second) {
  std::int64_t unit = 16;
  const auto take = [&](const Boxes& boxes, Side m_side) {
    for (const Box& b : boxes) {
      unit = std::gcd(unit, b.unit);
      if (m_side == Side::source && b.is_fill) continue;
      unit = std::gcd(unit, m_side == Side::source ? b.src_offset : b.dst_offset);
      for (const Axis& a : b.axes) unit = std::gcd(unit, stride_of(a, m_side));
    }
  };
  take(first, Side::destination);
  take(second, Side::source);
  return unit;
}

}  // namespace

bool reads_nothing_twice(const Boxes& boxes) {
  const auto unit = static_cast<std::int32_t>(common_unit({}, boxes));
  std::vector<std::pair<View, std::int64_t>> views;  // and their ends
  for (Box box : boxes) {
    if (!narrow(box, unit)) return false;
    for (const Axis& a : box.axes) {
      if (a.src_stride == 0 && a.extent > 1) return false;
    }
    const auto view = view_of(box, Side::source);
    if (!view) return false;
    views.emplace_back(*view, view->end(unit));
  }
  std::sort(views.begin(), views.end(), [](const auto& a, const auto& b) { return a.first.first < b.first.first; });
  Composer composer{unit, nullptr, nullptr, max_unmerged_boxes, CompositionLimits{}.n_meetings};
  try {
    for (std::size_t a = 0; a < views.size(); ++a) {
      for (std::size_t b = a + 1; b < views.size() && views[b].first.first < views[a].second; ++b)
        composer.meet(views[a].first, views[b].first);
    }
  } catch (const Composer::Touch&) { return false; } catch (const Composer::Overflow&) {
    return false;
  }
  return true;
}

bool has_nested_strides(const Box& box, Side side) { return view_of(box, side).has_value(); }

std::optional<Boxes> compose_boxes(const Boxes& first, const Boxes& second, std::string& why, const CompositionLimits& limits) {
  const auto unit = static_cast<std::int32_t>(common_unit(first, second));
  Boxes firsts, seconds;
  for (const Box& b : first) append_narrowed(firsts, b, unit);
  for (const Box& b : second) append_narrowed(seconds, b, unit);
  Composer composer{unit, nullptr, nullptr, std::max(max_unmerged_boxes, limits.n_boxes), limits.n_meetings};
  try {
    for (const Box& to : seconds) {
      if (to.is_fill) {
        composer.result.push_back(to);
        continue;
      }
      const auto reading = view_of(to, Side::source);
      if (!reading) {
        why = "the second map reads overlapping elements of the array between them";
        return {};
      }
      for (const Box& from : firsts) {
        const auto writing = view_of(from, Side::destination);
        if (!writing) {
          why = "the first map does not write the array between them in nested strides";
          return {};
        }
        composer.from = &from;
        composer.to = &to;
        composer.meet(*writing, *reading);
      }
    }
  } catch (const Composer::Overflow&) {
    why = "their common refinement has more than " + std::to_string(limits.n_boxes) + " boxes";
    return {};
  }
  simplify(composer.result);
  if (composer.result.size() > limits.n_boxes) {
    why = "their common refinement has " + std::to_string(composer.result.size()) + " boxes, more than " + std::to_string(limits.n_boxes);
    return {};
  }
  return composer.result;
}

}  // namespace crinkle
