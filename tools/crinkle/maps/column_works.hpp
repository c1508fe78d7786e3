// Computes on columns of samples: one operation for all of them, or one each if they have gaps; explained, run, verified and reported
// as one. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "maps/sample_file.hpp"
#include "running/work.hpp"

namespace crinkle::tool {

class ColumnWorks {
 public:
  using Planned = std::function<Operation(const SampleFile& part, Device device)>;
  using Agreeing = std::function<Agreement(const SampleFile& part, bool is_on_gpu)>;

  /// `path`: of the samples. Operations have no input, and an output with an axis named "column". `agreement` is asked for --verify alone.
  ColumnWorks(const WorkOptions& options, const SampleFile& samples, const std::string& path, const Planned& planned,
              const Agreeing& agreement, double operations_s = Work::usual_operations_s);

  void explain() const;
  /// Work::is_dry().
  bool is_dry(const std::string& path, const std::string& words) const { return columns_.front().work.is_dry(path, words); }
  /// out = all columns, for --verify called `path`.
  void run(std::span<std::byte> out, const std::string& path);
  void print_json(const nlohmann::ordered_json& more) const;

 private:
  struct Column {
    Work work;
    std::size_t first;
    Agreement agreement;
  };

  const WorkOptions& options_;
  std::vector<Column> columns_;
};

}  // namespace crinkle::tool
