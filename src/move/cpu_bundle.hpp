// Records whose fields go to different places, on a CPU: some hundred records at a time, field by field, each destination region by a
// writer of whole lines, so that nothing but the caches is gone through twice.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "move/cpu_parts.hpp"
#include "tile/record_tile.hpp"

namespace crinkle {

/// A bundle (plan/bundle.hpp) made ready.
struct CpuBundle {
  /// Units of every record that lie evenly on both sides.
  struct Field {
    std::int64_t src_offset = 0, src_stride = 0, src_step = 0;  // of record 0, from record to record, from unit to unit
    std::int64_t place = 0;                                     // in a record of the destination region
    std::int64_t bytes = 1, count = 1;                          // of a unit, and how many of them
    std::int32_t src_slot = 0;
    bool is_zero = false;
  };
  /// What of the destination belongs to one array of records.
  struct Region {
    std::int64_t offset = 0, stride = 0;
    std::int32_t slot = 0;
    bool is_dense = true;  // the fields leave no byte of it out
    std::vector<Field> fields;
  };
  std::vector<Region> regions;
  std::int64_t n_records = 0, n_bytes = 0;
};

CpuBundle cpu_bundle(const tile::RecordTile& tile);

/// Part p of n. Parts write disjoint bytes.
void run_bundle(const CpuBundle& bundle, const Run& run, std::int64_t part, std::int64_t n_parts);

}  // namespace crinkle
