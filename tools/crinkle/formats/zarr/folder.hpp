// The directory that a store, or an array in one, is while it is being made: ".crinkle-XXXXXX.tmp" beside the store, so that the last step
// is a rename.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "formats/dataset.hpp"
#include "formats/file.hpp"
#include "formats/manifest.hpp"

namespace crinkle::tool::zarr {

/// Throws `exists` where something has the name and is not to be replaced, bad_file where the directory is missing or must not be written,
/// or where what would be replaced is no store.
void check_folder_name(const std::string& target, Overwrite overwrite);

/// Throws `exists` where an array's directory holds more than its metadata and chunks, which would go with it.
void check_foreign(const std::string& array);

class TemporaryFolder {
 public:
  /// Made beside `store`, which the target lies in or is, so that readers of a store never see it; in the store where that must not be
  /// written. What a run of the same target left that was killed is gone on with where `wish` says so, else removed. Throws as
  /// check_folder_name(), `exists` where another run makes the target now, unsupported where what was left is of another request.
  TemporaryFolder(std::string target, const std::string& store, Overwrite overwrite, const DatasetWish& wish);
  /// Without rename_to_target() it is removed with all that is in it; one that is to be gone on with stays, which is said.
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const noexcept { return path_; }
  Manifest& manifest() const noexcept { return *manifest_; }
  /// What was there goes. Where another output of the same run has made the target since, `inside` goes into it.
  void rename_to_target(const std::string& inside);
  void withdraw() noexcept;  // after it: the target is not there, nor what it replaced

 private:
  void take_or_remove_left(const std::string& parent, const Manifest::Head& head, bool is_resumed);
  void make(const std::string& parent, const Manifest::Head& head);

  std::string target_, path_;
  Overwrite overwrite_;
  bool stays_, was_there_ = false;
  Descriptor lock_;
  std::unique_ptr<Manifest> manifest_;
  std::vector<int> slots_;  // in the table that the signal handler reads
};

/// Begins a file, which is empty, and makes the directories that it lies in.
Descriptor created(const std::string& path);
/// Writes a whole one.
void write_file(const std::string& path, std::span<const std::byte> bytes);
void make_folders(const std::string& path);

}  // namespace crinkle::tool::zarr
