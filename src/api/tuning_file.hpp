// The file that measured plans keep their choices in,
//     {"crinkle_plans": 1, "entries": [{"cpu", "kernels", "version", "threads", "step", "choice": {…}}, …]},
// oldest first. An entry is found by all of its fields but the choice, so one file serves any number of machines. It is replaced as a whole
// by renaming: two programs at once may lose an entry, never a file.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/tuning.hpp"

namespace crinkle {

/// The step and the number of workers that a choice was made for.
struct TunedFor {
  std::uint64_t step = 0;  // a hash of its boxes and index tables
  int n_workers = 1;
};

class TuningFile {
 public:
  static constexpr std::size_t most_entries = 4096;

  /// A file that is not there, or empty, or of another schema has no entries. Throws bad_file for one that cannot be read or is something
  /// else, which is then never written to. No file at all for "".
  explicit TuningFile(std::string path);

  /// Only what is among `known`, the estimate first: a choice that this library would not try is none.
  std::optional<Tuning> find(const TunedFor& key, const std::vector<Tuning>& known) const;
  /// Adds to what the file holds by now, and drops the oldest beyond `most_entries`. Returns why that failed, "" where it did not.
  std::string add(const std::vector<std::pair<TunedFor, Tuning>>& made);

 private:
  std::string path_, text_;
};

}  // namespace crinkle
