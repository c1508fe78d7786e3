// A case made ready: what it reads and writes, how it runs, how its result is told right from wrong, and for gather and scatter the plain
// loop that they stand beside.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "crinkle/crinkle.hpp"
#include "suites/cases.hpp"

namespace crinkle::bench {

/// The rearrangement of a `spec` case, and the bytes of the larger element on its two sides. Notation is the command's business.
struct SpecMap {
  Rearrangement map;
  std::int64_t element_bytes = 1;
};
using MakeSpecMap = std::function<SpecMap(const Case&)>;

/// The map of a case that moves elements: a permutation, a spec, or records, whose groups lie in one buffer, or each in its own.
SpecMap map_of_case(const Case& c, const MakeSpecMap& make_map);

/// Where the buffers of that map lie in the arrays of a case. Of records, those groups; of others, all of it.
struct CaseBuffers {
  std::vector<std::int64_t> source, destination;  // begins, bytes
};
CaseBuffers buffers_of_case(const Case& c, const Rearrangement& map);

struct ArrayBytes {
  std::int64_t source = 0, destination = 0;
};
ArrayBytes array_bytes_of(const Case& c, const MakeSpecMap& make_map);

/// Read plus written by the case's plan: of records all bytes of both sides, padding too; index tables are not counted.
std::int64_t moved_bytes_of(const Case& c, const ArrayBytes& bytes, const Plan& plan);

/// How a map becomes a plan: as the planner estimates, where nothing else is said.
using MakePlan = std::function<Plan(const Rearrangement&, Executor&)>;
inline Plan estimated_plan(const Rearrangement& r, Executor&) { return Plan(r); }

using RunMove = std::function<void(const std::byte* src, std::byte* dst)>;

struct Operation {
  ArrayBytes bytes;
  std::int64_t element_bytes = 1;
  std::int64_t moved_bytes = 0;  // moved_bytes_of() a plan
  RunMove run;
  RunMove loop;  // gather and scatter: a plain loop on all workers; empty for the others
  /// The first destination byte that is not as defined, or −1, for a destination that was poisoned before the run.
  std::function<std::int64_t(const std::byte* src, const std::byte* dst)> first_wrong;
  std::string checked;  // how: "reference", "walk" (walk.hpp), "loop"
};

/// Plans the case. `seed` is for index arrays. Throws what planning throws. The executor must outlive the operation.
Operation make_operation(const Case& c, const MakeSpecMap& make_map, std::uint64_t seed, Executor& executor,
                         const MakePlan& make_plan = estimated_plan);

}  // namespace crinkle::bench
