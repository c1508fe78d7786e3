// Pieces of an output that are packed on all threads, in a file of their own as they come: written behind one another in their order at the
// end, the output's bytes follow neither from threads nor from where a run was stopped.
//
//     { place, bytes } of every piece, 64 bits each    the pieces
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "formats/file.hpp"

namespace crinkle::tool {

class PackedPieces {
 public:
  /// n pieces in a file, which is empty or from a run before. `path`: of the output, for messages.
  PackedPieces(Descriptor file, std::size_t n, std::string path);

  /// From any thread, each of another piece. No bytes: there is no such piece.
  void put(std::size_t piece, std::span<const std::byte> bytes);
  std::vector<std::byte> get(std::size_t piece) const;
  std::size_t n() const noexcept { return entries_.size(); }

 private:
  struct Entry {
    std::uint64_t place = 0, bytes = 0;
  };

  Descriptor file_;
  std::vector<Entry> entries_;
  std::string path_;
  std::mutex mutex_;
  std::uint64_t end_ = 0;
};

/// All bytes, from or to a place of a file. Throws what the system says.
void read_at(int descriptor, std::uint64_t place, std::span<std::byte> into, const std::string& path);
void write_at(int descriptor, std::uint64_t place, std::span<const std::byte> bytes, const std::string& path);

}  // namespace crinkle::tool
