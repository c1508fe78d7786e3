// libtiff's handles. One is used by one thread at a time, and stands on one picture of the file. What libtiff complains of is kept, and
// nothing of it printed.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tiffio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "formats/file.hpp"

namespace crinkle::tool::tiff {

/// A file that is there, read from any place by any thread.
class File {
 public:
  explicit File(const std::string& path);

  const std::string& path() const noexcept { return path_; }
  std::uint64_t size() const noexcept { return size_; }
  std::size_t read(std::uint64_t place, std::span<std::byte> into) const;  // less at the end of the file
  /// Throws bad_file, naming `what`, where the file ends before.
  void read_all(std::uint64_t place, std::span<std::byte> into, const std::string& what) const;

 private:
  std::string path_;
  Descriptor descriptor_;
  std::uint64_t size_ = 0;
};

class Handle {
 public:
  explicit Handle(std::shared_ptr<const File> file);                // stands on the first picture
  Handle(std::vector<std::byte>& memory, const std::string& path);  // a file that is made there; `path` for messages
  ~Handle();
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  TIFF* get() const noexcept { return tiff_; }
  /// Stands on the picture whose directory lies at `place`.
  void go_to(std::uint64_t place);
  /// bad_file with libtiff's first words since the last look, `otherwise` where it said nothing.
  [[noreturn]] void refuse(const std::string& otherwise);
  void forget() noexcept { said_.clear(); }

 private:
  void open(const char* mode);
  static tmsize_t read(thandle_t self, void* into, tmsize_t n);
  static tmsize_t write(thandle_t self, void* from, tmsize_t n);
  static toff_t seek(thandle_t self, toff_t offset, int whence);
  static toff_t size(thandle_t self);
  static int keep(TIFF*, void* self, const char* module, const char* format, va_list words);
  static int ignore(TIFF*, void*, const char*, const char*, va_list) { return 1; }

  std::shared_ptr<const File> file_;
  std::vector<std::byte>* memory_ = nullptr;
  std::string path_, said_;
  std::uint64_t at_ = 0;
  bool is_lost_ = false;  // between pictures
  TIFF* tiff_ = nullptr;
};

/// Handles of a file for as many threads as ask.
class Handles {
 public:
  explicit Handles(std::shared_ptr<const File> file) : file_(std::move(file)) {}

  /// Lends one, which comes back when `work` is done or throws.
  template <class Work>
  void with(const Work& work) const {
    std::unique_ptr<Handle> handle = taken();
    try {
      work(*handle);
    } catch (...) {
      put_back(std::move(handle));
      throw;
    }
    put_back(std::move(handle));
  }

 private:
  std::unique_ptr<Handle> taken() const;
  void put_back(std::unique_ptr<Handle> handle) const;

  std::shared_ptr<const File> file_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Handle>> idle_;
};

}  // namespace crinkle::tool::tiff
