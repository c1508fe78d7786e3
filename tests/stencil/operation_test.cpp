// Sweeps as operations: parts have the whole's bits, whatever lies beyond the array and however far the stencil reaches.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/drawn_sweeps.hpp"

#include <thread>

#include "stencil/reference.hpp"
#include "support/drawn.hpp"

namespace crinkle::stencil_operation_test {
namespace {

using namespace crinkle::testing;
using namespace crinkle::drawn_sweeps;

TEST(StencilOperation, parts_of_a_sweep_have_its_bits) {
  std::mt19937_64 random(551);
  const int n = drawn(4000);
  for (int i = 0; i < n && !::testing::Test::HasFailure(); ++i) {
    const Sweep sweep = random_sweep(random);
    expect_contract(plan(sweep), random, fmt::format("{}: {}", i, text_of(sweep)));
  }
}

TEST(StencilOperation, parts_of_parts_have_the_bits_of_the_whole) {
  std::mt19937_64 random(552);
  const int n = drawn(1000);
  for (int i = 0; i < n && !::testing::Test::HasFailure(); ++i) {
    const Sweep sweep = random_sweep(random);
    const Operation whole = plan(sweep);
    for (const Ranges& ranges : random_parts(whole, random))
      expect_parts(whole.part(ranges), random_inputs(whole.part(ranges), random), random, text_of(sweep));
  }
}

// Lines of several vectors, rows that see no face made many at once, and arrays written past the caches.
TEST(StencilOperation, parts_of_large_arrays_have_the_bits_of_the_whole) {
  std::mt19937_64 random(553);
  for (const Faces& faces : {Faces(Bound::periodic), Faces(Bound::reflect), Faces(Bound::constant, 2)}) {
    for (const std::int64_t steps : {1, 4}) {
      Sweep sweep{.stencil = average(2), .axes = {0, 1}, .boundary = {faces}, .steps = steps};
      sweep.source = sweep.destination = Layout::dense({300, 1100}, 4);
      expect_contract(plan(sweep), random, text_of(sweep));
    }
  }
  Sweep sweep{.stencil = laplacian(2), .axes = {0, 1}};
  sweep.source = sweep.destination = Layout::dense({2100, 1600}, 4);
  expect_contract(plan(sweep), random, text_of(sweep));
}

TEST(StencilOperation, needs_what_its_steps_reach) {
  Sweep sweep{.stencil = average(2), .axes = {0, 1}, .boundary = {Faces(Bound::reflect), Faces(Bound::periodic)}, .steps = 3};
  sweep.source = sweep.destination = Layout::dense({20, 30}, 4);
  const Operation operation = plan(sweep);
  ASSERT_EQ(operation.cuts().size(), 2U);
  EXPECT_EQ(operation.needs({{8, 2}, {10, 5}})[0], (Ranges{{5, 8}, {7, 11}}));
  EXPECT_EQ(operation.needs({{0, 2}, {0, 5}})[0], (Ranges{{0, 5}, {27, 11}}));
  EXPECT_EQ(operation.needs({{19, 1}, {28, 2}})[0], (Ranges{{16, 4}, {25, 8}}));
  EXPECT_EQ(operation.needs({{0, 20}, {2, 25}})[0], (Ranges{{0, 20}, {0, 30}}));
  EXPECT_EQ(operation.needs({{4, 0}, {2, 0}})[0], (Ranges{{4, 0}, {2, 0}}));
  sweep.stencil = {"far", 2, {{{-5, 0}, {1}}}};
  sweep.steps = 1;
  EXPECT_EQ(plan(sweep).needs({{0, 1}, {3, 4}})[0], (Ranges{{0, 6}, {3, 4}})) << "what lies beyond the face is inside";
}

TEST(StencilOperation, is_what_is_defined_and_what_a_sweeper_makes) {
  std::mt19937_64 random(554);
  for (int i = 0; i < 40; ++i) {
    const Sweep sweep = random_sweep(random);
    const Operation operation = plan(sweep);
    const Buffers in = random_inputs(operation, random), before = untouched_outputs(operation);
    const Bytes made = run_whole(operation, in, before)[0];
    Bytes by_sweeper = before[0], defined = before[0];
    Sweeper(sweep).run(ConstBuffer(in[0]), Buffer(by_sweeper));
    sweep_reference(sweep, in[0].data(), defined.data());
    EXPECT_EQ(difference(operation.outputs()[0], made, by_sweeper).n, 0) << text_of(sweep);
    EXPECT_EQ(difference(operation.outputs()[0], made, defined).n, 0) << text_of(sweep);
  }
}

TEST(StencilOperation, runs_on_several_threads_at_once) {
  Sweep sweep{.stencil = gaussian({1, 1}), .axes = {0, 1}, .steps = 3, .steps_at_once = 1};
  sweep.source = sweep.destination = Layout::dense({60, 70}, 4);
  const Operation operation = plan(sweep);
  std::mt19937_64 random(556);
  const Buffers in = random_inputs(operation, random), before = untouched_outputs(operation);
  const Buffers want = run_whole(operation, in, before);
  std::vector<Bytes> made(4, before[0]);
  std::vector<std::thread> threads;
  for (Bytes& bytes : made) {
    threads.emplace_back([&operation, &in, &bytes] {
      for (int i = 0; i < 20; ++i) operation.run({ConstBuffer(in[0])}, {Buffer(bytes)});
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Bytes& bytes : made) EXPECT_TRUE(bytes == want[0]);
}

TEST(StencilOperation, runs_in_a_workspace_at_any_address) {
  Sweep sweep{.stencil = average(2), .axes = {0, 1}, .steps = 5, .steps_at_once = 1};
  sweep.source = sweep.destination = Layout::dense({40, 50}, 4);
  const Operation operation = plan(sweep);
  ASSERT_GT(operation.workspace_bytes(), 2 * 40 * 50 * 4);
  std::mt19937_64 random(555);
  const Buffers in = random_inputs(operation, random), before = untouched_outputs(operation);
  const Buffers want = run_whole(operation, in, before);
  for (const std::int64_t shift : {0, 1, 7, 255}) {
    Bytes made = before[0], workspace(size_of(operation.workspace_bytes() + shift + 16), std::byte{0xa5});
    operation.run({ConstBuffer(in[0])}, {Buffer(made)}, default_executor(), Buffer(workspace.data() + shift, operation.workspace_bytes()));
    EXPECT_TRUE(made == want[0]);
    for (std::int64_t b = 0; b < shift; ++b) EXPECT_EQ(workspace[size_of(b)], std::byte{0xa5});
    for (std::size_t b = workspace.size() - 16; b < workspace.size(); ++b) EXPECT_EQ(workspace[b], std::byte{0xa5});
  }
}

TEST(StencilOperation, parts_are_what_the_definition_says) {
  std::mt19937_64 random(559);
  const int n = drawn(400);
  for (int i = 0; i < n && !::testing::Test::HasFailure(); ++i) {
    const Sweep sweep = random_sweep(random);
    const Operation whole = plan(sweep);
    expect_definition(whole, random_inputs(whole, random), text_of(sweep));
    const Operation part = whole.part(random_parts(whole, random).back());
    expect_definition(part, random_inputs(part, random), "part of " + text_of(sweep));
  }
}

}  // namespace
}  // namespace crinkle::stencil_operation_test
