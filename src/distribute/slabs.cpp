// SPDX-License-Identifier: BSD-3-Clause
#include "distribute/slabs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/checked.hpp"
#include "crinkle/operation.hpp"
#include "distribute/rims.hpp"

namespace crinkle::distributed {
namespace {

using Stage = DistributedOperation::Step;

constexpr std::int64_t most_slabs = 8;  // docs/tuning.md

// The cut along an axis of the output; nothing where there is none.
std::optional<std::size_t> cut_along(const Operation& op, int axis) {
  for (std::size_t c = 0; c < op.cuts().size(); ++c)
    if (!op.cuts()[c].outputs.empty() && op.cuts()[c].outputs[0] == axis) return c;
  return std::nullopt;
}

// Whether the step takes nothing but what the one before it has made, where it lies.
bool goes_on(const Stage& step) { return step.rims.empty() && step.is_there.size() == 1 && step.is_there[0]; }

// What is exchanged behind a step, as one; null where nothing is, or the next one begins before all is there.
const Redistribution* exchange_behind(const DistributedOperation& op, std::size_t s) {
  if (s + 1 == op.steps().size()) return op.last().empty() ? nullptr : op.last().data();
  const Stage& next = op.steps()[s + 1];
  return next.rims.empty() && next.fetch.size() == 1 && !next.is_there[0] ? next.fetch.data() : nullptr;
}

// Whether the slabs of a rank's part lie in a row in all that the step reads and makes. `made`: what the step before makes of each, none
// of the first one; then what this one does.
bool lie_in_rows(const Stage& step, const Ranges& part, const Slabs& slabs, std::vector<Ranges>& made) {
  const Operation& op = step.operation;
  if (!cut_along(op, slabs.axis)) return false;
  const std::vector<Ranges> all = op.needs(part);
  const Ranges gives = op.gives(part)[0];
  for (std::int64_t k = 0; k < slabs.n; ++k) {
    const Ranges slab = slab_of(op, part, slabs, k), its = op.gives(slab)[0];
    const std::vector<Ranges> needed = op.needs(slab);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (place_in(all[i], needed[i]) < 0) return false;
    const auto axis = static_cast<std::size_t>(slabs.axis), at = static_cast<std::size_t>(k);
    if (place_in(gives, its) < 0 || its[axis] != slab_of(gives[axis], slabs.n, k)) return false;
    if (at == made.size()) {
      made.push_back(its);
      continue;
    }
    if (needed[0] != made[at]) return false;
    made[at] = its;
  }
  return true;
}

bool can_be(const DistributedOperation& op, const StepsInSlabs& tried) {
  for (std::size_t r = 0; r < op.steps()[tried.first].parts.size(); ++r) {
    std::vector<Ranges> made;
    for (std::size_t s = tried.first; s <= tried.last; ++s) {
      const Stage& step = op.steps()[s];
      const Ranges& part = step.parts[r];
      if (part.empty()) return false;
      if (!is_empty(part) && !lie_in_rows(step, part, tried.slabs, made)) return false;
    }
  }
  return true;
}

// The fewest indices along an axis of what a rank that makes anything has of it.
std::int64_t least_of(const Distribution& made, std::size_t axis) {
  std::int64_t least = INT64_MAX;
  for (std::int64_t r = 0; r < made.n_ranks(); ++r)
    if (const std::int64_t n = made.local_extents(r)[axis]; n > 0) least = std::min(least, n);
  return least;
}

}  // namespace

std::string text_of(const Slabs& slabs) {
  return slabs.n == 1 ? "" : fmt::format(", in {} slabs, each sent while the next one is computed", slabs.n);
}

Range slab_of(const Range& whole, std::int64_t n, std::int64_t k) {
  const std::int64_t begin = multiply(whole.n, k) / n, end = multiply(whole.n, k + 1) / n;
  return {whole.first + begin, end - begin};
}

Ranges slab_of(const Operation& op, const Ranges& part, const Slabs& slabs, std::int64_t k) {
  Ranges slab = part;
  if (slabs.n == 1) return slab;
  Range& cut = slab[*cut_along(op, slabs.axis)];
  cut = slab_of(cut, slabs.n, k);
  return slab;
}

std::vector<StepsInSlabs> steps_in_slabs(const DistributedOperation& op, std::int64_t bytes) {
  std::vector<StepsInSlabs> all;
  for (std::size_t last = 0; last < op.steps().size(); ++last) {
    const Redistribution* const r = exchange_behind(op, last);
    if (r == nullptr || !op.steps()[last].rims.empty()) continue;
    const std::int64_t wanted = std::min(most_slabs, multiply(r->traffic().peak_sent, r->element_bytes()) / bytes);
    std::size_t first = last;
    while (first > 0 && goes_on(op.steps()[first])) --first;
    if (!op.steps()[first].rims.empty()) ++first;
    std::optional<StepsInSlabs> found;
    for (; first <= last && !found; ++first)
      for (std::size_t axis = 0; axis < r->from().extents().size() && !found; ++axis) {
        const StepsInSlabs tried{first, last, {static_cast<int>(axis), std::min(wanted, least_of(r->from(), axis))}};
        if (tried.slabs.n > 1 && can_be(op, tried)) found = tried;
      }
    if (found) all.push_back(*found);
  }
  return all;
}

}  // namespace crinkle::distributed
