// What a run has finished of an array that is being made: a file in the array's temporary directory, a line a box, so that a run of the
// same request goes on where one was stopped. What a machine that was switched off may have lost does not count.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "crinkle/layout.hpp"
#include "formats/file.hpp"

namespace crinkle::tool::zarr {

class Manifest {
 public:
  static constexpr const char* name = ".finished";

  /// What a temporary directory is for; none where that cannot be read.
  struct Head {
    std::string target, request;
  };
  static std::optional<Head> head_of(const std::string& folder);

  Manifest() = default;
  /// Begins one, or goes on with the one that is there.
  Manifest(const std::string& folder, const Head& head);

  /// Boxes of whole units; those of a manifest that was there are read here.
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
  std::vector<bool> is_done_;  // of every unit, by a run before
  std::mutex mutex_;
  Descriptor file_;
  std::size_t n_lines_ = 0;
  std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();
};

}  // namespace crinkle::tool::zarr
