// Composition of box lists by common refinement. `first` writes an array M, `second` reads it; both are cut where the
// strides of the two into M force it. For one box each, the result is one box exactly when the union of the two sets of M-strides is a
// chain of divisors (the chain condition); where it is not, say p and q with l = lcm(p, q), every period l has l/p + l/q − 1 common
// segments.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "crinkle/axis.hpp"
#include "form/check.hpp"

namespace crinkle {

inline constexpr std::size_t max_composed_boxes = 64;

struct CompositionLimits {
  std::size_t n_boxes = max_composed_boxes;
  std::int64_t n_meetings = 200'000;  // of two views: the work
};

/// The boxes of second∘first, simplified, or nothing and the reason in `why` when they are more than the limit or one side is not nested in
/// M. Of the bytes that `second` reads only those that `first` writes are moved; its fills are all there. Requires one slot on either side
/// of M.
std::optional<Boxes> compose_boxes(const Boxes& first, const Boxes& second, std::string& why, const CompositionLimits& limits = {});

/// Whether the strides on a side are nested, each stepping over all that the smaller ones reach, as compose_boxes() needs them on M's side.
bool has_nested_strides(const Box& box, Side side);

/// Whether no byte is read twice. False also where the source strides are not nested, so that it cannot be told. One slot.
bool reads_nothing_twice(const Boxes& boxes);

}  // namespace crinkle
