// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cuda/fixed_filter.hpp"

#include <algorithm>
#include <type_traits>

#include "base/checked.hpp"
#include "cuda/entry.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t shortest_line = 256, shortest_alone = 64;  // elements: of two lists, whose tiles have a rim; of one

template <class P>
FixedLaunch launch_of(const Filter& filter, const ShapedSweep& shaped, const FilterTypes& types) {
  return [p = fixed_plan<P>(filter, shaped, types)](const FilterTask& task, const FixedGrid& grid, const std::byte* in, std::byte* out,
                                                    CUstream_st* stream) { gpu::entry<&launch_fixed<P>>(p, task, grid, in, out, stream); };
}

template <class E, int radius, class Use>
auto with_kind(const Filter& filter, const SweepShape& shape, const Use& use) {
  constexpr std::int64_t n = 2 * radius + 1;
  const Faces& line = shape.axes.back().faces;
  const bool is_constant = line.low.bound == Bound::constant || line.high.bound == Bound::constant;
  const bool is_exact =
      filter.n_down() == n && (filter.n_across() == 0 || (filter.n_across() == n && filter.first_across == -radius && !is_constant));
  if constexpr (std::is_same_v<E, float>) {
    if (filter.n_across() == 0)
      return is_exact ? use(FixedFilter<E, radius, FixedKind::exact_down>{}) : use(FixedFilter<E, radius, FixedKind::down>{});
  }
  return is_exact ? use(FixedFilter<E, radius, FixedKind::exact_lists>{}) : use(FixedFilter<E, radius, FixedKind::lists>{});
}
// use(P{}) of the kernel of this radius for the filter.
template <class Use>
auto with_plan(int radius, const Filter& filter, const SweepShape& shape, const FilterTypes& types, const Use& use) {
  if (filter.is_grid()) return use(FixedFilter<float, 3, FixedKind::grid>{});
  if (types.certain) return radius == 4 ? with_kind<std::uint8_t, 4>(filter, shape, use) : with_kind<std::uint8_t, 8>(filter, shape, use);
  return radius == 4   ? with_kind<float, 4>(filter, shape, use)
         : radius == 8 ? with_kind<float, 8>(filter, shape, use)
                       : with_kind<float, 20>(filter, shape, use);
}

}  // namespace

std::optional<int> fixed_radius(const Filter& filter, const ShapedSweep& shaped, const FilterTypes& types) {
  const bool is_float32 = types.in == Number::float32 && types.out == Number::float32, are_two = filter.n_stages == 2;
  const bool has_type = types.certain ? types.out == Number::uint8 && are_two : is_float32;
  const bool has_weights = !filter.is_grid() || std::max(filter.n_down(), filter.n_across()) > 5;
  if (!has_type || !has_weights || shaped.shape.width != 1) return {};
  if (shaped.shape.axes.back().extent < (filter.n_across() > 0 ? shortest_line : shortest_alone)) return {};
  const std::int64_t last = filter.first_across + filter.n_across() - 1;
  const auto has_room = [&](int radius) {
    return filter.n_down() <= 2 * radius + 1 && (filter.n_across() == 0 || (filter.first_across >= -radius && last <= radius));
  };
  if (filter.is_grid()) return has_room(3) ? std::optional(3) : std::nullopt;
  for (const int radius : {4, 8, 20})
    if (has_room(radius) && (radius < 20 || !types.certain)) return radius;
  return {};
}

FilterTile fixed_tile(int radius, const Filter& filter, const SweepShape& shape, const FilterTypes& types) {
  return with_plan(radius, filter, shape, types, [&]<class P>(const P&) {
    FilterTile best{P::rim, 0, 0, P::ahead, P::has_marks, P::lanes};
    double least = 0;
    for (std::int64_t threads = P::most_threads; threads >= 64; threads -= 32) {  // as few in all as there can be, of those at once
      const std::int64_t own = threads * P::lanes - 2 * P::rim;
      if (own <= 0) break;
      const std::int64_t blocks = P::threads_at_once / threads;
      const double time = static_cast<double>(ceil_divide(shape.axes.back().extent, own)) / static_cast<double>(blocks);
      if (best.threads > 0 && time >= least) continue;
      least = time;
      best.threads = threads;
      best.blocks = blocks;
    }
    return best;
  });
}

FixedLaunch fixed_launch(int radius, const Filter& filter, const ShapedSweep& shaped, const FilterTypes& types) {
  return with_plan(radius, filter, shaped.shape, types, [&]<class P>(const P&) { return launch_of<P>(filter, shaped, types); });
}

}  // namespace crinkle
