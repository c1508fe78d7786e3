// Files of a cache: written as a whole or not at all, in the folder where a program's caches lie. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace crinkle {

/// $XDG_CACHE_HOME/crinkle or ~/.cache/crinkle, whether or not it is there; a relative path there is none, as the XDG Base Directory
/// Specification has it. "" where there is no home either.
std::filesystem::path cache_folder();

/// Replaces a file by renaming one that is written beside it, `path` and six letters more. Returns why that failed, "" where it did not.
std::string write_whole(const std::string& path, std::string_view content);

}  // namespace crinkle
