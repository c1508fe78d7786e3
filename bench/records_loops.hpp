// What a programmer writes without a library: one loop over the records, all fields in its body, their number and sizes known to the
// compiler. Compiled with -O3 -march=native, for the machine that it is built on.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crinkle::bench {

/// Records first … last: to `arrays[k]` from records that lie one behind the other, or back. Requires alignment to a field's size where all
/// fields have the same.
struct RecordLoops {
  void (*take_apart)(const std::byte* records, std::byte* const* arrays, std::int64_t first, std::int64_t last) = nullptr;
  void (*put_together)(std::byte* records, const std::byte* const* arrays, std::int64_t first, std::int64_t last) = nullptr;
};

/// For fields of these bytes: 2 to 9 of 1, 2, 4 or 8, and 1+1+2+4+8, 4+4+8, 1+4+8. Throws bad_shape for others.
RecordLoops loops_of(const std::vector<std::int64_t>& field_bytes);

}  // namespace crinkle::bench
