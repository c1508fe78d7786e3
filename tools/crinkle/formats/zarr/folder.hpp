// The directory that a store, or an array in one, is while it is being made: ".crinkle-XXXXXX.tmp" beside the store, so that the last step
// is a rename.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "formats/facts.hpp"
#include "formats/file.hpp"

namespace crinkle::tool::zarr {

/// Throws `exists` where something has the name and is not to be replaced, bad_file where the directory is missing or must not be written,
/// or where what would be replaced is no store.
void check_folder_name(const std::string& target, Overwrite overwrite);

class TemporaryFolder {
 public:
  /// Made beside `store`, which the target lies in or is, so that readers of a store never see it; in the store where that must not be
  /// written. Throws as check_folder_name().
  TemporaryFolder(std::string target, const std::string& store, Overwrite overwrite);
  ~TemporaryFolder();  // without rename_to_target() it is removed with all that is in it
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const noexcept { return path_; }
  void rename_to_target();   // what was there goes
  void withdraw() noexcept;  // after it: the target is not there, nor what it replaced

 private:
  std::string target_, path_;
  Overwrite overwrite_;
  Descriptor lock_;
};

/// Writes a whole file, and makes the directories that it lies in.
void write_file(const std::string& path, std::span<const std::byte> bytes);
void make_folders(const std::string& path);

}  // namespace crinkle::tool::zarr
