// Making, reserving, renaming and removing the temporary file; see temporary.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/temporary.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>

#include "formats/dataset.hpp"
#include "formats/interrupt.hpp"
#include "formats/sink.hpp"

namespace crinkle::tool {
namespace {

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string creating_in(const std::string& directory) { return "creating a file in " + directory; }

/// Follows a symbolic link, so that it stays a link; other paths stay as they are.
std::string followed(const std::string& path) {
  struct stat entry = {};
  if (::lstat(path.c_str(), &entry) != 0 || !S_ISLNK(entry.st_mode)) return path;
  const std::unique_ptr<char, void (*)(void*)> target(::realpath(path.c_str(), nullptr), std::free);
  if (!target) throw_system(path, "following the link", errno);
  return target.get();
}

unsigned default_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

const std::string temporary_begin = ".crinkle-", temporary_end = ".tmp", beside_end = ".aux.xml";

/// Whether this is the file beside a temporary that is no longer there.
bool is_left_beside(const std::string& directory, const std::string& name) {
  if (!name.starts_with(temporary_begin) || !name.ends_with(temporary_end + beside_end)) return false;
  struct stat facts = {};
  return ::lstat((directory + "/" + name.substr(0, name.size() - beside_end.size())).c_str(), &facts) != 0;
}

/// Removes the temporaries in a directory that runs left which were killed, and says so; once a directory.
void remove_left(const std::string& directory) {
  static std::set<std::string> known;
  if (!known.insert(directory).second) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(directory.c_str()), ::closedir);
  if (!entries) return;
  while (const dirent* const entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (is_left_beside(directory, name)) ::unlink((directory + "/" + name).c_str());
    if (name.size() != temporary_begin.size() + 6 + temporary_end.size() || !name.starts_with(temporary_begin) ||
        !name.ends_with(temporary_end))
      continue;
    const std::string path = directory + "/" + name;
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat facts = {};
    if (file.get() < 0 || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode) || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
      continue;
    if (::unlink(path.c_str()) != 0) continue;
    ::unlink((path + beside_end).c_str());
    std::fprintf(stderr, "crinkle: note: removed %s, %lld bytes that a run left which was killed\n", path.c_str(),
                 static_cast<long long>(facts.st_size));
  }
}

/// Going past the file size limit is an error to report, not a reason to die.
void report_size_limit_as_error() {
  struct sigaction present = {};
  ::sigaction(SIGXFSZ, nullptr, &present);
  if (present.sa_handler == SIG_DFL) std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace

FileIdentity identity_of(const std::string& path) {
  struct stat entry = {};
  return ::stat(path.c_str(), &entry) == 0 ? FileIdentity{entry.st_dev, entry.st_ino} : FileIdentity{};
}

/// The side files of the name as given and of the file it leads to, since readers look beside both.
static std::set<std::string> side_files_of_both(const std::string& output, const std::string& target, Replaced replaced) {
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

Temporary::Temporary(const std::string& output, std::int64_t bytes, Overwrite overwrite, const FileIdentity& input, Replaced replaced_part)
    : output_(output), overwrite_(overwrite), replaced_part_(replaced_part) {
  check_file_name(output, overwrite, input, replaced_part);
  target_ = followed(output);
  struct stat replaced = {};
  is_replacing_ = ::stat(target_.c_str(), &replaced) == 0;
  mode_ = is_replacing_ ? replaced.st_mode & 0777U : default_mode();
  create();
  try {
    reserve(bytes);
  } catch (...) {
    ::unlink(path_.c_str());
    keep_on_signal(slot_);
    throw;
  }
}

// Whoever writes a temporary holds a lock on it, so one that nobody holds was left by a run that was killed. A file that is removed between
// its making and its locking is made anew.
void Temporary::create() {
  const std::string directory = directory_of(target_);
  remove_left(directory);
  for (;;) {
    path_ = directory + "/" + temporary_begin + "XXXXXX" + temporary_end;
    const SignalsHeld held;
    file_ = Descriptor(::mkostemps(path_.data(), static_cast<int>(temporary_end.size()), O_CLOEXEC));
    if (file_.get() < 0) throw_system(output_, creating_in(directory), errno);
    struct stat here = {}, named = {};
    const bool is_locked = ::flock(file_.get(), LOCK_EX) == 0;  // waits for one who looks at it; not on every file system
    if (is_locked && ::fstat(file_.get(), &here) == 0 && (::stat(path_.c_str(), &named) != 0 || here.st_ino != named.st_ino)) continue;
    slot_ = remove_on_signal(path_);
    return;
  }
}

void Temporary::reserve(std::int64_t bytes) {
  ::fchmod(file_.get(), mode_);
  if (bytes == 0) return;
  report_size_limit_as_error();
  int error = EINTR;
  while (error == EINTR) error = ::posix_fallocate(file_.get(), 0, bytes);
  if (error != 0) throw_system(output_, "reserving " + std::to_string(bytes) + " bytes", error);
}

Temporary::~Temporary() {
  if (!path_.empty()) ::unlink(path_.c_str());
  if (!beside_.empty()) ::unlink(beside_.c_str());
  keep_on_signal(slot_);
  keep_on_signal(beside_slot_);
}

void Temporary::expect_beside(const std::string& ending) {
  beside_ = path_ + ending;
  beside_ending_ = ending;
  beside_slot_ = remove_on_signal(beside_);
}

void Temporary::rename_to_output() {
  const SignalsHeld held;
  put_under_name();
  settle();
}

void Temporary::put_under_name() {
  const unsigned flags = overwrite_ == Overwrite::refuse ? RENAME_NOREPLACE : 0U;
  int status = ::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), flags);
  if (status != 0 && (errno == EINVAL || errno == ENOSYS) && flags != 0) {  // a file system without the flag: a link never replaces
    status = ::link(path_.c_str(), target_.c_str());
    if (status == 0) return;  // the destructor removes the other name
  }
  if (status != 0 && errno == EEXIST) throw OutputExists(output_);
  if (status != 0) throw_system(output_, "renaming " + path_, errno);
  path_.clear();
}

void Temporary::exchange_with_output() {
  struct stat there = {};
  const bool is_replaced = overwrite_ == Overwrite::force && ::lstat(target_.c_str(), &there) == 0 && S_ISREG(there.st_mode);
  if (is_replaced) {  // it will lie under the temporary's name
    replaced_ = Descriptor(::open(target_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (replaced_.get() >= 0) ::flock(replaced_.get(), LOCK_EX | LOCK_NB);
  }
  is_exchanged_ = is_replaced && ::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0;
  if (!is_exchanged_) put_under_name();  // also on a file system that exchanges nothing
}

void Temporary::withdraw() noexcept {
  if (is_exchanged_) ::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE);
  else ::unlink(target_.c_str());
}

std::string Temporary::settle() noexcept try {
  const std::string beside = target_ + beside_ending_;
  const bool is_beside = !beside_.empty() && ::rename(beside_.c_str(), beside.c_str()) == 0;
  if (is_beside) ::chmod(beside.c_str(), mode_);
  for (const std::string& side : side_files_of_both(output_, target_, replaced_part_)) {
    if (overwrite_ != Overwrite::force || (is_beside && side == beside) || ::unlink(side.c_str()) == 0) continue;
    std::fprintf(stderr, "crinkle: note: %s could not be removed (%s), and readers take it for a part of %s\n", side.c_str(),
                 std::strerror(errno), output_.c_str());
  }
  for (const std::string& side : shared_side_files_of(output_))
    std::fprintf(stderr, "crinkle: note: %s stays, as several files have this name; readers may take it for a part of %s\n", side.c_str(),
                 output_.c_str());
  if (is_replacing_ && replaced_part_ == Replaced::all)
    for (const std::string& header : headers_beside(output_))
      std::fprintf(stderr, "crinkle: note: %s stays, from which readers take what is in %s: it may say something else now\n",
                   header.c_str(), output_.c_str());
  return is_beside ? beside : "";
} catch (...) { return ""; }

}  // namespace crinkle::tool
