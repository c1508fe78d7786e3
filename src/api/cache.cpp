// The plan cache: process-wide, thread-safe, bounded in bytes. The key is the boxes as given, byte for byte.
// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <cstring>
#include <list>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "api/hasher.hpp"
#include "api/plan_data.hpp"
#include "base/per_process.hpp"
#include "crinkle/error.hpp"

namespace crinkle {
namespace {

std::uint64_t hash_of(const Boxes& boxes, Device device) {
  Hasher hasher;
  hasher.take(static_cast<std::int64_t>(device.kind) * 1024 + device.index);
  for (const Box& b : boxes) {
    hasher.take(b.src_offset);
    hasher.take(b.dst_offset);
    hasher.take(b.unit + (b.is_fill ? 64 : 0));
    for (const Axis& a : b.axes) {
      hasher.take(a.extent);
      hasher.take(a.src_stride);
      hasher.take(a.dst_stride);
    }
  }
  return hasher.h;
}

struct Entry {
  Boxes boxes;
  Device device;
  std::shared_ptr<const Plan> plan;
  std::int64_t bytes = 0;
  std::atomic<std::uint64_t> used{0};  // the clock at the last use
};

std::int64_t bytes_of(const Boxes& boxes, const Plan& plan) {
  std::int64_t n = plan.table_bytes() + static_cast<std::int64_t>(sizeof(Entry) + sizeof(Plan) + sizeof(PlannedStep)) + 512;
  for (const Box& b : boxes) {
    n += static_cast<std::int64_t>(3 * sizeof(Box) + 5 * sizeof(planning::Choice) + 3 * b.axes.size() * sizeof(Axis));
    n += static_cast<std::int64_t>(sizeof(planning::Sweep) +
                                   (b.axes.size() / 2 + 1) * sizeof(planning::Exchange));  // in place: at most a pair each
  }
  return n;
}

class Cache {
 public:
  static constinit inline std::atomic<std::int64_t> limit{8 << 20};  // bytes

  std::shared_ptr<const Plan> find(const Boxes& boxes, Device device) {
    const std::uint64_t key = hash_of(boxes, device);
    {
      const std::shared_lock lock(mutex_);
      if (const auto plan = look_up(key, boxes, device)) {
        n_hits_.fetch_add(1, std::memory_order_relaxed);
        return plan;
      }
    }
    auto plan = std::make_shared<const Plan>(boxes, device);
    const std::unique_lock lock(mutex_);
    n_misses_ += 1;
    if (const auto made_meanwhile = look_up(key, boxes, device)) return made_meanwhile;
    const std::int64_t bytes = bytes_of(boxes, *plan);
    const std::int64_t most = limit;
    if (bytes > most) return plan;
    while (bytes_ + bytes > most) drop_oldest();
    auto entry = std::make_unique<Entry>();
    entry->boxes = boxes;
    entry->device = device;
    entry->plan = plan;
    entry->bytes = bytes;
    entry->used = ++clock_;
    entries_.emplace(key, std::move(entry));
    bytes_ += bytes;
    return plan;
  }

  CacheFacts facts() {
    const std::shared_lock lock(mutex_);
    return {static_cast<std::int64_t>(entries_.size()), bytes_, n_hits_, n_misses_, limit};
  }

  void shrink() {
    const std::unique_lock lock(mutex_);
    while (bytes_ > limit) drop_oldest();
  }

 private:
  std::shared_ptr<const Plan> look_up(std::uint64_t key, const Boxes& boxes, Device device) {
    const auto [first, last] = entries_.equal_range(key);
    for (auto e = first; e != last; ++e) {
      if (e->second->device.kind != device.kind || e->second->device.index != device.index || !(e->second->boxes == boxes)) continue;
      e->second->used.store(clock_.fetch_add(1, std::memory_order_relaxed), std::memory_order_relaxed);
      return e->second->plan;
    }
    return nullptr;
  }

  void drop_oldest() {
    auto oldest = entries_.begin();
    for (auto e = entries_.begin(); e != entries_.end(); ++e) {
      if (e->second->used < oldest->second->used) oldest = e;
    }
    bytes_ -= oldest->second->bytes;
    entries_.erase(oldest);
  }

  std::shared_mutex mutex_;
  std::unordered_multimap<std::uint64_t, std::unique_ptr<Entry>> entries_;
  std::int64_t bytes_ = 0;
  std::int64_t n_misses_ = 0;
  std::atomic<std::int64_t> n_hits_{0};
  std::atomic<std::uint64_t> clock_{0};
};

// A child of fork() begins with an empty one.
constinit PerProcess<Cache> the_cache;

}  // namespace

std::shared_ptr<const Plan> cached_plan(const Boxes& boxes, Device device) { return the_cache.get().find(boxes, device); }
CacheFacts plan_cache_facts() { return the_cache.get().facts(); }

void set_plan_cache_limit(std::int64_t bytes) {
  if (bytes < 0) throw Error(ErrorCode::bad_shape, "a plan cache of " + std::to_string(bytes) + " bytes; give 0 or more");
  Cache::limit = bytes;
  the_cache.get().shrink();
}

}  // namespace crinkle
