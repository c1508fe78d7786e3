// The two arrays of a benchmark on a GPU: what moves between them is compared with its definition on the device, then timed by the device's
// clock in turns with copies between the same arrays.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/turns.hpp"
#include "crinkle/crinkle.hpp"
#include "suites/indexed.hpp"
#include "suites/operation.hpp"
#include "suites/permute.hpp"
#include "suites/report.hpp"

namespace crinkle::bench {

/// Seconds between the begin and the end of what is given to the stream, by the device.
/// Requires the device to be the thread's own.
Clock clock_of(Device device, const Stream& stream);

/// Memory several times as large as a device's second-level cache.
class GpuEvictor {
 public:
  /// Throws what DeviceMemory throws.
  GpuEvictor(Device device, const Stream& stream);
  static constexpr std::int64_t times_the_cache = 4;  // two would do if what was used longest ago were always what goes
  /// Reads all of it, so that what other arrays had in the cache is gone: given to the stream, not waited for.
  void run() const;

 private:
  Stream stream_;
  DeviceMemory array_, sink_;
};

class GpuArrays {
 public:
  /// Throws what DeviceMemory throws.
  GpuArrays(std::int64_t capacity_bytes, Device device);

  const std::byte* source() const noexcept { return static_cast<const std::byte*>(source_.data()); }
  std::byte* filled() const noexcept { return static_cast<std::byte*>(source_.data()); }  // the source, to be written
  std::byte* destination() const noexcept { return static_cast<std::byte*>(destination_.data()); }
  const Stream& stream() const noexcept { return stream_; }

  /// Random data, another destination, the move once. Throws std::runtime_error, naming `what`, unless every byte that the boxes write is
  /// as they define and the 4 KiB behind the destination are as they were.
  void check(const std::string& what, const ArrayBytes& bytes, const Boxes& boxes, std::uint64_t seed, const std::function<void()>& move);

  /// The same with the loop over an index array on the host, which also says what stays as it was.
  void check(const std::string& what, const ArrayBytes& bytes, const Indexed& indexed, std::uint64_t seed,
             const std::function<void()>& move);

  /// The driver's copy of the first n bytes, and a kernel's of as many whole vectors of 16 as they touch.
  std::vector<Contender> copies(std::int64_t n_bytes) const;
  void take_turns(std::vector<Contender>& contenders, const Effort& effort) const;

  /// A row for each move, which all read and write `moved_bytes` together, in turns with copies of as many, at most `larger_bytes` long.
  std::vector<Row> timed(std::vector<Contender> moves, std::int64_t moved_bytes, std::int64_t larger_bytes, const Effort& effort) const;

  /// The cold seconds of the row, which is that move's, beside those copies: runs one by one, each behind a pass of the evictor and
  /// between two events of its own, a sample the mean of `cold_runs` of them. The host gives the run to the stream while the pass goes on.
  void time_cold(const Contender& move, std::int64_t moved_bytes, std::int64_t larger_bytes, const Effort& effort, Row& row);
  static constexpr int cold_runs = 16;

 private:
  /// The arrays filled, the move run; throws as check() does where first_wrong() is not −1.
  void check_result(const std::string& what, const ArrayBytes& bytes, std::uint64_t seed, const std::function<void()>& move,
                    const std::function<std::int64_t()>& first_wrong);

  Device device_;
  DeviceMemory source_, destination_, lowest_;
  Stream stream_;
  Clock clock_;
  std::unique_ptr<GpuEvictor> evictor_;  // from the first time_cold() on
};

}  // namespace crinkle::bench
