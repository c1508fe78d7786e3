// What the cache of plans says that it holds is what it holds: every allocation of this program is counted, in bytes, while thousands of
// different requests go through it.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "crinkle/crinkle.hpp"
#include "crinkle/fft.hpp"
#include "crinkle/notation.hpp"
#include "crinkle/sweeper.hpp"
#include "operation/counted_allocations.hpp"

namespace crinkle::cache_allocation_test {
namespace {

using testing::live_bytes;

/// Leaves the cache empty, and as large as it was.
struct Emptied {
  std::int64_t limit = plan_cache_facts().limit_bytes;
  Emptied() { empty(); }
  ~Emptied() { empty(), set_plan_cache_limit(limit); }
  static void empty() {
    set_plan_cache_limit(0);
    set_plan_cache_limit(std::int64_t{1} << 40);
  }
};

struct Kind {
  const char* name;
  std::function<void(std::int64_t n)> plan;  // the n-th request of it
};

Layout dense(Extents extents, std::int64_t element_bytes) { return Layout::dense(std::move(extents), element_bytes); }

Sweep sweep_of(std::int64_t n, LinearStencil stencil) {
  Sweep sweep;
  sweep.stencil = std::move(stencil);
  sweep.source = sweep.destination = dense({n + 8, 40}, 4);
  sweep.source_type = sweep.destination_type = {Number::float32};
  sweep.axes = {0, 1};
  sweep.steps = n % 3 + 1;
  return sweep;
}

FftRequest lines(std::int64_t n, std::int64_t size, FftKind kind, FftReal real) {
  const std::int64_t part = real == FftReal::float64 ? 8 : 4;
  const bool is_half = kind == FftKind::real_to_complex, is_real = kind == FftKind::cosine;
  return {.in = dense({n + 1, size}, is_half || is_real ? part : 2 * part),
          .out = dense({n + 1, is_half ? size / 2 + 1 : size}, is_real ? part : 2 * part),
          .axes = {1},
          .kind = kind,
          .real = real};
}

std::vector<Kind> kinds() {
  using enum FftKind;
  return {
      {"transposes", [](std::int64_t n) { cached_plan(parse("y x -> x y", dense({n + 2, 7}, 4)).boxes()); }},
      {"reversed records", [](std::int64_t n) { cached_plan(parse("n c -> c n", dense({n + 2, 3}, 4)).flip("n").boxes()); }},
      {"many boxes",
       [](std::int64_t n) {
         cached_plan(parse("z y x -> x y z", dense({n + 2, 9, 5}, 4)).roll("z", 1).roll("y", 1).pad("x", 1, 1).boxes());
       }},
      {"short lines", [](std::int64_t n) { cached_plan(lines(n, 8, complex_to_complex, FftReal::float32)); }},
      {"long lines", [](std::int64_t n) { cached_plan(lines(n, 1024, complex_to_complex, FftReal::float64)); }},
      {"lines of a prime", [](std::int64_t n) { cached_plan(lines(n, 1009, complex_to_complex, FftReal::float32)); }},
      {"real lines", [](std::int64_t n) { cached_plan(lines(n, 360, real_to_complex, FftReal::float32)); }},
      {"cosines", [](std::int64_t n) { cached_plan(lines(n, 96, cosine, FftReal::float64)); }},
      {"one line of many sizes", [](std::int64_t n) { cached_plan(lines(0, n + 2, complex_to_complex, FftReal::float32)); }},
      {"two axes",
       [](std::int64_t n) { cached_plan(FftRequest{.in = dense({n + 2, 64}, 8), .out = dense({n + 2, 64}, 8), .axes = {0, 1}}); }},
      {"convolutions",
       [](std::int64_t n) { cached_plan(ConvolveRequest{.a = dense({n + 5}, 4), .b = dense({5}, 4), .out = dense({n + 9}, 4)}); }},
      {"Laplacians", [](std::int64_t n) { cached_plan(sweep_of(n, laplacian(2))); }},
      {"wide averages", [](std::int64_t n) { cached_plan(sweep_of(n, average(2, 3))); }},
      {"triangles",
       [](std::int64_t n) {
         cached_plan(TriangleRequest{TriangleLayout::parse("packed lower", n + 1, 8), TriangleLayout::parse("full upper", n + 1, 8)});
       }},
      {"distances", [](std::int64_t n) { cached_plan(DistanceRequest{n + 1, 3}); }},
      {"distances of two sets", [](std::int64_t n) { cached_plan(CrossDistanceRequest{.n = n + 1, .m = 4, .n_features = 3}); }},
      {"collisions", [](std::int64_t n) { cached_plan(CollisionRequest{n + 1, 3}); }},
      {"triplets", [](std::int64_t n) { cached_plan(TripletRequest{n + 1}); }},
  };
}

TEST(Cache, holds_what_it_says) {
  const Emptied emptied;
  for (const Kind& kind : kinds()) {
    constexpr std::int64_t n_plans = 150;
    kind.plan(n_plans);  // what is made once
    Emptied::empty();
    const std::int64_t before = live_bytes();
    for (std::int64_t n = 0; n < n_plans; ++n) kind.plan(n);
    const CacheFacts facts = plan_cache_facts();
    EXPECT_EQ(facts.n_plans, n_plans) << kind.name;
    const auto held = static_cast<double>(live_bytes() - before), said = static_cast<double>(facts.n_bytes);
    EXPECT_LE(held, 1.3 * said) << kind.name;
    EXPECT_LE(said, 1.6 * held) << kind.name;
    if (std::getenv("CRINKLE_PRINT") != nullptr)
      printf("%-24s %8.0f held a plan, %8.0f said, %.2f\n", kind.name, held / n_plans, said / n_plans, held / said);
    Emptied::empty();
    EXPECT_LE(live_bytes() - before, 4096) << kind.name << ": all of it goes";
  }
}

TEST(Cache, is_bounded_by_what_it_holds) {
  const Emptied emptied;
  constexpr std::int64_t most = 2 << 20;
  set_plan_cache_limit(most);
  const std::vector<Kind> all = kinds();
  for (const Kind& kind : all) kind.plan(5000);
  Emptied::empty();
  set_plan_cache_limit(most);
  const std::int64_t before = live_bytes();
  std::int64_t largest = 0;
  for (std::int64_t n = 0; n < 400; ++n)
    for (const Kind& kind : all) {
      kind.plan(n);
      largest = std::max(largest, live_bytes() - before);
    }
  const CacheFacts facts = plan_cache_facts();
  EXPECT_LE(facts.n_bytes, most);
  EXPECT_GE(facts.n_bytes, most / 2);
  EXPECT_LE(static_cast<double>(largest), 1.3 * static_cast<double>(most));
  EXPECT_GE(largest, most / 2);
}

// A request that is larger by itself than all may be would otherwise be planned again and again.
TEST(Cache, keeps_the_last_plan_that_is_too_large) {
  const Emptied emptied;
  set_plan_cache_limit(100 << 10);
  const auto plan_lines = [](std::int64_t n) { cached_plan(lines(0, n, FftKind::complex_to_complex, FftReal::float64)); };
  plan_lines(64);
  plan_lines(10007);
  const CacheFacts first = plan_cache_facts();
  EXPECT_EQ(first.n_plans, 2);
  EXPECT_LE(first.n_bytes, 100 << 10);
  plan_lines(10007);
  EXPECT_EQ(plan_cache_facts().n_hits, first.n_hits + 1);
  plan_lines(10009);
  EXPECT_EQ(plan_cache_facts().n_plans, 2) << "in place of the other one";
  plan_lines(64);
  EXPECT_EQ(plan_cache_facts().n_hits, first.n_hits + 2) << "the small one stays";
  set_plan_cache_limit(0);
  EXPECT_EQ(plan_cache_facts().n_plans, 0);
  plan_lines(10007);
  EXPECT_EQ(plan_cache_facts().n_plans, 0);
}

TEST(Cache, gives_the_same_operation_to_the_same_request) {
  const Emptied emptied;
  const FftRequest request = lines(3, 16, FftKind::complex_to_complex, FftReal::float32);
  const Operation once = cached_plan(request), again = cached_plan(request);
  EXPECT_EQ(&once.model(), &again.model());
  FftRequest other = request;
  other.direction = FftDirection::inverse;
  EXPECT_NE(&cached_plan(other).model(), &once.model());
  EXPECT_THROW(cached_plan(FftRequest{}), Error);
  EXPECT_EQ(plan_cache_facts().n_plans, 2);
}

}  // namespace
}  // namespace crinkle::cache_allocation_test
