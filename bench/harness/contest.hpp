// A contest: ways to one result that take turns in one process, and what they are compared with. A suite is a list of entries, each of
// which makes its contest when its turn comes; the harness does all else: memory, checks before anything is timed, hot and cold turns,
// rows.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/ceiling.hpp"
#include "harness/report.hpp"
#include "harness/site.hpp"

namespace crinkle::bench {

/// One of those that take turns.
struct Way {
  std::string name;
  std::vector<std::function<void()>> parts;  // which take turns by themselves: the way's time is the mean of theirs
  double n_each = 1;                         // of what is counted, in one run
  bool has_cold = true;
  std::optional<Clock> clock = {};           // in place of the site's
  nlohmann::ordered_json facts = {};         // of its row
  std::string remark = {};                   // of its row, behind the contest's
  std::vector<std::string> part_names = {};  // none, or one a part, whose seconds its row then has as a fact
  std::string fact = {};                     // its seconds are this fact of the other ways' rows, and it has no row of its own

  Way() = default;
  Way(std::string called, std::function<void()> run) : name(std::move(called)), parts{std::move(run)} {}
  Way(std::string called, std::vector<std::function<void()>> runs) : name(std::move(called)), parts(std::move(runs)) {}
};

/// Plain copies or fills, each as much work as a row is.
std::vector<Ceiling> ceilings_of(std::vector<Contender> plain, double scale = 1);

/// The place of rows in a plot; the series is the way's name, or this.
struct Plot {
  std::string title, x_label;
  std::int64_t x = 0;
  const char* y = "seconds";
  std::string series = {};
};

struct Contest {
  std::string name;
  std::int64_t element_bytes = 1;
  std::int64_t bytes = 0;  // read and written; 0: nothing that has a rate
  std::string unit = {};   // what else is counted, as in "pairs"
  std::int64_t units = 0;
  std::vector<Way> ways;
  /// first: one row of that name, of the first way, and the others are its rivals ("loop": a plain loop that does the same).
  /// all: a row for each way, named NAME, `between` and the way's name; with is_raced, how many times as fast as the first it is.
  enum class Rows : std::uint8_t { first, all } rows = Rows::first;
  std::string between = "_";
  bool is_raced = false;
  std::vector<Ceiling> ceilings = {};  // of which the best counts; none: the row is of no copy
  std::vector<Ceiling> fills = {};     // of as many bytes as are written, which is told beside
  std::int64_t filled_bytes = 0;
  bool are_ceilings = false;    // the ways are copies themselves: the best of them is the ceiling
  std::function<void()> check;  // of every way, before any is timed: throws std::runtime_error, naming it, for a wrong result
  std::string checked;          // how
  std::int64_t scaled_by = 1;
  std::optional<Plot> plot = {};
  nlohmann::ordered_json facts = {};
  std::string remark = {};
};

/// An operation as a contest: from the site's source, one input behind the other, to its destination, in turns with copies of as many
/// bytes, or fills where it has no input. Checked: it runs into poisoned bytes, right() throws std::runtime_error, naming what is wrong,
/// and bytes beside the output stay as they were.
Contest contest(const std::string& name, const crinkle::Operation& operation, Site& site, const std::function<void()>& right,
                std::string checked);

/// Throws std::runtime_error unless drawn elements of the site's destination, corners among them, are what the definition makes of its
/// source. Requires a move or a sweep that is planned for the CPU, of one input and one output.
void expect_defined(const std::string& name, const crinkle::Operation& operation, Site& site);

/// A contest that is made when its turn comes.
struct Entry {
  std::string name;        // what filters look at; rows have it, or begin with it
  ArrayBytes arrays = {};  // of the site, that it needs
  std::function<Contest(Site&, std::uint64_t seed)> make;
  std::string group = {};   // a line for a person before the first of several
  int threads = 0;          // of a CPU; 0: all
  std::string reason = {};  // not empty: why it is left out here
};

/// The seed of entry k is seed + k. Those whose arrays are larger than the effort's memory are left out, and said so. Throws too_large
/// where none fits, and what contests throw.
void run_entries(Site& site, const std::vector<Entry>& entries, const Effort& effort, std::uint64_t seed, Report& report);

/// The rows of one contest: checked, timed.
std::vector<Row> rows_of(Site& site, const Contest& contest, const Effort& effort);

}  // namespace crinkle::bench
