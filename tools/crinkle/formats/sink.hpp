// An output under construction. Until commit() nothing exists under its name: the bytes go to a temporary file of the same
// directory, reserved in full beforehand, which a failure, Ctrl-C, SIGTERM and the like remove.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crinkle/error.hpp"
#include "crinkle/layout.hpp"
#include "formats/facts.hpp"

namespace crinkle::tool {

/// The output is there already and --force was not given (code unsupported: the request was wrong).
struct OutputExists : Error {
  explicit OutputExists(const std::string& path);
};

class NewDataset;

class Sink {
 public:
  /// Begins the output `path`; its format follows from the name: .npy, .png, .nii, .nii.gz, "-" (raw on standard output), else raw.
  /// The data are the elements of Layout::dense(extents, type.bytes) from data_offset() of bytes(), which the caller writes.
  /// Throws OutputExists, overlap (input and output are one file), unsupported (what the format cannot hold, with the way out),
  /// bad_file (missing or read-only directory, full disk), out_of_memory. Nothing is left behind then.
  static std::unique_ptr<Sink> create(const std::string& path, const OutputFacts& facts, Overwrite overwrite);

  /// Refuses what create() would refuse by name, directory, shape and type; makes nothing. Returns what notes() would say.
  static std::vector<std::string> check(const std::string& path, const OutputFacts& facts, Overwrite overwrite);

  virtual ~Sink() = default;  // without commit(): the temporary is removed
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  /// The whole file being built, header included, readable and writable; for PNG the pixels, for .nii.gz the file before it is packed.
  virtual std::span<std::byte> bytes() = 0;
  std::int64_t data_offset() const noexcept { return data_offset_; }
  std::span<std::byte> data() { return bytes().subspan(static_cast<std::size_t>(data_offset_)); }
  /// Of an array that is written in boxes; null: another file. What is written there is not in bytes(), which then are not touched.
  virtual NewDataset* dataset() const noexcept { return nullptr; }
  /// Says that data() are written part by part, of which has() asks whether a run before made one, and finish() says that this one has.
  virtual void expect_parts() {}
  virtual bool has(const Ranges&) const { return false; }
  virtual void finish(const Ranges&) {}
  /// Whether it is to be made so where it can be, for --resume.
  virtual bool wants_parts() const noexcept { return false; }
  const std::vector<std::string>& notes() const noexcept { return notes_; }

  /// Packs what has to be packed and puts the file under its name, in place of what was there and of its side files. Throws as create()
  /// does; at most once.
  virtual void commit() = 0;

 protected:
  friend void commit_all(std::span<const std::unique_ptr<Sink>> sinks);
  virtual void pack() = 0;               // what commit() would
  virtual void commit_for_now() = 0;     // without packing; what is replaced stays until the sink goes
  virtual void withdraw() noexcept = 0;  // after it: what was replaced is back
  virtual void settle() noexcept = 0;    // instead: it is final, and the side files of what was replaced go

  Sink() = default;

  std::int64_t data_offset_ = 0;
  std::vector<std::string> notes_;  // what the format could not carry over
};

/// Commits all, or none: where one fails, those before it are withdrawn, and what they replaced is back.
void commit_all(std::span<const std::unique_ptr<Sink>> sinks);

}  // namespace crinkle::tool
