// Moves planned below the API, as features use them: the same bytes as the definition, through a workspace, in place, on any number of
// threads.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/planned.hpp"

#include <gtest/gtest.h>

#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "move/cuda/compiled.hpp"
#include "move/cuda/move.hpp"
#include "move/reference.hpp"
#include "support/guard.hpp"
#include "support/threads.hpp"

namespace crinkle::planned_test {
namespace {

PlannedMove planned(const Rearrangement& r) { return {r.steps(), machine_of(cpu()), cpu(), r.n_sources(), r.n_destinations()}; }

Bytes by_definition(const Rearrangement& r, const Bytes& source) {
  Bytes result(static_cast<std::size_t>(r.destination().n_bytes()), poison);
  const Steps steps = r.steps();
  Bytes workspace(static_cast<std::size_t>(steps.workspace_bytes));
  const std::byte* const from = source.data();
  std::byte* const to = result.data();
  run_reference(steps, {&from, 1}, {&to, 1}, workspace.data());
  return result;
}

void expect_moved(const Rearrangement& r) {
  const PlannedMove move = planned(r);
  const Bytes source = noise(r.source().n_bytes(), 7), expected = by_definition(r, source);
  for (const int n_threads : {1, 3}) {
    Threads threads(n_threads);
    Bytes result(expected.size(), poison), workspace(static_cast<std::size_t>(move.workspace_bytes));
    const ConstBuffer src{source.data(), std::ssize(source)};
    const Buffer dst{result.data(), std::ssize(result)};
    move.run({&src, 1}, {&dst, 1}, {workspace.data(), std::ssize(workspace)}, threads);
    EXPECT_EQ(result, expected);
  }
}

TEST(PlannedMove, moves_as_defined) {
  expect_moved(permute(Layout::dense({33, 47, 5}, 4), std::vector<std::int64_t>{2, 1, 0}));
  expect_moved(Rearrangement(Layout::dense({64, 65}, 2)).roll("@1", 3).flip("@0"));
}

TEST(PlannedMove, goes_through_a_workspace_where_it_takes_two_steps) {
  Rearrangement r(Layout::dense(Extents(13, 3), 1));  // rolled along every axis: more boxes than a step has
  for (int axis = 0; axis < 13; ++axis) r = r.roll("@" + std::to_string(axis), 1);
  const PlannedMove move = planned(r);
  ASSERT_GT(move.steps.size(), 1u) << "this is to be a move of several steps";
  EXPECT_GT(move.workspace_bytes, 0);
  EXPECT_FALSE(move.can_run_in_place());
  EXPECT_NE(move.why_not_in_place().find("steps"), std::string::npos) << move.why_not_in_place();
  expect_moved(r);
}

TEST(PlannedMove, runs_in_place_where_it_is_its_own_inverse) {
  const Rearrangement r = permute(Layout::dense({130, 130}, 4), std::vector<std::int64_t>{1, 0});
  const PlannedMove move = planned(r);
  ASSERT_TRUE(move.can_run_in_place());
  Bytes bytes = noise(r.source().n_bytes(), 3);
  const Bytes expected = by_definition(r, bytes);
  Threads threads(2);
  const Buffer both{bytes.data(), std::ssize(bytes)};
  move.run_in_place({&both, 1}, threads);
  EXPECT_EQ(bytes, expected);
}

TEST(PlannedMove, has_the_tables_of_index_arrays_for_every_machine) {
  std::vector<std::int64_t> indices;
  for (std::int64_t k = 0; k < 200; ++k) indices.push_back(k * 137 % 300);
  const Rearrangement r = Rearrangement(Layout::dense({300, 9}, 4)).take("@0", indices);
  const PlannedMove here = planned(r), there{r.steps(), Machine::h200(), cpu(), 1, 1};
  for (const PlannedMove* move : {&here, &there}) {
    ASSERT_EQ(move->steps.size(), 1u) << move->machine.name;
    ASSERT_EQ(move->steps[0].gathers().size(), 1u) << move->machine.name;
    EXPECT_EQ(move->steps[0].n_entries(), 200) << move->machine.name;
    EXPECT_EQ(move->bytes_moved, 2 * 200 * 9 * 4) << move->machine.name;
  }
  expect_moved(r);
}

TEST(PlannedMove, counts_what_kernels_of_a_gpu_hold) {
  const Rearrangement r = permute(Layout::dense({130, 130}, 4), std::vector<std::int64_t>{1, 0});
  PlannedMove there{r.steps(), Machine::h200(), cpu(), 1, 1};
  std::int64_t before = there.held_bytes();
  const auto expect_more = [&](const std::string& what) {
    EXPECT_GE(there.held_bytes(), before + 10000) << what;
    before = there.held_bytes();
  };
  CudaStep step;
  step.variants[0].emplace_back().tile.resize(10000);
  there.steps[0].on_gpu = there.exchanges_on_gpu = std::make_shared<const CudaStep>(step);
  before += 10000;
  expect_more("tiles, of both");
  CompiledStep compiled;
  compiled.form.table.resize(10000);
  there.steps[0].compiled = std::make_shared<const CompiledStep>(compiled);
  expect_more("a table");
}

}  // namespace
}  // namespace crinkle::planned_test
