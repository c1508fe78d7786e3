// Bits change places between bytes and planes as the equation says, on every instruction set, between pages that may not be touched.
// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/bit_matrices.hpp"

#include <gtest/gtest.h>

#include "cpu/walls.hpp"

namespace crinkle::simd::bit_matrices_test {
namespace {

constexpr std::int64_t n_lines_tried[] = {0, 1, 2, 7, 8, 9, 17};
constexpr Place places[] = {at_start, at_end, {Place::Wall::before, 1}, {Place::Wall::behind, 29}};

// Bit i of byte g of plane k is bit k of byte 8g + i.
void planes_plainly(const std::byte* in, std::int64_t n_lines, std::byte* out, std::int64_t out_stride) {
  for (std::int64_t k = 0; k < 8; ++k) {
    for (std::int64_t g = 0; g < BitMatrices::line * n_lines; ++g) {
      std::byte bits{0};
      for (int i = 0; i < 8; ++i) bits |= (in[8 * g + i] >> static_cast<int>(k) & std::byte{1}) << i;
      out[k * out_stride + g] = bits;
    }
  }
}

class Matrices : public testing::Test {
 protected:
  static constexpr std::int64_t room = 1 << 14;
  Walled source_{room}, destination_{room};

  // Noise for a source, poison for a destination.
  void fill(std::byte* from, std::int64_t from_bytes) {
    const Bytes content = noise(from_bytes);
    std::copy(content.begin(), content.end(), from);
    std::fill(destination_.first(), destination_.last(), poison);
  }
  // Nothing but the 8 rows of `bytes` bytes, or the one of 8·bytes where stride is `bytes`, may have been written.
  bool is_untouched_beside(const std::byte* to, std::int64_t stride, std::int64_t bytes) {
    for (const std::byte* p = destination_.first(); p < destination_.last(); ++p) {
      const std::int64_t at = p - to, in_row = at < 0 ? bytes : at % stride;
      if ((at < 0 || at / stride >= 8 || in_row >= bytes) && *p != poison) return false;
    }
    return true;
  }
};

TEST_F(Matrices, become_planes) {
  for (const BitMatrices* matrices : all_bit_matrices()) {
    for (const std::int64_t n_lines : n_lines_tried) {
      const std::int64_t bytes = n_lines * BitMatrices::line_bytes, plane = n_lines * BitMatrices::line;
      for (const std::int64_t gap : {0, 3, 64}) {
        for (const Place place : places) {
          const std::int64_t stride = plane + gap, span = n_lines == 0 ? 0 : 7 * stride + plane;
          std::byte *from = place.start(source_, bytes), *to = place.start(destination_, span);
          fill(from, bytes);
          Bytes want(static_cast<std::size_t>(span), poison);
          planes_plainly(from, n_lines, want.data(), stride);
          matrices->to_planes(from, n_lines, to, stride);
          ASSERT_TRUE(std::equal(want.begin(), want.end(), to)) << matrices->target << ", " << n_lines << " lines, " << place.name();
          ASSERT_TRUE(n_lines == 0 || is_untouched_beside(to, stride, plane)) << matrices->target << ", " << n_lines << " lines";
        }
      }
    }
  }
}

TEST_F(Matrices, become_bytes_again) {
  for (const BitMatrices* matrices : all_bit_matrices()) {
    for (const std::int64_t n_lines : n_lines_tried) {
      const std::int64_t bytes = n_lines * BitMatrices::line_bytes, plane = n_lines * BitMatrices::line;
      for (const std::int64_t gap : {0, 3, 64}) {
        for (const Place place : places) {
          const Bytes want = noise(bytes);
          const std::int64_t stride = plane + gap, span = n_lines == 0 ? 0 : 7 * stride + plane;
          std::byte *from = place.start(source_, span), *to = place.start(destination_, bytes);
          fill(from, span);
          planes_plainly(want.data(), n_lines, from, stride);
          matrices->to_bytes(from, stride, n_lines, to, from + n_lines * BitMatrices::line);
          ASSERT_TRUE(std::equal(want.begin(), want.end(), to)) << matrices->target << ", " << n_lines << " lines, " << place.name();
          ASSERT_TRUE(n_lines == 0 || is_untouched_beside(to, plane, plane)) << matrices->target << ", " << n_lines << " lines";
        }
      }
    }
  }
}

TEST(AllMatrices, end_with_plain_cpp) {
  ASSERT_FALSE(all_bit_matrices().empty());
  EXPECT_STREQ(all_bit_matrices().back()->target, "portable");
  EXPECT_EQ(all_bit_matrices().front(), &bit_matrices());
}

}  // namespace
}  // namespace crinkle::simd::bit_matrices_test
