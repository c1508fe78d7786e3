// Of resident.cuh, for a CPU: blocks that run at once and wait for each other. Included before it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <thread>

#include "support/kernel_walk.hpp"

namespace crinkle::kernel {
inline void announce(std::uint32_t* count, std::uint32_t n) { std::atomic_ref(*count).store(n, std::memory_order_release); }
inline void await(const std::uint32_t* count, std::uint32_t n) {
  while (std::atomic_ref(*const_cast<std::uint32_t*>(count)).load(std::memory_order_acquire) < n) std::this_thread::yield();
}
inline char* shared_of_block(char* all) { return all + testing::walk::rank * testing::walk::bytes_of_block; }
}  // namespace crinkle::kernel
