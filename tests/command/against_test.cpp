// What changed since an earlier run: a row is lost where its time and its share of a copy both fall beyond the noise, each time that it is
// measured; not where the machine or the copy beside it changed, nor where it is a loop written by hand.
// SPDX-License-Identifier: BSD-3-Clause
#include "harness/against.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "crinkle/crinkle.hpp"
#include "suites/case_suites.hpp"
#include "support/lines.hpp"

namespace crinkle::bench::against_test {
namespace {

using testing::Lines;

const Origin origin{"permute", 1, 0, "abc"};

// Of so many seconds, the copy's and what either varies by.
Row row_of(const std::string& name, double seconds, double copy_seconds, double noise = 0, double copy_noise = 0) {
  Row row;
  row.name = name;
  row.bytes = 100;
  row.seconds = seconds;
  row.iqr = noise * seconds;
  row.copies = {{"memcpy", copy_seconds}};
  row.copy_iqr = copy_noise * copy_seconds;
  return row;
}

// The file of an earlier run, while it is needed.
struct Old {
  std::string path = (std::filesystem::temp_directory_path() / ("crinkle-against-" + std::to_string(getpid()) + ".json")).string();
  Old() = default;
  Old(const Old&) = delete;
  Old& operator=(const Old&) = delete;
  ~Old() { std::filesystem::remove(path); }

  Against of(const std::vector<Row>& rows, const Origin& of = origin) const {
    Report report(of, nullptr);
    for (const Row& row : rows) report.keep(row);
    return of_text(report.json());
  }
  Against of_text(const std::string& text) const {
    std::ofstream(path) << text;
    return Against(path);
  }
};

std::vector<std::string> lost_of(const Against& against, const std::vector<Row>& now) {
  std::vector<std::string> lost;
  for (const Against::Change& c : against.changes(now)) {
    if (c.is_loss()) lost.push_back(c.name);
  }
  return lost;
}

TEST(Against, a_row_is_lost_where_its_time_and_its_share_fall_beyond_their_noise) {
  const Old old;
  std::vector<Row> then;
  for (const char* name : {"same", "faster", "slower", "copy alone", "machine", "noisy now", "noisy copy", "a little"})
    then.push_back(row_of(name, 2, 1));
  then.push_back(row_of("noisy then", 2, 1, 0.3));
  then.push_back(row_of("noisy copy then", 2, 1, 0, 0.3));
  const Against against = old.of(then);
  EXPECT_EQ(
      lost_of(against, {row_of("same", 2, 1), row_of("faster", 1, 1), row_of("slower", 2.5, 1), row_of("copy alone", 2, 0.5),
                        row_of("machine", 4, 2), row_of("noisy now", 2.5, 1, 0.26), row_of("noisy copy", 2.5, 1, 0, 0.26),
                        row_of("a little", 2.25, 1), row_of("noisy then", 2.5, 1), row_of("noisy copy then", 2.5, 1), row_of("new", 9, 1)}),
      std::vector<std::string>{"slower"});
}

TEST(Against, a_row_that_falls_within_its_noise_cannot_be_told) {
  const Old old;
  const Against against = old.of({row_of("noisy", 2, 1), row_of("noisy but the same", 2, 1), row_of("a little", 2, 1)});
  Lines lines;
  against.print({row_of("noisy", 2.5, 1, 0.26), row_of("noisy but the same", 2, 1, 0.26), row_of("a little", 2.25, 1, 0.2)}, lines.file);
  const std::string text = lines.text();
  EXPECT_NE(text.find("  26.0 %  cannot tell\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("cannot tell"), text.rfind("cannot tell")) << text;
  EXPECT_NE(text.find("; of 1 nobody can tell: they fell within their noise\n"), std::string::npos) << text;
}

TEST(Against, what_cannot_be_told_is_measured_anew) {
  const Old old;
  const Against against = old.of({row_of("clears", 2, 1), row_of("stays", 2, 1), row_of("gets noisy", 2, 1)});
  const std::vector<Row> now = {row_of("clears", 2.5, 1, 0.26), row_of("stays", 2.5, 1, 0.26), row_of("gets noisy", 2.5, 1)};
  std::vector<std::set<std::string>> asked;
  Lines lines;
  against.print(now, lines.file, [&](const std::set<std::string>& names) {
    asked.push_back(names);
    return std::vector<Row>{row_of("clears", 2, 1), row_of("stays", 2.5, 1), row_of("gets noisy", 2.5, 1, 0.26)};
  });
  EXPECT_EQ(asked, (std::vector<std::set<std::string>>{{"clears", "stays", "gets noisy"}, {"stays", "gets noisy"}}));
  const std::string text = lines.text();
  EXPECT_NE(text.find("26.0 %  not again\n"), std::string::npos) << text;
  EXPECT_NE(text.find("26.0 %  cannot tell\n"), std::string::npos) << text;
  EXPECT_NE(text.find("; of 2 nobody can tell: they fell within their noise\n"), std::string::npos) << text;
}

TEST(Against, changes_are_of_time_and_of_share) {
  const Old old;
  const Against against = old.of({row_of("row", 2, 1, 0.03, 0.04)});
  const std::vector<Against::Change> changes = against.changes({row_of("row", 4, 1, 0.12)});
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_DOUBLE_EQ(changes[0].then, 0.5);
  EXPECT_DOUBLE_EQ(changes[0].now, 0.25);
  EXPECT_DOUBLE_EQ(changes[0].share(), 0.5);
  EXPECT_DOUBLE_EQ(changes[0].speed, 0.5);
  EXPECT_DOUBLE_EQ(changes[0].noise, 0.13);  // 0.03, 0.04 and 0.12
}

TEST(Against, a_suspect_is_lost_where_it_is_lost_each_time) {
  const Old old;
  const Against against = old.of({row_of("always", 1, 1), row_of("once", 1, 1), row_of("twice", 1, 1), row_of("never", 1, 1)});
  const std::vector<Row> now = {row_of("always", 2, 1), row_of("once", 2, 1), row_of("twice", 2, 1), row_of("never", 1, 1)};
  std::vector<std::set<std::string>> asked;
  const auto again = [&](const std::set<std::string>& names) {
    asked.push_back(names);
    std::vector<Row> rows = now;
    rows[1].seconds = 1;
    if (asked.size() == 2) rows[2].seconds = 1;
    rows[3].seconds = 2;  // nobody asked for it
    return rows;
  };
  Lines lines;
  try {
    against.print(now, lines.file, again);
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_NE(std::string(e.what()).find("1 of 4 rows are slower"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("always of 1 bytes (time +100.0 %, share -50.0 %, noise 0.0 %)"), std::string::npos) << e.what();
  }
  EXPECT_EQ(asked, (std::vector<std::set<std::string>>{{"always", "once", "twice"}, {"always", "twice"}}));
  const std::string text = lines.text();
  EXPECT_NE(
      text.find(
          "A row is lost where its time and its share of a copy both fall by more than the noise and 15 %, and do so again when it is "
          "measured anew.\n"),
      std::string::npos)
      << text;
  for (const char* line :
       {"-50.0 % +100.0 %    0.0 %  lost\nonce", "%  not again\ntwice", "%  not again\nnever", "+0.0 %    0.0 %\n4 rows: geometric mean"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
}

TEST(Against, what_is_not_lost_is_not_measured_anew) {
  const Old old;
  const Against against = old.of({row_of("copy alone", 2, 1), row_of("gone", 2, 1)});
  const auto again = [](const std::set<std::string>&) -> std::vector<Row> {
    ADD_FAILURE();
    return {};
  };
  Lines lines;
  against.print({row_of("copy alone", 2, 0.5)}, lines.file, again);
  EXPECT_NE(lines.text().find("1 rows: geometric mean of the changes -50.0 % (share), +0.0 % (time)\n"), std::string::npos) << lines.text();
  EXPECT_THROW(against.print({row_of("new", 1, 1)}, lines.file, again), Error);
}

TEST(Against, loops_written_by_hand_are_shown_and_never_lost) {
  const Old old;
  std::vector<Row> rows;
  for (const char* series : {"A", "B", "C", "crinkle"}) {
    rows.push_back(row_of(series, 1, 1));
    rows.back().facts["plot"] = {{"title", "t"}, {"x", 1}, {"x_label", "N"}, {"series", series}, {"y", "seconds"}};
  }
  const Against against = old.of(rows);
  for (Row& row : rows) row.seconds = 2;
  EXPECT_EQ(lost_of(against, rows), std::vector<std::string>{"crinkle"});
  rows.back().seconds = 1;
  Lines lines;
  against.print(rows, lines.file);
  EXPECT_NE(lines.text().find("%  by hand\nB "), std::string::npos) << lines.text();
  EXPECT_NE(lines.text().find("1 rows: geometric mean of the changes +0.0 % (share)"), std::string::npos) << lines.text();
}

TEST(Against, the_faster_of_two_copies_counts_in_older_documents_too) {
  const Old old;
  const Against against = old.of_text(R"({"suite": "s", "device": "d", "commit": "c", "date": "e", "rows": [
      {"name": "r", "element_bytes": 1, "seconds": 1, "iqr": 0, "fraction_of_copy": 0.9, "fraction_of_kernel_copy": 0.6}]})");
  EXPECT_DOUBLE_EQ(against.changes({row_of("r", 1, 0.6)}).at(0).then, 0.6);
}

TEST(Against, another_suite_or_machine_is_refused_and_named) {
  const Old old;
  const Against against = old.of({row_of("row", 1, 1)});
  against.check(origin);
  EXPECT_THROW(against.check(Origin{"copy", 1, 0, "abc"}), Error);
  EXPECT_THROW(against.check(Origin{"permute", 2, 0, "abc"}), Error);
  const Against unnamed = old.of_text(R"({"suite": "permute", "device": "AMD EPYC, 1 thread", "commit": "c", "date": "e", "rows": []})");
  try {
    unnamed.check(origin);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(
        std::string(e.what()).find("was measured on 'AMD EPYC, 1 thread', this is '" + device_of(origin) + "'; a name without family"),
        std::string::npos)
        << e.what();
  }
}

TEST(Report, rows_that_are_measured_anew_are_those_that_are_wanted) {
  const std::vector<Case> cases = parse_cases("a 4 2 0 1 5 6\nb 4 2 1 0 5 6\nc 4 gather random 0 50\n", "f");
  const auto make_map = [](const Case& c) -> SpecMap { return {parse(c.words.at(0), Layout::dense(c.extents, c.element_bytes)), 4}; };
  Report anew(origin, std::set<std::string>{"c", "b"});
  const auto site = cpu_site(make_executor(1));
  const Effort effort{7, 0.001, 1 << 20, false};
  run_entries(*site, entries_of(cases, {*site, effort, make_map}), effort, 1, anew);
  anew.note("not told");
  anew.print_summary();
  ASSERT_EQ(anew.rows().size(), 2U);
  EXPECT_EQ(anew.rows()[0].name, "b");
  EXPECT_EQ(anew.rows()[1].name, "c");
}

}  // namespace
}  // namespace crinkle::bench::against_test
