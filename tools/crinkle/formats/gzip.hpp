// The gzip shell around a .nii.gz, through zlib: read as a stream into memory of known size, written from memory to a file.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace crinkle::tool {

bool begins_like_gzip(std::span<const std::byte> file);

/// The most bytes that `packed` bytes of a deflate stream can become (258 bytes from 2 bits, rounded up).
std::int64_t most_inflated(std::int64_t packed);

class GzipReader {
 public:
  /// Requires `packed` to outlive the reader.
  GzipReader(std::span<const std::byte> packed, const std::string& path);
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  /// Fills `into` or stops where the stream ends; returns the bytes. Throws bad_file for damaged or cut streams.
  std::size_t read(std::span<std::byte> into);

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::string path_;
};

/// Packs the bytes as one gzip member without name and time, so that equal bytes make equal files.
void write_gzip(int descriptor, std::span<const std::byte> bytes, const std::string& path);

}  // namespace crinkle::tool
