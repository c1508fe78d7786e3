// Hawick and Playne, section 8.3: equation 24 as printed, figure 7, and the captions of figures 9 to 11 with the phase axis where
// equation 3 puts it.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/operations.hpp"
#include "operations/naive.hpp"

namespace crinkle::testing::paper_test {
namespace {

// kc = (total/n)·(k/U_d % n) + k % U_d + (k/(n·U_d))·U_d. Extents are listed fastest first, as the paper numbers its dimensions.
std::vector<std::int64_t> equation_24(const std::vector<std::int64_t>& lengths, std::size_t d, std::int64_t n) {
  std::int64_t total = 1, unit = 1;
  for (std::size_t a = 0; a < lengths.size(); ++a) {
    if (a < d) unit *= lengths[a];
    total *= lengths[a];
  }
  std::vector<std::int64_t> to;
  for (std::int64_t k = 0; k < total; ++k) to.push_back(total / n * (k / unit % n) + k % unit + k / (n * unit) * unit);
  return to;
}

Bytes moved_by(const std::vector<std::int64_t>& to, const Bytes& src) {
  Bytes dst(src.size());
  const std::size_t e = src.size() / to.size();
  for (std::size_t k = 0; k < to.size(); ++k) {
    for (std::size_t b = 0; b < e; ++b) dst[static_cast<std::size_t>(to[k]) * e + b] = src[k * e + b];
  }
  return dst;
}

TEST(hawick_and_playne, equation_24_is_a_crinkle_in_any_dimension_with_any_step_that_divides) {
  const std::vector<std::int64_t> lengths{6, 4, 10, 3};  // fastest first
  const Extents extents(lengths.rbegin(), lengths.rend());
  const Array array = numbered(extents, 4);
  for (std::size_t d = 0; d < lengths.size(); ++d) {
    for (std::int64_t n = 1; n <= lengths[d]; ++n) {
      if (lengths[d] % n != 0) continue;
      const std::vector<Crinkle> crinkles{{-1 - static_cast<std::int64_t>(d), n}};
      EXPECT_EQ(moved(crinkle(Layout::dense(extents, 4), crinkles), array).bytes, moved_by(equation_24(lengths, d, n), array.bytes))
          << d << " " << n;
    }
  }
}

TEST(hawick_and_playne, figure_7_crinkles_a_mesh_of_4_by_4) {
  Array mesh = filled({4, 4}, 1, std::byte{0});
  for (std::size_t k = 0; k < 16; ++k) mesh.bytes[k] = static_cast<std::byte>(k);
  const auto crinkled = [&](const std::vector<Crinkle>& crinkles) {
    std::vector<int> cells;
    for (const std::byte b : moved(crinkle(Layout::dense({4, 4}, 1), crinkles), mesh).bytes) cells.push_back(std::to_integer<int>(b));
    return cells;
  };
  EXPECT_EQ(crinkled({{1, 2}}), (std::vector<int>{0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15}));
  EXPECT_EQ(crinkled({{0, 2}}), (std::vector<int>{0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15}));
  EXPECT_EQ(crinkled({{1, 2}, {0, 2}}),
            (std::vector<int>{0, 2, 8, 10, 1, 3, 9, 11, 4, 6, 12, 14, 5, 7, 13, 15}));  // x, then y: phase y outside
  EXPECT_EQ(crinkled({{0, 2}, {1, 2}}), (std::vector<int>{0, 2, 8, 10, 4, 6, 12, 14, 1, 3, 9, 11, 5, 7, 13, 15}));  // y, then x
}

TEST(hawick_and_playne, figures_9_to_11_have_the_phase_slowest) {
  const Layout picture = Layout::dense({128, 128}, 1);
  const auto extents = [&](const std::vector<Crinkle>& crinkles) { return crinkle(picture, crinkles).destination().extents; };
  EXPECT_EQ(extents({{1, 2}}), (Extents{2, 128, 64}));
  EXPECT_EQ(extents({{1, 4}}), (Extents{4, 128, 32}));
  EXPECT_EQ(extents({{0, 2}}), (Extents{2, 64, 128}));
  EXPECT_EQ(extents({{0, 4}}), (Extents{4, 32, 128}));
  EXPECT_EQ(extents({{0, 2}, {1, 2}}), (Extents{2, 2, 64, 64}));
}

TEST(hawick_and_playne, figure_11_is_equation_24_twice) {
  const Array picture = numbered({128, 128}, 4);
  const Layout layout = Layout::dense({128, 128}, 4);
  // After the first crinkle the array is [2][128][64] or [2][64][128]; the dimension crinkled next is still the first or second from
  // the fast end.
  const Bytes x_then_y = moved_by(equation_24({64, 128, 2}, 1, 2), moved_by(equation_24({128, 128}, 0, 2), picture.bytes));
  const Bytes y_then_x = moved_by(equation_24({128, 64, 2}, 0, 2), moved_by(equation_24({128, 128}, 1, 2), picture.bytes));
  EXPECT_EQ(moved(crinkle(layout, std::vector<Crinkle>{{1, 2}, {0, 2}}), picture).bytes, x_then_y);
  EXPECT_EQ(moved(crinkle(layout, std::vector<Crinkle>{{0, 2}, {1, 2}}), picture).bytes, y_then_x);
  EXPECT_NE(x_then_y, y_then_x);
}

TEST(hawick_and_playne, section_8_4_uncrinkles_with_both_sides_exchanged) {
  const Array picture = numbered({128, 128}, 4);
  for (const std::vector<Crinkle>& crinkles : {std::vector<Crinkle>{{1, 4}}, {{0, 4}}, {{1, 2}, {0, 4}}}) {
    const Array crinkled = moved(crinkle(Layout::dense({128, 128}, 4), crinkles), picture);
    EXPECT_EQ(moved(uncrinkle({128, 128}, 4, crinkles), crinkled), picture);
  }
}

}  // namespace
}  // namespace crinkle::testing::paper_test
