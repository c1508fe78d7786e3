// Slabs: a rearrangement cut along the slowest axis of its destination.
// SPDX-License-Identifier: BSD-3-Clause
#include <optional>

#include "base/checked.hpp"
#include "crinkle/rearrangement.hpp"
#include "form/lower.hpp"
#include "form/map.hpp"

namespace crinkle {

// The slowest term of the destination with more than one index: output axis and place in it.
static std::optional<std::pair<std::size_t, std::size_t>> slab_term(const Rearrangement& r) {
  for (std::size_t a = 0; a < r.outputs().size(); ++a) {
    for (std::size_t k = 0; k < r.outputs()[a].terms.size(); ++k) {
      if (term_extent(r, r.outputs()[a].terms[k]) != 1) return std::pair{a, k};
    }
  }
  return {};
}

std::int64_t Rearrangement::n_slabs() const {
  const auto at = has_names_ && n_destinations_ == 1 ? slab_term(*this) : std::nullopt;
  if (!at) return 1;
  const OutputTerm& t = outputs_[at->first].terms[at->second];
  if (t.group >= 0 && groups_[static_cast<std::size_t>(t.group)].ragged_phases > 0) return 1;
  return term_extent(*this, t);
}

Rearrangement Rearrangement::slab(std::int64_t first, std::int64_t count) const {
  const std::int64_t n = n_slabs();
  if (first < 0 || count < 0 || first > n - count) {
    throw Error(ErrorCode::bad_shape,
                "no slabs " + std::to_string(first) + " to " + std::to_string(add(first, count)) + " of " + std::to_string(n));
  }
  Rearrangement r = *this;
  if (!has_names_ || n_destinations_ != 1) return r;
  r.has_given_destination_ = false;
  r.recompute_destination();
  if (first == 0 && count == n) return r;
  const auto at = slab_term(*this);
  OutputTerm& t = r.outputs_[at->first].terms[at->second];
  if (t.group < 0) {
    t.repeat = count;
  } else {
    Map& map = r.groups_[static_cast<std::size_t>(t.group)].digits[static_cast<std::size_t>(t.digit)].map;
    map = compose(slice_map(n, first, first + count, 1), map, [](std::int32_t, std::int32_t) { return -1; });
  }
  r.recompute_destination();
  return r;
}

std::int64_t term_extent(const Rearrangement& r, const OutputTerm& term) {
  if (term.group < 0) return term.repeat;
  const Group& g = r.groups()[static_cast<std::size_t>(term.group)];
  if (g.ragged_phases > 0) return term.digit == g.phase_digit ? g.extent : 1;
  return extent_of(g.digits[static_cast<std::size_t>(term.digit)].map);
}

}  // namespace crinkle
