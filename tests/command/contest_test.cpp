// The harness of the benchmarks: what a contest becomes in rows, what is checked before it is timed, and what is left out.
// SPDX-License-Identifier: BSD-3-Clause
#include "harness/contest.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <stdexcept>

#include "crinkle/sweeper.hpp"
#include "support/lines.hpp"

namespace crinkle::bench::contest_test {
namespace {

using testing::Lines;

/// A site where nothing happens: those that take turns take 8, 4, 2, 1, … seconds, and cold ones ten times as long.
class ToldSite : public Site {
 public:
  std::vector<std::string> timed;  // names, in order
  ArrayBytes reserved;
  int n_threads = 3;

  ToldSite() : Site(cpu(), {}) {}
  Executor& executor() override { return default_executor(); }
  void use_threads(int n) override { n_threads = n; }
  Plan plan(const Rearrangement& map) override { return Plan(map); }
  void run(const Plan&, std::span<const ConstBuffer>, std::span<const Buffer>, Buffer) override {}
  std::shared_ptr<std::byte> memory(std::int64_t) override { return nullptr; }
  void reserve(const ArrayBytes& bytes) override { reserved = bytes; }
  void fill(std::int64_t, std::uint64_t) override {}
  void poison(std::int64_t) override {}
  bool is_guard_whole(std::int64_t) override { return is_whole; }
  std::int64_t first_wrong(const Boxes&) override { return -1; }
  std::vector<Contender> copies(std::int64_t) override { return {}; }
  std::vector<Contender> fills(std::int64_t) override { return {}; }
  void take_turns(std::vector<Contender>& contenders, const Effort&) override {
    double seconds = 8;
    for (Contender& c : contenders) {
      timed.push_back(c.name);
      c.seconds = {seconds};
      if (c.has_cold) c.cold_seconds = {10 * seconds};
      seconds /= 2;
    }
  }
  bool is_whole = true;
};

Contest some_contest() {
  Contest c;
  c.name = "name";
  c.bytes = 64;
  c.check = [] {};
  c.checked = "by hand";
  c.ways = {{"first", [] {}}, {"second", [] {}}};
  c.ceilings = {{"copy", [] {}, 0.5}};
  return c;
}

TEST(Contest, the_first_way_has_a_row_and_the_others_stand_beside_it) {
  ToldSite site;
  Contest c = some_contest();
  c.ways.emplace_back("loop", [] {});
  const std::vector<Row> rows = rows_of(site, c, {});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].name, "name");
  EXPECT_EQ(rows[0].seconds, 8);
  ASSERT_EQ(rows[0].rivals.size(), 1U);
  EXPECT_EQ(rows[0].rivals[0].name, "second");
  EXPECT_EQ(rows[0].rivals[0].hot.seconds, 4);
  EXPECT_EQ(rows[0].rivals[0].cold->seconds, 40);
  EXPECT_EQ(rows[0].loop_seconds, 2);
  EXPECT_DOUBLE_EQ(rows[0].fraction_of_copy(), 0.5 * 1 / 8) << "the ceiling's seconds are those of half as much work";
  EXPECT_EQ(rows[0].checked, "by hand");
}

TEST(Contest, every_way_has_a_row_where_that_is_asked_for) {
  ToldSite site;
  Contest c = some_contest();
  c.rows = Contest::Rows::all;
  c.is_raced = true;
  c.unit = "pairs";
  c.units = 16;
  c.facts = {{"n", 5}};
  c.ways[1] = Way("second", std::vector<std::function<void()>>{[] {}, [] {}});
  c.ways[1].n_each = 2;
  c.ways[1].facts = {{"map", "fold"}};
  Way third("third", [] {});
  third.fact = "sum_seconds";
  c.ways.push_back(third);
  c.fills = {{"fill", [] {}}};
  c.filled_bytes = 8;
  c.plot = {"title", "x", 7, "seconds", {}};
  const std::vector<Row> rows = rows_of(site, c, {});
  EXPECT_EQ(site.timed, (std::vector<std::string>{"first", "second", "second", "third", "copy", "fill"}));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].name, "name_first");
  EXPECT_EQ(rows[1].name, "name_second");
  EXPECT_DOUBLE_EQ(rows[1].seconds, (4.0 + 2) / 2 / 2) << "the mean of its parts, of one of two that a run does";
  EXPECT_DOUBLE_EQ(rows[1].facts["improvement"], 8 / 1.5);
  EXPECT_DOUBLE_EQ(rows[1].facts["pairs_per_s"], 16 / 1.5);
  EXPECT_DOUBLE_EQ(rows[1].facts["fraction_of_fill"], 0.25 / 1.5);
  EXPECT_DOUBLE_EQ(rows[1].facts["fills_gb_per_s"]["fill"], 8 / 0.25 * 1e-9);
  EXPECT_EQ(rows[1].facts["map"], "fold");
  EXPECT_EQ(rows[0].facts["n"], 5);
  EXPECT_EQ(rows[0].facts["sum_seconds"], 1);
  EXPECT_EQ(rows[1].facts["sum_seconds"], 1);
  EXPECT_EQ(rows[1].facts["plot"]["series"], "second");
  EXPECT_DOUBLE_EQ(rows[0].fraction_of_copy(), 0.5 * 0.5 / 8);
}

TEST(Contest, copies_are_measured_by_the_best_of_them_and_what_has_no_ceiling_by_nothing) {
  ToldSite site;
  Contest c = some_contest();
  c.ceilings.clear();
  c.rows = Contest::Rows::all;
  c.name.clear();
  EXPECT_TRUE(rows_of(site, c, {})[0].copies.empty());
  c.are_ceilings = true;
  const std::vector<Row> rows = rows_of(site, c, {});
  EXPECT_EQ(rows[0].name, "first");
  EXPECT_DOUBLE_EQ(rows[0].fraction_of_copy(), 0.5);
  EXPECT_DOUBLE_EQ(rows[1].fraction_of_copy(), 1);
}

TEST(Contest, nothing_is_timed_before_it_is_checked) {
  ToldSite site;
  Contest c = some_contest();
  c.check = [] { throw std::runtime_error("wrong"); };
  EXPECT_THROW(rows_of(site, c, {}), std::runtime_error);
  c.check = {};
  EXPECT_THROW(rows_of(site, c, {}), std::logic_error);
  EXPECT_TRUE(site.timed.empty());
  const auto says = [&](std::int64_t at, const std::string& text) {
    try {
      site.check("what", {1, 1}, 5, [] {}, [at] { return at; });
      ADD_FAILURE() << text;
    } catch (const std::runtime_error& e) { EXPECT_EQ(std::string(e.what()), "what, seed 5: " + text); }
  };
  says(3, "byte 3 of the result is not as defined");
  site.is_whole = false;
  says(-1, "bytes beside the result were written");
}

TEST(Entries, are_made_in_their_turn_with_arrays_for_the_largest_and_left_out_where_they_do_not_fit) {
  ToldSite site;
  Lines lines;
  Report report({"suite", 1, 0, "abc"}, lines.file);
  std::vector<std::uint64_t> seeds;
  const auto entry = [&](const std::string& name, std::int64_t bytes, const std::string& group, int threads = 0) {
    return Entry{name,
                 {bytes, 2 * bytes},
                 [&, name](Site&, std::uint64_t seed) {
                   seeds.push_back(seed);
                   Contest c = some_contest();
                   c.name = name;
                   return c;
                 },
                 group,
                 threads};
  };
  std::vector<Entry> entries = {entry("a", 10, "Group 1"), entry("b", 20, "Group 1", 2), entry("c", 50, ""), entry("d", 5, "Group 2")};
  entries.push_back(entry("e", 1, ""));
  entries.back().reason = "not here";
  run_entries(site, entries, {.memory_bytes = 60}, 7, report);
  EXPECT_EQ(seeds, (std::vector<std::uint64_t>{7, 8, 10}));
  EXPECT_EQ(site.reserved.source, 20);
  EXPECT_EQ(site.reserved.destination, 40);
  EXPECT_EQ(site.n_threads, 0) << "as at first";
  EXPECT_EQ(report.rows().size(), 3U);
  const std::string text = lines.text();
  for (const char* expected : {"c left out: give more than 60 bytes", "e: not here, left out", "\nGroup 1\n", "\nGroup 2\n"})
    EXPECT_NE(text.find(expected), std::string::npos) << text;
  EXPECT_EQ(text.find("Group 1"), text.rfind("Group 1"));
  EXPECT_THROW(run_entries(site, {entry("a", 100, "")}, {.memory_bytes = 60}, 7, report), Error);
}

TEST(Contest, of_an_operation_is_checked_by_its_definition_and_beside_it) {
  const auto site = cpu_site(make_executor(1));
  Sweep sweep;
  sweep.stencil = average(2);
  sweep.source = sweep.destination = Layout::dense({4, 5}, 8);
  sweep.source_type = sweep.destination_type = {Number::float64};
  sweep.axes = {0, 1};
  const crinkle::Operation operation = plan(sweep);
  site->reserve({160, 160});
  std::vector<double> numbers(20);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i * i);
  site->put(numbers.data(), 160);
  std::byte* wrong = nullptr;
  const auto right = [&] {
    if (wrong != nullptr) *wrong ^= std::byte{1};
    expect_defined("average", operation, *site);
  };
  const Contest c = contest("average", operation, *site, right, "bits");
  EXPECT_EQ(c.bytes, 320);
  EXPECT_FALSE(c.ceilings.empty());
  EXPECT_NO_THROW(c.check());
  for (const int element : {0, 7, 19}) {
    wrong = site->destination() + 8 * element;
    EXPECT_THROW(c.check(), std::runtime_error) << element;
  }
  wrong = site->destination() + 160;
  EXPECT_THROW(c.check(), std::runtime_error) << "beside the output";
}

}  // namespace
}  // namespace crinkle::bench::contest_test
