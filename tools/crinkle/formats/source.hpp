// An opened input. Its bytes are the file, mapped read-only, wherever that is possible; only .gz, PNG and what cannot be mapped
// (pipes) are brought into memory. The format is told by the first bytes, never by the name.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "formats/dataset.hpp"
#include "formats/facts.hpp"
#include "formats/file.hpp"

namespace crinkle::tool {

class Source {
 public:
  /// Opens `path` ("-" is standard input, raw or .npy). With `raw` the file is taken as raw whatever it is.
  /// Ensures: every element of facts().layout lies inside bytes().
  /// Throws bad_file (missing, truncated, lying or hostile files, with the numbers), unsupported (formats and types not known),
  /// out_of_memory.
  static std::unique_ptr<Source> open(const std::string& path, const RawFacts* raw = nullptr);

  /// An output that was written as `type`, in that byte order where its format knows another one alone (TIFF).
  static std::unique_ptr<Source> open_as_written(const std::string& path, const ElementType& type);

  /// As open(), but a file that is no .npy, or that is read from byte `offset` > 0 on, is raw: its bytes as uint8, to its end.
  static std::unique_ptr<Source> open_npy_or_bytes(const std::string& path, std::int64_t offset);

  /// A source that was made in memory of another one: `facts` describe `bytes`.
  static std::unique_ptr<Source> of(ArrayFacts facts, Mapping bytes) {
    return std::unique_ptr<Source>(new Source(std::move(facts), std::move(bytes)));
  }

  const ArrayFacts& facts() const noexcept { return facts_; }
  /// An array of a file of many is read and unpacked, all of it, at the first call; that may throw bad_file and out_of_memory.
  std::span<const std::byte> bytes() const;
  /// That array, of which boxes can be read; null: another file.
  const Dataset* dataset() const noexcept { return dataset_.get(); }
  std::span<std::byte> decoded() { return bytes(), bytes_.writable(); }  // the same; requires .gz or PNG, whose bytes are in memory

 private:
  Source(ArrayFacts facts, Mapping bytes) : facts_(std::move(facts)), bytes_(std::move(bytes)) {}

  static std::unique_ptr<Source> of_dataset(const std::string& path);

  ArrayFacts facts_;
  mutable Mapping bytes_;
  std::unique_ptr<Dataset> dataset_;
};

}  // namespace crinkle::tool
