// The values of pads were written in the old byte order when the bytes of the data were swapped after the pad.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "crinkle/operations.hpp"
#include "move/reference.hpp"

namespace crinkle::byte_swap_left_pads_unswapped_test {
namespace {

using Words = std::array<std::uint32_t, 4>;

Words moved(const Rearrangement& r) {
  const std::array<std::uint32_t, 2> source{0x01020304, 0x05060708};
  Words destination{};
  const auto* src = reinterpret_cast<const std::byte*>(source.data());
  auto* dst = reinterpret_cast<std::byte*>(destination.data());
  run_reference(r.boxes(), {&src, 1}, {&dst, 1});
  return destination;
}

TEST(Regress, pads_before_a_byte_swap_are_swapped_and_pads_after_it_are_not) {
  const std::uint32_t value = 0x0a0b0c0d;
  std::array<std::byte, 4> pattern{};
  std::memcpy(pattern.data(), &value, 4);
  const Rearrangement r{Layout::dense({2}, 4)};
  EXPECT_EQ(moved(r.pad("@0", 1, 1, PadMode::constant, pattern).byte_swap()), (Words{0x0d0c0b0a, 0x04030201, 0x08070605, 0x0d0c0b0a}));
  EXPECT_EQ(moved(r.byte_swap().pad("@0", 1, 1, PadMode::constant, pattern)), (Words{0x0a0b0c0d, 0x04030201, 0x08070605, 0x0a0b0c0d}));
}

}  // namespace
}  // namespace crinkle::byte_swap_left_pads_unswapped_test
