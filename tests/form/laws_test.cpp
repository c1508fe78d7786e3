// The laws that verbs obey, and the most boxes that each chain may need: a chain of verbs never multiplies boxes.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "crinkle/error.hpp"
#include "form/map.hpp"
#include "support/generators.hpp"

namespace crinkle::laws_test {
namespace {

Boxes simple_boxes(const Rearrangement& r) {
  Boxes boxes = r.boxes();
  simplify(boxes);
  return boxes;
}

std::size_t n_boxes(const Rearrangement& r) { return simple_boxes(r).size(); }
bool is_copy(const Rearrangement& r) {
  const Boxes boxes = simple_boxes(r);
  return boxes.size() == 1 && boxes[0].axes.size() <= 1 && boxes[0].src_offset == 0 && boxes[0].dst_offset == 0;
}

// (x p) -> (p x) of one axis, whole where m does not divide n; and the way back.
Rearrangement crinkled(const Rearrangement& r, std::int64_t n, std::int64_t m) {
  return r.split_and_merge({{{{"x", n % m == 0 ? n / m : 0}, {"p", m}}, n % m != 0, 1}}, {{{{0, 1, 1}, {0, 0, 1}}}});
}
Rearrangement uncrinkled(const Rearrangement& r, std::int64_t n, std::int64_t m) {
  return r.split_and_merge({{{{"p", m}, {"x", n % m == 0 ? n / m : 0}}, n % m != 0, 0}}, {{{{0, 1, 1}, {0, 0, 1}}}});
}

TEST(Laws, a_flip_twice_is_the_identity) {
  const Rearrangement r(Layout::dense({5, 7}, 4));
  EXPECT_TRUE(is_copy(r.flip("@0").flip("@0")));
  EXPECT_TRUE(is_copy(r.flip("@0").flip("@1").flip("@0").flip("@1")));
  EXPECT_EQ(n_boxes(r.flip("@1")), 1U);
  EXPECT_TRUE(is_copy(r.byte_swap().byte_swap()));
}

TEST(Laws, a_roll_then_a_roll_is_the_roll_by_the_sum_and_never_more_than_one_roll) {
  for (std::int64_t n = 1; n < 12; ++n) {
    for (std::int64_t a = -13; a < 14; ++a) {
      for (std::int64_t b = -13; b < 14; ++b) {
        const Map both = Rearrangement(Layout::dense({n}, 4)).roll("@0", a).roll("@0", b).groups()[0].digits[0].map;
        EXPECT_EQ(table_of(both), table_of(roll_map(n, a + b))) << n << ": " << a << " and " << b;
        EXPECT_LE(both.size(), 2U) << n << ": " << a << " and " << b;
      }
    }
  }
  const Rearrangement huge(Layout::dense({10}, 4));
  EXPECT_TRUE(is_copy(huge.roll("@0", INT64_MIN).roll("@0", INT64_MAX).roll("@0", 1)));
}

TEST(Laws, a_rolled_axis_costs_two_boxes) {
  Rearrangement r(Layout::dense({7, 7, 7, 7, 7}, 4));
  std::size_t expected = 1;
  for (int a = 0; a < 5; ++a) {
    r = r.roll("@" + std::to_string(a), 3).roll("@" + std::to_string(a), 6);
    expected *= 2;
    EXPECT_EQ(r.boxes().size(), expected);
  }
  EXPECT_TRUE(is_copy(r.roll("@0", -2).roll("@1", -2).roll("@2", -2).roll("@3", -2).roll("@4", -2)));
}

TEST(Laws, a_pad_is_one_box_of_data_and_at_most_two_of_fill_an_axis) {
  Rearrangement r(Layout::dense({7, 5, 3, 6, 7, 4}, 4));
  for (std::size_t a = 0; a < 6; ++a) {
    r = r.pad("@" + std::to_string(a), 1, 2, PadMode::constant, noise(4, a));
    EXPECT_EQ(r.boxes().size(), 1 + 2 * (a + 1));
  }
  EXPECT_EQ(Rearrangement(Layout::dense({4, 5}, 4)).pad("@1", 0, 2).boxes().size(), 2U);
}

TEST(Laws, equal_pieces_of_a_wide_element_are_filled_by_one_box) {
  const auto n_fills = [](std::int64_t element_bytes, std::size_t n_bytes_of_text) {
    std::vector<std::byte> value(static_cast<std::size_t>(element_bytes));
    for (std::size_t i = 0; i < n_bytes_of_text; ++i) value[i] = static_cast<std::byte>(i + 1);
    return Rearrangement(Layout::dense({4}, element_bytes)).pad("@0", 0, 2, PadMode::constant, value).boxes().size() - 1;
  };
  EXPECT_EQ(n_fills(999, 0), 1U);
  EXPECT_EQ(n_fills(999, 3), 4U) << "three letters, and zeros behind them";
  EXPECT_EQ(n_fills(32, 17), 2U) << "in pieces of 16 bytes";
  EXPECT_EQ(n_fills(160, 16), 2U);
}

TEST(Laws, a_slice_cancels_a_pad) {
  EXPECT_TRUE(rc::check("pad and slice", [] {
    const std::int64_t n = pick(1, 20), before = pick(0, 50), after = pick(0, 50);
    const PadMode mode = one_of<PadMode>({PadMode::constant, PadMode::edge, PadMode::reflect, PadMode::symmetric, PadMode::wrap});
    RC_ASSERT(is_copy(Rearrangement(Layout::dense({3, n}, 4)).pad("@1", before, after, mode).slice("@1", before, before + n)));
  }));
}

TEST(Laws, a_slice_cancels_a_dilation) {
  for (std::int64_t step = 1; step < 6; ++step)
    EXPECT_TRUE(is_copy(Rearrangement(Layout::dense({3, 8}, 4)).dilate("@1", step).slice("@1", {}, {}, step)));
}

TEST(Laws, a_take_of_a_slices_indices_is_the_slice) {
  const Rearrangement r(Layout::dense({40}, 4));
  EXPECT_EQ(r.take("@0", oracle::Indices{3, 8, 13, 18}).boxes(), r.slice("@0", 3, 19, 5).boxes());
}

TEST(Laws, uncrinkling_undoes_a_crinkle_by_any_step) {
  for (std::int64_t n = 1; n < 30; ++n) {
    for (std::int64_t m = 1; m < 35; ++m) {
      const Rearrangement r(Layout::dense({n}, 2));
      const Rearrangement there = crinkled(r, n, m), back = uncrinkled(r, n, m);
      EXPECT_EQ(there.boxes().size(), n % m == 0 || m > n ? 1U : 2U) << n << " by " << m;
      Bytes source, expected;
      for (std::int64_t k = 0; k < n; ++k) source.insert(source.end(), {static_cast<std::byte>(k), std::byte{1}});
      for (std::int64_t p = 0; p < m; ++p)
        for (std::int64_t k = p; k < n; k += m) expected.insert(expected.end(), {static_cast<std::byte>(k), std::byte{1}});
      EXPECT_EQ(moved(there, source), expected) << n << " by " << m;
      EXPECT_EQ(moved(back, expected), source) << n << " by " << m;
      EXPECT_EQ(moved(there.then(back), source), source) << n << " by " << m;
      EXPECT_EQ(is_copy(there.then(back)), n % m == 0 || m > n || n == 1) << n << " by " << m;
    }
  }
}

TEST(Laws, ragged_crinkles_of_k_axes_are_two_boxes_an_axis) {
  const Rearrangement r =
      Rearrangement(Layout::dense({7, 11, 5}, 4))
          .split_and_merge({{{{"z", 0}, {"r", 2}}, true, 1}, {{{"y", 0}, {"q", 3}}, true, 1}, {{{"x", 0}, {"p", 2}}, true, 1}},
                           {{{{0, 1, 1}, {0, 0, 1}}}, {{{1, 1, 1}, {1, 0, 1}}}, {{{2, 1, 1}, {2, 0, 1}}}});
  EXPECT_EQ(r.boxes().size(), 8U);
  EXPECT_THROW(r.flip("y"), Error);
  EXPECT_THROW(r.roll("@1", 1), Error);
}

TEST(Laws, a_bit_reversal_is_one_box_of_extents_two_and_takes_no_verb_after) {
  const Rearrangement r = Rearrangement(Layout::dense({64, 3}, 4), {"y", "x"}).bit_reverse("y");
  ASSERT_EQ(r.boxes().size(), 1U);
  EXPECT_EQ(r.boxes()[0].axes.size(), 7U);
  EXPECT_EQ(r.extent("y"), 64);
  EXPECT_TRUE(is_copy(r.then(r)));
  for (const char* axis : {"y", "@0"}) {
    try {
      r.roll(axis, 1);
      ADD_FAILURE();
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::unsupported); }
  }
  EXPECT_NO_THROW(r.roll("x", 1));
  EXPECT_THROW((Rearrangement(Layout::dense({6}, 4)).bit_reverse("@0")), Error);
  EXPECT_TRUE(is_copy(Rearrangement(Layout::dense({2}, 4)).flip("@0").bit_reverse("@0").flip("@0")));
}

TEST(Laws, an_axis_that_is_left_out_must_be_fixed) {
  const Rearrangement r = Rearrangement(Layout::dense({4, 3}, 4)).split_and_merge({{{{"y", 4}}}, {{{"x", 3}}}}, {{{{1, 0, 1}}}});
  try {
    r.steps();
    ADD_FAILURE();
  } catch (const Error& error) { EXPECT_NE(std::string(error.what()).find("\"y\""), std::string::npos) << error.what(); }
  EXPECT_EQ(r.at("y", 2).boxes().size(), 1U);
  EXPECT_THROW(Rearrangement(Layout::dense({4, 3}, 4)).at("@0", 2).pad("@0", 1, 1).steps(), Error);
}

TEST(Laws, a_destination_is_given_after_the_verbs_that_change_extents) {
  const Rearrangement r = Rearrangement(Layout::dense({4, 3}, 4)).into(Layout{{4, 3}, {-16, 4}, 48, 4});
  EXPECT_EQ(r.flip("@0").destination().strides[0], -16);
  EXPECT_THROW(r.pad("@0", 1, 0), Error);
}

}  // namespace
}  // namespace crinkle::laws_test
