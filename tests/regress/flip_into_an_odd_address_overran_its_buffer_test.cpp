// Elements turned round into a destination whose lines end within an element were put, thousands at a time, into a buffer of two thousand
// bytes on the stack.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <vector>

#include "crinkle/operations.hpp"
#include "crinkle/plan.hpp"

namespace crinkle::flip_into_an_odd_address_overran_its_buffer_test {
namespace {

TEST(Regress, a_flip_reaches_every_address) {
  constexpr std::int64_t n = 300'000;  // elements
  for (const std::int64_t e : {2, 4, 8, 16}) {
    std::vector<std::byte> source(static_cast<std::size_t>(n * e));
    for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 7 + i / 251);
    const Plan plan(Rearrangement(Layout::dense({n}, e)).flip("@0"));
    for (std::int64_t late = 0; late < e; ++late) {
      std::vector<std::byte> destination(static_cast<std::size_t>(n * e + late));
      plan.run(ConstBuffer{source.data(), n * e}, Buffer{destination.data() + late, n * e});
      for (std::int64_t i = 0; i < n * e; ++i)
        ASSERT_EQ(destination[static_cast<std::size_t>(late + i)], source[static_cast<std::size_t>((n - 1 - i / e) * e + i % e)])
            << "elements of " << e << " bytes, " << late << " bytes late, byte " << i;
    }
  }
}

}  // namespace
}  // namespace crinkle::flip_into_an_odd_address_overran_its_buffer_test
