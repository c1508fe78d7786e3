// SPDX-License-Identifier: BSD-3-Clause
#include "form/part.hpp"

#include <algorithm>
#include <numeric>

#include "base/checked.hpp"
#include "base/loops.hpp"
#include "form/map.hpp"

namespace crinkle {
namespace {

// The indices [first, first + n) of an axis in `radices`, slowest first, as products of ranges: where the slowest one is cut unevenly, what
// is left of its first index, the indices between, and what there is of its last one.
template <class Use>
void each_product(const std::vector<std::int64_t>& radices, Ranges& ranges, std::size_t k, Range of, const Use& use) {
  if (of.n == 0) return;
  if (k == radices.size()) return use(ranges);
  const std::int64_t below = std::accumulate(radices.begin() + static_cast<std::ptrdiff_t>(k) + 1, radices.end(), std::int64_t{1},
                                             [](std::int64_t a, std::int64_t b) { return multiply(a, b); });
  const std::int64_t last = of.first + of.n, i0 = of.first / below, i1 = (last - 1) / below;
  const auto with = [&](std::int64_t first, std::int64_t n, Range rest) {
    if (n <= 0) return;
    ranges[k] = {first, n};
    each_product(radices, ranges, k + 1, rest, use);
  };
  if (i0 == i1) return with(i0, 1, {of.first - i0 * below, of.n});
  const std::int64_t head = of.first % below, tail = last % below;
  if (head != 0) with(i0, 1, {head, below - head});
  const std::int64_t begin = head != 0 ? i0 + 1 : i0, end = tail != 0 ? i1 : i1 + 1;
  with(begin, end - begin, {0, below});
  if (tail != 0) with(i1, 1, {0, tail});
}

// Maps a range of the destination's indices of a ragged axis, n indices in m phases, to runs of the source.
Map ragged_map(const Group& group, Range range) {
  const std::int64_t m = group.ragged_phases, q = group.extent / m, r = group.extent % m;
  const auto begin_of = [&](std::int64_t phase) { return phase * q + std::min(phase, r); };
  Map map;
  for (std::int64_t j = range.first; j < range.first + range.n;) {
    if (group.phase_digit == 1) {  // crinkled: phase after phase
      const std::int64_t longer = r * (q + 1), phase = j < longer ? j / (q + 1) : r + (j - longer) / q;
      const std::int64_t n = std::min(begin_of(phase + 1), range.first + range.n) - j;
      append(map, data(n, (j - begin_of(phase)) * m + phase, m));
      j += n;
    } else {
      append(map, data(1, begin_of(j % m) + j / m, 1));
      ++j;
    }
  }
  return map;
}

Map sliced(const Map& map, Range range) {
  const std::int64_t n = extent_of(map);
  if (range.first == 0 && range.n == n) return map;
  return compose(slice_map(n, range.first, range.first + range.n, 1), map, [](std::int32_t a, std::int32_t b) { return std::max(a, b); });
}

// The runs of values that a map has, as ranges; what is fill has none.
Ranges values_of(const Map& map) {
  Ranges values;
  for (const MapRun& run : runs_of(map)) {
    if (run.fill >= 0 || run.count == 0) continue;
    const std::int64_t last = run.start + (run.count - 1) * run.step;
    values.push_back({std::min(run.start, last), std::abs(last - run.start) + 1});
  }
  return values;
}

// The shortest range, modulo the extent, that holds them all: what is left where the longest gap is taken out.
Range hull_of(Ranges runs, std::int64_t extent, bool may_go_round) {
  if (runs.empty()) return {};
  std::sort(runs.begin(), runs.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
  const std::int64_t first = runs.front().first;
  std::int64_t reached = first, gap = 0, gap_end = first;
  for (const Range& run : runs) {
    if (run.first - reached > gap) gap = run.first - reached, gap_end = run.first;
    reached = std::max(reached, run.first + run.n);
  }
  const std::int64_t around = first + extent - reached;
  if (around >= gap || !may_go_round) return {first, reached - first};
  return {gap_end, extent - gap};
}

}  // namespace

std::int64_t PartOf::extent_of_term(const OutputTerm& term) const {
  if (term.group < 0) return term.repeat;
  const Group& group = r_.groups()[static_cast<std::size_t>(term.group)];
  if (group.ragged_phases > 0) return term.digit == group.phase_digit ? group.extent : 1;  // the phase stands for both
  return extent_of(group.digits[static_cast<std::size_t>(term.digit)].map);
}

std::vector<PartOf::Piece> PartOf::pieces_of(std::size_t output, const Range& range) const {
  std::vector<std::int64_t> radices;
  for (const OutputTerm& term : r_.outputs()[output].terms) radices.push_back(extent_of_term(term));
  std::vector<Piece> pieces;
  Ranges ranges(radices.size());
  std::int64_t place = 0;
  each_product(radices, ranges, 0, range, [&](const Ranges& terms) {
    std::int64_t n = 1;
    for (const Range& term : terms) n *= term.n;
    pieces.push_back({terms, {place, n}});
    place += n;
  });
  return pieces;
}

PartOf::PartOf(const Rearrangement& r, const Ranges& part) : r_(r) {
  std::size_t axis = 0;
  for (std::size_t o = 0; o < r.outputs().size(); ++o) {
    Range range{0, r.n_destinations()};
    if (r.outputs()[o].counts == Counts::bytes) {
      range = part[axis++];
      extents_.push_back(range.n);
    }
    pieces_.push_back(pieces_of(o, range));
  }
  for (std::size_t g = 0; g < r.groups().size(); ++g) {
    const Group& group = r.groups()[g];
    if (group.counts == Counts::buffers) continue;
    Ranges runs;
    // Which pieces there are of the outputs that have this axis' digits; those of the others do not matter.
    std::vector<Ranges> seen;
    each_choice([&](const std::vector<std::size_t>& chosen) {
      Ranges digits = digits_of(g, chosen);
      if (std::find(seen.begin(), seen.end(), digits) != seen.end()) return;
      add_needs(g, digits, runs);
      seen.push_back(std::move(digits));
    });
    needs_.push_back(hull_of(std::move(runs), group.extent, group.digits.size() == 1 && group.ragged_phases == 0));
  }
}

template <class Use>
void PartOf::each_choice(const Use& use) const {
  for (const auto& pieces : pieces_)
    if (pieces.empty()) return;
  std::vector<std::size_t> chosen(pieces_.size(), 0);
  do use(chosen);
  while (step_index(chosen, chosen.size(), [&](std::size_t o) { return pieces_[o].size(); }, [](std::size_t, std::int64_t) {}));
}

// The ranges that a choice of pieces takes of an axis's digits; for a ragged axis, of its indices in the destination.
Ranges PartOf::digits_of(std::size_t group, const std::vector<std::size_t>& chosen) const {
  const Group& of = r_.groups()[group];
  Ranges digits;
  if (of.ragged_phases > 0) digits.push_back({0, of.extent});
  else
    for (const ElementaryAxis& digit : of.digits) digits.push_back({0, extent_of(digit.map)});
  for (std::size_t o = 0; o < chosen.size(); ++o) {
    const std::vector<OutputTerm>& terms = r_.outputs()[o].terms;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      if (terms[k].group != static_cast<int>(group)) continue;
      const Range& range = pieces_[o][chosen[o]].terms[k];
      if (of.ragged_phases == 0) digits[static_cast<std::size_t>(terms[k].digit)] = range;
      else if (terms[k].digit == of.phase_digit) digits[0] = range;
    }
  }
  return digits;
}

void PartOf::add_needs(std::size_t group, const Ranges& digits, Ranges& runs) const {
  const Group& of = r_.groups()[group];
  const auto add_all = [&](const Ranges& more) { runs.insert(runs.end(), more.begin(), more.end()); };
  if (of.ragged_phases > 0) return add_all(values_of(ragged_map(of, digits[0])));
  if (of.digits.empty()) return add_all(of.whole.empty() ? Ranges{{0, 1}} : values_of(of.whole));
  // The least and the greatest number of all digits together, then what the whole axis' map makes of the numbers between.
  std::int64_t least = 0, greatest = 0, below = 1;
  for (std::size_t d = digits.size(); d-- > 0;) {
    const Ranges values = values_of(sliced(of.digits[d].map, digits[d]));
    if (values.empty()) return;
    if (digits.size() == 1) return add_all(values);
    std::int64_t low = INT64_MAX, high = INT64_MIN;
    for (const Range& value : values) {
      low = std::min(low, value.first);
      high = std::max(high, value.first + value.n - 1);
    }
    least = add_product(least, low, below);
    greatest = add_product(greatest, high, below);
    below = multiply(below, of.digits[d].radix);
  }
  add_all(values_of(sliced(of.whole, {least, greatest - least + 1})));
}

Rearrangement PartOf::piece(const std::vector<std::size_t>& chosen) const {
  Rearrangement piece = r_;
  Layout window{{}, {}, 0, r_.element_bytes()};
  for (const Range& need : needs_) window.extents.push_back(need.n);
  window = Layout::dense(window.extents, window.element_bytes);
  for (std::size_t o = 0; o < chosen.size(); ++o) {
    const Ranges& terms = pieces_[o][chosen[o]].terms;
    for (std::size_t k = 0; k < piece.outputs_[o].terms.size(); ++k) {
      OutputTerm& term = piece.outputs_[o].terms[k];
      if (term.group < 0) term.repeat = terms[k].n;
    }
  }
  std::size_t axis = 0;
  piece.src_offset_ = 0;
  for (std::size_t g = 0; g < piece.groups_.size(); ++g) {
    Group& group = piece.groups_[g];
    const Ranges digits = digits_of(g, chosen);
    if (group.ragged_phases > 0) {
      if (digits[0].n != group.extent) {  // an axis of one digit
        group.digits = {ElementaryAxis{"", group.extent, ragged_map(group, digits[0])}};
        group.ragged_phases = 0;
        for (Output& output : piece.outputs_) {
          std::erase_if(output.terms, [&](const OutputTerm& t) { return t.group == static_cast<int>(g) && t.digit != group.phase_digit; });
          for (OutputTerm& t : output.terms)
            if (t.group == static_cast<int>(g)) t.digit = 0;
        }
      }
    } else {
      for (std::size_t d = 0; d < digits.size(); ++d) group.digits[d].map = sliced(group.digits[d].map, digits[d]);
    }
    if (group.counts == Counts::buffers) continue;
    const Range need = needs_[axis];
    group.stride = window.strides[axis++];
    if (need.n == 0 || need.first + need.n <= group.extent) {
      piece.src_offset_ = add_product(piece.src_offset_, -need.first, group.stride);
    } else {  // round the end of the axis
      Map& map = group.digits[0].map;
      map = compose(map, roll_map(group.extent, need.first), [](std::int32_t a, std::int32_t b) { return std::max(a, b); });
    }
  }
  piece.source_ = window;
  piece.has_given_destination_ = false;
  piece.recompute_destination();
  Layout to = Layout::dense(extents_, r_.element_bytes());
  std::size_t a = 0;
  for (std::size_t o = 0; o < chosen.size(); ++o) {
    if (piece.outputs_[o].counts == Counts::buffers) continue;
    const Range& place = pieces_[o][chosen[o]].place;
    to.extents[a] = place.n;
    to.offset = add_product(to.offset, place.first, to.strides[a]);
    ++a;
  }
  return piece.into(to);
}

std::vector<Rearrangement> PartOf::pieces() const {
  std::vector<Rearrangement> pieces;
  each_choice([&](const std::vector<std::size_t>& chosen) { pieces.push_back(piece(chosen)); });
  return pieces;
}

}  // namespace crinkle
