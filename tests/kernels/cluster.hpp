// Of cluster.cuh, for a CPU. Included before it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <utility>

#include "support/kernel_walk.hpp"

// A block's shared memory lies behind that of the one before.
namespace crinkle::fft::kernel {
inline std::uint32_t cluster_rank() { return testing::walk::rank; }
inline thread_local std::optional<std::barrier<>::arrival_token> arrived;
inline void arrive_in_cluster() { arrived = testing::walk::all_of_cluster->arrive(); }
inline void wait_in_cluster() { testing::walk::all_of_cluster->wait(*std::exchange(arrived, {})); }
template <class T>
T* cells_in_cluster(T* own, std::uint32_t block) {
  const std::int64_t away = (std::int64_t{block} - testing::walk::rank) * testing::walk::bytes_of_block;
  return reinterpret_cast<T*>(reinterpret_cast<char*>(own) + away);
}
inline char* shared_of_block(char* shared) { return shared + testing::walk::rank * testing::walk::bytes_of_block; }
}  // namespace crinkle::fft::kernel
