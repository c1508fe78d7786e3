// Blocks of a packed schedule (plan/packed.hpp), and the tables by which they are put together:
//     stage[k · pitch …]           =  block[src_runs[k] …],   src_run_bytes of every run of the source,
//     buffer[out_lanes[l] …]       =  stage[in_lanes[l] …],   a transposition of n_rows × n_columns elements, or element by element,
//     destination[dst_runs[k] …]   =  buffer[k · dst_run_bytes …].
// If the runs of the source do not fight for the same sets of the caches, lanes read them where they are, without a stage.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "base/held_bytes.hpp"
#include "plan/schedule.hpp"

namespace crinkle {

struct PackTables {
  bool is_staged = false;
  std::vector<std::int64_t> src_runs, dst_runs;   // from a block's first element
  std::vector<std::int64_t> src_lines;            // a byte of every line of the source that a block reads
  std::vector<std::int64_t> in_lanes, out_lanes;  // in the order of the buffer
  std::vector<std::int32_t> items;                // of a lane; none where it is a transposition
  std::int64_t src_run_bytes = 0, dst_run_bytes = 0, pitch = 0;
  std::int64_t n_rows = 0, n_columns = 0, in_stride = 0, out_stride = 0;
  std::int64_t src_end = 0, block_end = 0;  // behind the last byte of the schedule and of a block, from where their first elements lie

  std::int64_t held_bytes() const { return held_by(src_runs, dst_runs, src_lines, in_lanes, out_lanes, items); }
};

/// Requires a packed schedule.
PackTables pack_tables_of(const planning::Schedule& schedule);

}  // namespace crinkle
