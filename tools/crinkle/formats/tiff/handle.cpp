// SPDX-License-Identifier: BSD-3-Clause
#include "formats/tiff/handle.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <utility>

namespace crinkle::tool::tiff {

File::File(const std::string& path) : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  struct stat entry = {};
  if (descriptor_.get() < 0 || ::fstat(descriptor_.get(), &entry) != 0) throw_system(path, "opening", errno);
  size_ = static_cast<std::uint64_t>(entry.st_size);
}

std::size_t File::read(std::uint64_t place, std::span<std::byte> into) const {
  std::size_t done = 0;
  while (done < into.size() && place + done < size_) {
    const ssize_t got = ::pread(descriptor_.get(), into.data() + done, into.size() - done, static_cast<off_t>(place + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_system(path_, "reading", errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

void File::read_all(std::uint64_t place, std::span<std::byte> into, const std::string& what) const {
  if (place > size_ || read(place, into) < into.size())
    throw_bad_file(path_,
                   what + " begins at byte " + std::to_string(place) + " and ends behind the file, of " + std::to_string(size_) + " bytes");
}

Handle::Handle(std::shared_ptr<const File> file) : file_(std::move(file)), path_(file_->path()) { open("rmCO"); }

Handle::Handle(std::vector<std::byte>& memory, const std::string& path) : memory_(&memory), path_(path) { open("wm"); }

Handle::~Handle() {
  if (tiff_ != nullptr) TIFFClose(tiff_);
}

void Handle::open(const char* mode) {
  constexpr tmsize_t most_at_once = tmsize_t{1} << 31;  // for a piece as it is stored, or a table of places
  TIFFOpenOptions* const options = TIFFOpenOptionsAlloc();
  TIFFOpenOptionsSetErrorHandlerExtR(options, keep, this);
  TIFFOpenOptionsSetWarningHandlerExtR(options, ignore, this);
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, most_at_once);
  const auto close = [](thandle_t) { return 0; };
  tiff_ = TIFFClientOpenExt(path_.c_str(), mode, this, read, write, seek, close, size, nullptr, nullptr, options);
  TIFFOpenOptionsFree(options);
  if (tiff_ == nullptr) refuse("is no TIFF");
}

void Handle::go_to(std::uint64_t place) {
  if (!is_lost_ && TIFFCurrentDirOffset(tiff_) == place) return;
  is_lost_ = true;
  if (TIFFSetSubDirectory(tiff_, place) == 0) refuse("the directory of a page, at byte " + std::to_string(place) + ", is torn");
  is_lost_ = false;
}

void Handle::refuse(const std::string& otherwise) {
  const std::string said = std::exchange(said_, {});
  throw_bad_file(path_, said.empty() ? otherwise : "libtiff: " + said);
}

tmsize_t Handle::read(thandle_t self, void* into, tmsize_t n) {
  Handle& handle = *static_cast<Handle*>(self);
  if (n < 0 || !handle.file_) return -1;
  try {
    const std::size_t got = handle.file_->read(handle.at_, {static_cast<std::byte*>(into), static_cast<std::size_t>(n)});
    handle.at_ += got;
    return static_cast<tmsize_t>(got);
  } catch (const Error& e) {
    handle.said_ = e.what();
    return -1;
  }
}

tmsize_t Handle::write(thandle_t self, void* from, tmsize_t n) {
  Handle& handle = *static_cast<Handle*>(self);
  if (handle.memory_ == nullptr || n < 0) return -1;
  std::vector<std::byte>& memory = *handle.memory_;
  const auto end = static_cast<std::size_t>(handle.at_) + static_cast<std::size_t>(n);
  if (memory.size() < end) memory.resize(end);
  std::memcpy(memory.data() + handle.at_, from, static_cast<std::size_t>(n));
  handle.at_ = end;
  return n;
}

toff_t Handle::seek(thandle_t self, toff_t offset, int whence) {
  Handle& handle = *static_cast<Handle*>(self);
  const toff_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? handle.at_ : size(self);
  return handle.at_ = from + offset;
}

toff_t Handle::size(thandle_t self) {
  const Handle& handle = *static_cast<Handle*>(self);
  return handle.file_ ? handle.file_->size() : handle.memory_->size();
}

int Handle::keep(TIFF*, void* self, const char*, const char* format, va_list words) {
  Handle& handle = *static_cast<Handle*>(self);
  if (!handle.said_.empty()) return 1;  // the first is the cause, those behind it what came of it
  char text[400] = {};
  std::vsnprintf(text, sizeof text, format, words);
  handle.said_ = printable(text, sizeof text);
  while (handle.said_.ends_with('.')) handle.said_.pop_back();
  return 1;
}

std::unique_ptr<Handle> Handles::taken() const {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<Handle> handle = std::move(idle_.back());
      idle_.pop_back();
      return handle;
    }
  }
  return std::make_unique<Handle>(file_);
}

void Handles::put_back(std::unique_ptr<Handle> handle) const {
  handle->forget();
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(handle));
}

}  // namespace crinkle::tool::tiff
