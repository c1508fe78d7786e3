// Runs of the digits' maps are combined, their mixed-radix numbers clipped to the runs of the whole axis, and every clipped range is cut
// into boxes of digits.
// SPDX-License-Identifier: BSD-3-Clause
#include "form/pieces.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "form/map.hpp"

namespace crinkle {
namespace {

// A run of one digit's map, as current indices first + t·pitch (+ u < inner) and values start + t·step.
struct GroupPieces {
  const Group& group;
  const std::vector<DigitStride>& strides;
  std::vector<Piece> pieces;

  void add_source(Piece& p, std::int64_t index) const {
    const std::int64_t at = multiply(index, group.stride);
    if (group.counts == Counts::buffers) {
      p.src_slot = add(p.src_slot, at);
    } else {
      p.src_offset = add(p.src_offset, at);
    }
  }
  void add_destination(Piece& p, std::size_t digit, std::int64_t index) const {
    const std::int64_t at = multiply(index, strides[digit].stride);
    if (strides[digit].counts == Counts::buffers) {
      p.dst_slot = add(p.dst_slot, at);
    } else {
      p.dst_offset = add(p.dst_offset, at);
    }
  }
  // An axis that steps the source by `src_step` indices and the digit's current index by `dst_step`.
  void add_axis(Piece& p, std::size_t digit, std::int64_t extent, std::int64_t src_step, std::int64_t dst_step) const {
    if (extent == 1) return;
    p.axes.push_back(
        {extent, multiply(src_step, group.stride), multiply(dst_step, strides[digit].stride), group.counts, strides[digit].counts});
  }
  void add_fill_run(Piece& p, std::size_t digit, const MapRun& r) const {
    add_destination(p, digit, r.first);
    add_axis(p, digit, r.count, 0, r.pitch);
    add_axis(p, digit, r.inner, 0, 1);
    p.fill = std::max(p.fill, r.fill);
  }

  Piece whole() const {
    Piece p;
    if (group.ragged_phases > 0) {
      add_axis(p, static_cast<std::size_t>(group.phase_digit), group.extent, 0, 1);
      return p;
    }
    for (std::size_t d = 0; d < group.digits.size(); ++d) add_axis(p, d, extent_of(group.digits[d].map), 0, 1);
    return p;
  }

  void of_one_digit() {
    for (const MapRun& r : runs_of(group.digits[0].map)) {
      Piece p;
      if (r.fill >= 0) {
        add_fill_run(p, 0, r);
      } else {
        add_source(p, r.start);
        add_destination(p, 0, r.first);
        add_axis(p, 0, r.count, r.step, r.pitch);
      }
      pieces.push_back(p);
    }
  }

  void of_ragged() {
    const std::int64_t n = group.extent, m = group.ragged_phases, q = n / m, r = n % m;
    const auto phase = static_cast<std::size_t>(group.phase_digit);
    const bool is_crinkled = group.phase_digit == 1;  // source x·m + p, destination p·q + min(p, r) + x; else the other way round
    const std::size_t digit = phase;                  // the phase's stride in the destination is that of the whole composite
    const auto piece = [&](std::int64_t first, std::int64_t n_phases, std::int64_t n_within) {
      if (n_phases == 0 || n_within == 0) return;
      Piece p;
      const std::int64_t slow = first * q + std::min(first, r);
      add_source(p, is_crinkled ? first : slow);
      add_destination(p, digit, is_crinkled ? slow : first);
      add_axis(p, digit, n_phases, is_crinkled ? 1 : n_within, is_crinkled ? n_within : 1);
      add_axis(p, digit, n_within, is_crinkled ? m : 1, is_crinkled ? 1 : m);
      pieces.push_back(p);
    };
    piece(0, r, q + 1);
    piece(r, m - r, q);
  }

  void of_digits() {
    std::vector<std::int64_t> radices;
    std::vector<std::vector<MapRun>> runs;
    for (const ElementaryAxis& d : group.digits) {
      radices.push_back(d.radix);
      runs.push_back(runs_of(d.map));
    }
    std::vector<std::int64_t> below(radices.size(), 1);
    for (std::size_t d = radices.size(); d-- > 1;) below[d - 1] = multiply(below[d], radices[d]);
    std::vector<const MapRun*> chosen(radices.size());
    choose(runs, below, chosen, 0);
  }

 private:
  void choose(const std::vector<std::vector<MapRun>>& runs, const std::vector<std::int64_t>& below, std::vector<const MapRun*>& chosen,
              std::size_t d) {
    if (d < runs.size()) {
      for (const MapRun& r : runs[d]) {
        chosen[d] = &r;
        choose(runs, below, chosen, d + 1);
      }
      return;
    }
    if (std::any_of(chosen.begin(), chosen.end(), [](const MapRun* r) { return r->fill >= 0; })) {
      Piece p;
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        if (chosen[k]->fill >= 0) {
          add_fill_run(p, k, *chosen[k]);
        } else {
          add_destination(p, k, chosen[k]->first);
          add_axis(p, k, chosen[k]->count, 0, chosen[k]->pitch);
        }
      }
      pieces.push_back(p);
      return;
    }
    for (const MapRun& w : runs_of(group.whole)) {
      if (w.inner == 1 && w.pitch == 1) {
        Clip clip(chosen.size());
        cut(w, below, chosen, clip, 0, w.first, w.first + w.count);
      } else {  // a dilated whole axis: every datum or gap on its own
        for (std::int64_t t = 0; t < w.count; ++t) {
          const MapRun one{w.first + t * w.pitch, w.inner, 1, w.start + t * w.step, 0, 1, w.fill};
          Clip clip(chosen.size());
          cut(one, below, chosen, clip, 0, one.first, one.first + one.count);
        }
      }
    }
  }

  using Clip = std::vector<std::pair<std::int64_t, std::int64_t>>;  // per digit, the values [first, last)

  // The numbers [low, high) of digits d and below, digits above fixed in `clip`, as intervals per digit.
  void cut(const MapRun& w, const std::vector<std::int64_t>& below, const std::vector<const MapRun*>& chosen, Clip& clip, std::size_t d,
           std::int64_t low, std::int64_t high) {
    if (low >= high) return;
    if (d == clip.size()) return emit(w, below, chosen, clip);
    const std::int64_t b = below[d], first = low / b, last = (high - 1) / b;
    const auto part = [&](std::int64_t from, std::int64_t to, std::int64_t inner_low, std::int64_t inner_high) {
      if (from >= to) return;
      clip[d] = {from, to};
      cut(w, below, chosen, clip, d + 1, inner_low, inner_high);
    };
    if (first == last) return part(first, first + 1, low - first * b, high - first * b);
    const bool has_head = low % b != 0, has_tail = high % b != 0;
    if (has_head) part(first, first + 1, low - first * b, b);
    part(first + (has_head ? 1 : 0), last + (has_tail ? 0 : 1), 0, b);
    if (has_tail) part(last, last + 1, 0, high - last * b);
  }

  void emit(const MapRun& w, const std::vector<std::int64_t>& below, const std::vector<const MapRun*>& chosen, const Clip& clip) {
    Piece p;
    std::int64_t number = 0;  // of the piece's first element
    detail::SmallVector<std::pair<std::int64_t, std::int64_t>, 8> ranges;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const MapRun& r = *chosen[k];
      std::int64_t t0 = 0, t1 = r.count;  // the t whose value start + t·step lies in the clip
      if (r.step == 0) {
        if (r.start < clip[k].first || r.start >= clip[k].second) return;
      } else if (r.step > 0) {
        t0 = std::max(t0, ceil_divide(clip[k].first - r.start, r.step));
        t1 = std::min(t1, ceil_divide(clip[k].second - r.start, r.step));
      } else {
        t0 = std::max(t0, floor_divide(r.start - clip[k].second, -r.step) + 1);
        t1 = std::min(t1, floor_divide(r.start - clip[k].first, -r.step) + 1);
      }
      if (t0 >= t1) return;
      ranges.push_back({t0, t1});
      number = add_product(number, r.start + t0 * r.step, below[k]);
    }
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const MapRun& r = *chosen[k];
      add_destination(p, k, r.first + ranges[k].first * r.pitch);
      add_axis(p, k, ranges[k].second - ranges[k].first, w.fill >= 0 ? 0 : multiply(multiply(r.step, below[k]), w.step), r.pitch);
    }
    if (w.fill >= 0) {
      p.fill = w.fill;
    } else {
      add_source(p, w.start + (number - w.first) * w.step);
    }
    pieces.push_back(p);
  }
};

}  // namespace

namespace {
bool is_scattered(const Map& map, std::size_t most_runs) {
  return map.size() > most_runs && extent_of(map) / static_cast<std::int64_t>(map.size()) < static_cast<std::int64_t>(max_runs);
}
}  // namespace

std::vector<Factor> factors_of(const std::vector<Group>& groups, const DigitStrides& strides, std::size_t most_split_runs) {
  std::vector<Factor> factors;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Group& group = groups[g];
    const int index = static_cast<int>(g);
    GroupPieces of{group, strides[g], {}};
    if (group.ragged_phases > 0) {
      of.of_ragged();
      factors.push_back({index, -1, of.whole(), std::move(of.pieces), false});
    } else if (group.digits.empty()) {  // an axis of extent 1
      Piece p;
      const std::int64_t at = group.whole.empty() ? 0 : table_of(group.whole).front();
      if (at < 0) p.fill = static_cast<std::int32_t>(-1 - at);
      if (at > 0) of.add_source(p, at);
      factors.push_back({index, -1, {}, {p}, false});
    } else if (group.digits.size() > 1 && !is_identity(group.whole, extent_of(group.whole))) {
      const bool is_too_scattered = is_scattered(group.whole, most_split_runs);
      if (!is_too_scattered) of.of_digits();
      factors.push_back({index, -1, of.whole(), std::move(of.pieces), is_too_scattered});
    } else {
      std::int64_t below = 1;
      for (std::size_t d = group.digits.size(); d-- > 0;) {
        const Group alone{group.digits[d].radix, multiply(group.stride, below), group.counts, {}, {group.digits[d]}};
        const std::vector<DigitStride> stride{strides[g][d]};
        GroupPieces of_digit{alone, stride, {}};
        const bool is_gathered =
            is_scattered(group.digits[d].map, max_runs) && group.counts == Counts::bytes && stride[0].counts == Counts::bytes;
        if (!is_gathered) of_digit.of_one_digit();
        factors.push_back({index, static_cast<int>(d), of_digit.whole(), std::move(of_digit.pieces), is_gathered});
        below = multiply(below, group.digits[d].radix);
      }
    }
  }
  return factors;
}

}  // namespace crinkle
