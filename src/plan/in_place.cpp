// Decisions axis by axis, then for each plain exchange how it is gone through: what both sides keep together, the axis that is fast on
// either side, chains of axes that continue them.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/in_place.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/checked.hpp"
#include "form/check.hpp"
#include "plan/chains.hpp"

namespace crinkle::planning {
namespace {

constexpr std::int64_t most_tiled = 64;           // bytes: from there on elements are runs
constexpr std::int64_t long_exchanged_row = 512;  // bytes: such rows are exchanged as fast as panels are moved twice
constexpr std::int64_t long_run = 4096;           // bytes that stay together in a panel: a row of their own
constexpr std::int64_t chain_wanted = 2048;       // bytes of a tile's row, before other axes get their turn

bool in_bytes(const Axis& a) { return a.dst_counts == Counts::bytes; }

void step(Exchange& x, const Axis& axis, std::int64_t times) {
  if (in_bytes(axis)) {
    x.src_offset += times * axis.src_stride;
    x.dst_offset += times * axis.dst_stride;
  } else {
    x.src_slot += static_cast<std::int32_t>(times * axis.src_stride);
    x.dst_slot += static_cast<std::int32_t>(times * axis.dst_stride);
  }
}

// The other way round, so that the source runs forwards.
void face_forwards(Exchange& x, Axis& axis) {
  if (axis.src_stride >= 0) return;
  step(x, axis, axis.extent - 1);
  axis.src_stride = -axis.src_stride;
  axis.dst_stride = -axis.dst_stride;
}

// Makes the axes that are left outer ones, once the others have got their parts.
void set_outer(Exchange& x, AxisList axes) {
  std::sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) {
    return in_bytes(a) != in_bytes(b) ? in_bytes(a) : std::abs(a.dst_stride) < std::abs(b.dst_stride);
  });
  x.outer = std::move(axes);
}

std::int64_t n_indices(const AxisList& axes) {
  std::int64_t n = 1;
  for (const Axis& a : axes) n = multiply(n, a.extent);
  return n;
}

// A plain exchange, whose axes are free but for its pair.
void append(std::vector<Exchange>& all, Exchange x, AxisList axes) {
  axes.resize(
      static_cast<std::size_t>(std::remove_if(axes.begin(), axes.end(), [](const Axis& a) { return a.extent == 1; }) - axes.begin()));
  const std::int64_t sides = x.kind == Exchanged::runs ? 2 : 1;
  x.n_bytes = multiply(multiply(sides * x.element, n_indices(axes)), n_pairs(x.above.extent));
  x.n_bytes = multiply(x.n_bytes, multiply(n_indices(x.down), n_indices(x.along)));
  if (x.kind != Exchanged::runs) {
    set_outer(x, std::move(axes));
    all.push_back(std::move(x));
    return;
  }
  const int d = find_destination(axes, x.element), s = find_source(axes, x.element);
  const bool is_run = x.element >= most_tiled || d < 0 || s < 0;
  if (!is_run && d == s) {
    x.kind = Exchanged::reversed;
    x.n = take(axes, d).extent;
  } else if (!is_run) {
    x.kind = Exchanged::tiles;
    std::int64_t down = x.element, along = x.element;
    for (int a = d; a >= 0 && down < chain_wanted; a = find_destination(axes, down)) {
      if (std::abs(axes[static_cast<std::size_t>(a)].src_stride) == along && !x.down.empty()) break;
      x.down.push_back(take(axes, a));
      down *= x.down.back().extent;
    }
    for (int a = find_source(axes, along); a >= 0 && along < chain_wanted; a = find_source(axes, along)) {
      Axis axis = take(axes, a);
      along *= axis.extent;
      face_forwards(x, axis);
      x.along.push_back(axis);
    }
  }
  set_outer(x, std::move(axes));
  all.push_back(std::move(x));
}

Exchange start_of(const Box& box) {
  Exchange x;
  x.element = box.unit;
  x.src_offset = box.src_offset, x.dst_offset = box.dst_offset;
  x.src_slot = box.src_slot, x.dst_slot = box.dst_slot;
  return x;
}

// Both sides keep these bytes together, items turned round or not; the axes that do so go. Where only their order decides, an item may
// overlap the one it comes from and is taken byte by byte.
void grow_element(Exchange& x, AxisList& axes) {
  const auto is_item = [&](const Axis& a) { return x.element == 1 && a.src_stride == -1 && a.dst_stride == 1 && a.extent <= most_item; };
  if (x.kind != Exchanged::ordered && !axes.empty() && in_bytes(axes.back()) && is_item(axes.back())) {
    x.element = x.swapped = axes.back().extent;
    x.src_offset -= x.swapped - 1;
    axes.pop_back();
  }
  while (!axes.empty() && in_bytes(axes.back()) && axes.back().src_stride == x.element && axes.back().dst_stride == x.element) {
    x.element *= axes.back().extent;
    axes.pop_back();
  }
}

// A box that is its own inverse, taken apart.
class Mirror {
 public:
  Mirror(const Box& box, std::vector<Exchange>& all) : all_(all), rest_(start_of(box)), free_(box.axes) {
    grow_element(rest_, free_);
    if (rest_.element < most_tiled) take_chains();
  }

  void decide_all() {
    for (int a = next(); a >= 0; a = next()) {
      if (is_flipped(free_[static_cast<std::size_t>(a)])) {
        if (!decide_flip(take(free_, a))) return;
      } else {
        const Axis p = take(free_, a);
        decide_pair(p, take(free_, partner_in(free_, p)));
      }
    }
    if (!rest_.down.empty()) {
      rest_.kind = Exchanged::squares;
    } else if (rest_.swapped != 0) {
      rest_.kind = Exchanged::turned;
    } else {
      return;
    }
    AxisList axes = kept_;
    axes.append(free_.begin(), free_.end());
    append(all_, rest_, std::move(axes));
  }

 private:
  static bool is_flipped(const Axis& a) { return a.src_stride == -a.dst_stride; }
  static bool is_fixed(const Axis& a) { return a.src_stride == a.dst_stride; }
  static int partner_in(const AxisList& axes, const Axis& a) {
    return find_axis(axes,
                     [&](const Axis& b) { return is_dst_bytes(b) && b.extent == a.extent && b.dst_stride == std::abs(a.src_stride); });
  }

  // The contiguous axes that belong to pairs, with their partners: they go last.
  void take_chains() {
    for (std::int64_t bytes = rest_.element; bytes < chain_wanted;) {
      const int d = find_destination(free_, bytes);
      if (d < 0 || is_flipped(free_[static_cast<std::size_t>(d)]) || is_fixed(free_[static_cast<std::size_t>(d)])) return;
      const Axis down = take(free_, d);
      Axis along = take(free_, partner_in(free_, down));
      face_forwards(rest_, along);
      bytes *= down.extent;
      rest_.down.push_back(down);
      rest_.along.push_back(along);
    }
  }

  // Flips without a middle end all that follows; the fast axis is last, so that rows stay whole.
  int next() const {
    int best = -1, best_rank = 9;
    for (std::size_t a = 0; a < free_.size(); ++a) {
      const Axis& axis = free_[a];
      if (is_fixed(axis)) continue;
      const bool is_fast = in_bytes(axis) && axis.dst_stride == rest_.element;
      const int rank = is_fast ? 3 : !is_flipped(axis) ? 2 : axis.extent % 2 == 0 ? 0 : 1;
      if (rank < best_rank) best = static_cast<int>(a), best_rank = rank;
    }
    return best;
  }

  void append_rest(Exchange x, const Axis& decided) {
    AxisList axes = kept_;
    axes.append(free_.begin(), free_.end());
    axes.append(x.down.begin(), x.down.end());
    axes.append(x.along.begin(), x.along.end());
    axes.push_back(decided);
    x.down.clear();
    x.along.clear();
    append(all_, std::move(x), std::move(axes));
  }

  // False where every index has another one.
  bool decide_flip(const Axis& axis) {
    Axis half = axis;
    half.extent /= 2;
    append_rest(rest_, half);
    step(rest_, axis, half.extent);
    return axis.extent % 2 != 0;
  }

  void decide_pair(const Axis& p, Axis q) {
    face_forwards(rest_, q);
    Exchange x = rest_;
    x.above = p;
    x.below = q;
    append_rest(x, Axis{});
    kept_.push_back({p.extent, p.src_stride + q.src_stride, p.dst_stride + q.dst_stride, p.src_counts, p.dst_counts});
  }

  std::vector<Exchange>& all_;
  Exchange rest_;  // what is not decided yet
  AxisList free_;  // its axes, the chains aside
  AxisList kept_;  // diagonals
};

bool has_long_rows(const Box& box) {
  Exchange x = start_of(box);
  AxisList axes = box.axes;
  grow_element(x, axes);
  const int d = find_destination(axes, x.element);
  return x.element * (d < 0 ? 1 : axes[static_cast<std::size_t>(d)].extent) >= long_exchanged_row;
}

// A box that rearranges short dense blocks in themselves: its slow axes are fixed, the others reach a few thousand bytes without gaps.
bool append_panels(const Box& box, std::vector<Exchange>& all) {
  if (has_long_rows(box)) return false;
  std::size_t first = box.axes.size();
  std::int64_t bytes = box.unit;  // of the axes from `first` on
  std::size_t inner = 0;
  std::int64_t panel = 0;
  bool is_moved = false;
  while (first > 0) {
    const Axis& a = box.axes[first - 1];
    if (!in_bytes(a) || a.dst_stride != bytes || a.extent > most_panel_bytes / bytes) break;
    bytes *= a.extent;
    --first;
    is_moved = is_moved || a.src_stride != a.dst_stride;
    inner = first;
    panel = bytes;
  }
  const auto is_fixed = [](const Axis& a) { return a.src_stride == a.dst_stride; };
  if (!is_moved || !std::all_of(box.axes.begin(), box.axes.begin() + inner, is_fixed)) return false;

  // As many of the next slower axis as have room make one panel.
  AxisList outer(box.axes.begin(), box.axes.begin() + inner);
  std::int64_t n = 1, n_together = 1;
  if (!outer.empty() && in_bytes(outer.back()) && outer.back().dst_stride == panel) {
    n = take(outer, static_cast<int>(outer.size()) - 1).extent;
    n_together = std::min(n, most_panel_bytes / panel);
  }
  const auto append_some = [&](std::int64_t from, std::int64_t n_panels, std::int64_t n_in_each) {
    Exchange x = start_of(box);
    x.kind = Exchanged::panels;
    x.dst_offset += from * panel;
    x.src_offset = x.dst_offset;
    x.n = n_in_each * panel;
    Box one = box;
    one.axes.erase(one.axes.begin(), one.axes.begin() + inner);
    one.axes.insert(one.axes.begin(), Axis{n_in_each, panel, panel});
    one.src_offset -= one.dst_offset;
    one.dst_offset = 0;
    one.src_slot = one.dst_slot = 0;
    simplify(one);
    x.schedules.push_back(choose_schedule(tile::rows_of(one), long_run));
    AxisList axes = outer;
    axes.push_back({n_panels, x.n, x.n});
    x.n_bytes = multiply(multiply(x.n, n_panels), n_indices(outer));
    set_outer(x, std::move(axes));
    all.push_back(std::move(x));
  };
  append_some(0, n / n_together, n_together);
  if (n % n_together != 0) append_some(n - n % n_together, 1, n % n_together);
  return true;
}

}  // namespace

const char* name_of(Exchanged kind) noexcept {
  constexpr const char* names[] = {"runs", "reversed", "tiles", "squares", "turned", "ordered", "panels"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<Exchange> exchanges_of(const Boxes& boxes, const Partners& partners) {
  std::vector<Exchange> all;
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    const std::int32_t partner = partners[b];
    if (partner == static_cast<std::int32_t>(b)) {
      if (!append_panels(boxes[b], all)) Mirror(boxes[b], all).decide_all();
    } else if (partner == no_partner || partner > static_cast<std::int32_t>(b)) {
      Exchange x = start_of(boxes[b]);
      AxisList axes = boxes[b].axes;
      if (partner == no_partner) x.kind = Exchanged::ordered;
      grow_element(x, axes);
      append(all, std::move(x), std::move(axes));
    }
  }
  return all;
}

}  // namespace crinkle::planning
