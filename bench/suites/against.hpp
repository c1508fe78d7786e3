// What changed since an earlier run of a suite, row by row, and how much of that may be chance:
//     change = fraction of a copy now / then,     noise = √(q_now² + q_then²),     q = interquartile range / median of a row's samples.
// Fractions and not seconds: machines change their pace, and the copies beside a row change with it. A row is lost where it changes by more
// than its noise, and by more than `least_loss`, as copies have noise of their own.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "suites/report.hpp"

namespace crinkle::bench {

class Against {
 public:
  static constexpr double least_loss = 0.05;

  struct Change {
    std::string name;
    std::int64_t element_bytes = 1;
    double then = 0, now = 0;  // fractions of a copy
    double noise = 0;
    double change() const { return now / then; }
    bool is_loss() const { return change() < 1 - std::max(noise, least_loss); }
  };

  /// The document that a report wrote. Throws bad_file, naming the file and what it lacks.
  explicit Against(const std::string& path);

  /// Throws unsupported where that was another suite, or another machine or number of threads.
  void check(const Origin& now) const;

  /// Of the rows that both have.
  std::vector<Change> changes(const std::vector<Row>& rows) const;

  /// A line a row, and one for all. Throws std::runtime_error with the rows that are lost, and unsupported where no row is in both.
  void print(const std::vector<Row>& rows, std::FILE* table) const;

 private:
  struct Past {
    double fraction = 0, noise = 0;
  };
  std::string path_, suite_, device_, commit_, date_;
  std::map<std::pair<std::string, std::int64_t>, Past> rows_;
};

}  // namespace crinkle::bench
