// Descriptors and mappings that close themselves, and the words for what the system refused.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "crinkle/error.hpp"

namespace crinkle::tool {

/// bad_file with "path: text".
[[noreturn]] void throw_bad_file(std::string_view path, std::string_view text);

/// bad_file (out_of_memory for ENOMEM) with "path: doing: what the system says".
[[noreturn]] void throw_system(std::string_view path, std::string_view doing, int error);

/// The text on one line, cut at `most` bytes; bytes that are no UTF-8, or controls, as \xNN.
std::string printable(std::string_view text, std::size_t most = 60);

class Descriptor {
 public:
  Descriptor() noexcept = default;
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  int get() const noexcept { return number_; }

 private:
  int number_ = -1;
};

/// Bytes of the address space: a file's, or anonymous zeros that cost nothing until they are touched.
class Mapping {
 public:
  enum class Access { read, write };

  Mapping() noexcept = default;
  static Mapping of_file(int descriptor, std::int64_t bytes, Access access, const std::string& path);
  static Mapping anonymous(std::int64_t bytes, const std::string& path);  // throws out_of_memory naming the path and the bytes
  Mapping(Mapping&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Mapping();

  /// Makes anonymous memory longer or shorter; what is in it stays, without a copy. Throws as anonymous() does.
  void resize(std::int64_t bytes, const std::string& path);

  std::span<const std::byte> bytes() const noexcept { return bytes_; }
  std::span<std::byte> writable() noexcept { return bytes_; }  // requires Access::write or anonymous memory

 private:
  explicit Mapping(std::span<std::byte> bytes) noexcept : bytes_(bytes) {}

  std::span<std::byte> bytes_;
};

/// Reads until `into` is full or the input ends; returns the bytes read.
std::size_t read_fully(int descriptor, std::span<std::byte> into, const std::string& path);

/// Writes all bytes or throws what the system says.
void write_fully(int descriptor, std::span<const std::byte> bytes, const std::string& path);

}  // namespace crinkle::tool
