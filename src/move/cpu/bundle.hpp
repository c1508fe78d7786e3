// Records whose fields go to different places, on a CPU: some hundred records at a time, each destination region by a writer of whole
// lines, so that nothing but the caches is gone through twice. Fields that are a unit each and lie behind each other in the source are
// taken apart straight from memory; other regions are woven, their fields from as many places as they like; what no vector serves goes
// field by field.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "move/cpu/parts.hpp"
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
  /// A weave reads from buffer `slot` on, `stride` bytes further from record to record.
  struct Base {
    std::int32_t slot = 0;
    std::int64_t stride = 0;
    friend bool operator==(const Base&, const Base&) = default;
  };
  /// The bytes of the destination that belong to one array of records.
  struct Region {
    std::int64_t offset = 0, stride = 0;
    std::int32_t slot = 0;
    bool is_dense = true;   // the fields leave no byte of it out
    std::int64_t unit = 0;  // where every field is units of so many bytes from dense arrays
    std::vector<Field> fields;
    simd::Weave weave;  // of whole records
    std::vector<Base> bases;
  };
  /// Bytes of every record that are read.
  struct Source {
    std::int64_t offset = 0, stride = 0;
    std::int32_t slot = 0;
  };
  /// Regions n ≥ 2 from `first` on that are a unit of every record each, one behind the other in the source: taken apart straight from
  /// memory, of which 16 bytes from the first unit on may be read of every record before `end`.
  struct Family {
    std::size_t first = 0, n = 0;
    std::int64_t end = 0;
  };
  std::vector<Region> regions;
  std::vector<Family> families;
  std::vector<Source> sources;  // that no family reads
  std::int64_t n_records = 0, n_bytes = 0;
  std::int64_t n_together = 1;  // records: whole periods of all weaves, whole lines of all families
};

CpuBundle cpu_bundle(const tile::RecordTile& tile, const simd::Kernels& kernels = simd::kernels());

/// Part p of n. Parts write disjoint bytes.
void run_bundle(const CpuBundle& bundle, const Run& run, std::int64_t part, std::int64_t n_parts);

}  // namespace crinkle
