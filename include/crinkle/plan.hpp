// A plan: a rearrangement made ready for a device. Everything is validated and decided here; run() only moves bytes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "crinkle/executor.hpp"
#include "crinkle/rearrangement.hpp"

namespace crinkle {

struct Device {
  enum class Kind : std::uint8_t { cpu, cuda };
  Kind kind = Kind::cpu;
  int index = 0;
};
Device cpu() noexcept;
/// The n-th CUDA device. Throws unsupported where the library was built without CUDA.
Device cuda(int n = 0);

/// A buffer's origin (byte 0 of the layout it was planned with) and how many bytes follow it.
struct ConstBuffer {
  const void* data = nullptr;
  std::int64_t bytes = 0;
};
struct Buffer {
  void* data = nullptr;
  std::int64_t bytes = 0;
};

class Plan {
 public:
  /// Plans for a device. Throws what steps() throws, and unsupported for a device that this build has no executor for.
  explicit Plan(const Rearrangement& r, Device device = cpu());
  /// Plans for a machine by name ("this", "h200"), whether or not it is here; such a plan describes, and runs only if the machine is here.
  Plan(const Rearrangement& r, std::string_view machine);
  /// Plans a bare list of boxes.
  explicit Plan(const Boxes& boxes, Device device = cpu());

  /// dst = the rearrangement of src. One buffer per slot. Throws bad_shape for the wrong number of buffers or one that is too small,
  /// overlap where a source and a destination share bytes, all before anything is written. Aliasing: none. Cost: one pass (two with a
  /// workspace); allocates only in the executor and for boxes of over 9 axes. `workspace` needs workspace_bytes(); where it is left out but
  /// needed, it is allocated here.
  void run(std::span<const ConstBuffer> src, std::span<const Buffer> dst, Executor& executor, Buffer workspace = {}) const;
  void run(ConstBuffer src, Buffer dst) const;

  std::int64_t workspace_bytes() const noexcept;  // zero unless the plan has two steps
  std::int64_t bytes_moved() const noexcept;      // read and written
  std::string describe() const;                   // boxes, rows, units, tiles, bytes, predicted accesses: for a person
  std::string describe_json() const;              // the same for a program

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

/// The plan of one list of boxes from the process-wide cache, made when it is not there. What is cached are plans of boxes: parsing a
/// notation and lowering a Rearrangement to its boxes are not, and are done anew each time. Thread-safe; bounded in bytes
/// (set_plan_cache_limit), the plans used longest ago go first. Cost: 200 ns for a plan that is there.
std::shared_ptr<const Plan> cached_plan(const Boxes& boxes, Device device = cpu());

struct CacheFacts {
  std::int64_t n_plans = 0, n_bytes = 0, n_hits = 0, n_misses = 0, limit_bytes = 0;
};
CacheFacts plan_cache_facts();
void set_plan_cache_limit(std::int64_t bytes);  // 0 empties the cache and keeps it empty

}  // namespace crinkle
