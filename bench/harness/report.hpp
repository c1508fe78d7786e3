// A report is what a suite found out: a line a case for a person, one JSON document for programs,
//     {schema, suite, device, driver, compiler, commit, date, seed, rows}.
// A suite may have facts of its own beside these, and in its rows.
// Rates count bytes read and written; fraction_of_copy is the best plain copy's median time over that of the row. "± 3 %" of a line is half
// the interquartile range of a row's samples, of their median: half of them are so near to it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <istream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/timing.hpp"
#include "crinkle/device.hpp"

namespace crinkle::bench {

/// The time of one run: the median of the samples and their interquartile range.
struct Time {
  double seconds = 0, iqr = 0;
};

/// Another way to the same result, which took turns with the row's.
struct Rival {
  std::string name;
  Time hot;
  std::optional<Time> cold = {};
};
Rival rival_of(const Contender& timed);

struct Row {
  std::string name;
  std::int64_t element_bytes = 1;
  std::int64_t bytes = 0;                              // read plus written
  double seconds = 0;                                  // median
  double iqr = 0;                                      // interquartile range, seconds
  std::vector<std::pair<std::string, double>> copies;  // kind and median seconds of as many bytes; none: the row is of no copy
  std::int64_t scaled_by = 1;
  int threads = 1;  // of the CPU; 0: a GPU's row
  std::int64_t samples = 0;
  std::int64_t repeats = 1;                 // runs that a sample is the mean of: above 1, the arrays may have stayed in a cache
  std::string checked;                      // how the result was checked before it was timed
  std::optional<double> copy_iqr = {};      // of the best copy, seconds
  std::optional<double> loop_seconds = {};  // of a plain loop that does the same
  std::vector<Rival> rivals = {};
  std::optional<Time> cold = {}, cold_copy = {};  // of runs that find nothing in the caches, and of the best copy there
  nlohmann::ordered_json facts = {};              // of this suite alone
  std::string remark = {};                        // at the end of its line, for a person

  const std::pair<std::string, double>& best_copy() const;
  double gb_per_s() const;
  double fraction_of_copy() const;
  std::optional<double> cold_fraction_of_copy() const;
  /// The times, samples and repeats of one that took turns; of several the means of their medians and of their interquartile ranges, and
  /// the least of the others. Seconds times `scale`. Requires one.
  void set_times(std::span<const Contender> parts, double scale = 1);
  /// Plain copies that took turns with the row, their seconds times `scale`: its copies and copy_iqr, and cold_copy.
  void set_copies(std::span<const Contender> taken, double scale = 1);
};

/// All rows have these facts in common.
struct Origin {
  std::string suite;
  int threads = 1;
  std::uint64_t seed = 0;
  std::string commit;
  std::string plan = "estimate";      // how plans were made
  std::string device = {};            // a GPU's name; "": this processor
  std::string driver = {};            // its driver
  nlohmann::ordered_json facts = {};  // of this suite alone
};

/// Twenty cells, as many of them full as the fraction says.
std::string bar_of(double fraction);

/// "87 %" of a copy, both with empty caches; "–" where that was not measured.
std::string cold_of(const Row& row);

/// "± 3 %"
std::string spread_of(const Row& row);

/// "AMD EPYC (family 25, model 17, 2 processors)" of what /proc/cpuinfo says: processors of one name differ by generations.
std::string processor_of(std::istream& cpuinfo);

/// "Intel Xeon (family 6, model 143, 2 processors), 2 threads", or the GPU's name.
std::string device_of(const Origin& origin);

/// With the name and driver of a CUDA device. Throws what facts_of() throws.
Origin on_gpu(Origin origin, Device device);

/// The beginning of a document: schema, suite, device, driver, compiler, commit, date, seed, plan, and the facts.
nlohmann::ordered_json head_of(const Origin& origin);

class Report {
 public:
  /// Lines for a person go to `table`, where and with which seed before the first.
  Report(Origin origin, std::FILE* table) : origin_(std::move(origin)), table_(table) {}
  /// For rows that are measured again: says nothing, and wants these names alone.
  Report(Origin origin, std::set<std::string> wanted) : origin_(std::move(origin)), wanted_(std::move(wanted)) {}

  /// Suites leave out what is not wanted, where they can.
  template <class Is>
  bool wants_any(const Is& is) const {
    return wanted_.empty() || std::any_of(wanted_.begin(), wanted_.end(), is);
  }
  void add(Row row);
  void keep(Row row) { rows_.push_back(std::move(row)); }  // for the document alone
  void note(const std::string& text);                      // for a person alone
  /// Geometric mean and minimum of the fraction of a copy, per element size and of all.
  void print_summary() const;
  const std::vector<Row>& rows() const { return rows_; }
  std::string json() const;

 private:
  Origin origin_;
  std::FILE* table_ = nullptr;
  std::set<std::string> wanted_;
  std::vector<Row> rows_;
  bool has_begun_ = false, has_head_ = false;

  void put(const std::string& text) const;
  void begin();
};

}  // namespace crinkle::bench
