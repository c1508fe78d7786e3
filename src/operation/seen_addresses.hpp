// Addresses that a planned run need not ask the CUDA runtime about again.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace crinkle {

/// Addresses that were found good, some of each run's buffers' several times over. Threads may use it at once; what two addresses that fall
/// on one place make it forget is only asked again.
class SeenAddresses {
 public:
  explicit SeenAddresses(std::size_t n_buffers = 60) : seen_(std::bit_ceil(8 * n_buffers + 16)) {}
  bool holds(const void* p) const noexcept { return seen_[place_of(p)].load(std::memory_order_relaxed) == p; }
  void note(const void* p) noexcept { seen_[place_of(p)].store(p, std::memory_order_relaxed); }

 private:
  std::size_t place_of(const void* p) const noexcept {
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(p));
    return static_cast<std::size_t>(address * 0x9E3779B97F4A7C15u >> 32) & (seen_.size() - 1);
  }
  std::vector<std::atomic<const void*>> seen_;
};

}  // namespace crinkle
