// Internal impossibilities, never user input: on in debug, fuzz and tests (CRINKLE_ENSURE), free elsewhere.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>
#include <cstdlib>
#include <source_location>

namespace crinkle {

inline void ensure([[maybe_unused]] bool condition, [[maybe_unused]] std::source_location where = std::source_location::current()) {
#ifdef CRINKLE_ENSURE
  if (!condition) {
    std::fprintf(stderr, "%s:%u: ensure failed in %s\n", where.file_name(), where.line(), where.function_name());
    std::abort();
  }
#endif
}

}  // namespace crinkle
