// The picture of a record layout as a self-contained SVG: where each byte of each field of each record lies, and where padding does.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "crinkle/record_layout.hpp"

namespace crinkle::records {

struct DrawOptions {
  std::optional<std::int64_t> row_bytes = {};  // left out: whole records, or whole runs of a block, where they are not too long
  std::int64_t max_bytes = 4096;               // of all groups
  Storage storage = Storage::together;         // apart: the offsets of every group begin at 0
  std::string title = {};                      // the layout when left out
};

/// n records: a panel for every group, rows of bytes with the offset of their first at the left. Bytes of one field in one row are one
/// cell, named by field and record, coloured by field, every other record darker; padding is hatched, what lies between groups too, behind
/// the group before it. A legend and what padding costs stand below.
/// Throws bad_shape for n < 0 or rows without bytes, too_large beyond max_bytes. Cost: O(bytes) time and memory.
std::string draw_records(const RecordLayout& layout, std::int64_t n, const DrawOptions& options = {});

}  // namespace crinkle::records
