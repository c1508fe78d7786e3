// What a report says of a row, of the copies beside it and of the machine.
// SPDX-License-Identifier: BSD-3-Clause
#include "harness/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "crinkle/executor.hpp"
#include "harness/site.hpp"

namespace crinkle::bench::report_test {
namespace {

TEST(Report, a_row_is_measured_by_the_best_copy) {
  Row row;
  row.bytes = 4'000'000'000;
  row.seconds = 0.5;
  row.copies = {{"one", 0.8}, {"two", 0.25}, {"three", 0.4}};
  EXPECT_EQ(row.best_copy().first, "two");
  EXPECT_DOUBLE_EQ(row.gb_per_s(), 8);
  EXPECT_DOUBLE_EQ(row.fraction_of_copy(), 0.5);
}

Contender taken(const std::string& name, std::vector<double> seconds) {
  return {name, [] {}, std::move(seconds)};
}

TEST(Report, the_spread_of_the_best_copy_is_kept) {
  Row row;
  row.name = "row";
  row.bytes = 100;
  row.seconds = 2;
  row.iqr = 0.12;
  row.set_copies(std::vector<Contender>{taken("one", {8, 9, 10, 11, 12}), taken("two", {1, 2, 3, 4, 5}), taken("three", {4, 6, 10})}, 0.5);
  EXPECT_EQ(row.best_copy(), (std::pair<std::string, double>{"two", 1.5}));
  EXPECT_EQ(row.copy_iqr, 1);
  EXPECT_EQ(spread_of(row), "± 3 %") << "half of the range";
  Report report({"suite", 1, 0, "abc"}, nullptr);
  report.keep(row);
  EXPECT_EQ(nlohmann::json::parse(report.json())["rows"][0]["copy_iqr"], 1);
}

TEST(Report, several_that_are_one_row_are_their_mean) {
  Row row;
  row.bytes = 100;
  Contender one = taken("move", {1, 2, 3}), other = taken("move", {10, 10, 10, 10});
  one.repeats = 5;
  one.cold_seconds = {6, 8, 10};
  other.cold_seconds = {20, 24, 20};
  row.set_times(std::vector<Contender>{one, other});
  EXPECT_DOUBLE_EQ(row.seconds, 6);
  EXPECT_DOUBLE_EQ(row.iqr, 0.5);
  EXPECT_EQ(row.samples, 3);
  EXPECT_EQ(row.repeats, 1);
  ASSERT_TRUE(row.cold);
  EXPECT_DOUBLE_EQ(row.cold->seconds, 14);
  EXPECT_EQ(cold_of(row), "–") << "there is no copy yet";
  Contender slow = taken("slow", {3}), fast = taken("fast", {4});
  slow.cold_seconds = {7, 7, 8};
  fast.cold_seconds = {9};
  row.set_copies(std::vector<Contender>{slow, fast}, 2);
  EXPECT_EQ(cold_of(row), "100 %") << "the copy that is the best there";
  row.rivals = {rival_of(one), rival_of(taken("hot alone", {4}))};
  Report report({"suite", 1, 0, "abc"}, nullptr);
  report.keep(row);
  const auto told = nlohmann::json::parse(report.json())["rows"][0];
  EXPECT_EQ(told["cold"]["seconds"], 14);
  EXPECT_EQ(told["cold"]["iqr"], 2);
  EXPECT_EQ(told["cold"]["copy_seconds"], 14);
  EXPECT_EQ(told["cold"]["copy_iqr"], 1);
  EXPECT_EQ(told["cold"]["fraction_of_copy"], 1);
  EXPECT_EQ(told["rivals"]["move"]["cold"]["seconds"], 8);
  EXPECT_FALSE(told["rivals"]["hot alone"].contains("cold"));
  row.set_times(std::vector<Contender>{taken("move", {1})});
  EXPECT_FALSE(row.cold);
}

TEST(Report, processors_of_one_name_are_told_apart) {
  const auto named = [](const char* text) {
    std::istringstream info(text);
    return processor_of(info);
  };
  EXPECT_EQ(
      named("processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\npower management:\n\n"
            "processor\t: 1\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n"),
      "AMD EPYC (family 25, model 17, 2 processors)");
  EXPECT_EQ(named("processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\n"), "unknown processor (1 processor)");
}

TEST(Copies, memcpy_on_one_thread_is_among_them_where_there_are_several) {
  constexpr std::int64_t n = 9000;
  for (const int threads : {1, 2}) {
    const auto site = cpu_site(make_executor(threads));
    site->reserve({n, n});
    site->fill(n, 3);
    std::vector<std::string> names;
    for (const Contender& c : site->copies(n)) {
      names.push_back(c.name);
      site->poison(n);
      c.run();
      EXPECT_EQ(site->on_host(site->destination(), n), site->on_host(site->source(), n)) << c.name;
      EXPECT_TRUE(site->is_guard_whole(n));
    }
    std::vector<std::string> expected = {"memcpy", "streamed", "interleaved"};
    if (threads > 1) expected.emplace_back("memcpy_1_thread");
    EXPECT_EQ(names, expected);
    names.clear();
    for (const Contender& c : site->fills(n)) {
      names.push_back(c.name);
      site->poison(n);
      c.run();
      const std::vector<std::byte> filled = site->on_host(site->destination(), n);
      EXPECT_EQ(std::count(filled.end() - n % 64, filled.end(), std::byte{0xA5}), n % 64) << "whole lines alone";
      EXPECT_EQ(std::count(filled.begin(), filled.end() - n % 64, std::byte{0xA5}), 0) << c.name;
    }
    EXPECT_EQ(names, (std::vector<std::string>{"streamed", "fill", "memset"}));
  }
}

}  // namespace
}  // namespace crinkle::bench::report_test
