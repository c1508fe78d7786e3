// The verbs: each is one map, composed behind what the axis has already.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>

#include "base/checked.hpp"
#include "crinkle/rearrangement.hpp"
#include "form/check.hpp"
#include "form/map.hpp"

namespace crinkle {

Rearrangement Rearrangement::flip(std::string_view axis) const {
  return with_map(axis, "flip", [](Rearrangement&, std::int64_t n) { return flip_map(n); });
}

Rearrangement Rearrangement::roll(std::string_view axis, std::int64_t distance) const {
  return with_map(axis, "roll", [&](Rearrangement&, std::int64_t n) { return roll_map(n, distance); });
}

Rearrangement Rearrangement::slice(std::string_view axis, std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
                                   std::optional<std::int64_t> step) const {
  return with_map(axis, "slice", [&](Rearrangement&, std::int64_t n) { return slice_map(n, start, stop, step); });
}

Rearrangement Rearrangement::pad(std::string_view axis, std::int64_t before, std::int64_t after, PadMode mode,
                                 std::span<const std::byte> value) const {
  return with_map(axis, "pad", [&](Rearrangement& r, std::int64_t n) {
    return pad_map(n, before, after, mode, mode == PadMode::constant ? r.add_fill(value) : -1);
  });
}

Rearrangement Rearrangement::dilate(std::string_view axis, std::int64_t step) const {
  return with_map(axis, "dilate", [&](Rearrangement& r, std::int64_t n) { return dilate_map(n, step, r.add_fill({})); });
}

Rearrangement Rearrangement::take(std::string_view axis, std::span<const std::int64_t> indices) const {
  return with_map(axis, "take", [&](Rearrangement&, std::int64_t n) { return take_map(n, indices); });
}

Rearrangement Rearrangement::at(std::string_view axis, std::int64_t index) const {
  Rearrangement r = with_map(axis, "take one index of", [&](Rearrangement&, std::int64_t n) { return at_map(n, index); });
  const auto [g, d] = r.find_digit(axis);
  for (std::size_t a = 0; a < r.outputs_.size();) {
    auto& terms = r.outputs_[a].terms;
    const std::size_t before = terms.size();
    std::erase_if(terms, [&](const OutputTerm& t) { return t.group == g && t.digit == d; });
    if (before > 0 && terms.empty()) {
      r.outputs_.erase(r.outputs_.begin() + static_cast<std::ptrdiff_t>(a));
    } else {
      ++a;
    }
  }
  r.groups_[static_cast<std::size_t>(g)].digits[static_cast<std::size_t>(d)].name.clear();
  r.recompute_destination();
  return r;
}

// The axis becomes its bits, digits of extent 2, and its place in the output lists them backwards.
Rearrangement Rearrangement::bit_reverse(std::string_view axis) const {
  Rearrangement r = with_map(axis, "bit-reverse", [](Rearrangement&, std::int64_t n) {
    if ((n & (n - 1)) != 0)
      throw Error(ErrorCode::bad_shape, "extent " + std::to_string(n) + " is not a power of two; pad or slice it first");
    return identity_map(n);
  });
  const auto [g, d] = r.find_digit(axis);
  Group& group = r.groups_[static_cast<std::size_t>(g)];
  ElementaryAxis& digit = group.digits[static_cast<std::size_t>(d)];
  const std::int64_t n = extent_of(digit.map);
  if (n <= 2) return r;
  const int n_bits = std::countr_zero(static_cast<std::uint64_t>(n));
  if (group.digits.size() == 1) {
    group.whole = std::move(digit.map);
  } else if (!is_identity(digit.map, digit.radix)) {
    throw Error(ErrorCode::unsupported,
                "cannot bit-reverse \"" + std::string(axis) + "\": it is part of an input axis and has a verb already; move twice");
  }
  const ElementaryAxis bit{digit.name, 2, identity_map(2), true};
  const auto at = group.digits.erase(group.digits.begin() + d);
  group.digits.insert(at, static_cast<std::size_t>(n_bits), bit);
  for (Output& output : r.outputs_) {
    std::vector<OutputTerm> terms;
    for (const OutputTerm& t : output.terms) {
      if (t.group != g || t.digit < d) {
        terms.push_back(t);
      } else if (t.digit > d) {
        terms.push_back({g, t.digit + n_bits - 1, t.repeat});
      } else {
        for (int b = n_bits - 1; b >= 0; --b) terms.push_back({g, d + b, 1});
      }
    }
    output.terms = std::move(terms);
  }
  r.recompute_destination();
  return r;
}

Rearrangement Rearrangement::split_and_merge(const std::vector<Split>& splits, std::vector<Output> outputs) const {
  if (!has_names_ || splits.size() != groups_.size()) {
    throw Error(ErrorCode::bad_shape, std::to_string(splits.size()) + " axes are split, the source has " + std::to_string(groups_.size()));
  }
  Rearrangement r = *this;
  for (std::size_t g = 0; g < splits.size(); ++g) {
    Group& group = r.groups_[g];
    if (group.digits.size() != 1) throw Error(ErrorCode::unsupported, "input axis " + std::to_string(g) + " is split already");
    Map map = std::move(group.digits[0].map);
    const std::int64_t n = extent_of(map);
    std::int64_t product = 1;
    for (const auto& [name, extent] : splits[g].digits) product = multiply(product, extent);
    const std::int64_t phases = splits[g].is_ragged ? splits[g].digits.at(static_cast<std::size_t>(splits[g].phase_digit)).second : 0;
    if (splits[g].is_ragged && (!is_identity(map, n) || n != group.extent)) {
      throw Error(ErrorCode::unsupported, "input axis " + std::to_string(g) + " of extent " + std::to_string(group.extent) +
                                              " is split into " + std::to_string(phases) +
                                              " ragged phases and takes no verb; apply the verb in a move of its own, first");
    }
    if (splits[g].is_ragged ? splits[g].digits.size() != 2 || phases < 1 || !is_identity(map, n) || n != group.extent : product != n) {
      throw Error(ErrorCode::bad_shape, "input axis " + std::to_string(g) + " of extent " + std::to_string(n) + " cannot be split into " +
                                            std::to_string(product));
    }
    group.digits.clear();
    for (const auto& [name, extent] : splits[g].digits) group.digits.push_back({name, extent, identity_map(extent)});
    group.ragged_phases = phases;
    group.phase_digit = splits[g].phase_digit;
    if (group.digits.size() == 1) {
      group.digits[0].map = std::move(map);
      group.digits[0].radix = group.extent;
    } else {
      group.whole = std::move(map);
    }
  }
  r.outputs_ = std::move(outputs);
  r.recompute_destination();
  return r;
}

Rearrangement Rearrangement::byte_swap(std::vector<ElementPart> parts) const {
  if (!has_names_) throw Error(ErrorCode::unsupported, "cannot swap bytes after then or inverse; swap first");
  std::int64_t next = 0;
  for (const ElementPart& p : parts) {
    if (p.offset != next || p.item_bytes < 1 || p.count < 1) {
      throw Error(ErrorCode::bad_shape, "the parts of an element must follow each other without gaps: a part at byte " +
                                            std::to_string(p.offset) + ", expected " + std::to_string(next));
    }
    next = add_product(next, p.item_bytes, p.count);
  }
  if (next != element_bytes_) {
    throw Error(ErrorCode::bad_shape,
                "the parts of an element cover " + std::to_string(next) + " of its " + std::to_string(element_bytes_) + " bytes");
  }
  Rearrangement r = *this;
  for (Fill& fill : r.fills_) {
    for (const ElementPart& p : parts) {
      if (!p.is_swapped || fill.pattern.empty()) continue;
      for (std::int64_t i = 0; i < p.count; ++i) {
        const auto item = fill.pattern.begin() + p.offset + i * p.item_bytes;
        std::reverse(item, item + p.item_bytes);
      }
    }
  }
  for (std::size_t k = 0; k < r.parts_.size(); ++k) {  // swapped twice is as it was
    ElementPart& p = r.parts_[k];
    const bool is_same = parts.size() == r.parts_.size() && parts[k].item_bytes == p.item_bytes && parts[k].count == p.count;
    if (!is_same) throw Error(ErrorCode::unsupported, "the bytes are swapped already, in other items; move twice");
    parts[k].is_swapped = parts[k].is_swapped != p.is_swapped;
  }
  r.parts_ = std::move(parts);
  if (std::none_of(r.parts_.begin(), r.parts_.end(), [](const ElementPart& p) { return p.is_swapped; })) r.parts_.clear();
  return r;
}

Rearrangement Rearrangement::byte_swap() const { return byte_swap({{0, element_bytes_, 1, true}}); }

Rearrangement Rearrangement::into(const Layout& destination) const {
  if (!has_names_) throw Error(ErrorCode::unsupported, "cannot set a destination after then or inverse; set it first");
  if (destination.extents != destination_.extents || destination.element_bytes != element_bytes_ ||
      destination.strides.size() != destination.extents.size()) {
    throw Error(ErrorCode::bad_shape, "the destination is " + print_shape(destination.extents, destination.element_bytes) +
                                          ", the result " + print_shape(destination_.extents, element_bytes_) +
                                          " (the last number is bits an element)");
  }
  destination.check();
  check_no_overlap(destination);
  Rearrangement r = *this;
  r.destination_ = destination;
  r.has_given_destination_ = true;
  return r;
}

}  // namespace crinkle
