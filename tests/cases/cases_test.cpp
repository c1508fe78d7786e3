// The tables of cases: every line of both means something, and every small one moves to where numpy.transpose puts it.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/cases.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <set>
#include <utility>

#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "crinkle/plan.hpp"
#include "support/source_dir.hpp"

namespace crinkle::cases_test {
namespace {

using testing::PermutationCase;
using testing::read_cases;

const std::string small = testing::source_dir("/tests/cases.txt");
const std::string large = testing::source_dir("/bench/cases/permutations.txt");

// dst[i_order(0), i_order(1), …] = src[i_0, i_1, …], one element at a time.
std::vector<std::byte> transposed(const std::vector<std::byte>& src, const PermutationCase& c) {
  const std::size_t rank = c.order.size();
  const auto element = static_cast<std::size_t>(c.source.element_bytes);
  std::vector<std::byte> dst(src.size());
  for (std::size_t k = 0; k < src.size() / element; ++k) {
    std::size_t rest = k, from = 0;
    for (std::size_t a = rank; a-- > 0;) {  // destination axes, fastest first
      const auto axis = static_cast<std::size_t>(c.order[a]);
      const auto extent = static_cast<std::size_t>(c.source.extents[axis]);
      from += rest % extent * static_cast<std::size_t>(c.source.strides[axis]);
      rest /= extent;
    }
    std::memcpy(&dst[k * element], &src[from], element);
  }
  return dst;
}

TEST(Cases, every_small_case_moves_as_numpy_transposes) {
  for (const PermutationCase& c : read_cases(small)) {
    SCOPED_TRACE(c.name);
    std::vector<std::byte> src(static_cast<std::size_t>(c.source.n_bytes()));
    for (std::size_t i = 0; i < src.size(); ++i) src[i] = static_cast<std::byte>((i * 2654435761u) >> 16 & 0xFF);
    std::vector<std::byte> dst(src.size(), std::byte{0xA5});
    Plan(permute(c.source, c.order)).run({src.data(), c.source.n_bytes()}, {dst.data(), c.source.n_bytes()});
    EXPECT_TRUE(dst == transposed(src, c));
  }
}

TEST(Cases, every_large_case_is_planned_and_moves_its_bytes_once) {
  for (const PermutationCase& c : read_cases(large)) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(Plan(permute(c.source, c.order), "h200").bytes_moved(), 2 * c.source.n_bytes());
  }
}

TEST(Cases, no_name_stands_twice_for_one_element_size) {
  for (const std::string& path : {small, large}) {
    std::set<std::pair<std::string, std::int64_t>> names;
    for (const PermutationCase& c : read_cases(path)) EXPECT_TRUE(names.emplace(c.name, c.source.element_bytes).second) << c.name;
  }
}

}  // namespace
}  // namespace crinkle::cases_test
