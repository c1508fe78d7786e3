// SPDX-License-Identifier: BSD-3-Clause
#include "files/json_file.hpp"

#include <unistd.h>

#include <span>

namespace crinkle::tool {

JsonFile::JsonFile(const std::string& path, Overwrite overwrite) : path_(path) {
  if (!path.empty() && path != "-") file_.emplace(path, 0, overwrite, FileIdentity{});
}

void JsonFile::write(const std::string& text) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  if (path_ == "-") write_fully(STDOUT_FILENO, bytes, "standard output");
  if (!file_) return;
  write_fully(file_->descriptor(), bytes, path_);
  file_->rename_to_output();
}

}  // namespace crinkle::tool
