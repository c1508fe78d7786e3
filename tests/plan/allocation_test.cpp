// Planning the common case never allocates: one box of rank 8, on either kind of machine. Nor does moving in place. Every allocation of
// this program is counted.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "crinkle/operations.hpp"
#include "crinkle/plan.hpp"
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

namespace crinkle::allocation_test {
namespace {

TEST(Planning, of_one_box_of_rank_8_does_not_allocate) {
  const Machine here = Machine::this_cpu(), gpu = Machine::h200();
  const Boxes boxes = {testing::rank_8()};
  for (const Machine* machine : {&here, &gpu}) {
    const long before = n_allocations;
    const planning::Pass pass = planning::plan_pass(boxes, *machine);
    EXPECT_EQ(n_allocations - before, 0) << machine->name;
    EXPECT_EQ(pass.entries.size(), 1u);
  }
  const long before = n_allocations;
  ::operator delete(::operator new(8));
  EXPECT_EQ(n_allocations - before, 1) << "the counter counts";
}

TEST(Moving, in_place_does_not_allocate_once_its_thread_has_done_it) {
  const Layout square = Layout::dense({300, 300}, 4);
  const auto executor = make_executor(1);
  for (const Rearrangement& r : {permute(square, std::vector<std::int64_t>{1, 0}), Rearrangement(square).flip("@1"),
                                 Rearrangement(Layout::dense({9000, 3, 3}, 4)).flip("@1"), Rearrangement(square).byte_swap()}) {
    const Plan plan(r);
    std::vector<std::byte> bytes(static_cast<std::size_t>(square.n_bytes()));
    const ConstBuffer src{bytes.data(), square.n_bytes()};
    const Buffer dst{bytes.data(), square.n_bytes()};
    plan.run({&src, 1}, {&dst, 1}, *executor);
    const long before = n_allocations;
    plan.run({&src, 1}, {&dst, 1}, *executor);
    EXPECT_EQ(n_allocations - before, 0) << plan.describe();
  }
}

}  // namespace
}  // namespace crinkle::allocation_test
