// Elements of any size in reverse order.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "cpu/kernels.hpp"
#include "cpu/tables.hpp"

namespace crinkle {

/// out = n elements, whose lowest address is `in`, the last first. The two do not overlap.
inline void reversed(const simd::Kernels& k, const std::byte* in, std::int64_t n, std::int64_t element, std::byte* out) {
  constexpr std::int64_t some_bytes = 4096;
  if (simd::is_unit(element)) return k.reverse[simd::unit_index(element)](in, n, out);
  if (element > 16) return k.copy_rows(in + (n - 1) * element, -element, out, element, n, element);
  alignas(64) std::byte bytes[some_bytes];  // all bytes reversed, then those of each element back
  for (const std::int64_t most = some_bytes / element; n > 0;) {
    const std::int64_t some = std::min(n, most);
    k.reverse[0](in + (n - some) * element, some * element, bytes);
    k.swap_bytes(bytes, some * element, static_cast<int>(element), out);
    out += some * element;
    n -= some;
  }
}

}  // namespace crinkle
