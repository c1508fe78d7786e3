// Which device a move is predicted to be faster on turns round with each of the facts.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/device_times.hpp"

#include <gtest/gtest.h>

namespace crinkle::planning::device_times_test {
namespace {

constexpr std::int64_t gib = std::int64_t{1} << 30;

// A long move that the CPU makes at a tenth of a copy.
MoveFacts slow_on_the_cpu() { return {40 * gib, 20 * gib, 20 * gib, 4, 40}; }

TEST(DeviceTimes, are_the_stated_sums) {
  Machine gpu = Machine::h200();
  gpu.start_up_s = 0.25;
  gpu.host_gb_per_s = 50;
  const DeviceTimes times = predicted_times({8'000'000'000, 5'000'000'000, 3'000'000'000, 16, 64}, gpu);
  EXPECT_DOUBLE_EQ(times.cpu_s, 0.5);
  EXPECT_DOUBLE_EQ(times.gpu_s, 0.5);  // both copies on the CPU
  EXPECT_FALSE(times.is_for_gpu()) << "no device is faster";
  gpu.host_gb_per_s = 10;
  EXPECT_DOUBLE_EQ(predicted_times({8'000'000'000, 5'000'000'000, 3'000'000'000, 16, 64}, gpu).gpu_s, 0.75) << "5 GB over the bus";
}

TEST(DeviceTimes, send_a_long_move_that_the_cpu_is_slow_at_to_the_gpu) {
  EXPECT_TRUE(predicted_times(slow_on_the_cpu(), Machine::h200()).is_for_gpu());
}

TEST(DeviceTimes, keep_everything_else_on_the_cpu) {
  MoveFacts fast = slow_on_the_cpu(), small = slow_on_the_cpu();
  fast.cpu_move_gb_per_s = fast.cpu_copy_gb_per_s;
  EXPECT_FALSE(predicted_times(fast, Machine::h200()).is_for_gpu()) << "packing and unpacking are copies, too";
  small.bytes_moved /= 100, small.source_bytes /= 100, small.destination_bytes /= 100;
  EXPECT_FALSE(predicted_times(small, Machine::h200()).is_for_gpu()) << "the start takes longer";
  Machine far = Machine::h200();
  far.host_gb_per_s = 1;
  EXPECT_FALSE(predicted_times(slow_on_the_cpu(), far).is_for_gpu());
}

}  // namespace
}  // namespace crinkle::planning::device_times_test
