// The suites that are lists of cases: what they set beside each case is right, checked as the move is, and caught when it is wrong.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "case_map.hpp"
#include "suites/fused.hpp"
#include "suites/indexed.hpp"
#include "suites/random.hpp"
#include "suites/runner.hpp"
#include "suites/suites.hpp"
#include "suites/walk.hpp"

namespace crinkle::bench::case_suites_test {
namespace {

struct Nowhere {
  std::FILE* file = std::fopen("/dev/null", "w");
  ~Nowhere() { std::fclose(file); }
};

constexpr Effort little = {7, 0.001, 256 << 10, false};

std::vector<Row> rows_of(const Suite& suite, Executor& executor = default_executor(), const Effort& effort = little) {
  const Nowhere nowhere;
  Report report({"suite", executor.n_workers(), 0, "abc"}, nowhere.file);
  run_permute(suite.cases, tool::map_of, effort, 1, executor, report, estimated_plan, suite.beside);
  return report.rows();
}

TEST(CaseFile, a_range_is_a_part_of_its_array) {
  const std::vector<Case> cases = parse_cases("a 4 range-read 3 5 9\nb 2 range-write 0 5 5\n", "f");
  EXPECT_EQ(cases[0].first, 3);
  EXPECT_EQ(cases[0].extents, Extents{5});
  EXPECT_EQ(cases[0].whole, 9);
  const ArrayBytes read = array_bytes_of(cases[0], tool::map_of);
  EXPECT_EQ(read.source, 36);
  EXPECT_EQ(read.destination, 20);
  const Boxes boxes = map_of_case(cases[0], tool::map_of).map.boxes();
  ASSERT_EQ(boxes.size(), 1U);
  EXPECT_EQ(boxes[0].src_offset, 12);
  EXPECT_EQ(bytes_written(boxes), 20);
  const std::optional<Case> half = halved(cases[0]);
  EXPECT_EQ(half->first + half->extents[0] <= half->whole, true);
  EXPECT_THROW(parse_cases("a 4 range-read 5 5 9", "f"), Error);
  EXPECT_THROW(parse_cases("a 4 range-write 0 5", "f"), Error);
}

TEST(Suites, the_rearrangements_stand_beside_the_papers_numbers) {
  const std::vector<Row> rows = rows_of(rearrange_suite());
  int n_published = 0;
  for (const Row& row : rows) n_published += row.facts.contains("paper") ? 1 : 0;
  EXPECT_EQ(n_published, 1 + 5 + 4 + 12) << "figure 1, tables 1, 2 and 3";
  for (const Row& row : rows) {
    if (row.name != "order_120") continue;
    EXPECT_NEAR(row.facts["paper"]["fraction_of_copy"].get<double>(), 57.38 / 77.82, 1e-9);
  }
  EXPECT_GE(records_suite().cases.size(), 70U);
}

TEST(Fused, a_chain_has_a_step_for_every_option_and_its_specification) {
  const Case chain = parse_cases("c 4 spec 'y x -> x y' 10 20 --roll y=3 --slice x=2:9 --flip x", "f").at(0);
  const std::vector<Case> steps = steps_of(chain, tool::map_of);
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_EQ(steps[0].words, (std::vector<std::string>{"y x ->y x ", "--roll", "y=3"}));
  EXPECT_EQ(steps[2].extents, (Extents{10, 7}));
  EXPECT_EQ(steps[3].words, std::vector<std::string>{"y x -> x y"});
}

TEST(Fused, step_by_step_comes_to_the_same) {
  const Suite suite = fused_suite(tool::map_of);
  const std::vector<Row> rows = rows_of(suite);
  ASSERT_EQ(rows.size(), suite.cases.size());
  for (const Row& row : rows) {
    ASSERT_EQ(row.rivals.size(), 1U);
    EXPECT_EQ(row.rivals[0].name, "step by step");
    EXPECT_GE(row.facts["n_steps"].get<int>(), 2);
  }
}

TEST(Runner, runs_plans_of_one_step_and_of_several) {
  Rearrangement rolled(Layout::dense(Extents(13, 3), 1));
  for (int axis = 0; axis < 13; ++axis) rolled = rolled.roll("@" + std::to_string(axis), 1);  // 2^13 boxes
  ASSERT_GT(Plan(rolled).workspace_bytes(), 0);
  const Runner runner(default_executor());
  EXPECT_EQ(runner.memory(0), nullptr);
  EXPECT_NE(runner.memory(1), nullptr);
  for (const Rearrangement& r : {parse("y x -> x y", Layout::dense({12, 10}, 4)), rolled}) {
    const std::int64_t n = r.source().n_bytes();
    std::vector<std::byte> src(static_cast<std::size_t>(n)), dst(src.size()), expected(src.size());
    std::uint64_t state = 5;
    for (std::byte& b : src) b = static_cast<std::byte>(next_random(state));
    Plan(r).run({src.data(), n}, {expected.data(), n});
    run_of(Plan(r), {n, n}, {{0}, {0}}, runner)(src.data(), dst.data());
    EXPECT_EQ(dst, expected);
  }
}

TEST(Indexed, a_wrong_byte_is_found_and_so_is_one_that_should_have_stayed) {
  for (const char* line : {"a 4 gather random 1 3 20 2", "a 4 scatter random 1 3 20 2"}) {
    const Case c = parse_cases(line, "f").at(0);
    const Indexed indexed(c, 3);
    const Rearrangement map = indexed_map(c, indexed);
    std::vector<std::byte> src(static_cast<std::size_t>(map.source().n_bytes())),
        before(static_cast<std::size_t>(map.destination().n_bytes()));
    std::uint64_t state = 5;
    for (std::byte& b : src) b = static_cast<std::byte>(next_random(state));
    for (std::byte& b : before) b = static_cast<std::byte>(next_random(state));
    std::vector<std::byte> dst = before;
    Plan(map).run({src.data(), std::ssize(src)}, {dst.data(), std::ssize(dst)});
    EXPECT_EQ(indexed.first_wrong(src.data(), before, dst.data(), default_executor()), -1) << line;
    for (std::size_t at = 0; at < dst.size(); ++at) {
      dst[at] ^= std::byte{1};
      ASSERT_EQ(indexed.first_wrong(src.data(), before, dst.data(), default_executor()), static_cast<std::int64_t>(at)) << line;
      dst[at] ^= std::byte{1};
    }
  }
}

TEST(Suites, a_rival_with_a_wrong_result_is_named) {
  Suite suite = {parse_cases("c 4 spec 'y x -> x y' 10 20", "f")};
  suite.beside.rivals = [](const Fitted&, const Runner&) {
    return std::vector<std::pair<std::string, RunMove>>{{"a lazy one", [](const std::byte*, std::byte*) {}}};
  };
  try {
    rows_of(suite);
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_NE(std::string(e.what()).find("c, a lazy one, seed 1: byte 0"), std::string::npos) << e.what();
  }
}

TEST(Suites, small_arrays_have_other_doors_and_empty_caches) {
  Suite suite = small_suite(tool::map_of);
  std::set<std::string> names;
  for (const Case& c : suite.cases) names.insert(c.name);
  EXPECT_EQ(names.size(), suite.cases.size());
  EXPECT_TRUE(names.contains("transpose_1KiB") && names.contains("roll_1MiB") && names.contains("1000_transposes_256B"));
  std::vector<Case> some;
  for (const Case& c : suite.cases)
    if (c.name == "flip_1KiB" || c.name == "1000_transposes_256B") some.push_back(c);
  suite.cases = some;
  Effort both = little;
  both.has_cold = true;
  const std::vector<Row> rows = rows_of(suite, default_executor(), both);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].rivals.size(), 2U);
  EXPECT_EQ(rows[1].rivals.size(), 1U);
  for (const Row& row : rows) {
    ASSERT_TRUE(row.cold && row.cold_copy && row.rivals[0].cold);
    EXPECT_GT(row.cold->seconds, 0);
    EXPECT_EQ(row.facts["plot"]["y"], "seconds");
  }
}

TEST(Suites, scaling_goes_over_threads_sizes_and_ranks) {
  Suite suite = sizes_suite();
  for (const Case& c : suite.cases) {
    if (c.kind != Case::Kind::permutation) continue;
    std::int64_t n = 1;
    for (const std::int64_t extent : c.extents) n *= extent;
    EXPECT_EQ(n, 1 << 24) << c.name;
  }
  suite.cases.erase(suite.cases.begin() + 1, suite.cases.end() - 1);
  EXPECT_EQ(suite.cases.back().extents.size(), 24U);
  for (const Row& row : rows_of(suite)) EXPECT_EQ(row.facts["plot"]["series"], "crinkle");
  const auto two = make_executor(2);
  for (const Row& row : rows_of(threads_suite(2), *two)) {
    EXPECT_EQ(row.threads, 2);
    EXPECT_EQ(row.facts["plot"]["x"], 2);
  }
}

}  // namespace
}  // namespace crinkle::bench::case_suites_test
