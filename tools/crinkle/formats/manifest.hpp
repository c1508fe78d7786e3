// What a run has finished of an array that is being made: a file in or beside its temporary, a line a box, so that a run of the same
// request goes on where one was stopped. What a machine that was switched off may have lost does not count.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "crinkle/layout.hpp"
#include "formats/file.hpp"

namespace crinkle::tool {

class Manifest {
 public:
  /// What a temporary is for; none where that cannot be read.
  struct Head {
    std::string target, request;
  };
  static std::optional<Head> head_of(const std::string& file);
  /// A target as all runs call it.
  static std::string target_of(const std::string& path);
  /// Throws unsupported, showing both, where what was left is of another request than this run.
  static void check_same(const std::string& output, const std::string& left, const Head& its, const Head& ours);

  Manifest() = default;
  /// Begins one, or goes on with the one that is there.
  Manifest(std::string file, const Head& head);

  /// Boxes of whole units, or without `unit` any, which count as they were finished; those of a manifest that was there are read here.
  void begin(const Extents& extents, const Extents& unit);
  bool has(const Ranges& box) const;
  void finish(const Ranges& box);
  bool is_empty() const { return n_lines_ == 0; }

 private:
  template <class Use>
  void each_cell(const Ranges& box, Use&& use) const;
  void mark(const Ranges& box);
  void append(const std::string& line);

  std::string path_;
  Extents extents_, unit_;
  std::vector<bool> is_done_;    // of every unit, by a run before
  std::set<std::string> boxes_;  // of no units
  std::mutex mutex_;
  Descriptor file_;
  std::size_t n_lines_ = 0;
  std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();
};

}  // namespace crinkle::tool
