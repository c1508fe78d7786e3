// A pass over records in one layout, ready to be made into what a device runs; and its definition, one record at a time.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "advise/visit.hpp"
#include "crinkle/advise.hpp"
#include "crinkle/record_layout.hpp"

namespace crinkle::advising {

/// Throws what candidate_layouts() throws of a pattern, and bad_shape for a step below 1.
void check_pattern(const Fields& fields, const AccessPattern& pattern);

/// Requires a pattern that check_pattern() has passed, and 1 ≤ n.
Visit visit_of(const AccessOrder& order, std::int64_t n, std::uint64_t seed);

/// The number that a pass adds to written field j of the pattern.
constexpr std::uint32_t add_of(std::size_t j) { return static_cast<std::uint32_t>(j + 1) * 0x9E3779B9u; }

/// Groups in one memory as if each had an array of its own: group g from byte begin[g] on, a multiple of 256. Arrays begin at different
/// places of a page: with powers of two of records all fields of one would fall on the same lines of a cache, which is an accident of n.
struct Arrays {
  std::vector<std::int64_t> begin, bytes;
  std::int64_t end = 0;
};
Arrays arrays_of(const RecordLayout& layout, std::int64_t n);  // throws too_large

/// The pass over one layout. The layout has all fields of the pattern.
struct Pass {
  const RecordLayout& layout;
  const AccessPattern& pattern;
  const Arrays& arrays;
  Visit visit;

  std::int64_t n() const noexcept { return visit.n; }
  /// The byte at which field `place` of record i begins.
  std::int64_t address(const RecordLayout::Place& place, std::int64_t i) const;
};

/// Does with record i, byte by byte, what a pass does: the definition. at(place) is where a field of it lies.
using FieldAt = std::function<std::byte*(const RecordLayout::Place&)>;
void visit_as_defined(const RecordLayout& layout, const AccessPattern& pattern, std::int64_t i, const FieldAt& at);

/// Bytes that a pass reads and writes of one record.
std::int64_t useful_bytes(const Fields& fields, const AccessPattern& pattern);

/// The bytes of field f of record i before a pass: anything, and known.
void write_contents(std::uint64_t seed, std::size_t f, std::int64_t i, std::span<std::byte> field);

}  // namespace crinkle::advising
