// Planning the common case never allocates: one box of rank 8, on either kind of machine. Every allocation of this program is counted.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "plan/pass.hpp"
#include "support/rank_8.hpp"

namespace {
std::atomic<long> n_allocations{0};
}

// GCC pairs these by name and does not see that both sides are malloc's.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void* operator new(std::size_t n) {
  ++n_allocations;
  if (void* p = std::malloc(n == 0 ? 1 : n)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace crinkle {
namespace {

TEST(Planning, of_one_box_of_rank_8_does_not_allocate) {
  const Machine here = Machine::this_cpu(), gpu = Machine::h200();
  const Boxes boxes = {testing::rank_8()};
  for (const Machine* machine : {&here, &gpu}) {
    const long before = n_allocations;
    const plan::Pass pass = plan::plan_pass(boxes, *machine);
    EXPECT_EQ(n_allocations - before, 0) << machine->name;
    EXPECT_EQ(pass.entries.size(), 1u);
  }
  const long before = n_allocations;
  ::operator delete(::operator new(8));
  EXPECT_EQ(n_allocations - before, 1) << "the counter counts";
}

}  // namespace
}  // namespace crinkle
