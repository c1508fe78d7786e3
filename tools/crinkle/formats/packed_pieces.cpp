// SPDX-License-Identifier: BSD-3-Clause
#include "formats/packed_pieces.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace crinkle::tool {

PackedPieces::PackedPieces(Descriptor file, std::size_t n, std::string path)
    : file_(std::move(file)), entries_(n), path_(std::move(path)), end_(n * sizeof(Entry)) {
  struct stat there = {};
  if (::fstat(file_.get(), &there) != 0) throw_system(path_, "making a file of what is packed", errno);
  if (there.st_size == 0 && ::ftruncate(file_.get(), static_cast<off_t>(end_)) != 0) throw_system(path_, "writing", errno);
  if (there.st_size == 0) return;
  read_at(file_.get(), 0, std::as_writable_bytes(std::span(entries_)), path_);
  end_ = std::max(end_, static_cast<std::uint64_t>(there.st_size));
}

void PackedPieces::put(std::size_t piece, std::span<const std::byte> bytes) {
  Entry& entry = entries_[piece];
  entry.bytes = bytes.size();
  {
    const std::lock_guard lock(mutex_);
    entry.place = end_;
    end_ += bytes.size();
  }
  write_at(file_.get(), entry.place, bytes, path_);
  write_at(file_.get(), piece * sizeof(Entry), std::as_bytes(std::span(&entry, 1)), path_);
}

std::vector<std::byte> PackedPieces::get(std::size_t piece) const {
  std::vector<std::byte> bytes(static_cast<std::size_t>(entries_[piece].bytes));
  read_at(file_.get(), entries_[piece].place, bytes, path_);
  return bytes;
}

void read_at(int descriptor, std::uint64_t place, std::span<std::byte> into, const std::string& path) {
  while (!into.empty()) {
    const ssize_t n = ::pread(descriptor, into.data(), into.size(), static_cast<off_t>(place));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw_system(path, "reading what was packed", n < 0 ? errno : EIO);
    into = into.subspan(static_cast<std::size_t>(n));
    place += static_cast<std::uint64_t>(n);
  }
}

void write_at(int descriptor, std::uint64_t place, std::span<const std::byte> bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw_system(path, "writing", n < 0 ? errno : EIO);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    place += static_cast<std::uint64_t>(n);
  }
}

}  // namespace crinkle::tool
