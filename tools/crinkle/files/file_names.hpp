// Checks what the names of an input and an output promise.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace crinkle::tool {

bool is_named_as_a_format(const std::string& path);
/// Whether the name asks for the elements alone: .raw, .bin, .dat, or - for standard output.
bool is_named_raw(const std::string& path);

/// GeoTIFF: .tif or .tiff.
bool is_named_tiff(const std::string& path);

/// Refuses an output whose name is neither a format's nor raw's: an unknown ending promises a file that would not be written. Throws
/// unsupported.
void check_output_ending(const std::string& output);

/// Refuses a field's name that would lead out of the folder, or to another one, where it becomes part of a file's name: one that holds /,
/// and . and .. Throws unsupported.
void check_field_in_path(const std::string& field);

/// Refuses names that promise what would not be in the file: an output as check_output_ending() does, or a .npy file read as raw, its
/// header with it. Throws bad_file, unsupported and bad_notation.
enum class InputIs { as_named, raw, raw_behind_a_header };
void check_names(const std::string& input, InputIs is, const std::string& output);

}  // namespace crinkle::tool
