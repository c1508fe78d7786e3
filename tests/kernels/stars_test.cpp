// Stars of any axes, and short rows along the line, walked through on a CPU: the definition's bits of two to seven axes, radii, boundaries
// and types; lines of every length and vectors of every size that they have; extents that a thread's cells and a tile's rows do not
// divide, axes that are not reached, parts of blocks that are beyond the array.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/kernel_walk.hpp"

#include <gtest/gtest.h>

#pragma GCC diagnostic push  // of headers that nvcc compiles elsewhere
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "stencil/cuda/axes.cuh"
#pragma GCC diagnostic pop
#include "stencil/cuda/march.hpp"
#include "stencil/cuda/stages.hpp"
#include "stencil/stencils.hpp"

namespace crinkle::walked_stars_test {
namespace {

namespace walk = crinkle::testing::walk;

// The centre, then axis by axis −1, 1, −2, 2 …; or a row along the only axis in its order.
LinearStencil stencil_of(int rank, std::int64_t radius, bool is_row) {
  LinearStencil stencil{"known", rank, {{}}};
  PointList& list = stencil.passes[0];
  const auto point = [&](int axis, std::int64_t o) {
    for (int a = 0; a < rank; ++a) list.offsets.push_back(a == axis ? o : 0);
    list.coefficients.push_back(0.3 / static_cast<double>(list.coefficients.size() + 2) * (list.coefficients.size() % 3 == 1 ? -0.7 : 1));
  };
  if (is_row) {
    for (std::int64_t o = -radius; o <= radius; ++o) point(0, o);
    return stencil;
  }
  point(-1, 0);
  for (int a = 0; a < rank; ++a)
    for (std::int64_t o = 1; o <= radius; ++o) point(a, -o), point(a, o);
  return stencil;
}

template <class T, int radius>
void run_star(const CudaStage<T>& s, const std::byte* in, std::byte* out) {
  if (s.vector == 16) return kernel::star_of_axes<T, radius, 16 / sizeof(T)>(s, 0, in, out);
  if (s.vector == 8) return kernel::star_of_axes<T, radius, 8 / sizeof(T)>(s, 0, in, out);
  kernel::star_of_axes<T, radius, 1>(s, 0, in, out);
}

template <class T, int radius>
void expect_definition(const Sweep& wanted, bool is_row, int vector) {
  const Sweep sweep = checked(wanted);
  ShapedSweep of = shaped(sweep, {});
  fill_up(of);
  const March* const march = march_of(of.stages[0], of.shape);
  ASSERT_NE(march, nullptr) << told(sweep);
  ASSERT_EQ(march->row, March::Row::star_of_axes) << told(sweep);
  ASSERT_EQ(march->line, radius);
  ASSERT_EQ(march->is_box, is_row);
  CudaStage<T> s = stage_of<T>(of.shape, of.stages[0], of.source, of.destination);
  for (std::size_t p = 0; p < of.stages[0].coefficients.size(); ++p) s.points[p].coefficient = static_cast<T>(of.stages[0].coefficients[p]);
  s.vector = vector;
  set_march(s, *march, 1);
  const Bytes source = numbers_for(sweep.source, sweep.source_type);
  Guarded src(span_of(sweep.source), source), dst(span_of(sweep.destination));
  const std::byte* const in = src.origin() + of.source.offset;
  std::byte* const out = dst.origin() + of.destination.offset;
  ASSERT_EQ(reinterpret_cast<std::uintptr_t>(in) % 16 + reinterpret_cast<std::uintptr_t>(out) % 16, 0u);
  const auto blocks = static_cast<std::uint32_t>(s.n_blocks);
  for (walk::block = {}; walk::block.x < blocks; ++walk::block.x) {  // no thread waits for another
    for (walk::thread = {}; walk::thread.x < cuda_sweep_threads; ++walk::thread.x) {
      if (is_row) kernel::short_row<T, radius>(s, 0, in, out);
      else run_star<T, radius>(s, in, out);
    }
  }
  EXPECT_TRUE(swept_by_reference(sweep, source) == dst.content()) << told(sweep) << ", radius " << radius << ", " << vector << " bytes";
  EXPECT_TRUE(src.is_intact() && dst.is_intact());
}

template <int radius>
void expect_all(const Extents& extents, const std::vector<int>& axes, bool is_row = false) {
  for (std::size_t n = 0; n < all_faces.size(); ++n) {
    std::vector<Faces> faces;
    for (std::size_t a = 0; a < axes.size(); ++a) faces.push_back(all_faces[(n + a) % all_faces.size()]);
    const LinearStencil stencil = stencil_of(static_cast<int>(axes.size()), radius, is_row);
    for (int vector = 16; vector >= 4; vector /= 2) {
      if (is_row && vector < 16) break;
      if (extents.back() * 4 % vector == 0) expect_definition<float, radius>(sweep_of(stencil, extents, f4, axes, faces), is_row, vector);
      if (vector >= 8 && extents.back() * 8 % vector == 0)
        expect_definition<double, radius>(sweep_of(stencil, extents, f8, axes, faces), is_row, vector);
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(WalkedStars, of_four_to_seven_axes) {
  expect_all<1>({5, 3, 4, 8}, {0, 1, 2, 3});
  expect_all<2>({6, 5, 7, 12}, {0, 1, 2, 3});
  expect_all<3>({9, 7, 8, 8}, {0, 1, 2, 3});
  expect_all<1>({3, 4, 3, 5, 8}, {0, 1, 2, 3, 4});
  expect_all<1>({7, 3, 3, 3, 3, 4}, {0, 1, 2, 3, 4, 5});
  expect_all<1>({3, 3, 3, 3, 3, 3, 4}, {0, 1, 2, 3, 4, 5, 6});
}
TEST(WalkedStars, of_axes_that_are_not_neighbours_and_short_lines) {
  expect_all<1>({6, 5, 3, 8}, {0, 3});
  expect_all<1>({2, 6, 5, 7, 8}, {1, 3, 4});
  expect_all<4>({10, 9, 2, 12}, {0, 1, 3});
  expect_all<1>({9, 5, 8}, {0, 2});
}
TEST(WalkedStars, of_lines_of_any_length) {
  expect_all<1>({5, 4, 3, 6}, {0, 1, 2, 3});
  expect_all<1>({10, 3, 4, 3}, {0, 1, 2, 3});
  expect_all<2>({9, 5, 7, 5}, {0, 1, 2, 3});
  expect_all<3>({7, 8, 7, 10}, {0, 1, 2, 3});
  expect_all<4>({9, 2, 10, 9}, {0, 2, 3});
  expect_all<1>({3, 4, 3, 5, 7}, {0, 1, 2, 3, 4});
}
TEST(WalkedStars, of_tiles_that_their_axes_fill_or_not) {
  expect_all<1>({3, 3, 8, 4}, {0, 1, 2, 3});
  expect_all<1>({3, 4, 15, 4}, {0, 1, 2, 3});
  expect_all<2>({5, 15, 12, 8}, {0, 1, 2, 3});
  expect_all<1>({3, 3, 3, 4, 8, 6}, {0, 1, 2, 3, 4, 5});
}
TEST(WalkedStars, rows_along_the_line) {
  expect_all<1>({7, 20}, {1}, true);
  expect_all<4>({3, 5, 24}, {2}, true);
}

}  // namespace
}  // namespace crinkle::walked_stars_test
