// Of resident.cuh, for a CPU: blocks that run at once and wait for each other. Included before it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <thread>

#include "support/kernel_walk.hpp"

namespace crinkle::kernel {
inline void write_word(std::uint64_t* to, std::uint64_t word) { std::atomic_ref(*to).store(word, std::memory_order_relaxed); }
inline std::uint64_t read_word(const std::uint64_t* from) {
  std::this_thread::yield();
  return std::atomic_ref(*const_cast<std::uint64_t*>(from)).load(std::memory_order_relaxed);
}
inline char* shared_of_block(char* all) { return all + testing::walk::rank * testing::walk::bytes_of_block; }
}  // namespace crinkle::kernel
