// From names to boxes: every group gives pieces (affine runs of one input axis), the boxes are the products of the pieces, one
// factor per group. An axis of many scattered segments, an index array, is gathered. Where the product exceeds 4096 boxes, axes of
// many long segments are gathered too, and what is left is split into two steps.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <numeric>

#include "base/checked.hpp"
#include "form/lowering.hpp"
#include "form/map.hpp"
#include "form/peel.hpp"

namespace crinkle {

namespace {
constexpr std::int64_t max_table = std::int64_t{1} << 26;  // entries of an axis gathered only to save boxes
}  // namespace

Steps Lowering::lower() const {
  check_axes();
  if (r_.n_destinations_ == 0 || r_.destination_.n_elements() == 0) return {{Step{}}, 0, ""};
  std::vector<Factor> factors = factors_of(r_.groups_, destination_strides());
  add_repeats(factors);
  if (auto step = one_step_gathering(factors, max_runs)) return {{std::move(*step)}, 0, ""};
  return two_steps(factors);
}

std::optional<Step> Lowering::one_step_gathering(std::vector<Factor>& factors, std::size_t few_runs) const {
  if (std::any_of(factors.begin(), factors.end(), [](const Factor& f) { return f.is_scattered && f.digit < 0; })) return {};
  while (true) {
    if (auto step = one_step(factors)) return step;
    Factor* most = nullptr;
    for (Factor& f : factors) {
      if (!f.is_scattered && (most == nullptr || f.pieces.size() > most->pieces.size())) most = &f;
    }
    if (most == nullptr || most->pieces.size() <= few_runs || most->digit < 0) return {};
    const Group& group = r_.groups_[static_cast<std::size_t>(most->group)];
    const bool has_slots = most->whole.axes[0].dst_counts == Counts::buffers || group.counts == Counts::buffers;
    if (has_slots || extent_of(group.digits[static_cast<std::size_t>(most->digit)].map) > max_table) return {};
    most->is_scattered = true;
  }
}

std::optional<Step> Lowering::one_step(std::vector<Factor> factors) const {
  Step step;
  for (Factor& f : factors) {
    if (!f.is_scattered) continue;
    step.gathers.push_back(gather_of(f));
    f.whole = {};
    f.pieces = {Piece{}};
  }
  auto boxes = boxes_of(factors, -1);
  if (!boxes) return {};
  step.boxes = std::move(*boxes);
  if (std::all_of(step.gathers.begin(), step.gathers.end(), [](const GatherAxis& g) { return g.fills.empty(); })) return step;
  for (std::size_t f = 0; f < r_.fills_.size(); ++f) {
    auto filled = boxes_of(factors, static_cast<std::int32_t>(f));
    if (!filled) return {};
    step.fill_boxes.push_back(std::move(*filled));
  }
  return step;
}

std::optional<Boxes> Lowering::boxes_of(const std::vector<Factor>& factors, std::int32_t fill) const {
  Piece start;
  start.src_offset = r_.src_offset_;
  start.dst_offset = r_.destination_.offset;
  const auto products = products_of(factors, start, fill, max_boxes);
  if (!products) return {};
  Boxes boxes;
  boxes.reserve(products->size());
  for (const Piece& p : *products) emit(boxes, p);
  return boxes;
}

void Lowering::check_axes() const {
  const auto is_used = [&](std::size_t g, std::size_t d) {
    return std::any_of(r_.outputs_.begin(), r_.outputs_.end(), [&](const Output& output) {
      return std::any_of(output.terms.begin(), output.terms.end(),
                         [&](const OutputTerm& t) { return t.group == static_cast<int>(g) && t.digit == static_cast<int>(d); });
    });
  };
  for (std::size_t g = 0; g < r_.groups_.size(); ++g) {
    const std::vector<ElementaryAxis>& digits = r_.groups_[g].digits;
    for (std::size_t d = 0; d < digits.size() && r_.groups_[g].ragged_phases == 0; ++d) {
      const std::int64_t n = extent_of(digits[d].map);
      if (n == 1 || is_used(g, d)) continue;
      throw Error(ErrorCode::bad_shape, "axis " + (digits[d].name.empty() ? "@" + std::to_string(g) : '"' + digits[d].name + '"') +
                                            " of extent " + std::to_string(n) +
                                            " is not in the destination: fix it with at, data are never reduced");
    }
  }
}

// The step that one index of a digit makes: bytes of the destination, or buffers.
DigitStrides Lowering::destination_strides() const {
  DigitStrides strides(r_.groups_.size());
  for (std::size_t g = 0; g < r_.groups_.size(); ++g) strides[g].resize(r_.groups_[g].digits.size());
  std::size_t a = 0;  // byte axes have strides in the destination's layout, a slot axis steps by one buffer
  for (const Output& output : r_.outputs_) {
    std::int64_t stride = output.counts == Counts::buffers ? 1 : r_.destination_.strides[a++];
    for (std::size_t k = output.terms.size(); k-- > 0;) {
      const OutputTerm& t = output.terms[k];
      if (t.group < 0) {
        stride = multiply(stride, t.repeat);
        continue;
      }
      const Group& g = r_.groups_[static_cast<std::size_t>(t.group)];
      strides[static_cast<std::size_t>(t.group)][static_cast<std::size_t>(t.digit)] = {stride, output.counts};
      if (g.ragged_phases == 0) stride = multiply(stride, extent_of(g.digits[static_cast<std::size_t>(t.digit)].map));
      if (g.ragged_phases > 0 && t.digit == g.phase_digit) stride = multiply(stride, g.extent);
    }
  }
  return strides;
}

void Lowering::add_repeats(std::vector<Factor>& factors) const {
  std::size_t a = 0;
  for (const Output& output : r_.outputs_) {
    std::int64_t stride = output.counts == Counts::buffers ? 1 : r_.destination_.strides[a++];
    for (std::size_t k = output.terms.size(); k-- > 0;) {
      const OutputTerm& t = output.terms[k];
      if (t.group < 0) {
        Piece piece;
        piece.axes.push_back({t.repeat, 0, stride, Counts::bytes, output.counts});
        factors.push_back({-1, -1, piece, {piece}});
        stride = multiply(stride, t.repeat);
      } else {
        const Group& g = r_.groups_[static_cast<std::size_t>(t.group)];
        if (g.ragged_phases == 0) stride = multiply(stride, extent_of(g.digits[static_cast<std::size_t>(t.digit)].map));
        if (g.ragged_phases > 0 && t.digit == g.phase_digit) stride = multiply(stride, g.extent);
      }
    }
  }
}

GatherAxis Lowering::gather_of(const Factor& factor) const {
  const Group& group = r_.groups_[static_cast<std::size_t>(factor.group)];
  const auto d = static_cast<std::size_t>(factor.digit);
  const std::int64_t dst_stride = factor.whole.axes[0].dst_stride;
  std::int64_t src_stride = group.stride;
  for (std::size_t k = d + 1; k < group.digits.size(); ++k) src_stride = multiply(src_stride, group.digits[k].radix);
  GatherAxis axis{table_of(group.digits[d].map), {}, {}};
  axis.dst_offsets.resize(axis.src_offsets.size());
  for (std::size_t j = 0; j < axis.src_offsets.size(); ++j) {
    axis.dst_offsets[j] = multiply(static_cast<std::int64_t>(j), dst_stride);
    std::int64_t& entry = axis.src_offsets[j];
    if (entry < 0) {
      axis.fills.resize(axis.src_offsets.size(), -1);
      axis.fills[j] = static_cast<std::int32_t>(-1 - entry);
      entry = 0;
    } else {
      entry = multiply(entry, src_stride);
    }
  }
  return axis;
}

namespace {
void push(Boxes& boxes, const Box& box) {
  if (box.axes.size() > std::size_t{max_axes}) {
    throw Error(ErrorCode::too_large,
                "a box of " + std::to_string(box.axes.size()) + " axes; at most " + std::to_string(max_axes) + " fit, merge some first");
  }
  boxes.push_back(box);
}
}  // namespace

// One piece of elements becomes one box of units, or several where an element has parts or a fill without a period.
void Lowering::emit(Boxes& boxes, const Piece& p) const {
  Box box;
  for (const Axis& a : p.axes) {
    if (a.extent != 1) box.axes.push_back(a);
  }
  box.src_offset = p.src_offset;
  box.dst_offset = p.dst_offset;
  box.src_slot = static_cast<std::int32_t>(p.src_slot);
  box.dst_slot = static_cast<std::int32_t>(p.dst_slot);
  const std::int64_t e = r_.element_bytes_;
  if (p.fill >= 0) {
    emit_fill(boxes, box, r_.fills_[static_cast<std::size_t>(p.fill)]);
  } else if (r_.parts_.empty()) {
    box.unit = static_cast<std::int32_t>(std::gcd(e, std::int64_t{16}));
    if (e > box.unit) box.axes.push_back({e / box.unit, box.unit, box.unit});
    push(boxes, box);
  } else {
    for (const ElementPart& part : r_.parts_) {
      Box of_part = box;
      const std::int64_t n = part.item_bytes;
      of_part.src_offset = add(of_part.src_offset, part.offset + (part.is_swapped ? n - 1 : 0));
      of_part.dst_offset = add(of_part.dst_offset, part.offset);
      of_part.unit = 1;
      if (part.count > 1) of_part.axes.push_back({part.count, n, n});
      if (n > 1) of_part.axes.push_back({n, part.is_swapped ? -1 : 1, 1});
      push(boxes, of_part);
    }
  }
}

void Lowering::emit_fill(Boxes& boxes, Box box, const Fill& fill) const {
  for (Axis& a : box.axes) {
    a.src_stride = 0;
    a.src_counts = Counts::bytes;
  }
  box.is_fill = true;
  box.src_offset = 0;
  box.src_slot = 0;
  const std::int64_t e = r_.element_bytes_;
  box.unit = static_cast<std::int32_t>(std::gcd(e, std::int64_t{16}));
  // An element wider than a pattern is filled piece by piece, equal pieces next to each other by one box.
  const std::int64_t n_pieces = e / box.unit;
  const auto pattern_of = [&](std::int64_t piece) {
    std::array<std::byte, 16> pattern = {};
    if (!fill.pattern.empty()) std::copy_n(fill.pattern.begin() + piece * box.unit, box.unit, pattern.begin());
    return pattern;
  };
  for (std::int64_t first = 0, last = 0; first < n_pieces; first = last) {
    Box pieces = box;
    pieces.pattern = pattern_of(first);
    last = fill.pattern.empty() ? n_pieces : first + 1;
    while (last < n_pieces && pattern_of(last) == pieces.pattern) ++last;
    pieces.dst_offset = add(pieces.dst_offset, first * box.unit);
    if (last - first > 1) pieces.axes.push_back({last - first, 0, box.unit});
    push(boxes, pieces);
  }
}

Steps Rearrangement::steps() const { return has_names_ ? Lowering(*this).lower() : steps_; }

}  // namespace crinkle
