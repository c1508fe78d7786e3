// SPDX-License-Identifier: BSD-3-Clause
#include "formats/output_name.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>

#include "formats/dataset.hpp"
#include "formats/sink.hpp"

namespace crinkle::tool {

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string creating_in(const std::string& directory) { return "creating a file in " + directory; }

std::string followed(const std::string& path) {
  struct stat entry = {};
  if (::lstat(path.c_str(), &entry) != 0 || !S_ISLNK(entry.st_mode)) return path;
  const std::unique_ptr<char, void (*)(void*)> target(::realpath(path.c_str(), nullptr), std::free);
  if (!target) throw_system(path, "following the link", errno);
  return target.get();
}

Descriptor nameless_file(const std::string& folder) {
  Descriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file.get() >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return file;
  std::string path = folder + "/.crinkle-XXXXXX.tmp";
  file = Descriptor(::mkostemps(path.data(), 4, O_CLOEXEC));
  if (file.get() >= 0) ::unlink(path.c_str());
  return file;
}

FileIdentity identity_of(const std::string& path) {
  struct stat entry = {};
  return ::stat(path.c_str(), &entry) == 0 ? FileIdentity{entry.st_dev, entry.st_ino} : FileIdentity{};
}

std::set<std::string> side_files_of_both(const std::string& output, const std::string& target, Replaced replaced) {
  std::set<std::string> all;
  for (const std::string& name : {output, target})
    for (const std::string& side : side_files_of(name, replaced)) all.insert(side);
  return all;
}

static void refuse_input(const std::string& name, const struct stat& entry, const FileIdentity& input) {
  if (input.inode != 0 && input == FileIdentity{entry.st_dev, entry.st_ino})
    throw Error(ErrorCode::exists, name + ": is the input itself; write to another name");
}

void check_output_name(const std::string& output, Overwrite overwrite, const FileIdentity& input, Replaced replaced) {
  struct stat entry = {};
  if (output == "-") {
    if (::fstat(STDOUT_FILENO, &entry) == 0) refuse_input("standard output", entry, input);
    return;
  }
  if (names_dataset(output) && !names_one_file(output)) return;  // whoever makes it looks at its name
  check_file_name(output, overwrite, input, replaced);
}

void check_file_name(const std::string& output, Overwrite overwrite, const FileIdentity& input, Replaced replaced) {
  struct stat entry = {};
  if (output.empty() || output.back() == '/') throw_bad_file(output.empty() ? "output" : output, "is not the name of a file");
  const auto is_special = [&] { return !S_ISREG(entry.st_mode) && !S_ISDIR(entry.st_mode); };
  // A name like /dev/stdout may lead to a regular file, or to a pipe, which has no name that a link could be followed to.
  if (output == "/dev/stdout" || output.starts_with("/dev/fd/") || (::stat(output.c_str(), &entry) == 0 && is_special())) {
    throw Error(ErrorCode::unsupported, output + ": is not a regular file; - writes to standard output");
  }
  const std::string target = followed(output), directory = directory_of(target);
  const auto check_directory = [&] {
    if (::faccessat(AT_FDCWD, directory.c_str(), W_OK | X_OK, AT_EACCESS) != 0) throw_system(output, creating_in(directory), errno);
  };
  const auto check_sides = [&] {
    for (const std::string& side : side_files_of_both(output, target, replaced)) {
      if (input.inode != 0 && identity_of(side) == input)
        throw Error(ErrorCode::exists, side + ": is the input, and goes with what " + output + " replaces; write to another name");
      if (overwrite == Overwrite::refuse)
        throw Error(ErrorCode::exists, side + ": is there, and readers would take it for a part of " + output + "; --force replaces it");
    }
  };
  if (::stat(target.c_str(), &entry) != 0) {
    if (errno != ENOENT) throw_system(output, creating_in(directory), errno);
    check_sides();
    return check_directory();
  }
  refuse_input(output, entry, input);
  if (S_ISDIR(entry.st_mode)) throw_bad_file(output, "is a directory");
  if (overwrite == Overwrite::refuse) throw OutputExists(output);
  check_sides();
  check_directory();
}

}  // namespace crinkle::tool
