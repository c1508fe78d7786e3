// The suites that are lists of cases: what they set beside each case is right, checked as the move is, and caught when it is wrong.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/random.hpp"
#include "harness/walk.hpp"
#include "suites/case_suites.hpp"
#include "suites/indexed.hpp"
#include "words/case_map.hpp"

namespace crinkle::bench::case_suites_test {
namespace {

constexpr Effort little = {7, 0.001, 256 << 10, false};

/// A suite's entries on a CPU, run.
struct Ran {
  std::unique_ptr<Site> site;
  Effort effort;
  std::vector<Row> rows = {};

  explicit Ran(int threads = 0, const Effort& of = little) : site(cpu_site(make_executor(threads))), effort(of) {}
  Request request() { return {*site, effort, tool::map_of}; }
  const std::vector<Row>& run(const std::vector<Entry>& entries) {
    Report report({"suite", site->threads(), 0, "abc"}, nullptr);
    run_entries(*site, entries, effort, 1, report);
    return rows = report.rows();
  }
};

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
  Ran ran;
  const std::vector<Row>& rows = ran.run(rearrange_entries(ran.request()));
  int n_published = 0;
  for (const Row& row : rows) n_published += row.facts.contains("paper") ? 1 : 0;
  EXPECT_EQ(n_published, 1 + 5 + 4 + 12) << "figure 1, tables 1, 2 and 3";
  for (const Row& row : rows) {
    if (row.name != "order_120") continue;
    EXPECT_NEAR(row.facts["paper"]["fraction_of_copy"].get<double>(), 57.38 / 77.82, 1e-9);
  }
  EXPECT_GE(records_entries(ran.request()).size(), 70U);
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
  Ran ran;
  const std::vector<Entry> entries = fused_entries(ran.request());
  const std::vector<Row>& rows = ran.run(entries);
  ASSERT_EQ(rows.size(), entries.size());
  for (const Row& row : rows) {
    ASSERT_EQ(row.rivals.size(), 1U);
    EXPECT_EQ(row.rivals[0].name, "step by step");
    EXPECT_GE(row.facts["n_steps"].get<int>(), 2);
  }
}

TEST(Site, runs_plans_of_one_step_and_of_several) {
  Rearrangement rolled(Layout::dense(Extents(13, 3), 1));
  for (int axis = 0; axis < 13; ++axis) rolled = rolled.roll("@" + std::to_string(axis), 1);  // 2^13 boxes
  ASSERT_GT(Plan(rolled).workspace_bytes(), 0);
  const auto site = cpu_site(make_executor(0));
  EXPECT_EQ(site->memory(0), nullptr);
  EXPECT_NE(site->memory(1), nullptr);
  for (const Rearrangement& r : {parse("y x -> x y", Layout::dense({12, 10}, 4)), rolled}) {
    const std::int64_t n = r.source().n_bytes();
    std::vector<std::byte> src(static_cast<std::size_t>(n)), dst(src.size()), expected(src.size());
    std::uint64_t state = 5;
    for (std::byte& b : src) b = static_cast<std::byte>(next_random(state));
    Plan(r).run({src.data(), n}, {expected.data(), n});
    move_of(Plan(r), {n, n}, {}, *site)(src.data(), dst.data());
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
  Ran ran;
  Beside beside;
  beside.rivals = [](const Fitted&, Site&) {
    return std::vector<std::pair<std::string, RunMove>>{{"a lazy one", [](const std::byte*, std::byte*) {}}};
  };
  try {
    ran.run(entries_of(parse_cases("c 4 spec 'y x -> x y' 10 20", "f"), ran.request(), beside));
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_NE(std::string(e.what()).find("c, a lazy one, seed 1: byte 0"), std::string::npos) << e.what();
  }
}

TEST(Suites, small_arrays_have_other_doors_and_empty_caches) {
  Effort both = little;
  both.has_cold = true;
  Ran ran(0, both);
  std::set<std::string> names;
  const std::vector<Entry> entries = small_entries(ran.request());
  for (const Entry& e : entries) names.insert(e.name);
  EXPECT_EQ(names.size(), entries.size());
  EXPECT_TRUE(names.contains("transpose_1KiB") && names.contains("roll_1MiB") && names.contains("1000_transposes_256B"));
  const std::vector<Row>& rows = ran.run(chosen(entries, {"flip_1KiB", "1000_transposes_256B"}, "small"));
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
  Ran ran(2);
  const std::vector<Entry> entries = scaling_entries(ran.request());
  ASSERT_EQ(entries.size(), 2U * 3 + 9 + 8);
  const std::vector<Row>& rows = ran.run(entries);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(rows[k].threads, k < 3 ? 1 : 2);
    EXPECT_EQ(rows[k].facts["plot"]["x"], rows[k].threads);
  }
  EXPECT_EQ(rows[0].facts["plot"]["series"], "transpose");
  EXPECT_EQ(rows.back().facts["plot"]["series"], "crinkle");
  EXPECT_EQ(rows.back().facts["plot"]["x"], 24);
  EXPECT_EQ(rows.back().bytes * rows.back().scaled_by, std::int64_t{8} << 24) << "as many elements at every rank";
}

TEST(Suites, triangles_pairs_and_plans_are_checked_and_timed) {
  Ran ran(2);
  ran.effort.memory_bytes = 0;
  for (const auto& [entries, name] :
       {std::pair(&pairs_entries, std::string("cosine_square_float64_n1024_f128")),
        std::pair(&planning_entries, std::string("cached_rank8")), std::pair(&triangle_entries, std::string("rfp_to_full_8192_el4"))}) {
    const std::vector<Row>& rows = ran.run(chosen(entries(ran.request()), {name}, "suite"));
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].name, name);
    EXPECT_GT(rows[0].seconds, 0);
    EXPECT_EQ(rows[0].copies.empty(), rows[0].bytes == 0);
  }
}

}  // namespace
}  // namespace crinkle::bench::case_suites_test
