// Names of outputs: what is refused before anything is made.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>

#include "formats/facts.hpp"
#include "formats/file.hpp"
#include "formats/side_files.hpp"

namespace crinkle::tool {

/// Throws what can be said before anything is made: the output, or a file beside it that readers would take for its own, is there and not
/// to be replaced, or is the input; the output is no regular file, or its directory is missing or must not be written.
void check_output_name(const std::string& output, Overwrite overwrite, const FileIdentity& input, Replaced replaced = Replaced::all);
/// The same of a name that is a file's, whatever it ends with.
void check_file_name(const std::string& output, Overwrite overwrite, const FileIdentity& input, Replaced replaced = Replaced::all);

/// The file of a name; none where there is none.
FileIdentity identity_of(const std::string& path);

/// A file without a name, which goes with the process; none where the folder must not be written.
Descriptor nameless_file(const std::string& folder);

std::string directory_of(const std::string& path);
std::string creating_in(const std::string& directory);
/// Follows a symbolic link, so that it stays a link; other paths stay as they are.
std::string followed(const std::string& path);
/// The side files of the name as given and of the file it leads to, since readers look beside both.
std::set<std::string> side_files_of_both(const std::string& output, const std::string& target, Replaced replaced);

}  // namespace crinkle::tool
