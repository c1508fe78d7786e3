// Running a plan allocates nothing once its threads have run one like it: every regime, small and large, on one thread and in parts. Every
// allocation of this program is counted. The executor here is a loop, so that every run has the same threads.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "crinkle/plan.hpp"
#include "support/loop_executor.hpp"

namespace {
std::atomic<long> n_allocations{0};

void* counted(std::size_t n, std::size_t alignment) {
  ++n_allocations;
  n = (n + alignment) / alignment * alignment;
  if (void* p = std::aligned_alloc(alignment, n)) return p;
  throw std::bad_alloc();
}
}  // namespace

// GCC pairs these by name and does not see that both sides are malloc's.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void* operator new(std::size_t n) { return counted(n, alignof(std::max_align_t)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return counted(n, alignof(std::max_align_t)); }
void* operator new(std::size_t n, std::align_val_t a) { return counted(n, static_cast<std::size_t>(a)); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace crinkle::run_allocation_test {
namespace {

using testing::LoopExecutor;

struct Case {
  const char* name;
  Rearrangement map;
};

std::vector<Case> cases(std::int64_t k) {  // extents grow with k
  const auto dense = [](Extents extents, std::int64_t element_bytes) { return Layout::dense(std::move(extents), element_bytes); };
  std::vector<std::int64_t> indices, apart;
  for (std::int64_t i = 0; i < 30 * k; ++i) indices.push_back(i * i % (30 * k));
  for (std::int64_t i = 0; i < 30 * k; ++i) apart.push_back(2 * i);
  std::vector<Case> all;
  for (const std::int64_t e : {1, 2, 3, 4, 8, 12, 16}) {
    all.push_back({"transposed", parse("y x -> x y", dense({33 * k, 65 * k}, e))});
    all.push_back({"records put together", parse("c n -> n c", dense({3, 500 * k * k}, e))});
    all.push_back({"records taken apart", parse("n c -> c n", dense({500 * k * k, 3}, e))});
    all.push_back({"short rows rolled", parse("y x -> y x", dense({300 * k * k, 7}, e)).roll("x", 1)});
    all.push_back({"a few rows in another order", parse("z y x -> y z x", dense({30 * k, 20 * k, 5}, e))});
    all.push_back({"flipped", parse("y x -> y x", dense({33 * k, 65 * k}, e)).flip("x")});
    all.push_back({"every second", parse("y x -> y x", dense({33 * k, 65 * k}, e)).slice("x", {}, {}, 2)});
  }
  all.push_back({"long rows rolled", parse("y x -> y x", dense({33 * k, 1000}, 4)).roll("x", 77).roll("y", 1)});
  all.push_back({"padded by a value", parse("y x -> y x", dense({33 * k, 65 * k}, 4)).pad("x", 3, 5).pad("y", 1, 1)});
  all.push_back({"padded by reflection", parse("y x -> y x", dense({33 * k, 65 * k}, 4)).pad("x", 3, 5, PadMode::reflect)});
  all.push_back({"repeated", parse("y x -> y x w:5", dense({33 * k, 65 * k}, 4))});
  all.push_back({"gathered", Rearrangement(dense({30 * k, 70 * k}, 4)).take("@0", indices)});
  all.push_back({"gathered units", Rearrangement(dense({70 * k, 30 * k}, 4)).take("@1", indices)});
  all.push_back({"scattered by indices", scatter(dense({30 * k, 70 * k}, 4), 0, apart, 60 * k)});
  all.push_back(
      {"crinkled with a rest", crinkle(dense({33 * k, 65 * k + 1}, 4), std::vector<Crinkle>{{1, 3}}, Placement::local, Tail::ragged)});
  all.push_back({"bytes swapped", byte_swap(dense({33 * k, 65 * k}, 8))});
  all.push_back({"bytes shuffled", byte_shuffle(dense({1000 * k * k}, 8))});
  all.push_back({"checkerboard", checkerboard(dense({32 * k, 64 * k}, 4))});
  all.push_back({"every second place", parse("y x -> x y", dense({33 * k, 65 * k}, 4), Layout{{65 * k, 33 * k}, {264 * k, 8}, 0, 4})});
  all.push_back({"into several arrays", deinterlace(dense({500 * k * k, 4}, 4))});
  all.push_back({"from several arrays", interlace(dense({500 * k * k}, 4), 4)});
  all.push_back({"of rank 9", parse("a b c d e f g h i -> i h g f e d c b a", dense({2, 3, 2, 3, 2, 3, 2 * k, 3, 4 * k}, 4))});
  return all;
}

TEST(Running, allocates_nothing_once_it_was_done_before) {
  std::set<std::string> regimes;
  int n_in_place = 0;
  bool has_gathers = false, has_fills = false, has_swaps = false, has_segments = false;
  for (const std::int64_t k : {1, 12}) {
    for (const Case& c : cases(k)) {
      const Plan plan(c.map);
      ASSERT_EQ(plan.workspace_bytes(), 0) << c.name;
      std::vector<std::vector<std::byte>> memory;
      std::vector<ConstBuffer> src;
      std::vector<Buffer> dst;
      for (const ByteSpan& span : c.map.source_spans()) {
        memory.emplace_back(static_cast<std::size_t>(span.last));
        src.push_back({memory.back().data(), span.last});
      }
      for (const ByteSpan& span : c.map.destination_spans()) {
        memory.emplace_back(static_cast<std::size_t>(span.last));
        dst.push_back({memory.back().data(), span.last});
      }
      for (const int n_workers : {1, 2}) {
        LoopExecutor loop(n_workers);
        plan.run(src, dst, loop);
        const long before = n_allocations;
        plan.run(src, dst, loop);
        const long n_first = n_allocations - before;
        if (plan.can_run_in_place()) {
          const std::vector<ConstBuffer> same(1, {dst[0].data, dst[0].bytes});
          plan.run(same, dst, loop);
          const long before_in_place = n_allocations;
          plan.run(same, dst, loop);
          EXPECT_EQ(n_allocations - before_in_place, 0) << c.name << " in place, " << n_workers << " workers";
          n_in_place += n_workers == 2 ? 1 : 0;
        }
        EXPECT_EQ(n_first, 0) << c.name << ", " << plan.bytes_moved() << " bytes, " << n_workers << " workers\n" << plan.describe();
      }
      const std::string text = plan.describe_json();
      for (const char* regime : {"rows", "blocks", "interlace", "deinterlace"}) {
        if (text.find("\"regime\": \"" + std::string(regime) + "\"") != std::string::npos) regimes.insert(regime);
      }
      has_gathers |= text.find("\"gathers\"") != std::string::npos;
      has_swaps |= text.find("\"swapped_bytes\"") != std::string::npos;
      has_fills |= plan.describe().find("fill") != std::string::npos;
      has_segments |= text.find("\"segments\"") != std::string::npos;
    }
  }
  EXPECT_GT(n_in_place, 10);
  EXPECT_EQ(regimes.size(), 4U) << "every regime that plans use was reached";
  EXPECT_TRUE(has_gathers && has_fills && has_swaps && has_segments) << has_gathers << has_fills << has_swaps << has_segments;
  const long before = n_allocations;
  ::operator delete(::operator new(8));
  ::operator delete(::operator new(8, std::align_val_t(64)), std::align_val_t(64));
  EXPECT_EQ(n_allocations - before, 2) << "the counter counts";
}

}  // namespace
}  // namespace crinkle::run_allocation_test
