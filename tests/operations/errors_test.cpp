// What every maker refuses: the code, and a text that names the values.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/operations.hpp"
#include "operations/naive.hpp"

namespace crinkle::testing::errors_test {
namespace {

using Numbers = std::vector<std::int64_t>;
using Crinkles = std::vector<Crinkle>;

const Layout cube = Layout::dense({3, 4, 5}, 4);

TEST(permute, refuses_what_is_no_permutation) {
  expect_error(ErrorCode::bad_shape, {"2", "rank 3"}, [] { permute(cube, Numbers{1, 0}); });
  expect_error(ErrorCode::bad_shape, {"axis 1", "twice"}, [] { permute(cube, Numbers{1, 0, -2}); });
  expect_error(ErrorCode::bad_shape, {"axis 3", "rank 3"}, [] { permute(cube, Numbers{1, 0, 3}); });
  expect_error(ErrorCode::bad_shape, {"axis -4", "rank 3"}, [] { permute(cube, Numbers{1, 0, -4}); });
}

TEST(flip, refuses_an_axis_that_is_not_there_or_twice) {
  expect_error(ErrorCode::bad_shape, {"axis 3", "rank 3"}, [] { flip(cube, Numbers{3}); });
  expect_error(ErrorCode::bad_shape, {"axis 2", "twice"}, [] { flip(cube, Numbers{2, -1}); });
  expect_error(ErrorCode::bad_shape, {"axis 0", "rank 0"}, [] { flip(Layout::dense({}, 4), Numbers{0}); });
}

TEST(roll, refuses_a_wrong_number_of_distances) {
  expect_error(ErrorCode::bad_shape, {"1 distances", "rank 3"}, [] { roll(cube, Numbers{3}); });
}

TEST(slice, refuses_a_step_of_zero_and_a_wrong_number_of_ranges) {
  expect_error(ErrorCode::bad_shape, {"2 ranges", "rank 3"}, [] { slice(cube, std::vector<SliceRange>(2)); });
  expect_error(ErrorCode::bad_shape, {"@1", "step of 0"}, [] { slice(cube, std::vector<SliceRange>{{}, {{}, {}, 0}, {}}); });
}

TEST(pad, refuses_negative_widths_nothing_to_mirror_and_a_value_of_another_size) {
  expect_error(ErrorCode::bad_shape, {"4 widths", "rank 3"}, [] { pad(cube, std::vector<PadWidth>(4)); });
  expect_error(ErrorCode::bad_shape, {"-1", "7", "@0"}, [] { pad(cube, std::vector<PadWidth>{{-1, 7}, {}, {}}); });
  expect_error(ErrorCode::bad_shape, {"extent 0", "reflect"},
               [] { pad(Layout::dense({0}, 4), std::vector<PadWidth>{{1, 0}}, PadMode::reflect); });
  expect_error(ErrorCode::bad_shape, {"3 bytes", "4 bytes"},
               [] { pad(cube, std::vector<PadWidth>{{1, 0}, {}, {}}, PadMode::constant, Bytes(3)); });
  expect_error(ErrorCode::too_large, {}, [] { pad(cube, std::vector<PadWidth>{{INT64_MAX, INT64_MAX}, {}, {}}); });
  expect_error(ErrorCode::too_large, {}, [] { pad(cube, std::vector<PadWidth>{{INT64_MAX / 8, 0}, {}, {}}); });
}

TEST(dilate, refuses_a_step_below_one) {
  expect_error(ErrorCode::bad_shape, {"1 steps", "rank 3"}, [] { dilate(cube, Numbers{1}); });
  expect_error(ErrorCode::bad_shape, {"@2", "0"}, [] { dilate(cube, Numbers{1, 1, 0}); });
  expect_error(ErrorCode::too_large, {}, [] { dilate(cube, Numbers{INT64_MAX, 1, 1}); });
}

TEST(repeat, refuses_a_negative_count_and_more_than_63_bits) {
  expect_error(ErrorCode::bad_shape, {"-2"}, [] { repeat(cube, -2); });
  expect_error(ErrorCode::too_large, {}, [] { repeat(cube, INT64_MAX / 4); });
}

TEST(reorder, refuses_a_box_outside_the_array_and_a_lost_axis) {
  expect_error(ErrorCode::bad_shape, {"axis 1", "[2, +3)", "4"},
               [] { reorder(cube, Numbers{0, 1, 2}, Numbers{0, 2, 0}, Numbers{3, 3, 5}); });
  expect_error(ErrorCode::bad_shape, {"axis 0", "[-1, +1)"}, [] { reorder(cube, Numbers{0, 1, 2}, Numbers{-1, 0, 0}, Numbers{1, 4, 5}); });
  expect_error(ErrorCode::bad_shape, {"axis 2", "range 5", "range 1"},
               [] { reorder(cube, Numbers{1, 0}, Numbers{0, 0, 0}, Numbers{3, 4, 5}); });
  expect_error(ErrorCode::bad_shape, {"axis 2", "range 0"}, [] { reorder(cube, Numbers{1, 0}, Numbers{0, 0, 0}, Numbers{3, 4, 0}); });
  expect_error(ErrorCode::bad_shape, {"axis 1", "twice"}, [] { reorder(cube, Numbers{1, 1}, Numbers{0, 0, 0}, Numbers{3, 4, 1}); });
  expect_error(ErrorCode::bad_shape, {"axis 7", "rank 3"}, [] { reorder(cube, Numbers{7}, Numbers{0, 0, 0}, Numbers{3, 4, 1}); });
  expect_error(ErrorCode::bad_shape, {"2 base indices", "rank 3"}, [] { reorder(cube, Numbers{0}, Numbers{0, 0}, Numbers{3, 1, 1}); });
  expect_error(ErrorCode::bad_shape, {"4 ranges", "rank 3"}, [] { reorder(cube, Numbers{0}, Numbers{0, 0, 0}, Numbers{3, 1, 1, 1}); });
  expect_error(ErrorCode::bad_shape, {"axis 0", "9223372036854775807"},
               [] { reorder(cube, Numbers{0}, Numbers{1, 0, 0}, Numbers{INT64_MAX, 1, 1}); });
}

TEST(crinkle, refuses_what_it_cannot_crinkle) {
  expect_error(ErrorCode::not_divisible, {"axis 1", "extent 4", "step 3", "3 and 6"}, [] { crinkle(cube, Crinkles{{1, 3}}); });
  expect_error(ErrorCode::not_divisible, {"axis 2", "extent 5", "step 9", "0 and 9"},
               [] { crinkle(cube, Crinkles{{-1, 9}}, Placement::local); });
  for (const Tail tail : {Tail::error, Tail::ragged, Tail::pad, Tail::drop}) {
    for (const std::int64_t step : {0, -3}) {
      expect_error(ErrorCode::bad_shape, {"axis 0", "extent 3", std::to_string(step)},
                   [&] { crinkle(cube, Crinkles{{0, step}}, Placement::global, tail); });
      expect_error(ErrorCode::bad_shape, {"axis 0", std::to_string(step)},
                   [&] { uncrinkle({3, 4, 5}, 4, Crinkles{{0, step}}, Placement::global, tail); });
    }
    expect_error(ErrorCode::bad_shape, {"axis 3", "rank 3"}, [&] { crinkle(cube, Crinkles{{3, 2}}, Placement::global, tail); });
    expect_error(ErrorCode::bad_shape, {"axis 3", "rank 3"}, [&] { uncrinkle({3, 4, 5}, 4, Crinkles{{3, 2}}, Placement::global, tail); });
    expect_error(ErrorCode::unsupported, {"axis 1", "twice"}, [&] { crinkle(cube, Crinkles{{1, 2}, {-2, 2}}, Placement::global, tail); });
    expect_error(ErrorCode::unsupported, {"axis 1", "twice"},
                 [&] { uncrinkle({3, 4, 5}, 4, Crinkles{{1, 2}, {-2, 2}}, Placement::global, tail); });
  }
  expect_error(ErrorCode::not_divisible, {"axis 1", "4", "3"}, [] { uncrinkle({3, 4, 5}, 4, Crinkles{{1, 3}}); });
  for (const Placement placement : {Placement::global, Placement::local}) {
    expect_error(ErrorCode::too_large, {}, [&] { crinkle(cube, Crinkles{{0, INT64_MAX}}, placement, Tail::pad); });
    expect_error(ErrorCode::too_large, {}, [&] { uncrinkle({3, 4, 5}, 4, Crinkles{{0, INT64_MAX}}, placement, Tail::pad); });
  }
  Crinkles many;
  for (std::int64_t a = 0; a < 13; ++a) many.push_back({a, 2});
  expect_error(ErrorCode::too_large, {"4096"}, [&] { crinkle(Layout::dense(Extents(13, 3), 4), many, Placement::global, Tail::ragged); });
}

TEST(crinkle, takes_the_largest_step_raggedly) {
  const Array array = numbered({3, 4, 5}, 4);
  for (const Placement placement : {Placement::global, Placement::local}) {
    EXPECT_EQ(moved(crinkle(cube, Crinkles{{0, INT64_MAX}}, placement, Tail::ragged), array).bytes, array.bytes);
    EXPECT_EQ(moved(uncrinkle({3, 4, 5}, 4, Crinkles{{0, INT64_MAX}}, placement, Tail::ragged), array).bytes, array.bytes);
  }
}

TEST(interlace, refuses_no_arrays_and_an_axis_that_is_not_there) {
  expect_error(ErrorCode::bad_shape, {"0 arrays"}, [] { interlace(cube, 0); });
  expect_error(ErrorCode::bad_shape, {"-1 arrays"}, [] { interlace(cube, -1); });
  expect_error(ErrorCode::bad_shape, {"axis 4", "rank 4"}, [] { interlace(cube, 2, 4); });
  expect_error(ErrorCode::bad_shape, {"axis -5", "rank 4"}, [] { interlace(cube, 2, -5); });
  expect_error(ErrorCode::bad_shape, {"axis 3", "rank 3"}, [] { deinterlace(cube, 3); });
  expect_error(ErrorCode::too_large, {}, [] { interlace(cube, INT64_MAX / 2); });
  expect_error(ErrorCode::too_large, {"2147483648 buffers"}, [] { interlace(cube, std::int64_t{1} << 31); });
  expect_error(ErrorCode::too_large, {"2147483648 buffers"}, [] { deinterlace(Layout::dense({std::int64_t{1} << 31}, 4)); });
}

TEST(bit_reverse, refuses_an_extent_that_is_no_power_of_two) {
  expect_error(ErrorCode::bad_shape, {"@2", "extent 5", "power of two"}, [] { bit_reverse(cube); });
  EXPECT_EQ(bit_reverse(Layout::dense({0}, 4)).destination().n_elements(), 0);
  expect_error(ErrorCode::bad_shape, {"axis 3", "rank 3"}, [] { bit_reverse(cube, 3); });
}

TEST(morton, refuses_an_extent_that_is_no_power_of_two) {
  expect_error(ErrorCode::bad_shape, {"axis 0", "3", "pad it to 4"}, [] { morton(cube); });
  EXPECT_EQ(morton(Layout::dense({2, 0}, 4)).destination().n_elements(), 0);
}

TEST(checkerboard, refuses_more_than_twelve_axes_of_two_or_more) {
  expect_error(ErrorCode::too_large, {"13"}, [] { checkerboard(Layout::dense(Extents(13, 2), 4)); });
}

TEST(gather, refuses_an_index_outside_the_axis) {
  expect_error(ErrorCode::bad_shape, {"entry 2", "4", "extent 4", "-4 to 3"}, [] { gather(cube, 1, Numbers{0, -4, 4}); });
  expect_error(ErrorCode::bad_shape, {"entry 0", "-5"}, [] { gather(cube, 1, Numbers{-5}); });
  expect_error(ErrorCode::bad_shape, {"entry 0", "extent 0"}, [] { gather(Layout::dense({0}, 4), 0, Numbers{0}); });
  expect_error(ErrorCode::bad_shape, {"axis 3", "rank 3"}, [] { gather(cube, 3, {}); });
}

TEST(scatter, refuses_an_index_twice_or_outside_and_a_wrong_number) {
  expect_error(ErrorCode::overlap, {"index 6", "twice"}, [] { scatter(cube, 0, Numbers{6, 0, -1}, 7); });
  expect_error(ErrorCode::bad_shape, {"entry 1", "7", "extent of 7"}, [] { scatter(cube, 0, Numbers{6, 7, 0}, 7); });
  expect_error(ErrorCode::bad_shape, {"entry 2", "-8"}, [] { scatter(cube, 0, Numbers{6, 0, -8}, 7); });
  expect_error(ErrorCode::bad_shape, {"2 indices", "axis 0", "extent 3"}, [] { scatter(cube, 0, Numbers{6, 0}, 7); });
  expect_error(ErrorCode::bad_shape, {"-7"}, [] { scatter(Layout::dense({0}, 4), 0, {}, -7); });
  expect_error(ErrorCode::bad_shape, {"axis -4", "rank 3"}, [] { scatter(cube, -4, Numbers{0, 1, 2}, 7); });
  expect_error(ErrorCode::too_large, {}, [] { scatter(cube, 0, Numbers{0, 1, 2}, INT64_MAX / 4); });
}

TEST(bit_planes, refuse_buffers_that_are_too_small) {
  Bytes small(17), large(32);
  expect_error(ErrorCode::bad_shape, {"9 elements", "2 bytes", "18 bytes", "32 of planes", "17 and 32"},
               [&] { bit_planes(small, large, 9, 2); });
  expect_error(ErrorCode::bad_shape, {"32 of planes", "32 and 17"}, [&] { bit_planes(large, small, 9, 2); });
  expect_error(ErrorCode::bad_shape, {"17"}, [&] { from_bit_planes(small, large, 9, 2); });
  expect_error(ErrorCode::bad_shape, {"17"}, [&] { from_bit_planes(large, small, 9, 2); });
  expect_error(ErrorCode::bad_shape, {"-1 elements"}, [] { bit_planes_bytes(-1, 2); });
  expect_error(ErrorCode::bad_shape, {"-1 elements"}, [&] { bit_planes(large, large, -1, 2); });
  expect_error(ErrorCode::bad_shape, {"0 bytes"}, [] { bit_planes_bytes(1, 0); });
  expect_error(ErrorCode::too_large, {}, [] { bit_planes_bytes(INT64_MAX, 8); });
}

TEST(verbs, after_the_names_are_gone_are_refused) {
  const Rearrangement board = checkerboard(cube);
  expect_error(ErrorCode::unsupported, {"flip", "@0", "checkerboard"}, [&] { (void)board.flip("@0"); });
  expect_error(ErrorCode::unsupported, {"roll"}, [&] { (void)permute(cube, Numbers{0, 1, 2}).inverse().roll("@0", 1); });
}

}  // namespace
}  // namespace crinkle::testing::errors_test
