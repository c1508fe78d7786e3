// "two steps of 4096 boxes do not suffice" was the answer to axes that were dilated or padded into more than 64 runs and then split.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "crinkle/operations.hpp"
#include "move/reference.hpp"

namespace crinkle::dilated_then_split_axes_were_refused_test {
namespace {

using Words = std::vector<std::uint32_t>;

Words moved(const Rearrangement& r, const Words& source) {
  const Steps steps = r.steps();
  Words destination(static_cast<std::size_t>(r.destination().n_elements()), 99);
  std::vector<std::byte> between(static_cast<std::size_t>(steps.workspace_bytes));
  const auto* from = reinterpret_cast<const std::byte*>(source.data());
  auto* to = reinterpret_cast<std::byte*>(destination.data());
  for (std::size_t k = 0; k < steps.steps.size(); ++k) {
    const std::byte* in = k == 0 ? from : between.data();
    std::byte* out = k + 1 == steps.steps.size() ? to : between.data();
    run_reference(steps.steps[k].boxes, {&in, 1}, {&out, 1});
  }
  return destination;
}

/// n words, zeros between, `before` words of `value` in front, as rows of `row` words, these as columns.
void expect_transposed(std::int64_t n, std::int64_t before, std::uint32_t value, std::int64_t row) {
  Words source(static_cast<std::size_t>(n)), all(static_cast<std::size_t>(before), value);
  for (std::int64_t i = 0; i < n; ++i) {
    source[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(1000 + i);
    all.push_back(source[static_cast<std::size_t>(i)]);
    if (i + 1 < n) all.push_back(0);
  }
  const std::int64_t n_rows = static_cast<std::int64_t>(all.size()) / row;
  ASSERT_EQ(n_rows * row, static_cast<std::int64_t>(all.size()));
  std::array<std::byte, 4> pattern{};
  std::memcpy(pattern.data(), &value, 4);
  std::vector<Rearrangement::Split> split(1);
  split[0].digits = {{"y", n_rows}, {"x", row}};
  const Rearrangement r = Rearrangement(Layout::dense({n}, 4))
                              .dilate("@0", 2)
                              .pad("@0", before, 0, PadMode::constant, pattern)
                              .split_and_merge(split, {Output{{OutputTerm{0, 1, 1}}}, Output{{OutputTerm{0, 0, 1}}}});
  const Words found = moved(r, source);
  for (std::int64_t y = 0; y < n_rows; ++y)
    for (std::int64_t x = 0; x < row; ++x)
      ASSERT_EQ(found[static_cast<std::size_t>(x * n_rows + y)], all[static_cast<std::size_t>(y * row + x)]) << y << ' ' << x;
}

TEST(Regress, axes_that_are_dilated_and_split_are_moved) { expect_transposed(60, 1, 0, 30); }
TEST(Regress, axes_that_are_padded_with_another_value_dilated_and_split_are_moved) { expect_transposed(60, 1, 7, 30); }
TEST(Regress, long_axes_that_are_dilated_and_split_are_moved) { expect_transposed(6000, 1, 0, 3000); }

}  // namespace
}  // namespace crinkle::dilated_then_split_axes_were_refused_test
