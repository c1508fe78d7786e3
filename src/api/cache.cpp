// The plan cache: process-wide, thread-safe, bounded in bytes. A plan that is larger by itself than all may be is kept beside the others
// until the next one like it: planning it takes longer than running it.
// SPDX-License-Identifier: BSD-3-Clause
#include "api/cache.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "api/hasher.hpp"
#include "base/held_bytes.hpp"
#include "base/per_process.hpp"
#include "crinkle/detail/request_key.hpp"
#include "crinkle/error.hpp"
#include "crinkle/plan.hpp"

namespace crinkle {
namespace {

using Key = std::span<const std::int64_t>;
using Value = std::shared_ptr<const void>;

struct Entry {
  std::vector<std::int64_t> key;
  Value value;
  std::int64_t bytes = 0;
  std::atomic<std::uint64_t> used{0};  // the clock at the last use
};

std::uint64_t hash_of(Key key) {
  Hasher hasher;
  for (const std::int64_t number : key) hasher.take(number);
  return hasher.h;
}

class Cache {
 public:
  static constinit inline std::atomic<std::int64_t> limit{32 << 20};  // bytes

  Value find(Key key) {
    const std::uint64_t hash = hash_of(key);
    const std::shared_lock lock(mutex_);
    Value value = look_up(hash, key);
    (value ? n_hits_ : n_misses_).fetch_add(1, std::memory_order_relaxed);
    return value;
  }

  Value keep(Key key, Value value, std::int64_t bytes) {
    constexpr std::int64_t of_table = 64;  // a node and its bucket
    const std::uint64_t hash = hash_of(key);
    auto entry = std::make_unique<Entry>();
    entry->key.assign(key.begin(), key.end());
    entry->value = value;
    entry->bytes = bytes + held_by(entry->key) + allocated_bytes(sizeof(Entry)) + of_table;
    std::vector<std::unique_ptr<Entry>> dropped;  // destroyed without the lock
    const std::unique_lock lock(mutex_);
    if (Value made_meanwhile = look_up(hash, key)) return made_meanwhile;
    const std::int64_t most = limit;
    if (most == 0) return value;
    if (entry->bytes > most) {
      entry->used = large;
      drop_if([](const Entry& other) { return other.used == large; }, dropped);
    } else {
      make_room(most - entry->bytes, dropped);
      bytes_ += entry->bytes;
      entry->used = ++clock_;
    }
    entries_.emplace(hash, std::move(entry));
    return value;
  }

  CacheFacts facts() {
    const std::shared_lock lock(mutex_);
    return {static_cast<std::int64_t>(entries_.size()), bytes_, n_hits_, n_misses_, limit};
  }

  void shrink(std::int64_t most) {
    std::vector<std::unique_ptr<Entry>> dropped;
    const std::unique_lock lock(mutex_);
    drop_if([](const Entry& other) { return other.used == large; }, dropped);
    make_room(most, dropped);
  }

 private:
  static constexpr std::uint64_t large = ~std::uint64_t{0};  // the clock of a plan that is larger than all may be

  Value look_up(std::uint64_t hash, Key key) {
    const auto [first, last] = entries_.equal_range(hash);
    for (auto e = first; e != last; ++e) {
      Entry& entry = *e->second;
      if (!std::equal(entry.key.begin(), entry.key.end(), key.begin(), key.end())) continue;
      if (entry.used.load(std::memory_order_relaxed) != large)
        entry.used.store(clock_.fetch_add(1, std::memory_order_relaxed), std::memory_order_relaxed);
      return entry.value;
    }
    return nullptr;
  }

  template <class Is>
  void drop_if(const Is& is, std::vector<std::unique_ptr<Entry>>& dropped) {
    for (auto e = entries_.begin(); e != entries_.end();) {
      if (!is(*e->second)) {
        ++e;
        continue;
      }
      if (e->second->used != large) bytes_ -= e->second->bytes;
      dropped.push_back(std::move(e->second));
      e = entries_.erase(e);
    }
  }

  // Those used longest ago go, an eighth more than have to, so that they are looked through once in many.
  void make_room(std::int64_t most, std::vector<std::unique_ptr<Entry>>& dropped) {
    if (bytes_ <= most) return;
    std::vector<std::pair<std::uint64_t, std::int64_t>> by_use;
    for (const auto& [hash, entry] : entries_)
      if (entry->used != large) by_use.emplace_back(entry->used, entry->bytes);
    std::sort(by_use.begin(), by_use.end());
    std::uint64_t last = 0;
    std::int64_t left = bytes_;
    for (std::size_t k = 0; k < by_use.size() && left > most - most / 8; ++k) {
      last = by_use[k].first;
      left -= by_use[k].second;
    }
    drop_if([&](const Entry& entry) { return entry.used <= last; }, dropped);
  }

  std::shared_mutex mutex_;
  std::unordered_multimap<std::uint64_t, std::unique_ptr<Entry>> entries_;
  std::int64_t bytes_ = 0;
  std::atomic<std::int64_t> n_hits_{0}, n_misses_{0};
  std::atomic<std::uint64_t> clock_{0};
};

// A child of fork() begins with an empty one. Never destroyed: at the end of a program a GPU's driver goes first.
constinit PerProcess<Cache> the_cache;

void add_boxes(detail::RequestKey& key, const Boxes& boxes) {
  for (const Box& b : boxes) {
    key.insert(key.end(), {std::ssize(boxes), b.src_offset, b.dst_offset, b.unit * 2 + (b.is_fill ? 1 : 0), b.src_slot, b.dst_slot});
    for (const std::byte byte : b.pattern)
      if (b.is_fill) key.push_back(std::to_integer<std::int64_t>(byte));
    key.push_back(static_cast<std::int64_t>(b.axes.size()));
    for (const Axis& a : b.axes)
      key.insert(key.end(), {a.extent, a.src_stride, a.dst_stride, static_cast<int>(a.src_counts) * 2 + static_cast<int>(a.dst_counts)});
  }
}

}  // namespace

std::shared_ptr<const void> find_kept(Key key) { return the_cache.get().find(key); }
std::shared_ptr<const void> keep(Key key, Value value, std::int64_t bytes) { return the_cache.get().keep(key, std::move(value), bytes); }
void clear_kept() { the_cache.get().shrink(0); }

std::shared_ptr<const Plan> cached_plan(const Boxes& boxes, Device device) {
  thread_local detail::RequestKey key;
  key.assign({detail::kind_of_key<Plan>(), static_cast<std::int64_t>(device.kind), device.index});
  add_boxes(key, boxes);
  return kept<Plan>(key, [&] { return std::make_shared<const Plan>(boxes, device); });
}

Operation detail::cached_operation(std::span<const std::int64_t> key, const std::function<Operation()>& make) {
  return *kept<Operation>(key, [&] { return std::make_shared<const Operation>(make()); });
}

CacheFacts plan_cache_facts() { return the_cache.get().facts(); }

void set_plan_cache_limit(std::int64_t bytes) {
  if (bytes < 0) throw Error(ErrorCode::bad_shape, "a plan cache of " + std::to_string(bytes) + " bytes; give 0 or more");
  Cache::limit = bytes;
  the_cache.get().shrink(bytes);
}

}  // namespace crinkle
