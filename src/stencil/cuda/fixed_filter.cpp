// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cuda/fixed_filter.hpp"

#include <algorithm>

#include "cuda/entry.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t shortest_line = 256;  // elements, of tiles of about 500

template <class P>
FixedLaunch launch_of(const Filter& filter, const ShapedSweep& shaped, const FilterTypes& types) {
  return [p = fixed_plan<P>(filter, shaped, types)](const FilterTask& task, std::int64_t n_blocks, std::int64_t shared_bytes,
                                                    const std::byte* in, std::byte* out, CUstream_st* stream) {
    gpu::entry<&launch_fixed<P>>(p, task, n_blocks, shared_bytes, in, out, stream);
  };
}

// use(P{}) of the kernel of this radius for the filter.
template <class Use>
auto with_plan(int radius, const Filter& filter, const FilterTypes& types, const Use& use) {
  if (filter.is_grid()) return use(FixedFilter<float, 3, true>{});
  if (types.certain) return radius == 4 ? use(FixedFilter<std::uint8_t, 4>{}) : use(FixedFilter<std::uint8_t, 8>{});
  return radius == 4 ? use(FixedFilter<float, 4>{}) : use(FixedFilter<float, 8>{});
}

}  // namespace

std::optional<int> fixed_radius(const Filter& filter, const ShapedSweep& shaped, const FilterTypes& types) {
  const bool is_float32 = types.in == Number::float32 && types.out == Number::float32;
  const bool has_type = types.certain ? types.out == Number::uint8 && !filter.is_grid() : is_float32;
  const bool has_weights = filter.is_grid() ? std::max(filter.n_down(), filter.n_across()) > 5 : filter.n_stages == 2;
  if (!has_type || !has_weights || shaped.shape.width != 1 || shaped.shape.axes.back().extent < shortest_line) return {};
  const std::int64_t last = filter.first_across + filter.n_across() - 1;
  const auto has_room = [&](int radius) { return filter.n_down() <= 2 * radius + 1 && filter.first_across >= -radius && last <= radius; };
  if (filter.is_grid()) return has_room(3) ? std::optional(3) : std::nullopt;
  for (const int radius : {4, 8})
    if (has_room(radius)) return radius;
  return {};
}

FilterTile fixed_tile(int radius, const Filter& filter, const FilterTypes& types) {
  return with_plan(radius, filter, types,
                   []<class P>(const P&) { return FilterTile{P::rim, P::threads, P::blocks, P::ahead, P::has_marks}; });
}

FixedLaunch fixed_launch(int radius, const Filter& filter, const ShapedSweep& shaped, const FilterTypes& types) {
  return with_plan(radius, filter, types, [&]<class P>(const P&) { return launch_of<P>(filter, shaped, types); });
}

}  // namespace crinkle
