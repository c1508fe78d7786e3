// What the names of an input and an output promise.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace crinkle::tool {

bool is_named_as_a_format(const std::string& path);

/// Refuses names that promise what would not be in the file: raw data as a .jpg, or a .npy file read as raw, its header with it. Throws
/// bad_file, unsupported and bad_notation.
enum class InputIs { as_named, raw, raw_behind_a_header };
void check_names(const std::string& input, InputIs is, const std::string& output);

}  // namespace crinkle::tool
