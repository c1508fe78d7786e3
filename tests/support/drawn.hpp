// How many cases a test draws at random.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace crinkle::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif
#else
inline constexpr bool is_sanitized = false;
#endif

/// n, and a quarter of them where a sanitizer watches: it makes a case five to twenty times as dear, and the same test runs without one.
constexpr int drawn(int n) { return is_sanitized ? n / 4 : n; }

}  // namespace crinkle::testing
