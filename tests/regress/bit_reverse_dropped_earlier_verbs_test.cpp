// Bit reversal of an axis of extent 1 or 2, which is the identity, took away the verbs that the axis had before.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "crinkle/operations.hpp"
#include "move/reference.hpp"

namespace crinkle::bit_reverse_dropped_earlier_verbs_test {
namespace {

TEST(Regress, verbs_before_a_bit_reversal_of_two_or_one_stay) {
  const std::array<std::uint8_t, 4> source{10, 11, 12, 13};
  const auto* src = reinterpret_cast<const std::byte*>(source.data());
  const auto moved = [&](const Rearrangement& r) {
    std::array<std::uint8_t, 2> destination{99, 99};
    auto* dst = reinterpret_cast<std::byte*>(destination.data());
    run_reference(r.boxes(), {&src, 1}, {&dst, 1});
    return destination;
  };
  const Rearrangement four{Layout::dense({4}, 1)}, two{Layout::dense({2}, 1)};
  EXPECT_EQ(moved(two.flip("@0").bit_reverse("@0")), (std::array<std::uint8_t, 2>{11, 10}));
  EXPECT_EQ(moved(four.slice("@0", 3, 1, -1).bit_reverse("@0")), (std::array<std::uint8_t, 2>{13, 12}));
  EXPECT_EQ(moved(four.slice("@0", 2, 3).bit_reverse("@0")), (std::array<std::uint8_t, 2>{12, 99}));
}

}  // namespace
}  // namespace crinkle::bit_reverse_dropped_earlier_verbs_test
