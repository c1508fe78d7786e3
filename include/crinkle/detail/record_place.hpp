// PlainPlace says in plain numbers where a field lies, for layouts that are chosen when the program runs. (See records.hpp.)
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace crinkle {

/// The field of record i lies at base + begin + b·B·S + r·o + (i − b·B)·e, with b = ⌊i / B⌋, r = min(B, n − b·B) and e its bytes.
struct PlainPlace {
  std::int64_t group = 0;         // which array, where every group has its own
  std::int64_t begin = 0;         // bytes from the base to the group, where they share one
  std::int64_t block = 1;         // B
  std::int64_t record_bytes = 0;  // S
  std::int64_t offset = 0;        // o
  std::int64_t useful_bytes = 0;  // of S: of all fields in the group, those too that are not looked at; the rest is padding
};

}  // namespace crinkle
