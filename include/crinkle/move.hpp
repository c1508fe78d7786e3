// A move of values in memory, in one line: the notation, the source's shape, and where the values are.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <ranges>
#include <string_view>
#include <vector>

#include "crinkle/notation.hpp"
#include "crinkle/plan.hpp"

namespace crinkle {

/// dst[right side of spec] = src[left side], both dense in C order on the CPU; src has these extents, slowest first.
///     std::vector<float> m(rows * columns), t(m.size());
///     crinkle::move("y x -> x y", {rows, columns}, m, t);
/// Throws what parse() throws; bad_shape where src or dst holds fewer values than the shapes say; overlap. Aliasing: none. Cost: parsing
/// the specification, and one pass; the plan is kept (cached_plan()). For index verbs, other layouts and a GPU: Plan.
template <class Source, detail::Values Destination>
  requires detail::Values<const Source&>
void move(std::string_view spec, const std::vector<std::int64_t>& extents, const Source& src, Destination&& dst) {
  using Value = std::ranges::range_value_t<Source>;
  static_assert(sizeof(Value) == sizeof(std::ranges::range_value_t<Destination>), "a move keeps the size of values");
  cached_plan(parse(spec, Layout::dense(extents, static_cast<std::int64_t>(sizeof(Value)))).boxes())->run(ConstBuffer(src), Buffer(dst));
}

}  // namespace crinkle
