// A case made ready: what it reads and writes, how it runs, how its result is told right from wrong, and for gather and scatter the plain
// loop that they stand beside.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "crinkle/crinkle.hpp"
#include "harness/site.hpp"
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

BufferBegins buffers_of_case(const Case& c, const Rearrangement& map);
ArrayBytes array_bytes_of(const Case& c, const MakeSpecMap& make_map);

/// Read plus written by the case's plan: of records all bytes of both sides, padding too; index tables are not counted.
std::int64_t moved_bytes_of(const Case& c, const ArrayBytes& bytes, const Plan& plan);

struct Operation {
  ArrayBytes bytes;
  std::int64_t element_bytes = 1;
  std::int64_t moved_bytes = 0;  // moved_bytes_of() a plan
  RunMove run;
  RunMove loop;  // gather and scatter: a plain loop on all workers, or by a kernel; empty for the others
  Boxes boxes;   // what the site checks the destination by; or none, and
  /// the first destination byte that is not as defined, or −1, for a destination that was poisoned before the run; on the host.
  std::function<std::int64_t(const std::byte* src, const std::byte* dst)> first_wrong;
  std::string checked;  // how: "reference", "walk" (walk.hpp), "loop"; on a GPU "definition" and "loop"
};

/// Plans the case. `seed` is for index arrays. Throws what planning throws. The site must outlive the operation.
Operation make_operation(const Case& c, const MakeSpecMap& make_map, std::uint64_t seed, Site& site);

/// The first wrong byte in the site's two arrays.
std::int64_t first_wrong(const Operation& op, Site& site);

/// A case whose arrays fit, its extents halved as often as it takes.
struct Fitted {
  Case c;
  ArrayBytes bytes;
  std::int64_t larger() const { return std::max(bytes.source, bytes.destination); }
};
/// Throws too_large, naming the case, for one that never fits. No limit: 0 bytes.
Fitted fitted(const Case& asked, const MakeSpecMap& make_map, std::int64_t memory_bytes);

}  // namespace crinkle::bench
