// Calls of MPI, checked.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <source_location>

#include "crinkle/mpi.hpp"

namespace crinkle::mpi {

/// Throws device where a call of MPI failed. By default MPI ends the program itself.
void check(int status, std::source_location where = std::source_location::current());
int rank_of(MPI_Comm comm);
int size_of(MPI_Comm comm);

inline bool share_bytes(const void* a, std::int64_t a_bytes, const void* b, std::int64_t b_bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(a), other = reinterpret_cast<std::uintptr_t>(b);
  return a_bytes > 0 && b_bytes > 0 && first < other + static_cast<std::uintptr_t>(b_bytes) &&
         other < first + static_cast<std::uintptr_t>(a_bytes);
}

}  // namespace crinkle::mpi
