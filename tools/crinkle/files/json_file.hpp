// The file of all numbers that were measured: made before minutes are spent on what goes into it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "formats/file.hpp"
#include "formats/temporary.hpp"

namespace crinkle::tool {

class JsonFile {
 public:
  /// "" is no file, "-" standard output. Throws what Temporary throws.
  JsonFile(const std::string& path, Overwrite overwrite);
  void write(const std::string& text);

 private:
  std::string path_;
  std::optional<Temporary> file_;
};

}  // namespace crinkle::tool
