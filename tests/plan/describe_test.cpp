// What a planned pass says of itself: tests/golden/describe_*.txt, on a CPU whose facts are fixed, so that the texts are the same on
// every machine. CRINKLE_UPDATE_GOLDEN=1 in the environment writes them anew (support/golden.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/describe.hpp"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "crinkle/notation.hpp"
#include "support/golden.hpp"

namespace crinkle::describe_test {
namespace {

using testing::expect_golden_file;

Machine fixed_cpu() {
  Machine machine;  // as it is constructed: nothing is asked of the system
  machine.name = "test";
  return machine;
}

nlohmann::ordered_json described(const Rearrangement& r) {
  return planning::describe(planning::plan_pass(r.boxes(), fixed_cpu()), fixed_cpu(), false);
}

Rearrangement transposed() { return parse("y x -> x y", Layout::dense({300, 200}, 4)); }
Rearrangement rolled() { return parse("y x -> y x", Layout::dense({5, 7}, 4)).roll("x", 3); }
Rearrangement padded() {
  const std::array<std::byte, 4> one{std::byte{}, std::byte{}, std::byte{0x80}, std::byte{0x3f}};  // 1.0f
  return parse("y x -> y x", Layout::dense({5, 7}, 4)).pad("x", 1, 2, PadMode::constant, one).pad("y", 1, 1, PadMode::constant, one);
}

TEST(Describe, texts_are_as_before) {
  expect_golden_file("describe_transposed.txt", planning::print(described(transposed())));
  expect_golden_file("describe_rolled.txt", planning::print(described(rolled())));
  expect_golden_file("describe_padded.txt", planning::print(described(padded())));
}

TEST(Describe, a_roll_is_one_entry_of_two_segments) {
  const auto j = described(rolled());
  EXPECT_EQ(j["boxes"], 2);
  ASSERT_EQ(j["entries"].size(), 1u);
  EXPECT_EQ(j["entries"][0]["segments"].size(), 2u);
}

TEST(Describe, fills_are_written_and_not_read) {
  const auto j = described(padded());
  EXPECT_EQ(j["bytes_read"], 5 * 7 * 4);
  EXPECT_EQ(j["bytes_written"], 7 * 10 * 4);
  EXPECT_EQ(j["entries"][0]["fill"], "0000803f0000803f");  // two elements at once
}

TEST(Describe, bytes_have_three_digits) {
  EXPECT_EQ(planning::print_bytes(1023), "1023 bytes");
  EXPECT_EQ(planning::print_bytes(1024), "1.00 KiB");
  EXPECT_EQ(planning::print_bytes(12.5 * 1024), "12.5 KiB");
  EXPECT_EQ(planning::print_bytes(250.0 * 1024 * 1024), "250 MiB");
}

}  // namespace
}  // namespace crinkle::describe_test
