// Records in files: raw or .npy, all groups of their layout in one file, or each in one of its own, whose name has the group's first field
// for {}. What a .npy file says of its fields is held against the layout.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "crinkle/executor.hpp"
#include "crinkle/record_layout.hpp"
#include "formats/facts.hpp"
#include "formats/record_type.hpp"
#include "formats/source.hpp"

namespace crinkle::tool {

Storage storage_of(const std::string& name);  // apart: there is a {} in it
/// The names of the files, one or one a group.
std::vector<std::string> paths_of(const std::string& name, const RecordLayout& layout);

/// n records of a layout in memory. Each span is a group, or all of them where storage is together.
struct RecordSpans {
  RecordLayout layout;
  Storage storage = Storage::together;
  std::int64_t n = 0;
  std::vector<std::span<const std::byte>> spans;
};

/// n records of a layout in files that are there. Record i of the files lies from begins[k] of sources[k]->bytes() on.
struct RecordFiles {
  RecordLayout layout;
  Storage storage = Storage::together;
  std::int64_t n = 0;
  Extents shape;  // of the array of records: {n} of raw files
  std::vector<std::unique_ptr<Source>> sources;
  std::vector<std::int64_t> begins;  // bytes

  RecordSpans spans() const;
};

struct RecordRequest {
  std::string name;              // of the file, or with a {}
  std::string layout;            // "": as the type of a structured .npy says
  std::string option;            // that gives the layout, for errors
  std::int64_t offset = 0;       // of raw files
  std::set<std::string> taken;   // names that no gap gets
  Executor* executor = nullptr;  // brings .npy files in Fortran order into C order, in memory; nullptr: they are refused
  bool is_verified = false;      // that copy, element by element
};

/// Opens the files and counts their records. `fields` are those that are known; those of .npy files are added to them, or replace them,
/// since a file says its byte order. Throws bad_notation for a layout that is needed and not given, bad_shape naming field and byte, or two
/// files that hold different numbers of records; unsupported, with the way out, for arrays that are no records; and what Source does.
RecordFiles open_records(const RecordRequest& request, RecordFields& fields);

/// The outputs of n records, a file each: raw, or an array of `shape` where its name ends in .npy. Throws unsupported, with the way out.
std::vector<OutputFacts> facts_of_records(const std::vector<std::string>& paths, const RecordLayout& layout, RecordFields& fields,
                                          std::int64_t n, const Extents& shape);

}  // namespace crinkle::tool
