// How many cases a test draws at random.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>

namespace crinkle::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int dearer = 2;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr int dearer = 2;
#else
inline constexpr int dearer = 1;
#endif
#else
inline constexpr int dearer = 1;
#endif

/// n of `./test.sh long` (CRINKLE_LONG in the environment); otherwise a fifth, and half of that where a sanitizer watches.
inline int drawn(int n) {
  if (std::getenv("CRINKLE_LONG") != nullptr) return n;
  const int fewer = n / 5 / dearer;
  return fewer > 0 ? fewer : 1;
}

}  // namespace crinkle::testing
