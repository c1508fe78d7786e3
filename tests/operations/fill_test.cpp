// pad and dilate against loops over indices.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/checked.hpp"
#include "crinkle/operations.hpp"
#include "operations/naive.hpp"

namespace crinkle::testing::fill_test {
namespace {

// numpy.pad, one index at a time: walk from the array outwards by the mode's rule.
std::optional<std::int64_t> padded_from(std::int64_t i, std::int64_t n, PadMode mode) {
  if (i >= 0 && i < n) return i;
  if (mode == PadMode::constant) return {};
  if (mode == PadMode::edge || n == 1) return i < 0 ? 0 : n - 1;
  while (i < 0 || i >= n) {
    switch (mode) {
      case PadMode::wrap: i += i < 0 ? n : -n; break;
      case PadMode::reflect: i = i < 0 ? -i : 2 * (n - 1) - i; break;
      default: i = i < 0 ? -1 - i : 2 * n - 1 - i; break;
    }
  }
  return i;
}

constexpr PadMode all_modes[] = {PadMode::constant, PadMode::edge, PadMode::reflect, PadMode::symmetric, PadMode::wrap};

Array padded(const Array& array, const std::vector<PadWidth>& widths, PadMode mode, const Bytes& value) {
  Extents extents = array.extents;
  for (std::size_t a = 0; a < extents.size(); ++a) extents[a] += widths[a].before + widths[a].after;
  return naive(
      array, extents,
      [&](Index i) -> std::optional<Index> {
        for (std::size_t a = 0; a < i.size(); ++a) {
          const auto from = padded_from(i[a] - widths[a].before, array.extents[a], mode);
          if (!from) return {};
          i[a] = *from;
        }
        return i;
      },
      value);
}

TEST(pad, continues_every_axis_in_five_modes) {
  const std::vector<Extents> shapes{{}, {1}, {2}, {7}, {3, 4}, {1, 5}, {2, 3, 2}, {2, 1, 3, 2}};
  for_each_source(
      [](const Array& array, const Source& source) {
        for (const PadMode mode : all_modes) {
          std::vector<PadWidth> widths;
          for (std::size_t a = 0; a < array.extents.size(); ++a)
            widths.push_back({static_cast<std::int64_t>(a * a % 3), 2 - static_cast<std::int64_t>(a % 3)});
          const Bytes value = numbered({}, array.element_bytes, 9).bytes;
          ASSERT_EQ(moved(pad(source.layout, widths, mode, value), source), padded(array, widths, mode, value)) << name_of(mode);
        }
      },
      shapes);
}

TEST(pad, goes_on_for_many_periods) {
  for (const std::int64_t n : {1, 2, 3, 5}) {
    const Array array = numbered({n}, 4);
    for (const PadMode mode : all_modes) {
      for (const std::int64_t before : {0, 1, 4, 13}) {
        for (const std::int64_t after : {0, 2, 11}) {
          const std::vector<PadWidth> widths{{before, after}};
          ASSERT_EQ(moved(pad(Layout::dense({n}, 4), widths, mode), array), padded(array, widths, mode, {})) << name_of(mode) << " " << n;
        }
      }
    }
  }
}

TEST(pad, of_nothing_is_all_value) {
  const Bytes value = numbered({}, 12, 3).bytes;
  const Array empty = numbered({0, 2}, 12);
  const std::vector<PadWidth> widths{{1, 2}, {0, 1}};
  EXPECT_EQ(moved(pad(Layout::dense({0, 2}, 12), widths, PadMode::constant, value), empty),
            padded(empty, widths, PadMode::constant, value));
  EXPECT_EQ(moved(pad(Layout::dense({0}, 4), std::vector<PadWidth>{{2, 1}}), numbered({0}, 4)), filled({3}, 4, std::byte{0}));
  EXPECT_EQ(moved(pad(Layout::dense({0}, 4), std::vector<PadWidth>{{0, 0}}, PadMode::wrap), numbered({0}, 4)),
            filled({0}, 4, std::byte{0}));
}

TEST(pad, without_a_value_writes_zeros) {
  const Array array = numbered({2, 3}, 16);
  const std::vector<PadWidth> widths{{1, 0}, {0, 2}};
  EXPECT_EQ(moved(pad(Layout::dense({2, 3}, 16), widths), array), padded(array, widths, PadMode::constant, {}));
}

TEST(pad, takes_one_box_for_the_data_and_fills_beside_it) {
  const Boxes boxes = pad(Layout::dense({5, 6}, 4), std::vector<PadWidth>{{1, 1}, {2, 0}}).boxes();
  std::size_t n_data = 0;
  for (const Box& b : boxes) n_data += b.is_fill ? 0 : 1;
  EXPECT_EQ(n_data, 1u);
}

TEST(dilate, puts_zeros_between_elements) {
  for_each_source([](const Array& array, const Source& source) {
    std::vector<std::int64_t> steps;
    Extents extents;
    for (std::size_t a = 0; a < array.extents.size(); ++a) {
      steps.push_back(static_cast<std::int64_t>(a + 2) % 4 + 1);
      extents.push_back(array.extents[a] == 0 ? 0 : (array.extents[a] - 1) * steps[a] + 1);
    }
    const Array expected = naive(array, extents, [&](Index i) -> std::optional<Index> {
      for (std::size_t a = 0; a < i.size(); ++a) {
        if (i[a] % steps[a] != 0) return {};
        i[a] /= steps[a];
      }
      return i;
    });
    ASSERT_EQ(moved(dilate(source.layout, steps), source), expected);
  });
}

TEST(dilate, is_undone_by_a_slice_with_its_step) {
  const Array array = numbered({5, 4}, 4);
  const Rearrangement r = dilate(Layout::dense({5, 4}, 4), std::vector<std::int64_t>{3, 2}).slice("@0", {}, {}, 3).slice("@1", {}, {}, 2);
  EXPECT_EQ(r.boxes().size(), 1u);
  EXPECT_EQ(moved(r, array), array);
}

// Fills of different values: the pad that is written later covers the corner.
TEST(pad, written_later_covers_the_corner) {
  const Array array = numbered({2, 2}, 1);
  const Bytes seven{std::byte{7}}, nine{std::byte{9}};
  const Rearrangement plain(Layout::dense({2, 2}, 1));
  const Array nine_last = moved(plain.pad("@0", 1, 0, PadMode::constant, seven).pad("@1", 0, 1, PadMode::constant, nine), array);
  const Array seven_last = moved(plain.pad("@1", 0, 1, PadMode::constant, nine).pad("@0", 1, 0, PadMode::constant, seven), array);
  EXPECT_EQ(nine_last.element({0, 2}), nine);
  EXPECT_EQ(seven_last.element({0, 2}), seven);
  for (const Array& a : {nine_last, seven_last}) {
    EXPECT_EQ(a.element({0, 0}), seven);
    EXPECT_EQ(a.element({1, 2}), nine);
    EXPECT_EQ(a.element({2, 1}), array.element({1, 1}));
  }
}

}  // namespace
}  // namespace crinkle::testing::fill_test
