// gather and scatter along an axis against loops over indices.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>

#include "crinkle/operations.hpp"
#include "operations/naive.hpp"

namespace crinkle::testing::gather_test {
namespace {

// n pseudo-random indices of an axis, some negative.
std::vector<std::int64_t> some_indices(std::int64_t extent, std::size_t n) {
  std::vector<std::int64_t> indices;
  for (std::size_t j = 0; j < n; ++j) indices.push_back(static_cast<std::int64_t>(j * j * 7 + 3 * j + 1) % (2 * extent) - extent);
  return indices;
}

std::int64_t from_start(std::int64_t i, std::int64_t n) { return i < 0 ? i + n : i; }

TEST(gather, reads_every_named_index) {
  for_each_source([](const Array& array, const Source& source) {
    for (std::size_t a = 0; a < array.extents.size(); ++a) {
      const std::int64_t n = array.extents[a];
      for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{12}}) {
        if (n == 0 && count > 0) continue;
        const std::vector<std::int64_t> indices = n == 0 ? std::vector<std::int64_t>{} : some_indices(n, count);
        Extents extents = array.extents;
        extents[a] = static_cast<std::int64_t>(indices.size());
        const Array expected = naive(array, extents, [&](Index i) {
          i[a] = from_start(indices[static_cast<std::size_t>(i[a])], n);
          return i;
        });
        const auto axis = static_cast<std::int64_t>(a) - (count == 5 ? static_cast<std::int64_t>(array.extents.size()) : 0);
        ASSERT_EQ(moved(gather(source.layout, axis, indices), source), expected) << "axis " << a << ", " << count << " indices";
      }
    }
  });
}

TEST(gather, takes_hundreds_of_scattered_indices) {
  for (const Lie lie : all_lies) {
    const Array array = numbered({3, 211, 2}, 4);
    const Source source = laid(array, lie);
    const std::vector<std::int64_t> indices = some_indices(211, 500);
    const Array expected = naive(
        array, {3, 500, 2}, [&](const Index& i) { return Index{i[0], from_start(indices[static_cast<std::size_t>(i[1])], 211), i[2]}; });
    const Rearrangement r = gather(source.layout, 1, indices);
    EXPECT_EQ(moved(r, source), expected);
    const Array padded = moved(r.pad("@1", 1, 2).flip("@0"), source);
    for_each_index({3, 503, 2}, [&](const Index& i) {
      const bool is_data = i[1] >= 1 && i[1] <= 500;
      ASSERT_EQ(padded.element(i), is_data ? expected.element({2 - i[0], i[1] - 1, i[2]}) : Bytes(4, std::byte{0}));
    });
  }
}

TEST(gather, on_two_axes_is_a_product) {
  const Array array = numbered({101, 103}, 3);
  const std::vector<std::int64_t> rows = some_indices(101, 90), columns = some_indices(103, 95);
  const Rearrangement r = gather(Layout::dense({101, 103}, 3), 0, rows).take("@1", columns);
  EXPECT_EQ(moved(r, array), naive(array, {90, 95}, [&](const Index& i) {
              return Index{from_start(rows[static_cast<std::size_t>(i[0])], 101), from_start(columns[static_cast<std::size_t>(i[1])], 103)};
            }));
}

TEST(scatter, writes_every_named_index_and_nothing_else) {
  for_each_source([](const Array& array, const Source& source) {
    for (std::size_t a = 0; a < array.extents.size(); ++a) {
      const std::int64_t n_from = array.extents[a], n = 2 * n_from + 1;
      std::vector<std::int64_t> indices;  // 2·j in a scrambled order, every other one counted from the end
      for (std::int64_t j = 0; j < n_from; ++j) indices.push_back(2 * ((j * 5 + 2) % n_from) - (j % 2 == 1 ? n : 0));
      if (n_from % 5 == 0) continue;  // 5 is no unit there
      Extents extents = array.extents;
      extents[a] = n;
      Array expected = filled(extents, array.element_bytes, poison);
      for_each_index(array.extents, [&](const Index& i) {
        Index to = i;
        to[a] = from_start(indices[static_cast<std::size_t>(i[a])], n);
        expected.set(to, array.element(i));
      });
      const auto axis = static_cast<std::int64_t>(a) - (a % 2 == 0 ? static_cast<std::int64_t>(array.extents.size()) : 0);
      const Rearrangement r = scatter(source.layout, axis, indices, n);
      ASSERT_EQ(r.destination().extents, extents);
      ASSERT_EQ(moved(r, source), expected) << "axis " << a;
    }
  });
}

TEST(scatter, undoes_a_gather_of_all_indices) {
  const Array array = numbered({4, 97, 3}, 12);
  std::vector<std::int64_t> indices(97);
  for (std::size_t j = 0; j < indices.size(); ++j) indices[j] = static_cast<std::int64_t>(j * 41 % 97) - (j % 3 == 0 ? 97 : 0);
  const Array gathered = moved(gather(Layout::dense(array.extents, 12), 1, indices), array);
  EXPECT_EQ(moved(scatter(Layout::dense(array.extents, 12), 1, indices, 97), gathered), array);
}

TEST(scatter, of_nothing_touches_nothing) {
  EXPECT_EQ(moved(scatter(Layout::dense({0, 2}, 4), 0, {}, 3), numbered({0, 2}, 4)), filled({3, 2}, 4, poison));
  EXPECT_EQ(moved(scatter(Layout::dense({2, 0}, 4), 0, std::vector<std::int64_t>{1, 0}, 3), numbered({2, 0}, 4)),
            filled({3, 0}, 4, poison));
}

TEST(scatter, stays_within_its_destination_span) {
  const Rearrangement r = scatter(Layout::dense({2}, 4), 0, std::vector<std::int64_t>{7, 3}, 9);
  EXPECT_EQ(r.destination_spans(), (std::vector<ByteSpan>{{12, 32}}));
  EXPECT_EQ(r.source_spans(), (std::vector<ByteSpan>{{0, 8}}));
}

}  // namespace
}  // namespace crinkle::testing::gather_test
