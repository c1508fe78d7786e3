// Operations between files that are read and written in boxes: larger than memory, or packed. A chunk of the output is written once, whole.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crinkle/operation.hpp"
#include "formats/sink.hpp"
#include "formats/source.hpp"
#include "running/part_run.hpp"
#include "running/stored_plan.hpp"

namespace crinkle::tool {

/// Within which means it goes.
struct StoredMeans {
  std::string memory;     // of --memory, "" for none: a quarter of the machine's; for parts' arrays, workspaces and chunks that are packed
  std::string temporary;  // of --temporary, a directory for what lies between passes; "": the output's, or $TMPDIR
  std::string output;     // its path
};

/// How an operation to one array goes from files to a file.
class StoredRun {
 public:
  /// Keeps references.
  StoredRun(const Operation& operation, std::vector<const Source*> from, Sink& to, const StoredMeans& means, Executor& executor);

  /// Whether it serves: one of the files is of chunks, or the output is to be gone on with, and the operation to one array, or each of its
  /// stages, is cut on the CPU.
  static bool serves(const Operation& operation, const std::vector<const Source*>& from, const Sink& to);

  /// Says on standard error how, where it is asked for, and where parts are larger than --memory.
  void report(bool is_explained) const;
  void run(const PartCalls& calls);
  /// Compares what is in a file with the definition, part by part. Throws bad_file, naming the part. Requires one stage.
  void verify(const Source& written);

  const StoredPlan& plan() const noexcept { return plan_; }

 private:
  std::vector<const Source*> from_;
  Sink& to_;
  StoredMeans means_;
  Executor& executor_;
  std::int64_t limit_;
  std::string folder_;
  StoredPlan plan_;
};

}  // namespace crinkle::tool
