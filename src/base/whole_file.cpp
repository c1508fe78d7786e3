// SPDX-License-Identifier: BSD-3-Clause
#include "base/whole_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace crinkle {

std::filesystem::path cache_folder() {
  const auto folder_in = [](const char* variable) {
    const char* value = std::getenv(variable);
    const std::filesystem::path path = value == nullptr ? "" : value;
    return path.is_absolute() ? path : std::filesystem::path();
  };
  std::filesystem::path folder = folder_in("XDG_CACHE_HOME");
  if (folder.empty()) folder = folder_in("HOME").empty() ? std::filesystem::path() : folder_in("HOME") / ".cache";
  return folder.empty() ? folder : folder / "crinkle";
}

std::string write_whole(const std::string& path, std::string_view content) {
  const auto why_not = [] { return std::string(std::strerror(errno)); };
  std::string temporary = path + ".XXXXXX";
  const int file = ::mkstemp(temporary.data());
  if (file < 0) return why_not();
  std::string why;
  for (std::size_t at = 0; at < content.size() && why.empty();) {
    const ssize_t n = ::write(file, content.data() + at, content.size() - at);
    if (n > 0) at += static_cast<std::size_t>(n);
    else if (n == 0 || errno != EINTR) why = n == 0 ? "no bytes were written" : why_not();
  }
  if (::close(file) != 0 && why.empty()) why = why_not();
  if (why.empty() && std::rename(temporary.c_str(), path.c_str()) != 0) why = why_not();
  if (!why.empty()) std::remove(temporary.c_str());
  return why;
}

}  // namespace crinkle
