// What a report says of a row, of the copies beside it and of the machine.
// SPDX-License-Identifier: BSD-3-Clause
#include "suites/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "crinkle/executor.hpp"
#include "suites/copy.hpp"

namespace crinkle::bench {
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
  std::vector<std::byte> src(9000), dst(src.size());
  for (std::size_t i = 0; i < src.size(); ++i) src[i] = static_cast<std::byte>(i * 7 % 251 + 1);
  for (const int threads : {1, 2}) {
    const auto executor = make_executor(threads);
    std::vector<std::string> names;
    for (const Contender& c : plain_copies(dst.data(), src.data(), std::ssize(src), *executor)) {
      names.push_back(c.name);
      std::fill(dst.begin(), dst.end(), std::byte{});
      c.run();
      EXPECT_EQ(dst, src) << c.name;
    }
    std::vector<std::string> expected = {"memcpy", "streamed", "interleaved"};
    if (threads > 1) expected.emplace_back("memcpy_1_thread");
    EXPECT_EQ(names, expected);
  }
}

}  // namespace
}  // namespace crinkle::bench
