// Compares a suite with an earlier run, row by row, and says how much of the change may be chance:
//     speed = seconds then / now,   share = fraction of a copy now / then,   noise = √(q_now² + q_then² + c_now² + c_then²),
// q and c the interquartile range over the median of a row's samples and of the best copy's beside it. A row is lost where its time and its
// share of a copy both fall by more than the noise and `least_loss`, and do so again when it is measured anew: machines change their pace,
// which changes the time alone; copies in the caches differ from process to process, which changes the share alone. Of one that falls by
// more than `least_loss` within its noise, nobody can tell. Hot times are compared.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/report.hpp"

namespace crinkle::bench {

class Against {
 public:
  // In 30 pairs of runs of one program (`small`, two cores of a Xeon shared with others, 2026-11-24) 28 had rows whose share alone fell by
  // 5 % beyond the noise, 10 whose time did, too, 5 by 10 %, none by 15 %.
  static constexpr double least_loss = 0.15;
  static constexpr int n_again = 2;  // how often a suspect is measured anew

  struct Change {
    std::string name;
    std::int64_t element_bytes = 1;
    double then = 0, now = 0;  // fractions of a copy
    double speed = 0;
    double noise = 0;
    bool is_by_hand = false;  // versions A, B and C of paper 0 are no moves of this library: shown, and never lost
    double share() const { return now / then; }
    bool has_fallen_by(double part) const { return !is_by_hand && std::max(speed, share()) < 1 - part; }
    bool is_loss() const { return has_fallen_by(std::max(noise, least_loss)); }
    bool is_unclear() const { return has_fallen_by(least_loss) && !is_loss(); }  // a loss, were the noise not as large
  };

  /// The document that a report wrote. Throws bad_file, naming the file, the program that writes such documents and what it lacks.
  explicit Against(const std::string& path, const std::string& program = "crinkle bench");

  /// Throws unsupported where that was another suite, or another machine or number of threads.
  void check(const Origin& now) const;

  /// The changes of the rows that both runs have.
  std::vector<Change> changes(const std::vector<Row>& rows) const;

  /// Rows of the suite measured anew in fresh memory, those of these names at least.
  using MeasureAgain = std::function<std::vector<Row>(const std::set<std::string>& names)>;

  /// A line a row, and one for all. Throws std::runtime_error with the rows that are lost, each time that they were measured, and
  /// unsupported where no row is in both. Without `again`, once is enough.
  void print(const std::vector<Row>& rows, std::FILE* table, const MeasureAgain& again = {}) const;

 private:
  struct Past {
    double seconds = 0, fraction = 0, noise = 0;
  };
  using Key = std::pair<std::string, std::int64_t>;

  struct Verdicts {
    std::set<Key> lost, unclear;
    bool is_empty() const { return lost.empty() && unclear.empty(); }
  };
  /// Rows that fell each time that they were measured: lost where that was beyond the noise each time, else unclear.
  Verdicts judged(const std::vector<Change>& all, const MeasureAgain& again, std::FILE* table) const;

  std::string path_, suite_, device_, commit_, date_;
  std::int64_t behind_bytes_ = 0;
  std::map<Key, Past> rows_;
};

}  // namespace crinkle::bench
