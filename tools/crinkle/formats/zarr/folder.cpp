// SPDX-License-Identifier: BSD-3-Clause
#include "formats/zarr/folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "crinkle/error.hpp"
#include "formats/interrupt.hpp"
#include "formats/sink.hpp"

namespace crinkle::tool::zarr {
namespace {

namespace fs = std::filesystem;

const std::string begin_of_name = ".crinkle-", end_of_name = ".tmp", lock_name = "/.being-made", list_name = "/.finished";

std::string parent_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

bool is_store(const std::string& path) {
  std::error_code error;
  for (const char* const name : {"/zarr.json", "/.zarray", "/.zgroup"})
    if (fs::exists(path + name, error)) return true;
  return false;
}

// The directory that a store lies in, if a rename from there into the target's is one step.
std::string place_beside(const std::string& store, const std::string& target) {
  const std::string beside = parent_of(store), inside = parent_of(target);
  struct stat a = {}, b = {};
  const bool is_one_disk = ::stat(beside.c_str(), &a) == 0 && ::stat(inside.c_str(), &b) == 0 && a.st_dev == b.st_dev;
  return is_one_disk && ::faccessat(AT_FDCWD, beside.c_str(), W_OK | X_OK, AT_EACCESS) == 0 ? beside : inside;
}

void remove_but_the_lock(const std::string& path) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error))
    if ("/" + entry.path().filename().string() != lock_name) fs::remove_all(entry.path(), error);
}

// Of this process: several outputs may go into one store.
std::set<std::string>& made_here() {
  static std::set<std::string> paths;
  return paths;
}

void tell_of(const std::string& text) { std::fprintf(stderr, "crinkle: note: %s\n", text.c_str()); }

/// Locks a directory for a moment, so that of two runs that begin at once each sees the other one's. Not every file system can.
class Held {
 public:
  explicit Held(const std::string& folder) : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    is_held_ = folder_.get() >= 0 && ::flock(folder_.get(), LOCK_EX) == 0;
  }
  bool is_held() const noexcept { return is_held_; }

 private:
  Descriptor folder_;
  bool is_held_ = false;
};

/// What runs left that were killed while they made their directory: nobody does so now.
void remove_begun(const std::string& parent) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(begin_of_name) && name.size() == begin_of_name.size() + 6 && entry.is_directory(error) && !entry.is_symlink(error))
      fs::remove_all(entry.path(), error);
  }
}

}  // namespace

void check_folder_name(const std::string& target, Overwrite overwrite) {
  struct stat entry = {};
  const std::string parent = parent_of(target);
  if (::lstat(target.c_str(), &entry) == 0) {
    if (!S_ISDIR(entry.st_mode) || !is_store(target)) throw_bad_file(target, "is there and is no Zarr store, which is not replaced");
    if (overwrite == Overwrite::refuse) throw OutputExists(target);
  } else if (errno != ENOENT) {
    throw_system(target, "creating a directory in " + parent, errno);
  }
  if (::stat(parent.c_str(), &entry) != 0 || ::faccessat(AT_FDCWD, parent.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    throw_system(target, "creating a directory in " + parent, errno);
}

void check_foreign(const std::string& array) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(array, error)) {
    const std::string name = entry.path().filename().string();
    const bool is_known =
        name == "zarr.json" || name == ".zarray" || name == ".zattrs" || name == ".zgroup" || name == ".zmetadata" || name == "c";
    const bool is_chunk = name.starts_with("c.") || name.find_first_not_of("0123456789.") == std::string::npos;
    if (!is_known && !is_chunk && !name.starts_with(begin_of_name))
      throw Error(ErrorCode::exists, array + ": --force would remove " + name + ", too, which is no part of the array; move it away first");
  }
}

TemporaryFolder::TemporaryFolder(std::string target, const std::string& store, Overwrite overwrite, const DatasetWish& wish)
    : target_(std::move(target)), overwrite_(overwrite), stays_(wish.is_resumed) {
  check_folder_name(target_, overwrite);
  struct stat entry = {};
  was_there_ = ::lstat(target_.c_str(), &entry) == 0;
  const std::string parent = place_beside(store, target_);
  const Manifest::Head head{Manifest::target_of(target_), wish.request};
  const Held held(parent);
  if (held.is_held()) remove_begun(parent);
  take_or_remove_left(parent, head, wish.is_resumed);
  if (path_.empty()) make(parent, head);
  made_here().insert(path_);
}

// Whoever makes a directory holds a lock on a file in it.
void TemporaryFolder::take_or_remove_left(const std::string& parent, const Manifest::Head& head, bool is_resumed) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename().string(), path = entry.path().string();
    if (!name.starts_with(begin_of_name) || !name.ends_with(end_of_name) || !entry.is_directory(error) || entry.is_symlink(error)) continue;
    if (::rmdir(path.c_str()) == 0) continue;
    const std::optional<Manifest::Head> its = Manifest::head_of(path + list_name);
    Descriptor lock(::open((path + lock_name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    const bool is_ours = its && its->target == head.target;
    if (lock.get() < 0) continue;
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
      if (is_ours && !made_here().contains(path)) throw Error(ErrorCode::exists, target_ + ": another run makes it now, in " + path);
      continue;
    }
    if (its && !is_ours) {
      tell_of(path + " is of " + its->target + ", and its run was stopped: that command with --resume goes on with it");
      continue;
    }
    if (its && is_resumed) {
      Manifest::check_same(target_, path, *its, head);
      path_ = path;
      lock_ = std::move(lock);
      manifest_ = std::make_unique<Manifest>(path_ + list_name, head);
      return;
    }
    remove_but_the_lock(path);  // a run that is killed while it does this leaves what the next one takes away
    fs::remove_all(path, error);
    tell_of("removed " + path + ", which a run left that was killed");
  }
}

void TemporaryFolder::make(const std::string& parent, const Manifest::Head& head) {
  const SignalsHeld held;
  path_ = parent + "/" + begin_of_name + "XXXXXX" + end_of_name;
  // mkdtemp() wants the X at the end: the name is made without its ending, then changed.
  std::string plain = path_.substr(0, path_.size() - end_of_name.size());
  path_.clear();
  if (::mkdtemp(plain.data()) == nullptr) throw_system(target_, "creating a directory in " + parent, errno);
  try {
    lock_ = Descriptor(::open((plain + lock_name).c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (lock_.get() >= 0) ::flock(lock_.get(), LOCK_EX | LOCK_NB);
    manifest_ = std::make_unique<Manifest>(plain + list_name, head);
    if (::rename(plain.c_str(), (plain + end_of_name).c_str()) != 0) throw_system(target_, "creating a directory in " + parent, errno);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(plain, ignored);
    throw;
  }
  path_ = plain + end_of_name;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::chmod(path_.c_str(), 0777U & ~mask);
  // Before chunks are written, a signal has only these to remove.
  for (const std::string& made : {path_ + "/zarr.json", path_ + list_name, path_ + lock_name, path_})
    slots_.push_back(remove_on_signal(made));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  for (const int slot : slots_) keep_on_signal(slot);
  if (path_.empty()) return;
  if (stays_ && !manifest_->is_empty()) {
    tell_of("what is finished stays in " + path_ + ": the same command goes on with it");
    return;
  }
  remove_but_the_lock(path_);
  fs::remove_all(path_, error);
}

void TemporaryFolder::rename_to_target(const std::string& inside) {
  const SignalsHeld held;
  ::unlink((path_ + lock_name).c_str());
  ::unlink((path_ + list_name).c_str());
  struct stat entry = {};
  const bool is_there = ::lstat(target_.c_str(), &entry) == 0;
  if (is_there && !was_there_ && !inside.empty()) {
    const std::string whole = std::exchange(path_, path_ + "/" + inside);
    target_ += "/" + inside;
    if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE) != 0) {
      const int error = errno;
      path_ = whole;
      if (error == EEXIST) throw OutputExists(target_);
      throw_system(target_, "renaming " + path_, error);
    }
    std::error_code ignored;
    fs::remove_all(whole, ignored);
    path_.clear();
    return;
  }
  if (is_there && overwrite_ == Overwrite::refuse) throw OutputExists(target_);
  const unsigned flags = is_there ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  int status = ::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), flags);
  if (status != 0 && errno == EINVAL && !is_there) status = ::rename(path_.c_str(), target_.c_str());  // refuses a directory with files
  if (status != 0 && errno == EEXIST) throw OutputExists(target_);
  if (status != 0) throw_system(target_, "renaming " + path_, errno);
  std::error_code error;
  if (is_there) {  // what was replaced lies there now
    const Descriptor lock(::open((path_ + lock_name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    remove_but_the_lock(path_);
    fs::remove_all(path_, error);
  }
  path_.clear();
}

void TemporaryFolder::withdraw() noexcept {
  std::error_code error;
  if (path_.empty()) fs::remove_all(target_, error);
}

void make_folders(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw_system(path, "creating the directory", error.value());
}

Descriptor created(const std::string& path) {
  int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0 && errno == ENOENT) {
    make_folders(parent_of(path));
    descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  }
  if (descriptor < 0) throw_system(path, "creating", errno);
  return Descriptor(descriptor);
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  const Descriptor file = created(path);
  write_fully(file.get(), bytes, path);
}

}  // namespace crinkle::tool::zarr
