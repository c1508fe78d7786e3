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
#include <string_view>
#include <utility>

#include "formats/dataset.hpp"
#include "formats/interrupt.hpp"
#include "formats/sink.hpp"

namespace crinkle::tool {
namespace {

unsigned default_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

const std::string temporary_begin = ".crinkle-", temporary_end = ".tmp", list_end = ".finished";
const std::size_t name_length = temporary_begin.size() + 6 + temporary_end.size();

/// Whether this is a file beside a temporary that is no longer there.
bool is_left_beside(const std::string& directory, const std::string& name) {
  if (name.size() <= name_length || !name.starts_with(temporary_begin) ||
      name.compare(name_length - temporary_end.size(), temporary_end.size() + 1, temporary_end + ".") != 0)
    return false;
  struct stat facts = {};
  return ::lstat((directory + "/" + name.substr(0, name_length)).c_str(), &facts) != 0;
}

bool is_temporary(const std::string& name) {
  return name.size() == name_length && name.starts_with(temporary_begin) && name.ends_with(temporary_end);
}

/// All files beside a temporary.
std::vector<std::string> files_beside(const std::string& directory, const std::string& name) {
  std::vector<std::string> all;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(directory.c_str()), ::closedir);
  while (const dirent* const entry = entries ? ::readdir(entries.get()) : nullptr)
    if (std::string_view(entry->d_name).starts_with(name + ".")) all.push_back(directory + "/" + entry->d_name);
  return all;
}

/// Of this process: several of them may be of one output.
std::set<std::string>& made_here() {
  static std::set<std::string> paths;
  return paths;
}

void tell_once(const std::string& text) {
  static std::set<std::string> told;
  if (told.insert(text).second) std::fprintf(stderr, "crinkle: note: %s\n", text.c_str());
}

/// Going past the file size limit is an error to report, not a reason to die.
void report_size_limit_as_error() {
  struct sigaction present = {};
  ::sigaction(SIGXFSZ, nullptr, &present);
  if (present.sa_handler == SIG_DFL) std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace

Temporary::Temporary(const std::string& output, std::int64_t bytes, Overwrite overwrite, const FileIdentity& input, Replaced replaced_part,
                     GoingOn going_on)
    : output_(output), overwrite_(overwrite), going_on_(std::move(going_on)), n_bytes_(bytes), replaced_part_(replaced_part) {
  check_file_name(output, overwrite, input, replaced_part);
  target_ = followed(output);
  struct stat replaced = {};
  is_replacing_ = ::stat(target_.c_str(), &replaced) == 0;
  mode_ = is_replacing_ ? replaced.st_mode & 0777U : default_mode();
  create();
  try {
    reserve(bytes);
  } catch (...) {
    if (!is_left_) ::unlink(path_.c_str());
    for (const int slot : slots_) keep_on_signal(slot);
    throw;
  }
}

/// Removes the temporaries in a directory that runs left which were killed, and says so, once a directory; what can be gone on with stays,
/// but for this output.
void Temporary::look_at_left(const std::string& directory) {
  static std::set<std::string> known;
  if (!known.insert(directory).second && going_on_.request.empty()) return;
  const std::string target = Manifest::target_of(target_);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(directory.c_str()), ::closedir);
  while (const dirent* const entry = entries ? ::readdir(entries.get()) : nullptr) {
    const std::string name = entry->d_name, path = directory + "/" + name;
    if (is_left_beside(directory, name)) ::unlink(path.c_str());
    if (!is_temporary(name)) continue;
    Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (file.get() < 0) file = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat facts = {};
    if (file.get() < 0 || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
    const std::optional<Manifest::Head> its = Manifest::head_of(path + list_end);
    const bool is_ours = its && its->target == target;
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
      if (is_ours && !made_here().contains(path)) throw Error(ErrorCode::exists, output_ + ": another run makes it now, in " + path);
      continue;
    }
    if (its && !is_ours) {
      tell_once(path + " is of " + its->target + ", and its run was stopped: that command with --resume goes on with it");
      continue;
    }
    if (its && going_on_.is_asked && take_left(path, std::move(file), *its)) return;
    if (::unlink(path.c_str()) != 0) continue;
    for (const std::string& other : files_beside(directory, name)) ::unlink(other.c_str());
    std::fprintf(stderr, "crinkle: note: removed %s, %lld bytes that a run left which was killed\n", path.c_str(),
                 static_cast<long long>(facts.st_size));
  }
}

bool Temporary::take_left(const std::string& path, Descriptor file, const Manifest::Head& its) {
  if (going_on_.request.empty() || (::fcntl(file.get(), F_GETFL) & O_ACCMODE) != O_RDWR) return false;
  Manifest::check_same(output_, path, its, {its.target, going_on_.request});
  path_ = path;
  file_ = std::move(file);
  return is_left_ = true;
}

// Whoever writes a temporary holds a lock on it, so one that nobody holds was left by a run that was killed. A file that is removed between
// its making and its locking is made anew.
void Temporary::create() {
  const std::string directory = directory_of(target_);
  look_at_left(directory);
  while (!is_left_) {
    path_ = directory + "/" + temporary_begin + "XXXXXX" + temporary_end;
    const SignalsHeld held;
    file_ = Descriptor(::mkostemps(path_.data(), static_cast<int>(temporary_end.size()), O_CLOEXEC));
    if (file_.get() < 0) throw_system(output_, creating_in(directory), errno);
    struct stat here = {}, named = {};
    const bool is_locked = ::flock(file_.get(), LOCK_EX) == 0;  // waits for one who looks at it; not on every file system
    if (is_locked && ::fstat(file_.get(), &here) == 0 && (::stat(path_.c_str(), &named) != 0 || here.st_ino != named.st_ino)) continue;
    if (!going_on_.is_asked) slots_.push_back(remove_on_signal(path_));
    break;
  }
  made_here().insert(path_);
}

Descriptor Temporary::companion(const std::string& ending) {
  const SignalsHeld held;
  companions_.push_back(path_ + ending);
  Descriptor file(::open(companions_.back().c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (is_left_ ? 0 : O_TRUNC), 0600));
  if (file.get() < 0) throw_system(output_, creating_in(directory_of(target_)), errno);
  if (!going_on_.is_asked) slots_.push_back(remove_on_signal(companions_.back()));
  return file;
}

bool Temporary::goes_on(const Extents& extents, const Extents& unit) {
  if (!is_left_) return false;
  manifest_.emplace(path_ + list_end, Manifest::Head{Manifest::target_of(target_), going_on_.request});
  manifest_->begin(extents, unit);
  if (!manifest_->is_empty()) return companions_.push_back(path_ + list_end), true;
  manifest_.reset();
  ::unlink((path_ + list_end).c_str());
  is_left_ = false;
  clear();
  return false;
}

void Temporary::begin_parts(const Extents& extents, const Extents& unit) {
  if (going_on_.request.empty() || manifest_) return;
  const SignalsHeld held;
  companions_.push_back(path_ + list_end);
  if (!going_on_.is_asked) slots_.push_back(remove_on_signal(companions_.back()));
  manifest_.emplace(path_ + list_end, Manifest::Head{Manifest::target_of(target_), going_on_.request});
  manifest_->begin(extents, unit);
}

void Temporary::clear() {
  if (::ftruncate(file_.get(), 0) != 0) throw_system(output_, "emptying what was left", errno);
  reserve(n_bytes_);
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
  for (const int slot : slots_) keep_on_signal(slot);
  if (!is_done_ && going_on_.is_asked && manifest_ && !manifest_->is_empty()) {
    tell_once("what is finished stays in " + path_ + ": the same command goes on with it");
    return;
  }
  if (!path_.empty()) ::unlink(path_.c_str());
  if (!beside_.empty()) ::unlink(beside_.c_str());
  for (const std::string& other : companions_) ::unlink(other.c_str());
}

void Temporary::expect_beside(const std::string& ending) {
  beside_ = path_ + ending;
  beside_ending_ = ending;
  slots_.push_back(remove_on_signal(beside_));
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
    is_done_ = status == 0;
    if (is_done_) return;  // the destructor removes the other name
  }
  if (status != 0 && errno == EEXIST) throw OutputExists(output_);
  if (status != 0) throw_system(output_, "renaming " + path_, errno);
  path_.clear();
  is_done_ = true;
}

void Temporary::exchange_with_output() {
  struct stat there = {};
  const bool is_replaced = overwrite_ == Overwrite::force && ::lstat(target_.c_str(), &there) == 0 && S_ISREG(there.st_mode);
  if (is_replaced) {  // it will lie under the temporary's name
    replaced_ = Descriptor(::open(target_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (replaced_.get() >= 0) ::flock(replaced_.get(), LOCK_EX | LOCK_NB);
  }
  is_exchanged_ = is_replaced && ::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0;
  is_done_ = is_exchanged_;
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
