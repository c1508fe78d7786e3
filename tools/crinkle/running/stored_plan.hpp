// How an operation goes between files that are larger than memory: in one pass of parts where that is cheapest, else in several ones
// through temporary stores. A pass of copies before the first one brings chunks that cross badly, whole maps and whole series, into tiles
// that both sides read and write in long pieces; the stages of an operation are passes, too. The fewest bytes and calls win, by
// part_traffic.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crinkle/operation.hpp"
#include "running/part_traffic.hpp"

namespace crinkle::tool {

struct Pass {
  Operation operation;  // to one array, cut
  bool is_copy = false;
  Parts parts;
  Extents tiles;                  // of the temporary store that it writes; empty: it writes the output
  std::int64_t memory_bytes = 0;  // of all parts that are made at once, and of chunks that are packed
  Traffic traffic;
};

struct StoredPlan {
  std::vector<Pass> passes;
  int n_lanes = 1;  // parts that are read, computed and written at once
  Traffic all;
  double seconds = 0;
  std::int64_t memory_bytes = 0;     // of the pass that takes most
  std::int64_t temporary_bytes = 0;  // of a disk, at most at once
};

/// What a plan is made for.
struct StoredRequest {
  std::vector<Operation> stages;  // at least one, one after another; each cut on the CPU
  Grid from, to;
  std::int64_t memory_bytes = 0;
  int n_workers = 1;
  bool may_be_temporary = true;  // more passes than there are stages; requires one input
};

/// The cheapest plan within the memory; where none is, one of the smallest parts.
StoredPlan plan_stored(const StoredRequest& request);

/// Pieces of every cut: multiples of `unit`, doubled from it on. Fewer where there would be too many.
std::vector<Extents> pieces_of_cuts(const Operation& operation, const Extents& unit);
/// The least that a cut is cut into: what is written together along it.
Extents unit_of_cuts(const Operation& operation, const Grid& to);
/// What parts take, `n_lanes` at once, with chunks that are packed by each thread.
std::int64_t memory_of(const Operation& operation, bool is_copy, const Ranges& part, const Grid& from, const Grid& to, int n_lanes,
                       int n_workers);

/// Seconds that a pass takes, memory's first touch included.
double seconds_of(const Traffic& traffic, std::int64_t memory_bytes, int n_workers);

/// "in 2 passes: …", a line each for the plan and its passes.
std::string described(const StoredPlan& plan, const std::string& from, const std::string& to);

}  // namespace crinkle::tool
