// Descriptors, mappings, whole reads and writes; see file.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/utf8.hpp"

namespace crinkle::tool {

void throw_bad_file(std::string_view path, std::string_view text) {
  throw Error(ErrorCode::bad_file, std::string(path) + ": " + std::string(text));
}

void throw_system(std::string_view path, std::string_view doing, int error) {
  const ErrorCode code = error == ENOMEM ? ErrorCode::out_of_memory : ErrorCode::bad_file;
  throw Error(code, std::string(path) + ": " + std::string(doing) + ": " + std::strerror(error));
}

namespace {

// Letters and signs of any language; not what moves a terminal's cursor or turns a line around.
bool is_shown(char32_t point) {
  const bool is_control = point < 0x20 || (point >= 0x7f && point < 0xa0);
  const bool turns = point == 0x61c || (point >= 0x200b && point <= 0x200f) || (point >= 0x2028 && point <= 0x202e) ||
                     (point >= 0x2060 && point <= 0x206f) || point == 0xfeff;
  return !is_control && !turns;
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    if (line.size() >= most) return line + "...";
    char32_t point = 0;
    const std::size_t n = utf8_bytes_at(text, at, point);
    if (n > 0 && is_shown(point)) line += text.substr(at, n);
    else
      for (std::size_t i = at; i < at + std::max<std::size_t>(n, 1); ++i)
        line += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    at += std::max<std::size_t>(n, 1);
  }
  return line;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

Mapping::~Mapping() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

namespace {

void* map(std::int64_t bytes, int protection, int flags, int descriptor, const std::string& path) {
  void* const address = ::mmap(nullptr, static_cast<std::size_t>(bytes), protection, flags, descriptor, 0);
  if (address == MAP_FAILED) throw_system(path, "mapping " + std::to_string(bytes) + " bytes", errno);
  return address;
}

}  // namespace

Mapping Mapping::of_file(int descriptor, std::int64_t bytes, Access access, const std::string& path) {
  if (bytes == 0) return {};
  const int protection = access == Access::write ? PROT_READ | PROT_WRITE : PROT_READ;
  void* const address = map(bytes, protection, MAP_SHARED, descriptor, path);
  return Mapping({static_cast<std::byte*>(address), static_cast<std::size_t>(bytes)});
}

Mapping Mapping::anonymous(std::int64_t bytes, const std::string& path) {
  if (bytes == 0) return {};
  void* const address = map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, path);
  return Mapping({static_cast<std::byte*>(address), static_cast<std::size_t>(bytes)});
}

void Mapping::resize(std::int64_t bytes, const std::string& path) {
  if (bytes_.empty() || bytes == 0) {
    *this = anonymous(bytes, path);
    return;
  }
  void* const address = ::mremap(bytes_.data(), bytes_.size(), static_cast<std::size_t>(bytes), MREMAP_MAYMOVE);
  if (address == MAP_FAILED) throw_system(path, "mapping " + std::to_string(bytes) + " bytes", errno);
  bytes_ = {static_cast<std::byte*>(address), static_cast<std::size_t>(bytes)};
}

std::size_t read_fully(int descriptor, std::span<std::byte> into, const std::string& path) {
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t n = ::read(descriptor, into.data() + done, into.size() - done);
    if (n == 0) break;
    if (n > 0) done += static_cast<std::size_t>(n);
    if (n < 0 && errno != EINTR) throw_system(path, "reading", errno);
  }
  return done;
}

void write_fully(int descriptor, std::span<const std::byte> bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
    if (n > 0) bytes = bytes.subspan(static_cast<std::size_t>(n));
    if (n < 0 && errno != EINTR) throw_system(path, "writing", errno);
  }
}

}  // namespace crinkle::tool
