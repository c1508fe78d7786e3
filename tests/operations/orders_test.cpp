// bit_reverse, morton and checkerboard against loops over bits and indices.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "crinkle/operations.hpp"
#include "operations/naive.hpp"

namespace crinkle::testing::orders_test {
namespace {

std::int64_t reversed(std::int64_t i, std::int64_t n) {
  std::int64_t r = 0;
  for (std::int64_t bit = 1; bit < n; bit *= 2) r = 2 * r + ((i & bit) != 0 ? 1 : 0);
  return r;
}

TEST(bit_reverse, reverses_the_bits_of_one_index) {
  const std::vector<Extents> shapes{{1}, {2}, {8}, {64}, {4, 3}, {3, 8}, {2, 3, 16}, {1, 4, 2, 3}};
  for_each_source(
      [](const Array& array, const Source& source) {
        for (std::size_t a = 0; a < array.extents.size(); ++a) {
          const std::int64_t n = array.extents[a];
          if ((n & (n - 1)) != 0) continue;
          const Array expected = naive(array, array.extents, [&](Index i) {
            i[a] = reversed(i[a], n);
            return i;
          });
          const Rearrangement r = bit_reverse(source.layout, static_cast<std::int64_t>(a));
          ASSERT_EQ(moved(r, source), expected);
          ASSERT_EQ(r.boxes().size(), 1u);
        }
      },
      shapes);
}

TEST(bit_reverse, after_a_verb_reverses_what_the_verb_left) {
  for (const std::int64_t n : {1, 2, 4, 8}) {
    const Array array = numbered({11}, 4);
    const Rearrangement r = Rearrangement(Layout::dense({11}, 4)).slice("@0", 2, 2 + n).flip("@0").bit_reverse("@0");
    EXPECT_EQ(moved(r, array), naive(array, {n}, [&](const Index& i) { return Index{2 + n - 1 - reversed(i[0], n)}; })) << n;
  }
}

TEST(bit_reverse, of_the_fastest_axis_is_the_default) {
  const Array array = numbered({3, 8}, 4);
  EXPECT_EQ(moved(bit_reverse(Layout::dense({3, 8}, 4)), array), moved(bit_reverse(Layout::dense({3, 8}, 4), 1), array));
}

// The place of an element, bit by bit: the shared low bits interleaved, fastest axis lowest, the rest on top, slowest axis topmost.
std::int64_t morton_place(const Index& i, const Extents& extents) {
  std::int64_t place = 0;
  const std::int64_t smallest = extents.empty() ? 1 : *std::min_element(extents.begin(), extents.end());
  int at = 0;
  for (int bit = 0; (std::int64_t{1} << bit) < smallest; ++bit) {
    for (std::size_t a = extents.size(); a-- > 0;) place |= (i[a] >> bit & 1) << at++;
  }
  for (std::size_t a = extents.size(); a-- > 0;) {
    for (int bit = 0; (std::int64_t{1} << bit) < extents[a]; ++bit) {
      if ((std::int64_t{1} << bit) >= smallest) place |= (i[a] >> bit & 1) << at++;
    }
  }
  return place;
}

TEST(morton, interleaves_the_shared_bits_and_keeps_the_rest_on_top) {
  const std::vector<Extents> shapes{{}, {1}, {8}, {4, 4}, {2, 16}, {16, 2}, {1, 8}, {4, 4, 4}, {2, 8, 4}, {8, 2, 2}, {2, 4, 2, 2}};
  for_each_source(
      [](const Array& array, const Source& source) {
        const std::int64_t n = Layout::dense(array.extents, 1).n_elements();
        Array expected = filled({n}, array.element_bytes, std::byte{0});
        for_each_index(array.extents, [&](const Index& i) { expected.set({morton_place(i, array.extents)}, array.element(i)); });
        const Rearrangement r = morton(source.layout);
        ASSERT_EQ(moved(r, source), expected);
        ASSERT_EQ(r.boxes().size(), 1u);
      },
      shapes);
}

TEST(morton, of_four_by_four_is_the_familiar_curve) {
  Array array = filled({4, 4}, 1, std::byte{0});
  for (std::size_t k = 0; k < 16; ++k) array.bytes[k] = static_cast<std::byte>(k);
  std::vector<int> curve;
  for (const std::byte b : moved(morton(Layout::dense({4, 4}, 1)), array).bytes) curve.push_back(std::to_integer<int>(b));
  EXPECT_EQ(curve, (std::vector<int>{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}));
}

TEST(morton, has_an_inverse) {
  for (const Extents& extents : {Extents{8, 2, 4}, Extents{4, 4}, Extents{16}}) {
    const Array array = numbered(extents, 12);
    const Rearrangement r = morton(Layout::dense(extents, 12));
    EXPECT_EQ(moved(r.inverse(), moved(r, array)), array);
  }
}

TEST(checkerboard, lists_even_elements_then_odd_ones_in_c_order) {
  std::vector<Extents> shapes{{}, {0, 3}, {1, 1, 1}};
  for (const std::int64_t a : {1, 4, 5}) {
    shapes.push_back({a});
    for (const std::int64_t b : {2, 3}) {
      shapes.push_back({a, b});
      shapes.push_back({b, a});
      for (const std::int64_t c : {1, 2, 3}) shapes.push_back({a, b, c});
    }
  }
  for (int parities = 0; parities < 16; ++parities) {
    shapes.push_back({2 + (parities & 1), 4 - (parities >> 1 & 1), 2 + (parities >> 2 & 1), 3 - (parities >> 3 & 1)});
  }
  shapes.push_back({1, 3, 2, 1, 3});
  for_each_source(
      [](const Array& array, const Source& source) {
        Bytes even, odd;
        for_each_index(array.extents, [&](const Index& i) {
          std::int64_t sum = 0;
          for (const std::int64_t index : i) sum += index;
          const Bytes value = array.element(i);
          Bytes& colour = sum % 2 == 0 ? even : odd;
          colour.insert(colour.end(), value.begin(), value.end());
        });
        even.insert(even.end(), odd.begin(), odd.end());
        const Rearrangement r = checkerboard(source.layout);
        const Array result = moved(r, source);
        ASSERT_EQ(result.bytes, even);
        ASSERT_EQ(result.extents, (Extents{Layout::dense(array.extents, 1).n_elements()}));
        std::size_t n_boxes = 1;
        for (const std::int64_t n : array.extents) n_boxes *= n > 1 ? 2 : 1;
        ASSERT_LE(r.boxes().size(), n_boxes);
      },
      shapes);
}

TEST(checkerboard, of_a_plane_is_four_boxes_whatever_its_extents) {
  for (const Extents& extents : {Extents{4, 6}, Extents{5, 6}, Extents{4, 7}, Extents{5, 7}})
    EXPECT_EQ(checkerboard(Layout::dense(extents, 4)).boxes().size(), 4u);
}

TEST(checkerboard, ignores_axes_of_extent_one_in_its_limit) {
  Extents extents(70, 1);
  extents[3] = 2;
  extents[67] = 3;
  const Array array = numbered(extents, 4);
  EXPECT_EQ(moved(checkerboard(Layout::dense(extents, 4)), array).bytes, moved(checkerboard(Layout::dense({2, 3}, 4)), array).bytes);
}

}  // namespace
}  // namespace crinkle::testing::orders_test
