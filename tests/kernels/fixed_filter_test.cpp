// Kernels of filters that are compiled ahead of time, walked through on a CPU: the definition's bits of lists of any length up to what
// there is room for, wherever they begin; what is beside them counts for nothing. Shared memory is defined in resident_sweep_test.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/kernel_walk.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#pragma GCC diagnostic push  // of headers that nvcc compiles elsewhere
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "stencil/cuda/filter.cuh"
#pragma GCC diagnostic pop
#include "stencil/cuda/fixed_filter.hpp"
#include "stencil/cuda/stages.hpp"
#include "stencil/stencils.hpp"

namespace crinkle::kernel {
extern char shared[8 << 16];
}

namespace crinkle::fixed_filter_test {
namespace {

constexpr NumberType type_of(float) { return {Number::float32}; }
constexpr NumberType type_of(std::uint8_t) { return {Number::uint8}; }

double weight(std::int64_t k) { return 0.3 / static_cast<double>(k + 2) * (k % 3 == 1 ? -0.7 : 1); }
double fraction(std::int64_t k) { return static_cast<double>(1 + k % 3) / 32; }

using Sizes = std::vector<std::pair<std::int64_t, std::int64_t>>;
constexpr Bound periodic = Bound::periodic, edge = Bound::edge, reflect = Bound::reflect, symmetric = Bound::symmetric,
                constant = Bound::constant;

/// Lists that weights of a launch make, by the kernel that is compiled ahead of time.
struct Lists {
  int n_down, first_down, n_across, first_across;
};
template <class E, int radius, FixedKind kind = FixedKind::lists>
void expect_fixed(const Lists& lists, const Faces& rows, const Faces& line, double (*of)(std::int64_t)) {
  using P = FixedFilter<E, radius, kind>;
  constexpr bool is_grid = P::is_grid, is_down = P::n_across == 0;
  LinearStencil stencil{"known", 2, {{}}};
  const auto point = [&](std::int64_t y, std::int64_t x, double w) {
    stencil.passes.back().offsets.insert(stencil.passes.back().offsets.end(), {y, x});
    stencil.passes.back().coefficients.push_back(w);
  };
  for (int j = 0; j < lists.n_down; ++j) {
    if (!is_grid) point(lists.first_down + j, 0, of(j));
    for (int k = 0; is_grid && k < lists.n_across; ++k) point(lists.first_down + j, lists.first_across + k, of(j * lists.n_across + k));
  }
  if (!is_grid && !is_down) stencil.passes.emplace_back();
  for (int k = 0; !is_grid && !is_down && k < lists.n_across; ++k) point(0, lists.first_across + k, of(k + 1));
  const NumberType type = type_of(E{});
  std::int64_t slots = 1;
  for (const auto& [n_rows, n_line] : Sizes{{1, 1}, {7, 131}, {40, 17}, {19, 530}}) {
    for (const std::int64_t pad : {0, 5}) {
      Sweep wanted = sweep_of(stencil, {n_rows, n_line}, type, {0, 1}, {rows, line});
      const auto size = static_cast<std::int64_t>(sizeof(E));
      wanted.source = wanted.destination = {{n_rows, n_line}, {(n_line + pad) * size, size}, pad * size, size};
      const Sweep sweep = checked(wanted);
      ShapedSweep shape = shaped(sweep, {});
      fill_up(shape);
      const std::optional<Filter> filter = filter_of(shape, 0);
      ASSERT_TRUE(filter.has_value() && filter->is_grid() == is_grid && filter->n_stages == (is_grid || is_down ? 1 : 2)) << told(sweep);
      FilterTypes types{type.number, type.number, {}};
      if (P::is_rounded) types = byte_types(sweep, shape, *filter).value();
      EXPECT_EQ(fixed_radius(*filter, shape, types).has_value(), n_line >= (is_down ? 64 : 256));
      const FilterTile tile = fixed_tile(radius, *filter, shape.shape, types);
      EXPECT_TRUE(tile.threads % 32 == 0 && tile.threads <= P::most_threads && tile.rim == P::rim && tile.lanes == P::lanes);
      const auto p = fixed_plan<P>(*filter, shape, types);
      FilterTask task = task_of(*filter, shape, shape.source, shape.destination, types, tile, slots++);
      const std::int64_t shared_bytes = shared_bytes_of(*filter, task, types, tile);
      ASSERT_LE(shared_bytes, std::min<std::int64_t>(std::ssize(kernel::shared), 48 << 10));
      Bytes source = numbers_for(sweep.source, type);
      if constexpr (!P::is_rounded) {  // what is beside the weights does not count, whatever it is
        const float infinity = std::numeric_limits<float>::infinity();
        const auto at = static_cast<std::size_t>(n_rows / 2 * sweep.source.strides[0] + n_line / 2 * size);
        std::memcpy(&source[at], &infinity, sizeof infinity);
      }
      const Bytes want = swept_by_reference(sweep, source);
      Guarded src(span_of(sweep.source), source), dst(span_of(sweep.destination));
      const auto* const in = reinterpret_cast<const char*>(src.origin() + shape.source.offset);
      auto* const out = reinterpret_cast<char*>(dst.origin() + shape.destination.offset);
      const auto is_aligned = [](const void* at) { return reinterpret_cast<std::uintptr_t>(at) % (P::lanes * sizeof(E)) == 0; };
      task.is_aligned_in = task.is_aligned_in && is_aligned(in);
      task.is_aligned_out = task.is_aligned_out && is_aligned(out);
      testing::walk::launch(static_cast<std::uint32_t>(blocks_of(task)), static_cast<std::uint32_t>(tile.threads),
                            [&] { kernel::filter(p, task, 0, in, out); });
      EXPECT_TRUE(want == dst.content()) << told(sweep) << ", radius " << radius;
      EXPECT_TRUE(src.is_intact() && dst.is_intact());
      if (::testing::Test::HasFailure()) return;
    }
  }
}
TEST(FixedFilter, of_float32) {
  const Faces numbers({constant, 2}, {constant, -3}), mixed({symmetric}, {constant, 7});
  expect_fixed<float, 4, FixedKind::exact_lists>({9, -4, 9, -4}, Faces(reflect), Faces(reflect), weight);
  expect_fixed<float, 4>({1, 2, 4, -4}, numbers, mixed, weight);
  expect_fixed<float, 4>({6, -7, 3, 2}, Faces(periodic), numbers, weight);
  expect_fixed<float, 8, FixedKind::exact_lists>({17, -6, 17, -8}, mixed, Faces(periodic), weight);
  expect_fixed<float, 8>({12, -3, 11, -6}, Faces(edge), Faces(symmetric), weight);
  expect_fixed<float, 20>({38, -19, 25, -12}, Faces(edge), mixed, weight);
}
TEST(FixedFilter, of_41_float32) {
  expect_fixed<float, 20, FixedKind::exact_lists>({41, -20, 41, -20}, Faces(reflect), Faces(edge), weight);
}
TEST(FixedFilter, down_the_rows_alone) {
  const Faces numbers({constant, 2}, {constant, -3}), mixed({symmetric}, {constant, 7});
  expect_fixed<float, 4, FixedKind::exact_down>({9, -4, 0, 0}, mixed, Faces(reflect), weight);
  expect_fixed<float, 4, FixedKind::down>({5, -1, 0, 0}, numbers, Faces(reflect), weight);
  expect_fixed<float, 8, FixedKind::exact_down>({17, -8, 0, 0}, Faces(periodic), Faces(reflect), weight);
  expect_fixed<float, 8, FixedKind::down>({12, -3, 0, 0}, numbers, Faces(reflect), weight);
  expect_fixed<float, 20, FixedKind::exact_down>({41, -20, 0, 0}, Faces(reflect), Faces(reflect), weight);
  expect_fixed<float, 20, FixedKind::down>({30, -7, 0, 0}, Faces(edge), Faces(reflect), weight);
}
TEST(FixedFilter, of_grids) {
  const Faces numbers({constant, 2}, {constant, -3}), mixed({symmetric}, {constant, 7});
  expect_fixed<float, 3, FixedKind::grid>({7, -3, 7, -3}, numbers, mixed, weight);
  expect_fixed<float, 3, FixedKind::grid>({6, -1, 2, 1}, Faces(reflect), numbers, weight);
  expect_fixed<float, 3, FixedKind::grid>({2, 4, 6, -3}, Faces(periodic), Faces(edge), weight);
}
TEST(FixedFilter, of_bytes) {
  expect_fixed<std::uint8_t, 4, FixedKind::exact_lists>({9, -4, 9, -4}, Faces(reflect), Faces(symmetric), weight);
  expect_fixed<std::uint8_t, 4>({3, -1, 3, -1}, Faces(edge), Faces(periodic), fraction);
  expect_fixed<std::uint8_t, 8, FixedKind::exact_lists>({17, -8, 17, -8}, Faces(periodic), Faces(edge), weight);
  expect_fixed<std::uint8_t, 8>({10, -9, 5, 1}, Faces(symmetric), Faces(reflect), weight);
}

}  // namespace
}  // namespace crinkle::fixed_filter_test
