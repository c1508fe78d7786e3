// Operations run part by part have the bits of the whole, whatever the memory, and say how far they are.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "support/operations.hpp"

namespace crinkle::parts_test {
namespace {

using namespace crinkle::testing;

TEST(Parts, have_the_bytes_of_the_whole) {
  std::mt19937_64 random(811);
  for (int i = 0; i < 60; ++i) {
    const Extents extents = random_extents(3, 9, random);
    const Rearrangement r = parse("z y x -> x z y", random_layout(extents, 4, random)).roll("y", 2).flip("x");
    const Operation move = plan(random() % 2 == 0 ? r : r.into(random_layout(r.destination().extents, 4, random)));
    const Buffers in = random_inputs(move, random), before = untouched_outputs(move), whole = run_whole(move, in, before);
    Buffers out = before;
    const ConstBuffer from(in[0]);
    const Buffer to(out[0]);
    std::int64_t told = 0, n_parts = 0;
    const PartsOptions options{.memory_bytes = 1 + static_cast<std::int64_t>(random() % 3000),
                               .written = [&](std::int64_t n, std::int64_t all) {
                                 EXPECT_GT(n, told);
                                 EXPECT_LE(n, all);
                                 told = n;
                                 ++n_parts;
                               }};
    run_in_parts(move, {&from, 1}, {&to, 1}, default_executor(), options);
    EXPECT_EQ(out[0], whole[0]) << i;
    EXPECT_EQ(told, move.outputs()[0].layout.n_bytes());
    EXPECT_EQ(n_parts, std::ssize(parts_of(move, options.memory_bytes)));
  }
}

TEST(Parts, in_place_are_one) {
  const Operation move = plan(permute(Layout::dense({40, 40}, 4), std::vector<std::int64_t>{1, 0}));
  std::vector<float> m(1600), turned(1600);
  for (std::size_t i = 0; i < m.size(); ++i) m[i] = static_cast<float>(i);
  const ConstBuffer from(m);
  const Buffer to(m), other(turned);
  run_in_parts(move, {&from, 1}, {&other, 1}, default_executor(), {.memory_bytes = 100});
  run_in_parts(move, {&from, 1}, {&to, 1}, default_executor(), {.memory_bytes = 100});
  EXPECT_EQ(m, turned);
}

TEST(Parts, end_where_the_caller_says_so) {
  const Operation move = plan(parse("y x -> x y", Layout::dense({64, 64}, 4)));
  std::vector<float> in(4096, 1.0F), out(4096);
  const ConstBuffer from(in);
  const Buffer to(out);
  int n = 0;
  const PartsOptions options{.memory_bytes = 4096, .written = [&](std::int64_t, std::int64_t) {
                               if (++n == 2) throw Error(ErrorCode::unsupported, "enough");
                             }};
  EXPECT_THROW(run_in_parts(move, {&from, 1}, {&to, 1}, default_executor(), options), Error);
  EXPECT_EQ(n, 2);
  EXPECT_THROW(run_in_parts(move, {&from, 1}, {&to, 1}, default_executor(), {.memory_bytes = 0}), Error);
}

TEST(Parts, of_memory_are_few_and_fit) {
  const Operation move = plan(parse("z y x -> x z y", Layout::dense({20, 30, 40}, 4)));
  for (const std::int64_t bytes : {1000, 10000, 50000}) {
    for (const Ranges& part : parts_of(move, bytes)) {
      std::int64_t n = 2 * 4;
      for (const Range& range : part) n *= range.n;
      EXPECT_LE(n, bytes);
    }
  }
}

}  // namespace
}  // namespace crinkle::parts_test
