// This program's operator new counts what it allocates. One file of it defines them: run_allocation_test.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace crinkle::testing {

long n_allocations();
std::int64_t live_bytes();

}  // namespace crinkle::testing
