// The memory that a benchmark moves between: mapped in 2 MiB pages where the system has them, touched before anything is timed, the source
// random, the destination poisoned with guard zones on both sides.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/timing.hpp"
#include "crinkle/executor.hpp"

namespace crinkle::bench {

/// A private mapping whose data begin at a multiple of 2 MiB or some bytes behind one, with room for a guard zone on either side.
class Region {
 public:
  /// Throws out_of_memory. Touches every page, on all workers.
  Region(std::int64_t capacity_bytes, Executor& executor, std::int64_t behind_bytes = 0);
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  std::byte* data() const noexcept { return data_; }

  /// Random bytes, all different for another seed and the same for the same one.
  void fill_random(std::int64_t n_bytes, std::uint64_t seed, Executor& executor);
  /// One byte everywhere and in the guard zones before and behind the n bytes.
  void poison(std::int64_t n_bytes, Executor& executor);
  /// Whether the guard zones are as poison(n_bytes) left them.
  bool is_guard_whole(std::int64_t n_bytes) const;

  static constexpr std::byte poison_byte{0xA5};
  static constexpr std::int64_t page_bytes = 2 << 20;  // behind_bytes are less than half of it

 private:
  void* mapped_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  std::byte* data_ = nullptr;
};

/// An array twice as large as the last cache, 64 MiB at least and 512 MiB at most, there from the first run on.
class Evictor {
 public:
  explicit Evictor(Executor& executor) : executor_(executor) {}
  /// Reads a byte of every line of it on all workers, so that what other arrays had in the caches is gone: their sum. Throws out_of_memory.
  std::uint64_t run();
  /// Runs, then times the work by the host's clock. Requires the evictor to live as long.
  Clock clock();
  /// The bytes of the array, by the size of that cache; the most where it is not known, 0 or less.
  static std::int64_t bytes_for(std::int64_t last_cache_bytes);

 private:
  Executor& executor_;
  std::optional<Region> array_;
};

}  // namespace crinkle::bench
