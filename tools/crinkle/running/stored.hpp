// Operations between files that are read and written in boxes: larger than memory, or packed. A part is read and unpacked, computed, packed
// and written, one after another; a chunk of the output is written once, whole.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crinkle/operation.hpp"
#include "formats/sink.hpp"
#include "formats/source.hpp"

namespace crinkle::tool {

/// How an operation of one array goes from file to file.
class StoredRun {
 public:
  /// With at most so many bytes for a part's arrays, its workspace, and chunks that are packed, where that can be. Keeps references.
  StoredRun(const Operation& operation, const Source& from, Sink& to, std::int64_t memory_bytes, Executor& executor);

  /// Whether it serves: one of the files is of chunks, and the operation, of one array to one, is cut on the CPU.
  static bool serves(const Operation& operation, const Source& from, const Sink& to);

  /// "in 12 parts of at most 64 MiB; chunks of the input are unpacked 1.5 times"
  std::string describe() const;
  /// Says that on standard error where it is asked for, and where parts are larger than the --memory that was said, "" for none.
  void report(bool is_explained, const std::string& memory) const;
  /// `look` sees the elements of each part; may be empty.
  void run(const std::function<void(std::span<std::byte>)>& look, const std::function<void(std::int64_t n_bytes)>& written);
  /// Compares what is in a file with the definition, part by part. Throws bad_file, naming the part.
  void verify(const Source& written);

 private:
  Extents unit_of_cuts() const;
  std::int64_t bytes_for(const Ranges& part) const;
  std::int64_t bytes_unpacked(const Ranges& part) const;  // of the input's chunks that it touches
  double times_unpacked(const Extents& pieces) const;
  Ranges part_at(const Extents& pieces, std::int64_t number) const;
  std::int64_t n_parts(const Extents& pieces) const;
  void choose(std::int64_t memory_bytes);
  void write(const Ranges& ranges, const std::byte* from);

  const Operation& operation_;
  const Source& from_;
  Sink& to_;
  Executor& executor_;
  std::int64_t limit_;
  Extents pieces_;               // of every cut
  std::int64_t part_bytes_ = 0;  // the largest part
};

/// A range of every axis of a file's array, round its ends where these go there, as a dense array.
void read_ranges(const Source& from, const Ranges& ranges, std::byte* into, Executor& executor);

/// Memory for parts where none is said: a quarter of the machine's.
std::int64_t usual_memory();

}  // namespace crinkle::tool
