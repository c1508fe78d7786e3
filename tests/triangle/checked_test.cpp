// What convert_triangle() refuses, before anything is written, and the smallest triangles.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "crinkle/triangle.hpp"
#include "notation/expect_error.hpp"

namespace crinkle::testing::triangle_checked_test {
namespace {

class TriangleChecked : public ::testing::Test {
 protected:
  std::string refusal(ErrorCode code, const TriangleLayout& from, const TriangleLayout& to, ConstBuffer src, Buffer dst) {
    return error_of(code, [&] { convert_triangle(from, to, src, dst); });
  }
  TriangleLayout packed_ = TriangleLayout::parse("packed", 10, 4), upper_ = TriangleLayout::parse("packed upper", 10, 4);
  std::vector<std::byte> bytes_ = std::vector<std::byte>(1000, std::byte{0xA5});
};

TEST_F(TriangleChecked, sizes_and_elements_are_kept) {
  TriangleLayout other = TriangleLayout::parse("packed", 11, 4);
  EXPECT_EQ(refusal(ErrorCode::bad_shape, packed_, other, {bytes_.data(), 220}, {bytes_.data() + 220, 264}),
            "from 10 rows to 11; a conversion keeps the triangle's size");
  other = TriangleLayout::parse("packed", 10, 8);
  EXPECT_EQ(refusal(ErrorCode::bad_shape, packed_, other, {bytes_.data(), 220}, {bytes_.data() + 220, 440}),
            "elements of 4 bytes to elements of 8; a conversion keeps the element");
  other.pitch = 9;
  EXPECT_NE(refusal(ErrorCode::bad_shape, packed_, other, {bytes_.data(), 220}, {bytes_.data() + 220, 440}).find("a pitch of 9"),
            std::string::npos);
}

TEST_F(TriangleChecked, buffers_hold_their_layouts) {
  EXPECT_EQ(refusal(ErrorCode::bad_shape, packed_, upper_, {bytes_.data(), 219}, {bytes_.data() + 220, 220}),
            "the source has 219 bytes; the triangle conversion touches bytes 0 to 220");
  EXPECT_EQ(refusal(ErrorCode::bad_shape, packed_, upper_, {bytes_.data(), 220}, {bytes_.data() + 220, 0}),
            "the destination has 0 bytes; the triangle conversion touches bytes 0 to 220");
  EXPECT_EQ(refusal(ErrorCode::bad_shape, packed_, upper_, {nullptr, 220}, {bytes_.data() + 220, 220}),
            "the source has 220 bytes at no address; the triangle conversion touches bytes 0 to 220");
}

TEST_F(TriangleChecked, buffers_share_nothing) {
  EXPECT_EQ(refusal(ErrorCode::overlap, packed_, upper_, {bytes_.data(), 1000}, {bytes_.data() + 200, 220}),
            "the source and the destination share 20 bytes; of 220 read and 220 written; this triangle conversion needs them apart");
  EXPECT_EQ(refusal(ErrorCode::overlap, packed_, packed_, {bytes_.data(), 220}, {bytes_.data(), 220}),
            "the source and the destination share 220 bytes; of 220 read and 220 written; this triangle conversion needs them apart");
  EXPECT_TRUE(std::all_of(bytes_.begin(), bytes_.end(), [](std::byte b) { return b == std::byte{0xA5}; }));
  convert_triangle(packed_, upper_, {bytes_.data(), 1000}, {bytes_.data() + 220, 220});  // what a layout does not touch may be shared
}

TEST_F(TriangleChecked, nothing_is_a_triangle_too) {
  for (const char* text : {"full", "symmetric", "packed", "rfp", "condensed"}) {
    const TriangleLayout none = TriangleLayout::parse(text, 0, 4), one = TriangleLayout::parse(text, 1, 4);
    convert_triangle(none, TriangleLayout::parse("packed", 0, 4), {}, {});
    convert_triangle(one, TriangleLayout::parse("condensed", 1, 4), {bytes_.data(), one.bytes()}, {});
  }
  EXPECT_TRUE(std::all_of(bytes_.begin(), bytes_.end(), [](std::byte b) { return b == std::byte{0xA5}; }));
  convert_triangle(TriangleLayout::parse("condensed", 1, 4), TriangleLayout::parse("full", 1, 4), {}, {bytes_.data(), 4});
  EXPECT_EQ(bytes_[3], std::byte{0});
}

}  // namespace
}  // namespace crinkle::testing::triangle_checked_test
